// Races where not all blocks are looked at, and where a launch accesses much memory.
// check_coverage.sh looks for them.
#include <cstdio>

// The last block alone lacks the barrier.
__global__ void tail(const int* in, int* out, int n) {
  __shared__ int s[256];
  const int begin = static_cast<int>(blockIdx.x) * 256, t = static_cast<int>(threadIdx.x);
  int sum = 0;
  for (int i = 0; i < 100; ++i) sum += in[(begin + t + i) % n];
  s[t] = sum;
  if (begin + 256 <= n) {
    __syncthreads();
    out[begin + t] = s[255 - t];
  } else if (begin + t < n) {
    out[begin + t] = s[n - begin - 1 - t];
  }
}

// Two blocks write out[0], and read more than a million words between.
__global__ void far_apart(const int* in, int* out, int n) {
  if (threadIdx.x == 0) out[0] = static_cast<int>(blockIdx.x);
  int sum = 0;
  for (int i = static_cast<int>(threadIdx.x); i < n; i += static_cast<int>(blockDim.x))
    sum += in[i];
  out[1 + blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

int main() {
  const int n = 256 * 600 + 100, many = 1'200'000;
  int *in, *out;
  if (cudaMalloc(&in, many * sizeof(int)) != cudaSuccess ||
      cudaMalloc(&out, n * sizeof(int)) != cudaSuccess)
    return 1;
  cudaMemset(in, 0, many * sizeof(int));
  tail<<<(n + 255) / 256, 256>>>(in, out, n);
  far_apart<<<2, 256>>>(in, out, many);
  std::puts(cudaGetErrorString(cudaDeviceSynchronize()));
  cudaFree(in);
  cudaFree(out);
}
