#include "../../common/picture/draw.h"

#include <gtest/gtest.h>

#include <limits>

namespace {

constexpr Color ink{255, 255, 255};

int ink_count(const Image& image) {
  int count = 0;
  for (std::size_t i = 0; i < image.rgba.size(); i += 4) count += image.rgba[i] == 255;
  return count;
}

}  // namespace

TEST(Draw, RectanglesAreFilledAndClipped) {
  Image image(10, 8);
  fill_rect(image, 2, 3, 4, 2, ink);
  EXPECT_EQ(ink_count(image), 8);
  EXPECT_EQ(image.pixel(2, 3)[0], 255);
  EXPECT_EQ(image.pixel(5, 4)[0], 255);
  EXPECT_EQ(image.pixel(6, 4)[0], 0);
  fill_rect(image, -100, -100, 1000, 1000, Color{1, 2, 3});
  EXPECT_EQ(image.pixel(9, 7)[2], 3);
  fill_rect(image, 3, 3, 0, 5, ink);
  fill_rect(image, 3, 3, -5, 5, ink);
  fill_rect(image, std::numeric_limits<int>::max(), 0, std::numeric_limits<int>::max(), 5, ink);
  EXPECT_EQ(ink_count(image), 0);
}

TEST(Draw, TextHasItsWidthAndStandsUpright) {
  EXPECT_EQ(text_width(""), 0);
  EXPECT_EQ(text_width("A"), 5);
  EXPECT_EQ(text_width("AB", 3), 33);
  EXPECT_EQ(text_height(2), 14);
  Image image(20, 20);
  draw_text(image, 3, 4, "L", ink);
  for (int x = 3; x < 8; ++x)
    EXPECT_EQ(image.pixel(x, 4)[0], 255) << "the foot of the L is its lowest row";
  for (int y = 4; y < 11; ++y) EXPECT_EQ(image.pixel(3, y)[0], 255);
  EXPECT_EQ(ink_count(image), 11);
}

TEST(Draw, TwoBarsPerLabelWithALegend) {
  const std::vector<Bar> bars{{"a", 10, 5}, {"b", 2.5, 10}};
  const Image image = bar_chart(
      {.title = "Title", .x_axis = "", .y_axis = "ms", .value = "first", .beside = "second"}, bars,
      640, 480);
  std::vector<int> blue(2), orange(2);
  for (int y = 57; y < 340; ++y) {  // below the legend
    for (int x = 0; x < image.width; ++x) {
      const unsigned char* pixel = image.pixel(x, y);
      if (pixel[0] == 40 && pixel[2] == 170) blue[x < 342 ? 0 : 1]++;
      if (pixel[0] == 235 && pixel[2] == 40) orange[x < 342 ? 0 : 1]++;
    }
  }
  EXPECT_GT(blue[1], 1000);
  EXPECT_NEAR(orange[0], 2 * blue[1], 0.1 * orange[0]);
  EXPECT_GT(blue[0], 3 * blue[1]);
  EXPECT_NEAR(orange[1], blue[0], 0.02 * blue[0]);
}

TEST(Draw, ChartsOfOddInput) {
  for (const auto& [width, height] : {std::pair{1, 1}, {40, 30}, {300, 60}, {2000, 100}}) {
    EXPECT_EQ(bar_chart({"A title that is too long for it", "x", "y"}, {}, width, height).width,
              width);
    const std::vector<Bar> many(256, {"255", 1e12});
    EXPECT_EQ(bar_chart({"t", "x", "y"}, many, width, height).height, height);
    const std::vector<Bar> zero(3, {"0", 0});
    bar_chart({"t", "x", "y"}, zero, width, height);
  }
}

TEST(Draw, TheWordsOfAChartDoNotTouchEachOther) {
  const std::vector<Bar> bars{{"1", 10, 5}, {"32", 2.5, 10}};
  const ChartWords words{.title = "Title",
                         .x_axis = "axis below",
                         .y_axis = "ms",
                         .note = "warning",
                         .value = "first",
                         .beside = "second"};
  for (const int size : {256, 512, 1024}) {
    const Image image = bar_chart(words, bars, size, size);
    // Above the bars: title, warning, legend, unit; below them: labels and the axis' name.
    int groups = 0;
    bool before = false;
    for (int y = 0; y < size; ++y) {
      int ink = 0;
      for (int x = 0; x < size; ++x) {
        const unsigned char* const pixel = image.pixel(x, y);
        const bool white = pixel[0] == 255 && pixel[1] == 255 && pixel[2] == 255;
        ink += !white;
      }
      if (ink > 0 && !before) ++groups;
      before = ink > 0;
    }
    EXPECT_GE(groups, 7) << size << ": six lines of words, and the bars between them";
  }
}
