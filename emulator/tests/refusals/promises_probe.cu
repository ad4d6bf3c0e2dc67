// A program with one mistake for each name given on the command line: structures that
// hold host pointers, conversions that do not fit, what only sanitizers see.
// refusals.txt has what is said of it.
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <new>
#include <string>

__device__ int takes_int(int x) { return x; }
__device__ unsigned char takes_byte(unsigned char x) { return x; }
struct Holder {
  int member;
};
__device__ int global_variable;

__global__ void argument(int* out, float x) {
  *out = takes_int(x);  // LINE argument
}
__global__ void member(int* out, float x) {
  Holder holder{0};
  holder.member = x;  // LINE member
  *out = holder.member;
}
__global__ void global(int* out, float x) {
  global_variable = x;  // LINE global
  *out = global_variable;
}
__global__ void initializer(int* out, float x) {
  const int i = x;  // LINE initializer
  *out = i;
}
__global__ void element(int* out, float x) {
  out[threadIdx.x] = x;  // LINE element
}
__global__ void fitting_arguments(int* out, float x) {
  out[0] = takes_int(x / 1e10f * -7.5f);
  out[1] = takes_byte(x / 1e10f * 300.0f);  // 44, here as there
}
static int host_takes(int x) { return x; }

__global__ void overflows(int* out, int x) {
  *out = x + 1;  // LINE overflows
}
__global__ void shifts(int* out, int by) {
  *out = 1 << by;  // LINE shifts
}
__global__ void misaligned(float4* out, float* in) {
  *out = *reinterpret_cast<float4*>(in + 1);  // LINE misaligned
}

struct Both {
  int* host;
  int* device;
};
__global__ void follows(Both pointers) { *pointers.device = *pointers.host; }
// A list whose nodes are copied, but not what they point to.
struct Node {
  int value;
  Node* next;
};
__global__ void sum_list(const Node* list, int* out) {
  int sum = 0;
  for (; list != nullptr; list = list->next) sum += list->value;  // LINE deep_follow
  *out = sum;
}
static void copy_list(int* out, bool deep) {
  Node* nodes = nullptr;
  Node* last = new Node{4, nullptr};
  Node first = {3, last};
  cudaMalloc(&nodes, 2 * sizeof(Node));
  cudaMemcpy(nodes, &first, sizeof first, cudaMemcpyHostToDevice);
  if (deep) {
    cudaMemcpy(nodes + 1, last, sizeof *last, cudaMemcpyHostToDevice);
    Node* const next = nodes + 1;
    cudaMemcpy(&nodes->next, &next, sizeof next, cudaMemcpyHostToDevice);
  }
  for (int i = 0; i < 2; ++i) sum_list<<<1, 1>>>(nodes, out);  // LINE deep
  cudaFree(nodes);
  delete last;
}
__global__ void first_of_rows(int** rows, int* out) { *out = rows[0][0]; }
static void copy_rows(int* out, bool host) {
  static int on_host = 5;
  int *on_device = nullptr, **rows = nullptr;
  cudaMalloc(&on_device, sizeof(int));
  cudaMemcpy(on_device, &on_host, sizeof(int), cudaMemcpyHostToDevice);
  int* row = host ? &on_host : on_device;
  cudaMalloc(&rows, sizeof row);
  cudaMemcpy(rows, &row, sizeof row, cudaMemcpyHostToDevice);
  first_of_rows<<<1, 1>>>(rows, out);  // LINE rows
  cudaFree(rows);
  cudaFree(on_device);
}
// An object with virtual functions, which a copy or an argument brings to the device.
struct Shape {
  __host__ __device__ virtual int area() const { return 5; }
};
__global__ void area(const Shape* shape, int* out) { *out = shape->area(); }
struct Drawing {
  Shape shape;
};
__global__ void area_of(Drawing drawing, int* out) { *out = drawing.shape.area(); }
static void copy_shape(int* out) {
  const Shape on_host;
  Shape* shape = nullptr;
  cudaMalloc(&shape, sizeof on_host);
  cudaMemcpy(shape, &on_host, sizeof on_host, cudaMemcpyHostToDevice);
  area<<<1, 1>>>(shape, out);  // LINE object
  cudaFree(shape);
  area_of<<<1, 1>>>(Drawing{on_host}, out);  // LINE object_as_argument
}

