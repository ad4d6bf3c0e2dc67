// The CUDA runtime's error codes: number, name, text. A table for the preprocessor, included with ERROR_CODE
// defined. Numbers and names are those of CUDA's driver_types.h, texts are what cudaGetErrorString answers
// (toolkit 13.0). No #pragma once: the file is included once for the enumeration and once for the texts.
ERROR_CODE(0, cudaSuccess, "no error")
ERROR_CODE(1, cudaErrorInvalidValue, "invalid argument")
ERROR_CODE(2, cudaErrorMemoryAllocation, "out of memory")
ERROR_CODE(3, cudaErrorInitializationError, "initialization error")
ERROR_CODE(4, cudaErrorCudartUnloading, "driver shutting down")
ERROR_CODE(5, cudaErrorProfilerDisabled, "profiler disabled while using external profiling tool")
ERROR_CODE(6, cudaErrorProfilerNotInitialized, "profiler not initialized: call cudaProfilerInitialize()")
ERROR_CODE(7, cudaErrorProfilerAlreadyStarted, "profiler already started")
ERROR_CODE(8, cudaErrorProfilerAlreadyStopped, "profiler already stopped")
ERROR_CODE(9, cudaErrorInvalidConfiguration, "invalid configuration argument")
ERROR_CODE(12, cudaErrorInvalidPitchValue, "invalid pitch argument")
ERROR_CODE(13, cudaErrorInvalidSymbol, "invalid device symbol")
ERROR_CODE(16, cudaErrorInvalidHostPointer, "invalid host pointer")
ERROR_CODE(17, cudaErrorInvalidDevicePointer, "invalid device pointer")
ERROR_CODE(18, cudaErrorInvalidTexture, "invalid texture reference")
ERROR_CODE(19, cudaErrorInvalidTextureBinding, "texture is not bound to a pointer")
ERROR_CODE(20, cudaErrorInvalidChannelDescriptor, "invalid channel descriptor")
ERROR_CODE(21, cudaErrorInvalidMemcpyDirection, "invalid copy direction for memcpy")
ERROR_CODE(22, cudaErrorAddressOfConstant, "invalid address of constant")
ERROR_CODE(23, cudaErrorTextureFetchFailed, "fetch from texture failed")
ERROR_CODE(24, cudaErrorTextureNotBound, "cannot fetch from a texture that is not bound")
ERROR_CODE(25, cudaErrorSynchronizationError, "incorrect use of __syncthreads()")
ERROR_CODE(26, cudaErrorInvalidFilterSetting, "linear filtering not supported for non-float type")
ERROR_CODE(27, cudaErrorInvalidNormSetting, "read as normalized float not supported for data type")
ERROR_CODE(28, cudaErrorMixedDeviceExecution,
           "device emulation mode and device execution mode cannot be "
           "mixed")
ERROR_CODE(31, cudaErrorNotYetImplemented, "feature not yet implemented")
ERROR_CODE(32, cudaErrorMemoryValueTooLarge, "memory size or pointer value too large to fit in 32 bit")
ERROR_CODE(34, cudaErrorStubLibrary, "CUDA driver is a stub library")
ERROR_CODE(35, cudaErrorInsufficientDriver, "CUDA driver version is insufficient for CUDA runtime version")
ERROR_CODE(36, cudaErrorCallRequiresNewerDriver, "API call is not supported in the installed CUDA driver")
ERROR_CODE(37, cudaErrorInvalidSurface, "invalid surface reference")
ERROR_CODE(43, cudaErrorDuplicateVariableName, "duplicate global variable looked up by string name")
ERROR_CODE(44, cudaErrorDuplicateTextureName, "duplicate texture looked up by string name")
ERROR_CODE(45, cudaErrorDuplicateSurfaceName, "duplicate surface looked up by string name")
ERROR_CODE(46, cudaErrorDevicesUnavailable, "CUDA-capable device(s) is/are busy or unavailable")
ERROR_CODE(49, cudaErrorIncompatibleDriverContext, "incompatible driver context")
ERROR_CODE(52, cudaErrorMissingConfiguration, "__global__ function call is not configured")
ERROR_CODE(53, cudaErrorPriorLaunchFailure, "unspecified launch failure in prior launch")
ERROR_CODE(65, cudaErrorLaunchMaxDepthExceeded, "launch would exceed maximum depth of nested launches")
ERROR_CODE(66, cudaErrorLaunchFileScopedTex,
           "launch failed because kernel uses unsupported, file-scoped textures "
           "(texture objects are supported)")
ERROR_CODE(67, cudaErrorLaunchFileScopedSurf,
           "launch failed because kernel uses unsupported, file-scoped surfaces "
           "(surface objects are supported)")
ERROR_CODE(68, cudaErrorSyncDepthExceeded,
           "cudaDeviceSynchronize failed because caller's grid depth exceeds "
           "cudaLimitDevRuntimeSyncDepth")
ERROR_CODE(69, cudaErrorLaunchPendingCountExceeded,
           "launch failed because launch would exceed "
           "cudaLimitDevRuntimePendingLaunchCount")
