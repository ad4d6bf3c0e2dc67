// Loops in which each thread steps over the whole grid or block. The emulated device runs some of
// them for all threads of a block in turn (emulator/packs/grid_loops); here are those, and the ones
// that only look like it. All give what they would give if each thread ran alone.
#include <cstdint>
#include <functional>

#include "semantics_main.h"

namespace {

struct Shape {
  unsigned n;
  dim3 grid, block;
};

// The sum of f(i) over the indices of each thread: i = thread, thread + threads, ... below n.
std::vector<int> per_thread(const Shape& shape, const std::function<int(unsigned)>& f) {
  const unsigned threads = shape.grid.x * shape.block.x;
  std::vector<int> sums(threads);
  for (unsigned i = 0; i < shape.n; ++i) sums[i % threads] += f(i);
  return sums;
}

const std::vector<Shape> shapes = {{0, 1, 1},     {1, 1, 1},     {1, 3, 64},
                                   {100, 1, 7},   {1000, 2, 33}, {1000, 7, 1},
                                   {4096, 4, 64}, {5000, 3, 96}, {70000, 5, 1024}};

unsigned threads_of(const Shape& shape) { return shape.grid.x * shape.block.x; }

}  // namespace

// ---- every form of index, condition and step ----
__global__ void form_for(unsigned n, int* out) {
  for (unsigned i = threadIdx.x + blockIdx.x * blockDim.x; i < n; i += blockDim.x * gridDim.x)
    out[i] += i + 1;
}
__global__ void form_while(unsigned n, int* out) {
  int tid = threadIdx.x + blockIdx.x * blockDim.x;
  while (tid < static_cast<int>(n)) {
    out[tid] += tid + 1;
    tid += blockDim.x * gridDim.x;
  }
}
__global__ void form_size(unsigned n, int* out) {
  const size_t first = threadIdx.x + static_cast<size_t>(blockIdx.x) * blockDim.x,
               stride = blockDim.x * gridDim.x;
  for (size_t i = first; n > i; i = i + stride) {
    if (i % 3 == 0) {
      out[i] += static_cast<int>(i) + 1;
      continue;
    }
    out[i] += i + 1;
  }
}
__global__ void form_last(unsigned n, int* out) {
  const int last = static_cast<int>(n) - 1, stride = gridDim.x * blockDim.x;
  long long i = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
  for (; i <= last; i += stride)
#pragma unroll 4
    for (int k = 0; k <= i % 5; ++k)
      if (k == 0) out[i] += static_cast<int>(i) + 1;
}
__global__ void form_short(unsigned n, int* out) {  // an index that the compiler computes as int
  for (unsigned short i = threadIdx.x + blockIdx.x * blockDim.x; i < n && i < 60000;
       i += blockDim.x * gridDim.x)
    out[i] += i + 1;
  for (unsigned i = 60000 + threadIdx.x + blockIdx.x * blockDim.x; i < n;
       i += blockDim.x * gridDim.x)
    out[i] += i + 1;
}
__global__ void form_auto(unsigned n, int* out) {
  for (auto i = threadIdx.x + blockIdx.x * blockDim.x; i < n; i += blockDim.x * gridDim.x)
    out[i] += i + 1;
}
__global__ void form_negative(unsigned n, int* out) {
  const int stride = gridDim.x * blockDim.x, shift = static_cast<int>(n) / 2;
  for (int i = static_cast<int>(threadIdx.x + blockIdx.x * blockDim.x) - shift;
       i < static_cast<int>(n) - shift; i += stride)
    out[i + shift] += i + shift + 1;
}
__global__ void form_reversed_threads(unsigned n,
                                      int* out) {  // neighboring threads, falling indices
  const unsigned stride = gridDim.x * blockDim.x;
  for (unsigned i = stride - 1 - (threadIdx.x + blockIdx.x * blockDim.x); i < n; i += stride)
    out[i] += i + 1;
}
__global__ void form_thread_major(unsigned n,
                                  int* out) {  // neighboring threads far from each other
  const unsigned stride = gridDim.x * blockDim.x;
  for (unsigned i = threadIdx.x * gridDim.x + blockIdx.x; i < n; i += stride) out[i] += i + 1;
}
__global__ void form_shifted_pointer(unsigned n, int* out) {
  const int start = blockIdx.x * blockDim.x, left = static_cast<int>(n) - start;
  int* __restrict__ from_here = out + start;
  for (int i = threadIdx.x; i < left; i += blockDim.x * gridDim.x) from_here[i] += start + i + 1;
}
__global__ void form_bounds(unsigned n, int* out) {
  const unsigned t = threadIdx.x + blockIdx.x * blockDim.x, stride = blockDim.x * gridDim.x;
  unsigned n_mine = t % 2 == 0 ? n : n / 2;  // not the same for all threads
  for (unsigned i = t; i < n_mine; i += stride) out[i] += i + 1;
  for (unsigned i = t; i < n; i += stride)
    if (i >= n_mine) out[i] += i + 1;
}
__global__ void form_parameter(unsigned n,
                               int* out) {  // the bound is a parameter that changed before
  n = n > 10 ? n - 10 : 0;
  for (unsigned i = threadIdx.x + blockIdx.x * blockDim.x; i < n; i += blockDim.x * gridDim.x)
    out[i] += i + 1;
  n += 10;
  for (unsigned i = n - 10 + threadIdx.x + blockIdx.x * blockDim.x; i < n;
       i += blockDim.x * gridDim.x)
    out[i] = i + 1;
}

