// What NVIDIA's samples include for everything but CUDA: options, stop watches,
// comparisons. Belongs to helper_cuda.h.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "helper_string.h"
#include "helper_timer.h"

/// Is the norm of the difference at most `epsilon` times that of the reference?
inline bool sdkCompareL2fe(const float* reference, const float* data, unsigned int length,
                           float epsilon) {
  double difference = 0, norm = 0;
  for (unsigned int i = 0; i < length; ++i) {
    difference += (double{reference[i]} - data[i]) * (double{reference[i]} - data[i]);
    norm += double{reference[i]} * reference[i];
  }
  return norm > 0 && std::sqrt(difference / norm) < epsilon;
}

/// Is at most the part `threshold` of all elements further away than `epsilon`?
template <class T, class S>
bool compareData(const T* reference, const T* data, unsigned int length, S epsilon,
                 float threshold) {
  unsigned int wrong = 0;
  for (unsigned int i = 0; i < length; ++i)
    if (!(std::fabs(static_cast<double>(reference[i]) - static_cast<double>(data[i])) <=
          static_cast<double>(epsilon)))
      ++wrong;
  return static_cast<float>(wrong) <= threshold * static_cast<float>(length);
}
