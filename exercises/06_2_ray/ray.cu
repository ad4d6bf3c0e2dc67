// exercise ray - a ray tracer for spheres in constant memory.
//
// Chapter 6 of CUDA by Example. The camera looks along the z axis: the ray of pixel (x, y) is the
// line of all points (x - dim / 2, y - dim / 2, z). All threads read the same sphere at the same
// time, which constant memory serves with one read (a broadcast).
//
//   ./run try ray              PASS, or the first wrong pixel
//   ./run my_ray.cu -n 200     one size only
#include "book.h"

struct Sphere {
  float r, g, b;  // the color, 0 to 1
  float radius;
  float x, y, z;
};

const int max_spheres = 20;
__constant__ Sphere spheres[max_spheres];

// How far in front the ray through (ox, oy) meets the sphere: z of the point, -2e10 if it misses.
// shade is how squarely the ray hits: 1 in the middle, 0 at the rim.
__device__ float hit(const Sphere& sphere, float ox, float oy, float* shade) {
  const float dx = ox - sphere.x;
  const float dy = oy - sphere.y;
  // TODO 1: a point of the sphere is `radius` away from its center, so dx*dx + dy*dy + dz*dz =
  // radius*radius. Does the ray hit, and what is dz? The shade is dz / radius.
  return -2e10f;
}

// pixels: red, green, blue, alpha (255) of pixel (x, y) begin at 4 * (x + y * dim).
__global__ void ray_kernel(unsigned char* pixels, int count, int dim) {
  // TODO 2: which pixel is this thread's, and is it in the picture?

  // TODO 3: the sphere with the greatest z is seen. Its color times shade times 255 is the pixel's;
  // black without one.
}

// The spheres are in host memory, the pixels in device memory.
void ray(const Sphere* host_spheres, int count, int dim, unsigned char* pixels) {
  // TODO 4: how do the spheres get into constant memory? (Not with cudaMemcpy: the symbol has a
  // function of its own.)

  dim3 threads(16, 16);
  dim3 blocks((dim + 15) / 16, (dim + 15) / 16);
  ray_kernel<<<blocks, threads>>>(pixels, count, dim);
  HANDLE_ERROR(cudaGetLastError());
}
