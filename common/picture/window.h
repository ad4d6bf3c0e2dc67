#pragma once
#include <functional>
#include <string>

#include "image.h"
#include "interaction.h"

/// Why no window can be opened here, as a clause ("DISPLAY is not set"); empty when one can.
std::string window_problem();

/// What window.cpp needs to know to run a window.
struct WindowShow {
  std::string name;                     ///< for the title and the pictures saved with s
  ImageView picture;                    ///< its content may change at every draw
  std::function<void(int frame)> draw;  ///< empty for a still picture
  int frames = 0;                       ///< end after this number of frames; 0: only when the user says so
  std::function<void()> shown;          ///< called after every frame; may be empty
  Interaction interaction;
};

/// Opens the window and returns when it is closed. Only where window_problem() is empty.
void run_window(const WindowShow& show);
