#include "options.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <limits>
#include <map>
#include <numeric>

#include "device.h"
#include "fail.h"
#include "picture/film.h"
#include "timing.h"

/// "NAME - what it shows.", from the first line of the sample's file (cmake/SamplePurpose.cmake).
/// Weak, as a program compiled by hand has none.
extern const char sample_purpose[] __attribute__((weak));

namespace {

template <class T>
std::string number_text(T value) {
  char text[64];
  const auto end = std::to_chars(text, text + sizeof text, value).ptr;
  return std::string(text, end);
}

/// What a user typed, for messages.
std::string shown(const std::string& text) { return text.empty() ? "(nothing)" : echoed(text, 60); }

/// Reads all of `text` as a number from min to max. Strict on purpose: from_chars knows no leading
/// spaces, no octal numbers and no wrapping of negative ones. `flag`: for the message.
template <class T>
T number_in_range(const std::string& flag, const std::string& text, T min, T max) {
  T value{};
  const char* end = text.data() + text.size();
  const auto result = std::from_chars(text.data(), end, value);
  // "Not inside" instead of "outside": NaN is on neither side.
  if (result.ptr != end || result.ec != std::errc() || !(value >= min && value <= max))
    throw CLI::ValidationError(flag + " " + shown(text) + " is not a " +
                               (std::is_integral_v<T> ? "whole number" : "number") + " from " +
                               number_text(min) + " to " + number_text(max));
  return value;
}

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
  return text;
}

std::string long_name(const std::string& flags) {
  const std::size_t dashes = flags.find("--");
  return dashes == std::string::npos ? flags
                                     : flags.substr(dashes, flags.find(',', dashes) - dashes);
}

/// How many letters have to be changed, added or left out to make one word of the other.
std::size_t edit_distance(const std::string& a, const std::string& b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), 0);
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = row[0]++;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t changed = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({changed, row[j] + 1, row[j + 1] + 1});
    }
  }
  return row.back();
}

/// "; did you mean NAME?" with the name that `typed` begins or nearly is;
/// nothing where there is none.
std::string nearest(const std::string& typed, const std::vector<std::string>& names) {
  // No name is longer, and to work out a distance takes the product of the lengths.
  constexpr std::size_t longest = 40;
  const std::string* best = nullptr;
  std::size_t least = typed.size() > 5 ? 3 : 2;  // below that many letters
  if (typed.size() > longest) return "";
  for (const std::string& name : names) {
    const bool begins = typed.size() > 3 && name.starts_with(typed);
    const std::size_t distance = begins ? 0 : edit_distance(typed, name);
    if (distance >= least) continue;
    least = distance;
    best = &name;
  }
  return best == nullptr ? "" : "; did you mean " + *best + "?";
}

/// `text` with spaces behind it, at min `width` characters.
std::string padded(const std::string& text, std::size_t width) {
  return text + std::string(text.size() < width ? width - text.size() : 0, ' ');
}

/// What --help begins with: "NAME - what it shows.", or the name alone.
std::string first_line(const std::string& name, const std::string& source) {
  if (sample_purpose != nullptr) return sample_purpose;

  const std::string comment = "// ";
  std::string line;
  std::ifstream file(source);
  std::getline(file, line);
  return line.starts_with(comment + name + " - ") ? line.substr(comment.size()) : name;
}

}  // namespace

struct Options::Impl {
  CLI::App app;
  std::string group = "Options of this sample";
  std::string source;
  std::vector<std::string> methods;  // their names
  DefaultSize default_size{};        // its `gpu` is 0 until a sample gives one
  // The name by which each given option was called.
  std::map<const CLI::Option*, std::string> typed;

  void add(const std::string& flags, const std::string& type, const std::string& help,
           const std::function<void(const std::string&)>& take) {
    app.add_option_function<std::string>(flags, take, help)->type_name(type)->group(group);
  }

  template <class T>
  void add_number(const std::string& flags, T& value, const std::string& help, T min, T max) {
    const std::string note = " (" + number_text(min) + " to " + number_text(max) + ", default " +
                             number_text(value) + ")";
    add(flags, std::is_integral_v<T> ? "N" : "X", help + note,
        [this, &value, min, max, flags](const std::string& text) {
          value = number_in_range(name_of(flags), text, min, max);
        });
  }

