#pragma once
#include <cstdio>
#include <string>

/// A file that is written beside its place and put there by commit(): whoever looks sees the old file or the
/// complete new one. Without commit() it leaves nothing behind, however the program ends (where the file
/// system knows no files without a name: also by exit(), Ctrl-C and the like, but not by SIGKILL). A symbolic
/// link stays a link, the permissions of the older file stay, and so do its other names (hard links).
/// Something that is not a regular file (a device, a pipe) is written in place; a pipe waits for its reader.
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
  std::string put_in_place(int file);
  void remove_partial();

  std::string target_, error_;
  std::string partial_;  // the name of the file so far; empty while it has none
  bool replaces_ = false;
  std::FILE* stream_ = nullptr;
};

/// A file that others write beside its place (a library, several processes): removed at the end of this object's life or
/// when the program ends as said above, unless put_in_place() has renamed it.
class PartialFile {
 public:
  explicit PartialFile(std::string path);
  ~PartialFile();
  PartialFile(const PartialFile&) = delete;
  PartialFile& operator=(const PartialFile&) = delete;

  /// Renames it to `target`; what went wrong, empty when nothing did.
  std::string put_in_place(const std::string& target);

 private:
  std::string path_;
};

/// Why a file cannot be written at `path` (folder missing, not writable, a folder itself); empty when it can.
std::string write_problem(const std::string& path);

/// The ending of a file's name in small letters, with its dot: ".png".
std::string file_ending(const std::string& path);

std::string absolute_path(const std::string& path);
