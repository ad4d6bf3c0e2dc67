// Graphs: nodes, edges, copies, executable graphs and their updates.
#include <algorithm>
#include <cstdint>

#include "semantics_main.h"

#define ASSERT_OK(call) ASSERT_EQ(call, cudaSuccess)

__global__ void add(int* values, int n, int amount) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) values[i] += amount;
}

template <class T>
__global__ void scale(T* values, T factor) {
  values[threadIdx.x] *= factor;
}

// A node that adds `amount` to the values. The arguments must live until the node is made.
cudaKernelNodeParams add_node(int*& values, int& n, int& amount, void* (&arguments)[3]) {
  arguments[0] = &values;
  arguments[1] = &n;
  arguments[2] = &amount;
  cudaKernelNodeParams params = {};
  params.func = (void*)add;
  params.gridDim = dim3(1);
  params.blockDim = dim3(n);
  params.kernelParams = arguments;
  return params;
}

// Instantiates the graph, launches it and waits.
void run(cudaGraph_t graph, int times = 1) {
  cudaGraphExec_t executable = nullptr;
  ASSERT_OK(cudaGraphInstantiate(&executable, graph, 0));
  for (int i = 0; i < times; ++i) ASSERT_OK(cudaGraphLaunch(executable, nullptr));
  ASSERT_OK(cudaDeviceSynchronize());
  EXPECT_EQ(cudaGraphExecDestroy(executable), cudaSuccess);
}

void set_flag(void* flag) { *static_cast<int*>(flag) += 1; }

cudaError_t add_edges(cudaGraph_t graph, const cudaGraphNode_t* from, const cudaGraphNode_t* to,
                      std::size_t n) {
#if CUDART_VERSION >= 13000
  return cudaGraphAddDependencies(graph, from, to, nullptr, n);
#else
  return cudaGraphAddDependencies(graph, from, to, n);
#endif
}

class Graph : public testing::Test {
 protected:
  void SetUp() override { ASSERT_OK(cudaGraphCreate(&graph, 0)); }
  void TearDown() override {
    EXPECT_EQ(cudaGraphDestroy(graph), cudaSuccess);
    EXPECT_EQ(cudaGetLastError(), cudaSuccess);
  }
  cudaGraph_t graph = nullptr;
};

TEST_F(Graph, NodesOfEveryKind) {
  constexpr int n = 32;
  Device<int> memory(n);
  int *values = memory.get(), size = n, five = 5, flag = 0;
  std::vector<int> input(n, 100), output(n);
  void* arguments[3];

  cudaGraphNode_t copy_in, fill, kernel, host, copy_out, empty;
  ASSERT_OK(cudaGraphAddMemcpyNode1D(&copy_in, graph, nullptr, 0, values, input.data(),
                                     n * sizeof(int), cudaMemcpyHostToDevice));
  cudaMemsetParams fill_params = {};
  fill_params.dst = values;
  fill_params.value = 0x01020304;
  fill_params.elementSize = 4;
  fill_params.width = n / 2;
  fill_params.height = 1;
  ASSERT_OK(cudaGraphAddMemsetNode(&fill, graph, &copy_in, 1, &fill_params));
  cudaKernelNodeParams params = add_node(values, size, five, arguments);
  ASSERT_OK(cudaGraphAddKernelNode(&kernel, graph, &fill, 1, &params));
  five = 7;  // too late: the argument was copied
  cudaHostNodeParams host_params = {set_flag, &flag};
  ASSERT_OK(cudaGraphAddHostNode(&host, graph, &kernel, 1, &host_params));
  ASSERT_OK(cudaGraphAddEmptyNode(&empty, graph, &host, 1));
  cudaMemcpy3DParms copy = {};
  copy.srcPtr = make_cudaPitchedPtr(values, n * sizeof(int), n * sizeof(int), 1);
  copy.dstPtr = make_cudaPitchedPtr(output.data(), n * sizeof(int), n * sizeof(int), 1);
  copy.extent = make_cudaExtent(n * sizeof(int), 1, 1);
  copy.kind = cudaMemcpyDeviceToHost;
  ASSERT_OK(cudaGraphAddMemcpyNode(&copy_out, graph, &empty, 1, &copy));

  run(graph, 2);
  EXPECT_EQ(flag, 2);
  for (int i = 0; i < n; ++i) EXPECT_EQ(output[i], i < n / 2 ? 0x01020304 + 5 : 105) << i;
  std::size_t count = 0;
  ASSERT_OK(cudaGraphGetNodes(graph, nullptr, &count));
  EXPECT_EQ(count, 6u);
}

