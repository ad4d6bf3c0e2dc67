// Every rung of heat_fast, and several kinds of tile, against the CPU reference: bit for
// bit.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <functional>
#include <memory>
#include <tuple>
#include <vector>

#include "../../common/heat.h"
// All rungs, in a second unit besides methods.cu: two files of a program may include them.
#include "../../chapter07_texture_memory/heat_fast/1_book.cuh"
#include "../../chapter07_texture_memory/heat_fast/2_fused.cuh"
#include "../../chapter07_texture_memory/heat_fast/3_graph.cuh"
#include "../../chapter07_texture_memory/heat_fast/4_tiled.cuh"
#include "../../chapter07_texture_memory/heat_fast/5_registers.cuh"
#include "../../chapter07_texture_memory/heat_fast/6_persistent.cuh"
#include "../../chapter07_texture_memory/heat_fast/methods.h"
#include "../../common/random.h"

using namespace heat_fast;

namespace {

using Cells = std::vector<float>;
using Run = std::function<HeatSteps>;

// The first cell that differs, or nothing.
testing::AssertionResult same_bits(const Cells& got, const Cells& expected, int dim) {
  for (std::size_t i = 0; i < got.size(); ++i)
    if (std::bit_cast<std::uint32_t>(got[i]) != std::bit_cast<std::uint32_t>(expected[i]))
      return testing::AssertionFailure() << "cell (" << i % dim << ", " << i / dim << "): got "
                                         << got[i] << ", expected " << expected[i];
  return testing::AssertionSuccess();
}

Cells download(const Plate& plate) {
  Cells cells(static_cast<std::size_t>(plate.dim) * plate.dim);
  const std::size_t row = plate.dim * sizeof(float);
  HANDLE_ERROR(cudaMemcpy2D(cells.data(), row, plate.in, plate.pitch * sizeof(float), row,
                            plate.dim, cudaMemcpyDeviceToHost));
  return cells;
}

void upload(const Plate& plate, const Cells& cells) {
  const std::size_t row = plate.dim * sizeof(float);
  HANDLE_ERROR(cudaMemcpy2D(plate.in, plate.pitch * sizeof(float), cells.data(), row, row,
                            plate.dim, cudaMemcpyHostToDevice));
}

// A plate, and what a rung has to make of it.
struct Case {
  int dim;
  Cells start, sources;
};

Case samples_plate(int dim) { return {dim, starting_plate(dim), constant_sources(dim)}; }

// One cell in eight of them a source, temperatures from ordinary to below the least normal float.
Case random_plate(int dim) {
  Random random(dim);
  Case plate{dim, Cells(static_cast<std::size_t>(dim) * dim), {}};
  for (float& cell : plate.start)
    cell = std::ldexp(random.uniform(), -static_cast<int>(random.uniform() * 150));
  for (std::size_t i = 0; i < plate.start.size(); ++i)
    plate.sources.push_back(random.uniform() < 0.125f ? random.uniform() : 0.0f);
  return plate;
}

// make(plate) returns what runs steps. After each frame of so many steps the
// plate has the reference's bits.
template <class Make>
void expect_frames(const Make& make, const Case& given, const std::vector<int>& frames) {
  const PlateMemory memory(given.dim, given.sources);
  Plate plate = memory.plate();
  upload(plate, given.start);
  const auto run = make(plate);
  Cells expected = given.start;
  for (const int steps : frames) {
    run(plate, steps, nullptr);
    expected = reference_steps(std::move(expected), given.sources, given.dim, steps);
    ASSERT_TRUE(same_bits(download(plate), expected, given.dim))
        << "size " << given.dim << ", " << steps << " steps";
  }
}

// All methods but those that cannot do the plate.
void expect_of_all(const Case& given, const std::vector<int>& frames) {
  for (const HeatMethod& method : methods()) {
    SCOPED_TRACE(method.name);
    if (method.refusal({given.dim, 0, nullptr, nullptr, nullptr})) continue;
    ASSERT_NO_FATAL_FAILURE(
        expect_frames([&](const Plate& plate) { return method.make(plate); }, given, frames));
  }
}

}  // namespace

// 27 steps: several passes and the rest of one for every rung (of 6 to 10 steps). The emulated
// device takes the book's 90 steps at one size only.
TEST(Methods, EveryRungAfterAnyFrames) {
  for (const int dim : {1, 2, 3, 17, 31, 33, 64, 100, 129, 132})
    for (const int steps : {1, 2, 7, 27, 90}) {
#ifdef EMULATED_DEVICE
      if (steps == 90 && dim != 33) continue;
#endif
      ASSERT_NO_FATAL_FAILURE(expect_of_all(samples_plate(dim), {steps, steps, steps}));
    }
}

TEST(Methods, AnySources) {
  for (const int dim : {3, 33, 100, 132}) expect_of_all(random_plate(dim), {9});
}

// A rung serves plates with other numbers of steps one after the other.
TEST(Methods, ChangingNumbersOfSteps) { expect_of_all(samples_plate(140), {3, 20, 1, 9, 8, 3}); }

TEST(Methods, PersistentRefusesWhatItsTilesDoNotCover) {
  for (const int dim : {1, 64, 127, 130, 257}) {
    const Refusal refusal = methods()["persistent"].refusal({dim, 0, nullptr, nullptr, nullptr});
    EXPECT_NE(refusal.why.find("a multiple of 4"), std::string::npos) << refusal.why;
  }
}

