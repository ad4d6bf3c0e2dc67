// Which blocks are shown, and the page. From the environment, which ./run --step sets
// (scripts/run.py):
//   EMULATED_STEP_PAGE      the file to write; without it nothing of this happens
//   EMULATED_STEP_NAME      the program, EMULATED_STEP_COMMAND: how to make the page again
//   EMULATED_STEP_OTHER     how to make another page, with @ where its options belong
//   EMULATED_STEP_KERNEL    only this kernel
//   EMULATED_STEP_LAUNCH    of each kernel the launch of this number, from 1
//   EMULATED_STEP_BLOCK     "x,y,z"
#include "step/step.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string_view>

#include "diagnosis/report.h"
#include "emulated/scheduler.h"
#include "launch/running.h"
#include "record/objects.h"
#include "report/page.h"

namespace emulated::explain {

// page/steps.html with what it includes, written into a source of C++ by CMakeLists.txt.
extern const std::string_view page_html, page_style, page_script;

namespace {

constexpr const char* order_text =
    "One order of many: lanes of a warp go together and meet again where their paths join; "
    "warps take turns, a line each, one up to 2 steps ahead of the next. A GPU may choose another.";

std::string setting(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? "" : value;
}

struct Wanted {
  std::string page = setting("EMULATED_STEP_PAGE"), name = setting("EMULATED_STEP_NAME"),
              command = setting("EMULATED_STEP_COMMAND"), other = setting("EMULATED_STEP_OTHER"),
              kernel = setting("EMULATED_STEP_KERNEL");
  unsigned launch = 1;
  dim3 block = {0, 0, 0};

