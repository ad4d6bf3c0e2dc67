#pragma once
// The checks of the files that `./run try` writes. You need not read them to solve the exercises.
//
// Each check_...() calls your function for several sizes, compares with a plain loop, and returns
// the program's exit code: 0 right, 1 wrong (the first wrong element is printed), 2 wrong use. The
// command lines are those of the course's programs, so that its checker and `./run grade` can call
// them, too. C++17, as nvcc compiles by default.

#include <cuda_runtime.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "book.h"  // HANDLE_ERROR, which your code may use, too

namespace starter {

/// The command line: -n N (one size instead of all), and other options of the course's programs.
struct Arguments {
  static constexpr int max_size = 1 << 28;

  int n = -1;              ///< -n, -s: the only size to try
  std::string input;       ///< -i: random (the default) or ones
  std::string scene;       ///< circles: the only scene to draw
  bool only_time = false;  ///< -r, -b: print the time, check nothing

  Arguments(const char* name, int argc, char** argv) {
    int i = 1;
    while (i < argc) {
      const std::string word = argv[i];
      if (word == "-c") {  // the check is always done
        i += 1;
      } else if (word[0] != '-' && scene.empty()) {
        scene = word;
        i += 1;
      } else if (takes_value(word) && i + 1 < argc) {
        read_option(name, word, argv[i + 1]);
        i += 2;
      } else {
        usage(name);
      }
    }
  }

  std::vector<int> sizes(std::vector<int> all) const { return n < 0 ? all : std::vector<int>{n}; }

  [[noreturn]] static void usage(const char* name) {
    std::fprintf(stderr,
                 "%s: takes -n N, the size to check, at most %d (circles: -s SIZE and a scene)\n",
                 name, max_size);
    std::exit(2);
  }

 private:
  static bool takes_value(const std::string& word) {
    return word.size() == 2 && word[0] == '-' && std::strchr("nmisSrbf", word[1]) != nullptr;
  }

  void read_option(const char* name, const std::string& option, const std::string& value) {
    if (option == "-n" || option == "-s") n = size_of(name, value);
    if (option == "-i") input = value;
    if (option == "-m" && value != name) usage(name);
    if (option == "-r" || option == "-b") only_time = true;
  }

  static int size_of(const char* name, const std::string& text) {
    char* end = nullptr;
    const long value = std::strtol(text.c_str(), &end, 10);
    const bool is_number = !text.empty() && *end == 0;
    if (!is_number || value < 0 || value > max_size) usage(name);
    return static_cast<int>(value);
  }
};

inline std::string text(float value) {
  char buffer[32];
  std::snprintf(buffer, sizeof buffer, "%g", value);
  return buffer;
}
inline std::string text(int value) { return std::to_string(value); }
inline std::string text(unsigned value) { return std::to_string(value); }
inline std::string text(unsigned char value) { return std::to_string(value); }

/// Prints why `test` failed. False, so that a check can return it.
inline bool failed(const std::string& test, const std::string& why) {
  std::printf("FAIL %s: %s\n", test.c_str(), why.c_str());
  return false;
}

/// Did the launched work run to its end, without an error that only the emulated device notices?
/// If not, prints the reason.
inline bool ran(const std::string& test) {
#ifdef EMULATED_DEVICE
  emulated::tell_dropped();  // the look at the last error, below, is not the solution's own
#endif
  cudaError_t error = cudaDeviceSynchronize();
  if (error != cudaSuccess)
    return failed(test, std::string("a kernel failed: ") + cudaGetErrorString(error));
  error = cudaGetLastError();
  if (error != cudaSuccess)
    return failed(test, std::string("a launch or a call failed: ") + cudaGetErrorString(error));
#ifdef EMULATED_DEVICE
  if (emulated::reported_errors() > 0) return failed(test, "the emulated device reported an error");
#endif
  return true;
}

#ifdef EMULATED_DEVICE
inline constexpr int pattern = 0xfe;  ///< the content of the device's memory until it is written
#else
inline constexpr int pattern = 0x5a;
#endif

template <class T>
bool untouched(T value) {
  T filled;
  std::memset(&filled, pattern, sizeof filled);
  return std::memcmp(&value, &filled, sizeof value) == 0;
}

/// Compares the first elements of `result`, in the host's memory, with `expected`, to within
/// `tolerance`. `place` names an element of the result: "result[7]".
template <class T>
bool as_expected(const std::string& test, const std::vector<T>& result,
                 const std::vector<T>& expected, double tolerance,
                 const std::function<std::string(std::size_t)>& place,
                 const std::function<bool(std::size_t)>& ignore = nullptr) {
  const auto wrong = [&](std::size_t i) {
    const double difference = static_cast<double>(result[i]) - static_cast<double>(expected[i]);
    return !(std::fabs(difference) <= tolerance) && !(ignore && ignore(i));  // NaN is wrong
  };
  std::size_t first = expected.size();
  std::size_t count = 0;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    if (!wrong(i)) continue;
    if (count == 0) first = i;
    ++count;
  }
  if (count == 0) return true;
  const std::string got =
      untouched(result[first]) ? " was not written" : " is " + text(result[first]);
  return failed(test, place(first) + got + ", expected " + text(expected[first]) + "; " +
                          std::to_string(count) + " of " + std::to_string(expected.size()) +
                          " are wrong");
}

