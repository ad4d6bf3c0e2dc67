#include "checkpoint.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <optional>

#include "../../common/fail.h"
#include "../../common/picture/file.h"

namespace heat_multi_gpu {

namespace {

std::streamoff place(std::int64_t size, std::int64_t row) {
  return static_cast<std::streamoff>(sizeof(PlateState) + sizeof(float) * size * row);
}

// Why the first rank that is not fine is not, from its errno.
std::string first_problem(bool fine, Team& team) {
  const int error = fine ? 0 : errno != 0 ? errno : EIO;
  for (const int one : team.from_all(error))
    if (one != 0) return std::strerror(one);
  return {};
}

// Such as /dev/null; to open a pipe would wait for a writer.
bool is_special(const std::string& path) {
  std::error_code none;
  return std::filesystem::exists(path, none) && !std::filesystem::is_regular_file(path, none);
}

constexpr int at_once = 1024;  // rows: a part may be larger than the host's memory

bool create(const std::string& path, const PlateState& state) {
  std::ofstream file(path, std::ios::binary);
  file.write(reinterpret_cast<const char*>(&state), sizeof state);
  file.close();
  return file.good();
}

bool write_rows(const std::string& path, const Part& part) {
  // The other ranks' rows stay.
  std::fstream file(path, std::ios::binary | std::ios::in | std::ios::out);
  file.seekp(place(part.dim, part.first_row + part.begin));
  for (int y = part.begin; file && y < part.end; y += at_once) {
    const std::vector<float> rows = part.download(y, std::min(at_once, part.end - y));
    file.write(reinterpret_cast<const char*>(rows.data()), rows.size() * sizeof(float));
  }
  file.close();
  return file.good();
}

}  // namespace

std::string write_checkpoint(const std::string& path, const PlateState& state, const Part& part,
                             Team& team) {
  std::error_code none;
  // A link stays a link: what it points to is replaced.
  const std::string target = std::filesystem::weakly_canonical(path, none);
  const std::string partial = target + ".partial";
  if (is_special(target)) return "cannot write " + echoed(path) + ": it is not a regular file";
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
  if (is_special(path)) return "cannot read " + echoed(path) + ": it is not a regular file";
  std::ifstream file(path, std::ios::binary);
  file.read(reinterpret_cast<char*>(&state), sizeof state);
  if (file.eof()) state.kind = {};  // too short
  std::string problem = first_problem(file.good() || file.eof(), team);
  if (!problem.empty()) return "cannot read " + echoed(path) + ": " + problem;
  if (state.kind != wanted.kind) return echoed(path) + " is no checkpoint of heat_multi_gpu";
  if (state.size != wanted.size || state.steps != wanted.steps)
    return echoed(path) + " is of another plate: run it with --size " + std::to_string(state.size) +
           " --steps " + std::to_string(state.steps);
  const std::streamoff end = file.seekg(0, std::ios::end).tellg();
  const std::streamoff whole = place(state.size, state.size);
  if (end != whole)
    return echoed(path) + " has " + std::to_string(end) + " bytes, and a plate of that size has " +
           std::to_string(whole) + ": it is truncated or has grown";
  file.seekg(place(part.dim, part.first_row));
  for (int y = 0; file && y < part.rows; y += at_once) {
    std::vector<float> rows(static_cast<std::size_t>(part.dim) * std::min(at_once, part.rows - y));
    if (file.read(reinterpret_cast<char*>(rows.data()), rows.size() * sizeof(float)))
      part.upload(y, rows);
  }
  problem = first_problem(file.good(), team);
  return problem.empty() ? "" : "cannot read " + echoed(path) + ": " + problem;
}

}  // namespace heat_multi_gpu
