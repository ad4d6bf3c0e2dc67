#pragma once
#include <cstdio>
#include <string>

/// A file that is written beside its place and put there by commit(): whoever looks sees the old file or the
/// complete new one. Without commit() it leaves nothing behind, also when the program ends through exit() or by
/// Ctrl-C.
/// Something that is not a regular file (a device, a pipe) is written in place.
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
  void close();

  std::string target_, partial_, error_;
  std::FILE* stream_ = nullptr;
};

/// Why a file cannot be written at `path` (folder missing, not writable, a folder itself); empty when it can.
std::string write_problem(const std::string& path);

/// The ending of a file's name in small letters, with its dot: ".png".
std::string file_ending(const std::string& path);

std::string absolute_path(const std::string& path);
