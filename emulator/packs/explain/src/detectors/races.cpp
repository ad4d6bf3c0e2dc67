// Races: two accesses of different threads to the same bytes, one of them a write, that nothing
// orders (order/order.h). Two atomic accesses do not race, if the scope of both holds the other
// thread.
//
// A volatile access is as strong as an atomic one, but may be data as well. Where a thread waits in
// a loop for a volatile word, the word is a flag, and no race. Where other accesses to it are
// ordered by an acquire, it is data, and an access that is not ordered races.
#include <algorithm>
#include <cstring>
#include <map>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "emulated/explain_hooks.h"
#include "emulated/scheduler.h"
#include "explain.h"
#include "record/objects.h"
#include "step/step.h"

namespace emulated::explain {

namespace {

// Places in the program by their numbers.
struct NumberedPlaces {
  std::vector<const void*> all{nullptr};
  std::unordered_map<const void*, std::uint32_t> numbers;
  struct {
    const void* place = nullptr;
    std::uint32_t number = 0;
  } recent[1024];

  std::uint32_t number_of(const void* place) {
    auto& entry = recent[reinterpret_cast<std::uintptr_t>(place) % std::size(recent)];
    if (entry.place == place) return entry.number;
    const auto [it, is_new] = numbers.try_emplace(place, static_cast<std::uint32_t>(all.size()));
    if (is_new) all.push_back(place);
    entry = {place, it->second};
    return it->second;
  }
};
// What the OS threads share; used while a Lock is held.
struct Races {
  Moment grid_began = 1;
  Record global;
  NumberedPlaces numbered;
  std::map<std::tuple<Race::Kind, std::uint32_t, std::uint32_t>, Race> found;
  // Plain reads that come before an atomic change of the same bytes by the same thread, as the
  // loops around atomicCAS begin.
  std::unordered_set<std::uint32_t> looks;
  // Places of volatile accesses to words that are ordered through what was acquired elsewhere.
  std::unordered_set<std::uint32_t> ordered_places;
  std::unordered_set<std::uintptr_t> waited_words;  // a thread waits for them in a loop
};
Races& all_races() {
  static auto& value = *new Races;
  return value;
}
Record& shared_record() {  // an OS thread has one block at a time
  static thread_local auto& record = *new Record;
  return record;
}

// A race of two plain writes that is about to write: will memory hold another value
// then? Known at the next access.
struct Pending {
  Race* race = nullptr;
  std::uintptr_t address = 0;
  std::uint32_t bytes = 0;
  unsigned char before[16];
};
Pending& pending() {
  static thread_local Pending one;
  return one;
}

bool is_ordered(const Stamped& earlier) {
  return earlier.stamp < all_races().grid_began ||
         block->order.is_ordered(earlier.epoch(), block->thread);
}

bool is_present(const Stamped& earlier) {
  return earlier.thread == block->thread && earlier.block == block->number32();
}

struct Now {
  const Access& access;
  Stamped stamped;
  std::uintptr_t first = 0;  // of the bytes of a cell
  bool updates = false;      // the present thread has read what it writes now
  bool is_flag = false;      // a thread reads it atomically or volatile
};

// Has the present thread just read this number?
bool has_read(std::size_t number) {
  const auto& values = block->read[block->thread].values;
  return std::find(std::begin(values), std::end(values), number) != std::end(values);
}

bool have_scope(const Stamped& a, const Stamped& b) {
  return ((a.flags | b.flags) & is_block_wide) == 0 || a.block == b.block;
}

// Is it a race?
bool compare(const Stamped& earlier, const Now& present) {
  const Stamped& now = present.stamped;
  if (earlier.stamp == 0 || is_present(earlier)) return false;
  const auto both = [&](unsigned flag) { return (earlier.flags & now.flags & flag) != 0; };
  const auto either = [&](unsigned flag) { return ((earlier.flags | now.flags) & flag) != 0; };
  const bool out_of_scope = both(is_atomic) && !have_scope(earlier, now);
  if (!either(is_write) || (both(is_atomic) && !out_of_scope) || is_ordered(earlier)) return false;
  const bool is_strong_read = (now.flags & (is_volatile | is_write)) == is_volatile;
  if (((now.flags & is_atomic) != 0 || is_strong_read) &&
      block->order.is_heard(earlier.epoch(), block->thread))
    return false;
  const bool same_warp = earlier.block == now.block && earlier.thread / 32 == now.thread / 32;
  const auto is_plain_read = [](const Stamped& one) {
    return (one.flags & (is_write | is_atomic)) == 0;
  };
  Race::Kind kind = Race::Kind::race;
  if (either(is_volatile)) {
    const bool is_flag =
        (both(is_volatile) || either(is_atomic)) &&
        (!both(is_write) || (present.is_flag && !(present.updates && earlier.place == now.place)));
    if (same_warp && !(is_flag && either(is_atomic)))
      kind = Race::Kind::lockstep;
    else if (is_flag)
      kind = Race::Kind::flag;
  } else if (either(is_atomic) && (is_plain_read(earlier) || is_plain_read(now))) {
    kind = Race::Kind::look;
  }
  const bool is_race = kind == Race::Kind::race;
  Race race;
  race.kind = kind;
  race.places[0] = all_races().numbered.all[earlier.place];
  race.places[1] = all_races().numbered.all[now.place];
  const Stamped* const two[] = {&earlier, &now};
  for (const int i : {0, 1}) {
    race.writes[i] = (two[i]->flags & is_write) != 0;
    race.atomic[i] = (two[i]->flags & is_atomic) != 0;
    race.blocks[i] = two[i]->block;
    race.threads[i] = two[i]->thread;
    race.unlocks |= !race.atomic[i] && (two[i]->flags & after_exchange) != 0 &&
                    (two[1 - i]->flags & (is_exchange | after_exchange)) != 0;
  }
  race.reads_plainly = is_plain_read(now) ? 1 : 0;
  race.updates = present.updates && earlier.place == now.place;
  race.out_of_scope = out_of_scope;
  race.same_turn = earlier.turn == now.turn;
  if (earlier.block == now.block)
    race.other_is_ahead =
        block->paths[now.thread].is_turns_behind(race.places[1], block->paths[earlier.thread]);
  race.address = present.access.address;
  race.bytes = present.access.bytes;
  race.space = present.access.space;
  race.kernel = kernel;
  if (!race.atomic[1]) {
    race.missing = block->order.missing(earlier.epoch(), block->thread);
    // An update that no lock protects is to be atomic itself.
    if (race.updates && !race.missing.by_exchange) race.missing = {};
    if (!race.writes[0] && race.missing.kind != BlockOrder::Missing::acquire_fence)
      race.missing = {};
    // A word that an atomic operation or a flag would order, were there a fence, is data.
    if (race.missing.kind != BlockOrder::Missing::nothing && (now.flags & is_waited) == 0)
      all_races().ordered_places.insert(now.place);
  }

  step_race(race);
  race.number = all_races().found.size();
  const auto [it, is_new] = all_races().found.try_emplace({kind, earlier.place, now.place}, race);
  Race& known = it->second;
  bool is_shown = is_new;
  if (!is_new) {
    known.several |= known.address != race.address;
    is_shown = race.tells() > known.tells();
    if (is_shown) {
      race.number = known.number;
      race.several = known.several;
      race.differ = known.differ;
      race.values = known.values;
      race.crosses = known.crosses;
      race.scattered = known.scattered;
      race.by_thread = known.by_thread;
      known = race;
    }
  }
  if (is_shown) known.object = std::make_shared<const Object>(object_at(race.address));
  const std::size_t offset = race.address - known.object->begin;
  known.crosses |= !race.same_turn;
  const std::size_t index = offset / present.access.bytes;
  const bool by_thread =
      race.scope() == Race::grid && earlier.thread == now.thread && index == now.thread;
  known.by_thread &= by_thread;
  known.scattered &= offset < known.object->bytes && has_read(index);
  const bool plain_writes = race.writes[0] && race.writes[1] && !either(is_atomic);
  if (plain_writes && present.access.bytes <= sizeof Pending::before)
    pending() = {&known, present.access.address, present.access.bytes, {}};
  else
    known.differ = true;
  return is_race;
}

bool compare_all(const Latest& earlier, const Now& now) {
  bool race = false;
  earlier.for_each([&](const Stamped& one) { race |= compare(one, now); });
  return race;
}

// What an atomic or volatile access does to the order; nothing for others.
Synchronization synchronization_of(const Access& access) {
  Synchronization how;
  how.writes = (access.flags & is_write) != 0;
  how.reads = !how.writes || (access.flags & is_update) != 0;
  how.acquires = (access.flags & is_acquire) != 0;
  how.releases = (access.flags & is_release) != 0;
  how.scope = (access.flags & is_block_wide) != 0 ? block_scope : device_scope;
  return how;
}

// The present thread accesses a word atomically or volatile: hears what its writer has released.
void hear(Record& record, const Marked& marked, const Now& present, const Synchronization& how) {
  BlockOrder& order = block->order;
  const bool by_exchange = (present.access.flags & is_exchange) != 0;
  if (const Released* const word = record.released_at(present.first))
    order.hear(block->thread, *word, how, present.access.place, by_exchange);
  if (marked.is_set && !is_present(marked.writes.all))
    order.hear_unreleased(block->thread, marked.writer, all_races().numbered.all[marked.place],
                          by_exchange);
}

// Is one of these accesses ordered before what the present thread does, through what it has
// acquired?
bool is_acquired(const Marked& marked) {
  bool acquired = false;
  for (const Latest* const all : {&marked.reads, &marked.writes})
    all->for_each([&](const Stamped& one) {
      acquired |= !is_present(one) && one.stamp >= all_races().grid_began &&
                  block->order.is_acquired(one.epoch(), block->thread);
    });
  return acquired;
}

// One cell: compares with the record, and notes the access there.
bool note_cell(Record& record, MemoryLine& line, unsigned cell, Now& present, const Known& known,
               const Synchronization& how) {
  const Stamped& now = present.stamped;
  const bool writes = (now.flags & is_write) != 0,
             marks = (now.flags & (is_atomic | is_volatile)) != 0;
  const Stamped* const reader =
      line.reads != nullptr && line.reads[cell].stamp != 0 ? &line.reads[cell] : nullptr;
  const Latest* const readers = line.readers != nullptr ? line.readers[cell] : nullptr;
  Marked* marked = line.marked != nullptr ? line.marked[cell] : nullptr;

  std::uint32_t read_before = 0;  // where the present thread did so
  if (writes) {
    const auto look_for_own = [&](const Stamped& read) {
      if (is_present(read)) read_before = read.place;
    };
    if (reader != nullptr) look_for_own(*reader);
    if (readers != nullptr) readers->for_each(look_for_own);
    if (marked != nullptr)
      marked->reads.for_each([&](const Stamped& read) {
        if ((read.flags & is_atomic) == 0) look_for_own(read);
      });
    present.updates = read_before != 0;
    if (read_before != 0 && (now.flags & is_atomic) != 0) all_races().looks.insert(read_before);
  }

  present.is_flag = marked != nullptr && marked->reads.all.stamp != 0;
  bool race = false;
  if (line.writes != nullptr) race |= compare(line.writes[cell], present);
  if (marked != nullptr) {
    if (marks && how.reads) hear(record, *marked, present, how);
    if ((now.flags & is_volatile) != 0 && is_acquired(*marked))
      all_races().ordered_places.insert(now.place);
    // Who has just changed the word itself and stores there, as the last block that resets a
    // ticket, comes after the changes before its own.
    if (!writes || !is_present(marked->writes.all)) race |= compare_all(marked->writes, present);
    if (writes) race |= compare_all(marked->reads, present);
  }
  if (writes) {
    if (reader != nullptr) race |= compare(*reader, present);
    if (readers != nullptr) race |= compare_all(*readers, present);
  }

  if (marks) {
    if (marked == nullptr) marked = &record.marked(line, cell);
    if ((now.flags & is_waited) != 0 && !marked->is_waited) {
      marked->is_waited = true;
      all_races().waited_words.insert(present.first);
    }
    if (!writes) {
      marked->reads.add(now);
      return race;
    }
    marked->writes.add(now);
    // Its read before, as of a loop around atomicCAS, is a part of the
    // change, and as ordered as that.
    if ((now.flags & is_update) != 0) marked->reads.forget(now);
    if (how.releases || block->order.may_release() ||
        record.released_at(present.first) != nullptr) {
      Released& word = record.release_at(present.first);
      block->order.release(block->thread, known, word, how);
      if (word.to_all == nullptr && word.to_block == nullptr) record.forget_release(present.first);
    }
    marked->writer = known;
    marked->place = now.place;
    marked->is_set = true;
  } else if (writes) {
    Stamped& write = record.write(line, cell);
    const bool raced = race || write.races != 0;
    write = now;
    write.races = raced;
    if (marked != nullptr) {
      if (is_present(marked->writes.all) && (marked->writes.all.flags & is_exchange) != 0)
        write.flags |= after_exchange;
      const bool is_waited = marked->is_waited;
      *marked = {};
      marked->is_waited = is_waited;
      record.forget_release(present.first);
    }
    Record::forget_reads(line, cell);
    race = raced;
  } else {
    record.add_read(line, cell, now);
  }
  return race;
}

}  // namespace

void forget_global_accesses() {
  if (kernel != nullptr) kernel->lost = std::max(kernel->lost, all_races().global.lost());
  all_races().global.clear();
  all_races().grid_began = next_moment();
}
const void* read_by_blocks_alike(std::uintptr_t address) {
  const MemoryLine* const line = all_races().global.line_if_any(address / 64);
  if (line == nullptr || line->readers == nullptr) return nullptr;
  const Latest* const readers = line->readers[address % 64 / line->cell_bytes];
  if (readers == nullptr || readers->of_grid.stamp == 0) return nullptr;
  bool alike = true;
  readers->for_each([&](const Stamped& one) { alike &= one.thread == readers->all.thread; });
  return alike ? all_races().numbered.all[readers->all.place] : nullptr;
}

void forget_shared_accesses() { shared_record().clear(); }

void finish_write() {
  Pending& last = pending();
  if (last.race == nullptr) return;
  const Unseen unseen;
  Race& race = *last.race;
  const auto* const written = reinterpret_cast<const char*>(last.address);
  race.differ |= std::memcmp(last.before, written, last.bytes) != 0;
  if (race.values.size() < 2) race.values.emplace(written, last.bytes);
  last.race = nullptr;
}

void begin_write() {
  Pending& last = pending();
  if (last.race != nullptr)
    std::memcpy(last.before, reinterpret_cast<const void*>(last.address), last.bytes);
}

Interruption::Interruption() : race_(std::exchange(pending().race, nullptr)) {}
Interruption::~Interruption() { pending().race = race_; }

std::vector<Race> races() {
  std::vector<Race> all;
  for (const auto& [key, one] : all_races().found) {
    all.push_back(one);
    const std::uint32_t plain = one.reads_plainly == 0 ? std::get<1>(key) : std::get<2>(key);
    if (one.kind == Race::Kind::look && !all_races().looks.contains(plain))
      all.back().kind = Race::Kind::race;
    if (one.kind != Race::Kind::flag) continue;
    const bool is_data = all_races().ordered_places.contains(std::get<1>(key)) ||
                         all_races().ordered_places.contains(std::get<2>(key));
    if (all_races().waited_words.contains(one.address / 4 * 4) || !is_data)
      all.pop_back();
    else
      all.back().kind = Race::Kind::race;
  }
  std::stable_sort(all.begin(), all.end(), [](const Race& a, const Race& b) {
    return std::pair(a.kind, a.number) < std::pair(b.kind, b.number);
  });
  return all;
}

bool note_for_races(const Access& access) {
  Record& record = access.space == Space::shared ? shared_record() : all_races().global;
  BlockState& own = *block;
  Now now{access, {}, 0, false};
  const bool writes = (access.flags & is_write) != 0;
  const Synchronization how = synchronization_of(access);
  const Known known = own.order.known(own.thread);
  // What the thread releases is what came before the write.
  if (writes && (access.flags & (is_atomic | is_volatile)) != 0) next_moment();
  own.order.access(own.thread);
  now.stamped.stamp = present_moment();
  now.stamped.block = own.number32();
  now.stamped.thread = static_cast<std::uint16_t>(own.thread);
  now.stamped.place = all_races().numbered.number_of(access.place);
  now.stamped.flags = static_cast<std::uint8_t>(access.flags);
  now.stamped.turn = own.paths[own.thread].turn();

  if (!writes && access.bytes <= sizeof(std::uint32_t)) {
    auto& read = own.read[own.thread];
    std::uint32_t& value = read.values[read.next++ % std::size(read.values)];
    value = 0;
    std::memcpy(&value, reinterpret_cast<const void*>(access.address), access.bytes);
  }

  bool race = false;
  const std::uintptr_t end = access.address + access.bytes;
  for (std::uintptr_t first = access.address; first < end;) {
    MemoryLine& line = record.line(first / 64);
    const std::uintptr_t last = std::min(end, (first | 63) + 1);
    if (first % 4 != 0 || last % 4 != 0) record.split(line);
    for (; first < last; first += line.cell_bytes) {
      now.first = first;
      race |= note_cell(record, line, static_cast<unsigned>(first % 64 / line.cell_bytes), now,
                        known, how);
    }
  }
  return race;
}

}  // namespace emulated::explain
