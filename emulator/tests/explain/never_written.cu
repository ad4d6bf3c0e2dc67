// Memory that nobody wrote.
#include <cooperative_groups/memcpy_async.h>

#include <cstring>

#include "memory.h"

namespace {

int numbers[256];  // of the host: 0, 1, 2, ...
int results[1024];

// ---- shared memory ----
__global__ void count_odd(const int* in, int* out, bool right) {
  __shared__ int count;
  if (right && threadIdx.x == 0) count = 0;
  __syncthreads();
  if (in[threadIdx.x] % 2 == 1) atomicAdd(&count, 1);
  __syncthreads();
  if (threadIdx.x == 0) *out = count;
}
// says: kernel count_odd: thread 63 of block 0 updates count, which nobody wrote; what the host gets in line 26 depends on it
void counter_not_cleared(bool right) {
  const Array<int> in(threads, numbers), out(1);
  count_odd<<<1, threads>>>(in.data, out.data, right);
  cudaMemcpy(results, out.data, sizeof(int), cudaMemcpyDeviceToHost);
}

__global__ void histogram(const int* in, int* out, bool right) {
  __shared__ int bins[256];
  for (unsigned b = threadIdx.x; b < (right ? 256 : threads); b += threads) bins[b] = 0;
  __syncthreads();
  atomicAdd(&bins[in[threadIdx.x] % 64], 1);
  __syncthreads();
  for (unsigned b = threadIdx.x; b < 256; b += threads) out[b] = bins[b];
}
// says: histogram: thread 62 of block 0 reads bins\[126\], which nobody wrote; only bins\[0\] to bins\[63\] of 256 elements
void half_of_the_bins_cleared(bool right) {
  const Array<int> in(threads, numbers), out(256);
  histogram<<<1, threads>>>(in.data, out.data, right);
  cudaMemcpy(results, out.data, 256 * sizeof(int), cudaMemcpyDeviceToHost);
}

__global__ void blur(const int* in, int* out, bool right) {  // 8 x 8 pixels, and a border
  __shared__ int tile[10][10];
  const int x = threadIdx.x % 8 + 1, y = threadIdx.x / 8 + 1, i = threadIdx.x;
  tile[y][x] = in[i];
  if (x == 1) tile[y][0] = 0;
  if (x == 8) tile[y][9] = 0;
  if (y == 1) tile[0][x] = 0;
  if (y == 8) tile[9][x] = 0;
  if (right && i < 4) tile[i / 2 * 9][i % 2 * 9] = 0;
  __syncthreads();
  int sum = 0;
  for (int dy = -1; dy <= 1; ++dy)
    for (int dx = -1; dx <= 1; ++dx) sum += tile[y + dy][x + dx];
  out[i] = sum;
}
// says: never written: kernel blur: thread 63 of block 0 reads tile\[9\]\[9\], which nobody wrote; 96 of its 100 elements
void corners_of_the_halo(bool right) {
  const Array<int> in(threads, numbers), out(threads);
  blur<<<1, threads>>>(in.data, out.data, right);
  cudaMemcpy(results, out.data, threads * sizeof(int), cudaMemcpyDeviceToHost);
}

__global__ void any_negative(const int* in, int* out, bool right) {
  __shared__ bool found;
  if (right && threadIdx.x == 0) found = false;
  __syncthreads();
  if (in[threadIdx.x] < 0) found = true;
  __syncthreads();
  if (found)
    out[threadIdx.x] = 1;
  else
    out[threadIdx.x] = 2;
}
// says: kernel any_negative: thread 62 of block 0 reads found, which nobody wrote; what the host gets
void value_decides_a_branch(bool right) {
  const Array<int> in(threads, numbers), out(threads);
  any_negative<<<1, threads>>>(in.data, out.data, right);
  cudaMemcpy(results, out.data, threads * sizeof(int), cudaMemcpyDeviceToHost);
}

__global__ void sum_of_part(const int* in, int* out, int n, bool right) {
  __shared__ int s[threads];
  const int t = threadIdx.x;
  if (t < n)
    s[t] = in[t];
  else if (right)
    s[t] = 0;
  __syncthreads();
  for (int d = threads / 2; d > 0; d /= 2) {
    if (t < d) s[t] += s[t + d];
    __syncthreads();
  }
  if (t == 0) *out = s[0];
}
// says: kernel sum_of_part: .* reads s\[[0-9]+\], which nobody wrote; only s\[0\] to s\[49\] of 64 elements were written
void last_block_is_not_full(bool right) {
  const Array<int> in(50, numbers), out(1);
  sum_of_part<<<1, threads>>>(in.data, out.data, 50, right);
  cudaMemcpy(results, out.data, sizeof(int), cudaMemcpyDeviceToHost);
}

__global__ void dynamic_neighbors(int* out, int n) {
  extern __shared__ int row[];
  if (static_cast<int>(threadIdx.x) < n) row[threadIdx.x] = threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = row[threadIdx.x + 1];
}
// says: reads element \[64\] of dynamic shared memory, which nobody wrote; only element \[0\] to element \[63\] of 65
void dynamic_shared_memory(bool right) {
  const Array<int> out(threads);
  dynamic_neighbors<<<1, threads, 65 * sizeof(int)>>>(out.data, 65);
  cudaMemcpy(results, out.data, (right ? threads - 1 : threads) * sizeof(int),
             cudaMemcpyDeviceToHost);
}

// ---- global memory ----
__global__ void twice(const int* in, int* out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = 2 * in[i];
}
// says: kernel twice: .* reads in\[2\] of the 256 bytes of in \(cudaMalloc in line 127\), which nobody wrote; only in\[0\] to in\[1\] of 64 elements were written; the copy in line 129 brings 8 of its 256 bytes, the size of a pointer; what the host gets in line 131 depends on it
void size_of_a_pointer(bool right) {
  int *in = nullptr, *values = numbers;
  cudaMalloc(&in, threads * sizeof(int));
  const Array<int> out(threads);
  cudaMemcpy(in, values, right ? threads * sizeof(int) : sizeof values, cudaMemcpyHostToDevice);
  twice<<<1, threads>>>(in, out.data);
  cudaMemcpy(results, out.data, threads * sizeof(int), cudaMemcpyDeviceToHost);
  cudaFree(in);
}

__global__ void accumulate(const int* in, int* sums) { sums[threadIdx.x] += in[threadIdx.x]; }
// says: kernel accumulate: thread 0 of block 0 reads data\[0\] of .*, which nobody wrote; nor any other of its 64 elements
void sums_not_cleared(bool right) {
  const Array<int> in(threads, numbers), sums(threads);
  if (right) cudaMemset(sums.data, 0, threads * sizeof(int));
  for (int i = 0; i < 3; ++i) accumulate<<<1, threads>>>(in.data, sums.data);
  cudaMemcpy(results, sums.data, threads * sizeof(int), cudaMemcpyDeviceToHost);
}

__global__ void gray(const unsigned char* in, unsigned char* out) {
  out[threadIdx.x] = in[threadIdx.x] / 2;
}
// says: kernel gray: thread 0 of block 0 reads data\[0\] of .* which nobody wrote
void picture_not_copied(bool right) {
  const Array<unsigned char> in(threads), out(threads);
  if (right) cudaMemcpy(in.data, numbers, threads, cudaMemcpyHostToDevice);
  gray<<<1, threads>>>(in.data, out.data);
  cudaMemcpy(results, out.data, threads, cudaMemcpyDeviceToHost);
}

__global__ void gather(const int* in, const int* index, int* out) {
  out[threadIdx.x] = in[index[threadIdx.x] & 63];
}
__global__ void add_one(int* values) { ++values[threadIdx.x]; }
// says: kernel gather: thread 0 of block 0 reads data\[0\] .*, which nobody wrote; .* what the host gets in line 165 depends on it
void index_through_two_launches(bool right) {
  const Array<int> in(threads, numbers), index(threads), out(threads);
  if (right) cudaMemset(index.data, 0, threads * sizeof(int));
  gather<<<1, threads>>>(in.data, index.data, out.data);
  add_one<<<1, threads>>>(out.data);
  cudaMemcpy(results, out.data, threads * sizeof(int), cudaMemcpyDeviceToHost);
}

__global__ void pick(const int* in, const int* index, int* out) {
  out[threadIdx.x] = in[index[threadIdx.x]];
}
// says: kernel pick: thread 0 of block 0 reads data\[0\] .* with another value there the kernel
void index_that_goes_astray(bool right) {
  const Array<int> in(threads, numbers), index(threads), out(threads);
  if (right) cudaMemset(index.data, 0, threads * sizeof(int));
  pick<<<1, threads>>>(in.data, index.data, out.data);
}

__global__ void smooth(const int* in, int* out) {  // but for the ends
  const unsigned i = threadIdx.x + 1;
  out[i] = in[i - 1] + in[i + 1];
}
// says: kernel smooth: thread 0 of block 0 reads data\[0\] .*, which nobody wrote; only data\[1\] to data\[62\] of 64
void ends_of_the_second_buffer(bool right) {
  const Array<int> a(threads, numbers), b(threads);
  if (right) cudaMemcpy(b.data, numbers, threads * sizeof(int), cudaMemcpyHostToDevice);
  smooth<<<1, threads - 2>>>(a.data, b.data);
  smooth<<<1, threads - 2>>>(b.data, a.data);
  cudaMemcpy(results, a.data, threads * sizeof(int), cudaMemcpyDeviceToHost);
}

__device__ int total;
__global__ void add_to_total(const int* in) { total = total + in[threadIdx.x]; }
// says: kernel add_to_total: thread 0 of block 0 reads data\[0\] .* line 198 depends on it
void result_in_a_variable(bool right) {
  const Array<int> in(1);
  if (right) cudaMemset(in.data, 0, sizeof(int));
  add_to_total<<<1, 1>>>(in.data);
  cudaMemcpyFromSymbol(results, total, sizeof(int));
}

__global__ void half(const int* in, int* out) { out[threadIdx.x] = in[threadIdx.x] / 2; }
// says: kernel half: thread 0 of block 0 reads data\[0\] .* with another value there
void result_in_managed_memory(bool right) {
  int* out = nullptr;
  cudaMallocManaged(&out, threads * sizeof(int));
  const Array<int> in(threads);
  if (right) cudaMemset(in.data, 0, threads * sizeof(int));
  half<<<1, threads>>>(in.data, out);
  cudaDeviceSynchronize();
  cudaFree(out);
}

__global__ void print_sum(const int* in) {
  if (in[threadIdx.x] > 5) std::printf("%d\n", in[threadIdx.x] + in[threadIdx.x + 1]);
}
// says: kernel print_sum: thread 0 of block 0 reads data\[0\] .* with another value there the kernel
void printed_by_the_kernel(bool right) {
  const Array<int> in(threads);
  if (right) cudaMemset(in.data, 0, threads * sizeof(int));
  print_sum<<<1, 2>>>(in.data);
}

// says: note: copies bytes 192 to 255 of the 256 bytes of data .* to the host, which nobody wrote; kernel twice has 48 threads at never_written.cu:[0-9]+$
void tail_not_computed(bool right) {
  const Array<int> in(threads, numbers), out(threads);
  twice<<<right ? 4 : 3, 16>>>(in.data, out.data);
  cudaMemcpy(results, out.data, threads * sizeof(int), cudaMemcpyDeviceToHost);
}

// says: note: copies bytes 192 to 247 of .* kernel twice has 48 threads at .*; the number of blocks is rounded up as \(n \+ 15\) / 16
void part_of_a_block_not_computed(bool right) {
  const Array<int> in(threads, numbers), out(right ? 48 : 62);
  twice<<<3, 16>>>(in.data, out.data);
  cudaMemcpy(results, out.data, (right ? 48 : 62) * sizeof(int), cudaMemcpyDeviceToHost);
}

// For twice as many threads as there are.
__global__ void largest_in_block(const int* in, int* out) {
  __shared__ int largest[2 * threads];
  largest[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  for (int n = threads; n > 0; n /= 2) {
    if (threadIdx.x < unsigned(n) && largest[threadIdx.x + n] > largest[threadIdx.x])
      largest[threadIdx.x] = largest[threadIdx.x + n];
    __syncthreads();
  }
  *out = largest[0];
}
// says: reads largest\[127\], which nobody wrote; only largest\[0\] to largest\[63\] of 128 elements were written, as many as the block has threads; with
void half_of_the_threads(bool right) {
  const Array<int> in(2 * threads, numbers), out(1);
  largest_in_block<<<1, right ? 2 * threads : threads>>>(in.data, out.data);
  cudaMemcpy(results, out.data, sizeof(int), cudaMemcpyDeviceToHost);
}

// ---- right ones that look like mistakes ----
struct Padded {
  char kind;
  double value;
};
__global__ void fill_structures(Padded* to) {
  to[threadIdx.x].kind = 1;
  to[threadIdx.x].value = 2;
}
__global__ void copy_structures(const Padded* from, Padded* to) {
  to[threadIdx.x] = from[threadIdx.x];
}
void padding(bool) {
  const Array<Padded> a(threads), b(threads);
  fill_structures<<<1, threads>>>(a.data);
  copy_structures<<<1, threads>>>(a.data, b.data);
  cudaMemcpy(results, b.data, threads * sizeof(Padded), cudaMemcpyDeviceToHost);
}

__global__ void load_then_look(const int* in, int* out, int n) {
  const int value = in[threadIdx.x];
  if (static_cast<int>(threadIdx.x) < n) out[threadIdx.x] = value;
}
void loaded_and_not_used(bool) {
  const Array<int> in(threads), out(threads);
  cudaMemcpy(in.data, numbers, 50 * sizeof(int), cudaMemcpyHostToDevice);
  load_then_look<<<1, threads>>>(in.data, out.data, 50);
  cudaMemcpy(results, out.data, 50 * sizeof(int), cudaMemcpyDeviceToHost);
}

__global__ void scan(int* data) {  // by a tree over 64 elements, however many of them are there
  const int t = threadIdx.x;
  for (int d = 1; d < threads; d *= 2) {
    if (t % (2 * d) == 2 * d - 1) data[t] += data[t - d];
    __syncthreads();
  }
  if (t == threads - 1) data[t] = 0;
  __syncthreads();
  for (int d = threads / 2; d > 0; d /= 2) {
    if (t % (2 * d) == 2 * d - 1) {
      const int left = data[t - d];
      data[t - d] = data[t];
      data[t] += left;
    }
    __syncthreads();
  }
}
void padded_scan(bool) {
  const Array<int> data(threads);
  cudaMemcpy(data.data, numbers, 50 * sizeof(int), cudaMemcpyHostToDevice);
  scan<<<1, threads>>>(data.data);
  cudaMemcpy(results, data.data, 50 * sizeof(int), cudaMemcpyDeviceToHost);
}

__global__ void functions_of_the_library(const int* in, int* out, int n) {
  memcpy(out, in, n * sizeof(int));
  memset(out + n, 0, n * sizeof(int));
}
// All threads copy parts, of which the last is short.
__global__ void copy_together(const int* in, int* out) {
  __shared__ int here[threads];
  const auto block = cooperative_groups::this_thread_block();
  cooperative_groups::memcpy_async(block, here, in, (threads - 1) * sizeof(int));
  if (threadIdx.x == 0) here[threads - 1] = 0;
  cooperative_groups::wait(block);
  out[threadIdx.x] = here[threads - 1 - threadIdx.x];
}
void written_by_a_group(bool) {
  const Array<int> in(threads, numbers), out(threads);
  copy_together<<<1, threads>>>(in.data, out.data);
  cudaMemcpy(results, out.data, threads * sizeof(int), cudaMemcpyDeviceToHost);
}
void written_by_functions(bool) {
  const Array<int> in(threads, numbers), out(2 * threads), result(2 * threads), again(2 * threads);
  functions_of_the_library<<<1, 1>>>(in.data, out.data, threads);
  cudaMemcpy(again.data, out.data, 2 * threads * sizeof(int), cudaMemcpyDeviceToDevice);
  twice<<<2, threads>>>(again.data, result.data);
  cudaMemcpy(results, result.data, 2 * threads * sizeof(int), cudaMemcpyDeviceToHost);
}

// Constant memory is 0 where no copy has filled it.
__constant__ float weights[16], tables[4] = {0, 1};
__global__ void smooth(const int* in, float* out) {
  float sum = 0;
  for (int i = 0; i < 16; ++i) sum += weights[i] * in[i] * tables[i % 4];
  *out = sum;
}
// says: note: kernel smooth: thread 0 of block 0 reads weights\[4\], which nobody wrote; only weights\[0\] to weights\[3\] of 16 elements were written; constant memory is 0 then
void quarter_of_the_weights(bool right) {
  const float ones[16] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
  cudaMemcpyToSymbol(weights, ones, right ? sizeof ones : 16);
  cudaMemcpyToSymbol(tables, ones, sizeof(float));
  const Array<int> in(16, numbers);
  const Array<float> out(1);
  smooth<<<1, 1>>>(in.data, out.data);
  cudaMemcpy(results, out.data, sizeof(float), cudaMemcpyDeviceToHost);
}

// To read too early what others write later is a race.
__global__ void reverse(const int* in, int* out, bool right) {
  __shared__ int s[threads];
  s[threadIdx.x] = in[threadIdx.x];
  if (right) __syncthreads();
  out[threadIdx.x] = s[threads - 1 - threadIdx.x];
}
// says: race: kernel reverse:
void too_early(bool right) {
  const Array<int> in(threads, numbers), out(threads);
  reverse<<<1, threads>>>(in.data, out.data, right);
  cudaMemcpy(results, out.data, threads * sizeof(int), cudaMemcpyDeviceToHost);
}

// Structures that are copied word by word: nobody writes the padding between their members.
struct Particle {
  char kind;
  double mass;
  int cell;
};
__global__ void make(Particle* out) {
  out[threadIdx.x].kind = 1;
  out[threadIdx.x].mass = 2;
  out[threadIdx.x].cell = 3;
}
__global__ void copy_words(const int* in, int* out, int count) {
  for (int i = threadIdx.x; i < count; i += blockDim.x) out[i] = in[i];
}
void copied_by_words(bool) {
  const Array<Particle> a(threads), b(threads);
  make<<<1, threads>>>(a.data);
  copy_words<<<1, threads>>>(reinterpret_cast<const int*>(a.data), reinterpret_cast<int*>(b.data),
                             threads * sizeof(Particle) / sizeof(int));
  Particle host[threads];
  cudaMemcpy(host, b.data, sizeof host, cudaMemcpyDeviceToHost);
}

__global__ void doubled(int* values, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) values[i] *= 2;
}
// says: note: copies data\[64\] to data\[99\] of the 400 bytes of data .* which no thread has read or written: kernel doubled has 64 threads at never_written.cu:[0-9]+; the number of blocks is rounded up as \(n \+ 63\) / 64
void blocks_not_rounded_up(bool right) {
  const int n = 100;
  const Array<int> values(n, numbers);
  doubled<<<right ? (n + threads - 1) / threads : n / threads, threads>>>(values.data, n);
  cudaMemcpy(results, values.data, n * sizeof(int), cudaMemcpyDeviceToHost);
}
// A part of an array is meant, or an end mark is no element.
void a_part_is_meant(bool) {
  const Array<int> values(200, numbers), marked(threads + 1, numbers);
  doubled<<<1, threads>>>(values.data, threads);
  cudaMemcpy(results, values.data, 200 * sizeof(int), cudaMemcpyDeviceToHost);
  doubled<<<1, threads>>>(marked.data, threads);
  cudaMemcpy(results, marked.data, (threads + 1) * sizeof(int), cudaMemcpyDeviceToHost);
}

// ---- memory that cudaMemset has set, and copies that bring less than was meant ----
__global__ void product(const int* in, int* out) {
  for (int i = 0; i < 4; ++i) *out *= in[i];
}
// says: note: kernel product reads data\[0\], of which cudaMemset in line [0-9]+ has set each byte to 1: as an integer of 4 bytes that is 16843009
void ones_by_memset(bool right) {
  const Array<int> in(threads, numbers), out(1);
  const int one = 1;
  cudaMemset(out.data, 1, sizeof(int));
  if (right) cudaMemcpy(out.data, &one, sizeof one, cudaMemcpyHostToDevice);
  product<<<1, 1>>>(in.data, out.data);
  cudaMemcpy(results, out.data, sizeof(int), cudaMemcpyDeviceToHost);
}
__global__ void count_flags(const char* in, int* out) {
  for (int i = 0; i < 8; ++i) *out += in[i];
}
void flags_by_memset(bool) {
  const Array<char> flags(8);
  const Array<int> out(1, numbers);
  cudaMemset(flags.data, 1, 8);
  count_flags<<<1, 1>>>(flags.data, out.data);
  cudaMemcpy(results, out.data, sizeof(int), cudaMemcpyDeviceToHost);
}

__global__ void mirror(cudaTextureObject_t picture, float* out, int n) {
  const int x = threadIdx.x % n, y = threadIdx.x / n;
  out[threadIdx.x] = tex2D<float>(picture, n - 1 - x + 0.5f, y + 0.5f);
}
// says: never written: kernel mirror: .* which nobody wrote; 16 of its 64 elements were written; the copy in line [0-9]+ brings 64 of its 256 bytes; its width is in bytes
void width_of_a_copy(bool right) {
  const int n = 8;
  const Array<float> out(threads);
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaArray_t array = nullptr;
  cudaMallocArray(&array, &format, n, n);
  cudaMemcpy2DToArray(array, 0, 0, numbers, n * sizeof(float), right ? n * sizeof(float) : n, n,
                      cudaMemcpyHostToDevice);
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaTextureDesc description = {};
  cudaTextureObject_t picture = 0;
  cudaCreateTextureObject(&picture, &resource, &description, nullptr);
  mirror<<<1, threads>>>(picture, out.data, n);
  cudaMemcpy(results, out.data, threads * sizeof(float), cudaMemcpyDeviceToHost);
  cudaDestroyTextureObject(picture);
  cudaFreeArray(array);
}

__global__ void negate(float* image, int row, int n) {
  for (int x = threadIdx.x; x < n; x += threads) image[blockIdx.x * row + x] *= -1;
}
// says: kernel negate: .* reads image\[80\] of .* which nobody wrote; .* the copy in line [0-9]+ brings rows of 320 bytes, 512 bytes apart \(the pitch\)
void width_for_the_pitch(bool right) {
  const int n = 80;
  const int height = 3;
  float image_here[n * height] = {}, *image = nullptr;
  std::size_t pitch = 0;
  cudaMallocPitch(&image, &pitch, n * sizeof(float), height);
  cudaMemcpy2D(image, pitch, image_here, n * sizeof(float), n * sizeof(float), height,
               cudaMemcpyHostToDevice);
  negate<<<height, threads>>>(image, right ? pitch / sizeof(float) : n, n);
  cudaMemcpy2D(image_here, n * sizeof(float), image, pitch, n * sizeof(float), height,
               cudaMemcpyDeviceToHost);
  cudaFree(image);
}

__global__ void number_rows(float* image, int row, int n) {
  for (int x = threadIdx.x; x < n; x += threads) image[blockIdx.x * row + x] = x;
}
// says: note: copies bytes 2560 to 2879 of the 4096 bytes of image .* to the host, which nobody wrote; what lies before was all written, also between the rows: a kernel counts them by their width, but they are a pitch apart
void rows_by_their_width(bool right) {
  const int n = 80;
  const int height = 8;
  float image_here[n * height] = {}, *image = nullptr;
  std::size_t pitch = 0;
  cudaMallocPitch(&image, &pitch, n * sizeof(float), height);
  number_rows<<<height, threads>>>(image, right ? pitch / sizeof(float) : n, n);
  cudaMemcpy2D(image_here, n * sizeof(float), image, pitch, n * sizeof(float), height,
               cudaMemcpyDeviceToHost);
  cudaFree(image);
}

__global__ void double_rows(float* image, int row, int n) {
  for (int x = threadIdx.x; x < n; x += threads) image[blockIdx.x * row + x] *= 2;
}
// says: kernel double_rows: .* reads image\[[0-9]+\] of .* which nobody wrote; .* brings 960 of its 1536 bytes in one piece; rows that are a pitch apart come by cudaMemcpy2D
void flat_copy_into_rows(bool right) {
  const int n = 80;
  const int height = 3;
  const std::size_t bytes = n * sizeof(float);
  float image_here[n * height] = {}, *image = nullptr;
  std::size_t pitch = 0;
  cudaMallocPitch(&image, &pitch, bytes, height);
  if (right)
    cudaMemcpy2D(image, pitch, image_here, bytes, bytes, height, cudaMemcpyHostToDevice);
  else
    cudaMemcpy(image, image_here, bytes * height, cudaMemcpyHostToDevice);
  double_rows<<<height, threads>>>(image, pitch / sizeof(float), n);
  cudaMemcpy2D(image_here, bytes, image, pitch, bytes, height, cudaMemcpyDeviceToHost);
  cudaFree(image);
}

__global__ void count_all(int* count) { atomicAdd(count, 1); }
// says: kernel count_all: thread 0 of block 0 updates data\[0\] of .*, of which 3 of 4 bytes were never written; w
void one_byte_of_a_counter(bool right) {
  const Array<int> count(1);
  cudaMemset(count.data, 0, right ? sizeof(int) : 1);
  count_all<<<1, threads>>>(count.data);
  cudaMemcpy(results, count.data, sizeof(int), cudaMemcpyDeviceToHost);
}

__global__ void halve(double* values) { values[threadIdx.x] /= 2; }
// says: note: copies 256 of the 512 bytes of data .*, with a sizeof that is 4; kernels get it as elements of 8 bytes
void size_of_another_type(bool right) {
  const Array<double> values(threads);
  cudaMemset(values.data, 0, threads * sizeof(double));
  halve<<<1, threads>>>(values.data);
  if (right)
    cudaMemcpy(results, values.data, threads * sizeof(double), cudaMemcpyDeviceToHost);
  else
    cudaMemcpy(results, values.data, threads * sizeof(float), cudaMemcpyDeviceToHost);
}

// Four pieces of an array that kernels take for float4.
__global__ void halve_four(float4* values) { values[threadIdx.x].x /= 2; }
void pieces(bool) {
  const int piece = threads;
  const Array<float> values(4 * piece);
  float host[4 * piece] = {};
  for (int i = 0; i < 4; ++i)
    cudaMemcpy(values.data + i * piece, host, piece * sizeof(float), cudaMemcpyHostToDevice);
  halve_four<<<1, piece>>>(reinterpret_cast<float4*>(values.data));
  for (int i = 0; i < 4; ++i)
    cudaMemcpy(host, values.data + i * piece, piece * sizeof(float), cudaMemcpyDeviceToHost);
}

__global__ void downsample(cudaTextureObject_t texture, float* out) {
  out[threadIdx.x] = tex2D<float>(texture, 2 * threadIdx.x + 1.0f, 1.0f);
}
// says: kernel downsample: thread 16 of block 0 reads array\[[0-9]+\] of .*, which nobody wrote; .* its width is in bytes
void width_of_an_array(bool right) {
  const cudaChannelFormatDesc floats = cudaCreateChannelDesc<float>();
  const std::size_t width = 2 * threads;
  cudaResourceDesc resource{};
  resource.resType = cudaResourceTypeArray;
  cudaArray_t& array = resource.res.array.array;
  cudaMallocArray(&array, &floats, width, 2);
  const float picture[2 * width] = {};
  cudaMemcpy2DToArray(array, 0, 0, picture, width * sizeof(float),
                      right ? width * sizeof(float) : width, 2, cudaMemcpyHostToDevice);
  cudaTextureDesc description{};
  description.filterMode = cudaFilterModeLinear;
  cudaTextureObject_t texture = 0;
  cudaCreateTextureObject(&texture, &resource, &description, nullptr);
  const Array<float> out(threads);
  downsample<<<1, threads>>>(texture, out.data);
  cudaMemcpy(results, out.data, threads * sizeof(int), cudaMemcpyDeviceToHost);
  cudaDestroyTextureObject(texture);
  cudaFreeArray(array);
}

__device__ int table[16];
__global__ void use_table(int* out) { out[threadIdx.x] = table[threadIdx.x]; }
// says: note: writes over bytes 8 to 31 of table, which the copy in line [0-9]+ has brought and no kernel has read; the offset is in bytes
void offset_in_elements(bool right) {
  const Array<int> out(16);
  cudaMemcpyToSymbol(table, numbers, 8 * sizeof(int));
  cudaMemcpyToSymbol(table, numbers + 8, 8 * sizeof(int), right ? 8 * sizeof(int) : 8);
  use_table<<<1, 16>>>(out.data);
  cudaMemcpy(results, out.data, 16 * sizeof(int), cudaMemcpyDeviceToHost);
}

// says: note: kernel fetch_pixels fetches at [0-9]+ coordinates of 2 and more, or -1 and less, from a texture whose coordinates are normalized
__global__ void fetch_pixels(cudaTextureObject_t picture, float* out, int n, float scale) {
  const int x = threadIdx.x % n, y = threadIdx.x / n;
  out[threadIdx.x] = tex2D<float>(picture, (x + 0.5f) * scale, (y + 0.5f) * scale);
}
// says: note: kernel fetch_pixels fetches 64 times between -1 and 2 from a texture of 8 x 8 texels, whose coordinates count texels
void fetch_all(bool normalized, float scale) {
  const int n = 8;
  const Array<float> out(threads);
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaArray_t array = nullptr;
  cudaMallocArray(&array, &format, n, n);
  cudaMemcpy2DToArray(array, 0, 0, numbers, n * sizeof(float), n * sizeof(float), n,
                      cudaMemcpyHostToDevice);
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaTextureDesc description = {};
  description.normalizedCoords = normalized ? 1 : 0;
  description.filterMode = cudaFilterModeLinear;
  description.addressMode[0] = description.addressMode[1] = cudaAddressModeClamp;
  cudaTextureObject_t picture = 0;
  cudaCreateTextureObject(&picture, &resource, &description, nullptr);
  fetch_pixels<<<1, threads>>>(picture, out.data, n, scale / n);
  cudaMemcpy(results, out.data, threads * sizeof(float), cudaMemcpyDeviceToHost);
  cudaDestroyTextureObject(picture);
  cudaFreeArray(array);
}
void normalized_coordinates(bool right) { fetch_all(true, right ? 1 : 8); }
void counted_coordinates(bool right) { fetch_all(false, right ? 8 : 1); }

__global__ void fetch_elements(cudaTextureObject_t elements, float* out) {
  out[threadIdx.x] = tex1Dfetch<float>(elements, threadIdx.x);
}
// says: note: kernel fetch_elements fetches 48 times beyond the 16 elements of a texture in linear memory, and gets 0; its sizeInBytes, 64, counts bytes
void size_of_a_texture(bool right) {
  const Array<float> in(threads, reinterpret_cast<const float*>(numbers)), out(threads);
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeLinear;
  resource.res.linear.devPtr = in.data;
  resource.res.linear.desc = cudaCreateChannelDesc<float>();
  resource.res.linear.sizeInBytes = right ? threads * sizeof(float) : threads;
  cudaTextureDesc description = {};
  cudaTextureObject_t elements = 0;
  cudaCreateTextureObject(&elements, &resource, &description, nullptr);
  fetch_elements<<<1, threads>>>(elements, out.data);
  cudaMemcpy(results, out.data, threads * sizeof(float), cudaMemcpyDeviceToHost);
  cudaDestroyTextureObject(elements);
}

__global__ void to_gray(int* out, int width, int height) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x,
            row = blockIdx.y * blockDim.y + threadIdx.y;
  if (column < width && row < height) out[row * width + column] = column;
}
// says: note: copies bytes 32 to 79, and the same of each further 80 bytes, of the 640 bytes of data .* to the host, which nobody wrote; kernel to_gray has 8 threads in x and 24 in y
void rows_and_columns(bool right) {
  const int width = 20, height = 8;
  const Array<int> out(width * height);
  const dim3 block(4, 4), across((width + 3) / 4, (height + 3) / 4),
      down((height + 3) / 4, (width + 7) / 4);
  to_gray<<<right ? across : down, block>>>(out.data, width, height);
  cudaMemcpy(results, out.data, width * height * sizeof(int), cudaMemcpyDeviceToHost);
}

