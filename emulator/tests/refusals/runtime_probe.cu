// A program with mistakes of the host's side, one for each name given on the command line.
// refusals.txt has what is said of it.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <numeric>
#include <string>
#include <thread>
#include <vector>

__global__ void fill(int* values, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) values[i] = i;
}
static int before[8];
__device__ int on_device[8];  // a variable of the host may begin where it ends
static int behind[8];
__global__ void copy(const int* from, int* to) { to[threadIdx.x] = from[threadIdx.x]; }
__global__ void count() { ++on_device[0]; }
__constant__ int step = 5;
__managed__ int launches = 0;
__global__ void add_step(int* sum) {
  *sum += step;
  ++launches;
}
// Static variables of functions: what they have in common is counted on each device.
struct Totals {
  int launches, sum[2];
};
template <class T>
__device__ T next(T step) {
  static T last = 100;
  return last += step;
}
__host__ __device__ int next_on_both() {
  static int calls = 0;
  return ++calls;
}
__global__ void count_launches() {
  const static int primes[] = {2, 3, 5};
  [[maybe_unused]] static volatile int calls, before = 7;
  [[maybe_unused]] static Totals totals = {1, {2, 0}};
  const auto count = [] {
    struct Step {
      __device__ static int size() { return 1; }
    };
    static long turns;
    return turns += Step::size();
  };
  calls = calls + 1;
  before = before * 2;
  totals.sum[1] += primes[2];
  printf("calls %d before %d sum %d %d turns %ld next %d %.1f both %d\n", calls, before,
         totals.sum[0] + totals.launches, totals.sum[1], count(), next(1), next(0.5),
         next_on_both());
}
// 32 numbers, and 36, with a sign of percent between.
__global__ void print_many(int one, bool too_many) {
  int printed = 0;
  if (too_many)
    printed = printf(
        "%d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d "
        "%d "
        "%d 100%% %d %5d %u|%s|\n",
        1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25,
        26, 27, 28, 29, 30, 31, 32 * one, 33, 34, 35u, "36");
  else
    printed = printf(
        "%d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d "
        "%d "
        "100%% %s\n",
        1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25,
        26, 27, 28, 29, 30, 31 * one, "32");
  printf("%d printed\n", printed);
}
__global__ void fetch(float* out, cudaTextureObject_t texture) {
  out[threadIdx.x] = tex1Dfetch<float>(texture, 0);
}
__global__ void fetch_row(float* out, cudaTextureObject_t texture, float step) {
  out[threadIdx.x] = tex2D<float>(texture, (threadIdx.x + 0.5f) * step, 0.5f * step);
}
__global__ void fetch_column(float* out, cudaTextureObject_t texture) {
  out[threadIdx.x] = tex2D<float>(texture, 0, threadIdx.x - 16.0f);
}
__global__ void fetch_slices(float* out, cudaTextureObject_t texture) {
  out[threadIdx.x] = tex3D<float>(texture, 1, 1, 0.25f * threadIdx.x);
}
__global__ void take_pair(const int* end, int* values) {
  if (values + 1 != end) values[0] = 1;
}

// Gets as many pieces of a MiB as there are, and gives them back.
__global__ void take_heap() {
  void* pieces[32];
  int count = 0;
  while (count < 32 && (pieces[count] = malloc(1 << 20)) != nullptr) ++count;  // LINE take_heap
  printf("%d pieces ", count);
  while (count > 0) free(pieces[--count]);
}

__global__ void take_new() {
  char* pieces[32];
  int count = 0;
  while (count < 32 && (pieces[count] = new char[1 << 20]) != nullptr) ++count;  // LINE take_new
  printf("%d pieces ", count);
  while (count > 0) delete[] pieces[--count];
}

// Memory of kernels, which others use and the host does not.
__global__ void make_list(int** list) { *list = new int[4]{1, 2, 3, 4}; }
__global__ void print_list(const int* list) { printf("%d ", list[3]); }
__global__ void delete_list(int* list) { delete[] list; }

