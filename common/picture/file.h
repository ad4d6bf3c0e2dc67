#pragma once
#include <cstdio>
#include <optional>
#include <string>

/// A file that others (a library, several processes) write next to its place. It is removed at the
/// end of this object's life, or when the program ends earlier by exit() or a signal such as
/// Ctrl-C, unless put_in_place() has renamed it.
class PartialFile {
 public:
  explicit PartialFile(std::string path);
  ~PartialFile();
  PartialFile(const PartialFile&) = delete;
  PartialFile& operator=(const PartialFile&) = delete;

  const std::string& path() const { return path_; }
  /// Renames it to `target`. Returns the error; empty if there was none.
  std::string put_in_place(const std::string& target) const;

 private:
  std::string path_;
};

/// A file that is written next to its place and put there by commit(). So a reader sees the
/// old file or the complete new one, however the program ends. Anything but a regular file
/// (a pipe, a device) is refused.
class NewFile {
 public:
  /// Creates it; error() reports whether that worked.
  explicit NewFile(const std::string& path);
  ~NewFile();
  NewFile(const NewFile&) = delete;
  NewFile& operator=(const NewFile&) = delete;

  /// The stream to write to; null after an error.
  std::FILE* stream() const { return stream_; }
  /// The error so far ("No space left on device"); empty if there was none.
  const std::string& error() const { return error_; }
  /// Closes and renames. False if anything has gone wrong so far; error() has the reason.
  bool commit();

 private:
  std::string target_;
  std::string error_;
  std::optional<PartialFile> partial_;
  std::FILE* stream_ = nullptr;
};
