#include "variables.h"

#include <cstring>
#include <map>
#include <vector>

#include "device.h"
#include "launch/declarations.h"
#include "launch/settings.h"

namespace emulated {

namespace {

using Values = std::map<const char*, std::vector<char>>;  // by the variable's address; zeros may be left out

std::recursive_mutex mutex;
int placed = 0;  // the device whose values the variables hold

// Of the other devices that have had a value of their own. Never destroyed, as all that static destructors may use.
std::map<int, Values>& others() {
  static auto& all = *new std::map<int, Values>;
  return all;
}

Values present_values() {
  Values values;
  for_each_variable([&values](const DeviceVariable& variable) {
    const char* const begin = variable.begin;
    const bool zeros = *begin == 0 && std::memcmp(begin, begin + 1, variable.bytes - 1) == 0;
    if (!variable.common && !zeros) values[begin].assign(begin, begin + variable.bytes);
  });
  return values;
}

void put_in_place(const Values& values) {
  for_each_variable([&values](const DeviceVariable& variable) {
    if (variable.common) return;
    if (const auto it = values.find(variable.begin); it != values.end())
      std::memcpy(variable.begin, it->second.data(), variable.bytes);
    else
      std::memset(variable.begin, 0, variable.bytes);
  });
}

const Values& first_values() {
  static const auto& first = *new Values(present_values());
  return first;
}

char* place_of(const void* address) {
  char* const byte = static_cast<char*>(const_cast<void*>(address));
  if (placed == current_device()) return byte;
  const DeviceVariable* const variable = variable_at(address);
  if (variable == nullptr || variable->common) return byte;
  auto& value = others().try_emplace(current_device(), first_values()).first->second[variable->begin];
  value.resize(variable->bytes);
  return value.data() + (byte - variable->begin);
}

}  // namespace

void keep_first_values() { first_values(); }

void place_variables() {
  const std::lock_guard lock(mutex);
  const Values& first = first_values();
  if (placed == current_device()) return;
  others()[placed] = present_values();
  const auto own = others().extract(current_device());
  put_in_place(own ? own.mapped() : first);
  placed = current_device();
}

void reset_variables() {
  const std::lock_guard lock(mutex);
  others().erase(current_device());
  if (placed == current_device()) put_in_place(first_values());
}

OnDevice::OnDevice(const void* address)
    : lock_(settings().devices > 1 && is_in_variable(address) ? std::unique_lock(mutex)
                                                              : std::unique_lock<std::recursive_mutex>()),
      place(lock_ ? place_of(address) : static_cast<char*>(const_cast<void*>(address))) {}

}  // namespace emulated
