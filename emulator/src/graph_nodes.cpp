// Nodes of graphs: their parameters, and what they do when the graph is launched.
#include <algorithm>
#include <cstring>
#include <deque>
#include <mutex>
#include <utility>

#include "../include/emulated/known_kernels.h"
#include "../include/emulated/runtime.h"
#include "../include/emulated/scheduler.h"
#include "../include/texture_array.h"
#include "graph.h"
#include "graph_memory.h"
#include "handles.h"

namespace emulated {

thread_local constinit bool running_graph = false;

namespace {

// ---- conditional handles ----
struct Conditional {
  unsigned value, default_value;
  bool assign_default;
};
std::mutex conditional_mutex;
// A handle is an index into it, from 1. Entries stay: executable graphs outlive the graphs that they came from.
std::deque<Conditional>& conditionals() {
  static auto& all = *new std::deque<Conditional>;
  return all;
}
Conditional* conditional(cudaGraphConditionalHandle handle) {
  return handle >= 1 && handle <= conditionals().size() ? &conditionals()[handle - 1] : nullptr;
}
unsigned condition(cudaGraphConditionalHandle handle) {
  const std::lock_guard lock(conditional_mutex);
  return conditional(handle)->value;
}

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

void add_bodies(CUgraphNode_st& node, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    auto body = std::make_unique<CUgraph_st>();
    body->owned = true;
    node.body_handles.push_back(body.get());
    node.bodies.push_back(std::move(body));
  }
}

cudaError_t set_conditional(CUgraphNode_st& node, const cudaConditionalNodeParams& parameters) {
  {
    const std::lock_guard lock(conditional_mutex);
    if (conditional(parameters.handle) == nullptr) return cudaErrorInvalidValue;
  }
  const unsigned most = parameters.type == cudaGraphCondTypeIf      ? 2
                        : parameters.type == cudaGraphCondTypeWhile ? 1
                                                                    : 1u << 16;
  if (parameters.type > cudaGraphCondTypeSwitch || parameters.size == 0 || parameters.size > most ||
      !node.bodies.empty())
    return cudaErrorInvalidValue;
  add_bodies(node, parameters.size);
  return cudaSuccess;
}

cudaError_t set_child(CUgraphNode_st& node, cudaGraph_t child) {
  if (!exists(child)) return cudaErrorInvalidValue;
  auto body = copy(*child);
  body->owned = true;
  node.body_handles = {body.get()};
  node.bodies.clear();
  node.bodies.push_back(std::move(body));
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
  LaunchShape shape{kernel.gridDim, kernel.blockDim, kernel.sharedMemBytes, nullptr};
  if (const auto it = node.attributes.find(cudaLaunchAttributeCooperative); it != node.attributes.end())
    shape.cooperative = it->second.cooperative != 0;
  return known->launch(kernel.func, known->name, Location(), shape,
                       const_cast<void**>(node.argument_pointers.data()));
}

cudaError_t run_conditional(const CUgraphNode_st& node) {
  const cudaConditionalNodeParams& parameters = node.params.conditional;
  unsigned value = condition(parameters.handle);
  switch (parameters.type) {
    case cudaGraphCondTypeIf:
      if (value != 0) return run(*node.bodies[0]);
      return node.bodies.size() > 1 ? run(*node.bodies[1]) : cudaSuccess;
    case cudaGraphCondTypeWhile:
      for (; value != 0; value = condition(parameters.handle))
        if (const cudaError_t error = run(*node.bodies[0])) return error;
      return cudaSuccess;
    case cudaGraphCondTypeSwitch:
      return value < node.bodies.size() ? run(*node.bodies[value]) : cudaSuccess;
  }
  return cudaErrorInvalidValue;
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
      return run(*node.bodies[0]);
    case cudaGraphNodeTypeEventRecord:
      return cudaEventRecord(node.params.eventRecord.event, nullptr);
    case cudaGraphNodeTypeMemAlloc:
      return node.memory->begin();
    case cudaGraphNodeTypeMemFree:
      return free_graph_memory(node.params.free.dptr) ? cudaSuccess : cudaErrorInvalidValue;
    case cudaGraphNodeTypeConditional:
      return run_conditional(node);
    default:  // empty, waiting for an event: what was recorded before has happened
      return cudaSuccess;
  }
}

}  // namespace

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
    case cudaGraphNodeTypeMemAlloc:
      if (node.memory != nullptr) return cudaErrorInvalidValue;
      error = GraphMemory::make(parameters.alloc.bytesize, node.memory);
      break;
    case cudaGraphNodeTypeMemFree:
      if (!is_graph_memory(parameters.free.dptr)) error = cudaErrorInvalidValue;
      break;
    case cudaGraphNodeTypeConditional:
      error = set_conditional(node, parameters.conditional);
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
  if (node.memory != nullptr) node.params.alloc.dptr = node.memory->pointer();
  if (parameters.type == cudaGraphNodeTypeGraph) node.params.graph.graph = node.body_handles[0];
  if (parameters.type == cudaGraphNodeTypeConditional)
    node.params.conditional.phGraph_out = node.body_handles.data();
  point_to_arguments(node);
  return cudaSuccess;
}

void copy_work(CUgraphNode_st& to, const CUgraphNode_st& from) {
  to.params = from.params;
  to.recorded = from.recorded;
  to.arguments = from.arguments;
  to.attributes = from.attributes;
  to.memory = from.memory;
  point_to_arguments(to);
}

cudaError_t run(const CUgraph_st& graph) {
  const bool before = std::exchange(running_graph, true);
  cudaError_t error = cudaSuccess;
  for (const auto& node : graph.nodes) {
    error = run_node(*node);
    if (error != cudaSuccess) break;
  }
  running_graph = before;
  return error;
}

cudaError_t prepare(const CUgraph_st& graph, bool free_memory) {
  for (const auto& node : graph.nodes) {
    if (node->params.type == cudaGraphNodeTypeConditional) {
      const std::lock_guard lock(conditional_mutex);
      Conditional& known = *conditional(node->params.conditional.handle);
      if (known.assign_default) known.value = known.default_value;
    }
    if (node->memory != nullptr && node->memory->used()) {
      if (!free_memory) return cudaErrorInvalidValue;  // allocated by the launch before, and never freed
      free_graph_memory(node->memory->pointer());
    }
    for (const auto& body : node->bodies)
      if (const cudaError_t error = prepare(*body, free_memory)) return error;
  }
  return cudaSuccess;
}

}  // namespace emulated

using namespace emulated;

cudaError_t cudaGraphConditionalHandleCreate(cudaGraphConditionalHandle* handle, cudaGraph_t graph,
                                             unsigned default_value, unsigned flags) {
  if (handle == nullptr || !exists(graph) || flags > cudaGraphCondAssignDefault)
    return fail(cudaErrorInvalidValue);
  const std::lock_guard lock(conditional_mutex);
  conditionals().push_back({default_value, default_value, flags == cudaGraphCondAssignDefault});
  *handle = conditionals().size();
  return cudaSuccess;
}

void cudaGraphSetConditional(cudaGraphConditionalHandle handle, unsigned value) {
  {
    const std::lock_guard lock(conditional_mutex);
    if (Conditional* const known = conditional(handle)) {
      known->value = value;
      return;
    }
  }
  device_fault(cudaErrorInvalidValue, "cudaGraphSetConditional: there is no such handle");
}
