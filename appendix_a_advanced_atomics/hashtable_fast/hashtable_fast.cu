// hashtable_fast - a hash table from the book's lists with locks to one compare-and-swap per key.
//
// CUDA by Example, appendix A (advanced atomics), section A.2, and later techniques. One file per
// rung, numbered in reading order; README.md lists the gain of each.
// Terms (docs/glossary.md): atomics, contention, fence, cache line and sector, bandwidth-bound.
//
//   ./run hashtable_fast                              the fastest rung
//   ./run hashtable_fast --method exchange -n 100003
//   ./run hashtable_fast --probes --load 0.9          how many slots a find reads
//   ./run hashtable_fast --benchmark -n 20000         every rung, checked, then timed, at two loads
//
// No window. What to see: every key is found with its value, and no other. On a GPU --benchmark
// prints keys per second next to the limits: random sectors per second of the same memory.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "../../common/book.h"
#include "../../common/check.h"
#include "../../common/device.h"
#include "../../common/device_memory.h"
#include "../../common/options.h"
#include "../../common/timing.h"
#include "limit.cuh"
#include "methods.h"
#include "probes.cuh"

using namespace hashtable_fast;

// Key number i: all differ, because mixing is reversible. Keys from number n on are not inserted.
unsigned key_of(size_t i, std::uint64_t seed) {
  return mixed_bits(static_cast<unsigned>(i) ^ static_cast<unsigned>(seed * 0x9e3779b9u));
}

// The keys on the device, with value i for key i; and the keys to find: evenly spread keys of the
// table, then as many other keys.
struct Work {
  Work(size_t n, std::uint64_t seed) : keys(n), values(n), wanted(2 * n), found(2 * n), seed(seed) {
    std::vector<unsigned> host(n);
    for (size_t i = 0; i < n; ++i) host[i] = key_of(i, seed);
    HANDLE_ERROR(cudaMemcpy(keys.get(), host.data(), keys.bytes(), cudaMemcpyHostToDevice));
    for (size_t i = 0; i < n; ++i) host[i] = static_cast<unsigned>(i);
    HANDLE_ERROR(cudaMemcpy(values.get(), host.data(), values.bytes(), cudaMemcpyHostToDevice));
  }

  // The number of keys of each kind to find: all, but fewer if there are few long lists.
  size_t finds(const HashMethod& method) const {
    constexpr size_t enough_steps = size_t{1} << 24;
    const size_t n = keys.size();
    if (method.lists == 0 || n == 0) return n;
    return std::clamp<size_t>(enough_steps * method.lists / n, 1, n);
  }

  // Fills the table and compares the found values with the inserted ones.
  bool check(const HashMethod& method, Table& table) const {
    const size_t n = keys.size();
    const size_t count = finds(method);
    std::vector<unsigned> host_wanted(2 * count);
    std::vector<unsigned> expected(2 * count, not_found);
    std::vector<unsigned> got(2 * count);
    for (size_t k = 0; k < count; ++k) {
      const size_t i = k * n / count;
      host_wanted[k] = key_of(i, seed);
      expected[k] = static_cast<unsigned>(i);
      host_wanted[count + k] = key_of(n + i, seed);
    }
    const size_t bytes = 2 * count * sizeof(unsigned);
    HANDLE_ERROR(cudaMemcpy(wanted.get(), host_wanted.data(), bytes, cudaMemcpyHostToDevice));
    HANDLE_ERROR(cudaMemset(found.get(), 0xab, bytes));
    table.clear();
    table.insert(keys.get(), values.get(), n);
    table.find(wanted.get(), found.get(), 2 * count);
    HANDLE_ERROR(cudaMemcpy(got.data(), found.get(), bytes, cudaMemcpyDeviceToHost));
    return check_equal(method.name + ", value", got, expected);
  }

  DeviceMemory<unsigned> keys;
  DeviceMemory<unsigned> values;
  DeviceMemory<unsigned> wanted;
  DeviceMemory<unsigned> found;
  std::uint64_t seed;
};

// The time of an insertion into the empty table.
Timing insert_time(Table& table, const Work& work) {
  std::vector<double> ms;
  EventTimer timer;
  for (int round = -1; round < 7; ++round) {  // -1 warms up
    table.clear();
    timer.start();
    table.insert(work.keys.get(), work.values.get(), work.keys.size());
    const float time = timer.stop();
    if (round >= 0) ms.push_back(time);
  }
  return summary(ms);
}

