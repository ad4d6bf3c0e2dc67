#pragma once
// What the checks of the exercises share: a check.cu calls the reader's function and compares the
// result. README.md shows how an exercise is made. C++17, as nvcc compiles by default.

#include <cuda_runtime.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "book.h"  // HANDLE_ERROR

namespace exercise {

/// What a failed check throws. It has been printed.
struct Failed {};

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

template <class T>
std::string text(T value) {
  if constexpr (std::is_integral_v<T>) return std::to_string(value);
  char buffer[32];
  std::snprintf(buffer, sizeof buffer, "%.7g", static_cast<double>(value));
  return buffer;
}

inline int next_power_of_two(int n) {
  int power = 1;
  while (power < n) power *= 2;
  return power;
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

/// An array in device memory. On a GPU an array for results has room beyond its end, where a check
/// finds writes beyond it. The emulated device itself reports these, and also reads beyond an array
/// or of memory that was never written.
template <class T>
class Array {
 public:
  /// An input: exactly these values. `name`: the reader's, for messages.
  Array(const char* name, const std::vector<T>& values) : Array(name, values, values.size(), 0) {}
  /// For results: `capacity` elements without a value.
  Array(const char* name, std::size_t capacity) : Array(name, {}, capacity) {}
  /// Both: `capacity` elements, of which the first are copied from `values`.
  Array(const char* name, const std::vector<T>& values, std::size_t capacity,
        std::size_t room = result_room)
      : name_(name), capacity_(capacity), room_(room) {
    HANDLE_ERROR(cudaMalloc(named(&data_), bytes()));
#ifndef EMULATED_DEVICE
    HANDLE_ERROR(cudaMemset(data_, pattern, bytes()));
#endif
    if (!values.empty())
      HANDLE_ERROR(
          cudaMemcpy(data_, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice));
    HANDLE_ERROR(cudaDeviceSynchronize());  // for streams that do not wait for the default one
  }
  Array(const Array&) = delete;
  Array& operator=(const Array&) = delete;
  ~Array() { cudaFree(data_); }
  T* data() const { return data_; }
  const char* name() const { return name_; }

  /// The elements, at most `count`, and the room beyond the end.
  std::vector<T> read(std::size_t count) const {
    std::vector<T> result(room_ == 0 ? count : capacity_ + room_);
    HANDLE_ERROR(
        cudaMemcpy(result.data(), data_, result.size() * sizeof(T), cudaMemcpyDeviceToHost));
    return result;
  }
  std::size_t capacity() const { return capacity_; }

 private:
#ifdef EMULATED_DEVICE
  static constexpr std::size_t result_room = 0;
#else
  static constexpr std::size_t result_room = 4096;  // elements
#endif
  std::size_t bytes() const { return (capacity_ + room_) * sizeof(T); }

  // The same pointer. The allocation that comes next has the reader's name in what --explain says.
  T** named(T** pointer) const {
#ifdef EMULATED_DEVICE
    emulated::named(name_);
#endif
    return pointer;
  }

  const char* name_;
  std::size_t capacity_;
  std::size_t room_;
  T* data_ = nullptr;
};

/// What the device counted under --explain, in all kernels so far: warps' requests of one kind
/// ("load global", "store global", "load shared", "store shared"), what they cost (sectors of
/// global memory, wavefronts of shared memory), and the least that they could have cost.
struct Counts {
  unsigned long long requests = 0;
  unsigned long long cost = 0;
  unsigned long long least = 0;
};

/// A launch: its blocks, and the threads of each.
struct Launched {
  unsigned long long blocks = 0;
  unsigned threads = 0;
};

/// The names of elements in messages, from their index: "c[7]".
using Place = std::function<std::string(std::size_t)>;
/// Is this element not compared?
using Ignore = std::function<bool(std::size_t)>;

inline Place element_of(std::string name) {
  return [name](std::size_t i) { return name + "[" + std::to_string(i) + "]"; };
}
/// In an array with rows: "out[row][column]".
inline Place row_and_column_of(std::string name, std::size_t columns) {
  return [name, columns](std::size_t i) {
    return name + "[" + std::to_string(i / columns) + "][" + std::to_string(i % columns) + "]";
  };
}
/// Among pixels with one number each: "pixel (x, y)".
inline Place pixel_of(std::size_t width) {
  return [width](std::size_t i) {
    return "pixel (" + std::to_string(i % width) + ", " + std::to_string(i / width) + ")";
  };
}
/// Among pixels with four bytes or floats each: "R of pixel (x, y)".
inline Place component_of(std::size_t width) {
  return [width](std::size_t i) {
    return std::string(1, "RGBA"[i % 4]) + " of " + pixel_of(width)(i / 4);
  };
}

/// One run of a check. Its functions end the check, by Failed, where something is wrong.
class Check {
 public:
  static constexpr int max_size = 1 << 28;

  std::string input;       ///< -i: random (the default) or ones
  std::string scene;       ///< circles: the only scene to draw
  bool only_time = false;  ///< -r, -b: print the time, check nothing

  /// The command line: -n N or -s N (one size instead of all), and the other options of the
  /// course's programs, so that its checker can call this one.
  Check(const char* name, int argc, char** argv) : name_(name) {
    int i = 1;
    while (i < argc) {
      const std::string word = argv[i];
      if (word == "-c") {  // the check is always done
        i += 1;
      } else if (word[0] != '-' && scene.empty()) {
        scene = word;
        i += 1;
      } else if (takes_value(word) && i + 1 < argc) {
        read_option(word, argv[i + 1]);
        i += 2;
      } else {
        usage();
      }
    }
  }

  /// Calls `test` for each size, or for the one that -n asks for. `multiple`: what a size has to be
  /// a multiple of, if not every one will do, with its name: {256, "a multiple of 256"}.
  void for_sizes(const std::vector<int>& sizes, const std::function<void(int)>& test,
                 std::pair<int, const char*> multiple = {1, ""}) {
    if (size_ >= 0 && size_ % multiple.first != 0) {
      std::fprintf(stderr, "%s: -n takes %s\n", name_, multiple.second);
      std::exit(2);
    }
    for (const int n : size_ < 0 ? sizes : std::vector<int>{size_}) {
      begin("n = " + std::to_string(n), "-n " + std::to_string(n));
      list_ += (list_.empty() ? "n = " : " ") + std::to_string(n);
      test(n);
    }
  }

  /// From here on failures are about `what` ("rgb, 200 x 200 pixels"); `arguments` repeat only this
  /// test ("rgb -s 200").
  void begin(const std::string& what, const std::string& arguments) {
    test_ = what;
    arguments_ = arguments;
  }

  /// The size that -n or -s asks for, or `other`.
  int size_or(int other) const { return size_ < 0 ? other : size_; }

  /// What PASS names, if for_sizes() does not: "rgb, pattern".
  void covers(const std::string& what) { list_ += (list_.empty() ? "" : ", ") + what; }

  /// Compares a number that the reader's file predicts with what the device counted or, where it
  /// counted nothing (0), with `right`. Called last, as a number alone passes no exercise. `why`: a
  /// clause about the right number that does not have it, because the last hint does.
  void predicted(const std::string& constant, long long number, long long right,
                 const std::string& why, long long counted = 0) {
    if (number == (counted > 0 ? counted : right)) return;
    begin("", "");
    fail("the results are right, the prediction is not: " + constant +
             (number == 0 ? " is still 0"
                          : " is " + std::to_string(number) + ", but " +
                                (counted > 0 ? "the device counts another number; " : "") + why),
         "hint");
  }

  /// Waits for the device. Fails if a launch, a kernel or a call failed, and for an error that only
  /// the emulated device notices. Called after each call of the reader's function.
  void ran() {
#ifdef EMULATED_DEVICE
    emulated::tell_dropped();  // the look at the last error, below, is not the solution's own
#endif
    cudaError_t error = cudaDeviceSynchronize();
    if (error != cudaSuccess)
      fail(std::string("a kernel failed: ") + cudaGetErrorString(error), "explain");
    error = cudaGetLastError();
    if (error != cudaSuccess)
      fail(std::string("a launch or a call failed: ") + cudaGetErrorString(error), "explain");
#ifdef EMULATED_DEVICE
    if (emulated::reported_errors() > 0) fail("the emulated device reported an error", "explain");
#endif
  }

  /// Fails if the reader's function has left memory of the device allocated. No exercise::Array is
  /// there. On a GPU, where others allocate, too, nothing is compared.
  void freed() {
#ifdef EMULATED_DEVICE
    const std::size_t count = emulated::unfreed_allocations();
    if (count > 0)
      fail("the results are right, but cudaFree is missing: of what each call allocates, " +
               std::to_string(count) + (count == 1 ? " array is" : " arrays are") + " left",
           "hint");
#endif
  }

  /// The latest launch, or zeros where the device does not count.
  static Launched launched() {
    Launched launched;
#ifdef EMULATED_DEVICE
    const emulated::Launched last = emulated::last_launch();
    launched = {last.blocks, last.threads};
#endif
    return launched;
  }

  /// Compares a number that the reader's function returned.
  template <class T>
  void equal(const std::string& what, T got, T expected, double tolerance = 0) {
    if (!(std::fabs(static_cast<double>(got) - static_cast<double>(expected)) <= tolerance))
      wrong(what + " is " + text(got) + ", expected " + text(expected), "explain");
  }

  /// Compares the first elements of `got`, in the host's memory.
  template <class T>
  void equal(const Place& place, const std::vector<T>& got, const std::vector<T>& expected,
             double tolerance = 0, const Ignore& ignore = nullptr) {
    std::size_t first = expected.size();
    std::size_t count = 0;
    for (std::size_t i = 0; i < expected.size(); ++i) {
      const double difference = static_cast<double>(got[i]) - static_cast<double>(expected[i]);
      if (std::fabs(difference) <= tolerance || (ignore && ignore(i))) continue;  // NaN is wrong
      if (count == 0) first = i;
      ++count;
    }
    if (count == 0) return;
    const bool is_written = !untouched(got[first]);
#ifdef EMULATED_DEVICE
    emulated::note_wrong(&got[first], sizeof(T));  // for --step --wrong
#endif
    wrong(place(first) + (is_written ? " is " + text(got[first]) : " was not written") +
              ", expected " + text(expected[first]) + "; " + std::to_string(count) + " of " +
              std::to_string(expected.size()) + (count == 1 ? " is wrong" : " are wrong"),
          is_written ? "step" : "explain");
  }
  template <class T>
  void equal(const std::string& name, const std::vector<T>& got, const std::vector<T>& expected,
             double tolerance = 0) {
    equal(element_of(name), got, expected, tolerance);
  }

  /// Compares the first elements of an array in device memory, and the room beyond its end with
  /// what was there before. An input is compared, too, where a solution may have overwritten it.
  template <class T>
  void equal(const Place& place, const Array<T>& got, const std::vector<T>& expected,
             double tolerance = 0, const Ignore& ignore = nullptr) {
    const std::vector<T> result = got.read(expected.size());
    equal(place, result, expected, tolerance, ignore);
    for (std::size_t i = got.capacity(); i < result.size(); ++i)
      if (!untouched(result[i]))
        fail(place(i) + " was written, which is beyond the end", "explain");
  }
  template <class T>
  void equal(const Array<T>& got, const std::vector<T>& expected, double tolerance = 0) {
    equal(element_of(got.name()), got, expected, tolerance);
  }

  /// Fails if all requests of this kind together cost more than `most` times the least. Where the
  /// device does not count (without --explain, on a GPU), nothing is compared.
  void cost_at_most(double most, const std::string& kind, const std::string& unit) {
    const Counts counts = counted(kind);
    if (counts.requests == 0 ||
        static_cast<double>(counts.cost) <= most * static_cast<double>(counts.least))
      return;
    const double requests = static_cast<double>(counts.requests);
    fail("a " + kind + " takes " + text(rounded(static_cast<double>(counts.cost) / requests)) +
             " " + unit + " per request, " +
             text(rounded(static_cast<double>(counts.least) / requests)) + " would do",
         "explain");
  }

  /// What has been counted so far, or zeros where the device does not count.
  static Counts counted([[maybe_unused]] const std::string& kind) {
    Counts counts;
#ifdef EMULATED_DEVICE
    const emulated::Counted found = emulated::counted(kind.c_str());
    counts = {found.requests, found.cost, found.least};
#endif
    return counts;
  }

  /// For the course's table: the time of the largest size, the best of three calls, in
  /// milliseconds. On the emulated device it is 0, because a time there says nothing about a GPU.
  template <class Call>
  void time([[maybe_unused]] Call call, const char* label = "Student GPU time") {
    label_ = label;
#ifndef EMULATED_DEVICE
    double best = 1e300;
    for (int run = 0; run < 3; ++run) {
      HANDLE_ERROR(cudaDeviceSynchronize());
      const auto start = std::chrono::steady_clock::now();
      call();
      HANDLE_ERROR(cudaDeviceSynchronize());
      const std::chrono::duration<double, std::milli> spent =
          std::chrono::steady_clock::now() - start;
      best = std::min(best, spent.count());
    }
    milliseconds_ = best;
#endif
  }

  /// Prints why the test failed. `next`: the command that helps, which ./run then names: explain,
  /// step (to the last write of the wrong element) or hint.
  [[noreturn]] void fail(const std::string& why, const std::string& next = "hint") const {
    std::printf("FAIL %s%s%s: %s\n", name_, test_.empty() ? "" : ", ", test_.c_str(), why.c_str());
    if (const char* const path = std::getenv("EXERCISE_NEXT"))
      if (std::FILE* const file = std::fopen(path, "w")) {
        std::fprintf(file, "%s\n%s\n", next.c_str(), arguments_.c_str());
        std::fclose(file);
      }
    throw Failed();
  }

  int pass() const {
    if (milliseconds_ > 0) std::printf("%s: %.3f ms\n", label_, milliseconds_);
    std::printf("PASS %s: %s\n", name_, list_.empty() ? "right" : list_.c_str());
    return 0;
  }

 private:
  /// Fails for a wrong result.
  [[noreturn]] void wrong(const std::string& why, const std::string& next) const {
#ifdef EMULATED_DEVICE
    if (launched().blocks == 0) fail(why + "; no kernel was launched", "hint");
#endif
    fail(why, next);
  }

  static double rounded(double value) { return std::round(value * 10) / 10; }

  static bool takes_value(const std::string& word) {
    return word.size() == 2 && word[0] == '-' && std::strchr("nmisSrbf", word[1]) != nullptr;
  }

  void read_option(const std::string& option, const std::string& value) {
    if (option == "-n" || option == "-s") size_ = size_of(value);
    if (option == "-i") input = value;
    if (option == "-m" && value != name_) usage();
    if (option == "-r" || option == "-b") only_time = true;
  }

  int size_of(const std::string& value) const {
    char* end = nullptr;
    const long size = std::strtol(value.c_str(), &end, 10);
    const bool is_number = !value.empty() && *end == 0;
    if (!is_number || size < 0 || size > max_size) usage();
    return static_cast<int>(size);
  }

  [[noreturn]] void usage() const {
    std::fprintf(stderr,
                 "%s: takes -n N, the size to check, at most %d (circles: -s SIZE and a scene)\n",
                 name_, max_size);
    std::exit(2);
  }

  const char* name_;
  int size_ = -1;  // -n, -s: the only size to try
  std::string test_;
  std::string arguments_;
  std::string list_;
  double milliseconds_ = 0;
  const char* label_ = "";
};

/// main() of a check: calls it and returns the exit code, 0 right, 1 wrong (the first wrong element
/// is printed), 2 wrong use. EXERCISE_KEY, from ./run grade, is a word that the reader's function
/// does not see: with it the answer is not one that the function has printed.
inline int run(const char* name, int argc, char** argv, void (*check)(Check&)) {
  const char* const variable = std::getenv("EXERCISE_KEY");
  const std::string key = variable == nullptr ? "" : variable;
  if (variable != nullptr) {
    std::memset(const_cast<char*>(variable), 0, key.size());
    unsetenv("EXERCISE_KEY");
  }
  Check context(name, argc, argv);
  try {
    check(context);
#ifdef EMULATED_DEVICE
    if (emulated::reported_warnings())
      context.fail("the results are right here, but the emulated device warns", "explain");
#endif
  } catch (const Failed&) {
    return 1;
  }
  const int code = context.pass();
  if (!key.empty()) std::printf("%s\n", key.c_str());
  return code;
}

}  // namespace exercise
