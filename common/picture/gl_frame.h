#pragma once
#include <functional>

/// A picture that is in an OpenGL buffer while a window shows it. So a kernel can write the pixels
/// that OpenGL draws. Without a window none of these functions is called.
struct GlFrame {
  /// The window is open, and its context is current in this thread from now on.
  std::function<void()> opened;
  /// OpenGL's buffer of the frame, width * height * 4 bytes; 0: the frame
  /// is in host memory after all.
  std::function<unsigned()> buffer;
  /// Copies the frame to the picture in host memory. A file or a smaller
  /// window needs it there.
  std::function<void()> fetch;
  /// The context is current for the last time.
  std::function<void()> closing;
};
