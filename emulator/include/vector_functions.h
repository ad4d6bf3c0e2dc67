// make_float4(x, y, z, w) and its siblings.
#pragma once

#include "emulated/qualifiers.h"
#include "vector_types.h"

#define EMULATED_MAKE(T, name)                                          \
  constexpr name##1 make_##name##1(T x) { return {x}; }                 \
  constexpr name##2 make_##name##2(T x, T y) { return {x, y}; }         \
  constexpr name##3 make_##name##3(T x, T y, T z) { return {x, y, z}; } \
  constexpr name##4 make_##name##4(T x, T y, T z, T w) { return {x, y, z, w}; }

EMULATED_MAKE(signed char, char)
EMULATED_MAKE(unsigned char, uchar)
EMULATED_MAKE(short, short)
EMULATED_MAKE(unsigned short, ushort)
EMULATED_MAKE(int, int)
EMULATED_MAKE(unsigned int, uint)
EMULATED_MAKE(long, long)
EMULATED_MAKE(unsigned long, ulong)
EMULATED_MAKE(long long, longlong)
EMULATED_MAKE(unsigned long long, ulonglong)
EMULATED_MAKE(float, float)
EMULATED_MAKE(double, double)
#undef EMULATED_MAKE
