// heat - heat spreads over a plate; every step reads through 1D textures on linear memory (tex1Dfetch).
//
// CUDA by Example, chapter 7 (texture memory), "Using Texture Memory". The book's texture references are gone
// since CUDA 12; texture objects, passed to the kernel as arguments, have taken their place. The lesson, what
// 1D textures change: diff heat_notexture.cu heat.cu
// Terms (docs/glossary.md): texture, stencil, global memory.
//
//   ./run heat                   a window, or after some seconds a film
//   ./run heat --headless --frames 60 --output heat.gif
//   ./run heat --check --size 256 --steps 10 --speed 0.1
//
// Keys: Esc or q ends, space pauses, s saves a picture, r restarts, + and - change the steps per frame, h shows
// all keys; a click or drag adds heat.
// What to see: the hot rectangle in the middle warms its surroundings; the hot corner at the top left fades.
#include <cstdio>
#include <string>
#include <utility>

#include "../common/book.h"
#include "../common/check.h"
#include "../common/cpu_anim.h"
#include "../common/grid.h"
#include "../common/options.h"
#include "../common/timing.h"
#include "heat_common.h"
#include "heat_window.h"
#include "texture_limit.h"

// Step (1): cells with a source take its temperature again. One thread per cell.
__global__ void copy_const_kernel(float* in, cudaTextureObject_t sources, int dim) {
  const int x = threadIdx.x + blockIdx.x * blockDim.x;
  const int y = threadIdx.y + blockIdx.y * blockDim.y;
  if (x >= dim || y >= dim) return;

  const int i = x + y * dim;
  const float c = tex1Dfetch<float>(sources, i);
  if (c != 0) in[i] = c;
}

// Step (2): every cell moves towards its four neighbors. Neighbors in x lie beside each other in memory;
// those in y lie a whole row apart, so a warp (32 cells of one row) reads three rows. `in` is read through a
// texture, `out` is written as plain memory: two different grids, so no thread reads through the texture what
// this launch writes.
__global__ void blend_kernel(float* out, cudaTextureObject_t in, int dim, float k) {
  const int x = threadIdx.x + blockIdx.x * blockDim.x;
  const int y = threadIdx.y + blockIdx.y * blockDim.y;
  if (x >= dim || y >= dim) return;

  // At the border the neighbor outside is the cell itself: no heat flows out of the plate.
  const int i = x + y * dim;
  const float c = tex1Dfetch<float>(in, i);
  const float l = x == 0 ? c : tex1Dfetch<float>(in, i - 1);
  const float r = x == dim - 1 ? c : tex1Dfetch<float>(in, i + 1);
  const float t = y == 0 ? c : tex1Dfetch<float>(in, i - dim);
  const float b = y == dim - 1 ? c : tex1Dfetch<float>(in, i + dim);
  out[i] = c + k * (t + b + l + r - c * 4);
}

// What a frame needs: the grids lie in device memory, each with a texture that reads it.
struct Plate {
  int dim;
  HeatParameters heat;
  dim3 blocks, threads;
  float *in = nullptr, *out = nullptr, *sources = nullptr;
  cudaTextureObject_t in_texture = 0, out_texture = 0, sources_texture = 0;
};

// One frame: time steps of two kernels each; the grids change places after each step.
void advance(Plate& plate) {
  for (int step = 0; step < plate.heat.steps; ++step) {
    copy_const_kernel<<<plate.blocks, plate.threads>>>(plate.in, plate.sources_texture, plate.dim);
    blend_kernel<<<plate.blocks, plate.threads>>>(plate.out, plate.in_texture, plate.dim, plate.heat.speed);
    HANDLE_ERROR(cudaGetLastError());
    std::swap(plate.in, plate.out);
    std::swap(plate.in_texture, plate.out_texture);
  }
}

// Compares with the CPU reference, and measures if wanted. Returns the exit code.
int check(Plate& plate, const Options& options) {
  for (int frame = 0; frame < options.frames; ++frame) advance(plate);
  Grid got(static_cast<size_t>(plate.dim) * plate.dim);
  HANDLE_ERROR(cudaMemcpy(got.data(), plate.in, got.size() * sizeof(float), cudaMemcpyDeviceToHost));
  const bool passed = check_equal("temperature", got, reference_heat(plate.dim, options.frames, plate.heat));
  if (passed && options.benchmark) {
    BenchmarkTable table("heat, " + std::to_string(plate.heat.steps) + " steps per frame");
    // A step moves at least: source and cell read, cell written by (1); cell read, cell written by (2).
    const double bytes = 5.0 * sizeof(float) * got.size() * plate.heat.steps;
    table.add("1D texture", measure([&] { advance(plate); }), bytes);
    table.print();
  }
  return verdict(options.name(), passed);
}

