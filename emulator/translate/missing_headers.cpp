#include "missing_headers.h"

#include <array>
#include "source.h"

namespace translate {

namespace {

struct Missing {
  std::string_view beginning;  // of the header's name
  std::string_view what;
  std::string_view instead;
};

constexpr std::string_view write_it = "write the kernel by hand or use the gpu build";
constexpr std::string_view copy_it = "copy it from NVIDIA's cuda-samples (Common/) beside the program";
constexpr std::array missing = {
    Missing{"thrust/", "Thrust", write_it},
    Missing{"cub/", "CUB", write_it},
    Missing{"curand", "cuRAND",
            "write a generator such as a hash of the thread's number, or use the gpu build"},
    Missing{"cublas", "cuBLAS", write_it},
    Missing{"cusparse", "cuSPARSE", write_it},
    Missing{"cusolver", "cuSOLVER", write_it},
    Missing{"cufft", "cuFFT", write_it},
    Missing{"npp", "NPP", write_it},
    Missing{"mma.h", "tensor cores", "multiply with plain loops or use the gpu build"},
    Missing{"cuda_fp8", "8-bit floats", "use float or half"},
    Missing{"cuda_gl_interop.h", "sharing of buffers with OpenGL", "copy pictures through the host"},
    Missing{"cuda_awbarrier", "split barriers", "use __syncthreads()"},
    Missing{"cuda/latch", "cuda::latch", "use __syncthreads() or cuda::barrier"},
    Missing{"cuda/semaphore", "cuda::counting_semaphore", "count with cuda::atomic"},
    Missing{"cuda/ptx", "PTX as functions", "use the intrinsic functions or inline PTX that is known here"},
    Missing{"nvrtc.h", "compilation at run time", "use the gpu build"},
    Missing{"nvml.h", "NVML", "use the gpu build"},
    Missing{"cuda_device_runtime_api.h", "launches from kernels", "launch from the host"},
    Missing{"cudnn", "cuDNN", write_it},
    Missing{"cutlass/", "CUTLASS", write_it},
    Missing{"helper_math.h", "the vector operators of NVIDIA's samples", copy_it},
    Missing{"helper_image.h", "the pictures of NVIDIA's samples", copy_it},
    Missing{"helper_gl.h", "OpenGL for NVIDIA's samples", copy_it},
    Missing{"helper_cuda_drvapi.h", "the driver's interface", "use the runtime's (cuda_runtime.h)"},
    Missing{"exception.h", "the helper headers of NVIDIA's samples", copy_it},
};

}  // namespace

std::string missing_header(std::string_view name) {
  for (const Missing& header : missing)
    if (name.starts_with(header.beginning))
      return joined({name, ": the emulated device does not have ", header.what, "; ", header.instead});
  return "";
}

}  // namespace translate
