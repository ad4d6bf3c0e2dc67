// endings HOW: a program with a race ends in many ways; check_endings.sh looks for the report.
#include <sys/resource.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>

__global__ void sum(int* total) { *total += static_cast<int>(threadIdx.x); }
__global__ void copy(int* out, const int* in) { out[threadIdx.x] = in[threadIdx.x]; }
__global__ void print() { std::printf("printed\n"); }
// Only two threads have a pointer.
__global__ void fill_some(int* out) {
  int* const to = threadIdx.x < 2 ? out : nullptr;
  to[threadIdx.x] = 1;
}
__global__ void some_wait(int* out, const int* in) {
  if (threadIdx.x > 40) return;
  __syncthreads();
  out[threadIdx.x] = in[threadIdx.x];
}
__global__ void endless(volatile int* total) {
  while (*total >= 0) total[1 + threadIdx.x] = total[0];
}

__global__ void loops(int* total, int n) {
  int i = 0;
  while (i < n) total[i] = total[i + 1];  // LINE loops
}
// The compiler makes a branch of it that goes back to itself.
__global__ void stores(int* total, int n) {
  int i = 0;
  total[0] = 1;
  while (i < n) total[0] = 2 * i;  // LINE stores
}
__global__ void counts(int* total) {
  for (long long i = 0; total[1] == 0; ++i) total[2] = static_cast<int>(i);
}
// The three that follow take longer than the watchdog waits, and end.
__global__ void computes(int* total, int n) {
  int sum = 0;
  for (int i = 0; i < n; ++i)
    if (total[1] == 0) sum += total[2];
  total[3] = sum;
}
__global__ void lets_time_pass(int* total) {
  const long long end = clock64() + 1'000'000'000;
  bool is_late = false;
  while (!is_late) is_late = clock64() >= end;
  total[1] = 0;
}
__global__ void has_many_blocks(int* total) {
  if (blockIdx.x < 100) total[2] = 0;
}

// Memory for `bytes` more from now on.
void limit_memory(rlim_t bytes) {
  rlim_t pages = 0;
  std::FILE* const status = std::fopen("/proc/self/statm", "r");
  if (std::fscanf(status, "%lu", &pages) != 1) std::exit(4);
  std::fclose(status);
  const rlim_t all = pages * static_cast<rlim_t>(::sysconf(_SC_PAGESIZE)) + bytes;
  const rlimit limit{all, all};
  ::setrlimit(RLIMIT_AS, &limit);
}

int main(int, char** arguments) {
  int* total;
  if (cudaMalloc(&total, 1024) != cudaSuccess) return 4;
  cudaMemset(total, 0, 1024);
  const auto is = [&](const char* how) { return std::strcmp(arguments[1], how) == 0; };
  if (is("right") || is("not_copied") || is("stopped")) {
    copy<<<1, 64>>>(total + 64, total);
    int result = 0;
    if (is("stopped")) {  // before it could copy
      cudaDeviceSynchronize();
      std::raise(SIGTERM);
      ::sleep(60);
    }
    if (is("right")) cudaMemcpy(&result, total + 64, sizeof result, cudaMemcpyDeviceToHost);
    return cudaDeviceSynchronize() + result;
  }
  if (is("no_notes")) {  // memory for an allocation, and soon none for the notes on it
    limit_memory(std::size_t{1} << 30);
    while (cudaMallocHost(&total, std::size_t{1} << 28) == cudaSuccess) {
    }
    return 4;
  }
  if (is("warned")) {
    some_wait<<<1, 64>>>(total + 64, total);
    int result = 0;
    return cudaMemcpy(&result, total + 64, sizeof result, cudaMemcpyDeviceToHost) + result;
  }
  if (is("not_waited")) {  // a copy that may come too late
    int* pinned = nullptr;
    cudaMallocHost(&pinned, 1024);
    copy<<<1, 64>>>(total + 64, total);
    cudaMemcpyAsync(pinned, total, 1024, cudaMemcpyDeviceToHost, nullptr);
    return 0;
  }
  if (is("prints")) {  // what a GPU may lose
    print<<<1, 1>>>();
    return 0;
  }
  if (is("illegal")) {
    fill_some<<<1, 64>>>(total);
    return cudaDeviceSynchronize() == cudaErrorIllegalAddress ? 3 : 4;
  }
  if (is("loops") || is("stores")) {
    if (is("loops")) loops<<<1, 32>>>(total, 5);
    if (is("stores")) stores<<<1, 32>>>(total, 5);
    return cudaDeviceSynchronize() == cudaErrorLaunchTimeout ? 3 : 4;
  }
  if (is("counts")) counts<<<1, 1>>>(total);
  if (is("takes_long")) {
    computes<<<1, 1>>>(total, 10'000'000);
    lets_time_pass<<<1, 1>>>(total);
    has_many_blocks<<<1'000'000, 1>>>(total);
    return cudaDeviceSynchronize() == cudaSuccess ? 3 : 4;
  }
  sum<<<2, 64>>>(total);
  if (cudaDeviceSynchronize() != cudaSuccess) return 4;
  if (is("exit")) std::exit(7);
  if (is("exit0")) std::exit(0);
  if (is("quick_exit")) std::quick_exit(7);
  if (is("abort")) std::abort();
  if (is("free")) {
    int* pinned = nullptr;
    cudaMallocHost(&pinned, 1024);
    std::free(pinned);
  }
  if (is("fault")) *static_cast<volatile int*>(nullptr) = 1;
  if (is("terminated")) {
    std::raise(SIGTERM);
    ::sleep(60);
  }
  if (is("terminated_in_kernel")) {
    ::signal(SIGALRM, [](int) { std::raise(SIGTERM); });
    ::alarm(1);
    void* arguments_of_kernel[] = {&total};  // four blocks, on an OS thread each
    cudaLaunchCooperativeKernel((void*)endless, 4, 32, arguments_of_kernel);
  }
  return 0;
}