// The times of reading n random sectors and of exchanging a word in each, in memory as large as a
// table of n keys at load 0.5.
struct Limits {
  Timing read;
  Timing exchange;
};

Limits sectors_times(size_t n) {
  const size_t sectors = n / 2 + 1;
  const DeviceMemory<unsigned> words(words_per_sector * sectors);
  const DeviceMemory<unsigned> found(1);
  HANDLE_ERROR(cudaMemset(words.get(), 0, words.bytes()));
  const size_t blocks = blocks_for(n);
  return {measure([&] {
            read_sectors<<<blocks, threads_per_block>>>(words.get(), sectors, n, found.get());
            HANDLE_ERROR(cudaGetLastError());
          }),
          measure([&] {
            exchange_in_sectors<<<blocks, threads_per_block>>>(words.get(), sectors, n,
                                                               found.get());
            HANDLE_ERROR(cudaGetLastError());
          })};
}

double per_second(size_t count, const Timing& timing) {
  return static_cast<double>(count) / timing.median_ms * 1e3;
}

// Checks and times every rung at two loads. Returns whether all are right.
bool benchmark(const Work& work) {
  const size_t n = work.keys.size();
  const Limits limits = sectors_times(n);
  bool passed = true;
  for (const float load : {0.5f, 0.9f}) {
    const std::string at_load = load == 0.5f ? "load 0.5" : "load 0.9";
    BenchmarkTable times(std::to_string(n) + " keys, " + at_load);
    std::vector<std::string> rates;
    const auto add = [&](const std::string& name, const Timing& timing, size_t count,
                         const Timing& limit) {
      times.add(name, timing, 0);
      const double rate = per_second(count, timing);
      char text[120];
      std::snprintf(text, sizeof text, "%-24s %11.3f M keys/s %8.1f %% of the limit", name.c_str(),
                    rate * 1e-6, 100 * rate / per_second(n, limit));
      rates.push_back(text);
    };
    for (const HashMethod& method : methods()) {
      const std::unique_ptr<Table> table = method.make(n, load);
      if (!work.check(method, *table)) {
        std::fprintf(stderr, "%s is wrong and is not timed\n", method.name.c_str());
        passed = false;
        continue;
      }
      const size_t count = work.finds(method);  // of keys in the table
      add(method.name + ", insert", insert_time(*table, work), n, limits.exchange);
      std::string find = method.name + ", find";
      if (count < n) find += " " + std::to_string(count);
      const Timing find_time =
          measure([&] { table->find(work.wanted.get(), work.found.get(), count); });
      add(find, find_time, count, limits.read);
    }
    times.add("random sectors", limits.read, 0);
    times.add("random sectors, exchanged", limits.exchange, 0);
    times.print();
    if (!is_emulated)
      for (const std::string& rate : rates) std::printf("%s\n", rate.c_str());
  }
  if (!is_emulated)
    std::printf(
        "The limits: a find reads at most %.1f G random sectors/s of 32 bytes; an insertion "
        "exchanges a word in at most %.1f G.\n",
        per_second(n, limits.read) * 1e-9, per_second(n, limits.exchange) * 1e-9);
  return passed;
}

int main(int argc, char** argv) {
  Options options("hashtable_fast",
                  Common::seed | Common::always_checked | Common::benchmark | Common::device);
  size_t n = size_t{1} << (is_emulated ? 18 : 27);
  float load = 0.5f;
  options.add("-n", n, "keys", 0, size_t{1} << 31);
  options.add("--load", load, "the part of the slots, or lists, that the keys fill", 0.05f, 0.95f);
  bool probes = false;
  options.add_flag("--probes", probes, "print how many slots a find of open reads");
  options.add_methods(methods().for_options(), "sectors");
  options.parse(argc, argv);
  HANDLE_ERROR(cudaSetDevice(options.device));

  const Work work(n, options.seed);
  if (probes && !options.check) print_probes(work.keys.get(), work.values.get(), n, load);
  if (options.benchmark) return verdict(options.name(), benchmark(work));

  const HashMethod& method = methods()[options.method];
  const bool passed = work.check(method, *method.make(n, load));
  if (!options.check && passed)
    std::printf("%zu keys inserted; %zu of them found, and %zu others not\n", n, work.finds(method),
                work.finds(method));
  return verdict(options.name(), passed);
}
