// exercise ray, solved with the index of the nearest sphere, and a pixel written at once.
#include "book.h"

struct Sphere {
  float r, g, b;
  float radius;
  float x, y, z;
};

__constant__ Sphere scene[20];

__device__ float depth(int s, float ox, float oy) {
  float dx = scene[s].x - ox;
  float dy = scene[s].y - oy;
  float rest = scene[s].radius * scene[s].radius - dx * dx - dy * dy;
  return rest > 0 ? sqrtf(rest) : -1;
}

__global__ void trace(uchar4* pixels, int count, int dim) {
  int x = threadIdx.x + blockIdx.x * blockDim.x;
  int y = threadIdx.y + blockIdx.y * blockDim.y;
  float ox = x - dim / 2, oy = y - dim / 2;
  int nearest = -1;
  float nearest_dz = 0;
  for (int s = 0; s < count; s++) {
    float dz = depth(s, ox, oy);
    if (dz < 0) continue;
    if (nearest < 0 || dz + scene[s].z > nearest_dz + scene[nearest].z) {
      nearest = s;
      nearest_dz = dz;
    }
  }
  uchar4 color = make_uchar4(0, 0, 0, 255);
  if (nearest >= 0) {
    float shade = 255 * nearest_dz / scene[nearest].radius;
    color.x = (unsigned char)(scene[nearest].r * shade);
    color.y = (unsigned char)(scene[nearest].g * shade);
    color.z = (unsigned char)(scene[nearest].b * shade);
  }
  if (x < dim && y < dim) pixels[y * dim + x] = color;
}

void ray(const Sphere* host_spheres, int count, int dim, unsigned char* pixels) {
  HANDLE_ERROR(cudaMemcpyToSymbol(scene, host_spheres, sizeof(Sphere) * count));
  trace<<<dim3(dim / 32 + 1, dim / 4 + 1), dim3(32, 4)>>>((uchar4*)pixels, count, dim);
}
