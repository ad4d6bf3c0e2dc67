// Runs runtime_probe.cu's program with environments and mistakes, and reads
// what the emulated device says.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "platform/machine_memory.h"
#include "run_probe.h"

namespace {

// The place of a launch or access in the probe, without the folders before its file.
std::string file_and_line(const std::string& name) {
  const std::string path = place(name);
  return path.substr(path.rfind('/'));
}

TEST(StartAndEnd, StaticObjectsUseTheDevice) {
  const Outcome outcome = run("static", "PROBE_STATIC=1");
  EXPECT_EQ(outcome.code, 0);
  EXPECT_EQ(outcome.text, "constructor works\nends cudaSuccess\ndestructor works, value 0\n");
  EXPECT_EQ(run("late").text, "ends cudaSuccess\nlate cudaSuccess\n");
}

// ---- host and device memory ----
#ifndef SANITIZED
TEST(HostAccess, EndsTheProgramWithTheLine) {
  Outcome outcome = run("host_reads");
  EXPECT_NE(outcome.code, 0);
  expect_says(outcome, "error: the host accesses device memory at ");
  expect_says(outcome, file_and_line("host_reads") +
                           ": byte 12 of the 4000 bytes from cudaMalloc; use cudaMemcpy\n");
#ifndef __clang__  // whose -g1 does not tell addr2line of inlined functions
  // The loop is the library's, in its header; the line is the program's.
  outcome = run("host_adds");
  EXPECT_NE(outcome.code, 0);
  expect_says(outcome, file_and_line("host_adds") + ": byte 0 of the 4000 bytes");
#endif
  outcome = run("host_writes");
  EXPECT_NE(outcome.code, 0);
  expect_says(outcome, "byte 0 of the 4000 bytes from cudaMalloc");
}

TEST(HostAccess, FreeIsExplained) {
  const Outcome outcome = run("host_frees");
  EXPECT_NE(outcome.code, 0);
  expect_says(outcome, "error: the host accesses the bytes before device memory at ");
  expect_says(outcome, file_and_line("host_frees") + ", as free() and delete do; use cudaFree\n");
}

TEST(Guards, NameTheKernelAndTheElements) {
  Outcome outcome = run("guard");
  EXPECT_EQ(outcome.code, 1);
  expect_says(outcome,
              place("guard") + ": error: kernel fill wrote behind the end of the 4000 bytes at 0x");
  expect_says(outcome, " from cudaMalloc: 4 bytes, from byte 4000 (element 1000 of 1000) on\n");
  expect_says(outcome, "errors 1 ends cudaSuccess\n");
  // What lies behind one array is copied behind another: a guard has bytes of its own.
  outcome = run("guard_copied");
  EXPECT_EQ(outcome.code, 1);
  expect_says(outcome, place("guard_copied") +
                           ": error: kernel copy wrote behind the end of the 400 bytes at 0x");
  expect_says(outcome, ": at least 112 bytes, from byte 400 (element 100 of 100) on\n");
  // In pinned memory it may be the host, too.
  outcome = run("guard_pinned");
  EXPECT_EQ(outcome.code, 1);
  expect_says(outcome,
              ": error: kernel fill or the host wrote behind the end of the 40 bytes at 0x");
  expect_says(outcome, "\nerror: the host wrote behind the end of the 40 bytes at 0x");
  for (const char* const place : {"guard_before", "guard_between", "guard_far_before"})
    expect_says(run(place),
                " from cudaMalloc, or before the beginning of the 400 bytes from cudaMalloc: ");
}

TEST(Guards, NameTheLaunchesThatItMayHaveBeen) {
  const Outcome outcome = run("guard_late");
  EXPECT_EQ(outcome.code, 1);
  const std::size_t errors = outcome.text.find(": error: kernel fill");
  ASSERT_NE(errors, std::string::npos) << outcome.text;
  EXPECT_EQ(outcome.text.find(": error: kernel fill", errors + 1), std::string::npos)
      << outcome.text;
}

TEST(Guards, OfCorrectProgramsAreWhole) {
  const Outcome outcome = run("good_arguments");
  EXPECT_EQ(outcome.code, 0);
  EXPECT_EQ(outcome.text, "ends cudaSuccess\n");
}

TEST(FreedMemory, FaultsInKernels) {
  expect_says(run("freed_in_kernel"), "ends cudaErrorIllegalAddress");
  expect_says(run("far_beyond"), "ends cudaErrorIllegalAddress");
}
#else
TEST(HostAccess, IsReportedBySanitizers) {
  for (const char* name : {"host_reads", "host_writes"}) {
    const Outcome outcome = run(name);
    EXPECT_NE(outcome.code, 0);
    expect_says(outcome, "use-after-poison");
    expect_says(outcome, "bytes inside of 4000-byte region");
  }
}

TEST(HostAccess, FreeIsExplained) {
  const Outcome outcome = run("host_frees");
  EXPECT_NE(outcome.code, 0);
  expect_says(outcome, "error: the host frees device memory at ");
  expect_says(outcome, file_and_line("host_frees") + ", as free() and delete do; use cudaFree\n");
}
#endif

TEST(Heap, OfKernelsHasTheSizeThatWasAskedFor) {
  EXPECT_EQ(run("heap").text,
            place("take_heap") +
                ": warning: kernel take_heap, block (0,0,0): malloc() returns a null pointer: "
                "kernels have 8388608 bytes in all, unless "
                "cudaDeviceSetLimit(cudaLimitMallocHeapSize, n) asks for more\n"
                "8 pieces 8 pieces ends cudaSuccess\n");
  EXPECT_EQ(run("large_heap").text, "32 pieces 32 pieces ends cudaSuccess\n");
  const Outcome by_new = run("new_heap");
  expect_says(by_new, place("take_new") + ": warning: kernel take_new, block (0,0,0): new returns");
  expect_says(by_new, "\n8 pieces 8 pieces ends cudaSuccess\n");
}

TEST(Heap, IsForKernelsAndNotForTheHostsCalls) {
  const Outcome outcome = run("heap_pointer");
  expect_says(outcome, "4 " + place("heap_pointer") +
                           ": error: cudaMemcpy returns cudaErrorInvalidValue, and the program "
                           "does not look at it: the source is memory that malloc() or new in a "
                           "kernel gave, which the host's calls cannot use");
  expect_says(outcome, "ends cudaErrorInvalidValue\n");
}

TEST(Warps, ALaneOutsideTheMaskIsSaid) {
  expect_says(
      run("foreign_lane"),
      place("foreign_lane") +
          ": warning: kernel reads_foreign_lane, block (0,0,0): __shfl_down_sync reads lane 8, "
          "which the mask 0x000000ff does not name: the result is undefined in CUDA, here 0\n");
}

TEST(Warps, ALaneThatHasEndedIsSaid) {
  expect_says(
      run("ended_lane"),
      place("ended_lane") +
          ": warning: kernel reads_ended_lane, block (0,0,0): __shfl_down_sync reads lane 20, "
          "which has ended, though the mask names it: the result is undefined in CUDA, here 0\n");
}

TEST(KernelArguments, HostPointersAreIllegalAddresses) {
  const Outcome outcome = run("heap_argument");
  expect_says(outcome, place("heap_argument") +
                           ": error: kernel fill: argument 1 points to host memory (0x");
  expect_says(outcome, "ends cudaErrorIllegalAddress\n");
  for (const char* name : {"stack_argument", "large_heap_argument", "global_argument",
                           "global_before", "global_behind"})
    expect_says(run(name), "ends cudaErrorIllegalAddress\n");
  EXPECT_EQ(run("good_arguments").text, "ends cudaSuccess\n");
}

TEST(Variables, TheHostHasACopyOfItsOwn) {
  EXPECT_EQ(run("host_copy").text, "host 7 device 1 ends cudaSuccess\n");
  const Outcome outcome = run("variable_argument");
  expect_says(outcome, place("variable_argument") +
                           ": error: kernel fill: argument 1 is the host's own copy of on_device; "
                           "cudaGetSymbolAddress tells where the variable of the device is\n");
  expect_says(outcome, "ends cudaErrorIllegalAddress\n");
  EXPECT_EQ(run("symbol_argument").text, "ends cudaSuccess\n");
}

TEST(Textures, OfFreedMemoryAreNone) {
  const Outcome outcome = run("freed_texture");
  expect_says(outcome, "tex1Dfetch: the texture or surface object does not exist");
  expect_says(outcome, "ends cudaErrorIllegalAddress\n");
}

TEST(Devices, HaveMemoryOfTheirOwn) {
  const Outcome outcome = run("devices", "EMULATED_DEVICES=3");
  expect_says(outcome,
              "count 3 other 0 can 1 of 1 value 500 none cudaErrorPeerAccessNotEnabled\n"
              "enabled cudaErrorPeerAccessAlreadyEnabled\n");
  expect_says(
      outcome,
      place("devices") +
          ": error: kernel fill: argument 1 points to memory of device 1, to which device 0 "
          "has no access; call cudaDeviceEnablePeerAccess\n");
  expect_says(outcome, "ends cudaErrorIllegalAddress\n");
  const Outcome wrong = run("devices", "EMULATED_DEVICES=0");
  EXPECT_EQ(wrong.code, 2);
  EXPECT_EQ(wrong.text, "EMULATED_DEVICES is '0'; it must be a number of devices from 1 to 64.\n");
}

TEST(Devices, HaveVariablesOfTheirOwn) {
  EXPECT_EQ(run("variables", "EMULATED_DEVICES=2").text,
            "device 0: step 5 sum 0 last 0 0\n"
            "device 1: step 5 sum 0 last 0 0\n"
            "device 0: step 10 sum 2000 last 99 0\n"
            "device 1: step 11 sum 2200 last 0 99\n"
            "device 0: step 10 sum 2000 last 99 0\n"
            "device 1: step 5 sum 0 last 0 0\n"
            "launches 400 ends cudaSuccess\n");
}

// A function of both sides has one variable for all: the host's.
TEST(Devices, HaveStaticVariablesOfTheirOwn) {
  const std::string first = "calls 1 before 14 sum 3 5 turns 1 next 101 100.5 both ";
  const std::string second = "calls 2 before 28 sum 3 10 turns 2 next 102 101.0 both ";
  const std::string third = "calls 3 before 56 sum 3 15 turns 3 next 103 101.5 both ";
  EXPECT_EQ(run("statics", "EMULATED_DEVICES=2").text, first + "1\n" + second + "2\n" + first +
                                                           "3\n" + third + "4\n" + second + "5\n" +
                                                           first + "6\nends cudaSuccess\n");
}

// A graph runs where it was captured; only copies may use another device's stream; a variable has
// one address for both.
TEST(Devices, DoTheirOwnWork) {
  const Outcome outcome = run("two_devices", "EMULATED_DEVICES=2");
  expect_says(outcome, "foreign stream: cudaErrorInvalidResourceHandle\n");
  expect_says(outcome, "by the graph: 100 205\n");
  expect_says(outcome, "copied: 205\n");
  expect_says(outcome, "executable destroyed twice: cudaErrorInvalidResourceHandle\n");
  expect_says(outcome, "graph destroyed twice: cudaErrorInvalidResourceHandle\n");
  expect_says(outcome, "ends cudaSuccess\n");
}

#ifndef SANITIZED  // which ends the program at the fault
TEST(Devices, ShareNothingAndAreResetAlone) {
  const Outcome outcome = run("reset", "EMULATED_DEVICES=2");
  expect_says(outcome, "first: stack 1024 shared 49152 peer 0 cudaSuccess\n");
  expect_says(outcome,
              "changed: stack 4096 shared 100000 peer 0 cudaErrorIllegalAddress\n"
              "other: stack 1024 shared 49152 peer 1 cudaSuccess\n"
              "reset: stack 1024 shared 49152 peer 0 cudaSuccess\n"
              "gone 1 kept 1 value 0 ends cudaSuccess\n");
}
#endif

// ---- how much memory there is ----
class Machine {
 public:
  Machine() {
    std::string pattern = (std::filesystem::temp_directory_path() / "machine-XXXXXX").string();
    root_ = mkdtemp(pattern.data());
    write("proc/meminfo",
          "MemTotal:       16000000 kB\nMemFree: 1 kB\nMemAvailable:   12000000 kB\n");
  }
  ~Machine() { std::filesystem::remove_all(root_); }
  Machine(const Machine&) = delete;
  Machine& operator=(const Machine&) = delete;
  void write(const std::string& path, const std::string& text) const {
    std::filesystem::create_directories((root_ / path).parent_path());
    std::ofstream(root_ / path) << text;
  }
  emulated::MachineMemory memory() const { return emulated::machine_memory(root_); }

