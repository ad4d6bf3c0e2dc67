// Wrong use of the runtime API: what it answers. (H200, CUDA 13.0.)
#include <cstdint>
#include <memory>

#include "semantics_main.h"

__global__ void add_one(int* values) { values[threadIdx.x] += 1; }

TEST(Pitch, OverflowIsAnInvalidValue) {
  void* pointer = nullptr;
  std::size_t pitch = 0;
  EXPECT_ERROR(cudaMallocPitch(&pointer, &pitch, SIZE_MAX - 10, 2), cudaErrorInvalidValue);
  EXPECT_ERROR(cudaMallocPitch(&pointer, &pitch, SIZE_MAX / 2, 4), cudaErrorInvalidValue);
  EXPECT_EQ(pointer, nullptr);
}

TEST(Streams, DestroyedOnesTakeNoWork) {
  cudaStream_t stream = nullptr;
  Device<int> values(32);
  ASSERT_EQ(cudaStreamCreate(&stream), cudaSuccess);
  ASSERT_EQ(cudaStreamDestroy(stream), cudaSuccess);
  // On a GPU the use of a destroyed stream is undefined: drivers crash or say it.
#ifdef EMULATED_DEVICE
  add_one<<<1, 32, 0, stream>>>(values.get());
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidResourceHandle);
  int host = 0;
  EXPECT_ERROR(cudaMemcpyAsync(&host, values.get(), sizeof host, cudaMemcpyDeviceToHost, stream),
               cudaErrorInvalidResourceHandle);
  void* pointer = nullptr;
  EXPECT_ERROR(cudaMallocAsync(&pointer, 4, stream), cudaErrorInvalidResourceHandle);
  EXPECT_ERROR(cudaStreamSynchronize(stream), cudaErrorInvalidResourceHandle);
  EXPECT_ERROR(cudaStreamDestroy(stream), cudaErrorInvalidResourceHandle);
  auto* garbage = reinterpret_cast<cudaStream_t>(&host);
  add_one<<<1, 32, 0, garbage>>>(values.get());
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidResourceHandle);
  EXPECT_ERROR(cudaStreamQuery(garbage), cudaErrorInvalidResourceHandle);
  EXPECT_ERROR(cudaEventRecord(reinterpret_cast<cudaEvent_t>(&host)),
               cudaErrorInvalidResourceHandle);
#endif
  EXPECT_EQ(values.read()[0], 0);
}

TEST(Capture, TheLegacyStreamIsForbidden) {
  cudaStream_t stream = nullptr;
  Device<int> values(32);
  ASSERT_EQ(cudaStreamCreate(&stream), cudaSuccess);  // a blocking stream
  ASSERT_EQ(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal), cudaSuccess);
  add_one<<<1, 32>>>(values.get());
  EXPECT_EQ(cudaGetLastError(), cudaErrorStreamCaptureImplicit);
  cudaGraph_t graph = nullptr;
  EXPECT_EQ(cudaStreamEndCapture(stream, &graph), cudaErrorStreamCaptureInvalidated);
  cudaGetLastError();
  EXPECT_EQ(cudaStreamDestroy(stream), cudaSuccess);
  EXPECT_EQ(values.read()[0], 0);
}

TEST(Copies, FreedMemoryIsRefused) {
  [[maybe_unused]] int host = 0;
  for (const std::size_t bytes : {std::size_t{400}, std::size_t{64} << 20}) {
    void *freed = nullptr, *kept = nullptr;
    ASSERT_EQ(cudaMalloc(&freed, bytes), cudaSuccess);
    ASSERT_EQ(cudaMalloc(&kept, bytes), cudaSuccess);
    ASSERT_EQ(cudaFree(freed), cudaSuccess);
#ifdef EMULATED_DEVICE  // a driver may hold memory back and read what was there
    EXPECT_ERROR(cudaMemcpy(&host, freed, sizeof host, cudaMemcpyDefault), cudaErrorInvalidValue);
    EXPECT_ERROR(cudaMemcpy(freed, &host, sizeof host, cudaMemcpyDefault), cudaErrorInvalidValue);
    EXPECT_ERROR(cudaMemcpy(freed, kept, sizeof host, cudaMemcpyDeviceToDevice),
                 cudaErrorInvalidValue);
#endif
    EXPECT_ERROR(cudaFree(freed), cudaErrorInvalidValue);
    EXPECT_EQ(cudaFree(kept), cudaSuccess);
  }
}

TEST(Copies, RowsWhoseBytesCannotBeCounted) {
  Device<int> values(32);
  int host[32];
  EXPECT_ERROR(
      cudaMemcpy2D(host, SIZE_MAX / 2, values.get(), SIZE_MAX / 2, 4, 8, cudaMemcpyDeviceToHost),
      cudaErrorInvalidValue);
}

int host_variable[4];

