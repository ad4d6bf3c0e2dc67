// hist_gpu_no_atomics - the same histogram with `++` instead of atomicAdd: counts get lost.
//
// CUDA by Example, chapter 9 (atomics), section 9.3, "Atomic Operations Overview": why x++ is three steps.
// `diff hist_gpu_no_atomics.cu hist_gpu_gmem_atomics.cu` is the lesson.
// Terms (docs/glossary.md): race, grid-stride loop, global memory.
//
//   ./run hist_gpu_no_atomics                      100 MiB; may FAIL: how many counts got lost
//   ./run hist_gpu_no_atomics --bytes 1            nothing to lose
//   ./run hist_gpu_no_atomics --check              may FAIL, and says why: this is the lesson
//
// No window. What to see: the GPU loses counts, other ones in every run. The emulated device runs a block's
// threads one after another: the chapter's README tells what it can lose.
#include <vector>

#include "../common/book.h"
#include "../common/check.h"
#include "../common/options.h"
#include "hist_common.h"

constexpr int threads_per_block = 256;

// Thread t of T in the whole grid counts bytes t, t + T, t + 2T, ... (a grid-stride loop): any size fits any
// grid, and at every moment the threads of a warp read neighboring bytes.
__global__ void histogram_kernel(const unsigned char* bytes, size_t size, unsigned int* histogram) {
  const size_t stride = static_cast<size_t>(blockDim.x) * gridDim.x;
  for (size_t i = threadIdx.x + static_cast<size_t>(blockIdx.x) * blockDim.x; i < size; i += stride)
    ++histogram[bytes[i]];  // read, add one, write back: another thread may come between
}

// The CPU reference, reference_histogram(), is in hist_common.h.

int main(int argc, char** argv) {
  Options options("hist_gpu_no_atomics", "A histogram of bytes without atomics: counts get lost.",
                  Common::seed | Common::always_checked | Common::device);
  HistogramOptions histogram_options;
  add_histogram_options(options, histogram_options);
  add_blocks_option(options, histogram_options);
  options.parse(argc, argv);
  HANDLE_ERROR(cudaSetDevice(options.device));
  const std::vector<unsigned char> bytes = histogram_input(options, histogram_options);

  // As in the book, the time with both copies; the two events between give the kernel's own time.
  cudaEvent_t start, copied, counted, stop;
  HANDLE_ERROR(cudaEventCreate(&start));
  HANDLE_ERROR(cudaEventCreate(&copied));
  HANDLE_ERROR(cudaEventCreate(&counted));
  HANDLE_ERROR(cudaEventCreate(&stop));

  unsigned char* dev_bytes;
  unsigned int* dev_histogram;
  HANDLE_ERROR(cudaMalloc(&dev_bytes, bytes.size()));
  HANDLE_ERROR(cudaMalloc(&dev_histogram, bin_count * sizeof(unsigned int)));

  // The book launches twice as many blocks as the GPU has multiprocessors.
  int multiprocessors;
  HANDLE_ERROR(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, options.device));
  const int blocks = multiprocessors * histogram_options.blocks_per_sm;
  auto count = [&] {
    HANDLE_ERROR(cudaMemset(dev_histogram, 0, bin_count * sizeof(unsigned int)));
    histogram_kernel<<<blocks, threads_per_block>>>(dev_bytes, bytes.size(), dev_histogram);
    HANDLE_ERROR(cudaGetLastError());
  };

  Histogram histogram;
  HANDLE_ERROR(cudaEventRecord(start));
  HANDLE_ERROR(cudaMemcpy(dev_bytes, bytes.data(), bytes.size(), cudaMemcpyHostToDevice));
  HANDLE_ERROR(cudaEventRecord(copied));
  count();
  HANDLE_ERROR(cudaEventRecord(counted));
  HANDLE_ERROR(
      cudaMemcpy(histogram.data(), dev_histogram, bin_count * sizeof(unsigned int), cudaMemcpyDeviceToHost));
  HANDLE_ERROR(cudaEventRecord(stop));
  HANDLE_ERROR(cudaEventSynchronize(stop));
  float total_ms, kernel_ms;
  HANDLE_ERROR(cudaEventElapsedTime(&total_ms, start, stop));
  HANDLE_ERROR(cudaEventElapsedTime(&kernel_ms, copied, counted));

  const bool passed =
      report_histogram(options, histogram, bytes, total_ms, kernel_ms, histogram_options.input);
  report_lost_counts(histogram, bytes.size());

  HANDLE_ERROR(cudaEventDestroy(start));
  HANDLE_ERROR(cudaEventDestroy(copied));
  HANDLE_ERROR(cudaEventDestroy(counted));
  HANDLE_ERROR(cudaEventDestroy(stop));
  HANDLE_ERROR(cudaFree(dev_histogram));
  HANDLE_ERROR(cudaFree(dev_bytes));
  return verdict(options.name(), passed);
}
