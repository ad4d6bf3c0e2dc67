// heat - heat spreads over a plate; every step reads through 1D textures (tex1Dfetch).
//
// CUDA by Example, chapter 7 (texture memory), "Using Texture Memory". CUDA 12 removed the book's
// texture references. Texture objects replace them. A texture object is an argument of the
// kernel.
// What 1D textures change: diff heat_notexture.cu heat.cu
// Terms (docs/glossary.md): texture, stencil, global memory.
//
//   ./run heat                   a window, or a film after some seconds
//   ./run heat --headless --frames 60 --output heat.gif
//   ./run heat --check --size 256 --steps 10
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

// Step (1): cells with a source return to its temperature. One thread per cell.
__global__ void copy_const_kernel(float* in, cudaTextureObject_t sources, int dim) {
  const int x = threadIdx.x + blockIdx.x * blockDim.x;
  const int y = threadIdx.y + blockIdx.y * blockDim.y;
  if (x >= dim || y >= dim) return;

  const int i = x + y * dim;
  const float c = tex1Dfetch<float>(sources, i);
  if (c != 0) in[i] = c;
}

// Step (2): every cell moves towards its four neighbors. Neighbors in x are adjacent in memory.
// Neighbors in y are a whole row apart, so a warp (32 cells of one row) reads three rows. `in` is
// read through a texture, `out` is written as plain memory. They are different buffers, so no
// thread reads through the texture what this launch writes.
__global__ void blend_kernel(float* out, cudaTextureObject_t in, int dim) {
  const int x = threadIdx.x + blockIdx.x * blockDim.x;
  const int y = threadIdx.y + blockIdx.y * blockDim.y;
  if (x >= dim || y >= dim) return;

  // At the border the outside neighbor is the cell itself: no heat flows out of the plate.
  const int i = x + y * dim;
  const float c = tex1Dfetch<float>(in, i);
  const float l = x == 0 ? c : tex1Dfetch<float>(in, i - 1);
  const float r = x == dim - 1 ? c : tex1Dfetch<float>(in, i + 1);
  const float t = y == 0 ? c : tex1Dfetch<float>(in, i - dim);
  const float b = y == dim - 1 ? c : tex1Dfetch<float>(in, i + dim);
  out[i] = c + speed * (t + b + l + r - c * 4);
}

int main(int argc, char** argv) {
  int steps = book_steps;
  Options options = heat_options("heat", steps, {.gpu = 1024, .emulated = 256});
  options.parse(argc, argv);
  HANDLE_ERROR(cudaSetDevice(options.device));

  const int dim = options.size;
  require_limit(options, "The 1D texture of a plate", 1LL * dim * dim,
                cudaDevAttrMaxTexture1DLinearWidth);
  const dim3 threads(32, 8);  // 32 cells of a row per warp
  const dim3 blocks(div_up(dim, threads.x), div_up(dim, threads.y));
  const size_t bytes = static_cast<size_t>(dim) * dim * sizeof(float);
  float* in;
  float* out;
  float* sources;
  HANDLE_ERROR(cudaMalloc(&in, bytes));
  HANDLE_ERROR(cudaMalloc(&out, bytes));
  HANDLE_ERROR(cudaMalloc(&sources, bytes));

  // One float per texel; texel i is cell i.
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeLinear;
  resource.res.linear.desc = cudaCreateChannelDesc<float>();
  resource.res.linear.sizeInBytes = bytes;
  cudaTextureDesc sampling = {};
  sampling.readMode = cudaReadModeElementType;
  cudaTextureObject_t in_texture;
  cudaTextureObject_t out_texture;
  cudaTextureObject_t sources_texture;
  resource.res.linear.devPtr = in;
  HANDLE_ERROR(cudaCreateTextureObject(&in_texture, &resource, &sampling, nullptr));
  resource.res.linear.devPtr = out;
  HANDLE_ERROR(cudaCreateTextureObject(&out_texture, &resource, &sampling, nullptr));
  resource.res.linear.devPtr = sources;
  HANDLE_ERROR(cudaCreateTextureObject(&sources_texture, &resource, &sampling, nullptr));

  const std::vector<float> sources_of_plate = constant_sources(dim);
  const std::vector<float> start = starting_plate(dim);
  HANDLE_ERROR(cudaMemcpy(sources, sources_of_plate.data(), bytes, cudaMemcpyHostToDevice));
  HANDLE_ERROR(cudaMemcpy(in, start.data(), bytes, cudaMemcpyHostToDevice));

  // One frame: time steps of two kernels each. The buffers change places after each step.
  const auto advance = [&] {
    for (int step = 0; step < steps; ++step) {
      copy_const_kernel<<<blocks, threads>>>(in, sources_texture, dim);
      blend_kernel<<<blocks, threads>>>(out, in_texture, dim);
      HANDLE_ERROR(cudaGetLastError());
      std::swap(in, out);
      std::swap(in_texture, out_texture);
    }
  };
  const ShownPlate plate{.dim = dim,
                         .pitch = static_cast<size_t>(dim),
                         .cells = [&] { return in; },
                         .advance = advance};
  const int code = run_heat(options, steps, "1D texture", plate);

  HANDLE_ERROR(cudaDestroyTextureObject(in_texture));
  HANDLE_ERROR(cudaDestroyTextureObject(out_texture));
  HANDLE_ERROR(cudaDestroyTextureObject(sources_texture));
  HANDLE_ERROR(cudaFree(in));
  HANDLE_ERROR(cudaFree(out));
  HANDLE_ERROR(cudaFree(sources));
  return code;
}