// says: note: copies bytes 32 to 79, and the same of each further 80 bytes, of .* to the host, which no thread has read or written; kernel to_gray has 8 threads in x and 24 in y
void rows_and_columns_of_cleared_memory(bool right) {
  const int width = 20, height = 8;
  const Array<int> out(width * height);
  cudaMemset(out.data, 0, width * height * sizeof(int));
  const dim3 block(4, 4), across((width + 3) / 4, (height + 3) / 4),
      down((height + 3) / 4, (width + 7) / 4);
  to_gray<<<right ? across : down, block>>>(out.data, width, height);
  cudaMemcpy(results, out.data, width * height * sizeof(int), cudaMemcpyDeviceToHost);
}
// says: note: copies bytes 640 to 799 of .* to the host, which no thread has read or written; kernel to_gray has 20 threads in x and 8 in y
void rows_not_rounded_up(bool right) {
  const int width = 20, height = 10;
  const Array<int> out(width * height);
  cudaMemset(out.data, 0, width * height * sizeof(int));
  to_gray<<<dim3(5, right ? 3 : 2), dim3(4, 4)>>>(out.data, width, height);
  cudaMemcpy(results, out.data, width * height * sizeof(int), cudaMemcpyDeviceToHost);
}
// The left half, and the rows above, are meant.
void a_part_of_the_picture_is_meant(bool) {
  const int width = 20, height = 8;
  const Array<int> out(width * height);
  cudaMemset(out.data, 0, width * height * sizeof(int));
  to_gray<<<dim3(5, 1), dim3(4, 4)>>>(out.data, width, height);
  cudaMemcpy(results, out.data, width * height * sizeof(int), cudaMemcpyDeviceToHost);
  cudaMemset(out.data, 0, width * height * sizeof(int));
  to_gray<<<dim3(2, 2), dim3(4, 4)>>>(out.data, width, height);
  cudaMemcpy(results, out.data, width * height * sizeof(int), cudaMemcpyDeviceToHost);
}

