#pragma once
#include "interaction.h"

/// The book's click_drag, which measures from the top.
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