struct Harmless {
  long long count = 32767LL << 32 | 5;  // no address, though it looks like one
  int sizes[2] = {512, 1024};      // together an address at which AddressSanitizer keeps its notes
  long long between = 0x9fff8000;  // one of which it has none
  double x = 1.5;
  int* device;
  int (*function)(int) = host_takes;
};
__global__ void harmless(Harmless object) { *object.device = static_cast<int>(object.count & 7); }

// Objects with padding after their first member, one of them with a copy constructor.
struct Padded {
  unsigned low;
  int* device;
};
struct PaddedCopy {
  unsigned low = 0;
  int* device = nullptr;
  PaddedCopy() {}
  PaddedCopy(const PaddedCopy& other) : low(other.low), device(other.device) {}
};
__global__ void padded(Padded object) { object.device[0] = 5; }
__global__ void padded_copy(PaddedCopy object) { object.device[1] = 6; }

// A pointer to host memory in the padding of a structure that is copied.
struct Item {
  char kind;
  double weight;
};
__global__ void weigh(const Item* items, int* out) { *out = static_cast<int>(items[1].weight); }
static void copy_padded(int* out) {
  Item items[2];
  int on_host = 0;
  const int* const left_over = &on_host;
  std::memcpy(items + 1, &left_over, sizeof left_over);
  items[1].weight = 5;
  Item* device = nullptr;
  cudaMalloc(&device, sizeof items);
  cudaMemcpy(device, items, sizeof items, cudaMemcpyHostToDevice);
  weigh<<<1, 1>>>(device, out);
  cudaFree(device);
}

// An object in whose first member and padding the bytes of a pointer to host memory are left over.
template <class T>
class LeftOver {
 public:
  LeftOver(const void* pointer, int* device) : object_(*new (bytes_) T) {
    static_assert(offsetof(T, device) == sizeof pointer);
    object_.device = device;
    std::memcpy(bytes_, &pointer, sizeof pointer);
  }
  const T& object() const { return object_; }

 private:
  alignas(T) unsigned char bytes_[sizeof(T)] = {};
  T& object_;
};

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  const std::string name = argv[1];
  int* device = nullptr;
  if (cudaMalloc(&device, 4096) != cudaSuccess || cudaMemset(device, 0, 4096) != cudaSuccess)
    return 1;
  if (name == "argument") argument<<<1, 32>>>(device, 1e10f);
  if (name == "member") member<<<1, 32>>>(device, 3e10f);
  if (name == "global") global<<<1, 32>>>(device, 1e10f);
  if (name == "initializer") initializer<<<1, 32>>>(device, 1e10f);
  if (name == "element") element<<<1, 32>>>(device, 1e10f);
  if (name == "fitting") fitting_arguments<<<1, 1>>>(device, 1e10f);
  if (name == "host") {
    volatile float large = 1e10f;
    std::printf("%d ", host_takes(large) == 0);  // whatever it is, the program goes on
  }
  if (name == "structure") {
    int on_host = 7;
    for (int i = 0; i < 3; ++i) {
      follows<<<1, 1>>>(Both{&on_host, device});  // LINE structure
    }
  }
  if (name == "shallow" || name == "deep") copy_list(device, name == "deep");
  if (name == "rows_of_host" || name == "rows_of_device") copy_rows(device, name == "rows_of_host");
  if (name == "object") copy_shape(device);
  if (name == "harmless") harmless<<<1, 1>>>(Harmless{.device = device});
  if (name == "padding") {
    int on_host = 7;
    const LeftOver<Padded> plain(&on_host, device);
    const LeftOver<PaddedCopy> copied(&on_host, device);
    padded<<<1, 1>>>(plain.object());
    padded_copy<<<1, 1>>>(copied.object());
  }
  if (name == "copied_padding") copy_padded(device);
  if (name == "overflows") overflows<<<1, 1>>>(device, 0x7fffffff);
  if (name == "shifts") shifts<<<1, 1>>>(device, 33);
  if (name == "misaligned")
    misaligned<<<1, 1>>>(reinterpret_cast<float4*>(device), reinterpret_cast<float*>(device) + 64);
  int values[2] = {-1, -1};
  const cudaError_t error = cudaMemcpy(values, device, sizeof values, cudaMemcpyDeviceToHost);
  std::printf("%d %d %s\n", values[0], values[1], cudaGetErrorName(error));
}
