// The CUDA runtime's error codes: number, name, text. A table for the preprocessor, included
// with ERROR_CODE defined. Numbers and names are those of CUDA's driver_types.h, texts are
// what cudaGetErrorString answers (toolkit 13.0). Left out are those that neither the device
// gives nor programs look for. No #pragma once: the file is included once for the
// enumeration and once for the texts.
ERROR_CODE(0, cudaSuccess, "no error")
ERROR_CODE(1, cudaErrorInvalidValue, "invalid argument")
ERROR_CODE(2, cudaErrorMemoryAllocation, "out of memory")
ERROR_CODE(3, cudaErrorInitializationError, "initialization error")
ERROR_CODE(4, cudaErrorCudartUnloading, "driver shutting down")
ERROR_CODE(9, cudaErrorInvalidConfiguration, "invalid configuration argument")
ERROR_CODE(12, cudaErrorInvalidPitchValue, "invalid pitch argument")
ERROR_CODE(13, cudaErrorInvalidSymbol, "invalid device symbol")
ERROR_CODE(16, cudaErrorInvalidHostPointer, "invalid host pointer")
ERROR_CODE(17, cudaErrorInvalidDevicePointer, "invalid device pointer")
ERROR_CODE(20, cudaErrorInvalidChannelDescriptor, "invalid channel descriptor")
ERROR_CODE(21, cudaErrorInvalidMemcpyDirection, "invalid copy direction for memcpy")
ERROR_CODE(26, cudaErrorInvalidFilterSetting, "linear filtering not supported for non-float type")
ERROR_CODE(27, cudaErrorInvalidNormSetting, "read as normalized float not supported for data type")
ERROR_CODE(34, cudaErrorStubLibrary, "CUDA driver is a stub library")
ERROR_CODE(35, cudaErrorInsufficientDriver,
           "CUDA driver version is insufficient for CUDA runtime version")
ERROR_CODE(52, cudaErrorMissingConfiguration, "__global__ function call is not configured")
ERROR_CODE(98, cudaErrorInvalidDeviceFunction, "invalid device function")
ERROR_CODE(100, cudaErrorNoDevice, "no CUDA-capable device is detected")
ERROR_CODE(101, cudaErrorInvalidDevice, "invalid device ordinal")
ERROR_CODE(208, cudaErrorAlreadyMapped, "resource already mapped")
ERROR_CODE(209, cudaErrorNoKernelImageForDevice,
           "no kernel image is available for execution on the device")
ERROR_CODE(211, cudaErrorNotMapped, "resource not mapped")
ERROR_CODE(217, cudaErrorPeerAccessUnsupported,
           "peer access is not supported between these two devices")
ERROR_CODE(219, cudaErrorInvalidGraphicsContext, "invalid OpenGL or DirectX context")
ERROR_CODE(222, cudaErrorUnsupportedPtxVersion,
           "the provided PTX was compiled with an unsupported toolchain.")
ERROR_CODE(304, cudaErrorOperatingSystem, "OS call failed or operation not supported on this OS")
ERROR_CODE(400, cudaErrorInvalidResourceHandle, "invalid resource handle")
ERROR_CODE(401, cudaErrorIllegalState, "the operation cannot be performed in the present state")
ERROR_CODE(500, cudaErrorSymbolNotFound, "named symbol not found")
ERROR_CODE(600, cudaErrorNotReady, "device not ready")
ERROR_CODE(700, cudaErrorIllegalAddress, "an illegal memory access was encountered")
ERROR_CODE(701, cudaErrorLaunchOutOfResources, "too many resources requested for launch")
ERROR_CODE(702, cudaErrorLaunchTimeout, "the launch timed out and was terminated")
ERROR_CODE(704, cudaErrorPeerAccessAlreadyEnabled, "peer access is already enabled")
ERROR_CODE(705, cudaErrorPeerAccessNotEnabled, "peer access has not been enabled")
ERROR_CODE(710, cudaErrorAssert, "device-side assert triggered")
ERROR_CODE(712, cudaErrorHostMemoryAlreadyRegistered,
           "part or all of the requested memory range is already mapped")
ERROR_CODE(713, cudaErrorHostMemoryNotRegistered,
           "pointer does not correspond to a registered memory region")
ERROR_CODE(716, cudaErrorMisalignedAddress, "misaligned address")
ERROR_CODE(719, cudaErrorLaunchFailure, "unspecified launch failure")
ERROR_CODE(720, cudaErrorCooperativeLaunchTooLarge, "too many blocks in cooperative launch")
ERROR_CODE(800, cudaErrorNotPermitted, "operation not permitted")
ERROR_CODE(801, cudaErrorNotSupported, "operation not supported")
ERROR_CODE(900, cudaErrorStreamCaptureUnsupported,
           "operation not permitted when stream is capturing")
ERROR_CODE(901, cudaErrorStreamCaptureInvalidated,
           "operation failed due to a previous error during capture")
ERROR_CODE(902, cudaErrorStreamCaptureMerge,
           "operation would result in a merge of separate capture sequences")
ERROR_CODE(903, cudaErrorStreamCaptureUnmatched,
           "capture was not ended in the same stream as it began")
ERROR_CODE(904, cudaErrorStreamCaptureUnjoined, "capturing stream has unjoined work")
ERROR_CODE(905, cudaErrorStreamCaptureIsolation,
           "dependency created on uncaptured work in another stream")
ERROR_CODE(906, cudaErrorStreamCaptureImplicit,
           "operation would make the legacy stream depend on a capturing blocking stream")
ERROR_CODE(907, cudaErrorCapturedEvent,
           "operation not permitted on an event last recorded in a capturing stream")
ERROR_CODE(
    910, cudaErrorGraphExecUpdateFailure,
    "the graph update was not performed because it included changes which violated constraints "
    "specific to instantiated graph update")
ERROR_CODE(999, cudaErrorUnknown, "unknown error")
