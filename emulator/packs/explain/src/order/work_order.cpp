#include "order/work_order.h"

#include "device/device.h"
#include "streams/stream.h"

namespace emulated::explain {

unsigned WorkOrder::number_of(cudaStream_t handle) {
  if (handle == cudaStreamLegacy) handle = nullptr;
  const bool made = !emulated::is_default(handle);
  const int device = made ? handle->device : current_device();
  const bool waits = handle != nullptr && !(made && (handle->flags & cudaStreamNonBlocking) != 0);
  for (unsigned i = 0; i < all_.size(); ++i) {
    Stream& one = all_[i];
    if (one.handle != handle || one.device != device) continue;
    one.waits_for_default = waits;
    return i;
  }
  all_.push_back({handle, device, waits});
  return static_cast<unsigned>(all_.size() - 1);
}

WorkClock& WorkOrder::clock_of(unsigned number) {
  Stream& stream = all_[number];
  stream.clock.join(host_);
  for (const Stream& other : all_)
    if (other.device == stream.device &&
        (stream.handle == nullptr ? other.waits_for_default
                                  : stream.waits_for_default && other.handle == nullptr))
      stream.clock.join(other.clock);
  return stream.clock;
}

std::shared_ptr<Work> WorkOrder::next_work(unsigned number) {
  WorkClock& clock = clock_of(number);
  Stream& stream = all_[number];
  if (clock.numbers.size() <= number) clock.numbers.resize(number + 1);
  clock.numbers[number] = ++stream.count;
  auto work = std::make_shared<Work>();
  work->stream = number;
  work->number = stream.count;
  work->clock = clock;
  work->in_default = stream.handle == nullptr;
  work->is_non_blocking = stream.handle != nullptr && !stream.waits_for_default;
  return work;
}

std::uint64_t WorkOrder::count() const {
  std::uint64_t count = 0;
  for (const Stream& one : all_) count += one.count;
  return count;
}

void WorkOrder::joins_all(unsigned stream) {
  WorkClock& clock = clock_of(stream);
  for (const Stream& one : all_) clock.join(one.clock);
}

void WorkOrder::joined_by_all(unsigned stream) {
  const WorkClock clock = clock_of(stream);
  for (Stream& one : all_) one.clock.join(clock);
}

void WorkOrder::host_waits_for_all() {
  for (const Stream& one : all_) host_.join(one.clock);
}

void WorkOrder::record(cudaEvent_t event, unsigned stream) {
  events_[event] = {clock_of(stream), count()};
}

const WorkClock* WorkOrder::recorded(cudaEvent_t event) const {
  const auto it = events_.find(event);
  return it == events_.end() ? nullptr : &it->second.clock;
}

}  // namespace emulated::explain
