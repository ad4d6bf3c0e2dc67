#pragma once
// What a record of Google Benchmark says of the device it was made on.
#include <benchmark/benchmark.h>
#include <cuda_runtime.h>

#include <string>

#include "../common/book.h"
#include "../common/timing.h"

/// Adds the device's name, its multiprocessors, the versions of driver and runtime (13000 for 13.0) and the copy
/// rate of this run, GB/s, to the record's context. Call it before RunSpecifiedBenchmarks().
inline void add_device_context() {
  cudaDeviceProp properties;
  HANDLE_ERROR(cudaGetDeviceProperties(&properties, 0));
  int driver = 0, runtime = 0;
  HANDLE_ERROR(cudaDriverGetVersion(&driver));
  HANDLE_ERROR(cudaRuntimeGetVersion(&runtime));
  benchmark::AddCustomContext("device", properties.name);
  benchmark::AddCustomContext("multiprocessors", std::to_string(properties.multiProcessorCount));
  benchmark::AddCustomContext("cuda_driver_api", std::to_string(driver));
  benchmark::AddCustomContext("cuda_runtime", std::to_string(runtime));
  benchmark::AddCustomContext("copy_rate_GB_per_s", std::to_string(copy_rate()));
}
