// How much memory the machine has, by the files of the system that report it.
#include "platform/machine_memory.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

namespace {

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

}  // namespace