/// An array in device memory. On a GPU an array for results has room beyond its end, where a check
/// finds writes beyond it. The emulated device itself reports these, and also reads beyond an array
/// or of memory that was never written.
template <class T>
class Array {
 public:
  /// `capacity` elements may be written; the first ones are copied from `values`, the others hold a
  /// pattern.
  Array(const std::vector<T>& values, std::size_t capacity, std::size_t room = result_room)
      : capacity_(capacity), room_(room) {
    HANDLE_ERROR(cudaMalloc(&data_, bytes()));
#ifndef EMULATED_DEVICE
    HANDLE_ERROR(cudaMemset(data_, pattern, bytes()));
#endif
    HANDLE_ERROR(
        cudaMemcpy(data_, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice));
  }
  explicit Array(const std::vector<T>& values) : Array(values, values.size(), 0) {}  // an input
  explicit Array(std::size_t capacity) : Array({}, capacity) {}
  Array(const Array&) = delete;
  Array& operator=(const Array&) = delete;
  ~Array() { cudaFree(data_); }
  T* data() const { return data_; }

  /// Like as_expected(), and compares the room beyond the end with its old content.
  bool holds(const std::string& test, const std::vector<T>& expected, double tolerance,
             const std::function<std::string(std::size_t)>& place,
             const std::function<bool(std::size_t)>& ignore = nullptr) const {
    std::vector<T> result(room_ == 0 ? expected.size() : capacity_ + room_);
    HANDLE_ERROR(
        cudaMemcpy(result.data(), data_, result.size() * sizeof(T), cudaMemcpyDeviceToHost));
    if (!as_expected(test, result, expected, tolerance, place, ignore)) return false;
    for (std::size_t i = capacity_; i < result.size(); ++i)
      if (!untouched(result[i]))
        return failed(test, place(i) + " was written, which is beyond the end");
    return true;
  }

 private:
#ifdef EMULATED_DEVICE
  static constexpr std::size_t result_room = 0;
#else
  static constexpr std::size_t result_room = 4096;  // elements
#endif
  std::size_t bytes() const { return (capacity_ + room_) * sizeof(T); }

  std::size_t capacity_;
  std::size_t room_;
  T* data_ = nullptr;
};

inline std::function<std::string(std::size_t)> element_of(const char* name) {
  return [name](std::size_t i) { return std::string(name) + "[" + std::to_string(i) + "]"; };
}

/// The same numbers from 0 to limit - 1 in every run.
template <class T>
std::vector<T> random_numbers(std::size_t n, unsigned limit) {
  std::vector<T> numbers(n);
  unsigned state = 1;
  for (T& number : numbers) {
    state = state * 1664525u + 1013904223u;  // Numerical Recipes, section 7.1
    number = static_cast<T>((state >> 8) % limit);
  }
  return numbers;
}

/// Best of three calls, in milliseconds. On the emulated device it is 0, because a time there says
/// nothing about a GPU.
template <class Call>
double time_of(Call call) {
#ifdef EMULATED_DEVICE
  (void)call;
  return 0;
#else
  double best = 1e300;
  for (int run = 0; run < 3; ++run) {
    HANDLE_ERROR(cudaDeviceSynchronize());
    const auto start = std::chrono::steady_clock::now();
    call();
    HANDLE_ERROR(cudaDeviceSynchronize());
    const std::chrono::duration<double, std::milli> time = std::chrono::steady_clock::now() - start;
    best = std::min(best, time.count());
  }
  return best;
#endif
}

