// The general texture fetch: coordinates to texels and weights, texels to numbers. The formulas and their
// sources stand in texture_fetch.h.
#include <cuda_runtime.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>

#include "cuda_fp16.h"

namespace emulated {

namespace {

constexpr int fraction_one = 256;  // fractions of coordinates have 8 bits
constexpr int outside = -1;        // index of a texel beyond the border

// A coordinate in texels. NaN counts as 0 and so does an infinite one where the picture repeats; huge ones
// are cut to what converts to an integer.
double texel_coordinate(float coordinate, int size, bool normalized, cudaTextureAddressMode mode) {
  const bool repeats = mode == cudaAddressModeWrap || mode == cudaAddressModeMirror;
  if (std::isnan(coordinate) || (repeats && std::isinf(coordinate))) return 0;
  const double x = normalized ? static_cast<double>(coordinate) * size : coordinate;
  return std::clamp(x, -0x1p50, 0x1p50);
}

// The texel that stands for index i of n texels, or `outside`.
int address(cudaTextureAddressMode mode, std::int64_t i, std::int64_t n) {
  if (i >= 0 && i < n) return static_cast<int>(i);
  switch (mode) {
    case cudaAddressModeWrap: {
      const std::int64_t r = i % n;
      return static_cast<int>(r < 0 ? r + n : r);
    }
    case cudaAddressModeMirror: {
      std::int64_t r = i % (2 * n);
      if (r < 0) r += 2 * n;
      return static_cast<int>(r < n ? r : 2 * n - 1 - r);
    }
    case cudaAddressModeBorder:
      return outside;
    default:
      return i < 0 ? 0 : static_cast<int>(n - 1);
  }
}

// Where a coordinate falls between texels: the lower index and the fraction in 256ths.
struct Between {
  std::int64_t index;
  int fraction;
};

Between between(double x) {
  const std::int64_t fixed = static_cast<std::int64_t>(std::floor((x - 0.5) * fraction_one + 0.5));
  return {fixed >> 8, static_cast<int>(fixed & 255)};
}

float srgb_to_linear(float v) { return v <= 0.04045f ? v / 12.92f : std::pow((v + 0.055f) / 1.055f, 2.4f); }

// One texel as it is stored, converted to float if the texture returns floats.
Texel load(const TextureState& t, int x, int y, int z) {
  Texel texel{};
  if (x == outside || y == outside || z == outside) {
    for (int c = 0; c < t.channels; ++c) {
      texel.f[c] = t.border[c];
      texel.u[c] = static_cast<std::uint32_t>(static_cast<std::int64_t>(t.border[c]));
    }
    return texel;
  }
  const std::byte* place = t.texels + static_cast<std::size_t>(z) * t.slice_pitch +
                           static_cast<std::size_t>(y) * t.row_pitch +
                           static_cast<std::size_t>(x) * t.texel_bytes;
  auto read = [place]<class Component>(Component, int c) {
    Component value;
    std::memcpy(&value, place + c * sizeof value, sizeof value);
    return value;
  };
  // Unsigned 0..max reads as 0..1; signed -max..max as -1..1, and the one value below -max as -1 too.
  for (int c = 0; c < t.channels; ++c) switch (t.format) {
      case TexelFormat::u8:
        texel.u[c] = read(std::uint8_t{}, c);
        texel.f[c] = texel.u[c] / 255.0f;
        if (t.srgb && c < 3) texel.f[c] = srgb_to_linear(texel.f[c]);
        break;
      case TexelFormat::s8: {
        const int v = read(std::int8_t{}, c);
        texel.u[c] = v;
        texel.f[c] = std::max(v / 127.0f, -1.0f);
        break;
      }
      case TexelFormat::u16:
        texel.u[c] = read(std::uint16_t{}, c);
        texel.f[c] = texel.u[c] / 65535.0f;
        break;
      case TexelFormat::s16: {
        const int v = read(std::int16_t{}, c);
        texel.u[c] = v;
        texel.f[c] = std::max(v / 32767.0f, -1.0f);
        break;
      }
      case TexelFormat::u32:
      case TexelFormat::s32:
        texel.u[c] = read(std::uint32_t{}, c);
        break;
      case TexelFormat::f16:
        texel.f[c] = half_to_float(read(std::uint16_t{}, c));
        break;
      case TexelFormat::f32:
        texel.f[c] = read(float{}, c);
        break;
    }
  return texel;
}

// A weighted sum of texels; the weights are in 256ths. A texel of weight 0 does not take part, not even as
// NaN.
class Sum {
 public:
  explicit Sum(const TextureState& texture) : texture_(texture) {}

