// The report as one page of HTML that needs no other file: the source, and
// next to each line what it costs.
#include <sys/stat.h>

#include <cstdio>
#include <fstream>
#include <set>

#include "explain.h"
#include "report/findings.h"
#include "report/page.h"

namespace emulated::explain {

namespace {

constexpr const char* head = R"(<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>explain</title><style>
:root { color-scheme: light dark; --bad: #d43; --good: #3a5; --faint: #8884; }
body { font: 15px/1.45 system-ui, sans-serif; margin: 2em auto; max-width: 76em; padding: 0 1em; }
h2 { margin-top: 2em; } p.shape { opacity: .7; }
table { border-collapse: collapse; width: 100%; }
td { padding: 0 .6em; vertical-align: top; font-size: 13px; }
td.source { font-family: ui-monospace, monospace; white-space: pre-wrap; overflow-wrap: anywhere; }
td.number { text-align: right; opacity: .5; } td.facts { width: 27em; }
td.facts div { white-space: nowrap; }
tr.noted { background: var(--faint); }
.bar { display: inline-block; height: .7em; width: 6em; background: var(--bad);
  border-radius: 2px; overflow: hidden; }
.bar b { display: block; height: 100%; background: var(--good); }
.race { color: var(--bad); font-weight: 600; } li { margin: .3em 0; }
</style></head><body><h1>explain</h1>
<p>Estimates from the accesses of the source, not of a GPU's machine code.
A bar is green as far as what moves is used.<br>
)";

std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '<')
      out += "&lt;";
    else if (c == '&')
      out += "&amp;";
    else
      out += c;
  }
  return out;
}

std::string percent(double part) {
  char text[16];
  std::snprintf(text, sizeof text, "%.0f%%", 100 * part);
  return text;
}

// The parts of a file that the kernel's lines lie in, with what is known of each.
void write_source(std::ostream& page, const std::string& file, const std::vector<Line>& lines,
                  const std::vector<Divergence>& divergence, const std::vector<Finding>& findings,
                  const KernelTotals& kernel) {
  std::map<unsigned, std::string> facts;
  const auto add = [&](unsigned line, double used, const std::string& text) {
    facts[line] += "<div><span class=bar><b style='width:" + percent(used) + "'></b></span> " +
                   text + "</div>";
  };
  for (const Line& line : lines)
    if (line.file == file)
      add(line.line, used_of(line),
          line.what + ": " + cost_text(line) + ", " + std::to_string(line.total.requests) +
              (line.total.requests == 1 ? " request" : " requests"));
  for (const Divergence& part : divergence) {
    if (part.file != file) continue;
    const double lanes = static_cast<double>(part.lanes) / static_cast<double>(part.steps);
    char text[64];
    std::snprintf(text, sizeof text, "%.1f of 32 lanes active", lanes);
    add(part.line, lanes / 32, text);
  }
  const auto add_race = [&](const Finding& race, const Place& own, const Place& other) {
    if (own.file == file)
      facts[own.line] += "<div class=race>races with line " + std::to_string(other.line) + " for " +
                         escaped(race.element) + "</div>";
  };
  for (const Finding& one : findings) {
    if (one.kind != Finding::Kind::race || one.is_note || one.agent.kernel != &kernel) continue;
    add_race(one, one.other_place, one.place);
    add_race(one, one.place, one.other_place);
  }
  page << "<h3>" << escaped(file.substr(file.rfind('/') + 1)) << "</h3><table>\n";
  unsigned next = 1;  // line that is not written yet
  for (const auto& [noted, text] : facts) {
    if (noted > next + 4) {
      if (next > 1) page << "<tr><td class=number>...</td></tr>\n";
      next = noted - 4;
    }
    const auto after = facts.upper_bound(noted);
    const unsigned end = after == facts.end() ? noted + 3 : std::min(noted + 3, after->first);
    for (; next < end; ++next)
      page << (next == noted ? "<tr class=noted>" : "<tr>") << "<td class=number>" << next
           << "</td><td class=source>" << escaped(source_line(file, next))
           << "</td><td class=facts>" << (next == noted ? text : "") << "</td></tr>\n";
  }
  page << "</table>\n";
}

void write_contents(std::ostream& page) {
  page << head << legend << "</p>\n";
  const std::vector<Finding> all = all_findings();
  page << "<ol>\n";
  for (const Finding& mistake : all)
    if (!mistake.is_note) page << "<li class=race>" << escaped(text_of(mistake)) << "</li>\n";
  page << "</ol>\n";
  for (const Finding& mistake : all)
    if (mistake.is_note) page << "<p>" << escaped(text_of(mistake)) << "</p>\n";
  for (const KernelTotals* one : all_kernels()) {
    const std::vector<Line> lines = lines_of(*one);
    if (lines.empty()) continue;
    page << "<h2>" << escaped(one->name) << "</h2><p class=shape>" << one->launches
         << (one->launches == 1 ? " launch, " : " launches, ") << one->shape << "; looked at "
         << one->blocks_looked_at << " of " << one->blocks << " blocks</p>\n<ol>\n";
    for (const std::string& finding : findings_of(*one, lines))
      page << "<li>" << escaped(finding) << "</li>\n";
    page << "</ol>\n";
    const std::vector<Divergence> divergence = divergence_of(*one);
    std::set<std::string> files;
    for (const Line& line : lines) files.insert(line.file);
    for (const std::string& file : files) write_source(page, file, lines, divergence, all, *one);
  }
  if (all_kernels().empty()) page << "<p>No kernel ran.</p>\n";
  page << "</body></html>\n";
}

}  // namespace

bool write_file(const std::string& path, const std::function<void(std::ostream&)>& write) {
  struct stat known = {};
  // A device or a pipe is written to: no file takes its place.
  const bool in_place = ::stat(path.c_str(), &known) == 0 && !S_ISREG(known.st_mode);
  const std::string beside = in_place ? path : path + ".new";
  std::signal(SIGXFSZ, SIG_IGN);  // at ulimit -f writing fails
  std::ofstream file(beside);
  write(file);
  file.close();
  if (in_place) return !file.fail();
  if (file && std::rename(beside.c_str(), path.c_str()) == 0) return true;
  std::remove(beside.c_str());
  return false;
}

bool write_page(const std::string& path) {
  const Lock lock;
  if (!write_file(path, write_contents)) {
    std::fprintf(stderr, "explain: cannot write '%s'\n", path.c_str());
    return false;
  }
  std::fprintf(stderr, "\nexplain: wrote %s\n", path.c_str());
  return true;
}

}  // namespace emulated::explain
