// cuda::std, the standard library for kernels: the host's own, whose functions can be called from kernels here. What
// threads wait at comes from namespace cuda, so that a waiting thread lets the others run.
#pragma once

#include "../cuda/atomic"

namespace cuda {

template <thread_scope Scope, class Completion>
class barrier;
template <thread_scope Scope>
class latch;
template <thread_scope Scope, ::std::ptrdiff_t Greatest>
class counting_semaphore;
struct emulated_no_completion;

namespace std {
using namespace ::std;
template <class T>
using atomic = ::cuda::atomic<T>;
template <class T>
using atomic_ref = ::cuda::atomic_ref<T>;
using ::cuda::atomic_thread_fence;
template <class Completion = ::cuda::emulated_no_completion>
using barrier = ::cuda::barrier<thread_scope_system, Completion>;
using latch = ::cuda::latch<thread_scope_system>;
template <::std::ptrdiff_t Greatest = (1 << 30)>
using counting_semaphore = ::cuda::counting_semaphore<thread_scope_system, Greatest>;
using binary_semaphore = counting_semaphore<1>;
}  // namespace std

}  // namespace cuda