// ---- two atomic functions in turn ----
// says: note: kernel largest reads out, compares and stores in steps of their own
// says: note: kernel largest reads &out\[1\], compares and stores in steps of their own: what another thread stores between them is lost; atomicMax
__global__ void largest(const int* in, int* out) {
  for (int i = threadIdx.x; i < 2 * threads; i += threads) {
    if (atomicAdd(out, 0) < in[i]) atomicExch(out, in[i]);
    const int seen = atomicAdd(&out[1], 0);
    if (in[i] > seen) {
      atomicExch(&out[1], in[i]);
    }
  }
}
// Each takes its turn; a lock protects what is done in steps; one thread has it for itself; all
// store one number.
__device__ int turn, lock, best, found;
__global__ void in_turn(const int* in, int* out) {
  if (in[threadIdx.x] > 0 && atomicAdd(&found, 0) < 1) atomicExch(&found, 1);
  if (threadIdx.x > 0) return;
  for (bool done = false; !done;) {
    if (atomicAdd(&turn, 0) == static_cast<int>(blockIdx.x)) {
      atomicExch(&turn, blockIdx.x + 1);
      done = true;
    }
  }
  while (atomicCAS(&lock, 0, 1) != 0) {
  }
  __threadfence();
  if (atomicAdd(&best, 0) < in[blockIdx.x]) atomicExch(&best, in[blockIdx.x]);
  __threadfence();
  atomicExch(&lock, 0);
  if (blockIdx.x == 0 && atomicAdd(out, 0) < 1) atomicExch(out, 1);
}
void two_steps(bool right) {
  const Array<int> in(2 * threads, numbers), out(2);
  cudaMemset(out.data, 0, 2 * sizeof(int));
  if (right)
    in_turn<<<4, 32>>>(in.data, out.data);
  else
    largest<<<1, threads>>>(in.data, out.data);
  cudaMemcpy(results, out.data, 2 * sizeof(int), cudaMemcpyDeviceToHost);
}

