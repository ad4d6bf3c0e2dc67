// What the parts of the pack tell each other.
//
// The program is compiled with -fsanitize=thread and -fsanitize-coverage=trace-pc, but linked with hooks of our own
// (hooks.cpp): the compiler calls them at each access to memory and each basic block. From there
//   requests.cpp   the n-th access of a place in the program by each lane of a warp is one request of that warp: sectors,
//                  wavefronts, distinct words
//   races.cpp      the last accesses of each word of memory, and what orders two of them
//   bounds.cpp     accesses beyond what was allocated or declared
//   written.cpp    reads of memory that nobody wrote
//   places.cpp     addresses in the program to lines of the source
//   report.cpp     tables in the terminal; page.cpp: the same as a page of HTML
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "launch/running.h"

namespace emulated::explain {

enum class Space : std::uint8_t { other, global, shared, constant };
// is_update: an atomic access that both reads and writes; is_release: one that says so (cuda::atomic).
enum Flags : std::uint8_t { is_write = 1, is_atomic = 2, is_volatile = 4, is_update = 8, is_release = 16 };

/// Lanes that do this at one address take turns; atomic loads of one address are a broadcast, like others.
constexpr bool takes_turns(unsigned flags) {
  return (flags & (is_atomic | is_write)) == (is_atomic | is_write);
}

struct Access {
  const void* place = nullptr;  // the instruction behind it
  std::uintptr_t address = 0;
  std::uint32_t bytes = 0;
  std::uint8_t flags = 0;
  Space space = Space::other;
};

/// Everything below is called while one of these is alive: the blocks of a grid may run on several OS threads. Nearly
/// always they run on one, and to lock a mutex would cost as much as all the rest.
class Lock {
 public:
  Lock() : needed_(running != nullptr && running->active > 1) {
    if (needed_) mutex_.lock();
  }
  ~Lock() {
    if (needed_) mutex_.unlock();
  }
  Lock(const Lock&) = delete;
  Lock& operator=(const Lock&) = delete;

 private:
  static std::recursive_mutex mutex_;
  bool needed_;
};

// ---- the present block of an OS thread ----
constexpr unsigned max_threads = 1024;

/// What one place in the program has done in the present block, since its last barrier: of each thread how often, and
/// of each of the first requests of each warp the addresses.
struct Site {
  std::uint32_t count[max_threads];
  std::vector<std::uintptr_t> addresses;  // [warp][n][lane]; 0: the lane was not there
  std::uint32_t kept = 0;                 // n below which addresses are kept
  Access access;                          // the latest
  bool touched = false;
};

struct BlockState {
  bool noted = false;  // is it looked at? Of others only what orders accesses
  std::uint64_t number = 0;
  unsigned threads = 0, thread = 0;
  std::map<const void*, Site*> sites;  // by place
  struct {
    const void* place = nullptr;
    Site* site = nullptr;
  } recent_sites[256];
  std::vector<Site*> touched;

  // What is ordered before what comes now: accesses with stamps below these (races.cpp).
  std::uint32_t barrier = 0, seen_by_block = 0, fenced_by_block = 0;
  std::uint32_t warp[max_threads / 32], seen_by_warp[max_threads / 32], seen[max_threads],
      fenced[max_threads];
  bool any_fence = false;

