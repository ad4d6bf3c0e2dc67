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
// says: kernel count_odd: thread 63 of block 0 updates count, which was never written; what the host gets in line 26 depends on it
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
// says: histogram: thread 62 of block 0 reads bins\[126\], which was never written; only bins\[0\] to bins\[63\] of 256 elements
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
// says: never written: kernel blur: thread 63 of block 0 reads tile\[9\]\[9\], which was never written; 96 of its 100 elements
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
// says: kernel any_negative: thread 62 of block 0 reads found, which was never written; what the host gets
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
// says: kernel sum_of_part: .* reads s\[[0-9]+\], which was never written; only s\[0\] to s\[49\] of 64 elements were written
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
// says: reads element \[64\] of dynamic shared memory, which was never written; only element \[0\] to element \[63\] of 65
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
// says: kernel twice: .* reads in\[2\] of the 256 bytes of in \(cudaMalloc in line 127\), which was never written; only in\[0\] to in\[1\] of 64 elements were written; the copy in line 129 brings 8 of its 256 bytes; what the host gets in line 131 depends on it
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
// says: kernel accumulate: thread 0 of block 0 reads data\[0\] of .*, which was never written; nor was any other of its 64 elements
void sums_not_cleared(bool right) {
  const Array<int> in(threads, numbers), sums(threads);
  if (right) cudaMemset(sums.data, 0, threads * sizeof(int));
  for (int i = 0; i < 3; ++i) accumulate<<<1, threads>>>(in.data, sums.data);
  cudaMemcpy(results, sums.data, threads * sizeof(int), cudaMemcpyDeviceToHost);
}

__global__ void gray(const unsigned char* in, unsigned char* out) {
  out[threadIdx.x] = in[threadIdx.x] / 2;
}
// says: kernel gray: thread 0 of block 0 reads data\[0\] of .* which was never written
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
// says: kernel gather: thread 0 of block 0 reads data\[0\] .*, which was never written; .* what the host gets in line 165 depends on it
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
// says: kernel smooth: thread 0 of block 0 reads data\[0\] .*, which was never written; only data\[1\] to data\[62\] of 64
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

// says: note: copies bytes 192 to 255 of the 256 bytes of data .* to the host, which were never written; kernel twice in line [0-9]+ has 48 threads$
void tail_not_computed(bool right) {
  const Array<int> in(threads, numbers), out(threads);
  twice<<<right ? 4 : 3, 16>>>(in.data, out.data);
  cudaMemcpy(results, out.data, threads * sizeof(int), cudaMemcpyDeviceToHost);
}

// says: note: copies bytes 192 to 247 of .* kernel twice in line [0-9]+ has 48 threads$
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
// says: reads largest\[127\], which was never written; only largest\[0\] to largest\[63\] of 128 elements were written; with
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
// says: note: kernel smooth: thread 0 of block 0 reads weights\[4\], which was never written; only weights\[0\] to weights\[3\] of 16 elements were written; constant memory is 0 then
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

// ---- copies that bring less than was meant ----
__global__ void mirror(cudaTextureObject_t picture, float* out, int n) {
  const int x = threadIdx.x % n, y = threadIdx.x / n;
  out[threadIdx.x] = tex2D<float>(picture, n - 1 - x + 0.5f, y + 0.5f);
}
// says: never written: kernel mirror: .* which was never written; 16 of its 64 elements were written; the copy in line [0-9]+ brings 64 of its 256 bytes
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
// says: kernel negate: .* reads image\[80\] of .* which was never written; .* the copy in line [0-9]+ brings rows of 320 bytes, 512 bytes apart \(the pitch\)
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
// says: note: copies bytes 2560 to 2879 of the 4096 bytes of image .* to the host, which were never written
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
// says: kernel double_rows: .* reads image\[[0-9]+\] of .* which was never written; .* brings 960 of its 1536 bytes in one piece; rows that are a pitch apart come by cudaMemcpy2D
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

__global__ void downsample(cudaTextureObject_t texture, float* out) {
  out[threadIdx.x] = tex2D<float>(texture, 2 * threadIdx.x + 1.0f, 1.0f);
}
// says: kernel downsample: thread 16 of block 0 reads array\[[0-9]+\] of .*, which was never written; .* the copy in line [0-9]+ brings
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

// says: note: kernel fetch_pixels fetches at [0-9]+ coordinates of 2 and more, or -1 and less, from a texture whose coordinates are normalized
__global__ void fetch_pixels(cudaTextureObject_t picture, float* out, int n, float scale) {
  const int x = threadIdx.x % n, y = threadIdx.x / n;
  out[threadIdx.x] = tex2D<float>(picture, (x + 0.5f) * scale, (y + 0.5f) * scale);
}
void normalized_coordinates(bool right) {
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
  description.normalizedCoords = 1;
  description.filterMode = cudaFilterModeLinear;
  description.addressMode[0] = description.addressMode[1] = cudaAddressModeClamp;
  cudaTextureObject_t picture = 0;
  cudaCreateTextureObject(&picture, &resource, &description, nullptr);
  fetch_pixels<<<1, threads>>>(picture, out.data, n, right ? 1.0f / n : 1);
  cudaMemcpy(results, out.data, threads * sizeof(float), cudaMemcpyDeviceToHost);
  cudaDestroyTextureObject(picture);
  cudaFreeArray(array);
}