TEST(Streams, NullPointersForAnswers) {
#ifdef EMULATED_DEVICE  // CUDA's runtime checks only some of them
  EXPECT_ERROR(cudaStreamGetPriority(nullptr, nullptr), cudaErrorInvalidValue);
  EXPECT_ERROR(cudaStreamGetFlags(nullptr, nullptr), cudaErrorInvalidValue);
#endif
}

const __device__ int constant_table[2] = {1, 2};

TEST(Symbols, HostMemoryIsNone) {
  int local[4] = {};
  const int values[4] = {1, 2, 3, 4};
  auto on_heap = std::make_unique<int>(0);
  EXPECT_ERROR(cudaMemcpyToSymbol(local, values, sizeof values), cudaErrorInvalidSymbol);
  EXPECT_ERROR(cudaMemcpyToSymbol(*on_heap, values, sizeof(int)), cudaErrorInvalidSymbol);
  EXPECT_ERROR(cudaMemcpyFromSymbol(local, *on_heap, sizeof(int)), cudaErrorInvalidSymbol);
  EXPECT_ERROR(cudaMemcpyToSymbol(host_variable, values, sizeof values), cudaErrorInvalidSymbol);
  EXPECT_ERROR(cudaMemcpyToSymbol("name", values, sizeof values), cudaErrorInvalidSymbol);
#ifdef EMULATED_DEVICE  // here a constant lies in memory that cannot be written; a GPU writes it
  EXPECT_ERROR(cudaMemcpyToSymbol(constant_table, values, 8), cudaErrorNotSupported);
#endif
  void* address = nullptr;
  std::size_t bytes = 0;
  EXPECT_ERROR(cudaGetSymbolAddress(&address, host_variable), cudaErrorInvalidSymbol);
  EXPECT_ERROR(cudaGetSymbolSize(&bytes, host_variable), cudaErrorInvalidSymbol);
  EXPECT_EQ(local[0], 0);
  EXPECT_EQ(host_variable[0], 0);
}

// ---- textures of memory that is gone ----
TEST(Textures, OfFreedArrays) {
  const cudaChannelFormatDesc floats = cudaCreateChannelDesc<float>();
  cudaArray_t array = nullptr;
  ASSERT_EQ(cudaMallocArray(&array, &floats, 16, 16), cudaSuccess);
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaTextureDesc description = {};
  cudaTextureObject_t texture = 0;
  ASSERT_EQ(cudaCreateTextureObject(&texture, &resource, &description, nullptr), cudaSuccess);
  EXPECT_EQ(cudaFreeArray(array), cudaSuccess);
  EXPECT_EQ(cudaDestroyTextureObject(texture), cudaSuccess);  // in either order
#ifdef EMULATED_DEVICE
  EXPECT_ERROR(cudaDestroyTextureObject(texture), cudaErrorInvalidValue);
  EXPECT_ERROR(cudaCreateTextureObject(&texture, &resource, &description, nullptr),
               cudaErrorInvalidValue);
  EXPECT_ERROR(cudaFreeArray(array), cudaErrorInvalidValue);
  float host[4];
  EXPECT_ERROR(cudaMemcpy2DFromArray(host, 16, array, 0, 0, 16, 1, cudaMemcpyDeviceToHost),
               cudaErrorInvalidValue);
#endif
}

__global__ void read_both(float* out, cudaTextureObject_t texture) {
  const int i = threadIdx.x;
  out[i] = tex1D<float>(texture, i + 0.5f);
  out[i + 8] = tex2D<float>(texture, i + 0.5f, 0.5f);
}

TEST(Textures, HeightOneIsHeightZero) {
  const cudaChannelFormatDesc floats = cudaCreateChannelDesc<float>();
  const float values[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  for (const std::size_t height : {0, 1}) {
    cudaArray_t array = nullptr;
    ASSERT_EQ(cudaMallocArray(&array, &floats, 8, height), cudaSuccess);
    ASSERT_EQ(cudaMemcpy2DToArray(array, 0, 0, values, sizeof values, sizeof values, 1,
                                  cudaMemcpyHostToDevice),
              cudaSuccess);
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    cudaTextureDesc description = {};
    for (const cudaTextureAddressMode mode : {cudaAddressModeClamp, cudaAddressModeBorder}) {
      description.addressMode[0] = description.addressMode[1] = mode;
      cudaTextureObject_t texture = 0;
      ASSERT_EQ(cudaCreateTextureObject(&texture, &resource, &description, nullptr), cudaSuccess);
      Device<float> out(16);
      read_both<<<1, 8>>>(out.get(), texture);
      EXPECT_EQ(out.read(), (std::vector<float>{1, 2, 3, 4, 5, 6, 7, 8, 1, 2, 3, 4, 5, 6, 7, 8}))
          << "height " << height;
      EXPECT_EQ(cudaDestroyTextureObject(texture), cudaSuccess);
    }
    EXPECT_EQ(cudaFreeArray(array), cudaSuccess);
  }
}