  // Of global memory, to tell where a fence is missing: the latest plain write, and who wrote the flag that was read.
  const void *wrote = nullptr, *heard = nullptr;
  std::uint32_t wrote_at = 0;
};
extern thread_local constinit BlockState* block;
extern void (*let_others_run)();

// ---- requests.cpp ----
/// What one place has done in all blocks that were looked at. Requests: a warp's accesses at the same time.
struct Total {
  Space space = Space::other;
  std::uint8_t flags = 0;
  std::uint32_t bytes = 0;
  std::uint64_t requests = 0, lanes = 0, possible = 0;  // exact; lanes that the warps have
  std::uint64_t measured = 0, measured_lanes = 0;       // requests whose addresses were kept, and of them:
  std::uint64_t cost = 0, least = 0;                    // sectors, wavefronts or words; and how few would do
  std::uint64_t max_per_address = 0;                    // atomics: lanes at the most wanted address
  long stride = -1;  // of neighboring lanes in bytes; -1: none yet, -2: no single one
};
struct KernelTotals {
  std::string name, shape;
  const void* function = nullptr;
  unsigned launches = 0, looked_at = 0;
  std::uint64_t blocks = 0, blocks_looked_at = 0, events = 0;
  std::map<const void*, Total> accesses, steps;  // by place; steps: basic blocks, of which only lanes count
};
extern KernelTotals* kernel;  // the one that runs
std::vector<KernelTotals*> all_kernels();
void begin_kernel(const Launch& launch, const std::string& shape, std::uint64_t blocks);
void note_request(const Access& access);
void note_step(const void* place);
/// The requests of the present block so far are complete.
void finish_requests();

// ---- races.cpp ----
/// Is this part of a race?
bool note_for_races(const Access& access);
std::uint32_t next_stamp();
void forget_global_accesses();  // a launch has ended
void forget_shared_accesses();  // a block has ended

struct Race {
  enum class Kind { race, look, lockstep, flag };  // all but the first are only reported
  Kind kind = Kind::race;
  const void* places[2] = {};  // earlier, later
  int reads_plainly = 0;       // of a look: which one
  bool writes[2] = {};
  std::uint64_t blocks[2] = {};
  unsigned threads[2] = {};
  bool updates = false;        // each of the two reads and then writes it, at the same place
  const void* flag = nullptr;  // the atomic behind the write, with no fence between
  std::string variable;
  const KernelTotals* kernel = nullptr;

  enum Scope { warp, block, grid };
  Scope scope() const {
    if (blocks[0] != blocks[1]) return grid;
    return threads[0] / 32 == threads[1] / 32 ? warp : block;
  }
  // Which pair of two lines tells most: those of one warp make a learner believe that warps are safe.
  int tells() const { return 2 * scope() + (updates || flag != nullptr ? 1 : 0); }
};
std::vector<Race> races();

// ---- places.cpp ----
struct Place {
  std::string file, function;
  unsigned line = 0;
  bool known = false;       // a line of the program's own source
  bool in_library = false;  // inside a function of the device's headers, which that line calls
  bool in_texture = false;  // a texture fetch
};
/// The lines of all these addresses, looked up at once.
void look_up(const std::vector<const void*>& addresses);
const Place& place_of(const void* address);
/// The text of a line, or empty.
std::string source_line(const std::string& file, unsigned line);

// ---- memory ----
Space space_of(std::uintptr_t address);
/// The name of the variable or allocation there.
std::string name_of(std::uintptr_t address);

// ---- report.cpp, page.cpp ----
struct Line {  // of a kernel's table: all places of one line that do the same
  std::string file;
  unsigned line = 0;
  std::string what;  // "load global"
  Total total;
};
std::vector<Line> lines_of(const KernelTotals& kernel);
struct Divergence {
  std::string file;
  unsigned line = 0;
  std::uint64_t steps = 0, lanes = 0;  // of the part of the line with the fewest lanes per step
};
std::vector<Divergence> divergence_of(const KernelTotals& kernel);
std::string cost_text(const Line& line);
/// What is wrong with the program, in the order in which it is told: the first is often the cause of those that follow.
struct Mistake {
  enum class Kind { failed_call, out_of_bounds, never_written, too_early, race, deadlock };
  Kind kind = Kind::failed_call;
  bool is_note = false;  // it is so, but perhaps on purpose
  std::string text;      // "FILE:LINE: what is wrong"
};
/// Of bounds.cpp and written.cpp: the places that mistakes() needs to have been looked up.
void add_places_of_mistakes(std::set<const void*>& places);
std::vector<Mistake> mistakes();
/// The same of races.cpp.
void add_places_of_races(std::set<const void*>& places);
std::vector<Mistake> race_mistakes();
/// All of them in the order in which they are told, notes last.
std::vector<Mistake> all_mistakes();
/// What is worth saying about how a kernel accesses memory, and is no mistake.
std::vector<std::string> findings_of(const KernelTotals& kernel, const std::vector<Line>& lines);
/// Races whose lines are known: once per pair of lines, notes once per variable.
std::vector<Race> distinct_races();
/// 0 (bad) to 1: how much of what moves is used.
double used_of(const Line& line);
extern const char* const legend;
void report();
void write_page(const std::string& path);

}  // namespace emulated::explain
