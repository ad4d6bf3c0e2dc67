// Every rung of heat_fast, and every kind of tile that its sweep tries, against the CPU reference: bit for
// bit.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <vector>

#include "../../chapter07_texture_memory/heat_fast/4_tiled.cuh"
#include "../../chapter07_texture_memory/heat_fast/5_registers.cuh"
#include "../../chapter07_texture_memory/heat_fast/6_persistent.cuh"
#include "../../chapter07_texture_memory/heat_fast/methods.h"
#include "../../common/random.h"
#include "../common/unknown_method.h"

namespace {

std::vector<std::uint32_t> bits_of(const Grid& grid) {
  std::vector<std::uint32_t> bits(grid.size());
  for (std::size_t i = 0; i < grid.size(); ++i) bits[i] = std::bit_cast<std::uint32_t>(grid[i]);
  return bits;
}

// The first cell that differs, or nothing.
testing::AssertionResult same_bits(const Grid& got, const Grid& expected, int dim) {
  const auto a = bits_of(got), b = bits_of(expected);
  for (std::size_t i = 0; i < a.size(); ++i)
    if (a[i] != b[i])
      return testing::AssertionFailure()
             << "cell (" << i % dim << ", " << i / dim << "): got " << got[i] << ", expected " << expected[i];
  return testing::AssertionSuccess();
}

// The plate of the samples: after each of three frames.
void expect_frames(Rung& rung, int dim, int steps, float speed = 0.25f) {
  Plate plate(dim, speed);
  const Grid sources = constant_sources(dim);
  Grid expected = starting_grid(dim);
  for (int frame = 0; frame < 3; ++frame) {
    rung.advance(plate, steps);
    expected = reference_steps(std::move(expected), sources, dim, steps, speed);
    ASSERT_TRUE(same_bits(plate.download(), expected, dim))
        << "size " << dim << ", " << steps << " steps, speed " << speed << ", frame " << frame;
  }
}

// One cell in eight of them a source, temperatures from ordinary to below the least normal float.
struct RandomPlate {
  Grid sources, start;

  explicit RandomPlate(int dim) : sources(static_cast<std::size_t>(dim) * dim), start(sources.size()) {
    Random random(dim);
    for (float& cell : start) cell = std::ldexp(random.uniform(), -static_cast<int>(random.uniform() * 150));
    for (float& source : sources) source = random.uniform() < 0.125f ? random.uniform() : 0.0f;
  }

