// Whose turn it is in lock step.
//
// A lane waits at each basic block and at each access, before it. Lanes of a warp that are at the
// same place, in the same calls and the same turns of loops (Path), go on together. If they
// are not, the ones furthest behind go on: so lanes meet again where their paths join. Lanes
// that wait for memory to change let the others go first.
//
// Warps take turns, a step each; one may be a few steps ahead of the next. On a GPU they are not in
// step, either, and a barrier that is missing shows in the values only where one of them is behind.
#include <bit>
#include <utility>

#include "emulated/explain_hooks.h"
#include "emulated/scheduler.h"
#include "emulated/warp.h"
#include "step/step.h"
#include "warps/block.h"

namespace emulated::explain {

namespace {

constexpr std::uint64_t head_start = 2;  // steps
// So often in a row no lanes but those that wait for memory go on.
constexpr unsigned rounds_in_vain = 1000;
// A thread that has read the same from the same place so often in a row waits.
constexpr unsigned many_looks = 16;

struct Lane {
  const void* place = nullptr;        // where it waits for its turn
  const void* basic_block = nullptr;  // to which it has come last
  Fiber* fiber = nullptr;
  bool updates = false;       // it has read what it changes next, which counts as one access
  unsigned library_line = 0;  // that calls the function of the device in which it is; 0: none
  // What it has read last.
  const void* looked_from = nullptr;
  std::uintptr_t looked_at = 0;
  std::uint64_t found = 0;
  unsigned looks = 0;
};

struct LockStep {
  std::array<Lane, max_threads> lanes;
  std::array<std::uint32_t, warps_in_block> waiting{};  // lanes for their turn
  std::array<std::uint32_t, warps_in_block> looking{};  // of those: for memory to change
  std::array<std::uint64_t, warps_in_block> progress{};
  unsigned warps = 0;
  unsigned warp = 0;        // that goes on now
  std::uint32_t group = 0;  // its lanes that do
  std::uint32_t left = 0;   // of those: which have not yet
  unsigned in_vain = 0;
  std::uint32_t begun = 0;  // warps
};
// Each OS thread that runs blocks has its own.
LockStep& lock_step() {
  static thread_local auto& value = *new LockStep;
  return value;
}

int compare(unsigned warp, unsigned a, unsigned b) {
  const unsigned first = warp * 32;
  return block->paths[first + a].compare(lock_step().lanes[first + a].place,
                                         block->paths[first + b],
                                         lock_step().lanes[first + b].place);
}

// Those of these lanes that are furthest behind.
std::uint32_t last_of(unsigned warp, std::uint32_t lanes) {
  std::uint32_t last = 0;
  for_lanes(lanes, [&](unsigned lane) {
    const int where =
        last == 0 ? -1 : compare(warp, lane, static_cast<unsigned>(std::countr_zero(last)));
    if (where < 0) last = 0;
    if (where <= 0) last |= 1u << lane;
  });
  return last;
}

const void* place_of_lanes(unsigned warp, std::uint32_t lanes) {
  return lock_step().lanes[warp * 32 + static_cast<unsigned>(std::countr_zero(lanes))].place;
}

std::uint64_t key_of(unsigned warp, std::uint32_t lanes) {
  return block->paths[warp * 32 + static_cast<unsigned>(std::countr_zero(lanes))].key();
}

// The ways that these lanes go on, the last ones first.
std::vector<std::pair<const Place*, std::uint32_t>> ways_of(unsigned warp, std::uint32_t lanes) {
  std::vector<std::pair<const Place*, std::uint32_t>> ways;
  while (lanes != 0) {
    const std::uint32_t together = last_of(warp, lanes);
    ways.emplace_back(&place_of(place_of_lanes(warp, together)), together);
    lanes &= ~together;
  }
  return ways;
}

// Have the lanes that went on together come to different places?
void look_for_branch() {
  const LockStep& own = lock_step();
  const auto ways = ways_of(own.warp, own.group & own.waiting[own.warp]);
  if (ways.size() > 1) note_branch(own.warp, ways);
}

// In front of the basic block in which these lanes are, where the jump is that others have taken.
const void* behind_jump(unsigned warp, std::uint32_t lanes) {
#if defined(__x86_64__)
  constexpr std::size_t call_bytes = 5;
#else
  constexpr std::size_t call_bytes = 4;
#endif
  const auto lane = static_cast<unsigned>(std::countr_zero(lanes));
  const void* const block = lock_step().lanes[warp * 32 + lane].basic_block;
  return block == nullptr ? nullptr : static_cast<const char*>(block) - call_bytes;
}

// Whose turn it is among these lanes of all warps. The present warp's as long as its step goes on.
bool choose_of(const std::array<std::uint32_t, warps_in_block>& lanes) {
  LockStep& own = lock_step();
  unsigned chosen = own.warps;
  std::uint32_t group = 0;
  if (lanes[own.warp] != 0) {
    group = last_of(own.warp, lanes[own.warp]);
    if (goes_on(own.warp, group, place_of(place_of_lanes(own.warp, group)),
                key_of(own.warp, group)))
      chosen = own.warp;
  }
  if (chosen == own.warps) {
    std::uint64_t ahead_of = UINT64_MAX;  // the progress of the next warp
    for (unsigned warp = own.warps; warp-- > 0;) {
      if (lanes[warp] == 0) continue;
      if (ahead_of == UINT64_MAX || own.progress[warp] < ahead_of + head_start) chosen = warp;
      ahead_of = own.progress[warp];
    }
    if (chosen == own.warps) return false;
    group = last_of(chosen, lanes[chosen]);
    ++own.progress[chosen];
  }
  if ((own.begun >> chosen & 1) == 0) {
    own.begun |= 1u << chosen;
    begin_warp(chosen, ways_of(chosen, own.waiting[chosen]), behind_jump(chosen, group));
    // Behind it those of which no thread goes on.
    const auto is_begun = [&](unsigned warp) { return (own.begun >> warp & 1) != 0; };
    for (unsigned warp = 0; warp < own.warps && (is_begun(warp) || ended_at_once(warp)); ++warp) {
      if (is_begun(warp)) continue;
      own.begun |= 1u << warp;
      begin_warp(warp, {}, nullptr);
    }
  }
  own.warp = chosen;
  own.group = own.left = group;
  begin_turn(chosen, group, place_of(place_of_lanes(chosen, group)), key_of(chosen, group));
  return true;
}

bool choose() {
  LockStep& own = lock_step();
  look_for_branch();
  own.group = 0;
  auto lanes = own.waiting;
  for (unsigned warp = 0; warp < own.warps; ++warp) lanes[warp] &= ~own.looking[warp];
  if (choose_of(lanes)) {
    own.in_vain = 0;
    return true;
  }
  own.looking = {};
  if (++own.in_vain > rounds_in_vain)
    end_window_early("all threads only wait for memory to change");
  return choose_of(own.waiting);
}

}  // namespace

void begin_order() {
  LockStep& own = lock_step();
  own.warps = (block->threads + 31) / 32;
  own.waiting = own.looking = {};
  own.progress = {};
  own.warp = own.in_vain = 0;
  own.group = own.left = own.begun = 0;
  for (Lane& lane : own.lanes) lane = {};
}

// Paths may join in a function of the device, as in __syncthreads() behind an `if`.
bool comes_to_line(const void* place) {
  const Place& own = place_of(place);
  if (block->thread >= max_threads) return !own.in_library;
  Lane& lane = lock_step().lanes[block->thread];
  const bool has_begun = std::exchange(lane.basic_block, place) != nullptr;
  if (own.in_library && !own.known) return false;
  const unsigned before = std::exchange(lane.library_line, own.in_library ? own.line : 0);
  return !own.in_library || (has_begun && own.line != before);
}

void wait_for_turn(const void* place, bool is_access) {
  const unsigned thread = block->thread;
  if (thread >= max_threads) return;
  Lane& lane = lock_step().lanes[thread];
  busy = true;
  // What the device's functions do belongs to the line that calls them.
  if (const Place& own = place_of(place); is_access && own.in_library) {
    if (lane.updates) {
      busy = false;
      return;
    }
    if (own.known) lane.library_line = own.line;
  }
  lane.updates = false;
  lane.place = place;
  suspend([] {
    Lane& own = lock_step().lanes[block->thread];
    own.fiber = worker->current;
    lock_step().waiting[block->thread / 32] |= 1u << block->thread % 32;
    busy = false;  // while others run
    worker->block->wait_for_turn();
    busy = true;
  });
  busy = false;
}

Fiber* next_in_turn(bool some_converge) {
  LockStep& own = lock_step();
  if (block == nullptr) return nullptr;
  const Unseen unseen;
  if (block->in_steps) {
    finish_access();
    if (own.left == 0 && (some_converge || !choose())) return nullptr;
  }
  if (!block->in_steps && own.left == 0) {  // no more steps: all go on
    while (own.warp < own.warps && own.waiting[own.warp] == 0) ++own.warp;
    if (own.warp >= own.warps) return nullptr;
    own.left = own.waiting[own.warp];
  }
  const auto lane = static_cast<unsigned>(std::countr_zero(own.left));
  own.left &= own.left - 1;
  own.waiting[own.warp] &= ~(1u << lane);
  return own.lanes[own.warp * 32 + lane].fiber;
}

void leave_order() {
  lock_step().left = 0;
  lock_step().warp = 0;
}

void all_begin_anew() { lock_step().progress = {}; }

void note_update() { lock_step().lanes[block->thread].updates = true; }
bool ends_update() { return std::exchange(lock_step().lanes[block->thread].updates, false); }

void note_look(unsigned thread, const Access& access, std::uint64_t value) {
  Lane& lane = lock_step().lanes[thread];
  const bool same =
      lane.looked_from == access.place && lane.looked_at == access.address && lane.found == value;
  lane.looks = same ? lane.looks + 1 : 0;
  lane.looked_from = access.place;
  lane.looked_at = access.address;
  lane.found = value;
  if (lane.looks > 0 &&
      (lane.looks > many_looks || (access.flags & (is_atomic | is_volatile)) != 0))
    lock_step().looking[thread / 32] |= 1u << thread % 32;
}

void note_change(std::uintptr_t address, std::uint32_t bytes) {
  LockStep& own = lock_step();
  own.in_vain = 0;
  for (unsigned warp = 0; warp < own.warps; ++warp)
    for_lanes(own.looking[warp], [&](unsigned lane) {
      if (own.lanes[warp * 32 + lane].looked_at - address < bytes)
        own.looking[warp] &= ~(1u << lane);
    });
}

void note_spin(unsigned thread) { lock_step().looking[thread / 32] |= 1u << thread % 32; }

}  // namespace emulated::explain
