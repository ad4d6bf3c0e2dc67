// OpenGL's buffers in kernels, as CUDA's programming guide describes them ("OpenGL
// Interoperability"). Needs a display with OpenGL; on a GPU, one that its driver draws. run.sh
// gives it a virtual display.
#include <cuda_gl_interop.h>
#include <cuda_runtime.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <vector>

#include <GL/glx.h>  // after the others: X11 defines macros such as None and Bool

namespace {

constexpr unsigned pixel_unpack_buffer = 0x88EC;
constexpr unsigned dynamic_draw = 0x88E8;
constexpr int words = 1000;

template <class Function>
Function* gl(const char* name) {
  return reinterpret_cast<Function*>(
      glXGetProcAddressARB(reinterpret_cast<const unsigned char*>(name)));
}
const auto gen_buffers = gl<void(int, unsigned*)>("glGenBuffers");
const auto bind_buffer = gl<void(unsigned, unsigned)>("glBindBuffer");
const auto buffer_data = gl<void(unsigned, long, const void*, unsigned)>("glBufferData");
const auto buffer_sub_data = gl<void(unsigned, long, long, const void*)>("glBufferSubData");
const auto get_buffer_sub_data = gl<void(unsigned, long, long, void*)>("glGetBufferSubData");

__global__ void add(int* numbers, int what) {
  const int i = threadIdx.x + blockIdx.x * blockDim.x;
  if (i < words) numbers[i] += what;
}

__global__ void set(int* numbers) {
  const int i = threadIdx.x + blockIdx.x * blockDim.x;
  if (i < words) numbers[i] = 7 * i;
}

class Buffers : public testing::Test {
 protected:
  void SetUp() override {
    gen_buffers(1, &buffer_);
    bind_buffer(pixel_unpack_buffer, buffer_);
    std::vector<int> numbers(words);
    for (int i = 0; i < words; ++i) numbers[i] = i;
    buffer_data(pixel_unpack_buffer, words * sizeof(int), numbers.data(), dynamic_draw);
  }
  void TearDown() override { cudaGetLastError(); }

  std::vector<int> contents() {
    std::vector<int> numbers(words);
    bind_buffer(pixel_unpack_buffer, buffer_);
    get_buffer_sub_data(pixel_unpack_buffer, 0, words * sizeof(int), numbers.data());
    return numbers;
  }
  int* mapped() {
    int* pointer = nullptr;
    size_t bytes = 0;
    EXPECT_EQ(cudaSuccess, cudaGraphicsMapResources(1, &resource_));
    EXPECT_EQ(cudaSuccess, cudaGraphicsResourceGetMappedPointer(reinterpret_cast<void**>(&pointer),
                                                                &bytes, resource_));
    EXPECT_EQ(words * sizeof(int), bytes);
    return pointer;
  }
  void unmap() { EXPECT_EQ(cudaSuccess, cudaGraphicsUnmapResources(1, &resource_)); }