// ---- a sum that goes on from a warm-up ----
__global__ void add_all(const float* in, float* sum) { atomicAdd(sum, in[threadIdx.x]); }
__global__ void add_twice(const float* in, float* sum) { atomicAdd(sum, in[threadIdx.x]); }
// says: note: kernel add_all, launched at never_written.cu:[0-9]+, adds once more to data\[0\] what its first launch has added; where that was to warm up
void warm_up(bool right) {
  float ones[threads];
  for (float& one : ones) one = 1;
  const Array<float> in(threads, ones), sum(1);
  float milliseconds = 0;
  cudaEvent_t start = nullptr;
  cudaEvent_t stop = nullptr;
  cudaEventCreate(&start);
  cudaEventCreate(&stop);
  cudaMemset(sum.data, 0, sizeof(float));
  add_all<<<1, threads>>>(in.data, sum.data);
  if (right) cudaMemset(sum.data, 0, sizeof(float));
  cudaEventRecord(start);
  add_all<<<1, threads>>>(in.data, sum.data);
  cudaEventRecord(stop);
  cudaEventSynchronize(stop);
  cudaEventElapsedTime(&milliseconds, start, stop);
  cudaMemcpy(results, sum.data, sizeof(float), cudaMemcpyDeviceToHost);
  // Twice on purpose: both are timed.
  cudaMemset(sum.data, 0, sizeof(float));
  cudaEventRecord(start);
  for (int i = 0; i < 2; ++i) add_twice<<<1, threads>>>(in.data, sum.data);
  cudaEventRecord(stop);
  cudaEventSynchronize(stop);
  cudaEventElapsedTime(&milliseconds, start, stop);
  cudaMemcpy(results, sum.data, sizeof(float), cudaMemcpyDeviceToHost);
  cudaEventDestroy(start);
  cudaEventDestroy(stop);
}

