// The texture unit: what tex1Dfetch, tex1D, tex2D, tex3D and their layered,
// cubemap and gather kin return.
//
// Source of the formulas: CUDA C++ programming guide, "Texture Fetching" and "Texture Functions".
//   nearest texel   tex(x) = T[i], i = floor(x)
//   linear          x - 0.5 = i + a with a in steps of 1/256; tex(x) = (1 - a) T[i] + a T[i + 1],
//                   so in 2D and 3D
// The guide leaves open how x - 0.5 is rounded to steps of 1/256 and how exact the products of two
// fractions are. Here as measured on an NVIDIA H200: rounded to nearest, half up, both. Filtered
// half texels come back rounded to half, normalized coordinates are multiplied without rounding.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <tuple>
#include <type_traits>
#include <vector>

#include "../texture_types.h"
#include "convert.h"
#include "explain_hooks.h"
#include "indices.h"

namespace emulated {

// How one component of a texel is stored.
enum class TexelFormat : std::uint8_t { u8, s8, u16, s16, u32, s32, f16, f32 };

enum class TextureShape : std::uint8_t {
  linear,
  array1d,
  array2d,  // or pitched memory
  array3d,
  layered1d,
  layered2d,
  cubemap,
  layered_cubemap
};

// Textures that are fetched in the kernel's own code, not by the general functions: linear memory
// and, nearest, planes with clamped coordinates that are not normalized, of texels that a fetch
// gives as they are in memory; see also fetch_linear() and fetch_trilinear().
enum class QuickFetch : std::uint64_t { none, linear, nearest, bilinear, trilinear };

// Where texels lie and what they are.
struct Texels {
  std::byte* texels = nullptr;
  std::size_t row_pitch = 0, slice_pitch = 0;  // bytes
  int width = 0, height = 0,
      depth = 0;  // texels; depth counts slices or layers (6 for each cubemap)
  TextureShape shape = TextureShape::linear;
  TexelFormat format = TexelFormat::f32;
  int channels = 1;
  int texel_bytes = 4;
};

// One texture or surface object. Fetches find it in a table by the low bits of its handle; the
// whole handle must match, so that a handle that was never given out or was destroyed is noticed.
struct TextureState : Texels {
  std::uint64_t handle = 0;  // 0: free
  // width - 1 and height - 1 as floats. Kept as bits: the compiler then knows that a kernel which
  // stores floats does not change them, and loads them once for many threads.
  std::uint32_t last_x_bits = 0, last_y_bits = 0;
  // From coordinates to 512ths of a texel.
  double steps_x = 512;
  double steps_y = 512;
  double steps_z = 512;
  // The last texel's center, in 256ths of a texel from the first one's.
  int last_x = 0;
  int last_y = 0;
  int last_z = 0;
  std::uint64_t quick_handle = 0;  // see quick_handle()
  bool writable = false;           // a surface
  bool filtered = false, normalized = false, read_normalized = false, seamless = false;
  cudaTextureAddressMode address[3] = {};
  bool repeats_in_vain = false;  // the modes ask for it, and coordinates are not normalized
  float border[4] = {};
  cudaTextureDesc texture = {};
  const void* made_by = nullptr;          // the instruction after the call
  std::vector<TextureState> levels = {};  // of a mipmapped array; level 0 is also this texture
};

// The handle with the quick way in its upper bits: one comparison shows that the
// texture exists and how it is fetched.
constexpr std::uint64_t quick_handle(std::uint64_t handle, QuickFetch way) {
  return handle | static_cast<std::uint64_t>(way) << 60;
}

constexpr std::size_t texture_slots = 1 << 14;  // objects that can exist at a time
extern TextureState texture_table[texture_slots];

// The texture of floats that is the running kernel's only one, where a quick fetch gives them.
// launch.h stores it in front of the loop over threads. No pointer reaches it, so in the loop the
// compiler knows which texture a fetch means and where it lies; it looks nothing up.
struct KernelTexture {
  std::uint64_t quick_handle = 0;  // says also which quick fetch
  const std::byte* texels = nullptr;
  std::size_t row_pitch = 0;
  int width = 0;
  std::uint32_t last_x_bits = 0, last_y_bits = 0;
  bool holds_columns = false;  // those of all threads of the block, and one on each side
};
EMULATED_OWN KernelTexture kernel_texture{};

// The texture among a kernel's arguments, if there is exactly one.
template <class... Arguments>
auto only_texture(const Arguments&... arguments) {
  if constexpr ((std::is_same_v<Arguments, cudaTextureObject_t> + ... + 0) == 1)
    return std::get<const cudaTextureObject_t&>(std::tie(arguments...));
  else
    return nullptr;
}

// False: the object is no texture of floats that are fetched in this way.
template <QuickFetch way>
bool enter_kernel_texture(cudaTextureObject_t object) {
  const TextureState& t = texture_table[object % texture_slots];
  if (t.quick_handle != quick_handle(object, way) || t.format != TexelFormat::f32 ||
      t.channels != 1)
    return false;
  kernel_texture = {t.quick_handle, t.texels,      t.row_pitch, t.width,
                    t.last_x_bits,  t.last_y_bits, false};
  return true;
}

// Has the kernel's texture these columns, and one on each side?
[[gnu::always_inline]] inline bool columns_are_inside(unsigned first, unsigned count) {
  return first > 0 && first + count < static_cast<unsigned>(kernel_texture.width);
}

// Ends the kernel with a sentence that names the wrong use; never returns.
[[noreturn, gnu::cold, gnu::noinline]] void texture_misuse(const char* function, const char* what);

[[gnu::always_inline]] inline const TextureState& texture_state(std::uint64_t handle,
                                                                const char* function) {
  const TextureState& state = texture_table[handle % texture_slots];
  if (state.handle != handle || handle == 0) [[unlikely]]
    texture_misuse(function,
                   "the texture or surface object does not exist (never created, destroyed, or its "
                   "memory was freed)");
  return state;
}

// A fetched texel: floats where texels are floats or read as normalized
// floats, else bits of integers.
struct Texel {
  float f[4];
  std::uint32_t u[4];
};

// The general case; see src/textures/fetch.cpp. layer is clamped to the layers that exist, as a GPU
// does. gnu::pure: they change no memory, so that in a loop over threads the compiler looks at the
// texture once, not for each fetch.
[[gnu::pure]] Texel fetch_texel(const TextureState& texture, std::int64_t x);  // tex1Dfetch
[[gnu::pure]] Texel fetch_2d(const TextureState& texture, float x, float y, int layer);
[[gnu::pure]] Texel fetch_3d(const TextureState& texture, float x, float y, float z);
Texel fetch_cubemap(const TextureState& texture, float x, float y, float z, int cube);
Texel gather_2d(const TextureState& texture, float x, float y, int component);

// Converts a fetched texel to the type that the kernel fetches. Components
// that the texels do not have are 0.
template <class T>
T texel_as(const TextureState& texture, const Texel& texel, const char* function) {
  using Component = typename TexelType<T>::Component;
  constexpr int count = TexelType<T>::count;
  static_assert(count == 1 || count == 2 || count == 4, "textures have 1, 2 or 4 components");
  static_assert(sizeof(Component) <= 4 && std::is_arithmetic_v<Component>,
                "a texture returns 8-, 16- or 32-bit integers or float");
  Component out[count];
  constexpr bool wants_float = std::is_floating_point_v<Component>;
  const bool gives_float = texture.read_normalized || texture.format >= TexelFormat::f16;
  if (texture.writable) [[unlikely]]
    texture_misuse(function, "this is a surface object, not a texture object");
  if (wants_float != gives_float) [[unlikely]]
    texture_misuse(function, gives_float
                                 ? "the texture returns floats, the kernel fetches integers"
                                 : "the texture returns integers, the kernel fetches floats");
  for (int i = 0; i < count; ++i) {
    if constexpr (wants_float)
      out[i] = texel.f[i];
    else
      out[i] = static_cast<Component>(texel.u[i]);
  }
  T result;
  std::memcpy(&result, out, sizeof result);
  return result;
}

// The pack `explain` shows a fetch, or an access to a surface: its coordinates, and what it gives
// or writes.
template <class T, class... Coordinates>
[[gnu::always_inline]] inline T noted(const char* function, const T& value, Coordinates... at) {
  if constexpr (explain::on && TexelType<T>::count > 0) {
    using Component = typename TexelType<T>::Component;
    double coordinates[sizeof...(at)];
    std::size_t count = 0;
    const auto add = [&](const auto& one) {
      if constexpr (std::is_arithmetic_v<std::remove_cvref_t<decltype(one)>>)
        coordinates[count++] = static_cast<double>(one);
    };
    (add(at), ...);
    explain::texture_access(function, coordinates, count, explain::number_kind<Component>(),
                            sizeof(Component), TexelType<T>::count, &value);
  }
  return value;
}

using FloatTexel [[gnu::may_alias]] = float;

[[noreturn, gnu::cold, gnu::noinline]] void wrong_shape(const char* function, TextureShape got);

[[gnu::always_inline]] inline void expect_shape(const TextureState& texture, TextureShape shape,
                                                const char* function) {
  if (texture.shape != shape) [[unlikely]]
    wrong_shape(function, texture.shape);
}

// A fetch by a general function, of a texture that must have this shape.
template <class T, class Sample, class... Coordinates>
T sampled(const char* function, TextureShape shape, Sample sample, cudaTextureObject_t object,
          Coordinates... at) {
  const TextureState& texture = texture_state(object, function);
  expect_shape(texture, shape, function);
  return texel_as<T>(texture, sample(texture, at...), function);
}
template <class T, class Sample, class... Coordinates>
T fetched(const char* function, TextureShape shape, Sample sample, cudaTextureObject_t object,
          Coordinates... at) {
  return noted(function, sampled<T>(function, shape, sample, object, at...), at...);
}
// One dimension is the only row of two.
inline Texel fetch_1d(const TextureState& texture, float x, int layer) {
  return fetch_2d(texture, x, 0.5f, layer);
}

// What an 8-bit component reads as, from 0 to 1.
inline constexpr auto unit_bytes = [] {
  std::array<double, 256> value = {};
  for (int i = 0; i < 256; ++i) value[i] = static_cast<float>(i) / 255.0f;
  return value;
}();

// Does a fetch as T give the bytes of a texel of a texture that is fetched in
// this way? `handle`: the object's.
template <class T>
[[gnu::always_inline]] inline bool gives(const TextureState& t, std::uint64_t handle,
                                         QuickFetch way) {
  using Type = TexelType<T>;
  return t.quick_handle == quick_handle(handle, way) && t.texel_bytes == sizeof(T) &&
         t.channels == Type::count &&
         (t.format == TexelFormat::f32) == std::is_floating_point_v<typename Type::Component>;
}

template <class T>
[[gnu::always_inline]] inline T texel_at(const std::byte* texels, std::size_t number) {
  if constexpr (std::is_same_v<T, float>)
    return reinterpret_cast<const FloatTexel*>(texels)[number];
  T result;
  std::memcpy(&result, texels + number * sizeof result, sizeof result);
  return result;
}

// Texel x of linear memory; outside it 0.
template <class T, class Texture>
[[gnu::always_inline]] inline T stored_texel(const Texture& t, int x) {
  const bool inside = static_cast<unsigned>(x) < static_cast<unsigned>(t.width);
  return inside ? texel_at<T>(t.texels, beside_thread(x)) : T{};
}

// The number of the row or column at a coordinate that is not normalized and is clamped. Clamping
// first makes truncation the same as floor; NaN becomes 0.
[[gnu::always_inline]] inline int nearest(float at, std::uint32_t last_bits) {
  const float last = std::bit_cast<float>(last_bits);
  at = at > 0 ? at : 0;
  return fitting<int>(at < last ? at : last);
}

// The same without a condition: then the compiler knows that it is the same for all threads of a
// row, also where only some of them fetch. Numbers that are not negative have their bits' order.
[[gnu::always_inline]] inline int nearest_by_bits(float at, std::uint32_t last_bits) {
  constexpr int infinite = 0x7f800000;
  const int bits = std::bit_cast<int>(at);
  const int number = bits & -static_cast<int>(bits <= infinite);
  const int positive = number > 0 ? number : 0;
  const int last = static_cast<int>(last_bits);
  return fitting<int>(std::bit_cast<float>(positive < last ? positive : last));
}

// The texel at such coordinates.
template <class T, class Texture>
[[gnu::always_inline]] inline T nearest_texel(const Texture& t, float x, float y) {
  const int column = nearest(x, t.last_x_bits);
  const int row = nearest(y, t.last_y_bits);
  return texel_at<T>(t.texels + row * t.row_pitch, column);
}

// Does the compiler see that two numbers are the same?
[[gnu::always_inline]] inline bool seen_to_be_same(float a, float b) {
  const bool same = std::bit_cast<std::uint32_t>(a) == std::bit_cast<std::uint32_t>(b);
  return __builtin_constant_p(same) && same;
}

// The same of the kernel's texture. Programs often fetch at the thread's own column or next to it,
// at its center (x + 0.5f) or its edge. Where the compiler sees that, neighboring threads fetch
// neighboring texels, which it does not see of the numbers that conversions give.
[[gnu::always_inline]] inline float nearest_texel_of_kernel(float x, float y) {
  const KernelTexture& t = kernel_texture;
  if (t.holds_columns) {
    const unsigned own = blockIdx.x * blockDim.x + threadIdx.x;
    for (const int step : {0, -1, 1}) {
      const unsigned column = own + static_cast<unsigned>(step);
      const float edge = static_cast<float>(static_cast<int>(column));
      const float edge_of_unsigned = static_cast<float>(column);
      if (seen_to_be_same(x, edge) || seen_to_be_same(x, edge + 0.5f) ||
          seen_to_be_same(x, edge_of_unsigned) || seen_to_be_same(x, edge_of_unsigned + 0.5f))
        return texel_at<float>(t.texels + nearest_by_bits(y, t.last_y_bits) * t.row_pitch,
                               beside_thread(static_cast<int>(column)));
    }
  }
  return nearest_texel<float>(t, x, y);
}

// Reports a fetch past the end of linear memory to the pack `explain`.
inline void look_beyond(cudaTextureObject_t object, int x) {
  const TextureState& texture = texture_table[object % texture_slots];
  if (texture.handle == object && texture.shape == TextureShape::linear && x >= texture.width)
    explain::fetches_beyond(texture.width, texture.texel_bytes);
}

// tex1Dfetch and tex2D where no quick way fits.
template <class T>
[[gnu::noinline, gnu::pure]] T tex1dfetch(cudaTextureObject_t object, int x) {
  return sampled<T>("tex1Dfetch", TextureShape::linear, fetch_texel, object, x);
}
template <class T>
[[gnu::noinline, gnu::pure]] T tex2d(cudaTextureObject_t object, float x, float y) {
  const TextureState& texture = texture_state(object, "tex2D");
  if (texture.shape != TextureShape::array1d) expect_shape(texture, TextureShape::array2d, "tex2D");
  return texel_as<T>(texture, fetch_2d(texture, x, y, 0), "tex2D");
}

template <class T>
[[gnu::noinline, gnu::pure]] T tex3d(cudaTextureObject_t object, float x, float y, float z) {
  return sampled<T>("tex3D", TextureShape::array3d, fetch_3d, object, x, y, z);
}

// floor((x - 0.5) * 256 + 0.5) of a coordinate in 512ths of a texel: the place in 256ths of a texel
// from the center of the first one. What is too large, or not a number, becomes negative or huge.
[[gnu::always_inline]] inline int fixed_point(double steps) {
  return static_cast<int>(static_cast<unsigned>(fitting<int>(steps)) - 255u) >> 1;
}

// Is such a place at the first texel's center or beyond, and before the last one's?
[[gnu::always_inline]] inline bool between_centers(int place, int last) {
  return static_cast<unsigned>(place) < static_cast<unsigned>(last);
}

// The product of two fractions, all in 256ths: rounded, half up.
[[gnu::always_inline]] inline int fraction_product(int a, int b) { return (a * b + 128) >> 8; }

// Weights of the four texels (i, j), (i + 1, j), (i, j + 1), (i + 1, j + 1), in 256ths: one product
// is rounded, the others follow so that the rows and columns keep their sums.
[[gnu::always_inline]] inline std::array<int, 4> plane_weights(int a, int b) {
  const int both = fraction_product(a, b);
  return {256 - a - b + both, a - both, b - both, both};
}

// Those of the eight texels around a point of a volume: rows first, then columns, then slices.
// Those of the (x, z) plane are split along y; nine in ten results of the H200 agree with that to
// the bit.
[[gnu::always_inline]] inline std::array<int, 8> volume_weights(int a, int b, int c) {
  const std::array<int, 4> plane = plane_weights(a, c);
  std::array<int, 8> weights{};
  for (int n = 0; n < 4; ++n) {
    const int upper = fraction_product(plane[n], b);
    weights[2 * n] = plane[n] - upper;
    weights[2 * n + 1] = upper;
  }
  return weights;
}

// Bilinear filtering of float texels, or of 8-bit ones read as 0..1, whose components are those of
// T: what fetch_2d() computes, in the same order, without its choices for each texel; fetches at
// the border are left to it. A function of its own: in a kernel with several fetches there are too
// few registers for all of them.
//
// What limits it is the chain of what depends on each other, from coordinates to result, more than
// the number of instructions: so integers for the fixed-point part, and branches, which are
// predicted, instead of minima.
template <TexelFormat format, class T>
[[gnu::noinline, gnu::pure]] T fetch_linear(const TextureState& t, float x, float y) {
  constexpr int channels = TexelType<T>::count;
  constexpr int texel_bytes = channels * (format == TexelFormat::u8 ? 1 : 4);
  const int i = fixed_point(x * t.steps_x);
  const int j = fixed_point(y * t.steps_y);
  if (explain::on || !between_centers(i, t.last_x) || !between_centers(j, t.last_y)) [[unlikely]]
    return tex2d<T>(t.handle, x, y);
  const std::array<int, 4> weights = plane_weights(i & 255, j & 255);
  const std::byte* const first = t.texels + static_cast<std::size_t>(j >> 8) * t.row_pitch +
                                 static_cast<std::size_t>(i >> 8) * texel_bytes;
  double sum[channels] = {};
  const auto add = [&sum](const std::byte* texel, int weight) {
    for (int c = 0; c < channels; ++c)
      if constexpr (format == TexelFormat::u8)
        sum[c] += unit_bytes[std::to_integer<int>(texel[c])] * static_cast<double>(weight);
      else
        sum[c] += static_cast<double>(reinterpret_cast<const FloatTexel*>(texel)[c]) * weight;
  };
  for (int n = 0; n < 4; ++n) add(first + n % 2 * texel_bytes + n / 2 * t.row_pitch, weights[n]);
  float out[channels];
  for (int c = 0; c < channels; ++c) {
    // Infinite or not a number: a texel of weight 0 must not take part, which fetch_2d() sees to.
    if constexpr (format == TexelFormat::f32)
      if (!(sum[c] - sum[c] == 0)) [[unlikely]]
        return tex2d<T>(t.handle, x, y);
    out[c] = static_cast<float>(sum[c] * (1.0 / 256));
  }
  T result;
  std::memcpy(&result, out, sizeof result);
  return result;
}

// The numbers 0 to 256 as doubles: a load takes less time than the conversion of an integer.
inline constexpr auto whole_numbers = [] {
  std::array<double, 257> value = {};
  for (int i = 0; i < 257; ++i) value[i] = i;
  return value;
}();

// So many doubles side by side: sums of them are vector instructions.
template <int count>
struct Doubles {
  typedef double Vector __attribute__((vector_size(count * sizeof(double))));
};

// Trilinear filtering of float texels, likewise: what fetch_3d() computes, in the same order. In
// the kernel's own code: what is fetched along a ray depends on nothing fetched before, and with
// the instructions of a call the processor would see less far ahead.
template <class T>
[[gnu::always_inline]] inline T fetch_trilinear(const TextureState& t, float x, float y, float z) {
  constexpr int channels = TexelType<T>::count;
  using Sums = typename Doubles<channels>::Vector;
  const int i = fixed_point(x * t.steps_x);
  const int j = fixed_point(y * t.steps_y);
  const int k = fixed_point(z * t.steps_z);
  if (explain::on || !between_centers(i, t.last_x) || !between_centers(j, t.last_y) ||
      !between_centers(k, t.last_z)) [[unlikely]]
    return tex3d<T>(t.handle, x, y, z);
  const std::array<int, 8> weights = volume_weights(i & 255, j & 255, k & 255);
  const std::byte* const first = t.texels + static_cast<std::size_t>(k >> 8) * t.slice_pitch +
                                 static_cast<std::size_t>(j >> 8) * t.row_pitch +
                                 static_cast<std::size_t>(i >> 8) * sizeof(T);
  Sums sums{};
  for (int n = 0; n < 8; ++n) {
    const auto* const numbers = reinterpret_cast<const FloatTexel*>(
        first + n % 2 * t.row_pitch + n / 2 % 2 * sizeof(T) + n / 4 * t.slice_pitch);
    Sums texel{};
    for (int c = 0; c < channels; ++c) texel[c] = numbers[c];
    sums += texel * whole_numbers[weights[n]];
  }
  const Sums zeros = sums - sums;
  const Sums results = sums * (1.0 / 256);
  double zero = 0;
  T result;
  for (int c = 0; c < channels; ++c) {
    zero += zeros[c];
    reinterpret_cast<FloatTexel*>(&result)[c] = static_cast<float>(results[c]);
  }
  if (zero != 0) [[unlikely]]  // infinite or not a number, as in fetch_linear()
    return tex3d<T>(t.handle, x, y, z);
  return result;
}

}  // namespace emulated

