#include "guards.h"

#include <algorithm>
#include <atomic>
#include <cstring>

namespace emulated {

namespace {

using Word = std::uint64_t;
constexpr Word step = 0x9e3779b97f4a7c15;  // from one word's key to the next

// Bytes from 0x80 on: not the ends of small numbers, which kernels write most.
Word word_of(Word key) { return key | 0x8080808080808080; }

Word hash(Word number) {
  number = (number ^ (number >> 31)) * 0xbf58476d1ce4e5b9;
  return number ^ (number >> 29);
}

}  // namespace

Guard::Guard(char* begin, std::size_t bytes) : begin_(begin), bytes_(bytes) {
  static std::atomic<Word> count = 0;
  key_ = hash(++count * step);
  restore();
}

void Guard::restore() const {
  Word key = key_;
  std::size_t at = 0;
  for (; at + sizeof(Word) <= bytes_; at += sizeof(Word), key += step) {
    const Word word = word_of(key);
    std::memcpy(begin_ + at, &word, sizeof word);
  }
  const Word last = word_of(key);
  if (at < bytes_) std::memcpy(begin_ + at, &last, bytes_ - at);
}

Guard::Damage Guard::damage() const {
  if (bytes_ == 0) return {};
  Word key = key_;
  Word difference = 0;
  std::size_t at = 0;
  for (; at + sizeof(Word) <= bytes_; at += sizeof(Word), key += step) {
    Word found;
    std::memcpy(&found, begin_ + at, sizeof found);
    difference |= found ^ word_of(key);
  }
  const Word last = word_of(key);
  if (difference == 0 && std::memcmp(begin_ + at, &last, bytes_ - at) == 0) return {};

  Damage damage;
  for (at = 0; at < bytes_; ++at) {
    const Word word = word_of(key_ + at / sizeof(Word) * step);
    char expected[sizeof word];
    std::memcpy(expected, &word, sizeof word);
    if (begin_[at] == expected[at % sizeof word]) continue;
    if (damage.last == 0) damage.first = at;
    damage.last = at + 1;
  }
  return damage;
}

}  // namespace emulated