// The order follows the edges, and a circle cannot run.
TEST_F(Graph, Edges) {
  Device<int> memory(4);
  int *values = memory.get(), n = 4, one = 1;
  void *arguments[3], *of_scale[] = {&values, &n};
  cudaGraphNode_t first, second;
  cudaKernelNodeParams adds = add_node(values, n, one, arguments), scales = adds;
  scales.func = (void*)scale<int>;
  scales.kernelParams = of_scale;
  ASSERT_OK(cudaGraphAddKernelNode(&second, graph, nullptr, 0, &scales));
  ASSERT_OK(cudaGraphAddKernelNode(&first, graph, nullptr, 0, &adds));
  ASSERT_OK(add_edges(graph, &first, &second, 1));
  EXPECT_EQ(add_edges(graph, &first, &second, 1), cudaErrorInvalidValue);  // it is there already
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidValue);
  run(graph);
  EXPECT_EQ(memory.read(), std::vector<int>(4, 4));
  ASSERT_OK(add_edges(graph, &second, &first, 1));
  cudaGraphExec_t executable = nullptr;
  EXPECT_NE(cudaGraphInstantiate(&executable, graph, 0), cudaSuccess);
  EXPECT_NE(cudaGetLastError(), cudaSuccess);
}

TEST_F(Graph, ParametersOfAnExecutableOne) {
  Device<int> memory(8), other(8);
  int *values = memory.get(), n = 8, one = 1, ten = 10;
  void *arguments[3], *changed[3];
  cudaGraphNode_t node;
  cudaKernelNodeParams params = add_node(values, n, one, arguments),
                       more = add_node(values, n, ten, changed);
  ASSERT_OK(cudaGraphAddKernelNode(&node, graph, nullptr, 0, &params));
  cudaGraphExec_t executable = nullptr;
  ASSERT_OK(cudaGraphInstantiate(&executable, graph, 0));
  ASSERT_OK(cudaGraphLaunch(executable, nullptr));
  EXPECT_EQ(memory.read(), std::vector<int>(8, 1));
  ASSERT_OK(cudaGraphExecKernelNodeSetParams(executable, node, &more));
  ASSERT_OK(cudaGraphLaunch(executable, nullptr));
  EXPECT_EQ(memory.read(), std::vector<int>(8, 11));
  run(graph);  // it has its own
  EXPECT_EQ(memory.read(), std::vector<int>(8, 12));

  // Another kernel, a template.
  int two = 2;
  void* of_scale[] = {&values, &two};
  cudaKernelNodeParams scaled = params;
  scaled.func = (void*)scale<int>;
  scaled.kernelParams = of_scale;
  ASSERT_OK(cudaGraphExecKernelNodeSetParams(executable, node, &scaled));
  ASSERT_OK(cudaGraphLaunch(executable, nullptr));
  EXPECT_EQ(memory.read(), std::vector<int>(8, 24));
  EXPECT_EQ(cudaGraphExecDestroy(executable), cudaSuccess);
}

TEST_F(Graph, OlderForms) {
  cudaGraphNode_t empty;
  ASSERT_OK(cudaGraphAddEmptyNode(&empty, graph, nullptr, 0));
  cudaGraphExec_t executable = nullptr;
  ASSERT_OK(cudaGraphInstantiateWithFlags(&executable, graph));
  EXPECT_EQ(cudaGraphExecDestroy(executable), cudaSuccess);
  cudaGraphNode_t wrong = empty;  // as programs for CUDA 11 write it
  char log[100] = "?";
  ASSERT_OK(cudaGraphInstantiate(&executable, graph, &wrong, log, sizeof log));
  cudaGraphExecUpdateResult result = cudaGraphExecUpdateError;
  ASSERT_OK(cudaGraphExecUpdate(executable, graph, &wrong, &result));
  EXPECT_EQ(result, cudaGraphExecUpdateSuccess);
  EXPECT_EQ(cudaGraphExecDestroy(executable), cudaSuccess);
}

