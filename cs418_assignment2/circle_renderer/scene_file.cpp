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
#include <charconv>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <system_error>
#include <vector>

#include "../../common/fail.h"
#include "circle_scenes.h"

namespace {

/// Reads one scene file, line by line.
class SceneReader {
 public:
  explicit SceneReader(const std::string& path) : path_(path), file_(path) {
    if (std::filesystem::is_directory(path))
      throw std::runtime_error("--scene " + path + " is a folder, not a scene");
    if (!file_) throw std::runtime_error("--scene " + path + " cannot be opened");
  }

  // Throws std::runtime_error with the file, the line and what is wrong with it.
  Scene read() {
    Scene scene;
    scene.name = path_;
    std::size_t promised = 0;
    bool have_header = false;
    std::string text;
    while (next_line(text)) {
      const std::vector<std::string> words = split(text);
      if (words.empty()) continue;
      if (!have_header) {
        promised = header(words);
        scene.circles.reserve(
            std::min<std::size_t>(promised, 1 << 20));  // a wrong count must not eat the memory
        have_header = true;
      } else if (words[0] == "background") {
        if (words.size() != 4) fail("a background has three numbers: red green blue");
        scene.background.at_the_top = {number(words[1], "red", 0, max_color),
                                       number(words[2], "green", 0, max_color),
                                       number(words[3], "blue", 0, max_color)};
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
  static constexpr double farthest = 1e6, max_color = 2;
  static constexpr std::size_t max_circles = 1000000000;

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

  static std::vector<std::string> split(const std::string& text) {
    std::istringstream in(text.substr(0, text.find('#')));
    std::vector<std::string> words;
    for (std::string word; in >> word;) words.push_back(word);
    return words;
  }

  std::size_t header(const std::vector<std::string>& words) const {
    std::size_t count = 0;
    if (words.size() == 2 && words[0] == "circles") {
      const auto [end, error] = std::from_chars(words[1].data(), words[1].data() + words[1].size(), count);
      if (error == std::errc{} && end == words[1].data() + words[1].size() && count <= max_circles)
        return count;
    }
    fail("the first line must be \"circles COUNT\" with a count from 0 to " + std::to_string(max_circles));
  }

  float number(const std::string& word, const std::string& what, double least, double most) const {
    double value = 0;
    const char* first = word.data() + (word.starts_with('+') ? 1 : 0);  // from_chars takes no plus sign
    const char* last = word.data() + word.size();
    const auto [end, error] = std::from_chars(first, last, value);
    if (end != last || error == std::errc::invalid_argument)
      fail(what + " is not a number: " + echoed(word, 60));
    // Also catches nan (no comparison with it is true) and inf.
    if (error != std::errc{} || !(value >= least && value <= most)) {
      std::ostringstream range;
      range << what << " must lie between " << least << " and " << most << ", not " << echoed(word, 60);
      fail(range.str());
    }
    return static_cast<float>(value);
  }

  Circle circle(const std::vector<std::string>& words) const {
    if (words.size() != 8)
      fail("a circle has eight numbers, x y z radius red green blue alpha, but here are " +
           std::to_string(words.size()));
    return {number(words[0], "x", -farthest, farthest), number(words[1], "y", -farthest, farthest),
            number(words[2], "z", -farthest, farthest), number(words[3], "radius", 0, farthest),
            number(words[4], "red", 0, max_color),      number(words[5], "green", 0, max_color),
            number(words[6], "blue", 0, max_color),     number(words[7], "alpha", 0, 1)};
  }

  std::string path_;
  std::ifstream file_;
  int line_ = 0;
};

}  // namespace

Scene read_scene(const std::string& path) { return SceneReader(path).read(); }
