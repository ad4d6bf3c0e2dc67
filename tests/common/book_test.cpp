#include "../../common/listing.h"

#include <gtest/gtest.h>

#include <limits>

namespace {

using testing::ExitedWithCode;

void expect_color(float t, int red, int green, int blue) {
  const uchar4 color = heat_color(t);
  EXPECT_EQ(color.x, red) << t;
  EXPECT_EQ(color.y, green) << t;
  EXPECT_EQ(color.z, blue) << t;
}

}  // namespace

TEST(Book, HeatColorFollowsTheFormula) {
  expect_color(0, 0, 0, 0);
  expect_color(0.5f, 255, 0, 0);    // hue 0 at lightness 1/2: pure red
  expect_color(0.25f, 63, 0, 127);  // hue 270, lightness 1/4
  expect_color(1, 255, 255, 255);
}

TEST(Book, HeatColorClampsWhatIsNoTemperature) {
  expect_color(-3, 0, 0, 0);
  expect_color(7, 255, 255, 255);
  expect_color(std::numeric_limits<float>::infinity(), 255, 255, 255);
  expect_color(std::numeric_limits<float>::quiet_NaN(), 0, 0, 0);
}

TEST(Book, RandomBlocksAreTheSameEveryTime) {
  auto* a = static_cast<unsigned char*>(big_random_block(1001));
  auto* b = static_cast<unsigned char*>(big_random_block(1001));
  EXPECT_EQ(0, memcmp(a, b, 1001));
  void* none = big_random_block(0);
  EXPECT_NE(none, nullptr);
  free(a);
  free(b);
  free(none);
  EXPECT_EXIT(big_random_block(-1), ExitedWithCode(2), "negative");
}

TEST(Book, HandleErrorTellsPlaceExpressionNameAndText) {
  const cudaError_t failed = cudaErrorInvalidValue;
  EXPECT_EXIT(HANDLE_ERROR(failed), ExitedWithCode(1),
              "book_test.cpp:[0-9]+: failed: cudaErrorInvalidValue \\(.+\\)");
  int* null = nullptr;
  EXPECT_EXIT(HANDLE_NULL(null), ExitedWithCode(1), "book_test.cpp:[0-9]+: null is NULL");
}

TEST(Book, ErrorsOfTheMachineHaveAWayOut) {
  EXPECT_EXIT(HANDLE_ERROR(cudaErrorNoDevice), ExitedWithCode(77),
              "No NVIDIA GPU was found(.|\n)*emulated");
  EXPECT_EXIT(HANDLE_ERROR(cudaErrorInsufficientDriver), ExitedWithCode(77),
              "(driver of this machine is too old|No NVIDIA GPU was found)");
  EXPECT_EXIT(HANDLE_ERROR(cudaErrorNoKernelImageForDevice), ExitedWithCode(77),
              "another GPU architecture");
  EXPECT_EXIT(HANDLE_ERROR(cudaErrorUnsupportedPtxVersion), ExitedWithCode(77),
              "another GPU architecture|newer");
  EXPECT_EXIT(HANDLE_ERROR(cudaErrorInvalidDevice), ExitedWithCode(2),
              "^[a-z_]*: There is no such device: this machine has [0-9]+ device[^\n]*"
              "book_test.cpp:[0-9]+: [^\n]*cudaErrorInvalidDevice\\)\n$");
  EXPECT_EXIT(HANDLE_ERROR(cudaErrorMemoryAllocation), ExitedWithCode(1),
              "cudaErrorMemoryAllocation");
}

TEST(Book, ThreadsRunAndEnd) {
  int done[3] = {};
  CUTThread threads[3];
  for (int i = 0; i < 3; ++i) {
    threads[i] = start_thread(
        [](void* data) -> CUT_THREADPROC {
          *static_cast<int*>(data) = 1;
          CUT_THREADEND;
        },
        &done[i]);
  }
  end_thread(threads[0]);
  wait_for_threads(threads + 1, 2);
  EXPECT_EQ(done[0] + done[1] + done[2], 3);
}