  Wanted() {
    if (const std::string text = setting("EMULATED_STEP_LAUNCH"); !text.empty())
      launch = static_cast<unsigned>(std::strtoul(text.c_str(), nullptr, 10));
    if (const std::string text = setting("EMULATED_STEP_BLOCK"); !text.empty())
      std::sscanf(text.c_str(), "%u,%u,%u", &block.x, &block.y, &block.z);
  }
};
const Wanted& wanted() {
  static const Wanted& value = *new Wanted;
  return value;
}

auto& windows() {
  static auto& all = *new std::vector<std::unique_ptr<Window>>;
  return all;
}
// The windows of the present launch, until its block has come.
Window *present_window = nullptr, *next_window = nullptr;
// The write that --at or --wrong has found; count 0: none is asked for.
struct Target : Written {
  std::string kernel;
};
Target& target() {
  static auto& value = *new Target;
  return value;
}
constexpr std::size_t max_races = 20'000;
// A launch that was asked for has no such block: of which shape it is.
std::string& without_block() {
  static auto& value = *new std::string;
  return value;
}

std::string text_of(dim3 size) {
  return std::to_string(size.x) + "," + std::to_string(size.y) + "," + std::to_string(size.z);
}

std::uint64_t number_of_block(dim3 block, dim3 grid) {
  return block.x + std::uint64_t{grid.x} * (block.y + std::uint64_t{grid.y} * block.z);
}
dim3 block_of_number(std::uint64_t number, dim3 grid) {
  return {static_cast<unsigned>(number % grid.x), static_cast<unsigned>(number / grid.x % grid.y),
          static_cast<unsigned>(number / grid.x / grid.y)};
}

// "sum<4>" and "book::sum" are called sum, too.
bool is_called(std::string_view kernel, std::string_view name) {
  if (kernel == name) return true;
  kernel = kernel.substr(0, kernel.find('<'));
  if (kernel == name) return true;
  const std::size_t colon = kernel.rfind(':');
  return colon != std::string_view::npos && kernel.substr(colon + 1) == name;
}

// Does --kernel, if it is given, mean this one?
bool is_wanted(const KernelTotals& one) {
  const std::string& name = wanted().kernel;
  return name.empty() || is_called(one.name, name);
}

std::string names_of_kernels(bool only_wanted) {
  std::string names;
  std::set<std::string> said;
  for (const KernelTotals* one : all_kernels())
    if ((!only_wanted || is_wanted(*one)) && said.insert(one->name).second)
      names += (names.empty() ? "" : ", ") + one->name;
  return names;
}

// Why there is nothing to show.
[[noreturn]] void end_without_steps() {
  const Wanted& own = wanted();
  if (all_kernels().empty() && exit_code() != 0)
    end_with("the program ended with exit code " + std::to_string(exit_code()) +
                 " before a kernel ran, so there is nothing to step through",
             exit_code());
  if (all_kernels().empty())
    end_with(error_count() > 0
                 ? "no kernel could begin, so there is nothing to step through"
                 : "the program launches no kernel, so there is nothing to step through",
             1);
  const KernelTotals* asked = nullptr;
  unsigned most = 0;
  for (const KernelTotals* one : all_kernels())
    if (is_wanted(*one)) {
      if (one->launches > most) asked = one;
      most = std::max(most, one->launches);
    }
  if (asked == nullptr)
    end_with(
        "there is no kernel '" + own.kernel + "'; the program launches " + names_of_kernels(false),
        2);
  if (most < own.launch)
    end_with("there is no launch " + std::to_string(own.launch) + ": kernel " + asked->name +
                 " is launched " + std::to_string(most) + (most == 1 ? " time" : " times"),
             2);
  if (!without_block().empty())
    end_with("there is no block (" + text_of(own.block) + "): " + without_block(), 2);
  end_with(
      "nothing that ran in " + names_of_kernels(true) +
          " can be shown: it is empty, or of a library, and has no line in a source of the program",
      1);
}

// How many steps of each window fit: each gets its share, and what it does not need goes to the
// others.
std::vector<std::size_t> shares(std::size_t limit, const std::vector<std::size_t>& needed) {
  std::vector<std::size_t> given(needed.size(), 0);
  std::size_t left = limit;
  for (std::size_t hungry = needed.size(); hungry > 0 && left >= hungry;) {
    const std::size_t share = left / hungry;
    hungry = 0;
    for (std::size_t i = 0; i < needed.size(); ++i) {
      const std::size_t more = std::min(share, needed[i] - given[i]);
      given[i] += more;
      left -= more;
      if (given[i] < needed[i]) ++hungry;
    }
  }
  return given;
}

void cut_to_limits() {
  std::vector<std::size_t> steps, bytes;
  for (const auto& window : windows()) {
    steps.push_back(window->steps.size());
    bytes.push_back(window->bytes);
  }
  const std::vector<std::size_t> step_shares = shares(max_steps, steps),
                                 byte_shares = shares(max_page_bytes, bytes);
  for (std::size_t i = 0; i < windows().size(); ++i) {
    Window& window = *windows()[i];
    std::size_t sum = 0, n = 0;
    const char* limit = window.limit.c_str();
    for (; n < window.steps.size(); ++n) {
      if (n == step_shares[i]) limit = "steps";
      sum += window.steps[n].json.size() + 1;
      if (sum > byte_shares[i]) limit = "bytes";
      if (n == step_shares[i] || sum > byte_shares[i]) break;
    }
    window.limit = limit;
    window.steps.resize(n);
    const std::string way =
        std::string(": --at NAME[INDEX] shows the steps around the last write of an element") +
        (windows().size() > 1 ? ", --kernel NAME shows one kernel" : "");
    if (window.limit == "steps")
      window.limit = "the steps end here, at the page's limit of 50,000" + way;
    else if (window.limit == "bytes")
      window.limit = "the steps end here, at the page's limit of 20 MB" + way;
    else if (!window.limit.empty())
      window.limit = "the steps end here: " + window.limit;
  }
}

std::string list_of_numbers(const std::array<std::size_t, 3>& numbers) {
  std::string json = "[";
  for (const std::size_t n : numbers)
    if (n != 0) json += (json.size() > 1 ? "," : "") + std::to_string(n);
  return json + "]";
}

std::string object_json(const Shown& shown) {
  char address[32];
  std::snprintf(address, sizeof address, "\"%zx\"", shown.object.begin);
  std::string cells, initial;
  for (const Cell& cell : shown.type.cells)
    cells += (cells.empty() ? "[" : ",[") + std::to_string(cell.offset) + "," +
             std::to_string(cell.bytes) + "," + in_json(cell.name) + "]";
  std::size_t next = SIZE_MAX;
  for (const auto& [offset, text] : shown.initial) {
    if (offset != next)
      initial += (initial.empty() ? "[" : "]],[") + std::to_string(offset) + ",[";
    else
      initial += ",";
    initial += text.empty() ? "null" : in_json(text);
    for (const Cell& cell : shown.type.cells)
      if (cell.offset == offset % shown.type.element) next = offset + cell.bytes;
    // The next cell of the element, or of the next element, with the padding before it.
    const auto after = shown.initial.upper_bound(offset);
    if (after != shown.initial.end() && after->first > next) {
      bool between = false;
      for (std::size_t first = next / shown.type.element * shown.type.element; first < after->first;
           first += shown.type.element)
        for (const Cell& cell : shown.type.cells)
          between |= first + cell.offset >= next && first + cell.offset < after->first;
      if (!between) next = after->first;
    }
  }
  if (!initial.empty()) initial += "]]";
  const std::string space = space_text(shown.space);
  const std::string origin = shown.object.by == nullptr
                                 ? ""
                                 : shown.object.by->name + line_text(shown.object.callers, Place{});
  std::string json = R"({"name":)" + in_json(shown.name) + R"(,"space":")" + space +
                     R"(","bytes":)" + std::to_string(shown.object.bytes) + R"(,"type":)" +
                     in_json(shown.type.name) + R"(,"element":)" +
                     std::to_string(shown.type.element) + R"(,"extents":)" +
                     list_of_numbers(shown.object.extents) + R"(,"cells":[)" + cells +
                     R"(],"origin":)" + in_json(origin) + R"(,"address":)" + address;
  if (shown.space == Space::shared)
    json += R"(,"bank_offset":)" + std::to_string(shown.object.begin % 128);
  return json + R"(,"initial":[)" + initial + "]}";
}

