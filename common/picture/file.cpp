#include "file.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>

namespace fs = std::filesystem;

namespace {

/// The partial files of this process, for removal when the program ends in the middle of the work: through
/// exit(), or by Ctrl-C and the like. Plain memory, because a signal handler may call little but unlink().
class PartialFiles {
 public:
  /// Remembers a file. Too long a name, or more files than anybody writes at once, are only removed by ~NewFile.
  void add(const std::string& path) {
    static const bool installed = install();
    static_cast<void>(installed);
    if (path.size() >= sizeof places_[0].path) return;
    for (Place& place : places_) {
      if (place.used != 0) continue;
      std::memcpy(place.path, path.c_str(), path.size() + 1);
      place.used = 1;
      return;
    }
  }
  /// After a file has become complete or has been removed.
  void forget(const std::string& path) {
    for (Place& place : places_)
      if (place.used != 0 && path == place.path) place.used = 0;
  }
  void remove_all() {
    for (Place& place : places_) {
      if (place.used == 0) continue;
      ::unlink(place.path);
      place.used = 0;
    }
  }

 private:
  struct Place {
    volatile std::sig_atomic_t used;
    char path[4096];
  };
  static bool install();

  Place places_[8] = {};
};
PartialFiles partial_files;  // the handlers need it, so it cannot be anybody's own

bool PartialFiles::install() {
  std::atexit([] { partial_files.remove_all(); });
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction action = {};
    ::sigaction(signal, nullptr, &action);
    if (action.sa_handler != SIG_DFL) continue;  // ignored (nohup), or somebody else's
    action.sa_handler = [](int caught) {
      partial_files.remove_all();
      ::raise(caught);  // ends the program as without a handler: SA_RESETHAND
    };
    action.sa_flags = SA_RESETHAND;
    ::sigaction(signal, &action, nullptr);
  }
  return true;
}

/// Where a link points to, so that the file behind the link is replaced and not the link.
fs::path behind_links(const std::string& path) {
  std::error_code error;
  const fs::path real = fs::canonical(path, error);
  return error ? fs::path(path) : real;
}

bool in_place(const fs::path& path) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  return fs::exists(status) && !fs::is_regular_file(status);
}

fs::path folder_of(const fs::path& path) {
  return path.has_parent_path() ? path.parent_path() : fs::path(".");
}

std::string partial_name(const fs::path& folder) {
  static int number = 0;
  return folder / (".partial-" + std::to_string(::getpid()) + "-" + std::to_string(number++));
}

}  // namespace

NewFile::NewFile(const std::string& path) : target_(behind_links(path)) {
  if (in_place(target_)) {
    stream_ = std::fopen(target_.c_str(), "w+e");
  } else {
    partial_ = partial_name(folder_of(target_));
    stream_ = std::fopen(partial_.c_str(), "w+xe");
    if (stream_ != nullptr)
      partial_files.add(partial_);
    else
      partial_.clear();  // not ours to remove
  }
  if (stream_ == nullptr) error_ = std::strerror(errno);
}

NewFile::~NewFile() {
  close();
  if (partial_.empty()) return;
  ::unlink(partial_.c_str());
  partial_files.forget(partial_);
}

void NewFile::close() {
  if (stream_ == nullptr) return;
  errno = 0;
  const bool failed_before = std::ferror(stream_) != 0;
  const bool flushed = std::fflush(stream_) == 0;
  const int flush_error = errno;
  const bool closed = std::fclose(stream_) == 0;
  stream_ = nullptr;
  if (!error_.empty()) return;
  if (!flushed || !closed) {
    error_ = std::strerror(flushed ? errno : flush_error);
  } else if (failed_before) {
    error_ = "writing failed";
  }
}

bool NewFile::commit() {
  close();
  if (!error_.empty()) return false;
  if (partial_.empty()) return true;
  if (::rename(partial_.c_str(), target_.c_str()) != 0) {
    error_ = std::strerror(errno);
    return false;
  }
  partial_files.forget(partial_);
  partial_.clear();
  return true;
}

std::string write_problem(const std::string& path) {
  const fs::path target = behind_links(path);
  const fs::path folder = folder_of(target);
  std::error_code error;
  if (!target.has_filename()) return path + " names a folder, not a file";
  if (fs::is_directory(target, error)) return path + " is a folder";
  if (!fs::exists(folder, error)) return "the folder " + folder.string() + " does not exist";
  if (!fs::is_directory(folder, error)) return folder.string() + " is not a folder";
  if (fs::exists(target, error) && ::access(target.c_str(), W_OK) != 0) {
    return path + " cannot be written: " + std::strerror(errno);
  }
  if (in_place(target)) return "";
  // Trying is the only sure way: quotas, read-only file systems and access lists all have a say.
  const std::string trial = partial_name(folder);
  const int file = ::open(trial.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (file < 0) return "the folder " + folder.string() + " cannot be written: " + std::strerror(errno);
  ::close(file);
  ::unlink(trial.c_str());
  return "";
}

std::string absolute_path(const std::string& path) { return fs::absolute(path).lexically_normal().string(); }

std::string file_ending(const std::string& path) {
  std::string ending = fs::path(path).extension().string();
  std::transform(ending.begin(), ending.end(), ending.begin(),
                 [](unsigned char c) { return std::tolower(c); });
  return ending;
}
