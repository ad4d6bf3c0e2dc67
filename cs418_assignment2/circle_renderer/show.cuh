#pragma once
// Shows the scene in a window or writes it to a file, with the keys that change scene and method.

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include "../../common/gpu_anim.h"
#include "../../common/options.h"
#include "../../common/picture/present.h"
#include "../../common/picture/window.h"
#include "../../common/side_by_side.h"
#include "../../common/timing.h"
#include "renderer.cuh"
#include "scene.h"

namespace circle_renderer {

inline std::string title(const Renderer& renderer) {
  return renderer.method().name + ", " + renderer.scene().name;
}

/// 1 to 9 and 0: the first ten scenes of --help; n: the next scene; m: the next method that can
/// draw the scene. A scene that is not for the method is drawn by `fast`.
inline void change(Renderer& renderer, unsigned char key, std::uint64_t seed) {
  const std::vector<std::string> names = scene_names();
  const CircleMethod* method = &renderer.method();
  Scene scene = renderer.scene();
  if (key >= '0' && key <= '9') {
    scene = make_scene(names[key == '0' ? 9u : static_cast<size_t>(key - '1')], seed);
  } else if (key == 'n') {
    const auto next = std::find(names.begin(), names.end(), scene.name) + 1;
    scene = make_scene(next == names.end() ? names[0] : *next, seed);
  } else if (key == 'm' && method != &cpu_reference()) {
    do method = &methods().next(*method);
    while (method->refusal(scene, renderer.size()));
  } else {
    return;
  }
  if (method->refusal(scene, renderer.size())) method = &methods()["fast"];
  renderer = Renderer(std::move(scene), *method, renderer.size());
  std::printf("%s\n", title(renderer).c_str());
  std::fflush(stdout);
}

/// Is there a window and nothing else? Then a still scene is a moving picture that stands still, so
/// that the keys can change it; in a file it is a single picture.
inline bool shown_in_window(const Options& options) {
  return !options.headless && options.output.empty() && window_problem().empty();
}

/// Two methods on the same scene, side by side. Keys change the scene of
/// both, m the method on the right.
inline int show_two(const Options& options, Renderer& left, Renderer& right) {
  Interaction interaction;
  interaction.restart = [&] {
    left.restart();
    right.restart();
  };
  interaction.key = [&](unsigned char key) {
    if (key != 'm') change(left, key, options.seed);
    change(right, key, options.seed);
  };
  interaction.title = [&] { return left.scene().name; };
  interaction.still = [&] { return left.scene().motion.empty(); };
  const auto side = [](Renderer& renderer) {
    return Side{[&] { return renderer.method().name; },
                [&](uchar4* pixels, int) {
                  EventTimer timer;
                  timer.start();
                  renderer.next_frame();
                  const float ms = timer.stop();
                  renderer.show(pixels);
                  return ms;
                }};
  };
  const bool moves = !left.scene().motion.empty() || shown_in_window(options);
  return show_side_by_side(options, {side(left), side(right)}, moves, interaction);
}

/// Shows the scene as the options say; returns main's exit code.
inline int show(const Options& options, Renderer& renderer) {
  if (renderer.scene().motion.empty() && !shown_in_window(options)) {
    renderer.draw();
    return present(options, renderer.bytes());
  }
  Interaction interaction;
  interaction.restart = [&] { renderer.restart(); };
  interaction.key = [&](unsigned char key) { change(renderer, key, options.seed); };
  interaction.title = [&] { return title(renderer); };
  interaction.still = [&] { return renderer.scene().motion.empty(); };
  GPUAnimBitmap bitmap(options.size, options.size);
  const auto draw = [&](uchar4* bytes, int) {
    renderer.next_frame();
    renderer.show(bytes);
  };
  return bitmap.animate(options, draw, interaction);
}

}  // namespace circle_renderer
