// Operations of a warp's lanes with each other: each lane leaves what it brings, the last one that
// comes computes the results of all and lets the others go on.
#include <bit>
#include <cstring>

#include "block.h"
#include "diagnosis/diagnosis.h"
#include "emulated/explain_hooks.h"

namespace emulated {

const Call activemask{"__activemask"};

namespace {

// So many operations of one warp after the other; then the other threads have their turn. A warp
// would never see what the others write if it looked at their memory between two votes.
constexpr unsigned operations_in_a_row = 256;

[[gnu::cold, gnu::noinline]] void refuse_different(const Warp& warp, unsigned a, unsigned b) {
  const Fiber& first = *warp.fiber[a];
  const Fiber& second = *warp.fiber[b];
  misuse(second.at, [&] {
    char masks[80];
    std::snprintf(masks, sizeof masks, "masks 0x%08x and 0x%08x", warp.mask[a], warp.mask[b]);
    return std::string("lanes of a warp meet at different operations: lane ") + std::to_string(b) +
           " at " + second.call->name + " (" + text(second.at) + "), lane " + std::to_string(a) +
           " at " + first.call->name + " (" + text(first.at) + "), " + masks;
  });
}

[[gnu::cold, gnu::noinline]] void refuse_mask(const Fiber& self) {
  misuse(self.at, [&] {
    return std::string(self.call->name) + ": the calling lane is not in its own mask";
  });
}

// Refuses lanes that have come to another operation than the first of the
// mask, or with another mask.
[[gnu::noinline]] void compare_calls(const Warp& warp, unsigned mask) {
  const auto first = static_cast<unsigned>(std::countr_zero(mask));
  for (unsigned rest = mask; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(rest));
    if (warp.fiber[lane]->call->operation != warp.fiber[first]->call->operation ||
        warp.mask[lane] != warp.mask[first])
      refuse_different(warp, first, lane);
  }
}

// Says, once for each place, that a lane reads the value of one of the mask that has ended.
[[gnu::cold, gnu::noinline]] void warn_ended_lanes(const Warp& warp, unsigned mask,
                                                   unsigned present) {
  for (unsigned rest = present; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(rest));
    const Fiber& reader = *warp.fiber[lane];
    const auto source = static_cast<unsigned>(warp.argument[lane]);
    if (std::strstr(reader.call->name, "shfl") == nullptr || ((mask & ~present) >> source & 1) == 0)
      continue;
    return warn_once(text(reader.at), kernel_text() + ": " + reader.call->name + " reads lane " +
                                          std::to_string(source) +
                                          ", which has ended, although the mask names it: the "
                                          "result is undefined in CUDA, here 0");
  }
}

// Have all lanes of a whole warp made the same call? Without a branch for each.
bool all_alike(const Warp& warp) {
  const Call* const call = warp.fiber[0]->call;
  bool other = false;
  unsigned masks = all_lanes;
  for (unsigned lane = 0; lane < 32; ++lane) {
    other |= warp.fiber[lane]->call != call;
    masks &= warp.mask[lane];
  }
  return !other && masks == all_lanes;
}

}  // namespace

// All lanes of the mask that have not ended are here: computes and lets them go on, before all
// other threads, as long as their stacks are in the nearest cache. `self` (nullptr: a thread that
// ended) does not wait.
void Block::complete(Warp& warp, unsigned mask, Fiber* self) {
  const unsigned present = mask & ~warp.ended;
  const auto first = static_cast<unsigned>(std::countr_zero(present));
  if (present != all_lanes || !all_alike(warp)) compare_calls(warp, present);
  if (present != mask) [[unlikely]]
    warn_ended_lanes(warp, mask, present);
  warp.fiber[first]->call->operation(warp, present);
  warp.arrived &= ~present;
  note_progress();
  ++orderings;
  if (explain::on)
    explain::warp_operation(static_cast<unsigned>(&warp - warps_.data()), warp, present,
                            *warp.fiber[first]->call);
  FiberList first_ready;
  for (unsigned rest = self == nullptr ? present : present & ~(1u << self->lane); rest != 0;
       rest &= rest - 1)
    first_ready.add(warp.fiber[std::countr_zero(rest)]);
  first_ready.take_all(ready_);
  ready_ = first_ready;
  if (++operations_ % operations_in_a_row == 0 && self != nullptr) [[unlikely]]
    yield(*self);
}

// A lane has ended: perhaps others waited for it only. CUDA demands the lanes of
// the mask that have not exited.
void Block::complete_without_ended(Warp& warp) {
  for (unsigned rest = warp.arrived; rest != 0; rest &= rest - 1) {
    const unsigned mask = warp.mask[std::countr_zero(rest)];
    const unsigned present = mask & ~warp.ended;
    if ((warp.arrived & present) == present) return complete(warp, mask, nullptr);
  }
}

