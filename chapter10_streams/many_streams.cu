// many_streams - one to eight streams, chunks of any size, short and long kernels: what helps.
//
// CUDA by Example, chapter 10 (streams), uses two streams in section 10.5. Here chunk 0 goes to
// stream 0, chunk 1 to stream 1 and so on, round and round.
// Needed: chunks.h (the vectors, and a stream with its memory).
// The same as one graph: diff many_streams.cu stream_graph.cu
// Terms (docs/glossary.md): stream, asynchronous, page-locked memory, event.
//
//   ./run many_streams                                  four streams, and their timeline
//   ./run many_streams --streams 8 --rounds 50 --headless --output timeline.png
//   ./run many_streams --check
//   ./run many_streams --benchmark                      a table over streams, chunks and rounds
//
// Keys: Esc or q quits, s saves a picture. What to see: when the bus is busy all the time, more
// streams do not help. When the kernels are long, they fill the timeline.
#include <algorithm>
#include <string>
#include <vector>

#include "../common/book.h"
#include "../common/device.h"
#include "../common/grid.h"
#include "../common/options.h"
#include "../common/picture/present.h"
#include "../common/timing.h"
#include "chunks.h"
#include "timeline.h"

__global__ void mean_kernel(size_t count, const unsigned* a, const unsigned* b, unsigned* c,
                            int rounds) {
  const size_t i = threadIdx.x + size_t{blockIdx.x} * blockDim.x;
  if (i < count) c[i] = mean_sum(i, count, a, b, rounds);
}

// Every call returns at once. Each stream does a chunk's work in this order. The streams wait for
// one another only where they need the same engine.
void submit(const Vectors& host, size_t chunk, int rounds, const std::vector<Pipeline>& pipelines,
            Timeline& timeline) {
  size_t s = 0;
  for (size_t first = 0; first < host.n; first += chunk) {
    const auto [stream, dev_a, dev_b, dev_c] = pipelines[s];
    const auto [count, a, b, c] = chunk_of(host, first, chunk);
    const size_t bytes = count * sizeof(unsigned);
    HANDLE_ERROR(cudaMemcpyAsync(dev_a, a, bytes, cudaMemcpyHostToDevice, stream));
    timeline.mark(stream, Engine::copy_in, 'a');
    HANDLE_ERROR(cudaMemcpyAsync(dev_b, b, bytes, cudaMemcpyHostToDevice, stream));
    timeline.mark(stream, Engine::copy_in, 'b');
    mean_kernel<<<div_up(count, 256), 256, 0, stream>>>(count, dev_a, dev_b, dev_c, rounds);
    HANDLE_ERROR(cudaGetLastError());
    timeline.mark(stream, Engine::kernel, 'K');
    HANDLE_ERROR(cudaMemcpyAsync(c, dev_c, bytes, cudaMemcpyDeviceToHost, stream));
    timeline.mark(stream, Engine::copy_out, 'c');
    s = (s + 1) % pipelines.size();
  }
}

// One of the three changes; the others keep their given values.
void benchmark(const Vectors& host, size_t chunk, int streams, int rounds) {
  const auto time_of = [&](size_t elements, int count, int kernel_rounds) {
    const std::vector<Pipeline> pipelines = make_pipelines(count, elements);
    Timeline timeline(pipelines);  // not started
    const Timing timing =
        measure([&] { submit(host, elements, kernel_rounds, pipelines, timeline); }, 5, 1);
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
  options.add("--rounds", rounds, "how many times a kernel repeats its work", 1, 1000);
  options.parse(argc, argv);
  HANDLE_ERROR(cudaSetDevice(options.device));
  chunk = std::min(chunk, n);

  const Vectors host = make_vectors(n, options.seed);
  const std::vector<Pipeline> pipelines = make_pipelines(streams, chunk);
  Timeline timeline(pipelines);
  const auto run = [&] { submit(host, chunk, rounds, pipelines, timeline); };

  run();  // also loads the kernel: not timed
  for (const Pipeline& pipeline : pipelines)
    HANDLE_ERROR(cudaStreamSynchronize(pipeline.stream));  // only now host.c may be read
  const bool passed = means_agree(host, chunk, rounds);

  Image picture;
  if (!options.check && passed)
    picture = time_and_draw(timeline, run, "streams: " + std::to_string(streams), options.size);
  if (options.benchmark && passed) benchmark(host, chunk, streams, rounds);

  free_pipelines(pipelines);
  free_vectors(host);
  if (options.check || options.benchmark || !passed) return verdict(options.name(), passed);
  return present(options, picture);
}
