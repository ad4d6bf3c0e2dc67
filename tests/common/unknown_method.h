// What the tables of all ladders have in common: a name that is not there ends the program with one sentence.
#pragma once

#include <gtest/gtest.h>

/// Expects of a MethodTable that it refuses unknown and empty names as wrong use.
template <class Table>
void expect_unknown_methods_refused(const Table& table) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");  // a forked child has none of the device's OS threads
  EXPECT_EXIT(table["nosuch"], testing::ExitedWithCode(2), "there is no method nosuch");
  EXPECT_EXIT(table[""], testing::ExitedWithCode(2), "there is no method ");
}
