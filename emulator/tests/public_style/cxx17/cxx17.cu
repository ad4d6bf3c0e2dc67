// C++17 that C++20 refuses: text of UTF-8 as char, a class with a deleted constructor that is an
// aggregate all the same, a function whose name the standard library took later.
#include <cuda_runtime.h>
#include <math.h>
#include <cuda/atomic>

#include <cstdio>

static_assert(__cplusplus < 202002L, "compiled as C++17");

struct Count {
  Count() = delete;
  int value;
};

__device__ cuda::atomic<int, cuda::thread_scope_device> total;

template <class T>
__global__ void reverse(T* values, int n) {
  __shared__ T copy[256];
  const int i = threadIdx.x;
  if (i < n) copy[i] = values[i];
  __syncthreads();
  if (i < n) {
    values[i] = copy[n - 1 - i];
    total.fetch_add(1);
  }
}

__host__ __device__ float lerp(float a, float b, float t) { return a + t * (b - a); }

__global__ void read_total(int* out) { *out = total.load() + __popc(__activemask()); }

int main() {
  const char* text = u8"17";
  const Count count{200};
  int *values, host[201];
  for (int i = 0; i < 200; ++i) host[i] = i;
  cudaMalloc(&values, sizeof host);
  cudaMemcpy(values, host, sizeof host, cudaMemcpyHostToDevice);
  reverse<<<1, 256>>>(values, count.value);
  read_total<<<1, 1>>>(values + 200);
  cudaMemcpy(host, values, sizeof host, cudaMemcpyDeviceToHost);
  bool ok = cudaDeviceSynchronize() == cudaSuccess && host[200] == 201 && text[1] == '7' &&
            lerp(1, 3, 0.5f) == 2;
  for (int i = 0; i < 200; ++i) ok = ok && host[i] == 199 - i;
  std::printf("%s\n", ok ? "OK" : "WRONG");
}
