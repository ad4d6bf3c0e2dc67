// Rung 3, graph: the launches of a frame recorded once as a CUDA graph.
//
// Gains over rung 2: the host hands over a frame in one call, and the device goes from one kernel to the
// next in about half the time of a launch. The kernels are those of rung 2. A graph holds its kernels'
// arguments, so there is one for each of the two grids in which a frame may begin (with an odd number of
// steps they take turns).
#pragma once

#include <map>

#include "2_fused.cuh"

class GraphRung : public Rung {
 public:
  explicit GraphRung(const Plate&) {
    HANDLE_ERROR(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
  }
  ~GraphRung() override {
    // Not checked: nothing depends on it, and the errors of earlier work belong to whoever started that.
    for (auto& [frame, graph] : graphs_) cudaGraphExecDestroy(graph);
    cudaStreamDestroy(stream_);
  }
  GraphRung(const GraphRung&) = delete;
  GraphRung& operator=(const GraphRung&) = delete;

  void advance(Plate& plate, int steps) override {
    cudaGraphExec_t& graph = graphs_[{plate.in.get(), steps}];
    if (graph == nullptr) graph = record(plate, steps);
    HANDLE_ERROR(cudaGraphLaunch(graph, nullptr));
    if (steps % 2 != 0) std::swap(plate.in, plate.out);
  }

  int passes(int steps) const override { return steps; }

 private:
  // Only a stream of its own can be recorded; the graph then runs on the default stream.
  cudaGraphExec_t record(const Plate& plate, int steps) {
    cudaGraph_t recorded;
    cudaGraphExec_t graph;
    HANDLE_ERROR(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeThreadLocal));
    fused_steps(plate, steps, stream_);
    HANDLE_ERROR(cudaStreamEndCapture(stream_, &recorded));
    HANDLE_ERROR(cudaGraphInstantiate(&graph, recorded, 0));
    HANDLE_ERROR(cudaGraphDestroy(recorded));
    return graph;
  }

  cudaStream_t stream_ = nullptr;
  std::map<std::pair<const float*, int>, cudaGraphExec_t> graphs_;
};

inline const HeatMethod graph_method = {"graph", "the same, a frame recorded as a CUDA graph", any_size,
                                        make_rung<GraphRung>};
