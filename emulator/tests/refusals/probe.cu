// A program with many mistakes, one for each name given on the command line.
// refusals.txt has what is said of it.
#undef NDEBUG  // so that assert() asserts

#include <cooperative_groups.h>

#include <cassert>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda/atomic>
#include <map>
#include <string>

// ---- order: a race shows, a correct kernel is unaffected ----
__global__ void last_writer_wins(int* winner) {
  *winner = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
}
__global__ void count(int* counter) { atomicAdd(counter, 1); }
__global__ void missing_barrier(int* out) {
  __shared__ int values[64];
  values[threadIdx.x] = static_cast<int>(threadIdx.x) + 1;
  // __syncthreads() is missing
  out[threadIdx.x] = values[(threadIdx.x + 1) % 64];
}

static void order(int* device) {
  int winner = 0, counter = 0, neighbors[64];
  last_writer_wins<<<10, 32>>>(device);
  cudaMemcpy(&winner, device, sizeof winner, cudaMemcpyDeviceToHost);
  cudaMemset(device, 0, sizeof(int));
  count<<<10, 32>>>(device);
  cudaMemcpy(&counter, device, sizeof counter, cudaMemcpyDeviceToHost);
  missing_barrier<<<1, 64>>>(device);
  cudaMemcpy(neighbors, device, sizeof neighbors, cudaMemcpyDeviceToHost);
  int right = 0;
  for (int i = 0; i < 64; ++i) right += neighbors[i] == (i + 1) % 64 + 1;
  std::printf("winner %d counter %d right %d\n", winner, counter, right);
}

// ---- mistakes of threads ----
__global__ void early_exit(int* out) {
  if (threadIdx.x >= 40) return;
  __syncthreads();  // LINE early_exit
  out[threadIdx.x] = 1;
}
__global__ void different_barriers(int* out) {
  if (threadIdx.x < 32)
    __syncthreads();
  else
    __syncthreads();  // LINE different_barriers
  out[threadIdx.x] = 1;
}
__global__ void ended_lanes(int* out) {
  if (threadIdx.x >= 20) return;
  out[threadIdx.x] = __shfl_xor_sync(0xffffffffu, static_cast<int>(threadIdx.x), 1);
}
__global__ void divergent(int* out) {
  int value = static_cast<int>(threadIdx.x);
  if (threadIdx.x < 16)
    value = __shfl_xor_sync(0xffffffffu, value, 1);  // LINE divergent
  else
    __syncthreads();
  out[threadIdx.x] = value;
}
__global__ void different_operations(unsigned* out) {
  if (threadIdx.x == 0)
    out[0] = __ballot_sync(3, 1);
  else
    out[1] = __shfl_sync(3, 1u, 0);  // LINE different_operations
}
__global__ void not_in_mask(unsigned* out) {
  out[threadIdx.x] = __ballot_sync(0xfffffffeu, 1);  // LINE not_in_mask
}
__global__ void no_cooperative_launch() {
  cooperative_groups::this_grid().sync();  // LINE no_cooperative_launch
}
__global__ void some_blocks_sync() {
  if (blockIdx.x > 0) cooperative_groups::this_grid().sync();  // LINE some_blocks_sync
}
__global__ void waits_forever(int* flag) {
  const cuda::atomic_ref<int, cuda::thread_scope_device> atomic_flag(*flag);
  while (atomic_flag.load() == 0) {  // LINE waits_forever
  }
}
__global__ void never_ends(int* values, unsigned n) {
  const unsigned i = threadIdx.x;
  if (i < 5) return;
  while (i < n) values[i] = 1;  // LINE never_ends
}

