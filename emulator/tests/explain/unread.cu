// Results and inputs that are never read: notes. Right programs: tables, halos, scratch memory, a
// search that ends early, one element read of a result, a kernel that runs twice.
#include "memory.h"

static int numbers[1024];
static int read_back[1024];

static void read_one(const int* from) {
  cudaMemcpy(read_back, from, sizeof(int), cudaMemcpyDeviceToHost);
}

// ---- results ----
__global__ void add_up(int* out, const int* in, int n) {
  int sum = 0;
  for (int i = threadIdx.x + blockIdx.x * blockDim.x; i < n; i += blockDim.x * gridDim.x)
    sum += in[i];
  for (int lanes = 16; lanes > 0; lanes /= 2) sum += __shfl_down_sync(~0u, sum, lanes);
  if (threadIdx.x == 0) out[blockIdx.x] = sum;
}
// Programs use different instances: in one that runs again with the same arguments, one result that
// is read is enough.
template <int>
__global__ void scale(int* out, const int* in) {
  const unsigned i = threadIdx.x + blockIdx.x * blockDim.x;
  out[i] = 2 * in[i];
}

// says: note: what kernel add_up writes here is read by no kernel, no copy and not by the host: part\[0\] to part\[7\] of the 32 bytes of part
void second_pass_reads_the_input(bool right) {
  int* part = nullptr;
  int* sum = nullptr;
  cudaMalloc(&part, 8 * sizeof(int));
  cudaMalloc(&sum, sizeof(int));
  const Array<int> in(1024, numbers);
  add_up<<<8, 32>>>(part, in.data, 1024);
  add_up<<<1, 32>>>(sum, right ? part : in.data, 8);
  read_one(sum);
  cudaFree(part);
  cudaFree(sum);
}

// says: note: what kernel scale<0> writes here is read by no kernel, .*: b\[0\] to b\[127\] of the 512 bytes of b
void wrong_buffer_is_copied(bool right) {
  int* a = nullptr;
  int* b = nullptr;
  cudaMalloc(&a, 512);
  cudaMalloc(&b, 512);
  cudaMemcpy(a, numbers, 512, cudaMemcpyHostToDevice);
  scale<0><<<2, threads>>>(b, a);
  read_one(right ? b : a);
  cudaFree(a);
  cudaFree(b);
}

// says: note: what kernel scale<1> writes here is read by no kernel, .*: first\[0\] to first\[127\]
void overwritten_before_it_is_read(bool right) {
  int* first = nullptr;
  int* second = nullptr;
  cudaMalloc(&first, 512);
  cudaMalloc(&second, 512);
  cudaMemcpy(second, numbers, 512, cudaMemcpyHostToDevice);
  scale<1><<<2, threads>>>(first, second);
  if (right) read_one(first);
  cudaMemset(first, 0, 512);
  read_one(first);
  cudaFree(first);
  cudaFree(second);
}

__device__ int result[64];
__global__ void to_variable() { result[threadIdx.x] = 1; }
// says: note: what kernel to_variable writes here is read by no kernel, no copy and not by the host: result
void variable_is_not_copied(bool right) {
  to_variable<<<1, threads>>>();
  if (right) cudaMemcpyFromSymbol(read_back, result, sizeof(int));
}

// A lock, and what it guards.
__device__ int lock_word, guarded;
__global__ void count_blocks(int thread) {
  if (static_cast<int>(threadIdx.x) != thread) return;
  while (atomicCAS(&lock_word, 0, 1) != 0) {
  }
  __threadfence();
  guarded = guarded + 1;
  __threadfence();
  atomicExch(&lock_word, 0);
}
void lock_is_no_result(bool) { count_blocks<<<4, threads>>>(1); }

// Its block sums are scratch memory, the last ones of which are not needed.
__global__ void scan_pieces(int* data, int* sums) {
  __shared__ int piece[threads];
  const unsigned i = threadIdx.x + blockIdx.x * blockDim.x;
  piece[threadIdx.x] = data[i];
  __syncthreads();
  for (unsigned step = 1; step < blockDim.x; step *= 2) {
    const int left = threadIdx.x >= step ? piece[threadIdx.x - step] : 0;
    __syncthreads();
    piece[threadIdx.x] += left;
    __syncthreads();
  }
  data[i] = piece[threadIdx.x];
  if (threadIdx.x + 1 == blockDim.x) sums[blockIdx.x] = piece[threadIdx.x];
}
void scratch_of_a_scan(bool) {
  const Array<int> data(threads, numbers), sums(1);
  scan_pieces<<<1, threads>>>(data.data, sums.data);
  read_one(data.data);
}

void runs_twice(bool) {
  const Array<int> in(128, numbers), out(128);
  scale<2><<<2, threads>>>(out.data, in.data);  // to warm up
  scale<2><<<2, threads>>>(out.data, in.data);
  read_one(out.data + 127);
}

