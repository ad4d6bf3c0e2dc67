// The part of calls_probe.cu that is compiled as it is, without kernels.
#include <cuda_runtime.h>

#include <cstdio>
#include <string>

#define CHECK(call) \
  if ((call) != cudaSuccess) std::puts("failed")
#define FREE(p) cudaFree(p)

void in_host_file(const std::string& name) {
  float host[4] = {}, *device = nullptr;
  cudaMalloc(reinterpret_cast<void**>(&device), 16);
  if (name == "host_file") cudaMemcpy(device, host, 16, cudaMemcpyDeviceToHost);  // LINE host_file
  if (name == "host_file_looked_at") {
    cudaFree(device);
    CHECK(cudaFree(device));
    cudaFree(device);
    CHECK(cudaGetLastError());
    (void)cudaFree(device);
    const cudaError_t error = FREE(device);
    std::puts(cudaGetErrorName(error));
    cudaGetLastError();
    cudaEvent_t event = nullptr;
    cudaEventCreate(&event);
    cudaEventQuery(event);
  }
}
