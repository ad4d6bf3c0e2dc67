// Graphs, and the executable graphs made from them, which can be launched and updated.
#include <algorithm>
#include <cstdint>
#include <map>
#include <utility>

#include "device/device.h"
#include "emulated/runtime.h"
#include "graph.h"
#include "launch/settings.h"
#include "streams/handles.h"

CUgraphNode_st::CUgraphNode_st() { emulated::add(this); }
CUgraphNode_st::~CUgraphNode_st() { emulated::forget(this); }
CUgraph_st::CUgraph_st() { emulated::add(this); }
CUgraph_st::~CUgraph_st() { emulated::forget(this); }

namespace emulated {

namespace {

// The nodes in an order in which each comes after those that it waits for; fewer than there are if
// they wait in a circle. Nodes that do not depend on each other come as EMULATED_ORDER says.
Nodes ordered(const CUgraph_st& graph) {
  Nodes waiting;
  Nodes result;
  for (const auto& node : graph.nodes) waiting.push_back(node.get());
  while (!waiting.empty()) {
    Nodes ready;
    for (const cudaGraphNode_t node : waiting)
      if (std::none_of(node->dependencies.begin(), node->dependencies.end(),
                       [&](cudaGraphNode_t before) {
                         return std::find(waiting.begin(), waiting.end(), before) != waiting.end();
                       }))
        ready.push_back(node);
    if (ready.empty()) break;
    const std::uint64_t chosen =
        permute(settings().order, 0, ready.size(), settings().seed + result.size());
    result.push_back(ready[chosen]);
    std::erase(waiting, ready[chosen]);
  }
  return result;
}

// Which nodes of the graph this one waits for, by the order of their creation.
std::vector<std::size_t> places_waited_for(const CUgraph_st& graph, const CUgraphNode_st& node) {
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < graph.nodes.size(); ++i)
    if (waits_for(&node, graph.nodes[i].get())) places.push_back(i);
  return places;
}

// Can `now` do instead of `before`? `node`: where not.
cudaGraphExecUpdateResult compare(const CUgraph_st& before, const CUgraph_st& now,
                                  cudaGraphNode_t& node) {
  if (before.nodes.size() != now.nodes.size()) return cudaGraphExecUpdateErrorTopologyChanged;
  for (std::size_t i = 0; i < now.nodes.size(); ++i) {
    node = now.nodes[i].get();
    if (before.nodes[i]->type != node->type) return cudaGraphExecUpdateErrorNodeTypeChanged;
    if (places_waited_for(before, *before.nodes[i]) != places_waited_for(now, *node))
      return cudaGraphExecUpdateErrorTopologyChanged;
  }
  node = nullptr;
  return cudaGraphExecUpdateSuccess;
}

cudaError_t run(const Nodes& nodes) {
  const bool before = std::exchange(running_recorded_work, true);
  cudaError_t error = cudaSuccess;
  for (const cudaGraphNode_t node : nodes) {
    const OtherDevice own(node->device);
    if (node->work) error = node->work();
    if (error != cudaSuccess) break;
  }
  running_recorded_work = before;
  return error;
}

}  // namespace

bool waits_for(const CUgraphNode_st* node, const CUgraphNode_st* other) {
  return std::find(node->dependencies.begin(), node->dependencies.end(), other) !=
         node->dependencies.end();
}

cudaGraphNode_t add_node(CUgraph_st& graph, const Nodes& dependencies, cudaGraphNodeType type,
                         Work work) {
  CUgraphNode_st& node = *graph.nodes.emplace_back(std::make_unique<CUgraphNode_st>());
  node.graph = &graph;
  node.device = current_device();
  node.type = type;
  node.work = std::move(work);
  node.dependencies = dependencies;
  return &node;
}

std::unique_ptr<CUgraph_st> copy(const CUgraph_st& graph) {
  auto result = std::make_unique<CUgraph_st>();
  std::map<cudaGraphNode_t, cudaGraphNode_t> copies;
  for (const auto& node : graph.nodes) {
    copies[node.get()] = add_node(*result, {}, node->type, node->work);
    copies[node.get()]->original = node.get();
    copies[node.get()]->device = node->device;
  }
  for (const auto& node : graph.nodes)
    for (const cudaGraphNode_t before : node->dependencies)
      copies[node.get()]->dependencies.push_back(copies[before]);
  return result;
}

}  // namespace emulated

