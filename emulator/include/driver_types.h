// Types of the runtime API: handles, flags, properties. Numbers are those of
// CUDA's header of the same name.
#pragma once

// As in CUDA's header: INT_MAX without more.
#include <limits.h>

#include <cstddef>

#include "emulated/cxx17.h"
#include "emulated/errors.h"
#include "emulated/qualifiers.h"
#include "texture_types.h"  // arrays, extents, copies
#include "vector_types.h"

#define CUDART_CB

// Helper headers of other projects ask for CUDA's include guards to see
// which header came before them.
#define __DRIVER_TYPES_H__

// Handles. What they point to is known to the runtime only.
using cudaStream_t = struct CUstream_st*;
using cudaEvent_t = struct CUevent_st*;
using cudaGraph_t = struct CUgraph_st*;
using cudaGraphExec_t = struct CUgraphExec_st*;
using cudaGraphNode_t = struct CUgraphNode_st*;

// What a piece of work does that a stream records as a node of a graph.
enum cudaGraphNodeType {
  cudaGraphNodeTypeKernel = 0,
  cudaGraphNodeTypeMemcpy = 1,
  cudaGraphNodeTypeMemset = 2,
  cudaGraphNodeTypeHost = 3,
  cudaGraphNodeTypeEmpty = 5
};

#define cudaStreamLegacy (reinterpret_cast<cudaStream_t>(0x1))
#define cudaStreamPerThread (reinterpret_cast<cudaStream_t>(0x2))

enum cudaMemoryType {
  cudaMemoryTypeUnregistered = 0,
  cudaMemoryTypeHost = 1,
  cudaMemoryTypeDevice = 2,
  cudaMemoryTypeManaged = 3
};

struct cudaPointerAttributes {
  cudaMemoryType type;
  int device;
  void* devicePointer;
  void* hostPointer;
};

// Flags of the calls that take an unsigned. Enumerators instead of CUDA's macros.
enum : unsigned {
  cudaHostAllocDefault = 0,
  cudaHostAllocPortable = 1,
  cudaHostAllocMapped = 2,
  cudaHostAllocWriteCombined = 4,
  cudaHostRegisterDefault = 0,
  cudaHostRegisterPortable = 1,
  cudaHostRegisterMapped = 2,
  cudaMemAttachGlobal = 1,
  cudaMemAttachHost = 2,
  cudaMemAttachSingle = 4,
  cudaStreamDefault = 0,
  cudaStreamNonBlocking = 1,
  cudaEventDefault = 0,
  cudaEventBlockingSync = 1,
  cudaEventDisableTiming = 2,
  cudaEventRecordDefault = 0,
  cudaEventWaitDefault = 0,
  cudaOccupancyDefault = 0,
  cudaDeviceScheduleAuto = 0,
  cudaDeviceScheduleSpin = 1,
  cudaDeviceScheduleYield = 2,
  cudaDeviceScheduleBlockingSync = 4,
  cudaDeviceBlockingSync = 4,  // its old name
  cudaDeviceMapHost = 8,
  cudaDeviceLmemResizeToMax = 16,
  cudaDeviceMask = 0x1f,
  cudaPeerAccessDefault = 0
};

enum cudaSharedMemConfig {
  cudaSharedMemBankSizeDefault = 0,
  cudaSharedMemBankSizeFourByte = 1,
  cudaSharedMemBankSizeEightByte = 2
};

enum cudaStreamCaptureMode {
  cudaStreamCaptureModeGlobal = 0,
  cudaStreamCaptureModeThreadLocal = 1,
  cudaStreamCaptureModeRelaxed = 2
};

enum cudaStreamCaptureStatus {
  cudaStreamCaptureStatusNone = 0,
  cudaStreamCaptureStatusActive = 1,
  cudaStreamCaptureStatusInvalidated = 2
};

enum cudaFuncAttribute {
  cudaFuncAttributeMaxDynamicSharedMemorySize = 8,
  cudaFuncAttributePreferredSharedMemoryCarveout = 9
};

struct cudaFuncAttributes {
  std::size_t sharedSizeBytes;
  std::size_t constSizeBytes;  // 0: not counted
  std::size_t localSizeBytes;
  int maxThreadsPerBlock;
  int numRegs;
  int ptxVersion;
  int binaryVersion;
  int cacheModeCA;
  int maxDynamicSharedSizeBytes;
  int preferredShmemCarveout;
};

enum cudaFuncCache {
  cudaFuncCachePreferNone = 0,
  cudaFuncCachePreferShared = 1,
  cudaFuncCachePreferL1 = 2,
  cudaFuncCachePreferEqual = 3
};

enum cudaSharedCarveout {
  cudaSharedmemCarveoutDefault = -1,
  cudaSharedmemCarveoutMaxShared = 100,
  cudaSharedmemCarveoutMaxL1 = 0
};

enum cudaLimit {
  cudaLimitStackSize = 0,
  cudaLimitPrintfFifoSize = 1,
  cudaLimitMallocHeapSize = 2,
  cudaLimitDevRuntimeSyncDepth = 3,
  cudaLimitDevRuntimePendingLaunchCount = 4,
  cudaLimitMaxL2FetchGranularity = 5,
  cudaLimitPersistingL2CacheSize = 6
};

using cudaHostFn_t = void (*)(void* data);
using cudaStreamCallback_t = void (*)(cudaStream_t stream, cudaError_t status, void* data);

