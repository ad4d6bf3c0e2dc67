#pragma once
// hypnosis: 25 rings around the middle that grow; a ring that is too large starts again small. The course's
// scene, exactly.

#include "scene.h"

__host__ __device__ inline void advance_ring(Moving& ring) {
  if (ring.radius > 0.5f)
    ring.radius = 0.02f;
  else
    ring.radius += 0.01f;
}

inline Scene hypnosis_scene() {
  Scene scene;
  scene.animation = Animation::hypnosis;
  for (int i = 0; i < 25; ++i) {
    const float radius = 0.02f + 0.02f * static_cast<float>(i);
    const float red = rand_unit();  // the order of the three draws matters
    const float green = rand_unit();
    const float blue = rand_unit();
    scene.circles.push_back({0.5f, 0.5f, 0, radius, red, green, blue, half_transparent});
    scene.velocity.push_back({0, 0});
  }
  return scene;
}
