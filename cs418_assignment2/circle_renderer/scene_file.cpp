// Scenes from text files. The format:
//
//   # a comment, anywhere; blank lines are skipped
//   circles 2                            how many follow
//   background 0.1 0.1 0.2               optional: red green blue, else white
//   0.4 0.5 0.75  0.3   1 0 0  0.5       x y z  radius  red green blue  alpha
//   0.6 0.5 0.25  0.3   0 0 1  1.0
//
// Circles are drawn in the order of the lines. x, y and radius are fractions of the image's width, (0, 0) is
// the lower left corner; a circle may lie partly or wholly outside.

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <fstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "../../common/fail.h"
#include "scene.h"

namespace {

/// Reads one scene file, line by line.
class SceneReader {
 public:
  explicit SceneReader(const std::string& path) : path_(path), file_(path) {
    if (!file_) throw std::runtime_error(path + ": cannot be opened");
  }

  // Throws std::runtime_error with the file, the line and what is wrong with it.
  Scene read() {
    Scene scene;
    scene.name = path_;
    std::size_t promised = 0;
    bool have_header = false;
    std::string text;
    while (next_line(text)) {
      const std::vector<std::string_view> words = split(text);
      if (words.empty()) continue;
      if (!have_header) {
        promised = header(words);
        scene.circles.reserve(
            std::min<std::size_t>(promised, 1 << 20));  // a wrong count must not eat the memory
        have_header = true;
      } else if (words[0] == "background") {
        if (words.size() != 4) fail("a background has three numbers: red green blue");
        scene.background.at_the_top = {number(words[1], "red", 0, most_color),
                                       number(words[2], "green", 0, most_color),
                                       number(words[3], "blue", 0, most_color)};
      } else {
        if (scene.circles.size() == promised)
          fail("more circles than the " + std::to_string(promised) + " that the header promises");
        scene.circles.push_back(circle(words));
      }
    }
    if (file_.bad()) throw std::runtime_error(path_ + ": cannot be read");
    if (!have_header) fail("the header \"circles COUNT\" is missing");
    if (scene.circles.size() != promised)
      fail("the file ends after " + std::to_string(scene.circles.size()) + " of " + std::to_string(promised) +
           " circles");
    return scene;
  }

 private:
  static constexpr float farthest = 1e6f, most_color = 2.0f;
  static constexpr std::size_t most_circles = 1000000000;

  static constexpr std::size_t longest_line = 10000;

  // False: there is none. A file without ends of lines must not eat the memory.
  bool next_line(std::string& text) {
    text.clear();
    std::streambuf& buffer = *file_.rdbuf();
    if (buffer.sgetc() != std::char_traits<char>::eof()) ++line_;
    for (int c = buffer.sbumpc(); c != '\n'; c = buffer.sbumpc()) {
      if (c == std::char_traits<char>::eof()) {
        file_.setstate(std::ios::eofbit);
        return !text.empty();
      }
      if (text.size() == longest_line)
        fail("the line is longer than " + std::to_string(longest_line) + " characters");
      text += static_cast<char>(c);
    }
    return true;
  }

  [[noreturn]] void fail(const std::string& what) const {
    throw std::runtime_error(path_ + ":" + std::to_string(line_) + ": " + what);
  }

  static std::vector<std::string_view> split(std::string_view text) {
    text = text.substr(0, text.find('#'));
    constexpr std::string_view blanks = " \t\r";
    std::vector<std::string_view> words;
    for (std::size_t at = text.find_first_not_of(blanks); at != std::string_view::npos;) {
      const std::size_t end = text.find_first_of(blanks, at);
      words.push_back(text.substr(at, end - at));
      at = end == std::string_view::npos ? end : text.find_first_not_of(blanks, end);
    }
    return words;
  }

  std::size_t header(const std::vector<std::string_view>& words) const {
    std::size_t count = 0;
    if (words.size() == 2 && words[0] == "circles") {
      const auto [end, error] = std::from_chars(words[1].data(), words[1].data() + words[1].size(), count);
      if (error == std::errc{} && end == words[1].data() + words[1].size() && count <= most_circles)
        return count;
    }
    fail("the first line must be \"circles COUNT\" with a count from 0 to " + std::to_string(most_circles));
  }

  float number(std::string_view word, const char* what, float least, float most) const {
    double value = 0;
    const char* first = word.data() + (word.starts_with('+') ? 1 : 0);  // from_chars takes no plus sign
    const char* last = word.data() + word.size();
    const auto [end, error] = std::from_chars(first, last, value);
    if (end != last || error == std::errc::invalid_argument)
      fail(std::string(what) + " is not a number: " + echoed(std::string(word), 60));
    // Also catches nan (no comparison with it is true) and inf.
    if (error != std::errc{} || !(value >= least && value <= most))
      fail(std::string(what) + " must lie between " + brief(least) + " and " + brief(most) + ", not " +
           echoed(std::string(word), 60));
    return static_cast<float>(value);
  }
  static std::string brief(float value) {
    std::array<char, 32> text{};
    const auto result =
        std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::general);
    return {text.data(), result.ptr};
  }

  Circle circle(const std::vector<std::string_view>& words) const {
    if (words.size() != 8)
      fail("a circle has eight numbers, x y z radius red green blue alpha, but here are " +
           std::to_string(words.size()));
    return {number(words[0], "x", -farthest, farthest), number(words[1], "y", -farthest, farthest),
            number(words[2], "z", -farthest, farthest), number(words[3], "radius", 0, farthest),
            number(words[4], "red", 0, most_color),     number(words[5], "green", 0, most_color),
            number(words[6], "blue", 0, most_color),    number(words[7], "alpha", 0, 1)};
  }

  std::string path_;
  std::ifstream file_;
  int line_ = 0;
};

}  // namespace

Scene read_scene(const std::string& path) { return SceneReader(path).read(); }
