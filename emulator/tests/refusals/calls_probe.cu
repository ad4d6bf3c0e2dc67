// A program with calls that fail, or come too early, one for each name given on the command line. calls_test.cpp reads what the
// device says.
#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>

#define CHECK(call) \
  if ((call) != cudaSuccess) std::puts("failed")

__constant__ float weights[4];

__global__ void store(int* p) { *p = 1; }
__global__ void fill(float* values, int n) {
  const int i = threadIdx.x;
  if (i < n) values[i] = static_cast<float>(i);
}

static void dropped(const std::string& name) {
  float host[16] = {}, *device = nullptr;
  int* none = nullptr;
  cudaMalloc(&device, sizeof host);
  if (name == "to_host") cudaMemcpy(host, device, sizeof host, cudaMemcpyHostToDevice);     // LINE to_host
  if (name == "to_device") cudaMemcpy(device, host, sizeof host, cudaMemcpyDeviceToHost);   // LINE to_device
  if (name == "beyond") cudaMemcpy(device + 4, host, sizeof host, cudaMemcpyHostToDevice);  // LINE beyond
  if (name == "symbol") cudaMemcpyToSymbol(weights, host, sizeof host);                     // LINE symbol
  if (name == "fill_host") cudaMemset(host, 0, 64);                                         // LINE fill_host
  if (name == "free_host") {
    void* memory = std::malloc(64);
    cudaFree(memory);  // LINE free_host
    std::free(memory);
  }
  if (name == "free_inside") cudaFree(device + 1);  // LINE free_inside
  if (name == "free_twice") {
    cudaFree(device);
    cudaFree(device);  // LINE free_twice
  }
  if (name == "wrong_free") cudaFreeHost(device);  // LINE wrong_free
  if (name == "no_device") cudaSetDevice(7);       // LINE no_device
  if (name == "too_much") {
    cudaMalloc(&none, std::size_t{1} << 60);  // LINE too_much
    store<<<1, 1>>>(none);                    // LINE null
  }
  if (name == "missing_address") {
    auto* memory = static_cast<float*>(std::malloc(64));
    cudaMalloc((void**)memory, 64);
    cudaMemcpy(memory, host, 64, cudaMemcpyHostToDevice);  // LINE missing_address
    fill<<<1, 16>>>(memory, 16);                           // LINE missing_address_argument
  }
  if (name == "null_address") cudaMalloc((void**)none, 64);  // LINE null_address
  if (name == "loop")
    for (int i = 0; i < 3; ++i) cudaFree(host);  // LINE loop
  if (name == "sticky") {
    store<<<1, 1>>>(none);     // LINE fault
    cudaMemset(device, 0, 4);  // LINE sticky
    cudaDeviceSynchronize();
    cudaFree(device);
  }
  if (name == "thread") {
    std::thread other([&] { cudaFree(host); });  // LINE thread
    other.join();
  }
  if (name == "at_end") cudaFree(host);  // LINE at_end
}

// All errors are looked at, or dropped on purpose.
static void looked_at() {
  float host[4] = {}, *device = nullptr;
  cudaEvent_t event = nullptr;
  CHECK(cudaMalloc(&device, 16));
  CHECK(cudaFree(host));
  cudaFree(host);
  CHECK(cudaGetLastError());
  cudaSetDevice(7);
  if (cudaPeekAtLastError() != cudaSuccess) cudaGetLastError();
  (void)cudaFree(host);
  static_cast<void>(cudaFree(host));
  const cudaError_t error = cudaFree(host);
  std::printf("%s\n", cudaGetErrorName(error));
  cudaFree(nullptr);
  cudaFree(0);
  cudaEventCreate(&event);
  cudaEventQuery(event);
  cudaDeviceEnablePeerAccess(1, 0);
  cudaDeviceEnablePeerAccess(1, 0);
  cudaFree(device);
}

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  const std::string name = argv[1];
  std::setbuf(stdout, nullptr);
  if (name == "looked_at")
    looked_at();
  else
    dropped(name);
  std::puts("end");
}
