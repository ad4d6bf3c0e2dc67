#include "file.h"

#include <errno.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <utility>

namespace fs = std::filesystem;

namespace {

// The names of this process's partial files. They are in plain memory: a
// signal handler may do hardly anything but unlink().
std::array<std::atomic<char*>, 8> partial_names;

void remove_partial_files() {
  for (const auto& name : partial_names)
    if (const char* path = name) ::unlink(path);
}

void remove_them_at_the_end() {
  std::atexit(remove_partial_files);
  std::at_quick_exit(remove_partial_files);
  for (const int signal :
       {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE, SIGALRM, SIGXCPU, SIGXFSZ, SIGUSR1, SIGUSR2}) {
    struct sigaction action = {};
    ::sigaction(signal, nullptr, &action);
    if (action.sa_handler != SIG_DFL) continue;  // ignored (nohup), or the program's own
    action.sa_handler = [](int caught) {
      remove_partial_files();
      ::raise(caught);  // ends the program as without a handler: SA_RESETHAND
    };
    action.sa_flags = SA_RESETHAND;
    ::sigaction(signal, &action, nullptr);
  }
}

}  // namespace

PartialFile::PartialFile(std::string path) : path_(std::move(path)) {
  static const bool prepared = (remove_them_at_the_end(), true);
  static_cast<void>(prepared);
  char* name = ::strdup(path_.c_str());
  for (auto& place : partial_names)
    if (char* none = nullptr; place.compare_exchange_strong(none, name)) return;
  // The table is full, which never happens in use: only the destructor removes this file.
  std::free(name);
}

PartialFile::~PartialFile() {
  ::unlink(path_.c_str());  // already gone if it was put in place
  for (auto& place : partial_names)
    if (place != nullptr && path_ == place.load()) std::free(place.exchange(nullptr));
}

std::string PartialFile::put_in_place(const std::string& target) const {
  return ::rename(path_.c_str(), target.c_str()) == 0 ? "" : std::strerror(errno);
}

NewFile::NewFile(const std::string& path) {
  std::error_code none;
  std::error_code unknown;
  const fs::path target = fs::weakly_canonical(path, unknown);  // not a link, but its target
  const fs::file_status old = fs::status(target, none);
  target_ = target.string();
  if (unknown) {
    error_ = unknown.message();
  } else if (fs::exists(old) && !fs::is_regular_file(old)) {
    error_ = fs::is_directory(old) ? "it is a folder" : "it is not a regular file";
  } else if (fs::exists(old) && ::access(target_.c_str(), W_OK) != 0) {
    error_ = std::strerror(errno);
  } else {
    static std::atomic<int> number = 0;
    partial_.emplace(target.parent_path() /
                     (".partial-" + std::to_string(::getpid()) + "-" + std::to_string(number++)));
    stream_ = std::fopen(partial_->path().c_str(), "wbx");
    if (stream_ == nullptr) error_ = std::strerror(errno);
    if (stream_ != nullptr && fs::exists(old))
      fs::permissions(partial_->path(), old.permissions(), none);
  }
}

NewFile::~NewFile() {
  if (stream_ != nullptr) std::fclose(stream_);
}

bool NewFile::commit() {
  errno = 0;
  const bool failed_before = std::ferror(stream_) != 0;
  const bool closed = std::fclose(std::exchange(stream_, nullptr)) == 0;
  if (failed_before || !closed)
    error_ = errno != 0 ? std::strerror(errno) : "writing failed";
  else
    error_ = partial_->put_in_place(target_);
  partial_.reset();
  return error_.empty();
}
