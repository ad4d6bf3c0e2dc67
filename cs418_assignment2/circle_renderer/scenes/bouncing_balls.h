#pragma once
// bouncingballs: ten balls that fall, bounce with a loss, and come to rest. The course's scene, exactly.

#include "scene.h"

/// One step of a ball, straight down or up: x never changes. The floor is at y = 0, where the ball's center
/// turns around, so balls sink below the edge of the image by half.
__host__ __device__ inline void advance_ball(Moving& ball) {
  constexpr float gravity = -2.8f, bounce = -0.8f, hardly = 0.001f;
  const float y = ball.y, velocity = ball.velocity.y;
  if (y == 0 && velocity == 0) return;  // at rest
  if (y < 0 && velocity < 0) ball.velocity.y *= bounce;
  ball.velocity.y += gravity * seconds_per_step;
  ball.y += ball.velocity.y * seconds_per_step;
  if (fabsf(ball.velocity.y - velocity) < hardly && y < 0 && fabsf(ball.y - y) < hardly)
    ball.y = ball.velocity.y = 0;
}

inline Scene bouncing_balls_scene() {
  Scene scene;
  scene.animation = Animation::bouncing_balls;
  for (int i = 0; i < 10; ++i) {
    const float x = rand_unit();  // in this order: place, then velocity
    const float y = rand_unit();
    const float z = rand_unit();
    scene.circles.push_back({x, y, z, 0.05f, i % 3 == 0 ? 1.0f : 0.0f, i % 3 == 1 ? 1.0f : 0.0f,
                             i % 3 == 2 ? 1.0f : 0.0f, half_transparent});
    scene.velocity.push_back({0, rand_unit()});
  }
  return scene;
}
