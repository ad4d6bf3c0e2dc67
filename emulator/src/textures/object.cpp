// Texture and surface objects: a table of what they were made from.
#include <cuda_runtime.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <mutex>
#include <set>
#include <utility>
#include <vector>

#include "diagnosis/diagnosis.h"
#include "emulated/errors.h"
#include "emulated/explain_hooks.h"
#include "emulated/runtime.h"
#include "emulated/scheduler.h"
#include "memory.h"
#include "memory/list.h"
#include "platform/platform.h"
#include "streams/handles.h"

namespace emulated {

constinit TextureState texture_table[texture_slots];

namespace {

constexpr std::size_t texture_alignment = 512,
                      pitch_alignment = 32;  // bytes, as cudaDeviceGetAttribute says
constexpr std::size_t max_linear_texels = std::size_t{1} << 28;
constexpr std::size_t max_pitch2d_width = 131072, max_pitch2d_height = 65000,
                      max_pitch2d_pitch = 2097120;

std::mutex table_mutex;
// Objects whose memory was freed: fetches do not find them, but they can still be destroyed.
constexpr std::uint64_t orphaned = std::uint64_t{1} << 63;
std::uint64_t handles_made = 0;
unsigned objects = 0;  // that exist

cudaError_t describe_array(const cudaArray* array, TextureState& state) {
  if (!is_array(array)) return cudaErrorInvalidValue;
  static_cast<Texels&>(state) = *array;
  return cudaSuccess;
}

// Rows of texels in memory that the program has allocated.
cudaError_t describe_memory(void* memory, std::size_t width, std::size_t height, std::size_t pitch,
                            TextureState& state) {
  const std::size_t row_bytes = width * state.texel_bytes;
  if (width == 0 || height == 0 || pitch < row_bytes) return cudaErrorInvalidValue;
  if (reinterpret_cast<std::uintptr_t>(memory) % texture_alignment != 0)
    return cudaErrorInvalidValue;
  if (!is_device_range(memory, (height - 1) * pitch + row_bytes)) return cudaErrorInvalidValue;
  state.texels = static_cast<std::byte*>(memory);
  state.row_pitch = pitch;
  state.width = static_cast<int>(width);
  state.height = static_cast<int>(height);
  state.depth = 1;
  return cudaSuccess;
}

// The memory side of an object: where its texels lie and what they are.
cudaError_t describe_resource(const cudaResourceDesc& resource, TextureState& state) {
  switch (resource.resType) {
    case cudaResourceTypeArray:
      return describe_array(resource.res.array.array, state);
    case cudaResourceTypeMipmappedArray: {
      const cudaMipmappedArray* mipmapped = resource.res.mipmap.mipmap;
      return exists(mipmapped) ? describe_array(mipmapped->levels[0], state)
                               : cudaErrorInvalidValue;
    }
    case cudaResourceTypeLinear: {
      const auto& linear = resource.res.linear;
      if (!describe_texels(linear.desc, state)) return cudaErrorInvalidChannelDescriptor;
      const std::size_t texels = linear.sizeInBytes / state.texel_bytes;
      if (texels > max_linear_texels) return cudaErrorInvalidValue;
      state.shape = TextureShape::linear;
      return describe_memory(linear.devPtr, texels, 1, linear.sizeInBytes, state);
    }
    case cudaResourceTypePitch2D: {
      const auto& plane = resource.res.pitch2D;
      if (!describe_texels(plane.desc, state)) return cudaErrorInvalidChannelDescriptor;
      if (plane.width > max_pitch2d_width || plane.height > max_pitch2d_height ||
          plane.pitchInBytes > max_pitch2d_pitch || plane.pitchInBytes % pitch_alignment != 0)
        return cudaErrorInvalidValue;
      state.shape = TextureShape::array2d;
      return describe_memory(plane.devPtr, plane.width, plane.height, plane.pitchInBytes, state);
    }
    default:
      return cudaErrorNotSupported;
  }
}

// A component of the border's color as the texels' format can hold it.
float border_value(float value, const TextureState& state) {
  if (!state.read_normalized) return value;
  const bool is_signed = state.format == TexelFormat::s8 || state.format == TexelFormat::s16;
  const int bits = 8 * state.texel_bytes / state.channels;
  const auto largest = static_cast<float>((1 << (is_signed ? bits - 1 : bits)) - 1);
  return std::nearbyint(std::clamp(value, is_signed ? -1.0f : 0.0f, 1.0f) * largest) / largest;
}

// Which quick fetches give this texture's texels, and what they know of it.
void note_quick_fetches(TextureState& state) {
  const bool two_dimensions = state.shape == TextureShape::array2d;
  const bool clamped =
      state.address[0] == cudaAddressModeClamp && state.address[1] == cudaAddressModeClamp;
  const bool as_stored = !state.read_normalized && state.format != TexelFormat::f16;
  QuickFetch way = QuickFetch::none;
  if (state.shape == TextureShape::linear && as_stored)
    way = QuickFetch::linear;
  else if (state.repeats_in_vain)
    way = QuickFetch::none;  // the general way looks where the fetches are
  else if (two_dimensions && state.filtered &&
           (state.format == TexelFormat::f32 ||
            (state.format == TexelFormat::u8 && state.read_normalized)))
    way = QuickFetch::bilinear;
  else if (two_dimensions && !state.filtered && !state.normalized && clamped && as_stored)
    way = QuickFetch::nearest;
  else if (state.shape == TextureShape::array3d && state.filtered &&
           state.format == TexelFormat::f32)
    way = QuickFetch::trilinear;
  state.quick_handle = quick_handle(0, way);  // insert() adds the handle
  state.last_x_bits = std::bit_cast<std::uint32_t>(static_cast<float>(state.width - 1));
  state.last_y_bits = std::bit_cast<std::uint32_t>(static_cast<float>(state.height - 1));
  if (way != QuickFetch::bilinear && way != QuickFetch::trilinear)
    return;  // linear memory may be too large for the rest
  state.steps_x = 512.0 * (state.normalized ? state.width : 1);
  state.steps_y = 512.0 * (state.normalized ? state.height : 1);
  state.steps_z = 512.0 * (state.normalized ? state.depth : 1);
  state.last_x = (state.width - 1) * 256;
  state.last_y = (state.height - 1) * 256;
  state.last_z = (state.depth - 1) * 256;
}

// The sampling side of a texture object.
cudaError_t describe_sampling(const cudaTextureDesc& texture, TextureState& state) {
  state.texture = texture;
  const bool small_integer = state.format <= TexelFormat::s16;
  const bool is_float = state.format >= TexelFormat::f16;
  state.read_normalized = texture.readMode == cudaReadModeNormalizedFloat;
  if (state.read_normalized && !small_integer) return cudaErrorInvalidNormSetting;
  const bool is_linear_memory = state.shape == TextureShape::linear;
  state.filtered = texture.filterMode == cudaFilterModeLinear && !is_linear_memory;
  if (state.filtered && !is_float && !state.read_normalized) return cudaErrorInvalidFilterSetting;
  if (texture.sRGB != 0) return not_supported("sRGB texels");
  const bool is_cubemap =
      state.shape == TextureShape::cubemap || state.shape == TextureShape::layered_cubemap;
  state.normalized = texture.normalizedCoords != 0 || is_cubemap;
  state.seamless = texture.seamlessCubemap != 0 && is_cubemap;
  for (int i = 0; i < 3; ++i) {
    state.address[i] = texture.addressMode[i];
    // Wrap and mirror exist for normalized coordinates only; else they clamp.
    const bool mirrors = state.address[i] == cudaAddressModeMirror;
    const bool repeats = mirrors || state.address[i] == cudaAddressModeWrap;
    if (!state.normalized && repeats) state.address[i] = cudaAddressModeClamp;
    if (!state.normalized && (mirrors || (repeats && explain::is_linked())))
      state.repeats_in_vain = true;
  }
  // The border's color is kept in the texels' format (seen on an H200: 0.9
  // of 8-bit texels is 229/255).
  for (int c = 0; c < 4; ++c) state.border[c] = border_value(texture.borderColor[c], state);
  note_quick_fetches(state);
  return cudaSuccess;
}

// The levels of a texture of a mipmapped array: each a texture of its own, sampled alike.
cudaError_t describe_levels(const cudaMipmappedArray& mipmapped, TextureState& state) {
  const bool mixes_levels = state.texture.mipmapFilterMode == cudaFilterModeLinear;
  if (mixes_levels && state.format < TexelFormat::f16 && !state.read_normalized)
    return cudaErrorInvalidFilterSetting;
  std::vector<TextureState> levels(mipmapped.levels.size(), state);
  for (std::size_t l = 0; l < levels.size(); ++l)
    if (const cudaError_t error = describe_array(mipmapped.levels[l], levels[l])) return error;
  state.levels = std::move(levels);
  return cudaSuccess;
}

// Puts an object into a free slot of the table. The handle counts up in
// the bits above the slot's number.
cudaError_t insert(TextureState state, unsigned long long* handle) {
  const std::lock_guard lock(table_mutex);
  for (std::size_t tried = 0; tried < texture_slots; ++tried) {
    ++handles_made;
    const std::size_t slot = handles_made % texture_slots;
    if (texture_table[slot].handle != 0) continue;
    state.handle = handles_made;
    state.quick_handle |= state.handle;
    texture_table[slot] = state;
    *handle = state.handle;
    ++objects;
    return cudaSuccess;
  }
  return cudaErrorMemoryAllocation;
}

cudaError_t remove(unsigned long long handle, bool surface) {
  if (handle == 0) return cudaSuccess;
  const std::lock_guard lock(table_mutex);
  TextureState& state = texture_table[handle % texture_slots];
  if ((state.handle & ~orphaned) != handle || state.writable != surface)
    return cudaErrorInvalidValue;
  state = {};
  --objects;
  return cudaSuccess;
}

}  // namespace

void orphan_textures(const void* memory, std::size_t bytes) {
  const auto* begin = static_cast<const std::byte*>(memory);
  const std::lock_guard lock(table_mutex);
  if (objects == 0) return;
  for (TextureState& state : texture_table)
    if (state.handle != 0 && state.texels >= begin && state.texels < begin + bytes) {
      state.handle |= orphaned;
      state.quick_handle = 0;
    }
}

void texture_misuse(const char* function, const char* what) {
  // not a std::string: the thread's stack is abandoned, so nothing would free it
  char sentence[400];
  std::snprintf(sentence, sizeof sentence, "%s: %s", function, what);
  device_fault(cudaErrorIllegalAddress, sentence);
}

void report_mirror(const TextureState& texture, const char* axis, double at, int texels) {
  static std::mutex mutex;
  static auto& reported = *new std::set<const void*>;  // by where the objects were made
  const std::lock_guard lock(mutex);
  if (!reported.insert(texture.made_by).second) return;
  char place[1000];
  write_source_line(static_cast<const char*>(texture.made_by) - 1, place, sizeof place);
  if (place[0] == '\0') return;
  char sentence[500];
  std::snprintf(sentence, sizeof sentence,
                "kernel %s fetches from this texture at %s = %g, beyond its %d texels; coordinates "
                "are not normalized, so cudaAddressModeMirror acts as cudaAddressModeClamp (to "
                "mirror, set normalizedCoords and divide the coordinates by the size)",
                running->launch.name, axis, at, texels);
  warn_once(place + std::strlen(" at "), sentence);
}

void wrong_shape(const char* function, TextureShape got) {
  constexpr std::array names = {"linear memory (for tex1Dfetch)",
                                "a 1D array (for tex1D and surf1D)",
                                "a 2D array or pitched memory (for tex2D, tex2Dgather and surf2D)",
                                "a 3D array (for tex3D and surf3D)",
                                "a layered 1D array (for tex1DLayered and surf1DLayered)",
                                "a layered 2D array (for tex2DLayered and surf2DLayered)",
                                "a cubemap (for texCubemap and surfCubemap)",
                                "a layered cubemap (for texCubemapLayered and surfCubemapLayered)"};
  char what[200];
  std::snprintf(what, sizeof what, "the object was made from %s",
                names[static_cast<std::size_t>(got)]);
  texture_misuse(function, what);
}

}  // namespace emulated

