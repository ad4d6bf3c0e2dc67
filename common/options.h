#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

/// What a sample's command line has of the words that all samples share, besides --help. An option that a
/// sample does not declare is unknown to it: what a sample accepts does something.
enum class Common : unsigned {
  nothing = 0,
  picture = 1,              ///< --size, --headless, --window, --output (.png, .ppm)
  animation = 1 | 2,        ///< a picture that moves: --frames too, and --output takes films
  seed = 4,                 ///< --seed
  check = 8,                ///< --check
  always_checked = 8 | 64,  ///< --check, where every run compares: it leaves out all but the verdict
  benchmark = 16,           ///< --benchmark
  device = 32,              ///< --device
};
constexpr Common operator|(Common a, Common b) {
  return static_cast<Common>(static_cast<unsigned>(a) | static_cast<unsigned>(b));
}
/// Whether `set` holds all of `part`.
constexpr bool has(Common set, Common part) {
  return (static_cast<unsigned>(set) & static_cast<unsigned>(part)) == static_cast<unsigned>(part);
}

/// What a key or the mouse does in a window, as {"r", "restarts"}.
struct KeyHelp {
  std::string key, effect;
};

/// The command line of a sample: those of the common options that it declares, in the same words and order
/// everywhere, and its own.
///
///   Options options("ray", "Ray-traced spheres; the spheres lie in constant memory.",
///                   Common::picture | Common::seed | Common::check | Common::device);
///   int spheres = 20;
///   options.add("--spheres", spheres, "how many spheres", 1, 1000);
///   options.parse(argc, argv);
///
/// A sample that wants other flags or another range for a common option adds it itself, for example
/// `options.add("-s,--size", options.size, "pixels per side", 1, 4096)`; its own definition then counts.
class Options {
 public:
  /// `name`: target and default picture name. `purpose`: one or two sentences for --help.
  Options(std::string name, std::string purpose, Common declared);
  ~Options();
  Options(Options&&) noexcept;
  Options& operator=(Options&&) noexcept;

  // The common options, to be read after parse(). The initial values are the defaults; change them before
  // parse().
  int size = 1024;            ///< --size N: pixels per side, 1 to 65535
  std::uint64_t seed = 1;     ///< --seed N
  int frames = 30;            ///< --frames N: without a window, how many; in a window, stop after N if given
  bool frames_given = false;  ///< was --frames on the command line?
  bool headless = false;      ///< --headless: no window even where there is a display
  bool window = false;        ///< --window: a window, or exit code 3
  std::string output;      ///< --output FILE: .png, .ppm, numbered (%04d), .gif, .mp4; empty when not given
  bool check = false;      ///< --check: compare with the CPU reference
  bool benchmark = false;  ///< --benchmark: time every method, after the check
  int device = 0;          ///< --device N; the sample hands it to cudaSetDevice
  std::string method;      ///< --method NAME, after add_methods()

  // Options of one sample, to be added before parse(). `flags` as "-n,--arraysize". The value's present
  // content is the default. Bounds are inclusive; a value outside, NaN and infinity end the program with exit
  // code 2.
  void add(const std::string& flags, int& value, const std::string& help, int least, int most);
  void add(const std::string& flags, std::size_t& value, const std::string& help, std::size_t least,
           std::size_t most);
  /// `reason`, when given, stands behind the sentence that refuses a value outside of the range.
  void add(const std::string& flags, float& value, const std::string& help, float least, float most,
           const std::string& reason = "");
  void add(const std::string& flags, std::string& value, const std::string& help);
  /// A file's name; --help shows FILE. An empty name is wrong use.
  void add_file(const std::string& flags, std::string& path, const std::string& help);
  void add_choice(const std::string& flags, std::string& value, const std::string& help,
                  const std::vector<std::string>& choices);
  void add_flag(const std::string& flags, bool& value, const std::string& help);
  /// An argument without a flag; optional, `value` keeps its default when it is not given.
  void add_positional(const std::string& name, std::string& value, const std::string& help,
                      const std::vector<std::string>& choices = {});

  /// The default of --size in pixels per side: on the emulated device a smaller one, so that what moves in a
  /// window moves. parse() says so in one line where nobody gave a size.
  struct DefaultSize {
    int gpu, emulated;
    /// Asked when the command line has been read: what to say in place of "so that the emulated device draws
    /// some 20 frames per second" where that is not so. Empty where it is.
    std::function<std::string()> why_slow = nullptr;
  };
  void default_size(DefaultSize pixels);

  struct Method {
    std::string name, help;
    bool gpu_only = false;  ///< needs CUB, Thrust or cuBLAS: refused with exit code 77 in the emulated build
  };
  /// Adds --method. --help lists the methods in this order, so go from plain to fast.
  void add_methods(std::vector<Method> methods, std::string default_method);

  /// Adds --compare A,B, two of the methods of add_methods(). The sample shows them with show_side_by_side().
  void add_compare();
  std::vector<std::string> compare;  ///< the two methods; empty when not given

  /// Keys and mouse of the sample's own, beside those of every window.
  void add_keys(const std::vector<KeyHelp>& keys);
  /// All keys of the sample's window, for --help and for the window itself.
  std::vector<KeyHelp> keys() const;

  /// Reads the command line. --help prints and ends with exit code 0. Wrong use, and an --output that cannot
  /// be written, end the program before any work: one sentence and a usage line on standard error, exit
  /// code 2.
  void parse(int argc, char** argv);

  /// Wrong use that only the sample can see: prints "NAME: sentence", exit code 2.
  [[noreturn]] void fail(const std::string& sentence) const;

  const std::string& name() const { return name_; }
  Common declared() const { return declared_; }

  /// For programs without options of their own, such as the book's: SAMPLES_HEADLESS=1, SAMPLES_OUTPUT=FILE
  /// and SAMPLES_FRAMES=N stand for the options of those names.
  static Options from_environment(Common declared);

 private:
  struct Impl;
  std::string name_;
  Common declared_;
  std::vector<KeyHelp> own_keys_;
  std::unique_ptr<Impl> impl_;
};
