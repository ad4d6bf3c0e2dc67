// Rung 3, graph: the steps of rung 2, recorded as CUDA graphs.
//
// Gains over rung 2: the host hands over a hundred steps in one call. A step of rung 2 is three kernels, an exchange
// and four calls for events, about a dozen calls in all; on a small plate, or on many GPUs, the host may take longer
// for them than the GPU for its work. The exchange is recorded with the rest, whichever way it goes.
//
// A graph holds its kernels' arguments: there is one for each of the two grids in which it may begin, for the first
// and the last steps of a frame, and for the numbers of steps.
#pragma once

#include <algorithm>
#include <map>

#include "rung.h"

constexpr int steps_per_graph = 100;

class GraphRung {
 public:
  explicit GraphRung(const Job& job) : job_(job) {}
  ~GraphRung() {
    for (auto& [key, graph] : graphs_) cudaGraphExecDestroy(graph);
  }
  GraphRung(const GraphRung&) = delete;
  GraphRung& operator=(const GraphRung&) = delete;

  void run(int steps) {
    Part& part = job_.part;
    for (int done = 0; done < steps; done += steps_per_graph) {
      const Key key = {part.now, std::min(steps_per_graph, steps - done), done == 0,
                       done + steps_per_graph >= steps};
      cudaGraphExec_t& graph = graphs_[key];
      if (graph == nullptr) graph = record(key);
      HANDLE_ERROR(cudaGraphLaunch(graph, inner_));
      part.now = (key.grid + key.steps) % 2;
    }
    part.valid = 1;
  }

 private:
  struct Key {
    int grid, steps;
    bool first, last;
    auto operator<=>(const Key&) const = default;
  };

  // What rung 2 does. The recording begins and ends in the inner stream: the other one branches off there, and has to
  // join it again.
  cudaGraphExec_t record(const Key& key) {
    Part& part = job_.part;
    int from = part.begin + (part.has(0) ? 1 : 0), to = part.end - (part.has(1) ? 1 : 0);
    if (from >= to) from = to = part.end;
    // No rank may allocate or free while another one of this process records.
    HANDLE_ERROR(cudaStreamBeginCapture(inner_, cudaStreamCaptureModeThreadLocal));
    HANDLE_ERROR(cudaEventRecord(inner_done_, inner_));
    for (int step = 0; step < key.steps; ++step) {
      const Pass pass = {1, key.first && step == 0, key.last && step == key.steps - 1};
      HANDLE_ERROR(cudaStreamWaitEvent(border_, inner_done_));
      if (step > 0) HANDLE_ERROR(cudaStreamWaitEvent(inner_, borders_done_));
      part.march(pass, part.begin, from, border_);
      part.march(pass, to, part.end, border_);
      HANDLE_ERROR(cudaEventRecord(borders_done_, border_));
      job_.exchange.append(part, 1 - part.now, 1, border_);
      part.march(pass, from, to, inner_, 2);
      HANDLE_ERROR(cudaEventRecord(inner_done_, inner_));
      part.now = 1 - part.now;
    }
    HANDLE_ERROR(cudaEventRecord(exchanged_, border_));
    HANDLE_ERROR(cudaStreamWaitEvent(inner_, exchanged_));

    cudaGraph_t recorded;
    cudaGraphExec_t graph;
    HANDLE_ERROR(cudaStreamEndCapture(inner_, &recorded));
    HANDLE_ERROR(cudaGraphInstantiate(&graph, recorded, 0));
    HANDLE_ERROR(cudaGraphDestroy(recorded));
    return graph;
  }

  Job job_;
  Stream inner_, border_{Stream::high};
  Event borders_done_, inner_done_, exchanged_;
  std::map<Key, cudaGraphExec_t> graphs_;
};
