// Where a picture lies in a window, and which pixel the mouse is at.
#include <gtest/gtest.h>

#include "../../common/picture/fit.h"

TEST(Fit, AsLargeAsFitsInTheMiddle) {
  const Image picture(300, 200);
  const Fit same(300, 200, picture), wide(600, 200, picture), high(300, 600, picture),
      tiny(1, 1, picture);
  EXPECT_EQ(same.left + same.bottom, 0);
  EXPECT_EQ(same.width, 300);
  EXPECT_EQ(wide.left, 150);
  EXPECT_EQ(wide.width, 300);
  EXPECT_EQ(high.bottom, 200);
  EXPECT_EQ(high.height, 200);
  EXPECT_EQ(tiny.width, 1);
  EXPECT_EQ(tiny.height, 1);
}

TEST(Fit, ThePixelUnderTheMouse) {
  const Image picture(300, 200);
  EXPECT_EQ(Fit(300, 200, picture).picture_point(10, 20), (Point{10, 179}));
  EXPECT_EQ(Fit(600, 400, picture).picture_point(599, 0), (Point{299, 199}));
  EXPECT_EQ(Fit(600, 200, picture).picture_point(160, 199), (Point{10, 0}));
  EXPECT_EQ(Fit(600, 200, picture).picture_point(0, 300), (Point{0, 0})) << "the nearest one";
}

TEST(Fit, ATitleLosesWhatMattersLeastWhereABarWouldCutItsEnd) {
  const Title title{"heat", "25 steps", "256 x 256", "30 frames/s", "33 ms", "emulated"};
  EXPECT_EQ(fitting_text(title, 600), "heat  25 steps  256 x 256  30 frames/s  33 ms  emulated");
  EXPECT_EQ(fitting_text(title, 450), "heat  25 steps  256 x 256  33 ms  emulated");
  EXPECT_EQ(fitting_text(title, 350), "heat  25 steps  33 ms  emulated");
  EXPECT_EQ(fitting_text(title, 256), "heat  25 steps  emulated");
  EXPECT_EQ(fitting_text(title, 1), "heat  25 steps  emulated");
  EXPECT_EQ(fitting_text({"ray", "", "256 x 256", "", "", ""}, 512), "ray  256 x 256");
}

TEST(Fit, ASmallerPictureHasTheMeanColors) {
  Image picture(4, 2);
  picture.pixel(0, 0)[0] = 200;
  picture.pixel(3, 1)[2] = 100;
  const std::vector<unsigned char> small = shrunk(picture, 2, 1);
  EXPECT_EQ(small, (std::vector<unsigned char>{50, 0, 0, 255, 0, 0, 25, 255}));
}
