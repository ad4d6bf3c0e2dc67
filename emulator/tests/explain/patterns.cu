// Kernels whose memory behavior an H200's counters confirm (REFERENCE.md); check_patterns.sh holds
// the report against it.
#include <cuda/atomic>

constexpr int elements = 1 << 15;
__device__ int index() { return static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x); }

__global__ void neighbors(float* out, const float* in) { out[index()] = in[index()]; }
__global__ void shifted(float* out, const float* in) { out[index()] = in[index() + 1]; }
__global__ void every_second(float* out, const float* in) { out[index()] = in[2 * index()]; }
__global__ void every_eighth(float* out, const float* in) { out[index()] = in[8 * index()]; }
__global__ void all_the_same(float* out, const float* in) { out[index()] = in[blockIdx.x]; }
__global__ void first_of_three(float* out, const float* in) { out[index()] = in[3 * index()]; }
__global__ void four_at_once(float* out, const float* in) {
  reinterpret_cast<float4*>(out)[index()] = reinterpret_cast<const float4*>(in)[index()];
}
__global__ void four_members(float* out, const float* in) {
  const float f = in[index()];
  reinterpret_cast<float4*>(out)[index()] = {f, f + 1, f + 2, f + 3};
}
__global__ void single_bytes(float* out, const float* in) {
  reinterpret_cast<char*>(out)[index()] = reinterpret_cast<const char*>(in)[index()];
}
__global__ void scattered(float* out, const float* in) {
  out[index() * 1033 % elements] = in[index()];
}
template <int width>
__global__ void column_of_tile(float* out, const float* in) {
  __shared__ float tile[32 * width];
  const int x = static_cast<int>(threadIdx.x) % 32, y = static_cast<int>(threadIdx.x) / 32;
  for (int row = y; row < 32; row += 8) tile[row * width + x] = in[row * 32 + x];
  __syncthreads();
  for (int row = y; row < 32; row += 8) out[row * 32 + x] = tile[x * width + row];
}
__global__ void every_second_word(float* out, const float* in) {
  __shared__ float s[512];
  s[threadIdx.x] = s[threadIdx.x + 256] = in[index()];
  __syncthreads();
  out[index()] = s[2 * threadIdx.x];
}
__global__ void one_word(float* out, const float* in) {
  __shared__ float s[256];
  s[threadIdx.x] = in[index()];
  __syncthreads();
  out[index()] = s[blockIdx.x];
}
__global__ void one_counter(unsigned* out) { atomicAdd(out, 1u); }
__global__ void own_counters(unsigned* out) { atomicAdd(out + index(), 1u); }
__global__ void counter_read(unsigned* out) {
  out[index()] = cuda::atomic_ref<unsigned, cuda::thread_scope_device>(out[elements])
                     .load(cuda::memory_order_relaxed);
}
__global__ void turns_of_lanes(float* out, const float* in) {  // one lane at a time
  for (int turn = 0; turn < 32; ++turn)
    if (static_cast<int>(threadIdx.x) % 32 == turn) out[8 * index()] = in[index()];
}
__global__ void counters_of_one_bank(unsigned* out) {
  __shared__ unsigned s[1024];
  for (unsigned i = threadIdx.x; i < 1024; i += blockDim.x) s[i] = 0;
  __syncthreads();
  atomicAdd(&s[threadIdx.x % 32 * 32], 1u);
  __syncthreads();
  out[index()] = s[threadIdx.x];
}
__global__ void counters_of_all_banks(unsigned* out) {
  __shared__ unsigned s[1024];
  for (unsigned i = threadIdx.x; i < 1024; i += blockDim.x) s[i] = 0;
  __syncthreads();
  atomicAdd(&s[threadIdx.x], 1u);
  __syncthreads();
  out[index()] = s[threadIdx.x];
}
__constant__ float numbers[256];
__global__ void constant_broadcast(float* out) { out[index()] = numbers[blockIdx.x]; }
__global__ void constant_of_lane(float* out) { out[index()] = numbers[threadIdx.x]; }

int main() {
  float *in, *out;
  if (cudaMalloc(&in, elements * 32) != cudaSuccess ||
      cudaMalloc(&out, elements * 32) != cudaSuccess)
    return 1;
  cudaMemset(in, 0, elements * 32);
  cudaMemset(out, 0, elements * 32);
  constexpr int blocks = elements / 256 / 2;
  neighbors<<<blocks, 256>>>(out, in);
  shifted<<<blocks, 256>>>(out, in);
  every_second<<<blocks, 256>>>(out, in);
  every_eighth<<<blocks, 256>>>(out, in);
  all_the_same<<<blocks, 256>>>(out, in);
  first_of_three<<<blocks, 256>>>(out, in);
  four_at_once<<<blocks, 256>>>(out, in);
  four_members<<<blocks, 256>>>(out, in);
  single_bytes<<<blocks, 256>>>(out, in);
  scattered<<<blocks, 256>>>(out, in);
  column_of_tile<32><<<1, 256>>>(out, in);
  column_of_tile<33><<<1, 256>>>(out, in);
  every_second_word<<<blocks, 256>>>(out, in);
  one_word<<<blocks, 256>>>(out, in);
  one_counter<<<blocks, 256>>>(reinterpret_cast<unsigned*>(out));
  own_counters<<<blocks, 256>>>(reinterpret_cast<unsigned*>(out));
  counter_read<<<blocks, 256>>>(reinterpret_cast<unsigned*>(out));
  turns_of_lanes<<<4, 256>>>(out, in);
  counters_of_one_bank<<<blocks, 256>>>(reinterpret_cast<unsigned*>(out));
  counters_of_all_banks<<<blocks, 256>>>(reinterpret_cast<unsigned*>(out));
  constant_broadcast<<<blocks, 256>>>(out);
  constant_of_lane<<<blocks, 256>>>(out);
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
