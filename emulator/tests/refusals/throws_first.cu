// A kernel's exception, from the first line of the program's code that is hardly run: the file that
// is named is this one, not the translated one, which addr2line may take for its first file.
#include <cstddef>

// The compiler begins with virtual functions: so this is its first file.
struct First {
  virtual int code() const { return 3; }
};
__global__ void allocates(int* count) {
  count[1] = *new int[~std::size_t{0} / 8 + static_cast<std::size_t>(count[0])];
}

int main() {
  const First one;
  const First* const volatile first = &one;
  int* count = nullptr;
  cudaMalloc(&count, 2 * sizeof(int));
  cudaMemset(count, 0, 2 * sizeof(int));
  allocates<<<1, 1>>>(count);
  return cudaDeviceSynchronize() == cudaErrorLaunchFailure ? first->code() : 4;
}
