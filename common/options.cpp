#include "options.h"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <limits>
#include <sstream>
#include <type_traits>
#include <utility>

#include "device.h"
#include "fail.h"
#include "picture/film.h"
#include "timing.h"

/// "NAME - what it shows.", from the first line of the sample's file (scripts/samples.py).
/// Weak, because a program compiled by hand has none.
extern const char sample_purpose[] __attribute__((weak));
/// "NAME - what it is.", a line for each rung next to it, from the first line of its file.
extern const char sample_rungs[] __attribute__((weak));

namespace {

template <class T>
std::string number_text(T value) {
  char text[64];
  const auto end = std::to_chars(text, text + sizeof text, value).ptr;
  return std::string(text, end);
}

/// A user's text, for messages.
std::string shown(const std::string& text) { return text.empty() ? "(nothing)" : echoed(text, 60); }

/// A sentence about a value that an option refuses.
struct WrongValue {
  std::string sentence;
};

/// Reads all of `text` as a number from min to max. Strict on purpose: from_chars accepts no
/// leading spaces, no octal numbers and no wrapping of negative numbers. `flag`: for the message.
template <class T>
T number_in_range(const std::string& flag, const std::string& text, T min, T max) {
  T value{};
  const char* end = text.data() + text.size();
  const auto result = std::from_chars(text.data(), end, value);
  // "Not inside" instead of "outside", because NaN is on neither side.
  if (result.ptr != end || result.ec != std::errc() || !(value >= min && value <= max))
    throw WrongValue{flag + " " + shown(text) + " is not a " +
                     (std::is_integral_v<T> ? "whole number" : "number") + " from " +
                     number_text(min) + " to " + number_text(max)};
  return value;
}

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
  return text;
}

/// "-n,--arraysize" as {"-n", "--arraysize"}.
std::vector<std::string> split(const std::string& flags) {
  std::vector<std::string> names;
  for (size_t begin = 0; begin <= flags.size();) {
    const size_t end = std::min(flags.find(',', begin), flags.size());
    names.push_back(flags.substr(begin, end - begin));
    begin = end + 1;
  }
  return names;
}

/// The number of letters that `a` and `b` share in the same order: the longest common subsequence.
size_t shared_letters(const std::string& a, const std::string& b) {
  std::vector<size_t> row(b.size() + 1);  // [j]: of `a` so far and the first j letters of `b`
  for (const char letter : a) {
    size_t diagonal = 0;  // row[j - 1] before this letter
    for (size_t j = 1; j <= b.size(); ++j) {
      const size_t before = row[j];
      row[j] = letter == b[j - 1] ? diagonal + 1 : std::max(before, row[j - 1]);
      diagonal = before;
    }
  }
  return row.back();
}

/// "; did you mean NAME?" with the name that `typed` begins or resembles;
/// empty if there is none.
std::string nearest(const std::string& typed, const std::vector<std::string>& names) {
  constexpr size_t longest = 40;  // no name is longer
  if (typed.size() > longest) return "";
  std::string best;
  double most = 0.7;  // the least likeness; 1: the same word
  for (const std::string& name : names) {
    const bool begins = typed.size() > 3 && name.starts_with(typed);
    const double shared = 2.0 * double(shared_letters(typed, name));
    const double likeness = begins ? 1 : shared / double(typed.size() + name.size());
    if (likeness <= most) continue;
    most = likeness;
    best = name;
  }
  return best.empty() ? "" : "; did you mean " + best + "?";
}

/// `text` followed by spaces, at least `width` characters.
std::string padded(const std::string& text, size_t width) {
  return text + std::string(text.size() < width ? width - text.size() : 0, ' ');
}

/// A rung's description: its line in `sample_rungs` without name and period; empty if it has none.
std::string rung_purpose(const std::string& name) {
  const std::string start = name + " - ";
  std::istringstream rungs(sample_rungs != nullptr ? sample_rungs : "");
  for (std::string line; std::getline(rungs, line);)
    if (line.starts_with(start)) return line.substr(start.size(), line.rfind('.') - start.size());
  return "";
}

