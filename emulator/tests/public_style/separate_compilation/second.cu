extern __device__ int offset;
__device__ float doubled(float x);

__device__ int calls;
__constant__ float factors[4];
__device__ float tripled(float x) { return doubled(x) + x + offset; }

__global__ void add_hundred(float* numbers, int n) {
  const int i = threadIdx.x;
  if (i >= n) return;
  numbers[i] += 100;
  atomicAdd(&calls, 1);
}

static __global__ void compute(float* number) { *number = 17; }

float of_hidden_kernel(float* number) {
  compute<<<1, 1>>>(number);
  cudaDeviceSynchronize();
  return *number;
}
