#include "record/uses.h"

#include <algorithm>
#include <utility>

namespace emulated::explain {

void WorkUses::split_at(std::uintptr_t at) {
  auto it = stretches_.upper_bound(at);
  if (it == stretches_.begin()) return;
  --it;
  if (it->first == at || it->second.end <= at) return;
  Stretch rest = it->second;
  it->second.end = at;
  stretches_.emplace_hint(std::next(it), at, std::move(rest));
}

void WorkUses::forget(std::uintptr_t begin, std::uintptr_t end) {
  split_at(begin);
  split_at(end);
  stretches_.erase(stretches_.lower_bound(begin), stretches_.lower_bound(end));
}

void KernelUses::add(std::uintptr_t begin, std::uint32_t bytes, unsigned use) {
  for (std::uintptr_t at = begin; at < begin + bytes; ++at) {
    if (at / page_bytes != recent_number_) {
      recent_number_ = at / page_bytes;
      auto it = pages_.find(recent_number_);
      if (it == pages_.end() && pages_.size() < max_pages)
        it = pages_.emplace(recent_number_, std::make_unique<Page>()).first;
      recent_ = it == pages_.end() ? nullptr : it->second.get();
      lost_ |= recent_ == nullptr;
    }
    if (recent_ != nullptr) (*recent_)[at % page_bytes] |= static_cast<std::uint8_t>(use);
  }
}

std::vector<Range> KernelUses::take() {
  std::vector<std::uintptr_t> numbers;
  for (const auto& [number, page] : pages_) numbers.push_back(number);
  std::sort(numbers.begin(), numbers.end());
  std::vector<Range> ranges;
  for (const std::uintptr_t number : numbers) {
    const Page& page = *pages_[number];
    for (std::size_t i = 0; i < page_bytes; ++i) {
      if (page[i] == 0) continue;
      const std::uintptr_t at = number * page_bytes + i;
      if (ranges.empty() || ranges.back().end != at || ranges.back().use != page[i])
        ranges.push_back({at, at, page[i]});
      ranges.back().end = at + 1;
    }
  }
  pages_.clear();
  recent_ = nullptr;
  recent_number_ = 0;
  return ranges;
}

}  // namespace emulated::explain
