// Exit code 0: there is a device.
#include <cuda_runtime.h>

int main() {
  int devices = 0;
  return cudaGetDeviceCount(&devices) == cudaSuccess && devices > 0 ? 0 : 1;
}
