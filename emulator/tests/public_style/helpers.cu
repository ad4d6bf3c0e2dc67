// A program that relies on the helper headers of NVIDIA's samples.
#include <helper_cuda.h>
#include <helper_functions.h>
#include <stdio.h>
#include "helper_timer.h"

__global__ void add(float* x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] += 1.0f;
}

int main(int argc, char** argv) {
  const char* words[] = {"helpers", "-n=1000", "--quiet", "--name=some"};
  bool ok = checkCmdLineFlag(4, words, "quiet") && !checkCmdLineFlag(4, words, "q") &&
            getCmdLineArgumentInt(4, words, "n") == 1000;
  char* name = NULL;
  ok = ok && getCmdLineArgumentString(4, words, "name", &name) && strcmp(name, "some") == 0;
  findCudaDevice(argc, (const char**)argv);
  StopWatchInterface* timer = NULL;
  sdkCreateTimer(&timer);
  sdkStartTimer(&timer);
  float *x, host[1000], expected[1000];
  checkCudaErrors(cudaMalloc((void**)&x, sizeof(host)));
  checkCudaErrors(cudaMemset(x, 0, sizeof(host)));
  add<<<4, 256>>>(x, 1000);
  getLastCudaError("add() failed");
  checkCudaErrors(cudaMemcpy(host, x, sizeof(host), cudaMemcpyDeviceToHost));
  sdkStopTimer(&timer);
  ok = ok && sdkGetTimerValue(&timer) > 0 &&
       sdkGetAverageTimerValue(&timer) == sdkGetTimerValue(&timer);
  sdkDeleteTimer(&timer);
  for (int i = 0; i < 1000; ++i) expected[i] = 1;
  ok = ok && sdkCompareL2fe(expected, host, 1000, 1e-6f) &&
       compareData(expected, host, 1000, 0.0f, 0.0f);
  expected[3] = 2;
  ok = ok && !sdkCompareL2fe(expected, host, 1000, 1e-6f) &&
       !compareData(expected, host, 1000, 0.0f, 0.0f);
  checkCudaErrors(cudaFree(x));
  printf(ok ? "OK\n" : "WRONG\n");
  return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
