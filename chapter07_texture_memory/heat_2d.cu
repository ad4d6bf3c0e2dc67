// heat_2d - heat spreads over a plate; every step reads through 2D textures (tex2D).
//
// CUDA by Example, chapter 7 (texture memory), "Using Two-Dimensional Texture Memory", with texture
// objects. The texture unit handles the borders, without a comparison in the kernel.
// What 2D textures change: diff heat_notexture.cu heat_2d.cu
// Terms (docs/glossary.md): texture, stencil, stride.
//
//   ./run heat_2d                a window, or a film after some seconds
//   ./run heat_2d --headless --frames 60 --output heat.gif
//   ./run heat_2d --check --size 256 --steps 10
//
// Keys: Esc or q quits, space pauses, s saves a picture, r restarts, + and - change the steps per
// frame, h shows all keys; a click or drag adds heat.
// What to see: the hot rectangle in the middle warms its surroundings; the hot corner at the top
// left fades.
#include <utility>
#include <vector>

#include "../common/book.h"
#include "../common/grid.h"
#include "../common/heat.h"
#include "../common/heat_program.h"
#include "../common/texture_limit.h"

// Cell (x, y) of the plate, read at its texel's center, half a texel from its corner. Rounding is
// harmless there.
__device__ float cell(cudaTextureObject_t cells, int x, int y) {
  return tex2D<float>(cells, x + 0.5f, y + 0.5f);
}

// Step (1): cells with a source return to its temperature. One thread per cell; rows begin `pitch`
// floats apart.
__global__ void copy_const_kernel(float* in, size_t pitch, cudaTextureObject_t sources, int dim) {
  const int x = threadIdx.x + blockIdx.x * blockDim.x;
  const int y = threadIdx.y + blockIdx.y * blockDim.y;
  if (x >= dim || y >= dim) return;

  const float c = cell(sources, x, y);
  if (c != 0) in[x + y * pitch] = c;
}

// Step (2): every cell moves towards its four neighbors. Neighbors in x are adjacent in memory.
// Neighbors in y are a whole row apart, so a warp (32 cells of one row) reads three rows. `in` is
// read through a texture, `out` is written as plain memory. They are different buffers, so no
// thread reads through the texture what this launch writes.
__global__ void blend_kernel(float* out, size_t pitch, cudaTextureObject_t in, int dim) {
  const int x = threadIdx.x + blockIdx.x * blockDim.x;
  const int y = threadIdx.y + blockIdx.y * blockDim.y;
  if (x >= dim || y >= dim) return;

  // At the border the outside neighbor is the cell itself: the texture clamps addresses.
  const float c = cell(in, x, y);
  const float l = cell(in, x - 1, y);
  const float r = cell(in, x + 1, y);
  const float t = cell(in, x, y - 1);
  const float b = cell(in, x, y + 1);
  out[x + y * pitch] = c + speed * (t + b + l + r - c * 4);
}

int main(int argc, char** argv) {
  int steps = book_steps;
  Options options = heat_options("heat_2d", steps, {.gpu = 1024, .emulated = 384});
  options.parse(argc, argv);
  HANDLE_ERROR(cudaSetDevice(options.device));

  const int dim = options.size;
  require_limit(options, "A row of the 2D texture", dim, cudaDevAttrMaxTexture2DLinearWidth);
  require_limit(options, "A column of the 2D texture", dim, cudaDevAttrMaxTexture2DLinearHeight);
  const dim3 threads(32, 8);  // 32 cells of a row per warp
  const dim3 blocks(div_up(dim, threads.x), div_up(dim, threads.y));
  // Pitched memory: every row begins where a texture may begin a row.
  const size_t row = dim * sizeof(float);
  size_t bytes_per_row;  // the same for all buffers of one width
  float* in;
  float* out;
  float* sources;
  HANDLE_ERROR(cudaMallocPitch(&in, &bytes_per_row, row, dim));
  HANDLE_ERROR(cudaMallocPitch(&out, &bytes_per_row, row, dim));
  HANDLE_ERROR(cudaMallocPitch(&sources, &bytes_per_row, row, dim));
  const size_t pitch = bytes_per_row / sizeof(float);  // floats from row to row

  // One float per texel. A coordinate outside the plate reads the nearest texel inside.
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypePitch2D;
  resource.res.pitch2D.desc = cudaCreateChannelDesc<float>();
  resource.res.pitch2D.width = dim;
  resource.res.pitch2D.height = dim;
  resource.res.pitch2D.pitchInBytes = bytes_per_row;
  cudaTextureDesc sampling = {};
  sampling.addressMode[0] = cudaAddressModeClamp;
  sampling.addressMode[1] = cudaAddressModeClamp;
  sampling.filterMode = cudaFilterModePoint;
  sampling.readMode = cudaReadModeElementType;
  cudaTextureObject_t in_texture;
  cudaTextureObject_t out_texture;
  cudaTextureObject_t sources_texture;
  resource.res.pitch2D.devPtr = in;
  HANDLE_ERROR(cudaCreateTextureObject(&in_texture, &resource, &sampling, nullptr));
  resource.res.pitch2D.devPtr = out;
  HANDLE_ERROR(cudaCreateTextureObject(&out_texture, &resource, &sampling, nullptr));
  resource.res.pitch2D.devPtr = sources;
  HANDLE_ERROR(cudaCreateTextureObject(&sources_texture, &resource, &sampling, nullptr));

  const std::vector<float> sources_of_plate = constant_sources(dim);
  const std::vector<float> start = starting_plate(dim);
  HANDLE_ERROR(cudaMemcpy2D(sources, bytes_per_row, sources_of_plate.data(), row, row, dim,
                            cudaMemcpyHostToDevice));
  HANDLE_ERROR(
      cudaMemcpy2D(in, bytes_per_row, start.data(), row, row, dim, cudaMemcpyHostToDevice));

  // One frame: time steps of two kernels each. The buffers change places after each step.
  const auto advance = [&] {
    for (int step = 0; step < steps; ++step) {
      copy_const_kernel<<<blocks, threads>>>(in, pitch, sources_texture, dim);
      blend_kernel<<<blocks, threads>>>(out, pitch, in_texture, dim);
      HANDLE_ERROR(cudaGetLastError());
      std::swap(in, out);
      std::swap(in_texture, out_texture);
    }
  };
  const ShownPlate plate{
      .dim = dim, .pitch = pitch, .cells = [&] { return in; }, .advance = advance};
  const int code = run_heat(options, steps, "2D texture", plate);

  HANDLE_ERROR(cudaDestroyTextureObject(in_texture));
  HANDLE_ERROR(cudaDestroyTextureObject(out_texture));
  HANDLE_ERROR(cudaDestroyTextureObject(sources_texture));
  HANDLE_ERROR(cudaFree(in));
  HANDLE_ERROR(cudaFree(out));
  HANDLE_ERROR(cudaFree(sources));
  return code;
}
