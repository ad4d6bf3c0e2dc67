// Compares renderers with the CPU reference over scenes, seeds and sizes, and prints the worst difference.
//
//   circles_sweep SCENES SEEDS SIZES METHODS     each a list with commas; SEEDS also as 0:9; SCENES also "all",
//                                                METHODS also "right": all but the one that is wrong on purpose
//
// The small sweep runs with the tests. The full one needs a GPU and some minutes:
//   circles_sweep all 0:9 1,17,256,1000,1024,2048 fast
#include <cmath>
#include <cstdio>
#include <sstream>
#include <string>
#include <vector>

#include "../../cs418_assignment2/circle_renderer/cpu_reference.h"
#include "../../cs418_assignment2/circle_renderer/methods.h"
#include "../../cs418_assignment2/circle_renderer/scenes/scenes.h"
#include "worst_difference.h"

std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> words;
  std::istringstream in(text);
  for (std::string word; std::getline(in, word, ',');) words.push_back(word);
  return words;
}

std::vector<int> numbers(const std::string& text) {
  std::vector<int> values;
  const std::size_t colon = text.find(':');
  if (colon != std::string::npos) {
    for (int i = std::stoi(text); i <= std::stoi(text.substr(colon + 1)); ++i) values.push_back(i);
  } else {
    for (const std::string& word : split(text)) values.push_back(std::stoi(word));
  }
  return values;
}

int main(int argc, char** argv) {
  if (argc != 5) {
    std::fprintf(stderr, "usage: circles_sweep SCENES SEEDS SIZES METHODS\n");
    return 2;
  }
  const std::vector<std::string> scenes = std::string(argv[1]) == "all" ? scene_names() : split(argv[1]);
  std::vector<std::string> chosen = split(argv[4]);
  if (std::string(argv[4]) == "right") {
    chosen.clear();
    for (const CircleMethod& method : circle_methods())
      if (method.right) chosen.emplace_back(method.name);
  }
  constexpr double tolerance = 1e-5;
  int compared = 0, bad = 0;
  for (const std::string& name : scenes) {
    double worst_of_scene = 0;
    for (const int seed : numbers(argv[2])) {
      const Scene scene = make_scene(name, static_cast<std::uint64_t>(seed));
      for (const int size : numbers(argv[3])) {
        CpuReference reference(scene, size);
        draw(reference);
        const std::vector<FloatPixel> expected = reference.image();
        for (const std::string& method : chosen) {
          if (!circle_methods()[method].cannot_draw(scene, size).empty()) continue;
          const auto renderer = circle_methods()[method].make(scene, size);
          draw(*renderer);
          const double worst = worst_difference(renderer->image(), expected);
          ++compared;
          worst_of_scene = std::max(worst_of_scene, worst);
          if (worst <= tolerance) continue;
          ++bad;
          std::printf("%s seed %d size %d %s: a channel differs by %g\n", name.c_str(), seed, size,
                      method.c_str(), worst);
        }
      }
    }
    std::printf("%-14s worst difference %.2g\n", name.c_str(), worst_of_scene);
    std::fflush(stdout);
  }
  std::printf("%d pictures compared, %d differ by more than %g\n", compared, bad, tolerance);
  return bad == 0 && compared > 0 ? 0 : 1;
}
