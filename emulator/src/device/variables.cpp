#include "variables.h"

#include <cstring>
#include <map>
#include <vector>

#include "device.h"
#include "launch/declarations.h"
#include "launch/settings.h"

namespace emulated {

namespace {

using Values =
    std::map<const char*, std::vector<char>>;  // by the variable's address; zeros may be left out

std::mutex mutex;
int placed = 0;  // the device whose values the variables hold

// The values of the other devices that have had one of their own. Never destroyed, as all that
// static destructors may use.
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

}  // namespace

void keep_first_values() { first_values(); }

std::unique_lock<std::mutex> place_variables() {
  std::unique_lock lock(mutex);
  const Values& first = first_values();
  if (placed != current_device()) {
    others()[placed] = present_values();
    const auto own = others().extract(current_device());
    put_in_place(own ? own.mapped() : first);
    placed = current_device();
  }
  return lock;
}

std::unique_lock<std::mutex> place_variables_at(const void* to, const void* from) {
  if (settings().devices == 1 || (variable_at(to) == nullptr && variable_at(from) == nullptr))
    return {};
  return place_variables();
}

void reset_variables() {
  const std::lock_guard lock(mutex);
  others().erase(current_device());
  if (placed == current_device()) put_in_place(first_values());
}

}  // namespace emulated
