// Requests: what the lanes of a warp access at the same time. The device runs threads one after another, so the n-th
// access of a place in the program by each lane of a warp, since the last barrier, counts as one request.
//
// How many parts of memory a request touches: CUDA C++ Best Practices Guide, "Coalesced Access to Global Memory" (sectors
// of 32 bytes) and "Shared Memory and Memory Banks" (32 banks of 4 bytes); constants: one word at a time.
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

// Of longer loops only the first passes of each warp between two barriers are kept, in all so many lanes of a block.
constexpr std::uint32_t max_kept = 64;
constexpr std::size_t max_addresses_per_site = std::size_t{1} << 18;

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
    for (std::uintptr_t value = first(lanes.address[i]); value <= last(lanes.address[i]) && n < found.size();
         ++value)
      found[n++] = value;
  std::sort(found.begin(), found.begin() + n);
  return static_cast<unsigned>(std::unique(found.begin(), found.begin() + n) - found.begin());
}

// Words of one bank come one after another; requests of 8 and 16 bytes per lane in two and four parts.
unsigned wavefronts(const Lanes& lanes, unsigned bytes) {
  const unsigned group = bytes <= 4 ? 32 : bytes <= 8 ? 16 : 8;
  unsigned sum = 0;
  for (unsigned begin = 0; begin < lanes.count; begin += group) {
    std::array<std::array<std::uintptr_t, 32>, 32> words{};  // by bank
    std::array<unsigned, 32> count{};
    for (unsigned i = begin; i < std::min(begin + group, lanes.count); ++i)
      for (std::uintptr_t word = lanes.address[i] / 4; word <= (lanes.address[i] + bytes - 1) / 4; ++word) {
        auto& bank = words[word % 32];
        unsigned& n = count[word % 32];
        if (n < 32 && std::find(bank.begin(), bank.begin() + n, word) == bank.begin() + n) bank[n++] = word;
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
    for (unsigned i = 0; i < lanes.count; ++i) {
      run = i > 0 && sorted[i] == sorted[i - 1] ? run + 1 : 1;
      most = std::max(most, run);
    }
    total.cost += most;
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
    std::memset(site->count, 0, sizeof site->count);
    site->addresses.clear();
  }
  return *site;
}

}  // namespace

std::vector<KernelTotals*> all_kernels() {
  std::vector<KernelTotals*> all;
  for (const auto& one : kernels()) all.push_back(one.get());
  return all;
}

void begin_kernel(const Launch& launch, const std::string& shape, std::uint64_t blocks) {
  auto& all = kernels();
  auto it = std::find_if(all.begin(), all.end(), [&](const auto& one) {
    return one->name == launch.name && one->function == launch.function;
  });
  if (it == all.end()) {
    all.push_back(std::make_unique<KernelTotals>());
    it = all.end() - 1;
    (*it)->name = launch.name;
    (*it)->function = launch.function;
  }
  kernel = it->get();
  kernel->shape = (kernel->launches == 0 ? "" : "the last with ") + shape;
  ++kernel->launches;
  kernel->blocks += blocks;
}

void note_request(const Access& access) {
  ++kernel->events;
  Site& site = site_at(access.place);
  const unsigned thread = block->thread;
  if (thread >= max_threads) return;
  site.access = access;
  if (site.addresses.empty()) {
    const std::size_t warps = (block->threads + 31) / 32;
    site.kept =
        static_cast<std::uint32_t>(std::min<std::size_t>(max_kept, max_addresses_per_site / (32 * warps)));
    site.addresses.resize(32 * warps, 0);  // grows with n
  }
  const std::uint32_t n = site.count[thread]++;
  if (n >= site.kept) return;
  const std::size_t warps = (block->threads + 31) / 32;
  const std::size_t place = (n * warps + thread / 32) * 32 + thread % 32;
  if (place >= site.addresses.size()) site.addresses.resize((n + 1) * warps * 32, 0);
  site.addresses[place] = access.address;
}

void note_step(const void* place) {
  Site& site = site_at(place);
  if (block->thread < max_threads) ++site.count[block->thread];
}

void finish_requests() {
  const unsigned warps = (block->threads + 31) / 32;
  for (auto& [place, site] : block->sites) {
    if (!site->touched) continue;
    site->touched = false;
    Total& total = site->addresses.empty() ? kernel->steps[place] : kernel->accesses[place];
    total.space = site->access.space;
    total.flags = site->access.flags;
    total.bytes = site->access.bytes;
    for (unsigned warp = 0; warp < warps; ++warp) {
      std::uint32_t most = 0;
      for (unsigned lane = 0; lane < 32; ++lane) {
        const std::uint32_t count = site->count[warp * 32 + lane];
        most = std::max(most, count);
        total.lanes += count;
      }
      total.requests += most;
      total.possible += std::uint64_t{most} * std::min(32u, block->threads - warp * 32);
      for (std::uint32_t n = 0; n < std::min(most, site->kept) && !site->addresses.empty(); ++n) {
        Lanes lanes;
        for (unsigned lane = 0; lane < 32; ++lane)
          if (const std::uintptr_t address = site->addresses[(n * std::size_t{warps} + warp) * 32 + lane])
            lanes.address[lanes.count++] = address;
        if (lanes.count > 0) add_request(total, lanes);
      }
    }
    site->kept = 0;
  }
  block->touched.clear();
}

}  // namespace emulated::explain
