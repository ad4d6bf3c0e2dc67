// Memory beyond cudaMalloc: 3D, between devices, managed with hints, in the order of a stream;
// callbacks; the functions of all that.
#include <cstdint>
#include <cstring>
#include <numeric>

#include "semantics_main.h"

__global__ void add_one(int* values, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) values[i] += 1;
}

TEST(Memory3D, RowsAndSlices) {
  constexpr std::size_t width = 13, height = 5, depth = 3;
  cudaPitchedPtr device = {};
  ASSERT_EQ(cudaMalloc3D(&device, make_cudaExtent(width, height, depth)), cudaSuccess);
  EXPECT_GE(device.pitch, width);
  EXPECT_EQ(device.xsize, width);
  EXPECT_EQ(device.ysize, height);
  std::vector<unsigned char> in(width * height * depth), out(in.size());
  std::iota(in.begin(), in.end(), 0);
  cudaMemcpy3DParms copy = {};
  copy.srcPtr = make_cudaPitchedPtr(in.data(), width, width, height);
  copy.dstPtr = device;
  copy.extent = make_cudaExtent(width, height, depth);
  copy.kind = cudaMemcpyHostToDevice;
  ASSERT_EQ(cudaMemcpy3D(&copy), cudaSuccess);
  ASSERT_EQ(cudaMemset3D(device, 7, make_cudaExtent(2, 2, depth)), cudaSuccess);
  std::swap(copy.srcPtr, copy.dstPtr);
  copy.dstPtr.ptr = out.data();
  copy.kind = cudaMemcpyDeviceToHost;
  ASSERT_EQ(cudaMemcpy3D(&copy), cudaSuccess);
  for (std::size_t i = 0; i < in.size(); ++i) {
    const bool filled = i % width < 2 && i / width % height < 2;
    EXPECT_EQ(out[i], filled ? 7 : in[i]) << i;
  }
  EXPECT_EQ(cudaFree(device.ptr), cudaSuccess);
}

TEST(Memory3D, CopiesOfAPart) {
  std::vector<int> host(4 * 3 * 2), part(2 * 2);
  std::iota(host.begin(), host.end(), 0);
  Device<int> device(host);
  cudaMemcpy3DParms copy = {};
  copy.srcPtr = make_cudaPitchedPtr(device.get(), 4 * sizeof(int), 4 * sizeof(int), 3);
  copy.srcPos = make_cudaPos(sizeof(int), 1, 1);
  copy.dstPtr = make_cudaPitchedPtr(part.data(), 2 * sizeof(int), 2 * sizeof(int), 2);
  copy.extent = make_cudaExtent(2 * sizeof(int), 2, 1);
  copy.kind = cudaMemcpyDeviceToHost;
  ASSERT_EQ(cudaMemcpy3D(&copy), cudaSuccess);
  EXPECT_EQ(part, (std::vector<int>{17, 18, 21, 22}));
}

TEST(Peers, CopiesNeedNoAccess) {
  int count = 0, device = 0;
  ASSERT_EQ(cudaGetDeviceCount(&count), cudaSuccess);
  ASSERT_EQ(cudaGetDevice(&device), cudaSuccess);
  const int other = count > 1 ? 1 : 0;
  Device<int> a(std::vector<int>{1, 2, 3, 4});
  ASSERT_EQ(cudaSetDevice(other), cudaSuccess);
  {
    Device<int> b(4);
    ASSERT_EQ(cudaMemcpyPeer(b.get(), other, a.get(), 0, 4 * sizeof(int)), cudaSuccess);
    ASSERT_EQ(cudaMemcpyPeerAsync(b.get() + 2, other, a.get(), 0, sizeof(int), nullptr),
              cudaSuccess);
    ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    EXPECT_EQ(b.read(), (std::vector<int>{1, 2, 1, 4}));
    EXPECT_EQ(cudaMemcpyPeer(b.get(), count, a.get(), 0, 4), cudaErrorInvalidDevice);
    cudaGetLastError();
  }
  ASSERT_EQ(cudaSetDevice(device), cudaSuccess);
  int can = -1;
  EXPECT_EQ(cudaDeviceCanAccessPeer(&can, 0, 0), cudaSuccess);
  EXPECT_EQ(can, 0);
  EXPECT_EQ(cudaDeviceEnablePeerAccess(device, 0),
            cudaErrorPeerAccessUnsupported);  // as on an H200
  cudaGetLastError();
}

