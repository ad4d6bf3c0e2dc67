// read_write_coherency - what a texture returns for memory that the same launch changes.
//
// Programming guide, "Read/Write Coherency": the texture cache is not kept coherent with writes of
// the same launch. Reading an address through a texture after the same launch has written it is
// undefined and may return the old or the new value. After a new launch (or a copy) every texture
// read returns the written value.
// Terms (docs/glossary.md): texture, global memory, race.
//
//   ./run read_write_coherency                         # prints and shows what the texture returned
//   ./run read_write_coherency --headless --output coherency.png
//   ./run read_write_coherency --check --size 256
//
// Keys: Esc or q quits, s saves a picture.
// What to see: three bands of cells. Top: before the write, all old (blue). Middle: the same
// launch; old, new (orange) or a mixture: undefined. Bottom: read in the next launch, all new.
#include <vector>

#include "../common/book.h"
#include "../common/check.h"
#include "../common/grid.h"
#include "../common/options.h"
#include "../common/picture/present.h"
#include "../common/texture_limit.h"
#include "read_write_coherency_picture.h"

constexpr float old_value = 1;
constexpr float new_value = 2;

// Reads every cell through the texture. One thread per cell.
__global__ void read_kernel(float* seen, cudaTextureObject_t texture, int n) {
  const int i = threadIdx.x + blockIdx.x * blockDim.x;
  if (i < n) seen[i] = tex1Dfetch<float>(texture, i);
}

// Reads the cell once (so that it may be in the texture cache), overwrites its memory and reads
// again: the second read is undefined. The result of the first read is used, so that the compiler
// keeps that read.
__global__ void write_and_read_kernel(float* cells, float* seen, cudaTextureObject_t texture,
                                      int n) {
  const int i = threadIdx.x + blockIdx.x * blockDim.x;
  if (i >= n) return;
  const float first = tex1Dfetch<float>(texture, i);
  cells[i] = first + (new_value - old_value);
  __threadfence();
  seen[i] = tex1Dfetch<float>(texture, i);
}

// CPU reference: the values that the guide defines. For the same launch it defines nothing, so
// there is nothing to compare.
Seen reference_seen(size_t n) {
  return {.before = std::vector(n, old_value),
          .same_launch = {},
          .next_launch = std::vector(n, new_value)};
}

int main(int argc, char** argv) {
  Options options("read_write_coherency", Common::picture | Common::check | Common::device);
  options.parse(argc, argv);
  HANDLE_ERROR(cudaSetDevice(options.device));
  require_limit(options, "The texture", 1LL * options.size * options.size,
                cudaDevAttrMaxTexture1DLinearWidth);
  const int n = options.size * options.size;
  const size_t bytes = n * sizeof(float);

  float* cells;
  float* device_seen;
  HANDLE_ERROR(cudaMalloc(&cells, bytes));
  HANDLE_ERROR(cudaMalloc(&device_seen, bytes));
  const std::vector<float> start(n, old_value);
  HANDLE_ERROR(cudaMemcpy(cells, start.data(), bytes, cudaMemcpyHostToDevice));

  // A texture over plain memory: kernels can write it without the texture's notice.
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeLinear;
  resource.res.linear.devPtr = cells;
  resource.res.linear.desc = cudaCreateChannelDesc<float>();
  resource.res.linear.sizeInBytes = bytes;
  cudaTextureDesc sampling = {};
  sampling.readMode = cudaReadModeElementType;
  cudaTextureObject_t texture;
  HANDLE_ERROR(cudaCreateTextureObject(&texture, &resource, &sampling, nullptr));

  const int threads = 256;
  const int blocks = div_up(n, threads);
  Seen seen{std::vector<float>(n), std::vector<float>(n), std::vector<float>(n)};
  read_kernel<<<blocks, threads>>>(device_seen, texture, n);
  HANDLE_ERROR(cudaGetLastError());
  HANDLE_ERROR(cudaMemcpy(seen.before.data(), device_seen, bytes, cudaMemcpyDeviceToHost));
  write_and_read_kernel<<<blocks, threads>>>(cells, device_seen, texture, n);
  HANDLE_ERROR(cudaGetLastError());
  HANDLE_ERROR(cudaMemcpy(seen.same_launch.data(), device_seen, bytes, cudaMemcpyDeviceToHost));
  read_kernel<<<blocks, threads>>>(device_seen, texture, n);
  HANDLE_ERROR(cudaGetLastError());
  HANDLE_ERROR(cudaMemcpy(seen.next_launch.data(), device_seen, bytes, cudaMemcpyDeviceToHost));

  HANDLE_ERROR(cudaDestroyTextureObject(texture));
  HANDLE_ERROR(cudaFree(cells));
  HANDLE_ERROR(cudaFree(device_seen));
  if (options.check) {
    const Seen expected = reference_seen(n);
    const bool before = check_equal("before the write", seen.before, expected.before);
    const bool after = check_equal("in the next launch", seen.next_launch, expected.next_launch);
    return verdict(options.name(), before && after);
  }

  print_counts(seen, old_value, new_value);
  return present(options, draw_bands(seen, old_value, new_value, options.size));
}
