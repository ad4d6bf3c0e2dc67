#pragma once
#include <functional>

#include "image.h"
#include "interaction.h"

class Options;
struct GlFrame;  // gl_frame.h

/// A window, and not a file? If the options leave it open, a sentence gives the reason for a file.
/// --window without a display ends the program with exit code 3.
bool wants_window(const Options& options);

/// Shows one picture in a window or as a file, according to the options. It opens a window if there
/// is a display and no --headless. Without a display it prints a sentence, and the picture goes to
/// --output, or to NAME.png in the current folder, with --method to NAME_METHOD.png (an animation:
/// .gif). Its absolute path is printed. Returns when the user closes the window.
/// Returns the exit code for main. --window without a display ends the program with exit code 3.
/// With `draw` it is an animation: draw(frame), for frame = 0, 1, 2, ..., makes the content of
/// `picture`, which must stay where it is. In a window it runs until the user ends it (or for
/// --frames frames), else for options.frames. `gl_frame`: the frames that a window shows are in an
/// OpenGL buffer; those for a file alone are in `picture` after draw().
int present(const Options& options, ImageView picture,
            const std::function<void(int frame)>& draw = nullptr,
            const Interaction& interaction = {}, const GlFrame* gl_frame = nullptr);
