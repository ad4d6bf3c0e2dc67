// A program with calls that fail, or come too early, one for each name given on the command line.
// refusals.txt has what the device says.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include <fcntl.h>
#include <unistd.h>

#define CHECK(call) \
  if ((call) != cudaSuccess) std::puts("failed")

#define FREE_TWICE(p) \
  do {                \
    cudaFree(p);      \
    cudaFree(p);      \
  } while (0)
#define FREE_AND_LOOK(p) \
  cudaFree(p);           \
  if (cudaGetLastError() != cudaSuccess) std::puts("failed")
#define FREE(p) cudaFree(p)

__constant__ float weights[4];

__global__ void store(int* p) { *p = 1; }
__global__ void fill(float* values, int n) {
  const int i = threadIdx.x;
  if (i < n) values[i] = static_cast<float>(i);
}

__global__ void fill_rows(float** rows) { rows[threadIdx.x][0] = 1; }

struct Matrix {
  float* elements;
  int n;
};
__global__ void clear(Matrix* matrix) { matrix->elements[threadIdx.x] = 0; }

// Objects that own memory, which a kernel gets by value: of Owner a copy's destructor frees it, and
// the object's own comes too late. The copies of Shared leave it to the last of them.
struct Owner {
  int* word = nullptr;
  Owner() { cudaMalloc(&word, sizeof(int)); }
  Owner(const Owner& other) : word(other.word) {}
  ~Owner() { cudaFree(word); }  // LINE owner_frees
};
template <class T, int n>
class Buffer {
 public:
  Buffer() { cudaMalloc(&data_, n * sizeof(T)); }
  Buffer(const Buffer&) = default;
  ~Buffer() { give_back(); }
  __device__ T& at(int i) { return data_[i]; }

 private:
  void give_back() {
    cudaFree(data_);  // LINE buffer_frees
  }
  T* data_ = nullptr;
};
struct Shared {
  int* word = nullptr;
  int* copies = new int(1);
  Shared() { cudaMalloc(&word, sizeof(int)); }
  Shared(const Shared& other) : word(other.word), copies(other.copies) { ++*copies; }
  ~Shared() {
    if (--*copies > 0) return;
    cudaFree(word);
    delete copies;
  }
};
__global__ void store_owned(Owner owner) { *owner.word = 1; }
__global__ void store_shared(Shared shared) { *shared.word = 1; }
template <class T, int n>
__global__ void store_in_buffer(int first, Buffer<T, n> buffer) {
  buffer.at(first + threadIdx.x) = 1;
}
__global__ void store_both(Owner owner, int* out) { *out = *owner.word = 1; }

static void by_value(const std::string& name) {
  if (name == "by_value_owner") {
    Owner owner;
    store_owned<<<1, 1>>>(owner);
  }
  if (name == "by_value_buffer") {
    Buffer<float, 64> buffer;
    store_in_buffer<float, 64><<<1, 32>>>(32, buffer);
  }
  if (name == "by_value_again") {
    Owner owner;
    Owner other;
    store_both<<<1, 1>>>(owner, other.word);
  }
  if (name == "by_value_shared") {
    const Shared shared;
    store_shared<<<1, 1>>>(shared);
    store_shared<<<1, 1>>>(shared);
  }
}

void in_host_file(const std::string& name);  // calls_probe_host.cpp

