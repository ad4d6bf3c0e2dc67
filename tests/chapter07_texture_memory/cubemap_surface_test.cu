// What cubemap_surface relies on: surfaces of cubemaps that are read. Runs on the emulated device and, in the gpu
// build, on hardware (label "semantics").
#include <gtest/gtest.h>

#include <vector>

#include "../../emulator/tests/semantics/semantics_main.h"

#define ASSERT_CUDA(expression) ASSERT_EQ(cudaSuccess, (expression)) << #expression

// One thread per texel of size x size; blockIdx.z is the face, or 6 * layer + face.
__global__ void read_faces_kernel(int* seen, cudaSurfaceObject_t surface, int size, bool layered) {
  const int x = threadIdx.x, y = threadIdx.y, face = blockIdx.z;
  const int bytes = x * static_cast<int>(sizeof(int));
  seen[(face * size + y) * size + x] = layered ? surfCubemapLayeredread<int>(surface, bytes, y, face)
                                               : surfCubemapread<int>(surface, bytes, y, face);
}

__global__ void read_outside_kernel(int* seen, cudaSurfaceObject_t surface, int size) {
  constexpr int f = sizeof(int);
  seen[0] = surfCubemapread<int>(surface, -f, 0, 2, cudaBoundaryModeZero);
  seen[1] = surfCubemapread<int>(surface, size * f, 0, 2, cudaBoundaryModeZero);
  seen[2] = surfCubemapread<int>(surface, -f, -1, 2, cudaBoundaryModeClamp);
  seen[3] = surfCubemapread<int>(surface, size * f, size, 2, cudaBoundaryModeClamp);
  seen[4] = surfCubemapread<int>(surface, f, 1, 2);
  surfCubemapread(&seen[5], surface, f, 1, 5);
}

// An array of cubemaps whose texels count up from 0, and its surface.
void make_counting_cubemap(int size, int faces, unsigned flags, cudaResourceDesc& resource,
                           cudaSurfaceObject_t& surface, std::vector<int>& texels) {
  texels.resize(static_cast<size_t>(size) * size * faces);
  for (size_t i = 0; i < texels.size(); ++i) texels[i] = static_cast<int>(i);
  const cudaChannelFormatDesc texel = cudaCreateChannelDesc<int>();
  const cudaExtent extent = make_cudaExtent(size, size, faces);
  resource = {};
  resource.resType = cudaResourceTypeArray;
  ASSERT_CUDA(cudaMalloc3DArray(&resource.res.array.array, &texel, extent,
                                cudaArrayCubemap | cudaArraySurfaceLoadStore | flags));
  cudaMemcpy3DParms copy = {};
  copy.srcPtr = make_cudaPitchedPtr(texels.data(), size * sizeof(int), size, size);
  copy.dstArray = resource.res.array.array;
  copy.extent = extent;
  copy.kind = cudaMemcpyHostToDevice;
  ASSERT_CUDA(cudaMemcpy3D(&copy));
  ASSERT_CUDA(cudaCreateSurfaceObject(&surface, &resource));
}

TEST(CubemapSurface, ReadsEveryTexelOfEveryFace) {
  constexpr int size = 8;
  for (const int cubes : {1, 2}) {
    cudaResourceDesc resource;
    cudaSurfaceObject_t surface = 0;
    std::vector<int> texels;
    make_counting_cubemap(size, 6 * cubes, cubes > 1 ? cudaArrayLayered : 0, resource, surface, texels);
    Device<int> seen(texels.size());
    read_faces_kernel<<<dim3(1, 1, 6 * cubes), dim3(size, size)>>>(seen.get(), surface, size, cubes > 1);
    EXPECT_EQ(texels, seen.read());
    ASSERT_CUDA(cudaDestroySurfaceObject(surface));
    ASSERT_CUDA(cudaFreeArray(resource.res.array.array));
  }
}

TEST(CubemapSurface, BoundaryModesStayOnTheFace) {
  constexpr int size = 4, face = size * size;
  cudaResourceDesc resource;
  cudaSurfaceObject_t surface = 0;
  std::vector<int> texels;
  make_counting_cubemap(size, 6, 0, resource, surface, texels);
  Device<int> seen(6);
  read_outside_kernel<<<1, 1>>>(seen.get(), surface, size);
  EXPECT_EQ((std::vector<int>{0, 0, 2 * face, 3 * face - 1, 2 * face + size + 1, 5 * face + size + 1}),
            seen.read());
  ASSERT_CUDA(cudaDestroySurfaceObject(surface));
  ASSERT_CUDA(cudaFreeArray(resource.res.array.array));
}