// ---- inputs ----
__global__ void plus_ten(int* out, const int* in, bool right) {
  __shared__ int tile[threads];
  const unsigned i = threadIdx.x + blockIdx.x * blockDim.x;
  tile[threadIdx.x] = in[right ? i : threadIdx.x];
  __syncthreads();
  out[i] = tile[threadIdx.x] + 10;
}
// says: note: all blocks of kernel plus_ten read the same elements, a\[0\] to a\[63\] of the 2048 bytes of a .*; a\[64\] to a\[511\], which the copy in line [0-9]+ brings, are never read
void block_is_forgotten(bool right) {
  int* a = nullptr;
  cudaMalloc(&a, 512 * sizeof(int));
  cudaMemcpy(a, numbers, 512 * sizeof(int), cudaMemcpyHostToDevice);
  const Array<int> out(512);
  plus_ten<<<8, threads>>>(out.data, a, right);
  read_one(out.data);
  cudaFree(a);
}

struct View {
  const int* begin;
  __device__ int at(unsigned row, unsigned column) const { return begin[row * 16 + column]; }
};
__global__ void rows(int* out, View in, bool right) {
  const unsigned row = threadIdx.y + blockIdx.y * blockDim.y;
  out[row * 16 + threadIdx.x] = in.at(right ? row : threadIdx.y, threadIdx.x);
}
// says: note: all blocks of kernel rows read the same elements, picture\[0\] to picture\[63\] of the 1024 bytes of picture .*; picture\[64\] to picture\[255\], which
void rows_of_the_first_block(bool right) {
  int* picture = nullptr;
  cudaMalloc(&picture, 256 * sizeof(int));
  cudaMemcpy(picture, numbers, 256 * sizeof(int), cudaMemcpyHostToDevice);
  const Array<int> out(256);
  rows<<<dim3(1, 4), dim3(16, 4)>>>(out.data, {picture}, right);
  read_one(out.data);
  cudaFree(picture);
}

__global__ void sums(int* out, const int* in, int n, bool right) {
  const int each = n / static_cast<int>(gridDim.x);
  const int* const own = right ? in + each * static_cast<int>(blockIdx.x) : in;
  int sum = 0;
  for (int i = static_cast<int>(threadIdx.x); i < each; i += static_cast<int>(blockDim.x))
    sum += own[i];
  out[threadIdx.x + blockIdx.x * blockDim.x] = sum;
}
// says: note: all blocks of kernel sums read the same elements, values\[0\] to values\[255\] of .*; values\[256\] to values\[1023\]
void part_of_the_first_block(bool right) {
  int* values = nullptr;
  cudaMalloc(&values, sizeof numbers);
  cudaMemcpy(values, numbers, sizeof numbers, cudaMemcpyHostToDevice);
  const Array<int> out(256);
  sums<<<4, threads>>>(out.data, values, 1024, right);
  read_one(out.data);
  cudaFree(values);
}

__global__ void look_up(int* out, const int* table, const int* index) {
  const unsigned i = threadIdx.x + blockIdx.x * blockDim.x;
  out[i] = table[index[i] % 8];
}
void table_of_which_a_part_is_used(bool) {
  const Array<int> table(1024, numbers), index(256, numbers), out(256);
  look_up<<<4, threads>>>(out.data, table.data, index.data);
  read_one(out.data);
}

__global__ void blur(int* out, const int* in) {
  const unsigned i = threadIdx.x + blockIdx.x * blockDim.x;
  out[i] = in[i + 15] + in[i + 16] + in[i + 17];
}
void halo_is_wider(bool) {
  const Array<int> in(256 + 32, numbers), out(256);
  blur<<<4, threads>>>(out.data, in.data);
  read_one(out.data);
}

__global__ void weigh(int* out, const int* in, const int* weights) {
  const unsigned i = threadIdx.x + blockIdx.x * blockDim.x;
  int sum = 0;
  for (int k = 0; k < 5; ++k) sum += weights[k] * in[i];
  out[i] = sum;
}
void weights_have_room(bool) {
  const Array<int> in(256, numbers), weights(16, numbers), out(256);
  weigh<<<4, threads>>>(out.data, in.data, weights.data);
  read_one(out.data);
}

__global__ void find(int* where, const int* in, int n, int value) {
  for (int i = static_cast<int>(threadIdx.x); i < n; i += static_cast<int>(blockDim.x))
    if (in[i] == value) return static_cast<void>(atomicMin(where, i));
}
void search_ends_early(bool) {
  const Array<int> in(1024, numbers), where(1, numbers + 1023);
  find<<<1, threads>>>(where.data, in.data, 1024, 3);
  read_one(where.data);
}

int main(int count, char**) {
  for (int i = 0; i < 1024; ++i) numbers[i] = i;
  const bool right = count > 1;
  const int code =
      run_all({second_pass_reads_the_input, wrong_buffer_is_copied, overwritten_before_it_is_read,
               variable_is_not_copied, lock_is_no_result, scratch_of_a_scan, runs_twice,
               block_is_forgotten, rows_of_the_first_block, part_of_the_first_block,
               table_of_which_a_part_is_used, halo_is_wider, weights_have_room, search_ends_early},
              right);
  return code;
}
