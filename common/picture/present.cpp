// Decides between a window and a file, and makes the file. The window itself is in window.cpp.
#include "present.h"

#include <unistd.h>

#include <cstdio>
#include <optional>

#include "../fail.h"
#include "../options.h"
#include "../timing.h"
#include "film.h"
#include "window.h"

bool wants_window(const Options& options) {
  if (options.headless) return false;
  const std::string problem = window_problem();
  if (problem.empty()) return true;
  if (options.window)
    fail(exit_code::no_display, "--window: no window can be opened: " + problem + ".");
  static bool said = false;  // both a sample and present() may ask
  if (!options.check && !options.benchmark && !said)
    std::fprintf(stderr, "%s: no window can be opened (%s), so a file is written.\n",
                 options.name().c_str(), problem.c_str());
  said = true;
  return false;
}

namespace {

/// NAME.png, or for an animation the film NAME.gif if one can be made. Ends the program if neither
/// can be written.
std::string default_path(const std::string& name, bool moves) {
  std::string film = name + ".gif";
  const std::string no_film = moves ? output_problem(film, true) : "";
  if (moves && no_film.empty()) return film;

  // If nothing can be written, this is the only message.
  std::string picture = name + ".png";
  const std::string problem = output_problem(picture, false);
  if (!problem.empty()) fail(exit_code::failed, problem);
  if (moves) std::fprintf(stderr, "%s\n", no_film.c_str());
  return picture;
}

}  // namespace

int present(const Options& options, ImageView picture, const std::function<void(int)>& draw,
            const Interaction& interaction, const GlFrame* gl_frame) {
  const bool in_window = wants_window(options);
  std::optional<FrameWriter> writer;
  if (!in_window || !options.output.empty()) {
    const std::string path = options.output.empty()
                                 ? default_path(options.picture_name(), draw != nullptr)
                                 : options.output;
    writer.emplace(path, picture.width, picture.height);
  }

  // Even if a picture shows only the first frame, a film moves.
  const bool is_film = writer && writer->wants_every_frame();
  const bool moves = is_film && options.frames == 1 && !options.frames_given;
  const int frames = moves ? frames_of_a_film : options.frames;

  const auto finish = [&] {
    std::printf("%s%s\n", writer->finish().c_str(),
                options.output.empty() ? " (any browser or picture viewer shows it)" : "");
    writer.reset();
  };
  if (!draw && writer) {  // before the window, so the file exists while the window is open
    writer->add(picture);
    finish();
  }
  if (in_window) {
    WindowShow show{options.name(), options.method, picture, draw, 0, {},
                    options.keys(), interaction,    gl_frame};
    if (draw && options.frames_given) show.frames = options.frames;
    if (writer && writer->wants_every_frame()) show.shown = [&] { writer->add(picture); };
    run_window(show);
  } else if (draw) {
    HostTimer since_shown;
    bool shown = false;
    for (int frame = 0; frame < frames; ++frame) {
      draw(frame);
      if (writer->wants_every_frame()) writer->add(picture);
      if (since_shown.ms() < 1000 || !::isatty(STDERR_FILENO)) continue;  // a long run is watched
      std::fprintf(stderr, "\rframe %d of %d", frame + 1, frames);
      since_shown.restart();
      shown = true;
    }
    if (shown) std::fprintf(stderr, "\rframe %d of %d\n", frames, frames);
  }
  if (writer && !writer->wants_every_frame()) writer->add(picture);
  if (writer) finish();
  return exit_code::fine;
}
