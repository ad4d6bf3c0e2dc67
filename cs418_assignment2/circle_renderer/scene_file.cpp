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

#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <span>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "../../common/fail.h"
#include "circle_scenes.h"

namespace {

struct Field {
  const char* name;
  float min, max;
};
constexpr Field circle_fields[] = {{"x", -1e6f, 1e6f},  {"y", -1e6f, 1e6f}, {"z", -1e6f, 1e6f},
                                   {"radius", 0, 1e6f}, {"red", 0, 2},      {"green", 0, 2},
                                   {"blue", 0, 2},      {"alpha", 0, 1}};

float read_number(const std::string& word, const Field& field) {
  char* end = nullptr;
  const float value = std::strtof(word.c_str(), &end);
  if (*end != '\0')
    throw std::runtime_error(std::string(field.name) + " is not a number: " + echoed(word, 60));
  if (value >= field.min && value <= field.max) return value;  // not so for nan
  std::ostringstream problem;
  problem << field.name << " must lie between " << field.min << " and " << field.max << ", not "
          << echoed(word, 60);
  throw std::runtime_error(problem.str());
}

/// One number for each field.
std::vector<float> read_numbers(const std::string& what, std::span<const std::string> words,
                                std::span<const Field> fields) {
  if (words.size() != fields.size())
    throw std::runtime_error(what + " has " + std::to_string(fields.size()) + " numbers, but here are " +
                             std::to_string(words.size()));
  std::vector<float> numbers;
  for (std::size_t i = 0; i < words.size(); ++i) numbers.push_back(read_number(words[i], fields[i]));
  return numbers;
}

long read_header(std::span<const std::string> words) {
  constexpr long max_circles = 1000000000;
  char* end = nullptr;
  const long count =
      words.size() == 2 && words[0] == "circles" ? std::strtol(words[1].c_str(), &end, 10) : -1;
  if (count >= 0 && count <= max_circles && *end == '\0') return count;
  throw std::runtime_error("the first line must be \"circles COUNT\" with a count from 0 to " +
                           std::to_string(max_circles));
}

}  // namespace

Scene read_scene(const std::string& path) {
  std::ifstream file(path);
  if (!file) throw std::runtime_error("--scene " + path + " cannot be opened");
  Scene scene;
  scene.name = path;
  long promised = -1;
  int line = 0;
  try {
    for (char text[10000]; file.getline(text, sizeof text);) {
      ++line;
      const std::string before_comment(text, std::strcspn(text, "#"));
      std::istringstream in(before_comment);
      const std::vector<std::string> words(std::istream_iterator<std::string>(in), {});
      if (words.empty()) continue;
      if (promised < 0) {
        promised = read_header(words);
      } else if (words[0] == "background") {
        const auto n =
            read_numbers("a background", std::span(words).subspan(1), std::span(circle_fields).subspan(4, 3));
        scene.background.at_the_top = {n[0], n[1], n[2]};
      } else {
        const auto n = read_numbers("a circle", words, circle_fields);
        scene.circles.push_back({n[0], n[1], n[2], n[3], n[4], n[5], n[6], n[7]});
        if (scene.count() > promised)
          throw std::runtime_error("more circles than the " + std::to_string(promised) +
                                   " that the header promises");
      }
    }
    if (!file.eof()) throw std::runtime_error("cannot be read, or the next line is too long");
    if (promised < 0) throw std::runtime_error("the header \"circles COUNT\" is missing");
    if (scene.count() != promised)
      throw std::runtime_error("the file ends after " + std::to_string(scene.count()) + " of " +
                               std::to_string(promised) + " circles");
  } catch (const std::runtime_error& problem) {
    throw std::runtime_error(path + ":" + std::to_string(line) + ": " + problem.what());
  }
  return scene;
}