  unsigned buffer_ = 0;
  cudaGraphicsResource* resource_ = nullptr;
};

TEST_F(Buffers, BelongToADevice) {
  unsigned count = 0;
  int device = -1;
  ASSERT_EQ(cudaSuccess, cudaGLGetDevices(&count, &device, 1, cudaGLDeviceListAll));
  EXPECT_EQ(1u, count);
  EXPECT_EQ(0, device);
}

TEST_F(Buffers, AKernelReadsWhatOpenGlWroteAndTheReverse) {
  ASSERT_EQ(cudaSuccess,
            cudaGraphicsGLRegisterBuffer(&resource_, buffer_, cudaGraphicsRegisterFlagsNone));
  add<<<4, 256>>>(mapped(), 5);
  unmap();
  for (int i = 0; i < words; ++i) ASSERT_EQ(i + 5, contents()[i]);

  const int one = 100;
  bind_buffer(pixel_unpack_buffer, buffer_);
  buffer_sub_data(pixel_unpack_buffer, 3 * sizeof(int), sizeof(int), &one);
  add<<<4, 256>>>(mapped(), 1);
  unmap();
  EXPECT_EQ(101, contents()[3]);
  EXPECT_EQ(4 + 5 + 1, contents()[4]);
  EXPECT_EQ(cudaSuccess, cudaGraphicsUnregisterResource(resource_));
}

TEST_F(Buffers, WriteDiscardTakesWhatTheKernelWrites) {
  ASSERT_EQ(cudaSuccess, cudaGraphicsGLRegisterBuffer(&resource_, buffer_,
                                                      cudaGraphicsRegisterFlagsWriteDiscard));
  for (int frame = 0; frame < 3; ++frame) {
    set<<<4, 256>>>(mapped());
    unmap();
  }
  for (int i = 0; i < words; ++i) ASSERT_EQ(7 * i, contents()[i]);
  EXPECT_EQ(cudaSuccess, cudaGraphicsUnregisterResource(resource_));
}

TEST_F(Buffers, MappingKeepsTheProgramsBinding) {
  unsigned other = 0;
  gen_buffers(1, &other);
  bind_buffer(pixel_unpack_buffer, other);
  ASSERT_EQ(cudaSuccess,
            cudaGraphicsGLRegisterBuffer(&resource_, buffer_, cudaGraphicsRegisterFlagsNone));
  mapped();
  unmap();
  int bound = 0;
  glGetIntegerv(0x88EF, &bound);  // GL_PIXEL_UNPACK_BUFFER_BINDING
  EXPECT_EQ(other, static_cast<unsigned>(bound));
  EXPECT_EQ(cudaSuccess, cudaGraphicsUnregisterResource(resource_));
}

// The codes that an H100 gave, with CUDA 13.0 and driver 580.
TEST_F(Buffers, WhatIsWrongIsRefused) {
  const unsigned flags = cudaGraphicsRegisterFlagsNone;
  EXPECT_EQ(cudaErrorInvalidValue, cudaGraphicsGLRegisterBuffer(&resource_, 0, flags));
  EXPECT_EQ(cudaErrorInvalidResourceHandle, cudaGraphicsGLRegisterBuffer(&resource_, 4711, flags));
  ASSERT_EQ(cudaSuccess, cudaGraphicsGLRegisterBuffer(&resource_, buffer_, flags));

  void* pointer = nullptr;
  size_t bytes = 0;
  EXPECT_EQ(cudaErrorNotMapped, cudaGraphicsResourceGetMappedPointer(&pointer, &bytes, resource_));
  EXPECT_EQ(cudaErrorNotMapped, cudaGraphicsUnmapResources(1, &resource_));
  EXPECT_EQ(cudaErrorInvalidValue, cudaGraphicsMapResources(0, &resource_));
  mapped();
  EXPECT_EQ(cudaErrorAlreadyMapped, cudaGraphicsMapResources(1, &resource_));
  EXPECT_EQ(cudaErrorAlreadyMapped,
            cudaGraphicsResourceSetMapFlags(resource_, cudaGraphicsMapFlagsNone));
  unmap();
  EXPECT_EQ(cudaSuccess, cudaGraphicsUnregisterResource(resource_));
}

#ifdef EMULATED_DEVICE
// A GPU may show anything then.
TEST_F(Buffers, WhileMappedOpenGlSeesMemoryThatWasNotWritten) {
  ASSERT_EQ(cudaSuccess,
            cudaGraphicsGLRegisterBuffer(&resource_, buffer_, cudaGraphicsRegisterFlagsNone));
  set<<<4, 256>>>(mapped());
  EXPECT_EQ(0xfefefefe, static_cast<unsigned>(contents()[7]));
  unmap();
  EXPECT_EQ(49, contents()[7]);
  EXPECT_EQ(cudaSuccess, cudaGraphicsUnregisterResource(resource_));
}
#endif

}  // namespace

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  unsigned count = 0;
  int device = -1;
  cudaGraphicsResource* resource = nullptr;
  if (cudaGLGetDevices(&count, &device, 1, cudaGLDeviceListAll) != cudaErrorOperatingSystem ||
      cudaGraphicsGLRegisterBuffer(&resource, 1, cudaGraphicsRegisterFlagsNone) !=
          cudaErrorOperatingSystem) {
    std::puts("without a context a call gives another error");
    return 1;
  }
  cudaGetLastError();

  Display* const display = XOpenDisplay(nullptr);
  if (display == nullptr) {
    std::puts("skipped: no display");
    return 77;
  }
  int attributes[] = {GLX_RGBA, GLX_DOUBLEBUFFER, None};
  XVisualInfo* const visual = glXChooseVisual(display, DefaultScreen(display), attributes);
  if (visual == nullptr) {
    std::puts("skipped: the display has no OpenGL");
    return 77;
  }
  XSetWindowAttributes window_attributes{};
  window_attributes.colormap =
      XCreateColormap(display, DefaultRootWindow(display), visual->visual, AllocNone);
  const Window window =
      XCreateWindow(display, DefaultRootWindow(display), 0, 0, 64, 64, 0, visual->depth,
                    InputOutput, visual->visual, CWColormap, &window_attributes);
  const GLXContext context = glXCreateContext(display, visual, nullptr, True);
  glXMakeCurrent(display, window, context);
  std::printf("%s\n", reinterpret_cast<const char*>(glGetString(GL_RENDERER)));
  const int code = RUN_ALL_TESTS();
  glXMakeCurrent(display, None, nullptr);
  glXDestroyContext(display, context);
  XDestroyWindow(display, window);
  XFreeColormap(display, window_attributes.colormap);
  XFree(visual);
  XCloseDisplay(display);
  return code;
}
