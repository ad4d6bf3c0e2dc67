#pragma once
#include <functional>
#include <string>
#include <vector>

#include "../options.h"
#include "gl_frame.h"
#include "image.h"
#include "interaction.h"

/// The reason why no window can be opened, as a clause ("DISPLAY is not set"); empty if one can.
std::string window_problem();

/// The data that window.cpp needs to run a window.
struct WindowShow {
  std::string name;                     ///< for the title and the pictures saved with s
  std::string method;                   ///< for the title, unless interaction.title shows more
  ImageView picture;                    ///< its content may change at every draw
  std::function<void(int frame)> draw;  ///< empty for a still picture
  int frames = 0;               ///< end after this number of frames; 0: until the user quits
  std::function<void()> shown;  ///< called after every frame; may be empty
  std::vector<KeyHelp> keys;    ///< printed on the terminal once, and shown by h
  Interaction interaction;
  const GlFrame* gl_frame = nullptr;  ///< OpenGL's frame, if there is one
};

/// Opens the window and returns when it is closed. Call it only if window_problem() is empty. If
/// the window or the X server disappears, the program ends with one sentence and exit code 1.
void run_window(const WindowShow& show);

/// For a program that opens a GLUT window itself; call it right after glutCreateWindow(). If
/// another client destroys the window, or the display disappears, the program ends with one
/// sentence and exit code 1.
void end_when_window_is_gone();
