// texture_transform - a picture turned by an angle; the texture unit does the wrapping and the filtering.
//
// Programming guide, "Texture Memory" (the guide's own example, grown up): a CUDA array of 8-bit colours,
// read as normalised floats, with normalised coordinates, wrap addressing and linear filtering.
//
//   texture_transform                                        a window where there is a display: the picture
//   turns texture_transform --headless --angle 0.5 --output turned.png texture_transform --input photo.png
//   --angle 1.57 texture_transform --check --size 256
//
// Keys: Esc or q ends, space pauses, s saves a picture, r restarts.
// What to see: the picture repeats beyond its edges; its slanted lines are smooth, for pixels fall between
// texels.
#include <cmath>
#include <vector>

#include "../common/book.h"
#include "../common/check.h"
#include "../common/cpu_anim.h"
#include "../common/options.h"
#include "canvas.cuh"
#include "pictures.h"
#include "texture_objects.h"
#include "texture_reference.h"

constexpr int picture_size = 256;           // the generated picture; a power of two keeps N x exact
constexpr float turn_per_frame = 0.02618f;  // radians: 1.5 degrees

struct Turn {
  float cosine, sine;
};

// Where pixel (x, y) of dim x dim reads the picture, in normalised coordinates: 0..1 is the whole picture.
// Turning the picture by an angle means reading at places that are turned by the opposite angle.
__host__ __device__ float2 source_of(int x, int y, int dim, Turn turn) {
  const float u = (x + 0.5f) / dim - 0.5f, v = (y + 0.5f) / dim - 0.5f;
  return make_float2(u * turn.cosine + v * turn.sine + 0.5f, v * turn.cosine - u * turn.sine + 0.5f);
}

std::vector<float> reference_turn(const Image& picture, int dim, Turn turn) {
  auto texture = reference_texture(picture);
  texture.address = reference::Address::wrap;
  texture.linear = texture.normalized = true;
  std::vector<float> colors;
  for (int y = 0; y < dim; ++y)
    for (int x = 0; x < dim; ++x) {
      const float2 at = source_of(x, y, dim, turn);
      append(colors, reference::tex2d(texture, at.x, at.y));
    }
  return colors;
}

// One thread a pixel.
__global__ void transform_kernel(float4* colors, cudaTextureObject_t picture, int dim, Turn turn) {
  const int x = threadIdx.x + blockIdx.x * blockDim.x;
  const int y = threadIdx.y + blockIdx.y * blockDim.y;
  if (x >= dim || y >= dim) return;
  const float2 at = source_of(x, y, dim, turn);
  colors[x + static_cast<size_t>(y) * dim] = tex2D<float4>(picture, at.x, at.y);
}

// A picture in a CUDA array, and the texture that reads it.
struct PictureTexture {
  ArrayOwner array;
  TextureOwner texture;

  explicit PictureTexture(const Image& picture) {
    const cudaChannelFormatDesc texel = cudaCreateChannelDesc<uchar4>();
    HANDLE_ERROR(cudaMallocArray(&array.handle, &texel, picture.width, picture.height));
    const size_t row = picture.width * sizeof(uchar4);
    HANDLE_ERROR(cudaMemcpy2DToArray(array.handle, 0, 0, picture.rgba.data(), row, row, picture.height,
                                     cudaMemcpyHostToDevice));
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array.handle;
    cudaTextureDesc sampling = {};
    sampling.addressMode[0] = sampling.addressMode[1] = cudaAddressModeWrap;
    sampling.filterMode = cudaFilterModeLinear;
    sampling.readMode =
        cudaReadModeNormalizedFloat;  // bytes 0..255 become 0.0..1.0: only floats can be filtered
    sampling.normalizedCoords = 1;    // wrap needs them
    HANDLE_ERROR(cudaCreateTextureObject(&texture.handle, &resource, &sampling, nullptr));
  }
};

void transform(const Canvas& canvas, const PictureTexture& picture, int dim, float angle) {
  const Turn turn = {std::cos(angle), std::sin(angle)};
  transform_kernel<<<canvas_blocks(dim, dim), canvas_threads()>>>(canvas.colors(), picture.texture.handle,
                                                                  dim, turn);
  HANDLE_ERROR(cudaGetLastError());
}

int main(int argc, char** argv) {
  Options options("texture_transform", "A picture turned by an angle with a texture.",
                  Common::animation | Common::check | Common::benchmark | Common::device);
  float angle = 0.5f;
  std::string input;
  options.frames = 1;  // without a window: the picture at --angle
  options.add("--angle", angle, "angle in radians, counterclockwise", -1000.0f, 1000.0f);
  options.add("--input", input, "picture to turn (.png or .ppm); a generated one without it");
  options.parse(argc, argv);
  HANDLE_ERROR(cudaSetDevice(options.device));

  const Image source = input.empty() ? test_picture(picture_size) : read_image(input);
  require_limit(options, "A row of the picture's texture", source.width, cudaDevAttrMaxTexture2DWidth);
  require_limit(options, "A column of the picture's texture", source.height, cudaDevAttrMaxTexture2DHeight);
  const int dim = options.size;
  const PictureTexture picture(source);
  const Canvas canvas(dim, dim);

  if (options.check || options.benchmark) {
    auto draw = [&] { transform(canvas, picture, dim, angle); };
    draw();
    // The guide leaves open how exact N x is where N is no power of two: that can move a fraction by 1/256.
    const auto is_power_of_two = [](int n) { return (n & (n - 1)) == 0; };
    const bool exact = is_power_of_two(source.width) && is_power_of_two(source.height);
    const float tolerance = exact ? 1.0f / 512 : 1.0f / 512 + 2.0f / 256;
    const auto expected = reference_turn(source, dim, {std::cos(angle), std::sin(angle)});
    const bool passed = check_near("colour", canvas.download(), expected, tolerance);
    return conclude(options, passed, draw, (sizeof(uchar4) + sizeof(float4)) * double(dim) * dim);
  }

  CPUAnimBitmap bitmap(dim, dim);
  return bitmap.animate(options, [&](int frame) {
    transform(canvas, picture, dim, angle + frame * turn_per_frame);
    canvas.draw(bitmap.get_ptr());
  });
}