/// An option that begins with a dash; a number does not.
bool is_option(const std::string& word) {
  return word.size() > 1 && word[0] == '-' && std::strchr("0123456789.", word[1]) == nullptr;
}

constexpr size_t help_column = 30;  // of --help, where the descriptions begin

/// The lines of --help about one option or one key.
std::string help_lines(const std::string& name, const std::string& text) {
  std::string lines = padded("  " + name, help_column);
  if (name.size() + 2 >= help_column) lines += "\n" + std::string(help_column, ' ');
  for (const char letter : text) {
    lines += letter;
    if (letter == '\n') lines += std::string(help_column, ' ');
  }
  return lines + "\n";
}

/// The words of `text` in lines of at most `width` characters; all but the first begin with
/// `indent` spaces more.
std::string wrapped(const std::string& text, size_t width, size_t indent) {
  std::istringstream words(text);
  std::string lines;
  size_t used = 0;
  for (std::string word; words >> word; used += 1 + word.size()) {
    if (used > 0 && used + word.size() > width) {
      lines += "\n" + std::string(indent, ' ');
      used = 0;
    } else if (used > 0) {
      lines += ' ';
    }
    lines += word;
  }
  return lines;
}

}  // namespace

struct Options::Impl {
  /// One option of the command line, or a word that stands alone.
  struct Option {
    std::string flags;  // "-n,--arraysize"
    std::string type;   // of its value, for --help; empty if it has none
    std::string help;
    bool is_common;
    std::function<void(const std::string&)> take;  // is called with the given value
    std::string typed = {};                        // the name by which it was given

    bool is_word() const { return flags[0] != '-'; }
    bool is_given() const { return !typed.empty(); }
    bool has_name(const std::string& name) const {
      const std::vector<std::string> names = split(flags);
      return std::find(names.begin(), names.end(), name) != names.end();
    }
    /// For a message: as it was typed, or its longest name.
    std::string name() const { return is_given() ? typed : split(flags).back(); }
  };

  std::deque<Option> options;        // a result of add() stays where it is
  bool adds_common = false;          // options added now belong to all samples
  std::vector<std::string> methods;  // their names
  DefaultSize default_size{};        // its `gpu` is 0 until a sample gives one

  Option& add(const std::string& flags, const std::string& type, const std::string& help) {
    return options.emplace_back(Option{flags, type, help, adds_common, {}});
  }

  template <class T>
  void add_number(const std::string& flags, T& value, const std::string& help, T min, T max) {
    const std::string note = " (" + number_text(min) + " to " + number_text(max) + ", default " +
                             number_text(value) + ")";
    Option& option = add(flags, std::is_integral_v<T> ? "N" : "X", help + note);
    option.take = [&option, &value, min, max](const std::string& text) {
      value = number_in_range(option.name(), text, min, max);
    };
  }

  void add_text(const std::string& flags, std::string& value, const std::string& help,
                const std::string& type) {
    Option& option = add(flags, type, help + (value.empty() ? "" : " (default " + value + ")"));
    option.take = [&value](const std::string& text) { value = text; };
  }

  void add_choice(const std::string& flags, std::string& value, const std::string& help,
                  const std::vector<std::string>& choices) {
    Option& option = add(flags, "NAME", help);
    option.take = [&option, &value, choices](const std::string& text) {
      if (std::find(choices.begin(), choices.end(), text) == choices.end()) {
        throw WrongValue{option.name() + " " + shown(text) + " is not one of " + joined(choices) +
                         nearest(text, choices)};
      }
      value = text;
    };
  }

  Option* find(const std::string& name) {
    const auto found = std::find_if(options.begin(), options.end(),
                                    [&](const Option& option) { return option.has_name(name); });
    return found == options.end() ? nullptr : &*found;
  }

  bool is_given(const std::string& name) const {
    return std::any_of(options.begin(), options.end(), [&](const Option& option) {
      return option.has_name(name) && option.is_given();
    });
  }

