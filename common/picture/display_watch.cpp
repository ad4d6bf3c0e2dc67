#include "display_watch.h"

#ifdef HAVE_WINDOW

#include <poll.h>
#include <unistd.h>
#include <xcb/xcb.h>
#include <xcb/xcbext.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <system_error>

#include "../fail.h"

using Clock = std::chrono::steady_clock;
using namespace std::chrono_literals;

namespace {

constexpr auto time_to_connect = 3s;
constexpr auto pause_between_questions = 500ms;

/// How long a server may take for an answer. One on this machine answers at once; over a network the answer
/// waits behind the pictures.
Clock::duration time_to_answer() {
  const char* name = std::getenv("DISPLAY");
  const std::string_view display = name != nullptr ? name : "";
  return display.starts_with(":") || display.starts_with("unix:") ? 3500ms : 30s;
}

}  // namespace

struct DisplayWatch::Shared {
  std::mutex mutex;
  std::condition_variable changed;
  bool connected = false, refused = false;  // what became of the connection
  std::atomic<bool> stop = false;
  std::atomic<xcb_window_t> window = 0;

  void run();
  void question(xcb_connection_t* connection) const;
};

/// The thread: connects, then asks again and again.
void DisplayWatch::Shared::run() {
  xcb_connection_t* connection = xcb_connect(nullptr, nullptr);
  std::unique_lock lock(mutex);
  (xcb_connection_has_error(connection) != 0 ? refused : connected) = true;
  changed.notify_all();
  while (connected && !changed.wait_for(lock, pause_between_questions, [this] { return stop.load(); })) {
    lock.unlock();
    question(connection);
    lock.lock();
  }
  xcb_disconnect(connection);
}

/// Asks the server for the window's size (for the focus, while there is no window), and ends the program when
/// it does not answer or has no such window.
void DisplayWatch::Shared::question(xcb_connection_t* connection) const {
  const unsigned number =
      window != 0 ? xcb_get_geometry(connection, window).sequence : xcb_get_input_focus(connection).sequence;
  xcb_flush(connection);
  const auto deadline = Clock::now() + time_to_answer();
  while (!stop) {
    void* answer = nullptr;
    xcb_generic_error_t* error = nullptr;
    const bool answered = xcb_poll_for_reply(connection, number, &answer, &error) != 0;
    const bool no_such_window = error != nullptr;
    std::free(answer);
    std::free(error);
    if (stop) return;
    if (no_such_window) display_lost("another program has closed it");
    if (xcb_connection_has_error(connection) != 0) display_lost("the X server has ended");
    if (answered) return;
    if (Clock::now() > deadline) display_lost("the X server does not answer any more");
    pollfd socket{xcb_get_file_descriptor(connection), POLLIN, 0};
    ::poll(&socket, 1, 100);
  }
}

DisplayWatch::DisplayWatch() : shared_(std::make_shared<Shared>()) {
  try {
    thread_ = std::thread([shared = shared_] { shared->run(); });
  } catch (const std::system_error&) {
    return;  // no thread to be had: no watch
  }
  std::unique_lock lock(shared_->mutex);
  shared_->changed.wait_for(lock, time_to_connect, [this] { return shared_->connected || shared_->refused; });
  if (!shared_->connected)
    problem_ = std::string("the display ") + std::getenv("DISPLAY") + " does not answer";
}

DisplayWatch::~DisplayWatch() {
  stop();
  if (!thread_.joinable()) return;
  if (problem_.empty()) {
    thread_.join();
  } else {
    thread_.detach();
  }
}

void DisplayWatch::watch_window(std::uint32_t window) { shared_->window = window; }

void DisplayWatch::stop() {
  const std::lock_guard lock(shared_->mutex);
  shared_->stop = true;
  shared_->changed.notify_all();
}

void display_lost(std::string_view why) {
  static std::atomic_flag told;
  while (told.test_and_set()) ::pause();  // another thread is about to end the program
  std::fflush(stdout);
  std::fprintf(stderr, "%s: the window is lost: %.*s\n", program_name().c_str(), static_cast<int>(why.size()),
               why.data());
  std::quick_exit(exit_code::failed);
}

#endif
