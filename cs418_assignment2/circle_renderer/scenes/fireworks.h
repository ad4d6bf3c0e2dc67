#pragma once
// fireworks: 15 bursts of 20 sparks. The course's scene, exactly.
//
// Circles 0 to 14 are the centers of the bursts: white on white and the first to be drawn, so nobody sees
// them. Circle 15 + 20 f + j is spark j of burst f.

#include <cmath>

#include "scene.h"

constexpr int bursts = 15, sparks_per_burst = 20;
constexpr float burst_radius = 0.005f;  // of a center, and the distance from it at which its sparks start

/// One step of a spark, or of a burst's center, which stays. `origin`: the center of the burst. The spark
/// keeps its direction (cos, sin) in `velocity` and flies a fifth of it per second; what has flown far enough
/// starts again.
__host__ __device__ inline void advance_spark(Moving& spark, int index, const float2& origin) {
  constexpr float farthest = 0.25f;
  if (index < bursts) return;
  spark.x += spark.velocity.x / 5 / 60;
  spark.y += spark.velocity.y / 5 / 60;
  const float dx = spark.x - origin.x, dy = spark.y - origin.y;
  if (sqrtf(dx * dx + dy * dy) > farthest) {
    spark.x = origin.x + burst_radius * spark.velocity.x;
    spark.y = origin.y + burst_radius * spark.velocity.y;
  }
}

inline Scene fireworks_scene() {
  Scene scene;
  scene.animation = Animation::fireworks;
  for (int burst = 0; burst < bursts; ++burst) {
    const float x = rand_unit();  // the only random numbers: x, then y
    const float y = rand_unit();
    scene.circles.push_back({x, y, 0, burst_radius, 1, 1, 1, half_transparent});
    scene.velocity.push_back({0, 0});
    scene.origin.push_back({x, y});
  }
  for (int burst = 0; burst < bursts; ++burst) {
    const float2 origin = scene.origin[static_cast<std::size_t>(burst)];
    for (int spark = 0; spark < sparks_per_burst; ++spark) {
      const float angle = 2 * 3.14159f * static_cast<float>(spark) / sparks_per_burst;
      const float2 direction = {std::cos(angle), std::sin(angle)};
      scene.circles.push_back({origin.x + burst_radius * direction.x, origin.y + burst_radius * direction.y,
                               0, 0.01f, burst % 3 == 0 ? 1.0f : 0.0f, burst % 3 == 1 ? 1.0f : 0.0f,
                               burst % 3 == 2 ? 1.0f : 0.0f, half_transparent});
      scene.velocity.push_back(direction);
      scene.origin.push_back(origin);
    }
  }
  return scene;
}