  void add(const Texel& texel, int weight) {
    if (weight == 0) return;
    for (int c = 0; c < texture_.channels; ++c) sum_[c] += static_cast<double>(texel.f[c]) * weight;
  }

  Texel result() const {
    Texel texel{};
    for (int c = 0; c < texture_.channels; ++c) {
      texel.f[c] = static_cast<float>(sum_[c] / fraction_one);
      if (texture_.format == TexelFormat::f16) texel.f[c] = half_to_float(float_to_half(texel.f[c]));
    }
    return texel;
  }

 private:
  const TextureState& texture_;
  double sum_[4] = {};
};

// round(a * b / 256), half up.
int product(int a, int b) { return (a * b + fraction_one / 2) / fraction_one; }

// Weights of the four texels (i, j), (i + 1, j), (i, j + 1), (i + 1, j + 1): one product is rounded, the
// others follow so that the rows and columns keep their sums.
std::array<int, 4> plane_weights(int a, int b) {
  const int both = product(a, b);
  return {fraction_one - a - b + both, a - both, b - both, both};
}

int clamp_layer(int layer, int layers) {
  // A negative layer is a huge unsigned one, so it is the last.
  return static_cast<unsigned>(layer) < static_cast<unsigned>(layers) ? layer : layers - 1;
}

// Bilinear or nearest fetch at (x, y) in texels; texel(i, j) does the addressing.
template <class TexelAt>
Texel sample_plane(const TextureState& t, double x, double y, const TexelAt& texel) {
  if (!t.filtered)
    return texel(static_cast<std::int64_t>(std::floor(x)), static_cast<std::int64_t>(std::floor(y)));
  const auto [i, a] = between(x);
  const auto [j, b] = between(y);
  const auto weight = plane_weights(a, b);
  Sum sum(t);
  for (int k = 0; k < 4; ++k)
    if (weight[k] != 0) sum.add(texel(i + k % 2, j + k / 2), weight[k]);
  return sum.result();
}

// ---- cubemaps

// Face and direction on it: texture coordinates are (s / m + 1) / 2 and (t / m + 1) / 2.
struct FacePoint {
  int face;
  double s, t;  // already divided by m: -1..1
};

// The guide's table of cubemap faces. The guide leaves open which face a direction between two takes;
// measured on the H200: z before y before x.
FacePoint face_of(double x, double y, double z) {
  const double ax = std::abs(x), ay = std::abs(y), az = std::abs(z);
  if (az >= ax && az >= ay) {
    if (az == 0) return {4, 0, 0};
    return z >= 0 ? FacePoint{4, x / az, -y / az} : FacePoint{5, -x / az, -y / az};
  }
  if (ay >= ax) return y >= 0 ? FacePoint{2, x / ay, z / ay} : FacePoint{3, x / ay, -z / ay};
  return x >= 0 ? FacePoint{0, -z / ax, -y / ax} : FacePoint{1, z / ax, -y / ax};
}

// The direction to a point of a face's plane: the table read backwards.
std::array<double, 3> direction_of(const FacePoint& p) {
  switch (p.face) {
    case 0:
      return {1, -p.t, -p.s};
    case 1:
      return {-1, -p.t, p.s};
    case 2:
      return {p.s, 1, p.t};
    case 3:
      return {p.s, -1, -p.t};
    case 4:
      return {p.s, -p.t, 1};
    default:
      return {-p.s, -p.t, -1};
  }
}

// Texel (i, j) of a face where i or j may be one step outside: then it is the neighboring face's.
// Beyond a corner there is none; the nearest corner texel takes its place.
Texel seamless_texel(const TextureState& t, int cube, int face, std::int64_t i, std::int64_t j) {
  const std::int64_t n = t.width;
  const bool inside_x = i >= 0 && i < n, inside_y = j >= 0 && j < n;
  if (!inside_x && !inside_y) {
    i = std::clamp<std::int64_t>(i, 0, n - 1);
    j = std::clamp<std::int64_t>(j, 0, n - 1);
  } else if (!inside_x || !inside_y) {
    const auto [x, y, z] = direction_of({face, (2.0 * i + 1) / n - 1, (2.0 * j + 1) / n - 1});
    const FacePoint p = face_of(x, y, z);
    face = p.face;
    i = std::clamp<std::int64_t>(static_cast<std::int64_t>(std::floor((p.s + 1) / 2 * n)), 0, n - 1);
    j = std::clamp<std::int64_t>(static_cast<std::int64_t>(std::floor((p.t + 1) / 2 * n)), 0, n - 1);
  }
  return load(t, static_cast<int>(i), static_cast<int>(j), 6 * cube + face);
}

}  // namespace

Texel fetch_texel(const TextureState& t, std::int64_t x) {
  if (x < 0 || x >= t.width) return {};
  return load(t, static_cast<int>(x), 0, 0);
}

Texel fetch_1d(const TextureState& t, float x, int layer) {
  const cudaTextureAddressMode mode = t.address[0];
  const int z = clamp_layer(layer, t.depth);
  const double at = texel_coordinate(x, t.width, t.normalized, mode);
  if (!t.filtered) return load(t, address(mode, static_cast<std::int64_t>(std::floor(at)), t.width), 0, z);
  const auto [i, a] = between(at);
  Sum sum(t);
  if (a != fraction_one) sum.add(load(t, address(mode, i, t.width), 0, z), fraction_one - a);
  if (a != 0) sum.add(load(t, address(mode, i + 1, t.width), 0, z), a);
  return sum.result();
}

Texel fetch_2d(const TextureState& t, float x, float y, int layer) {
  const int z = clamp_layer(layer, t.depth);
  return sample_plane(
      t, texel_coordinate(x, t.width, t.normalized, t.address[0]),
      texel_coordinate(y, t.height, t.normalized, t.address[1]), [&](std::int64_t i, std::int64_t j) {
        return load(t, address(t.address[0], i, t.width), address(t.address[1], j, t.height), z);
      });
}

Texel fetch_3d(const TextureState& t, float x, float y, float z) {
  const double px = texel_coordinate(x, t.width, t.normalized, t.address[0]);
  const double py = texel_coordinate(y, t.height, t.normalized, t.address[1]);
  const double pz = texel_coordinate(z, t.depth, t.normalized, t.address[2]);
  auto texel = [&](std::int64_t i, std::int64_t j, std::int64_t k) {
    return load(t, address(t.address[0], i, t.width), address(t.address[1], j, t.height),
                address(t.address[2], k, t.depth));
  };
  if (!t.filtered)
    return texel(static_cast<std::int64_t>(std::floor(px)), static_cast<std::int64_t>(std::floor(py)),
                 static_cast<std::int64_t>(std::floor(pz)));
  const auto [i, a] = between(px);
  const auto [j, b] = between(py);
  const auto [k, c] = between(pz);
  // The weights of the (x, z) plane are split along y; nine in ten results of the H200 agree with that to the
  // bit.
  const auto plane = plane_weights(a, c);
  Sum sum(t);
  for (int n = 0; n < 4; ++n) {
    const int upper = product(plane[n], b);
    sum.add(texel(i + n % 2, j, k + n / 2), plane[n] - upper);
    sum.add(texel(i + n % 2, j + 1, k + n / 2), upper);
  }
  return sum.result();
}

Texel fetch_cubemap(const TextureState& t, float x, float y, float z, int cube) {
  const int at = clamp_layer(cube, t.depth / 6);
  const FacePoint p = face_of(x, y, z);
  const double px = texel_coordinate(static_cast<float>((p.s + 1) / 2), t.width, true, cudaAddressModeClamp);
  const double py = texel_coordinate(static_cast<float>((p.t + 1) / 2), t.width, true, cudaAddressModeClamp);
  return sample_plane(t, px, py, [&](std::int64_t i, std::int64_t j) {
    if (t.seamless) return seamless_texel(t, at, p.face, i, j);
    // s / m = 1 is the last texel's far edge, so a nearest fetch must not step over it.
    if (!t.filtered) i = std::min<std::int64_t>(i, t.width - 1), j = std::min<std::int64_t>(j, t.width - 1);
    return load(t, address(t.address[0], i, t.width), address(t.address[1], j, t.width), 6 * at + p.face);
  });
}

Texel gather_2d(const TextureState& t, float x, float y, int component) {
  const auto i = between(texel_coordinate(x, t.width, t.normalized, t.address[0])).index;
  const auto j = between(texel_coordinate(y, t.height, t.normalized, t.address[1])).index;
  constexpr int dx[4] = {0, 1, 1, 0}, dy[4] = {1, 1, 0, 0};
  Texel result{};
  for (int k = 0; k < 4; ++k) {
    const Texel texel =
        load(t, address(t.address[0], i + dx[k], t.width), address(t.address[1], j + dy[k], t.height), 0);
    result.f[k] = texel.f[component & 3];
    result.u[k] = texel.u[component & 3];
  }
  return result;
}

}  // namespace emulated
