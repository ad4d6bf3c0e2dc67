#pragma once
#include <functional>

#include "image.h"
#include "interaction.h"

class Options;
struct GlFrame;  // gl_frame.h

/// A window, and not a file? A sentence says why not where the options leave it open. --window
/// without a display ends the program with exit code 3.
bool wants_window(const Options& options);

/// Shows one picture as the options say, in a window or as a file. Where neither --headless nor a
/// display decides otherwise a window is opened; without a display a sentence says so and the
/// picture goes to --output, or to NAME.png in the current folder, with --method to NAME_METHOD.png
/// (an animation: .gif), and its absolute path is printed. Returns when the user closes the window.
/// Returns the exit code for main. --window without a display ends the program with exit code 3.
/// With `draw` it is an animation: draw(frame), for frame = 0, 1, 2, ..., makes the content of
/// `picture`, which must stay where it is. In a window it runs until the user ends it (or for
/// --frames frames), else for options.frames. `gl_frame`: the frames that a window shows lie in a
/// buffer of OpenGL's; those for a file alone are in `picture` after draw().
int present(const Options& options, ImageView picture,
            const std::function<void(int frame)>& draw = nullptr,
            const Interaction& interaction = {}, const GlFrame* gl_frame = nullptr);