__global__ void form_sum(unsigned n, int* out) {
  unsigned i, stride = gridDim.x * blockDim.x;
  for (i = blockIdx.x * blockDim.x + threadIdx.x; n > i; i = stride + i) out[i] += i + 1;
}
__global__ void form_braces(unsigned n, int* out) {
  const auto stride = size_t{blockDim.x} * gridDim.x;
  for (auto i = size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < size_t{n}; i += stride) {
    int one{1};
    out[i] += static_cast<int>(i) + one;
  }
}
__global__ void form_two_conditions(unsigned n, int* out) {
  for (unsigned i = threadIdx.x + blockIdx.x * blockDim.x, step = blockDim.x * gridDim.x;
       i != n && i < n; i += step)
    out[i] += i + 1;
}
__global__ void form_one_or_other(unsigned n, int* out) {  // goes on for some threads in between
  const unsigned t = threadIdx.x + blockIdx.x * blockDim.x, stride = blockDim.x * gridDim.x;
  for (unsigned i = t; i < n && (i < stride || t % 3 != 0); i += stride) out[i] += i + 1;
  for (unsigned i = t; i < n; i += stride)
    if (i >= stride && t % 3 == 0) out[i] += i + 1;
}
__global__ void form_returned(unsigned n, int* out) {
  const unsigned i = threadIdx.x + blockIdx.x * blockDim.x, stride = blockDim.x * gridDim.x;
  if (i >= n) return;
  const unsigned times = n / (n - i) == 0 ? 0 : 1;  // that divides by zero for those who returned
  if (times == 0) {
    return;
  }
  for (unsigned k = i; k < n; k += stride) out[k] += k + times;
}
__device__ unsigned global_index() { return threadIdx.x + blockIdx.x * blockDim.x; }
__device__ unsigned grid_size() { return blockDim.x * gridDim.x; }
__global__ void form_functions(unsigned n, int* out) {
  for (unsigned i = global_index(); i < n; i += grid_size()) out[i] += i + 1;
}
__global__ void form_backwards(unsigned n, int* out) {
  const int stride = blockDim.x * gridDim.x, last = static_cast<int>(n) - 1;
  for (int i = last - static_cast<int>(threadIdx.x + blockIdx.x * blockDim.x); i >= 0; i -= stride)
    out[i] += i + 1;
}
__global__ void form_own_steps(unsigned n, int* out) {  // each thread in steps of its own
  const unsigned stride = blockDim.x * gridDim.x, t = threadIdx.x + blockIdx.x * blockDim.x;
  for (unsigned i = t; i < n; i += stride * (1 + t % 2)) out[i] += i + 1;
  for (unsigned i = t + stride; i < n; i += stride * 2)
    if (t % 2 == 1) out[i] += i + 1;
}
__global__ void form_first_of_other(unsigned n, int* out) {  // the index begins as `start` was
  unsigned start = threadIdx.x + blockIdx.x * blockDim.x;
  const unsigned first = start;
  start = n;
  __syncthreads();
  for (unsigned i = first; i < start; i += blockDim.x * gridDim.x) out[i] += i + 1;
}
struct View {
  int* data;
  unsigned n;
};
__global__ void form_members(View view) {
  for (unsigned i = threadIdx.x + blockIdx.x * blockDim.x; i < view.n; i += blockDim.x * gridDim.x)
    view.data[i] += i + 1;
}
struct Checked {  // whose elements are no numbers
  struct Element {
    int* at;
    __device__ void operator+=(int value) { *at += value; }
  };
  struct Elements {
    int* data;
    __device__ Element operator[](unsigned i) const {
      __syncwarp(__activemask());
      return {data + i};
    }
  };
  Elements data;
  unsigned n;
};
__global__ void form_members_of_class(Checked view) {
  for (unsigned i = threadIdx.x + blockIdx.x * blockDim.x; i < view.n; i += blockDim.x * gridDim.x)
    view.data[i] += i + 1;
}
__global__ void form_member_changes(View view) {
  view.n += 1;
  __syncthreads();
  for (unsigned i = threadIdx.x + blockIdx.x * blockDim.x; i < view.n - 1;
       i += blockDim.x * gridDim.x)
    view.data[i] += i + 1;
}

