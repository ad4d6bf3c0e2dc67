#include "../../common/check.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "../../common/picture/image.h"
#include "temporary_folder.h"

namespace {

constexpr float nan_value = std::numeric_limits<float>::quiet_NaN();
constexpr float infinity = std::numeric_limits<float>::infinity();

bool near(const std::vector<float>& got, const std::vector<float>& expected, float tolerance) {
  return check_near("values", got, expected, tolerance);
}

}  // namespace

TEST(Check, EqualFindsTheFirstDifferenceAndCounts) {
  const std::vector<int> expected{1, 2, 3, 4, 5};
  std::vector<int> got = expected;
  EXPECT_TRUE(check_equal("numbers", got, expected));
  got[2] = 7;
  got[4] = 8;
  testing::internal::CaptureStderr();
  EXPECT_FALSE(check_equal<int>("numbers", got, expected));
  EXPECT_EQ(testing::internal::GetCapturedStderr(),
            "numbers: first wrong at index 2: got 7, expected 3; 2 of 5 are wrong\n");
  got.pop_back();
  EXPECT_FALSE(check_equal("numbers", got, expected));
  EXPECT_TRUE(check_equal("nothing", std::vector<int>(), std::vector<int>()));
}

TEST(Check, EqualPrintsBytesAsNumbers) {
  testing::internal::CaptureStderr();
  EXPECT_FALSE(
      check_equal("bytes", std::vector<unsigned char>{65}, std::vector<unsigned char>{66}));
  EXPECT_NE(testing::internal::GetCapturedStderr().find("got 65, expected 66"), std::string::npos);
}

TEST(Check, NearUsesTheTolerance) {
  EXPECT_TRUE(near({1.0f, 100.0f}, {1.5f, 100.5f}, 0.5f));
  EXPECT_FALSE(near({1.0f}, {1.51f}, 0.5f));
  EXPECT_TRUE(near({65}, {64}, 1));
  EXPECT_FALSE(near({66.5f}, {64}, 2));
  EXPECT_FALSE(near({1, 2}, {1}, 1));
}

TEST(Check, NaNNeverPasses) {
  EXPECT_FALSE(near({nan_value}, {1}, 1e30f));
  EXPECT_FALSE(near({1}, {nan_value}, 1e30f));
  EXPECT_FALSE(near({nan_value}, {nan_value}, 1e30f));
  EXPECT_FALSE(near({1}, {1}, nan_value));
  EXPECT_FALSE(check_equal("nan", std::vector<float>{nan_value}, std::vector<float>{nan_value}));
}

TEST(Check, InfinitiesAgreeOnlyWithThemselves) {
  EXPECT_TRUE(near({infinity}, {infinity}, 0));
  EXPECT_FALSE(near({infinity}, {-infinity}, 1));
  EXPECT_FALSE(near({1}, {infinity}, 1));
  EXPECT_FALSE(near({infinity}, {1}, infinity));
}

TEST(Check, ImagesWithinTheTolerance) {
  const Image expected(4, 3);
  Image got(4, 3);
  got.pixel(1, 2)[1] = 3;
  EXPECT_TRUE(check_images("picture", got, expected, 3));
  testing::internal::CaptureStderr();
  EXPECT_FALSE(check_images("picture", got, expected, 2));
  EXPECT_EQ(testing::internal::GetCapturedStderr(),
            "picture: first wrong at pixel (1, 2): got (0, 3, 0, 255), expected (0, 0, 0, 255); 1 "
            "of 12 are wrong\n");
  EXPECT_FALSE(check_images("picture", Image(3, 4), expected, 255));
}

TEST(Check, ACorruptedResultNeverPasses) {
  const EnvironmentVariable corrupt("SAMPLES_CORRUPT", "1");
  const std::vector<int> numbers{1, 2, 3};
  const std::vector<float> values{1, 2, 3};
  EXPECT_FALSE(check_equal("numbers", numbers, numbers));
  EXPECT_FALSE(check_equal("one", std::vector<int>{1}, std::vector<int>{1}));
  EXPECT_FALSE(near(values, values, 1e30f));
  EXPECT_FALSE(check_images("picture", Image(4, 3), Image(4, 3), 100));
  EXPECT_EQ(numbers, (std::vector<int>{1, 2, 3})) << "the caller's data stays as it is";
  const EnvironmentVariable off("SAMPLES_CORRUPT", "0");
  EXPECT_TRUE(check_equal("numbers", numbers, numbers));
}

TEST(Check, VerdictIsALineAndAnExitCode) {
  testing::internal::CaptureStdout();
  EXPECT_EQ(verdict("ray", true), 0);
  EXPECT_EQ(verdict("ray", false), 1);
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "PASS ray\nFAIL ray\n");
}