  void add_text(const std::string& flags, std::string& value, const std::string& help,
                const std::string& type) {
    add(flags, type, help + (value.empty() ? "" : " (default " + value + ")"),
        [this, &value, flags](const std::string& text) {
          if (text.empty()) throw CLI::ValidationError(name_of(flags) + " needs a value");
          value = text;
        });
  }

  void add_choice(const std::string& flags, std::string& value, const std::string& help,
                  const std::vector<std::string>& choices) {
    add(flags, "NAME", help, [this, &value, choices, flags](const std::string& text) {
      if (std::find(choices.begin(), choices.end(), text) == choices.end()) {
        throw CLI::ValidationError(name_of(flags) + " " + shown(text) + " is not one of " +
                                   joined(choices) + nearest(text, choices));
      }
      value = text;
    });
  }

  bool has(const std::string& flag) const { return app.get_option_no_throw(flag) != nullptr; }

  /// The option's name for a message, as it was typed.
  std::string name_of(const std::string& flags) const {
    const auto found = typed.find(app.get_option_no_throw(long_name(flags)));
    return found == typed.end() ? long_name(flags) : found->second;
  }

  /// What is wrong with the words as such, before any value is read; empty where nothing is.
  /// (CLI11 would say it in words of its own, take the next option for a value, and give
  /// values to options that have none.)
  std::string wrong_words(const std::vector<std::string>& words) {
    std::vector<std::string> names;
    std::size_t places = 0;  // for words that are no options
    for (const CLI::Option* option : app.get_options()) {
      if (option->get_positional()) ++places;
      for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
      for (const std::string& name : option->get_snames()) names.push_back("-" + name);
    }
    const auto is_option = [](const std::string& word) {  // and no number
      return word.size() > 1 && word[0] == '-' && !std::strchr("0123456789.", word[1]);
    };

    for (std::size_t i = 0; i < words.size(); ++i) {
      const std::string& word = words[i];
      if (word == "--") continue;
      if (!is_option(word)) {
        if (places == 0) return "'" + shown(word) + "' belongs to no option";
        --places;
        continue;
      }
      const bool is_long = word[1] == '-';
      const std::string name = is_long ? word.substr(0, word.find('=')) : word.substr(0, 2);
      const CLI::Option* const option = app.get_option_no_throw(name);
      if (option == nullptr || option->get_positional())
        return "there is no option " + shown(is_long ? name : word) +
               nearest(is_long ? name : "-" + word, names);
      const bool has_value = name.size() < word.size();
      if (option->get_items_expected_max() == 0) {
        if (has_value && (is_long || word[2] == '=')) return name + " takes no value";
        continue;
      }
      if (!typed.emplace(option, name).second) return name + " is given twice";
      const bool is_empty = word == name + "=";
      if (has_value && !is_empty) continue;
      if (is_empty || ++i == words.size() || is_option(words[i]))
        return (name + " needs a value: ").append(name).append(" ").append(option->get_type_name());
    }
    return "";
  }
};

Options::Options(std::string name, Common declared, std::string source)
    : name_(std::move(name)), declared_(declared), impl_(std::make_shared<Impl>()) {
  impl_->source = std::move(source);
  impl_->app.name(name_);
  impl_->app.set_help_flag("-h,-?,--help");
}

void Options::add(const std::string& flags, int& value, const std::string& help, int min, int max) {
  impl_->add_number(flags, value, help, min, max);
}

void Options::add(const std::string& flags, std::size_t& value, const std::string& help,
                  std::size_t min, std::size_t max) {
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
  impl_->app.add_flag(flags, value, help)->group(impl_->group);
}

void Options::default_size(DefaultSize pixels) {
  size = is_emulated ? pixels.emulated : pixels.gpu;
  impl_->default_size = pixels;
}

void Options::add_methods(std::vector<Method> methods, std::string default_method) {
  method = std::move(default_method);
  std::size_t width = 0;
  std::vector<std::string> names;
  for (const Method& entry : methods) {
    width = std::max(width, entry.name.size());
    names.push_back(entry.name);
  }
  std::string help = "the implementation, from naive to fast (default " + method + "):";
  for (const Method& entry : methods) {
    help += "\n" + padded(entry.name, width + 2) + entry.help;
    if (entry.gpu_only) help += " [gpu only: comes with the CUDA toolkit]";
  }
  impl_->add_choice("--method", method, help, names);
  impl_->methods = std::move(names);
}

