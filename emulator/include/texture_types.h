// Types of CUDA's texture and surface interface: channel descriptors, extents, copy
// parameters, resource and texture descriptors. Names, order of members and values are
// those of the CUDA runtime API.
#pragma once

#include <cstddef>
#include <type_traits>

// ---- channels

enum cudaChannelFormatKind {
  cudaChannelFormatKindSigned = 0,
  cudaChannelFormatKindUnsigned = 1,
  cudaChannelFormatKindFloat = 2,
  cudaChannelFormatKindNone = 3
};

// x, y, z, w: bits of each component (0: not there); the components that
// are there have the same size.
struct cudaChannelFormatDesc {
  int x, y, z, w;
  cudaChannelFormatKind f;
};

// The descriptor with the given bits for each component.
inline cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w,
                                                   cudaChannelFormatKind f) {
  return {x, y, z, w, f};
}

namespace emulated {

// Component type and number of components of a texel type: float is (float,
// 1), uchar4 is (unsigned char, 4).
template <class T, class = void>
struct TexelType {
  using Component = T;
  static constexpr int count = 1;
};
template <class T>
struct TexelType<T, std::void_t<decltype(T::x)>> {
  using Component = std::remove_cvref_t<decltype(T::x)>;
  static constexpr int count = sizeof(T) / sizeof(Component);
};

}  // namespace emulated

// The descriptor of arrays whose texels are T: a scalar or a vector of 1, 2 or 4
// components of 8, 16 or 32 bits.
template <class T>
cudaChannelFormatDesc cudaCreateChannelDesc() {
  using Texel = emulated::TexelType<T>;
  using Component = typename Texel::Component;
  static_assert(std::is_arithmetic_v<Component>,
                "use cudaCreateChannelDescHalf*() for half texels");
  constexpr int bits = 8 * sizeof(Component);
  constexpr cudaChannelFormatKind kind =
      std::is_floating_point_v<Component> ? cudaChannelFormatKindFloat
      : std::is_signed_v<Component>       ? cudaChannelFormatKindSigned
                                          : cudaChannelFormatKindUnsigned;
  constexpr int n = Texel::count;
  return {bits, n > 1 ? bits : 0, n > 2 ? bits : 0, n > 3 ? bits : 0, kind};
}

// Texels of 16-bit floats; a fetch returns them as 32-bit floats.
inline cudaChannelFormatDesc cudaCreateChannelDescHalf() {
  return {16, 0, 0, 0, cudaChannelFormatKindFloat};
}
inline cudaChannelFormatDesc cudaCreateChannelDescHalf1() { return cudaCreateChannelDescHalf(); }
inline cudaChannelFormatDesc cudaCreateChannelDescHalf2() {
  return {16, 16, 0, 0, cudaChannelFormatKindFloat};
}
inline cudaChannelFormatDesc cudaCreateChannelDescHalf4() {
  return {16, 16, 16, 16, cudaChannelFormatKindFloat};
}

// ---- arrays and 3D copies

// texels in the device's own order; only copies, textures and surfaces reach them
struct cudaArray;
using cudaArray_t = cudaArray*;
using cudaArray_const_t = const cudaArray*;
struct cudaMipmappedArray;  // arrays of the same picture, each half as large as the one before
using cudaMipmappedArray_t = cudaMipmappedArray*;

constexpr unsigned cudaArrayDefault = 0x00;
constexpr unsigned cudaArrayLayered = 0x01;
constexpr unsigned cudaArraySurfaceLoadStore = 0x02;
constexpr unsigned cudaArrayCubemap = 0x04;
constexpr unsigned cudaArrayTextureGather = 0x08;

// pitch: bytes from one row to the next; xsize: elements in a row; ysize: rows in a slice.
struct cudaPitchedPtr {
  void* ptr;
  size_t pitch, xsize, ysize;
};

// In elements where a CUDA array takes part in the copy, else width in bytes.
struct cudaExtent {
  size_t width, height, depth;
};

struct cudaPos {
  size_t x, y, z;
};

inline cudaPitchedPtr make_cudaPitchedPtr(void* d, size_t p, size_t xsz, size_t ysz) {
  return {d, p, xsz, ysz};
}
inline cudaExtent make_cudaExtent(size_t w, size_t h, size_t d) { return {w, h, d}; }
inline cudaPos make_cudaPos(size_t x, size_t y, size_t z) { return {x, y, z}; }

enum cudaMemcpyKind {
  cudaMemcpyHostToHost = 0,
  cudaMemcpyHostToDevice = 1,
  cudaMemcpyDeviceToHost = 2,
  cudaMemcpyDeviceToDevice = 3,
  cudaMemcpyDefault = 4  // the runtime finds out from the addresses
};

struct cudaMemcpy3DParms {
  cudaArray_t srcArray;
  cudaPos srcPos;
  cudaPitchedPtr srcPtr;
  cudaArray_t dstArray;
  cudaPos dstPos;
  cudaPitchedPtr dstPtr;
  cudaExtent extent;
  cudaMemcpyKind kind;
};

// ---- texture objects

enum cudaResourceType {
  cudaResourceTypeArray = 0,
  cudaResourceTypeMipmappedArray = 1,
  cudaResourceTypeLinear = 2,
  cudaResourceTypePitch2D = 3
};

struct cudaResourceDesc {
  cudaResourceType resType;
  union {
    struct {
      cudaArray_t array;
    } array;
    struct {
      cudaMipmappedArray_t mipmap;
    } mipmap;
    struct {
      void* devPtr;
      cudaChannelFormatDesc desc;
      size_t sizeInBytes;
    } linear;
    struct {
      void* devPtr;
      cudaChannelFormatDesc desc;
      size_t width, height, pitchInBytes;
    } pitch2D;
  } res;
  unsigned flags;
};

enum cudaTextureAddressMode {
  cudaAddressModeWrap = 0,
  cudaAddressModeClamp = 1,
  cudaAddressModeMirror = 2,
  cudaAddressModeBorder = 3
};
enum cudaTextureFilterMode { cudaFilterModePoint = 0, cudaFilterModeLinear = 1 };
enum cudaTextureReadMode { cudaReadModeElementType = 0, cudaReadModeNormalizedFloat = 1 };

struct cudaTextureDesc {
  cudaTextureAddressMode addressMode[3];
  cudaTextureFilterMode filterMode;
  cudaTextureReadMode readMode;
  int sRGB;
  float borderColor[4];
  int normalizedCoords;
  unsigned maxAnisotropy;                  // mipmaps only
  cudaTextureFilterMode mipmapFilterMode;  // mipmaps only
  float mipmapLevelBias;                   // mipmaps only
  float minMipmapLevelClamp;               // mipmaps only
  float maxMipmapLevelClamp;               // mipmaps only
  int disableTrilinearOptimization;        // mipmaps only
  int seamlessCubemap;
};

struct cudaResourceViewDesc;  // other texels over the same bytes; refused

using cudaTextureObject_t = unsigned long long;

// ---- surface objects

enum cudaSurfaceBoundaryMode {
  cudaBoundaryModeZero = 0,
  cudaBoundaryModeClamp = 1,
  cudaBoundaryModeTrap = 2
};

using cudaSurfaceObject_t = unsigned long long;
