// Memory that nodes of graphs allocate and free.
#include "graph_memory.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <mutex>

#include "../include/emulated/runtime.h"
#include "device_number.h"
#include "graph.h"

namespace emulated {

namespace {

struct Known {
  std::mutex mutex;
  std::map<const void*, GraphMemory*> memory;
  std::map<int, std::array<std::uint64_t, 2>> most;  // of a device: used, reserved
};
Known& known() {
  static auto& value = *new Known;
  return value;
}

// Bytes of a device that are used, and all that graphs hold.
std::array<std::uint64_t, 2> present(int device) {
  std::array<std::uint64_t, 2> bytes = {};
  for (const auto& [pointer, memory] : known().memory) {
    if (memory->device() != device) continue;
    bytes[1] += memory->bytes();
    if (memory->used()) bytes[0] += memory->bytes();
  }
  return bytes;
}
void note_most(int device) {
  const auto now = present(device);
  auto& most = known().most[device];
  for (std::size_t i = 0; i < now.size(); ++i) most[i] = std::max(most[i], now[i]);
}

}  // namespace

cudaError_t GraphMemory::make(std::size_t bytes, std::shared_ptr<GraphMemory>& memory) {
  void* pointer = nullptr;
  if (bytes == 0) return cudaErrorInvalidValue;
  if (const cudaError_t error = allocate(&pointer, bytes, cudaMemoryTypeDevice, "a graph")) return error;
  memory = std::make_shared<GraphMemory>(pointer, bytes, current_device());
  const std::lock_guard lock(known().mutex);
  known().memory[pointer] = memory.get();
  note_most(memory->device());
  return cudaSuccess;
}

GraphMemory::~GraphMemory() {
  {
    const std::lock_guard lock(known().mutex);
    known().memory.erase(pointer_);
  }
  if (!used_) release(pointer_, cudaMemoryTypeDevice);
}

cudaError_t GraphMemory::begin() {
  const std::lock_guard lock(known().mutex);
  if (used_) return cudaErrorInvalidValue;
  used_ = true;
  note_most(device_);
  return cudaMemset(pointer_, 0xff, bytes_);
}

bool is_graph_memory(const void* pointer) {
  const std::lock_guard lock(known().mutex);
  return known().memory.contains(pointer);
}

bool free_graph_memory(const void* pointer) {
  const std::lock_guard lock(known().mutex);
  const auto it = known().memory.find(pointer);
  if (it == known().memory.end() || !it->second->used()) return false;
  it->second->end();
  return true;
}

}  // namespace emulated

using namespace emulated;

cudaError_t cudaDeviceGetGraphMemAttribute(int device, cudaGraphMemAttributeType attribute, void* value) {
  if (!is_device(device)) return fail(cudaErrorInvalidDevice);
  if (value == nullptr || attribute > cudaGraphMemAttrReservedMemHigh) return fail(cudaErrorInvalidValue);
  const std::lock_guard lock(known().mutex);
  const bool high = attribute == cudaGraphMemAttrUsedMemHigh || attribute == cudaGraphMemAttrReservedMemHigh;
  const auto bytes = high ? known().most[device] : present(device);
  *static_cast<std::uint64_t*>(value) = bytes[attribute >= cudaGraphMemAttrReservedMemCurrent ? 1 : 0];
  return cudaSuccess;
}

cudaError_t cudaDeviceSetGraphMemAttribute(int device, cudaGraphMemAttributeType attribute, void* value) {
  if (!is_device(device)) return fail(cudaErrorInvalidDevice);
  const bool high = attribute == cudaGraphMemAttrUsedMemHigh || attribute == cudaGraphMemAttrReservedMemHigh;
  if (value == nullptr || !high || *static_cast<std::uint64_t*>(value) != 0)
    return fail(cudaErrorInvalidValue);  // the highest values can be set back to 0 only
  const std::lock_guard lock(known().mutex);
  const std::size_t which = attribute == cudaGraphMemAttrReservedMemHigh ? 1 : 0;
  known().most[device][which] = present(device)[which];
  return cudaSuccess;
}

// Memory of graphs goes back with them; nothing is kept beside it.
cudaError_t cudaDeviceGraphMemTrim(int device) {
  return is_device(device) ? cudaSuccess : fail(cudaErrorInvalidDevice);
}