ERROR_CODE(98, cudaErrorInvalidDeviceFunction, "invalid device function")
ERROR_CODE(100, cudaErrorNoDevice, "no CUDA-capable device is detected")
ERROR_CODE(101, cudaErrorInvalidDevice, "invalid device ordinal")
ERROR_CODE(102, cudaErrorDeviceNotLicensed, "device doesn't have valid Grid license")
ERROR_CODE(103, cudaErrorSoftwareValidityNotEstablished, "integrity checks failed")
ERROR_CODE(127, cudaErrorStartupFailure, "startup failure in cuda runtime")
ERROR_CODE(200, cudaErrorInvalidKernelImage, "device kernel image is invalid")
ERROR_CODE(201, cudaErrorDeviceUninitialized, "invalid device context")
ERROR_CODE(205, cudaErrorMapBufferObjectFailed, "mapping of buffer object failed")
ERROR_CODE(206, cudaErrorUnmapBufferObjectFailed, "unmapping of buffer object failed")
ERROR_CODE(207, cudaErrorArrayIsMapped, "array is mapped")
ERROR_CODE(208, cudaErrorAlreadyMapped, "resource already mapped")
ERROR_CODE(209, cudaErrorNoKernelImageForDevice, "no kernel image is available for execution on the device")
ERROR_CODE(210, cudaErrorAlreadyAcquired, "resource already acquired")
ERROR_CODE(211, cudaErrorNotMapped, "resource not mapped")
ERROR_CODE(212, cudaErrorNotMappedAsArray, "resource not mapped as array")
ERROR_CODE(213, cudaErrorNotMappedAsPointer, "resource not mapped as pointer")
ERROR_CODE(214, cudaErrorECCUncorrectable, "uncorrectable ECC error encountered")
ERROR_CODE(215, cudaErrorUnsupportedLimit, "limit is not supported on this architecture")
ERROR_CODE(216, cudaErrorDeviceAlreadyInUse, "exclusive-thread device already in use by a different thread")
ERROR_CODE(217, cudaErrorPeerAccessUnsupported, "peer access is not supported between these two devices")
ERROR_CODE(218, cudaErrorInvalidPtx, "a PTX JIT compilation failed")
ERROR_CODE(219, cudaErrorInvalidGraphicsContext, "invalid OpenGL or DirectX context")
ERROR_CODE(220, cudaErrorNvlinkUncorrectable, "uncorrectable NVLink error detected during the execution")
ERROR_CODE(221, cudaErrorJitCompilerNotFound, "PTX JIT compiler library not found")
ERROR_CODE(222, cudaErrorUnsupportedPtxVersion,
           "the provided PTX was compiled with an unsupported "
           "toolchain.")
ERROR_CODE(223, cudaErrorJitCompilationDisabled, "PTX JIT compilation was disabled")
ERROR_CODE(224, cudaErrorUnsupportedExecAffinity, "the provided execution affinity is not supported")
ERROR_CODE(225, cudaErrorUnsupportedDevSideSync,
           "the provided PTX contains unsupported call to "
           "cudaDeviceSynchronize")
ERROR_CODE(226, cudaErrorContained, "Invalid access of peer GPU memory over nvlink or a hardware error")
ERROR_CODE(300, cudaErrorInvalidSource, "device kernel image is invalid")
ERROR_CODE(301, cudaErrorFileNotFound, "file not found")
ERROR_CODE(302, cudaErrorSharedObjectSymbolNotFound, "shared object symbol not found")
ERROR_CODE(303, cudaErrorSharedObjectInitFailed, "shared object initialization failed")
ERROR_CODE(304, cudaErrorOperatingSystem, "OS call failed or operation not supported on this OS")
ERROR_CODE(400, cudaErrorInvalidResourceHandle, "invalid resource handle")
ERROR_CODE(401, cudaErrorIllegalState, "the operation cannot be performed in the present state")
ERROR_CODE(402, cudaErrorLossyQuery, "attempted introspection would be semantically lossy")
ERROR_CODE(500, cudaErrorSymbolNotFound, "named symbol not found")
ERROR_CODE(600, cudaErrorNotReady, "device not ready")
ERROR_CODE(700, cudaErrorIllegalAddress, "an illegal memory access was encountered")
ERROR_CODE(701, cudaErrorLaunchOutOfResources, "too many resources requested for launch")
ERROR_CODE(702, cudaErrorLaunchTimeout, "the launch timed out and was terminated")
ERROR_CODE(703, cudaErrorLaunchIncompatibleTexturing, "launch uses incompatible texturing mode")
ERROR_CODE(704, cudaErrorPeerAccessAlreadyEnabled, "peer access is already enabled")
ERROR_CODE(705, cudaErrorPeerAccessNotEnabled, "peer access has not been enabled")
ERROR_CODE(708, cudaErrorSetOnActiveProcess, "cannot set while device is active in this process")
ERROR_CODE(709, cudaErrorContextIsDestroyed, "context is destroyed")
ERROR_CODE(710, cudaErrorAssert, "device-side assert triggered")
ERROR_CODE(711, cudaErrorTooManyPeers, "peer mapping resources exhausted")
ERROR_CODE(712, cudaErrorHostMemoryAlreadyRegistered,
           "part or all of the requested memory range is already "
           "mapped")
