// Executable graphs: copies of graphs that can be launched and updated.
#include <algorithm>
#include <utility>

#include "emulated/runtime.h"
#include "graph.h"
#include "streams/handles.h"

namespace emulated {

namespace {

// Brings the nodes into an order in which they can run, in all graphs within. False: they wait in a circle.
bool put_in_order(CUgraph_st& graph) {
  const Nodes order = ordered(graph);
  if (order.size() != graph.nodes.size()) return false;
  std::vector<std::unique_ptr<CUgraphNode_st>> nodes;
  for (const cudaGraphNode_t next : order)
    for (auto& node : graph.nodes)
      if (node.get() == next) nodes.push_back(std::move(node));
  graph.nodes = std::move(nodes);
  return std::all_of(graph.nodes.begin(), graph.nodes.end(),
                     [](const auto& node) { return node->body == nullptr || put_in_order(*node->body); });
}

// The executable graph's copy of a node; nullptr: there is none.
cudaGraphNode_t find(const CUgraph_st& graph, cudaGraphNode_t original) {
  for (const auto& node : graph.nodes) {
    if (node->original == original) return node.get();
    if (node->body != nullptr)
      if (const cudaGraphNode_t found = find(*node->body, original)) return found;
  }
  return nullptr;
}

std::size_t place(const Nodes& nodes, cudaGraphNode_t node) {
  return static_cast<std::size_t>(std::find(nodes.begin(), nodes.end(), node) - nodes.begin());
}

// Can `now` do instead of `before`? `node`: where not. `pairs`: which nodes of them correspond.
cudaGraphExecUpdateResult compare(const CUgraph_st& before, const CUgraph_st& now,
                                  std::vector<std::pair<cudaGraphNode_t, cudaGraphNode_t>>& pairs,
                                  cudaGraphNode_t& node) {
  if (before.nodes.size() != now.nodes.size()) return cudaGraphExecUpdateErrorTopologyChanged;
  Nodes made, present;  // nodes correspond by the order of their creation
  for (const auto& old : before.nodes) made.push_back(old.get());
  for (const auto& fresh : now.nodes) present.push_back(fresh.get());
  std::sort(made.begin(), made.end(),
            [](cudaGraphNode_t a, cudaGraphNode_t b) { return a->position < b->position; });
  for (std::size_t i = 0; i < made.size(); ++i) {
    node = present[i];
    if (made[i]->params.type != node->params.type) return cudaGraphExecUpdateErrorNodeTypeChanged;
    std::vector<std::size_t> a, b;
    for (const cudaGraphNode_t other : made[i]->dependencies) a.push_back(place(made, other));
    for (const cudaGraphNode_t other : node->dependencies) b.push_back(place(present, other));
    std::sort(a.begin(), a.end());
    std::sort(b.begin(), b.end());
    if (a != b) return cudaGraphExecUpdateErrorTopologyChanged;
    if (node->body != nullptr)
      if (const auto result = compare(*made[i]->body, *node->body, pairs, node)) return result;
    pairs.emplace_back(made[i], node);
  }
  node = nullptr;
  return cudaGraphExecUpdateSuccess;
}

}  // namespace

}  // namespace emulated

using namespace emulated;

cudaError_t cudaGraphInstantiate(cudaGraphExec_t* executable, cudaGraph_t graph, unsigned long long flags) {
  if (executable == nullptr || !exists(graph)) return fail(cudaErrorInvalidValue);
  if ((flags & cudaGraphInstantiateFlagDeviceLaunch) != 0)
    return not_supported("cudaGraphInstantiate for launches from kernels");
  auto made = copy(*graph);
  made->owned = true;
  if (!put_in_order(*made)) return fail(cudaErrorInvalidValue);
  *executable = new CUgraphExec_st{std::move(made), flags};
  add(*executable);
  return cudaSuccess;
}

cudaError_t cudaGraphInstantiate(cudaGraphExec_t* executable, cudaGraph_t graph, cudaGraphNode_t* error_node,
                                 char* log, std::size_t log_size) {
  if (error_node != nullptr) *error_node = nullptr;
  if (log != nullptr && log_size > 0) *log = '\0';
  return cudaGraphInstantiate(executable, graph, 0);
}

cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t* executable, cudaGraph_t graph,
                                          unsigned long long flags) {
  return cudaGraphInstantiate(executable, graph, flags);
}

cudaError_t cudaGraphInstantiateWithParams(cudaGraphExec_t* executable, cudaGraph_t graph,
                                           cudaGraphInstantiateParams* parameters) {
  if (parameters == nullptr) return fail(cudaErrorInvalidValue);
  const cudaError_t error = cudaGraphInstantiate(executable, graph, parameters->flags);
  parameters->errNode_out = nullptr;
  parameters->result_out = error == cudaSuccess             ? cudaGraphInstantiateSuccess
                           : error == cudaErrorNotSupported ? cudaGraphInstantiateNodeOperationNotSupported
                                                            : cudaGraphInstantiateInvalidStructure;
  return error;
}

cudaError_t cudaGraphExecGetFlags(cudaGraphExec_t executable, unsigned long long* flags) {
  if (!exists(executable) || flags == nullptr) return fail(cudaErrorInvalidValue);
  *flags = executable->flags;
  return cudaSuccess;
}

cudaError_t cudaGraphExecNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t node,
                                       cudaGraphNodeParams* parameters) {
  if (!exists(executable) || parameters == nullptr) return fail(cudaErrorInvalidValue);
  const cudaGraphNode_t own = find(*executable->graph, node);
  if (own == nullptr || own->params.type != parameters->type) return fail(cudaErrorInvalidValue);
  if (const cudaError_t error = set_params(*own, *parameters)) return fail(error);
  if (own->body != nullptr) put_in_order(*own->body);
  return cudaSuccess;
}

cudaError_t cudaGraphExecUpdate(cudaGraphExec_t executable, cudaGraph_t graph,
                                cudaGraphExecUpdateResultInfo* info) {
  if (!exists(executable) || !exists(graph) || info == nullptr) return fail(cudaErrorInvalidValue);
  *info = {};
  std::vector<std::pair<cudaGraphNode_t, cudaGraphNode_t>> pairs;
  info->result = compare(*executable->graph, *graph, pairs, info->errorNode);
  if (info->result != cudaGraphExecUpdateSuccess) return fail(cudaErrorGraphExecUpdateFailure);
  for (const auto& [own, fresh] : pairs) copy_work(*own, *fresh);
  return cudaSuccess;
}
cudaError_t cudaGraphExecUpdate(cudaGraphExec_t executable, cudaGraph_t graph, cudaGraphNode_t* error_node,
                                cudaGraphExecUpdateResult* result) {
  cudaGraphExecUpdateResultInfo info = {};
  const cudaError_t error = cudaGraphExecUpdate(executable, graph, &info);
  if (error_node != nullptr) *error_node = info.errorNode;
  if (result != nullptr) *result = info.result;
  return error;
}

cudaError_t cudaGraphNodeSetEnabled(cudaGraphExec_t executable, cudaGraphNode_t node, unsigned enabled) {
  if (!exists(executable)) return fail(cudaErrorInvalidValue);
  const cudaGraphNode_t own = find(*executable->graph, node);
  if (own == nullptr || own->params.type > cudaGraphNodeTypeMemset) return fail(cudaErrorInvalidValue);
  own->enabled = enabled != 0;
  return cudaSuccess;
}

cudaError_t cudaGraphNodeGetEnabled(cudaGraphExec_t executable, cudaGraphNode_t node, unsigned* enabled) {
  if (!exists(executable) || enabled == nullptr) return fail(cudaErrorInvalidValue);
  const cudaGraphNode_t own = find(*executable->graph, node);
  if (own == nullptr) return fail(cudaErrorInvalidValue);
  *enabled = own->enabled ? 1 : 0;
  return cudaSuccess;
}

cudaError_t cudaGraphLaunch(cudaGraphExec_t executable, cudaStream_t stream) {
  if (!exists(executable)) return fail(cudaErrorInvalidValue);
  if (const cudaError_t error = refuse_in_capture(stream)) return error;
  return submit(stream, [executable] { return run(*executable->graph); });
}

cudaError_t cudaGraphUpload(cudaGraphExec_t executable, cudaStream_t) {
  return exists(executable) ? cudaSuccess : fail(cudaErrorInvalidValue);
}

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t executable) { return destroy(executable); }
