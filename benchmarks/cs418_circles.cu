// Times the circle renderers on every scene (Google Benchmark, manual time).
//
//   cs418_circles_benchmark --benchmark_out=FILE.json --benchmark_out_format=json
//   cs418_circles_benchmark --benchmark_filter=/fast/
//
// The time is that of the course's program: the host's clock around the call and a cudaDeviceSynchronize().
// Each method is checked against the CPU reference before it is timed. Names: SCENE/METHOD/SIZE/part, where
// part is render, clear or advance. Counter bytes_per_circle: device memory beside the image.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "../common/check.h"
#include "../common/timing.h"
#include "../cs418_assignment2/circle_renderer/compare.h"
#include "../cs418_assignment2/circle_renderer/methods.h"
#include "../cs418_assignment2/circle_renderer/scenes/scenes.h"
#include "context.h"

namespace {

double milliseconds_of(const auto& work) {
  const HostTimer timer;
  work();
  HANDLE_ERROR(cudaDeviceSynchronize());
  return timer.ms();
}

// What one scene needs, made when its first benchmark runs and kept until another scene's turn.
struct Loaded {
  std::string name;
  int size = 0;
  Scene scene;
  std::vector<FloatPixel> expected;
};
Loaded& load(const std::string& name, int size) {
  static Loaded loaded;
  if (loaded.name != name) {
    loaded.scene = name == "rand10M" ? Scene{} : make_scene(name, 1);
    if (name == "rand10M") {
      std::srand(1);
      loaded.scene.circles = random_circles({.count = 10000000, .fixed_radius = 0.0035f});
    }
    loaded.name = name;
    loaded.size = 0;
  }
  if (loaded.size != size) {
    CpuReference reference(loaded.scene, size);
    draw(reference);
    loaded.expected = reference.image();
    loaded.size = size;
  }
  return loaded;
}

enum class Part { render, clear, advance };

void run(benchmark::State& state, const std::string& scene_name, const CircleMethod& method, int size,
         Part part) {
  const Loaded& loaded = load(scene_name, size);
  const std::string problem = method.cannot_draw(loaded.scene, size);
  if (!problem.empty()) {
    state.SkipWithError(("this method is not for this scene: " + problem).c_str());
    return;
  }
  const std::unique_ptr<CudaRenderer> renderer = method.make(loaded.scene, size);
  for (int warm_up = 0; warm_up < 3; ++warm_up) draw(*renderer);
  constexpr float tolerance = 1e-5f;
  if (!check_near(loaded.name, channels(renderer->image()), channels(loaded.expected), tolerance)) {
    state.SkipWithError("differs from the CPU reference");
    return;
  }
  std::vector<double> times;
  for (auto _ : state) {
    // Clearing belongs to the frame, and drawing must not heat up alone: the parts take turns as in a frame.
    const double clear = milliseconds_of([&] { renderer->clear(); });
    const double advance = part == Part::advance ? milliseconds_of([&] { renderer->advance(); }) : 0;
    const double render = milliseconds_of([&] { renderer->render(); });
    times.push_back(part == Part::render ? render : part == Part::clear ? clear : advance);
    state.SetIterationTime(times.back() / 1000);
  }
  const Timing timing = summary(times);
  state.counters["median_ms"] = timing.median_ms;
  state.counters["best_ms"] = timing.best_ms;
  state.counters["circles"] = loaded.scene.count();
  state.counters["bytes_per_circle"] =
      static_cast<double>(renderer->bytes_beside_image()) / std::max(1, loaded.scene.count());
}

void add(const std::string& scene, const CircleMethod& method, int size, Part part, int iterations) {
  static const char* const parts[] = {"render", "clear", "advance"};
  benchmark::RegisterBenchmark((scene + "/" + std::string(method.name) + "/" + std::to_string(size) + "/" +
                                parts[static_cast<int>(part)])
                                   .c_str(),
                               [=](benchmark::State& state) { run(state, scene, method, size, part); })
      ->UseManualTime()
      ->Iterations(iterations)
      ->Unit(benchmark::kMillisecond);
}

// How often a picture is drawn: the methods whose every tile or pixel looks at every circle take their time.
int iterations_of(const std::string& scene, const CircleMethod& method) {
  const bool slow =
      method.name == "pixels" || method.name == "cached" || method.name == "tiles" || method.name == "filled";
  const bool huge = scene == "rand1M" || scene == "micro2M";
  return slow && huge ? 3 : slow ? 11 : 101;
}

}  // namespace

int main(int argc, char** argv) {
  for (const std::string& scene : scene_names()) {
    for (const CircleMethod& method : circle_methods()) {
      if (method.right)  // what is wrong has no time; what cannot draw the scene says so
        add(scene, method, 1024, Part::render, iterations_of(scene, method));
    }
    for (const Part part : {Part::clear, Part::advance})
      add(scene, circle_methods()["fast"], 1024, part, 101);
    // How time grows with the size.
    for (const int size : {256, 512, 2048, 4096})
      if (scene == "rand10k" || scene == "rand1M" || scene == "micro2M" || scene == "snowsingle")
        add(scene, circle_methods()["fast"], size, Part::render, 31);
  }
  for (const int size : {1024, 4096}) add("rand10M", circle_methods()["fast"], size, Part::render, 31);
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  say_whose_times(stderr);
  add_device_context();
  benchmark::RunSpecifiedBenchmarks();
}