// Frame after frame to the window or the file, until the user ends it. Returns the exit code.
int animate(Plate& plate, const Grid& start, const Options& options) {
  CPUAnimBitmap bitmap(plate.dim, plate.dim);
  uchar4* pixels;
  cudaEvent_t begin, end;
  HANDLE_ERROR(cudaMalloc(&pixels, bitmap.image_size()));
  HANDLE_ERROR(cudaEventCreate(&begin));
  HANDLE_ERROR(cudaEventCreate(&end));

  float total_ms = 0;
  int frames = 0, steps = 0;
  const auto draw = [&](int) {
    HANDLE_ERROR(cudaEventRecord(begin, 0));
    advance(plate);
    HANDLE_ERROR(cudaEventRecord(end, 0));
    color_kernel<<<plate.blocks, plate.threads>>>(pixels, plate.in, plate.dim, plate.dim);
    HANDLE_ERROR(cudaGetLastError());
    HANDLE_ERROR(cudaMemcpy(bitmap.get_ptr(), pixels, bitmap.image_size(), cudaMemcpyDeviceToHost));
    float ms;
    HANDLE_ERROR(cudaEventSynchronize(end));
    HANDLE_ERROR(cudaEventElapsedTime(&ms, begin, end));
    total_ms += ms;
    ++frames;
    steps += plate.heat.steps;
  };
  Interaction mouse_and_keys = heat_interaction(plate.heat.steps);
  mouse_and_keys.drag = [&](int x0, int y0, int x1, int y1) {
    add_heat_kernel<<<plate.blocks, plate.threads>>>(plate.in, plate.dim, plate.dim, x0, y0, x1, y1);
    HANDLE_ERROR(cudaGetLastError());
  };
  mouse_and_keys.restart = [&] {
    HANDLE_ERROR(cudaMemcpy(plate.in, start.data(), start.size() * sizeof(float), cudaMemcpyHostToDevice));
  };
  const int code = bitmap.animate(options, draw, mouse_and_keys);
  if (frames > 0)
    std::printf("Average time per frame: %.3f ms (%d steps)\n", total_ms / frames, steps / frames);

  HANDLE_ERROR(cudaEventDestroy(begin));
  HANDLE_ERROR(cudaEventDestroy(end));
  HANDLE_ERROR(cudaFree(pixels));
  return code;
}

int main(int argc, char** argv) {
  Options options("heat", "Heat spreads over a plate, read through 1D textures on linear memory.",
                  Common::animation | Common::check | Common::benchmark | Common::device);
  HeatParameters heat;
  heat.add_to(options);
  add_heat_keys(options);
  options.default_size({.gpu = 1024, .emulated = 256});
  options.parse(argc, argv);
  HANDLE_ERROR(cudaSetDevice(options.device));

  const int dim = options.size;
  require_limit(options, "The 1D texture of a grid", 1LL * dim * dim, cudaDevAttrMaxTexture1DLinearWidth);
  const dim3 threads(32, 8);  // 32 cells of a row per warp
  const dim3 blocks(div_up(dim, threads.x), div_up(dim, threads.y));
  Plate plate{dim, heat, blocks, threads};
  const size_t bytes = static_cast<size_t>(dim) * dim * sizeof(float);
  HANDLE_ERROR(cudaMalloc(&plate.in, bytes));
  HANDLE_ERROR(cudaMalloc(&plate.out, bytes));
  HANDLE_ERROR(cudaMalloc(&plate.sources, bytes));

  // One float per texel; texel i is cell i.
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeLinear;
  resource.res.linear.desc = cudaCreateChannelDesc<float>();
  resource.res.linear.sizeInBytes = bytes;
  cudaTextureDesc sampling = {};
  sampling.readMode = cudaReadModeElementType;
  resource.res.linear.devPtr = plate.in;
  HANDLE_ERROR(cudaCreateTextureObject(&plate.in_texture, &resource, &sampling, nullptr));
  resource.res.linear.devPtr = plate.out;
  HANDLE_ERROR(cudaCreateTextureObject(&plate.out_texture, &resource, &sampling, nullptr));
  resource.res.linear.devPtr = plate.sources;
  HANDLE_ERROR(cudaCreateTextureObject(&plate.sources_texture, &resource, &sampling, nullptr));

  const Grid sources = constant_sources(dim), start = starting_grid(dim);
  HANDLE_ERROR(cudaMemcpy(plate.sources, sources.data(), bytes, cudaMemcpyHostToDevice));
  HANDLE_ERROR(cudaMemcpy(plate.in, start.data(), bytes, cudaMemcpyHostToDevice));

  const int code =
      options.check || options.benchmark ? check(plate, options) : animate(plate, start, options);

  HANDLE_ERROR(cudaDestroyTextureObject(plate.in_texture));
  HANDLE_ERROR(cudaDestroyTextureObject(plate.out_texture));
  HANDLE_ERROR(cudaDestroyTextureObject(plate.sources_texture));
  HANDLE_ERROR(cudaFree(plate.in));
  HANDLE_ERROR(cudaFree(plate.out));
  HANDLE_ERROR(cudaFree(plate.sources));
  return code;
}
