#pragma once
// The picture of cubemap_surface: unfolded cubes.

#include <cstring>
#include <string>
#include <vector>

#include "cube_faces.h"
#include "texture_common.h"

/// The face at a place of the unfolded cube, 4 columns by 3 rows, row 0 at the bottom; -1: there is
/// none.
///         +y
///     -x  +z  +x  -z
///         -y
__host__ __device__ inline int cross_face(int column, int row) {
  const int faces[3][4] = {{-1, 3, -1, -1}, {1, 4, 0, 5}, {-1, 2, -1, -1}};
  return faces[row][column];
}

/// The place that pixel (x, y) of an unfolded cube shows; a face has `unit` x `unit` pixels. t
/// grows downward.
__host__ __device__ inline FacePlace cross_place(int x, int y, int unit) {
  const float s = 2 * ((x % unit + 0.5f) / unit) - 1;
  const float t = 1 - 2 * ((y % unit + 0.5f) / unit);
  return {cross_face(x / unit, y / unit), s, t};
}

/// Puts a cross of 4 unit x 3 unit pixels into the picture with its lower left corner at (left,
/// bottom), with the names of the faces in letters of `scale`.
inline void place_cross(Image& image, const std::vector<unsigned char>& cross, int left, int bottom,
                        int unit, int scale) {
  constexpr const char* names[6] = {"0 +x", "1 -x", "2 +y", "3 -y", "4 +z", "5 -z"};
  for (int y = 0; y < 3 * unit; ++y)
    for (int x = 0; x < 4 * unit; ++x) {
      const unsigned char* pixel = &cross[4 * (x + static_cast<size_t>(y) * 4 * unit)];
      const bool is_transparent = pixel[3] == 0;
      if (!is_transparent) std::memcpy(image.pixel(left + x, bottom + y), pixel, 4);
    }
  for (int row = 0; row < 3; ++row)
    for (int column = 0; column < 4; ++column) {
      const int face = cross_face(column, row);
      if (face < 0) continue;
      label(image, left + column * unit, bottom + row * unit, unit, names[face], scale);
    }
}

/// dim x dim pixels: the cubemap as a large cross, and the two layers of the array as small crosses
/// to the right of its arms.
inline Image draw_crosses(const std::vector<std::vector<unsigned char>>& crosses, int dim, int unit,
                          int small_unit) {
  Image image(dim, dim);
  fill_rect(image, 0, 0, dim, dim, {28, 30, 38});
  const int bottom = (dim - 3 * unit) / 2;
  const int scale = dim / 170;
  const int small_scale = dim / 512;
  place_cross(image, crosses[0], 0, bottom, unit, scale);
  const int left = 2 * unit + unit / 3;
  const int bottoms[2] = {bottom + 2 * unit, bottom};
  for (int layer = 0; layer < 2; ++layer) {
    place_cross(image, crosses[1 + layer], left, bottoms[layer], small_unit, small_scale);
    const std::string name = "layer " + std::to_string(layer);
    label(image, left + 2 * small_unit, bottoms[layer] + 5 * small_unit / 2, dim, name,
          small_scale);
  }
  label(image, 0, bottom + 3 * unit - 11 * small_scale, dim, "cubemap", small_scale);
  return image;
}
