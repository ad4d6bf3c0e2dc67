// Kernel arguments with copy constructors and destructors: copied and destroyed on the host, once
// per launch, and given to the threads as bytes. Runs in both builds.
#include "semantics_main.h"

// A lock as chapter 9's appendix builds it: the constructor allocates the
// word, the destructor frees it.
struct Lock {
  int* word = nullptr;
  Lock() {
    EXPECT_EQ(cudaMalloc(&word, sizeof(int)), cudaSuccess);
    EXPECT_EQ(cudaMemset(word, 0, sizeof(int)), cudaSuccess);
  }
  ~Lock() { cudaFree(word); }
  __device__ void take() {
    while (atomicCAS(word, 0, 1) != 0) {
    }
    __threadfence();
  }
  __device__ void give() {
    __threadfence();
    atomicExch(word, 0);
  }
};

// As the book's: the object is passed by value and its destructor frees the word. Copies must not
// outlive the launch, so the host's copy counts owners.
struct SharedLock {
  static inline int copies = 0, ends = 0;
  Lock* lock;
  int* word;
  explicit SharedLock(Lock* lock_) : lock(lock_), word(lock_->word) {}
  SharedLock(const SharedLock& other) : lock(other.lock), word(other.word) { ++copies; }
  ~SharedLock() {
    ++ends;
    word = nullptr;
  }
  __device__ void take() {
    while (atomicCAS(word, 0, 1) != 0) {
    }
    __threadfence();
  }
  __device__ void give() {
    __threadfence();
    atomicExch(word, 0);
  }
};

constexpr int threads = 64;

// The dot product of a and b; each block adds its part under the lock.
__global__ void dot(SharedLock lock, int n, const float* a, const float* b, float* sum) {
  __shared__ float parts[threads];
  float part = 0;
  for (int i = threadIdx.x + blockIdx.x * blockDim.x; i < n; i += blockDim.x * gridDim.x)
    part += a[i] * b[i];
  parts[threadIdx.x] = part;
  __syncthreads();
  for (int half = threads / 2; half > 0; half /= 2) {
    if (static_cast<int>(threadIdx.x) < half) parts[threadIdx.x] += parts[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0) {
    lock.take();
    *sum = *const_cast<volatile float*>(sum) + parts[0];
    lock.give();
  }
}

template <class T>
__global__ void add_under_lock(SharedLock lock, const T* values, int n, T* sum) {
  const int i = threadIdx.x + blockIdx.x * blockDim.x;
  if (threadIdx.x != 0) return;
  lock.take();
  if (i < n) *sum = *const_cast<volatile T*>(sum) + values[i];
  lock.give();
}

__global__ void overloaded(SharedLock lock, int* sum) {
  if (threadIdx.x != 0) return;
  lock.take();
  *sum = *const_cast<volatile int*>(sum) + 1;
  lock.give();
}
__global__ void overloaded(SharedLock lock, float* sum) {
  if (threadIdx.x != 0) return;
  lock.take();
  *sum = *const_cast<volatile float*>(sum) + 2;
  lock.give();
}

class Arguments : public testing::Test {
 protected:
  Arguments() : lock(&memory) { SharedLock::copies = SharedLock::ends = 0; }
  // As often as CUDA's own launch code likes to copy, but not for every
  // thread, and no copy is left.
  static void expect_few_copies() {
    EXPECT_GE(SharedLock::copies, 1);
    EXPECT_LE(SharedLock::copies, 2);
    EXPECT_EQ(SharedLock::ends, SharedLock::copies);
  }
  Lock memory;
  SharedLock lock;
};

TEST_F(Arguments, TheBooksDotProductWithALock) {
  constexpr int n = 10000;
  Device<float> a(std::vector<float>(n, 2.0f)), b(std::vector<float>(n, 3.0f)), sum(1);
  dot<<<32, threads>>>(lock, n, a.get(), b.get(), sum.get());
  expect_few_copies();
  EXPECT_EQ(sum.read()[0], 6.0f * n);
}

TEST_F(Arguments, ATemplateWhoseTypesAreDeduced) {
  Device<int> values(std::vector<int>(640, 1)), sum(1);
  add_under_lock<<<10, threads>>>(lock, values.get(), 640, sum.get());
  expect_few_copies();
  EXPECT_EQ(sum.read()[0], 10);
  add_under_lock<int><<<10, threads>>>(lock, values.get(), 640, sum.get());
  EXPECT_EQ(sum.read()[0], 20);
}

TEST_F(Arguments, OverloadedKernels) {
  Device<int> counts(1);
  Device<float> sums(1);
  overloaded<<<5, threads>>>(lock, counts.get());
  overloaded<<<5, threads>>>(lock, sums.get());
  EXPECT_EQ(counts.read()[0], 5);
  EXPECT_EQ(sums.read()[0], 10.0f);
}

__global__ void write_own_copy(SharedLock lock, int** seen) {
  seen[threadIdx.x] = lock.word;
  lock.word = nullptr;  // this thread's copy only
}

TEST_F(Arguments, EveryThreadHasItsOwnCopy) {
  Device<int*> seen(threads);
  write_own_copy<<<1, threads>>>(lock, seen.get());
  for (int* word : seen.read()) EXPECT_EQ(word, memory.word);
  EXPECT_EQ(lock.word, memory.word);
}

// Memory that converts to its address, copies with its copies and is freed with them.
class Buffer {
 public:
  explicit Buffer(int count) : count_(count) { cudaMalloc(&memory_, count * sizeof(int)); }
  Buffer(const Buffer& other) : Buffer(other.count_) {
    cudaMemcpy(memory_, other.memory_, count_ * sizeof(int), cudaMemcpyDeviceToDevice);
  }
  Buffer& operator=(const Buffer&) = delete;
  ~Buffer() { cudaFree(memory_); }
  operator int*() { return memory_; }

 private:
  int* memory_ = nullptr;
  int count_;
};
__global__ void fill(int* out, int value, int step) {
  out[threadIdx.x] = value + step * threadIdx.x;
}

TEST_F(Arguments, AnObjectThatConvertsIsNotCopied) {
  Buffer buffer(4);
  int values[4];
  fill<<<1, 4>>>(buffer, 5, 10);
  EXPECT_EQ(cudaMemcpy(values, static_cast<int*>(buffer), sizeof values, cudaMemcpyDeviceToHost),
            cudaSuccess);
  EXPECT_EQ(values[3], 35);
}
