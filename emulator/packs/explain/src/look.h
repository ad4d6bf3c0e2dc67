// What each access to memory goes through first.
#pragma once

#include "record/access.h"

namespace emulated::explain {

/// What the compiler's hooks call first. Sets the access's space; reports what lies
/// beyond, and reads of unwritten memory. False: it is not the device's memory,
/// or nothing that may be accessed.
bool look_at(Access& access);

}  // namespace emulated::explain
