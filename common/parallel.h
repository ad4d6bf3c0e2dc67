#pragma once
#include <functional>

/// Calls work(i) for each i from 0 to count - 1, on all threads of the processor. The threads
/// take the numbers in turn. It is for CPU references of pictures, whose rows do not depend
/// on one another. `work` must not throw.
void parallel_for(int count, const std::function<void(int)>& work);
