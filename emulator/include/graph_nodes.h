// The functions for nodes of one kind, over those for all kinds (graph_api.h).
#pragma once

#include "emulated/runtime.h"
#include "graph_api.h"

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
inline cudaGraphNodeParams node_params(const cudaMemAllocNodeParams& parameters) {
  cudaGraphNodeParams all = node_params(cudaGraphNodeTypeMemAlloc);
  all.alloc = parameters;
  return all;
}
inline cudaGraphNodeParams node_params(const cudaGraph_t& child) {
  cudaGraphNodeParams all = node_params(cudaGraphNodeTypeGraph);
  all.graph.graph = child;
  return all;
}
inline cudaGraphNodeParams node_params(cudaGraphNodeType type, cudaEvent_t event) {
  cudaGraphNodeParams all = node_params(type);
  all.eventRecord.event = event;
  return all;
}
inline cudaMemcpy3DParms copy_of_bytes(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) {
  cudaMemcpy3DParms copy = {};
  copy.srcPtr = make_cudaPitchedPtr(const_cast<void*>(from), bytes, bytes, 1);
  copy.dstPtr = make_cudaPitchedPtr(to, bytes, bytes, 1);
  copy.extent = make_cudaExtent(bytes, 1, 1);
  copy.kind = kind;
  return copy;
}

// `where`: what is given to cudaGraphAddNode before the parameters, and so on.
inline cudaError_t give(cudaGraphNodeParams all, cudaGraphNode_t* node, cudaGraph_t graph,
                        const cudaGraphNode_t* dependencies, std::size_t count) {
  return cudaGraphAddNode(node, graph, dependencies, count, &all);
}
inline cudaError_t give(cudaGraphNodeParams all, cudaGraphNode_t node) {
  return cudaGraphNodeSetParams(node, &all);
}
inline cudaError_t give(cudaGraphNodeParams all, cudaGraphExec_t executable, cudaGraphNode_t node) {
  return cudaGraphExecNodeSetParams(executable, node, &all);
}
template <class Parameters, class... Where>
cudaError_t give_node(const Parameters* parameters, Where... where) {
  return parameters == nullptr ? fail(cudaErrorInvalidValue) : give(node_params(*parameters), where...);
}
template <class... Where>
cudaError_t give_copy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind, Where... where) {
  return give(node_params(copy_of_bytes(to, from, bytes, kind)), where...);
}
// Reads the parameters of a node of this kind: take(parameters) has them where there is no error.
template <class Take>
cudaError_t read_node(cudaGraphNode_t node, cudaGraphNodeType type, const Take& take) {
  cudaGraphNodeParams all = {};
  const cudaError_t error = graph_node_params(node, type, all);
  if (error == cudaSuccess) take(all);
  return error;
}
// The symbol's address, moved by `offset`; a null pointer where the copy does not fit.
template <class T>
void* symbol_bytes(T& symbol);
template <class T>
char* symbol_part(const T& symbol, std::size_t bytes, std::size_t offset) {
  if (offset > sizeof(T) || bytes > sizeof(T) - offset) return nullptr;
  if (register_symbol(symbol_bytes(symbol), sizeof(T)) != cudaSuccess) return nullptr;
  return static_cast<char*>(symbol_bytes(symbol)) + offset;
}

}  // namespace emulated

// ---- kernels ----
inline cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                          const cudaGraphNode_t* dependencies, std::size_t count,
                                          const cudaKernelNodeParams* parameters) {
  return emulated::give_node(parameters, node, graph, dependencies, count);
}
inline cudaError_t cudaGraphKernelNodeSetParams(cudaGraphNode_t node,
                                                const cudaKernelNodeParams* parameters) {
  return emulated::give_node(parameters, node);
}
inline cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t node,
                                                    const cudaKernelNodeParams* parameters) {
  return emulated::give_node(parameters, executable, node);
}
// kernelParams is a null pointer where a stream recorded the launch.
inline cudaError_t cudaGraphKernelNodeGetParams(cudaGraphNode_t node, cudaKernelNodeParams* parameters) {
  return emulated::read_node(node, cudaGraphNodeTypeKernel,
                             [&](const cudaGraphNodeParams& all) { *parameters = all.kernel; });
}

