// single_stream - copies and kernels in one stream: in order, one after the other.
//
// CUDA by Example, chapter 10 (streams), section 10.4, "Using a Single CUDA Stream". Large vectors
// are processed in chunks. The device holds one chunk at a time.
// Needed: chunks.h (the vectors, and a stream with its memory).
// How two streams differ: compare submit() in double_stream.cu.
// Terms (docs/glossary.md): stream, asynchronous, page-locked memory, event.
//
//   ./run single_stream                                 20 chunks, and their timeline
//   ./run single_stream -n 1000003 --chunk 200000 --headless --output timeline.png
//   ./run single_stream --check
//
// Keys: Esc or q quits, s saves a picture. What to see: the copies in, the kernels and the copies
// out never run at the same time.
#include <algorithm>
#include <string>

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

// Every call returns at once; the stream runs its work in this order.
void submit(const Vectors& host, size_t chunk, const Pipeline& pipeline, Timeline& timeline) {
  const auto [stream, dev_a, dev_b, dev_c] = pipeline;
  for (size_t first = 0; first < host.n; first += chunk) {
    const auto [count, a, b, c] = chunk_of(host, first, chunk);
    const size_t bytes = count * sizeof(unsigned);
    HANDLE_ERROR(cudaMemcpyAsync(dev_a, a, bytes, cudaMemcpyHostToDevice, stream));
    timeline.mark(stream, Engine::copy_in, 'a');
    HANDLE_ERROR(cudaMemcpyAsync(dev_b, b, bytes, cudaMemcpyHostToDevice, stream));
    timeline.mark(stream, Engine::copy_in, 'b');
    mean_kernel<<<div_up(count, 256), 256, 0, stream>>>(count, dev_a, dev_b, dev_c);
    HANDLE_ERROR(cudaGetLastError());
    timeline.mark(stream, Engine::kernel, 'K');
    HANDLE_ERROR(cudaMemcpyAsync(c, dev_c, bytes, cudaMemcpyDeviceToHost, stream));
    timeline.mark(stream, Engine::copy_out, 'c');
  }
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

  const Vectors host = make_vectors(n, options.seed);
  const Pipeline pipeline = make_pipeline(chunk);
  Timeline timeline({pipeline});
  const auto run = [&] { submit(host, chunk, pipeline, timeline); };

  run();                                                 // also loads the kernel: not timed
  HANDLE_ERROR(cudaStreamSynchronize(pipeline.stream));  // only now host.c may be read
  const bool passed = means_agree(host, chunk);

  Image picture;
  if (!options.check && passed) picture = time_and_draw(timeline, run, "one stream", options.size);
  if (options.benchmark && passed) print_benchmark("chunks on one stream", "single_stream", run, 0);

  free_pipeline(pipeline);
  free_vectors(host);
  if (options.check || options.benchmark || !passed) return verdict(options.name(), passed);
  return present(options, picture);
}
