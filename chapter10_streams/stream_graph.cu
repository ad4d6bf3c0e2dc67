// stream_graph - the copies and kernels of several streams as one graph, launched with one call.
//
// CUDA by Example is older than graphs. Work that is the same each time is submitted to its streams
// once, while they are captured: nothing runs, CUDA notes what depends on what. Launching the graph
// costs the host one call instead of four per chunk.
// The same without a graph: diff many_streams.cu stream_graph.cu
// Terms (docs/glossary.md): stream, event, graph, asynchronous.
//
//   ./run stream_graph
//   ./run stream_graph --streams 8 --chunk 1000 -n 100003
//   ./run stream_graph --check
//   ./run stream_graph --benchmark                      both ways, for chunks of several sizes
//
// No window. What to see: the graph's results are those of the streams. On a GPU it saves time
// where the chunks are small, and the host could not submit them fast enough.
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
#include "../common/random.h"
#include "../common/timing.h"

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
// only where they need the same engine.
void submit(const Vectors& host, size_t chunk, int rounds, const std::vector<Pipeline>& pipelines) {
  int s = 0;
  for (size_t first = 0; first < host.n; first += chunk) {
    const auto [stream, a, b, c] = pipelines[s];
    const size_t count = std::min(chunk, host.n - first);
    const size_t bytes = count * sizeof(unsigned);
    HANDLE_ERROR(cudaMemcpyAsync(a, host.a + first, bytes, cudaMemcpyHostToDevice, stream));
    HANDLE_ERROR(cudaMemcpyAsync(b, host.b + first, bytes, cudaMemcpyHostToDevice, stream));
    mean_kernel<<<div_up(count, 256), 256, 0, stream>>>(count, a, b, c, rounds);
    HANDLE_ERROR(cudaGetLastError());
    HANDLE_ERROR(cudaMemcpyAsync(host.c + first, c, bytes, cudaMemcpyDeviceToHost, stream));
    s = (s + 1) % static_cast<int>(pipelines.size());
  }
}

// The operations of submit() as a graph. One stream begins the capture; the others come into it by
// waiting for an event of that one, and it ends when that one has waited for them.
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

  // Made ready for many launches, which need neither the graph nor the events.
  cudaGraphExec_t executable;
  HANDLE_ERROR(cudaGraphInstantiate(&executable, graph, 0));
  HANDLE_ERROR(cudaGraphDestroy(graph));
  HANDLE_ERROR(cudaEventDestroy(fork));
  for (size_t s = 1; s < pipelines.size(); ++s) HANDLE_ERROR(cudaEventDestroy(joins[s]));
  return executable;
}

// Both ways, by the host's clock: it begins before the host has submitted anything.
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

  const cudaGraphExec_t graph = make_graph(host, chunk, rounds, pipelines);
  HANDLE_ERROR(cudaGraphLaunch(graph, pipelines[0].stream));
  HANDLE_ERROR(cudaStreamSynchronize(pipelines[0].stream));  // only now host.c may be read
  const bool passed =
      check_equal("mean", std::span<const unsigned>(host.c, n),
                  std::span<const unsigned>(reference_means(n, chunk, host.a, host.b, rounds)));
  if (!options.check && passed)
    std::printf("one launch did %zu copies and kernels\n", 4 * div_up(n, chunk));
  if (options.benchmark && passed) benchmark(host, chunk, streams, rounds);

  HANDLE_ERROR(cudaGraphExecDestroy(graph));
  free_pipelines(pipelines);
  HANDLE_ERROR(cudaFreeHost(host.a));
  HANDLE_ERROR(cudaFreeHost(host.b));
  HANDLE_ERROR(cudaFreeHost(host.c));
  return verdict(options.name(), passed);
}
