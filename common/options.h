#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

/// Frames of a film, if --frames is not given.
inline constexpr int frames_of_a_film = 30;

/// The common options that a sample has, besides --help; combined with |.
enum class Common : unsigned {
  nothing = 0,
  picture = 1,              ///< --size, --headless, --window, --output (.png, .ppm)
  animation = 1 | 2,        ///< a picture that moves: --frames too, and --output takes films
  glut = 1 | 128,           ///< as picture, but the sample opens the window itself, with GLUT
  seed = 4,                 ///< --seed
  check = 8,                ///< --check
  always_checked = 8 | 64,  ///< every run compares; with --check it prints only the verdict
  benchmark = 16,           ///< --benchmark
  device = 32,              ///< --device
};
constexpr Common operator|(Common a, Common b) { return Common(unsigned(a) | unsigned(b)); }
constexpr bool has(Common set, Common part) {
  return (unsigned(set) & unsigned(part)) == unsigned(part);
}

struct KeyHelp {
  std::string key;     ///< of the keyboard or the mouse, as "r"
  std::string effect;  ///< its effect in a window, as "restarts"
};

/// The command line of a sample: its own options and the common ones that it declares. It may also
/// add a common option itself, with other flags or another range.
///
///   Options options("ray", Common::picture | Common::check | Common::device);
///   int spheres = 20;
///   options.add("--spheres", spheres, "how many spheres", 1, 1000);
///   options.parse(argc, argv);
class Options {
 public:
  /// `name`: target and default picture name. --help begins with the first line of the sample's
  /// file, which CMake compiles in.
  Options(std::string name, Common declared);
  Options(Options&&) noexcept;
  ~Options();

  // The common options, to be read after parse(). The initial values are the defaults.
  int size = 1024;         ///< --size N: pixels per side, 1 to 65535
  std::uint64_t seed = 1;  ///< --seed N
  /// --frames N: the number without a window; a window stops after N if given
  int frames = frames_of_a_film;
  bool frames_given = false;  ///< was --frames on the command line?
  bool headless = false;      ///< --headless: no window even where there is a display
  bool window = false;        ///< --window: a window, or exit code 3
  /// --output FILE: .png, .ppm, numbered (%04d), .gif, .mp4; empty when not given.
  std::string output;
  bool check = false;                ///< --check: compare with the CPU reference
  bool benchmark = false;            ///< --benchmark: time every method, after the check
  int device = 0;                    ///< --device N; the sample hands it to cudaSetDevice
  std::string method;                ///< --method NAME, after add_methods()
  std::vector<std::string> compare;  ///< --compare A,B, after add_compare(): the two methods

  // A sample's own options; add them before parse(). `flags` as "-n,--arraysize"; a name without
  // dashes is a positional argument. The current value is the default; bounds are inclusive.
  void add(const std::string& flags, int& value, const std::string& help, int min, int max);
  void add(const std::string& flags, size_t& value, const std::string& help, size_t min,
           size_t max);
  void add(const std::string& flags, float& value, const std::string& help, float min, float max);
  void add(const std::string& flags, std::string& value, const std::string& help);
  void add_file(const std::string& flags, std::string& path, const std::string& help);
  void add_choice(const std::string& flags, std::string& value, const std::string& help,
                  const std::vector<std::string>& choices);
  void add_flag(const std::string& flags, bool& value, const std::string& help);

  /// The default of --size on each device. With it an animation runs fast enough. parse() prints
  /// the size if it uses the emulated device's default.
  struct DefaultSize {
    int gpu;
    int emulated;
  };
  void default_size(DefaultSize pixels);

  struct Method {
    std::string name;
    std::string help = {};  ///< empty: as the first line of the rung's file, N_NAME.cuh
    /// Needs CUB, Thrust or cuBLAS, as --help says; see make() in method_table.h.
    bool gpu_only = false;
  };
  /// Adds --method; from naive to fast.
  void add_methods(std::vector<Method> methods, std::string default_method);
  /// Adds --compare A,B, two of those methods, for show_side_by_side().
  void add_compare();

  /// Keys and mouse actions of the sample itself, besides those of every window.
  void add_keys(const std::vector<KeyHelp>& keys);
  std::vector<KeyHelp> keys() const;

  /// Reads the command line. --help ends with exit code 0. Wrong use and an --output that
  /// cannot be written end the program before any work: one sentence and a usage line on
  /// standard error, exit code 2.
  void parse(int argc, char** argv);
  /// Like parse(), but it prints no notices and does not test --output. Several processes may get
  /// the same command line: the first one calls parse(), the others call read().
  void read(int argc, char** argv);
  /// Reports wrong use that only the sample can see.
  [[noreturn]] void fail(const std::string& sentence) const;

  const std::string& name() const { return name_; }
  /// The picture's default name without --output: the sample's name, then the method of --method
  /// or the two methods of --compare.
  std::string picture_name() const;

  /// For the book's programs: SAMPLES_HEADLESS=1, SAMPLES_OUTPUT=FILE and
  /// SAMPLES_FRAMES=N stand for options.
  static Options from_environment(Common declared);

 private:
  struct Impl;  // in options.cpp
  std::string name_;
  Common declared_;
  std::vector<KeyHelp> own_keys_;
  std::unique_ptr<Impl> impl_;
};