// Texel x of linear memory; outside it 0. Never filtered.
template <class T>
inline T tex1Dfetch(cudaTextureObject_t object, int x) {
  using emulated::noted;
  if (emulated::explain::on) emulated::look_beyond(object, x);
  if constexpr (std::is_same_v<T, float>)
    if (emulated::kernel_texture.quick_handle ==
        emulated::quick_handle(object, emulated::QuickFetch::linear))
      return noted("tex1Dfetch", emulated::stored_texel<float>(emulated::kernel_texture, x), x);
  const emulated::TextureState& texture = emulated::texture_table[object % emulated::texture_slots];
  if (emulated::gives<T>(texture, object, emulated::QuickFetch::linear)) [[likely]]
    return noted("tex1Dfetch", emulated::stored_texel<T>(texture, x), x);
  return noted("tex1Dfetch", emulated::tex1dfetch<T>(object, x), x);
}

template <class T>
inline T tex1D(cudaTextureObject_t object, float x) {
  const auto& texture = emulated::texture_state(object, "tex1D");
  // An array made with height 1 is as good as one made with height 0 (and
  // for tex2D the other way round).
  if (texture.shape != emulated::TextureShape::array2d || texture.height != 1)
    emulated::expect_shape(texture, emulated::TextureShape::array1d, "tex1D");
  const T texel = emulated::texel_as<T>(texture, emulated::fetch_1d(texture, x, 0), "tex1D");
  return emulated::noted("tex1D", texel, x);
}

