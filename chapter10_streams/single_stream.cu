// single_stream - copies and kernels in one stream: in order, one after the other.
//
// CUDA by Example, chapter 10 (streams), section 10.4, "Using a Single CUDA Stream". Large vectors
// are worked on in chunks, of which the device holds one.
// How two streams differ: diff single_stream.cu double_stream.cu
// Terms (docs/glossary.md): stream, asynchronous, page-locked memory, event.
//
//   ./run single_stream                                 20 chunks, and their timeline
//   ./run single_stream -n 1000003 --chunk 200000 --headless --output timeline.png
//   ./run single_stream --check
//
// Keys: Esc or q quits, s saves a picture. What to see: only one of copies in, kernels and copies
// out is busy at a time.
#include <algorithm>
#include <cstdio>
#include <span>
#include <string>
#include <vector>

#include "../common/book.h"
#include "../common/check.h"
#include "../common/device.h"
#include "../common/grid.h"
#include "../common/options.h"
#include "../common/picture/present.h"
#include "../common/random.h"
#include "../common/timing.h"
#include "timeline.h"

// c[i] = the mean of three elements of a and three of b: work without a meaning. The neighbors of
// the last elements are the first ones.
__host__ __device__ inline unsigned mean(size_t i, size_t count, const unsigned* a,
                                         const unsigned* b) {
  const size_t next = (i + 1) % count;
  const size_t after = (i + 2) % count;
  const float mean_a = static_cast<float>(a[i] + a[next] + a[after]) / 3;
  const float mean_b = static_cast<float>(b[i] + b[next] + b[after]) / 3;
  return static_cast<unsigned>((mean_a + mean_b) / 2);
}

__global__ void mean_kernel(size_t count, const unsigned* a, const unsigned* b, unsigned* c) {
  const size_t i = threadIdx.x + static_cast<size_t>(blockIdx.x) * blockDim.x;
  if (i < count) c[i] = mean(i, count, a, b);
}

// CPU reference: chunk after chunk.
std::vector<unsigned> reference_means(size_t n, size_t chunk, const unsigned* a,
                                      const unsigned* b) {
  std::vector<unsigned> c(n);
  for (size_t first = 0; first < n; first += chunk) {
    const size_t count = std::min(chunk, n - first);
    for (size_t i = 0; i < count; ++i) c[first + i] = mean(i, count, a + first, b + first);
  }
  return c;
}

int main(int argc, char** argv) {
  Options options("single_stream", Common::picture | Common::seed | Common::check |
                                       Common::benchmark | Common::device);
  size_t chunk = is_emulated ? 64 * 1024 : 1024 * 1024;  // on a GPU the book's
  size_t n = 20 * chunk;
  options.add("-n", n, "elements of each vector", 1, size_t{1} << 30);
  options.add("--chunk", chunk, "elements of a chunk", 1, size_t{1} << 30);
  options.parse(argc, argv);
  HANDLE_ERROR(cudaSetDevice(options.device));
  chunk = std::min(chunk, n);

  // Page-locked, or the copies could not run beside anything else.
  unsigned* host_a;
  unsigned* host_b;
  unsigned* host_c;
  HANDLE_ERROR(cudaHostAlloc(&host_a, n * sizeof(unsigned), cudaHostAllocDefault));
  HANDLE_ERROR(cudaHostAlloc(&host_b, n * sizeof(unsigned), cudaHostAllocDefault));
  HANDLE_ERROR(cudaHostAlloc(&host_c, n * sizeof(unsigned), cudaHostAllocDefault));
  Random random(options.seed);
  for (size_t i = 0; i < n; ++i) {  // of 30 bits: the sum of three fits 32
    host_a[i] = static_cast<unsigned>(random.bits() >> 34);
    host_b[i] = static_cast<unsigned>(random.bits() >> 34);
    host_c[i] = 0;
  }

  cudaStream_t stream;
  HANDLE_ERROR(cudaStreamCreate(&stream));
  // A chunk of each vector.
  unsigned* dev_a;
  unsigned* dev_b;
  unsigned* dev_c;
  HANDLE_ERROR(cudaMalloc(&dev_a, chunk * sizeof(unsigned)));
  HANDLE_ERROR(cudaMalloc(&dev_b, chunk * sizeof(unsigned)));
  HANDLE_ERROR(cudaMalloc(&dev_c, chunk * sizeof(unsigned)));

  // Every call returns at once; the stream does what it got, in this order. `timeline` may be
  // missing.
  const auto submit = [&](Timeline* timeline) {
    const auto mark = [&](Engine engine, char name) {
      if (timeline != nullptr) timeline->mark(0, engine, name);
    };
    for (size_t first = 0; first < n; first += chunk) {
      const size_t count = std::min(chunk, n - first);
      const size_t bytes = count * sizeof(unsigned);
      HANDLE_ERROR(cudaMemcpyAsync(dev_a, host_a + first, bytes, cudaMemcpyHostToDevice, stream));
      mark(Engine::copy_in, 'a');
      HANDLE_ERROR(cudaMemcpyAsync(dev_b, host_b + first, bytes, cudaMemcpyHostToDevice, stream));
      mark(Engine::copy_in, 'b');
      mean_kernel<<<div_up(count, 256), 256, 0, stream>>>(count, dev_a, dev_b, dev_c);
      HANDLE_ERROR(cudaGetLastError());
      mark(Engine::kernel, 'K');
      HANDLE_ERROR(cudaMemcpyAsync(host_c + first, dev_c, bytes, cudaMemcpyDeviceToHost, stream));
      mark(Engine::copy_out, 'c');
    }
  };

  submit(nullptr);                              // the first launch loads the kernel: not timed
  HANDLE_ERROR(cudaStreamSynchronize(stream));  // only now host_c may be read
  const bool passed =
      check_equal("mean", std::span<const unsigned>(host_c, n),
                  std::span<const unsigned>(reference_means(n, chunk, host_a, host_b)));

  const auto run = [&] { submit(nullptr); };
  Image picture;
  if (!options.check && passed) {
    // The events are in the default stream, which waits for the others.
    EventTimer timer;
    timer.start();
    run();
    std::printf("Time taken: %s\n", time_text(timer.stop()).c_str());

    Timeline timeline({stream});
    submit(&timeline);
    timeline.finish();
    if (!is_emulated)
      std::printf("%.0f %% of the time copies and kernels overlap\n", 100 * timeline.overlap());
    picture = timeline.picture("one stream", options.size, options.size / 2 + 1);
  }
  if (options.benchmark && passed) print_benchmark("chunks on one stream", "single_stream", run, 0);

  HANDLE_ERROR(cudaFree(dev_a));
  HANDLE_ERROR(cudaFree(dev_b));
  HANDLE_ERROR(cudaFree(dev_c));
  HANDLE_ERROR(cudaStreamDestroy(stream));
  HANDLE_ERROR(cudaFreeHost(host_a));
  HANDLE_ERROR(cudaFreeHost(host_b));
  HANDLE_ERROR(cudaFreeHost(host_c));

  if (options.check || options.benchmark || !passed) return verdict(options.name(), passed);
  return present(options, picture);
}
