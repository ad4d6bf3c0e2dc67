// Conversions from floating point to integer that cu2cpp does not see, because the type stands
// elsewhere: arguments of functions, members of classes, global variables. Translated files are
// compiled with -fsanitize=float-cast-overflow, which calls a function for a number that does not
// fit. It is this one, and not UndefinedBehaviorSanitizer's, so that a kernel ends with a sentence
// and host code goes on as nvcc's does. So it is with divisions by zero on arm64, whose processors
// make 0 of them (-fsanitize=integer-divide-by-zero).
#if !defined(__SANITIZE_ADDRESS__)  // there the sanitizer reports it

#include <bit>
#include <cstdint>
#include <cstdio>
#include <cstring>

#include "diagnosis.h"
#include "emulated/convert.h"
#include "launch/running.h"

namespace {

// What g++ and clang++ hand over (compiler-rt, lib/ubsan/ubsan_value.h and ubsan_handlers.h).
struct Type {
  std::uint16_t kind;  // 0: an integer, 1: a floating-point number
  // of an integer: 1 for a sign, and twice the logarithm of its bits; else its bits
  std::uint16_t info;
  char name[1];  // in quotes
};
struct Conversion {
  const char* file;
  std::uint32_t line, column;
  const Type *from, *to;
};
struct Division {
  const char* file;
  std::uint32_t line, column;
  const Type* type;
};

// What the processor makes of x, and what a GPU does.
struct Answers {
  long long here, gpu;
  bool sign;
};
template <class To, class From>
Answers answers_of(From x) {
  const volatile From hidden = x;  // from the compiler, which could compute anything
  return {static_cast<long long>(static_cast<To>(hidden)),
          static_cast<long long>(emulated::saturated<To>(x)), std::is_signed_v<To>};
}
template <class From>
Answers answers(From x, const Type& to) {
  Answers result{};  // of bool and enumerations: none
  const auto consider = [&]<class To>(To) {
    constexpr int info = (std::bit_width(8 * sizeof(To)) - 1) << 1 | std::is_signed_v<To>;
    if (to.info == info) result = answers_of<To>(x);
  };
  consider(std::int8_t()), consider(std::int16_t()), consider(std::int32_t()),
      consider(std::int64_t());
  consider(std::uint8_t()), consider(std::uint16_t()), consider(std::uint32_t()),
      consider(std::uint64_t());
  return result;
}

}  // namespace

extern "C" void __ubsan_handle_float_cast_overflow(const Conversion* at, std::uintptr_t value) {
  if (!emulated::in_kernel() || at->from->kind != 1 || at->to->kind != 0 || at->from->info > 64)
    return;
  const double x = at->from->info == 32 ? std::bit_cast<float>(static_cast<std::uint32_t>(value))
                                        : std::bit_cast<double>(value);
  // NaN and numbers of 64 bits make a difference between float and double.
  const Answers both =
      at->from->info == 32 ? answers(static_cast<float>(x), *at->to) : answers(x, *at->to);
  if (both.here == both.gpu) return;
  const char* const type = at->to->name + (std::strncmp(at->to->name, "'const ", 7) == 0 ? 7 : 1);
  // No std::string may be alive when the frames are left behind.
  char gpu[32];
  char sentence[700];
  if (both.sign)
    std::snprintf(gpu, sizeof gpu, "%lld", both.gpu);
  else
    std::snprintf(gpu, sizeof gpu, "%llu", static_cast<unsigned long long>(both.gpu));
  std::snprintf(sentence, sizeof sentence,
                "%g becomes '%.60s at %.400s:%u and does not fit; on a GPU it becomes %s, and here "
                "too with a cast at that place, as in (int)x, outside of a macro",
                x, type, at->file, at->line, gpu);
  emulated::device_fault(cudaErrorLaunchFailure, sentence);
}

// Also called for the smallest integer divided by -1, whose quotient wraps on arm64 as on a GPU. Of
// integers of 128 bits the divisor's address comes here.
extern "C" void __ubsan_handle_divrem_overflow(const Division* at, std::uintptr_t,
                                               std::uintptr_t divisor) {
  if (!emulated::in_kernel() || divisor != 0) return;
  char sentence[500];
  std::snprintf(sentence, sizeof sentence, "%s at %.400s:%u", emulated::divided_by_zero, at->file,
                at->line);
  emulated::device_fault(cudaErrorLaunchFailure, sentence);
}

#endif
