// exercise ray, solved.
#include "book.h"

struct Sphere {
  float r, g, b;
  float radius;
  float x, y, z;
};

const int max_spheres = 20;
__constant__ Sphere spheres[max_spheres];

__device__ float hit(const Sphere& sphere, float ox, float oy, float* shade) {
  const float dx = ox - sphere.x;
  const float dy = oy - sphere.y;
  const float left = sphere.radius * sphere.radius - dx * dx - dy * dy;
  if (left > 0.0f) {
    const float dz = sqrtf(left);
    *shade = dz / sphere.radius;
    return sphere.z + dz;
  }
  return -2e10f;
}

__global__ void ray_kernel(unsigned char* pixels, int count, int dim) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= dim || y >= dim) return;
  const float ox = x - dim / 2;
  const float oy = y - dim / 2;

  float r = 0;
  float g = 0;
  float b = 0;
  float max_z = -2e10f;
  for (int i = 0; i < count; ++i) {
    float shade = 0;
    const float z = hit(spheres[i], ox, oy, &shade);
    if (z > max_z) {
      max_z = z;
      r = spheres[i].r * shade;
      g = spheres[i].g * shade;
      b = spheres[i].b * shade;
    }
  }
  unsigned char* pixel = pixels + 4 * (x + y * dim);
  pixel[0] = (unsigned char)(r * 255);
  pixel[1] = (unsigned char)(g * 255);
  pixel[2] = (unsigned char)(b * 255);
  pixel[3] = 255;
}

void ray(const Sphere* host_spheres, int count, int dim, unsigned char* pixels) {
  HANDLE_ERROR(cudaMemcpyToSymbol(spheres, host_spheres, count * sizeof(Sphere)));

  dim3 threads(16, 16);
  dim3 blocks((dim + 15) / 16, (dim + 15) / 16);
  ray_kernel<<<blocks, threads>>>(pixels, count, dim);
  HANDLE_ERROR(cudaGetLastError());
}
