#include "../../common/random.h"

#include <gtest/gtest.h>

#include <vector>

TEST(Random, GivesTheKnownValuesOfSplitMix64) {
  Random random(1234567);
  for (const std::uint64_t expected :
       {6457827717110365317u, 3203168211198807973u, 9817491932198370423u, 4593380528125082431u,
        16408922859458223821u}) {
    EXPECT_EQ(random.bits(), expected);
  }
}

TEST(Random, UniformInARangeKeepsTheRange) {
  Random random(7);
  for (int i = 0; i < 100000; ++i) {
    const float value = random.uniform(-500, 500);
    ASSERT_GE(value, -500.0f);
    ASSERT_LT(value, 500.0f);
  }
  // Here nearly every sum rounds to an end of the range.
  for (int i = 0; i < 1000; ++i) ASSERT_LT(random.uniform(16777216.0f, 16777218.0f), 16777218.0f);
}

TEST(Random, BytesAreTheSameForEveryLength) {
  std::vector<unsigned char> many(1 << 10), few(13);
  fill_random_bytes(many, 5);
  fill_random_bytes(few, 5);
  EXPECT_TRUE(std::equal(few.begin(), few.end(), many.begin()));
  fill_random_bytes({}, 1);
}
