// What the device reports of launches, blocks, threads and allocations (emulated/explain_hooks.h),
// and which part of the pack hears of it. Accesses to memory come through hooks.cpp.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <span>

#include "detectors/again.h"
#include "detectors/followed.h"
#include "detectors/too_early.h"
#include "detectors/written.h"
#include "emulated/explain_hooks.h"
#include "emulated/scheduler.h"
#include "explain.h"
#include "launch/declarations.h"
#include "platform/platform.h"
#include "record/memory.h"
#include "record/objects.h"
#include "step/step.h"
#include "warps/block.h"

namespace emulated::explain {

const bool on = true;

bool is_linked() { return true; }

namespace {

// A kernel's launches and blocks are looked at until it has done this much; then only now and then.
constexpr std::uint64_t enough_events = 4'000'000;
constexpr unsigned one_launch_of = 16;
constexpr std::uint64_t two_blocks_of = 128;  // neighbors: they may access the same elements

bool grid_noted = false;

BlockState& own_state() {
  static thread_local auto& state = *new BlockState;
  return state;
}

// "64 threads", "8 threads in x and 24 in y".
std::string threads_text(const Launch& launch) {
  const auto in = [](unsigned blocks, unsigned threads) {
    return std::to_string(std::uint64_t{blocks} * threads);
  };
  std::string text = in(launch.grid.x, launch.block.x) + " threads";
  if (launch.grid.y * launch.block.y * launch.grid.z * launch.block.z == 1) return text;
  text += " in x and " + in(launch.grid.y, launch.block.y) + " in y";
  if (launch.grid.z * launch.block.z > 1)
    text += " and " + in(launch.grid.z, launch.block.z) + " in z";
  return text;
}

std::string shape_text(const Launch& launch) {
  const auto size = [](dim3 d) {
    std::string text = std::to_string(d.x);
    if (d.y > 1 || d.z > 1) text += " x " + std::to_string(d.y);
    if (d.z > 1) text += " x " + std::to_string(d.z);
    return text;
  };
  const bool one = launch.grid.x == 1 && launch.grid.y == 1 && launch.grid.z == 1;
  return size(launch.grid) + (one ? " block of " : " blocks of ") + size(launch.block) + " threads";
}

// However much a kernel does: of all blocks some, and those in the corners
// of the grid, where tails are.
bool is_always_looked_at(std::uint64_t number) {
  const dim3 grid = running->launch.grid;
  if (number % two_blocks_of < 2 || number + 2 >= running->blocks) return true;
  const auto is_end = [](std::uint64_t i, unsigned size) { return i == 0 || i + 1 == size; };
  return is_end(number % grid.x, grid.x) && is_end(number / grid.x % grid.y, grid.y) &&
         is_end(number / grid.x / grid.y, grid.z);
}

}  // namespace

bool begin_grid(const Launch& launch) {
  const Unseen unseen;
  begin_following();
  note_variables();
  if (prepare_again(launch, launches_of(launch))) return true;
  const Lock lock;
  const std::uint64_t blocks = std::uint64_t{launch.grid.x} * launch.grid.y * launch.grid.z;
  begin_kernel(launch, shape_text(launch), blocks);
  note_user_of_arguments("kernel " + kernel->name + " in line " + std::to_string(launch.at.line()) +
                         " has " + threads_text(launch));
  grid_noted = kernel->events < enough_events || kernel->launches % one_launch_of == 0;
  if (grid_noted) ++kernel->looked_at;
  suspend = launch.suspend;
  if (looks_for_writer()) find_in_launch(launch);
  forget_global_accesses();
  begin_kernel_uses(launch);
  const bool alone = is_launch_shown(launch) || looks_for_writer();
  return alone && !launch.cooperative;  // whose blocks need an OS thread each
}

void end_grid() {
  const Unseen unseen;
  if (is_again()) finish_again();
  const Lock lock;
  end_steps();
  finish_readings_of_launch();
  end_kernel_uses(running->host_is_told);
  forget_global_accesses();
}

void begin_block(std::uint64_t number, unsigned threads) {
  const Unseen unseen;
  if (is_again()) return fill_shared_again();
  begin_shared();
  const Lock lock;
  BlockState& state = own_state();
  block = &state;
  state.noted = grid_noted && !kernel->cut_off &&
                (kernel->events < enough_events || is_always_looked_at(number));
  state.number = number;
  state.threads = threads;
  state.thread = 0;
  state.order.begin(state.number32(), threads);
  for (unsigned i = 0; i < std::min(threads, max_threads); ++i) {
    state.waits[i] = state.goes_astray[i] = false;
    state.paths[i].reset();
    state.read[i] = {{~0u, ~0u, ~0u, ~0u}, 0};
  }
  if (looks_for_writer()) find_in_block(running->launch);
  begin_steps(running->launch, number, threads);
  if (state.noted) ++kernel->blocks_looked_at;
}

void end_block() {
  if (block == nullptr) return;
  const Unseen unseen;
  const Lock lock;
  finish_write();
  end_steps();
  finish_readings_of_block();
  end_shared();
  finish_requests();
  forget_shared_accesses();
  block = nullptr;
}

void end_thread(unsigned thread) {
  if (block == nullptr || !block->in_steps) return;
  const Unseen unseen;
  step_end(thread);
}

void comes_to(const Call& call, Location at) {
  if (block == nullptr || !block->in_steps) return;
  const Unseen unseen;
  step_waits(call, at);
}

void run_thread(unsigned thread) {
  if (block != nullptr) block->thread = thread;
}

void begin_thread(unsigned thread) {
  if (block == nullptr) return;
  block->thread = thread;
  if (thread < max_threads) block->paths[thread].reset();
}

// What a thread knows all of its block, or warp, knows from now on.
void block_barrier() {
  if (block == nullptr) return;
  const Unseen unseen;
  const Lock lock;
  finish_write();
  if (block->in_steps) step_opens();
  finish_readings_of_block();
  finish_requests();
  block->order.barrier();
}

void grid_barrier() {
  if (block == nullptr) return;
  const Lock lock;
  block->order.grid_barrier();
}

void warp_operation(unsigned warp, const Warp& lanes, unsigned present, const Call& call) {
  if (block == nullptr) return;
  const Unseen unseen;
  if (block->in_steps) step_operation(warp, lanes, present, call);
  if (!call.orders_memory) return;
  const Lock lock;
  block->order.warp_barrier(warp, present);
}

void fence(bool whole_device) {
  if (block == nullptr) return;
  const Lock lock;
  if (block->thread < max_threads)
    block->order.fence(block->thread, whole_device ? device_scope : block_scope);
}

void waits() {
  if (block != nullptr && block->thread < max_threads) block->waits[block->thread] = true;
}

void memory_begins(const void* begin, std::size_t bytes, bool written, const char* what) {
  forget_uses(reinterpret_cast<std::uintptr_t>(begin), bytes);
  add_allocation(begin, bytes, written, what);
}

void memory_ends(const void* begin) { end_allocation(begin); }

}  // namespace emulated::explain