cudaError_t cudaCreateTextureObject(cudaTextureObject_t* object, const cudaResourceDesc* resource,
                                    const cudaTextureDesc* texture,
                                    const cudaResourceViewDesc* view) {
  if (object == nullptr || resource == nullptr || texture == nullptr)
    return emulated::fail(cudaErrorInvalidValue);
  if (const cudaError_t error = emulated::sticky_error()) return error;
  emulated::TextureState state;
  state.made_by = __builtin_return_address(0);
  cudaError_t error = emulated::describe_resource(*resource, state);
  // A GPU does not look at a view of linear memory (seen on an H200).
  if (view != nullptr && resource->resType != cudaResourceTypeLinear &&
      resource->resType != cudaResourceTypePitch2D)
    return emulated::not_supported("a resource view");
  if (error == cudaSuccess) error = emulated::describe_sampling(*texture, state);
  if (error == cudaSuccess && resource->resType == cudaResourceTypeMipmappedArray)
    error = emulated::describe_levels(*resource->res.mipmap.mipmap, state);
  if (error == cudaSuccess) error = emulated::insert(state, object);
  return emulated::fail(error);
}

cudaError_t cudaDestroyTextureObject(cudaTextureObject_t object) {
  return emulated::fail(emulated::remove(object, false));
}

cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t* object, const cudaResourceDesc* resource) {
  if (object == nullptr || resource == nullptr || resource->resType != cudaResourceTypeArray)
    return emulated::fail(cudaErrorInvalidValue);
  if (const cudaError_t error = emulated::sticky_error()) return error;
  emulated::TextureState state;
  cudaError_t error = emulated::describe_resource(*resource, state);
  // Some drivers let an array without the flag pass here; its surface
  // accesses are undefined all the same.
  if (error == cudaSuccess && !(resource->res.array.array->flags & cudaArraySurfaceLoadStore))
    error = cudaErrorInvalidValue;
  state.writable = true;
  if (error == cudaSuccess) error = emulated::insert(state, object);
  return emulated::fail(error);
}

cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t object) {
  return emulated::fail(emulated::remove(object, true));
}
