#pragma once
#include <memory>
#include <string>

#include "image.h"

/// The reason why `path` cannot become a picture (or, if `films` is true, also
/// numbered pictures or a film). It is empty if the ending is known, the folder
/// exists and is writable, and the program that makes the film exists.
std::string output_problem(const std::string& path, bool films);

/// Receives the frames of an animation one by one. The path decides the result: one picture of the
/// last frame (.png, .ppm), numbered pictures (frame_%04d.png) or a film (.gif, .mp4) through
/// ffmpeg. Alpha is left out. Failures end the program: one sentence, exit code 1.
class FrameWriter {
 public:
  /// `path` must have no output_problem().
  FrameWriter(std::string path, int width, int height);
  ~FrameWriter();  ///< without finish() only numbered pictures already written remain

  /// The next frame, of the width and height given above; a picture keeps the last.
  void add(ImageView frame);
  /// Whether every frame counts; false when only the last one is kept.
  bool wants_every_frame() const;
  /// Completes the file. Returns a sentence with the absolute path, "Wrote ...".
  std::string finish();

 private:
  void must(const std::string& problem) const;  ///< ends the program unless it is empty

  std::string path_;
  int frames_ = 0;
  std::unique_ptr<class NewFile> file_;  // a film
  std::unique_ptr<class FfmpegFilm> film_;
};