 private:
  std::filesystem::path root_;
};

constexpr std::size_t mib = 1 << 20, kib = 1 << 10;

TEST(MachineMemory, WithoutGroups) {
  const Machine machine;
  EXPECT_EQ(machine.memory().total, 16000000 * kib);
  EXPECT_EQ(machine.memory().free, 12000000 * kib - 16000000 * kib / 32);
}

TEST(MachineMemory, GroupsOfVersion2) {
  const Machine machine;
  machine.write("proc/self/cgroup", "0::/outer/inner\n");
  machine.write("sys/fs/cgroup/outer/memory.max", "1073741824\n");  // 1024 MiB
  machine.write("sys/fs/cgroup/outer/memory.current", "536870912\n");
  machine.write("sys/fs/cgroup/outer/memory.stat", "anon 5\ninactive_file 134217728\nslab 7\n");
  machine.write("sys/fs/cgroup/outer/inner/memory.max", "max\n");
  EXPECT_EQ(machine.memory().total, 1024 * mib);
  EXPECT_EQ(machine.memory().free, (1024 - 512 + 128 - 32) * mib);
  machine.write("sys/fs/cgroup/outer/inner/memory.max", "268435456\n");
  machine.write("sys/fs/cgroup/outer/inner/memory.current", "268435456\n");
  EXPECT_EQ(machine.memory().total, 256 * mib);
  EXPECT_EQ(machine.memory().free, 0u);
}

TEST(MachineMemory, GroupsOfVersion1InAContainer) {
  const Machine machine;
  machine.write("proc/self/cgroup", "9:name=systemd:/\n4:cpu,memory:/not/seen/here\n0::/\n");
  machine.write("sys/fs/cgroup/memory/memory.limit_in_bytes", "536870912\n");
  machine.write("sys/fs/cgroup/memory/memory.usage_in_bytes", "134217728\n");
  EXPECT_EQ(machine.memory().total, 512 * mib);
  EXPECT_EQ(machine.memory().free, (512 - 128 - 16) * mib);
  machine.write("sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
  EXPECT_EQ(machine.memory().total, 16000000 * kib);
}

TEST(MachineMemory, MoreThanThereIsIsRefused) {
  EXPECT_EQ(run("too_much").text, "refused ends cudaSuccess\n");
#ifndef SANITIZED  // whose own range of addresses does not fit the limit
  const Outcome outcome = run("pieces", "ulimit -v 1200000;");
  expect_says(outcome, "refused ends cudaErrorMemoryAllocation\n");
#endif
}

}  // namespace
