#pragma once
#include <vector>

#include "../../cs418_assignment2/circle_renderer/scene.h"

// The scene's picture, drawn with the file of a rung as another program would use it.
std::vector<float4> drawn_elsewhere(const circle_renderer::Scene& scene, int size);
