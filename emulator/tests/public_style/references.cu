// Kernels whose parameters are references, to objects in managed memory: each thread gets the
// object itself, no copy.
#include <stdio.h>

class Managed {
 public:
  void* operator new(size_t bytes) {
    void* memory;
    cudaMallocManaged(&memory, bytes);
    cudaDeviceSynchronize();
    return memory;
  }
  void operator delete(void* memory) { cudaFree(memory); }
};

// A text of its own, so that it has to be copied and destroyed.
class Text : public Managed {
 public:
  explicit Text(char c) { cudaMallocManaged(&data_, 1), *data_ = c; }
  Text(const Text& other) { cudaMallocManaged(&data_, 1), *data_ = *other.data_; }
  ~Text() { cudaFree(data_); }
  __host__ __device__ char& first() const { return *data_; }

 private:
  char* data_;
};

struct Element : Managed {
  Text name{'a'};
  int value = 10;
};

struct Plain : Managed {
  int value = 5;
};

__global__ void by_reference(Element& element, int step) {
  element.value += step;
  element.name.first() = 'r';
}
__global__ void by_value(Element element) {
  element.value += 100;
  element.name.first() = 'v';
}
__global__ void plain(Plain& to, const Plain& from, int factor) { to.value = from.value * factor; }
template <class T>
__global__ void of_template(T& to, const T& from) {
  to.value += from.value;
}

int main() {
  Element* element = new Element;
  by_reference<<<1, 1>>>(*element, 7);
  cudaDeviceSynchronize();
  by_value<<<1, 1>>>(*element);
  cudaDeviceSynchronize();
  bool ok = element->value == 17 && element->name.first() == 'r';
  delete element;

  Plain *a = new Plain, *b = new Plain;
  b->value = 6;
  plain<<<1, 1>>>(*a, *b, 7);
  cudaDeviceSynchronize();
  of_template<Plain><<<1, 1>>>(*a, *b);
  cudaDeviceSynchronize();
  ok = ok && a->value == 48 && cudaGetLastError() == cudaSuccess;
  delete a;
  delete b;
  printf(ok ? "OK\n" : "WRONG\n");
  return ok ? 0 : 1;
}
