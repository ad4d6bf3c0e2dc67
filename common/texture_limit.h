#pragma once
// A check whether a texture or surface fits the device.

#include <string>

#include "device.h"
#include "options.h"

/// Ends the program (exit code 2) if `size` texels are more than the device's
/// limit; `what` names the texture.
inline void require_limit(const Options& options, const char* what, long long size,
                          cudaDeviceAttr attribute) {
  const int limit = device_attribute(attribute);
  if (size > limit)
    options.fail(std::string(what) + " would have " + std::to_string(size) +
                 " texels; this device allows " + std::to_string(limit) + ".");
}
