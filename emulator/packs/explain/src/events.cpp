// What the device reports (emulated/explain_hooks.h), and which part of the pack hears of it.
// Accesses to memory come through hooks.cpp. Questions of the device are answered where the answer
// is known: freed_text(), host_room(), first_being_written(), next_in_turn().
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <span>

#include "detectors/again.h"
#include "detectors/failed_calls.h"
#include "detectors/followed.h"
#include "detectors/in_vain.h"
#include "detectors/stack.h"
#include "detectors/too_early.h"
#include "detectors/unread.h"
#include "detectors/unread_input.h"
#include "detectors/written.h"
#include "emulated/explain_hooks.h"
#include "emulated/scheduler.h"
#include "explain.h"
#include "launch/declarations.h"
#include "platform/platform.h"
#include "record/ledger.h"
#include "record/memory.h"
#include "record/objects.h"
#include "step/step.h"
#include "streams/stream.h"
#include "warps/block.h"
#include "work.h"

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
  begin_stacks();
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
  end_kernel_uses(running->host_is_told, running->printed);
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

void grid_barrier(bool opens) {
  if (block == nullptr) return;
  const Lock lock;
  static Moment opened;
  if (opens) opened = next_moment();
  block->order.grid_barrier(opened);
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

// ---- arguments ----
void begin_arguments() {
  begin_step_arguments();
  begin_unread_arguments();
}

void argument(const void* bytes, std::size_t size) {
  step_argument(bytes, size);
  note_unread_argument(bytes, size);
}

void argument_points_to_host(const void* pointer) { note_argument_to_host(pointer); }

// ---- what threads do besides their accesses ----
void brings(char brought, char got, std::size_t bytes) { step_brings(brought, got, bytes); }

void texture_access(const char* function, const double* at, std::size_t coordinates, char kind,
                    std::size_t bytes, std::size_t components, const void* value) {
  step_texture(function, at, coordinates, kind, bytes, components, value);
}

void fetches_far_away() { note_far_fetch(); }

void fetches_unrepeated(const void* made_by, bool beyond) { note_unrepeated(made_by, beyond); }

void fetches_beyond(int elements, int element_bytes) { note_fetch_beyond(elements, element_bytes); }

void shuffles_too_far(const char* name, unsigned distance, unsigned lanes,
                      std::source_location at) {
  note_far_shuffle(name, distance, lanes, at);
}

// ---- memory ----
void names_allocation(const char* name) { name_next_allocation(name); }

void memory_begins(const void* begin, std::size_t bytes, const Allocator& by) {
  forget_uses(reinterpret_cast<std::uintptr_t>(begin), bytes);
  add_allocation(begin, bytes, by);
}

void memory_ends(const void* begin) {
  end_input(reinterpret_cast<std::uintptr_t>(begin));
  end_allocation(begin);
}

void memory_used_as(const void* begin, std::size_t element) { note_element(begin, element); }

void memory_set(const void* to, std::size_t bytes) {
  copy_uses(to, nullptr, bytes);
  note_filled(to, bytes);
}

void memory_copied(const void* to, const void* from, std::size_t bytes) {
  copy_uses(to, from, bytes);
  note_copied(to, from, bytes);
  if (is_on_device(from) && !is_on_device(to)) note_copy_to_host(to, from, bytes);
}

void memory_given_back(const void* begin) { free_uses(begin); }

// ---- streams ----
void stream_made() { ledger().has_streams = true; }

void work_begins(cudaStream_t stream) { begin_work(stream); }

void work_ended() { end_work(); }

void host_waits_for(cudaStream_t stream) {
  const std::lock_guard lock(ledger().mutex);
  WorkOrder& order = ledger().order;
  order.host_waits_for(order.clock_of(present_stream_or(stream)));
}

void host_waits_for(cudaEvent_t event) {
  const std::lock_guard lock(ledger().mutex);
  WorkOrder& order = ledger().order;
  if (const WorkClock* const clock = order.recorded(event)) order.host_waits_for(*clock);
}

void host_waits_for_all() {
  const std::lock_guard lock(ledger().mutex);
  ledger().order.host_waits_for_all();
  host_may_come_too_early = false;
}

void event_recorded(cudaEvent_t event, cudaStream_t stream) {
  const std::lock_guard lock(ledger().mutex);
  const unsigned number = ledger().order.number_of(stream);
  ledger().order.record(event, number);
  note_record(event, number);
}

void stream_waits_for(cudaStream_t stream, cudaEvent_t event) {
  const std::lock_guard lock(ledger().mutex);
  WorkOrder& order = ledger().order;
  const WorkClock* const clock = order.recorded(event);
  const unsigned number = order.number_of(stream);
  if (event->recorded && clock != nullptr)
    order.clock_of(number).join(*clock);
  else
    note_wait_in_vain(number, event);
}

void time_asked(cudaEvent_t start, cudaEvent_t stop) {
  const std::lock_guard lock(ledger().mutex);
  note_time_asked(start, stop);
}

// ---- what is said of the program ----
void call_fails(const char* why) { note_failed_call(why); }

void says(const char* place, const char* sentence) { step_says(place, sentence); }

void wrong_element(const void* element, std::size_t bytes) { find_wrong_element(element, bytes); }

}  // namespace emulated::explain
