// Does it matter that nobody wrote what a launch read? It is not guessed but tried: before the
// launch begins, a copy of the process is kept (fork), and if the launch reads such bytes, the copy
// runs it again with other values in them. What is different then derives from them.
#pragma once

#include <cstdint>

#include "emulated/scheduler.h"

namespace emulated::explain {

/// Keeps a copy of the process, if the kernel was launched seldom before, or the program has read
/// what
/// nobody wrote. True: this is the copy, and is to run the launch.
bool prepare_again(const Launch& launch, unsigned launches_before);
/// Has a kernel read what nobody wrote, so far? (written.cpp)
bool has_read_unwritten();
/// In a copy: so many basic blocks more, 0 in the program itself; the kernel comes to one.
extern std::uint64_t steps_left_again;
void count_step_again();
/// Is this process such a copy?
bool is_again();
/// In a copy: gives the present block's shared memory the values that are tried.
void fill_shared_again();
/// In a copy, when the launch has ended: hands over what came of it.
[[noreturn]] void finish_again();

enum class Matters { unknown, no, derived, at_once };
/// The launch has ended. If it read what nobody wrote: what differs is noted as
/// derived from `source`. at_once: the host sees it already, the kernel prints
/// something else or ends in another way.
Matters try_again(bool reads_unwritten, unsigned source);

}  // namespace emulated::explain
