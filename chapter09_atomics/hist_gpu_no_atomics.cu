// hist_gpu_no_atomics - the same histogram with `++` instead of atomicAdd: counts are lost.
//
// CUDA by Example, chapter 9 (atomics), section 9.3, "Atomic Operations Overview": why x++ takes
// three steps. `diff hist_gpu_no_atomics.cu hist_gpu_gmem_atomics.cu` is the lesson.
// Terms (docs/glossary.md): race, grid-stride loop, global memory.
//
//   ./run hist_gpu_no_atomics                100 MiB; may FAIL, and prints how many counts are lost
//   ./run hist_gpu_no_atomics --bytes 1      nothing to lose
//   ./run hist_gpu_no_atomics --check        may FAIL, and prints why; this is the lesson
//
// No window. What to see: the GPU loses counts, different ones in every run. The emulated device
// runs a block's threads one after another; the chapter's README explains what it can lose.
#include <vector>

#include "../common/book.h"
#include "../common/check.h"
#include "../common/timing.h"
#include "hist_common.h"

constexpr int threads_per_block = 256;

// Thread t of T in the whole grid counts bytes t, t + T, t + 2T, ... (a grid-stride loop). Any size
// fits any grid, and at every moment the threads of a warp read neighboring bytes.
__global__ void histogram_kernel(const unsigned char* bytes, size_t size, unsigned int* histogram) {
  const size_t stride = size_t{blockDim.x} * gridDim.x;
  for (size_t i = threadIdx.x + size_t{blockIdx.x} * blockDim.x; i < size; i += stride)
    ++histogram[bytes[i]];  // read, add one, write back: another thread may come between
}

// The CPU reference, reference_histogram(), is in hist_common.h.

int main(int argc, char** argv) {
  HistogramOptions options("hist_gpu_no_atomics", Common::device);
  int blocks_per_sm = 2;  // the book's
  options.add("--blocks-per-sm", blocks_per_sm, "blocks per multiprocessor of the device", 1, 1024);
  options.parse(argc, argv);
  HANDLE_ERROR(cudaSetDevice(options.device));
  const std::vector<unsigned char> bytes = options.read_input();

  unsigned char* dev_bytes;
  unsigned int* dev_histogram;
  HANDLE_ERROR(cudaMalloc(&dev_bytes, bytes.size()));
  HANDLE_ERROR(cudaMalloc(&dev_histogram, bin_count * sizeof(unsigned int)));

  int multiprocessors;
  HANDLE_ERROR(
      cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, options.device));
  const int blocks = multiprocessors * blocks_per_sm;
  auto count = [&] {
    HANDLE_ERROR(cudaMemset(dev_histogram, 0, bin_count * sizeof(unsigned int)));
    histogram_kernel<<<blocks, threads_per_block>>>(dev_bytes, bytes.size(), dev_histogram);
    HANDLE_ERROR(cudaGetLastError());
  };

  // The time with both copies, as in the book, and the time of the kernel alone.
  Histogram histogram;
  EventTimer total;
  EventTimer kernel;
  total.start();
  HANDLE_ERROR(cudaMemcpy(dev_bytes, bytes.data(), bytes.size(), cudaMemcpyHostToDevice));
  kernel.start();
  count();
  const float kernel_ms = kernel.stop();
  HANDLE_ERROR(cudaMemcpy(histogram.data(), dev_histogram, bin_count * sizeof(unsigned int),
                          cudaMemcpyDeviceToHost));
  const float total_ms = total.stop();

  const bool passed = report_histogram(options, histogram, bytes, total_ms, kernel_ms);
  report_lost_counts(histogram, bytes.size());

  HANDLE_ERROR(cudaFree(dev_histogram));
  HANDLE_ERROR(cudaFree(dev_bytes));
  return verdict(options.name(), passed);
}
