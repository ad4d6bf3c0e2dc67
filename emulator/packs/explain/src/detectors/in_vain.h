// Fetches and shuffles that get nothing.
#pragma once

#include "emulated/scheduler.h"

namespace emulated::explain {

/// The present thread fetches a whole picture beyond a texture; from a texture that was made there
/// and is not repeated; beyond the elements of a texture in linear memory; shuffles by a distance
/// over which there is no lane.
void note_far_fetch();
void note_unrepeated(const void* made_by, bool beyond);
void note_fetch_beyond(int elements, int element_bytes);
void note_far_shuffle(const char* name, unsigned distance, unsigned lanes, Location at);

}  // namespace emulated::explain
