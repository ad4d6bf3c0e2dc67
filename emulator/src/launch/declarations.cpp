#include "declarations.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "device/limits.h"

namespace emulated {

namespace {

constexpr std::size_t constant_bytes_limit = 64 << 10;

struct Notes {
  std::mutex mutex;
  std::vector<SharedNote> shared;
  std::map<const void*, unsigned> kernels;            // launch bounds
  std::map<const char*, DeviceVariable> variables;    // by address
  std::map<const void*, std::size_t> constant_bytes;  // by bank
  bool complete = true;                               // are all variables of the device noted?
  std::map<const void*, KernelFacts> facts;           // made when they are asked for
};

// Made by the first static constructor that has something to note; never destroyed.
Notes& notes() {
  static auto& value = *new Notes;
  return value;
}

// All are noted when the program starts, by one OS thread; then no lock is needed.
struct Gaps {
  std::map<const char*, std::size_t> ends;  // and how many bytes lie before each
  const char* thread = static_cast<char*>(__builtin_thread_pointer());
};
Gaps& gaps() {
  static auto& value = *new Gaps;
  return value;
}

KernelFacts make_facts(const Notes& known, const void* kernel) {
  KernelFacts facts;
  facts.threads = threads_per_block;
  if (kernel == nullptr) {
    facts.shared = known.shared;
    return facts;
  }
  if (const auto note = known.kernels.find(kernel); note != known.kernels.end())
    facts.threads = std::min(facts.threads, note->second);
  for (const SharedNote& variable : known.shared) {
    if (variable.kernel != nullptr && variable.kernel != kernel) continue;
    facts.shared.push_back(variable);
    if (variable.kernel != nullptr) facts.shared_bytes += variable.bytes;
  }
  return facts;
}

}  // namespace

void add_note(const SharedNote& note) {
  if (note.bytes == 0) return;
  Notes& known = notes();
  const std::lock_guard lock(known.mutex);
  known.shared.push_back(note);
  known.facts.clear();
}

void add_note(const KernelNote& note) {
  if (note.kernel == nullptr) return;
  Notes& known = notes();
  const std::lock_guard lock(known.mutex);
  known.kernels[note.kernel] = note.threads;
  known.facts.clear();
}

void add_note(const GapNote& note) {
  gaps().ends[static_cast<const char*>(note.begin) + note.bytes] = note.bytes;
}

void add_variable(const volatile void* address, std::size_t bytes, const char* name,
                  VariableSpace space, bool read_only, const void* bank) {
  Notes& known = notes();
  const std::lock_guard lock(known.mutex);
  auto* const begin = static_cast<char*>(const_cast<void*>(address));
  const bool constant = space == VariableSpace::in_constant;
  const bool managed = space == VariableSpace::in_managed;
  known.variables[begin] = {begin, bytes, name, constant, managed, read_only || managed};
  if (!constant) return;
  std::size_t& total = known.constant_bytes[bank];
  total += bytes;
  if (total <= constant_bytes_limit) return;
  std::fprintf(stderr,
               "error: __constant__ %s: the constants of this file need %zu bytes, more than the "
               "65536 that a device has\n",
               name, total);
  std::_Exit(1);  // nothing has begun that could end
}

void add_unnoted_variables() { notes().complete = false; }

const KernelFacts& kernel_facts(const void* kernel) {
  Notes& known = notes();
  const std::lock_guard lock(known.mutex);
  auto it = known.facts.find(kernel);
  if (it == known.facts.end()) it = known.facts.emplace(kernel, make_facts(known, kernel)).first;
  return it->second;
}

bool is_variable(const void* address) {
  Notes& known = notes();
  const std::lock_guard lock(known.mutex);
  return !known.complete || known.variables.contains(static_cast<const char*>(address));
}

const DeviceVariable* variable_at(const void* address) {
  Notes& known = notes();
  const std::lock_guard lock(known.mutex);
  const char* byte = static_cast<const char*>(address);
  auto it = known.variables.upper_bound(byte);
  if (it == known.variables.begin() || byte >= (--it)->first + it->second.bytes) return nullptr;
  return &it->second;
}

void* host_copy(const volatile void* address) {
  Notes& known = notes();
  const std::lock_guard lock(known.mutex);
  const auto it = known.variables.find(static_cast<const char*>(const_cast<const void*>(address)));
  if (it == known.variables.end()) return nullptr;
  char*& copy = it->second.host_copy;
  if (copy == nullptr) copy = static_cast<char*>(std::calloc(it->second.bytes, 1));
  return copy;
}

const DeviceVariable* variable_of_host_copy(const void* address) {
  Notes& known = notes();
  const std::lock_guard lock(known.mutex);
  const char* byte = static_cast<const char*>(address);
  for (const auto& [begin, variable] : known.variables)
    if (variable.host_copy != nullptr && byte >= variable.host_copy &&
        byte < variable.host_copy + variable.bytes)
      return &variable;
  return nullptr;
}

void for_each_variable(const std::function<void(const DeviceVariable&)>& function) {
  // Without the lock: what the function copies, --explain notes, with a lock of its own, and who
  // has that may ask for a variable. None ever goes.
  std::vector<const DeviceVariable*> all;
  {
    const std::lock_guard lock(notes().mutex);
    all.reserve(notes().variables.size());
    for (const auto& [begin, variable] : notes().variables) all.push_back(&variable);
  }
  for (const DeviceVariable* const variable : all) function(*variable);
}

bool is_in_gap(const void* address) {
  const Gaps& known = gaps();
  const char* byte = static_cast<const char*>(address);
  if (in_shared_memory(byte)) byte += known.thread - static_cast<char*>(__builtin_thread_pointer());
  const auto gap = known.ends.upper_bound(byte);
  return gap != known.ends.end() && gap->first - byte <= static_cast<std::ptrdiff_t>(gap->second);
}

bool is_in_variable(const void* address) {
  return !notes().complete || variable_at(address) != nullptr;
}

}  // namespace emulated
