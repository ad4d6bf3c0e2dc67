#pragma once
#include <cstdio>
#include <optional>
#include <string>

/// A file that others write beside its place (a library, several processes): removed at the end of
/// this object's life, and when the program ends before by exit() or a signal such as Ctrl-C,
/// unless put_in_place() has renamed it.
class PartialFile {
 public:
  explicit PartialFile(std::string path);
  ~PartialFile();
  PartialFile(const PartialFile&) = delete;
  PartialFile& operator=(const PartialFile&) = delete;

  const std::string& path() const { return path_; }
  /// Renames it to `target`; what went wrong, empty when nothing did.
  std::string put_in_place(const std::string& target) const;

 private:
  std::string path_;
};

/// A file that is written beside its place and put there by commit(): a reader sees the
/// old file or the complete new one, however the program ends. What is no regular file
/// (a pipe, a device) is refused.
class NewFile {
 public:
  /// Creates it; error() tells whether that worked.
  explicit NewFile(const std::string& path);
  ~NewFile();
  NewFile(const NewFile&) = delete;
  NewFile& operator=(const NewFile&) = delete;

  /// The stream to write to; null after an error.
  std::FILE* stream() const { return stream_; }
  /// What went wrong so far ("No space left on device"); empty when nothing did.
  const std::string& error() const { return error_; }
  /// Closes and renames. False, and error() says why, when anything since the beginning went wrong.
  bool commit();

 private:
  std::string target_;
  std::string error_;
  std::optional<PartialFile> partial_;
  std::FILE* stream_ = nullptr;
};
