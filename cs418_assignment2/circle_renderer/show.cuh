#pragma once
// The scene in a window or in a file, and the keys that change scene and method while it runs.

#include <cstdint>
#include <cstdio>
#include <optional>
#include <string>

#include "../../common/cpu_anim.h"
#include "../../common/gpu_anim.h"
#include "../../common/options.h"
#include "../../common/picture/present.h"
#include "../../common/picture/window.h"
#include "../../common/side_by_side.h"
#include "../../common/timing.h"
#include "circle_scenes.h"
#include "renderer.cuh"
#include "to_bytes.cuh"

/// What is on show: a renderer, and how keys replace it.
class Stage {
 public:
  /// `method`: one that can draw the scene, or null for the CPU reference.
  Stage(const Scene& scene, const CircleMethod* method, int size, std::uint64_t seed)
      : size_(size), seed_(seed) {
    renderer_.emplace(scene, method, size_);
  }

  Renderer& renderer() { return *renderer_; }
  const Scene& scene() const { return renderer_->scene(); }
  std::string method_name() const {
    return renderer_->method() == nullptr ? "CPU reference" : renderer_->method()->name;
  }
  std::string title() const { return method_name() + ", " + scene().name; }

  /// 1 to 9 and 0: the first ten scenes of --help; n: the next scene; m: the next method.
  void key(unsigned char key) {
    const std::vector<SceneMaker>& makers = scene_makers();
    if (key >= '0' && key <= '9') {
      change_scene(makers[key == '0' ? 9u : static_cast<std::size_t>(key - '1')].name);
    } else if (key == 'n') {
      std::size_t next = 0;
      while (next < makers.size() && makers[next].name != scene().name) ++next;
      change_scene(makers[(next + 1) % makers.size()].name);
    } else if (key == 'm') {
      next_method();
    } else {
      return;
    }
    std::printf("%s\n", title().c_str());
    std::fflush(stdout);
  }

 private:
  // If it is not for this method, `fast` draws it.
  void change_scene(const std::string& name) {
    const Scene scene = make_scene(name, seed_);
    const CircleMethod* method = renderer_->method();
    if (method != nullptr && method->refusal(scene, size_)) method = &circle_methods()["fast"];
    renderer_.reset();  // the old one's memory first
    renderer_.emplace(scene, method, size_);
  }

  // The next one of the table that can draw this scene.
  void next_method() {
    const CircleMethod* method = renderer_->method();
    if (method == nullptr) return;
    const Scene now = scene();
    do method = &circle_methods().next(*method);
    while (method->refusal(now, size_));
    renderer_.reset();
    renderer_.emplace(now, method, size_);
  }

  int size_;
  std::uint64_t seed_;
  std::optional<Renderer> renderer_;
};

/// Is there a window and nothing else? Then a still scene is a moving picture that stands still, so that the keys can change it.
inline bool shown_in_window(const Options& options) {
  return !options.headless && options.output.empty() && window_problem().empty();
}

/// Two methods on the same scene, side by side. Keys change the scene of both; m changes the method on the right.
inline int show_two(const Options& options, Stage& left, Stage& right) {
  Interaction interaction;
  interaction.restart = [&] {
    left.renderer().restart();
    right.renderer().restart();
  };
  interaction.key = [&](unsigned char key) {
    if (key != 'm') left.key(key);
    right.key(key);
  };
  interaction.title = [&] { return left.scene().name; };
  interaction.still = [&] { return left.scene().animation == Animation::none; };
  const auto side = [&](Stage& stage) {
    return Side{[&] { return stage.method_name(); },
                [&](uchar4* pixels, int) {
                  EventTimer timer;
                  timer.start();
                  stage.renderer().next_frame();
                  const float ms = timer.stop();
                  to_bytes_on_device(stage.renderer().device_pixels(), pixels, options.size);
                  return ms;
                }};
  };
  const bool moves = left.scene().animation != Animation::none || shown_in_window(options);
  return show_side_by_side(options, {side(left), side(right)}, moves, interaction);
}

/// Shows the stage as the options say; returns main's exit code. A still scene is a moving picture in a window, so that
/// the keys can change it, and a single picture in a file.
inline int show(const Options& options, Stage& stage) {
  if (stage.scene().animation == Animation::none && !shown_in_window(options)) {
    stage.renderer().draw();
    Image picture(options.size, options.size);
    to_bytes(stage.renderer().picture(), picture.rgba.data());
    return present(options, picture);
  }
  Interaction interaction;
  interaction.restart = [&] { stage.renderer().restart(); };
  interaction.key = [&](unsigned char key) { stage.key(key); };
  interaction.title = [&] { return stage.title(); };
  interaction.still = [&] { return stage.scene().animation == Animation::none; };
  if (stage.renderer().method() != nullptr) {
    GPUAnimBitmap bitmap(options.size, options.size);
    return bitmap.animate(
        options,
        [&](uchar4* bytes, int) {
          stage.renderer().next_frame();
          to_bytes_on_device(stage.renderer().device_pixels(), bytes, options.size);
        },
        interaction);
  }
  CPUAnimBitmap bitmap(options.size, options.size);
  return bitmap.animate(
      options,
      [&](int) {
        stage.renderer().next_frame();
        to_bytes(stage.renderer().picture(), bitmap.get_ptr());
      },
      interaction);
}
