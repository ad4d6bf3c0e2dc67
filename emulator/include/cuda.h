// Only the version of the driver API: samples use the runtime API.
#pragma once

#define CUDA_VERSION 12000