// ---- sums of a warp ----
__device__ int sum_of_warp(int sum) {
  for (int n = 16; n > 0; n /= 2) sum += __shfl_down_sync(0xffffffff, sum, n);
  return sum;
}
// says: note: kernel shares: most lanes store what they have of the sum in line [0-9]+; after __shfl_down_sync only lane 0 has the whole
__global__ void shares(const int* in, int* out) {
  const int mine = in[threadIdx.x], sum = sum_of_warp(mine);
  out[threadIdx.x] = 100 * mine / (sum + 1);
}
__global__ void shares_of_all(const int* in, int* out) {
  const int mine = in[threadIdx.x];
  int sum = sum_of_warp(mine);
  sum = __shfl_sync(0xffffffff, sum, 0);
  out[threadIdx.x] = 100 * mine / (sum + 1);
}
// says: note: kernel differences: most lanes store what they have of the sum in line
__global__ void differences(const int* in, int* out) {
  const int mine = in[threadIdx.x];
  int largest = mine;
  for (int n = 16; n > 0; n /= 2) largest = max(largest, __shfl_down_sync(0xffffffff, largest, n));
  out[threadIdx.x] = largest - mine;
}
__global__ void first_lanes(const int* in, int* out) {
  int sum = in[threadIdx.x];
  for (int n = 4; n > 0; n /= 2) sum += __shfl_down_sync(0xffffffff, sum, n, 8);
  int all = sum_of_warp(sum);
  if (threadIdx.x % 32 == 0) out[threadIdx.x] = all;
}
// A sum of neighbors is right in all lanes but the last.
__global__ void pairs(const int* in, int* out) {
  int sum = in[threadIdx.x];
  sum += __shfl_down_sync(0xffffffff, sum, 1);
  out[threadIdx.x] = sum;
}
__global__ void shares_handed_over(const int* in, int* out) {
  const int mine = in[threadIdx.x];
  const int sum = sum_of_warp(mine);
  out[threadIdx.x] = 100 * mine / (__shfl_sync(0xffffffff, sum, 0) + 1);
}
void sums_of_warps(bool right) {
  const Array<int> in(threads, numbers), out(threads);
  if (!right) shares<<<1, threads>>>(in.data, out.data);
  if (!right) differences<<<1, threads>>>(in.data, out.data);
  shares_of_all<<<1, threads>>>(in.data, out.data);
  first_lanes<<<1, threads>>>(in.data, out.data);
  pairs<<<1, threads>>>(in.data, out.data);
  shares_handed_over<<<1, threads>>>(in.data, out.data);
  cudaMemcpy(results, out.data, threads * sizeof(int), cudaMemcpyDeviceToHost);
}

