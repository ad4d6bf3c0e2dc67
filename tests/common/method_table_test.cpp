// common/method_table.h: names, refusals, what this build has not.
#include "../../common/method_table.h"

#include <gtest/gtest.h>

#include <functional>
#include <string>

namespace {

using Twice = Method<std::function<int(int)>, std::size_t>;

// Counts itself, so that a test sees when a rung is made and freed.
struct Doubling {
  static inline int alive = 0;
  explicit Doubling(std::size_t most) : most_(most) { ++alive; }
  ~Doubling() { --alive; }
  static Refusal refusal(std::size_t n) { return {n > 10 ? "takes at most 10" : ""}; }
  int run(int x) const { return 2 * x + (most_ > 10 ? 1 : 0); }

 private:
  std::size_t most_;
};
struct Library {
  explicit Library(std::size_t) {}
  int run(int x) const { return x + x; }
};

const MethodTable<Twice>& table() {
  static const MethodTable<Twice> methods{
      {"plain", Twice::function_of<Doubling>, Doubling::refusal, "multiplies"},
      gpu_method<Twice, Library>("library", "adds")};
  return methods;
}

TEST(MethodTable, MakesAndFreesWhatItNames) {
  {
    const auto twice = table()["plain"].make(10);
    EXPECT_EQ(twice(21), 42);
    EXPECT_EQ(Doubling::alive, 1);
  }
  EXPECT_EQ(Doubling::alive, 0);
}

TEST(MethodTable, KeepsTheOrderForTheHelp) {
  const std::vector<Options::Method> list = table().for_options();
  ASSERT_EQ(list.size(), 2u);
  EXPECT_EQ(list[0].name + ": " + list[0].help, "plain: multiplies");
  EXPECT_FALSE(list[0].gpu_only);
  EXPECT_EQ(list[1].name, "library");
  EXPECT_TRUE(list[1].gpu_only);
}

TEST(MethodTable, RefusesWhatAMethodCannotTake) {
  EXPECT_FALSE(table()["plain"].refusal(10));
  EXPECT_EQ(table()["plain"].refusal(11).why, "takes at most 10");
  EXPECT_FALSE(table()["library"].refusal(11));
  EXPECT_EXIT(table()["plain"].make(11), testing::ExitedWithCode(2), "plain takes at most 10");
}

TEST(MethodTable, KnowsNoOtherName) {
  EXPECT_EXIT(table()["fast"], testing::ExitedWithCode(2), "there is no method fast");
  EXPECT_EXIT(table()[""], testing::ExitedWithCode(2), "there is no method");
}

TEST(MethodTable, HasTheLibrariesInTheGpuBuildOnly) {
#ifdef EMULATED_DEVICE
  EXPECT_FALSE(table()["library"].built());
  EXPECT_EXIT(table()["library"].make(1), testing::ExitedWithCode(77),
              "library needs the CUDA toolkit");
#else
  ASSERT_TRUE(table()["library"].built());
  EXPECT_EQ(table()["library"].make(1)(21), 42);
#endif
}

}  // namespace
