// The tables in the terminal, on standard error.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <set>
#include <tuple>

#include "diagnosis/diagnosis.h"
#include "diagnosis/report.h"
#include "emulated/errors.h"
#include "explain.h"
#include "record/ledger.h"
#include "report/lines.h"
#include "step/step.h"

namespace emulated::explain {

std::string space_text(Space space) {
  if (space == Space::shared) return "shared";
  if (space == Space::constant) return "constant";
  return "global";
}

std::string what_of(const Total& total, const Place& place) {
  if (place.in_surface) return (total.flags & is_write) != 0 ? "store surface" : "load surface";
  if (place.in_texture) return "texture";
  const std::string space = space_text(total.space);
  if ((total.flags & is_atomic) != 0)
    return ((total.flags & is_write) != 0 ? "atomic " : "atomic load ") + space;
  return ((total.flags & is_write) != 0 ? "store " : "load ") + space;
}

namespace {

void add(Total& sum, const Total& one) {
  if (sum.requests == 0) {
    sum = one;
    return;
  }
  if (sum.stride != one.stride) sum.stride = -2;
  sum.bytes = std::max(sum.bytes, one.bytes);
  sum.requests += one.requests;
  sum.lanes += one.lanes;
  sum.possible += one.possible;
  sum.measured += one.measured;
  sum.measured_lanes += one.measured_lanes;
  sum.cost += one.cost;
  sum.least += one.least;
  sum.by_address += one.by_address;
  sum.max_per_address = std::max(sum.max_per_address, one.max_per_address);
}

std::string number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, value < 99.95 ? "%.1f" : "%.0f", value);
  return text;
}

// Shared atomics at different words of a bank take turns like those at one address.
bool has_bank_conflicts(const Total& total) {
  return takes_turns(total.flags) && total.space == Space::shared && total.cost > total.by_address;
}

}  // namespace

const char* unit_of(const Line& line) {
  if (has_bank_conflicts(line.total)) return "wavefronts";
  if (takes_turns(line.total.flags)) return "lanes at one address";
  if (line.total.space == Space::shared) return "wavefronts";
  if (line.total.space == Space::constant) return "words";
  return "sectors";
}

