// stream_graph - the copies and kernels of several streams as one graph, launched with one call.
//
// CUDA by Example is older than graphs. Repeated work is submitted to its streams once, while they
// are captured. Nothing runs then; CUDA records the dependencies. Launching the graph costs the
// host one call instead of four per chunk.
// Needed: chunks.h (the vectors, and a stream with its memory).
// The same without a graph: diff many_streams.cu stream_graph.cu
// Terms (docs/glossary.md): stream, event, graph, asynchronous.
//
//   ./run stream_graph
//   ./run stream_graph --streams 8 --chunk 1000 -n 100003
//   ./run stream_graph --check
//   ./run stream_graph --benchmark                      both ways, for chunks of several sizes
//
// No window. What to see: the graph's results are those of the streams. On a GPU the graph saves
// time when the chunks are so small that the host cannot submit them fast enough.
#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

#include "../common/book.h"
#include "../common/device.h"
#include "../common/grid.h"
#include "../common/options.h"
#include "../common/timing.h"
#include "chunks.h"

__global__ void mean_kernel(size_t count, const unsigned* a, const unsigned* b, unsigned* c,
                            int rounds) {
  const size_t i = threadIdx.x + size_t{blockIdx.x} * blockDim.x;
  if (i < count) c[i] = mean_sum(i, count, a, b, rounds);
}

// Every call returns at once. Each stream does a chunk's work in this order. The streams wait for
// one another only where they need the same engine.
void submit(const Vectors& host, size_t chunk, int rounds, const std::vector<Pipeline>& pipelines) {
  size_t s = 0;
  for (size_t first = 0; first < host.n; first += chunk) {
    const auto [stream, dev_a, dev_b, dev_c] = pipelines[s];
    const auto [count, a, b, c] = chunk_of(host, first, chunk);
    const size_t bytes = count * sizeof(unsigned);
    HANDLE_ERROR(cudaMemcpyAsync(dev_a, a, bytes, cudaMemcpyHostToDevice, stream));
    HANDLE_ERROR(cudaMemcpyAsync(dev_b, b, bytes, cudaMemcpyHostToDevice, stream));
    mean_kernel<<<div_up(count, 256), 256, 0, stream>>>(count, dev_a, dev_b, dev_c, rounds);
    HANDLE_ERROR(cudaGetLastError());
    HANDLE_ERROR(cudaMemcpyAsync(c, dev_c, bytes, cudaMemcpyDeviceToHost, stream));
    s = (s + 1) % pipelines.size();
  }
}

// The operations of submit() as a graph. One stream begins the capture. The others join it by
// waiting for an event of that stream. The capture ends after that stream has waited for them.
cudaGraphExec_t make_graph(const Vectors& host, size_t chunk, int rounds,
                           const std::vector<Pipeline>& pipelines) {
  const cudaStream_t origin = pipelines[0].stream;
  cudaEvent_t fork;
  HANDLE_ERROR(cudaEventCreate(&fork));
  HANDLE_ERROR(cudaStreamBeginCapture(origin, cudaStreamCaptureModeGlobal));
  HANDLE_ERROR(cudaEventRecord(fork, origin));
  for (size_t s = 1; s < pipelines.size(); ++s)
    HANDLE_ERROR(cudaStreamWaitEvent(pipelines[s].stream, fork));

  submit(host, chunk, rounds, pipelines);

  std::vector<cudaEvent_t> joins(pipelines.size());
  for (size_t s = 1; s < pipelines.size(); ++s) {
    HANDLE_ERROR(cudaEventCreate(&joins[s]));
    HANDLE_ERROR(cudaEventRecord(joins[s], pipelines[s].stream));
    HANDLE_ERROR(cudaStreamWaitEvent(origin, joins[s]));
  }
  cudaGraph_t graph;
  HANDLE_ERROR(cudaStreamEndCapture(origin, &graph));

  // Ready for many launches, which need neither the graph nor the events.
  cudaGraphExec_t executable;
  HANDLE_ERROR(cudaGraphInstantiate(&executable, graph, 0));
  HANDLE_ERROR(cudaGraphDestroy(graph));
  HANDLE_ERROR(cudaEventDestroy(fork));
  for (size_t s = 1; s < pipelines.size(); ++s) HANDLE_ERROR(cudaEventDestroy(joins[s]));
  return executable;
}

// Times both ways by the host's clock, which starts before the host has submitted anything.
void benchmark(const Vectors& host, size_t chunk, int streams, int rounds) {
  BenchmarkTable table("elements of a chunk");
  for (size_t elements = chunk; elements > chunk / 256; elements /= 4) {
    const std::vector<Pipeline> pipelines = make_pipelines(streams, elements);
    const cudaGraphExec_t graph = make_graph(host, elements, rounds, pipelines);
    const std::string size = std::to_string(elements);
    table.add(size + ", streams",
              measure_host([&] { submit(host, elements, rounds, pipelines); }, 5, 1), 0);
    table.add(
        size + ", graph",
        measure_host([&] { HANDLE_ERROR(cudaGraphLaunch(graph, pipelines[0].stream)); }, 5, 1), 0);
    HANDLE_ERROR(cudaGraphExecDestroy(graph));
    free_pipelines(pipelines);
  }
  table.print();
}

int main(int argc, char** argv) {
  Options options("stream_graph",
                  Common::seed | Common::always_checked | Common::benchmark | Common::device);
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

  const cudaGraphExec_t graph = make_graph(host, chunk, rounds, pipelines);
  HANDLE_ERROR(cudaGraphLaunch(graph, pipelines[0].stream));
  HANDLE_ERROR(cudaStreamSynchronize(pipelines[0].stream));  // only now host.c may be read
  const bool passed = means_agree(host, chunk, rounds);
  if (!options.check && passed)
    std::printf("one launch did %zu copies and kernels\n", 4 * div_up(n, chunk));
  if (options.benchmark && passed) benchmark(host, chunk, streams, rounds);

  HANDLE_ERROR(cudaGraphExecDestroy(graph));
  free_pipelines(pipelines);
  free_vectors(host);
  return verdict(options.name(), passed);
}