TEST(Managed, HintsChangeNothing) {
  int* values = nullptr;
  constexpr int n = 1000;
  ASSERT_EQ(cudaMallocManaged(&values, n * sizeof(int)), cudaSuccess);
  for (int i = 0; i < n; ++i) values[i] = i;
#if CUDART_VERSION >= 13000
  const cudaMemLocation device = {cudaMemLocationTypeDevice, 0},
                        host = {cudaMemLocationTypeHost, 0};
  EXPECT_EQ(cudaMemAdvise(values, n * sizeof(int), cudaMemAdviseSetPreferredLocation, device),
            cudaSuccess);
  EXPECT_EQ(cudaMemAdvise(values, n * sizeof(int), cudaMemAdviseSetReadMostly, device),
            cudaSuccess);
  EXPECT_EQ(cudaMemPrefetchAsync(values, n * sizeof(int), device, 0), cudaSuccess);
#else
  EXPECT_EQ(cudaMemAdvise(values, n * sizeof(int), cudaMemAdviseSetPreferredLocation, 0),
            cudaSuccess);
  EXPECT_EQ(cudaMemAdvise(values, n * sizeof(int), cudaMemAdviseSetReadMostly, 0), cudaSuccess);
  EXPECT_EQ(cudaMemPrefetchAsync(values, n * sizeof(int), 0), cudaSuccess);
#endif
  add_one<<<4, 256>>>(values, n);
#if CUDART_VERSION >= 13000
  EXPECT_EQ(cudaMemPrefetchAsync(values, n * sizeof(int), host, 0), cudaSuccess);
#else
  EXPECT_EQ(cudaMemPrefetchAsync(values, n * sizeof(int), cudaCpuDeviceId), cudaSuccess);
#endif
  ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  for (int i = 0; i < n; ++i) EXPECT_EQ(values[i], i + 1);
  EXPECT_EQ(cudaFree(values), cudaSuccess);
}

TEST(StreamOrder, MemoryComesAndGoes) {
  cudaStream_t stream = nullptr;
  ASSERT_EQ(cudaStreamCreate(&stream), cudaSuccess);
  int *values = nullptr, host = -1;
  ASSERT_EQ(cudaMallocAsync(&values, 4000, stream), cudaSuccess);
  ASSERT_EQ(cudaMemsetAsync(values, 0, 4000, stream), cudaSuccess);
  add_one<<<4, 256, 0, stream>>>(values, 1000);
  ASSERT_EQ(cudaMemcpyAsync(&host, values + 999, sizeof host, cudaMemcpyDeviceToHost, stream),
            cudaSuccess);
  EXPECT_EQ(cudaFreeAsync(values, stream), cudaSuccess);
  ASSERT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
  EXPECT_EQ(host, 1);
  EXPECT_EQ(cudaStreamDestroy(stream), cudaSuccess);
}

struct Called {
  cudaStream_t stream;
  int count;
};

TEST(Callbacks, RunInOrder) {
  cudaStream_t stream = nullptr;
  ASSERT_EQ(cudaStreamCreate(&stream), cudaSuccess);
  Called called = {stream, 0};
  const auto callback = [](cudaStream_t its_stream, cudaError_t status, void* data) {
    auto& called = *static_cast<Called*>(data);
    if (status == cudaSuccess && its_stream == called.stream) ++called.count;
  };
  Device<int> values(100);
  add_one<<<1, 128, 0, stream>>>(values.get(), 100);
  ASSERT_EQ(cudaStreamAddCallback(stream, callback, &called, 0), cudaSuccess);
  ASSERT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
  EXPECT_EQ(called.count, 1);
  EXPECT_EQ(cudaStreamAddCallback(stream, nullptr, &called, 0), cudaErrorInvalidValue);
  cudaGetLastError();
  EXPECT_EQ(cudaStreamDestroy(stream), cudaSuccess);
}

TEST(Streams, WhatTheyTell) {
  cudaStream_t stream = nullptr, other = nullptr;
  int least = 1, greatest = 1, priority = 1;
  unsigned flags = 7;
  ASSERT_EQ(cudaDeviceGetStreamPriorityRange(&least, &greatest), cudaSuccess);
  EXPECT_EQ(least, 0);
  EXPECT_LE(greatest, least);
  ASSERT_EQ(cudaStreamCreateWithPriority(&stream, cudaStreamNonBlocking, greatest), cudaSuccess);
  ASSERT_EQ(cudaStreamCreate(&other), cudaSuccess);
  EXPECT_EQ(cudaStreamGetPriority(stream, &priority), cudaSuccess);
  EXPECT_EQ(priority, greatest);
  EXPECT_EQ(cudaStreamGetFlags(stream, &flags), cudaSuccess);
  EXPECT_EQ(flags, static_cast<unsigned>(cudaStreamNonBlocking));
  cudaEvent_t event = nullptr;
  ASSERT_EQ(cudaEventCreate(&event, cudaEventDisableTiming), cudaSuccess);
  EXPECT_EQ(cudaEventRecord(event, stream), cudaSuccess);
  EXPECT_EQ(cudaStreamWaitEvent(other, event, 0), cudaSuccess);
  EXPECT_EQ(cudaEventSynchronize(event), cudaSuccess);
  EXPECT_EQ(cudaEventDestroy(event), cudaSuccess);
  EXPECT_EQ(cudaStreamDestroy(stream), cudaSuccess);
  EXPECT_EQ(cudaStreamDestroy(other), cudaSuccess);
}

