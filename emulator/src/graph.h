// What graphs, their nodes and executable graphs are.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <vector>

#include "../include/cuda_runtime_api.h"

namespace emulated {

using Work = std::function<cudaError_t()>;

// Memory that belongs to an allocating node, at the same address for each launch. Freed with the last graph that
// has the node, or by the program's cudaFree afterwards if it is in use then.
class GraphMemory;

using Nodes = std::vector<cudaGraphNode_t>;

}  // namespace emulated

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
  std::vector<std::unique_ptr<CUgraph_st>> bodies = {};  // of a graph in a graph, of a conditional node
  std::vector<cudaGraph_t> body_handles = {};
  std::shared_ptr<emulated::GraphMemory> memory = {};
  std::map<cudaLaunchAttributeID, cudaLaunchAttributeValue> attributes = {};
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
  std::map<cudaUserObject_t, unsigned> objects = {};        // references that the graph holds
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
// A copy with nodes that know their originals.
std::unique_ptr<CUgraph_st> copy(const CUgraph_st& graph);
// Adds a node that waits for others of the graph.
cudaGraphNode_t add_node(CUgraph_st& graph, const Nodes& dependencies);
// The nodes in an order in which each comes after those that it waits for; fewer than there are if they wait in a
// circle. Nodes that do not depend on each other come as EMULATED_ORDER says.
Nodes ordered(const CUgraph_st& graph);
// Runs an executable graph, whose nodes are in order.
cudaError_t run(const CUgraph_st& graph);
// Before a launch: conditional handles get their default values; with AutoFreeOnLaunch memory is free again.
cudaError_t prepare(const CUgraph_st& graph, bool free_memory);

// If the pointer is memory of a graph: marks it as not used and returns true (the program frees it outside of the
// graph).
bool free_graph_memory(const void* pointer);

// True while a graph runs on this host thread: its work asks no stream.
extern thread_local constinit bool running_graph;

void release_objects(const std::map<cudaUserObject_t, unsigned>& objects);
void retain_objects(const std::map<cudaUserObject_t, unsigned>& objects);

// Adds a node to what a capturing stream records.
cudaError_t record(cudaStream_t stream, const cudaGraphNodeParams& parameters, Work work,
                   cudaGraphNode_t* node = nullptr);

}  // namespace emulated
