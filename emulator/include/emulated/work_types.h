// What a piece of work for a stream does, as far as it can be told: the parameters of a graph's node, which it becomes while
// the stream is captured.
#pragma once

#include <cstddef>

#include "../driver_types.h"

enum cudaGraphNodeType {
  cudaGraphNodeTypeKernel = 0,
  cudaGraphNodeTypeMemcpy = 1,
  cudaGraphNodeTypeMemset = 2,
  cudaGraphNodeTypeHost = 3,
  cudaGraphNodeTypeGraph = 4,
  cudaGraphNodeTypeEmpty = 5,
  cudaGraphNodeTypeWaitEvent = 6,
  cudaGraphNodeTypeEventRecord = 7,
  cudaGraphNodeTypeCount = 14
};

struct cudaKernelNodeParams {
  void* func;  // (void*)kernel
  dim3 gridDim, blockDim;
  unsigned int sharedMemBytes;
  void** kernelParams;  // pointers to the arguments, which are copied
  void** extra;         // must be a null pointer
};
using cudaKernelNodeParamsV2 = cudaKernelNodeParams;
struct cudaMemcpyNodeParams {
  int flags;
  int reserved[3];
  cudaMemcpy3DParms copyParams;
};
struct cudaMemsetParams {
  void* dst;
  std::size_t pitch;         // bytes between rows
  unsigned int value;        // of each element
  unsigned int elementSize;  // 1, 2 or 4 bytes
  std::size_t width, height;
};
using cudaMemsetParamsV2 = cudaMemsetParams;
struct cudaHostNodeParams {
  cudaHostFn_t fn;
  void* userData;
};
using cudaHostNodeParamsV2 = cudaHostNodeParams;
enum cudaGraphChildGraphNodeOwnership {
  cudaGraphChildGraphOwnershipClone = 0,
  cudaGraphChildGraphOwnershipMove = 1
};
struct cudaChildGraphNodeParams {
  cudaGraph_t graph;
  cudaGraphChildGraphNodeOwnership ownership;
};
struct cudaEventRecordNodeParams {
  cudaEvent_t event;
};
using cudaEventWaitNodeParams = cudaEventRecordNodeParams;
struct cudaGraphNodeParams {
  cudaGraphNodeType type;
  int reserved0[3];
  union {
    long long reserved1[29];
    cudaKernelNodeParamsV2 kernel;
    cudaMemcpyNodeParams memcpy;
    cudaMemsetParamsV2 memset;
    cudaHostNodeParamsV2 host;
    cudaChildGraphNodeParams graph;
    cudaEventWaitNodeParams eventWait;
    cudaEventRecordNodeParams eventRecord;
  };
  long long reserved2;
};

namespace emulated {

inline cudaGraphNodeParams node_params(cudaGraphNodeType type) {
  cudaGraphNodeParams all = {};
  all.type = type;
  return all;
}
inline cudaGraphNodeParams node_params(const cudaKernelNodeParams& parameters) {
  cudaGraphNodeParams all = node_params(cudaGraphNodeTypeKernel);
  all.kernel = parameters;
  return all;
}
inline cudaGraphNodeParams node_params(const cudaMemcpy3DParms& parameters) {
  cudaGraphNodeParams all = node_params(cudaGraphNodeTypeMemcpy);
  all.memcpy.copyParams = parameters;
  return all;
}
inline cudaGraphNodeParams node_params(const cudaMemsetParams& parameters) {
  cudaGraphNodeParams all = node_params(cudaGraphNodeTypeMemset);
  all.memset = parameters;
  return all;
}
inline cudaGraphNodeParams node_params(const cudaHostNodeParams& parameters) {
  cudaGraphNodeParams all = node_params(cudaGraphNodeTypeHost);
  all.host = parameters;
  return all;
}

}  // namespace emulated
