// The window: freeglut, and glDrawPixels as in the book. All of OpenGL and X11 is in this file.
#include "window.h"

#ifndef HAVE_WINDOW

std::string window_problem() {
  return "built without windows, because the package freeglut3-dev was missing";
}
void run_window(const WindowShow&) {}
void end_when_window_is_gone() {}

#else

#define GL_GLEXT_PROTOTYPES  // glBindBuffer()
#include <GL/freeglut.h>
#include <GL/glext.h>
#include <GL/glx.h>
#include <X11/Xlib.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <vector>

#include "../device.h"
#include "../fail.h"
#include "../timing.h"
#include "draw.h"
#include "file.h"
#include "fit.h"

namespace {

constexpr double screen_share = 0.9;       // of the screen, for the largest window at the start
constexpr int smallest_side = 512;         // smaller pictures are shown larger, by a whole number
constexpr double title_interval_ms = 500;  // how often the title shows the speed
constexpr int alive_interval_ms = 500;  // how often the window is asked whether it is still there

/// Ends the program like fail(), but runs no destructors: they would wait for locks that Xlib and
/// OpenGL may hold.
[[noreturn]] void fail_at_once(const std::string& sentence) {
  std::fflush(stdout);
  std::fprintf(stderr, "%s: %s\n", program_name().c_str(), sentence.c_str());
  std::quick_exit(exit_code::failed);
}

/// The X server refuses a request, or the window no longer exists: another client destroyed it.
int end_by_x_error(Display* display, XErrorEvent* error) {
  char reason[200];
  XGetErrorText(display, error->error_code, reason, sizeof reason);
  fail_at_once(std::string("the window is gone, or the display cannot show it (") + reason + ").");
}

/// The connection is broken. Xlib calls this and does not expect it to return.
int end_by_lost_display(Display*) {
  fail_at_once("the display was closed, and the window with it.");
}

void handle_x_errors() {
  XSetErrorHandler(end_by_x_error);
  XSetIOErrorHandler(end_by_lost_display);
}

/// A request about the window, which fails if there is none. Otherwise the program would go on
/// without a window after another client has destroyed it.
void ask_whether_alive(int) noexcept {
  glutGet(GLUT_WINDOW_X);
  glutTimerFunc(alive_interval_ms, ask_whether_alive, 0);
}

class GlutWindow {
 public:
  explicit GlutWindow(const WindowShow& show) : show_(show) { running_ = this; }
  ~GlutWindow() { running_ = nullptr; }
  GlutWindow(const GlutWindow&) = delete;
  GlutWindow& operator=(const GlutWindow&) = delete;

  void run() {
    open();
    print_keys();
    if (show_.draw) {
      step();
      set_paused(false);  // the title may show the time of the first frame
    }
    if (!ended_) glutMainLoop();  // frees what freeglut holds when it returns
    if (ended_ && glutGet(GLUT_INIT_STATE)) {
      close();
      glutExit();
    }
  }

 private:
  void open() {
    int argc = 1;
    std::string program = show_.name;
    char* argv[] = {program.data(), nullptr};
    handle_x_errors();
    glutInit(&argc, argv);
    glutInitDisplayMode(GLUT_RGBA | GLUT_DOUBLE);
    // Closing the window must return to the sample, which has memory to free.
    glutSetOption(GLUT_ACTION_ON_WINDOW_CLOSE, GLUT_ACTION_CONTINUE_EXECUTION);
    const ImageView& picture = show_.picture;
    double scale = std::min({1.0, screen_share * glutGet(GLUT_SCREEN_WIDTH) / picture.width,
                             screen_share * glutGet(GLUT_SCREEN_HEIGHT) / picture.height});
    const int longer = std::max(picture.width, picture.height);
    if (longer < smallest_side) scale = std::ceil(static_cast<double>(smallest_side) / longer);
    glutInitWindowSize(std::max(1, static_cast<int>(picture.width * scale)),
                       std::max(1, static_cast<int>(picture.height * scale)));
    glutCreateWindow(show_.name.c_str());
    if (show_.gl_frame != nullptr) show_.gl_frame->opened();
    glutCloseFunc([]() noexcept { running_->close(); });
    ask_whether_alive(0);
    width_ = glutGet(GLUT_WINDOW_WIDTH);
    height_ = glutGet(GLUT_WINDOW_HEIGHT);
    // freeglut is C: an exception must not pass through it. It ends the
    // program with a sentence (fail.cpp).
    glutReshapeFunc([](int width, int height) noexcept {
      running_->resized(width, height);
      glutPostRedisplay();
    });
    glutDisplayFunc([]() noexcept { running_->display(); });
    glutKeyboardFunc([](unsigned char key, int, int) noexcept { running_->key(key); });
    glutMouseFunc([](int button, int state, int x, int y) noexcept {
      if (button == GLUT_LEFT_BUTTON) running_->mouse(state == GLUT_DOWN, x, y);
    });
    glutMouseWheelFunc([](int, int direction, int, int) noexcept {
      if (running_->show_.interaction.wheel) running_->show_.interaction.wheel(direction);
      running_->redraw_paused();
    });
    glutMotionFunc([](int x, int y) noexcept {
      running_->motion(x, y);
      running_->redraw_paused();
    });
    set_paused(false);
  }

