#pragma once
// fast - adaptive dispatch to few, tiny, front or bins, replayed as a CUDA graph.
//
// When a scene is loaded, it chooses the rung by the number and size of the circles, never by the
// scene's name.
//
//   few     no more circles than lanes of a warp
//   tiny    very many very small ones
//   front   few enough for one round, or so large that a pixel is opaque after one
//   bins    everything else
//
// Gain over bins on an H200: rgb 0.0186 -> 0.0104, rand1M 0.133 -> 0.127, micro2M 1.44 -> 0.180 ms
// The launches of a frame are recorded in a graph and replayed, which saves time even for a single
// kernel. No rung waits for the device within a frame.
//
// Needed: methods.h (the other rungs), 4_front.cuh (front_round), warp_tile.cuh
// (circles_until_opaque()).

#include <functional>

#include "../../common/book.h"
#include "4_front.cuh"
#include "methods.h"

namespace circle_renderer {

class Fast {
 public:
  Fast(const Scene& scene, int size) : draw_(choose(scene, size).make(scene, size)) {}
  ~Fast() {
    if (recorded_ != nullptr) cudaGraphExecDestroy(recorded_);
  }
  Fast(const Fast&) = delete;
  Fast& operator=(const Fast&) = delete;

  void run(const Circles& circles, const Canvas& image, cudaStream_t stream) {
    if (recorded_ == nullptr) record(circles, image);
    HANDLE_ERROR(cudaGraphLaunch(recorded_, stream));
  }

 private:
  static const CircleMethod& choose(const Scene& scene, int size) {
    const bool one_round =
        scene.count() <= front_round || circles_until_opaque(scene) <= front_round;
    const char* const for_the_rest = one_round ? "front" : "bins";
    for (const char* name : {"few", "tiny", for_the_rest})
      if (!methods()[name].refusal(scene, size)) return methods()[name];
    return methods()["bins"];
  }

  void record(const Circles& circles, const Canvas& image) {
    cudaStream_t stream;
    HANDLE_ERROR(cudaStreamCreate(&stream));  // the default stream cannot be recorded
    cudaGraph_t graph;
    HANDLE_ERROR(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
    draw_(circles, image, stream);
    HANDLE_ERROR(cudaStreamEndCapture(stream, &graph));
    HANDLE_ERROR(cudaGraphInstantiate(&recorded_, graph, 0));
    HANDLE_ERROR(cudaGraphDestroy(graph));
    HANDLE_ERROR(cudaStreamDestroy(stream));
  }

  std::function<Draw> draw_;
  cudaGraphExec_t recorded_ = nullptr;
};

}  // namespace circle_renderer