// ---- what launches leave behind ----
__global__ void next_step(const int* now, int* next) { next[threadIdx.x] = now[threadIdx.x] + 1; }
// says: note: copies from the 256 bytes of data .*, which kernel next_step wrote in the launch before its last; what the last of its [0-9]+ launches wrote, .* the other buffer
void odd_number_of_steps(bool right) {
  const Array<int> a(threads, numbers), b(threads);
  int* buffers[] = {a.data, b.data};
  for (int i = 0; i < 3; ++i) next_step<<<1, threads>>>(buffers[i % 2], buffers[(i + 1) % 2]);
  cudaMemcpy(results, buffers[right ? 1 : 0], threads * sizeof(int), cudaMemcpyDeviceToHost);
}

__global__ void first_bytes(uchar4* pixels, int shared_by) {
  pixels[threadIdx.x / shared_by].x = static_cast<unsigned char>(threadIdx.x);
}
// says: race: kernel first_bytes: thread 0 of block 0 and thread 1 of block 0 both compute pixels\[0\].x; nothing orders
void two_write_a_byte(bool right) {
  const Array<uchar4> pixels(threads);
  first_bytes<<<1, threads>>>(pixels.data, right ? 1 : 2);
}

// Two launches that have nothing to do with each other; the host looks at one result alone.
void one_of_two_results(bool) {
  const Array<int> a(threads, numbers), b(threads, numbers), first(threads), second(threads);
  next_step<<<1, threads>>>(a.data, first.data);
  next_step<<<1, threads>>>(b.data, second.data);
  cudaMemcpy(results, first.data, threads * sizeof(int), cudaMemcpyDeviceToHost);
}

