// heat_notexture - heat spreads over a plate; every step reads plain global memory.
//
// CUDA by Example, chapter 7 (texture memory), "Simulating Heat Transfer".
// The plain version: `diff heat_notexture.cu heat.cu` and `diff heat_notexture.cu heat_2d.cu`
// show what textures change.
//
//   heat_notexture                                        a window where there is a display
//   heat_notexture --headless --frames 60 --output heat.gif
//   heat_notexture --check --size 256
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

// Step (1): cells with a source take its temperature again. One thread a cell.
__global__ void copy_const_kernel(float* in, const float* constants, int dim) {
  const int x = threadIdx.x + blockIdx.x * blockDim.x;
  const int y = threadIdx.y + blockIdx.y * blockDim.y;
  if (x >= dim || y >= dim) return;

  const size_t i = x + static_cast<size_t>(y) * dim;
  const float c = constants[i];
  if (c != 0) in[i] = c;
}

// Step (2): every cell moves towards its four neighbours. Neighbours in x lie beside each other in memory;
// those in y lie a whole row apart, so a warp (32 cells of one row) reads three rows.
__global__ void blend_kernel(float* out, const float* in, int dim) {
  const int x = threadIdx.x + blockIdx.x * blockDim.x;
  const int y = threadIdx.y + blockIdx.y * blockDim.y;
  if (x >= dim || y >= dim) return;

  // At the border the neighbour outside is the cell itself: no heat flows out of the plate.
  const size_t i = x + static_cast<size_t>(y) * dim;
  const float c = in[i];
  const float l = x == 0 ? c : in[i - 1];
  const float r = x == dim - 1 ? c : in[i + 1];
  const float t = y == 0 ? c : in[i - dim];
  const float b = y == dim - 1 ? c : in[i + dim];
  out[i] = c + speed * (t + b + l + r - c * 4);
}

// The plate in device memory.
class Plate {
 public:
  explicit Plate(int dim)
      : dim_(dim),
        cells_(static_cast<size_t>(dim) * dim),
        threads_(32, 8),
        blocks_((dim + threads_.x - 1) / threads_.x, (dim + threads_.y - 1) / threads_.y),
        in_(cells_),
        out_(cells_),
        constants_(cells_),
        pixels_(cells_) {
    const Grid constants = constant_sources(dim);
    HANDLE_ERROR(cudaMemcpy(constants_.get(), constants.data(), constants_.bytes(), cudaMemcpyHostToDevice));
    restart();
  }

  void restart() {
    const Grid start = starting_grid(dim_);
    HANDLE_ERROR(cudaMemcpy(in_.get(), start.data(), in_.bytes(), cudaMemcpyHostToDevice));
  }

  void add_heat(int x, int y) {
    add_heat_kernel<<<blocks_, threads_>>>(in_.get(), dim_, x, y, dim_ / 40 + 1);
    HANDLE_ERROR(cudaGetLastError());
  }

  // 90 steps. Returns the time that they took on the device, in milliseconds.
  float advance() {
    timer_.start();
    for (int step = 0; step < steps_per_frame; ++step) {
      copy_const_kernel<<<blocks_, threads_>>>(in_.get(), constants_.get(), dim_);
      blend_kernel<<<blocks_, threads_>>>(out_.get(), in_.get(), dim_);
      std::swap(in_, out_);
    }
    HANDLE_ERROR(cudaGetLastError());
    return timer_.stop();
  }

  // The plate's colours, into host memory: dim * dim pixels of 4 bytes.
  void draw(unsigned char* picture) {
    color_kernel<<<blocks_, threads_>>>(pixels_.get(), in_.get(), dim_);
    HANDLE_ERROR(cudaGetLastError());
    HANDLE_ERROR(cudaMemcpy(picture, pixels_.get(), pixels_.bytes(), cudaMemcpyDeviceToHost));
  }

  Grid temperatures() const {
    Grid grid(cells_);
    HANDLE_ERROR(cudaMemcpy(grid.data(), in_.get(), in_.bytes(), cudaMemcpyDeviceToHost));
    return grid;
  }

 private:
  int dim_;
  size_t cells_;
  dim3 threads_, blocks_;
  DeviceMemory<float> in_, out_, constants_;
  DeviceMemory<uchar4> pixels_;
  EventTimer timer_;
};

int main(int argc, char** argv) {
  Options options("heat_notexture", "Heat spreads over a plate, read through plain global memory.",
                  Common::animation | Common::check | Common::benchmark | Common::device);
  options.parse(argc, argv);
  HANDLE_ERROR(cudaSetDevice(options.device));
  return run_heat<Plate>(options, "global memory");
}
