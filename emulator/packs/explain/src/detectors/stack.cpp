// Recursion that needs more stack than a GPU gives each thread (cudaLimitStackSize). Notes.
//
// A GPU's frames are smaller than those here, and of many calls nothing remains: they are inlined,
// or loops. So only what no compiler can avoid counts. A function has to stay on the stack during a
// call of its own if it goes on after it with what cannot come before: it writes memory, reads what
// the call has written, or calls itself again (of two such calls a compiler makes at most the last
// a loop).
//
// What such a call takes at least, as `ptxas -v` of CUDA 13.0 has it for a dozen recursive
// functions: 16 bytes (sm_75, sm_86), 24 (sm_90 to sm_120). With a limit of 1024 bytes an H200 ran
// frames of 24 bytes 40 levels deep and frames of 32 bytes 28 levels deep. It ended the kernel at
// 48 and at 32 levels (cudaErrorIllegalAddress).
#include "detectors/stack.h"

#include <algorithm>
#include <array>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "device/device.h"
#include "explain.h"
#include "record/objects.h"
#include "report/findings.h"

namespace emulated::explain {

thread_local constinit bool recurses = false;

namespace {

constexpr std::size_t min_frame = 16;  // bytes

// A function, and how many calls of it have to be on the stack at a time.
struct Levels {
  const void* function = nullptr;
  unsigned count = 0;
};

// A call that has not returned.
struct Activation {
  Levels kept;    // of its own function, in what it has called
  Levels others;  // of another function that the thread is in
  const void* call = nullptr;
  std::uintptr_t stack = 0;          // its variables lie above, those of what it calls below
  std::uint64_t writes_before = 0;   // of the thread
  std::uintptr_t highest_write = 0;  // by it and what it calls; all beyond the stack are higher

  // Calls of its own function that have returned, after which nothing has happened.
  bool has_called = false;
  unsigned called = 0;               // levels
  std::uint64_t writes_at_call = 0;  // before the first
  const void* recursion = nullptr;   // the latest of them

