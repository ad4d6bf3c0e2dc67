// What most of the pack needs.
//
// The program is compiled with -fsanitize=thread and -fsanitize-coverage=trace-pc, but
// linked with hooks of our own (hooks.cpp): the compiler calls them at each access to memory
// and each basic block. From there
//   record/     what happened: requests of warps (requests.cpp), the last accesses to each byte
//               (record.h), what memory is, whose and whether written (memory.h), which pieces of
//               work used it (uses.h)
//   order/      what happens before what: accesses of a launch (order.h), pieces of work
//               (work_order.h)
//   detectors/  what is wrong: a file for each kind, in the table of report/findings.cpp
//   report/     places in the source, findings, the report in the terminal and as a page, and
//               when it comes (ending.cpp)
//   step/       ./run --step
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "launch/running.h"
#include "lock.h"
#include "order/order.h"
#include "record/access.h"
#include "record/path.h"
#include "record/record.h"

namespace emulated::explain {

// ---- the present block of an OS thread ----
/// What one place in the program has done in the present block, since its last barrier.
struct Site {
  struct Warp {
    struct Requests {
      Requests(std::uint32_t first_, std::uint32_t last_) : first(first_), last(last_) {}
      std::uint32_t first, last;
    };
    std::vector<std::uint64_t> keys;                     // of each of its requests
    std::vector<std::uint32_t> lanes;                    // that have taken part, a bit for each
    std::vector<std::uintptr_t> addresses;               // [request][lane], of the first ones
    std::unordered_map<std::uint64_t, Requests> by_key;  // once lanes go different ways
    std::uint32_t all_lanes = 0;
    std::uint32_t next[32];    // of each lane: where to look for its next request
    std::uint32_t others[32];  // of each lane: accesses beyond the requests that are kept apart
  };
  std::vector<Warp> warps;
  // Addresses are kept of so many requests of each warp; 0: the site is a basic block.
  std::uint32_t kept = 0;
  Access access;  // the latest
  bool touched = false;
};

struct BlockState {
  bool noted = false;           // is it looked at? If not, only what orders accesses is
  bool in_steps = false;        // do its lanes go in lock step? (step.h)
  bool page_full = false;       // they did, as far as the page has room
  std::uint64_t past_page = 0;  // basic blocks since then
  std::uint64_t number = 0;
  std::uint32_t number32() const { return static_cast<std::uint32_t>(number); }
  unsigned threads = 0, thread = 0;
  std::map<const void*, Site*> sites;  // by place
  struct {
    const void* place = nullptr;
    Site* site = nullptr;
  } recent_sites[256];
  std::vector<Site*> touched;
  Path paths[max_threads];

  BlockOrder order;
  bool waits[max_threads];        // is the thread's next volatile read one that waits?
  bool goes_astray[max_threads];  // has the compiler found the next access's index too large?

  // The latest integers that each thread has read.
  struct {
    std::uint32_t values[4];
    unsigned next;
  } read[max_threads];
};
extern thread_local constinit BlockState* block;
/// The present thread waits in this function, while others run.
extern void (*suspend)(void (*wait)());
/// Is one of the hooks at work? What it calls in the program (the address of a variable) is not an
/// access of the program.
extern thread_local constinit bool busy;
/// What is called while one of these is alive is no access of the program, either: functions of the
/// standard library are the same in the program and here, with hooks. Not alive while others run.
struct Unseen {
  Unseen() { busy = true; }
  ~Unseen() { busy = before; }
  Unseen(const Unseen&) = delete;
  Unseen& operator=(const Unseen&) = delete;
  bool before = busy;
};

// ---- requests.cpp ----
/// What one place has done in all blocks that were looked at. Requests: a
/// warp's accesses at the same time.
struct Total {
  Space space = Space::other;
  std::uint8_t flags = 0;
  std::uint32_t bytes = 0;
  std::uint64_t requests = 0, lanes = 0, possible = 0;  // exact; lanes that the warps have
  std::uint64_t measured = 0,
                measured_lanes = 0;   // requests whose addresses were kept, and of them:
  std::uint64_t cost = 0, least = 0;  // sectors, wavefronts or words; and how few would do
  std::uint64_t by_address = 0;       // shared atomics: the cost, were there no banks
  std::uint64_t max_per_address = 0;  // atomics: lanes at the most wanted address
  bool by_all = true;                 // have all threads of the blocks come there?
  long stride = -1;  // of neighboring lanes in bytes; -1: none yet, -2: no single one
};
struct KernelTotals {
  std::size_t number = 0;  // in the order of first launches
  std::string name, shape;
  const void* function = nullptr;  // where that is known, else the name distinguishes kernels
  unsigned launches = 0, looked_at = 0;
  std::uint64_t blocks = 0, blocks_looked_at = 0, events = 0;
  Record::Lost lost = Record::Lost::nothing;  // of the record for races
  bool cooperative = false;
  bool cut_off = false;       // it did too much to be looked at further
  std::uint64_t threads = 0;  // of all launches
  std::map<const void*, Total> accesses,
      steps;  // by place; steps: basic blocks, of which only lanes count
};
/// After so many accesses of a kernel no more are looked at: half a minute.
constexpr std::uint64_t too_many_events = 150'000'000;
extern KernelTotals* kernel;  // the one that runs
std::vector<KernelTotals*> all_kernels();
/// How often the launch's kernel has been launched before.
unsigned launches_of(const Launch& launch);
void begin_kernel(const Launch& launch, const std::string& shape, std::uint64_t blocks);
void note_request(const Access& access);
void note_step(const void* place);
/// The total of one request by lanes at these addresses.
Total total_of(const Access& access, const std::vector<std::uintptr_t>& addresses);
/// The requests of the present block so far are complete.
void finish_requests();

// ---- races.cpp ----
/// Is this part of a race?
bool note_for_races(const Access& access);
/// A write that may be part of a race is about to be done; it has been done.
void begin_write();
void finish_write();
/// Called around what other threads do before the write.
struct Race;
class Interruption {
 public:
  Interruption();
  ~Interruption();
  Interruption(const Interruption&) = delete;
  Interruption& operator=(const Interruption&) = delete;

