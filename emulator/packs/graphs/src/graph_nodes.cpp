// Nodes of graphs: what they do, made from their parameters.
#include <algorithm>
#include <utility>

#include "emulated/known_kernels.h"
#include "emulated/runtime.h"
#include "emulated/scheduler.h"
#include "emulated/texture_array.h"
#include "graph.h"
#include "streams/handles.h"

using namespace emulated;

namespace {

// What a node with these parameters does; an error where they are wrong.
cudaError_t work_of(const cudaKernelNodeParams& kernel, Work& work) {
  if (kernel.extra != nullptr) return not_supported("the field extra of a kernel node");
  const KnownKernel* known = known_kernel(kernel.func);
  if (known == nullptr) return cudaErrorInvalidDeviceFunction;
  if (kernel.kernelParams == nullptr && !known->parameter_bytes.empty())
    return cudaErrorInvalidValue;
  std::vector<std::vector<char>> arguments;
  for (std::size_t i = 0; i < known->parameter_bytes.size(); ++i) {
    const auto* bytes = static_cast<const char*>(kernel.kernelParams[i]);
    arguments.emplace_back(bytes, bytes + known->parameter_bytes[i]);
  }
  const LaunchShape shape{kernel.gridDim, kernel.blockDim, kernel.sharedMemBytes, nullptr};
  work = [known, shape, function = kernel.func, arguments = std::move(arguments)]() mutable {
    std::vector<void*> pointers;
    for (auto& argument : arguments) pointers.push_back(argument.data());
    return known->launch(function, known->name, Location(), shape, pointers.data());
  };
  return cudaSuccess;
}

cudaError_t work_of(const cudaMemcpy3DParms& copy, Work& work) {
  work = [copy] { return cudaMemcpy3D(&copy); };
  return cudaSuccess;
}

cudaError_t work_of(const cudaMemsetParams& fill, Work& work) {
  if (fill.elementSize != 1 && fill.elementSize != 2 && fill.elementSize != 4)
    return cudaErrorInvalidValue;
  const std::size_t row = fill.width * fill.elementSize;
  if (fill.height == 0 || row == 0 ||
      check_box({fill.dst, fill.pitch}, {row, fill.height, 1}, cudaMemcpyDeviceToDevice,
                cudaMemcpyHostToDevice) != cudaSuccess)
    return cudaErrorInvalidValue;
  work = [fill] {
    std::vector<char> row(fill.width * fill.elementSize);
    for (std::size_t i = 0; i < row.size(); ++i)
      row[i] = static_cast<char>(fill.value >> 8 * (i % fill.elementSize));
    cudaError_t error = cudaSuccess;
    for (std::size_t y = 0; y < fill.height && error == cudaSuccess; ++y)
      error = cudaMemcpy(static_cast<char*>(fill.dst) + y * fill.pitch, row.data(), row.size(),
                         cudaMemcpyDefault);
    return error;
  };
  return cudaSuccess;
}

cudaError_t work_of(const cudaHostNodeParams& host, Work& work) {
  if (host.fn == nullptr) return cudaErrorInvalidValue;
  work = [host] {
    host.fn(host.userData);
    return cudaSuccess;
  };
  return cudaSuccess;
}

bool belong(const CUgraph_st& graph, const cudaGraphNode_t* nodes, std::size_t count) {
  if (count > 0 && nodes == nullptr) return false;
  return std::all_of(nodes, nodes + count,
                     [&](cudaGraphNode_t node) { return exists(node) && node->graph == &graph; });
}

cudaError_t add_checked(cudaGraphNode_t* node, cudaGraph_t graph,
                        const cudaGraphNode_t* dependencies, std::size_t count,
                        cudaGraphNodeType type, Work work) {
  if (const cudaError_t error = sticky_error()) return error;
  if (node == nullptr || !exists(graph) || !belong(*graph, dependencies, count))
    return fail(cudaErrorInvalidValue);
  *node = add_node(*graph, Nodes(dependencies, dependencies + count), type, std::move(work));
  return cudaSuccess;
}

template <class Parameters>
cudaError_t add(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* dependencies,
                std::size_t count, cudaGraphNodeType type, const Parameters* parameters) {
  Work work;
  if (parameters == nullptr) return fail(cudaErrorInvalidValue);
  if (const cudaError_t error = work_of(*parameters, work)) return fail(error);
  return add_checked(node, graph, dependencies, count, type, std::move(work));
}

}  // namespace

cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                   const cudaGraphNode_t* dependencies, std::size_t count,
                                   const cudaKernelNodeParams* parameters) {
  return add(node, graph, dependencies, count, cudaGraphNodeTypeKernel, parameters);
}
cudaError_t cudaGraphAddMemcpyNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                   const cudaGraphNode_t* dependencies, std::size_t count,
                                   const cudaMemcpy3DParms* parameters) {
  return add(node, graph, dependencies, count, cudaGraphNodeTypeMemcpy, parameters);
}
cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t* node, cudaGraph_t graph,
                                     const cudaGraphNode_t* dependencies, std::size_t count,
                                     void* to, const void* from, std::size_t bytes,
                                     cudaMemcpyKind kind) {
  cudaMemcpy3DParms copy = {};
  copy.srcPtr = make_cudaPitchedPtr(const_cast<void*>(from), bytes, bytes, 1);
  copy.dstPtr = make_cudaPitchedPtr(to, bytes, bytes, 1);
  copy.extent = make_cudaExtent(bytes, 1, 1);
  copy.kind = kind;
  return add(node, graph, dependencies, count, cudaGraphNodeTypeMemcpy, &copy);
}
cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                   const cudaGraphNode_t* dependencies, std::size_t count,
                                   const cudaMemsetParams* parameters) {
  return add(node, graph, dependencies, count, cudaGraphNodeTypeMemset, parameters);
}
cudaError_t cudaGraphAddHostNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                 const cudaGraphNode_t* dependencies, std::size_t count,
                                 const cudaHostNodeParams* parameters) {
  return add(node, graph, dependencies, count, cudaGraphNodeTypeHost, parameters);
}
cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                  const cudaGraphNode_t* dependencies, std::size_t count) {
  return add_checked(node, graph, dependencies, count, cudaGraphNodeTypeEmpty, {});
}
cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t* from,
                                     const cudaGraphNode_t* to, const cudaGraphEdgeData*,
                                     std::size_t count) {
  return cudaGraphAddDependencies(graph, from, to, count);
}
cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t* from,
                                     const cudaGraphNode_t* to, std::size_t count) {
  if (!exists(graph) || !belong(*graph, from, count) || !belong(*graph, to, count))
    return fail(cudaErrorInvalidValue);
  for (std::size_t i = 0; i < count; ++i)
    if (from[i] == to[i] || waits_for(to[i], from[i])) return fail(cudaErrorInvalidValue);
  for (std::size_t i = 0; i < count; ++i) to[i]->dependencies.push_back(from[i]);
  return cudaSuccess;
}

cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t original,
                                             const cudaKernelNodeParams* parameters) {
  if (parameters == nullptr || !exists(executable)) return fail(cudaErrorInvalidValue);
  for (const auto& node : executable->graph->nodes)
    if (node->original == original && node->type == cudaGraphNodeTypeKernel)
      return fail(work_of(*parameters, node->work));
  return fail(cudaErrorInvalidValue);
}