/// Prints that all is right, and the time of the largest size if it has a meaning.
inline int passed(const char* name, const std::string& what, double milliseconds,
                  const char* label = "Student GPU time") {
  if (milliseconds > 0) std::printf("%s: %.3f ms\n", label, milliseconds);
  std::printf("PASS %s: %s\n", name, what.c_str());
  return 0;
}

inline std::string sizes_text(const std::vector<int>& sizes) {
  std::string list = "n =";
  for (const int n : sizes) list += " " + std::to_string(n);
  return list;
}

inline int next_power_of_two(int n) {
  int power = 1;
  while (power < n) power *= 2;
  return power;
}

// ---- one check per starter

/// saxpy(n, a, x, y, result): result[i] = a x[i] + y[i]; all arrays in host memory.
inline int check_saxpy(int argc, char** argv,
                       void (*saxpy)(int, float, const float*, const float*, float*)) {
  const std::vector<int> sizes =
      Arguments("saxpy", argc, argv).sizes({1, 2, 255, 1000, 1025, 100003});
  for (const int n : sizes) {
    const std::string test = "saxpy, n = " + std::to_string(n);
    const std::vector<float> x = random_numbers<float>(n, 10);
    const std::vector<float> y = random_numbers<float>(n + 1, 7);
    std::vector<float> result(n, -1);
    std::vector<float> expected(n);
    for (int i = 0; i < n; ++i) expected[i] = 2 * x[i] + y[i];
    saxpy(n, 2, x.data(), y.data(), result.data());
    if (!ran(test) || !as_expected(test, result, expected, 0, element_of("result"))) return 1;
  }
  return passed("saxpy", sizes_text(sizes), 0);
}

/// add(a, b, c, n): c[i] = a[i] + b[i]; all arrays in device memory.
inline int check_add(int argc, char** argv, void (*add)(const int*, const int*, int*, int)) {
  const std::vector<int> sizes =
      Arguments("add", argc, argv).sizes({1, 2, 127, 128, 129, 1000, 100003});
  for (const int n : sizes) {
    const std::string test = "add, n = " + std::to_string(n);
    const std::vector<int> a_values = random_numbers<int>(n, 100);
    std::vector<int> b_values(n);
    std::vector<int> expected(n);
    for (int i = 0; i < n; ++i) {
      b_values[i] = i * 3;
      expected[i] = a_values[i] + b_values[i];
    }
    const Array<int> a(a_values);
    const Array<int> b(b_values);
    const Array<int> c(n);
    add(a.data(), b.data(), c.data(), n);
    if (!ran(test) || !c.holds(test, expected, 0, element_of("c"))) return 1;
  }
  return passed("add", sizes_text(sizes), 0);
}

/// reverse(data, n): reverses each piece of 256 elements of data, in device memory, in its place.
inline int check_barrier(int argc, char** argv, void (*reverse)(int*, int)) {
  constexpr int piece = 256;
  const std::vector<int> sizes = Arguments("barrier", argc, argv).sizes({256, 512, 1024, 25600});
  for (const int n : sizes) {
    if (n % piece != 0) Arguments::usage("barrier");
    const std::string test = "barrier, n = " + std::to_string(n);
    const std::vector<int> values = random_numbers<int>(n, 1000000);
    std::vector<int> expected(n);
    for (int i = 0; i < n; ++i) expected[i] = values[i / piece * piece + piece - 1 - i % piece];
    const Array<int> data(values, values.size());
    reverse(data.data(), n);
    if (!ran(test) || !data.holds(test, expected, 0, element_of("data"))) return 1;
  }
  return passed("barrier", sizes_text(sizes), 0);
}