 private:
  Race* race_;
};
void forget_global_accesses();  // a launch has ended
void forget_shared_accesses();  // a block has ended
/// Have several blocks of the present launch read this byte of global memory, and in each of them
/// only the thread of the same number? Then the place of a read; else nullptr.
const void* read_by_blocks_alike(std::uintptr_t address);

struct Object;  // memory.h
struct Race {
  // All but the first are only notes.
  enum class Kind { race, look, lockstep, flag, same_value };
  Kind kind = Kind::race;
  std::size_t number = 0;      // in the order in which they were found
  const void* places[2] = {};  // earlier, later
  int reads_plainly = 0;       // of a look: which one
  bool writes[2] = {}, atomic[2] = {};
  std::uint64_t blocks[2] = {};
  unsigned threads[2] = {};
  std::uintptr_t address = 0;
  std::uint32_t bytes = 0;
  bool updates = false;          // each of the two reads and then writes it, at the same place
  bool unlocks = false;          // one of them is a plain write to what the other one exchanges
  bool out_of_scope = false;     // both are atomic, one of them only for its own block
  bool same_turn = false;        // of the loops around them
  bool other_is_ahead = false;   // the earlier one's thread is a turn of a loop, or a call, ahead
  bool several = false;          // the same at more than one address
  bool differ = false;           // of two writes: do they write different values?
  bool crosses = false;          // two of these threads met in different turns of their loops
  std::set<std::string> values;  // of two writes: what they write, up to two values
  bool scattered = true;         // of two writes: each time the index was read from memory before
  bool by_thread = true;  // each time it was the number that both threads have in their blocks
  // By data; where a[i] is i, the number of the thread may have been read, too.
  bool is_scattered() const { return scattered && !by_thread; }
  Space space = Space::global;
  BlockOrder::Missing missing{};  // with it the two would be ordered
  std::shared_ptr<const Object> object;
  const KernelTotals* kernel = nullptr;

  enum Scope { warp, block, grid };
  Scope scope() const {
    if (blocks[0] != blocks[1]) return grid;
    return threads[0] / 32 == threads[1] / 32 ? warp : block;
  }
  // Which pair of two lines tells most: those of one warp make a learner
  // believe that warps are safe.
  int tells() const {
    return 2 * scope() + (updates || missing.kind != BlockOrder::Missing::nothing ? 1 : 0);
  }
};
std::vector<Race> races();

// ---- report.cpp ----
struct Place;  // report/places.h
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
/// "load global"; "sectors"; what is worth saying about the line's cost, or empty.
std::string what_of(const Total& total, const Place& place);
const char* unit_of(const Line& line);
std::string finding_of(const Line& line);
/// "global", "shared" or "constant".
std::string space_text(Space space);
/// What is worth saying about how a kernel accesses memory, and is no mistake.
std::vector<std::string> findings_of(const KernelTotals& kernel, const std::vector<Line>& lines);
std::string base_name(const std::string& path);
/// " (FILE#ANCHOR)": where the glossary explains it; empty where there is no glossary.
std::string see(const char* anchor);
/// 0 (bad) to 1: how much of what moves is used.
double used_of(const Line& line);
extern const char* const legend;
/// All lines that a report or a page may name are known then.
void look_up_all();
/// Gives the kernel its own name, where the launch knew none or that of a template.
void name_kernel(KernelTotals& one);
void report();
/// Does the report name a mistake?
bool has_mistakes();

// ---- ending.cpp ----
void end_now();
/// Something is asked of the thread that comes to a basic block: to end, or how it is.
extern std::atomic<bool> asked;
/// As give_up(), where the report would wait for what this thread has in its hands.
[[noreturn]] void give_up_without_report(const char* what);

}  // namespace emulated::explain
