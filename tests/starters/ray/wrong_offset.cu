// A pixel has four bytes, which the index forgets: neighbors overwrite each other.
// explain: race: kernel .* writes
#include "starter.h"

using starter::Sphere;

const int max_spheres = 20;
__constant__ Sphere spheres[max_spheres];

__device__ float hit(const Sphere& sphere, float ox, float oy, float* shade) {
  const float dx = ox - sphere.x, dy = oy - sphere.y;
  const float rest = sphere.radius * sphere.radius - dx * dx - dy * dy;
  if (!(rest > 0)) return -2e10f;
  const float dz = sqrtf(rest);
  *shade = dz / sphere.radius;
  return dz + sphere.z;
}

__global__ void ray_kernel(unsigned char* pixels, int count, int dim) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= dim || y >= dim) return;
  const int offset = x + y * dim;
  float red = 0, green = 0, blue = 0, nearest = -2e10f;
  for (int i = 0; i < count; ++i) {
    float shade = 0;
    const float z = hit(spheres[i], x - dim / 2, y - dim / 2, &shade);
    if (z > nearest) {
      nearest = z;
      red = spheres[i].r * shade;
      green = spheres[i].g * shade;
      blue = spheres[i].b * shade;
    }
  }
  pixels[offset + 0] = (int)(red * 255);
  pixels[offset + 1] = (int)(green * 255);
  pixels[offset + 2] = (int)(blue * 255);
  pixels[offset + 3] = 255;
}

void ray(const Sphere* host_spheres, int count, int dim, unsigned char* pixels) {
  cudaMemcpyToSymbol(spheres, host_spheres, count * sizeof(Sphere));

  dim3 threads(16, 16);
  dim3 blocks((dim + 15) / 16, (dim + 15) / 16);
  ray_kernel<<<blocks, threads>>>(pixels, count, dim);
  HANDLE_ERROR(cudaGetLastError());
}

int main(int argc, char** argv) { return starter::check_ray(argc, argv, ray); }
