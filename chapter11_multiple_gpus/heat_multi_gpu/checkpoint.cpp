#include "checkpoint.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cinttypes>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <optional>

#include "../../common/fail.h"
#include "../../common/grid.h"
#include "../../common/picture/file.h"

namespace {

constexpr int header_bytes = 256;
constexpr int rows_at_once = 1024;  // per rank and call: a part may be larger than the host's memory

std::uint64_t file_bytes(int size) {
  return header_bytes + sizeof(float) * static_cast<std::uint64_t>(size) * size;
}

/// The first line, with its own checksum at its end (FNV-1a, Fowler, Noll, Vo).
std::string header_of(const PlateState& state) {
  std::array<char, header_bytes> line{};
  std::snprintf(line.data(), line.size(),
                "heat_multi_gpu checkpoint 1: size %d steps %d frame %d cells %016" PRIx64 " line ",
                state.size, state.steps, state.frame, state.checksum);
  std::string text = line.data();
  std::uint64_t sum = 0xcbf29ce484222325u;
  for (const char c : text) sum = (sum ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  std::snprintf(line.data(), line.size(), "%016" PRIx64, sum);
  text += line.data();
  text.resize(header_bytes - 1, ' ');
  return text + '\n';
}

/// The sentence of the first rank that has one; all ranks get the same.
std::string first_problem(const std::string& mine, Team& team) {
  using Sentence = std::array<char, 400>;
  Sentence text{};
  std::strncpy(text.data(), mine.c_str(), text.size() - 1);
  for (const Sentence& one : team.from_all(text))
    if (one[0] != '\0') return one.data();
  return {};
}

std::string reason(int mpi_error) {
  std::array<char, MPI_MAX_ERROR_STRING + 1> text{};
  int length = 0;
  MPI_Error_string(mpi_error, text.data(), &length);
  return text.data();
}

/// A file that the ranks of a communicator have open together. Unlike the rest of MPI, calls for files return their
/// errors; the first one is kept.
class MpiFile {
 public:
  MpiFile(MPI_Comm ranks, const std::string& path, int mode) {
    note(MPI_File_open(ranks, path.c_str(), mode, MPI_INFO_NULL, &file_));
    // Where one has not got it, none may begin to write: the others would wait for it.
    int mine = error_.empty() ? 1 : 0;
    MPI_Allreduce(&mine, &open_, 1, MPI_INT, MPI_LAND, ranks);
    MPI_Type_contiguous(sizeof(float), MPI_BYTE, &cell_);
    MPI_Type_commit(&cell_);
  }
  ~MpiFile() {
    MPI_Type_free(&cell_);
    if (is_open()) MPI_File_close(&file_);
  }
  MpiFile(const MpiFile&) = delete;
  MpiFile& operator=(const MpiFile&) = delete;

  void write_header(const std::string& header) {
    if (!is_open()) return;
    MPI_Status status;
    note(MPI_File_write_at(file_, 0, header.data(), header_bytes, MPI_BYTE, &status));
  }
  /// Called by all of the communicator's ranks together: MPI may collect the rows of neighbors into larger pieces.
  void write_rows(int size, int first, const Cells& rows) {
    if (!is_open()) return;
    MPI_Status status;
    const int cells = static_cast<int>(rows.size());
    note(MPI_File_write_at_all(file_, place(size, first), rows.data(), cells, cell_, &status), &status,
         cells);
  }
  /// By each rank when it likes.
  Cells read_rows(int size, int first, int count) {
    Cells rows(static_cast<std::size_t>(size) * count);
    if (!is_open()) return rows;
    MPI_Status status;
    const int cells = static_cast<int>(rows.size());
    note(MPI_File_read_at(file_, place(size, first), rows.data(), cells, cell_, &status), &status, cells);
    return rows;
  }
  void flush() {
    if (is_open()) note(MPI_File_sync(file_));
  }
  const std::string& error() const { return error_; }

 private:
  bool is_open() const { return open_ != 0; }
  static MPI_Offset place(int size, int row) {
    constexpr MPI_Offset header = header_bytes, cell = sizeof(float);
    return header + cell * size * row;
  }
  void note(int result, const MPI_Status* status = nullptr, int wanted = 0) {
    if (!error_.empty()) return;
    int cells = wanted;
    if (result == MPI_SUCCESS && status != nullptr && wanted > 0) MPI_Get_count(status, cell_, &cells);
    if (result != MPI_SUCCESS)
      error_ = reason(result);
    else if (cells != wanted)
      error_ = "the system has moved only a part of the rows";
  }

  MPI_File file_ = MPI_FILE_NULL;
  int open_ = 0;  // on all ranks
  MPI_Datatype cell_ = MPI_DATATYPE_NULL;
  std::string error_;
};

/// An empty file that has its room on the disk, where the file system can promise that: a full disk is found before
/// hours of writing. Returns what went wrong.
std::string create(const std::string& path, std::uint64_t bytes) {
  const int file = ::open(path.c_str(), O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC, 0666);
  if (file < 0) return std::strerror(errno);
  std::string problem;
  if (::fallocate(file, 0, 0, static_cast<off_t>(bytes)) != 0 && errno != EOPNOTSUPP && errno != ENOSYS)
    problem = std::strerror(errno);
  ::close(file);
  return problem;
}

}  // namespace

std::string write_checkpoint(const std::string& path, const PlateState& state, RankRows own,
                             const std::function<Cells(int, int)>& rows_of, Team& team) {
  std::error_code none;
  // A link stays a link: what it points to is replaced.
  const std::filesystem::path real = std::filesystem::canonical(path, none);
  const std::string target = none ? path : real.string(), partial = target + ".partial";

  std::optional<PartialFile> file_of_all;
  std::string problem;
  if (team.is_first()) {
    file_of_all.emplace(partial);
    problem = create(partial, file_bytes(state.size));
  }
  problem = first_problem(problem, team);
  if (problem.empty()) {
    // All ranks make as many calls as the one with the most rows: some end with calls for no rows.
    const int calls = div_up(static_cast<int>(team.largest(own.count)), rows_at_once);
    team.with_files([&](MPI_Comm ranks) {
      MpiFile file(ranks, partial, MPI_MODE_WRONLY);
      if (team.is_first()) file.write_header(header_of(state));
      for (int call = 0; call < calls; ++call) {
        const int begin = std::min(call * rows_at_once, own.count),
                  count = std::min(rows_at_once, own.count - begin);
        file.write_rows(state.size, own.first + begin,
                        count > 0 ? rows_of(own.first + begin, count) : Cells());
      }
      file.flush();
      problem = file.error();
    });
    problem = first_problem(problem, team);
  }
  if (team.is_first() && problem.empty()) problem = file_of_all->put_in_place(target);
  problem = first_problem(problem, team);
  return problem.empty() ? "" : "cannot write " + echoed(path) + ": " + problem;
}

std::string read_checkpoint_state(const std::string& path, PlateState& state, Team& team) {
  std::string problem;
  if (team.is_first()) {
    std::ifstream file(path, std::ios::binary);
    std::string header(header_bytes, '\0');
    std::error_code error;
    const std::uint64_t bytes = std::filesystem::file_size(path, error);
    if (!file || error)
      problem = "cannot read " + echoed(path) + ": " + (error ? error.message() : std::strerror(errno));
    else if (!file.read(header.data(), header_bytes) ||
             std::sscanf(
                 header.c_str(),  // NOLINT(cert-err34-c): what does not come out the same is refused below
                 "heat_multi_gpu checkpoint 1: size %d steps %d frame %d cells %" SCNx64, &state.size,
                 &state.steps, &state.frame, &state.checksum) != 4)
      problem = echoed(path) + " is no checkpoint of heat_multi_gpu";
    if (problem.empty() && header != header_of(state))
      problem = echoed(path) + " is damaged: its first line does not have the checksum that it names";
    else if (problem.empty() && bytes != file_bytes(state.size))
      problem = echoed(path) + " has " + std::to_string(bytes) + " bytes, and a plate of that size has " +
                std::to_string(file_bytes(state.size)) + ": it is truncated or has grown";
  }
  team.broadcast(&state, sizeof state);
  return first_problem(problem, team);
}

std::string read_checkpoint_rows(const std::string& path, Team& team,
                                 const std::function<void(const RowsOfPlate&)>& load) {
  std::string problem;
  team.with_files([&](MPI_Comm ranks) {
    MpiFile file(ranks, path, MPI_MODE_RDONLY);
    load([&](int size, int first, int count) { return file.read_rows(size, first, count); });
    problem = file.error();
  });
  problem = first_problem(problem, team);
  return problem.empty() ? "" : "cannot read " + echoed(path) + ": " + problem;
}
