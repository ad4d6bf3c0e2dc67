// The parts of common/ that need a device: memory, timers, measurements.
#include <gtest/gtest.h>

#include <vector>

#include "../../common/book.h"
#include "../../common/check.h"
#include "../../common/device_memory.h"
#include "../../common/gpu_anim.h"
#include "../../common/options.h"
#include "../../common/timing.h"
#include "temporary_folder.h"

// Not in an anonymous namespace: in the emulated build this file is seen as an
// included one, where g++ warns of it.
template <class Base>
class NeedsDevice : public Base {
 protected:
  void SetUp() override {
    int devices = 0;
    const cudaError_t error = cudaGetDeviceCount(&devices);
    if (error != cudaSuccess || devices == 0)
      GTEST_SKIP() << "no device: " << cudaGetErrorString(error);
  }
};
using Device = NeedsDevice<TemporaryFolder>;
// The program is restarted for these, not forked: a CUDA context does not survive a fork. No
// folder: the new program's would never be removed.
using DeviceDeath = NeedsDevice<testing::Test>;

static __global__ void paint(uchar4* pixels, int width, int height, int frame) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < width && y < height) {
    pixels[y * width + x] =
        make_uchar4(static_cast<unsigned char>(x), static_cast<unsigned char>(y),
                    static_cast<unsigned char>(frame), 0);
  }
}

TEST_F(Device, MemoryIsOwnedAndMoved) {
  DeviceMemory<int> a(100);
  EXPECT_EQ(a.size(), 100u);
  EXPECT_EQ(a.bytes(), 400u);
  int* pointer = a.get();
  ASSERT_NE(pointer, nullptr);
  const int value = 42;
  HANDLE_ERROR(cudaMemcpy(pointer, &value, sizeof value, cudaMemcpyHostToDevice));
  DeviceMemory<int> b(std::move(a));
  EXPECT_EQ(b.get(), pointer);
  EXPECT_EQ(a.get(), nullptr);  // NOLINT: the moved-from state is part of the promise
  a = std::move(b);
  EXPECT_EQ(a.get(), pointer);
  int back = 0;
  HANDLE_ERROR(cudaMemcpy(&back, a.get(), sizeof back, cudaMemcpyDeviceToHost));
  EXPECT_EQ(back, 42);
  EXPECT_EQ(DeviceMemory<float>(0).get(), nullptr);
  EXPECT_EQ(DeviceMemory<float>().size(), 0u);
  PinnedMemory<float> pinned(10);
  pinned.get()[9] = 1;
}

TEST_F(DeviceDeath, OutOfMemoryIsASentence) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const auto allocate = [](std::size_t count) { const DeviceMemory<double> memory(count); };
  EXPECT_EXIT(allocate(std::size_t{1} << 50), testing::ExitedWithCode(1),
              "an array of 1125899906842624 elements needs 8.0 PiB of device memory; the "
              "device has [0-9.]+ [GT]iB, of which [0-9.]+ [MGT]iB are free");
}

TEST_F(DeviceDeath, AWrongDeviceNumberIsWrongUse) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(HANDLE_ERROR(cudaSetDevice(1000)), testing::ExitedWithCode(2),
              "There is no such device: this machine has");
}

#ifdef EMULATED_DEVICE  // a GPU does not tell of such a write
static __global__ void write_all(int* numbers) { numbers[threadIdx.x] = 1; }

TEST_F(DeviceDeath, RightNumbersDoNotPassWhereTheDeviceReportedAnError) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const auto right_numbers = [](int threads) {
    const DeviceMemory<int> numbers(5);
    write_all<<<1, threads>>>(numbers.get());
    std::exit(verdict("right_numbers", true));
  };
  EXPECT_EXIT(right_numbers(5), testing::ExitedWithCode(0), "^$");
  EXPECT_EXIT(right_numbers(6), testing::ExitedWithCode(1),
              "kernel write_all wrote beyond the end of the 20 bytes(.|\n)*"
              "right_numbers: the numbers are right, but the device reported 1 error \\(above\\)");
}
#endif

TEST_F(Device, TimersAndMeasurements) {
  EventTimer timer;
  timer.start();
  EXPECT_GE(timer.stop(), 0.0f);
  int calls = 0;
  const Timing timing = measure([&] { ++calls; }, 5, 2);
  EXPECT_EQ(calls, 7);
  EXPECT_LE(timing.best_ms, timing.median_ms);
  measure_host([&] { ++calls; }, 1, 0);
  EXPECT_EQ(calls, 8);
  EXPECT_GT(copy_rate(), 0.0);
  BenchmarkTable table("method");
  table.add("copy", timing, 1e6);
  table.add("no rate", timing, 0);
  testing::internal::CaptureStdout();
  table.print();
  const std::string text = testing::internal::GetCapturedStdout();
#ifdef EMULATED_DEVICE  // whose rates say nothing about a GPU
  EXPECT_NE(text.find("method (emulated) "), std::string::npos);
  EXPECT_EQ(text.find("copy:"), std::string::npos);
#else
  EXPECT_NE(text.find("% of copy"), std::string::npos);
#endif
  EXPECT_NE(text.find("no rate"), std::string::npos);
}

TEST_F(Device, AnAnimationOfDeviceMemory) {
  GPUAnimBitmap bitmap(20, 10);
  EXPECT_EQ(bitmap.image_size(), 800);
  Options options("sample", Common::animation);
  options.headless = true;
  options.frames = 3;
  options.output = "a_%d.png";
  const auto draw = [](uchar4* pixels, int frame) {
    paint<<<dim3(2, 1), dim3(16, 16)>>>(pixels, 20, 10, frame);
  };
  EXPECT_EQ(bitmap.animate(options, draw), 0);
  const Image image = read_image("a_2.png");
  EXPECT_EQ(image.pixel(19, 9)[0], 19);
  EXPECT_EQ(image.pixel(19, 9)[1], 9);
  EXPECT_EQ(image.pixel(19, 9)[2], 2);
}

TEST_F(Device, TheBooksAnimationOfDeviceMemory) {
  const EnvironmentVariable one("SAMPLES_HEADLESS", "1"), two("SAMPLES_OUTPUT", "a.png"),
      three("SAMPLES_FRAMES", "2");
  static int freed = 0;
  int data = 5;
  GPUAnimBitmap bitmap(20, 10, &data);
  bitmap.anim_and_exit(
      [](uchar4* pixels, void*, int ticks) {
        paint<<<dim3(2, 1), dim3(16, 16)>>>(pixels, 20, 10, ticks);
      },
      [](void* block) { freed += *static_cast<int*>(block); });
  EXPECT_EQ(read_image("a.png").pixel(0, 0)[2], 2);
  EXPECT_EQ(freed, 5);
}