  /// The options in the words, with their values; none is applied yet. Throws WrongValue.
  std::vector<std::pair<Option*, std::string>> given(const std::vector<std::string>& words) {
    std::vector<std::pair<Option*, std::string>> all;
    std::vector<Option*> places;  // for words that are not options, the last one first
    std::vector<std::string> names;
    for (Option& option : options) {
      option.typed.clear();
      if (option.is_word()) {
        places.insert(places.begin(), &option);
      } else {
        for (const std::string& name : split(option.flags)) names.push_back(name);
      }
    }

    for (size_t i = 0; i < words.size(); ++i) {
      std::string word = words[i];
      if (word == "--") continue;
      if (!is_option(word)) {
        if (places.empty()) throw WrongValue{"'" + shown(word) + "' belongs to no option"};
        all.push_back({places.back(), word});
        places.pop_back();
        continue;
      }

      const bool is_long = word[1] == '-';
      std::string name = is_long ? word.substr(0, word.find('=')) : word.substr(0, 2);
      Option* option = find(name);
      // One-letter options without a value may stand together: -ct.
      while (!is_long && option != nullptr && option->type.empty() && word.size() > 2 &&
             word[2] != '=') {
        option->typed = name;
        all.push_back({option, ""});
        word = "-" + word.substr(2);
        name = word.substr(0, 2);
        option = find(name);
      }
      if (option == nullptr) {
        throw WrongValue{"there is no option " + shown(is_long ? name : word) +
                         nearest(is_long ? name : "-" + word, names)};
      }

      const bool has_value = name.size() < word.size();
      if (option->type.empty()) {
        if (has_value) throw WrongValue{name + " takes no value"};
        option->typed = name;
        all.push_back({option, ""});
        continue;
      }
      if (option->is_given()) throw WrongValue{name + " is given twice"};
      option->typed = name;
      const size_t value_at = name.size() + (is_long ? 1 : 0);  // after --name= or -n
      std::string value = has_value ? word.substr(value_at) : "";
      if (!has_value && i + 1 < words.size() && !is_option(words[i + 1])) value = words[++i];
      if (value.empty() || value == "=") {
        std::string sentence = name + " needs a value: ";
        throw WrongValue{sentence.append(name).append(" ").append(option->type)};
      }
      all.push_back({option, value});
    }
    return all;
  }

  /// The lines of the options of all samples, or of this one.
  std::string group(const char* title, bool is_common) const {
    std::string lines;
    for (const Option& option : options) {
      if (option.is_common == is_common)
        lines +=
            help_lines(option.flags + (option.type.empty() ? "" : " " + option.type), option.help);
    }
    return lines.empty() ? "" : std::string("\n") + title + "\n" + lines;
  }

  /// The text of --help about the options; `usage`: its line without the words that stand alone.
  std::string help(std::string usage) const {
    for (const Option& option : options)
      if (option.is_word()) usage += " [" + option.flags + "]";
    return usage + "\n" + group("Options of all samples:", true) +
           group("Options of this sample:", false);
  }
};

Options::Options(std::string name, Common declared)
    : name_(std::move(name)), declared_(declared), impl_(std::make_unique<Impl>()) {}
Options::Options(Options&&) noexcept = default;
Options::~Options() = default;

void Options::add(const std::string& flags, int& value, const std::string& help, int min, int max) {
  impl_->add_number(flags, value, help, min, max);
}

void Options::add(const std::string& flags, size_t& value, const std::string& help, size_t min,
                  size_t max) {
  impl_->add_number(flags, value, help, min, max);
}

void Options::add(const std::string& flags, float& value, const std::string& help, float min,
                  float max) {
  impl_->add_number(flags, value, help, min, max);
}

void Options::add(const std::string& flags, std::string& value, const std::string& help) {
  impl_->add_text(flags, value, help, "TEXT");
}

void Options::add_file(const std::string& flags, std::string& path, const std::string& help) {
  impl_->add_text(flags, path, help, "FILE");
}

void Options::add_choice(const std::string& flags, std::string& value, const std::string& help,
                         const std::vector<std::string>& choices) {
  const std::string note =
      ": " + joined(choices) + (value.empty() ? "" : " (default " + value + ")");
  impl_->add_choice(flags, value, help + note, choices);
}

