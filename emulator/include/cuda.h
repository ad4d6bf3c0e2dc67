// Of the driver API only the version: samples use the runtime API.
#pragma once

#define CUDA_VERSION 12000
