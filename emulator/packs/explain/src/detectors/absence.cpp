#include "detectors/absence.h"

#include <algorithm>

#include "detectors/failed_calls.h"
#include "diagnosis/report.h"
#include "explain.h"
#include "record/ledger.h"

namespace emulated::explain {

bool ended_well() { return asked_to_end == 0 && error_count() == 0 && !has_failed_call(); }

bool all_recorded() {
  const std::vector<KernelTotals*> kernels = all_kernels();
  return !ledger().uses.lost() && !ledger().kernel_uses.lost() &&
         std::all_of(kernels.begin(), kernels.end(), [](const KernelTotals* one) {
           return one->looked_at == one->launches && one->blocks_looked_at == one->blocks &&
                  !one->cut_off;
         });
}

}  // namespace emulated::explain
