#pragma once
#include <memory>
#include <string>

#include "image.h"

constexpr int frames_per_second = 30;

/// What makes a film of frames: an ffmpeg process or, for .gif, giflib.
class FilmEncoder {
 public:
  virtual ~FilmEncoder() = default;
  /// The next frame, of the size given to the maker. Failures end the program: one sentence, exit code 1.
  virtual void add(ImageView frame) = 0;
  /// Completes the file and puts it in its place.
  virtual void finish() = 0;
};

/// Whether a program of that name can be started.
bool program_found(const std::string& program);

/// A film through an ffmpeg process; the ending of `path` (.gif, .mp4) says which kind.
std::unique_ptr<FilmEncoder> ffmpeg_encoder(const std::string& path, int width, int height);

/// A .gif without ffmpeg. Only where has_gif_encoder.
std::unique_ptr<FilmEncoder> gif_encoder(const std::string& path, int width, int height);
extern const bool has_gif_encoder;
