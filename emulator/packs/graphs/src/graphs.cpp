// Graphs: nodes and edges, copies.
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <map>
#include <utility>

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

using Edges = std::vector<std::pair<cudaGraphNode_t, cudaGraphNode_t>>;

bool waits_for(cudaGraphNode_t node, cudaGraphNode_t other) {
  return std::find(node->dependencies.begin(), node->dependencies.end(), other) != node->dependencies.end();
}

// Writes the list as CUDA does: its length for a null pointer; null pointers behind it.
void tell(const Nodes& list, cudaGraphNode_t* nodes, std::size_t* count) {
  if (nodes != nullptr) {
    for (std::size_t i = 0; i < *count; ++i) nodes[i] = i < list.size() ? list[i] : nullptr;
    *count = std::min(*count, list.size());
  } else {
    *count = list.size();
  }
}

bool belong(const CUgraph_st& graph, const cudaGraphNode_t* nodes, std::size_t count) {
  if (count > 0 && nodes == nullptr) return false;
  return std::all_of(nodes, nodes + count,
                     [&](cudaGraphNode_t node) { return exists(node) && node->graph == &graph; });
}

Nodes dependents(const CUgraph_st& graph, cudaGraphNode_t node) {
  Nodes result;
  for (const auto& other : graph.nodes)
    if (waits_for(other.get(), node)) result.push_back(other.get());
  return result;
}

const char* kind(const CUgraphNode_st& node) {
  constexpr std::array names = {"kernel", "memcpy", "memset",         "host",
                                "graph",  "empty",  "wait for event", "event"};
  return names[static_cast<std::size_t>(node.params.type)];
}

void draw(std::FILE* out, const CUgraph_st& graph) {
  for (const auto& node : graph.nodes) {
    std::fprintf(out, "  \"%p\" [shape=box label=\"%s\"];\n", static_cast<void*>(node.get()), kind(*node));
    for (const cudaGraphNode_t before : node->dependencies)
      std::fprintf(out, "  \"%p\" -> \"%p\";\n", static_cast<void*>(before), static_cast<void*>(node.get()));
    if (const auto& body = node->body) {
      std::fprintf(out, "  subgraph \"cluster_%p\" {\n", static_cast<void*>(body.get()));
      draw(out, *body);
      std::fprintf(out, "  }\n");
    }
  }
}

}  // namespace

cudaGraphNode_t add_node(CUgraph_st& graph, const Nodes& dependencies) {
  const std::size_t position = graph.nodes.empty() ? 0 : graph.nodes.back()->position + 1;
  graph.nodes.push_back(std::make_unique<CUgraphNode_st>());
  graph.nodes.back()->graph = &graph;
  graph.nodes.back()->position = position;
  graph.nodes.back()->dependencies = dependencies;
  return graph.nodes.back().get();
}

std::unique_ptr<CUgraph_st> copy(const CUgraph_st& graph) {
  auto result = std::make_unique<CUgraph_st>();
  std::map<cudaGraphNode_t, cudaGraphNode_t> copies;
  for (const auto& node : graph.nodes) {
    const cudaGraphNode_t fresh = copies[node.get()] = add_node(*result, {});
    fresh->original = node.get();
    fresh->enabled = node->enabled;
    copy_work(*fresh, *node);
    if (node->body != nullptr) set_body(*fresh, *node->body);
  }
  for (const auto& node : graph.nodes)
    for (const cudaGraphNode_t before : node->dependencies)
      copies[node.get()]->dependencies.push_back(copies[before]);
  return result;
}

Nodes ordered(const CUgraph_st& graph) {
  Nodes waiting, result;
  for (const auto& node : graph.nodes) waiting.push_back(node.get());
  while (!waiting.empty()) {
    Nodes ready;
    for (const cudaGraphNode_t node : waiting)
      if (std::none_of(node->dependencies.begin(), node->dependencies.end(), [&](cudaGraphNode_t before) {
            return std::find(waiting.begin(), waiting.end(), before) != waiting.end();
          }))
        ready.push_back(node);
    if (ready.empty()) break;
    const std::uint64_t chosen = permute(settings().order, 0, ready.size(), settings().seed + result.size());
    result.push_back(ready[chosen]);
    std::erase(waiting, ready[chosen]);
  }
  return result;
}

