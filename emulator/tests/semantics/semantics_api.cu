// The runtime API: memory, copies, streams, events, graphs, errors, properties.
#include <algorithm>
#include <cstring>
#include <limits>
#include <numeric>
#include <string>
#include <thread>

#include "semantics_main.h"

__global__ void add_one(int* values, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) values[i] += 1;
}

// ---- errors ----
TEST(Errors, NamesAndTexts) {
  EXPECT_STREQ(cudaGetErrorName(cudaSuccess), "cudaSuccess");
  EXPECT_STREQ(cudaGetErrorString(cudaSuccess), "no error");
  EXPECT_STREQ(cudaGetErrorName(cudaErrorInvalidValue), "cudaErrorInvalidValue");
  EXPECT_STREQ(cudaGetErrorString(cudaErrorInvalidValue), "invalid argument");
  EXPECT_STREQ(cudaGetErrorString(cudaErrorMemoryAllocation), "out of memory");
  EXPECT_STREQ(cudaGetErrorString(cudaErrorInvalidConfiguration), "invalid configuration argument");
  EXPECT_STREQ(cudaGetErrorString(cudaErrorIllegalAddress),
               "an illegal memory access was encountered");
  EXPECT_STREQ(cudaGetErrorName(static_cast<cudaError_t>(12345)), "unrecognized error code");
  EXPECT_EQ(static_cast<int>(cudaErrorIllegalAddress), 700);
  EXPECT_EQ(static_cast<int>(cudaErrorCooperativeLaunchTooLarge), 720);
}

// The manual and the emulated device say cudaErrorInvalidConfiguration; CUDA 13.0 on an H200 said
// cudaErrorInvalidValue.
bool refused(cudaError_t error) {
  return error == cudaErrorInvalidConfiguration || error == cudaErrorInvalidValue;
}

TEST(Errors, InvalidLaunches) {
  int* none = nullptr;
  add_one<<<0, 32>>>(none, 0);
  EXPECT_TRUE(refused(cudaPeekAtLastError()));
  EXPECT_EQ(cudaFree(nullptr), cudaSuccess);  // calls that succeed do not take it away
  EXPECT_TRUE(refused(cudaGetLastError()));
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);
  add_one<<<1, 0>>>(none, 0);
  EXPECT_TRUE(refused(cudaGetLastError()));
  add_one<<<1, 1025>>>(none, 0);
#ifdef EMULATED_DEVICE
  EXPECT_EQ(cudaPeekAtLastError(), cudaErrorInvalidConfiguration);
#endif
  EXPECT_TRUE(refused(cudaGetLastError()));
  add_one<<<1, dim3(1, 1, 65)>>>(none, 0);
  EXPECT_TRUE(refused(cudaGetLastError()));
  add_one<<<dim3(1, 65536), 1>>>(none, 0);
  EXPECT_TRUE(refused(cudaGetLastError()));
  add_one<<<1, 32, 1 << 20>>>(none, 0);
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidValue);
  add_one<<<1, 32>>>(none, 0);  // and the device still works
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
}

// ---- memory ----
TEST(Memory, Allocation) {
  void* pointer = &pointer;
  EXPECT_EQ(cudaMalloc(&pointer, 0), cudaSuccess);
  EXPECT_EQ(pointer, nullptr);
  EXPECT_EQ(cudaFree(nullptr), cudaSuccess);
  EXPECT_EQ(cudaFreeHost(nullptr), cudaSuccess);
  EXPECT_ERROR(cudaMalloc(&pointer, std::size_t{1} << 50), cudaErrorMemoryAllocation);
  ASSERT_EQ(cudaMalloc(&pointer, 1), cudaSuccess);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(pointer) % 256, 0u);
  EXPECT_EQ(cudaFree(pointer), cudaSuccess);
  EXPECT_ERROR(cudaFree(pointer), cudaErrorInvalidValue);
  std::size_t free_bytes = 0, total_bytes = 0;
  EXPECT_EQ(cudaMemGetInfo(&free_bytes, &total_bytes), cudaSuccess);
  EXPECT_LE(free_bytes, total_bytes);
  EXPECT_GT(free_bytes, 0u);
}