namespace {

double per_request(std::uint64_t sum, const Total& total) {
  return total.measured == 0 ? 0 : static_cast<double>(sum) / static_cast<double>(total.measured);
}

std::string trimmed(const std::string& text, std::size_t width) {
  const std::size_t first = text.find_first_not_of(" \t");
  const std::string rest = first == std::string::npos ? "" : text.substr(first);
  return rest.size() <= width ? rest : rest.substr(0, width - 3) + "...";
}

std::string at_line(const std::string& file, unsigned line) {
  return base_name(file) + ":" + std::to_string(line) + ": ";
}

const void* inside(const void* function) { return static_cast<const char*>(function) + 1; }

// "void (anonymous namespace)::sum<4>(int*)", as the debugging information has it, to "sum<4>".
std::string name_of_kernel(const std::string& function) {
  std::size_t begin = 0;
  int depth = 0;  // of template arguments
  for (std::size_t i = 0; i < function.size(); ++i) {
    const char c = function[i];
    depth += (c == '<') - (c == '>');
    if (depth > 0) continue;
    if (c == ' ' || c == ':') begin = i + 1;
    if (c == '(' && i > begin) return function.substr(begin, i - begin);
  }
  return function.substr(begin);
}

std::vector<const void*> all_places() {
  std::set<const void*> all;
  for (const KernelTotals* one : all_kernels()) {
    for (const auto& [place, total] : one->accesses) all.insert(place);
    for (const auto& [place, total] : one->steps) all.insert(place);
    all.insert(inside(one->function));
  }
  return {all.begin(), all.end()};
}

std::uint64_t waste_of(const Line& line) {
  const Total& total = line.total;
  if (total.measured == 0 || total.cost <= total.least) return 0;
  return static_cast<std::uint64_t>(static_cast<double>(total.cost - total.least) /
                                    static_cast<double>(total.measured) *
                                    static_cast<double>(total.requests));
}

std::string sentence_for(const Line& line) {
  const Total& total = line.total;
  const std::string at = at_line(line.file, line.line) + line.what + ": ";
  const std::string cost = number(per_request(total.cost, total)),
                    least = number(per_request(total.least, total));
  const std::string apart =
      total.stride > static_cast<long>(total.bytes)
          ? ", neighboring lanes are " + std::to_string(total.stride) + " bytes apart"
          : "";
  if (has_bank_conflicts(total))
    return at + "a request takes " + cost + " wavefronts where " + least +
           " would do: lanes update words of one bank, one after the other" + see("bank");
  if (takes_turns(total.flags))
    return at + "up to " + std::to_string(total.max_per_address) +
           " lanes of a warp update the same address, " + cost +
           " on average, one after the other" + see("contention");
  if (total.space == Space::shared)
    return at + "a request takes " + cost + " wavefronts where " + least +
           " would do: lanes access different words of one bank" +
           (total.stride > 0 ? ", " + std::to_string(total.stride / 4) + " words apart" : "") +
           see("bank");
  if (total.space == Space::constant)
    return at + "a request reads " + cost +
           " different words, one after the other; one word for all lanes is a broadcast" +
           see("broadcast");
  return at + "a request touches " + cost + " sectors of 32 bytes where " + least + " would do" +
         apart + see("coalescing");
}

// Prints how the kernel accesses memory; returns how many findings it printed.
unsigned print_kernel(const KernelTotals& one) {
  const std::vector<Line> lines = lines_of(one);
  if (lines.empty()) return 0;
  std::fprintf(stderr, "\n%s: %u launch%s, %s\n", one.name.c_str(), one.launches,
               one.launches == 1 ? "" : "es", one.shape.c_str());
  if (one.looked_at < one.launches || one.blocks_looked_at < one.blocks)
    std::fprintf(stderr, "  looked at: %u of %u launches, %llu of %llu blocks\n", one.looked_at,
                 one.launches, static_cast<unsigned long long>(one.blocks_looked_at),
                 static_cast<unsigned long long>(one.blocks));
  std::fprintf(stderr, "  %-22s %-16s %9s %6s  %-32s %5s  %s\n", "line", "access", "requests",
               "lanes", "per request (best)", "used", "source");
  for (const Line& line : lines)
    std::fprintf(stderr, "  %-22s %-16s %9llu %6.1f  %-32s %4.0f%%  %s\n",
                 (base_name(line.file) + ":" + std::to_string(line.line)).c_str(),
                 line.what.c_str(), static_cast<unsigned long long>(line.total.requests),
                 static_cast<double>(line.total.lanes) / static_cast<double>(line.total.requests),
                 cost_text(line).c_str(), 100 * used_of(line),
                 trimmed(source_line(line.file, line.line), 60).c_str());
  unsigned number = 0;
  for (const std::string& finding : findings_of(one, lines))
    print_line("  " + std::to_string(++number) + ". " + finding, 5);
  return number;
}

std::string count(std::size_t n, const char* one, const char* many) {
  return (n == 0 ? "no" : std::to_string(n)) + " " + (n == 1 ? one : many);
}

// What was looked at of the kernels, for races.
struct Coverage {
  std::uint64_t blocks = 0, looked_at = 0;
  Record::Lost lost = Record::Lost::nothing;
  bool cut_off = false;
};

Coverage coverage() {
  Coverage all;
  for (const KernelTotals* one : all_kernels()) {
    all.blocks += one->blocks;
    all.looked_at += one->blocks_looked_at;
    all.lost = std::max(all.lost, one->lost);
    all.cut_off |= one->cut_off;
  }
  return all;
}

// "in all 12 blocks", "in 39 of 2001 blocks".
std::string where(const Coverage& own) {
  if (own.looked_at < own.blocks)
    return "in " + std::to_string(own.looked_at) + " of " + std::to_string(own.blocks) + " blocks";
  return own.blocks == 1 ? "in the only block" : "in all " + std::to_string(own.blocks) + " blocks";
}

// What was not looked at for races, or empty.
std::string left_out(const Coverage& own) {
  std::string list;
  const auto add = [&](const std::string& what) { list += (list.empty() ? "" : ", ") + what; };
  if (own.looked_at < own.blocks)
    add("the other " + count(own.blocks - own.looked_at, "block", "blocks"));
  if (own.cut_off)
    add("what a kernel did after its first " + std::to_string(too_many_events / 1'000'000) +
        " million accesses");
  if (own.lost == Record::Lost::reads)
    add("some readers of memory that was only read: there were too many");
  else if (own.lost != Record::Lost::nothing)
    add("some accesses: there were too many");
  std::string all = list.empty() ? "" : "; not looked at for races: " + list;
  if (ledger().uses.lost() || ledger().kernel_uses.lost())
    all +=
        "; not known: some of what launches and copies did, so that what was too early or never "
        "read may be missing";
  return all;
}

// The last line: a verdict, then what was not looked at.
std::string summary(const std::vector<Finding>& all, std::size_t others) {
  std::size_t races = 0;
  std::size_t notes = 0;
  for (const Finding& one : all) {
    if (one.is_note)
      ++notes;
    else if (one.kind == Finding::Kind::race)
      ++races;
  }
  const std::size_t mistakes = all.size() - notes - races;
  const Coverage own = coverage();
  std::string verdict = count(races, "race", "races") + " " + where(own);
  // What was said while the program ran is no clean bill.
  if (all.empty() && error_count() > 0)
    verdict += "; nothing more about the error above";
  else if (all.empty() && has_warned())
    verdict += "; nothing more about the warning above";
  else if (all.empty())
    verdict += " and no other mistake found";
  if (mistakes > 0) verdict = count(mistakes, "other mistake", "other mistakes") + "; " + verdict;
  if (notes > 0) verdict += "; " + count(notes, "note", "notes") + " above";
  if (others > 0) verdict += "; " + count(others, "finding", "findings") + " about speed";
  return verdict + left_out(own);
}

}  // namespace

