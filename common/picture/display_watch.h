#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <thread>

/// Watches the X server of $DISPLAY from a thread and a connection of its own. A program that waits for a
/// server that has died or fallen silent, or that draws into a window that is no more, could tell nobody.
class DisplayWatch {
 public:
  /// Connects. After some seconds without an answer problem() says so.
  DisplayWatch();
  ~DisplayWatch();
  DisplayWatch(const DisplayWatch&) = delete;
  DisplayWatch& operator=(const DisplayWatch&) = delete;

  /// Why the display cannot be used, as a clause; empty when it answers.
  const std::string& problem() const { return problem_; }

  /// From now on this X window has to be there, too.
  void watch_window(std::uint32_t window);
  /// Before the window is closed: its end is none of our business any more.
  void stop();

 private:
  struct Shared;
  std::string problem_;
  std::shared_ptr<Shared> shared_;  // the thread's as well: while it connects it may be stuck for ever
  std::thread thread_;
};

/// The window cannot go on: one sentence on standard error, and exit code 1. Files that are not complete are
/// removed; destructors do not run, as they would wait for the display. May be called by any thread.
[[noreturn]] void display_lost(std::string_view why);
