// Races: two accesses of different threads to the same bytes, one of them a write, that nothing orders.
//
// Each access gets the present stamp, a number that grows with everything that orders: barriers, operations of warps,
// atomic writes, fences, launches. An earlier access is ordered before what a thread does now if its stamp is below
//   - the last barrier of the block, for threads of the same block;
//   - the last operation of the warp, for lanes of the same warp;
//   - what the thread has seen: it read, atomically or volatile, what another thread had written so behind a fence (or with
//     release), and so knows all that had happened until then. (More than the C++ memory model says: never a false
//     accusation, but a race between two other threads may hide behind it.)
#include <algorithm>
#include <array>
#include <set>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "emulated/explain_hooks.h"
#include "emulated/scheduler.h"
#include "explain.h"

namespace emulated::explain {

namespace {

struct Stamped {
  std::uint32_t stamp = 0;     // 0: none
  std::uint32_t released = 0;  // of a write: what who reads it knows; 0: nothing
  std::uint64_t block = 0;
  const void* place = nullptr;
  std::uint16_t thread = 0;
  std::uint8_t bytes = 0;  // a bit for each of the word's
  std::uint8_t flags = 0;
};
struct Word {  // of 4 bytes
  Stamped write;
  std::array<Stamped, 2> reads;  // of two threads
  bool races = false;
};
using Words = std::unordered_map<std::uintptr_t, Word>;

constexpr std::size_t max_words = std::size_t{1} << 20;  // then older ones are forgotten

std::uint32_t stamp = 1;
std::uint32_t grid_began = 1;
Words& global_words() {
  static auto& words = *new Words;
  return words;
}
Words& shared_words() {  // an OS thread has one block at a time
  static thread_local auto& words = *new Words;
  return words;
}
auto& found() {
  static auto& all = *new std::vector<Race>;
  return all;
}
// Plain writes, and each atomic or volatile one that follows in their block without a fence.
auto& unfenced() {
  static auto& pairs = *new std::set<std::pair<const void*, const void*>>;
  return pairs;
}
// Plain reads that come before an atomic change of the same word, as the loops around atomicCAS begin.
auto& looks() {
  static auto& places = *new std::unordered_set<const void*>;
  return places;
}

std::uint32_t known_to_present() {
  const unsigned thread = block->thread;
  return std::max({grid_began, block->seen_by_block, block->seen_by_warp[thread / 32], block->seen[thread]});
}

bool is_ordered(const Stamped& earlier) {
  if (earlier.stamp < known_to_present()) return true;
  if (earlier.block != block->number) return false;
  if (earlier.stamp < block->barrier) return true;
  return earlier.thread / 32 == block->thread / 32 && earlier.stamp < block->warp[block->thread / 32];
}

bool is_present(const Stamped& earlier) {
  return earlier.block == block->number && earlier.thread == block->thread;
}

// Is it a race? reads: did the present thread read the word before?
bool compare(const Stamped& earlier, const Stamped& now, const Access& access, bool reads = false) {
  if (earlier.stamp == 0 || (earlier.bytes & now.bytes) == 0 || is_present(earlier)) return false;
  const auto both = [&](unsigned flag) { return (earlier.flags & now.flags & flag) != 0; };
  const auto either = [&](unsigned flag) { return ((earlier.flags | now.flags) & flag) != 0; };
  if (!either(is_write) || both(is_atomic) || is_ordered(earlier)) return false;
  const bool same_warp = earlier.block == now.block && earlier.thread / 32 == now.thread / 32;
  const auto is_plain_read = [](const Stamped& one) { return (one.flags & (is_write | is_atomic)) == 0; };
  Race::Kind kind = Race::Kind::race;
  if (either(is_volatile)) {
    if (same_warp)
      kind = Race::Kind::lockstep;
    else if ((both(is_volatile) || either(is_atomic)) && !both(is_write))
      kind = Race::Kind::flag;
  } else if (either(is_atomic) && (is_plain_read(earlier) || is_plain_read(now))) {
    kind = Race::Kind::look;
  }
  const bool is_race = kind == Race::Kind::race;
  Race race;
  race.kind = kind;
  race.places[0] = earlier.place;
  race.places[1] = now.place;
  race.writes[0] = (earlier.flags & is_write) != 0;
  race.writes[1] = (now.flags & is_write) != 0;
  race.blocks[0] = earlier.block;
  race.blocks[1] = now.block;
  race.threads[0] = earlier.thread;
  race.threads[1] = now.thread;
  race.reads_plainly = is_plain_read(now) ? 1 : 0;
  race.updates = reads && earlier.place == now.place;
  if (race.writes[0] && unfenced().contains({earlier.place, block->heard})) race.flag = block->heard;
  const auto same = std::find_if(found().begin(), found().end(), [&](const Race& one) {
    return one.kind == kind && std::equal(one.places, one.places + 2, race.places);
  });
  if (same != found().end() && same->tells() >= race.tells()) return is_race;
  race.variable = name_of(access.address);
  race.kernel = kernel;
  if (same != found().end())
    *same = race;
  else
    found().push_back(race);
  return is_race;
}

// The present thread reads a word: what does it know now of the one who wrote it?
void see(const Stamped& write, const Stamped& now, Space space) {
  constexpr unsigned any_flag = is_atomic | is_volatile;
  if ((write.bytes & now.bytes) == 0 || is_present(write) || (now.flags & any_flag) == 0) return;
  if (space == Space::global && (write.flags & any_flag) != 0) block->heard = write.place;
  std::uint32_t& seen = block->seen[block->thread];
  seen = std::max(seen, write.released);
}

}  // namespace

std::uint32_t next_stamp() { return ++stamp; }

void forget_global_accesses() {
  global_words().clear();
  grid_began = next_stamp();
}
void forget_shared_accesses() { shared_words().clear(); }

std::vector<Race> races() {
  std::vector<Race> all = found();
  for (Race& race : all)
    if (race.kind == Race::Kind::look && !looks().contains(race.places[race.reads_plainly]))
      race.kind = Race::Kind::race;
  std::stable_sort(all.begin(), all.end(), [](const Race& a, const Race& b) { return a.kind < b.kind; });
  return all;
}

bool note_for_races(const Access& access) {
  Words& words = access.space == Space::shared ? shared_words() : global_words();
  Stamped now;
  now.stamp = stamp;
  now.block = block->number;
  now.thread = static_cast<std::uint16_t>(block->thread);
  now.place = access.place;
  now.flags = access.flags;
  const bool writes = (access.flags & is_write) != 0;
  std::uint32_t released = 0;
  if (writes && (access.flags & is_release) != 0)
    released = next_stamp();
  else if (writes && (access.flags & (is_atomic | is_volatile)) != 0)
    released = std::max(block->fenced[block->thread], block->fenced_by_block);
  if (writes && access.space == Space::global) {
    if ((access.flags & (is_atomic | is_volatile)) == 0) {
      block->wrote = access.place;
      block->wrote_at = stamp;
    } else if (block->wrote != nullptr && released <= block->wrote_at) {
      unfenced().insert({block->wrote, access.place});
    }
  }
  bool race = false;

  const std::uintptr_t end = access.address + access.bytes;
  for (std::uintptr_t first = access.address; first < end; first = (first | 3) + 1) {
    const std::uintptr_t last = std::min(end, (first | 3) + 1);
    now.bytes = static_cast<std::uint8_t>(((1u << (last - first)) - 1) << first % 4);
    if (words.size() >= max_words) words.clear();
    Word& word = words[first / 4];
    see(word.write, now, access.space);
    // Who changes what another one released passes it on.
    now.released = (access.flags & is_update) != 0 ? std::max(released, word.write.released) : released;
    const bool reads = writes && std::any_of(word.reads.begin(), word.reads.end(), [](const Stamped& read) {
                         return read.stamp != 0 && is_present(read);
                       });
    race |= compare(word.write, now, access, reads);
    if (writes) {
      for (Stamped& read : word.reads) {
        race |= compare(read, now, access);
        if ((now.flags & is_atomic) != 0 && is_present(read) && (read.flags & is_atomic) == 0 &&
            (read.bytes & now.bytes) != 0)
          looks().insert(read.place);
        read.bytes &= static_cast<std::uint8_t>(~now.bytes);
      }
      word.write = now;
    } else {
      Stamped& newest = word.reads[0];
      if (newest.stamp != 0 && !is_present(newest)) word.reads[1] = newest;
      newest = now;
    }
    word.races |= race;
    race = word.races;
  }
  return race;
}

}  // namespace emulated::explain
