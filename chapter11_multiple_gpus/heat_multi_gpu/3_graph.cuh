// Rung 3, graph: the steps of rung 2, recorded as CUDA graphs.
//
// Gains over rung 2: the host hands over a hundred steps in one call. A step of rung 2 is three kernels, an exchange
// and four calls for events, about a dozen calls in all; on a small plate, or on many GPUs, the host may take longer
// for them than the GPU for its work. The exchange is recorded with the rest, whichever way it goes.
//
// A graph holds its kernels' arguments: there is one for each of the two grids in which it may begin, for the first
// and the last steps of a frame, and for the numbers of steps.
#pragma once

#include <map>
#include <tuple>

#include "2_overlap.cuh"

constexpr int steps_per_graph = 100;

class GraphOfStepsRung : public SplitRung {
 public:
  explicit GraphOfStepsRung(const Job& job) : job_(job), overlap_(job) {}
  ~GraphOfStepsRung() override {
    for (auto& [key, graph] : graphs_) cudaGraphExecDestroy(graph);
  }

  void advance(int steps) override {
    for (int done = 0; done < steps; done += steps_per_graph) {
      const Key key = {job_.part.now, std::min(steps_per_graph, steps - done), done == 0,
                       done + steps_per_graph >= steps};
      cudaGraphExec_t& graph = graphs_[key];
      if (graph == nullptr)
        graph = record(key);
      else
        job_.part.now = (job_.part.now + key.steps) % 2;
      job_.part.valid = 1;
      HANDLE_ERROR(cudaGraphLaunch(graph, overlap_.origin()));
    }
  }

 private:
  struct Key {
    int grid, steps;
    bool first, last;
    auto operator<=>(const Key&) const = default;
  };

  cudaGraphExec_t record(const Key& key) {
    cudaGraph_t recorded;
    cudaGraphExec_t graph;
    // No rank may allocate or free while another one of this process records.
    HANDLE_ERROR(cudaStreamBeginCapture(overlap_.origin(), cudaStreamCaptureModeThreadLocal));
    overlap_.begin();
    for (int step = 0; step < key.steps; ++step)
      overlap_.pass_and_exchange({1, key.first && step == 0, key.last && step == key.steps - 1}, 1);
    overlap_.end();
    HANDLE_ERROR(cudaStreamEndCapture(overlap_.origin(), &recorded));
    HANDLE_ERROR(cudaGraphInstantiate(&graph, recorded, 0));
    HANDLE_ERROR(cudaGraphDestroy(recorded));
    return graph;
  }

  Job job_;
  Overlap overlap_;
  std::map<Key, cudaGraphExec_t> graphs_;
};

inline const SplitMethod graph_of_steps_method = {
    "graph", "the same, a hundred steps recorded as a CUDA graph", false, make_split_rung<GraphOfStepsRung>};