// ---- managed memory ----
enum cudaMemoryAdvise {
  cudaMemAdviseSetReadMostly = 1,
  cudaMemAdviseUnsetReadMostly = 2,
  cudaMemAdviseSetPreferredLocation = 3,
  cudaMemAdviseUnsetPreferredLocation = 4,
  cudaMemAdviseSetAccessedBy = 5,
  cudaMemAdviseUnsetAccessedBy = 6
};
constexpr int cudaCpuDeviceId = -1, cudaInvalidDeviceId = -2;

enum cudaMemLocationType { cudaMemLocationTypeDevice = 1, cudaMemLocationTypeHost = 2 };
struct cudaMemLocation {
  cudaMemLocationType type;
  int id;
};
struct cudaUUID_t {
  char bytes[16];
};

enum cudaComputeMode {
  cudaComputeModeDefault = 0,
  cudaComputeModeExclusive = 1,
  cudaComputeModeProhibited = 2,
  cudaComputeModeExclusiveProcess = 3
};

// CUDA 13 has these no longer. Those that older books and listings print are there, with a warning
// that names what to use instead; the others are refused, as by nvcc 13.
#if defined(EMULATED_OWN_SOURCE) || defined(__clang__)  // which warns of copies of the structure
#define EMULATED_OLD(text)
#define EMULATED_GONE(text)
#else
#define EMULATED_OLD(text) [[deprecated("CUDA 13 does not have it; " text)]]
#if __has_cpp_attribute(gnu::unavailable)
#define EMULATED_GONE(text) [[gnu::unavailable("CUDA 13 does not have it; " text)]]
#else
#define EMULATED_GONE(text) EMULATED_OLD(text)
#endif
#endif
#define EMULATED_ATTRIBUTE(name) "use cudaDeviceGetAttribute with " #name

// The result of cudaGetDeviceProperties: the fields that programs print.
struct cudaDeviceProp {
  char name[256];
  cudaUUID_t uuid;
  char luid[8];
  unsigned int luidDeviceNodeMask;
  std::size_t totalGlobalMem;
  std::size_t sharedMemPerBlock;
  int regsPerBlock;
  int warpSize;
  std::size_t memPitch;
  int maxThreadsPerBlock;
  int maxThreadsDim[3];
  int maxGridSize[3];
  EMULATED_OLD(EMULATED_ATTRIBUTE(cudaDevAttrClockRate)) int clockRate;  // kHz
  std::size_t totalConstMem;
  int major;
  int minor;
  std::size_t textureAlignment;
  std::size_t texturePitchAlignment;
  EMULATED_OLD(EMULATED_ATTRIBUTE(cudaDevAttrGpuOverlap)) int deviceOverlap;
  int multiProcessorCount;
  EMULATED_OLD(EMULATED_ATTRIBUTE(cudaDevAttrKernelExecTimeout)) int kernelExecTimeoutEnabled;
  int integrated;
  int canMapHostMemory;
  EMULATED_OLD(EMULATED_ATTRIBUTE(cudaDevAttrComputeMode)) int computeMode;
  int maxTexture1D;
  int maxTexture1DMipmap;
  EMULATED_GONE(EMULATED_ATTRIBUTE(cudaDevAttrMaxTexture1DLinearWidth)) int maxTexture1DLinear;
  int maxTexture2D[2];
  int maxTexture2DMipmap[2];
  int maxTexture2DLinear[3];
  int maxTexture2DGather[2];
  int maxTexture3D[3];
  int maxTexture3DAlt[3];
  int maxTextureCubemap;
  int maxTexture1DLayered[2];
  int maxTexture2DLayered[3];
  int maxTextureCubemapLayered[2];
  int maxSurface1D;
  int maxSurface2D[2];
  int maxSurface3D[3];
  int maxSurface1DLayered[2];
  int maxSurface2DLayered[3];
  int maxSurfaceCubemap;
  int maxSurfaceCubemapLayered[2];
  std::size_t surfaceAlignment;
  int concurrentKernels;
  int ECCEnabled;
  int pciBusID;
  int pciDeviceID;
  int pciDomainID;
  int tccDriver;
  int asyncEngineCount;
  int unifiedAddressing;
  EMULATED_GONE(EMULATED_ATTRIBUTE(cudaDevAttrMemoryClockRate)) int memoryClockRate;  // kHz
  int memoryBusWidth;
  int l2CacheSize;
  int maxThreadsPerMultiProcessor;
  int streamPrioritiesSupported;
  int globalL1CacheSupported;
  int localL1CacheSupported;
  std::size_t sharedMemPerMultiprocessor;
  int regsPerMultiprocessor;
  int managedMemory;
  int isMultiGpuBoard;
  int multiGpuBoardGroupID;
  int hostNativeAtomicSupported;
  EMULATED_GONE(EMULATED_ATTRIBUTE(cudaDevAttrSingleToDoublePrecisionPerfRatio))
  int singleToDoublePrecisionPerfRatio;
  int pageableMemoryAccess;
  int concurrentManagedAccess;
  int computePreemptionSupported;
  int canUseHostPointerForRegisteredMem;
  int cooperativeLaunch;
  EMULATED_GONE("nor cooperative launches over several devices") int cooperativeMultiDeviceLaunch;
  std::size_t sharedMemPerBlockOptin;
  int pageableMemoryAccessUsesHostPageTables;
  int directManagedMemAccessFromHost;
  int maxBlocksPerMultiProcessor;
  std::size_t reservedSharedMemPerBlock;
  int memoryPoolsSupported;
};
#undef EMULATED_OLD
#undef EMULATED_GONE
#undef EMULATED_ATTRIBUTE

enum cudaDeviceAttr {
#define DEVICE_ATTRIBUTE(number, name, property) name = number,
#include "emulated/device_attributes.h"
#undef DEVICE_ATTRIBUTE
};
