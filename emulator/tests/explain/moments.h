// The moments at which a program may get a signal: numbered, so that a test can try each.
#pragma once

/// The program begins: SIGTERM at the moment of this kind ("hook", "lock", "launch" or "grid") and
/// number; number 0: at none.
void begin_moments(const char* kind, const char* number);
#ifndef __device__
#define __device__
#define __host__
#endif
/// Which moments of this OS thread are counted from now on: none; hooks and locks; both as moments
/// of a cooperative grid.
enum class Counted { none, own, of_grid };
__host__ __device__ void count_moments_here(Counted counted);
/// One before or after a launch, of the OS thread that launches. It counts its own from then on.
void launch_moment();