std::string wanted_text() {
  if (target().count == 0) return "";
  const Window& window = *windows()[0];
  return "thread " + std::to_string(target().thread) + " of block " +
         std::to_string(target().block) + " wrote " + wanted_element() + " last, in launch " +
         std::to_string(target().launch) + " of kernel " + window.kernel->name;
}

std::string list_of_size(dim3 size) { return "[" + text_of(size) + "]"; }

void write_window(std::ostream& page, const Window& window, std::set<About>& about) {
  const dim3 grid = window.grid, shown = block_of_number(window.number, grid);
  page << R"({"kernel":)" << in_json(window.kernel->name) << R"(,"launch":)" << window.launch
       << R"(,"launches":)" << window.kernel->launches << R"(,"grid":)" << list_of_size(grid)
       << R"(,"block":)" << list_of_size(window.block) << R"(,"shown":)" << list_of_size(shown)
       << R"(,"threads":)" << window.threads << R"(,"shared_bytes":)" << window.shared_bytes;
  const auto& files = all_sources();
  const auto it = std::find(files.begin(), files.end(), window.launch_file);
  if (it != files.end())
    page << R"(,"called":{"f":)" << it - files.begin() << R"(,"l":)" << window.launch_line << "}";
  page << R"(,"limit":)" << in_json(window.limit) << R"(,"before":)" << window.before
       << R"(,"start":)" << window.start << ",\n\"objects\":[";
  for (std::size_t i = 0; i < window.objects.size(); ++i)
    page << (i == 0 ? "" : ",\n") << object_json(window.objects[i]);
  page << "],\n\"steps\":[";
  for (std::size_t i = 0; i < window.steps.size(); ++i)
    page << (i == 0 ? "" : ",\n") << window.steps[i].json;
  page << "],\n\"findings\":[";
  bool first = true;
  for (const std::string& finding : findings_json(window, about)) {
    page << (first ? "" : ",\n") << finding;
    first = false;
  }
  page << "]}";
}

