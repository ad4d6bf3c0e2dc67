// The window: freeglut, and glDrawPixels as in the book. All of OpenGL and X11 is in this file.
#include "window.h"

#ifndef HAVE_WINDOW

std::string window_problem() { return "built without windows, as the package freeglut3-dev was not there"; }
void run_window(const WindowShow&) {}

#else

#include <GL/freeglut.h>
#include <GL/glx.h>
#include <X11/Xlib.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <vector>

#include "../timing.h"
#include "draw.h"
#include "file.h"
#include "fit.h"

namespace {

constexpr double screen_share = 0.9;       // of the screen, for the largest window at the start
constexpr int smallest_side = 512;         // smaller pictures are shown larger, by a whole number
constexpr double title_interval_ms = 500;  // how often the title shows the speed

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
    if (ended_ && glutGet(GLUT_INIT_STATE)) glutExit();
  }

 private:
  void open() {
    int argc = 1;
    std::string program = show_.name;
    char* argv[] = {program.data(), nullptr};
    glutInit(&argc, argv);
    glutInitDisplayMode(GLUT_RGBA | GLUT_DOUBLE);
    // Closing the window must bring us back to the sample, which has memory to free.
    glutSetOption(GLUT_ACTION_ON_WINDOW_CLOSE, GLUT_ACTION_CONTINUE_EXECUTION);
    const ImageView& picture = show_.picture;
    double scale = std::min({1.0, screen_share * glutGet(GLUT_SCREEN_WIDTH) / picture.width,
                             screen_share * glutGet(GLUT_SCREEN_HEIGHT) / picture.height});
    const int longer = std::max(picture.width, picture.height);
    if (longer < smallest_side) scale = std::ceil(static_cast<double>(smallest_side) / longer);
    glutInitWindowSize(std::max(1, static_cast<int>(picture.width * scale)),
                       std::max(1, static_cast<int>(picture.height * scale)));
    glutCreateWindow(show_.name.c_str());
    width_ = glutGet(GLUT_WINDOW_WIDTH);
    height_ = glutGet(GLUT_WINDOW_HEIGHT);
    // freeglut is C: an exception must not pass through it. It ends the program with a sentence (fail.cpp).
    glutReshapeFunc([](int width, int height) noexcept {
      running_->width_ = width;
      running_->height_ = height;
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

  void print_keys() const {
    std::string sentence;
    for (const KeyHelp& one : show_.keys)
      sentence += (sentence.empty() ? "" : ", ") + one.key + " (" + one.effect + ")";
    std::printf("%s: in the window: %s\n", show_.name.c_str(), sentence.c_str());
    std::fflush(stdout);
  }

  /// Sample - method or scene - size - how fast.
  void set_title(const std::string& speed) const {
    const auto& shown_now = show_.interaction.title;
    std::string title = show_.name;
    for (const std::string& part :
         {shown_now ? shown_now() : show_.method,
          std::to_string(show_.picture.width) + " x " + std::to_string(show_.picture.height), speed})
      if (!part.empty()) title += " - " + part;
    glutSetWindowTitle(title.c_str());
  }

  void end() {
    ended_ = true;
    glutLeaveMainLoop();
  }

  void set_paused(bool paused) {
    paused_ = paused;
    // Without an idle function freeglut sleeps until something happens.
    glutIdleFunc(nullptr);
    const bool still = show_.interaction.still && show_.interaction.still() && show_.frames == 0;
    if (show_.draw && !paused && !still) glutIdleFunc([]() noexcept { running_->step(); });
    if (!show_.draw || still) {
      set_title("");
    } else if (paused) {
      set_title("paused, frame " + std::to_string(frame_));
    }
    since_measured_.restart();
    measured_frames_ = 0;
  }

  void step() {
    if (ended_) return;
    show_.draw(frame_++);
    if (show_.shown) show_.shown();
    glutPostRedisplay();
    ++measured_frames_;
    const double ms = since_measured_.ms();
    if (!paused_ && ms >= title_interval_ms) {
      char speed[100];
      std::snprintf(speed, sizeof speed, "%.1f frames/s", 1000 * measured_frames_ / ms);
      set_title(speed + whose_times() + " - frame " + std::to_string(frame_));
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
      // glPixelZoom would leave out rows and columns, and thin lines with them.
      const std::vector<unsigned char> small = shrunk(picture, place.width, place.height);
      glPixelZoom(1, 1);
      glDrawPixels(place.width, place.height, GL_RGBA, GL_UNSIGNED_BYTE, small.data());
    } else {
      glPixelZoom(static_cast<float>(place.width) / picture.width,
                  static_cast<float>(place.height) / picture.height);
      glDrawPixels(picture.width, picture.height, GL_RGBA, GL_UNSIGNED_BYTE, picture.rgba);
    }
    const Image& legend = show_.interaction.legend;
    const int times = std::max(1, place.height / 384);  // larger in a large window
    if (2 * times * legend.width < place.width && times * legend.height < place.height)
      draw_over(legend, place.left + place.width - times * legend.width,
                place.bottom + place.height - times * legend.height, times);
    if (help_) draw_help();
    glutSwapBuffers();
  }

  /// Keys and what they do, light on a half-transparent dark ground, in letters as large as fit the window.
  void draw_help() const {
    std::size_t column = 0, longest = 0;
    for (const KeyHelp& one : show_.keys) column = std::max(column, one.key.size() + 2);
    for (const KeyHelp& one : show_.keys) longest = std::max(longest, column + one.effect.size());
    const int letter = text_width("  ") - text_width(" "), line = 2 * text_height();
    Image help(letter * static_cast<int>(longest + 2), line * (static_cast<int>(show_.keys.size()) + 1));
    fill_rect(help, 0, 0, help.width, help.height, {0, 0, 0, 200});
    int y = help.height - line;
    for (const KeyHelp& one : show_.keys) {
      draw_text(help, letter, y, one.key, {255, 210, 90});
      draw_text(help, letter * static_cast<int>(column + 1), y, one.effect, {255, 255, 255});
      y -= line;
    }
    const int times = std::max(1, std::min(width_ / help.width, height_ / help.height));
    draw_over(help, (width_ - times * help.width) / 2, (height_ - times * help.height) / 2, times);
  }

  /// Blends a picture, `times` as large, over what is drawn.
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
      step();  // also when paused, so that the restart is seen
      set_paused(paused_);
    } else if (show_.interaction.key) {
      show_.interaction.key(key);
      if (show_.interaction.still && show_.interaction.still()) step();
      set_paused(paused_);  // also for the title, which may show what has changed
      redraw_paused();
    }
  }

  /// Draws the paused frame again after mouse or key have moved the camera: once, when no event is left.
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
    const std::string problem = try_write_image(path, show_.picture);
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
      if (show_.interaction.released) show_.interaction.released(pressed_.x, pressed_.y, here.x, here.y);
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
  int width_ = 1, height_ = 1;  // of the window; glutGet() may lag behind the reshape function
  int frame_ = 0;               // the next one to draw
  int frames_shown_ = 0;        // not set back by a restart
  bool paused_ = false, ended_ = false, held_ = false, help_ = false;
  Point pressed_{}, last_{};
  HostTimer since_measured_;
  int measured_frames_ = 0;
};

}  // namespace

std::string window_problem() {
  const char* name = std::getenv("DISPLAY");
  if (name == nullptr || *name == '\0') return "no display: DISPLAY is not set";
  // glutInit() would end the program; so look first. Not closed: an X server that loses its last client
  // restarts (Xvfb does), and does not answer for a moment.
  static Display* const display = XOpenDisplay(nullptr);
  if (display == nullptr) return std::string("the display ") + name + " does not answer";
  int attributes[] = {GLX_RGBA, GLX_DOUBLEBUFFER, GLX_RED_SIZE, 1, GLX_GREEN_SIZE, 1, GLX_BLUE_SIZE, 1, None};
  if (XVisualInfo* visual = glXChooseVisual(display, DefaultScreen(display), attributes)) {
    XFree(visual);
    return "";
  }
  return std::string("the display ") + name + " has no OpenGL (GLX)";
}

void run_window(const WindowShow& show) { GlutWindow(show).run(); }

#endif
