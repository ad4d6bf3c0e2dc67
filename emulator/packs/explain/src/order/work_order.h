// The order of pieces of work: kernels, copies and fills in streams, and what the host waits for.
//
// Each piece of work has a number in its stream. A clock holds for each stream the number up to
// which its work happened before (a vector clock: L. Lamport, Time, Clocks, and the Ordering of
// Events in a Distributed System, CACM 1978; F. Mattern, Virtual Time and Global States of
// Distributed Systems, 1989). The rules are those of the CUDA C++ Programming Guide, "Streams" and
// "Events":
//   - work in a stream comes after earlier work in it, and after what the host had waited for when
//     it was given to the stream;
//   - the default stream and each stream of its device that was not made with
//     cudaStreamNonBlocking wait for each other;
//   - cudaStreamWaitEvent orders the stream after the latest record of the event.
// Several host threads count as one, so that what one of them has waited for is ordered for all.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <map>
#include <memory>
#include <vector>

#include "driver_types.h"
#include "emulated/scheduler.h"
#include "record/objects.h"

namespace emulated::explain {

/// By stream: up to which number its pieces of work happened before.
struct WorkClock {
  std::vector<std::uint32_t> numbers;
  void join(const WorkClock& other) {
    if (numbers.size() < other.numbers.size()) numbers.resize(other.numbers.size());
    for (std::size_t i = 0; i < other.numbers.size(); ++i)
      numbers[i] = std::max(numbers[i], other.numbers[i]);
  }
  bool covers(unsigned stream, std::uint32_t number) const {
    return stream < numbers.size() && numbers[stream] >= number;
  }
};

/// Is it the same place in the source?
inline bool is_same_location(const Location& a, const Location& b) {
  return a.line() == b.line() && a.column() == b.column() &&
         std::strcmp(a.file_name(), b.file_name()) == 0;
}

/// A kernel, a copy or a fill.
struct Work {
  unsigned stream = 0;
  std::uint32_t number = 0;
  WorkClock clock{};  // it happens after that, itself included
  const char* kernel = nullptr;
  Location at;        // of the kernel's launch
  Callers callers{};  // of a copy or a fill
  const char* what = "the copy";
  bool in_default = false;
  bool is_non_blocking = false;

  bool happened_before(const WorkClock& later) const { return later.covers(stream, number); }
};
using WorkPointer = std::shared_ptr<const Work>;

class WorkOrder {
 public:
  /// The number of the stream, which is nullptr, a handle, or one of the default streams' names.
  unsigned number_of(cudaStream_t handle);
  /// What work in this stream happens after, if it begins now.
  WorkClock& clock_of(unsigned stream);
  std::shared_ptr<Work> next_work(unsigned stream);
  bool is_default(unsigned stream) const { return all_[stream].handle == nullptr; }
  /// Pieces of work so far.
  std::uint64_t count() const;

  /// Work of this stream has ended after more than it began after.
  void join(unsigned stream, const WorkClock& clock) { all_[stream].clock.join(clock); }
  /// What one stream does happens after all others, or before all of them.
  void joins_all(unsigned stream);
  void joined_by_all(unsigned stream);

  const WorkClock& host() const { return host_; }
  void host_waits_for(const WorkClock& clock) { host_.join(clock); }
  void host_waits_for_all();

  void record(cudaEvent_t event, unsigned stream);
  /// What the latest record of the event happened after; nullptr: it was never recorded.
  const WorkClock* recorded(cudaEvent_t event) const;
  /// How many pieces of work there were then.
  std::uint64_t count_at(cudaEvent_t event) const { return events_.at(event).count; }

 private:
  struct Stream {
    cudaStream_t handle = nullptr;  // nullptr: the device's default stream
    int device = 0;
    bool waits_for_default = false;
    WorkClock clock{};
    std::uint32_t count = 0;  // of its pieces of work
  };
  struct Event {
    WorkClock clock;
    std::uint64_t count = 0;
  };
  std::vector<Stream> all_;
  std::map<cudaEvent_t, Event> events_;
  WorkClock host_;
};

}  // namespace emulated::explain