std::string base_name(const std::string& path) { return path.substr(path.rfind('/') + 1); }

std::string see(const char* anchor) {
  const char* const glossary = std::getenv("EMULATED_GLOSSARY");
  return glossary == nullptr ? "" : std::string(" (") + glossary + "#" + anchor + ")";
}

// Stores of one line that fill a float4 or a uchar4 member by member: a GPU has one for them.
static bool is_one_store(const std::vector<const Total*>& parts) {
  const Total& first = *parts.front();
  if (parts.size() < 2 || (first.flags & (is_write | is_atomic)) != is_write) return false;
  return std::all_of(parts.begin(), parts.end(), [&](const Total* part) {
    return part->requests == first.requests && part->lanes == first.lanes &&
           part->bytes == first.bytes &&
           part->stride == static_cast<long>(first.bytes * parts.size());
  });
}

std::vector<Line> lines_of(const KernelTotals& one) {
  std::map<std::tuple<std::string, unsigned, std::string>, std::vector<const Total*>> parts;
  for (const auto& [place, total] : one.accesses) {
    const Place& where = place_of(place);
    if (where.known && total.requests > 0)
      parts[{where.file, where.line, what_of(total, where)}].push_back(&total);
  }
  std::map<std::tuple<std::string, unsigned, std::string>, Total> sums;
  for (const auto& [key, totals] : parts) {
    Total& sum = sums[key];
    if (is_one_store(totals)) {
      sum = *totals.front();
      sum.bytes *= static_cast<std::uint32_t>(totals.size());
      sum.least = sum.cost;
    } else {
      for (const Total* total : totals) add(sum, *total);
    }
  }
  std::vector<Line> lines;
  for (const auto& [key, total] : sums) {
    // The look before an atomic update is part of it.
    const auto& [file, line, what] = key;
    if (what.starts_with("atomic load ") &&
        sums.contains({file, line, "atomic " + what.substr(12)}))
      continue;
    lines.push_back({file, line, what, total});
  }
  std::stable_sort(lines.begin(), lines.end(),
                   [](const Line& a, const Line& b) { return waste_of(a) > waste_of(b); });
  return lines;
}

std::vector<Divergence> divergence_of(const KernelTotals& one) {
  std::map<std::pair<std::string, unsigned>, Divergence> parts;
  for (const auto& [place, total] : one.steps) {
    const Place& where = place_of(place);
    if (!where.known || where.in_library || total.requests == 0) continue;
    if (static_cast<double>(total.lanes) >= 0.97 * static_cast<double>(total.possible)) continue;
    Divergence& part = parts[{where.file, where.line}];
    if (part.steps == 0 || total.lanes * part.steps < part.lanes * total.requests)
      part = {where.file, where.line, total.requests, total.lanes};
  }
  // What one thread does alone, as after `if (threadIdx.x == 0)`, counts only
  // where it is much of the kernel.
  std::uint64_t most = 0;
  for (const auto& [place, total] : one.steps) most = std::max(most, total.requests);
  std::vector<Divergence> sorted;
  for (const auto& [key, part] : parts)
    if (part.lanes > part.steps || part.steps > most / 4) sorted.push_back(part);
  const auto lost = [](const Divergence& part) { return 32 * part.steps - part.lanes; };
  std::stable_sort(sorted.begin(), sorted.end(),
                   [&](const Divergence& a, const Divergence& b) { return lost(a) > lost(b); });
  return sorted;
}

