#pragma once
// One step of 1/60 second: of one circle, for CPU and GPU, and of a whole scene on the CPU.

#include <cstddef>

#include "bouncing_balls.h"
#include "fireworks.h"
#include "hypnosis.h"
#include "scene.h"
#include "snow.h"
#include "sunflower.h"

/// Moves circle `index` of `count` from step number `step` to the next. `step` counts from 0, the scene as it
/// was made. `origin`: that of the circle (Scene::origin), read by fireworks only, else null.
__host__ __device__ inline void advance(Animation kind, Moving& circle, int index, int count, int step,
                                        const float2* origin) {
  switch (kind) {
    case Animation::none:
      break;
    case Animation::bouncing_balls:
      advance_ball(circle);
      break;
    case Animation::hypnosis:
      advance_ring(circle);
      break;
    case Animation::fireworks:
      advance_spark(circle, index, *origin);
      break;
    case Animation::snow:
      advance_flake(circle, index, step);
      break;
    case Animation::sunflower:
      place_seed(circle, index, count, step + 1);
      break;
  }
}

/// One step of the whole scene, on the CPU. A still scene stays as it is.
inline void advance(Scene& scene) {
  if (scene.animation == Animation::none) return;
  for (std::size_t i = 0; i < scene.circles.size(); ++i) {
    Circle& circle = scene.circles[i];
    Moving moving{circle.x, circle.y, circle.z, circle.radius, scene.velocity[i]};
    const float2* origin = scene.origin.empty() ? nullptr : &scene.origin[i];
    advance(scene.animation, moving, static_cast<int>(i), scene.count(), scene.step, origin);
    circle.x = moving.x;
    circle.y = moving.y;
    circle.radius = moving.radius;
    scene.velocity[i] = moving.velocity;
  }
  ++scene.step;
}
