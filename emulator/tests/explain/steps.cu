// steps - kernels of a few lines, of which steps_test.py knows what each step must show. At the end
// the program prints what memory holds. With an argument it does something that cannot be shown, or
// not all of it.
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include <cstdio>
#include <cstring>
#include <vector>

#include "steps_library.h"

struct Ball {
  float x;
  int id;
  unsigned char color;
};
struct Color {
  unsigned char r, g, b, a;
};
__device__ int total;
__constant__ float factors[4];

// Shared memory, a barrier, a column of a tile, stores of one line.
__global__ void columns(float* out) {
  __shared__ float tile[32][32];
  tile[threadIdx.x][threadIdx.y] = 10 * threadIdx.y + threadIdx.x;  // column
  __syncthreads();
  out[threadIdx.x + 32 * threadIdx.y] = tile[threadIdx.y][threadIdx.x];  // row
}

// Lanes go different ways and meet again; loops of different lengths.
__global__ void ways(int* out, int n) {
  const int i = threadIdx.x;
  if (i < 10) {
    out[i] = 1;  // low
  } else {
    out[i] = 2;  // high
  }
  int sum = 0;
  for (int k = 0; k < i % 3; ++k) {
    sum += out[k] + n;  // turn
  }
  out[i] = sum;  // together
}

// Nothing but registers, up to the last line.
namespace registers {
template <class T>
__global__ void computes(T* out, T x) {
  int turns = 0;
  while (x != 1) {
    if (x % 2 == 0)
      x /= 2;  // halved
    else
      x = 3 * x + 1;  // tripled
    ++turns;
  }
  out[threadIdx.x] = turns;
}
}  // namespace registers

// Types of all kinds.
__global__ void types(unsigned* u, long long* l, double* d, __half* h, float4* v, uchar4* c,
                      Ball* b, void* unknown) {
  const int i = threadIdx.x;
  u[i] = 4000000000u + i;
  l[i] = -5000000000ll * i;
  d[i] = i / 8.0;
  h[i] = __float2half(i + 0.5f);
  v[i] = make_float4(i, 0.5f, -1, 2);
  c[i] = make_uchar4(i, 2, 3, 255);
  b[i].id = -i;
  static_cast<float*>(unknown)[i] = 1.0f * factors[i % 4];
}

// Structures, copied as a whole.
__global__ void copies(Ball* to, const Ball* from, Color* reversed, const Color* colors) {
  const int i = threadIdx.x;
  to[i] = from[i];  // balls
  reversed[31 - i] = colors[i];
}

// What lanes give and get.
__global__ void warps(int* out) {
  const int i = threadIdx.x;
  const int below = __shfl_up_sync(0xffffffffu, i * i, 1);
  const unsigned odd = __ballot_sync(0xffffffffu, i % 2);
  out[i] = below + (odd != 0);
}

__global__ void atomics(float* sum) {
  atomicAdd(sum, 0.5f);
  atomicMax(&total, threadIdx.x);
}

// A lock whose lanes wait for each other.
__global__ void locks(int* lock, int* counter) {
  bool mine = false;
  while (!mine) {
    if (atomicCAS(lock, 0, 1) == 0) {
      *counter = *counter + 1;  // locked
      __threadfence();
      atomicExch(lock, 0);
      mine = true;
    }
  }
}

// Warps read what others write: no barrier.
__global__ void races(int* out) {
  __shared__ int t[128];
  t[threadIdx.x] = threadIdx.x;             // write
  out[threadIdx.x] = t[127 - threadIdx.x];  // read
}

__global__ void beyond(int* out) { out[threadIdx.x + 10] = 7; }
__global__ void half_barrier(int* out) {
  if (threadIdx.x < 16) __syncthreads();
  out[threadIdx.x] = 1;
}
// Lanes that part meet again at the barrier; threads beyond n never come there.
__global__ void tail(int* out, int n) {
  __shared__ int values[64];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;  // all of a warp
  values[threadIdx.x] = i;
  if (threadIdx.x % 2 == 1 && i > 2) values[threadIdx.x] += 1;  // odd
  __syncthreads();                                              // all that are left
  out[i] = values[threadIdx.x];
}
// Textures and a surface.
__global__ void textures(cudaTextureObject_t linear, cudaTextureObject_t plane,
                         cudaTextureObject_t smooth, cudaSurfaceObject_t surface, float* out) {
  const int i = threadIdx.x;
  const float number = tex1Dfetch<float>(linear, 31 - i);               // linear
  const uchar4 color = tex2D<uchar4>(plane, i % 8 + 0.5f, i / 8 + 1);   // plane
  const float4 between = tex2D<float4>(smooth, i / 8.0f, 0.25f);        // smooth
  surf2Dwrite(make_uchar4(i, 1, 2, 3), surface, i % 8 * 4, 3 - i / 8);  // surface
  out[i] = number + color.x + between.x;
}
template <class T>
__global__ void twice(T* out) {
  out[threadIdx.x] *= 2;
}
__global__ void forever(volatile int* flag) {
  while (*flag == 0) {
  }
}
__global__ void endless(volatile int* out) {
  for (unsigned long long k = 0; out[1] == 0; ++k) out[0] = static_cast<int>(k);
}
__global__ void long_loop(int* out) {
  for (int k = 0; k < 60000; ++k) out[threadIdx.x] += k % 7;
}

template <class T>
T* on_device(std::size_t count) {
  T* memory;
  cudaMalloc(&memory, count * sizeof(T));
  cudaMemset(memory, 0, count * sizeof(T));
  return memory;
}

