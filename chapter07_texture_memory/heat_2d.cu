// heat_2d - heat spreads over a plate; every step reads through 2D textures (tex2D) on pitched memory.
//
// CUDA by Example, chapter 7 (texture memory), "Using Two-Dimensional Texture Memory", with texture objects.
// The lesson, what 2D textures change: diff heat_notexture.cu heat_2d.cu. The texture unit does the borders:
// with clamped addresses a neighbour outside the plate is the cell itself, without a comparison in the
// kernel.
//
//   heat_2d                                               a window where there is a display
//   heat_2d --headless --frames 60 --output heat.gif
//   heat_2d --check --size 256
//
// Keys: Esc or q ends, space pauses, s saves a picture, r restarts; a click or drag adds heat.
// What to see: the hot rectangle in the middle warms its surroundings; the hot corner at the top left fades.
#include <utility>

#include "../common/book.h"
#include "../common/device_memory.h"
#include "../common/options.h"
#include "../common/timing.h"
#include "heat_common.h"
#include "heat_program.h"
#include "texture_objects.h"

// Rows of pitched memory start `pitch` floats apart. A texel's centre lies half a texel beyond its corner;
// reading there is safe from rounding.
__device__ float cell(cudaTextureObject_t grid, int x, int y) {
  return tex2D<float>(grid, x + 0.5f, y + 0.5f);
}

// Step (1): cells with a source take its temperature again. One thread a cell.
__global__ void copy_const_kernel(float* in, size_t pitch, cudaTextureObject_t constants, int dim) {
  const int x = threadIdx.x + blockIdx.x * blockDim.x;
  const int y = threadIdx.y + blockIdx.y * blockDim.y;
  if (x >= dim || y >= dim) return;

  const float c = cell(constants, x, y);
  if (c != 0) in[x + y * pitch] = c;
}

// Step (2): every cell moves towards its four neighbours. Neighbours in x lie beside each other in memory;
// those in y lie a whole row apart, so a warp (32 cells of one row) reads three rows. `in` is read through a
// texture, `out` is written as plain memory: two different grids, so no thread reads through the texture what
// this launch writes.
__global__ void blend_kernel(float* out, size_t pitch, cudaTextureObject_t in, int dim) {
  const int x = threadIdx.x + blockIdx.x * blockDim.x;
  const int y = threadIdx.y + blockIdx.y * blockDim.y;
  if (x >= dim || y >= dim) return;

  // At the border the neighbour outside is the cell itself: the texture's clamped addresses see to that.
  const float c = cell(in, x, y);
  const float l = cell(in, x - 1, y);
  const float r = cell(in, x + 1, y);
  const float t = cell(in, x, y - 1);
  const float b = cell(in, x, y + 1);
  out[x + y * pitch] = c + speed * (t + b + l + r - c * 4);
}

// Colours of a grid, as color_kernel in heat_common.h.
__global__ void color_texture_kernel(uchar4* pixels, cudaTextureObject_t grid, int dim) {
  const int x = threadIdx.x + blockIdx.x * blockDim.x;
  const int y = threadIdx.y + blockIdx.y * blockDim.y;
  if (x >= dim || y >= dim) return;
  pixels[x + static_cast<size_t>(y) * dim] = heat_color(cell(grid, x, y));
}

// The mouse heats a disc, as add_heat_kernel in heat_common.h.
__global__ void add_heat_pitched_kernel(float* grid, size_t pitch, int dim, int center_x, int center_y,
                                        int radius) {
  const int x = threadIdx.x + blockIdx.x * blockDim.x;
  const int y = threadIdx.y + blockIdx.y * blockDim.y;
  if (x >= dim || y >= dim) return;
  const int dx = x - center_x, dy = y - center_y;
  if (dx * dx + dy * dy <= radius * radius) grid[x + y * pitch] = max_temperature;
}