TEST(Methods, PassesOverMemory) {
  const PlateMemory memory(128, constant_sources(128));
  for (const auto& [name, steps, passes] : {std::tuple{"book", 90, 90},
                                            {"tiled", 91, 12},
                                            {"registers", 90, 15},
                                            {"registers", 99, 19},
                                            {"persistent", 90, 1}}) {
    Plate plate = memory.plate();
    EXPECT_EQ(methods()[name].make(plate)(plate, steps, nullptr), passes) << name;
  }
}

template <class Make>
void expect_everything(const Make& make, int dim) {
  expect_frames(make, samples_plate(dim), {15, 15, 15});
  expect_frames(make, random_plate(dim), {26});
}

template <int levels>
auto registers(double rounds) {
  return [rounds](const Plate& made_for) -> Run {
    const int dim = made_for.dim, pitch = static_cast<int>(made_for.pitch);
    const auto bits = std::make_shared<DeviceMemory<unsigned>>(
        make_source_bits(made_for.sources, dim, dim, pitch));
    return [=](Plate& plate, int steps, cudaStream_t stream) {
      for (int left = steps, n = 0; left > 0; left -= n) {
        n = left >= levels ? levels : 1;
        const auto launch = n == levels ? launch_march<levels> : launch_march<1>;
        launch(plate, bits->get(), left == steps, left, rounds, stream);
        std::swap(plate.in, plate.out);
      }
      return 0;
    };
  };
}

TEST(Registers, AnyNumberOfLevels) {
  for (const int dim : {1, 65, 250, 260}) {
    expect_everything(registers<1>(1), dim);
    expect_everything(registers<5>(1), dim);
    expect_everything(registers<10>(1), dim);
  }
}

// Where a whole warp holds nothing but sources, and for rows on end, it takes the shortest way.
TEST(Registers, AreasOfSources) {
  constexpr int dim = 290;
  Case plate = random_plate(dim);
  for (int y = 0; y < dim; ++y)
    for (int x = 0; x < dim; ++x)
      if ((y > 40 && y < 130) || (x > 20 && x < 270 && y > 150 && y < 200) || y > 250)
        plate.sources[x + y * dim] = 0.25f + 0.001f * static_cast<float>((x * 7 + y) % 100);
  for (const int steps : {1, 10, 27}) {
    expect_frames(registers<5>(1), plate, {steps});
    expect_frames(registers<10>(0.01), plate, {steps});
  }
}

// Rows per warp from few to all.
TEST(Registers, AnyNumberOfWarps) {
  for (const double rounds : {1e-6, 0.001, 0.01, 3.0})
    expect_frames(registers<5>(rounds), random_plate(140), {13});
}

template <int rows>
Run persistent(const Plate&) {
  return persistent_frame<rows>;
}

TEST(Persistent, AnyTile) {
  for (const int dim : {128, 132, 148, 260}) {
    SCOPED_TRACE(dim);
    expect_everything(persistent<3>, dim);
    expect_everything(persistent<small_tile_rows>, dim);
    expect_everything(persistent<large_tile_rows>, dim);
    expect_everything(persistent<16>, dim);
  }
}

__global__ void step_kernel(float* results, const float* cells, int count) {
  const int i = threadIdx.x + blockIdx.x * blockDim.x;
  if (i >= count) return;
  const float* c = cells + 5 * i;
  results[i] = c[0] + quarter(c[0], c[1], c[2], c[3], c[4]);
}

// The short form rounds as the long one, above all where quarters become subnormal.
TEST(Step, ShortFormRoundsAlike) {
  constexpr int count = 1 << 18;
  std::vector<float> cells(5 * count);
  Random random(1);
  for (int i = 0; i < count; ++i) {
    // Five neighbors within a few binary orders, from the least subnormal to 1.
    const int order = -static_cast<int>(random.uniform() * 150), spread = 1 + i % 27;
    for (int j = 0; j < 5; ++j)
      cells[5 * i + j] =
          std::ldexp(random.uniform(), order - static_cast<int>(random.uniform() * spread));
  }
  const DeviceMemory<float> input(cells.size()), output(count);
  HANDLE_ERROR(cudaMemcpy(input.get(), cells.data(), input.bytes(), cudaMemcpyHostToDevice));
  step_kernel<<<count / 256, 256>>>(output.get(), input.get(), count);
  HANDLE_ERROR(cudaGetLastError());
  std::vector<float> got(count);
  HANDLE_ERROR(cudaMemcpy(got.data(), output.get(), output.bytes(), cudaMemcpyDeviceToHost));
  for (int i = 0; i < count; ++i) {
    const float* c = &cells[5 * i];
    const float expected = c[0] + 0.25f * (c[1] + c[2] + c[3] + c[4] - c[0] * 4);
    ASSERT_EQ(std::bit_cast<std::uint32_t>(got[i]), std::bit_cast<std::uint32_t>(expected)) << i;
  }
}
int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  int devices = 0;
  HANDLE_ERROR(cudaGetDeviceCount(&devices));  // ends with 77 where there is none
  return RUN_ALL_TESTS();
}
