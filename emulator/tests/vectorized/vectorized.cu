// Kernels as introductions have them. The loop over their threads must become vector instructions
// on a laptop's processor (vectorized.sh).
__global__ void fill(float* out, float value, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = value * i;
}
void launch_fill(float* a) { fill<<<4, 256>>>(a, 1, 1000); }

__global__ void add(const float* a, const float* b, float* c, int n) {
  int i = threadIdx.x + blockIdx.x * blockDim.x;
  if (i < n) c[i] = a[i] + b[i];
}
void launch_add(float* a) { add<<<4, 256>>>(a, a, a, 1000); }

__global__ void saxpy(int n, float a, const float* x, float* y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}
void launch_saxpy(float* a) { saxpy<<<4, 256>>>(1000, 2, a, a); }

__global__ void square(float* out, float* in) {
  int i = threadIdx.x;
  float f = in[i];
  out[i] = f * f;
}
void launch_square(float* a) { square<<<1, 64>>>(a, a); }

__global__ void add_one(int* a, size_t n) {
  const size_t i = threadIdx.x + static_cast<size_t>(blockIdx.x) * blockDim.x;
  if (i >= n) return;
  a[i] += 1;
}
void launch_add_one(float* a) { add_one<<<4, 256>>>(reinterpret_cast<int*>(a), 1000); }

__global__ void scale(double* a, double k, unsigned n) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) a[i] *= k;
}
void launch_scale(float* a) { scale<<<4, 256>>>(reinterpret_cast<double*>(a), 2, 500); }

__global__ void relu(float* out, const float* in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i] > 0 ? in[i] : 0;
}
void launch_relu(float* a) { relu<<<4, 256>>>(a, a, 1000); }

__global__ void move(float* x, float* v, float g, float dt, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  v[i] += g * dt;
  x[i] += v[i] * dt;
}
void launch_move(float* a) { move<<<4, 256>>>(a, a + 1000, 9.81f, 0.1f, 1000); }

__global__ void lengths(float* out, const float* x, const float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = sqrtf(x[i] * x[i] + y[i] * y[i]);
}
void launch_lengths(float* a) { lengths<<<4, 256>>>(a, a, a, 1000); }

// A loop over the whole grid.
__global__ void add_all(int n, const int* a, const int* b, int* c) {
  int tid = threadIdx.x + blockIdx.x * blockDim.x;
  while (tid < n) {
    c[tid] = a[tid] + b[tid];
    tid += blockDim.x * gridDim.x;
  }
}
void launch_add_all(float* a) {
  int* n = reinterpret_cast<int*>(a);
  add_all<<<2, 128>>>(1000, n, n, n);
}

__global__ void heat(float* out, const float* in, int dim, float k) {
  const int x = threadIdx.x + blockIdx.x * blockDim.x;
  const int y = threadIdx.y + blockIdx.y * blockDim.y;
  if (x >= dim || y >= dim) return;
  const size_t i = x + static_cast<size_t>(y) * dim;
  const float c = in[i];
  const float l = x == 0 ? c : in[i - 1];
  const float r = x == dim - 1 ? c : in[i + 1];
  const float t = y == 0 ? c : in[i - dim];
  const float b = y == dim - 1 ? c : in[i + dim];
  out[i] = c + k * (t + b + l + r - c * 4);
}
void launch_heat(float* a) { heat<<<dim3(1, 4), dim3(32, 8)>>>(a, a + 1024, 32, 0.25f); }

// An index that might wrap around for all that the compiler knows.
__global__ void blur(float* out, const float* in, int width, int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  int i = y * width + x;
  float left = x > 0 ? in[i - 1] : 0;
  float right = x < width - 1 ? in[i + 1] : 0;
  out[i] = 0.5f * in[i] + 0.25f * (left + right);
}
void launch_blur(float* a) { blur<<<dim3(1, 4), dim3(32, 8)>>>(a, a + 1024, 32, 32); }

__global__ void fetch(float* out, cudaTextureObject_t in, int width) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  int i = y * width + x;
  out[i] = tex1Dfetch<float>(in, i) + tex1Dfetch<float>(in, i + width);
}
void launch_fetch(float* a) {
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeLinear;
  resource.res.linear = {a + 1536, cudaCreateChannelDesc<float>(), 1024 * sizeof(float)};
  cudaTextureDesc sampling = {};
  cudaTextureObject_t in;
  cudaCreateTextureObject(&in, &resource, &sampling, nullptr);
  fetch<<<dim3(1, 4), dim3(32, 8)>>>(a, in, 32);
}

__global__ void stencil(float* out, cudaTextureObject_t in, int width, int height) {
  const int x = threadIdx.x + blockIdx.x * blockDim.x;
  const int y = threadIdx.y + blockIdx.y * blockDim.y;
  if (x >= width || y >= height) return;
  const float c = tex2D<float>(in, x + 0.5f, y + 0.5f);
  const float sides = tex2D<float>(in, x - 1 + 0.5f, y + 0.5f) + tex2D<float>(in, x + 1, y);
  out[x + y * width] = c + 0.25f * (sides + tex2D<float>(in, x, y - 1) - 3 * c);
}
void launch_stencil(float* a) {
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypePitch2D;
  resource.res.pitch2D = {a + 1536, cudaCreateChannelDesc<float>(), 128, 8, 512};
  cudaTextureDesc sampling = {};
  sampling.addressMode[0] = sampling.addressMode[1] = cudaAddressModeClamp;
  cudaTextureObject_t in;
  cudaCreateTextureObject(&in, &resource, &sampling, nullptr);
  stencil<<<4, dim3(32, 8)>>>(a, in, 128, 8);
}

int main() {
  float* a;
  cudaMalloc(&a, 3000 * sizeof(float));
  for (const auto launch : {launch_fill, launch_add, launch_saxpy, launch_square, launch_add_one,
                            launch_scale, launch_relu, launch_move, launch_lengths, launch_add_all,
                            launch_heat, launch_blur, launch_fetch, launch_stencil})
    launch(a);
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