template <class T>
inline T tex2D(cudaTextureObject_t object, float x, float y) {
  using emulated::noted;
  if constexpr (std::is_same_v<T, float>)
    if (emulated::kernel_texture.quick_handle ==
        emulated::quick_handle(object, emulated::QuickFetch::nearest))
      return noted("tex2D", emulated::nearest_texel_of_kernel(x, y), x, y);
  const emulated::TextureState& texture = emulated::texture_table[object % emulated::texture_slots];
  if (emulated::gives<T>(texture, object, emulated::QuickFetch::nearest)) [[likely]]
    return noted("tex2D", emulated::nearest_texel<T>(texture, x, y), x, y);
  if constexpr (std::is_same_v<typename emulated::TexelType<T>::Component, float>) {
    if (texture.quick_handle == emulated::quick_handle(object, emulated::QuickFetch::bilinear) &&
        texture.channels == emulated::TexelType<T>::count)
      return noted("tex2D",
                   texture.format == emulated::TexelFormat::f32
                       ? emulated::fetch_linear<emulated::TexelFormat::f32, T>(texture, x, y)
                       : emulated::fetch_linear<emulated::TexelFormat::u8, T>(texture, x, y),
                   x, y);
  }
  return noted("tex2D", emulated::tex2d<T>(object, x, y), x, y);
}

