#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>

#include "../../common/picture/film.h"
#include "temporary_folder.h"

namespace {

using testing::ExitedWithCode;

class Film : public TemporaryFolder {
 protected:
  static Image frame(int number, int width, int height) {
    Image image(width, height);
    for (int y = 0; y < height; ++y) {
      // The upper half red, the lower half blue; the green grows from frame to frame.
      for (int x = 0; x < width; ++x) {
        unsigned char* pixel = image.pixel(x, y);
        pixel[y < height / 2 ? 2 : 0] = 220;
        pixel[1] = static_cast<unsigned char>(20 * number);
        pixel[3] = 0;  // must not matter
      }
    }
    return image;
  }

  static std::string make(const std::string& path, int frames, int width, int height) {
    FrameWriter writer(path, width, height);
    for (int i = 0; i < frames; ++i) writer.add(frame(i, width, height));
    return writer.finish();
  }

  static bool has_ffmpeg() { return std::system("ffmpeg -version >/dev/null 2>&1") == 0; }
};

}  // namespace

TEST_F(Film, OnePictureOfTheLastFrame) {
  EXPECT_EQ(make("a.png", 3, 5, 4), "Wrote " + (folder_ / "a.png").string());
  const Image image = read_image("a.png");
  EXPECT_EQ(image.pixel(0, 0)[1], 40);
  EXPECT_EQ(image.pixel(0, 0)[2], 220);
  EXPECT_EQ(image.pixel(0, 0)[3], 255);
}

TEST_F(Film, NumberedPictures) {
  EXPECT_EQ(make("a_%04d_b.png", 3, 5, 4), "Wrote " + (folder_ / "a_0000_b.png").string() + " to " +
                                               (folder_ / "a_0002_b.png").string());
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(read_image("a_000" + std::to_string(i) + "_b.png").pixel(0, 0)[1], 20 * i);
  }
  make("n%d.png", 11, 1, 1);
  EXPECT_TRUE(std::filesystem::exists("n10.png"));
}

TEST_F(Film, GifAndMp4HoldAllFramesTheRightWayUp) {
  if (!has_ffmpeg()) GTEST_SKIP() << "ffmpeg is not installed";
  for (const std::string path : {"it's a film.gif", "b.mp4"}) {
    EXPECT_EQ(make(path, 5, 33, 17), "Wrote " + (folder_ / path).string());
    EXPECT_EQ(files(), 1) << "something was left beside it";
    ASSERT_EQ(
        std::system(("ffmpeg -v error -i \"" + path + "\" -vsync passthrough f_%d.png").c_str()),
        0);
    EXPECT_TRUE(std::filesystem::exists("f_5.png"));
    EXPECT_FALSE(std::filesystem::exists("f_6.png"));
    const Image last = read_image("f_5.png");
    EXPECT_EQ(last.width, path == "b.mp4" ? 34 : 33);
    EXPECT_EQ(last.height, path == "b.mp4" ? 18 : 17);
    // Palettes, dithering and 4:2:0 colors shift a level by up to about 20.
    EXPECT_NEAR(last.pixel(10, 15)[0], 220, 20);
    EXPECT_NEAR(last.pixel(10, 4)[2], 220, 20);
    EXPECT_NEAR(last.pixel(10, 4)[1], 80, 20);
    EXPECT_NEAR(last.pixel(10, 4)[0], 0, 20);
    std::filesystem::remove(path);
    for (int i = 1; i <= 5; ++i) std::filesystem::remove("f_" + std::to_string(i) + ".png");
  }
}

TEST_F(Film, WithoutFfmpegOneSentenceBeforeAnyWork) {
  const EnvironmentVariable path("PATH", "/nonexistent");
  for (const char* film : {"a.gif", "a.mp4"})
    EXPECT_NE(output_problem(film, true).find("package ffmpeg"), std::string::npos) << film;
}

TEST_F(Film, FailuresOfFfmpegAreReportedAndKeepTheOlderFile) {
  if (!has_ffmpeg()) GTEST_SKIP() << "ffmpeg is not installed";
  std::filesystem::create_symlink("/dev/full", "full.mp4");
  EXPECT_EXIT(make("full.mp4", 3, 64, 64), ExitedWithCode(1), "full.mp4: it is not a regular file");
  EXPECT_EXIT(make("huge.mp4", 1, 20000, 4), ExitedWithCode(1), "huge.mp4: ffmpeg ");
  for (const std::string path : {"old.gif", "old.mp4"}) {
    write(path, "precious");
    const auto with_little_room = [&path] {
      const rlimit little{5000, 5000};
      setrlimit(RLIMIT_FSIZE, &little);
      std::signal(SIGXFSZ, SIG_IGN);  // the write fails, as on a full disk
      Image noise(200, 200);
      for (std::size_t i = 0; i < noise.rgba.size(); ++i)
        noise.rgba[i] = static_cast<unsigned char>(i * i >> 7);
      FrameWriter writer(path, 200, 200);
      for (int i = 0; i < 10; ++i) writer.add(noise);
      writer.finish();
    };
    EXPECT_EXIT(with_little_room(), ExitedWithCode(1), path + ": ffmpeg ");
    EXPECT_EQ(content(path), "precious");
  }
  EXPECT_EQ(files(), 3);
}

TEST_F(Film, AnUnfinishedFilmLeavesNothingBehind) {
  if (!has_ffmpeg()) GTEST_SKIP() << "ffmpeg is not installed";
  {
    FrameWriter writer("a.mp4", 16, 16);
    writer.add(frame(0, 16, 16));
  }
  EXPECT_EQ(files(), 0);
  const auto exit_in_the_middle = [] {
    FrameWriter writer("a.gif", 16, 16);
    writer.add(frame(0, 16, 16));
    std::exit(5);  // as HANDLE_ERROR does
  };
  EXPECT_EXIT(exit_in_the_middle(), ExitedWithCode(5), "");
  EXPECT_EQ(files(), 0);
}
