// Operations of a warp's lanes with each other: each lane leaves what it brings, the last one that comes
// computes the results of all and lets the others go on.
#include <bit>
#include <cstring>

#include "diagnosis.h"
#include "schedule.h"

namespace emulated {

unsigned Block::existing_lanes(unsigned warp) const {  // the last warp of a block may be short
  const unsigned lanes = threads_ - warp * 32;
  return lanes >= 32 ? 0xffffffffu : (1u << lanes) - 1;
}

namespace {

[[gnu::cold, gnu::noinline]] void refuse_different(const Block& block, const WarpLanes& lanes, unsigned a,
                                                   unsigned b) {
  const Fiber &first = *lanes.fiber[a], &second = *lanes.fiber[b];
  misuse(block, second.at, [&] {
    char masks[80];
    std::snprintf(masks, sizeof masks, "masks 0x%08x and 0x%08x", lanes.mask[a], lanes.mask[b]);
    return std::string("lanes of a warp meet at different operations: lane ") + std::to_string(b) + " at " +
           second.waits_for + " (" + text(second.at) + "), lane " + std::to_string(a) + " at " +
           first.waits_for + " (" + text(first.at) + "), " + masks;
  });
}

[[gnu::cold, gnu::noinline]] void refuse_mask(const Block& block, const char* name, Location at) {
  misuse(block, at, [&] { return std::string(name) + ": the calling lane is not in its own mask"; });
}

}  // namespace

// All lanes of the mask are here: computes and lets them go on. `self` (nullptr: a thread that ended) does
// not wait.
void Block::complete(unsigned warp, unsigned mask, const Fiber* self) {
  WarpLanes& lanes = lanes_[warp];
  const auto first = static_cast<unsigned>(std::countr_zero(mask));
  for (unsigned rest = mask; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(rest));
    if (lanes.operation[lane] != lanes.operation[first] || lanes.mask[lane] != lanes.mask[first]) [[unlikely]]
      refuse_different(*this, lanes, first, lane);
  }
  lanes.operation[first](exchanges_[warp], mask);
  warps_[warp].arrived &= ~mask;
  note_progress();
  for (unsigned rest = mask; rest != 0; rest &= rest - 1) {
    Fiber* fiber = lanes.fiber[std::countr_zero(rest)];
    if (fiber != self) ready_.add(fiber);
  }
}

[[gnu::cold, gnu::noinline]] void Block::warn_ended_lanes(const Fiber& fiber) const {
  warn_once(text(fiber.at),
            kernel_text(*this) + ": " + fiber.waits_for +
                " names lanes whose thread has ended. CUDA demands that all lanes of the mask come; "
                "the emulated device goes on with the others.");
}

// A lane has ended: perhaps others waited for it only. As on hardware since Volta they go on without it.
void Block::complete_without_ended(unsigned warp) {
  const Warp& state = warps_[warp];
  for (unsigned rest = state.arrived; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(rest));
    const unsigned present = lanes_[warp].mask[lane] & ~state.ended;
    if ((state.arrived & present) != present) continue;
    warn_ended_lanes(*lanes_[warp].fiber[lane]);
    return complete(warp, present, nullptr);
  }
}

[[gnu::always_inline]] inline void Block::warp_operation(unsigned thread, unsigned mask, std::uint64_t value,
                                                         std::uint64_t argument, WarpOperation operation,
                                                         const char* name, Location at) {
  Fiber& self = arrive(thread, name, at);
  Warp& warp = warps_[thread / 32];
  WarpLanes& lanes = lanes_[thread / 32];
  const unsigned lane = thread % 32;
  mask &= existing_lanes(thread / 32);
  if ((mask >> lane & 1) == 0) [[unlikely]]
    refuse_mask(*this, name, at);
  exchanges_[thread / 32].value[lane] = value;
  exchanges_[thread / 32].argument[lane] = argument;
  lanes.mask[lane] = mask;
  lanes.operation[lane] = operation;
  lanes.fiber[lane] = &self;
  warp.arrived |= 1u << lane;
  const unsigned present = mask & ~warp.ended;
  if ((warp.arrived & present) == present) {
    if (present != mask) [[unlikely]]
      warn_ended_lanes(self);
    complete(thread / 32, present, &self);
  } else {
    schedule();
  }
}

// ---- __activemask ----
// Nobody of the block can go on, so nobody else will join those who wait in __activemask. Each group of lanes
// at the same place is converged. False: nobody waits there.
bool Block::release_converging() {
  if (converging_.empty()) return false;
  const auto same = [](const Fiber* a, const Fiber* b) {
    return a->thread / 32 == b->thread / 32 && a->at.line() == b->at.line() &&
           a->at.column() == b->at.column() && std::strcmp(a->at.file_name(), b->at.file_name()) == 0;
  };
  for (Fiber* fiber : converging_) {
    unsigned mask = 0;
    for (const Fiber* other : converging_)
      if (same(fiber, other)) mask |= 1u << other->thread % 32;
    exchanges_[fiber->thread / 32].result[fiber->thread % 32] = mask;
    ready_.add(fiber);
  }
  converging_.clear();
  return true;
}

unsigned Block::converged_lanes(unsigned thread, Location at) {
  Fiber& self = arrive(thread, "__activemask", at);
  converging_.add(&self);
  // The usual case: the whole warp is here.
  const unsigned warp = thread / 32;
  unsigned here = 0;
  for (const Fiber* other : converging_)
    if (other->thread / 32 == warp && other->at.line() == at.line() && other->at.column() == at.column())
      here |= 1u << other->thread % 32;
  if (here == (existing_lanes(warp) & ~warps_[warp].ended)) {
    unsigned left = 0;
    for (Fiber* other : converging_) {
      if (other->thread / 32 != warp) {
        converging_[left++] = other;
        continue;
      }
      exchanges_[warp].result[other->thread % 32] = here;
      if (other != &self) ready_.add(other);
    }
    converging_.shorten(left);
    return here;
  }
  schedule();
  return static_cast<unsigned>(exchanges_[warp].result[thread % 32]);
}

void warp_operation(unsigned thread, unsigned mask, std::uint64_t value, std::uint64_t argument,
                    WarpOperation operation, const char* name, Location at) {
  worker->block->warp_operation(thread, mask, value, argument, operation, name, at);
}

void warn_foreign_lane(unsigned source, unsigned mask, const char* name, Location at) {
  char lanes[80];
  std::snprintf(lanes, sizeof lanes, "lane %u, which the mask 0x%08x does not name", source, mask);
  warn_once(text(at), kernel_text(*worker->block) + ": " + name + " reads " + lanes +
                          ": the result is undefined in CUDA, here 0");
}

unsigned converged_lanes(unsigned thread, Location at) { return worker->block->converged_lanes(thread, at); }

}  // namespace emulated