using namespace emulated;

// ---- graphs ----
cudaError_t cudaGraphCreate(cudaGraph_t* graph, unsigned flags) {
  if (graph == nullptr || flags != 0) return fail(cudaErrorInvalidValue);
  *graph = new CUgraph_st;
  return cudaSuccess;
}

cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
  if (!exists(graph)) return fail(cudaErrorInvalidResourceHandle);
  delete graph;
  return cudaSuccess;
}

cudaError_t cudaGraphClone(cudaGraph_t* clone, cudaGraph_t graph) {
  if (clone == nullptr || !exists(graph)) return fail(cudaErrorInvalidValue);
  *clone = copy(*graph).release();
  return cudaSuccess;
}

cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t* nodes, std::size_t* count) {
  if (!exists(graph) || count == nullptr) return fail(cudaErrorInvalidValue);
  const std::size_t all = graph->nodes.size();
  if (nodes != nullptr)
    for (std::size_t i = 0; i < *count; ++i) nodes[i] = i < all ? graph->nodes[i].get() : nullptr;
  *count = nodes != nullptr ? std::min(*count, all) : all;
  return cudaSuccess;
}

// ---- executable graphs ----
cudaError_t cudaGraphInstantiate(cudaGraphExec_t* executable, cudaGraph_t graph,
                                 unsigned long long flags) {
  if (executable == nullptr || !exists(graph)) return fail(cudaErrorInvalidValue);
  if (flags != 0) return not_supported("a flag of cudaGraphInstantiate");
  auto made = copy(*graph);
  Nodes order = ordered(*made);
  if (order.size() != made->nodes.size()) return fail(cudaErrorInvalidValue);
  *executable = new CUgraphExec_st{std::move(made), std::move(order)};
  add(*executable);
  return cudaSuccess;
}

cudaError_t cudaGraphInstantiate(cudaGraphExec_t* executable, cudaGraph_t graph,
                                 cudaGraphNode_t* error_node, char* log, std::size_t log_size) {
  if (error_node != nullptr) *error_node = nullptr;
  if (log != nullptr && log_size > 0) *log = '\0';
  return cudaGraphInstantiate(executable, graph, 0);
}

cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t* executable, cudaGraph_t graph,
                                          unsigned long long flags) {
  return cudaGraphInstantiate(executable, graph, flags);
}

cudaError_t cudaGraphExecUpdate(cudaGraphExec_t executable, cudaGraph_t graph,
                                cudaGraphExecUpdateResultInfo* info) {
  if (!exists(executable) || !exists(graph) || info == nullptr) return fail(cudaErrorInvalidValue);
  *info = {};
  info->result = compare(*executable->graph, *graph, info->errorNode);
  if (info->result != cudaGraphExecUpdateSuccess) return fail(cudaErrorGraphExecUpdateFailure);
  for (std::size_t i = 0; i < graph->nodes.size(); ++i) {
    executable->graph->nodes[i]->work = graph->nodes[i]->work;
    executable->graph->nodes[i]->device = graph->nodes[i]->device;
  }
  return cudaSuccess;
}
cudaError_t cudaGraphExecUpdate(cudaGraphExec_t executable, cudaGraph_t graph,
                                cudaGraphNode_t* error_node, cudaGraphExecUpdateResult* result) {
  cudaGraphExecUpdateResultInfo info = {};
  const cudaError_t error = cudaGraphExecUpdate(executable, graph, &info);
  if (error_node != nullptr) *error_node = info.errorNode;
  if (result != nullptr) *result = info.result;
  return error;
}

cudaError_t cudaGraphLaunch(cudaGraphExec_t executable, cudaStream_t stream) {
  if (!exists(executable)) return fail(cudaErrorInvalidValue);
  if (const cudaError_t error = refuse_in_capture(stream)) return error;
  return submit(stream, [executable] { return run(executable->order); });
}

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t executable) { return destroy(executable); }
