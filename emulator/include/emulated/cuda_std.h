// cuda::std, the standard library for kernels: the host's own, whose functions can be called from kernels here. What
// threads wait at comes from namespace cuda, so that a waiting thread lets the others run.
#pragma once

#include "../cuda/atomic"

namespace cuda {

template <thread_scope Scope, class Completion>
class barrier;
struct emulated_no_completion;

namespace std {
using namespace ::std;
template <class Completion = ::cuda::emulated_no_completion>
using barrier = ::cuda::barrier<thread_scope_system, Completion>;
}  // namespace std

}  // namespace cuda
