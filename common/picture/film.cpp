#include "film.h"

#include "../fail.h"
#include "encoder.h"
#include "file.h"

namespace {

bool is_film(const std::string& path) { return file_ending(path) == ".gif" || file_ending(path) == ".mp4"; }

/// Why no film can be made here; empty when one can. ffmpeg makes both kinds, and the better .gif.
std::string no_encoder(const std::string& path) {
  if (program_found("ffmpeg") || (file_ending(path) == ".gif" && has_gif_encoder)) return "";
  if (file_ending(path) == ".mp4")
    return "an .mp4 needs the program ffmpeg (package ffmpeg), which is not installed" +
           std::string(has_gif_encoder ? "; a .gif does not" : "");
  return "a .gif needs the program ffmpeg (package ffmpeg), which is not installed, or a build with giflib "
         "(package libgif-dev)";
}

}  // namespace

NumberedPath::NumberedPath(const std::string& path) : before(path) {
  const std::size_t percent = path.find('%');
  if (percent == std::string::npos) return;
  numbered = true;
  std::size_t end = percent + 1;
  if (end < path.size() && path[end] == '0') ++end;
  if (end < path.size() && path[end] >= '1' && path[end] <= '9') digits = path[end++] - '0';
  if (end >= path.size() || path[end] != 'd' || path.find('%', end) != std::string::npos) {
    problem = "a % in the name must be %d or, padded with zeros, %04d, and stand there once";
    return;
  }
  before = path.substr(0, percent);
  after = path.substr(end + 1);
}

std::string NumberedPath::at(int frame) const {
  if (!numbered) return before;
  std::string number = std::to_string(frame);
  if (static_cast<int>(number.size()) < digits) number.insert(0, digits - number.size(), '0');
  return before + number + after;
}

std::string output_problem(const std::string& path, bool films) {
  const std::string ending = file_ending(path);
  if (is_film(path)) {
    if (!films) return path + ": a film needs an animation; this program makes one picture (.png, .ppm)";
    if (std::string problem = no_encoder(path); !problem.empty()) return problem;
  } else if (ending != ".png" && ending != ".ppm") {
    return path + ": the name must end in .png or .ppm" + (films ? ", or .gif or .mp4 for a film" : "");
  }
  const NumberedPath numbered(path);
  if (!numbered.problem.empty()) return path + ": " + numbered.problem;
  if (numbered.numbered && is_film(path)) return path + ": a film is one file, without %";
  return write_problem(numbered.at(0));
}

FrameWriter::FrameWriter(const std::string& path, int width, int height)
    : path_(path), numbered_(path), width_(width), height_(height) {
  if (!is_film(path)) return;
  const std::string problem = no_encoder(path);
  if (!problem.empty()) fail(exit_code::wrong_use, problem);
  film_ = program_found("ffmpeg") ? ffmpeg_encoder(path, width, height) : gif_encoder(path, width, height);
}

FrameWriter::~FrameWriter() = default;

bool FrameWriter::wants_every_frame() const { return film_ != nullptr || numbered_.numbered; }

void FrameWriter::add(ImageView frame) {
  if (frame.width != width_ || frame.height != height_) {
    fail(exit_code::failed, "cannot write " + path_ + ": a frame of another size");
  }
  if (film_) {
    film_->add(frame);
  } else if (numbered_.numbered) {
    const std::string problem = try_write_image(numbered_.at(frames_), frame, false);
    if (!problem.empty()) fail(exit_code::failed, problem);
  } else {
    last_.width = frame.width;
    last_.height = frame.height;
    last_.rgba.assign(frame.rgba, frame.rgba + frame.bytes());
  }
  ++frames_;
}

std::string FrameWriter::finish() {
  if (frames_ == 0) fail(exit_code::failed, "cannot write " + path_ + ": there was no frame");
  if (numbered_.numbered) {
    const std::string first = absolute_path(numbered_.at(0));
    if (frames_ == 1) return "Wrote " + first;
    return "Wrote " + first + " to " + absolute_path(numbered_.at(frames_ - 1));
  }
  if (film_) {
    film_->finish();
  } else {
    const std::string problem = try_write_image(path_, last_, false);
    if (!problem.empty()) fail(exit_code::failed, problem);
  }
  return "Wrote " + absolute_path(path_);
}