  void resized(int width, int height) {
    GLint limits[2] = {};
    glGetIntegerv(GL_MAX_VIEWPORT_DIMS, limits);
    if (width > limits[0] || height > limits[1]) {
      fail_at_once("the window is gone, or the display cannot show it (" + std::to_string(width) +
                   " x " + std::to_string(height) + " pixels; OpenGL has at most " +
                   std::to_string(limits[0]) + " x " + std::to_string(limits[1]) + ").");
    }
    width_ = width;
    height_ = height;
  }

  void print_keys() const {
    std::string sentence;
    for (const KeyHelp& entry : keys())
      sentence += (sentence.empty() ? "" : ", ") + entry.key + " (" + entry.effect + ")";
    std::printf("%s: in the window: %s\n", show_.name.c_str(), sentence.c_str());
    std::fflush(stdout);
  }

  /// Two digits or more, and no exponent: "0.82", "7.2", "33", "1220".
  static std::string short_number(double value) {
    char text[64];
    const int decimals = (value < 10 ? 1 : 0) + (value < 1 ? 1 : 0);
    std::snprintf(text, sizeof text, "%.*f", decimals, value);
    return text;
  }

  bool is_still() const { return show_.interaction.still && show_.interaction.still(); }

  /// The keys that do something now: a picture that stands still cannot pause.
  std::vector<KeyHelp> keys() const {
    std::vector<KeyHelp> some = show_.keys;
    if (!show_.draw || is_still())
      std::erase_if(some, [](const KeyHelp& entry) { return entry.key == "space"; });
    return some;
  }

  void set_title(const std::string& state, const std::string& rate = "",
                 const std::string& ms = "") const {
    const auto& shown_now = show_.interaction.title;
    const Title title{
        .name = show_.name,
        .shown = shown_now ? shown_now() : show_.method,
        .size = std::to_string(show_.picture.width) + " x " + std::to_string(show_.picture.height),
        .rate = rate,
        .ms = ms,
        .state = state};
    glutSetWindowTitle(fitting_text(title, width_).c_str());
  }

  /// The device that computed the frames, and for a GPU the frames' way into the window.
  std::string frames_way() const {
    if (is_emulated) return "emulated";
    return gl_buffer() != 0 ? "interop" : "copied";
  }

  unsigned gl_buffer() const { return show_.gl_frame != nullptr ? show_.gl_frame->buffer() : 0; }

  /// The frame in the form of show_.picture.
  const ImageView& picture_on_host() const {
    if (gl_buffer() != 0) show_.gl_frame->fetch();
    return show_.picture;
  }

  /// The context is still current: the last chance to read the frame and to
  /// free OpenGL's objects.
  void close() {
    if (closed_) return;
    closed_ = true;
    picture_on_host();
    if (show_.gl_frame != nullptr) show_.gl_frame->closing();
  }

  void end() {
    ended_ = true;
    glutLeaveMainLoop();
  }

  void set_paused(bool paused) {
    paused_ = paused;
    // Without an idle function freeglut sleeps until something happens.
    glutIdleFunc(nullptr);
    const bool still = is_still() && show_.frames == 0;
    if (show_.draw && !paused && !still) glutIdleFunc([]() noexcept { running_->step(); });
    if (!show_.draw || still) {
      set_title("");
    } else if (paused) {
      set_title("paused at frame " + std::to_string(frame_));
    }
    since_measured_.restart();
    measured_frames_ = 0;
  }

