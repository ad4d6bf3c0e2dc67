#include "../../common/picture/film.h"

#include <sys/resource.h>
#include <unistd.h>

#include <csignal>

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

}  // namespace

TEST_F(ImageFile, PngsComeBackAsWritten) {
  for (const int size : {1, 2, 17}) {
    const Image image = sample(size, 2 * size + 1);
    for (const char* path : {"a.png", "a.PNG"}) {
      write_image(path, image);
      const Image read = read_image(path);
      EXPECT_EQ(read.width, image.width);
      EXPECT_EQ(read.height, image.height);
      EXPECT_EQ(read.rgba, image.rgba) << path;
    }
  }
}

TEST_F(ImageFile, RowZeroIsTheLastRowOfTheFileAndAlphaIsInNone) {
  Image image(1, 2);
  image.pixel(0, 0)[0] = 200;  // bottom
  image.pixel(0, 0)[3] = 77;
  write_image("a.ppm", image);
  EXPECT_EQ(content("a.ppm"), "P6\n1 2\n255\n\0\0\0\xc8\0\0"s);
  write_image("a.png", image);
  EXPECT_EQ(read_image("a.png").pixel(0, 0)[0], 200);
  EXPECT_EQ(read_image("a.png").pixel(0, 0)[3], 255);
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
  write("text.png", "this is no picture");
  for (const char* path : {"cut.png", "header.png", "bent.png", "huge.png", "empty.png", "."}) {
    EXPECT_EXIT(read_image(path), ExitedWithCode(2), std::string("cannot read the picture ") + path)
        << path;
  }
  EXPECT_EXIT(read_image("text.png"), ExitedWithCode(2), "Not a PNG");
  EXPECT_EXIT(read_image("none.png"), ExitedWithCode(2), "none.png: No such file");
}

TEST_F(ImageFile, WriteFailuresAreSentencesAndLeaveNothingBehind) {
  const Image image = sample(8, 8);
  std::filesystem::create_directory("folder.png");
  std::filesystem::create_symlink("/dev/full", "full.png");
  const long before = files();
  EXPECT_EXIT(write_image("none/a.png", image), ExitedWithCode(1),
              "cannot write none/a.png: No such file");
  EXPECT_EXIT(write_image("folder.png", image), ExitedWithCode(1), "cannot write folder.png: ");
  EXPECT_EXIT(write_image("full.png", image), ExitedWithCode(1),
              "full.png: it is not a regular file");
  EXPECT_EXIT(write_image("a.jpg", image), ExitedWithCode(1), "end in .png or .ppm");
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

TEST_F(ImageFile, LinksAndPermissionsStay) {
  write("real.png", "");
  const auto own = std::filesystem::perms::owner_read | std::filesystem::perms::owner_write;
  std::filesystem::permissions("real.png", own);
  std::filesystem::create_symlink("real.png", "link.png");
  write_image("link.png", sample(3, 3));
  EXPECT_TRUE(std::filesystem::is_symlink("link.png"));
  EXPECT_EQ(std::filesystem::status("real.png").permissions(), own);
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