// The other buffer is read by way of a pointer in memory.
struct Pair {
  const int* buffers[2];
};
__global__ void add_pair(const Pair* pair, int* out) {
  out[threadIdx.x] = pair->buffers[0][threadIdx.x] + pair->buffers[1][threadIdx.x];
}
void both_buffers(bool) {
  const Array<int> a(threads, numbers), b(threads), sum(threads);
  const Pair both{{a.data, b.data}};
  const Array<Pair> pair(1, &both);
  next_step<<<1, threads>>>(a.data, b.data);
  next_step<<<1, threads>>>(b.data, a.data);
  next_step<<<1, threads>>>(a.data, b.data);
  cudaMemcpy(results, a.data, threads * sizeof(int), cudaMemcpyDeviceToHost);
  add_pair<<<1, threads>>>(pair.data, sum.data);
  cudaMemcpy(results, sum.data, threads * sizeof(int), cudaMemcpyDeviceToHost);
}

__device__ int next_number;
__global__ void take_numbers(const int* in, int* out) {
  const int mine = atomicAdd(&next_number, 1);
  if (mine < threads) out[mine] = in[mine];
}
// says: note: kernel take_numbers, launched at never_written.cu:[0-9]+, writes nothing, as a launch of it before did: next_number begins with 64, as that has left it
void counter_not_put_back(bool right) {
  const int zero = 0;
  const Array<int> in(threads, numbers), out(threads);
  cudaMemcpyToSymbol(next_number, &zero, sizeof zero);
  for (int i = 0; i < 2; ++i) {
    if (right) cudaMemcpyToSymbol(next_number, &zero, sizeof zero);
    take_numbers<<<1, threads>>>(in.data, out.data);
  }
  cudaMemcpy(results, out.data, threads * sizeof(int), cudaMemcpyDeviceToHost);
}