  void step() {
    if (ended_) return;
    show_.draw(frame_++);
    if (show_.shown) {
      picture_on_host();
      show_.shown();
    }
    glutPostRedisplay();
    ++measured_frames_;
    const double ms = since_measured_.ms();
    if (!paused_ && ms >= title_interval_ms) {
      const double frame_ms = ms / measured_frames_;
      set_title(frames_way(), short_number(1000 / frame_ms) + " frames/s",
                short_number(frame_ms) + " ms");
      since_measured_.restart();
      measured_frames_ = 0;
    }
    if (show_.frames > 0 && ++frames_shown_ >= show_.frames) end();
  }

  Fit fit() const { return {width_, height_, show_.picture}; }

  void display() const {
    const ImageView& picture = show_.picture;
    const Fit place = fit();
    glViewport(0, 0, width_, height_);
    glClear(GL_COLOR_BUFFER_BIT);
    glRasterPos2d(2.0 * place.left / width_ - 1, 2.0 * place.bottom / height_ - 1);
    if (place.width < picture.width) {
      // glPixelZoom would leave out rows and columns, and with them thin lines.
      const std::vector<unsigned char> small = shrunk(picture_on_host(), place.width, place.height);
      glPixelZoom(1, 1);
      glDrawPixels(place.width, place.height, GL_RGBA, GL_UNSIGNED_BYTE, small.data());
    } else {
      glPixelZoom(static_cast<float>(place.width) / picture.width,
                  static_cast<float>(place.height) / picture.height);
      // If there is one, OpenGL reads the pixels from there.
      const unsigned buffer = gl_buffer();
      if (buffer != 0) glBindBuffer(GL_PIXEL_UNPACK_BUFFER, buffer);
      glDrawPixels(picture.width, picture.height, GL_RGBA, GL_UNSIGNED_BYTE,
                   buffer != 0 ? nullptr : picture.rgba);
      if (buffer != 0) glBindBuffer(GL_PIXEL_UNPACK_BUFFER, 0);
    }
    const Image& legend = show_.interaction.legend;
    const int times = std::max(1, place.height / 384);  // larger in a large window
    const int top = show_.interaction.legend_top * place.height / picture.height;
    if (2 * times * legend.width < place.width && top + times * legend.height < place.height)
      draw_over(legend, place.left + place.width - times * legend.width,
                place.bottom + place.height - top - times * legend.height, times);
    if (help_) draw_help();
    glutSwapBuffers();
  }

  /// The keys and their effects: a panel as small as its text, in letters of one size if they fit.
  void draw_help() const {
    size_t column = 0;
    size_t longest = 0;
    const std::vector<KeyHelp> all = keys();
    for (const KeyHelp& entry : all) column = std::max(column, entry.key.size() + 2);
    for (const KeyHelp& entry : all) longest = std::max(longest, column + entry.effect.size());

    constexpr int edge = 1;
    constexpr int margin = 8;  // on all sides
    const int letter = text_width("  ") - text_width(" ");
    const int line = text_height() + 5;
    const int lines = static_cast<int>(all.size());
    Image help(letter * static_cast<int>(longest) + 2 * (edge + margin),
               line * (lines - 1) + text_height() + 2 * (edge + margin));
    fill_rect(help, 0, 0, help.width, help.height, {150, 150, 150, 255});
    fill_rect(help, edge, edge, help.width - 2 * edge, help.height - 2 * edge, {20, 20, 20, 230});
    int y = help.height - edge - margin - text_height();
    for (const KeyHelp& entry : all) {
      draw_text(help, edge + margin, y, entry.key, {255, 210, 90});
      draw_text(help, edge + margin + letter * static_cast<int>(column), y, entry.effect,
                {255, 255, 255});
      y -= line;
    }
    const int times = 2 * help.width <= width_ && 2 * help.height <= height_ ? 2 : 1;
    draw_over(help, (width_ - times * help.width) / 2, (height_ - times * help.height) / 2, times);
  }

  /// Blends a picture, `times` as large, over the drawing.
  void draw_over(const Image& image, int left, int bottom, int times) const {
    glEnable(GL_BLEND);
    glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
    glRasterPos2d(2.0 * std::max(0, left) / width_ - 1, 2.0 * std::max(0, bottom) / height_ - 1);
    glPixelZoom(static_cast<float>(times), static_cast<float>(times));
    glDrawPixels(image.width, image.height, GL_RGBA, GL_UNSIGNED_BYTE, image.rgba.data());
    glDisable(GL_BLEND);
  }

