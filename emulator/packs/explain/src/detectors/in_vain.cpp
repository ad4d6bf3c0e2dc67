// Fetches and shuffles that get nothing: normalized coordinates that lie a whole picture beyond
// their texture, where it is not repeated; others beyond one that would be repeated only if they
// were normalized; elements beyond a texture in linear memory; shuffles over as many lanes as there
// are, or more. Notes.
#include "detectors/in_vain.h"

#include <map>
#include <utility>

#include "emulated/explain_hooks.h"
#include "explain.h"
#include "launch/running.h"
#include "record/objects.h"
#include "report/findings.h"

namespace emulated::explain {

namespace {

// Fetches of a kernel.
struct Far {
  std::uint64_t coordinates = 0;
  Callers callers{};  // of the first one
  int elements = 0;   // of a texture in linear memory
  int element_bytes = 0;
};
// Fetches of a kernel, by coordinates that are not normalized, from a texture whose mode repeats.
struct Unrepeated {
  std::uint64_t fetches = 0;
  std::uint64_t beyond = 0;
};
using FarFetches = std::map<std::size_t, Far>;  // by the kernel's number
struct InVain {
  FarFetches far;     // a whole picture beyond a texture
  FarFetches beyond;  // the elements of a texture in linear memory
  std::map<std::pair<std::size_t, const void*>, Unrepeated> unrepeated;  // and by who made it
  std::map<std::string, Finding> shuffles;  // over too many lanes, by their sentences
};
InVain& in_vain() {
  static auto& value = *new InVain;
  return value;
}

// The present thread has fetched there.
void count_fetch(FarFetches& all, int elements, int element_bytes) {
  if (block == nullptr || !inside_kernel || busy) return;
  const Unseen unseen;
  const Lock lock;
  Far& far = all[kernel->number];
  if (++far.coordinates == 1) far = {1, callers(), elements, element_bytes};
}

}  // namespace

void note_far_shuffle(const char* name, unsigned distance, unsigned lanes, Location at) {
  if (block == nullptr || lanes < 2 || in_vain().shuffles.size() >= 100) return;
  const Unseen unseen;
  const Lock lock;
  const Finding found{.kind = Finding::Kind::never_written,
                      .is_note = true,
                      .place = place_of(at),
                      .does = "kernel " + kernel->name + ": " + name + " by " +
                              std::to_string(distance) + " among " + std::to_string(lanes) +
                              " lanes: each gets its own value back"};
  in_vain().shuffles.emplace(text_of(found), found);
}

void note_far_fetch() { count_fetch(in_vain().far, 0, 0); }

void note_unrepeated(const void* made_by, bool beyond) {
  if (block == nullptr || !inside_kernel || busy) return;
  const Unseen unseen;
  const Lock lock;
  Unrepeated& all = in_vain().unrepeated[{kernel->number, made_by}];
  ++all.fetches;
  if (beyond) ++all.beyond;
}

void note_fetch_beyond(int elements, int element_bytes) {
  count_fetch(in_vain().beyond, elements, element_bytes);
}

// A few fetches outside are the picture's border; one for every second thread is too many.
void find_in_vain(std::vector<Finding>& all) {
  const std::vector<KernelTotals*> kernels = all_kernels();
  const auto add = [&](std::size_t number, const Far& far, const std::string& details) {
    const KernelTotals& kernel = *kernels[number];
    const Place* const place = caller_line(far.callers);
    if (place == nullptr || 2 * far.coordinates < kernel.threads) return;
    all.push_back({.kind = Finding::Kind::never_written,
                   .is_note = true,
                   .place = *place,
                   .does = "kernel " + kernel.name + " fetches",
                   .details = details});
  };
  for (const auto& [number, far] : in_vain().far)
    add(number, far,
        " at " + std::to_string(far.coordinates) +
            " coordinates of 2 and more, or -1 and less, from a texture whose coordinates are "
            "normalized: from 0 to 1 is the whole picture, and what lies beyond is its edge");
  for (const auto& [number, far] : in_vain().beyond)
    add(number, far,
        " " + std::to_string(far.coordinates) + " times beyond the " +
            std::to_string(far.elements) +
            " elements of a texture in linear memory, and gets 0; its sizeInBytes, " +
            std::to_string(1LL * far.elements * far.element_bytes) + ", counts bytes");
  for (const auto& [by, one] : in_vain().unrepeated) {
    const auto& [number, made_by] = by;
    if (2 * one.beyond < one.fetches || !place_of(made_by).known) continue;
    all.push_back({.kind = Finding::Kind::never_written,
                   .is_note = true,
                   .place = place_of(made_by),
                   .does = "kernel " + kernels[number]->name + " fetches " +
                           std::to_string(one.beyond) +
                           " times beyond the edge of this texture, and gets its edge",
                   .details = ": cudaAddressModeWrap, with which a description begins, acts as "
                              "cudaAddressModeClamp where coordinates are not normalized",
                   .advice = "to repeat the picture, set normalizedCoords and divide the "
                             "coordinates by its size"});
  }
  for (const auto& [text, finding] : in_vain().shuffles) all.push_back(finding);
}

}  // namespace emulated::explain