TEST(Memory, CopiesOutsideAnAllocation) {
  std::vector<int> host(200);
  int* device = nullptr;
  ASSERT_EQ(cudaMalloc(&device, 100 * sizeof(int)), cudaSuccess);
  EXPECT_EQ(cudaMemcpy(host.data(), device, 100 * sizeof(int), cudaMemcpyDeviceToHost),
            cudaSuccess);
  EXPECT_EQ(cudaMemcpy(host.data(), device, 0, cudaMemcpyDeviceToHost), cudaSuccess);
  EXPECT_ERROR(cudaMemcpy(device, host.data(), 4, static_cast<cudaMemcpyKind>(77)),
               cudaErrorInvalidMemcpyDirection);
#ifdef EMULATED_DEVICE  // CUDA leaves open what happens
  EXPECT_ERROR(cudaMemcpy(host.data(), device, 100 * sizeof(int) + 1, cudaMemcpyDeviceToHost),
               cudaErrorInvalidValue);
  EXPECT_ERROR(cudaMemcpy(device + 50, host.data(), 51 * sizeof(int), cudaMemcpyHostToDevice),
               cudaErrorInvalidValue);
#endif
  cudaPointerAttributes attributes;
  ASSERT_EQ(cudaPointerGetAttributes(&attributes, device + 50), cudaSuccess);
  EXPECT_EQ(attributes.type, cudaMemoryTypeDevice);
  ASSERT_EQ(cudaPointerGetAttributes(&attributes, host.data()), cudaSuccess);
  EXPECT_EQ(attributes.type, cudaMemoryTypeUnregistered);
  EXPECT_EQ(cudaFree(device), cudaSuccess);
}

TEST(Memory, PitchedCopies) {
  const std::size_t width = 13, height = 7;
  std::vector<unsigned char> in(width * height), out(width * height), wide(20 * height, 9);
  std::iota(in.begin(), in.end(), 0);
  unsigned char* device = nullptr;
  std::size_t pitch = 0;
  ASSERT_EQ(cudaMallocPitch(&device, &pitch, width, height), cudaSuccess);
  EXPECT_GE(pitch, width);
  EXPECT_EQ(pitch % 32, 0u);
  ASSERT_EQ(cudaMemset2DAsync(device, pitch, 0, width, height, cudaStreamLegacy), cudaSuccess);
  ASSERT_EQ(cudaMemcpy2D(device, pitch, in.data(), width, width, height, cudaMemcpyHostToDevice),
            cudaSuccess);
  ASSERT_EQ(cudaMemcpy2D(out.data(), width, device, pitch, width, height, cudaMemcpyDeviceToHost),
            cudaSuccess);
  EXPECT_EQ(in, out);
  ASSERT_EQ(cudaMemset2D(device, pitch, 5, width, 1), cudaSuccess);
  ASSERT_EQ(cudaMemcpy2DAsync(wide.data(), 20, device, pitch, width, height, cudaMemcpyDeviceToHost,
                              nullptr),
            cudaSuccess);
  ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  std::fill_n(in.begin(), width, static_cast<unsigned char>(5));
  for (std::size_t y = 0; y < height; ++y)
    for (std::size_t x = 0; x < 20; ++x)
      EXPECT_EQ(wide[y * 20 + x], x < width ? in[y * width + x] : 9);
  EXPECT_ERROR(cudaMemcpy2D(out.data(), 5, device, pitch, width, height, cudaMemcpyDeviceToHost),
               cudaErrorInvalidPitchValue);
  EXPECT_EQ(cudaFree(device), cudaSuccess);
}

// ---- streams and events ----
TEST(Streams, WorkInOrder) {
  cudaStream_t stream = nullptr;
  ASSERT_EQ(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), cudaSuccess);
  Device<int> values(1000);
  ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);  // its fill is in the default stream
  int* host = nullptr;
  ASSERT_EQ(cudaMallocHost(&host, 1000 * sizeof(int)), cudaSuccess);
  ASSERT_EQ(cudaMemsetAsync(values.get(), 0, 1000 * sizeof(int), stream), cudaSuccess);
  for (int i = 0; i < 10; ++i) add_one<<<4, 256, 0, stream>>>(values.get(), 1000);
  ASSERT_EQ(cudaMemcpyAsync(host, values.get(), 1000 * sizeof(int), cudaMemcpyDeviceToHost, stream),
            cudaSuccess);
  ASSERT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
  EXPECT_EQ(cudaStreamQuery(stream), cudaSuccess);
  EXPECT_EQ(host[0], 10);
  EXPECT_EQ(host[999], 10);
  EXPECT_EQ(cudaFreeHost(host), cudaSuccess);
  EXPECT_EQ(cudaStreamDestroy(stream), cudaSuccess);
}