// ---- copies ----
inline cudaError_t cudaGraphAddMemcpyNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                          const cudaGraphNode_t* dependencies, std::size_t count,
                                          const cudaMemcpy3DParms* parameters) {
  return emulated::give_node(parameters, node, graph, dependencies, count);
}
inline cudaError_t cudaGraphMemcpyNodeSetParams(cudaGraphNode_t node, const cudaMemcpy3DParms* parameters) {
  return emulated::give_node(parameters, node);
}
inline cudaError_t cudaGraphExecMemcpyNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t node,
                                                    const cudaMemcpy3DParms* parameters) {
  return emulated::give_node(parameters, executable, node);
}
inline cudaError_t cudaGraphMemcpyNodeGetParams(cudaGraphNode_t node, cudaMemcpy3DParms* parameters) {
  return emulated::read_node(node, cudaGraphNodeTypeMemcpy,
                             [&](const cudaGraphNodeParams& all) { *parameters = all.memcpy.copyParams; });
}
inline cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t* node, cudaGraph_t graph,
                                            const cudaGraphNode_t* dependencies, std::size_t count, void* to,
                                            const void* from, std::size_t bytes, cudaMemcpyKind kind) {
  return emulated::give_copy(to, from, bytes, kind, node, graph, dependencies, count);
}
inline cudaError_t cudaGraphMemcpyNodeSetParams1D(cudaGraphNode_t node, void* to, const void* from,
                                                  std::size_t bytes, cudaMemcpyKind kind) {
  return emulated::give_copy(to, from, bytes, kind, node);
}
inline cudaError_t cudaGraphExecMemcpyNodeSetParams1D(cudaGraphExec_t executable, cudaGraphNode_t node,
                                                      void* to, const void* from, std::size_t bytes,
                                                      cudaMemcpyKind kind) {
  return emulated::give_copy(to, from, bytes, kind, executable, node);
}
template <class T>
cudaError_t cudaGraphAddMemcpyNodeToSymbol(cudaGraphNode_t* node, cudaGraph_t graph,
                                           const cudaGraphNode_t* dependencies, std::size_t count,
                                           const T& symbol, const void* from, std::size_t bytes,
                                           std::size_t offset, cudaMemcpyKind kind) {
  return emulated::give_copy(emulated::symbol_part(symbol, bytes, offset), from, bytes, kind, node, graph,
                             dependencies, count);
}
template <class T>
cudaError_t cudaGraphMemcpyNodeSetParamsToSymbol(cudaGraphNode_t node, const T& symbol, const void* from,
                                                 std::size_t bytes, std::size_t offset, cudaMemcpyKind kind) {
  return emulated::give_copy(emulated::symbol_part(symbol, bytes, offset), from, bytes, kind, node);
}
template <class T>
cudaError_t cudaGraphExecMemcpyNodeSetParamsToSymbol(cudaGraphExec_t executable, cudaGraphNode_t node,
                                                     const T& symbol, const void* from, std::size_t bytes,
                                                     std::size_t offset, cudaMemcpyKind kind) {
  return emulated::give_copy(emulated::symbol_part(symbol, bytes, offset), from, bytes, kind, executable,
                             node);
}
template <class T>
cudaError_t cudaGraphAddMemcpyNodeFromSymbol(cudaGraphNode_t* node, cudaGraph_t graph,
                                             const cudaGraphNode_t* dependencies, std::size_t count, void* to,
                                             const T& symbol, std::size_t bytes, std::size_t offset,
                                             cudaMemcpyKind kind) {
  return emulated::give_copy(to, emulated::symbol_part(symbol, bytes, offset), bytes, kind, node, graph,
                             dependencies, count);
}
template <class T>
cudaError_t cudaGraphMemcpyNodeSetParamsFromSymbol(cudaGraphNode_t node, void* to, const T& symbol,
                                                   std::size_t bytes, std::size_t offset,
                                                   cudaMemcpyKind kind) {
  return emulated::give_copy(to, emulated::symbol_part(symbol, bytes, offset), bytes, kind, node);
}
template <class T>
cudaError_t cudaGraphExecMemcpyNodeSetParamsFromSymbol(cudaGraphExec_t executable, cudaGraphNode_t node,
                                                       void* to, const T& symbol, std::size_t bytes,
                                                       std::size_t offset, cudaMemcpyKind kind) {
  return emulated::give_copy(to, emulated::symbol_part(symbol, bytes, offset), bytes, kind, executable, node);
}

// ---- fills ----
inline cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                          const cudaGraphNode_t* dependencies, std::size_t count,
                                          const cudaMemsetParams* parameters) {
  return emulated::give_node(parameters, node, graph, dependencies, count);
}
inline cudaError_t cudaGraphMemsetNodeSetParams(cudaGraphNode_t node, const cudaMemsetParams* parameters) {
  return emulated::give_node(parameters, node);
}
inline cudaError_t cudaGraphExecMemsetNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t node,
                                                    const cudaMemsetParams* parameters) {
  return emulated::give_node(parameters, executable, node);
}
inline cudaError_t cudaGraphMemsetNodeGetParams(cudaGraphNode_t node, cudaMemsetParams* parameters) {
  return emulated::read_node(node, cudaGraphNodeTypeMemset,
                             [&](const cudaGraphNodeParams& all) { *parameters = all.memset; });
}

// ---- functions of the host ----
inline cudaError_t cudaGraphAddHostNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                        const cudaGraphNode_t* dependencies, std::size_t count,
                                        const cudaHostNodeParams* parameters) {
  return emulated::give_node(parameters, node, graph, dependencies, count);
}
inline cudaError_t cudaGraphHostNodeSetParams(cudaGraphNode_t node, const cudaHostNodeParams* parameters) {
  return emulated::give_node(parameters, node);
}
inline cudaError_t cudaGraphExecHostNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t node,
                                                  const cudaHostNodeParams* parameters) {
  return emulated::give_node(parameters, executable, node);
}
inline cudaError_t cudaGraphHostNodeGetParams(cudaGraphNode_t node, cudaHostNodeParams* parameters) {
  return emulated::read_node(node, cudaGraphNodeTypeHost,
                             [&](const cudaGraphNodeParams& all) { *parameters = all.host; });
}

