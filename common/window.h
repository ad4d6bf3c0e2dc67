#pragma once
#include <functional>
#include <string>

#include "image.h"

class Options;

/// What a sample does with the mouse and with keys of its own. Coordinates are pixels of the picture (y
/// upward, inside the picture), whatever the window's size.
struct Interaction {
  /// Left button: at the press with both ends the same, then with every piece of the way while it is held.
  std::function<void(int x0, int y0, int x1, int y1)> drag;
  /// r: the next frame is frame 0 again; put back what the sample keeps between frames.
  std::function<void()> restart;
  /// Any key but Esc, q, space, s, r.
  std::function<void(unsigned char key)> key;
  /// Left button released: from where it was pressed to here (the book's click_drag).
  std::function<void(int x0, int y0, int x1, int y1)> released;
};

/// Shows one picture as the options say, in a window or as a file. Where neither --headless nor a display
/// decides otherwise a window is opened; without a display a sentence says so and the picture goes to
/// --output, or to NAME.png in the current folder, and its absolute path is printed. Returns when the user
/// closes the window. Returns the exit code for main. --window without a display ends the program with exit
/// code 3.
int present(const Options& options, ImageView picture);

/// The same for an animation: `draw(frame)`, for frame = 0, 1, 2, ..., makes the content of `picture`, which
/// must stay where it is. In a window it runs until the user ends it (or for --frames frames); as a file for
/// options.frames frames.
int present(const Options& options, ImageView picture, const std::function<void(int frame)>& draw,
            const Interaction& interaction);

/// Why no window can be opened here, as a clause ("DISPLAY is not set"); empty when one can.
std::string window_problem();

/// What window.cpp needs to know to run a window.
struct WindowShow {
  std::string name;                     ///< for the title and the pictures saved with s
  ImageView picture;                    ///< its content may change at every draw
  std::function<void(int frame)> draw;  ///< empty for a still picture
  int frames = 0;                       ///< end after so many frames; 0: only when the user says so
  std::function<void()> shown;          ///< called after every frame; may be empty
  Interaction interaction;
};

/// Opens the window and returns when it is closed. Only where window_problem() is empty.
void run_window(const WindowShow& show);
