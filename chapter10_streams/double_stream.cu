// double_stream - two streams: what one copies overlaps with what the other computes.
//
// CUDA by Example, chapter 10 (streams), section 10.5, "Using Multiple CUDA Streams", and 10.6 and
// 10.7, the order in which the operations are submitted.
// How two streams differ: diff single_stream.cu double_stream.cu
// Terms (docs/glossary.md): stream, asynchronous, page-locked memory, event.
//
//   ./run double_stream                                 20 chunks, and their timeline
//   ./run double_stream --order depth_first --chunk 200000 --headless --output timeline.png
//   ./run double_stream --check
//
// Keys: Esc or q quits, s saves a picture. What to see: copies in, kernels and copies out are busy
// at the same time.
#include <algorithm>
#include <array>
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
  Options options("double_stream", Common::picture | Common::seed | Common::check |
                                       Common::benchmark | Common::device);
  size_t chunk = is_emulated ? 64 * 1024 : 1024 * 1024;  // on a GPU the book's
  size_t n = 20 * chunk;
  options.add("-n", n, "elements of each vector", 1, size_t{1} << 30);
  options.add("--chunk", chunk, "elements of a chunk", 1, size_t{1} << 30);
  std::string order = "breadth_first";
  options.add_choice("--order", order, "of the operations of two chunks",
                     {"depth_first", "breadth_first"});
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

  // Two streams; a chunk of each vector for each.
  std::array<cudaStream_t, 2> stream;
  std::array<unsigned*, 2> dev_a;
  std::array<unsigned*, 2> dev_b;
  std::array<unsigned*, 2> dev_c;
  for (const int s : {0, 1}) {
    HANDLE_ERROR(cudaStreamCreate(&stream[s]));
    HANDLE_ERROR(cudaMalloc(&dev_a[s], chunk * sizeof(unsigned)));
    HANDLE_ERROR(cudaMalloc(&dev_b[s], chunk * sizeof(unsigned)));
    HANDLE_ERROR(cudaMalloc(&dev_c[s], chunk * sizeof(unsigned)));
  }

  // Every call returns at once; each stream does what it got, in this order. `timeline` may be
  // missing.
  const auto submit = [&](Timeline* timeline) {
    const auto mark = [&](int s, Engine engine, char name) {
      if (timeline != nullptr) timeline->mark(s, engine, name);
    };
    const auto copy_a = [&](int s, size_t first, size_t count) {
      HANDLE_ERROR(cudaMemcpyAsync(dev_a[s], host_a + first, count * sizeof(unsigned),
                                   cudaMemcpyHostToDevice, stream[s]));
      mark(s, Engine::copy_in, 'a');
    };
    const auto copy_b = [&](int s, size_t first, size_t count) {
      HANDLE_ERROR(cudaMemcpyAsync(dev_b[s], host_b + first, count * sizeof(unsigned),
                                   cudaMemcpyHostToDevice, stream[s]));
      mark(s, Engine::copy_in, 'b');
    };
    const auto kernel = [&](int s, size_t count) {
      mean_kernel<<<div_up(count, 256), 256, 0, stream[s]>>>(count, dev_a[s], dev_b[s], dev_c[s]);
      HANDLE_ERROR(cudaGetLastError());
      mark(s, Engine::kernel, 'K');
    };
    const auto copy_c = [&](int s, size_t first, size_t count) {
      HANDLE_ERROR(cudaMemcpyAsync(host_c + first, dev_c[s], count * sizeof(unsigned),
                                   cudaMemcpyDeviceToHost, stream[s]));
      mark(s, Engine::copy_out, 'c');
    };

    for (size_t first = 0; first < n; first += 2 * chunk) {
      // Chunk 0 goes to stream 0, the next one to stream 1; after the last there may be none.
      const size_t second = std::min(first + chunk, n);
      const size_t count0 = second - first;
      const size_t count1 = std::min(chunk, n - second);
      const bool two = count1 > 0;
      if (order == "depth_first") {  // all of one chunk, then all of the other
        copy_a(0, first, count0);
        copy_b(0, first, count0);
        kernel(0, count0);
        copy_c(0, first, count0);
        if (two) copy_a(1, second, count1);
        if (two) copy_b(1, second, count1);
        if (two) kernel(1, count1);
        if (two) copy_c(1, second, count1);
      } else {  // each operation of both
        copy_a(0, first, count0);
        if (two) copy_a(1, second, count1);
        copy_b(0, first, count0);
        if (two) copy_b(1, second, count1);
        kernel(0, count0);
        if (two) kernel(1, count1);
        copy_c(0, first, count0);
        if (two) copy_c(1, second, count1);
      }
    }
  };

  submit(nullptr);  // the first launch loads the kernel: not timed
  for (const int s : {0, 1})
    HANDLE_ERROR(cudaStreamSynchronize(stream[s]));  // only now host_c may be read
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

    Timeline timeline({stream[0], stream[1]});
    submit(&timeline);
    timeline.finish();
    if (!is_emulated)
      std::printf("%.0f %% of the time copies and kernels overlap\n", 100 * timeline.overlap());
    picture = timeline.picture("two streams, " + order, options.size, options.size / 2 + 1);
  }
  if (options.benchmark && passed) print_benchmark("chunks on two streams", order, run, 0);

  for (const int s : {0, 1}) {
    HANDLE_ERROR(cudaFree(dev_a[s]));
    HANDLE_ERROR(cudaFree(dev_b[s]));
    HANDLE_ERROR(cudaFree(dev_c[s]));
    HANDLE_ERROR(cudaStreamDestroy(stream[s]));
  }
  HANDLE_ERROR(cudaFreeHost(host_a));
  HANDLE_ERROR(cudaFreeHost(host_b));
  HANDLE_ERROR(cudaFreeHost(host_c));

  if (options.check || options.benchmark || !passed) return verdict(options.name(), passed);
  return present(options, picture);
}
