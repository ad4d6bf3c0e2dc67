#include "../../common/picture/film.h"

#include <png.h>
#include <sys/resource.h>
#include <unistd.h>

#include <csignal>
#include <functional>

#include "temporary_folder.h"

namespace {

using namespace std::string_literals;  // "..."s may hold zeros
using testing::ExitedWithCode;
class ImageFile : public TemporaryFolder {};

Image sample(int width, int height) {
  Image image(width, height);
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      unsigned char* pixel = image.pixel(x, y);
      pixel[0] = static_cast<unsigned char>(x * 7);
      pixel[1] = static_cast<unsigned char>(y * 5);
      pixel[2] = static_cast<unsigned char>(x + y);
    }
  }
  return image;
}

/// Writes a PNG of any kind with libpng's own rows: `fill` makes the bytes of row y, from the top.
void write_png_of_kind(const char* path, int width, int height, int depth, int color_type,
                       const std::function<void(int y, png_byte* row)>& fill, bool interlaced = false) {
  std::FILE* file = std::fopen(path, "wb");
  png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, nullptr, nullptr, nullptr);
  png_infop info = png_create_info_struct(png);
  png_init_io(png, file);
  png_set_IHDR(png, info, width, height, depth, color_type,
               interlaced ? PNG_INTERLACE_ADAM7 : PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT,
               PNG_FILTER_TYPE_DEFAULT);
  const png_color palette[] = {{10, 20, 30}, {200, 100, 50}};
  const png_byte transparency[] = {255, 0};
  if (color_type == PNG_COLOR_TYPE_PALETTE) {
    png_set_PLTE(png, info, palette, 2);
    png_set_tRNS(png, info, transparency, 2, nullptr);
  }
  std::vector<std::vector<png_byte>> rows(height, std::vector<png_byte>(width * 8));
  std::vector<png_bytep> pointers;
  for (int y = 0; y < height; ++y) {
    fill(y, rows[y].data());
    pointers.push_back(rows[y].data());
  }
  png_set_rows(png, info, pointers.data());
  png_write_png(png, info, PNG_TRANSFORM_IDENTITY, nullptr);
  png_destroy_write_struct(&png, &info);
  std::fclose(file);
}

std::vector<int> pixel_of(const Image& image, int x, int y) {
  return {image.pixel(x, y), image.pixel(x, y) + 4};
}
using Pixel = std::vector<int>;

}  // namespace

TEST_F(ImageFile, PngAndPpmComeBackAsWritten) {
  for (const int size : {1, 2, 17}) {
    const Image image = sample(size, 2 * size + 1);
    for (const char* path : {"a.png", "a.ppm", "a.PNG"}) {
      write_image(path, image);
      const Image read = read_image(path);
      EXPECT_EQ(read.width, image.width);
      EXPECT_EQ(read.height, image.height);
      EXPECT_EQ(read.rgba, image.rgba) << path;
    }
  }
}

TEST_F(ImageFile, RowZeroIsTheLastRowOfTheFile) {
  Image image(1, 2);
  image.pixel(0, 0)[0] = 200;  // bottom
  write_image("a.ppm", image);
  EXPECT_EQ(content("a.ppm"), "P6\n1 2\n255\n\0\0\0\xc8\0\0"s);
}

TEST_F(ImageFile, AlphaIsKeptInPngWhereThereIsAny) {
  Image image(2, 1);
  write_image("opaque.png", image);
  EXPECT_EQ(content("opaque.png")[25], PNG_COLOR_TYPE_RGB);
  image.pixel(1, 0)[3] = 77;
  write_image("a.png", image);
  EXPECT_EQ(read_image("a.png").rgba, image.rgba);
  EXPECT_EQ(try_write_image("window.png", image, false), "");
  EXPECT_EQ(read_image("window.png").pixel(1, 0)[3], 255);
}