TEST(Streams, HostFunctionsRunInOrder) {
  cudaStream_t stream = nullptr;
  ASSERT_EQ(cudaStreamCreate(&stream), cudaSuccess);
  int calls = 0;
  ASSERT_EQ(cudaLaunchHostFunc(
                stream, [](void* data) { ++*static_cast<int*>(data); }, &calls),
            cudaSuccess);
  ASSERT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
  EXPECT_EQ(calls, 1);
  EXPECT_EQ(cudaStreamDestroy(stream), cudaSuccess);
}

TEST(Events, Times) {
  cudaEvent_t start = nullptr, stop = nullptr;
  ASSERT_EQ(cudaEventCreate(&start), cudaSuccess);
  ASSERT_EQ(cudaEventCreate(&stop), cudaSuccess);
  float milliseconds = -1;
  EXPECT_ERROR(cudaEventElapsedTime(&milliseconds, start, stop),
               cudaErrorInvalidResourceHandle);  // never recorded
  Device<int> values(1 << 16);
  ASSERT_EQ(cudaEventRecord(start), cudaSuccess);
  add_one<<<256, 256>>>(values.get(), 1 << 16);
  ASSERT_EQ(cudaEventRecord(stop), cudaSuccess);
  ASSERT_EQ(cudaEventSynchronize(stop), cudaSuccess);
  ASSERT_EQ(cudaEventElapsedTime(&milliseconds, start, stop), cudaSuccess);
  EXPECT_GE(milliseconds, 0.0f);
  EXPECT_LT(milliseconds, 60000.0f);
  EXPECT_EQ(cudaEventDestroy(start), cudaSuccess);
  EXPECT_EQ(cudaEventDestroy(stop), cudaSuccess);
}

TEST(Streams, SeveralHostThreadsUseTheDevice) {
  std::vector<std::thread> threads;
  std::vector<int> results(4);
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([t, &results] {
      Device<int> values(1000);
      for (int i = 0; i <= t * 10; ++i) add_one<<<4, 256>>>(values.get(), 1000);
      results[t] = values.read()[999];
      EXPECT_EQ(cudaMalloc(static_cast<void**>(nullptr), 4),
                cudaErrorInvalidValue);  // each has an error of its own
      EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidValue);
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(results, (std::vector<int>{1, 11, 21, 31}));
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);
}

// ---- graphs ----
TEST(Graphs, CaptureAndReplay) {
  cudaStream_t stream = nullptr, side = nullptr;
  cudaEvent_t fork = nullptr, join = nullptr;
  ASSERT_EQ(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), cudaSuccess);
  ASSERT_EQ(cudaStreamCreateWithFlags(&side, cudaStreamNonBlocking), cudaSuccess);
  ASSERT_EQ(cudaEventCreateWithFlags(&fork, cudaEventDisableTiming), cudaSuccess);
  ASSERT_EQ(cudaEventCreateWithFlags(&join, cudaEventDisableTiming), cudaSuccess);
  Device<int> a(100), b(100);

  ASSERT_EQ(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal), cudaSuccess);
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
  EXPECT_EQ(cudaStreamIsCapturing(stream, &status), cudaSuccess);
  EXPECT_EQ(status, cudaStreamCaptureStatusActive);
  {
    int n = 100;  // arguments are taken at the time of the capture
    add_one<<<1, 128, 0, stream>>>(a.get(), n);
    n = 0;
  }
  ASSERT_EQ(cudaEventRecord(fork, stream), cudaSuccess);
  ASSERT_EQ(cudaStreamWaitEvent(side, fork, 0), cudaSuccess);
  add_one<<<1, 128, 0, side>>>(b.get(), 100);
  ASSERT_EQ(cudaEventRecord(join, side), cudaSuccess);
  ASSERT_EQ(cudaStreamWaitEvent(stream, join, 0), cudaSuccess);
  add_one<<<1, 128, 0, stream>>>(b.get(), 100);
  cudaGraph_t graph = nullptr;
  ASSERT_EQ(cudaStreamEndCapture(stream, &graph), cudaSuccess);
  EXPECT_EQ(a.read()[0], 0);  // recorded, not done
  std::size_t nodes = 0;
  EXPECT_EQ(cudaGraphGetNodes(graph, nullptr, &nodes), cudaSuccess);
  EXPECT_EQ(nodes, 3u);

  cudaGraphExec_t executable = nullptr;
  ASSERT_EQ(cudaGraphInstantiate(&executable, graph, 0), cudaSuccess);
  for (int i = 0; i < 5; ++i) ASSERT_EQ(cudaGraphLaunch(executable, stream), cudaSuccess);
  ASSERT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
  EXPECT_EQ(a.read(), std::vector<int>(100, 5));
  EXPECT_EQ(b.read(), std::vector<int>(100, 10));

  EXPECT_EQ(cudaGraphExecDestroy(executable), cudaSuccess);
  EXPECT_EQ(cudaGraphDestroy(graph), cudaSuccess);
  EXPECT_EQ(cudaEventDestroy(fork), cudaSuccess);
  EXPECT_EQ(cudaEventDestroy(join), cudaSuccess);
  EXPECT_EQ(cudaStreamDestroy(side), cudaSuccess);
  EXPECT_EQ(cudaStreamDestroy(stream), cudaSuccess);
}