// ---- trees ----
__global__ void tree(const int* in, int* out) {
  __shared__ int sums[128];
  sums[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  for (unsigned s = blockDim.x / 2; s > 0; s >>= 1) {
    if (threadIdx.x < s) sums[threadIdx.x] += sums[threadIdx.x + s];
    __syncthreads();
  }
  if (threadIdx.x == 0) *out = sums[0];
}
__global__ void tree_of_the_book(const int* in, int* out) {
  __shared__ int sums[128];
  sums[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  unsigned i = blockDim.x / 2;
  while (i != 0) {
    if (threadIdx.x < i) sums[threadIdx.x] += sums[threadIdx.x + i];
    __syncthreads();
    i /= 2;
  }
  if (threadIdx.x == 0) *out = sums[0];
}
// Whose upper half may be one longer.
__global__ void tree_of_any_width(const int* in, int* out) {
  __shared__ int sums[128];
  sums[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  for (unsigned n = blockDim.x; n > 1; n = (n + 1) / 2) {
    if (threadIdx.x < n / 2) sums[threadIdx.x] += sums[threadIdx.x + (n + 1) / 2];
    __syncthreads();
  }
  if (threadIdx.x == 0) *out = sums[0];
}
// Which adds the last of an odd number.
__global__ void tree_with_the_last(const int* in, int* out) {
  __shared__ int sums[128];
  sums[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  unsigned n = blockDim.x;
  for (unsigned s = blockDim.x / 2; s > 0; s >>= 1) {
    if (threadIdx.x < s) sums[threadIdx.x] += sums[threadIdx.x + s];
    if (threadIdx.x == 0 && n % 2 == 1) sums[0] += sums[n - 1];
    n = s;
    __syncthreads();
  }
  if (threadIdx.x == 0) *out = sums[0];
}
// Of a constant, which may be the template's.
constexpr int columns = 100;
__global__ void tree_of_columns(const int* in, int* out) {
  __shared__ int sums[128];
  sums[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  for (int s = columns / 2; s > 0; s /= 2) {
    if (threadIdx.x < s) sums[threadIdx.x] += sums[threadIdx.x + s];
    __syncthreads();
  }
  if (threadIdx.x == 0) *out = sums[0];
}
template <class T, int Width>
__global__ void tree_of_template(const T* in, T* out) {
  __shared__ T sums[128];
  sums[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  for (int s = Width / 2; s > 0; s /= 2) {
    if (threadIdx.x < s) sums[threadIdx.x] += sums[threadIdx.x + s];
    __syncthreads();
  }
  if (threadIdx.x == 0) *out = sums[0];
}
// says: note: kernel tree_of_columns halves columns, which is 100: of 25 elements
// says: note: kernel tree_of_template.* halves Width, which is 96: of 3 elements
// says: note: kernel tree halves blockDim.x, which is 96: of 3 elements it leaves out the last; such a tree needs a power of two
// says: note: kernel tree_of_the_book halves blockDim.x, which is 65: of 65 elements it leaves out the last
void trees(bool right) {
  const Array<int> in(128, numbers), out(1);
  tree<<<1, right ? 128 : 96>>>(in.data, out.data);
  tree_of_the_book<<<1, right ? 64 : 65>>>(in.data, out.data);
  if (!right) tree_of_columns<<<1, columns>>>(in.data, out.data);
  if (right)
    tree_of_template<int, 64><<<1, 64>>>(in.data, out.data);
  else
    tree_of_template<int, 96><<<1, 96>>>(in.data, out.data);
  tree_of_any_width<<<1, 65>>>(in.data, out.data);
  tree_with_the_last<<<1, 96>>>(in.data, out.data);
  cudaMemcpy(results, out.data, sizeof(int), cudaMemcpyDeviceToHost);
}

// ---- shuffles ----
__global__ void sum_of_tile(const int* in, int* out, int first) {
  const auto tile =
      cooperative_groups::tiled_partition<16>(cooperative_groups::this_thread_block());
  int sum = in[threadIdx.x];
  for (int d = first; d > 0; d /= 2) sum += tile.shfl_down(sum, d);
  if (tile.thread_rank() == 0) out[threadIdx.x / 16] = sum;
}
__global__ void sum_of_warp(const int* in, int* out, int first, int width) {
  int sum = in[threadIdx.x];
  for (int d = first; d > 0; d /= 2) sum += __shfl_down_sync(~0u, sum, d, width);
  if (threadIdx.x % width == 0) out[threadIdx.x / width] = sum;
}
// says: note: kernel sum_of_tile: shfl_down by 16 among 16 lanes: each gets its own value back
// says: note: kernel sum_of_warp: __shfl_down_sync by 32 among 32 lanes: each gets its own value back
// says: note: kernel sum_of_warp: __shfl_down_sync by 8 among 8 lanes: each gets its own value back
void shuffles(bool right) {
  const Array<int> in(threads, numbers), out(8);
  for (const int width : {8, 32}) {
    sum_of_warp<<<1, threads>>>(in.data, out.data, right ? width / 2 : width, width);
    cudaMemcpy(results, out.data, threads / width * sizeof(int), cudaMemcpyDeviceToHost);
  }
  sum_of_tile<<<1, threads>>>(in.data, out.data, right ? 8 : 16);
  cudaMemcpy(results, out.data, 4 * sizeof(int), cudaMemcpyDeviceToHost);
}

// ---- tiles ----
__global__ void sum_of_tiles(const int* in, int n, int tiles, int* out) {
  int sum = 0;
  for (int tile = 0; tile < tiles; ++tile) {
    const int i = tile * threads + threadIdx.x;
    if (i < n) sum += in[i];
  }
  out[threadIdx.x] = sum;
}
// says: note: brings bytes 768 to 799 of the 800 bytes of data \(cudaMalloc in .*\), which no thread has read or written; was the number of tiles or blocks rounded down
void tiles_rounded_down(bool right) {
  constexpr int n = 200;
  const Array<int> in(n), out(threads);
  cudaMemcpy(in.data, numbers, n * sizeof(int), cudaMemcpyHostToDevice);
  sum_of_tiles<<<1, threads>>>(in.data, n, right ? 4 : 3, out.data);
  cudaMemcpy(results, out.data, threads * sizeof(int), cudaMemcpyDeviceToHost);
}

__global__ void sum_of_rows(const int* in, int width, int* out) {
  int sum = 0;
  for (int tile = 0; tile < width / blockDim.x; ++tile)
    for (int y = 0; y < 3; ++y) sum += in[y * width + tile * blockDim.x + threadIdx.x];
  out[threadIdx.x] = sum;
}
// says: note: brings bytes 48 to 59, and the same of each further 60 bytes, of the 180 bytes of data
void columns_rounded_down(bool right) {
  const Array<int> in(45), out(threads);
  cudaMemcpy(in.data, numbers, 45 * sizeof(int), cudaMemcpyHostToDevice);
  const int tile = right ? 5 : 4;
  sum_of_rows<<<1, tile>>>(in.data, 15, out.data);
  cudaMemcpy(results, out.data, tile * sizeof(int), cudaMemcpyDeviceToHost);
}

// ---- calls that fail ----
// says: note: cudaMemcpy fails: the source is device memory that is not allocated, freed in line [0-9]+
void copies_what_was_freed(bool right) {
  int* data = nullptr;
  cudaMalloc(&data, sizeof numbers);
  cudaMemcpy(data, numbers, sizeof numbers, cudaMemcpyHostToDevice);
  if (!right) cudaFree(data);
  (void)cudaFree(results);  // fails on purpose
  const cudaError_t error = cudaMemcpy(results, data, sizeof numbers, cudaMemcpyDeviceToHost);
  if (error == cudaSuccess) cudaFree(data);
  cudaGetLastError();
}

// A copy of it has a destructor, too.
struct Owner {
  int* data = nullptr;
  bool keeps;
  explicit Owner(bool keeps_) : keeps(keeps_) { cudaMalloc(&data, threads * sizeof(int)); }
  ~Owner() {
    if (!keeps) cudaFree(data);
  }
};
__global__ void clear_owned(Owner owner) { owner.data[threadIdx.x] = 0; }
// says: note: cudaMemcpy fails: .* freed in line [0-9]+ by the destructor of a copy, as kernel clear_owned gets the object by value in line [0-9]+
void owner_by_value(bool right) {
  const Owner owner(right);
  clear_owned<<<1, threads>>>(owner);
  const cudaError_t error =
      cudaMemcpy(results, owner.data, threads * sizeof(int), cudaMemcpyDeviceToHost);
  if (error == cudaSuccess) cudaFree(owner.data);
  cudaGetLastError();
}

__global__ void clear(int* data) { data[threadIdx.x] = 0; }
[[gnu::noinline]] void clear_copy(Owner owner) { clear<<<1, threads>>>(owner.data); }
// says: note: cudaMemcpy fails: .* freed in line [0-9]+ by the destructor of an object that ends in line [0-9]+; where an object is passed by value, that is a copy's
void owner_by_value_to_the_host(bool right) {
  Owner owner(true);
  owner.keeps = right;
  clear_copy(owner);
  const cudaError_t error =
      cudaMemcpy(results, owner.data, threads * sizeof(int), cudaMemcpyDeviceToHost);
  if (error == cudaSuccess) cudaFree(owner.data);
  owner.keeps = true;
  cudaGetLastError();
}

}  // namespace

int main(int count, char**) {
  for (int i = 0; i < 256; ++i) numbers[i] = i;
  return run_all({counter_not_cleared,
                  half_of_the_bins_cleared,
                  corners_of_the_halo,
                  value_decides_a_branch,
                  last_block_is_not_full,
                  dynamic_shared_memory,
                  size_of_a_pointer,
                  sums_not_cleared,
                  picture_not_copied,
                  index_through_two_launches,
                  index_that_goes_astray,
                  ends_of_the_second_buffer,
                  result_in_a_variable,
                  result_in_managed_memory,
                  printed_by_the_kernel,
                  tail_not_computed,
                  part_of_a_block_not_computed,
                  half_of_the_threads,
                  padding,
                  loaded_and_not_used,
                  padded_scan,
                  written_by_functions,
                  written_by_a_group,
                  quarter_of_the_weights,
                  too_early,
                  copied_by_words,
                  blocks_not_rounded_up,
                  a_part_is_meant,
                  ones_by_memset,
                  flags_by_memset,
                  width_of_a_copy,
                  width_for_the_pitch,
                  rows_by_their_width,
                  flat_copy_into_rows,
                  one_byte_of_a_counter,
                  size_of_another_type,
                  pieces,
                  width_of_an_array,
                  offset_in_elements,
                  normalized_coordinates,
                  counted_coordinates,
                  size_of_a_texture,
                  rows_and_columns,
                  rows_and_columns_of_cleared_memory,
                  rows_not_rounded_up,
                  a_part_of_the_picture_is_meant,
                  two_steps,
                  warm_up,
                  sums_of_warps,
                  odd_number_of_steps,
                  one_of_two_results,
                  two_write_a_byte,
                  both_buffers,
                  counter_not_put_back,
                  trees,
                  shuffles,
                  tiles_rounded_down,
                  columns_rounded_down,
                  copies_what_was_freed,
                  owner_by_value,
                  owner_by_value_to_the_host},
                 count > 1);
}
