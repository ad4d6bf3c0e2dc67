// Device code with output operators of its own, templates among them, besides real shifts whose
// amounts are not small.
#include <cstdio>

// Collects bits, the newest on the right.
struct Bits {
  unsigned long long word = 0;
  int count = 0;

  template <class T>
  __host__ __device__ Bits& operator<<(const T& bit) {
    word = word * 2 + (bit ? 1 : 0);
    ++count;
    return *this;
  }
};

// Sums whatever it is given.
struct Sum {
  double value = 0;
};

template <class T>
__host__ __device__ Sum& operator<<(Sum& sum, const T& x) {
  sum.value += static_cast<double>(x);
  return sum;
}

template <class T>
__host__ __device__ Sum& add_both(Sum& sum, const T& x, const T& y) {
  return sum << x << y;
}

__host__ __device__ void describe(unsigned x, int by, double* sum, unsigned long long* bits) {
  Sum s;
  s << x << 0.5f;
  add_both(s, x, x << by) << (x >> by);
  Bits b;
  b << (x & 1) << (x >> (by / 2));
  if (by > 3) b << true;
  for (int i = 0; i < 2; ++i) b << (x << i & 2);
  *sum = s.value;
  *bits = (b.word << by) + b.count;
}

__global__ void describe_all(double* sums, unsigned long long* bits, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) describe(i * 2654435761u, i % 32, &sums[i], &bits[i]);
}

int main() {
  constexpr int n = 1000;
  double* sums = nullptr;
  unsigned long long* bits = nullptr;
  cudaMallocManaged(&sums, n * sizeof *sums);
  cudaMallocManaged(&bits, n * sizeof *bits);
  describe_all<<<(n + 127) / 128, 128>>>(sums, bits, n);
  cudaDeviceSynchronize();
  int wrong = cudaGetLastError() != cudaSuccess;
  for (int i = 0; i < n; ++i) {
    double sum = 0;
    unsigned long long word = 0;
    describe(i * 2654435761u, i % 32, &sum, &word);
    wrong += sum != sums[i] || word != bits[i];
  }
  cudaFree(sums);
  cudaFree(bits);
  std::puts(wrong == 0 ? "OK" : "WRONG");
  return wrong == 0 ? 0 : 1;
}