TEST(StridedLoop, EachIndexOnceInEveryForm) {
  const std::vector<void (*)(unsigned, int*)> kernels = {form_for,          form_while,
                                                         form_size,         form_last,
                                                         form_short,        form_auto,
                                                         form_negative,     form_reversed_threads,
                                                         form_thread_major, form_shifted_pointer,
                                                         form_bounds,       form_sum,
                                                         form_braces,       form_two_conditions,
                                                         form_one_or_other, form_returned,
                                                         form_functions,    form_backwards,
                                                         form_own_steps,    form_first_of_other};
  for (std::size_t k = 0; k < kernels.size(); ++k)
    for (const Shape& shape : shapes) {
      Device<int> out(shape.n + 1);
      kernels[k]<<<shape.grid, shape.block>>>(shape.n, out.get());
      const std::vector<int> got = out.read();
      for (unsigned i = 0; i <= shape.n; ++i)
        ASSERT_EQ(got[i], i < shape.n ? static_cast<int>(i + 1) : 0)
            << "form " << k << ", n " << shape.n;
    }
  for (const Shape& shape : shapes) {
    Device<int> out(shape.n + 1);
    form_members<<<shape.grid, shape.block>>>(View{out.get(), shape.n});
    form_members_of_class<<<shape.grid, shape.block>>>(Checked{{out.get()}, shape.n});
    form_member_changes<<<shape.grid, shape.block>>>(View{out.get(), shape.n});
    const std::vector<int> got = out.read();
    for (unsigned i = 0; i <= shape.n; ++i)
      ASSERT_EQ(got[i], i < shape.n ? static_cast<int>(3 * (i + 1)) : 0) << "n " << shape.n;
  }
  Device<int> out(1000);
  form_parameter<<<2, 32>>>(1000, out.get());
  const std::vector<int> got = out.read();
  for (int i = 0; i < 1000; ++i) ASSERT_EQ(got[i], i + 1);
}

