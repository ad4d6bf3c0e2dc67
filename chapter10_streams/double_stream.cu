// double_stream - two streams: what one copies overlaps with what the other computes.
//
// CUDA by Example, chapter 10 (streams), section 10.5, "Using Multiple CUDA Streams", and 10.6 and
// 10.7, the order in which the operations are submitted.
// Needed: chunks.h (the vectors, and a stream with its memory).
// How one stream differs: compare submit() in single_stream.cu.
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

__global__ void mean_kernel(size_t count, const unsigned* a, const unsigned* b, unsigned* c) {
  const size_t i = threadIdx.x + size_t{blockIdx.x} * blockDim.x;
  if (i < count) c[i] = mean(i, count, a, b);
}

// The operations of a chunk. Every call returns at once; each stream runs its work in order.
void copy_a(const Pipeline& pipeline, const Vectors& chunk, Timeline& timeline) {
  HANDLE_ERROR(cudaMemcpyAsync(pipeline.a, chunk.a, chunk.n * sizeof(unsigned),
                               cudaMemcpyHostToDevice, pipeline.stream));
  timeline.mark(pipeline.stream, Engine::copy_in, 'a');
}
void copy_b(const Pipeline& pipeline, const Vectors& chunk, Timeline& timeline) {
  HANDLE_ERROR(cudaMemcpyAsync(pipeline.b, chunk.b, chunk.n * sizeof(unsigned),
                               cudaMemcpyHostToDevice, pipeline.stream));
  timeline.mark(pipeline.stream, Engine::copy_in, 'b');
}
void launch(const Pipeline& pipeline, const Vectors& chunk, Timeline& timeline) {
  mean_kernel<<<div_up(chunk.n, 256), 256, 0, pipeline.stream>>>(chunk.n, pipeline.a, pipeline.b,
                                                                 pipeline.c);
  HANDLE_ERROR(cudaGetLastError());
  timeline.mark(pipeline.stream, Engine::kernel, 'K');
}
void copy_c(const Pipeline& pipeline, const Vectors& chunk, Timeline& timeline) {
  HANDLE_ERROR(cudaMemcpyAsync(chunk.c, pipeline.c, chunk.n * sizeof(unsigned),
                               cudaMemcpyDeviceToHost, pipeline.stream));
  timeline.mark(pipeline.stream, Engine::copy_out, 'c');
}

// Chunk 0 goes to stream 0, chunk 1 to stream 1, and so on.
void submit(const Vectors& host, size_t chunk, const std::vector<Pipeline>& pipelines,
            const std::string& order, Timeline& timeline) {
  for (size_t first = 0; first < host.n; first += 2 * chunk) {
    const std::array chunks{chunk_of(host, first, chunk), chunk_of(host, first + chunk, chunk)};
    const int count = chunks[1].n > 0 ? 2 : 1;  // the last chunk may be alone
    if (order == "depth_first") {               // all of one chunk, then all of the other
      for (int s = 0; s < count; ++s) {
        copy_a(pipelines[s], chunks[s], timeline);
        copy_b(pipelines[s], chunks[s], timeline);
        launch(pipelines[s], chunks[s], timeline);
        copy_c(pipelines[s], chunks[s], timeline);
      }
    } else {  // each operation of both
      for (int s = 0; s < count; ++s) copy_a(pipelines[s], chunks[s], timeline);
      for (int s = 0; s < count; ++s) copy_b(pipelines[s], chunks[s], timeline);
      for (int s = 0; s < count; ++s) launch(pipelines[s], chunks[s], timeline);
      for (int s = 0; s < count; ++s) copy_c(pipelines[s], chunks[s], timeline);
    }
  }
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

  const Vectors host = make_vectors(n, options.seed);
  const std::vector<Pipeline> pipelines = make_pipelines(2, chunk);
  Timeline timeline(pipelines);
  const auto run = [&] { submit(host, chunk, pipelines, order, timeline); };

  run();  // also loads the kernel: not timed
  for (const Pipeline& pipeline : pipelines)
    HANDLE_ERROR(cudaStreamSynchronize(pipeline.stream));  // only now host.c may be read
  const bool passed = means_agree(host, chunk);

  Image picture;
  if (!options.check && passed)
    picture = time_and_draw(timeline, run, "two streams, " + order, options.size);
  if (options.benchmark && passed) print_benchmark("chunks on two streams", order, run, 0);

  free_pipelines(pipelines);
  free_vectors(host);
  if (options.check || options.benchmark || !passed) return verdict(options.name(), passed);
  return present(options, picture);
}
