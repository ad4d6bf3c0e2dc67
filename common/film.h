#pragma once
#include <string>

/// The ending of a file's name in small letters, with its dot: ".png".
std::string file_ending(const std::string& path);

/// A path with a number in it, as frame_%04d.png.
struct NumberedPath {
  std::string before, after;
  int digits = 0;         ///< padded with zeros to so many
  std::string problem;    ///< not empty: the % in the path is not of the form %d or %04d, once
  bool numbered = false;  ///< false: no % at all

  explicit NumberedPath(const std::string& path);
  std::string at(int frame) const;
};