/// exclusive_scan(input, N, result): result[i] = input[0] + ... + input[i - 1], on device memory
/// with room for the next power of two. As in the course's program, result holds a copy of the
/// input at first.
inline int check_scan(int argc, char** argv, void (*exclusive_scan)(int*, int, int*)) {
  const Arguments arguments("scan", argc, argv);
  const std::vector<int> sizes = arguments.sizes({1, 2, 3, 8, 64, 1000, 1024, 1025, 5000, 100000});
  double time = 0;
  for (const int n : sizes) {
    const std::string test = "scan, n = " + std::to_string(n);
    const std::vector<int> values =
        arguments.input == "ones" ? std::vector<int>(n, 1) : random_numbers<int>(n, 100);
    std::vector<int> expected(n);
    unsigned sum = 0;
    for (int i = 0; i < n; ++i) {
      expected[i] = static_cast<int>(sum);
      sum += static_cast<unsigned>(values[i]);
    }
    const Array<int> input(values, next_power_of_two(n));
    const Array<int> result(values, next_power_of_two(n));
    exclusive_scan(input.data(), n, result.data());
    if (!ran(test) || !result.holds(test, expected, 0, element_of("result"))) return 1;
    time = time_of([&] { exclusive_scan(input.data(), n, result.data()); });
  }
  return passed("scan", sizes_text(sizes), time);
}

/// find_repeats(input, length, output): writes all i with input[i] == input[i + 1], ascending, and
/// returns their count.
inline int check_find_repeats(int argc, char** argv, int (*find_repeats)(int*, int, int*)) {
  const Arguments arguments("find_repeats", argc, argv);
  const std::vector<int> sizes = arguments.sizes({1, 2, 3, 10, 64, 1000, 1024, 1025, 100000});
  double time = 0;
  for (const int n : sizes) {
    const std::string test = "find_repeats, n = " + std::to_string(n);
    const std::vector<int> values =
        arguments.input == "ones" ? std::vector<int>(n, 1) : random_numbers<int>(n, 10);
    std::vector<int> expected;
    for (int i = 0; i + 1 < n; ++i)
      if (values[i] == values[i + 1]) expected.push_back(i);
    const Array<int> input(values, next_power_of_two(n));
    const Array<int> output(next_power_of_two(n));
    const int count = find_repeats(input.data(), n, output.data());
    if (!ran(test)) return 1;
    if (!output.holds(test, expected, 0, element_of("output"))) return 1;
    if (count != static_cast<int>(expected.size())) {
      failed(test, "it returns " + text(count) + ", expected " + std::to_string(expected.size()));
      return 1;
    }
    time = time_of([&] { find_repeats(input.data(), n, output.data()); });
  }
  return passed("find_repeats", sizes_text(sizes), time);
}

/// histogram(bytes, size, bins): bins[v] = how often v is among the bytes; both in device memory,
/// the bins not set yet.
inline int check_histogram(int argc, char** argv,
                           void (*histogram)(const unsigned char*, int, unsigned*)) {
  const std::vector<int> sizes =
      Arguments("histogram", argc, argv).sizes({1, 2, 255, 256, 1000, 100003});
  for (const int n : sizes) {
    const std::string test = "histogram, n = " + std::to_string(n);
    const std::vector<unsigned char> values = random_numbers<unsigned char>(n, 200);
    std::vector<unsigned> expected(256);
    for (const unsigned char value : values) ++expected[value];
    const Array<unsigned char> bytes(values);
    const Array<unsigned> bins(256);
    histogram(bytes.data(), n, bins.data());
    if (!ran(test) || !bins.holds(test, expected, 0, element_of("bins"))) return 1;
  }
  return passed("histogram", sizes_text(sizes), 0);
}

/// reduce(input, n): the sum of n numbers in device memory.
inline int check_reduction(int argc, char** argv, int (*reduce)(const int*, int)) {
  const std::vector<int> sizes =
      Arguments("reduction", argc, argv).sizes({1, 2, 31, 255, 256, 257, 1000, 100003});
  for (const int n : sizes) {
    const std::string test = "reduction, n = " + std::to_string(n);
    const std::vector<int> values = random_numbers<int>(n, 100);
    int expected = 0;
    for (const int value : values) expected += value;
    // With room: adding the numbers there makes the sum wrong.
    const Array<int> input(values, values.size());
    const int sum = reduce(input.data(), n);
    if (!ran(test)) return 1;
    if (sum != expected) {
      failed(test, "the sum is " + text(sum) + ", expected " + text(expected));
      return 1;
    }
    if (!input.holds(test, values, 0, element_of("input"))) return 1;
  }
  return passed("reduction", sizes_text(sizes), 0);
}

