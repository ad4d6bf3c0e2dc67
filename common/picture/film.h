#pragma once
#include <memory>
#include <string>

#include "image.h"

class FilmEncoder;

/// Why `path` cannot become a picture (or, where `films` is true, also numbered pictures or a film); empty
/// when it can: known ending, folder there and writable, something that makes the film is there.
std::string output_problem(const std::string& path, bool films);

/// A path with a number in it, as frame_%04d.png.
struct NumberedPath {
  std::string before, after;
  int digits = 0;         ///< padded with zeros to this number of digits
  std::string problem;    ///< not empty: the % in the path is not of the form %d or %04d, once
  bool numbered = false;  ///< false: no % at all

  explicit NumberedPath(const std::string& path);
  std::string at(int frame) const;
};

/// Takes the frames of an animation one by one and makes of them, as the path says: one picture of the last
/// frame (.png, .ppm), numbered pictures (frame_%04d.png) or a film (.gif, .mp4) through ffmpeg; a .gif needs
/// none. Alpha is left out. Failures end the program: one sentence, exit code 1 (2 when it needs ffmpeg and
/// that is not installed).
class FrameWriter {
 public:
  FrameWriter(const std::string& path, int width, int height);
  ~FrameWriter();  ///< without finish(): nothing stays behind, except numbered pictures already written

  /// The next frame, of the width and height given above.
  void add(ImageView frame);
  /// Whether every frame counts; false when only the last one would be kept.
  bool wants_every_frame() const;
  /// Completes the file. Returns a sentence that tells the absolute path, "Wrote ...".
  std::string finish();

 private:
  std::string path_;
  NumberedPath numbered_;
  int width_, height_, frames_ = 0;
  Image last_;  // one picture: the frame so far
  std::unique_ptr<FilmEncoder> film_;
};
