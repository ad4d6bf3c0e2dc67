#pragma once
#include <cstddef>

#include "../fail.h"
#include "interaction.h"

// What the three bitmap classes with the book's names share.

/// The bytes of a picture; one without pixels ends the program.
inline std::size_t picture_bytes(int width, int height) {
  if (width < 1 || height < 1) fail(exit_code::wrong_use, "a picture must be at least 1 x 1 pixels");
  return std::size_t{4} * width * height;
}

/// What the book calls click_drag, which measures from the top.
template <class Bitmap>
Interaction book_interaction(const Bitmap& bitmap) {
  Interaction interaction;
  if (bitmap.clickDrag != nullptr) {
    interaction.released = [&bitmap](int x0, int y0, int x1, int y1) {
      bitmap.clickDrag(bitmap.dataBlock, x0, bitmap.height - 1 - y0, x1, bitmap.height - 1 - y1);
    };
  }
  return interaction;
}