// Uses the device before main() and after it.
struct Static {
  cudaStream_t stream = nullptr;
  cudaEvent_t event = nullptr;
  int* values = nullptr;
  bool used = false;
  Static() {
    if (std::getenv("PROBE_STATIC") == nullptr) return;
    used = cudaStreamCreate(&stream) == cudaSuccess && cudaEventCreate(&event) == cudaSuccess &&
           cudaMalloc(&values, 4000) == cudaSuccess;
    std::printf("constructor %s\n", used ? "works" : "fails");
  }
  ~Static() {
    if (std::getenv("PROBE_STATIC") == nullptr) return;
    int host = 0;
    const bool works =
        cudaMemcpy(&host, values, sizeof host, cudaMemcpyDeviceToHost) == cudaSuccess &&
        cudaEventRecord(event, stream) == cudaSuccess &&
        cudaStreamSynchronize(stream) == cudaSuccess && cudaEventDestroy(event) == cudaSuccess &&
        cudaStreamDestroy(stream) == cudaSuccess && cudaFree(values) == cudaSuccess;
    std::printf("destructor %s, value %d\n", works ? "works" : "fails", host);
  }
} object;

// Constructed before anything of the runtime is used, destroyed after.
struct Late {
  void* memory = nullptr;
  ~Late() {
    if (memory != nullptr) std::printf("late %s\n", cudaGetErrorName(cudaFree(memory)));
  }
} late;

static void say(const char* what) {
  std::printf("%s %s\n", what, cudaGetErrorName(cudaGetLastError()));
}

__global__ void reads_foreign_lane(int* out) {
  if (threadIdx.x < 8) out[threadIdx.x] = __shfl_down_sync(0xffu, 5, 4);  // LINE foreign_lane
}
__global__ void reads_ended_lane(int* out) {
  if (threadIdx.x >= 20) return;
  out[threadIdx.x] = __shfl_down_sync(0xffffffffu, 5, 4);  // LINE ended_lane
}

