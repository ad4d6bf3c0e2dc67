// heat_notexture - heat spreads over a plate; every step reads plain global memory.
//
// CUDA by Example, chapter 7 (texture memory), "Simulating Heat Transfer", in the plain version.
// What textures change: diff heat_notexture.cu heat.cu, and diff heat_notexture.cu heat_2d.cu
// Terms (docs/glossary.md): kernel, stencil, coalescing, global memory.
//
//   ./run heat_notexture         a window, or a film after some seconds
//   ./run heat_notexture --headless --frames 60 --output heat.gif
//   ./run heat_notexture --check --size 256 --steps 10
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

// Step (1): cells with a source return to its temperature. One thread per cell.
__global__ void copy_const_kernel(float* in, const float* sources, int dim) {
  const int x = threadIdx.x + blockIdx.x * blockDim.x;
  const int y = threadIdx.y + blockIdx.y * blockDim.y;
  if (x >= dim || y >= dim) return;

  const size_t i = x + static_cast<size_t>(y) * dim;
  const float c = sources[i];
  if (c != 0) in[i] = c;
}

// Step (2): every cell moves towards its four neighbors. Neighbors in x are adjacent in memory.
// Neighbors in y are a whole row apart, so a warp (32 cells of one row) reads three rows.
__global__ void blend_kernel(float* out, const float* in, int dim) {
  const int x = threadIdx.x + blockIdx.x * blockDim.x;
  const int y = threadIdx.y + blockIdx.y * blockDim.y;
  if (x >= dim || y >= dim) return;

  // At the border the outside neighbor is the cell itself: no heat flows out of the plate.
  const size_t i = x + static_cast<size_t>(y) * dim;
  const float c = in[i];
  const float l = x == 0 ? c : in[i - 1];
  const float r = x == dim - 1 ? c : in[i + 1];
  const float t = y == 0 ? c : in[i - dim];
  const float b = y == dim - 1 ? c : in[i + dim];
  out[i] = c + speed * (t + b + l + r - c * 4);
}

int main(int argc, char** argv) {
  int steps = book_steps;
  Options options = heat_options("heat_notexture", steps, {.gpu = 1024, .emulated = 384});
  options.parse(argc, argv);
  HANDLE_ERROR(cudaSetDevice(options.device));

  const int dim = options.size;
  const dim3 threads(32, 8);  // 32 cells of a row per warp
  const dim3 blocks(div_up(dim, threads.x), div_up(dim, threads.y));
  const size_t bytes = static_cast<size_t>(dim) * dim * sizeof(float);
  float* in;
  float* out;
  float* sources;
  HANDLE_ERROR(cudaMalloc(&in, bytes));
  HANDLE_ERROR(cudaMalloc(&out, bytes));
  HANDLE_ERROR(cudaMalloc(&sources, bytes));

  const std::vector<float> sources_of_plate = constant_sources(dim);
  const std::vector<float> start = starting_plate(dim);
  HANDLE_ERROR(cudaMemcpy(sources, sources_of_plate.data(), bytes, cudaMemcpyHostToDevice));
  HANDLE_ERROR(cudaMemcpy(in, start.data(), bytes, cudaMemcpyHostToDevice));

  // One frame: time steps of two kernels each. The buffers change places after each step.
  const auto advance = [&] {
    for (int step = 0; step < steps; ++step) {
      copy_const_kernel<<<blocks, threads>>>(in, sources, dim);
      blend_kernel<<<blocks, threads>>>(out, in, dim);
      HANDLE_ERROR(cudaGetLastError());
      std::swap(in, out);
    }
  };
  const ShownPlate plate{.dim = dim,
                         .pitch = static_cast<size_t>(dim),
                         .cells = [&] { return in; },
                         .advance = advance};
  const int code = run_heat(options, steps, "global memory", plate);

  HANDLE_ERROR(cudaFree(in));
  HANDLE_ERROR(cudaFree(out));
  HANDLE_ERROR(cudaFree(sources));
  return code;
}
