// Nodes of graphs: their parameters, and what they do when the graph is launched.
#include <algorithm>
#include <cstring>
#include <utility>

#include "emulated/known_kernels.h"
#include "emulated/runtime.h"
#include "emulated/scheduler.h"
#include "emulated/texture_array.h"
#include "graph.h"
#include "streams/handles.h"

namespace emulated {

namespace {

// ---- parameters ----
void point_to_arguments(CUgraphNode_st& node) {
  node.argument_pointers.clear();
  for (auto& argument : node.arguments) node.argument_pointers.push_back(argument.data());
  if (node.params.type == cudaGraphNodeTypeKernel)
    node.params.kernel.kernelParams = node.arguments.empty() ? nullptr : node.argument_pointers.data();
}

cudaError_t set_kernel(CUgraphNode_st& node, const cudaKernelNodeParams& kernel) {
  if (kernel.extra != nullptr) return not_supported("the field extra of a kernel node");
  const KnownKernel* known = known_kernel(kernel.func);
  if (known == nullptr) return cudaErrorInvalidDeviceFunction;
  if (kernel.kernelParams == nullptr && !known->parameter_bytes.empty()) return cudaErrorInvalidValue;
  std::vector<std::vector<char>> arguments;
  for (std::size_t i = 0; i < known->parameter_bytes.size(); ++i) {
    const auto* bytes = static_cast<const char*>(kernel.kernelParams[i]);
    arguments.emplace_back(bytes, bytes + known->parameter_bytes[i]);
  }
  node.arguments = std::move(arguments);
  return cudaSuccess;
}

cudaError_t check_memset(const cudaMemsetParams& fill) {
  if (fill.elementSize != 1 && fill.elementSize != 2 && fill.elementSize != 4) return cudaErrorInvalidValue;
  const std::size_t row = fill.width * fill.elementSize;
  if (fill.height == 0 || row == 0 || (fill.height > 1 && fill.pitch < row)) return cudaErrorInvalidValue;
  return check_copy_target(fill.dst, (fill.height - 1) * fill.pitch + row, cudaMemcpyDeviceToDevice);
}

cudaError_t set_child(CUgraphNode_st& node, cudaGraph_t child) {
  if (!exists(child)) return cudaErrorInvalidValue;
  set_body(node, *child);
  return cudaSuccess;
}

// ---- work ----
cudaError_t fill(const cudaMemsetParams& fill) {
  std::vector<char> row(fill.width * fill.elementSize);
  for (std::size_t i = 0; i < row.size(); ++i)
    row[i] = static_cast<char>(fill.value >> 8 * (i % fill.elementSize));
  for (std::size_t y = 0; y < fill.height; ++y)
    if (const cudaError_t error = cudaMemcpy(static_cast<char*>(fill.dst) + y * fill.pitch, row.data(),
                                             row.size(), cudaMemcpyDefault))
      return error;
  return cudaSuccess;
}

cudaError_t launch(const CUgraphNode_st& node) {
  const cudaKernelNodeParams& kernel = node.params.kernel;
  const KnownKernel* known = known_kernel(kernel.func);
  const LaunchShape shape{kernel.gridDim, kernel.blockDim, kernel.sharedMemBytes, nullptr};
  return known->launch(kernel.func, known->name, Location(), shape,
                       const_cast<void**>(node.argument_pointers.data()));
}

cudaError_t run_node(const CUgraphNode_st& node) {
  if (!node.enabled) return cudaSuccess;
  if (node.recorded) return node.recorded();
  switch (node.params.type) {
    case cudaGraphNodeTypeKernel:
      return launch(node);
    case cudaGraphNodeTypeMemcpy:
      return cudaMemcpy3D(&node.params.memcpy.copyParams);
    case cudaGraphNodeTypeMemset:
      return fill(node.params.memset);
    case cudaGraphNodeTypeHost:
      node.params.host.fn(node.params.host.userData);
      return cudaSuccess;
    case cudaGraphNodeTypeGraph:
      return run(*node.body);
    case cudaGraphNodeTypeEventRecord:
      return cudaEventRecord(node.params.eventRecord.event, nullptr);
    default:  // empty, waiting for an event: what was recorded before has happened
      return cudaSuccess;
  }
}

}  // namespace

void set_body(CUgraphNode_st& node, const CUgraph_st& graph) {
  node.body = copy(graph);
  node.body->owned = true;
  node.params.graph.graph = node.body.get();
}

cudaError_t set_params(CUgraphNode_st& node, const cudaGraphNodeParams& parameters) {
  cudaError_t error = cudaSuccess;
  switch (parameters.type) {
    case cudaGraphNodeTypeKernel:
      error = set_kernel(node, parameters.kernel);
      break;
    case cudaGraphNodeTypeMemset:
      error = check_memset(parameters.memset);
      break;
    case cudaGraphNodeTypeHost:
      if (parameters.host.fn == nullptr) error = cudaErrorInvalidValue;
      break;
    case cudaGraphNodeTypeGraph:
      error = set_child(node, parameters.graph.graph);
      break;
    case cudaGraphNodeTypeWaitEvent:
    case cudaGraphNodeTypeEventRecord:
      if (!exists(parameters.eventRecord.event)) error = cudaErrorInvalidResourceHandle;
      break;
    case cudaGraphNodeTypeMemcpy:
    case cudaGraphNodeTypeEmpty:
      break;
    default:
      error = cudaErrorNotSupported;
  }
  if (error != cudaSuccess) return error;
  node.params = parameters;
  node.recorded = nullptr;
  if (node.body != nullptr) node.params.graph.graph = node.body.get();
  point_to_arguments(node);
  return cudaSuccess;
}

void copy_work(CUgraphNode_st& to, const CUgraphNode_st& from) {
  to.params = from.params;
  to.recorded = from.recorded;
  to.arguments = from.arguments;
  point_to_arguments(to);
}

cudaError_t run(const CUgraph_st& graph) {
  const bool before = std::exchange(running_recorded_work, true);
  cudaError_t error = cudaSuccess;
  for (const auto& node : graph.nodes) {
    error = run_node(*node);
    if (error != cudaSuccess) break;
  }
  running_recorded_work = before;
  return error;
}

}  // namespace emulated