// Textures of 8 x 4 or 8 x 4 x 4 texels, and fetches beyond some of them.
void fetch_beyond(const std::string& name) {
  float* out = nullptr;
  cudaMalloc(&out, 128);
  cudaArray_t picture = nullptr;
  const cudaChannelFormatDesc floats = cudaCreateChannelDesc<float>();
  const bool has_slices = name == "mirror_slices";
  cudaMalloc3DArray(&picture, &floats, make_cudaExtent(8, 4, has_slices ? 4 : 0));
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = picture;
  cudaTextureDesc description = {};
  for (cudaTextureAddressMode& mode : description.addressMode)
    mode = name == "wrap_row" ? cudaAddressModeWrap : cudaAddressModeMirror;
  if (name == "border_row") description.addressMode[0] = cudaAddressModeBorder;
  if (name != "mirror_row") description.filterMode = cudaFilterModeLinear;
  description.normalizedCoords = name == "mirror_normalized";
  cudaTextureObject_t texture = 0;
  cudaCreateTextureObject(&texture, &resource, &description, nullptr);  // LINE mirror
  for (int i = 0; i < 2; ++i)
    if (has_slices)
      fetch_slices<<<1, 32>>>(out, texture);
    else if (name == "mirror_column")
      fetch_column<<<1, 32>>>(out, texture);
    else if (name == "mirror_normalized")
      fetch_row<<<1, 32>>>(out, texture, 1 / 8.0f);
    else if (name == "mirror_edge")
      fetch_row<<<1, 9>>>(out, texture, 1);
    else
      fetch_row<<<2, 32>>>(out, texture, 1);
  cudaDestroyTextureObject(texture);
  cudaFreeArray(picture);
  cudaFree(out);
}

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  const std::string name = argv[1];
  std::setbuf(stdout, nullptr);
  int* device = nullptr;
  if (cudaMalloc(&device, 4000) != cudaSuccess) return 1;
  cudaMemset(device, 0, 4000);

  if (name == "static") fill<<<4, 256>>>(object.values, 1000);
  if (name == "late") cudaMalloc(&late.memory, 100);
  if (name == "host_reads") std::printf("%d\n", device[3]);  // LINE host_reads
  if (name == "host_adds")
    std::printf("%d\n", std::accumulate(device, device + 4, 0));  // LINE host_adds
  if (name == "host_writes") {
    fill<<<4, 256>>>(device, 1000);
    std::memset(device, 0, 8);
  }
  if (name == "host_frees") std::free(device);  // LINE host_frees
  if (name == "print_32" || name == "print_36") {
    for (int i = 0; i < 2; ++i) print_many<<<1, 1>>>(1, name == "print_36");  // LINE print_many
    cudaDeviceSynchronize();
  }
  if (name == "heap" || name == "large_heap") {
    if (name == "large_heap") cudaDeviceSetLimit(cudaLimitMallocHeapSize, 64 << 20);
    for (int i = 0; i < 2; ++i) take_heap<<<1, 1>>>();
    cudaDeviceSynchronize();
  }
  if (name == "new_heap") {
    for (int i = 0; i < 2; ++i) take_new<<<1, 1>>>();
    cudaDeviceSynchronize();
  }
  if (name == "heap_pointer") {
    int** stored = nullptr;
    int* list = nullptr;
    int host[4] = {};
    cudaMalloc(&stored, sizeof *stored);
    make_list<<<1, 1>>>(stored);
    cudaMemcpy(&list, stored, sizeof list, cudaMemcpyDeviceToHost);
    print_list<<<1, 1>>>(list);
    cudaDeviceSynchronize();
    cudaMemcpy(host, list, sizeof host, cudaMemcpyDeviceToHost);  // LINE heap_pointer
    delete_list<<<1, 1>>>(list);
    cudaDeviceSynchronize();
    cudaFree(stored);
  }
  if (name == "foreign_lane") reads_foreign_lane<<<1, 32>>>(device);
  if (name == "ended_lane") reads_ended_lane<<<1, 32>>>(device);
  if (name == "heap_argument") {
    std::vector<int> host(1000);
    fill<<<4, 256>>>(host.data(), 1000);  // LINE heap_argument
  }
  if (name == "large_heap_argument") {
    std::vector<int> host(1 << 20);
    fill<<<4, 256>>>(host.data(), 1000);
  }
  if (name == "stack_argument") {
    int host[64];
    fill<<<1, 64>>>(host, 64);
  }
  if (name == "global_argument") {
    static int host[64];
    fill<<<1, 64>>>(host, 64);
  }
  if (name == "global_before") fill<<<1, 8>>>(before, 8);
  if (name == "global_behind") fill<<<1, 8>>>(behind, 8);
  if (name == "variable_argument") fill<<<1, 8>>>(on_device, 8);  // LINE variable_argument
  if (name == "symbol_argument") {
    int* address = nullptr;
    cudaGetSymbolAddress(reinterpret_cast<void**>(&address), on_device);
    fill<<<1, 8>>>(address, 8);
    take_pair<<<1, 1>>>(address + 8, address);
  }
  if (name == "host_copy") {
    int value = 0;
    on_device[0] = 7;
    count<<<1, 1>>>();
    cudaMemcpyFromSymbol(&value, on_device, sizeof value);
    std::printf("host %d device %d ", on_device[0], value);
  }
  if (name == "good_arguments") {
    int *pinned = nullptr, *managed = nullptr;
    std::vector<int> registered(1000);
    cudaMallocHost(&pinned, 4000);
    cudaMallocManaged(&managed, 4000);
    cudaHostRegister(registered.data(), 4000, 0);
    for (int* values : {pinned, managed, registered.data(), device}) {
      fill<<<4, 256>>>(values, 1000);
      take_pair<<<1, 1>>>(values + 1000, values);
      take_pair<<<1, 1>>>(nullptr, values);
    }
    cudaFreeHost(pinned);
    cudaFree(managed);
    cudaHostUnregister(registered.data());
  }
  if (name == "guard") {
    fill<<<4, 256>>>(device, 1001);  // LINE guard
    std::printf("errors %u ", emulated::reported_errors());
  }
  if (name == "guard_copied" || name == "guard_before" || name == "guard_between" ||
      name == "guard_far_before") {
    int *from = nullptr, *to = nullptr;
    cudaMalloc(&from, 400);
    cudaMalloc(&to, 400);
    cudaMemset(from, 0, 400);
    if (name == "guard_copied") copy<<<1, 128>>>(from, to);  // LINE guard_copied
    if (name == "guard_before") fill<<<1, 32>>>(to - 1, 32);
    if (name == "guard_far_before") fill<<<1, 32>>>(to - 7, 1);
    if (name == "guard_between") fill<<<1, 32>>>(to - 28, 27);
  }
  if (name == "guard_pinned") {
    int* pinned = nullptr;
    cudaMallocHost(&pinned, 40);
    fill<<<1, 32>>>(pinned, 11);
    pinned[10] = 0;
  }
  if (name == "guard_late") {  // with so many launches not each is followed by a look
    std::vector<int*> many(2000);
    for (int*& values : many) cudaMalloc(&values, 40);
    for (int i = 0; i < 2000; ++i) fill<<<1, 32>>>(many[0], i == 1900 ? 11 : 10);
  }
  if (name.find("mirror_") == 0 || name == "wrap_row" || name == "border_row") fetch_beyond(name);
  if (name == "freed_texture") {
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeLinear;
    resource.res.linear.devPtr = device;
    resource.res.linear.desc = cudaCreateChannelDesc<float>();
    resource.res.linear.sizeInBytes = 4000;
    cudaTextureDesc description = {};
    cudaTextureObject_t texture = 0;
    float* out = nullptr;
    cudaMalloc(&out, 128);
    if (cudaCreateTextureObject(&texture, &resource, &description, nullptr) != cudaSuccess)
      return 1;
    cudaFree(device);
    fetch<<<1, 32>>>(out, texture);
  }
  if (name == "freed_in_kernel") {
    int* large = nullptr;
    cudaMalloc(&large, 8 << 20);
    cudaFree(large);
    fill<<<4, 256>>>(large, 1000);
  }
  if (name == "far_beyond") {
    int* large = nullptr;
    cudaMalloc(&large, 8 << 20);
    fill<<<(3 << 20) / 256, 256>>>(large, 3 << 20);
  }
  if (name == "too_much") {
    std::size_t free_bytes = 0, total = 0;
    cudaMemGetInfo(&free_bytes, &total);
    void* memory = nullptr;
    cudaMalloc(&memory, total);  // never: the program itself needs some
    std::printf("%s ", memory == nullptr && free_bytes < total ? "refused" : "given");
    cudaGetLastError();
  }
  if (name == "pieces") {  // of 8 MiB until no more can be had; the program lives on
    void* memory = nullptr;
    std::size_t count = 0;
    while (count < 200 && cudaMalloc(&memory, 8 << 20) == cudaSuccess) ++count;
    std::printf("%s ", count < 200 ? "refused" : "given");
  }
  if (name == "devices") {
    int count = 0, can = -1, other = -1, host = -1;
    cudaGetDeviceCount(&count);
    std::thread([&other] {  // a host thread of its own starts with device 0
      cudaGetDevice(&other);
      cudaSetDevice(2);
    })
        .join();
    int* far = nullptr;
    cudaSetDevice(1);
    cudaMalloc(&far, 4000);
    fill<<<4, 256>>>(far, 1000);
    cudaPointerAttributes attributes;
    cudaPointerGetAttributes(&attributes, far);
    cudaSetDevice(0);
    cudaDeviceCanAccessPeer(&can, 0, 1);
    cudaMemcpyPeer(device, 0, far + 500, 1, 400);
    cudaMemcpy(&host, device, sizeof host, cudaMemcpyDeviceToHost);
    std::printf("count %d other %d can %d of %d value %d ", count, other, can, attributes.device,
                host);
    say(cudaDeviceDisablePeerAccess(1) == cudaErrorPeerAccessNotEnabled ? "none" : "some");
    cudaDeviceEnablePeerAccess(1, 0);
    fill<<<4, 256>>>(far, 1000);
    say(cudaDeviceEnablePeerAccess(1, 0) == cudaErrorPeerAccessAlreadyEnabled ? "enabled" : "not");
    cudaDeviceDisablePeerAccess(1);
    fill<<<4, 256>>>(far, 1000);  // LINE devices
  }
  if (name == "two_devices") {
    int* sums[2] = {};
    for (int i = 0; i < 2; ++i) {
      cudaSetDevice(i);
      const int value = 100 * (i + 1);
      cudaMemcpyToSymbol(on_device, &value, sizeof value);
      cudaGetSymbolAddress(&sums[i], on_device);
    }
    // Here device 1 is the present one.
    cudaStream_t stream = nullptr;
    cudaGraph_t graph = nullptr;
    cudaGraphExec_t executable = nullptr;
    cudaStreamCreate(&stream);
    cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
    add_step<<<1, 1, 0, stream>>>(sums[1]);
    cudaStreamEndCapture(stream, &graph);
    cudaGraphInstantiate(&executable, graph, 0);
    cudaSetDevice(0);
    add_step<<<1, 1, 0, stream>>>(sums[0]);
    std::printf("foreign stream: %s\n", cudaGetErrorName(cudaGetLastError()));
    cudaGraphLaunch(executable, stream);
    int values[2] = {};
    for (int i = 0; i < 2; ++i) {
      cudaSetDevice(i);
      cudaMemcpyFromSymbol(&values[i], on_device, sizeof(int));
    }
    std::printf("by the graph: %d %d\n", values[0], values[1]);
    cudaSetDevice(0);
    cudaMemcpyPeer(sums[0], 0, sums[1], 1, sizeof(int));
    cudaMemcpyFromSymbol(&values[0], on_device, sizeof(int));
    std::printf("copied: %d\n", values[0]);
    cudaGraphExecDestroy(executable);
    std::printf("executable destroyed twice: %s\n",
                cudaGetErrorName(cudaGraphExecDestroy(executable)));
    cudaGraphDestroy(graph);
    std::printf("graph destroyed twice: %s\n", cudaGetErrorName(cudaGraphDestroy(graph)));
    cudaGetLastError();
  }
  if (name == "statics") {
    for (const int device : {0, 0, 1, 0, 1}) {
      cudaSetDevice(device);
      count_launches<<<1, 1>>>();
      cudaDeviceSynchronize();
    }
    cudaDeviceReset();
    count_launches<<<1, 1>>>();
    cudaDeviceSynchronize();
  }
  if (name == "variables") {  // each device has values of its own; both work at the same time
    const auto work = [](int device) {
      cudaSetDevice(device);
      const int own_step = 10 + device;
      int* sum = nullptr;
      cudaMemcpyToSymbol(step, &own_step, sizeof own_step);
      cudaGetSymbolAddress(&sum, on_device);
      for (int i = 0; i < 100; ++i) {
        add_step<<<1, 1>>>(sum);
        cudaMemcpyToSymbol(on_device, &i, sizeof i, (1 + device) * sizeof i);
      }
    };
    const auto tell = [] {
      for (int device = 0; device < 2; ++device) {
        int values[3] = {}, own_step = 0;
        cudaSetDevice(device);
        cudaMemcpyFromSymbol(values, on_device, sizeof values);
        cudaMemcpyFromSymbol(&own_step, step, sizeof own_step);
        std::printf("device %d: step %d sum %d last %d %d\n", device, own_step, values[0],
                    values[1], values[2]);
      }
    };
    tell();
    for (int device = 0; device < 2; ++device) work(device);
    std::thread other(work, 1);
    work(0);
    other.join();
    tell();
    cudaSetDevice(1);
    cudaDeviceReset();
    tell();
    std::printf("launches %d ", launches);
  }
  if (name ==
      "reset") {  // each device has limits, streams, faults of its own; a reset puts one's back
    const auto tell = [](const char* what) {
      std::size_t stack = 0;
      cudaFuncAttributes attributes = {};
      const cudaError_t fault = cudaDeviceSynchronize();
      cudaDeviceGetLimit(&stack, cudaLimitStackSize);
      cudaFuncGetAttributes(&attributes, fill);
      std::printf("%s: stack %zu shared %d peer %d %s\n", what, stack,
                  attributes.maxDynamicSharedSizeBytes,
                  cudaDeviceEnablePeerAccess(1, 0) == cudaErrorPeerAccessAlreadyEnabled,
                  cudaGetErrorName(fault));
    };
    cudaStream_t kept = nullptr, gone = nullptr;
    cudaEvent_t event = nullptr;
    int *memory = nullptr, count = 0, host = 7;
    cudaStreamCreate(&kept);
    cudaGetDeviceCount(&count);
    cudaSetDevice(count - 1);
    cudaStreamCreate(&gone);
    cudaEventCreate(&event);
    cudaMalloc(&memory, 4000);
    cudaSetDevice(0);
    tell("first");
    cudaSetDevice(count - 1);
    cudaDeviceSetLimit(cudaLimitStackSize, 4096);
    cudaFuncSetAttribute(fill, cudaFuncAttributeMaxDynamicSharedMemorySize, 100000);
    cudaDeviceEnablePeerAccess(0, 0);
    fill<<<1, 1>>>(nullptr, 1);
    tell("changed");
    cudaSetDevice(0);
    tell("other");
    cudaSetDevice(count - 1);
    cudaStreamBeginCapture(gone, cudaStreamCaptureModeRelaxed);  // its graph goes with it
    cudaDeviceReset();
    tell("reset");
    const bool all_gone = cudaStreamSynchronize(gone) == cudaErrorInvalidResourceHandle &&
                          cudaEventQuery(event) == cudaErrorInvalidResourceHandle &&
                          cudaFree(memory) == cudaErrorInvalidValue;
    const bool other_kept =
        cudaStreamSynchronize(kept) == cudaSuccess &&
        cudaMemcpy(&host, device, sizeof host, cudaMemcpyDeviceToHost) == cudaSuccess;
    std::printf("gone %d kept %d value %d ", all_gone, other_kept, host);
    cudaGetLastError();
  }
  say("ends");
  return 0;
}