  void upload(Plate& plate) const {
    const std::size_t row = plate.slab.width * sizeof(float), pitch = plate.slab.pitch * sizeof(float);
    for (const auto& [to, from] :
         {std::pair{plate.in.get(), &start}, std::pair{plate.sources.get(), &sources}})
      HANDLE_ERROR(cudaMemcpy2D(to, pitch, from->data(), row, row, plate.slab.rows, cudaMemcpyHostToDevice));
    make_source_bits(plate.source_bits.get(), plate.sources.get(), plate.slab);
  }
};

void expect_plate(const RandomPlate& random, Rung& rung, int dim, int steps, float speed = 0.25f) {
  Plate plate(dim, speed);
  random.upload(plate);
  rung.advance(plate, steps);
  EXPECT_TRUE(
      same_bits(plate.download(), reference_steps(random.start, random.sources, dim, steps, speed), dim))
      << "size " << dim << ", " << steps << " steps, speed " << speed;
}

void expect_random(Rung& rung, int dim, int steps, float speed = 0.25f) {
  expect_plate(RandomPlate(dim), rung, dim, steps, speed);
}

constexpr int sizes[] = {1, 2, 3, 17, 31, 33, 64, 100, 129};

// 27 steps: several passes and the rest of one for every rung (of 6 to 10 steps). The emulated device takes the book's
// 90 steps at one size only.
TEST(Methods, EveryRungAfterAnyFrames) {
  for (const HeatMethod& method : heat_methods()) {
    SCOPED_TRACE(method.name);
    for (const int dim : sizes)
      for (const int steps : {1, 2, 7, 27, 90}) {
#ifdef EMULATED_DEVICE
        if (steps == 90 && dim != 33) continue;
#endif
        const std::unique_ptr<Rung> rung = method.make(Plate(dim, 0.25f));
        ASSERT_NO_FATAL_FAILURE(expect_frames(*rung, dim, steps));
      }
  }
}

TEST(Methods, AnySpeedAndAnySources) {
  for (const HeatMethod& method : heat_methods()) {
    SCOPED_TRACE(method.name);
    for (const float speed : {0.0f, 1e-30f, 0.1f, 0.2499999f, 0.25f})
      for (const int dim : {3, 33, 100}) {
        const std::unique_ptr<Rung> rung = method.make(Plate(dim, speed));
        expect_random(*rung, dim, 9, speed);
      }
  }
}

// A rung serves plates with other numbers of steps one after the other.
TEST(Methods, ChangingNumbersOfSteps) {
  constexpr int dim = 65;
  for (const HeatMethod& method : heat_methods()) {
    SCOPED_TRACE(method.name);
    Plate plate(dim, 0.25f);
    const std::unique_ptr<Rung> rung = method.make(plate);
    Grid expected = starting_grid(dim);
    for (const int steps : {3, 20, 1, 9, 8, 3}) {
      rung->advance(plate, steps);
      expected = reference_steps(std::move(expected), constant_sources(dim), dim, steps);
      ASSERT_TRUE(same_bits(plate.download(), expected, dim)) << steps << " steps";
    }
  }
}

TEST(Methods, AnUnknownOneCannotBeMade) {
  expect_unknown_methods_refused(heat_methods());
  EXPECT_EQ(heat_methods()["tiled"].name, "tiled");
}

TEST(Methods, APlateThatDoesNotFitIsRefused) {
  const auto refusal = persistent_refuses(60000);
  ASSERT_TRUE(refusal);
  EXPECT_EQ(refusal->code, exit_code::wrong_use);
  EXPECT_NE(refusal->why.find("tiles, and this device holds"), std::string::npos) << refusal->why;
  for (const HeatMethod& method : heat_methods())
    if (method.name != "persistent") {
      EXPECT_FALSE(method.refuses(60000)) << method.name;
    }
}

TEST(Methods, PassesOverMemory) {
  const Plate plate(8, 0.25f);
  EXPECT_EQ(heat_methods()["book"].make(plate)->passes(90), 90);
  EXPECT_EQ(TiledRung<6>(plate).passes(91), 16);
  EXPECT_EQ(RegistersRung<10>(plate).passes(90), 9);
  EXPECT_EQ(RegistersRung<10>(plate).passes(98), 9 + 1 + 1 + 1);  // 90, 5, 2, 1
  EXPECT_EQ(persistent_method.make(plate)->passes(90), 1);
}

template <class R>
void expect_everything(int dim) {
  R rung(Plate(dim, 0.25f));
  expect_frames(rung, dim, 15);
  expect_random(rung, dim, 26);
  expect_random(rung, dim, 26, 0.2f);
}

TEST(Tiled, AnyNumberOfSteps) {
  for (const int dim : {1, 65, 130}) {
    expect_everything<TiledRung<1>>(dim);
    expect_everything<TiledRung<10>>(dim);
  }
}

TEST(Registers, AnyNumberOfLevels) {
  for (const int dim : {1, 65, 250, 260}) {
    expect_everything<RegistersRung<1>>(dim);
    expect_everything<RegistersRung<4>>(dim);
    expect_everything<RegistersRung<10>>(dim);
  }
}

// Where a whole warp holds nothing but sources, and for rows on end, it takes the shortest way.
TEST(Registers, AreasOfSources) {
  constexpr int dim = 290;
  RandomPlate random(dim);
  for (int y = 0; y < dim; ++y)
    for (int x = 0; x < dim; ++x)
      if ((y > 40 && y < 130) || (x > 20 && x < 270 && y > 150 && y < 200) || y > 250)
        random.sources[x + y * dim] = 0.25f + 0.001f * static_cast<float>((x * 7 + y) % 100);
  for (const float speed : {0.25f, 0.2f})
    for (const int steps : {1, 10, 27}) {
      RegistersRung<4> four(Plate(dim, speed));
      expect_plate(random, four, dim, steps, speed);
      RegistersRung<10> ten(Plate(dim, speed), 0.01);
      expect_plate(random, ten, dim, steps, speed);
    }
}

// Rows per warp from few to all.
TEST(Registers, AnyNumberOfWarps) {
  constexpr int dim = 140;
  for (const double rounds : {1e-6, 0.001, 0.01, 3.0}) {
    RegistersRung<6> rung(Plate(dim, 0.25f), rounds);
    expect_random(rung, dim, 13);
  }
}

TEST(Persistent, AnyTile) {
  for (const int dim : {1, 40, 131, 148, 260}) {
    SCOPED_TRACE(dim);
    expect_everything<PersistentRung<TileKind<4, 4, 1>>>(dim);
    expect_everything<PersistentRung<TileKind<4, 11, 5>>>(dim);
    expect_everything<PersistentRung<TileKind<8, 5, 8>>>(dim);
    expect_everything<PersistentRung<TileKind<3, 10, 12>>>(dim);
  }
}

// A plate in three slabs, each on its own as a device of several would hold it: kernels that do several steps
// need no more than the rows around a slab. `step(out, slab, begin, end)` computes rows begin to end - 1 of a
// slab.
template <class Step>
void expect_slabs(int steps, const Step& step) {
  constexpr int dim = 70, borders[] = {0, 21, 48, dim};
  const RandomPlate random(dim);
  Plate plate(dim, 0.25f);
  random.upload(plate);
  const Grid expected = reference_steps(random.start, random.sources, dim, steps);
  for (int i = 0; i < 3; ++i) {
    const int first = std::max(borders[i] - steps, 0), end = std::min(borders[i + 1] + steps, dim);
    const Slab slab = {dim, end - first, plate.slab.pitch, first, dim};
    const std::size_t offset = first * slab.pitch, cells = slab.rows * slab.pitch;
    const DeviceMemory<float> in(cells), out(cells), sources(cells);
    const DeviceMemory<unsigned> source_bits(source_words(slab));
    HANDLE_ERROR(cudaMemcpy(in.get(), plate.in.get() + offset, in.bytes(), cudaMemcpyDeviceToDevice));
    HANDLE_ERROR(
        cudaMemcpy(sources.get(), plate.sources.get() + offset, in.bytes(), cudaMemcpyDeviceToDevice));
    HANDLE_ERROR(cudaMemset(out.get(), 0xff, out.bytes()));
    make_source_bits(source_bits.get(), sources.get(), slab);
    step(out.get(), in.get(), sources.get(), source_bits.get(), slab, borders[i] - first,
         borders[i + 1] - first);
    std::vector<float> got(cells);
    HANDLE_ERROR(cudaMemcpy(got.data(), out.get(), out.bytes(), cudaMemcpyDeviceToHost));
    for (int y = 0; y < slab.rows; ++y)
      for (int x = 0; x < dim; ++x) {
        const float value = got[y * slab.pitch + x];
        const bool written = first + y >= borders[i] && first + y < borders[i + 1];
        if (written) {
          ASSERT_EQ(value, expected[(first + y) * std::size_t{dim} + x])
              << "slab " << i << ", " << x << ", " << y;
        } else {
          ASSERT_TRUE(std::isnan(value)) << "slab " << i << " wrote row " << y;
        }
      }
  }
}

TEST(Slabs, Registers) {
  expect_slabs(6, [](float* out, const float* in, const float* sources, const unsigned* bits,
                     const Slab& slab, int begin,
                     int end) { march<6>(out, in, sources, bits, slab, begin, end, 0.25f, true, true, 1); });
}

TEST(Slabs, Tiled) {
  expect_slabs(5, [](float* out, const float* in, const float* sources, const unsigned*, const Slab& slab,
                     int begin, int end) {
    tiled_kernel<6><<<tiled_blocks<6>(slab, begin, end), dim3(tiled_side, tiled_rows)>>>(
        out, in, sources, slab, begin, end, 5, 0.25f, true, true);
    HANDLE_ERROR(cudaGetLastError());
  });
}

__global__ void blend_kernel(float* results, const float* cells, int count) {
  const int i = threadIdx.x + blockIdx.x * blockDim.x;
  if (i >= count) return;
  const float* c = cells + 5 * i;
  results[2 * i] = blend(c[0], c[1], c[2], c[3], c[4], 0.25f);
  results[2 * i + 1] = blend_cell<Speed::quarter>(c[0], c[1], c[2], c[3], c[4], 1);
}

// The two short forms round as the long one, above all where quarters become subnormal.
TEST(Step, ShortFormsRoundAlike) {
  constexpr int count = 1 << 18;
  std::vector<float> cells(5 * count);
  Random random(1);
  for (int i = 0; i < count; ++i) {
    // Of five neighbors within a few binary orders, from the least subnormal to 1.
    const int order = -static_cast<int>(random.uniform() * 150), spread = 1 + i % 27;
    for (int j = 0; j < 5; ++j)
      cells[5 * i + j] = std::ldexp(random.uniform(), order - static_cast<int>(random.uniform() * spread));
  }
  const DeviceMemory<float> input(cells.size()), output(2 * count);
  HANDLE_ERROR(cudaMemcpy(input.get(), cells.data(), input.bytes(), cudaMemcpyHostToDevice));
  blend_kernel<<<count / 256, 256>>>(output.get(), input.get(), count);
  HANDLE_ERROR(cudaGetLastError());
  std::vector<float> got(2 * count);
  HANDLE_ERROR(cudaMemcpy(got.data(), output.get(), output.bytes(), cudaMemcpyDeviceToHost));
  for (int i = 0; i < count; ++i) {
    const float* c = &cells[5 * i];
    const float expected = c[0] + 0.25f * (c[1] + c[2] + c[3] + c[4] - c[0] * 4);
    ASSERT_EQ(std::bit_cast<std::uint32_t>(got[2 * i]), std::bit_cast<std::uint32_t>(expected)) << i;
    ASSERT_EQ(std::bit_cast<std::uint32_t>(got[2 * i + 1]), std::bit_cast<std::uint32_t>(expected)) << i;
  }
}

}  // namespace

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  int devices = 0;
  HANDLE_ERROR(cudaGetDeviceCount(&devices));  // ends with 77 where there is none
  return RUN_ALL_TESTS();
}
