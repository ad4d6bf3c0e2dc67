// hello - a first kernel, 2 + 7 on the device, and the three mistakes that come first.
//
// CUDA by Example, chapter 3 (introduction to CUDA C), section 3.2, "A First Program": Hello,
// World!, a kernel call, and passing parameters.
// Terms (docs/glossary.md): kernel, host and device, thread, asynchronous.
//
//   ./run hello
//   ./run hello --benchmark                    how long an empty launch takes
//   ./run hello --mistake too_many_threads     FAIL, as it must: 1,025 threads in a block
//   ./run hello --mistake host_pointer         FAIL: the kernel writes to the host's memory
//   ./run hello --mistake device_pointer       FAIL: the host reads the device's memory
//
// No window. What to see: the sum, and the effect of each mistake on a GPU and on the emulated
// device.
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "../common/book.h"
#include "../common/check.h"
#include "../common/options.h"
#include "../common/timing.h"

// Runs on the device. Parameters are passed as to any function. The result is written through a
// pointer, which must point to the device's memory.
__global__ void add(int a, int b, int* c) { *c = a + b; }

// The book's first kernel. It does nothing, so its time is the cost of any launch.
__global__ void empty() {}

// The device cannot do this launch. A launch returns nothing, so cudaGetLastError() must be called.
bool too_many_threads(int* dev_c) {
  add<<<1, 1025>>>(2, 7, dev_c);
  const cudaError_t error = cudaGetLastError();
  std::printf("add<<<1, 1025>>>(2, 7, dev_c): %s.\n", cudaGetErrorString(error));
  std::printf("A block has at most 1,024 threads. Without cudaGetLastError() the program would\n");
  std::printf("go on, and c would keep its old value.\n");
  return error == cudaSuccess;
}

// The kernel gets the address of a host variable. Returns whether that works here.
bool host_pointer() {
  int c = 0;
  add<<<1, 1>>>(2, 7, &c);
  cudaError_t error = cudaGetLastError();
  if (error == cudaSuccess)
    error = cudaDeviceSynchronize();  // on a GPU the error comes after the launch
  std::printf("add<<<1, 1>>>(2, 7, &c): %s.\n", cudaGetErrorString(error));
  if (error == cudaSuccess) {
    std::printf("c is %d: this device reads and writes the host's ordinary memory. Most cannot.\n",
                c);
    return c == 9;
  }
  std::printf("The kernel wrote to an address that the device does not have. From now on every\n");
  std::printf("CUDA call of this process fails: %s.\n",
              cudaGetErrorString(cudaDeviceSynchronize()));
  return false;
}

// The host reads through a pointer to the device's memory. This kills the process, so a child does
// it. Returns whether that works here.
bool device_pointer(const int* dev_c) {
  std::fflush(stdout);
  const pid_t child = fork();
  if (child == 0) std::_Exit(*dev_c == 9 ? 0 : 1);
  int status = 0;
  if (child < 0 || waitpid(child, &status, 0) < 0) {
    std::perror("hello");
    return false;
  }
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) {
    std::printf("*dev_c is 9: this host reads the device's memory. Most cannot.\n");
    return true;
  }
  std::string how;
  if (WIFSIGNALED(status)) how = std::string(", ") + strsignal(WTERMSIG(status));
  std::printf("*dev_c: the process died%s.\n", how.c_str());
  std::printf("The host may pass, store and compare the address; only the device may use it.\n");
  return false;
}

int main(int argc, char** argv) {
  Options options("hello", Common::always_checked | Common::benchmark | Common::device);
  std::string mistake = "none";
  options.add_choice("--mistake", mistake, "show what happens with",
                     {"none", "too_many_threads", "host_pointer", "device_pointer"});
  options.parse(argc, argv);
  HANDLE_ERROR(cudaSetDevice(options.device));
  if (!options.check) std::printf("Hello, World!\n");

  int c = 0;
  int* dev_c;
  HANDLE_ERROR(cudaMalloc(&dev_c, sizeof(int)));

  add<<<1, 1>>>(2, 7, dev_c);
  HANDLE_ERROR(cudaGetLastError());  // could it be launched?

  // The launch returns at once; the copy waits for the kernel.
  HANDLE_ERROR(cudaMemcpy(&c, dev_c, sizeof(int), cudaMemcpyDeviceToHost));
  if (!options.check) std::printf("2 + 7 = %d\n", c);
  bool passed = check_equal("sum", std::array{c}, std::array{2 + 7});

  if (options.benchmark) {
    BenchmarkTable table("launches, back to back");
    table.add("empty launch", measure_back_to_back([] { empty<<<1, 1>>>(); }), 0);
    table.print();
  }
  if (mistake == "too_many_threads") passed = too_many_threads(dev_c) && passed;
  if (mistake == "device_pointer") passed = device_pointer(dev_c) && passed;

  HANDLE_ERROR(cudaFree(dev_c));

  if (mistake == "host_pointer") passed = host_pointer() && passed;
  return verdict(options.name(), passed);
}