// ---- what a thread keeps from one iteration to the next ----
__global__ void keep_sum(unsigned n, int* out) {
  int tid = threadIdx.x + blockIdx.x * blockDim.x;
  int sum = 0;
  while (tid < static_cast<int>(n)) {
    sum += tid % 7;
    tid += blockDim.x * gridDim.x;
  }
  out[threadIdx.x + blockIdx.x * blockDim.x] = sum;
}
__global__ void keep_several(unsigned n, int* out) {
  const unsigned t = threadIdx.x + blockIdx.x * blockDim.x;
  int sum = 0, sign = 1;
  float count = 0.5f;
  for (unsigned i = t; i < n; i += blockDim.x * gridDim.x) {
    sum += sign * static_cast<int>(i % 7);
    sign = -sign;
    if (i % 2 == 0) ++count;
    sum += sign * static_cast<int>(i % 7) * 2;
    sign = -sign;
  }
  // -1 of the two parts: sum - 2 sum
  out[t] = -sum + (count < 0.5f ? 1000 : 0) + (sign - 1);
}
__global__ void keep_index(unsigned n, int* out) {  // the index is wanted after the loop
  const unsigned t = threadIdx.x + blockIdx.x * blockDim.x, stride = blockDim.x * gridDim.x;
  unsigned i = t;
  int sum = 0;
  while (i < n) {
    sum += i % 7;
    i += stride;
  }
  out[t] = i >= n && (i < stride || i - stride < n) ? sum : -1;
}
__global__ void keep_dependent(unsigned n,
                               int* out) {  // `base` is computed from what changes in the loop
  const int t = threadIdx.x + blockIdx.x * blockDim.x;
  int sum = t;
  const int base = sum;
  for (unsigned i = t; i < n; i += blockDim.x * gridDim.x) sum += i % 7 + base - t;
  out[t] = sum - base;
}
__global__ void keep_changed_before(unsigned n, int* out) {
  const int t = threadIdx.x + blockIdx.x * blockDim.x;
  int start = 5;
  int sum = start;
  start = 7;
  __syncthreads();
  for (unsigned i = t; i < n; i += blockDim.x * gridDim.x) sum += i % 7 + start - 7;
  out[t] = sum - 5;
}
__global__ void keep_first_index(unsigned n,
                                 int* out) {  // `first` is computed from an index that moves on
  unsigned i = threadIdx.x + blockIdx.x * blockDim.x;
  const unsigned first = i;
  while (i < n) {
    out[first] += i % 7;
    i += blockDim.x * gridDim.x;
  }
}
__device__ int element(const int* values, unsigned i) { return values[i]; }
__global__ void keep_read_before(unsigned n,
                                 int* out) {  // what a function has read, the loop overwrites
  const int t = threadIdx.x + blockIdx.x * blockDim.x;
  const auto own = out + t;
  const int before = element(own, 0);
  for (unsigned i = t; i < n; i += blockDim.x * gridDim.x) out[t] += i % 7 + before;
}
template <class T>
__global__ void keep_template(unsigned n, T* out) {
  const int t = threadIdx.x + blockIdx.x * blockDim.x;
  T sum = T(0);
  for (unsigned i = t; i < n; i += blockDim.x * gridDim.x) sum += T(static_cast<int>(i % 7));
  out[t] = sum;
}
struct Money {
  int cents = 0;
  Money() = default;
  __host__ __device__ explicit Money(int value) : cents(value) {}
  __host__ __device__ Money& operator+=(Money other) {
    cents += other.cents;
    return *this;
  }
};

TEST(StridedLoop, KeepsWhatAThreadKeeps) {
  const std::vector<void (*)(unsigned, int*)> kernels = {
      keep_sum,         keep_several,    keep_index, keep_dependent, keep_changed_before,
      keep_read_before, keep_first_index};
  for (const Shape& shape : shapes) {
    const std::vector<int> expected =
        per_thread(shape, [](unsigned i) { return static_cast<int>(i % 7); });
    for (std::size_t k = 0; k < kernels.size(); ++k) {
      Device<int> out(threads_of(shape));
      kernels[k]<<<shape.grid, shape.block>>>(shape.n, out.get());
      ASSERT_EQ(out.read(), expected) << "kernel " << k << ", n " << shape.n;
    }
    Device<int> ints(threads_of(shape));
    keep_template<int><<<shape.grid, shape.block>>>(shape.n, ints.get());
    ASSERT_EQ(ints.read(), expected);
    Device<double> doubles(threads_of(shape));
    keep_template<<<shape.grid, shape.block>>>(shape.n, doubles.get());
    ASSERT_EQ(doubles.read(), std::vector<double>(expected.begin(), expected.end()));
    Device<Money> money(threads_of(shape));
    keep_template<<<shape.grid, shape.block>>>(shape.n, money.get());
    const std::vector<Money> got = money.read();
    for (std::size_t i = 0; i < got.size(); ++i) ASSERT_EQ(got[i].cents, expected[i]);
  }
}