TEST_F(ImageFile, ReadsPngsOfEveryKind) {
  write_png_of_kind("bit.png", 9, 2, 1, PNG_COLOR_TYPE_GRAY, [](int y, png_byte* row) {
    row[0] = y == 0 ? 0x80 : 0;
    row[1] = 0x80;
  });
  EXPECT_EQ(pixel_of(read_image("bit.png"), 0, 1), Pixel({255, 255, 255, 255}));
  EXPECT_EQ(pixel_of(read_image("bit.png"), 1, 1), Pixel({0, 0, 0, 255}));
  EXPECT_EQ(pixel_of(read_image("bit.png"), 8, 0), Pixel({255, 255, 255, 255}));

  write_png_of_kind("gray.png", 1, 1, 8, PNG_COLOR_TYPE_GRAY, [](int, png_byte* row) { row[0] = 99; });
  EXPECT_EQ(pixel_of(read_image("gray.png"), 0, 0), Pixel({99, 99, 99, 255}));

  const auto gray_alpha = [](int, png_byte* row) {
    row[0] = 99;
    row[1] = 50;
  };
  write_png_of_kind("ga.png", 1, 1, 8, PNG_COLOR_TYPE_GRAY_ALPHA, gray_alpha);
  EXPECT_EQ(pixel_of(read_image("ga.png"), 0, 0), Pixel({99, 99, 99, 50}));

  write_png_of_kind("palette.png", 2, 1, 8, PNG_COLOR_TYPE_PALETTE, [](int, png_byte* row) { row[1] = 1; });
  EXPECT_EQ(pixel_of(read_image("palette.png"), 0, 0), Pixel({10, 20, 30, 255}));
  EXPECT_EQ(pixel_of(read_image("palette.png"), 1, 0), Pixel({200, 100, 50, 0}));

  const auto deep = [](int, png_byte* row) {
    for (int c = 0; c < 3; ++c) row[2 * c] = row[2 * c + 1] = static_cast<png_byte>(60 * (c + 1));
  };
  write_png_of_kind("deep.png", 1, 1, 16, PNG_COLOR_TYPE_RGB, deep);
  EXPECT_EQ(pixel_of(read_image("deep.png"), 0, 0), Pixel({60, 120, 180, 255}));

  const auto gradient = [](int y, png_byte* row) {
    for (int x = 0; x < 20; ++x) row[3 * x] = static_cast<png_byte>(x + 20 * y % 256);
  };
  write_png_of_kind("interlaced.png", 20, 10, 8, PNG_COLOR_TYPE_RGB, gradient, true);
  EXPECT_EQ(read_image("interlaced.png").pixel(19, 9)[0], 19);
}

TEST_F(ImageFile, ReadsPpmsWithCommentsAndOtherDepths) {
  write("a.ppm", "P6 # a comment\n# another\n2\t1\n15\n\x0f\0\x08\x01\x02\x03"s);
  EXPECT_EQ(pixel_of(read_image("a.ppm"), 0, 0), Pixel({255, 0, 136, 255}));
  write("b.ppm", "P6\n1 1\n65535\n\xff\xff\x80\x80\0\0"s);
  EXPECT_EQ(pixel_of(read_image("b.ppm"), 0, 0), Pixel({255, 128, 0, 255}));
}

TEST_F(ImageFile, WhatCannotBeReadIsWrongUse) {
  write_image("good.png", sample(50, 50));
  const std::string good = content("good.png");
  write("cut.png", good.substr(0, good.size() / 2));
  write("header.png", good.substr(0, 20));
  std::string bent = good;
  bent[good.size() / 2] = static_cast<char>(bent[good.size() / 2] ^ 0x55);
  write("bent.png", bent);
  std::string huge = good;
  huge.replace(16, 8, std::string("\x7f\xff\xff\xff\x7f\xff\xff\xff", 8));
  write("huge.png", huge);
  write("empty.png", "");
  write("text.png", "hello");
  for (const char* path : {"cut.png", "header.png", "bent.png", "huge.png"}) {
    EXPECT_EXIT(read_image(path), ExitedWithCode(2), std::string("cannot read the picture ") + path) << path;
  }
  EXPECT_EXIT(read_image("empty.png"), ExitedWithCode(2), "it is empty");
  EXPECT_EXIT(read_image("text.png"), ExitedWithCode(2), "neither a PNG nor a P6");
  EXPECT_EXIT(read_image("none.png"), ExitedWithCode(2), "none.png: No such file");
  EXPECT_EXIT(read_image("."), ExitedWithCode(2), "cannot read");
}

TEST_F(ImageFile, BadPpmsAreWrongUse) {
  for (const char* text :
       {"P6\n2 2\n255\n123", "P6\n0 2\n255\n", "P6\n2 2\n0\n", "P6\n2 2\n70000\n", "P6\n-2 2\n255\n", "P6\n",
        "P6\n99999 99999\n255\n", "P6\n9999999999999999999999 1\n255\n", "P6 2 x 255\n"}) {
    write("bad.ppm", text);
    EXPECT_EXIT(read_image("bad.ppm"), ExitedWithCode(2), "cannot read the picture bad.ppm") << text;
  }
}

#if !defined(__SANITIZE_ADDRESS__)  // which needs more addresses than the limit leaves
TEST_F(ImageFile, HeadersThatPromiseMoreThanTheFileTakeNoMemory) {
  const auto read_with_little_memory = [](const char* path) {
    const rlimit little{200 << 20, 200 << 20};
    setrlimit(RLIMIT_AS, &little);
    read_image(path);
  };
  write("large.ppm", "P6\n8000 8000\n255\n123");
  EXPECT_EXIT(read_with_little_memory("large.ppm"), ExitedWithCode(2), "it ends too early");
  // A PNG of one pixel whose header says 8000 x 8000, with the header's checksum (PNG specification, annex D).
  write_image("large.png", Image(1, 1));
  std::string png = content("large.png");
  png.replace(16, 8, std::string("\0\0\x1f\x40\0\0\x1f\x40", 8));
  std::uint32_t checksum = 0xffffffff;
  for (std::size_t i = 12; i < 29; ++i) {
    checksum ^= static_cast<unsigned char>(png[i]);
    for (int bit = 0; bit < 8; ++bit) checksum = checksum >> 1 ^ (checksum & 1 ? 0xedb88320 : 0);
  }
  for (int byte = 0; byte < 4; ++byte) png[29 + byte] = static_cast<char>(~checksum >> (24 - 8 * byte));
  write("large.png", png);
  EXPECT_EXIT(read_with_little_memory("large.png"), ExitedWithCode(2), "it ends too early");
}
#endif

