// The general texture fetch: coordinates to texels and weights, texels to numbers. The formulas and
// their sources are in texture_fetch.h.
#include <cuda_runtime.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <utility>

#include "emulated/explain_hooks.h"
#include "emulated/half_bits.h"
#include "memory.h"

namespace emulated {

namespace {

constexpr int fraction_one = 256;  // fractions of coordinates have 8 bits
constexpr int outside = -1;        // index of a texel beyond the border

// A coordinate in texels. NaN counts as 0 and so does an infinite one where the picture repeats;
// huge ones are cut to what converts to an integer.
double texel_coordinate(float coordinate, int size, bool normalized, cudaTextureAddressMode mode) {
  const bool repeats = mode == cudaAddressModeWrap || mode == cudaAddressModeMirror;
  if (std::isnan(coordinate) || (repeats && std::isinf(coordinate))) return 0;
  if (normalized && !repeats && (coordinate >= 2 || coordinate <= -1)) [[unlikely]]
    explain::fetches_far_away();
  const double x = normalized ? static_cast<double>(coordinate) * size : coordinate;
  return std::clamp(x, -0x1p50, 0x1p50);
}

// A fetch, where modes ask for a picture that repeats. One texel beyond the edge a mirror gives the
// edge, too.
void look_for_repeats(const TextureState& t,
                      std::initializer_list<std::pair<double, int>> coordinates_and_texels) {
  constexpr const char* names[] = {"x", "y", "z"};
  int axis = 0;
  bool beyond = false;
  for (const auto& [at, texels] : coordinates_and_texels) {
    const cudaTextureAddressMode mode = t.texture.addressMode[axis];
    if (mode == cudaAddressModeMirror && (at < -1 || at >= texels + 1.0))
      report_mirror(t, names[axis], at, texels);
    if (mode == cudaAddressModeWrap && (at < 0 || at >= texels)) beyond = true;
    ++axis;
  }
  explain::fetches_unrepeated(t.made_by, beyond);
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

// std::floor of what fits, without a call of the library.
std::int64_t floor_of(double x) {
  const auto whole = fitting<std::int64_t>(x);
  return whole - (static_cast<double>(whole) > x);
}

// Where a coordinate falls between texels: the lower index and the fraction in 256ths.
struct Between {
  std::int64_t index;
  int fraction;
};

Between between(double x) {
  const std::int64_t fixed = floor_of((x - 0.5) * fraction_one + 0.5);
  return {fixed >> 8, static_cast<int>(fixed & 255)};
}

// Where a texel is stored; nullptr for the border.
const std::byte* place_of(const TextureState& t, int x, int y, int z) {
  if (x == outside || y == outside || z == outside) return nullptr;
  return t.texels + static_cast<std::size_t>(z) * t.slice_pitch +
         static_cast<std::size_t>(y) * t.row_pitch + static_cast<std::size_t>(x) * t.texel_bytes;
}

// A component as it is stored, and as a float where the texture returns floats.
struct Component {
  std::uint32_t bits;
  float number;
};

// Calls use(component), where component(place, c) reads component c of a texel: so the format is
// looked at once for all texels of a fetch.
template <class Use>
[[gnu::always_inline]] inline void by_format(const TextureState& t, const Use& use) {
  const auto stored_as = [&]<class Stored>(Stored, const auto& number) {
    use([&](const std::byte* place, int c) -> Component {
      if (place == nullptr)
        return {static_cast<std::uint32_t>(static_cast<std::int64_t>(t.border[c])), t.border[c]};
      Stored stored;
      std::memcpy(&stored, place + c * sizeof stored, sizeof stored);
      return {static_cast<std::uint32_t>(stored), number(stored)};
    });
  };
  // Unsigned 0..max reads as 0..1; signed -max..max as -1..1, and the one
  // value below -max as -1 too.
  switch (t.format) {
    case TexelFormat::u8:
      return stored_as(std::uint8_t{}, [](int v) { return static_cast<float>(unit_bytes[v]); });
    case TexelFormat::s8:
      return stored_as(std::int8_t{}, [](int v) { return std::max(v / 127.0f, -1.0f); });
    case TexelFormat::u16:
      return stored_as(std::uint16_t{}, [](int v) { return v / 65535.0f; });
    case TexelFormat::s16:
      return stored_as(std::int16_t{}, [](int v) { return std::max(v / 32767.0f, -1.0f); });
    case TexelFormat::u32:
    case TexelFormat::s32:
      return stored_as(std::uint32_t{}, [](std::uint32_t) { return 0.0f; });
    case TexelFormat::f16:
      return stored_as(std::uint16_t{}, [](std::uint16_t v) { return half_to_float(v); });
    case TexelFormat::f32:
      return stored_as(std::uint32_t{}, [](std::uint32_t v) { return std::bit_cast<float>(v); });
  }
}

// One texel, not filtered.
Texel load(const TextureState& t, const std::byte* place) {
  if (explain::on && place != nullptr) [[unlikely]]
    explain::texel_read(place, t.texel_bytes);
  Texel texel{};
  by_format(t, [&](const auto& component) {
    for (int c = 0; c < t.channels; ++c) {
      const Component got = component(place, c);
      texel.u[c] = got.bits;
      texel.f[c] = got.number;
    }
  });
  return texel;
}

// A weighted sum of texels; the weights are in 256ths. A texel of weight 0 does
// not take part, not even as NaN.
class Sum {
 public:
  void add(const std::byte* place, double weight) {
    if (weight != 0) texels_[count_++] = {place, weight};
  }

  Texel result(const TextureState& t) const {
    if (explain::on) [[unlikely]]
      for (int k = 0; k < count_; ++k)
        if (texels_[k].place != nullptr) explain::texel_read(texels_[k].place, t.texel_bytes);
    Texel texel{};
    by_format(t, [&](const auto& component) {
      for (int c = 0; c < t.channels; ++c) {
        double sum = 0;
        for (int k = 0; k < count_; ++k)
          sum += component(texels_[k].place, c).number * texels_[k].weight;
        texel.f[c] = static_cast<float>(sum / fraction_one);
      }
    });
    if (t.format == TexelFormat::f16)
      for (float& number : texel.f) number = half_to_float(float_to_half(number));
    return texel;
  }

 private:
  struct Weighted {
    const std::byte* place;
    double weight;
  };
  Weighted texels_[8];
  int count_ = 0;
};

// A negative layer is a huge unsigned one, so it is the last.
int clamp_layer(int layer, int layers) { return std::min<unsigned>(layer, layers - 1); }

// Bilinear or nearest fetch at (x, y) in texels; place(i, j) does the addressing.
template <class PlaceAt>
[[gnu::always_inline]] inline Texel sample_plane(const TextureState& t, double x, double y,
                                                 const PlaceAt& place) {
  if (!t.filtered) return load(t, place(floor_of(x), floor_of(y)));
  const auto [i, a] = between(x);
  const auto [j, b] = between(y);
  const auto weight = plane_weights(a, b);
  Sum sum;
  for (int k = 0; k < 4; ++k) sum.add(place(i + k % 2, j + k / 2), weight[k]);
  return sum.result(t);
}

// ---- cubemaps

// Face and direction on it: texture coordinates are (s / m + 1) / 2 and (t / m + 1) / 2.
struct FacePoint {
  int face;
  double s, t;  // already divided by m: -1..1
};

// The guide's table of cubemap faces. The guide leaves open which face a direction between two
// takes; measured on the H200: z before y before x.
FacePoint face_of(double x, double y, double z) {
  const double ax = std::abs(x);
  const double ay = std::abs(y);
  const double az = std::abs(z);
  if (az >= ax && az >= ay) {
    if (az == 0) return {4, 0, 0};
    return z >= 0 ? FacePoint{4, x / az, -y / az} : FacePoint{5, -x / az, -y / az};
  }
  if (ay >= ax) return y >= 0 ? FacePoint{2, x / ay, z / ay} : FacePoint{3, x / ay, -z / ay};
  return x >= 0 ? FacePoint{0, -z / ax, -y / ax} : FacePoint{1, z / ax, -y / ax};
}

// The direction to a point of a face's plane: the table read backwards.
std::array<double, 3> direction_of(const FacePoint& p) {
  const std::array<double, 3> directions[] = {{1, -p.t, -p.s}, {-1, -p.t, p.s}, {p.s, 1, p.t},
                                              {p.s, -1, -p.t}, {p.s, -p.t, 1},  {-p.s, -p.t, -1}};
  return directions[p.face];
}

// Texel (i, j) of a face where i or j may be one step outside: then it is the neighboring face's.
// Beyond a corner there is none; the nearest corner texel takes its place.
const std::byte* seamless_place(const TextureState& t, int cube, int face, std::int64_t i,
                                std::int64_t j) {
  const std::int64_t n = t.width;
  const bool inside_x = i >= 0 && i < n;
  const bool inside_y = j >= 0 && j < n;
  if (!inside_x && !inside_y) {
    i = std::clamp<std::int64_t>(i, 0, n - 1);
    j = std::clamp<std::int64_t>(j, 0, n - 1);
  } else if (!inside_x || !inside_y) {
    const auto [x, y, z] = direction_of({face, (2.0 * i + 1) / n - 1, (2.0 * j + 1) / n - 1});
    const FacePoint p = face_of(x, y, z);
    face = p.face;
    i = std::clamp<std::int64_t>(static_cast<std::int64_t>(std::floor((p.s + 1) / 2 * n)), 0,
                                 n - 1);
    j = std::clamp<std::int64_t>(static_cast<std::int64_t>(std::floor((p.t + 1) / 2 * n)), 0,
                                 n - 1);
  }
  return place_of(t, static_cast<int>(i), static_cast<int>(j), 6 * cube + face);
}

}  // namespace

Texel fetch_texel(const TextureState& t, std::int64_t x) {
  if (x < 0 || x >= t.width) return {};
  return load(t, place_of(t, static_cast<int>(x), 0, 0));
}

Texel fetch_2d(const TextureState& t, float x, float y, int layer) {
  const int z = clamp_layer(layer, t.depth);
  const double px = texel_coordinate(x, t.width, t.normalized, t.address[0]);
  const double py = texel_coordinate(y, t.height, t.normalized, t.address[1]);
  if (t.repeats_in_vain) [[unlikely]]
    look_for_repeats(t, {{px, t.width}, {py, t.height}});
  return sample_plane(t, px, py, [&](std::int64_t i, std::int64_t j) {
    return place_of(t, address(t.address[0], i, t.width), address(t.address[1], j, t.height), z);
  });
}

Texel fetch_3d(const TextureState& t, float x, float y, float z) {
  const double px = texel_coordinate(x, t.width, t.normalized, t.address[0]);
  const double py = texel_coordinate(y, t.height, t.normalized, t.address[1]);
  const double pz = texel_coordinate(z, t.depth, t.normalized, t.address[2]);
  if (t.repeats_in_vain) [[unlikely]]
    look_for_repeats(t, {{px, t.width}, {py, t.height}, {pz, t.depth}});
  const auto column = [&](std::int64_t i) { return address(t.address[0], i, t.width); };
  const auto row = [&](std::int64_t j) { return address(t.address[1], j, t.height); };
  const auto slice = [&](std::int64_t k) { return address(t.address[2], k, t.depth); };
  if (!t.filtered)
    return load(t, place_of(t, column(floor_of(px)), row(floor_of(py)), slice(floor_of(pz))));
  const auto [i, a] = between(px);
  const auto [j, b] = between(py);
  const auto [k, c] = between(pz);
  const auto weights = volume_weights(a, b, c);
  const int columns[] = {column(i), column(i + 1)};
  const int rows[] = {row(j), row(j + 1)};
  const int slices[] = {slice(k), slice(k + 1)};
  Sum sum;
  for (int n = 0; n < 8; ++n)
    sum.add(place_of(t, columns[n / 2 % 2], rows[n % 2], slices[n / 4]), weights[n]);
  return sum.result(t);
}

Texel fetch_cubemap(const TextureState& t, float x, float y, float z, int cube) {
  const int at = clamp_layer(cube, t.depth / 6);
  const FacePoint p = face_of(x, y, z);
  const double px =
      texel_coordinate(static_cast<float>((p.s + 1) / 2), t.width, true, cudaAddressModeClamp);
  const double py =
      texel_coordinate(static_cast<float>((p.t + 1) / 2), t.width, true, cudaAddressModeClamp);
  return sample_plane(t, px, py, [&](std::int64_t i, std::int64_t j) {
    if (t.seamless) return seamless_place(t, at, p.face, i, j);
    // s / m = 1 is the last texel's far edge, so a nearest fetch must not step over it.
    if (!t.filtered)
      i = std::min<std::int64_t>(i, t.width - 1), j = std::min<std::int64_t>(j, t.width - 1);
    return place_of(t, address(t.address[0], i, t.width), address(t.address[1], j, t.width),
                    6 * at + p.face);
  });
}

Texel gather_2d(const TextureState& t, float x, float y, int component) {
  const auto i = between(texel_coordinate(x, t.width, t.normalized, t.address[0])).index;
  const auto j = between(texel_coordinate(y, t.height, t.normalized, t.address[1])).index;
  constexpr int dx[4] = {0, 1, 1, 0};
  constexpr int dy[4] = {1, 1, 0, 0};
  Texel result{};
  for (int k = 0; k < 4; ++k) {
    const Texel texel = load(t, place_of(t, address(t.address[0], i + dx[k], t.width),
                                         address(t.address[1], j + dy[k], t.height), 0));
    result.f[k] = texel.f[component & 3];
    result.u[k] = texel.u[component & 3];
  }
  return result;
}

}  // namespace emulated
