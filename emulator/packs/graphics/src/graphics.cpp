// Graphics interoperation. A GPU gives kernels the graphics library's own memory. Here that memory
// is a driver's, so a registered buffer's bytes are copied: to the device at map, back at unmap. In
// between OpenGL sees the pattern of unwritten memory: a program that draws a buffer which is still
// mapped draws garbage, as it may on a GPU.
//
// Error codes are those of CUDA 13.0 with driver 580 (tests/graphics).
//
// The device links no graphics library. It calls the functions of the one
// that the program has linked.
#include <dlfcn.h>

#include <cstddef>
#include <memory>
#include <mutex>
#include <set>
#include <utility>
#include <vector>

#include "cuda_runtime_api.h"
#include "device/device.h"
#include "device/limits.h"
#include "emulated/runtime.h"

struct cudaGraphicsResource {
  unsigned buffer = 0;  // OpenGL's name
  std::size_t bytes = 0;
  unsigned flags = 0;
  void* mapped = nullptr;  // the device's copy
};

namespace emulated {

namespace {

// From <GL/gl.h> and <GL/glext.h>, which this library is built without.
constexpr unsigned gl_array_buffer = 0x8892;
constexpr unsigned gl_array_buffer_binding = 0x8894;
constexpr unsigned gl_buffer_size = 0x8764;

// A function of the program's OpenGL by its name; nullptr: it has none. Not dlsym() alone: a
// program may have a variable of that name.
template <class Function>
Function* gl(const char* name) {
  using Anything = void (*)();
  for (const char* const find : {"glXGetProcAddressARB", "eglGetProcAddress"}) {
    void* const finder = dlsym(RTLD_DEFAULT, find);
    if (finder == nullptr) continue;
    if (const Anything found = reinterpret_cast<Anything (*)(const char*)>(finder)(name))
      return reinterpret_cast<Function*>(found);
  }
  return nullptr;
}

bool has_context() {
  for (const char* const current : {"glXGetCurrentContext", "eglGetCurrentContext"}) {
    void* const function = dlsym(RTLD_DEFAULT, current);
    if (function != nullptr && reinterpret_cast<void* (*)()>(function)() != nullptr) return true;
  }
  return false;
}

// Makes the buffer the current one of a target that drawing seldom uses,
// and puts the program's own back.
class BoundBuffer {
 public:
  explicit BoundBuffer(unsigned buffer) {
    gl<void(unsigned, int*)>("glGetIntegerv")(gl_array_buffer_binding, &before_);
    bind(buffer);
  }
  ~BoundBuffer() { bind(static_cast<unsigned>(before_)); }
  BoundBuffer(const BoundBuffer&) = delete;
  BoundBuffer& operator=(const BoundBuffer&) = delete;

  std::size_t bytes() const {
    int size = 0;
    gl<void(unsigned, unsigned, int*)>("glGetBufferParameteriv")(gl_array_buffer, gl_buffer_size,
                                                                 &size);
    return static_cast<std::size_t>(size);
  }
  void read(std::vector<unsigned char>& to) const {
    gl<void(unsigned, std::ptrdiff_t, std::ptrdiff_t, void*)>("glGetBufferSubData")(
        gl_array_buffer, 0, static_cast<std::ptrdiff_t>(to.size()), to.data());
  }
  void write(const std::vector<unsigned char>& from) const {
    gl<void(unsigned, std::ptrdiff_t, std::ptrdiff_t, const void*)>("glBufferSubData")(
        gl_array_buffer, 0, static_cast<std::ptrdiff_t>(from.size()), from.data());
  }

 private:
  static void bind(unsigned buffer) {
    gl<void(unsigned, unsigned)>("glBindBuffer")(gl_array_buffer, buffer);
  }
  int before_ = 0;
};

std::mutex resources_mutex;
std::set<cudaGraphicsResource_t>& resources() {
  static auto& all = *new std::set<cudaGraphicsResource_t>;
  return all;
}
bool is_resource(cudaGraphicsResource_t resource) {
  const std::lock_guard lock(resources_mutex);
  return resources().count(resource) != 0;
}

// May all of these be mapped, or unmapped?
cudaError_t check(int count, const cudaGraphicsResource_t* some, bool mapped, cudaStream_t stream) {
  if (const cudaError_t error = sticky_error()) return error;
  if (const cudaError_t error = check_stream(stream)) return error;
  if (const cudaError_t error = refuse_in_capture(stream)) return error;
  if (count <= 0 || some == nullptr) return cudaErrorInvalidValue;
  if (!has_context()) return cudaErrorOperatingSystem;
  for (int i = 0; i < count; ++i) {
    if (!is_resource(some[i])) return cudaErrorInvalidResourceHandle;
    if ((some[i]->mapped != nullptr) != mapped)
      return mapped ? cudaErrorNotMapped : cudaErrorAlreadyMapped;
  }
  return cudaSuccess;
}

cudaError_t map(cudaGraphicsResource& resource) {
  static constexpr Allocator by{
      .name = "cudaGraphicsMapResources", .type = cudaMemoryTypeDevice, .is_read_unseen = true};
  void* memory = nullptr;
  if (const cudaError_t error = allocate(&memory, resource.bytes, by)) return error;
  const BoundBuffer buffer(resource.buffer);
  std::vector<unsigned char> bytes(resource.bytes);
  // Who promises to write everything gets unwritten memory.
  if ((resource.flags & cudaGraphicsMapFlagsWriteDiscard) == 0) {
    buffer.read(bytes);
    if (const cudaError_t error =
            cudaMemcpy(memory, bytes.data(), bytes.size(), cudaMemcpyHostToDevice)) {
      release(memory, cudaMemoryTypeDevice);
      return error;
    }
  }
  bytes.assign(bytes.size(), unwritten);
  buffer.write(bytes);
  resource.mapped = memory;
  return cudaSuccess;
}

cudaError_t unmap(cudaGraphicsResource& resource) {
  std::vector<unsigned char> bytes(resource.bytes);
  if (const cudaError_t error =
          cudaMemcpy(bytes.data(), resource.mapped, bytes.size(), cudaMemcpyDeviceToHost))
    return error;
  const BoundBuffer buffer(resource.buffer);
  buffer.write(bytes);
  return release(std::exchange(resource.mapped, nullptr), cudaMemoryTypeDevice);
}

}  // namespace

}  // namespace emulated