TEST_F(ImageFile, WriteFailuresAreSentencesAndLeaveNothingBehind) {
  const Image image = sample(8, 8);
  std::filesystem::create_directory("folder.png");
  std::filesystem::create_symlink("/dev/full", "full.png");
  const long before = files();
  EXPECT_EXIT(write_image("none/a.png", image), ExitedWithCode(1), "cannot write none/a.png: No such file");
  EXPECT_EXIT(write_image("folder.png", image), ExitedWithCode(1), "cannot write folder.png: ");
  EXPECT_EXIT(write_image("full.png", image), ExitedWithCode(1), "full.png: it is not a regular file");
  EXPECT_EXIT(write_image("a.jpg", image), ExitedWithCode(1), "end in .png or .ppm");
  EXPECT_EXIT(write_image("a.png", Image()), ExitedWithCode(1), "the picture is empty");
  EXPECT_EQ(files(), before);
}

TEST_F(ImageFile, AFailureKeepsTheOlderFile) {
  for (const char* path : {"old.png", "old.ppm"}) {
    write(path, "precious");
    const auto write_with_little_room = [path] {
      const rlimit little{10000, 10000};
      setrlimit(RLIMIT_FSIZE, &little);
      std::signal(SIGXFSZ, SIG_IGN);
      Image noise(300, 300);
      for (std::size_t i = 0; i < noise.rgba.size(); ++i)
        noise.rgba[i] = static_cast<unsigned char>(i * i >> 7 | 1);
      write_image(path, noise);
    };
    EXPECT_EXIT(write_with_little_room(), ExitedWithCode(1), "File too large");
    EXPECT_EQ(content(path), "precious");
  }
  EXPECT_EQ(files(), 2);
}

TEST_F(ImageFile, ALinkStaysALink) {
  write("real.png", "");
  std::filesystem::create_symlink("real.png", "link.png");
  write_image("link.png", sample(3, 3));
  EXPECT_TRUE(std::filesystem::is_symlink("link.png"));
  EXPECT_EQ(read_image("real.png").rgba, sample(3, 3).rgba);
}

TEST_F(ImageFile, OutputProblemNamesWhatIsWrong) {
  std::filesystem::create_directory("folder.png");
  EXPECT_EQ(output_problem("a.png", false), "");
  EXPECT_EQ(output_problem("a_%04d.ppm", true), "");
  EXPECT_NE(output_problem("a", true).find("must end in"), std::string::npos);
  EXPECT_NE(output_problem("a.gif", false).find("needs an animation"), std::string::npos);
  EXPECT_NE(output_problem("none/a.png", false).find("No such file"), std::string::npos);
  EXPECT_NE(output_problem("folder.png", false).find("is a folder"), std::string::npos);
  EXPECT_NE(output_problem("a_%s.png", true).find("%04d"), std::string::npos);
  EXPECT_NE(output_problem("a_%d_%d.png", true).find("once"), std::string::npos);
  EXPECT_NE(output_problem("100%.png", true).find("%04d"), std::string::npos);
  write("file", "");
  EXPECT_NE(output_problem("file/a.png", true).find("Not a directory"), std::string::npos);
  EXPECT_NE(output_problem("/proc/a.png", true).find("cannot be written"), std::string::npos);
  EXPECT_EQ(files(), 2);  // trying left nothing behind
}

TEST_F(ImageFile, UnwritableFolderAndFile) {
  namespace fs = std::filesystem;
  fs::create_directory("locked");
  write("locked.png", "");
  fs::permissions("locked.png", fs::perms::owner_read);
  fs::permissions("locked", fs::perms::owner_read | fs::perms::owner_exec);
  fs::permissions(".", fs::perms::all);
  const auto print_problem = [](const char* path) {
    // Root may write everywhere; so become an unprivileged user (65534).
    if (geteuid() == 0 && setuid(65534) != 0) std::exit(9);
    std::fprintf(stderr, "%s", output_problem(path, false).c_str());
    std::exit(0);
  };
  EXPECT_EXIT(print_problem("locked/a.png"), ExitedWithCode(0),
              "cannot be written: (Permission denied|No such file)");
  EXPECT_EXIT(print_problem("locked.png"), ExitedWithCode(0),
              "locked.png cannot be written: Permission denied");
  EXPECT_EXIT(print_problem("free.png"), ExitedWithCode(0), "^$");
}
