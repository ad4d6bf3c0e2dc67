// The functions for nodes of one kind, over those for all kinds (graphs.h).
#pragma once

#include <emulated/runtime.h>
#include "graphs.h"

namespace emulated {

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
  if (to == nullptr || from == nullptr) return fail(cudaErrorInvalidValue);
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
// The place in the symbol; a null pointer where the copy does not fit, which give_copy() refuses.
template <class T>
char* symbol_part(const T& symbol, std::size_t bytes, std::size_t offset) {
  char* place = nullptr;
  return find_in_symbol(symbol, bytes, offset, place) == cudaSuccess ? place : nullptr;
}

}  // namespace emulated

// The functions of the kinds whose parameters are one structure: to add a node with them, to change them in a graph or in
// an executable one, to read them.
#define EMULATED_ADD_NODE(name, Parameters)                                                              \
  inline cudaError_t name(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* dependencies, \
                          std::size_t count, const Parameters* parameters) {                             \
    return emulated::give_node(parameters, node, graph, dependencies, count);                            \
  }
#define EMULATED_SET_NODE(name, Parameters)                                     \
  inline cudaError_t name(cudaGraphNode_t node, const Parameters* parameters) { \
    return emulated::give_node(parameters, node);                               \
  }
#define EMULATED_SET_EXECUTABLE(name, Parameters)                                                           \
  inline cudaError_t name(cudaGraphExec_t executable, cudaGraphNode_t node, const Parameters* parameters) { \
    return emulated::give_node(parameters, executable, node);                                               \
  }
#define EMULATED_GET_NODE(name, kind, Parameters, member)                                          \
  inline cudaError_t name(cudaGraphNode_t node, Parameters* parameters) {                          \
    return emulated::read_node(node, kind,                                                         \
                               [&](const cudaGraphNodeParams& all) { *parameters = all.member; }); \
  }
EMULATED_ADD_NODE(cudaGraphAddKernelNode, cudaKernelNodeParams)
EMULATED_ADD_NODE(cudaGraphAddMemcpyNode, cudaMemcpy3DParms)
EMULATED_ADD_NODE(cudaGraphAddMemsetNode, cudaMemsetParams)
EMULATED_ADD_NODE(cudaGraphAddHostNode, cudaHostNodeParams)
EMULATED_SET_NODE(cudaGraphKernelNodeSetParams, cudaKernelNodeParams)
EMULATED_SET_NODE(cudaGraphMemcpyNodeSetParams, cudaMemcpy3DParms)
EMULATED_SET_NODE(cudaGraphMemsetNodeSetParams, cudaMemsetParams)
EMULATED_SET_NODE(cudaGraphHostNodeSetParams, cudaHostNodeParams)
EMULATED_SET_EXECUTABLE(cudaGraphExecKernelNodeSetParams, cudaKernelNodeParams)
EMULATED_SET_EXECUTABLE(cudaGraphExecMemcpyNodeSetParams, cudaMemcpy3DParms)
EMULATED_SET_EXECUTABLE(cudaGraphExecMemsetNodeSetParams, cudaMemsetParams)
EMULATED_SET_EXECUTABLE(cudaGraphExecHostNodeSetParams, cudaHostNodeParams)
// kernelParams is a null pointer where a stream recorded the launch.
EMULATED_GET_NODE(cudaGraphKernelNodeGetParams, cudaGraphNodeTypeKernel, cudaKernelNodeParams, kernel)
EMULATED_GET_NODE(cudaGraphMemcpyNodeGetParams, cudaGraphNodeTypeMemcpy, cudaMemcpy3DParms, memcpy.copyParams)
EMULATED_GET_NODE(cudaGraphMemsetNodeGetParams, cudaGraphNodeTypeMemset, cudaMemsetParams, memset)
EMULATED_GET_NODE(cudaGraphHostNodeGetParams, cudaGraphNodeTypeHost, cudaHostNodeParams, host)
EMULATED_GET_NODE(cudaGraphChildGraphNodeGetGraph, cudaGraphNodeTypeGraph, cudaGraph_t, graph.graph)
EMULATED_GET_NODE(cudaGraphEventRecordNodeGetEvent, cudaGraphNodeTypeEventRecord, cudaEvent_t,
                  eventRecord.event)