/// transpose(in, out, rows, columns): out[c][r] = in[r][c], row after row in device memory.
inline int check_transpose(int argc, char** argv,
                           void (*transpose)(const float*, float*, int, int)) {
  const std::vector<int> sizes =
      Arguments("transpose", argc, argv).sizes({1, 2, 16, 31, 32, 33, 100, 257});
  for (const int rows : sizes) {
    const int columns = rows + rows / 3;
    const std::string test =
        "transpose, " + std::to_string(rows) + " rows of " + std::to_string(columns) + " columns";
    const std::size_t count = static_cast<std::size_t>(rows) * columns;
    std::vector<float> values(count);
    std::vector<float> expected(count);
    for (int r = 0; r < rows; ++r)
      for (int c = 0; c < columns; ++c) {
        const std::size_t i = static_cast<std::size_t>(r) * columns + c;
        values[i] = static_cast<float>(i % 9973);
        expected[static_cast<std::size_t>(c) * rows + r] = values[i];
      }
    const Array<float> in(values);
    const Array<float> out(count);
    transpose(in.data(), out.data(), rows, columns);
    const auto place = [&](std::size_t i) {
      return "out[" + std::to_string(i / rows) + "][" + std::to_string(i % rows) + "]";
    };
    if (!ran(test) || !out.holds(test, expected, 0, place)) return 1;
  }
  return passed("transpose", sizes_text(sizes), 0);
}

/// The plate after one step.
inline std::vector<float> heat_step(const std::vector<float>& plate, int dim) {
  std::vector<float> next(plate.size());
  for (int y = 0; y < dim; ++y)
    for (int x = 0; x < dim; ++x) {
      const int i = x + y * dim;
      const float left = plate[x > 0 ? i - 1 : i];
      const float right = plate[x + 1 < dim ? i + 1 : i];
      const float top = plate[y > 0 ? i - dim : i];
      const float bottom = plate[y + 1 < dim ? i + dim : i];
      next[i] = plate[i] + 0.25f * (top + bottom + left + right - 4 * plate[i]);
    }
  return next;
}

/// heat(a, b, dim, steps): the plate in a, dim x dim, advanced by `steps` steps; b is as large. The
/// result is in a.
inline int check_heat(int argc, char** argv, void (*heat)(float*, float*, int, int)) {
  const std::vector<int> sizes = Arguments("heat", argc, argv).sizes({1, 2, 16, 17, 100});
  for (const int dim : sizes)
    for (const int steps : {0, 1, 2, 7}) {
      const std::string test = "heat, " + std::to_string(dim) + " x " + std::to_string(dim) +
                               " cells, steps = " + std::to_string(steps);
      std::vector<float> plate = random_numbers<float>(static_cast<std::size_t>(dim) * dim, 100);
      const Array<float> a(plate, plate.size());
      const Array<float> b(plate.size());
      for (int step = 0; step < steps; ++step) plate = heat_step(plate, dim);
      heat(a.data(), b.data(), dim, steps);
      const auto place = [&](std::size_t i) {
        return "the cell (" + std::to_string(i % dim) + ", " + std::to_string(i / dim) + ")";
      };
      if (!ran(test) || !a.holds(test, plate, 1e-3, place)) return 1;
    }
  return passed("heat", sizes_text(sizes), 0);
}

/// A sphere of chapter 6. Whole numbers as coordinates, so that CPU and GPU agree on who is hit.
struct Sphere {
  float r;
  float g;
  float b;
  float radius;
  float x;
  float y;
  float z;
};

inline std::vector<Sphere> random_spheres(int count, int dim) {
  const std::vector<float> numbers = random_numbers<float>(7 * count, 1000);
  const float span = static_cast<float>(dim);
  std::vector<Sphere> spheres(count);
  for (int i = 0; i < count; ++i) {
    const float* v = &numbers[7 * i];
    spheres[i] = {.r = v[0] / 1000,
                  .g = v[1] / 1000,
                  .b = v[2] / 1000,
                  .radius = 2 + std::floor(span * v[3] / 5000),
                  .x = std::floor(span * (v[4] - 500) / 1000),
                  .y = std::floor(span * (v[5] - 500) / 1000),
                  .z = v[6] - 500};
  }
  return spheres;
}

