#include "parts.h"

void fill(int* numbers, int n) {
  int new; /* C, not C++ */
  for (new = 0; new < n; ++new) numbers[new] = new* new;
}