static void dropped(const std::string& name) {
  float host[16] = {}, *device = nullptr;
  int* none = nullptr;
  cudaMalloc(&device, sizeof host);
  if (name == "to_host")
    cudaMemcpy(host, device, sizeof host, cudaMemcpyHostToDevice);  // LINE to_host
  if (name == "to_device")
    cudaMemcpy(device, host, sizeof host, cudaMemcpyDeviceToHost);  // LINE to_device
  if (name == "beyond")
    cudaMemcpy(device + 4, host, sizeof host, cudaMemcpyHostToDevice);   // LINE beyond
  if (name == "symbol") cudaMemcpyToSymbol(weights, host, sizeof host);  // LINE symbol
  if (name == "fill_host") cudaMemset(host, 0, 64);                      // LINE fill_host
  if (name == "values_of_bytes") {
    cudaMemset(device, 1000, 64);  // LINE value_of_bytes
    for (const int value : {-128, -1, 0, 255, 0x3f3f3f3f, 0x7f7f7f7f})
      cudaMemset(device, value, 64);
  }
  if (name == "free_host") {
    void* memory = std::malloc(64);
    cudaFree(memory);  // LINE free_host
    std::free(memory);
  }
  if (name == "free_inside") cudaFree(device + 1);  // LINE free_inside
  if (name == "free_twice") {
    cudaFree(device);
    cudaFree(device);  // LINE free_twice
  }
  if (name == "pitch")
    cudaMemcpy2D(device, 4, host, 16, 16, 2, cudaMemcpyHostToDevice);  // LINE pitch
  if (name == "table") {
    std::vector<float*> rows(2);
    for (float*& row : rows) cudaMalloc(&row, 64);
    fill_rows<<<1, 2>>>(rows.data());  // LINE table
  }
  if (name == "host_function") {
    cudaLaunchHostFunc(  // LINE host_function
        nullptr, [](void* data) { cudaFree(data); }, device);
    std::puts(cudaGetErrorName(cudaGetLastError()));
  }
  if (name == "in_macro") FREE_TWICE(device);  // LINE in_macro
  if (name == "macro_that_looks") {
    cudaFree(device);
    FREE_AND_LOOK(device);
    const cudaError_t error = FREE(device);
    std::puts(cudaGetErrorName(error));
    cudaGetLastError();
  }
  if (name == "wrong_free") cudaFreeHost(device);  // LINE wrong_free
  if (name == "no_device") cudaSetDevice(7);       // LINE no_device
  if (name == "too_much") {
    cudaMalloc(&none, std::size_t{1} << 60);  // LINE too_much
    store<<<1, 1>>>(none);                    // LINE null
  }
  if (name == "missing_address") {
    auto* memory = static_cast<float*>(std::malloc(64));
    cudaMalloc((void**)memory, 64);
    cudaMemcpy(memory, host, 64, cudaMemcpyHostToDevice);  // LINE missing_address
    fill<<<1, 16>>>(memory, 16);                           // LINE missing_address_argument
  }
  if (name == "structure_of_host") {
    Matrix matrix{nullptr, 16};
    cudaMalloc(&matrix.elements, 64);
    clear<<<1, 16>>>(&matrix);
  }
  if (name == "not_pinned") cudaHostGetDevicePointer(&none, host, 0);  // LINE not_pinned
  if (name == "null_address") cudaMalloc((void**)none, 64);            // LINE null_address
  if (name == "device_address") cudaMalloc((void**)device, 64);        // LINE device_address
  if (name == "loop")
    for (int i = 0; i < 3; ++i) cudaFree(host);  // LINE loop
  if (name == "sticky") {
    store<<<1, 1>>>(none);     // LINE fault
    cudaMemset(device, 0, 4);  // LINE sticky
    cudaDeviceSynchronize();
    cudaFree(device);
  }
  if (name == "fault_at_end") store<<<1, 1>>>(none);  // LINE fault_at_end
  if (name == "thread") {
    std::thread other([&] { cudaFree(host); });  // LINE thread
    other.join();
  }
  if (name == "at_end") cudaFree(host);  // LINE at_end
  if (name.starts_with("launch")) {
    fill<<<1, 2048>>>(device, 16);  // LINE launch_fails
    cudaDeviceSynchronize();
    if (name == "launch_seen") CHECK(cudaGetLastError());
  }
}

// All errors are looked at, or dropped on purpose.
static void looked_at() {
  float host[4] = {}, *device = nullptr;
  cudaEvent_t event = nullptr;
  CHECK(cudaMalloc(&device, 16));
  CHECK(cudaFree(host));
  cudaFree(host);
  CHECK(cudaGetLastError());
  cudaSetDevice(7);
  if (cudaPeekAtLastError() != cudaSuccess) cudaGetLastError();
  (void)cudaFree(host);
  static_cast<void>(cudaFree(host));
  const cudaError_t error = cudaFree(host);
  std::printf("%s\n", cudaGetErrorName(error));
  cudaFree(nullptr);
  cudaFree(0);
  cudaEventCreate(&event);
  cudaEventQuery(event);
  cudaDeviceEnablePeerAccess(1, 0);
  cudaDeviceEnablePeerAccess(1, 0);
  cudaFree(device);
}

// ---- too early ----
constexpr int count = 100000;

__global__ void number(int* values, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) values[i] = i;
}
__global__ void number_odd(int* values) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (2 * i + 1 < 1000) values[2 * i + 1] = i;
}
template <class T>
__global__ void number_any(T* values, int n) {
  const int i = threadIdx.x;
  if (i < n) values[i] = static_cast<T>(i);
}
__global__ void sum(const int* values, int* out) {
  for (int i = 0; i < 10; ++i) *out += values[i];
}
template <class T>
__global__ void sum_any(const T* values, int* out) {
  for (int i = 0; i < 10; ++i) *out += values[i];
}
__global__ void check(int* values) {  // const is missing
  if (values[3] < 0) values[3] = 0;
}
__global__ void set_flag(volatile int* flag) { *flag = 1; }
__global__ void set_and_tell(int* values) {
  values[0] = 5;
  __threadfence_system();
  values[1] = 1;
}
__global__ void greet() { std::printf("from the device\n"); }
__global__ void complain(int n) {
  if (n > 0) printf("never\n");
}