  void goes_on() {
    if (!has_called) return;
    kept.count = std::max(kept.count, called + 1);
    has_called = false;
    called = 0;
  }
};

struct Write {
  std::uintptr_t begin = 0;
  std::uintptr_t end = 0;
};
struct Stack {
  std::vector<Activation> calls;
  std::array<Write, 16> latest{};
  std::uint64_t writes = 0;  // all: which of the latest is the next one
};

// The stacks of the threads of an OS thread's block.
struct Stacks {
  std::uint64_t launch = 0;
  std::uint64_t block = 0;
  std::array<Stack, max_threads> threads;
};
Stacks& own_stacks() {
  static thread_local auto& all = *new Stacks;
  return all;
}

std::uint64_t launches = 0;
std::size_t limit = 0;  // of the present launch

// The deepest stack of a kernel.
struct Deep {
  Levels levels;
  const void* recursion = nullptr;
  std::size_t limit = 0;
  Agent agent{};
};
auto& deep_calls() {
  static auto& all = *new std::map<std::size_t, Deep>;  // by the kernel's number
  return all;
}

// How many of the calls around one are looked through for the same function.
constexpr std::size_t near = 4;
bool is_in(const std::vector<Activation>& calls, const void* function) {
  const auto begin = calls.end() - static_cast<std::ptrdiff_t>(std::min(near, calls.size()));
  return std::any_of(begin, calls.end(),
                     [function](const Activation& one) { return one.kept.function == function; });
}

// Is it memory that is there before and after the innermost of these calls?
bool outlives_call(const std::vector<Activation>& calls, std::uintptr_t address) {
  return calls.size() < 2 || address >= calls[calls.size() - 2].stack;
}

void note_depth(const Activation& ended) {
  if (ended.kept.count * min_frame <= limit) return;
  const Unseen unseen;
  const Lock lock;
  Deep& deep = deep_calls()[kernel->number];
  if (ended.kept.count > deep.levels.count)
    deep = {ended.kept, ended.recursion, limit, present_agent()};
}

}  // namespace

void begin_stacks() {
  const std::lock_guard lock(device_mutex);
  limit = device().limits.at(cudaLimitStackSize);
  ++launches;
}

void enter_function(const void* function, const void* call, const void* stack) {
  const Unseen unseen;
  Stacks& all = own_stacks();
  if (all.launch != launches || all.block != block->number) {
    all.launch = launches;
    all.block = block->number;
    for (Stack& one : all.threads) one.calls.clear();
    recurses = false;
  }
  Stack& own = all.threads[block->thread];
  if (!own.calls.empty()) {
    if (own.calls.back().kept.function == function) own.calls.back().goes_on();
    recurses = recurses || is_in(own.calls, function);
  }
  Activation entered;
  entered.kept.function = function;
  entered.call = call;
  entered.stack = reinterpret_cast<std::uintptr_t>(stack);
  entered.writes_before = own.writes;
  own.calls.push_back(entered);
}

void leave_function() {
  std::vector<Activation>& calls = own_stacks().threads[block->thread].calls;
  if (calls.empty()) return;
  Activation ended = calls.back();
  calls.pop_back();
  ended.kept.count = std::max(ended.kept.count, ended.called);
  note_depth(ended);
  if (calls.empty()) return;
  Activation& caller = calls.back();
  const void* const function = caller.kept.function;
  caller.highest_write = std::max(caller.highest_write, ended.highest_write);
  if (ended.highest_write != 0 && outlives_call(calls, ended.highest_write)) caller.goes_on();
  for (const Levels& levels : {ended.others, ended.kept}) {
    if (levels.function == nullptr) continue;
    if (levels.function == function) {
      if (!caller.has_called) caller.writes_at_call = ended.writes_before;
      caller.has_called = true;
      caller.called = std::max(caller.called, levels.count);
      caller.recursion = ended.call;
    } else if (is_in(calls, levels.function) && levels.count >= caller.others.count) {
      caller.others = levels;
    }
  }
}

void note_between_calls(std::uintptr_t address, std::size_t bytes, bool writes) {
  Stack& own = own_stacks().threads[block->thread];
  if (own.calls.empty()) return;
  // Below this frame is no variable of the program's: it lies elsewhere.
  const bool is_elsewhere = address < reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
  Activation& present = own.calls.back();
  if (writes) {
    own.latest[own.writes++ % own.latest.size()] = {address, address + bytes};
    present.highest_write =
        std::max(present.highest_write, is_elsewhere ? ~std::uintptr_t{0} : address);
  }
  if (!present.has_called || !(is_elsewhere || outlives_call(own.calls, address))) return;
  bool reads_what_was_written = false;
  for (std::uint64_t i = 0; !writes && i < std::min<std::uint64_t>(own.writes, own.latest.size());
       ++i) {
    const std::uint64_t number = own.writes - 1 - i;
    const Write& write = own.latest[number % own.latest.size()];
    reads_what_was_written |=
        number >= present.writes_at_call && address < write.end && write.begin < address + bytes;
  }
  if (writes || reads_what_was_written) present.goes_on();
}

void find_deep_calls(std::vector<Finding>& all) {
  for (const auto& [number, deep] : deep_calls()) {
    const Place& place = place_of(deep.recursion);
    if (!place.known) continue;
    const std::string count = std::to_string(deep.levels.count);
    all.push_back({.kind = Finding::Kind::out_of_bounds,
                   .is_note = true,
                   .place = place,
                   .agent = deep.agent,
                   .does = "recurses at least " + count + " levels deep",
                   .details = "; a GPU needs at least " +
                              std::to_string(deep.levels.count * min_frame) +
                              " bytes of stack for that, and gives each thread " +
                              std::to_string(deep.limit) +
                              ", unless cudaDeviceSetLimit(cudaLimitStackSize, n) asks for more"});
  }
}

}  // namespace emulated::explain