using namespace emulated;

cudaError_t cudaGLGetDevices(unsigned* count, int* devices, unsigned capacity, cudaGLDeviceList) {
  if (count == nullptr || (devices == nullptr && capacity > 0)) return fail(cudaErrorInvalidValue);
  if (!has_context()) return fail(cudaErrorOperatingSystem);
  *count = 1;
  if (capacity > 0) *devices = current_device();
  return cudaSuccess;
}

cudaError_t cudaGLSetGLDevice(int device) { return cudaSetDevice(device); }

cudaError_t cudaGraphicsGLRegisterBuffer(cudaGraphicsResource_t* resource, unsigned buffer,
                                         unsigned flags) {
  if (resource == nullptr) return fail(cudaErrorInvalidValue);
  if (!has_context()) return fail(cudaErrorOperatingSystem);
  const auto is_buffer = gl<unsigned char(unsigned)>("glIsBuffer");
  if (is_buffer == nullptr) return fail(cudaErrorOperatingSystem);  // OpenGL before 1.5
  if (buffer == 0) return fail(cudaErrorInvalidValue);
  if (is_buffer(buffer) == 0) return fail(cudaErrorInvalidResourceHandle);
  auto made = std::make_unique<cudaGraphicsResource>();
  made->buffer = buffer;
  made->bytes = BoundBuffer(buffer).bytes();
  made->flags = flags;
  if (made->bytes == 0) return fail(cudaErrorInvalidValue);  // glBufferData comes first
  const std::lock_guard lock(resources_mutex);
  resources().insert(made.get());
  *resource = made.release();
  return cudaSuccess;
}

cudaError_t cudaGraphicsUnregisterResource(cudaGraphicsResource_t resource) {
  if (!is_resource(resource)) return fail(cudaErrorInvalidResourceHandle);
  if (resource->mapped != nullptr) release(resource->mapped, cudaMemoryTypeDevice);
  const std::lock_guard lock(resources_mutex);
  resources().erase(resource);
  delete resource;
  return cudaSuccess;
}

cudaError_t cudaGraphicsResourceSetMapFlags(cudaGraphicsResource_t resource, unsigned flags) {
  if (!is_resource(resource)) return fail(cudaErrorInvalidResourceHandle);
  if (flags > cudaGraphicsMapFlagsWriteDiscard) return fail(cudaErrorInvalidValue);
  if (resource->mapped != nullptr) return fail(cudaErrorAlreadyMapped);
  resource->flags = flags;
  return cudaSuccess;
}

cudaError_t cudaGraphicsResourceGetMappedPointer(void** pointer, std::size_t* bytes,
                                                 cudaGraphicsResource_t resource) {
  if (pointer == nullptr || bytes == nullptr) return fail(cudaErrorInvalidValue);
  if (!is_resource(resource)) return fail(cudaErrorInvalidResourceHandle);
  if (resource->mapped == nullptr) return fail(cudaErrorNotMapped);
  *pointer = resource->mapped;
  *bytes = resource->bytes;
  return cudaSuccess;
}

cudaError_t cudaGraphicsMapResources(int count, cudaGraphicsResource_t* some, cudaStream_t stream) {
  if (const cudaError_t error = check(count, some, false, stream)) return fail(error);
  for (int i = 0; i < count; ++i)
    if (const cudaError_t error = map(*some[i])) return fail(error);
  return cudaSuccess;
}

cudaError_t cudaGraphicsUnmapResources(int count, cudaGraphicsResource_t* some,
                                       cudaStream_t stream) {
  if (const cudaError_t error = check(count, some, true, stream)) return fail(error);
  for (int i = 0; i < count; ++i)
    if (const cudaError_t error = unmap(*some[i])) return fail(error);
  return cudaSuccess;
}
