#pragma once
// CPU reference of the texture unit: the formulas of the CUDA C++ programming guide, sections "Texture
// Fetching" and "Texture Functions", in plain float32. It shares nothing with the emulated device, so the two
// check each other.
//
// A coordinate is taken to texels by x (not normalized) or N x (normalized; N texels in that direction).
//   nearest  T[floor(x)]
//   linear   x - 0.5 = i + a, a in steps of 1/256;  (1 - a) T[i] + a T[i + 1],  and so along y
//   wrap     i modulo N;  mirror: every second repetition backwards;  clamp: the nearest texel that exists;
//   border   a fixed color outside.
// An NVIDIA H200 agrees exactly where the guide defines the result: nearest texels, addressing, gather,
// surfaces. The guide leaves open (and we ask for agreement within 1/512 of the texels' range there)
//   - how x - 0.5 is rounded to 1/256: here to nearest, half up, which the H200 also does;
//   - how exact the product of two fractions is: here rounded to 1/256 too, half up, as on the H200;
//   - the order of the sum, and how many bits the result has (16-bit floats come back as 16-bit floats).

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

#include "colors.h"

namespace reference {

enum class Address { wrap, clamp, mirror, border };

/// width * height texels, row by row; a 1D texture has height 1. T is float or float4.
template <class T>
struct Texture {
  int width = 0, height = 1;
  std::vector<T> texels;
  Address address = Address::clamp;
  bool linear = false, normalized = false;
  T border = {};

  // Texel (i, j) after addressing.
  T at(int i, int j) const {
    if (address == Address::border && (i < 0 || i >= width || j < 0 || j >= height)) return border;
    return texels[static_cast<std::size_t>(resolve(j, height)) * width + resolve(i, width)];
  }

 private:
  int resolve(int i, int n) const {
    switch (address) {
      case Address::wrap:
        return ((i % n) + n) % n;
      case Address::mirror: {
        const int r = ((i % (2 * n)) + 2 * n) % (2 * n);
        return r < n ? r : 2 * n - 1 - r;
      }
      default:
        return std::clamp(i, 0, n - 1);
    }
  }
};

/// Index of the texel below a coordinate and the fraction towards the next one, a multiple of 1/256 below 1.
struct Position {
  int index;
  float fraction;
};

inline Position position(float x) {
  const float steps = std::floor((x - 0.5f) * 256.0f + 0.5f);  // x - 0.5 in units of 1/256
  const float index = std::floor(steps / 256.0f);
  return {static_cast<int>(index), steps / 256.0f - index};
}

/// The product of two fractions, rounded to 1/256.
inline float fraction_product(float a, float b) { return std::floor(a * b * 256.0f + 0.5f) / 256.0f; }

template <class T>
T tex1d(const Texture<T>& t, float x) {
  if (t.normalized) x *= t.width;
  if (!t.linear) return t.at(static_cast<int>(std::floor(x)), 0);
  const auto [i, a] = position(x);
  return (1 - a) * t.at(i, 0) + a * t.at(i + 1, 0);
}

template <class T>
T tex2d(const Texture<T>& t, float x, float y) {
  if (t.normalized) {
    x *= t.width;
    y *= t.height;
  }
  if (!t.linear) return t.at(static_cast<int>(std::floor(x)), static_cast<int>(std::floor(y)));
  const auto [i, a] = position(x);
  const auto [j, b] = position(y);
  const float ab = fraction_product(a, b);
  return (1 - a - b + ab) * t.at(i, j) + (a - ab) * t.at(i + 1, j) + (b - ab) * t.at(i, j + 1) +
         ab * t.at(i + 1, j + 1);
}

/// size * size * size texels, plane by plane; outside all components are 0 (address mode border).
template <class T>
struct Volume {
  int size = 0;
  std::vector<T> texels;

  T at(int i, int j, int k) const {
    const auto outside = [&](int n) { return n < 0 || n >= size; };
    if (outside(i) || outside(j) || outside(k)) return {};
    return texels[(static_cast<std::size_t>(k) * size + j) * size + i];
  }
};

/// Normalized coordinates, linearly filtered. Eight texels: the weights of the (x, z) plane are rounded as in
/// 2D and then split along y, which is how nine in ten results of the H200 come about to the bit.
template <class T>
T tex3d(const Volume<T>& v, float x, float y, float z) {
  const auto [i, a] = position(x * v.size);
  const auto [j, b] = position(y * v.size);
  const auto [k, c] = position(z * v.size);
  const float ac = fraction_product(a, c);
  const float plane[4] = {1 - a - c + ac, a - ac, c - ac, ac};
  T sum = {};
  for (int n = 0; n < 4; ++n) {
    const float upper = fraction_product(plane[n], b);
    sum =
        sum + (plane[n] - upper) * v.at(i + n % 2, j, k + n / 2) + upper * v.at(i + n % 2, j + 1, k + n / 2);
  }
  return sum;
}

/// The four texels that linear filtering would use, in the order of tex2Dgather.
template <class T>
std::vector<T> gather(const Texture<T>& t, float x, float y) {
  if (t.normalized) {
    x *= t.width;
    y *= t.height;
  }
  const int i = position(x).index, j = position(y).index;
  return {t.at(i, j + 1), t.at(i + 1, j + 1), t.at(i + 1, j), t.at(i, j)};
}

/// A list of layers (or of a cubemap's faces) of width x height texels each, which lie one after another in
/// `texels`; linearly filtered.
inline std::vector<Texture<float4>> layers(const std::vector<float4>& texels, int width, int height) {
  std::vector<Texture<float4>> result;
  const auto layer_texels = static_cast<std::ptrdiff_t>(width) * height;
  for (auto first = texels.begin(); first != texels.end(); first += layer_texels) {
    Texture<float4> layer;
    layer.width = width;
    layer.height = height;
    layer.linear = true;
    layer.texels.assign(first, first + layer_texels);
    result.push_back(std::move(layer));
  }
  return result;
}

/// A layer that does not exist is the nearest one that does.
template <class T>
const Texture<T>& layer(const std::vector<Texture<T>>& layers, int index) {
  return layers[std::clamp(index, 0, static_cast<int>(layers.size()) - 1)];
}

/// Cubemap: face and coordinates on it (0..1) of a direction, by the table in cube_faces.h.
struct FacePosition {
  int face;
  float u, v;
};

inline FacePosition cube_face(float x, float y, float z) {
  const float ax = std::fabs(x), ay = std::fabs(y), az = std::fabs(z);
  float m, s, t;
  int face;
  if (ax > ay && ax > az) {
    face = x >= 0 ? 0 : 1;
    m = ax;
    s = x >= 0 ? -z : z;
    t = -y;
  } else if (ay > az) {
    face = y >= 0 ? 2 : 3;
    m = ay;
    s = x;
    t = y >= 0 ? z : -z;
  } else {
    face = z >= 0 ? 4 : 5;
    m = az;
    s = z >= 0 ? x : -x;
    t = -y;
  }
  return {face, (s / m + 1) / 2, (t / m + 1) / 2};
}

/// The six faces are textures of their own with clamped addresses: no filtering across an edge.
template <class T>
T tex_cubemap(const std::vector<Texture<T>>& faces, float x, float y, float z, int first_face = 0) {
  const FacePosition p = cube_face(x, y, z);
  return tex2d(faces[first_face + p.face], p.u, p.v);
}

}  // namespace reference
