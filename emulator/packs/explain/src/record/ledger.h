// What the program's work - kernels, copies and fills, in streams - did with which memory, kept
// across launches: its order, and of each byte the latest write and the uses since.
#pragma once

#include <memory>
#include <mutex>

#include "order/work_order.h"
#include "record/uses.h"

namespace emulated::explain {

/// To be used while its mutex is held.
struct Ledger {
  std::mutex mutex;
  bool has_streams = false;  // besides the default ones
  bool has_graphs = false;   // that have run
  WorkOrder order;
  WorkUses uses;
  // These belong to the kernel that runs.
  std::shared_ptr<Work> kernel;
  KernelUses kernel_uses;
};
Ledger& ledger();
/// Are there streams that nothing orders? With one device and one stream all is ordered but for the
/// host.
bool several_streams();
/// The function that gives memory back as a piece of work.
constexpr const char* given_back = "cudaFreeAsync";

}  // namespace emulated::explain