ERROR_CODE(713, cudaErrorHostMemoryNotRegistered, "pointer does not correspond to a registered memory region")
ERROR_CODE(714, cudaErrorHardwareStackError, "hardware stack error")
ERROR_CODE(715, cudaErrorIllegalInstruction, "an illegal instruction was encountered")
ERROR_CODE(716, cudaErrorMisalignedAddress, "misaligned address")
ERROR_CODE(717, cudaErrorInvalidAddressSpace, "operation not supported on global/shared address space")
ERROR_CODE(718, cudaErrorInvalidPc, "invalid program counter")
ERROR_CODE(719, cudaErrorLaunchFailure, "unspecified launch failure")
ERROR_CODE(720, cudaErrorCooperativeLaunchTooLarge, "too many blocks in cooperative launch")
ERROR_CODE(721, cudaErrorTensorMemoryLeak, "tensor memory not completely freed")
ERROR_CODE(800, cudaErrorNotPermitted, "operation not permitted")
ERROR_CODE(801, cudaErrorNotSupported, "operation not supported")
ERROR_CODE(802, cudaErrorSystemNotReady, "system not yet initialized")
ERROR_CODE(803, cudaErrorSystemDriverMismatch,
           "system has unsupported display driver / cuda driver "
           "combination")
ERROR_CODE(804, cudaErrorCompatNotSupportedOnDevice,
           "forward compatibility was attempted on non supported "
           "HW")
ERROR_CODE(805, cudaErrorMpsConnectionFailed,
           "MPS client failed to connect to the MPS control daemon or the MPS "
           "server")
ERROR_CODE(806, cudaErrorMpsRpcFailure,
           "the remote procedural call between the MPS server and the MPS client "
           "failed")
ERROR_CODE(807, cudaErrorMpsServerNotReady, "MPS server is not ready to accept new MPS client requests")
ERROR_CODE(808, cudaErrorMpsMaxClientsReached,
           "the hardware resources required to create MPS client have been "
           "exhausted")
ERROR_CODE(809, cudaErrorMpsMaxConnectionsReached,
           "the hardware resources required to support device connections have "
           "been exhausted")
ERROR_CODE(810, cudaErrorMpsClientTerminated, "the MPS client has been terminated by the server")
ERROR_CODE(811, cudaErrorCdpNotSupported,
           "is using CUDA Dynamic Parallelism, but the current configuration, "
           "like MPS, does not support it")
ERROR_CODE(812, cudaErrorCdpVersionMismatch,
           "unsupported interaction between different versions of CUDA Dynamic "
           "Parallelism")
ERROR_CODE(900, cudaErrorStreamCaptureUnsupported, "operation not permitted when stream is capturing")
ERROR_CODE(901, cudaErrorStreamCaptureInvalidated, "operation failed due to a previous error during capture")
ERROR_CODE(902, cudaErrorStreamCaptureMerge,
           "operation would result in a merge of separate capture "
           "sequences")
ERROR_CODE(903, cudaErrorStreamCaptureUnmatched, "capture was not ended in the same stream as it began")
ERROR_CODE(904, cudaErrorStreamCaptureUnjoined, "capturing stream has unjoined work")
ERROR_CODE(905, cudaErrorStreamCaptureIsolation, "dependency created on uncaptured work in another stream")
ERROR_CODE(906, cudaErrorStreamCaptureImplicit,
           "operation would make the legacy stream depend on a capturing blocking "
           "stream")
ERROR_CODE(907, cudaErrorCapturedEvent,
           "operation not permitted on an event last recorded in a capturing "
           "stream")
ERROR_CODE(908, cudaErrorStreamCaptureWrongThread,
           "attempt to terminate a thread-local capture sequence from another "
           "thread")
ERROR_CODE(909, cudaErrorTimeout, "wait operation timed out")
ERROR_CODE(910, cudaErrorGraphExecUpdateFailure,
           "the graph update was not performed because it included changes which "
           "violated constraints specific to instantiated graph update")
ERROR_CODE(911, cudaErrorExternalDevice, "an async error has occured in external entity outside of CUDA")
ERROR_CODE(912, cudaErrorInvalidClusterSize,
           "a kernel launch error has occurred due to cluster "
           "misconfiguration")
ERROR_CODE(913, cudaErrorFunctionNotLoaded,
           "the function handle is not loaded when calling an API that requires a "
           "loaded function")
ERROR_CODE(914, cudaErrorInvalidResourceType,
           "one or more resources passed in are not valid resource types for the "
           "operation")
ERROR_CODE(915, cudaErrorInvalidResourceConfiguration,
           "one or more resources are insufficient or non-applicable for the "
           "operation")
ERROR_CODE(999, cudaErrorUnknown, "unknown error")
