#include "checkpoint.h"

#include <errno.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>
#include <optional>

#include "../../common/fail.h"
#include "../../common/picture/file.h"

namespace {

struct Close {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, Close>;
File open_file(const std::string& path, const char* mode) {
  errno = 0;
  return File(std::fopen(path.c_str(), mode));
}

off_t place(std::int64_t size, std::int64_t row) { return sizeof(PlateState) + sizeof(float) * size * row; }

// Why the first rank that is not fine is not, from its errno.
std::string first_problem(bool fine, Team& team) {
  const int error = fine ? 0 : errno != 0 ? errno : EIO;
  for (const int one : team.from_all(error))
    if (one != 0) return std::strerror(one);
  return {};
}

constexpr int at_once = 1024;  // rows: a part may be larger than the host's memory

bool create(const std::string& path, const PlateState& state) {
  const File file = open_file(path, "wb");
  return file != nullptr && std::fwrite(&state, sizeof state, 1, file.get()) == 1 &&
         std::fflush(file.get()) == 0;
}

bool write_rows(const std::string& path, const Part& part) {
  const File file = open_file(path, "r+b");
  bool fine =
      file != nullptr && ::fseeko(file.get(), place(part.dim, part.first_row + part.begin), SEEK_SET) == 0;
  for (int y = part.begin; fine && y < part.end; y += at_once) {
    const std::vector<float> rows = part.download(y, std::min(at_once, part.end - y));
    fine = std::fwrite(rows.data(), sizeof(float), rows.size(), file.get()) == rows.size();
  }
  return fine && std::fflush(file.get()) == 0 && ::fsync(::fileno(file.get())) == 0;
}

}  // namespace

std::string write_checkpoint(const std::string& path, const PlateState& state, const Part& part, Team& team) {
  std::error_code none;
  // A link stays a link: what it points to is replaced.
  const std::string target = std::filesystem::weakly_canonical(path, none), partial = target + ".partial";
  std::optional<PartialFile> file_of_all;
  if (team.is_first()) file_of_all.emplace(partial);
  std::string problem = first_problem(!team.is_first() || create(partial, state), team);
  if (problem.empty()) problem = first_problem(write_rows(partial, part), team);
  if (problem.empty() && team.is_first()) problem = file_of_all->put_in_place(target);
  problem = team.from_first(problem);
  return problem.empty() ? "" : "cannot write " + echoed(path) + ": " + problem;
}

std::string read_checkpoint(const std::string& path, PlateState& state, Part& part, Team& team) {
  const PlateState wanted = state;
  const File file = open_file(path, "rb");
  bool fine = file != nullptr;
  if (fine && std::fread(&state, sizeof state, 1, file.get()) != 1) {
    state.kind = {};  // too short
    fine = errno == 0;
  }
  std::string problem = first_problem(fine, team);
  if (!problem.empty()) return "cannot read " + echoed(path) + ": " + problem;
  if (state.kind != wanted.kind) return echoed(path) + " is no checkpoint of heat_multi_gpu";
  if (state.size != wanted.size || state.steps != wanted.steps)
    return echoed(path) + " is of another plate: run it with --size " + std::to_string(state.size) +
           " --steps " + std::to_string(state.steps);
  const off_t end = ::fseeko(file.get(), 0, SEEK_END) == 0 ? ::ftello(file.get()) : 0,
              whole = place(state.size, state.size);
  if (end != whole)
    return echoed(path) + " has " + std::to_string(end) + " bytes, and a plate of that size has " +
           std::to_string(whole) + ": it is truncated or has grown";
  fine = ::fseeko(file.get(), place(part.dim, part.first_row), SEEK_SET) == 0;
  for (int y = 0; fine && y < part.rows; y += at_once) {
    std::vector<float> rows(static_cast<std::size_t>(part.dim) * std::min(at_once, part.rows - y));
    fine = std::fread(rows.data(), sizeof(float), rows.size(), file.get()) == rows.size();
    if (fine) part.upload(y, rows);
  }
  problem = first_problem(fine, team);
  return problem.empty() ? "" : "cannot read " + echoed(path) + ": " + problem;
}
