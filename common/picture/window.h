#pragma once
#include <functional>
#include <string>
#include <vector>

#include "../options.h"
#include "gl_frame.h"
#include "image.h"
#include "interaction.h"

/// Why no window can be opened here, as a clause ("DISPLAY is not set"); empty when one can.
std::string window_problem();

/// What window.cpp needs to know to run a window.
struct WindowShow {
  std::string name;                     ///< for the title and the pictures saved with s
  std::string method;                   ///< for the title, unless interaction.title shows more
  ImageView picture;                    ///< its content may change at every draw
  std::function<void(int frame)> draw;  ///< empty for a still picture
  int frames = 0;               ///< end after this number of frames; 0: until the user quits
  std::function<void()> shown;  ///< called after every frame; may be empty
  std::vector<KeyHelp> keys;    ///< printed on the terminal once, and shown by h
  Interaction interaction;
  const GlFrame* gl_frame = nullptr;  ///< where OpenGL has the frame, if it does
};

/// Opens the window and returns when it is closed. Only where window_problem() is empty. If the
/// window or the X server goes away, the program ends with one sentence and exit code 1.
void run_window(const WindowShow& show);

/// For a program that opens a window of GLUT's itself, right behind glutCreateWindow(): if another
/// client destroys the window, or the display goes away, the program ends with one sentence and
/// exit code 1.
void end_when_window_is_gone();
