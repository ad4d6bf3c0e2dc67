// Stop watches as NVIDIA's samples use them; all times are in milliseconds. Belongs to
// helper_cuda.h.
#pragma once

#include <chrono>

class StopWatchInterface {
 public:
  void start() { since_ = Clock::now(), running_ = true; }
  void stop() {
    total_ += now(), running_ = false;
    ++sessions_;
  }
  void reset() {
    total_ = 0, sessions_ = 0;
    since_ = Clock::now();
  }
  float getTime() const { return total_ + (running_ ? now() : 0.0f); }
  float getAverageTime() const {
    return sessions_ > 0 ? total_ / static_cast<float>(sessions_) : 0.0f;
  }

 private:
  using Clock = std::chrono::steady_clock;
  float now() const {
    return std::chrono::duration<float, std::milli>(Clock::now() - since_).count();
  }
  Clock::time_point since_;
  float total_ = 0;
  int sessions_ = 0;
  bool running_ = false;
};

inline bool sdkCreateTimer(StopWatchInterface** timer) {
  *timer = new StopWatchInterface();
  return true;
}
inline bool sdkDeleteTimer(StopWatchInterface** timer) {
  delete *timer;
  *timer = nullptr;
  return true;
}
inline bool sdkStartTimer(StopWatchInterface** timer) { return (*timer)->start(), true; }
inline bool sdkStopTimer(StopWatchInterface** timer) { return (*timer)->stop(), true; }
inline bool sdkResetTimer(StopWatchInterface** timer) { return (*timer)->reset(), true; }
inline float sdkGetTimerValue(StopWatchInterface** timer) { return (*timer)->getTime(); }
inline float sdkGetAverageTimerValue(StopWatchInterface** timer) {
  return (*timer)->getAverageTime();
}