[[gnu::always_inline]] inline void Block::come_to_operation(Fiber& self, unsigned mask,
                                                            std::uint64_t value,
                                                            std::uint64_t argument) {
  Warp& warp = *self.warp;
  const unsigned lane = self.lane;
  warp.value[lane] = value;
  warp.argument[lane] = argument;
  mask &= warp.exist;
  warp.mask[lane] = mask;
  if ((mask >> lane & 1) == 0) [[unlikely]]
    refuse_mask(self);
  warp.arrived |= 1u << lane;
  if ((mask & ~(warp.arrived | warp.ended)) == 0) return complete(warp, mask, &self);
  schedule();
}

[[gnu::noinline]] void Block::check_progress_and_come_to_operation(Fiber& self, unsigned mask,
                                                                   std::uint64_t value,
                                                                   std::uint64_t argument) {
  check_progress(self);
  come_to_operation(self, mask, value, argument);
}

[[gnu::always_inline]] inline void Block::warp_operation(unsigned mask, std::uint64_t value,
                                                         std::uint64_t argument, const Call& call,
                                                         Location at) {
  Fiber& self = arrive(call, at);
  if (progress_check_is_due(self)) [[unlikely]]
    return check_progress_and_come_to_operation(self, mask, value, argument);
  come_to_operation(self, mask, value, argument);
}

// ---- __activemask ----
bool same_place(Location a, Location b) {
  return same_object(a, b) || (a.line() == b.line() && a.column() == b.column() &&
                               std::strcmp(a.file_name(), b.file_name()) == 0);
}

// The lanes of the fiber's warp that wait at the same place.
unsigned Block::converging_with(const Fiber& fiber) const {
  unsigned lanes = 0;
  for (const Fiber* other = converging_.first(); other != nullptr; other = other->next)
    if (other->warp == fiber.warp && same_place(other->at, fiber.at)) lanes |= 1u << other->lane;
  return lanes;
}

// No other thread will join those that wait in __activemask: each group of lanes at the same place
// is converged. A warp whose last lane has come less than so many spins ago goes on waiting.
// Returns whether any lane can run.
bool Block::release_converging(unsigned after_spins) {
  std::array<bool, threads_per_block / 32> too_soon{};
  for (const Fiber* fiber = converging_.first(); fiber != nullptr; fiber = fiber->next)
    if (all_spins_ - fiber->converges_since < after_spins) too_soon[fiber->thread / 32] = true;
  ++steps_;
  FiberList others;
  FiberList released;
  while (!converging_.empty()) {
    Fiber* const fiber = converging_.take();
    (too_soon[fiber->thread / 32] ? others : released).add(fiber);
  }
  converging_ = released;
  for (const Fiber* fiber = released.first(); fiber != nullptr; fiber = fiber->next)
    fiber->warp->result[fiber->lane] = converging_with(*fiber);
  ready_.take_all(released);
  converging_ = others;
  return !ready_.empty();
}

// Other threads spin. Have all that can run found, since the last lane came to converge,
// that the memory which they wait for is unchanged? Or have they spun for long, and perhaps
// wait for what the lanes will do?
void Block::release_during_spins() {
  bool all_wait = all_started();
  for (const Fiber* fiber = ready_.first(); fiber != nullptr && all_wait; fiber = fiber->next)
    all_wait = fiber->call == &change_of_memory && fiber->steps_seen == steps_;
  if (all_wait)
    release_converging(0);
  else if (all_spins_ - converging_.first()->converges_since >= 2 * threads_)
    release_converging(threads_);
}

unsigned Block::converged_lanes(Location at) {
  Fiber& self = arrive(activemask, at);
  if (progress_check_is_due(self)) check_progress(self);
  Warp& warp = *self.warp;
  ++steps_;
  self.converges_since = all_spins_;
  converging_.add(&self);
  const unsigned here = converging_with(self);
  if (here != (warp.exist & ~warp.ended)) {
    schedule();
    return static_cast<unsigned>(warp.result[self.lane]);
  }
  // The usual case: the whole warp is here.
  FiberList others;
  while (!converging_.empty()) {
    Fiber* const fiber = converging_.take();
    if (fiber->warp != &warp) {
      others.add(fiber);
      continue;
    }
    warp.result[fiber->lane] = here;
    if (fiber != &self) ready_.add(fiber);
  }
  converging_ = others;
  return here;
}

void warp_operation(unsigned mask, std::uint64_t value, std::uint64_t argument, const Call& call,
                    Location at) {
  worker->block->warp_operation(mask, value, argument, call, at);
}

void warn_foreign_lane(unsigned source, unsigned mask, const char* name, Location at) {
  char lanes[80];
  std::snprintf(lanes, sizeof lanes, "lane %u, which the mask 0x%08x does not name", source, mask);
  warn_once(text(at), kernel_text() + ": " + name + " reads " + lanes +
                          ": the result is undefined in CUDA, here 0");
}

unsigned converged_lanes(Location at) { return worker->block->converged_lanes(at); }

}  // namespace emulated