template <class T>
void print(const char* name, const T* memory, std::size_t count) {
  std::vector<T> copy(count);
  cudaMemcpy(copy.data(), memory, count * sizeof(T), cudaMemcpyDeviceToHost);
  std::printf("%s", name);
  for (const T& value : copy) std::printf(" %.17g", static_cast<double>(value));
  std::printf("\n");
}

void show_textures(float* floats) {
  std::vector<float> numbers(32);
  std::vector<uchar4> colors(32);
  for (int i = 0; i < 32; ++i) {
    numbers[i] = i / 2.0f;
    colors[i] = make_uchar4(i, 10, 20, 255);
  }
  cudaMemcpy(floats, numbers.data(), 128, cudaMemcpyHostToDevice);
  cudaArray_t array;
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<uchar4>();
  cudaMallocArray(&array, &format, 8, 4, cudaArraySurfaceLoadStore);
  cudaMemcpy2DToArray(array, 0, 0, colors.data(), 32, 32, 4, cudaMemcpyHostToDevice);
  cudaResourceDesc memory = {}, plane = {};
  memory.resType = cudaResourceTypeLinear;
  memory.res.linear.devPtr = floats;
  memory.res.linear.desc = cudaCreateChannelDesc<float>();
  memory.res.linear.sizeInBytes = 128;
  plane.resType = cudaResourceTypeArray;
  plane.res.array.array = array;
  cudaTextureDesc stored = {}, filtered = {};
  stored.addressMode[0] = stored.addressMode[1] = cudaAddressModeClamp;
  filtered.filterMode = cudaFilterModeLinear;
  filtered.readMode = cudaReadModeNormalizedFloat;
  filtered.addressMode[0] = filtered.addressMode[1] = cudaAddressModeWrap;
  filtered.normalizedCoords = 1;
  cudaTextureObject_t objects[3];
  cudaCreateTextureObject(&objects[0], &memory, &stored, nullptr);
  cudaCreateTextureObject(&objects[1], &plane, &stored, nullptr);
  cudaCreateTextureObject(&objects[2], &plane, &filtered, nullptr);
  cudaSurfaceObject_t surface;
  cudaCreateSurfaceObject(&surface, &plane);
  textures<<<1, 32>>>(objects[0], objects[1], objects[2], surface, on_device<float>(32));
}

void show_copies() {
  auto* const balls = on_device<Ball>(32);
  auto* const colors = on_device<Color>(32);
  std::vector<Ball> some(32);
  std::vector<Color> others(32);
  for (int i = 0; i < 32; ++i) {
    some[i] = {i + 0.5f, -i, static_cast<unsigned char>(i)};
    others[i] = {static_cast<unsigned char>(i), 2, 3, 255};
  }
  cudaMemcpy(balls, some.data(), 32 * sizeof(Ball), cudaMemcpyHostToDevice);
  cudaMemcpy(colors, others.data(), 32 * sizeof(Color), cudaMemcpyHostToDevice);
  copies<<<1, 32>>>(on_device<Ball>(32), balls, on_device<Color>(32), colors);
}

int main(int argc, char** argv) {
  const char* const what = argc > 1 ? argv[1] : "";
  const auto is = [what](const char* name) { return std::strcmp(what, name) == 0; };
  if (is("nothing")) return 0;
  if (is("usage")) return 2;
  int* ints = on_device<int>(128);
  float* floats = on_device<float>(1024);
  if (is("forever")) forever<<<1, 32>>>(ints);
  if (is("endless")) endless<<<1, 1>>>(ints);
  if (is("long")) long_loop<<<1, 1>>>(ints);
  if (is("races")) races<<<1, 128>>>(ints);
  if (is("beyond")) beyond<<<1, 32>>>(on_device<int>(32));
  if (is("everywhere")) beyond<<<2, 32>>>(on_device<int>(32));
  if (is("later")) {
    beyond<<<1, 32>>>(ints);
    beyond<<<1, 32>>>(on_device<int>(32));
  }
  static int on_host;
  if (is("refused")) {
    beyond<<<1, 32>>>(&on_host);
    return 0;
  }
  if (is("library")) of_a_library<<<1, 32>>>(ints);
  if (is("textures")) show_textures(floats);
  if (is("computes")) registers::computes<<<1, 32>>>(ints, 27);
  if (is("copies")) show_copies();
  if (is("tail")) tail<<<2, 64>>>(ints, 84);
  if (is("instances")) {
    void* arguments[] = {&ints};
    for (int n = 0; n < 2; ++n) {
      twice<<<1, 32>>>(floats);
      cudaLaunchKernel((void*)twice<int>, dim3(1), dim3(32), arguments, 0, nullptr);
    }
  }
  if (is("half_barrier")) half_barrier<<<1, 32>>>(ints);
  if (*what != '\0') return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;

  const float values[] = {1, 2, 4, 8};
  cudaMemcpyToSymbol(factors, values, sizeof values);
  columns<<<1, dim3(32, 32)>>>(floats);
  print("columns", floats, 1024);
  for (int n = 1; n < 4; ++n) ways<<<2, 32>>>(ints, n);
  print("ways", ints, 32);
  auto* const unsigneds = on_device<unsigned>(32);
  auto* const doubles = on_device<double>(32);
  types<<<1, 32>>>(unsigneds, on_device<long long>(32), doubles, on_device<__half>(32),
                   on_device<float4>(32), on_device<uchar4>(32), on_device<Ball>(32),
                   on_device<float>(32));
  print("unsigneds", unsigneds, 32);
  print("doubles", doubles, 32);
  warps<<<1, 32>>>(ints);
  print("warps", ints, 32);
  auto* const sum = on_device<float>(1);
  atomics<<<1, 32>>>(sum);
  print("atomics", sum, 1);
  auto* const lock = on_device<int>(2);
  locks<<<1, 40>>>(lock, lock + 1);
  print("locks", lock, 2);
}
