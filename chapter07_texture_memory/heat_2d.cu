// heat_2d - heat spreads over a plate; every step reads through 2D textures (tex2D) on pitched memory.
//
// CUDA by Example, chapter 7 (texture memory), "Using Two-Dimensional Texture Memory", with texture objects.
// The lesson, what 2D textures change: diff heat_notexture.cu heat_2d.cu. The texture unit does the borders:
// with clamped addresses a neighbor outside the plate is the cell itself, without a comparison in the kernel.
// Terms (docs/glossary.md): texture, stencil, stride.
//
//   ./run heat_2d                a window, or after some seconds a film
//   ./run heat_2d --headless --frames 60 --output heat.gif
//   ./run heat_2d --check --size 256 --steps 10 --speed 0.1
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

// Cell (x, y) of a grid, read at its texel's center, half a texel from its corner: rounding does no harm there.
__device__ float cell(cudaTextureObject_t grid, int x, int y) {
  return tex2D<float>(grid, x + 0.5f, y + 0.5f);
}

// Step (1): cells with a source take its temperature again. One thread per cell; rows begin `pitch` floats apart.
__global__ void copy_const_kernel(float* in, size_t pitch, cudaTextureObject_t sources, int dim) {
  const int x = threadIdx.x + blockIdx.x * blockDim.x;
  const int y = threadIdx.y + blockIdx.y * blockDim.y;
  if (x >= dim || y >= dim) return;

  const float c = cell(sources, x, y);
  if (c != 0) in[x + y * pitch] = c;
}

// Step (2): every cell moves towards its four neighbors. Neighbors in x lie beside each other in memory;
// those in y lie a whole row apart, so a warp (32 cells of one row) reads three rows. `in` is read through a
// texture, `out` is written as plain memory: two different grids, so no thread reads through the texture what
// this launch writes.
__global__ void blend_kernel(float* out, size_t pitch, cudaTextureObject_t in, int dim, float k) {
  const int x = threadIdx.x + blockIdx.x * blockDim.x;
  const int y = threadIdx.y + blockIdx.y * blockDim.y;
  if (x >= dim || y >= dim) return;

  // At the border the neighbor outside is the cell itself: the texture's clamped addresses see to that.
  const float c = cell(in, x, y);
  const float l = cell(in, x - 1, y);
  const float r = cell(in, x + 1, y);
  const float t = cell(in, x, y - 1);
  const float b = cell(in, x, y + 1);
  out[x + y * pitch] = c + k * (t + b + l + r - c * 4);
}

// What a frame needs: the grids lie in device memory, each with a texture that reads it.
struct Plate {
  int dim;
  HeatParameters heat;
  dim3 blocks, threads;
  float *in = nullptr, *out = nullptr, *sources = nullptr;
  size_t row = 0, pitch = 0;  // bytes of a row's cells; floats from row to row
  cudaTextureObject_t in_texture = 0, out_texture = 0, sources_texture = 0;
};

// One frame: time steps of two kernels each; the grids change places after each step.
void advance(Plate& plate) {
  for (int step = 0; step < plate.heat.steps; ++step) {
    copy_const_kernel<<<plate.blocks, plate.threads>>>(plate.in, plate.pitch, plate.sources_texture,
                                                       plate.dim);
    blend_kernel<<<plate.blocks, plate.threads>>>(plate.out, plate.pitch, plate.in_texture, plate.dim,
                                                  plate.heat.speed);
    HANDLE_ERROR(cudaGetLastError());
    std::swap(plate.in, plate.out);
    std::swap(plate.in_texture, plate.out_texture);
  }
}