static void early(const std::string& name) {
  int *managed = nullptr, *device = nullptr;
  cudaMallocManaged(&managed, count * sizeof(int));
  cudaMalloc(&device, 4000);
  cudaEvent_t begin = nullptr, end = nullptr;
  cudaEventCreate(&begin);
  cudaEventCreate(&end);
  cudaEventRecord(begin);
  number<<<(count + 255) / 256, 256>>>(managed, count);  // LINE launch
  cudaEventRecord(end);                                  // LINE record
  float milliseconds = 0;
  if (name == "early_time") cudaEventElapsedTime(&milliseconds, begin, end);  // LINE early_time
  if (name == "early_read") std::printf("%d ", managed[5]);                   // LINE early_read
  if (name == "early_write") managed[5] = 1;                                  // LINE early_write
  if (name == "early_copy") {
    std::vector<int> host(count);
    std::memcpy(host.data(), managed, count * sizeof(int));  // LINE early_copy
    std::printf("%d ", host[count - 1]);
  }
  if (name == "early_fwrite") {
    FILE* file = std::tmpfile();
    std::printf("%zu ", std::fwrite(managed, sizeof(int), count, file));  // LINE early_fwrite
    std::rewind(file);
    managed[1] = -1;
    number<<<1, 256>>>(managed, 10);
    std::printf("%zu ", std::fread(managed, sizeof(int), count, file));  // LINE early_fread
    std::fclose(file);
  }
  if (name == "early_system_call") {
    const int file = open("/dev/zero", O_RDONLY);
    std::printf("%zd ", read(file, managed, count));  // LINE early_read_call
    close(file);
    number<<<1, 256>>>(managed, 10);
    const int null = open("/dev/null", O_WRONLY);
    std::printf("%zd ", write(null, managed, count));  // LINE early_write_call
    close(null);
  }
  if (name == "early_stream") {
    std::ofstream file("/dev/null", std::ios::binary);
    file.write(reinterpret_cast<const char*>(managed), count);  // LINE early_stream
    std::printf("%d ", static_cast<int>(file.good()));
  }
  if (name == "early_template") {
    cudaDeviceSynchronize();
    managed[1] = -1;
    number_any<<<1, 32>>>(managed, 32);  // LINE launch_template
    std::printf("%d ", managed[1]);      // LINE early_template
  }
  if (name == "early_device_copy") {
    cudaMemcpy(device, device + 100, 400, cudaMemcpyDeviceToDevice);  // does not wait
    std::printf("%d ", managed[5]);                                   // LINE early_device_copy
  }
  if (name == "early_pinned") {
    int* pinned = nullptr;
    cudaMallocHost(&pinned, count * sizeof(int));
    cudaMemcpyAsync(pinned, device, 4000, cudaMemcpyDeviceToHost, nullptr);
    cudaDeviceSynchronize();
    int* large = nullptr;
    cudaMalloc(&large, count * sizeof(int));
    cudaMemset(large, 0, count * sizeof(int));
    const std::size_t bytes = count * sizeof(int);
    cudaMemcpyAsync(pinned, large, bytes, cudaMemcpyDeviceToHost, nullptr);  // LINE copy
    std::printf("%d ", pinned[5]);                                           // LINE early_pinned
  }
  if (name == "early_end") greet<<<1, 1>>>();  // LINE early_end
}

// The host may use pinned memory that no copy writes, and what a copy reads; all after a wait.
static void waited_for_copies() {
  constexpr int half = count / 2 + 100;  // within a page
  int *pinned = nullptr, *device = nullptr, sum_of = 0;
  cudaHostAlloc(&pinned, count * sizeof(int), cudaHostAllocDefault);
  cudaMalloc(&device, count * sizeof(int));
  cudaStream_t stream = nullptr;
  cudaStreamCreate(&stream);
  cudaMemcpyAsync(device, pinned, count * sizeof(int), cudaMemcpyHostToDevice, stream);
  sum_of += pinned[0] == 0;
  number<<<(count + 255) / 256, 256, 0, stream>>>(device, count);
  cudaMemcpyAsync(pinned, device, half * sizeof(int), cudaMemcpyDeviceToHost, stream);
  for (int i = half; i < count; ++i) pinned[i] = 0;
  cudaMemcpyAsync(device, pinned, half * sizeof(int), cudaMemcpyHostToDevice, stream);
  cudaLaunchHostFunc(
      stream, [](void* values) { ++*static_cast<int*>(values); }, pinned);
  cudaStreamSynchronize(stream);
  sum_of += pinned[half - 1];
  cudaMemcpyAsync(pinned + half, device, (count - half) * sizeof(int), cudaMemcpyDeviceToHost,
                  stream);
  for (int i = 0; i < half; ++i) pinned[i] = 0;
  cudaDeviceSynchronize();
  sum_of += pinned[half];
  cudaMemcpyAsync(pinned, device, 4096, cudaMemcpyDeviceToHost, stream);
  cudaFreeHost(pinned);
  std::printf("%d ", sum_of);
}