// ---- faults ----
__global__ void illegal_address(int* nowhere) {
  if (threadIdx.x == 3) *nowhere = 1;  // LINE illegal_address
}
__global__ void follows_null(int* const* nowhere) { **nowhere = 1; }  // LINE follows_null
__global__ void failed_assert(int value) {
  if (threadIdx.x == 5) assert(value != int(0.5f));  // LINE failed_assert
}
__global__ void failed_asserts() { assert(threadIdx.x % 10 != 3 || threadIdx.x < 32); }
__global__ void failed_asserts_later(int* out) {
  __syncthreads();
  assert(threadIdx.x % 10 != 3 || threadIdx.x < 32);
  out[threadIdx.x] = 1;
  __syncthreads();
}
__global__ void divide_twice(int* out, int width) {
  const int i = static_cast<int>(threadIdx.x);
  const int row = i / width;
  const int column = i % width;
  out[i] = 10 * row + column;
}
__global__ void trap() {
  if (threadIdx.x == 7) __trap();
  __syncthreads();
}
__global__ void builtin_trap(int* out) {
  if (threadIdx.x == 3) __builtin_trap();  // LINE builtin_trap
  out[threadIdx.x] = 1;
}
// s[256] is no variable: those of the device lie in front of shared memory.
__global__ void overruns_shared(int* out) {
  __shared__ int s[256];
  s[threadIdx.x + 1] = 7;
  __syncthreads();
  out[threadIdx.x] = s[threadIdx.x + 1];
}
__global__ void overruns(int* out, int n) {
  int local[8] = {};
  for (int i = 0; i < n; ++i) local[i] = i;
  out[0] = local[out[1]];
}
__global__ void overruns_far(int* out, int n) {
  int local[8] = {};
  for (int i = 0; i < n; ++i) local[i * 16] = i;
  out[0] = local[out[1]];
}
__global__ void overruns_by_memset(int* out, int n) {
  int local[8] = {};
  std::memset(local, 0x41, n * sizeof(int));  // the C library's function is what faults
  out[0] = local[out[1]];
}
__global__ void misaligned(float* values) {
  float4* const vectors = reinterpret_cast<float4*>(values);
  vectors[0] = *reinterpret_cast<const float4*>(values + 5);  // LINE misaligned
}
__global__ void misaligned_atomic(char* bytes) {
  atomicAdd(reinterpret_cast<int*>(bytes + 14), 1);  // LINE misaligned_atomic
}
__global__ void atomic_nowhere(int* nowhere) {
  atomicAdd(nowhere, 1);  // LINE atomic_nowhere
}

__global__ void launches_inside() {
  trap<<<1, 1>>>();  // LINE launches_inside
}
__global__ void divide(int* out, int divisor) {
  out[0] = out[1] / divisor;  // LINE divide
}

