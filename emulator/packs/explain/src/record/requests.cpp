// Requests: what the lanes of a warp access at the same time. The device runs threads one after
// another, so accesses of a place in the program by the lanes of a warp, since the last
// barrier, count as one request where the lanes came there by the same calls and in the same
// turns of loops (Path, path.cpp).
//
// How many parts of memory a request touches: CUDA C++ Best Practices Guide, "Coalesced Access to
// Global Memory" (sectors of 32 bytes) and "Shared Memory and Memory Banks" (32 banks of 4 bytes);
// constants: one word at a time.
#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <memory>

#include "emulated/explain_hooks.h"
#include "emulated/scheduler.h"
#include "explain.h"

namespace emulated::explain {

KernelTotals* kernel = nullptr;

namespace {

// In longer loops only the addresses of the first turns of each warp between two barriers are kept,
// in all so many lanes of a block; and so many requests of a warp are kept apart.
constexpr std::uint32_t max_kept = 64;
constexpr std::size_t max_addresses_per_site = std::size_t{1} << 18;
constexpr std::size_t max_told_apart = 4096;

auto& kernels() {
  static auto& all = *new std::vector<std::unique_ptr<KernelTotals>>;
  return all;
}

struct Lanes {
  std::array<std::uintptr_t, 32> address;
  unsigned count = 0;
};

// How many different values there are of each lane's first to last.
template <class First, class Last>
unsigned distinct(const Lanes& lanes, First first, Last last) {
  std::array<std::uintptr_t, 32 * 8> found;
  std::size_t n = 0;
  for (unsigned i = 0; i < lanes.count; ++i)
    for (std::uintptr_t value = first(lanes.address[i]);
         value <= last(lanes.address[i]) && n < found.size(); ++value)
      found[n++] = value;
  std::sort(found.begin(), found.begin() + n);
  return static_cast<unsigned>(std::unique(found.begin(), found.begin() + n) - found.begin());
}

// Words of one bank come one after another; requests of 8 and 16 bytes per
// lane in two and four parts.
unsigned wavefronts(const Lanes& lanes, unsigned bytes) {
  unsigned group = 32;
  if (bytes > 4) group = 16;
  if (bytes > 8) group = 8;
  unsigned sum = 0;
  for (unsigned begin = 0; begin < lanes.count; begin += group) {
    std::array<std::array<std::uintptr_t, 32>, 32> words{};  // by bank
    std::array<unsigned, 32> count{};
    for (unsigned i = begin; i < std::min(begin + group, lanes.count); ++i)
      for (std::uintptr_t word = lanes.address[i] / 4; word <= (lanes.address[i] + bytes - 1) / 4;
           ++word) {
        auto& bank = words[word % 32];
        unsigned& n = count[word % 32];
        if (n < 32 && std::find(bank.begin(), bank.begin() + n, word) == bank.begin() + n)
          bank[n++] = word;
      }
    sum += *std::max_element(count.begin(), count.end());
  }
  return sum;
}

void add_request(Total& total, const Lanes& lanes) {
  ++total.measured;
  total.measured_lanes += lanes.count;
  const unsigned bytes = total.bytes;
  const auto itself = [](std::uintptr_t address) { return address; };
  if (takes_turns(total.flags)) {
    std::array<std::uintptr_t, 32> sorted = lanes.address;
    std::sort(sorted.begin(), sorted.begin() + lanes.count);
    unsigned most = 0, run = 0;
    std::array<unsigned, 32> of_bank{};
    for (unsigned i = 0; i < lanes.count; ++i) {
      run = i > 0 && sorted[i] == sorted[i - 1] ? run + 1 : 1;
      most = std::max(most, run);
      ++of_bank[sorted[i] / 4 % 32];
    }
    const bool banks = total.space == Space::shared;
    total.cost += banks ? *std::max_element(of_bank.begin(), of_bank.end()) : most;
    total.by_address += most;
    total.least += 1;
    total.max_per_address = std::max<std::uint64_t>(total.max_per_address, most);
  } else if (total.space == Space::shared) {
    total.cost += wavefronts(lanes, bytes);
    total.least += bytes <= 4 ? 1 : (lanes.count * bytes + 127) / 128;
  } else if (total.space == Space::constant) {
    total.cost += distinct(lanes, itself, itself);
    total.least += 1;
  } else {
    const unsigned sectors = distinct(
        lanes, [](std::uintptr_t a) { return a / 32; },
        [=](std::uintptr_t a) { return (a + bytes - 1) / 32; });
    total.cost += sectors;
    total.least += std::min(sectors, (distinct(lanes, itself, itself) * bytes + 31) / 32);
  }
  for (unsigned i = 1; i < lanes.count; ++i) {
    const long stride = static_cast<long>(lanes.address[i] - lanes.address[i - 1]);
    if (total.stride == -1) total.stride = stride;
    if (total.stride != stride) total.stride = -2;
  }
}

Site& site_at(const void* place) {
  auto& [recent, site] = block->recent_sites[std::hash<const void*>()(place) % 256];
  if (recent != place) {
    recent = place;
    Site*& known = block->sites[place];
    if (known == nullptr) known = new Site{};
    site = known;
  }
  if (!site->touched) {
    site->touched = true;
    block->touched.push_back(site);
    if (site->warps.empty()) site->warps.resize(max_threads / 32);
    for (unsigned warp = 0; warp * 32 < block->threads; ++warp) {
      Site::Warp& own = site->warps[warp];
      own.keys.clear();
      own.lanes.clear();
      own.addresses.clear();
      own.by_key.clear();
      own.all_lanes = 0;
      std::fill(std::begin(own.next), std::end(own.next), 0);
      std::fill(std::begin(own.others), std::end(own.others), 0);
    }
    site->kept = 0;
  }
  return *site;
}

auto known_kernel(const Launch& launch) {
  return std::find_if(kernels().begin(), kernels().end(), [&](const auto& one) {
    return one->function == launch.function &&
           (launch.function != nullptr || one->name == launch.name);
  });
}

constexpr std::uint32_t not_told_apart = ~std::uint32_t{0};

// The number of the request that a lane takes part in: mostly the one behind its last,
// as for the lanes before it; otherwise one that was made by the same way and that it
// does not take part in already.
std::uint32_t request_of(Site::Warp& warp, unsigned lane, std::uint64_t key) {
  const std::uint32_t bit = 1u << lane;
  const auto size = static_cast<std::uint32_t>(warp.keys.size());
  const auto take = [&](std::uint32_t n) {
    warp.lanes[n] |= bit;
    warp.all_lanes |= bit;
    warp.next[lane] = n + 1;
    return n;
  };
  const auto fits = [&](std::uint32_t n) {
    return warp.keys[n] == key && (warp.lanes[n] & bit) == 0;
  };
  if (warp.next[lane] < size && fits(warp.next[lane])) return take(warp.next[lane]);

  if (size == max_told_apart) {
    ++warp.others[lane];
    return not_told_apart;
  }
  const bool is_alone = (warp.all_lanes & ~bit) == 0;
  if (!is_alone) {
    if (warp.by_key.empty())
      for (std::uint32_t n = 0; n < size; ++n)
        warp.by_key.try_emplace(warp.keys[n], n, n).first->second.last = n;
    const auto it = warp.by_key.find(key);
    if (it != warp.by_key.end())
      for (const std::uint32_t n : {it->second.first, it->second.last})
        if (fits(n)) return take(n);
  }
  warp.keys.push_back(key);
  warp.lanes.push_back(0);
  if (!warp.by_key.empty()) warp.by_key.try_emplace(key, size, size).first->second.last = size;
  return take(size);
}

}  // namespace

Total total_of(const Access& access, const std::vector<std::uintptr_t>& addresses) {
  Total total;
  total.space = access.space;
  total.flags = access.flags;
  total.bytes = access.bytes;
  total.requests = 1;
  total.lanes = total.possible = addresses.size();
  Lanes lanes;
  for (const std::uintptr_t address : addresses)
    if (lanes.count < lanes.address.size()) lanes.address[lanes.count++] = address;
  add_request(total, lanes);
  return total;
}

std::vector<KernelTotals*> all_kernels() {
  std::vector<KernelTotals*> all;
  for (const auto& one : kernels()) all.push_back(one.get());
  return all;
}

unsigned launches_of(const Launch& launch) {
  const auto it = known_kernel(launch);
  return it == kernels().end() ? 0 : (*it)->launches;
}

void begin_kernel(const Launch& launch, const std::string& shape, std::uint64_t blocks) {
  auto& all = kernels();
  auto it = known_kernel(launch);
  if (it == all.end()) {
    all.push_back(std::make_unique<KernelTotals>());
    it = all.end() - 1;
    (*it)->number = all.size() - 1;
    (*it)->name = launch.name;
    (*it)->function = launch.function;
  }
  kernel = it->get();
  kernel->shape = (kernel->launches == 0 ? "" : "the last with ") + shape;
  ++kernel->launches;
  kernel->cooperative = launch.cooperative;
  kernel->threads += blocks * launch.block.x * launch.block.y * launch.block.z;
  kernel->blocks += blocks;
}

void note_request(const Access& access) {
  if (++kernel->events >= too_many_events) {
    kernel->cut_off = true;
    block->noted = false;
    // Only some lanes of the present steps have been seen.
    for (Site* const site : block->touched)
      if (site->kept == 0) site->touched = false;
  }
  Site& site = site_at(access.place);
  const unsigned thread = block->thread;
  if (thread >= max_threads) return;
  site.access = access;
  if (site.kept == 0) {
    const std::size_t warps = (block->threads + 31) / 32;
    site.kept = static_cast<std::uint32_t>(
        std::min<std::size_t>(max_kept, max_addresses_per_site / (32 * warps)));
  }
  Site::Warp& warp = site.warps[thread / 32];
  const std::uint32_t n = request_of(warp, thread % 32, block->paths[thread].key());
  if (n >= site.kept) return;
  if (warp.addresses.size() <= n * std::size_t{32})
    warp.addresses.resize((n + 1) * std::size_t{32}, 0);
  warp.addresses[n * std::size_t{32} + thread % 32] = access.address;
}

void note_step(const void* place) {
  const unsigned thread = block->thread;
  if (thread >= max_threads) return;
  Path& path = block->paths[thread];
  path.step(reinterpret_cast<std::uintptr_t>(place));
  request_of(site_at(place).warps[thread / 32], thread % 32, path.key());
}

void finish_requests() {
  const unsigned warps = (block->threads + 31) / 32;
  for (auto& [place, site] : block->sites) {
    if (!site->touched) continue;
    site->touched = false;
    Total& total = site->kept == 0 ? kernel->steps[place] : kernel->accesses[place];
    total.space = site->access.space;
    total.flags = site->access.flags;
    total.bytes = site->access.bytes;
    const auto of_first_warp = site->warps[0].keys.size();
    for (unsigned number = 0; number < warps; ++number) {
      const Site::Warp& warp = site->warps[number];
      const std::uint32_t others =
          *std::max_element(std::begin(warp.others), std::end(warp.others));
      const std::uint64_t requests = warp.keys.size() + others;
      const std::uint32_t width = std::min(32u, block->threads - number * 32);
      total.by_all = total.by_all && warp.keys.size() == of_first_warp;
      for (const std::uint32_t lanes : warp.lanes) {
        const auto count = static_cast<std::uint32_t>(std::popcount(lanes));
        total.lanes += count;
        total.by_all = total.by_all && count == width;
      }
      for (const std::uint32_t more : warp.others) total.lanes += more;
      total.requests += requests;
      total.possible += requests * width;
      for (std::size_t n = 0; n < warp.addresses.size(); n += 32) {
        Lanes lanes;
        for (std::size_t lane = 0; lane < 32; ++lane)
          if (const std::uintptr_t address = warp.addresses[n + lane])
            lanes.address[lanes.count++] = address;
        if (lanes.count > 0) add_request(total, lanes);
      }
    }
  }
  block->touched.clear();
}

}  // namespace emulated::explain
