#include "settings.h"

#include <bit>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <thread>

#include "emulated/explain_hooks.h"
#include "platform/platform.h"

namespace emulated {

namespace {

[[noreturn]] void refuse(const char* name, std::string_view value, const char* expected) {
  const bool cut = value.size() > 60;
  std::fprintf(stderr, "%s is '%.*s%s'; it must be %s.\n", name,
               cut ? 60 : static_cast<int>(value.size()), value.data(), cut ? "..." : "", expected);
  std::exit(2);
}

template <class T>
bool parse(std::string_view text, T& value) {
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  return error == std::errc() && stop == end;
}

Settings read_environment() {
  Settings settings;
  settings.on_terminal = error_is_terminal();
  settings.workers = std::thread::hardware_concurrency();
  if (settings.workers == 0 || explain::on) settings.workers = 1;
  if (const char* value = std::getenv("EMULATED_THREADS"))
    if (!parse(value, settings.workers) || settings.workers < 1 || settings.workers > 1024)
      refuse("EMULATED_THREADS", value, "a number of threads from 1 to 1024");
  if (const char* text = std::getenv("EMULATED_ORDER")) {
    const std::string_view value = text;
    constexpr std::string_view shuffled = "shuffled";
    const bool with_seed =
        value.starts_with("shuffled:") && parse(value.substr(shuffled.size() + 1), settings.seed);
    if (value == "reversed")
      settings.order = Order::reversed;
    else if (value == shuffled || with_seed)
      settings.order = Order::shuffled;
    else if (value != "in-order")
      refuse("EMULATED_ORDER", value, "in-order, reversed, shuffled or shuffled:SEED");
  }
  if (const char* value = std::getenv("EMULATED_WATCHDOG"))
    if (!parse(value, settings.watchdog) || !(settings.watchdog > 0))
      refuse("EMULATED_WATCHDOG", value, "a number of seconds above 0");
  if (const char* value = std::getenv("EMULATED_DEVICES"))
    if (!parse(value, settings.devices) || settings.devices < 1 || settings.devices > max_devices)
      refuse("EMULATED_DEVICES", value, "a number of devices from 1 to 64");
  if (const char* text = std::getenv("EMULATED_CHECK_LEAKS")) {
    const std::string_view value = text;
    if (value != "0" && value != "1") refuse("EMULATED_CHECK_LEAKS", value, "0 or 1");
    settings.check_leaks = value == "1";
  }
  return settings;
}

// Read at the program's start, so that a wrong value never goes unnoticed.
[[maybe_unused]] const Settings& at_start = settings();

// Where a position comes to in a random order of `count`. Both steps permute the numbers of so many
// bits; results outside the range go round again until one falls inside ("cycle walking"; Black and
// Rogaway, Ciphers with Arbitrary Finite Domains, 2002).
std::uint64_t shuffled(std::uint64_t position, std::uint64_t count, std::uint64_t seed) {
  const std::uint64_t random = (seed + 1) * 0x9e3779b97f4a7c15ull;
  const std::uint64_t last = std::bit_ceil(count) - 1;
  const int half = (std::bit_width(last) + 1) / 2;
  do {
    position = (position * (random | 1) + (random >> 32)) & last;
    position ^= position >> half;
  } while (position >= count);
  return position;
}

// So many that follow each other stay near each other, in an order of their own: what one
// block has read the caches and the translation of addresses have for the next. Copying
// takes less than half of the time.
constexpr std::uint64_t neighbors = 64;

}  // namespace

const Settings& settings() {
  static const Settings from_environment = read_environment();
  return from_environment;
}

std::uint64_t permute(Order order, std::uint64_t position, std::uint64_t count,
                      std::uint64_t seed) {
  if (order == Order::in_order) return position;
  if (order == Order::reversed) return count - 1 - position;
  if (count < neighbors * neighbors) return shuffled(position, count, seed);
  const std::uint64_t groups = count / neighbors;
  const std::uint64_t group = position / neighbors;
  if (group == groups) return position;  // the rest
  return shuffled(group, groups, seed) * neighbors +
         shuffled(position % neighbors, neighbors, seed + group);
}

}  // namespace emulated
