#pragma once
// Where scenes come from: by name (circle_scenes.cpp), or from a text file (scene_file.cpp).

#include <cstdint>
#include <string>
#include <vector>

#include "scene.h"

/// Fourteen of the course, one of our own, in the order in which --help lists them.
std::vector<std::string> scene_names();

/// Makes the scene of that name from the random numbers of `seed`; throws std::invalid_argument when there is none.
Scene make_scene(const std::string& name, std::uint64_t seed);

/// Reads a scene from a text file (scene_file.cpp); throws std::runtime_error with the file, the line and what is
/// wrong with it.
Scene read_scene(const std::string& path);
