#pragma once
// The scene in a window or in a file, and the keys that change scene and method while it runs.

#include <cstdio>
#include <memory>
#include <string>
#include <utility>

#include "../../common/cpu_anim.h"
#include "../../common/gpu_anim.h"
#include "../../common/options.h"
#include "../../common/picture/present.h"
#include "../../common/picture/window.h"
#include "../../common/side_by_side.h"
#include "../../common/timing.h"
#include "cpu_reference.h"
#include "inset.cuh"
#include "methods.h"
#include "scenes/scenes.h"
#include "to_bytes.cuh"

/// What is on show: a scene and the renderer that draws it.
class Stage {
 public:
  /// `method`: one that can draw the scene, or null for the CPU reference.
  Stage(Scene scene, const CircleMethod* method, int size, std::uint64_t seed)
      : scene_(std::move(scene)), method_(method), size_(size), seed_(seed) {
    make();
  }

  const Scene& scene() const { return scene_; }
  Renderer& renderer() { return *renderer_; }
  /// Null for the CPU reference.
  const CudaRenderer* cuda() const { return cuda_; }
  std::string method_name() const {
    return std::string(method_ == nullptr ? "CPU reference" : method_->name);
  }
  std::string title() const { return method_name() + ", " + scene_.name; }

  /// Another scene. If it is not for this method, `fast` draws it.
  void change_scene(const std::string& name) {
    scene_ = make_scene(name, seed_);
    if (method_ != nullptr && !method_->cannot_draw(scene_, size_).empty())
      method_ = &circle_methods()["fast"];
    make();
  }

  /// The next method of the table that can draw this scene.
  void next_method() {
    if (method_ == nullptr) return;
    do {
      method_ = &circle_methods().next(*method_);
    } while (!method_->cannot_draw(scene_, size_).empty());
    make();
  }

  /// 1 to 9 and 0: the first ten scenes of --help; n: the next scene; m: the next method.
  void key(unsigned char key) {
    const std::vector<SceneMaker>& makers = scene_makers();
    if (key >= '0' && key <= '9') {
      change_scene(makers[key == '0' ? 9u : static_cast<std::size_t>(key - '1')].name);
    } else if (key == 'n') {
      std::size_t next = 0;
      while (next < makers.size() && makers[next].name != scene_.name) ++next;
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
  void make() {
    cuda_ = nullptr;
    renderer_.reset();  // the old one's memory first
    if (method_ == nullptr) {
      renderer_ = std::make_unique<CpuReference>(scene_, size_);
      return;
    }
    std::unique_ptr<CudaRenderer> made = method_->make(scene_, size_);
    cuda_ = made.get();
    renderer_ = std::move(made);
  }

  Scene scene_;
  const CircleMethod* method_;
  int size_;
  std::uint64_t seed_;
  std::unique_ptr<Renderer> renderer_;
  CudaRenderer* cuda_ = nullptr;
};

/// Is there a window and nothing else? Then a still scene is drawn again and again, so that the keys can change it.
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
  const auto side = [&](Stage& stage) {
    return Side{[&] { return stage.method_name(); },
                [&](uchar4* pixels, int) {
                  EventTimer timer;
                  timer.start();
                  next_frame(stage.renderer());
                  const float ms = timer.stop();
                  to_bytes_on_device(stage.cuda()->device_pixels(), pixels, options.size);
                  return ms;
                }};
  };
  const bool moves = left.scene().animation != Animation::none || shown_in_window(options);
  return show_side_by_side(options, {side(left), side(right)}, moves, interaction);
}

/// Shows the stage as the options say; returns main's exit code. A still scene is a moving picture in a window, so that
/// the keys can change it, and a single picture in a file, with its middle `inset` times as large if that is not 0.
inline int show(const Options& options, Stage& stage, float inset) {
  if (stage.scene().animation == Animation::none && !shown_in_window(options)) {
    draw(stage.renderer());
    Image picture(options.size, options.size);
    to_bytes(stage.renderer().image(), picture.rgba.data());
    if (inset > 0) draw_inset(picture, stage.scene(), inset);
    return present(options, picture);
  }
  Interaction interaction;
  interaction.restart = [&] { stage.renderer().restart(); };
  interaction.key = [&](unsigned char key) { stage.key(key); };
  interaction.title = [&] { return stage.title(); };
  if (stage.cuda() != nullptr) {
    GPUAnimBitmap bitmap(options.size, options.size);
    return bitmap.animate(
        options,
        [&](uchar4* bytes, int) {
          next_frame(stage.renderer());
          to_bytes_on_device(stage.cuda()->device_pixels(), bytes, options.size);
        },
        interaction);
  }
  CPUAnimBitmap bitmap(options.size, options.size);
  return bitmap.animate(
      options,
      [&](int) {
        next_frame(stage.renderer());
        to_bytes(stage.renderer().image(), bitmap.get_ptr());
      },
      interaction);
}
