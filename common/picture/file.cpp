#include "file.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <utility>
#include <vector>

namespace fs = std::filesystem;

namespace {

/// The partial files of this process, for removal when the program ends in the middle of the work: through
/// exit(), or by Ctrl-C and the like. Plain memory, because a signal handler may call little but unlink().
class PartialFiles {
 public:
  /// Remembers a file. Too long a name, or more files than anybody writes at once, are only removed by
  /// ~NewFile.
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
  std::at_quick_exit([] { partial_files.remove_all(); });
  for (const int signal :
       {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE, SIGALRM, SIGXCPU, SIGXFSZ, SIGUSR1, SIGUSR2}) {
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

/// Where a link points to, so that the file behind the link is replaced and not the link; also a file that is
/// not there yet.
fs::path behind_links(const std::string& path) {
  std::error_code error;
  fs::path place = path;
  constexpr int most_links = 40;  // as many as Linux follows
  for (int link = 0; link < most_links && fs::is_symlink(place, error); ++link) {
    const fs::path next = fs::read_symlink(place, error);
    if (error) break;
    place = next.is_absolute() ? next : place.parent_path() / next;
  }
  return place;
}

bool in_place(const fs::path& path) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  return fs::exists(status) && !fs::is_regular_file(status);
}

bool is_fifo(const fs::path& path) {
  std::error_code error;
  return fs::is_fifo(path, error);
}

fs::path folder_of(const fs::path& path) {
  return path.has_parent_path() ? path.parent_path() : fs::path(".");
}

std::string partial_name(const fs::path& folder) {
  static int number = 0;
  return folder / (".partial-" + std::to_string(::getpid()) + "-" + std::to_string(number++));
}

/// Gives the new file the permissions of the one whose place it takes, and its owner where we may.
void take_after(int file, const struct stat& old) {
  if (::fchown(file, old.st_uid, old.st_gid) != 0) {
    // Only root may give files away; then it is ours, with the same permissions.
  }
  ::fchmod(file, old.st_mode & 07777);
}

/// Overwrites the content of a file that has several names (hard links): all of them show the new content.
/// Room for it is taken first, so that a full disk leaves the old content as it was. Empty when all went
/// well.
std::string overwrite(int from, const fs::path& to) {
  struct stat size {};
  const int file = ::open(to.c_str(), O_WRONLY | O_CLOEXEC);
  if (file < 0) return std::strerror(errno);
  int error = ::fstat(from, &size) != 0 ? errno : 0;
  if (error == 0 && size.st_size > 0) error = ::posix_fallocate(file, 0, size.st_size);
  std::vector<char> piece(1 << 20);
  for (off_t at = 0; error == 0 && at < size.st_size;) {
    const ssize_t got = ::pread(from, piece.data(), piece.size(), at);
    if (got <= 0) {
      error = got < 0 ? errno : EIO;
    } else if (::pwrite(file, piece.data(), static_cast<std::size_t>(got), at) != got) {
      error = errno != 0 ? errno : EIO;
    }
    at += got;
  }
  if (error == 0 && ::ftruncate(file, size.st_size) != 0) error = errno;
  if (::close(file) != 0 && error == 0) error = errno;
  return error == 0 ? "" : std::strerror(error);
}

}  // namespace

NewFile::NewFile(const std::string& path) : target_(behind_links(path)) {
  int file = -1;
  if (in_place(target_)) {
    // A pipe whose reader goes away is an error like others, not a signal that ends the program.
    if (is_fifo(target_)) std::signal(SIGPIPE, SIG_IGN);
    // Write only: whoever opens a pipe for both never waits for a reader, and what he writes is lost.
    file = ::open(target_.c_str(), (is_fifo(target_) ? O_WRONLY : O_RDWR) | O_CLOEXEC);
    if (file < 0 && errno == EACCES) file = ::open(target_.c_str(), O_WRONLY | O_CLOEXEC);
    if (file >= 0) stream_ = ::fdopen(file, is_fifo(target_) ? "w" : "w+");
  } else {
    const std::string folder = folder_of(target_);
    // A file without a name: nothing stays behind however the program ends. Not every file system has them.
    file = ::open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0666);
    if (file < 0) {
      partial_ = partial_name(folder);
      file = ::open(partial_.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
      if (file >= 0)
        partial_files.add(partial_);
      else
        partial_.clear();  // not ours to remove
    }
    replaces_ = true;
    if (file >= 0) stream_ = ::fdopen(file, "w+");
  }
  if (stream_ == nullptr) error_ = std::strerror(errno);
}

NewFile::~NewFile() {
  if (stream_ != nullptr) std::fclose(stream_);
  remove_partial();
}

void NewFile::remove_partial() {
  if (partial_.empty()) return;
  ::unlink(partial_.c_str());
  partial_files.forget(partial_);
  partial_.clear();
}

PartialFile::PartialFile(std::string path) : path_(std::move(path)) { partial_files.add(path_); }

PartialFile::~PartialFile() {
  ::unlink(path_.c_str());  // not there any more if it was put in place
  partial_files.forget(path_);
}

std::string PartialFile::put_in_place(const std::string& target) {
  return ::rename(path_.c_str(), target.c_str()) == 0 ? "" : std::strerror(errno);
}

/// Puts the complete file, still open, in its place. Empty when all went well.
std::string NewFile::put_in_place(int file) {
  struct stat old {};
  const bool replaces_one = ::stat(target_.c_str(), &old) == 0;
  if (replaces_one && old.st_nlink > 1) return overwrite(file, target_);
  if (replaces_one) take_after(file, old);
  if (partial_.empty()) {
    // A link cannot take the place of a file, so the nameless file gets a name for the moment between.
    partial_ = partial_name(folder_of(target_));
    partial_files.add(partial_);
    const std::string nameless = "/proc/self/fd/" + std::to_string(file);
    if (::linkat(AT_FDCWD, nameless.c_str(), AT_FDCWD, partial_.c_str(), AT_SYMLINK_FOLLOW) != 0) {
      const int error = errno;
      partial_files.forget(partial_);
      partial_.clear();
      return std::strerror(error);
    }
  }
  if (::rename(partial_.c_str(), target_.c_str()) != 0) return std::strerror(errno);
  partial_files.forget(partial_);
  partial_.clear();
  return "";
}

bool NewFile::commit() {
  if (stream_ == nullptr) {
    if (error_.empty()) error_ = "it was closed before";
    return false;
  }
  errno = 0;
  const bool failed_before = std::ferror(stream_) != 0;
  if (std::fflush(stream_) != 0) {
    error_ = std::strerror(errno);
  } else if (failed_before) {
    error_ = "writing failed";
  } else if (replaces_) {
    error_ = put_in_place(::fileno(stream_));
  }
  errno = 0;
  const bool closed = std::fclose(stream_) == 0;
  stream_ = nullptr;
  if (!closed && error_.empty()) error_ = std::strerror(errno != 0 ? errno : EIO);
  remove_partial();
  return error_.empty();
}

std::string write_problem(const std::string& path) {
  if (path.empty()) return "the name is empty";
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