double used_of(const Line& line) {
  const Total& total = line.total;
  return total.cost == 0
             ? 1
             : std::min(1.0, static_cast<double>(total.least) / static_cast<double>(total.cost));
}

std::string cost_text(const Line& line) {
  return number(per_request(line.total.cost, line.total)) + " " + unit_of(line) + " (" +
         number(per_request(line.total.least, line.total)) + ")";
}

std::string finding_of(const Line& line) {
  return waste_of(line) > 0 && used_of(line) < 0.8 ? sentence_for(line) : "";
}

std::vector<std::string> findings_of(const KernelTotals& one, const std::vector<Line>& lines) {
  // A kernel that a fault has ended has shown little of itself. No other has run since.
  if (&one == kernel && sticky_error() != cudaSuccess) return {};
  std::vector<std::string> findings;
  unsigned wasteful = 0;
  for (const Line& line : lines)
    if (const std::string finding = finding_of(line); wasteful < 3 && !finding.empty()) {
      findings.push_back(finding);
      ++wasteful;
    }
  std::vector<Divergence> divergence = divergence_of(one);
  if (divergence.size() > 5) divergence.resize(5);
  for (const Divergence& part : divergence)
    findings.push_back(at_line(part.file, part.line) + "divergence: " +
                       number(static_cast<double>(part.lanes) / static_cast<double>(part.steps)) +
                       " of 32 lanes active on average" + see("divergence") + "  " +
                       trimmed(source_line(part.file, part.line), 60));
  return findings;
}

const char* const legend =
    "request: one access by a warp; lanes: how many of its 32 take part, on average;\n"
    "  (best): the fewest that would do for them; used: best / actual";

static bool any_mistakes = false;

bool has_mistakes() { return any_mistakes; }

// cudaLaunchCooperativeKernel and the like know no name. For "scale" and "scale<T>" a page of steps
// names the instance: scale<float>.
void name_kernel(KernelTotals& one) {
  const bool has_no_name = one.name.starts_with("given to ");
  if (!has_no_name && !makes_steps()) return;
  const Place& place = place_of(inside(one.function));
  if (place.function.empty()) return;
  const std::string name = name_of_kernel(place.function);
  if (has_no_name) {
    one.name = name;
    return;
  }
  // The launch has the namespace, the function has the arguments of a template.
  const std::string of_template = one.name.substr(0, one.name.find('<'));
  const std::size_t colon = of_template.rfind(':');
  const std::size_t begin = colon == std::string::npos ? 0 : colon + 1;
  if (name.starts_with(of_template.substr(begin) + "<"))
    one.name = of_template.substr(0, begin) + name;
}

void look_up_all() {
  if (block != nullptr) finish_requests();
  look_up(all_places());
  for (KernelTotals* one : all_kernels()) name_kernel(*one);
}

Counted counted(const char* kind) {
  const Lock lock;
  const Unseen unseen;
  look_up_all();
  Counted sum;
  for (const KernelTotals* one : all_kernels())
    for (const Line& line : lines_of(*one))
      if (line.what == kind) {
        sum.requests += line.total.measured;
        sum.cost += line.total.cost;
        sum.least += line.total.least;
      }
  return sum;
}

void report() {
  const Lock lock;
  look_up_all();
  const std::vector<Finding> all = all_findings();
  any_mistakes =
      std::any_of(all.begin(), all.end(), [](const Finding& one) { return !one.is_note; });
  if (!all.empty())
    std::fprintf(stderr, "\nexplain: %s\n", any_mistakes ? "what is wrong" : "notes");
  unsigned number = 0;
  for (const Finding& one : all) {
    if (one.is_note)
      print_line("  " + text_of(one), 4);
    else
      print_line("  " + std::to_string(++number) + ". " + text_of(one), 5);
  }
  if (all_kernels().empty()) {
    std::fprintf(stderr, "\nexplain: no kernel ran\n");
    return;
  }
  std::fprintf(stderr,
               "\nexplain: how memory is accessed; estimates from the source, not from a GPU's "
               "machine code\n"
               "  %s%s\n",
               legend, see("request").c_str());
  std::size_t others = 0;
  for (const KernelTotals* one : all_kernels()) others += print_kernel(*one);
  std::fputc('\n', stderr);
  print_line("explain: " + summary(all, others), 2);
}

}  // namespace emulated::explain
