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
  cudaGraphNodeParams params = {};
  emulated::Work recorded = {};  // by a stream; stands for the parameters
  std::vector<std::vector<char>> arguments = {};
  std::vector<void*> argument_pointers = {};
  std::unique_ptr<CUgraph_st> body = {};  // of a graph in a graph
  emulated::Nodes dependencies = {};
  cudaGraphNode_t original = nullptr;  // the node that this one was copied from
  std::size_t position = 0;            // grows in the order of creation
  bool enabled = true;
};

struct CUgraph_st {
  CUgraph_st();
  ~CUgraph_st();
  CUgraph_st(const CUgraph_st&) = delete;
  CUgraph_st& operator=(const CUgraph_st&) = delete;

  std::vector<std::unique_ptr<CUgraphNode_st>> nodes = {};  // in the order of their creation
  bool owned = false;                                       // by a node or an executable graph
};

struct CUgraphExec_st {
  std::unique_ptr<CUgraph_st> graph;
  unsigned long long flags = 0;
};

namespace emulated {

// Checks the parameters and makes them the node's.
cudaError_t set_params(CUgraphNode_st& node, const cudaGraphNodeParams& parameters);
// Takes over what another node of the same kind does.
void copy_work(CUgraphNode_st& to, const CUgraphNode_st& from);
// Gives the node a copy of the graph to run.
void set_body(CUgraphNode_st& node, const CUgraph_st& graph);
// A copy with nodes that know their originals.
std::unique_ptr<CUgraph_st> copy(const CUgraph_st& graph);
// Adds a node that waits for others of the graph.
cudaGraphNode_t add_node(CUgraph_st& graph, const Nodes& dependencies);
// The nodes in an order in which each comes after those that it waits for; fewer than there are if they wait in a
// circle. Nodes that do not depend on each other come as EMULATED_ORDER says.
Nodes ordered(const CUgraph_st& graph);
// Runs an executable graph, whose nodes are in order.
cudaError_t run(const CUgraph_st& graph);

}  // namespace emulated
