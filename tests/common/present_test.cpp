#include <stdlib.h>

#include <algorithm>

#include "../../common/cpu_anim.h"
#include "../../common/cpu_bitmap.h"
#include "../../common/options.h"
#include "temporary_folder.h"

namespace {

using testing::ExitedWithCode;
class Present : public TemporaryFolder {
 protected:
  Present() { unsetenv("DISPLAY"); }
};

Options headless(Common declared, const std::string& output) {
  Options options("sample", declared);
  options.headless = true;
  options.output = output;
  return options;
}

}  // namespace

TEST_F(Present, AStillGoesToTheFileGiven) {
  CPUBitmap bitmap(3, 2);
  EXPECT_EQ(bitmap.image_size(), 24);
  bitmap.get_ptr()[0] = 200;  // alpha stays 0: what a window shows is opaque all the same
  testing::internal::CaptureStdout();
  EXPECT_EQ(bitmap.show(headless(Common::picture, "a.png")), 0);
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "Wrote " + (folder_ / "a.png").string() + "\n");
  const Image image = read_image("a.png");
  EXPECT_EQ(image.width, 3);
  EXPECT_EQ(image.height, 2);
  EXPECT_EQ(image.pixel(0, 0)[0], 200);
  EXPECT_EQ(image.pixel(0, 0)[3], 255);
}

TEST_F(Present, WithoutADisplayASentenceAndAFileWithTheName) {
  Options options("sample", Common::picture);
  testing::internal::CaptureStderr();
  EXPECT_EQ(CPUBitmap(3, 2).show(options), 0);
  const std::string sentence = testing::internal::GetCapturedStderr();
  EXPECT_NE(sentence.find("sample: no window can be opened ("), std::string::npos) << sentence;
  EXPECT_EQ(std::count(sentence.begin(), sentence.end(), '\n'), 1);
  EXPECT_TRUE(std::filesystem::exists("sample.png"));
  const EnvironmentVariable display("DISPLAY", ":987");
  EXPECT_EQ(CPUBitmap(3, 2).show(options), 0);
}

TEST_F(Present, AWindowDemandedWithoutADisplay) {
  Options options("sample", Common::picture);
  options.window = true;
  EXPECT_EXIT(CPUBitmap(3, 2).show(options), ExitedWithCode(3),
              "--window: no window can be opened");
}

TEST_F(Present, AnAnimationDrawsItsFrames) {
  CPUAnimBitmap bitmap(2, 2);
  Options options = headless(Common::animation, "a_%02d.png");
  options.frames = 3;
  std::vector<int> frames;
  const auto draw = [&](int frame) {
    frames.push_back(frame);
    bitmap.get_ptr()[0] = static_cast<unsigned char>(100 + frame);
  };
  EXPECT_EQ(bitmap.animate(options, draw), 0);
  EXPECT_EQ(frames, (std::vector<int>{0, 1, 2}));
  EXPECT_EQ(read_image("a_00.png").pixel(0, 0)[0], 100);
  EXPECT_EQ(read_image("a_02.png").pixel(0, 0)[0], 102);
  options.output = "last.png";
  bitmap.animate(options, draw);
  EXPECT_EQ(read_image("last.png").pixel(0, 0)[0], 102);
  // A sample whose picture shows the first frame: its film moves, unless --frames 1 is typed.
  options.frames = 1;
  frames.clear();
  bitmap.animate(options, draw);
  EXPECT_EQ(frames.size(), 1u);
  options.output = "b_%02d.png";
  frames.clear();
  bitmap.animate(options, draw);
  EXPECT_EQ(frames.size(), 30u);
  options.frames_given = true;
  frames.clear();
  bitmap.animate(options, draw);
  EXPECT_EQ(frames.size(), 1u);
  EXPECT_EQ(files(), 4 + 30);
}

TEST_F(Present, WhereNothingCanBeWrittenThatIsSaidOnce) {
  std::filesystem::create_directories("nothing/below");
  std::filesystem::current_path("nothing/below");
  std::filesystem::remove_all(folder_ / "nothing");  // also the superuser can write nothing here
  const Options options = headless(Common::animation, "");
  EXPECT_EXIT(CPUAnimBitmap(2, 2).animate(options, [](int) {}), ExitedWithCode(1),
              "^[a-z_]*: sample.png cannot be written: [^\n]*\n$");
  std::filesystem::current_path(folder_);
}

TEST_F(Present, TheBooksCallsObeyTheEnvironmentAndReturn) {
  const EnvironmentVariable one("SAMPLES_HEADLESS", "1"), two("SAMPLES_OUTPUT", "a.png"),
      three("SAMPLES_FRAMES", "4");
  struct DataBlock {
    CPUAnimBitmap* bitmap;
    int last_tick = 0, freed = 0;
  } data;
  CPUAnimBitmap bitmap(2, 2, &data);
  data.bitmap = &bitmap;
  bitmap.click_drag([](void*, int, int, int, int) {});
  bitmap.anim_and_exit(
      [](void* block, int ticks) { static_cast<DataBlock*>(block)->last_tick = ticks; },
      [](void* block) { static_cast<DataBlock*>(block)->freed++; });
  EXPECT_EQ(data.last_tick, 4) << "the book counts from 1";
  EXPECT_EQ(data.freed, 1);
  CPUBitmap still(2, 2, &data);
  still.display_and_exit([](void* block) { static_cast<DataBlock*>(block)->freed++; });
  EXPECT_EQ(data.freed, 2);
  still.display_and_exit();
  EXPECT_TRUE(std::filesystem::exists("a.png"));
}