// ---- graphs in graphs, nodes that do nothing ----
inline cudaError_t cudaGraphAddChildGraphNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                              const cudaGraphNode_t* dependencies, std::size_t count,
                                              cudaGraph_t child) {
  return emulated::give_node(&child, node, graph, dependencies, count);
}
inline cudaError_t cudaGraphExecChildGraphNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t node,
                                                        cudaGraph_t child) {
  return emulated::give_node(&child, executable, node);
}
inline cudaError_t cudaGraphChildGraphNodeGetGraph(cudaGraphNode_t node, cudaGraph_t* graph) {
  return emulated::read_node(node, cudaGraphNodeTypeGraph,
                             [&](const cudaGraphNodeParams& all) { *graph = all.graph.graph; });
}
inline cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                         const cudaGraphNode_t* dependencies, std::size_t count) {
  return emulated::give(emulated::node_params(cudaGraphNodeTypeEmpty), node, graph, dependencies, count);
}

// ---- events ----
inline cudaError_t cudaGraphAddEventRecordNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                               const cudaGraphNode_t* dependencies, std::size_t count,
                                               cudaEvent_t event) {
  return emulated::give(emulated::node_params(cudaGraphNodeTypeEventRecord, event), node, graph, dependencies,
                        count);
}
inline cudaError_t cudaGraphAddEventWaitNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                             const cudaGraphNode_t* dependencies, std::size_t count,
                                             cudaEvent_t event) {
  return emulated::give(emulated::node_params(cudaGraphNodeTypeWaitEvent, event), node, graph, dependencies,
                        count);
}
inline cudaError_t cudaGraphEventRecordNodeSetEvent(cudaGraphNode_t node, cudaEvent_t event) {
  return emulated::give(emulated::node_params(cudaGraphNodeTypeEventRecord, event), node);
}
inline cudaError_t cudaGraphEventWaitNodeSetEvent(cudaGraphNode_t node, cudaEvent_t event) {
  return emulated::give(emulated::node_params(cudaGraphNodeTypeWaitEvent, event), node);
}
inline cudaError_t cudaGraphExecEventRecordNodeSetEvent(cudaGraphExec_t executable, cudaGraphNode_t node,
                                                        cudaEvent_t event) {
  return emulated::give(emulated::node_params(cudaGraphNodeTypeEventRecord, event), executable, node);
}
inline cudaError_t cudaGraphExecEventWaitNodeSetEvent(cudaGraphExec_t executable, cudaGraphNode_t node,
                                                      cudaEvent_t event) {
  return emulated::give(emulated::node_params(cudaGraphNodeTypeWaitEvent, event), executable, node);
}
inline cudaError_t cudaGraphEventRecordNodeGetEvent(cudaGraphNode_t node, cudaEvent_t* event) {
  return emulated::read_node(node, cudaGraphNodeTypeEventRecord,
                             [&](const cudaGraphNodeParams& all) { *event = all.eventRecord.event; });
}
inline cudaError_t cudaGraphEventWaitNodeGetEvent(cudaGraphNode_t node, cudaEvent_t* event) {
  return emulated::read_node(node, cudaGraphNodeTypeWaitEvent,
                             [&](const cudaGraphNodeParams& all) { *event = all.eventWait.event; });
}

// ---- memory ----
inline cudaError_t cudaGraphAddMemAllocNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                            const cudaGraphNode_t* dependencies, std::size_t count,
                                            cudaMemAllocNodeParams* parameters) {
  if (parameters == nullptr) return emulated::fail(cudaErrorInvalidValue);
  cudaGraphNodeParams all = emulated::node_params(*parameters);
  const cudaError_t error = cudaGraphAddNode(node, graph, dependencies, count, &all);
  parameters->dptr = all.alloc.dptr;
  return error;
}
inline cudaError_t cudaGraphMemAllocNodeGetParams(cudaGraphNode_t node, cudaMemAllocNodeParams* parameters) {
  return emulated::read_node(node, cudaGraphNodeTypeMemAlloc,
                             [&](const cudaGraphNodeParams& all) { *parameters = all.alloc; });
}
inline cudaError_t cudaGraphAddMemFreeNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                           const cudaGraphNode_t* dependencies, std::size_t count,
                                           void* pointer) {
  cudaGraphNodeParams all = emulated::node_params(cudaGraphNodeTypeMemFree);
  all.free.dptr = pointer;
  return cudaGraphAddNode(node, graph, dependencies, count, &all);
}
inline cudaError_t cudaGraphMemFreeNodeGetParams(cudaGraphNode_t node, void* pointer) {
  return emulated::read_node(node, cudaGraphNodeTypeMemFree, [&](const cudaGraphNodeParams& all) {
    *static_cast<void**>(pointer) = all.free.dptr;
  });
}
