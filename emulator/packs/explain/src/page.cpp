// The report as one page of HTML that needs no other file: the source, and beside each line what it costs.
#include <cstdio>
#include <fstream>
#include <set>

#include "explain.h"

namespace emulated::explain {

namespace {

constexpr const char* head = R"(<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>explain</title><style>
:root { color-scheme: light dark; --bad: #d43; --good: #3a5; --faint: #8884; }
body { font: 15px/1.45 system-ui, sans-serif; margin: 2em auto; max-width: 76em; padding: 0 1em; }
h2 { margin-top: 2em; } p.shape { opacity: .7; }
table { border-collapse: collapse; width: 100%; } td { padding: 0 .6em; vertical-align: top; white-space: pre; }
td.source { font: 13px/1.5 ui-monospace, monospace; width: 60%; } td.number { text-align: right; opacity: .5; }
tr.noted { background: var(--faint); } td.facts { font-size: 13px; white-space: normal; }
.bar { display: inline-block; height: .7em; width: 6em; background: var(--bad); border-radius: 2px; overflow: hidden; }
.bar b { display: block; height: 100%; background: var(--good); }
.race { color: var(--bad); font-weight: 600; } li { margin: .3em 0; }
</style></head><body><h1>explain</h1>
<p>Estimates from the accesses of the source, not of a GPU's machine code. A bar is green as far as what moves is used.</p>
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

// The part of a file that the kernel's lines lie in, with what is known of each.
void write_source(std::ostream& page, const std::string& file, const std::vector<Line>& lines,
                  const std::vector<Divergence>& divergence) {
  unsigned first = 0, last = 0;
  std::map<unsigned, std::string> facts;
  const auto add = [&](unsigned line, const std::string& fact) {
    facts[line] += fact;
    first = first == 0 ? line : std::min(first, line);
    last = std::max(last, line);
  };
  for (const Line& line : lines) {
    if (line.file != file) continue;
    add(line.line, "<div><span class=bar><b style='width:" + percent(used_of(line)) + "'></b></span> " +
                       line.what + ": " + cost_text(line) + ", " + std::to_string(line.total.requests) +
                       " requests</div>");
  }
  for (const Divergence& part : divergence) {
    if (part.file != file) continue;
    const double lanes = static_cast<double>(part.lanes) / static_cast<double>(part.steps);
    char text[64];
    std::snprintf(text, sizeof text, "%.1f of 32 lanes active", lanes);
    add(part.line,
        "<div><span class=bar><b style='width:" + percent(lanes / 32) + "'></b></span> " + text + "</div>");
  }
  if (first == 0) return;
  page << "<h3>" << escaped(file.substr(file.rfind('/') + 1)) << "</h3><table>\n";
  for (unsigned line = first > 4 ? first - 4 : 1; line <= last + 2; ++line) {
    const auto fact = facts.find(line);
    page << (fact == facts.end() ? "<tr>" : "<tr class=noted>") << "<td class=number>" << line
         << "</td><td class=source>" << escaped(source_line(file, line)) << "</td><td class=facts>"
         << (fact == facts.end() ? "" : fact->second) << "</td></tr>\n";
  }
  page << "</table>\n";
}

}  // namespace

void write_page(const std::string& path) {
  const std::lock_guard lock(mutex);
  const std::string beside = path + ".new";
  std::ofstream page(beside);
  page << head;
  if (!races().empty()) {
    page << "<h2>Races and notes</h2><ul>\n";
    for (const Race& race : races())
      if (place_of(race.places[0]).known && place_of(race.places[1]).known)
        page << "<li" << (race.kind == Race::Kind::race ? " class=race>" : ">") << escaped(race_text(race))
             << "</li>\n";
    page << "</ul>\n";
  }
  for (const KernelTotals* one : all_kernels()) {
    const std::vector<Line> lines = lines_of(*one);
    if (lines.empty()) continue;
    page << "<h2>" << escaped(one->name) << "</h2><p class=shape>" << one->launches << " launches, "
         << one->shape << "; looked at " << one->blocks_looked_at << " of " << one->blocks
         << " blocks</p>\n<ol>\n";
    unsigned printed = 0;
    for (const Line& line : lines)
      if (printed < 3 && waste_of(line) > 0 && used_of(line) < 0.8) {
        page << "<li>" << escaped(sentence_for(line)) << "</li>\n";
        ++printed;
      }
    page << "</ol>\n";
    const std::vector<Divergence> divergence = divergence_of(*one);
    std::set<std::string> files;
    for (const Line& line : lines) files.insert(line.file);
    for (const std::string& file : files) write_source(page, file, lines, divergence);
  }
  page << "</body></html>\n";
  page.close();
  if (!page || std::rename(beside.c_str(), path.c_str()) != 0) {
    std::fprintf(stderr, "explain: cannot write '%s'\n", path.c_str());
    std::remove(beside.c_str());
    return;
  }
  std::fprintf(stderr, "\nexplain: wrote %s\n", path.c_str());
}

}  // namespace emulated::explain