// ---- out of bounds, for the sanitizers ----
__device__ float read(const float* values, int i) {
  return values[i];  // LINE global_overrun
}
__global__ void global_overrun(float* out, const float* in, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i <= n) out[i] = read(in, i);
}
constexpr int unwritten = static_cast<int>(0xfefefefe);
// Counts the words of shared memory in which a new block finds the bytes of unwritten memory.
__global__ void unwritten_words(int* count) {
  __shared__ int fixed[256];
  extern __shared__ int dynamic[];
  atomicAdd(count, (fixed[threadIdx.x] == unwritten ? 1 : 0) +
                       (dynamic[threadIdx.x] == unwritten ? 1 : 0));
  fixed[threadIdx.x] = dynamic[threadIdx.x] = 0;
}
template <class T>
__global__ void deduced_unwritten_words(T* count) {
  __shared__ T fixed[32];
  atomicAdd(count, fixed[threadIdx.x] == T(unwritten) ? 1 : 0);
  fixed[threadIdx.x] = 0;
}
__global__ void __launch_bounds__(64) bounded() {}
__global__ void static_overrun(float* out) {
  __shared__ float values[64];
  values[threadIdx.x + 1] = 1;  // LINE static_overrun
  __syncthreads();
  out[threadIdx.x] = values[threadIdx.x];
}
__global__ void dynamic_overrun(float* out) {
  extern __shared__ float values[];
  __syncthreads();
  values[threadIdx.x + 1] = 1;  // LINE dynamic_overrun
  __syncthreads();
  out[threadIdx.x] = values[threadIdx.x];
}

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  const std::string name = argv[1];
  int* device = nullptr;
  float* floats = nullptr;
  if (cudaMalloc(&device, 4096) != cudaSuccess ||
      cudaMalloc(&floats, 1000 * sizeof(float)) != cudaSuccess)
    return 1;
  cudaMemset(device, 0, 4096);

  if (name == "order") order(device);
  if (name == "early_exit") early_exit<<<2, 64>>>(device);
  if (name == "different_barriers") different_barriers<<<1, 64>>>(device);
  if (name == "ended_lanes") ended_lanes<<<1, 32>>>(device);
  if (name == "divergent") divergent<<<1, 32>>>(device);
  if (name == "different_operations")
    different_operations<<<1, 2>>>(reinterpret_cast<unsigned*>(device));
  if (name == "not_in_mask") not_in_mask<<<1, 32>>>(reinterpret_cast<unsigned*>(device));
  if (name == "no_cooperative_launch") no_cooperative_launch<<<1, 32>>>();
  if (name == "some_blocks_sync")
    cudaLaunchCooperativeKernel((void*)some_blocks_sync, dim3(3), dim3(32), nullptr, 0, 0);
  if (name == "waits_forever") waits_forever<<<2, 32>>>(device);
  if (name == "never_ends") never_ends<<<2, 32>>>(device, 32);
  if (name == "illegal_address") illegal_address<<<2, 32>>>(nullptr);
  if (name == "follows_null") {
    cudaMemset(device, 0, sizeof(int*));
    follows_null<<<1, 1>>>(reinterpret_cast<int**>(device));
  }
  if (name == "failed_assert") failed_assert<<<2, 32>>>(0);
  if (name == "trap") trap<<<2, 32>>>();
  if (name == "builtin_trap") builtin_trap<<<2, 32>>>(device);
  if (name == "overruns_shared") overruns_shared<<<4, 256>>>(device);
  if (name == "overruns") overruns<<<1, 64>>>(device, 200);
  if (name == "overruns_far") overruns_far<<<1, 64>>>(device, 1 << 20);
  if (name == "overruns_by_memset") overruns_by_memset<<<1, 64>>>(device, 1 << 20);
  if (name == "misaligned") misaligned<<<1, 1>>>(reinterpret_cast<float*>(device));
  if (name == "misaligned_atomic") misaligned_atomic<<<1, 1>>>(reinterpret_cast<char*>(device));
  if (name == "atomic_nowhere") atomic_nowhere<<<1, 4>>>(nullptr);
  if (name == "launches_inside") launches_inside<<<2, 32>>>();
  if (name == "divide") divide<<<1, 1>>>(device, 0);
  if (name == "divide_twice") divide_twice<<<1, 32>>>(device, 0);
  if (name == "failed_asserts") failed_asserts<<<1, 96>>>();
  if (name == "failed_asserts_later") failed_asserts_later<<<1, 96>>>(device);
  if (name == "too_many_threads") trap<<<1, 2048>>>();  // LINE too_many_threads
  if (name == "global_overrun")
    global_overrun<<<8, 128>>>(reinterpret_cast<float*>(device), floats, 1000);
  if (name == "static_overrun") static_overrun<<<1, 64>>>(floats);
  if (name == "dynamic_overrun") dynamic_overrun<<<1, 64, 64 * sizeof(float)>>>(floats);
  if (name == "use_after_free") {
    cudaFree(floats);
    global_overrun<<<1, 128>>>(reinterpret_cast<float*>(device), floats, 100);
  }
  if (name == "uninitialized_shared") {
    int count = 0;
    cudaMemset(device, 0, sizeof(int));
    unwritten_words<<<10, 256, 256 * sizeof(int)>>>(device);
    deduced_unwritten_words<<<10, 32>>>(device);
    cudaMemcpy(&count, device, sizeof count, cudaMemcpyDeviceToHost);
    std::printf("%d\n", count);
  }
  if (name == "too_many_for_bounds") bounded<<<1, 128>>>();  // LINE too_many_for_bounds
  if (name == "uninitialized") {
    float value = 0;
    cudaMemcpy(&value, floats, sizeof value, cudaMemcpyDeviceToHost);
    float* managed = nullptr;
    cudaMallocManaged(&managed, sizeof(float));
    std::printf("%s, managed %g\n", value < -1e38f ? "far" : "near", *managed);
    cudaFree(managed);
  }

  if (name == "last_error") {
    illegal_address<<<2, 32>>>(nullptr);
    for (const cudaError_t error :
         {cudaPeekAtLastError(), cudaGetLastError(), cudaGetLastError(), cudaDeviceSynchronize(),
          cudaGetLastError(), cudaPeekAtLastError()})
      std::printf("%s ", cudaGetErrorName(error));
  }
  std::printf("%s", cudaGetErrorName(cudaGetLastError()));
  // A device fault stays, as on hardware, until the device is reset.
  std::printf(" %s", cudaGetErrorName(cudaDeviceSynchronize()));
  if (name == "leak") return 0;
  cudaDeviceReset();
  std::printf(" %s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  return 0;
}
