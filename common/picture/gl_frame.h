#pragma once
#include <functional>

/// A picture that lies in a buffer of OpenGL's while a window shows it, so that a kernel can write
/// what OpenGL draws. Where no window is, nothing of this is called.
struct GlFrame {
  /// The window is open, and its context current in this thread from now on.
  std::function<void()> opened;
  /// OpenGL's buffer of the frame, width * height * 4 bytes; 0: the frame
  /// is in host memory after all.
  std::function<unsigned()> buffer;
  /// Copies the frame to the picture in host memory: a file or a window
  /// that is smaller needs it there.
  std::function<void()> fetch;
  /// The context is current for the last time.
  std::function<void()> closing;
};
