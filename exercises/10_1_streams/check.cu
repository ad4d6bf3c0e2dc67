#include "../exercise.h"

void square(const int* in, int* out, int* data, int n, const cudaStream_t* streams);
extern int ms_with_two_streams;

static cudaGraphExec_t end_capture(cudaStream_t stream) {
  cudaGraph_t graph = nullptr;
  HANDLE_ERROR(cudaStreamEndCapture(stream, &graph));
  cudaGraphExec_t work = nullptr;
  HANDLE_ERROR(cudaGraphInstantiateWithFlags(&work, graph, 0));
  HANDLE_ERROR(cudaGraphDestroy(graph));
  return work;
}

static void check_streams(exercise::Check& check) {
  cudaStream_t streams[2];
  for (cudaStream_t& stream : streams)
    HANDLE_ERROR(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));

  const auto test = [&](int n) {
    const std::vector<int> values = exercise::random_numbers<int>(n, 1000);
    std::vector<int> squares;
    for (const int value : values) squares.push_back(value * value);
    int* in = nullptr;
    int* out = nullptr;
    HANDLE_ERROR(cudaMallocHost(&in, n * sizeof(int)));
    HANDLE_ERROR(cudaMallocHost(&out, n * sizeof(int)));
    const exercise::Array<int> data("data", n);
    const auto result = [&] { return std::vector<int>(out, out + n); };

    std::copy(values.begin(), values.end(), in);
    std::fill(out, out + n, -1);
    square(in, out, data.data(), n, streams);
    check.ran();
    check.equal("out", result(), squares);

    // The work of each stream is recorded, and done without that of the other. So neither may need
    // the other.
    for (const cudaStream_t stream : streams)
      HANDLE_ERROR(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed));
    square(in, out, data.data(), n, streams);
    cudaGraphExec_t work[] = {end_capture(streams[0]), end_capture(streams[1])};
    for (int s = 0; s < 2; ++s) {
      check.ran();
      std::fill(out, out + n, -1);
      HANDLE_ERROR(cudaGraphLaunch(work[s], streams[s]));
      check.ran();
      std::vector<int> expected(n, -1);
      const int first = s * (n / 2);
      std::copy_n(squares.begin() + first, n / 2, expected.begin() + first);
      if (result() != expected)
        check.fail("the work of streams[" + std::to_string(s) + "] alone does not compute its half",
                   "hint");
      HANDLE_ERROR(cudaGraphExecDestroy(work[s]));
    }
    HANDLE_ERROR(cudaFreeHost(in));
    HANDLE_ERROR(cudaFreeHost(out));
  };
  check.for_sizes({2, 254, 512, 514, 20000}, test, {2, "an even number"});

  for (const cudaStream_t stream : streams) HANDLE_ERROR(cudaStreamDestroy(stream));

  check.predicted("ms_with_two_streams", ms_with_two_streams, 4,
                  "the second stream's copy in can begin when the first stream's has ended");
}

int main(int argc, char** argv) { return exercise::run("streams", argc, argv, check_streams); }
