#include "record/ledger.h"

#include "device/device.h"

namespace emulated::explain {

Ledger& ledger() {
  static auto& value = *new Ledger;
  return value;
}

bool several_streams() {
  static const bool several_devices = is_device(1);
  return several_devices || ledger().has_streams;
}

}  // namespace emulated::explain