// Compares with the CPU reference, and measures if wanted. Returns the exit code.
int check(Plate& plate, const Options& options) {
  for (int frame = 0; frame < options.frames; ++frame) advance(plate);
  Grid got(static_cast<size_t>(plate.dim) * plate.dim);
  HANDLE_ERROR(cudaMemcpy2D(got.data(), plate.row, plate.in, plate.pitch * sizeof(float), plate.row,
                            plate.dim, cudaMemcpyDeviceToHost));
  const bool passed = check_equal("temperature", got, reference_heat(plate.dim, options.frames, plate.heat));
  if (passed && options.benchmark) {
    BenchmarkTable table("heat, " + std::to_string(plate.heat.steps) + " steps per frame");
    // A step moves at least: source and cell read, cell written by (1); cell read, cell written by (2).
    const double bytes = 5.0 * sizeof(float) * got.size() * plate.heat.steps;
    table.add("2D texture", measure([&] { advance(plate); }), bytes);
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
    color_kernel<<<plate.blocks, plate.threads>>>(pixels, plate.in, plate.pitch, plate.dim);
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
    add_heat_kernel<<<plate.blocks, plate.threads>>>(plate.in, plate.pitch, plate.dim, x0, y0, x1, y1);
    HANDLE_ERROR(cudaGetLastError());
  };
  mouse_and_keys.restart = [&] {
    HANDLE_ERROR(cudaMemcpy2D(plate.in, plate.pitch * sizeof(float), start.data(), plate.row, plate.row,
                              plate.dim, cudaMemcpyHostToDevice));
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
  Options options("heat_2d", "Heat spreads over a plate, read through 2D textures on pitched memory.",
                  Common::animation | Common::check | Common::benchmark | Common::device);
  HeatParameters heat;
  heat.add_to(options);
  add_heat_keys(options);
  options.default_size({.gpu = 1024, .emulated = 192});
  options.parse(argc, argv);
  HANDLE_ERROR(cudaSetDevice(options.device));

  const int dim = options.size;
  require_limit(options, "A row of the 2D texture", dim, cudaDevAttrMaxTexture2DLinearWidth);
  require_limit(options, "A column of the 2D texture", dim, cudaDevAttrMaxTexture2DLinearHeight);
  const dim3 threads(32, 8);  // 32 cells of a row per warp
  const dim3 blocks(div_up(dim, threads.x), div_up(dim, threads.y));
  Plate plate{dim, heat, blocks, threads};
  const size_t row = dim * sizeof(float);
  plate.row = row;
  // Pitched memory: every row begins where a texture may begin a row.
  size_t pitch = 0;  // in bytes, the same for all grids of one width
  HANDLE_ERROR(cudaMallocPitch(&plate.in, &pitch, row, dim));
  HANDLE_ERROR(cudaMallocPitch(&plate.out, &pitch, row, dim));
  HANDLE_ERROR(cudaMallocPitch(&plate.sources, &pitch, row, dim));
  plate.pitch = pitch / sizeof(float);

  // One float per texel; a coordinate outside the grid means the nearest texel inside.
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypePitch2D;
  resource.res.pitch2D.desc = cudaCreateChannelDesc<float>();
  resource.res.pitch2D.width = dim;
  resource.res.pitch2D.height = dim;
  resource.res.pitch2D.pitchInBytes = pitch;
  cudaTextureDesc sampling = {};
  sampling.addressMode[0] = sampling.addressMode[1] = cudaAddressModeClamp;
  sampling.filterMode = cudaFilterModePoint;
  sampling.readMode = cudaReadModeElementType;
  resource.res.pitch2D.devPtr = plate.in;
  HANDLE_ERROR(cudaCreateTextureObject(&plate.in_texture, &resource, &sampling, nullptr));
  resource.res.pitch2D.devPtr = plate.out;
  HANDLE_ERROR(cudaCreateTextureObject(&plate.out_texture, &resource, &sampling, nullptr));
  resource.res.pitch2D.devPtr = plate.sources;
  HANDLE_ERROR(cudaCreateTextureObject(&plate.sources_texture, &resource, &sampling, nullptr));

  const Grid sources = constant_sources(dim), start = starting_grid(dim);
  HANDLE_ERROR(cudaMemcpy2D(plate.sources, pitch, sources.data(), row, row, dim, cudaMemcpyHostToDevice));
  HANDLE_ERROR(cudaMemcpy2D(plate.in, pitch, start.data(), row, row, dim, cudaMemcpyHostToDevice));

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