template <class T>
inline T tex3D(cudaTextureObject_t object, float x, float y, float z) {
  if constexpr (std::is_same_v<typename emulated::TexelType<T>::Component, float>) {
    const emulated::TextureState& t = emulated::texture_table[object % emulated::texture_slots];
    if (t.quick_handle == emulated::quick_handle(object, emulated::QuickFetch::trilinear) &&
        t.channels == emulated::TexelType<T>::count) [[likely]]
      return emulated::noted("tex3D", emulated::fetch_trilinear<T>(t, x, y, z), x, y, z);
  }
  return emulated::noted("tex3D", emulated::tex3d<T>(object, x, y, z), x, y, z);
}

template <class T>
inline T tex1DLayered(cudaTextureObject_t object, float x, int layer) {
  return emulated::fetched<T>("tex1DLayered", emulated::TextureShape::layered1d, emulated::fetch_1d,
                              object, x, layer);
}

template <class T>
inline T tex2DLayered(cudaTextureObject_t object, float x, float y, int layer) {
  return emulated::fetched<T>("tex2DLayered", emulated::TextureShape::layered2d, emulated::fetch_2d,
                              object, x, y, layer);
}

// (x, y, z): a direction of any length; its largest component picks the face.
template <class T>
inline T texCubemap(cudaTextureObject_t object, float x, float y, float z) {
  const auto fetch = [](const emulated::TextureState& texture, float to_x, float to_y, float to_z) {
    return emulated::fetch_cubemap(texture, to_x, to_y, to_z, 0);
  };
  return emulated::fetched<T>("texCubemap", emulated::TextureShape::cubemap, fetch, object, x, y,
                              z);
}