void Options::add_compare() {
  impl_->add("--compare", "A,B", "two methods side by side, with the time of each",
             [this](const std::string& text) {
               const std::vector<std::string>& names = impl_->methods;
               const std::size_t comma = std::min(text.find(','), text.size());
               compare = {text.substr(0, comma), text.substr(std::min(comma + 1, text.size()))};
               for (const std::string& name : compare)
                 if (std::find(names.begin(), names.end(), name) == names.end())
                   throw CLI::ValidationError("--compare " + shown(text) +
                                              " is not A,B with A and B of " + joined(names));
             });
}

void Options::add_keys(const std::vector<KeyHelp>& keys) {
  own_keys_.insert(own_keys_.end(), keys.begin(), keys.end());
}

std::vector<KeyHelp> Options::keys() const {
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
  return name_ + (impl_->has("--method") && impl_->app.count("--method") > 0 ? "_" + method : "");
}

void Options::parse(int argc, char** argv) {
  Impl& impl = *impl_;
  const bool picture = has(declared_, Common::picture);
  const bool animated = has(declared_, Common::animation);
  impl.group = "Options of all samples";
  impl.app.get_help_ptr()->description("show this help and exit")->group(impl.group);
  // The sample's own definitions take precedence.
  const auto wanted = [&](Common part, const char* flag) {
    return has(declared_, part) && !impl.has(flag);
  };
  if (wanted(Common::picture, "--size")) add("--size", size, "pixels per side", 1, 65535);
  if (wanted(Common::seed, "--seed")) {
    impl.add_number("--seed", seed, "seed of all random numbers", std::uint64_t{0},
                    std::numeric_limits<std::uint64_t>::max());
  }
  if (wanted(Common::animation, "--frames"))
    add("--frames", frames, "frames of a film; if given, a window closes after N", 1,
        std::numeric_limits<int>::max());
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
  if (picture) {
    std::string footer = "Keys and mouse in a window:";
    for (const KeyHelp& entry : keys())
      footer += "\n  " + padded(entry.key, 27) + " " + entry.effect;
    impl.app.footer(footer);
  }

  const std::vector<std::string> words(argv + 1, argv + argc);
  const bool asks_for_help = std::any_of(words.begin(), words.end(), [&](const std::string& word) {
    return word.starts_with("-") && impl.app.get_option_no_throw(word) == impl.app.get_help_ptr();
  });
  impl.typed.clear();
  if (const std::string wrong = asks_for_help ? "" : impl.wrong_words(words); !wrong.empty())
    fail(wrong);
  try {
    impl.app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    impl.app.description(first_line(name_, impl.source));
    std::printf("%s", impl.app.help().c_str());
    std::exit(exit_code::fine);
  } catch (const CLI::ParseError& error) {
    std::string sentence = error.what();
    std::replace(sentence.begin(), sentence.end(), '\n', ' ');
    fail(echoed(sentence, 280));
  }
  frames_given = animated && impl.app.count("--frames") > 0;
  if (headless && window) fail("--headless and --window exclude each other");
  if (!output.empty()) {
    const std::string problem = output_problem(output, animated);
    if (!problem.empty()) fail(echoed("--output " + problem, 280));
  }
  if (!compare.empty() && (check || benchmark || impl.app.count("--method") > 0))
    fail("--compare shows two methods and excludes --method, --check and --benchmark");
  if (benchmark) say_whose_times();
  const int size_on_gpu = impl.default_size.gpu;
  if (is_emulated && size_on_gpu != 0 && size_on_gpu != size && impl.app.count("--size") == 0) {
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
    } catch (const CLI::ParseError& error) {
      ::fail(exit_code::wrong_use, error.what());
    }
    options.frames_given = true;
  }
  if (!options.output.empty()) {
    const std::string problem = output_problem(options.output, has(declared, Common::animation));
    if (!problem.empty()) ::fail(exit_code::wrong_use, "SAMPLES_OUTPUT=" + problem);
  }
  return options;
}
