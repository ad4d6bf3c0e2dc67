// Which of the emulated devices a host thread works with (cudaSetDevice), and which memory it may use.
#pragma once

namespace emulated {

int current_device();
/// Is there a device of this number?
bool is_device(int device);
/// May kernels of `device` use the memory of `owner` (cudaDeviceEnablePeerAccess)?
bool has_access(int device, int owner);

}  // namespace emulated
