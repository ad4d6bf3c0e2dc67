// What a careful reader of text may take for something else: names that are a type
// here and a variable there, bases that look like casts, pointers to functions
// among the variables of the device.
#include <cooperative_groups.h>
#include <stdio.h>

__device__ float total;

template <class A, class B>
struct Same {
  static constexpr int yes = 0;
};
template <class A>
struct Same<A, A> {
  static constexpr int yes = 1;
};

// N is a type only in the template, byte everywhere.
typedef unsigned char byte;
template <class N>
__device__ N half_of(N n) {
  return (N)(n * 0.5f);
}
__global__ void operands(int* out, int N, float T) {
  out[0] = (N)*2 + half_of(N);
  out[1] = (byte)(-T) + (byte)(T * 200);
  out[2] = Same<decltype(T), float>::yes + (int)T;
}

// F(f) is a base, not a cast.
template <class F>
struct Named : F {
  int id;
  __host__ __device__ Named(F f, int i) : F(f), id(i) {}
};
template <class F>
__global__ void call(int* out, Named<F> f) {
  *out = f(f.id);
}
template <class F>
__global__ void call_plain(int* out, F f) {
  *out = f(3);
}

template <class... Numbers>
__global__ void sum(Numbers... numbers) {
  total = (0.0f + ... + numbers);
}
template <int factor>
__global__ void scale(int* out, int x) {
  *out = factor * x;
}
template <int factor>
auto scaling() {
  return scale<factor>;
}

__device__ int plus(int a, int b) { return a + b; }
__device__ int minus(int a, int b) { return a - b; }
__device__ int (*first)(int, int) = plus;
__constant__ int (*both[2])(int, int) = {plus, minus};
__device__ int numbers[3][4];
__device__ int (*rows)[4] = numbers;
#define PASTE(a, b) a##b
#define NAME(a, b) PASTE(a, b)

__global__ void pointers(int* out) {
  __shared__ enum Color { red, green } color;
  __shared__ int(*shared_rows)[4], (*function)(int, int);
  __shared__ int NAME(of_, macro)[32];
  const auto block = cooperative_groups::this_thread_block();
  of_macro[threadIdx.x] = threadIdx.x;
  if (threadIdx.x == 0) {
    color = green;
    shared_rows = rows;
    function = minus;
    rows[1][2] = 40;
  }
  block.sync();
  out[threadIdx.x] = first(1, 2) + both[1](9, 1) + shared_rows[1][2] + function(5, 3) +
                     (color == green) + 1000 * of_macro[31 - threadIdx.x];
}

int main() {
  bool ok = true;
  int* out;
  cudaMallocManaged(&out, 32 * sizeof(int));
  const auto expect = [&](const char* what, int value, int wanted) {
    if (value != wanted) printf("%s is %d, not %d\n", what, value, wanted);
    ok = ok && value == wanted;
  };
  auto triple = [] __host__ __device__(int x) { return 3 * x; };
  call<<<1, 1>>>(out, Named<decltype(triple)>(triple, 5));
  cudaDeviceSynchronize();
  expect("a functor's base", *out, 15);
  operands<<<1, 1>>>(out, 10, 1.5f);
  cudaDeviceSynchronize();
  expect("an operand in parentheses", out[0], 25);
  expect("a cast to a typedef", out[1], 44);
  expect("a comma of a template", out[2], 2);
  const float large = 3e10f;
  call_plain<<<1, 1>>>(out, [=] __device__(int x) {
    const int saturated = (int)(large * x);
    return saturated;
  });
  cudaDeviceSynchronize();
  expect("a lambda's cast", *out, 2147483647);
  float sum_of_three = 0;
  sum<<<1, 1>>>(1, 2.5f, 'a');
  cudaMemcpyFromSymbol(&sum_of_three, total, sizeof sum_of_three);
  expect("a sum of three", static_cast<int>(2 * sum_of_three), 201);
  scaling<6>()<<<1, 1>>>(out, 7);
  cudaDeviceSynchronize();
  expect("a chosen kernel", *out, 42);
  pointers<<<1, 32>>>(out);
  cudaDeviceSynchronize();
  for (int i = 0; i < 32; ++i)
    expect("a pointer's thread", out[i], 3 + 8 + 40 + 2 + 1 + 1000 * (31 - i));
  ok = ok && cudaGetLastError() == cudaSuccess;
  printf(ok ? "OK\n" : "WRONG\n");
  return ok ? 0 : 1;
}