void write_source(std::ostream& page, const std::string& file) {
  page << R"({"file":)" << in_json(base_name(file)) << R"(,"first":1,"lines":[)";
  std::ifstream source(file);
  bool first = true;
  for (std::string line; std::getline(source, line);) {
    if (line.ends_with('\r')) line.pop_back();
    page << (first ? "" : ",\n") << in_json(line);
    first = false;
  }
  page << "]}";
}

// In the terminal, the command once for all that it shows; on the page: page/steps.js.
void say_elsewhere(const std::vector<Elsewhere>& all) {
  for (std::size_t i = 0; i < all.size(); ++i) {
    const std::string& command = all[i].command;
    std::fprintf(stderr, "step: %s: %s\n",
                 command.empty() ? "after the last step of the page" : "not on this page",
                 all[i].text.c_str());
    if (!command.empty() && (i + 1 == all.size() || all[i + 1].command != command))
      std::fprintf(stderr, "step: on the page of: %s\n", command.c_str());
  }
}

void write_data(std::ostream& page) {
  std::set<About> shown;  // what the windows' findings are about
  // Windows first: they number the texts and sources.
  const Wanted& own = wanted();
  page << R"({"version":1,"program":)" << in_json(own.name) << R"(,"command":)"
       << in_json(own.command) << R"(,"order":)" << in_json(order_text) << R"(,"glossary":)"
       << in_json(setting("EMULATED_GLOSSARY")) << R"(,"wanted":)" << in_json(wanted_text())
       << ",\n\"launches\":[";
  for (std::size_t i = 0; i < windows().size(); ++i) {
    if (i > 0) page << ",\n";
    write_window(page, *windows()[i], shown);
  }
  page << "],\n\"elsewhere\":[";
  const std::vector<Elsewhere> elsewhere = mistakes_elsewhere(shown);
  for (std::size_t i = 0; i < elsewhere.size(); ++i) {
    page << (i == 0 ? "" : ",\n") << R"({"text":)" << in_json(elsewhere[i].text) << R"(,"command":)"
         << in_json(elsewhere[i].command) << "}";
  }
  say_elsewhere(elsewhere);
  page << "],\n\"texts\":[";
  for (std::size_t i = 0; i < all_texts().size(); ++i)
    page << (i == 0 ? "" : ",\n") << in_json(all_texts()[i]);
  page << "],\n\"sources\":[";
  for (std::size_t i = 0; i < all_sources().size(); ++i) {
    if (i > 0) page << ",\n";
    write_source(page, all_sources()[i]);
  }
  page << "]}";
}

void write_all(std::ostream& page) {
  std::string_view rest = page_html;
  const auto copy_until = [&](std::string_view mark) {
    const std::size_t at = rest.find(mark);
    page << rest.substr(0, at);
    rest = at == std::string_view::npos ? std::string_view() : rest.substr(at + mark.size());
  };
  copy_until("/*STYLE*/");
  page << page_style;
  copy_until("/*DATA*/");
  write_data(page);
  copy_until("/*SCRIPT*/");
  page << page_script << rest;
}

}  // namespace

void end_with(const std::string& sentence, int code) {
  std::fprintf(stderr, "step: %s\n", sentence.c_str());
  std::fflush(nullptr);
  ::_exit(code);
}

void want(const std::string& of_kernel, const Written& write) { target() = {write, of_kernel}; }

bool is_asked_for() {
  const Wanted& own = wanted();
  name_kernel(*kernel);
  return is_wanted(*kernel) &&
         (setting("EMULATED_STEP_LAUNCH").empty() || kernel->launches == own.launch);
}

bool is_block_asked_for(std::uint64_t number) {
  if (setting("EMULATED_STEP_BLOCK").empty()) return true;
  return number == number_of_block(wanted().block, running->launch.grid);
}

bool makes_steps() { return !wanted().page.empty(); }