// ---- loops within the body ----
__global__ void leave_nested(unsigned n, int* out) {  // these stay within the body
  for (unsigned i = threadIdx.x + blockIdx.x * blockDim.x; i < n; i += blockDim.x * gridDim.x) {
    int found = 0;
    for (int k = 0; k < 10; ++k) {
      if (k == 3) continue;
      if (k == 5) break;
      found += 1;
    }
    switch (i % 3) {
      case 0:
        found -= 1;
        break;
      case 1: {
        found -= 2;
        break;
      }
      default:
        found += 0;
    }
    if (i >= 500) continue;
    out[i] += found - (i % 3 == 0 ? 2 : i % 3 == 1 ? 1 : 3);
  }
}

TEST(StridedLoop, StaysWhereAThreadStays) {
  for (const Shape& shape : shapes) {
    Device<int> out(shape.n + 1);
    leave_nested<<<shape.grid, shape.block>>>(shape.n, out.get());
    const std::vector<int> got = out.read();
    for (unsigned i = 0; i <= shape.n; ++i)
      ASSERT_EQ(got[i], i < shape.n && i < 500 ? 1 : 0) << "n " << shape.n << ", i " << i;
  }
}

// ---- what a thread does before the loop ----
__global__ void share_before(unsigned n, int* out) {
  __shared__ int first[1024];
  const unsigned t = threadIdx.x + blockIdx.x * blockDim.x;
  first[threadIdx.x] = 2;
  __syncthreads();
  for (unsigned i = t; i < n; i += blockDim.x * gridDim.x)
    out[t] += i % 7 + first[(threadIdx.x + 1) % blockDim.x] - 2;
}
__global__ void share_without_barrier(unsigned n, int* out) {  // each thread its own element only
  __shared__ int own[1024];
  const unsigned t = threadIdx.x + blockIdx.x * blockDim.x;
  own[threadIdx.x] = 0;
  for (unsigned i = t; i < n; i += blockDim.x * gridDim.x) own[threadIdx.x] += i % 7;
  out[t] = own[threadIdx.x];
}
extern __shared__ int dynamic_values[];
__global__ void share_dynamic(unsigned n, int* out) {
  const unsigned t = threadIdx.x + blockIdx.x * blockDim.x;
  for (unsigned i = threadIdx.x; i < 1024; i += blockDim.x) dynamic_values[i] = 4;
  __syncthreads();
  int sum = 0;
  for (unsigned i = t; i < n; i += blockDim.x * gridDim.x)
    sum += i % 7 + dynamic_values[i % 1024] - 4;
  __syncthreads();
  out[t] = sum;
}
__global__ void two_loops(unsigned n, int* out) {
  const unsigned t = threadIdx.x + blockIdx.x * blockDim.x, stride = blockDim.x * gridDim.x;
  int sum = 0;
  for (unsigned i = t; i < n; i += stride) sum += i % 7;
  int twice = 0;
  for (unsigned i = t; i < n; i += stride) twice += i % 7 * 2;
  out[t] = twice - sum;
}
__global__ void sum_in_second_loop(unsigned n,
                                   int* out) {  // the second loop goes on with the first one's sum
  const unsigned t = threadIdx.x + blockIdx.x * blockDim.x, stride = blockDim.x * gridDim.x;
  int sum = 0;
  for (unsigned i = t; i < n; i += stride) sum += i % 7 * 3;
  for (unsigned i = t; i < n; i += stride) sum -= i % 7 * 2;
  out[t] = sum;
}
constexpr int weight = 1;
__global__ void hidden_constant(unsigned n, int* out) {
  const unsigned t = threadIdx.x + blockIdx.x * blockDim.x;
  out[t] = static_cast<int>(t) + 1;
  __syncthreads();
  int weight = out[t];
  for (unsigned i = t; i < n; i += blockDim.x * gridDim.x)
    out[t] += i % 7 + (weight - static_cast<int>(t) - 1);
  out[t] -= static_cast<int>(t) + 1;
}
__global__ void same_names(unsigned n, int* out) {
  const unsigned t = threadIdx.x + blockIdx.x * blockDim.x;
  int sum = 0;
  for (unsigned i = t; i < n; i += blockDim.x * gridDim.x) {
    const unsigned t = i % 7;
    int sum_of_body = 0;
    for (unsigned n = 0; n < t; ++n) sum_of_body += weight;
    sum += sum_of_body;
  }
  out[t] = sum;
}

