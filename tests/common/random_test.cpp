#include "../../common/random.h"

#include <gtest/gtest.h>

#include <array>
#include <vector>

TEST(Random, GivesTheKnownValuesOfSplitMix64) {
  Random random(1234567);
  for (const std::uint64_t expected : {6457827717110365317u, 3203168211198807973u, 9817491932198370423u,
                                       4593380528125082431u, 16408922859458223821u}) {
    EXPECT_EQ(random.bits(), expected);
  }
}

TEST(Random, UniformIsEvenAndNeverOne) {
  Random random(1);
  std::array<int, 16> bins{};
  constexpr int count = 160000;
  for (int i = 0; i < count; ++i) {
    const float u = random.uniform();
    ASSERT_GE(u, 0.0f);
    ASSERT_LT(u, 1.0f);
    bins[static_cast<std::size_t>(u * 16)]++;
  }
  // Chi-squared with 15 degrees of freedom exceeds 37.7 once in a thousand seeds; this seed is fixed.
  double chi2 = 0;
  for (const int bin : bins) chi2 += (bin - count / 16.0) * (bin - count / 16.0) / (count / 16.0);
  EXPECT_LT(chi2, 37.7);
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

TEST(Random, SeedsDiffer) { EXPECT_NE(Random(1).bits(), Random(2).bits()); }

TEST(Random, BytesAreEvenAndTheSameForEveryLength) {
  std::vector<unsigned char> many(1 << 20), few(13);
  fill_random_bytes(many, 5);
  fill_random_bytes(few, 5);
  EXPECT_TRUE(std::equal(few.begin(), few.end(), many.begin()));
  std::array<int, 256> bins{};
  for (const unsigned char byte : many) bins[byte]++;
  double chi2 = 0;
  for (const int bin : bins) chi2 += (bin - 4096.0) * (bin - 4096.0) / 4096.0;
  EXPECT_LT(chi2, 330.5);  // 255 degrees of freedom, once in a thousand
  fill_random_bytes({}, 1);
}