TEST_F(Graph, Update) {
  Device<int> memory(8);
  int *values = memory.get(), n = 8, one = 1, ten = 10;
  void* arguments[3];
  cudaGraphNode_t first, second;
  cudaKernelNodeParams params = add_node(values, n, one, arguments);
  ASSERT_OK(cudaGraphAddKernelNode(&first, graph, nullptr, 0, &params));
  ASSERT_OK(cudaGraphAddKernelNode(&second, graph, &first, 1, &params));
  cudaGraphExec_t executable = nullptr;
  ASSERT_OK(cudaGraphInstantiate(&executable, graph, 0));

  cudaGraph_t changed = nullptr, same = nullptr;
  ASSERT_OK(cudaGraphCreate(&changed, 0));
  ASSERT_OK(cudaGraphAddKernelNode(&first, changed, nullptr, 0, &params));
  params = add_node(values, n, ten, arguments);
  ASSERT_OK(cudaGraphAddKernelNode(&second, changed, &first, 1, &params));
  ASSERT_OK(cudaGraphClone(&same, changed));
  ASSERT_OK(cudaGraphDestroy(changed));
#if CUDART_VERSION >= 12000
  cudaGraphExecUpdateResultInfo info = {};
  ASSERT_OK(cudaGraphExecUpdate(executable, same, &info));
  EXPECT_EQ(info.result, cudaGraphExecUpdateSuccess);
  ASSERT_OK(cudaGraphLaunch(executable, nullptr));
  EXPECT_EQ(memory.read(), std::vector<int>(8, 11));
  cudaGraphNode_t third;
  ASSERT_OK(cudaGraphAddEmptyNode(&third, same, nullptr, 0));
  EXPECT_EQ(cudaGraphExecUpdate(executable, same, &info), cudaErrorGraphExecUpdateFailure);
  EXPECT_EQ(info.result, cudaGraphExecUpdateErrorTopologyChanged);
  EXPECT_EQ(cudaGetLastError(), cudaErrorGraphExecUpdateFailure);
#endif
  EXPECT_EQ(cudaGraphDestroy(same), cudaSuccess);
  EXPECT_EQ(cudaGraphExecDestroy(executable), cudaSuccess);
}

// A stream that forked must join. (One that does: semantics_api.cu.)
TEST(Captures, ForksWithoutJoins) {
  Device<int> values(4);
  cudaStream_t first, second;
  cudaEvent_t fork;
  ASSERT_OK(cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking));
  ASSERT_OK(cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking));
  ASSERT_OK(cudaEventCreate(&fork));
  ASSERT_OK(cudaStreamBeginCapture(first, cudaStreamCaptureModeThreadLocal));
  ASSERT_OK(cudaEventRecord(fork, first));
  ASSERT_OK(cudaStreamWaitEvent(second, fork, 0));
  add<<<1, 4, 0, second>>>(values.get(), 4, 2);
  cudaGraph_t graph = nullptr;
  EXPECT_EQ(cudaStreamEndCapture(first, &graph), cudaErrorStreamCaptureUnjoined);
  EXPECT_EQ(cudaGetLastError(), cudaErrorStreamCaptureUnjoined);
  EXPECT_EQ(cudaStreamDestroy(first), cudaSuccess);
  EXPECT_EQ(cudaStreamDestroy(second), cudaSuccess);
  EXPECT_EQ(cudaEventDestroy(fork), cudaSuccess);
}

// A graph cannot be launched into a capture, which is spoilt then. (Seen
// on an H200 with CUDA 13.0.)
TEST_F(Graph, IsNotCaptured) {
  Device<int> memory(4);
  int *values = memory.get(), n = 4, six = 6;
  void* arguments[3];
  cudaKernelNodeParams params = add_node(values, n, six, arguments);
  cudaGraphNode_t node;
  ASSERT_OK(cudaGraphAddKernelNode(&node, graph, nullptr, 0, &params));
  cudaGraphExec_t inner = nullptr;
  ASSERT_OK(cudaGraphInstantiate(&inner, graph, 0));
  cudaStream_t stream;
  ASSERT_OK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  ASSERT_OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
  EXPECT_EQ(cudaGraphLaunch(inner, stream), cudaErrorStreamCaptureUnsupported);
  cudaGraph_t outer = nullptr;
  EXPECT_EQ(cudaStreamEndCapture(stream, &outer), cudaErrorStreamCaptureInvalidated);
  cudaGetLastError();
  ASSERT_OK(cudaGraphLaunch(inner, stream));
  ASSERT_OK(cudaStreamSynchronize(stream));
  EXPECT_EQ(memory.read(), std::vector<int>(4, 6));
  EXPECT_EQ(cudaGraphExecDestroy(inner), cudaSuccess);
  EXPECT_EQ(cudaStreamDestroy(stream), cudaSuccess);
}

TEST(Kernels, LaunchedByAnAddressThatWasKept) {
  Device<int> memory(4);
  int *values = memory.get(), n = 4, nine = 9;
  void* arguments[] = {&values, &n, &nine};
  const void* const kept = (const void*)add;
  EXPECT_EQ(cudaLaunchKernel(kept, dim3(1), dim3(4), arguments, 0, nullptr), cudaSuccess);
  EXPECT_EQ(memory.read(), std::vector<int>(4, 9));
}
