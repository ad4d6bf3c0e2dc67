// many_streams - one to eight streams, chunks of any size, short and long kernels: what helps.
//
// CUDA by Example, chapter 10 (streams), goes to two streams in section 10.5. Here chunk 0 goes to
// stream 0, chunk 1 to stream 1 and so on, around and around.
// The same as one graph: diff many_streams.cu stream_graph.cu
// Terms (docs/glossary.md): stream, asynchronous, page-locked memory, event.
//
//   ./run many_streams                                  four streams, and their timeline
//   ./run many_streams --streams 8 --rounds 50 --headless --output timeline.png
//   ./run many_streams --check
//   ./run many_streams --benchmark                      a table over streams, chunks and rounds
//
// Keys: Esc or q quits, s saves a picture. What to see: with the bus busy all the time, more
// streams do not help; with a long kernel it is the kernels that fill the timeline.
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

// Every further round adds the mean one element farther on: more of the same work.
__host__ __device__ inline unsigned mean_sum(size_t i, size_t count, const unsigned* a,
                                             const unsigned* b, int rounds) {
  unsigned sum = 0;
  for (int round = 0; round < rounds; ++round) sum += mean((i + round) % count, count, a, b);
  return sum;
}

__global__ void mean_kernel(size_t count, const unsigned* a, const unsigned* b, unsigned* c,
                            int rounds) {
  const size_t i = threadIdx.x + static_cast<size_t>(blockIdx.x) * blockDim.x;
  if (i < count) c[i] = mean_sum(i, count, a, b, rounds);
}

// CPU reference: chunk after chunk.
std::vector<unsigned> reference_means(size_t n, size_t chunk, const unsigned* a, const unsigned* b,
                                      int rounds) {
  std::vector<unsigned> c(n);
  for (size_t first = 0; first < n; first += chunk) {
    const size_t count = std::min(chunk, n - first);
    for (size_t i = 0; i < count; ++i)
      c[first + i] = mean_sum(i, count, a + first, b + first, rounds);
  }
  return c;
}

// The vectors, in the host's memory.
struct Vectors {
  size_t n;
  unsigned* a;
  unsigned* b;
  unsigned* c;
};

// A stream, and a chunk of each vector in the device's memory, which no other stream uses.
struct Pipeline {
  cudaStream_t stream;
  unsigned* a;
  unsigned* b;
  unsigned* c;
};

std::vector<Pipeline> make_pipelines(int streams, size_t chunk) {
  std::vector<Pipeline> pipelines(streams);
  for (Pipeline& pipeline : pipelines) {
    HANDLE_ERROR(cudaStreamCreate(&pipeline.stream));
    HANDLE_ERROR(cudaMalloc(&pipeline.a, chunk * sizeof(unsigned)));
    HANDLE_ERROR(cudaMalloc(&pipeline.b, chunk * sizeof(unsigned)));
    HANDLE_ERROR(cudaMalloc(&pipeline.c, chunk * sizeof(unsigned)));
  }
  return pipelines;
}

void free_pipelines(const std::vector<Pipeline>& pipelines) {
  for (const Pipeline& pipeline : pipelines) {
    HANDLE_ERROR(cudaFree(pipeline.a));
    HANDLE_ERROR(cudaFree(pipeline.b));
    HANDLE_ERROR(cudaFree(pipeline.c));
    HANDLE_ERROR(cudaStreamDestroy(pipeline.stream));
  }
}

// Every call returns at once. The streams do all of a chunk in this order, and wait for one another
// only where they need the same engine. `timeline` may be missing.
void submit(const Vectors& host, size_t chunk, int rounds, const std::vector<Pipeline>& pipelines,
            Timeline* timeline = nullptr) {
  int s = 0;
  const auto mark = [&](Engine engine, char name) {
    if (timeline != nullptr) timeline->mark(s, engine, name);
  };
  for (size_t first = 0; first < host.n; first += chunk) {
    const auto [stream, a, b, c] = pipelines[s];
    const size_t count = std::min(chunk, host.n - first);
    const size_t bytes = count * sizeof(unsigned);
    HANDLE_ERROR(cudaMemcpyAsync(a, host.a + first, bytes, cudaMemcpyHostToDevice, stream));
    mark(Engine::copy_in, 'a');
    HANDLE_ERROR(cudaMemcpyAsync(b, host.b + first, bytes, cudaMemcpyHostToDevice, stream));
    mark(Engine::copy_in, 'b');
    mean_kernel<<<div_up(count, 256), 256, 0, stream>>>(count, a, b, c, rounds);
    HANDLE_ERROR(cudaGetLastError());
    mark(Engine::kernel, 'K');
    HANDLE_ERROR(cudaMemcpyAsync(host.c + first, c, bytes, cudaMemcpyDeviceToHost, stream));
    mark(Engine::copy_out, 'c');
    s = (s + 1) % static_cast<int>(pipelines.size());
  }
}