/// The picture, as chapter 6 draws it: RGBA of dim x dim pixels.
inline std::vector<unsigned char> traced(const std::vector<Sphere>& spheres, int dim) {
  std::vector<unsigned char> picture(static_cast<std::size_t>(dim) * dim * 4);
  for (int y = 0; y < dim; ++y)
    for (int x = 0; x < dim; ++x) {
      float color[3] = {0, 0, 0};
      float nearest = -2e10f;
      for (const Sphere& sphere : spheres) {
        const float dx = static_cast<float>(x - dim / 2) - sphere.x;
        const float dy = static_cast<float>(y - dim / 2) - sphere.y;
        const float dz_squared = sphere.radius * sphere.radius - dx * dx - dy * dy;
        if (!(dz_squared > 0)) continue;
        const float dz = std::sqrt(dz_squared);
        if (dz + sphere.z <= nearest) continue;
        nearest = dz + sphere.z;
        const float shade = dz / sphere.radius;
        color[0] = sphere.r * shade;
        color[1] = sphere.g * shade;
        color[2] = sphere.b * shade;
      }
      unsigned char* pixel = &picture[4 * (x + static_cast<std::size_t>(y) * dim)];
      for (int c = 0; c < 3; ++c) pixel[c] = static_cast<unsigned char>(color[c] * 255);
      pixel[3] = 255;
    }
  return picture;
}

/// Names component i of the RGBA pixels of a picture `width` pixels wide.
inline std::function<std::string(std::size_t)> component_of(int width) {
  return [width](std::size_t i) {
    const std::size_t pixel = i / 4;
    return std::string(1, "RGBA"[i % 4]) + " of pixel (" + std::to_string(pixel % width) + ", " +
           std::to_string(pixel / width) + ")";
  };
}

/// ray(spheres, count, dim, pixels): spheres in host memory, RGBA pixels in device memory, as
/// chapter 6 draws them.
inline int check_ray(int argc, char** argv, void (*ray)(const Sphere*, int, int, unsigned char*)) {
  const std::vector<int> sizes = Arguments("ray", argc, argv).sizes({1, 16, 33, 200});
  for (const int dim : sizes)
    for (const int count : {0, 1, 20}) {
      const std::string test = "ray, " + std::to_string(dim) + " x " + std::to_string(dim) +
                               " pixels, " + std::to_string(count) + " spheres";
      const std::vector<Sphere> spheres = random_spheres(count, dim);
      const std::vector<unsigned char> expected = traced(spheres, dim);
      const Array<unsigned char> pixels(expected.size());
      ray(spheres.data(), count, dim, pixels.data());
      constexpr int rounding = 1;  // of a color
      if (!ran(test) || !pixels.holds(test, expected, rounding, component_of(dim))) return 1;
    }
  return passed("ray", sizes_text(sizes), 0);
}

/// The course's circles, one after another: the position has 3 numbers (x, y, z), the color 3,
/// the radius 1.
struct Circles {
  std::vector<float> position;
  std::vector<float> color;
  std::vector<float> radius;
  void add(float x, float y, float r, float red, float green, float blue) {
    position.insert(position.end(), {x, y, 0});
    color.insert(color.end(), {red, green, blue});
    radius.push_back(r);
  }
};

/// One of the course's scenes: rgb, pattern, or randN, such as rand10k, rand100k, rand1M. False if
/// there is none of that name.
inline bool make_scene(const std::string& name, Circles& circles) {
  if (name == "rgb") {
    circles.add(.4f, .5f, .3f, 1, 0, 0);
    circles.add(.5f, .5f, .3f, 0, 1, 0);
    circles.add(.6f, .5f, .3f, 0, 0, 1);
    return true;
  }
  if (name == "pattern") {
    for (int i = 0; i < 256; ++i)
      circles.add((i % 16 + .5f) / 16, (i / 16 + .5f) / 16, 1 / 32.f, 1, 0, 0);
    for (int i = 0; i < 961; ++i) circles.add((i % 31) / 16.f, (i / 31) / 16.f, 1 / 32.f, 1, 1, 0);
    return true;
  }
  int n = 0;
  if (name == "rand100") n = 100;
  if (name == "rand10k") n = 10000;
  if (name == "rand100k") n = 100000;
  if (name == "rand1M") n = 1000000;
  std::srand(1);
  const auto u = [] { return static_cast<float>(std::rand()) / static_cast<float>(RAND_MAX); };
  for (int i = 0; i < n; ++i) u();  // the depths
  for (int i = 0; i < n; ++i) {
    const float radius = n <= 100000 ? .02f + .06f * u() : .009f + .005f * u();
    const float x = u();
    const float y = u();
    const float red = u();
    const float green = u();
    const float blue = u();
    circles.add(x, y, radius, .1f + .9f * red, .2f + .5f * green, .5f + .5f * blue);
  }
  return n > 0;
}