cudaError_t graph_node_params(cudaGraphNode_t node, cudaGraphNodeType type, cudaGraphNodeParams& parameters) {
  if (!exists(node) || node->params.type != type) return fail(cudaErrorInvalidValue);
  parameters = node->params;
  return cudaSuccess;
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
  if (graph->owned) return fail(cudaErrorInvalidValue);  // the body of a node
  delete graph;
  return cudaSuccess;
}

cudaError_t cudaGraphClone(cudaGraph_t* clone, cudaGraph_t graph) {
  if (clone == nullptr || !exists(graph)) return fail(cudaErrorInvalidValue);
  *clone = copy(*graph).release();
  return cudaSuccess;
}

cudaError_t cudaGraphNodeFindInClone(cudaGraphNode_t* node, cudaGraphNode_t original, cudaGraph_t clone) {
  if (node == nullptr || !exists(clone)) return fail(cudaErrorInvalidValue);
  for (const auto& candidate : clone->nodes)
    if (candidate->original == original) {
      *node = candidate.get();
      return cudaSuccess;
    }
  return fail(cudaErrorInvalidValue);
}

cudaError_t cudaGraphDebugDotPrint(cudaGraph_t graph, const char* path, unsigned) {
  if (!exists(graph) || path == nullptr) return fail(cudaErrorInvalidValue);
  std::FILE* const out = std::fopen(path, "w");
  if (out == nullptr) return fail(cudaErrorOperatingSystem);
  std::fprintf(out, "digraph graph_1 {\n");
  draw(out, *graph);
  std::fprintf(out, "}\n");
  return std::fclose(out) == 0 ? cudaSuccess : fail(cudaErrorOperatingSystem);
}

// ---- nodes and edges ----
cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t* nodes, std::size_t* count) {
  if (!exists(graph) || count == nullptr) return fail(cudaErrorInvalidValue);
  Nodes all;
  for (const auto& node : graph->nodes) all.push_back(node.get());
  tell(all, nodes, count);
  return cudaSuccess;
}

cudaError_t cudaGraphGetRootNodes(cudaGraph_t graph, cudaGraphNode_t* nodes, std::size_t* count) {
  if (!exists(graph) || count == nullptr) return fail(cudaErrorInvalidValue);
  Nodes roots;
  for (const auto& node : graph->nodes)
    if (node->dependencies.empty()) roots.push_back(node.get());
  tell(roots, nodes, count);
  return cudaSuccess;
}

cudaError_t cudaGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t* from, cudaGraphNode_t* to,
                              cudaGraphEdgeData* data, std::size_t* count) {
  if (!exists(graph) || count == nullptr || (from == nullptr) != (to == nullptr))
    return fail(cudaErrorInvalidValue);
  Nodes before, after;
  for (const auto& node : graph->nodes)
    for (const cudaGraphNode_t dependency : node->dependencies) {
      before.push_back(dependency);
      after.push_back(node.get());
    }
  std::size_t asked = *count;
  tell(before, from, &asked);
  tell(after, to, count);
  if (data != nullptr) std::fill_n(data, *count, cudaGraphEdgeData{});
  return cudaSuccess;
}
cudaError_t cudaGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t* from, cudaGraphNode_t* to,
                              std::size_t* count) {
  return cudaGraphGetEdges(graph, from, to, nullptr, count);
}

cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t node, cudaGraphNode_t* nodes,
                                         cudaGraphEdgeData* data, std::size_t* count) {
  if (!exists(node) || count == nullptr) return fail(cudaErrorInvalidValue);
  tell(node->dependencies, nodes, count);
  if (data != nullptr) std::fill_n(data, *count, cudaGraphEdgeData{});
  return cudaSuccess;
}
cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t node, cudaGraphNode_t* nodes, std::size_t* count) {
  return cudaGraphNodeGetDependencies(node, nodes, nullptr, count);
}

