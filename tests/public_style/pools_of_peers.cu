// Memory of one device's pool that another device may read: cudaMemPoolSetAccess, where cudaDeviceEnablePeerAccess does
// not count. With one device it reads from its own pool.
#include <cstdio>
#include <cstdlib>

static void check(cudaError_t error) {
  if (error == cudaSuccess) return;
  std::printf("WRONG: %s\n", cudaGetErrorName(error));
  std::exit(1);
}

__global__ void add(int* sums, const int* a, const int* b, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) sums[i] = a[i] + b[i];
}

int main() {
  constexpr int n = 1000;
  int devices = 0, can = 0;
  check(cudaGetDeviceCount(&devices));
  if (devices > 1) check(cudaDeviceCanAccessPeer(&can, 1, 0));
  const int reader = can != 0 ? 1 : 0;

  int host[n];
  for (int i = 0; i < n; ++i) host[i] = 3 * i;

  // One piece from the device's own pool, one from a pool made for this.
  check(cudaSetDevice(0));
  cudaMemPool_t standard = nullptr, made = nullptr;
  check(cudaDeviceGetDefaultMemPool(&standard, 0));
  cudaMemPoolProps properties = {};
  properties.allocType = cudaMemAllocationTypePinned;
  properties.location.type = cudaMemLocationTypeDevice;
  properties.location.id = 0;
  check(cudaMemPoolCreate(&made, &properties));
  int *a = nullptr, *b = nullptr, *sums = nullptr;
  check(cudaMallocAsync(&a, sizeof host, nullptr));
  check(cudaMallocFromPoolAsync(&b, sizeof host, made, nullptr));
  check(cudaMemcpy(a, host, sizeof host, cudaMemcpyHostToDevice));
  check(cudaMemcpy(b, host, sizeof host, cudaMemcpyHostToDevice));
  check(cudaDeviceSynchronize());

  check(cudaSetDevice(reader));
  cudaMemAccessDesc access = {};
  access.location.type = cudaMemLocationTypeDevice;
  access.location.id = reader;
  access.flags = cudaMemAccessFlagsProtReadWrite;
  check(cudaMemPoolSetAccess(standard, &access, 1));
  check(cudaMemPoolSetAccess(made, &access, 1));
  cudaMemAccessFlags flags = cudaMemAccessFlagsProtNone;
  check(cudaMemPoolGetAccess(&flags, made, &access.location));
  int wrong = flags != cudaMemAccessFlagsProtReadWrite;

  check(cudaMalloc(&sums, sizeof host));
  add<<<(n + 255) / 256, 256>>>(sums, a, b, n);
  int results[n] = {};
  check(cudaMemcpy(results, sums, sizeof results, cudaMemcpyDeviceToHost));
  for (int i = 0; i < n; ++i) wrong += results[i] != 6 * i;

  check(cudaFree(sums));
  check(cudaSetDevice(0));
  check(cudaFreeAsync(a, nullptr));
  check(cudaFreeAsync(b, nullptr));
  check(cudaDeviceSynchronize());
  check(cudaMemPoolDestroy(made));
  std::puts(wrong == 0 ? "OK" : "WRONG");
  return wrong == 0 ? 0 : 1;
}