TEST(Graphs, WaitingSpoilsACapture) {
  cudaStream_t stream = nullptr;
  ASSERT_EQ(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), cudaSuccess);
  ASSERT_EQ(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal), cudaSuccess);
  EXPECT_EQ(cudaStreamSynchronize(stream), cudaErrorStreamCaptureUnsupported);
  cudaGraph_t graph = nullptr;
  EXPECT_EQ(cudaStreamEndCapture(stream, &graph), cudaErrorStreamCaptureInvalidated);
  EXPECT_EQ(graph, nullptr);
  cudaGetLastError();
  EXPECT_EQ(cudaStreamDestroy(stream), cudaSuccess);
}

// ---- the device ----
TEST(Device, Properties) {
  int count = 0, device = -1, value = 0;
  ASSERT_EQ(cudaGetDeviceCount(&count), cudaSuccess);
  EXPECT_ERROR(cudaSetDevice(count), cudaErrorInvalidDevice);
  EXPECT_ERROR(cudaSetDevice(-1), cudaErrorInvalidDevice);
  ASSERT_EQ(cudaSetDevice(0), cudaSuccess);
  ASSERT_EQ(cudaGetDevice(&device), cudaSuccess);
  EXPECT_EQ(device, 0);
  cudaDeviceProp properties;
  ASSERT_EQ(cudaGetDeviceProperties(&properties, 0), cudaSuccess);
  EXPECT_NE(std::string(properties.name), "");
  EXPECT_EQ(properties.warpSize, 32);
  EXPECT_EQ(properties.maxThreadsPerBlock, 1024);
  ASSERT_EQ(cudaDeviceGetAttribute(&value, cudaDevAttrMultiProcessorCount, 0), cudaSuccess);
  EXPECT_EQ(value, properties.multiProcessorCount);
  ASSERT_EQ(cudaDeviceGetAttribute(&value, cudaDevAttrComputeCapabilityMajor, 0), cudaSuccess);
  EXPECT_EQ(value, properties.major);
  ASSERT_EQ(cudaDeviceGetAttribute(&value, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0),
            cudaSuccess);
  EXPECT_EQ(static_cast<std::size_t>(value), properties.sharedMemPerBlockOptin);
  int driver = 0, runtime = 0;
  ASSERT_EQ(cudaDriverGetVersion(&driver), cudaSuccess);
  ASSERT_EQ(cudaRuntimeGetVersion(&runtime), cudaSuccess);
  EXPECT_GE(driver, CUDART_VERSION);  // a driver may be newer
  EXPECT_EQ(runtime, CUDART_VERSION);
  EXPECT_EQ(CUDART_VERSION / 1000, __CUDACC_VER_MAJOR__);
}

TEST(Device, Occupancy) {
  int blocks = 0, grid = 0, block = 0;
  ASSERT_EQ(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, add_one, 1024, 0), cudaSuccess);
  EXPECT_GE(blocks, 1);
  ASSERT_EQ(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, add_one, 64, 48 << 10),
            cudaSuccess);
  EXPECT_GE(blocks, 1);
  ASSERT_EQ(cudaOccupancyMaxPotentialBlockSize(&grid, &block, add_one), cudaSuccess);
  EXPECT_GE(grid, 1);
  EXPECT_EQ(block % 32, 0);
  cudaFuncAttributes attributes;
  ASSERT_EQ(cudaFuncGetAttributes(&attributes, add_one), cudaSuccess);
  EXPECT_GE(attributes.maxThreadsPerBlock, 32);
}
