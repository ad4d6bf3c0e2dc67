#pragma once
// Method "fast": looks at the scene once, when it is loaded (at its numbers, never at its name), and picks
// the rung that suits it.
//
//   few     at most 32 circles
//   front   few enough for one round, or so large that a pixel is opaque after one or two
//   tiny    very many very small ones
//   bins    everything else; in two passes when the newest circles are likely to be enough
//
// The launches of a frame are recorded in a CUDA graph and replayed, which saves 2 us on an H200 even for a
// single kernel. No rung waits for the device within a frame.

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <utility>

#include "5_front.cuh"
#include "6_few.cuh"
#include "7_bins.cuh"
#include "8_tiny.cuh"

/// A renderer whose launches are recorded once and then replayed.
template <class Base>
class Recorded : public Base {
 public:
  template <class... Arguments>
  explicit Recorded(Arguments&&... arguments) : Base(std::forward<Arguments>(arguments)...) {
    cudaStream_t stream;
    HANDLE_ERROR(cudaStreamCreate(&stream));  // the default stream cannot be recorded
    cudaGraph_t graph;
    HANDLE_ERROR(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
    this->enqueue(stream);
    HANDLE_ERROR(cudaStreamEndCapture(stream, &graph));
    HANDLE_ERROR(cudaGraphInstantiate(&recorded_, graph, 0));
    HANDLE_ERROR(cudaGraphDestroy(graph));
    HANDLE_ERROR(cudaStreamDestroy(stream));
  }
  ~Recorded() override { cudaGraphExecDestroy(recorded_); }
  Recorded(const Recorded&) = delete;
  Recorded& operator=(const Recorded&) = delete;

  void render() override { HANDLE_ERROR(cudaGraphLaunch(recorded_, nullptr)); }

 private:
  cudaGraphExec_t recorded_ = nullptr;
};

/// How many circles, newest first, a pixel in the middle of the image goes through on average until it is
/// opaque; the circles' size and alpha are averages over the scene. Infinite when nothing would ever be
/// opaque.
inline double circles_until_opaque(const Scene& scene) {
  double covered = 0, alpha = 0;
  for (const Circle& circle : scene.circles) {
    covered += std::min(1.0, 3.14159265 * circle.radius * circle.radius);
    alpha += circle.alpha;
  }
  const double count = static_cast<double>(scene.circles.size());
  covered /= count;
  if (!(alpha > 0) || !(covered > 0)) return std::numeric_limits<double>::infinity();
  alpha = std::min(alpha / count, 0.999);
  const double layers = std::log(FlatFrontToBack::opaque) / std::log(1 - alpha);
  return layers / covered;
}

/// The choice.
inline std::unique_ptr<CudaRenderer> make_fast_renderer(const Scene& scene, int size) {
  if (scene.count() <= FewRenderer::most_circles) return std::make_unique<Recorded<FewRenderer>>(scene, size);
  if (scene.count() <= front_round) return std::make_unique<Recorded<FrontRenderer>>(scene, size);
  if (const TinyPlan plan = TinyPlan::of(scene, size); plan.problem.empty())
    return std::make_unique<Recorded<TinyRenderer>>(scene, size, plan);
  if (!front_to_back_is_accurate(scene)) return std::make_unique<Recorded<BinsRenderer>>(scene, size);

  const double wanted = circles_until_opaque(scene);
  if (wanted <= front_round) return std::make_unique<Recorded<FrontRenderer>>(scene, size);
  // Half of a circle centered on the edge of the image is outside: there a pixel goes through twice as many
  // circles, in a corner four times as many, and some through more than the average. This and the next
  // constant are not derived; the experiment that judges them is `circle_renderer rand1M --bench 0:101` with
  // other values.
  constexpr double for_the_corners = 5.5;
  constexpr int granule = 4 * circles_per_step;
  const double newest = std::ceil(for_the_corners * wanted / granule) * granule;
  // A second pass costs two launches. That is worth it if it saves binning enough circles.
  constexpr double least_saving = 200000;
  if (scene.count() - newest >= least_saving)
    return std::make_unique<Recorded<BinsRenderer>>(scene, size, static_cast<int>(newest));
  return std::make_unique<Recorded<BinsRenderer>>(scene, size);
}

inline constexpr CircleMethod fast_method = {.name = "fast",
                                             .help = "the best of few, front, bins and tiny for the scene",
                                             .make = make_fast_renderer};