std::string command_for(std::uint64_t number) {
  const Wanted& own = wanted();
  const dim3 grid = running->launch.grid;
  const bool finds = target().count > 0;
  const unsigned shown_launch = finds ? target().launch : own.launch;
  const std::uint64_t shown_block = finds ? target().block : number_of_block(own.block, grid);
  if (kernel->launches == shown_launch && number == shown_block &&
      (finds ? kernel->name == target().kernel : is_wanted(*kernel)))
    return "";
  std::string options;
  if (!own.kernel.empty()) options += " --kernel '" + kernel->name + "'";
  if (kernel->launches != 1) options += " --launch " + std::to_string(kernel->launches);
  if (number != 0) options += " --block " + text_of(block_of_number(number, grid));
  std::string command = own.other.empty() ? own.command + " @" : own.other;
  if (const std::size_t at = command.find(" @"); at != std::string::npos)
    command.replace(at, 2, options);
  return command;
}

void step_race(const Race& race) {
  if (!makes_steps()) return;
  const bool is_shown = present_window != nullptr && (race.blocks[0] == present_window->number ||
                                                      race.blocks[1] == present_window->number);
  if (!is_shown)
    return note_elsewhere({Finding::Kind::race, race.places[0], race.places[1]}, race.blocks[1]);
  if (present_window->races.size() >= max_races) return;
  Race& known = present_window->races.emplace_back(race);
  known.object = std::make_shared<const Object>(object_at(race.address));
}

bool is_launch_shown(const Launch& launch) {
  next_window = present_window = nullptr;
  if (!makes_steps()) return false;
  const Wanted& own = wanted();
  name_kernel(*kernel);
  if (target().count > 0) {
    if (kernel->name != target().kernel || kernel->launches != target().launch) return false;
  } else if (kernel->launches != own.launch || !is_wanted(*kernel)) {
    return false;
  } else if (own.block.x >= launch.grid.x || own.block.y >= launch.grid.y ||
             own.block.z >= launch.grid.z) {
    without_block() = "the grid of kernel " + kernel->name + " has " +
                      std::to_string(launch.grid.x) + " x " + std::to_string(launch.grid.y) +
                      " x " + std::to_string(launch.grid.z) + " blocks";
    return false;
  }
  auto window = std::make_unique<Window>();
  window->kernel = kernel;
  window->launch = kernel->launches;
  window->grid = launch.grid;
  window->block = launch.block;
  window->number = target().count > 0 ? target().block : number_of_block(own.block, launch.grid);
  window->target = target();
  window->launch_file = launch.at.file_name();
  window->launch_line = launch.at.line();
  window->shared_bytes = launch.shared_bytes;
  for (const SharedNote& variable : running->shared) window->shared_bytes += variable.bytes;
  windows().push_back(std::move(window));
  next_window = present_window = windows().back().get();
  return true;
}

void begin_steps(const Launch& launch, std::uint64_t number, unsigned threads) {
  block->in_steps = next_window != nullptr && next_window->number == number;
  block->page_full = false;
  if (!block->in_steps) return;
  next_window->threads = threads;
  if (target().count > 0 && has_wanted_name()) {
    const Element place = wanted_place(launch);
    next_window->target.address = place.address;
    next_window->target.bytes = place.bytes;
  }
  begin_window(*std::exchange(next_window, nullptr));
  begin_order();
}

void end_block_that_never_ends() {
  constexpr std::uint64_t too_many = 10'000'000;
  if (++block->past_page < too_many) return;
  const Unseen unseen;
  write_steps();
  end_with("kernel " + kernel->name +
               " has not ended 10 million branches after the last step that fits on the page",
           1);
}

void end_steps() {
  end_window();
  if (block != nullptr) block->in_steps = false;
}

void write_steps() {
  const Lock lock;
  end_steps();
  look_up_all();
  std::erase_if(windows(), [](const auto& window) { return window->steps.empty(); });
  if (target().count > 0 && (windows().empty() || !windows()[0]->is_reached))
    end_with("the program runs differently each time, so the write of " + wanted_element() +
                 " cannot be shown",
             1);
  if (windows().empty()) end_without_steps();
  if (target().count == 0) cut_to_limits();
  const std::string& path = wanted().page;
  if (!write_file(path, write_all)) end_with("cannot write '" + path + "'", 1);
  std::fprintf(stderr, "step: wrote %s\n", path.c_str());
}

}  // namespace emulated::explain
