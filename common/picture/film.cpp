#include "film.h"

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <sstream>
#include <utility>
#include <vector>

#include "../fail.h"
#include "file.h"

constexpr int frames_per_second = 30;

/// A running ffmpeg that takes raw RGBA frames on its standard input. What goes wrong is returned as a clause; empty when
/// nothing does.
class FfmpegFilm {
 public:
  FfmpegFilm(std::FILE* file, const std::string& ending, int width, int height) : file_(file) {
    // vflip: our row 0 is the bottom one. gif: a palette for every frame, as one for all would keep all frames in
    // memory. mp4: H.264 with 4:2:0 colors, the kind that every player shows, needs an even width and height.
    const char* const how =
        ending == ".gif"
            ? "-vf 'vflip,split[a][b];[a]palettegen=stats_mode=single:reserve_transparent=0[p];"
              "[b][p]paletteuse=new=1:dither=bayer:bayer_scale=4' -f gif"
            : "-vf 'vflip,pad=ceil(iw/2)*2:ceil(ih/2)*2' -c:v libx264 -pix_fmt yuv420p -crf 18 -f mp4";
    std::ostringstream command;  // our open file and not its name, which may hold any character
    command << "exec ffmpeg -nostdin -hide_banner -loglevel quiet -xerror -y -f rawvideo -pix_fmt rgb0 "
               "-video_size "
            << width << "x" << height << " -framerate " << frames_per_second << " -i pipe:0 " << how
            << " file:/dev/fd/" << ::fileno(file) << " >/dev/null";
    process_ = ::popen(command.str().c_str(), "w");
  }
  ~FfmpegFilm() {
    if (process_ != nullptr) ::pclose(process_);
    std::signal(SIGPIPE, sigpipe_before_);
  }
  FfmpegFilm(const FfmpegFilm&) = delete;
  FfmpegFilm& operator=(const FfmpegFilm&) = delete;

  std::string add(ImageView frame) {
    if (process_ == nullptr) return "ffmpeg cannot be started";
    if (std::fwrite(frame.rgba, 1, frame.bytes(), process_) == frame.bytes()) return "";
    finish();
    return "ffmpeg has ended too early";
  }

  std::string finish() {
    if (::pclose(std::exchange(process_, nullptr)) != 0) return "ffmpeg failed";
    std::fseek(file_, 0, SEEK_END);
    return std::ftell(file_) > 0 ? "" : "ffmpeg wrote nothing";
  }

 private:
  void (*sigpipe_before_)(int) = std::signal(SIGPIPE, SIG_IGN);  // a write that fails tells as much
  std::FILE* file_;
  std::FILE* process_;
};

namespace {

bool has_ffmpeg() { return std::system("command -v ffmpeg >/dev/null 2>&1") == 0; }

bool is_film(const std::string& path) { return file_ending(path) == ".gif" || file_ending(path) == ".mp4"; }
bool is_numbered(const std::string& path) { return path.find('%') != std::string::npos; }

/// The name of one numbered picture; `path` has been looked at by output_problem().
std::string numbered(const std::string& path, int frame) {
  std::vector<char> name(path.size() + 20);
  std::snprintf(name.data(), name.size(), path.c_str(), frame);
  return name.data();
}

}  // namespace

std::string output_problem(const std::string& path, bool films) {
  const std::string ending = file_ending(path);
  if (is_film(path)) {
    if (!films) return path + ": a film needs an animation; this program makes one picture (.png, .ppm)";
    if (is_numbered(path)) return path + ": a film is one file, without %";
    if (!has_ffmpeg())
      return path +
             " needs the program ffmpeg (package ffmpeg), which is not installed; numbered pictures "
             "(frame_%04d.png) work without it";
  } else if (ending != ".png" && ending != ".ppm") {
    return path + ": the name must end in .png or .ppm" + (films ? ", or .gif or .mp4 for a film" : "");
  }
  if (is_numbered(path)) {
    std::size_t at = path.find('%') + 1;
    if (path[at] == '0') ++at;
    if (path[at] >= '1' && path[at] <= '9') ++at;
    if (path[at] != 'd' || path.find('%', at) != std::string::npos)
      return path + ": a % in the name must be %d or, padded with zeros, %04d, and occur once";
  }
  const NewFile trial(is_numbered(path) ? numbered(path, 0) : path);
  return trial.error().empty() ? "" : path + " cannot be written: " + trial.error();
}

FrameWriter::FrameWriter(std::string path, int width, int height)
    : path_(std::move(path)), width_(width), height_(height) {
  if (!is_film(path_)) return;
  file_ = std::make_unique<NewFile>(path_);
  must(file_->error());
  if (!has_ffmpeg()) must("ffmpeg is not installed");
  film_ = std::make_unique<FfmpegFilm>(file_->stream(), file_ending(path_), width, height);
}

FrameWriter::~FrameWriter() = default;

void FrameWriter::must(const std::string& problem) const {
  if (!problem.empty()) fail(exit_code::failed, "cannot write " + path_ + ": " + problem);
}

bool FrameWriter::wants_every_frame() const { return film_ != nullptr || is_numbered(path_); }

void FrameWriter::add(ImageView frame) {
  if (frame.width != width_ || frame.height != height_) must("a frame of another size");
  if (film_) {
    must(film_->add(frame));
  } else if (is_numbered(path_)) {
    write_image(numbered(path_, frames_), frame);
  } else {
    last_.width = frame.width;
    last_.height = frame.height;
    last_.rgba.assign(frame.rgba, frame.rgba + frame.bytes());
  }
  ++frames_;
}

std::string FrameWriter::finish() {
  if (frames_ == 0) must("there was no frame");
  if (is_numbered(path_)) {
    const std::string first = "Wrote " + absolute_path(numbered(path_, 0));
    return frames_ == 1 ? first : first + " to " + absolute_path(numbered(path_, frames_ - 1));
  }
  if (film_) {
    must(film_->finish());
    if (!file_->commit()) must(file_->error());
  } else {
    write_image(path_, last_);
  }
  return "Wrote " + absolute_path(path_);
}