template <class T>
inline T texCubemapLayered(cudaTextureObject_t object, float x, float y, float z, int layer) {
  return emulated::fetched<T>("texCubemapLayered", emulated::TextureShape::layered_cubemap,
                              emulated::fetch_cubemap, object, x, y, z, layer);
}

// Component 0..3 of the four texels that linear filtering would use, in the order
// (i, j + 1), (i + 1, j + 1), (i + 1, j), (i, j). T has four components.
template <class T>
inline T tex2Dgather(cudaTextureObject_t object, float x, float y, int component = 0) {
  static_assert(emulated::TexelType<T>::count == 4, "tex2Dgather returns four texels");
  return emulated::fetched<T>("tex2Dgather", emulated::TextureShape::array2d, emulated::gather_2d,
                              object, x, y, component);
}

// The forms that store through a pointer.
template <class T>
inline void tex1Dfetch(T* result, cudaTextureObject_t object, int x) {
  *result = tex1Dfetch<T>(object, x);
}
template <class T>
inline void tex1D(T* result, cudaTextureObject_t object, float x) {
  *result = tex1D<T>(object, x);
}
template <class T>
inline void tex2D(T* result, cudaTextureObject_t object, float x, float y) {
  *result = tex2D<T>(object, x, y);
}
template <class T>
inline void tex3D(T* result, cudaTextureObject_t object, float x, float y, float z) {
  *result = tex3D<T>(object, x, y, z);
}
