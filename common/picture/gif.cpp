// GIF films through giflib, for machines without ffmpeg.
#include "encoder.h"

#ifndef HAVE_GIFLIB

const bool has_gif_encoder = false;
std::unique_ptr<FilmEncoder> gif_encoder(const std::string&, int, int) { return nullptr; }

#else

#include <gif_lib.h>

#include <vector>

#include "../fail.h"
#include "file.h"

namespace {

class GifEncoder : public FilmEncoder {
 public:
  GifEncoder(const std::string& path, int width, int height)
      : path_(path), file_(path), width_(width), height_(height) {
    if (!file_.error().empty()) stop(file_.error());
    constexpr int most = 65535;
    if (width > most || height > most) stop("a .gif has at most 65535 pixels per side");
    const auto write = [](GifFileType* gif, const GifByteType* bytes, int count) -> int {
      return static_cast<int>(std::fwrite(bytes, 1, count, static_cast<std::FILE*>(gif->UserData)));
    };
    gif_ = EGifOpen(file_.stream(), write, &error_);
    if (gif_ == nullptr) stop(GifErrorString(error_));
    EGifSetGifVersion(gif_, true);  // 89a: with extensions
    must(EGifPutScreenDesc(gif_, width, height, 8, 0, nullptr));
    // The film begins again at its end, for ever: an extension that Netscape invented and all browsers know.
    const unsigned char forever[3] = {1, 0, 0};
    must(EGifPutExtensionLeader(gif_, APPLICATION_EXT_FUNC_CODE));
    must(EGifPutExtensionBlock(gif_, 11, "NETSCAPE2.0"));
    must(EGifPutExtensionBlock(gif_, sizeof forever, forever));
    must(EGifPutExtensionTrailer(gif_));
  }
  ~GifEncoder() override {
    if (gif_ != nullptr) EGifCloseFile(gif_, &error_);
  }
  GifEncoder(const GifEncoder&) = delete;
  GifEncoder& operator=(const GifEncoder&) = delete;

  void add(ImageView frame) override {
    // Rows from the top; each color channel by itself, as giflib wants them.
    const std::size_t pixels = static_cast<std::size_t>(width_) * height_;
    std::vector<GifByteType> red(pixels), green(pixels), blue(pixels), indices(pixels);
    std::size_t out = 0;
    for (int y = height_ - 1; y >= 0; --y) {
      const unsigned char* in = frame.rgba + std::size_t{4} * y * width_;
      for (int x = 0; x < width_; ++x, in += 4, ++out) {
        red[out] = in[0];
        green[out] = in[1];
        blue[out] = in[2];
      }
    }
    std::vector<GifColorType> colors(256);
    int count = 256;
    if (GifQuantizeBuffer(width_, height_, &count, red.data(), green.data(), blue.data(), indices.data(),
                          colors.data()) == GIF_ERROR)
      stop("not enough memory for a palette");
    ColorMapObject* palette = GifMakeMapObject(256, colors.data());
    if (palette == nullptr) stop("not enough memory for a palette");
    // Frame i begins at i / rate seconds, in hundredths: 3, 3, 4, ... at 30 frames per second.
    const std::size_t begin = frames_ * 100 / frames_per_second,
                      end = (frames_ + 1) * 100 / frames_per_second;
    const GraphicsControlBlock control{DISPOSE_DO_NOT, false, static_cast<int>(end - begin),
                                       NO_TRANSPARENT_COLOR};
    GifByteType packed[4];
    EGifGCBToExtension(&control, packed);
    must(EGifPutExtension(gif_, GRAPHICS_EXT_FUNC_CODE, sizeof packed, packed));
    const int described = EGifPutImageDesc(gif_, 0, 0, width_, height_, false, palette);
    GifFreeMapObject(palette);
    must(described);
    for (int y = 0; y < height_; ++y)
      must(EGifPutLine(gif_, indices.data() + static_cast<std::size_t>(y) * width_, width_));
    ++frames_;
  }

  void finish() override {
    const int closed = EGifCloseFile(gif_, &error_);
    gif_ = nullptr;
    if (closed == GIF_ERROR) stop(GifErrorString(error_));
    // Every write was ours, and commit() knows of each that failed: no need to look at the film (film_check.h).
    if (!file_.commit()) stop(file_.error());
  }

 private:
  void must(int result) const {
    if (result == GIF_ERROR) stop(GifErrorString(gif_->Error));
  }
  [[noreturn]] void stop(const char* problem) const {
    stop(std::string(problem != nullptr ? problem : "writing failed"));
  }
  [[noreturn]] void stop(const std::string& problem) const {
    fail(exit_code::failed, "cannot write " + path_ + ": " + problem);
  }

  std::string path_;
  NewFile file_;
  int width_, height_;
  std::size_t frames_ = 0;
  GifFileType* gif_ = nullptr;
  int error_ = 0;
};

}  // namespace

const bool has_gif_encoder = true;

std::unique_ptr<FilmEncoder> gif_encoder(const std::string& path, int width, int height) {
  return std::make_unique<GifEncoder>(path, width, height);
}

#endif
