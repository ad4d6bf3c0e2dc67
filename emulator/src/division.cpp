#include "division.h"

#include <atomic>
#include <cstdint>
#include <cstring>

namespace emulated {

namespace {

std::atomic<const void*> first_by_zero = nullptr;

#if defined(__linux__) && defined(__x86_64__)

// The registers by the numbers that instructions have for them.
constexpr int register_names[16] = {REG_RAX, REG_RCX, REG_RDX, REG_RBX, REG_RSP, REG_RBP, REG_RSI, REG_RDI,
                                    REG_R8,  REG_R9,  REG_R10, REG_R11, REG_R12, REG_R13, REG_R14, REG_R15};

// One DIV or IDIV instruction (Intel's manual, volume 2: instruction format, DIV, IDIV).
struct Division {
  bool is_signed = false;
  unsigned bits = 32;
  std::uint64_t divisor = 0;
  std::uintptr_t next = 0;  // the instruction behind it
};

template <class T>
T load(std::uintptr_t address) {
  T value;
  const auto* place = reinterpret_cast<const void*>(address);  // NOLINT(performance-no-int-to-ptr)
  std::memcpy(&value, place, sizeof value);
  return value;
}

// False: another instruction.
bool decode(const mcontext_t& registers, Division& division) {
  auto at = static_cast<std::uintptr_t>(registers.gregs[REG_RIP]);
  const auto value_of = [&](unsigned number) {
    return static_cast<std::uint64_t>(registers.gregs[register_names[number]]);
  };
  if (load<std::uint8_t>(at) == 0x66) {
    division.bits = 16;
    ++at;
  }
  unsigned rex = 0;
  if ((load<std::uint8_t>(at) & 0xf0) == 0x40) rex = load<std::uint8_t>(at++);
  const unsigned opcode = load<std::uint8_t>(at++);
  if (opcode != 0xf6 && opcode != 0xf7) return false;
  if (opcode == 0xf6) return false;  // 8 bits: the compiler promotes such operands to int
  if ((rex & 8) != 0) division.bits = 64;
  const unsigned mode = load<std::uint8_t>(at) >> 6, kind = load<std::uint8_t>(at) >> 3 & 7;
  unsigned base = load<std::uint8_t>(at++) & 7;
  if (kind != 6 && kind != 7) return false;
  division.is_signed = kind == 7;
  if (mode == 3) {
    division.divisor = value_of(base | (rex & 1) << 3);
  } else {
    std::uint64_t address = 0;
    bool relative = false, no_base = false;
    if (base == 4) {  // scale, index, base
      const unsigned sib = load<std::uint8_t>(at++);
      const unsigned index = (sib >> 3 & 7) | (rex & 2) << 2;
      if (index != 4) address += value_of(index) << (sib >> 6);
      base = sib & 7;
      no_base = base == 5 && mode == 0;
    } else {
      relative = base == 5 && mode == 0;
    }
    if (!relative && !no_base) address += value_of(base | (rex & 1) << 3);
    if (mode == 1) address += static_cast<std::uint64_t>(std::int64_t{load<std::int8_t>(at++)});
    if (mode == 2 || relative || no_base) {
      address += static_cast<std::uint64_t>(std::int64_t{load<std::int32_t>(at)});
      at += 4;
    }
    if (relative) address += at;
    division.divisor = load<std::uint64_t>(address);
  }
  division.next = at;
  return true;
}

#endif

}  // namespace

bool finish_division([[maybe_unused]] mcontext_t& registers) {
#if defined(__linux__) && defined(__x86_64__)
  Division division;
  if (!decode(registers, division)) return false;
  const std::uint64_t mask =
      division.bits == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << division.bits) - 1;
  const auto quotient_before = static_cast<std::uint64_t>(registers.gregs[REG_RAX]);
  std::uint64_t quotient = mask, remainder = mask;
  if ((division.divisor & mask) == 0) {
    const void* none = nullptr;
    first_by_zero.compare_exchange_strong(
        none, reinterpret_cast<const void*>(registers.gregs[REG_RIP]));  // NOLINT(performance-no-int-to-ptr)
  } else {  // the quotient does not fit: the least integer divided by -1
    quotient = quotient_before & mask;
    remainder = 0;
  }
  // 16-bit results leave the rest of the register as it is, 32-bit results clear it.
  const std::uint64_t kept = division.bits == 16 ? ~mask : 0;
  registers.gregs[REG_RAX] = static_cast<greg_t>((quotient_before & kept) | quotient);
  registers.gregs[REG_RDX] =
      static_cast<greg_t>((static_cast<std::uint64_t>(registers.gregs[REG_RDX]) & kept) | remainder);
  registers.gregs[REG_RIP] = static_cast<greg_t>(division.next);
  return true;
#else
  return false;
#endif
}

const void* first_division_by_zero() { return first_by_zero.exchange(nullptr); }

}  // namespace emulated