TEST(StridedLoop, ComesAfterWhatStandsBefore) {
  const std::vector<void (*)(unsigned, int*)> kernels = {share_before, share_without_barrier,
                                                         two_loops,    sum_in_second_loop,
                                                         same_names,   hidden_constant};
  for (const Shape& shape : shapes) {
    const std::vector<int> expected =
        per_thread(shape, [](unsigned i) { return static_cast<int>(i % 7); });
    for (std::size_t k = 0; k < kernels.size(); ++k) {
      Device<int> out(threads_of(shape));
      kernels[k]<<<shape.grid, shape.block>>>(shape.n, out.get());
      ASSERT_EQ(out.read(), expected) << "kernel " << k << ", n " << shape.n;
    }
    Device<int> out(threads_of(shape));
    share_dynamic<<<shape.grid, shape.block, 1024 * sizeof(int)>>>(shape.n, out.get());
    ASSERT_EQ(out.read(), expected);
  }
}

// Half of the threads have gone before the loop.
__global__ void some_return(unsigned n, int* out, int* sums) {
  const unsigned t = threadIdx.x + blockIdx.x * blockDim.x;
  int sum{};
  if (threadIdx.x >= blockDim.x / 2) return;
  for (unsigned i = t; i < n; i += blockDim.x * gridDim.x) {
    out[i] += 1;
    sum += i % 7;
  }
  sums[t] = sum;
}
__global__ void some_return_before_barrier(unsigned n, int* out) {
  const unsigned t = threadIdx.x + blockIdx.x * blockDim.x;
  if (threadIdx.x >= blockDim.x / 2) return;
  __syncthreads();
  for (unsigned i = t; i < n; i += blockDim.x * gridDim.x) out[i] += 1;
}

TEST(StridedLoop, OnlyForThreadsThatComeToIt) {
  Device<int> half(1000), sums(128);
  some_return_before_barrier<<<2, 64>>>(1000, half.get());
  some_return<<<2, 64>>>(1000, half.get(), sums.get());
  const std::vector<int> got = half.read(), got_sums = sums.read();
  std::vector<int> expected(128);
  for (int i = 0; i < 1000; ++i) {
    EXPECT_EQ(got[i], i % 64 < 32 ? 2 : 0);
    if (i % 64 < 32) expected[i % 128] += i % 7;
  }
  EXPECT_EQ(got_sums, expected);
}

__global__ void add_in_loop(unsigned n, int* sum, unsigned* wrapped) {
  for (unsigned i = threadIdx.x + blockIdx.x * blockDim.x; i < n; i += blockDim.x * gridDim.x) {
    atomicAdd(sum, 1);
    atomicMax(&sum[1], static_cast<int>(i));
    atomicMin(&sum[2], -static_cast<int>(i));
    atomicInc(&wrapped[i % 4], 9);
  }
}

TEST(StridedLoop, WithAtomics) {
  for (const unsigned threads : {1u, 32u, 100u}) {
    Device<int> sum(3);
    Device<unsigned> wrapped(4);
    add_in_loop<<<3, threads>>>(4000, sum.get(), wrapped.get());
    EXPECT_EQ(sum.read(), (std::vector<int>{4000, 3999, -3999}));
    EXPECT_EQ(wrapped.read(), (std::vector<unsigned>(4, 0)));
  }
}

