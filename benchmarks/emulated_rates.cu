// emulated_rates - what single CUDA idioms cost on the emulated device, as a table in Markdown.
//
//   build/emulated/benchmarks/emulated_rates [WORDS]      only the rows that contain WORDS
//   EMULATED_THREADS=1 build/emulated/benchmarks/emulated_rates lock
//
// Every kernel's result is checked before its time is printed. "per thread" and the like are nanoseconds of one
// of the OS threads that run blocks, so that the number does not depend on how many there are.
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "../common/book.h"
#include "../common/timing.h"

namespace {

// ---- one element per thread, and loops whose step is the whole grid ----
__global__ void saxpy_direct(size_t n, float a, const float* x, float* y) {
  const size_t i = threadIdx.x + static_cast<size_t>(blockIdx.x) * blockDim.x;
  if (i < n) y[i] = a * x[i] + y[i];
}

__global__ void saxpy_grid_stride(size_t n, float a, const float* x, float* y) {
  const size_t stride = static_cast<size_t>(blockDim.x) * gridDim.x;
  for (size_t i = threadIdx.x + static_cast<size_t>(blockIdx.x) * blockDim.x; i < n; i += stride)
    y[i] = a * x[i] + y[i];
}

// As the book writes it.
__global__ void add_grid_stride(int n, const int* a, const int* b, int* c) {
  int tid = threadIdx.x + blockIdx.x * blockDim.x;
  while (tid < n) {
    c[tid] = a[tid] + b[tid];
    tid += blockDim.x * gridDim.x;
  }
}

// The book's dot product, chapter 5.
constexpr int dot_threads = 256;
__global__ void dot_grid_stride(int n, const float* a, const float* b, float* c) {
  __shared__ float cache[dot_threads];
  int tid = threadIdx.x + blockIdx.x * blockDim.x;
  int cacheIndex = threadIdx.x;
  float temp = 0;
  while (tid < n) {
    temp += a[tid] * b[tid];
    tid += blockDim.x * gridDim.x;
  }
  cache[cacheIndex] = temp;
  __syncthreads();
  int i = blockDim.x / 2;
  while (i != 0) {
    if (cacheIndex < i) cache[cacheIndex] += cache[cacheIndex + i];
    __syncthreads();
    i /= 2;
  }
  if (cacheIndex == 0) c[blockIdx.x] = cache[0];
}

constexpr int bins = 256;
__global__ void histogram_grid_stride(const unsigned char* bytes, size_t size, unsigned* histogram) {
  __shared__ unsigned own[bins];
  own[threadIdx.x] = 0;
  __syncthreads();
  const size_t stride = static_cast<size_t>(blockDim.x) * gridDim.x;
  for (size_t i = threadIdx.x + static_cast<size_t>(blockIdx.x) * blockDim.x; i < size; i += stride)
    atomicAdd(&own[bytes[i]], 1u);
  __syncthreads();
  atomicAdd(&histogram[threadIdx.x], own[threadIdx.x]);
}

// One byte per thread; neighboring bytes are counted by the same block. What its barriers cost is not part of the
// comparison: the counts go straight to the histogram.
__global__ void histogram_direct(const unsigned char* bytes, size_t size, unsigned* histogram) {
  const size_t i = threadIdx.x + static_cast<size_t>(blockIdx.x) * blockDim.x;
  if (i < size) atomicAdd(&histogram[bytes[i]], 1u);
}

// ---- barriers, warps, locks ----
__global__ void barriers(int rounds, int* out) {
  for (int i = 0; i < rounds; ++i) __syncthreads();
  if (threadIdx.x == 0) out[blockIdx.x] = rounds;
}

// Each thread adds its left neighbor's value: a step of a naive scan.
__global__ void exchange(int rounds, int* out) {
  __shared__ int values[1024];
  int own = 1;
  for (int i = 0; i < rounds; ++i) {
    values[threadIdx.x] = own;
    __syncthreads();
    own = values[(threadIdx.x + 1) % blockDim.x];
    __syncthreads();
  }
  if (threadIdx.x == 0) out[blockIdx.x] = own * rounds;
}

__global__ void shuffles(int rounds, int* out) {
  int value = threadIdx.x % 32;
  for (int i = 0; i < rounds; ++i) value = __shfl_xor_sync(0xffffffffu, value, 1);
  if (threadIdx.x == 0) out[blockIdx.x] = value + rounds;
}

__global__ void warp_sums(int rounds, int* out) {
  int sum = 0;
  for (int i = 0; i < rounds; ++i) {
    sum = 1;
    for (int step = 16; step > 0; step /= 2) sum += __shfl_down_sync(0xffffffffu, sum, step);
  }
  if (threadIdx.x == 0) out[blockIdx.x] = sum / 32 * rounds;
}

__global__ void votes(int rounds, int* out) {
  unsigned all = 0;
  for (int i = 0; i < rounds; ++i) all = __ballot_sync(0xffffffffu, 1);
  if (threadIdx.x == 0) out[blockIdx.x] = all == 0xffffffffu ? rounds : 0;
}

__global__ void locked_count(int rounds, int* mutex, int* count) {
  if (threadIdx.x != 0) return;
  for (int i = 0; i < rounds; ++i) {
    while (atomicCAS(mutex, 0, 1) != 0) {
    }
    __threadfence();
    volatile int* const counter = count;
    *counter = *counter + 1;
    __threadfence();
    atomicExch(mutex, 0);
  }
}

// ---- heat, whose neighbors are chosen by index as in the book ----
__global__ void heat_values(float* out, const float* in, int dim, float k) {
  const int x = threadIdx.x + blockIdx.x * blockDim.x;
  const int y = threadIdx.y + blockIdx.y * blockDim.y;
  const int i = x + y * dim;
  const float c = in[i];
  const float l = x == 0 ? c : in[i - 1];
  const float r = x == dim - 1 ? c : in[i + 1];
  const float t = y == 0 ? c : in[i - dim];
  const float b = y == dim - 1 ? c : in[i + dim];
  out[i] = c + k * (t + b + l + r - c * 4);
}

__global__ void heat_indices(float* out, const float* in, int dim, float k) {
  int x = threadIdx.x + blockIdx.x * blockDim.x;
  int y = threadIdx.y + blockIdx.y * blockDim.y;
  int offset = x + y * blockDim.x * gridDim.x;
  int left = offset - 1;
  int right = offset + 1;
  if (x == 0) ++left;
  if (x == dim - 1) --right;
  int top = offset - dim;
  int bottom = offset + dim;
  if (y == 0) top += dim;
  if (y == dim - 1) bottom -= dim;
  out[offset] = in[offset] + k * (in[top] + in[bottom] + in[left] + in[right] - in[offset] * 4);
}

// ---- rounding, texture filtering, order ----
__global__ void round_up(int n, const float* a, const float* b, float* out) {
  const int i = threadIdx.x + blockIdx.x * blockDim.x;
  if (i < n) out[i] = __fadd_ru(__fmul_ru(a[i], b[i]), __fdiv_ru(a[i], b[i]));
}

__global__ void resize(cudaTextureObject_t picture, float* out, int width, float scale) {
  const int x = threadIdx.x + blockIdx.x * blockDim.x;
  const int y = threadIdx.y + blockIdx.y * blockDim.y;
  out[x + y * width] = tex2D<float>(picture, (x + 0.5f) * scale, (y + 0.5f) * scale);
}

__global__ void resize_pixels(cudaTextureObject_t picture, float4* out, int width, float scale) {
  const int x = threadIdx.x + blockIdx.x * blockDim.x;
  const int y = threadIdx.y + blockIdx.y * blockDim.y;
  out[x + y * width] = tex2D<float4>(picture, (x + 0.5f) * scale, (y + 0.5f) * scale);
}

__global__ void copy_elements(int n, const float* in, float* out) {
  const int i = threadIdx.x + blockIdx.x * blockDim.x;
  if (i < n) out[i] = in[i];
}

// ---- the table ----
const char* only = "";

void stop_unless(bool right, const char* what) {
  if (right) return;
  std::fprintf(stderr, "emulated_rates: %s: a wrong result; nothing is timed\n", what);
  std::exit(1);
}

double median_ms(const std::function<void()>& work) { return measure(work, 5, 1).median_ms; }

bool wanted(const char* what) { return std::strstr(what, only) != nullptr; }

void print_ms(const char* what, double ms) { std::printf("| %s | %.4g ms |\n", what, ms); }
void print_ns(const char* what, double ns) { std::printf("| %s | %.3g ns |\n", what, ns); }

unsigned os_threads() {
  const char* asked = std::getenv("EMULATED_THREADS");
  return asked != nullptr ? static_cast<unsigned>(std::atoi(asked)) : std::thread::hardware_concurrency();
}

template <class T>
struct Array {
  explicit Array(size_t n) : size(n) { HANDLE_ERROR(cudaMalloc(&data, n * sizeof(T))); }
  Array(const std::vector<T>& values) : Array(values.size()) {
    HANDLE_ERROR(cudaMemcpy(data, values.data(), size * sizeof(T), cudaMemcpyHostToDevice));
  }
  Array(const Array&) = delete;
  Array& operator=(const Array&) = delete;
  ~Array() { cudaFree(data); }
  std::vector<T> host() const {
    std::vector<T> values(size);
    HANDLE_ERROR(cudaMemcpy(values.data(), data, size * sizeof(T), cudaMemcpyDeviceToHost));
    return values;
  }
  T* data = nullptr;
  size_t size;
};

void grid_stride_rows() {
  constexpr size_t n = 64 << 20;
  struct Shape {
    const char* what;
    unsigned blocks;
  };
  if (wanted("saxpy of 64 M floats")) {
    Array<float> x(std::vector<float>(n, 1.0f));
    for (const Shape& shape : {Shape{"saxpy of 64 M floats, one per thread", 0},
                               Shape{"saxpy of 64 M floats, <<<1024, 256>>>", 1024},
                               Shape{"saxpy of 64 M floats, <<<64, 256>>>", 64}}) {
      Array<float> y(std::vector<float>(n, 2.0f));
      const auto work = [&] {
        if (shape.blocks == 0)
          saxpy_direct<<<n / 256, 256>>>(n, 3, x.data, y.data);
        else
          saxpy_grid_stride<<<shape.blocks, 256>>>(n, 3, x.data, y.data);
      };
      work();
      const std::vector<float> got = y.host();
      for (const float value : got) stop_unless(value == 5, shape.what);
      print_ms(shape.what, median_ms(work));
    }
  }
  if (wanted("add of 64 M ints, <<<128, 128>>>")) {
    Array<int> a(std::vector<int>(n, 1)), b(std::vector<int>(n, 2)), c(n);
    const auto work = [&] { add_grid_stride<<<128, 128>>>(static_cast<int>(n), a.data, b.data, c.data); };
    work();
    for (const int value : c.host()) stop_unless(value == 3, "add");
    print_ms("add of 64 M ints, <<<128, 128>>>", median_ms(work));
  }
  if (wanted("dot of 64 M floats, <<<32, 256>>>")) {
    Array<float> a(std::vector<float>(n, 1.0f)), b(std::vector<float>(n, 0.5f)), c(32);
    const auto work = [&] {
      dot_grid_stride<<<32, dot_threads>>>(static_cast<int>(n), a.data, b.data, c.data);
    };
    work();
    for (const float value : c.host()) stop_unless(value == n / 64, "dot");
    print_ms("dot of 64 M floats, <<<32, 256>>>", median_ms(work));
  }
  if (wanted("histogram of 100 MiB")) {
    std::vector<unsigned char> bytes(100 << 20);
    uint64_t state = 1;
    for (unsigned char& byte : bytes) {
      state = state * 6364136223846793005u + 1442695040888963407u;
      byte = state >> 56;
    }
    std::vector<unsigned> expected(bins);
    for (const unsigned char byte : bytes) ++expected[byte];
    Array<unsigned char> in(bytes);
    for (const Shape& shape : {Shape{"histogram of 100 MiB, one byte per thread, global atomics", 0},
                               Shape{"histogram of 100 MiB, <<<510, 256>>>, shared atomics", 510}}) {
      Array<unsigned> histogram(std::vector<unsigned>(bins, 0u));
      const auto work = [&] {
        if (shape.blocks == 0)
          histogram_direct<<<static_cast<unsigned>(bytes.size() / 256), 256>>>(in.data, bytes.size(),
                                                                               histogram.data);
        else
          histogram_grid_stride<<<shape.blocks, bins>>>(in.data, bytes.size(), histogram.data);
      };
      work();
      stop_unless(histogram.host() == expected, shape.what);
      print_ms(shape.what, median_ms(work));
    }
  }
}

void per_thread_row(const char* what, void (*kernel)(int, int*), unsigned threads, int rounds,
                    int per_round) {
  if (!wanted(what)) return;
  const unsigned blocks = 4 * os_threads();
  Array<int> out(blocks);
  const auto work = [&] { kernel<<<blocks, threads>>>(rounds, out.data); };
  work();
  for (const int value : out.host()) stop_unless(value == rounds, what);
  print_ns(what, median_ms(work) * 1e6 / 4 / threads / rounds / per_round);
}

void waiting_rows() {
  per_thread_row("barrier, 32 threads per block, per thread", barriers, 32, 8000, 1);
  per_thread_row("barrier, 256 threads per block, per thread", barriers, 256, 1000, 1);
  per_thread_row("barrier, 1024 threads per block, per thread", barriers, 1024, 250, 1);
  per_thread_row("barriers at two places in turn, 256 threads, per thread and barrier", exchange, 256, 500,
                 2);
  per_thread_row("shuffle, 32 threads per block, per lane", shuffles, 32, 8000, 1);
  per_thread_row("shuffle, 256 threads per block, per lane", shuffles, 256, 1000, 1);
  per_thread_row("sum of a warp by 5 shuffles, 256 threads, per lane and shuffle", warp_sums, 256, 200, 5);
  per_thread_row("ballot, 256 threads per block, per lane", votes, 256, 1000, 1);
  const char* what = "contended lock (EMULATED_THREADS tells how many OS threads), per turn";
  if (wanted(what)) {
    constexpr int blocks = 8, rounds = 20000;
    Array<int> mutex(std::vector<int>(1, 0)), count(std::vector<int>(1, 0));
    const auto work = [&] { locked_count<<<blocks, 32>>>(rounds, mutex.data, count.data); };
    work();
    stop_unless(count.host()[0] == blocks * rounds, what);
    print_ns(what, median_ms(work) * 1e6 / blocks / rounds);
  }
}

void heat_rows() {
  constexpr int dim = 1024, steps = 90;
  struct Way {
    const char* what;
    void (*launch)(float*,
                   const float*);  // a kernel behind a pointer would not be part of the loop over threads
  };
  std::vector<float> start(dim * dim);
  for (size_t i = 0; i < start.size(); ++i) start[i] = static_cast<float>(i * 2654435761u % 1000);
  std::vector<float> first;
  for (const Way& way :
       {Way{"heat, 90 steps of 1024 x 1024, neighbors chosen by value",
            [](float*out, const float*in) {
              heat_values<<<dim3(dim / 16, dim / 16), dim3(16, 16)>>>(out, in, dim, 0.25f);
            }},
        Way{"heat, 90 steps of 1024 x 1024, neighbors chosen by index", [](float*out, const float*in) {
              heat_indices<<<dim3(dim / 16, dim / 16), dim3(16, 16)>>>(out, in, dim, 0.25f);
            }}}) {
    if (!wanted(way.what)) continue;
    Array<float> a(start), b(start.size());
    const auto work = [&] {
      for (int i = 0; i < steps; ++i) {
        way.launch(i % 2 == 0 ? b.data : a.data, i % 2 == 0 ? a.data : b.data);
      }
    };
    work();
    const std::vector<float> got = a.host();
    if (first.empty()) first = got;
    stop_unless(got == first, way.what);
    print_ms(way.what, median_ms(work));
  }
}

void arithmetic_rows() {
  const char* what = "__fadd_ru, __fmul_ru, __fdiv_ru, per operation";
  if (!wanted(what)) return;
  constexpr int n = 1 << 22;
  std::vector<float> a(n), b(n);
  for (int i = 0; i < n; ++i) {
    a[i] = 1 + i * 0.001f;
    b[i] = 3 + i * 0.0007f;
  }
  Array<float> dev_a(a), dev_b(b), out(n);
  const auto work = [&] { round_up<<<n / 256, 256>>>(n, dev_a.data, dev_b.data, out.data); };
  work();
  const std::vector<float> got = out.host();
  for (int i = 0; i < n; i += 1000) {
    const double exact = double(a[i]) * b[i] + double(a[i]) / b[i];
    stop_unless(got[i] >= exact && got[i] <= exact * (1 + 1e-6), what);
  }
  print_ns(what, median_ms(work) * 1e6 * os_threads() / n / 3);
}

template <class Texel>
cudaTextureObject_t filtered_texture(cudaArray_t array, bool normalized_values) {
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaTextureDesc description = {};
  description.addressMode[0] = description.addressMode[1] = cudaAddressModeClamp;
  description.filterMode = cudaFilterModeLinear;
  description.readMode = normalized_values ? cudaReadModeNormalizedFloat : cudaReadModeElementType;
  cudaTextureObject_t texture = 0;
  HANDLE_ERROR(cudaCreateTextureObject(&texture, &resource, &description, nullptr));
  return texture;
}

template <class Texel, class Result>
void filter_row(const char* what, Texel texel, void (*launch)(cudaTextureObject_t, Result*, int, float),
                bool normalized_values, float expected, float (*component)(const Result&)) {
  if (!wanted(what)) return;
  constexpr int from = 512, to = 1024;
  const std::vector<Texel> texels(from * from, texel);
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<Texel>();
  cudaArray_t array = nullptr;
  HANDLE_ERROR(cudaMallocArray(&array, &format, from, from));
  HANDLE_ERROR(cudaMemcpy2DToArray(array, 0, 0, texels.data(), from * sizeof(Texel), from * sizeof(Texel),
                                   from, cudaMemcpyHostToDevice));
  const cudaTextureObject_t texture = filtered_texture<Texel>(array, normalized_values);
  Array<Result> out(to * to);
  const auto work = [&] { launch(texture, out.data, to, static_cast<float>(from) / to); };
  work();
  for (const Result& value : out.host()) stop_unless(component(value) == expected, what);
  print_ns(what, median_ms(work) * 1e6 * os_threads() / to / to);
  HANDLE_ERROR(cudaDestroyTextureObject(texture));
  HANDLE_ERROR(cudaFreeArray(array));
}

void texture_rows() {
  filter_row<float, float>(
      "bilinear fetch of a float, per fetch", 0.5f,
      [](cudaTextureObject_t texture, float* out, int width, float scale) {
        resize<<<dim3(width / 32, width / 8), dim3(32, 8)>>>(texture, out, width, scale);
      },
      false, 0.5f, [](const float& value) { return value; });
  filter_row<uchar4, float4>(
      "bilinear fetch of a uchar4 as 0 to 1, per fetch", make_uchar4(255, 255, 255, 255),
      [](cudaTextureObject_t texture, float4* out, int width, float scale) {
        resize_pixels<<<dim3(width / 32, width / 8), dim3(32, 8)>>>(texture, out, width, scale);
      },
      true, 1.0f, [](const float4& value) { return value.y; });
}

void order_row() {
  const char* what = "copy of 16 M floats (EMULATED_ORDER tells the order)";
  if (!wanted(what)) return;
  constexpr int n = 16 << 20;
  Array<float> in(std::vector<float>(n, 4.0f)), out(n);
  const auto work = [&] { copy_elements<<<n / 256, 256>>>(n, in.data, out.data); };
  work();
  for (const float value : out.host()) stop_unless(value == 4, what);
  print_ms(what, median_ms(work));
}

}  // namespace

int main(int argc, char** argv) {
  if (argc > 1) only = argv[1];
  std::printf("| what | time |\n|---|---|\n");
  grid_stride_rows();
  waiting_rows();
  heat_rows();
  arithmetic_rows();
  texture_rows();
  order_row();
  return 0;
}