// One of the three changes, the others stay as they were given.
void benchmark(const Vectors& host, size_t chunk, int streams, int rounds) {
  const auto time_of = [&](size_t elements, int count, int kernel_rounds) {
    const std::vector<Pipeline> pipelines = make_pipelines(count, elements);
    const Timing timing = measure([&] { submit(host, elements, kernel_rounds, pipelines); }, 5, 1);
    free_pipelines(pipelines);
    return timing;
  };
  BenchmarkTable by_streams("streams");
  for (const int count : {1, 2, 3, 4, 6, 8})
    by_streams.add(std::to_string(count), time_of(chunk, count, rounds), 0);
  by_streams.print();

  BenchmarkTable by_chunk("elements of a chunk");
  for (size_t elements = host.n; elements > host.n / 4096; elements /= 4)
    by_chunk.add(std::to_string(elements), time_of(elements, streams, rounds), 0);
  by_chunk.print();

  BenchmarkTable by_rounds("rounds of a kernel");
  for (const int count : {1, 5, 10, 20})
    by_rounds.add(std::to_string(count), time_of(chunk, streams, count), 0);
  by_rounds.print();
}

int main(int argc, char** argv) {
  Options options("many_streams", Common::picture | Common::seed | Common::check |
                                      Common::benchmark | Common::device);
  size_t chunk = is_emulated ? 16 * 1024 : 1024 * 1024;  // on a GPU the book's
  size_t n = 20 * chunk;
  int streams = 4;
  int rounds = 1;
  options.add("-n", n, "elements of each vector", 1, size_t{1} << 30);
  options.add("--chunk", chunk, "elements of a chunk", 1, size_t{1} << 30);
  options.add("--streams", streams, "streams that get a chunk in turn", 1, 8);
  options.add("--rounds", rounds, "how often a kernel does its work", 1, 1000);
  options.parse(argc, argv);
  HANDLE_ERROR(cudaSetDevice(options.device));
  chunk = std::min(chunk, n);

  // Page-locked, or the copies could not run beside anything else.
  Vectors host{.n = n, .a = nullptr, .b = nullptr, .c = nullptr};
  HANDLE_ERROR(cudaHostAlloc(&host.a, n * sizeof(unsigned), cudaHostAllocDefault));
  HANDLE_ERROR(cudaHostAlloc(&host.b, n * sizeof(unsigned), cudaHostAllocDefault));
  HANDLE_ERROR(cudaHostAlloc(&host.c, n * sizeof(unsigned), cudaHostAllocDefault));
  Random random(options.seed);
  for (size_t i = 0; i < n; ++i) {  // of 30 bits: the sum of three fits 32
    host.a[i] = static_cast<unsigned>(random.bits() >> 34);
    host.b[i] = static_cast<unsigned>(random.bits() >> 34);
    host.c[i] = 0;
  }
  const std::vector<Pipeline> pipelines = make_pipelines(streams, chunk);

  submit(host, chunk, rounds, pipelines);  // the first launch loads the kernel: not timed
  for (const Pipeline& pipeline : pipelines)
    HANDLE_ERROR(cudaStreamSynchronize(pipeline.stream));  // only now host.c may be read
  const bool passed =
      check_equal("mean", std::span<const unsigned>(host.c, n),
                  std::span<const unsigned>(reference_means(n, chunk, host.a, host.b, rounds)));

  Image picture;
  if (!options.check && passed) {
    // The events are in the default stream, which waits for the others.
    EventTimer timer;
    timer.start();
    submit(host, chunk, rounds, pipelines);
    std::printf("Time taken: %s\n", time_text(timer.stop()).c_str());

    std::vector<cudaStream_t> rows;
    for (const Pipeline& pipeline : pipelines) rows.push_back(pipeline.stream);
    Timeline timeline(rows);
    submit(host, chunk, rounds, pipelines, &timeline);
    timeline.finish();
    if (!is_emulated)
      std::printf("%.0f %% of the time copies and kernels overlap\n", 100 * timeline.overlap());
    picture =
        timeline.picture("streams: " + std::to_string(streams), options.size, options.size / 2 + 1);
  }
  if (options.benchmark && passed) benchmark(host, chunk, streams, rounds);

  free_pipelines(pipelines);
  HANDLE_ERROR(cudaFreeHost(host.a));
  HANDLE_ERROR(cudaFreeHost(host.b));
  HANDLE_ERROR(cudaFreeHost(host.c));

  if (options.check || options.benchmark || !passed) return verdict(options.name(), passed);
  return present(options, picture);
}