  void key(unsigned char key) {
    constexpr unsigned char escape = 27;
    if (key == escape || key == 'q') {
      end();
    } else if (key == 's') {
      save();
    } else if (key == 'h' || key == '?') {
      help_ = !help_;
      glutPostRedisplay();
    } else if (key == ' ' && show_.draw) {
      set_paused(!paused_);
    } else if (key == 'r' && show_.draw) {
      frame_ = 0;
      if (show_.interaction.restart) show_.interaction.restart();
      step();  // also when paused, so that the restart shows
      set_paused(paused_);
    } else if (show_.interaction.key) {
      show_.interaction.key(key);
      if (is_still()) step();
      set_paused(paused_);  // also for the title, which may show the change
      redraw_paused();
    }
  }

  /// Draws the paused frame again after mouse or key have moved the
  /// camera: once, when no event is left.
  void redraw_paused() {
    if (!paused_ || !show_.interaction.camera) return;
    glutIdleFunc([]() noexcept {
      glutIdleFunc(nullptr);
      running_->show_.draw(std::max(0, running_->frame_ - 1));
      glutPostRedisplay();
    });
  }

  void save() const {
    std::string path;
    for (int number = 1; path.empty() || std::filesystem::exists(path); ++number) {
      char ending[32];
      std::snprintf(ending, sizeof ending, "_%04d.png", number);
      path = show_.name + ending;
    }
    const std::string problem = try_write_image(path, picture_on_host());
    if (problem.empty()) {
      std::printf("Wrote %s\n", absolute_path(path).c_str());
      std::fflush(stdout);
    } else {
      std::fprintf(stderr, "%s: %s\n", show_.name.c_str(), problem.c_str());
    }
  }

  void mouse(bool down, int x, int y) {
    const Point here = fit().picture_point(x, y);
    if (down) {
      pressed_ = last_ = here;
      held_ = true;
      if (show_.interaction.drag) show_.interaction.drag(here.x, here.y, here.x, here.y);
    } else if (held_) {
      motion(x, y);
      held_ = false;
      if (show_.interaction.released)
        show_.interaction.released(pressed_.x, pressed_.y, here.x, here.y);
    }
  }

  void motion(int x, int y) {
    if (!held_) return;
    const Point here = fit().picture_point(x, y);
    if (here == last_) return;
    if (show_.interaction.drag) show_.interaction.drag(last_.x, last_.y, here.x, here.y);
    last_ = here;
  }

  static inline GlutWindow* running_ = nullptr;  // GLUT's callbacks get no pointer of ours

  const WindowShow& show_;
  // The window's size; glutGet() may lag behind the reshape function.
  int width_ = 1;
  int height_ = 1;
  int frame_ = 0;         // the next one to draw
  int frames_shown_ = 0;  // not set back by a restart
  bool paused_ = false;
  bool ended_ = false;
  bool closed_ = false;
  bool held_ = false;
  bool help_ = false;
  Point pressed_{};
  Point last_{};
  HostTimer since_measured_;
  int measured_frames_ = 0;
};

}  // namespace

std::string window_problem() {
  const char* name = std::getenv("DISPLAY");
  if (name == nullptr || *name == '\0') return "no display: DISPLAY is not set";
  // glutInit() would end the program, so look first. The display is not closed: an X server that
  // loses its last client restarts (Xvfb does) and does not answer for a moment.
  static Display* const display = XOpenDisplay(nullptr);
  if (display == nullptr) return std::string("the display ") + name + " does not answer";
  int attributes[] = {
      GLX_RGBA, GLX_DOUBLEBUFFER, GLX_RED_SIZE, 1, GLX_GREEN_SIZE, 1, GLX_BLUE_SIZE, 1, None};
  if (XVisualInfo* visual = glXChooseVisual(display, DefaultScreen(display), attributes)) {
    XFree(visual);
    return "";
  }
  return std::string("the display ") + name + " has no OpenGL (GLX)";
}

void run_window(const WindowShow& show) { GlutWindow(show).run(); }

void end_when_window_is_gone() {
  handle_x_errors();
  ask_whether_alive(0);
}

#endif