// Each thread reads what it wrote in the iteration before.
__global__ void follow_own_writes(unsigned n, int* out) {
  const unsigned stride = blockDim.x * gridDim.x;
  for (unsigned i = threadIdx.x + blockIdx.x * blockDim.x; i < n; i += stride)
    out[i] = i < stride ? 1 : out[i - stride] + 1;
}

TEST(StridedLoop, IterationsOfOneThreadStayInOrder) {
  for (const Shape& shape : shapes) {
    Device<int> out(shape.n + 1);
    follow_own_writes<<<shape.grid, shape.block>>>(shape.n, out.get());
    const std::vector<int> got = out.read();
    for (unsigned i = 0; i < shape.n; ++i)
      ASSERT_EQ(got[i], static_cast<int>(i / threads_of(shape)) + 1);
  }
}

// ---- two dimensions, and the ends of the numbers ----
__global__ void two_dimensions(int width, int height, int* out) {
  for (int y = threadIdx.y + blockIdx.y * blockDim.y; y < height; y += blockDim.y * gridDim.y)
    for (int x = threadIdx.x + blockIdx.x * blockDim.x; x < width; x += blockDim.x * gridDim.x)
      out[x + y * width] += 1;
}
__global__ void flat_in_three_dimensions(int n, int* out) {
  const int t = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z),
            stride = blockDim.x * blockDim.y * blockDim.z;
  int sum = 0;
  for (int i = t; i < n; i += stride) sum += i % 7;
  atomicAdd(out, sum);
}

TEST(StridedLoop, InSeveralDimensions) {
  Device<int> out(70 * 41);
  two_dimensions<<<dim3(2, 3), dim3(8, 4)>>>(70, 41, out.get());
  EXPECT_EQ(out.read(), std::vector<int>(70 * 41, 1));
  Device<int> sum(1);
  flat_in_three_dimensions<<<1, dim3(4, 5, 6)>>>(1000, sum.get());
  int expected = 0;
  for (int i = 0; i < 1000; ++i) expected += i % 7;
  EXPECT_EQ(sum.read()[0], expected);
}

__global__ void wrap_around(unsigned n, unsigned factor, int* rounds) {
  const unsigned stride = blockDim.x * gridDim.x * factor;
  int count = 0;
  for (unsigned i = threadIdx.x + blockIdx.x * blockDim.x; i < n; i += stride) ++count;
  rounds[threadIdx.x + blockIdx.x * blockDim.x] = count;
}

TEST(StridedLoop, IndexThatWrapsAround) {
  // Indices in units of 0x10000000: 0, 9, 2 (after the end of the numbers), 11, 4, 13, 6, 15.
  const unsigned n = 0xe0000010u, factor = 0x04800000u, stride = 32 * factor;
  Device<int> rounds(32);
  wrap_around<<<1, 32>>>(n, factor, rounds.get());
  std::vector<int> expected(32);
  for (unsigned t = 0; t < 32; ++t)
    for (unsigned i = t; i < n; i += stride) ++expected[t];
  EXPECT_EQ(rounds.read(), expected);
}

__global__ void steps_of_none(unsigned n, int step, int* rounds) {
  int count = 0;
  for (int i = threadIdx.x; i < static_cast<int>(n); i += blockDim.x * step) ++count;
  rounds[threadIdx.x] = count;
}

TEST(StridedLoop, NoRoundAtAll) {
  Device<int> rounds(32);
  steps_of_none<<<1, 32>>>(0, 0, rounds.get());
  EXPECT_EQ(rounds.read(), std::vector<int>(32, 0));
  steps_of_none<<<1, 32>>>(16, 100, rounds.get());
  std::vector<int> expected(32, 0);
  std::fill_n(expected.begin(), 16, 1);
  EXPECT_EQ(rounds.read(), expected);
}
