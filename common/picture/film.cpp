#include "film.h"

#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <sstream>
#include <utility>
#include <vector>

#ifdef HAVE_GIFLIB
#include <gif_lib.h>
#endif

#include "../fail.h"
#include "file.h"

constexpr int frames_per_second = 30;

/// What makes a film of frames. What goes wrong is returned as a clause; empty when nothing does.
class FilmMaker {
 public:
  virtual ~FilmMaker() = default;
  virtual std::string add(ImageView frame) = 0;
  virtual std::string finish() = 0;
};

namespace {

/// A running ffmpeg that takes raw RGBA frames on its standard input; an error is reported in a sentence of ours.
class FfmpegFilm : public FilmMaker {
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
  ~FfmpegFilm() override {
    if (process_ != nullptr) ::pclose(process_);
    std::signal(SIGPIPE, sigpipe_before_);
  }
  FfmpegFilm(const FfmpegFilm&) = delete;
  FfmpegFilm& operator=(const FfmpegFilm&) = delete;

  std::string add(ImageView frame) override {
    if (process_ == nullptr) return "ffmpeg cannot be started";
    if (std::fwrite(frame.rgba, 1, frame.bytes(), process_) == frame.bytes()) return "";
    finish();
    return "ffmpeg has ended too early";
  }

  std::string finish() override {
    if (::pclose(std::exchange(process_, nullptr)) != 0) return "ffmpeg failed";
    std::fseek(file_, 0, SEEK_END);
    return std::ftell(file_) > 0 ? "" : "ffmpeg wrote nothing";
  }

 private:
  void (*sigpipe_before_)(int) = std::signal(SIGPIPE, SIG_IGN);  // a write that fails tells as much
  std::FILE* file_;
  std::FILE* process_;
};

bool has_ffmpeg() {
  const char* path = std::getenv("PATH");
  std::istringstream folders(path != nullptr ? path : "/usr/bin:/bin");
  for (std::string folder; std::getline(folders, folder, ':');)
    if (::access(((folder.empty() ? "." : folder) + "/ffmpeg").c_str(), X_OK) == 0) return true;
  return false;
}

#ifdef HAVE_GIFLIB
constexpr bool has_giflib = true;

/// A .gif where there is no ffmpeg.
class GifFilm : public FilmMaker {
 public:
  GifFilm(std::FILE* file, int width, int height) : width_(width), height_(height) {
    const auto write = [](GifFileType* gif, const GifByteType* bytes, int count) -> int {
      return static_cast<int>(std::fwrite(bytes, 1, count, static_cast<std::FILE*>(gif->UserData)));
    };
    gif_ = EGifOpen(file, write, nullptr);
    if (gif_ == nullptr) return;
    EGifSetGifVersion(gif_, true);  // 89a: with extensions
    // The film begins again at its end, for ever: an extension that Netscape invented and all browsers know.
    const unsigned char forever[3] = {1, 0, 0};
    good_ = EGifPutScreenDesc(gif_, width, height, 8, 0, nullptr) &&
            EGifPutExtensionLeader(gif_, APPLICATION_EXT_FUNC_CODE) &&
            EGifPutExtensionBlock(gif_, 11, "NETSCAPE2.0") &&
            EGifPutExtensionBlock(gif_, sizeof forever, forever) && EGifPutExtensionTrailer(gif_);
  }
  ~GifFilm() override { finish(); }
  GifFilm(const GifFilm&) = delete;
  GifFilm& operator=(const GifFilm&) = delete;

  std::string add(ImageView frame) override {
    // Rows from the top; each color channel separately, as giflib requires.
    const std::size_t pixels = static_cast<std::size_t>(width_) * height_;
    std::vector<GifByteType> channels[3], indices(pixels);
    for (int c = 0; c < 3; ++c)
      for (int y = height_ - 1; y >= 0; --y)
        for (int x = 0; x < width_; ++x)
          channels[c].push_back(frame.rgba[4 * (static_cast<std::size_t>(y) * width_ + x) + c]);
    std::vector<GifColorType> colors(256);
    int count = 256;
    good_ = good_ && GifQuantizeBuffer(width_, height_, &count, channels[0].data(), channels[1].data(),
                                       channels[2].data(), indices.data(), colors.data());
    ColorMapObject* palette = GifMakeMapObject(256, colors.data());
    // Frame i begins at i / rate seconds, in hundredths: 3, 3, 4, ... at 30 frames per second.
    const int begin = frames_ * 100 / frames_per_second, end = (frames_ + 1) * 100 / frames_per_second;
    const GraphicsControlBlock control{DISPOSE_DO_NOT, false, end - begin, NO_TRANSPARENT_COLOR};
    GifByteType packed[4];
    EGifGCBToExtension(&control, packed);
    good_ = good_ && palette != nullptr &&
            EGifPutExtension(gif_, GRAPHICS_EXT_FUNC_CODE, sizeof packed, packed) &&
            EGifPutImageDesc(gif_, 0, 0, width_, height_, false, palette);
    GifFreeMapObject(palette);
    for (int y = 0; y < height_; ++y)
      good_ = good_ && EGifPutLine(gif_, indices.data() + static_cast<std::size_t>(y) * width_, width_);
    ++frames_;
    return good_ ? "" : "the .gif cannot be made";
  }

  std::string finish() override {
    if (gif_ != nullptr) good_ = EGifCloseFile(std::exchange(gif_, nullptr), nullptr) && good_;
    return good_ ? "" : "the .gif cannot be made";
  }

 private:
  int width_, height_, frames_ = 0;
  bool good_ = false;
  GifFileType* gif_ = nullptr;
};

std::unique_ptr<FilmMaker> gif_film(std::FILE* file, int width, int height) {
  return std::make_unique<GifFilm>(file, width, height);
}
#else
constexpr bool has_giflib = false;
std::unique_ptr<FilmMaker> gif_film(std::FILE*, int, int) { return nullptr; }
#endif

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
    if (!has_ffmpeg() && (ending == ".mp4" || !has_giflib))
      return path + " needs the program ffmpeg (package ffmpeg), which is not installed" +
             (has_giflib ? "; a .gif does not" : "");
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
  const std::string ending = file_ending(path_);
  if (has_ffmpeg())
    film_ = std::make_unique<FfmpegFilm>(file_->stream(), ending, width, height);
  else if (ending == ".gif" && has_giflib)
    film_ = gif_film(file_->stream(), width, height);
  else
    must("ffmpeg is not installed");
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