void Options::add_flag(const std::string& flags, bool& value, const std::string& help) {
  impl_->add(flags, "", help).take = [&value](const std::string&) { value = true; };
}

void Options::default_size(DefaultSize pixels) {
  size = is_emulated ? pixels.emulated : pixels.gpu;
  impl_->default_size = pixels;
}

void Options::add_methods(std::vector<Method> methods, std::string default_method) {
  method = std::move(default_method);
  size_t width = 0;
  std::vector<std::string> names;
  for (const Method& entry : methods) {
    width = std::max(width, entry.name.size());
    names.push_back(entry.name);
  }
  std::string help = "the implementation, from naive to fast (default " + method + "):";
  for (const Method& entry : methods) {
    std::string words = entry.help.empty() ? rung_purpose(entry.name) : entry.help;
    if (entry.gpu_only) words += " [gpu only: comes with the CUDA toolkit]";
    const size_t indent = width + 2;
    help += "\n" + padded(entry.name, indent) + wrapped(words, 100 - help_column - indent, indent);
  }
  impl_->add_choice("--method", method, help, names);
  impl_->methods = std::move(names);
}

void Options::add_compare() {
  Impl::Option& option =
      impl_->add("--compare", "A,B", "two methods side by side, with the time of each");
  option.take = [this](const std::string& text) {
    const std::vector<std::string>& names = impl_->methods;
    const size_t comma = std::min(text.find(','), text.size());
    compare = {text.substr(0, comma), text.substr(std::min(comma + 1, text.size()))};
    for (const std::string& name : compare)
      if (std::find(names.begin(), names.end(), name) == names.end())
        throw WrongValue{"--compare " + shown(text) + " is not A,B, two of " + joined(names) +
                         nearest(name, names)};
  };
}

void Options::add_keys(const std::vector<KeyHelp>& keys) {
  own_keys_.insert(own_keys_.end(), keys.begin(), keys.end());
}

std::vector<KeyHelp> Options::keys() const {
  if (has(declared_, Common::glut)) return {{"Esc or q", "quit"}};
  std::vector<KeyHelp> all{{"Esc or q", "quit"}, {"s", "save a picture"}};
  if (has(declared_, Common::animation)) {
    all.push_back({"space", "pause"});
    all.push_back({"r", "restart"});
  }
  all.insert(all.end(), own_keys_.begin(), own_keys_.end());
  all.push_back({"h or ?", "show or hide these keys"});
  return all;
}

std::string Options::picture_name() const {
  std::string picture = name_;
  if (impl_->is_given("--method")) picture += "_" + method;
  for (const std::string& compared : compare) picture += "_" + compared;
  return picture;
}