// A grid of dim x dim cells in pitched memory, and the texture that reads it.
class PitchedGrid {
 public:
  explicit PitchedGrid(int dim) : dim_(dim) {
    size_t pitch_bytes = 0;
    HANDLE_ERROR(cudaMallocPitch(&cells_.handle, &pitch_bytes, dim * sizeof(float), dim));
    pitch_ = pitch_bytes / sizeof(float);
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypePitch2D;
    resource.res.pitch2D.devPtr = cells_.handle;
    resource.res.pitch2D.desc = cudaCreateChannelDesc<float>();
    resource.res.pitch2D.width = dim;
    resource.res.pitch2D.height = dim;
    resource.res.pitch2D.pitchInBytes = pitch_bytes;
    cudaTextureDesc sampling = {};
    sampling.addressMode[0] = sampling.addressMode[1] = cudaAddressModeClamp;
    sampling.filterMode = cudaFilterModePoint;
    sampling.readMode = cudaReadModeElementType;
    HANDLE_ERROR(cudaCreateTextureObject(&texture_.handle, &resource, &sampling, nullptr));
  }

  void upload(const Grid& grid) {
    const size_t row = dim_ * sizeof(float);
    HANDLE_ERROR(
        cudaMemcpy2D(get(), pitch_ * sizeof(float), grid.data(), row, row, dim_, cudaMemcpyHostToDevice));
  }
  Grid download() const {
    Grid grid(static_cast<size_t>(dim_) * dim_);
    const size_t row = dim_ * sizeof(float);
    HANDLE_ERROR(
        cudaMemcpy2D(grid.data(), row, get(), pitch_ * sizeof(float), row, dim_, cudaMemcpyDeviceToHost));
    return grid;
  }
  float* get() const { return static_cast<float*>(cells_.handle); }
  size_t pitch() const { return pitch_; }  // in floats
  cudaTextureObject_t texture() const { return texture_.handle; }

 private:
  int dim_;
  size_t pitch_ = 0;
  Owned<void*, cudaFree> cells_;
  TextureOwner texture_;
};

// The plate in device memory.
class Plate {
 public:
  explicit Plate(int dim)
      : dim_(dim),
        threads_(32, 8),
        blocks_((dim + threads_.x - 1) / threads_.x, (dim + threads_.y - 1) / threads_.y),
        in_(dim),
        out_(dim),
        constants_(dim),
        pixels_(static_cast<size_t>(dim) * dim) {
    constants_.upload(constant_sources(dim));
    restart();
  }

  void restart() { in_.upload(starting_grid(dim_)); }

  void add_heat(int x, int y) {
    add_heat_pitched_kernel<<<blocks_, threads_>>>(in_.get(), in_.pitch(), dim_, x, y, dim_ / 40 + 1);
    HANDLE_ERROR(cudaGetLastError());
  }

  // 90 steps. Returns the time that they took on the device, in milliseconds.
  float advance() {
    timer_.start();
    for (int step = 0; step < steps_per_frame; ++step) {
      copy_const_kernel<<<blocks_, threads_>>>(in_.get(), in_.pitch(), constants_.texture(), dim_);
      blend_kernel<<<blocks_, threads_>>>(out_.get(), out_.pitch(), in_.texture(), dim_);
      std::swap(in_, out_);
    }
    HANDLE_ERROR(cudaGetLastError());
    return timer_.stop();
  }

  // The plate's colours, into host memory: dim * dim pixels of 4 bytes.
  void draw(unsigned char* picture) {
    color_texture_kernel<<<blocks_, threads_>>>(pixels_.get(), in_.texture(), dim_);
    HANDLE_ERROR(cudaGetLastError());
    HANDLE_ERROR(cudaMemcpy(picture, pixels_.get(), pixels_.bytes(), cudaMemcpyDeviceToHost));
  }

  Grid temperatures() const { return in_.download(); }

 private:
  int dim_;
  dim3 threads_, blocks_;
  PitchedGrid in_, out_, constants_;
  DeviceMemory<uchar4> pixels_;
  EventTimer timer_;
};

int main(int argc, char** argv) {
  Options options("heat_2d", "Heat spreads over a plate, read through 2D textures on pitched memory.",
                  Common::animation | Common::check | Common::benchmark | Common::device);
  options.parse(argc, argv);
  HANDLE_ERROR(cudaSetDevice(options.device));
  require_limit(options, "A row of the 2D texture", options.size, cudaDevAttrMaxTexture2DLinearWidth);
  require_limit(options, "A column of the 2D texture", options.size, cudaDevAttrMaxTexture2DLinearHeight);
  return run_heat<Plate>(options, "2D texture");
}
