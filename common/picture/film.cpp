#include "film.h"

#include <errno.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sstream>
#include <string_view>
#include <utility>
#include <vector>

#include "../fail.h"
#include "file.h"

constexpr int frames_per_second = 30;

/// A running ffmpeg that reads raw RGBA frames from its standard input. Functions return an error
/// as a clause, else an empty string.
class FfmpegFilm {
 public:
  FfmpegFilm(std::FILE* file, const std::string& ending, int width, int height) : file_(file) {
    // vflip: our row 0 is the bottom one. gif: a palette for every frame, because one for all would
    // keep all frames in memory. mp4: H.264 with 4:2:0 colors, which every player shows, needs an
    // even width and height.
    const char* const how =
        ending == ".gif"
            ? "-vf 'vflip,split[a][b];[a]palettegen=stats_mode=single:reserve_transparent=0[p];"
              "[b][p]paletteuse=new=1:dither=bayer:bayer_scale=4' -f gif"
            : "-vf 'vflip,pad=ceil(iw/2)*2:ceil(ih/2)*2' -c:v libx264 -pix_fmt yuv420p -crf 18 -f "
              "mp4";
    std::ostringstream command;  // our open file and not its name, which may hold any character
    command
        << "exec ffmpeg -nostdin -hide_banner -loglevel error -xerror -y -f rawvideo -pix_fmt rgb0 "
           "-video_size "
        << width << "x" << height << " -framerate " << frames_per_second << " -i pipe:0 " << how
        << " file:/dev/fd/" << ::fileno(file) << " >/dev/null";
    process_ = ::popen(command.str().c_str(), "w");
    if (process_ == nullptr)
      problem_ = std::string("ffmpeg cannot be started: ") + std::strerror(errno);
  }
  ~FfmpegFilm() {
    if (process_ != nullptr) ::pclose(process_);
    std::signal(SIGPIPE, sigpipe_before_);
  }
  FfmpegFilm(const FfmpegFilm&) = delete;
  FfmpegFilm& operator=(const FfmpegFilm&) = delete;

  std::string add(ImageView frame) {
    if (process_ == nullptr) return problem_;
    return std::fwrite(frame.rgba, 1, frame.bytes(), process_) == frame.bytes() ? "" : failed;
  }

  std::string finish() {
    if (process_ == nullptr) return problem_;
    if (::pclose(std::exchange(process_, nullptr)) != 0) return failed;
    return is_film_now() ? "" : "the file that ffmpeg wrote is not a film";
  }

 private:
  /// Does ffprobe find a picture in it? Even an ffmpeg that returns 0 may have written anything.
  bool is_film_now() const {
    const std::string command =
        "exec ffprobe -v quiet -select_streams v -show_entries stream=width -of csv=p=0 "
        "file:/dev/fd/" +
        std::to_string(::fileno(file_)) + " 2>/dev/null </dev/null";
    std::FILE* const probe = ::popen(command.c_str(), "r");
    if (probe == nullptr) return false;
    int width = 0;
    const bool found = std::fscanf(probe, "%d", &width) == 1 && width > 0;
    return ::pclose(probe) == 0 && found;
  }

  static constexpr const char* failed = "ffmpeg failed (its reason, if it gave one, is above)";
  std::string problem_;
  void (*sigpipe_before_)(int) = std::signal(SIGPIPE, SIG_IGN);  // a failed write shows the same
  std::FILE* file_;
  std::FILE* process_;
};

namespace {

/// Is there a program of this name? It starts without a shell, which may fail for other reasons.
bool is_installed(const std::string& program) {
  const char* const path = std::getenv("PATH");
  std::istringstream folders(path != nullptr ? path : "/usr/bin:/bin");
  for (std::string folder; std::getline(folders, folder, ':');)
    if (::access(((folder.empty() ? "." : folder) + "/" + program).c_str(), X_OK) == 0) return true;
  return false;
}

// ffprobe inspects ffmpeg's output; both are in one package.
bool has_ffmpeg() { return is_installed("ffmpeg") && is_installed("ffprobe"); }

bool is_film(const std::string& path) {
  return file_ending(path) == ".gif" || file_ending(path) == ".mp4";
}
bool is_numbered(const std::string& path) {
  return !is_film(path) && path.find('%') != std::string::npos;
}

/// Is it a valid name for numbered pictures, with one %d, or %04d and the like?
bool has_one_number(std::string_view path) {
  path.remove_prefix(path.find('%') + 1);
  if (path.starts_with('0')) path.remove_prefix(1);
  if (!path.empty() && path[0] >= '1' && path[0] <= '9') path.remove_prefix(1);
  return path.starts_with('d') && path.find('%') == path.npos;
}

/// The name of one numbered picture; output_problem() has checked `path`.
std::string numbered(const std::string& path, int frame) {
  std::vector<char> name(path.size() + 20);
  std::snprintf(name.data(), name.size(), path.c_str(), frame);
  return name.data();
}

}  // namespace

std::string output_problem(const std::string& path, bool films) {
  const std::string ending = file_ending(path);
  if (is_film(path)) {
    if (!films)
      return path + ": a film needs an animation; this program makes one picture (.png, .ppm)";
    if (!has_ffmpeg())
      return path +
             " needs the program ffmpeg (package ffmpeg), which is not installed; numbered "
             "pictures (frame_%04d.png) work without it";
  } else if (ending != ".png" && ending != ".ppm") {
    return path + ": the name must end in .png or .ppm" +
           (films ? ", or .gif or .mp4 for a film" : "");
  }
  if (is_numbered(path) && !has_one_number(path))
    return path + ": a % in the name must be %d or, padded with zeros, %04d, and occur once";
  const NewFile trial(is_numbered(path) ? numbered(path, 0) : path);
  return trial.error().empty() ? "" : path + " cannot be written: " + trial.error();
}

FrameWriter::FrameWriter(std::string path, int width, int height) : path_(std::move(path)) {
  if (!is_film(path_)) return;
  file_ = std::make_unique<NewFile>(path_);
  must(file_->error());
  film_ = std::make_unique<FfmpegFilm>(file_->stream(), file_ending(path_), width, height);
}

FrameWriter::~FrameWriter() = default;

void FrameWriter::must(const std::string& problem) const {
  if (!problem.empty()) fail(exit_code::failed, "cannot write " + path_ + ": " + problem);
}

bool FrameWriter::wants_every_frame() const { return film_ != nullptr || is_numbered(path_); }

void FrameWriter::add(ImageView frame) {
  if (film_)
    must(film_->add(frame));
  else
    write_image(is_numbered(path_) ? numbered(path_, frames_) : path_, frame);
  ++frames_;
}

std::string FrameWriter::finish() {
  if (is_numbered(path_)) {
    const std::string first = "Wrote " + absolute_path(numbered(path_, 0));
    return frames_ == 1 ? first : first + " to " + absolute_path(numbered(path_, frames_ - 1));
  }
  if (film_) {
    must(film_->finish());
    if (!file_->commit()) must(file_->error());
  }
  return "Wrote " + absolute_path(path_);
}