void Options::read(int argc, char** argv) {
  Impl& impl = *impl_;
  const bool picture = has(declared_, Common::picture);
  const bool animated = has(declared_, Common::animation);
  impl.adds_common = true;
  if (impl.find("--help") == nullptr) impl.add("-h,-?,--help", "", "show this help and exit");
  // The sample's own definitions take precedence.
  const auto wanted = [&](Common part, const char* flag) {
    return has(declared_, part) && impl.find(flag) == nullptr;
  };
  if (wanted(Common::picture, "--size")) add("--size", size, "pixels per side", 1, 65535);
  if (wanted(Common::seed, "--seed")) {
    impl.add_number("--seed", seed, "seed of all random numbers", std::uint64_t{0},
                    std::numeric_limits<std::uint64_t>::max());
  }
  if (wanted(Common::animation, "--frames"))
    add("--frames", frames,
        (frames == 1 ? "frames until the picture is written (a film: " +
                           std::to_string(frames_of_a_film) + " if not given)"
                     : std::string("frames of a film")) +
            "; if given, a window closes after N",
        1, std::numeric_limits<int>::max());
  if (wanted(Common::picture, "--headless"))
    add_flag("--headless", headless, "write a file instead of opening a window");
  if (wanted(Common::picture, "--window"))
    add_flag("--window", window, "open a window, or fail if there is no display");
  if (wanted(Common::picture, "--output")) {
    add_file("--output", output,
             animated ? "file to write: .gif or .mp4 (film), .png or .ppm (last frame; with %04d "
                        "in the name: all)"
                      : "file to write: .png or .ppm");
  }
  if (wanted(Common::check, "--check")) {
    add_flag("--check", check,
             has(declared_, Common::always_checked)
                 ? "print only PASS or FAIL (the result is always checked)"
                 : "compare with the CPU reference and print PASS or FAIL");
  }
  if (wanted(Common::benchmark, "--benchmark"))
    add_flag("--benchmark", benchmark, "measure times, after the check");
  if (wanted(Common::device, "--device"))
    add("--device", device, "number of the GPU to use", 0, 1023);

  const std::vector<std::string> words(argv + 1, argv + argc);
  for (const std::string& word : words) {
    if (!impl.find("--help")->has_name(word)) continue;
    std::printf("%s\n", sample_purpose != nullptr ? sample_purpose : name_.c_str());
    std::printf("%s", impl.help("Usage: " + name_ + " [options]").c_str());
    if (picture) {
      std::printf("\nKeys and mouse in a window:\n");
      for (const KeyHelp& entry : keys())
        std::printf("%s", help_lines(entry.key, entry.effect).c_str());
    }
    std::exit(exit_code::fine);
  }
  try {
    for (const auto& [option, value] : impl.given(words)) option->take(value);
  } catch (WrongValue& wrong) {
    std::replace(wrong.sentence.begin(), wrong.sentence.end(), '\n', ' ');
    fail(echoed(wrong.sentence, 280));
  }
  frames_given = animated && impl.is_given("--frames");
  if (headless && window) fail("--headless and --window exclude each other");
  if (!compare.empty() && (check || benchmark || impl.is_given("--method")))
    fail("--compare shows two methods and excludes --method, --check and --benchmark");
}

void Options::parse(int argc, char** argv) {
  read(argc, argv);
  if (!output.empty()) {
    const std::string problem = output_problem(output, has(declared_, Common::animation));
    if (!problem.empty()) fail(echoed("--output " + problem, 280));
  }
  if (benchmark) say_whose_times();
  const int size_on_gpu = impl_->default_size.gpu;
  if (is_emulated && size_on_gpu != 0 && size_on_gpu != size && !impl_->is_given("--size")) {
    std::fprintf(stderr,
                 "%s: using %d x %d pixels on the emulated device, for more frames/s (--size %d: "
                 "the GPU's default)\n",
                 name_.c_str(), size, size, size_on_gpu);
  }
}

void Options::fail(const std::string& sentence) const {
  std::fflush(stdout);
  std::fprintf(stderr, "%s: %s\nUsage: %s [options]   (%s --help lists them)\n", name_.c_str(),
               sentence.c_str(), name_.c_str(), name_.c_str());
  std::exit(exit_code::wrong_use);
}

Options Options::from_environment(Common declared) {
  const auto variable = [](const char* name) {
    const char* text = std::getenv(name);
    return std::string(text != nullptr ? text : "");
  };
  Options options(program_name(), declared);
  const std::string headless = variable("SAMPLES_HEADLESS");
  const std::string frames = variable("SAMPLES_FRAMES");
  options.headless = !headless.empty() && headless != "0";
  options.output = variable("SAMPLES_OUTPUT");
  if (!frames.empty()) {
    try {
      options.frames =
          number_in_range("SAMPLES_FRAMES", frames, 1, std::numeric_limits<int>::max());
    } catch (const WrongValue& wrong) {
      ::fail(exit_code::wrong_use, wrong.sentence);
    }
    options.frames_given = true;
  }
  if (!options.output.empty()) {
    const std::string problem = output_problem(options.output, has(declared, Common::animation));
    if (!problem.empty()) ::fail(exit_code::wrong_use, "SAMPLES_OUTPUT=" + problem);
  }
  return options;
}