cudaError_t cudaGraphNodeGetDependentNodes(cudaGraphNode_t node, cudaGraphNode_t* nodes,
                                           cudaGraphEdgeData* data, std::size_t* count) {
  if (!exists(node) || count == nullptr) return fail(cudaErrorInvalidValue);
  tell(dependents(*node->graph, node), nodes, count);
  if (data != nullptr) std::fill_n(data, *count, cudaGraphEdgeData{});
  return cudaSuccess;
}
cudaError_t cudaGraphNodeGetDependentNodes(cudaGraphNode_t node, cudaGraphNode_t* nodes, std::size_t* count) {
  return cudaGraphNodeGetDependentNodes(node, nodes, nullptr, count);
}

cudaError_t cudaGraphNodeGetType(cudaGraphNode_t node, cudaGraphNodeType* type) {
  if (!exists(node) || type == nullptr) return fail(cudaErrorInvalidValue);
  *type = node->params.type;
  return cudaSuccess;
}

cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t* from,
                                     const cudaGraphNode_t* to, const cudaGraphEdgeData*, std::size_t count) {
  if (!exists(graph) || !belong(*graph, from, count) || !belong(*graph, to, count))
    return fail(cudaErrorInvalidValue);
  for (std::size_t i = 0; i < count; ++i)
    if (from[i] == to[i] || waits_for(to[i], from[i])) return fail(cudaErrorInvalidValue);
  for (std::size_t i = 0; i < count; ++i) to[i]->dependencies.push_back(from[i]);
  return cudaSuccess;
}
cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t* from,
                                     const cudaGraphNode_t* to, std::size_t count) {
  return cudaGraphAddDependencies(graph, from, to, nullptr, count);
}

cudaError_t cudaGraphRemoveDependencies(cudaGraph_t graph, const cudaGraphNode_t* from,
                                        const cudaGraphNode_t* to, const cudaGraphEdgeData*,
                                        std::size_t count) {
  if (!exists(graph) || !belong(*graph, from, count) || !belong(*graph, to, count))
    return fail(cudaErrorInvalidValue);
  for (std::size_t i = 0; i < count; ++i)
    if (!waits_for(to[i], from[i])) return fail(cudaErrorInvalidValue);
  for (std::size_t i = 0; i < count; ++i) std::erase(to[i]->dependencies, from[i]);
  return cudaSuccess;
}
cudaError_t cudaGraphRemoveDependencies(cudaGraph_t graph, const cudaGraphNode_t* from,
                                        const cudaGraphNode_t* to, std::size_t count) {
  return cudaGraphRemoveDependencies(graph, from, to, nullptr, count);
}

cudaError_t cudaGraphDestroyNode(cudaGraphNode_t node) {
  if (!exists(node)) return fail(cudaErrorInvalidValue);
  CUgraph_st& graph = *node->graph;
  for (const cudaGraphNode_t after : dependents(graph, node)) std::erase(after->dependencies, node);
  std::erase_if(graph.nodes, [node](const auto& owned) { return owned.get() == node; });
  return cudaSuccess;
}

cudaError_t cudaGraphAddNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* dependencies,
                             std::size_t count, cudaGraphNodeParams* parameters) {
  if (const cudaError_t error = sticky_error()) return error;
  if (node == nullptr || parameters == nullptr || !exists(graph) || !belong(*graph, dependencies, count))
    return fail(cudaErrorInvalidValue);
  const cudaGraphNode_t fresh = add_node(*graph, Nodes(dependencies, dependencies + count));
  if (const cudaError_t error = set_params(*fresh, *parameters)) {
    cudaGraphDestroyNode(fresh);
    return fail(error);
  }
  *node = fresh;
  *parameters = fresh->params;
  return cudaSuccess;
}
cudaError_t cudaGraphAddNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* dependencies,
                             const cudaGraphEdgeData*, std::size_t count, cudaGraphNodeParams* parameters) {
  return cudaGraphAddNode(node, graph, dependencies, count, parameters);
}

cudaError_t cudaGraphNodeSetParams(cudaGraphNode_t node, cudaGraphNodeParams* parameters) {
  if (!exists(node) || parameters == nullptr || node->params.type != parameters->type)
    return fail(cudaErrorInvalidValue);
  return fail(set_params(*node, *parameters));
}
