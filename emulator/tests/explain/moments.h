// The moments at which a program may get a signal: numbered, so that a test can try each.
#pragma once

/// The program begins: SIGTERM at the moment of this kind ("hook", "lock" or "launch") and number;
/// number 0: at none.
void begin_moments(const char* kind, const char* number);
#ifndef __device__
#define __device__
#endif
/// Are moments of this OS thread counted from now on?
__device__ void number_moments_here(bool numbered);
/// One before or after a launch, of the OS thread that launches; its moments are counted then.
void launch_moment();