TEST(Device, LimitsAndPreferences) {
  std::size_t before = 0, now = 0;
  ASSERT_EQ(cudaDeviceGetLimit(&before, cudaLimitMallocHeapSize), cudaSuccess);
  EXPECT_EQ(cudaDeviceSetLimit(cudaLimitMallocHeapSize, 2 * before), cudaSuccess);
  EXPECT_EQ(cudaDeviceGetLimit(&now, cudaLimitMallocHeapSize), cudaSuccess);
  EXPECT_GE(now, 2 * before);
  EXPECT_EQ(cudaDeviceSetLimit(cudaLimitMallocHeapSize, before), cudaSuccess);
  EXPECT_EQ(cudaDeviceGetLimit(&now, static_cast<cudaLimit>(100)), cudaErrorInvalidValue);
  EXPECT_NE(cudaDeviceSetLimit(cudaLimitDevRuntimeSyncDepth, 4), cudaSuccess);  // since sm_90
  cudaGetLastError();
  cudaFuncCache cache = cudaFuncCachePreferL1;
  EXPECT_EQ(cudaDeviceSetCacheConfig(cudaFuncCachePreferNone), cudaSuccess);
  EXPECT_EQ(cudaDeviceGetCacheConfig(&cache), cudaSuccess);
  EXPECT_EQ(cache, cudaFuncCachePreferNone);
  EXPECT_EQ(cudaFuncSetCacheConfig(add_one, cudaFuncCachePreferShared), cudaSuccess);
#if CUDART_VERSION < 13000
  cudaSharedMemConfig banks = cudaSharedMemBankSizeDefault;
  EXPECT_EQ(cudaDeviceSetSharedMemConfig(cudaSharedMemBankSizeFourByte), cudaSuccess);
  EXPECT_EQ(cudaDeviceGetSharedMemConfig(&banks), cudaSuccess);
  EXPECT_EQ(banks, cudaSharedMemBankSizeFourByte);
  EXPECT_EQ(cudaFuncSetSharedMemConfig(add_one, cudaSharedMemBankSizeFourByte), cudaSuccess);
#endif
  EXPECT_EQ(cudaSetDeviceFlags(cudaDeviceScheduleAuto), cudaSuccess);
}

TEST(Device, ChooseADevice) {
  cudaDeviceProp wanted = {};
  wanted.major = 5;
  int device = -1, count = 0;
  ASSERT_EQ(cudaGetDeviceCount(&count), cudaSuccess);
  EXPECT_EQ(cudaChooseDevice(&device, &wanted), cudaSuccess);
  EXPECT_GE(device, 0);
  EXPECT_LT(device, count);
}

#if CUDART_VERSION < 13000
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
TEST(OldNames, Work) {
  EXPECT_EQ(cudaThreadSynchronize(), cudaSuccess);
  EXPECT_EQ(cudaThreadExit(), cudaSuccess);
  cudaDeviceProp p;
  ASSERT_EQ(cudaGetDeviceProperties(&p, 0), cudaSuccess);
  EXPECT_GT(p.clockRate, 0);
  EXPECT_GE(p.deviceOverlap + p.kernelExecTimeoutEnabled + p.computeMode, 0);
  const cudaChannelFormatDesc floats = cudaCreateChannelDesc<float>();
  const std::vector<float> in = {1, 2, 3, 4, 5, 6, 7, 8};
  std::vector<float> out(5);
  cudaArray_t a = nullptr;
  ASSERT_EQ(cudaMallocArray(&a, &floats, 4, 2), cudaSuccess);
  EXPECT_EQ(cudaMemcpyToArray(a, 0, 0, in.data(), 32, cudaMemcpyHostToDevice), cudaSuccess);
  EXPECT_EQ(cudaMemcpyFromArray(out.data(), a, 8, 0, 20, cudaMemcpyDeviceToHost), cudaSuccess);
  EXPECT_EQ(out, (std::vector<float>{3, 4, 5, 6, 7}));
  EXPECT_EQ(cudaMemcpyToArray(a, 0, 0, in.data(), 36, cudaMemcpyHostToDevice),
            cudaErrorInvalidValue);
  cudaGetLastError();
  EXPECT_EQ(cudaFreeArray(a), cudaSuccess);
}
#endif
