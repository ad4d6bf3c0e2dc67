// Kernels that wait wrongly or end wrongly, one for each name given on the command line.
// refusals.txt has what is said of it.
#include <cooperative_groups.h>
#include <execinfo.h>
#include <unwind.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <cuda/atomic>
#include <stdexcept>
#include <string>

// ---- ends of kernels ----
__global__ void aborts() {
  __syncthreads();
  if (threadIdx.x == 4) __builtin_abort();  // LINE aborts
}
// nvcc refuses exceptions in device code; constexpr functions, which it
// calls on both sides, may have them.
constexpr int checked(int value) {
  if (value == 5) throw std::runtime_error("no such value");  // LINE throws
  return value;
}
__global__ void throws(int* values) {
  values[threadIdx.x] = checked(static_cast<int>(threadIdx.x));
}
__global__ void throws_later(int* values) {
  const std::array<int, 7> table{};
  __syncthreads();
  values[threadIdx.x] = table.at(threadIdx.x);  // LINE throws_later
}
// The outermost function of a thread's stack returns to none, least of all to its own beginning.
__global__ void callers(int* wrong) {
  __syncthreads();
  void* frames[64];
  const int count = backtrace(frames, 64);
  for (int i = 0; i + 1 < count; ++i)
    if (_Unwind_FindEnclosingFunction(static_cast<char*>(frames[i]) - 1) == frames[i + 1]) ++*wrong;
}
static void print_callers(int* device) {
  callers<<<1, 4>>>(device);
  int wrong = -1;
  cudaMemcpy(&wrong, device, sizeof wrong, cudaMemcpyDeviceToHost);
  std::printf("%d ", wrong);
}
__global__ void frees(int offset) {
  char* pointer = static_cast<char*>(std::malloc(64));
  if (threadIdx.x == 6) std::free(pointer + offset);  // LINE frees
}

// ---- stacks ----
__device__ int large_frame(int* values, int n) {
  volatile char bytes[500 << 10];
  for (int i = 0; i < n; ++i) bytes[i * 4096 % (500 << 10)] = static_cast<char>(values[i]);
  __syncthreads();
  return bytes[0] + bytes[4096];
}
__global__ void uses_large_frame(int* values) { values[threadIdx.x] = large_frame(values, 64); }

__device__ __noinline__ int endless(int* values, int depth) {
  volatile int local[100 << 10];  // 400 KiB
  local[0] = depth;
  return depth > 1000000 ? values[0] : endless(values, depth + 1) + local[0];
}
__global__ void overflows(int* values) { values[threadIdx.x] = endless(values, 0); }

__global__ void passes_barrier() { __syncthreads(); }
__global__ void syncs_grid() { cooperative_groups::this_grid().sync(); }

// ---- waiting ----
__global__ void wait_for_host(volatile int* flag) {
  while (*flag == 0) {  // LINE wait_for_host
  }
}
static void launch_and_answer() {
  int* flag = nullptr;
  if (cudaMallocHost(&flag, sizeof(int)) != cudaSuccess) return;
  *flag = 0;
  wait_for_host<<<1, 1>>>(flag);
  *flag = 1;  // on a GPU the kernel sees this
  cudaFreeHost(flag);
}
__global__ void wait_for_many(int* flags) {
  for (int seen = 0; seen < 100;) {
    seen = 0;
    for (int i = 0; i < 100; ++i)
      seen +=
          cuda::atomic_ref<int, cuda::thread_scope_device>(flags[i]).load();  // LINE wait_for_many
  }
}
// One more block than can run: the others wait for it at a barrier of the
// whole grid that can never complete.
__global__ void wait_for_all(int* arrived) {
  atomicAdd(arrived, 1);
  while (atomicAdd(arrived, 0) < static_cast<int>(gridDim.x)) {
  }
}
// Works and looks at a flag until the last thread has counted for long enough.
__global__ void work_until_stopped(int* stop, unsigned* work, long long nanoseconds) {
  unsigned rounds = 0;
  if (threadIdx.x == blockDim.x - 1) {
    const long long begin = clock64();
    while (clock64() - begin < nanoseconds) {
      ++rounds;
      __nanosleep(100);
    }
    atomicExch(stop, 1);
  }
  while (atomicAdd(stop, 0) == 0) ++rounds;
  work[threadIdx.x] = rounds;
}