/// The image of size x size pixels, 4 floats each, and the pixels that are on a circle's rim.
struct Blended {
  std::vector<float> image;
  std::vector<bool> on_rim;
};

inline Blended blended(const Circles& circles, int size) {
  const std::size_t pixels = static_cast<std::size_t>(size) * size;
  Blended result{std::vector<float>(4 * pixels, 1), std::vector<bool>(pixels)};
  const auto bound = [&](double value) {
    return std::clamp(static_cast<int>(value * size), 0, size);
  };
  for (std::size_t i = 0; i < circles.radius.size(); ++i) {
    const double x = circles.position[3 * i];
    const double y = circles.position[3 * i + 1];
    const double r = circles.radius[i];
    const float* color = &circles.color[3 * i];
    for (int row = bound(y - r); row < bound(y + r + 2. / size); ++row)
      for (int column = bound(x - r); column < bound(x + r + 2. / size); ++column) {
        const double dx = (column + .5) / size - x;
        const double dy = (row + .5) / size - y;
        const double inside = r * r - (dx * dx + dy * dy);
        const std::size_t p = column + static_cast<std::size_t>(row) * size;
        if (std::fabs(inside) < 1e-6) result.on_rim[p] = true;
        if (inside < 0) continue;
        float* pixel = &result.image[4 * p];
        for (int c = 0; c < 3; ++c) pixel[c] = .5f * color[c] + .5f * pixel[c];
      }
  }
  return result;
}

/// render(numCircles, position, color, radius, width, height, image): blends the circles in input
/// order into the image, 4 floats per pixel, which is white; all in device memory. A pixel on a
/// circle's rim, where rounding decides whether it is covered, is not compared.
inline int check_circles(int argc, char** argv,
                         void (*render)(int, const float*, const float*, const float*, int, int,
                                        float*)) {
  const Arguments arguments("circles", argc, argv);
  std::vector<std::string> scenes{"rgb", "pattern", "rand100", "rand10k"};
  if (!arguments.scene.empty()) scenes = {arguments.scene};
  const int size = arguments.n > 0 ? arguments.n : 200;
  double time = 0;
  for (const std::string& scene : scenes) {
    const std::string test = "circles, " + scene + ", " + std::to_string(size) + " x " +
                             std::to_string(size) + " pixels";
    Circles circles;
    if (!make_scene(scene, circles)) {
      std::fprintf(stderr,
                   "circles: there is no scene '%.40s', only rgb, pattern, rand100, rand10k, "
                   "rand100k, rand1M\n",
                   scene.c_str());
      return 2;
    }
    const std::size_t pixels = static_cast<std::size_t>(size) * size;
    const Array<float> position(circles.position);
    const Array<float> color(circles.color);
    const Array<float> radius(circles.radius);
    const Array<float> image(std::vector<float>(4 * pixels, 1), 4 * pixels);
    const int count = static_cast<int>(circles.radius.size());
    const auto draw = [&] {
      render(count, position.data(), color.data(), radius.data(), size, size, image.data());
    };
    draw();
    if (!ran(test)) return 1;
    if (!arguments.only_time) {
      const Blended expected = blended(circles, size);
      const auto ignore = [&](std::size_t i) { return expected.on_rim[i / 4] || i % 4 == 3; };
      if (!image.holds(test, expected.image, 2e-3, component_of(size), ignore)) return 1;
    }
    time = time_of(draw);
  }
  std::string list;
  for (const std::string& scene : scenes) list += (list.empty() ? "" : ", ") + scene;
  return passed("circles", list, time, "Total");
}

}  // namespace starter