// Textures that are to repeat a row of 8 texels, with coordinates that are not normalized.
float ring[8] = {10, 11, 12, 13, 14, 15, 16, 17};
cudaTextureObject_t ring_texture(cudaArray_t array, cudaTextureDesc description) {
  cudaMemcpy2DToArray(array, 0, 0, ring, sizeof ring, sizeof ring, 1, cudaMemcpyHostToDevice);
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaTextureObject_t texture = 0;
  cudaCreateTextureObject(&texture, &resource, &description, nullptr);
  return texture;
}

__global__ void around(cudaTextureObject_t texture, float* out, float from, float scale) {
  out[threadIdx.x] = tex2D<float>(texture, (threadIdx.x + from) * scale, 0.5f);
}
__global__ void before(cudaTextureObject_t texture, float* out, int by) {
  out[threadIdx.x] = tex2D<float>(texture, static_cast<int>(threadIdx.x) / 2 - by + 0.5f, 0.5f);
}
__global__ void around_row(cudaTextureObject_t texture, float* out) {
  for (int x = threadIdx.x - 8; x < 24; x += blockDim.x)
    out[x + 8] = tex1D<float>(texture, x + 0.5f);
}
template <class Launch>
void on_ring(unsigned height, const cudaTextureDesc& description, Launch launch) {
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaArray_t array = nullptr;
  cudaMallocArray(&array, &format, 8, height);
  const cudaTextureObject_t texture = ring_texture(array, description);
  const Array<float> out(threads);
  launch(texture, out.data);
  cudaMemcpy(results, out.data, 16 * sizeof(float), cudaMemcpyDeviceToHost);
  cudaDestroyTextureObject(texture);
  cudaFreeArray(array);
}
// says: note: kernel around fetches 8 times beyond the edge of this texture, and gets its edge: cudaAddressModeWrap
void wrapped_in_texels(bool right) {
  cudaTextureDesc description = {};
  description.addressMode[0] = description.addressMode[1] = cudaAddressModeWrap;
  description.filterMode = cudaFilterModeLinear;
  description.normalizedCoords = right;
  on_ring(1, description, [&](cudaTextureObject_t texture, float* out) {
    around<<<1, 16>>>(texture, out, 0.5f, right ? 1 / 8.0f : 1);
  });
}
// says: note: kernel around_row fetches 24 times beyond the edge
void wrapped_row(bool right) {
  cudaTextureDesc description = {};  // wraps where nothing is said
  if (right) description.addressMode[0] = cudaAddressModeClamp;
  on_ring(0, description,
          [&](cudaTextureObject_t texture, float* out) { around_row<<<1, 16>>>(texture, out); });
}
// says: note: kernel before fetches 16 times beyond the edge
void wrapped_before(bool right) {  // the few of a border are right: they want the edge
  cudaTextureDesc description;
  std::memset(&description, 0, sizeof description);
  on_ring(1, description, [&](cudaTextureObject_t texture, float* out) {
    before<<<1, 16>>>(texture, out, right ? 1 : 8);
  });
}

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
// says: note: copies bytes 32 to 79, and the same of each further 80 bytes, of the 640 bytes of data .* to the host, which were never written; kernel to_gray in line [0-9]+ has 8 threads in x and 24 in y
void rows_and_columns(bool right) {
  const int width = 20, height = 8;
  const Array<int> out(width * height);
  const dim3 block(4, 4), across((width + 3) / 4, (height + 3) / 4),
      down((height + 3) / 4, (width + 7) / 4);
  to_gray<<<right ? across : down, block>>>(out.data, width, height);
  cudaMemcpy(results, out.data, width * height * sizeof(int), cudaMemcpyDeviceToHost);
}

__global__ void first_bytes(uchar4* pixels, int shared_by) {
  pixels[threadIdx.x / shared_by].x = static_cast<unsigned char>(threadIdx.x);
}
// says: race: kernel first_bytes: thread 0 of block 0 and thread 1 of block 0 both compute byte 0 of data\[0\]; nothing orders
void two_write_a_byte(bool right) {
  const Array<uchar4> pixels(threads);
  first_bytes<<<1, threads>>>(pixels.data, right ? 1 : 2);
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

// ---- calls that fail ----
// says: note: a call fails: the source is device memory that is not allocated, freed in line [0-9]+
void copies_what_was_freed(bool right) {
  int* data = nullptr;
  cudaMalloc(&data, sizeof numbers);
  cudaMemcpy(data, numbers, sizeof numbers, cudaMemcpyHostToDevice);
  if (!right) cudaFree(data);
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
// says: note: a call fails: .* freed in line [0-9]+ \(called in line [0-9]+\)
void owner_by_value(bool right) {
  const Owner owner(right);
  clear_owned<<<1, threads>>>(owner);
  const cudaError_t error =
      cudaMemcpy(results, owner.data, threads * sizeof(int), cudaMemcpyDeviceToHost);
  if (error == cudaSuccess) cudaFree(owner.data);
  cudaGetLastError();
}

}  // namespace

int main(int count, char**) {
  results_are_read = true;
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
                  width_of_a_copy,
                  width_for_the_pitch,
                  rows_by_their_width,
                  flat_copy_into_rows,
                  one_byte_of_a_counter,
                  width_of_an_array,
                  normalized_coordinates,
                  wrapped_in_texels,
                  wrapped_row,
                  wrapped_before,
                  size_of_a_texture,
                  rows_and_columns,
                  two_write_a_byte,
                  shuffles,
                  copies_what_was_freed,
                  owner_by_value},
                 count > 1);
}

// Some right programs read more than they use, and some write one value twice:
// right: kernel (dynamic_neighbors|scan): .* what the host gets does not depend on it$
// right: both compute data.0., the same value