EMULATED_GET_NODE(cudaGraphEventWaitNodeGetEvent, cudaGraphNodeTypeWaitEvent, cudaEvent_t, eventWait.event)
#undef EMULATED_ADD_NODE
#undef EMULATED_SET_NODE
#undef EMULATED_SET_EXECUTABLE
#undef EMULATED_GET_NODE

// ---- copies of bytes, to symbols and from symbols ----
// `where` is what stands before the parameters of the copy, `place` its names.
#define EMULATED_LIST(...) __VA_ARGS__
#define EMULATED_COPY_NODES(bytes_name, to_name, from_name, where, place)                           \
  inline cudaError_t bytes_name(EMULATED_LIST where, void* to, const void* from, std::size_t bytes, \
                                cudaMemcpyKind kind) {                                              \
    return emulated::give_copy(to, from, bytes, kind, EMULATED_LIST place);                         \
  }                                                                                                 \
  template <class T>                                                                                \
  cudaError_t to_name(EMULATED_LIST where, const T& symbol, const void* from, std::size_t bytes,    \
                      std::size_t offset, cudaMemcpyKind kind) {                                    \
    return emulated::give_copy(emulated::symbol_part(symbol, bytes, offset), from, bytes, kind,     \
                               EMULATED_LIST place);                                                \
  }                                                                                                 \
  template <class T>                                                                                \
  cudaError_t from_name(EMULATED_LIST where, void* to, const T& symbol, std::size_t bytes,          \
                        std::size_t offset, cudaMemcpyKind kind) {                                  \
    return emulated::give_copy(to, emulated::symbol_part(symbol, bytes, offset), bytes, kind,       \
                               EMULATED_LIST place);                                                \
  }
EMULATED_COPY_NODES(cudaGraphAddMemcpyNode1D, cudaGraphAddMemcpyNodeToSymbol,
                    cudaGraphAddMemcpyNodeFromSymbol,
                    (cudaGraphNode_t * node, cudaGraph_t graph, const cudaGraphNode_t* dependencies,
                     std::size_t count),
                    (node, graph, dependencies, count))
EMULATED_COPY_NODES(cudaGraphMemcpyNodeSetParams1D, cudaGraphMemcpyNodeSetParamsToSymbol,
                    cudaGraphMemcpyNodeSetParamsFromSymbol, (cudaGraphNode_t node), (node))
EMULATED_COPY_NODES(cudaGraphExecMemcpyNodeSetParams1D, cudaGraphExecMemcpyNodeSetParamsToSymbol,
                    cudaGraphExecMemcpyNodeSetParamsFromSymbol,
                    (cudaGraphExec_t executable, cudaGraphNode_t node), (executable, node))
#undef EMULATED_COPY_NODES
#undef EMULATED_LIST

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
inline cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                         const cudaGraphNode_t* dependencies, std::size_t count) {
  return emulated::give(emulated::node_params(cudaGraphNodeTypeEmpty), node, graph, dependencies, count);
}

// ---- events ----
#define EMULATED_EVENT_NODE(add_name, kind)                                                                  \
  inline cudaError_t add_name(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* dependencies, \
                              std::size_t count, cudaEvent_t event) {                                        \
    return emulated::give(emulated::node_params(kind, event), node, graph, dependencies, count);             \
  }
EMULATED_EVENT_NODE(cudaGraphAddEventRecordNode, cudaGraphNodeTypeEventRecord)
EMULATED_EVENT_NODE(cudaGraphAddEventWaitNode, cudaGraphNodeTypeWaitEvent)
#undef EMULATED_EVENT_NODE
