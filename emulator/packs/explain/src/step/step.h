// ./run --step: a block whose lanes go in lock step, each step of which is shown on a page.
//
//   step_order.cpp    whose turn it is: lanes of a warp that are at the same place go together
//   step_record.cpp   what they do there: steps, each a line that lanes of a warp execute
//   step_values.cpp   objects, and their values as text by the types of the debugging information
//   step_findings.cpp what is wrong in them, in the words of the report
//   step_find.cpp     who wrote an element last
//   step.cpp          which blocks are shown (scripts/run.py sets the environment); the page
//
// What is recorded goes to the page as JSON; the page replays it (page/steps.js).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "explain.h"
#include "record/objects.h"
#include "report/findings.h"

namespace emulated::explain {

constexpr unsigned warps_in_block = max_threads / 32;

// ---- step_values.cpp: types from the debugging information ----
/// A number of so many bytes in an object.
struct Cell {
  enum class Kind : std::uint8_t { unknown, integer, natural, real, half, bfloat, boolean };
  std::size_t offset = 0, bytes = 0;
  Kind kind = Kind::unknown;
  std::string name;  // of the member that it is; empty: of an element without members
};
/// The next launch gets these arguments, one after the other.
void begin_step_arguments();
void step_argument(const void* bytes, std::size_t size);
/// What an object consists of.
struct Type {
  std::string name;  // empty: not known
  std::size_t element = 1;
  std::vector<Cell> cells;  // of an element, by their offsets
};
/// The value as text; of an unknown kind hexadecimal.
std::string value_text(Cell::Kind kind, std::size_t bytes, const void* value);

/// An object that a step touches.
struct Shown {
  Object object;
  Space space = Space::global;
  Type type;
  std::string name;
  std::map<std::size_t, std::string> initial;  // by the cell's offset; a cell nobody wrote: empty
};
/// Name and type of what a launch's kernel sees; called in the launch, before the block runs.
void name_and_type(Shown& shown, const Launch& launch, std::size_t access_bytes);
/// The bytes at this offset, cell by cell; hexadecimal where they are not whole cells.
std::string text_of(const Shown& shown, std::ptrdiff_t offset, std::size_t bytes,
                    const void* value);

// ---- step_record.cpp ----
struct Touch {  // an access of a step, for the races that it is part of
  std::size_t step = 0;
  const void* place = nullptr;
  std::uint32_t lanes = 0, bytes = 0;
  std::vector<std::uintptr_t> addresses;  // of the lanes
};
/// Something is wrong in a place, or in two; what the report says of it is known at the end only.
struct Mention {
  Finding::Kind kind = Finding::Kind::race;
  const void* place = nullptr;
  const void* other_place = nullptr;
  std::shared_ptr<const Finding> said{};  // known already
};
/// In a step.
struct Found : Mention {
  std::size_t step = 0;
  std::uint32_t lanes = 0;
  std::uintptr_t address = 0;
};
struct StepText {
  std::string json;
  unsigned warp = 0;
  std::vector<std::pair<std::size_t, std::map<std::size_t, std::string>>>
      cells;  // written, by object
};
/// A write of an element, in the launch of this number of its kernel: the count-th of its block.
struct Written {
  unsigned launch = 0, thread = 0;
  std::uint64_t block = 0, count = 0;
  std::uintptr_t address = 0;
  std::size_t bytes = 0;
};
/// The steps of one block.
struct Window {
  const KernelTotals* kernel = nullptr;
  unsigned launch = 0;
  dim3 grid, block;
  std::uint64_t number = 0;  // of the block
  unsigned threads = 0;
  std::size_t shared_bytes = 0;
  std::string launch_file;
  unsigned launch_line = 0;
  std::string limit;  // why it ends early
  std::size_t before = 0, start = 0, bytes = 0;
  std::vector<Shown> objects;
  std::vector<StepText> steps;
  std::vector<Touch> touches;
  std::vector<Found> found;
  std::vector<Race> races;
  Written target;            // the write to show; count 0: there is none
  std::uint64_t writes = 0;  // of the target's element so far
  bool is_reached = false;
};
constexpr std::size_t max_steps = 50'000, max_page_bytes = 20'000'000;

/// The numbers of texts and source files, in the order in which the page lists them.
std::size_t number_of_text(const std::string& text);
std::size_t number_of_source(const std::string& file);
const std::vector<std::string>& all_texts();
const std::vector<std::string>& all_sources();
std::string in_json(const std::string& text);
/// Lanes of a warp, a bit for each: "ffffffff".
std::string in_json(std::uint32_t lanes);

/// What a finding is about, in whichever block: its kind, kernel and places.
using About = std::tuple<Finding::Kind, const KernelTotals*, std::string, std::string>;
/// The window's findings, as JSON; all lines have been looked up. `shown`: what they are about.
std::vector<std::string> findings_json(const Window& window, std::set<About>& shown);
/// Something is wrong in this block, or behind its steps, which are not shown.
void note_elsewhere(const Mention& mention, std::uint64_t block);
/// The mistakes that no window shows: what is wrong, and the command that makes the page with it.
/// No command: it is behind the last step of this page.
struct Elsewhere {
  std::string text, command;
};
std::vector<Elsewhere> mistakes_elsewhere(const std::set<About>& shown);

void begin_window(Window& window);
/// The steps are complete, as far as they are recorded.
void end_window();
/// The block goes on without steps; why.
void end_window_early(const std::string& why);
/// A warp's lanes have come to these places first, or have ended; `condition`: what has parted
/// them.
void begin_warp(unsigned warp, const std::vector<std::pair<const Place*, std::uint32_t>>& ways,
                const void* condition);
/// Have all threads of the warp ended before any step?
bool ended_at_once(unsigned warp);
/// Lanes of a warp begin to go on from a place together, in this line.
void begin_turn(unsigned warp, std::uint32_t lanes, const Place& place, std::uint64_t key);
/// Would such a turn be part of the step before?
bool goes_on(unsigned warp, std::uint32_t lanes, const Place& place, std::uint64_t key);
/// They have gone different ways: what comes next, and who goes there.
void note_branch(unsigned warp, const std::vector<std::pair<const Place*, std::uint32_t>>& ways);
/// The present thread is about to access memory, and everything about it is noted.
void before_access(const Access& access);
void step_access(const Access& access);
/// It has come to its next place: what it wrote before is there.
void finish_access();
/// It has come to a place where it may have to wait; the barrier opens; these lanes complete an
/// operation; it has ended.
void step_waits(const Call& call, Location at);
void step_opens();
void step_operation(unsigned number, const Warp& warp, std::uint32_t lanes, const Call& call);
void step_end(unsigned thread);
/// It brings numbers to an operation of its warp; it has called a function of a texture or surface;
/// this is said of the program (brings(), texture_access(), says() in emulated/explain_hooks.h).
void step_brings(char brought, char got, std::size_t bytes);
void step_texture(const char* function, const double* at, std::size_t coordinates, char kind,
                  std::size_t bytes, std::size_t components, const void* value);
void step_says(const char* place, const char* sentence);
/// Something is wrong with what the present thread does; `place`: about which the report says more.
void step_found(Finding::Kind kind, const void* place, std::uintptr_t address);

// ---- step_order.cpp ----
void begin_order();
/// The present thread comes to a basic block. False: it is still in a function of the device, which
/// belongs to the line that calls it.
bool comes_to_line(const void* place);
/// The present thread is at this place, about to access memory there or to go on.
void wait_for_turn(const void* place, bool is_access);
/// A barrier has opened: no warp is ahead of another.
void all_begin_anew();
/// The present thread has read what it changes next: the two are one access.
void note_update();
bool ends_update();
/// A thread has looked at memory, without a change; has changed it; waits for a change, as it says
/// itself.
void note_look(unsigned thread, const Access& access, std::uint64_t value);
void note_change(std::uintptr_t address, std::uint32_t bytes);
void note_spin(unsigned thread);
/// All lanes go on as without steps.
void leave_order();

// ---- step_find.cpp: --at and --wrong ----
/// Where an element is in a launch (step_values.cpp). bytes 0: it has no such name, or a problem.
struct Element {
  std::uintptr_t address = 0;
  std::size_t bytes = 0;
  std::string problem;
};
/// Is this process the copy that only looks who writes?
bool looks_for_writer();
/// "out[257]"; does it have a name (--at)? Where it is then.
std::string wanted_element();
bool has_wanted_name();
Element wanted_place(const Launch& launch);
/// In the copy: a launch begins; the present thread writes; the host copies from the device, finds
/// an element to be wrong; the program ends.
void find_in_launch(const Launch& launch);
void find_in_block(const Launch& launch);
extern bool looks_for_writes;
void note_writer(std::uintptr_t address, std::uint32_t bytes);
void note_copy_to_host(const void* to, const void* from, std::size_t bytes);
void find_wrong_element(const void* element, std::size_t bytes);
void finish_looking();
Element element_in(const Launch& launch, const std::string& name,
                   const std::vector<std::size_t>& indices);
/// "tile[3][5]"
std::string element_text(const std::string& name, const std::vector<std::size_t>& indices);

// ---- step.cpp ----
[[noreturn]] void end_with(const std::string& sentence, int code);
/// Shows the steps around this write.
void want(const std::string& kernel, const Written& write);
/// Do --kernel and --launch, and --block, leave room for the present launch and this block?
bool is_asked_for();
bool is_block_asked_for(std::uint64_t number);
/// Is a page of steps wanted?
bool makes_steps();
/// The command for a page of this block of the present launch; empty: it is the one that is shown.
std::string command_for(std::uint64_t number);
/// Two accesses race, one of them of a block that is shown, now or before in this launch.
void step_race(const Race& race);
/// A launch begins, a block begins: is it shown?
bool is_launch_shown(const Launch& launch);
void begin_steps(const Launch& launch, std::uint64_t number, unsigned threads);
void end_steps();
/// The block comes to a basic block after the page was full: after very many of them, ends the
/// program, with the page.
void end_block_that_never_ends();
void write_steps();

}  // namespace emulated::explain
