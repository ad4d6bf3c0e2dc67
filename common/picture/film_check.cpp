#include "film_check.h"

#include <cstdint>

namespace {

/// Reads numbers one after another and remembers when the file ended too early.
class Reader {
 public:
  explicit Reader(std::FILE* file) : file_(file) {
    std::fseek(file_, 0, SEEK_END);
    end_ = static_cast<std::uint64_t>(std::ftell(file_));
    seek(0);
  }

  std::uint64_t place() const { return place_; }
  std::uint64_t end() const { return end_; }
  bool too_short() const { return too_short_; }

  void seek(std::uint64_t place) {
    too_short_ = too_short_ || place > end_;
    place_ = place;
    std::fseek(file_, static_cast<long>(place), SEEK_SET);
  }
  void skip(std::uint64_t bytes) { seek(place_ + bytes); }

  unsigned byte() {
    const int c = std::getc(file_);
    too_short_ = too_short_ || c == EOF;
    ++place_;
    return c == EOF ? 0 : static_cast<unsigned>(c);
  }
  std::uint64_t big_endian(int bytes) {
    std::uint64_t number = 0;
    for (int i = 0; i < bytes; ++i) number = number << 8 | byte();
    return number;
  }

 private:
  std::FILE* file_;
  std::uint64_t place_ = 0, end_ = 0;
  bool too_short_ = false;
};

void skip_gif_blocks(Reader& file) {
  for (unsigned size = file.byte(); size != 0 && !file.too_short(); size = file.byte()) file.skip(size);
}

/// A color table of 2^(n+1) colors, if the flags announce one.
void skip_gif_colors(Reader& file, unsigned flags) {
  if ((flags & 0x80) != 0) file.skip(3u << ((flags & 7) + 1));
}

/// The number of pictures; no value when it does not end as a GIF does.
bool count_gif_frames(Reader& file, std::size_t& frames) {
  file.skip(10);  // "GIF89a", width, height
  const unsigned flags = file.byte();
  file.skip(2);
  skip_gif_colors(file, flags);
  while (!file.too_short()) {
    switch (file.byte()) {
      case 0x3b:  // the trailer
        return !file.too_short() && file.place() == file.end();
      case 0x21:  // an extension: its label, then blocks
        file.byte();
        skip_gif_blocks(file);
        break;
      case 0x2c: {  // a picture: place and size, flags, first code size, blocks
        file.skip(8);
        skip_gif_colors(file, file.byte());
        file.byte();
        skip_gif_blocks(file);
        ++frames;
        break;
      }
      default:
        return false;
    }
  }
  return false;
}

constexpr std::uint32_t box(const char (&name)[5]) {
  std::uint32_t number = 0;
  for (int i = 0; i < 4; ++i) number = number << 8 | static_cast<unsigned char>(name[i]);
  return number;
}

struct Mp4Content {
  bool moov = false, mdat = false;
  std::size_t frames = 0;
};

/// The boxes from here to `end`, which they must fill exactly.
bool read_mp4_boxes(Reader& file, std::uint64_t end, Mp4Content& content) {
  while (file.place() < end) {
    const std::uint64_t start = file.place();
    std::uint64_t size = file.big_endian(4);
    const auto type = static_cast<std::uint32_t>(file.big_endian(4));
    if (size == 1) size = file.big_endian(8);
    if (size == 0) size = end - start;  // up to the end
    if (file.too_short() || size < file.place() - start || size > end - start) return false;
    content.moov = content.moov || type == box("moov");
    content.mdat = content.mdat || type == box("mdat");
    const bool holds_boxes = type == box("moov") || type == box("trak") || type == box("mdia") ||
                             type == box("minf") || type == box("stbl");
    if (holds_boxes && !read_mp4_boxes(file, start + size, content)) return false;
    if (type == box("stsz")) {  // the sizes of the samples, which are our frames
      file.skip(8);
      content.frames += file.big_endian(4);
    }
    file.seek(start + size);
  }
  return !file.too_short() && file.place() == end;
}

}  // namespace

std::string film_problem(std::FILE* stream, const std::string& ending, std::size_t frames) {
  Reader file(stream);
  std::size_t found = 0;
  bool complete = false;
  if (file.end() == 0) return "it wrote nothing";
  if (ending == ".gif") {
    complete = count_gif_frames(file, found);
  } else {
    Mp4Content content;
    complete = read_mp4_boxes(file, file.end(), content) && content.moov && content.mdat;
    found = content.frames;
  }
  if (!complete) return "the file is incomplete; is the disk full?";
  if (found != frames)
    return "the file holds " + std::to_string(found) + " of " + std::to_string(frames) + " frames";
  return "";
}