// The host and a kernel work at the same time, each on its part of managed memory.
static void own_parts() {
  int sum_of = 0;
  for (const int all : {1000, count, 10 * count}) {
    int* managed = nullptr;
    cudaMallocManaged(&managed, all * sizeof(int));
    const int half = all / 2;
    number<<<(half + 255) / 256, 256>>>(managed, half);
    for (int i = half; i < all; ++i) managed[i] = i;
    cudaDeviceSynchronize();
    number<<<(half + 255) / 256, 256>>>(managed + half, half);
    for (int i = 0; i < half; ++i) managed[i] = 1;
    cudaDeviceSynchronize();
    sum_of += managed[half - 1];
    cudaFree(managed);
  }
  {
    int* managed = nullptr;  // the one the even elements, the other the odd ones
    cudaMallocManaged(&managed, 1000 * sizeof(int));
    number_odd<<<4, 128>>>(managed);
    for (int i = 0; i < 1000; i += 2) managed[i] = 1;
    cudaDeviceSynchronize();
    sum_of += managed[999];
    cudaFree(managed);
  }
  std::printf("%d ", sum_of);
}

// All is waited for, in one of the ways that CUDA has.
static void waited_for() {
  int *managed = nullptr, *device = nullptr, host[10] = {}, sum_of = 0;
  cudaMallocManaged(&managed, count * sizeof(int));
  cudaMallocManaged(&device, sizeof(int));
  cudaEvent_t begin = nullptr, end = nullptr;
  cudaStream_t stream = nullptr;
  cudaEventCreate(&begin);
  cudaEventCreate(&end);
  cudaStreamCreate(&stream);
  float milliseconds = 0;
  const auto launch = [&] {
    cudaEventRecord(begin, stream);
    number<<<(count + 255) / 256, 256, 0, stream>>>(managed, count);
    cudaEventRecord(end, stream);
  };
  const auto use = [&] {
    sum_of += managed[1];
    cudaEventElapsedTime(&milliseconds, begin, end);
  };
  launch(), cudaDeviceSynchronize(), use();
  launch(), cudaStreamSynchronize(stream), use();
  launch(), cudaEventSynchronize(end), use();
  while (launch(), cudaEventQuery(end) != cudaSuccess) {
  }
  use();
  while (launch(), cudaStreamQuery(stream) != cudaSuccess) {
  }
  use();
  launch(), cudaMemcpy(host, managed, sizeof host, cudaMemcpyDeviceToHost), use();
  launch(), cudaMemcpyAsync(host, managed, sizeof host, cudaMemcpyDeviceToHost, stream), use();
  launch(), cudaLaunchHostFunc(
                stream, [](void* values) { ++*static_cast<int*>(values); }, managed);
  cudaStreamSynchronize(stream);
  // What no kernel writes, or changes, or what is meant to be looked at meanwhile.
  sum<<<1, 1>>>(managed, device);
  sum_any<<<1, 1>>>(managed, device);
  sum_of += managed[2];
  int* small = nullptr;
  cudaMallocManaged(&small, 64);
  check<<<1, 1>>>(small);
  sum_of += small[3];
  set_flag<<<1, 1>>>(managed);
  while (*static_cast<volatile int*>(managed) == 0) {
  }
  set_and_tell<<<1, 1>>>(managed);
  while (*static_cast<volatile int*>(managed + 1) == 0) {
  }
  sum_of += managed[0];
  greet<<<1, 1>>>();
  cudaFree(managed);
  complain<<<1, 1>>>(0);
  std::printf("%d ", sum_of);
}

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  const std::string name = argv[1];
  std::setbuf(stdout, nullptr);
  if (name == "looked_at")
    looked_at();
  else if (name == "waited_for")
    waited_for();
  else if (name == "own_parts")
    own_parts();
  else if (name == "waited_for_copies")
    waited_for_copies();
  else if (name.starts_with("early"))
    early(name);
  else if (name.starts_with("by_value"))
    by_value(name);
  else if (name.starts_with("host_file"))
    in_host_file(name);
  else
    dropped(name);
  std::puts("end");
}
