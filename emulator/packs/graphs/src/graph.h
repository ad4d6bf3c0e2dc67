// What graphs, their nodes and executable graphs are.
#pragma once

#include <memory>
#include <vector>

#include "cuda_runtime_api.h"
#include "streams/stream.h"

struct CUgraphNode_st {
  CUgraphNode_st();
  ~CUgraphNode_st();
  CUgraphNode_st(const CUgraphNode_st&) = delete;
  CUgraphNode_st& operator=(const CUgraphNode_st&) = delete;

  cudaGraph_t graph = nullptr;
  int device = 0;  // on which its work runs
  cudaGraphNodeType type = cudaGraphNodeTypeEmpty;
  emulated::Work work = {};  // none for a node that does nothing
  emulated::Nodes dependencies = {};
  cudaGraphNode_t original = nullptr;  // the node that this one was copied from
};

struct CUgraph_st {
  CUgraph_st();
  ~CUgraph_st();
  CUgraph_st(const CUgraph_st&) = delete;
  CUgraph_st& operator=(const CUgraph_st&) = delete;

  std::vector<std::unique_ptr<CUgraphNode_st>> nodes = {};  // in the order of their creation
};

struct CUgraphExec_st {
  std::unique_ptr<CUgraph_st> graph;
  emulated::Nodes order;  // in which the nodes run
};

namespace emulated {

// Adds a node that waits for others of the graph.
cudaGraphNode_t add_node(CUgraph_st& graph, const Nodes& dependencies, cudaGraphNodeType type,
                         Work work);
bool waits_for(const CUgraphNode_st* node, const CUgraphNode_st* other);
// A copy with nodes that know their originals.
std::unique_ptr<CUgraph_st> copy(const CUgraph_st& graph);

}  // namespace emulated
