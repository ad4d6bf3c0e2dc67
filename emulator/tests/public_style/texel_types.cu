// Textures of bytes, pairs and vectors, read one texel at a time: what picture programs do with
// rows of linear memory.
#include <cstdio>
#include <cstring>
#include <vector>

constexpr int width = 61, height = 23;
constexpr int beyond = 4;  // texels read beyond each border

template <class T>
__global__ void read_plane(T* out, cudaTextureObject_t picture) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width + 2 * beyond || y >= height + 2 * beyond) return;
  out[y * (width + 2 * beyond) + x] = tex2D<T>(picture, x - beyond + 0.75f, y - beyond + 0.25f);
}

template <class T>
__global__ void read_line(T* out, cudaTextureObject_t line) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < width + beyond) out[i] = tex1Dfetch<T>(line, i);
}

template <class T>
int compare(const char* name) {
  std::vector<unsigned char> bytes(width * height * sizeof(T));
  for (size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<unsigned char>(1 + i * 37 % 63);
  std::vector<T> texels(width * height);
  std::memcpy(texels.data(), bytes.data(), bytes.size());

  unsigned char* memory = nullptr;
  size_t pitch = 0;
  cudaMallocPitch(&memory, &pitch, width * sizeof(T), height);
  cudaMemcpy2D(memory, pitch, texels.data(), width * sizeof(T), width * sizeof(T), height,
               cudaMemcpyHostToDevice);
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypePitch2D;
  resource.res.pitch2D.devPtr = memory;
  resource.res.pitch2D.desc = cudaCreateChannelDesc<T>();
  resource.res.pitch2D.width = width;
  resource.res.pitch2D.height = height;
  resource.res.pitch2D.pitchInBytes = pitch;
  cudaTextureDesc description = {};
  description.addressMode[0] = description.addressMode[1] = cudaAddressModeClamp;
  description.filterMode = cudaFilterModePoint;
  description.readMode = cudaReadModeElementType;
  cudaTextureObject_t plane = 0, line = 0;
  cudaCreateTextureObject(&plane, &resource, &description, nullptr);
  cudaResourceDesc row = {};
  row.resType = cudaResourceTypeLinear;
  row.res.linear.devPtr = memory;
  row.res.linear.desc = cudaCreateChannelDesc<T>();
  row.res.linear.sizeInBytes = width * sizeof(T);
  cudaCreateTextureObject(&line, &row, &description, nullptr);

  constexpr int columns = width + 2 * beyond, rows = height + 2 * beyond;
  std::vector<T> results(columns * rows), line_results(width + beyond);
  T* out = nullptr;
  cudaMalloc(&out, results.size() * sizeof(T));
  read_plane<T><<<dim3((columns + 31) / 32, (rows + 7) / 8), dim3(32, 8)>>>(out, plane);
  cudaMemcpy(results.data(), out, results.size() * sizeof(T), cudaMemcpyDeviceToHost);
  read_line<T><<<1, 128>>>(out, line);
  cudaMemcpy(line_results.data(), out, line_results.size() * sizeof(T), cudaMemcpyDeviceToHost);
  int wrong = cudaGetLastError() != cudaSuccess;

  const auto clamped = [](int i, int n) { return i < 0 ? 0 : i < n ? i : n - 1; };
  for (int y = 0; y < rows; ++y)
    for (int x = 0; x < columns; ++x) {
      const T& expected = texels[clamped(y - beyond, height) * width + clamped(x - beyond, width)];
      wrong += std::memcmp(&expected, &results[y * columns + x], sizeof(T)) != 0;
    }
  const T none{};
  for (int i = 0; i < width + beyond; ++i)
    wrong += std::memcmp(i < width ? &texels[i] : &none, &line_results[i], sizeof(T)) != 0;
  cudaDestroyTextureObject(plane);
  cudaDestroyTextureObject(line);
  cudaFree(out);
  cudaFree(memory);
  if (wrong != 0) std::printf("%s: %d texels are wrong\n", name, wrong);
  return wrong;
}

int main() {
  const int wrong = compare<unsigned char>("unsigned char") + compare<signed char>("signed char") +
                    compare<uchar2>("uchar2") + compare<uchar4>("uchar4") +
                    compare<short2>("short2") + compare<int>("int") + compare<uint4>("uint4") +
                    compare<float>("float") + compare<float2>("float2") + compare<float4>("float4");
  std::puts(wrong == 0 ? "OK" : "WRONG");
  return wrong == 0 ? 0 : 1;
}
