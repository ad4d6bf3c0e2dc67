// Whose times are shown: the words on charts, and what a table records.
#include <cuda_runtime.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <string>

#include "../../../common/picture/draw.h"
#include "../../../common/timing.h"

namespace {

TEST(WhoseTimes, AChartOfTheEmulatedDeviceSaysSo) {
#ifdef EMULATED_DEVICE
  EXPECT_NE(whose_times().find("emulated device: says nothing about a GPU"), std::string::npos);
  // The words can be seen in the picture: without them it is another one.
  const std::vector<Bar> bars = {{"1", 2.0}};
  EXPECT_NE(bar_chart("Times" + whose_times(), bars, "ms", 480, 240).rgba,
            bar_chart("Times", bars, "ms", 480, 240).rgba);
#else
  EXPECT_EQ(whose_times(), "");
#endif
}

std::string recorded(const BenchmarkTable& table) {
  const std::string path = testing::TempDir() + "benchmark_table_record";
  std::remove(path.c_str());
  setenv("SAMPLES_RECORD", path.c_str(), 1);
  table.record();
  unsetenv("SAMPLES_RECORD");
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST(BenchmarkTable, RecordsItsRowsAsJson) {
  BenchmarkTable table("a \"title\" with \\");
  table.add("one", {2.5, 1.25}, 4e9);
  table.add("two", {0.0294, 0.0293}, 0);
  const std::string line = recorded(table);
  EXPECT_NE(line.find(R"({"title": "a \"title\" with \\", "device": ")"), std::string::npos) << line;
  EXPECT_NE(line.find(R"("copy_GB_per_s": )"), std::string::npos) << line;
  EXPECT_NE(line.find(R"("rows": [{"name": "one", "median_ms": 2.5, "best_ms": 1.25, "bytes": 4000000000}, )"
                      R"({"name": "two", "median_ms": 0.0294, "best_ms": 0.0293, "bytes": 0}]})"),
            std::string::npos)
      << line;
  EXPECT_EQ(line.back(), '\n');
}

TEST(BenchmarkTableDeath, ARecordThatCannotBeWrittenIsASentence) {
  int devices = 0;
  if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0)
    GTEST_SKIP() << "a record names the device";
  GTEST_FLAG_SET(death_test_style, "threadsafe");  // a new process: CUDA does not survive a fork
  setenv("SAMPLES_RECORD", "/no/such/folder/record", 1);
  EXPECT_EXIT(BenchmarkTable("lost").record(), testing::ExitedWithCode(1),
              "cannot write /no/such/folder/record");
  unsetenv("SAMPLES_RECORD");
}

}  // namespace
