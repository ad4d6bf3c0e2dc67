#include "machine_memory.h"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <optional>
#include <string>

namespace emulated {

namespace {

namespace fs = std::filesystem;

// Some memory stays for the host's side of the program and for the page tables.
constexpr std::size_t min_reserve = 16 << 20, greatest_reserve = 512 << 20, reserve_part = 32;

// The number after `key` in a file of lines "key number".
std::optional<std::size_t> number_after(const fs::path& file, const std::string& key) {
  std::ifstream in(file);
  for (std::string word; in >> word;)
    if (std::size_t number = 0; word == key && in >> number) return number;
  return std::nullopt;
}

// The number a file holds; none for "max" or a file that is not there.
std::optional<std::size_t> number_in(const fs::path& file) {
  std::size_t number = 0;
  if (std::ifstream in(file); in >> number) return number;
  return std::nullopt;
}

// The names of the files with a control group's limit, in the two versions of the interface.
struct Names {
  const char *limit, *usage, *cache;
};
constexpr Names version_1 = {"memory.limit_in_bytes", "memory.usage_in_bytes",
                             "total_inactive_file"};
constexpr Names version_2 = {"memory.max", "memory.current", "inactive_file"};

// Lowers `memory` to what the group in `folder` allows. Usage counts cached files; the inactive
// ones among them are given back before any process is killed.
void limit_by_group(MachineMemory& memory, const fs::path& folder, const Names& names) {
  const auto limit = number_in(folder / names.limit);
  const auto usage = number_in(folder / names.usage);
  if (!limit || *limit >= memory.total) return;
  memory.total = *limit;
  const std::size_t cache = number_after(folder / "memory.stat", names.cache).value_or(0);
  const std::size_t used = usage.value_or(0) - std::min(usage.value_or(0), cache);
  memory.free = std::min(memory.free, *limit - std::min(*limit, used));
}

// The same for a group and all that it lies in. In a container the group's path may not exist below
// the mount point, whose own files then are the container's.
void limit_by_groups(MachineMemory& memory, const fs::path& mount, const fs::path& group,
                     const Names& names) {
  for (fs::path inner = group.relative_path(); !inner.empty(); inner = inner.parent_path())
    limit_by_group(memory, mount / inner, names);
  limit_by_group(memory, mount, names);
}

}  // namespace

MachineMemory machine_memory(const fs::path& root) {
  constexpr std::size_t kib = 1024;
  MachineMemory memory;
  memory.total = kib * number_after(root / "proc/meminfo", "MemTotal:").value_or(0);
  memory.free =
      kib * number_after(root / "proc/meminfo", "MemAvailable:").value_or(memory.total / kib);

  // Lines "number:controllers:path"; the number 0 and no controllers mean version 2.
  std::ifstream groups(root / "proc/self/cgroup");
  for (std::string line; std::getline(groups, line);) {
    const std::size_t first = line.find(':');
    const std::size_t second = line.find(':', first + 1);
    if (second == line.npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1);
    const std::string path = line.substr(second + 1);
    if (controllers.empty()) limit_by_groups(memory, root / "sys/fs/cgroup", path, version_2);
    if (("," + controllers + ",").find(",memory,") != std::string::npos)
      limit_by_groups(memory, root / "sys/fs/cgroup/memory", path, version_1);
  }
  rlimit space{};  // ulimit -v
  if (::getrlimit(RLIMIT_AS, &space) == 0 && space.rlim_cur != RLIM_INFINITY) {
    std::size_t pages = 0;
    std::ifstream(root / "proc/self/statm") >> pages;
    const std::size_t limit = space.rlim_cur;
    const std::size_t used = pages * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
    memory.free = std::min(memory.free, limit - std::min(limit, used));
  }
  const std::size_t reserve =
      std::clamp(memory.total / reserve_part, min_reserve, greatest_reserve);
  memory.free -= std::min(memory.free, reserve);
  return memory;
}

}  // namespace emulated