// Threads that meet again and again, and do nothing else.
__global__ void barriers_forever(int* flag) {
  while (flag[0] == 0) {
    if (threadIdx.x < 32) __syncwarp();
    __syncthreads();  // LINE barriers_forever
  }
}
__global__ void shuffles_forever(int* values) {
  int value = static_cast<int>(threadIdx.x);
  while (value >= 0) value = __shfl_xor_sync(0xffffffffu, value, 1);  // LINE shuffles_forever
  values[threadIdx.x] = value;
}
// All that it has is in memory.
__global__ void counts_in_memory(int* left) {
  do {
    __syncthreads();
    if (threadIdx.x == 0) --left[0];
    __syncthreads();
  } while (left[0] > 0);
}

// Long, but not without end.
__global__ void counts(unsigned* value, unsigned n) {
  unsigned x = *value;
  for (unsigned i = 0; i < n; ++i) x = 1664525 * x + i;  // LINE counts
  *value = x;
}

struct LaunchesOutsideMain {
  LaunchesOutsideMain() {
    passes_barrier<<<3, 64>>>();
    constructed = cudaGetLastError();
  }
  ~LaunchesOutsideMain() {
    passes_barrier<<<3, 64>>>();
    std::fprintf(stderr, " destructed: %s\n", cudaGetErrorName(cudaGetLastError()));
  }
  cudaError_t constructed = cudaErrorUnknown;
};

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  const std::string name = argv[1];
  int* device = nullptr;
  if (cudaMalloc(&device, 4096) != cudaSuccess || cudaMemset(device, 0, 4096) != cudaSuccess)
    return 1;

  if (name == "aborts") aborts<<<2, 32>>>();
  if (name == "throws") throws<<<2, 32>>>(device);
  if (name == "throws_later") throws_later<<<2, 32>>>(device);
  if (name == "callers") print_callers(device);
  if (name == "frees") frees<<<1, 32>>>(8);
  if (name == "large_frame") uses_large_frame<<<1, 4>>>(device);
  if (name == "overflows") overflows<<<1, 4>>>(device);
  if (name == "many_stacks") passes_barrier<<<1, 1024>>>();
  if (name == "many_os_threads")
    cudaLaunchCooperativeKernel((void*)syncs_grid, dim3(300), dim3(1), nullptr, 0, 0);
  if (name == "wait_for_host") launch_and_answer();
  if (name == "wait_for_many") wait_for_many<<<1, 2>>>(device);
  if (name == "wait_for_all") wait_for_all<<<600, 1>>>(device);
  if (name == "work_until_stopped")
    work_until_stopped<<<1, 4>>>(device, reinterpret_cast<unsigned*>(device) + 8, 2'000'000'000LL);
  if (name == "barriers_forever") barriers_forever<<<3, 64>>>(device);
  if (name == "shuffles_forever") shuffles_forever<<<3, 64>>>(device);
  if (name == "counts") counts<<<1, 1>>>(reinterpret_cast<unsigned*>(device), 2'000'000'000u);
  if (name == "counts_in_memory") {
    const int many = 500'000;
    cudaMemcpy(device, &many, sizeof many, cudaMemcpyHostToDevice);
    counts_in_memory<<<1, 64>>>(device);
  }
  if (name == "ends_while_watched") {  // one of them while the watchdog goes through memory
    void* much = nullptr;
    cudaMalloc(&much, std::size_t{1} << 29);
    for (unsigned n = 100'000'000; n <= 300'000'000; n += 20'000'000)
      counts<<<1, 1>>>(reinterpret_cast<unsigned*>(device), n);
    cudaFree(much);
  }
  if (name == "outside_main") {
    static const LaunchesOutsideMain local;  // destructed after main()
    std::printf("constructed: %s", cudaGetErrorName(local.constructed));
    std::fflush(stdout);
    return 0;
  }

  std::printf("%s", cudaGetErrorName(cudaGetLastError()));
  cudaDeviceReset();
  passes_barrier<<<2, 32>>>();  // the device is good again
  std::printf(" %s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  return 0;
}
