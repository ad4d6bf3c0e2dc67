#include "plain_words.h"

namespace translate {

bool is_vector_type(std::string_view word) {
  return one_of(
      word,
      "char2 char3 char4 uchar2 uchar3 uchar4 short2 short4 ushort2 ushort4 int2 int3 int4 uint2 uint3 uint4 "
      "float2 float3 float4 double2 longlong2 ulonglong2");
}

bool is_arithmetic_type_word(std::string_view word) {
  return one_of(
      word,
      "const char short int long signed unsigned float double bool int8_t int16_t int32_t int64_t uint8_t "
      "uint16_t uint32_t uint64_t size_t ptrdiff_t uint uchar ushort constexpr");
}

bool is_plain_type_word(std::string_view word) {
  return is_arithmetic_type_word(word) || is_vector_type(word);
}

bool is_plain_function(std::string_view word) {
  // All take numbers by value (min and max perhaps by constant reference) and return one.
  return one_of(word,
                "min max abs fabs fabsf fmin fminf fmax fmaxf fma fmaf sqrt sqrtf rsqrt rsqrtf cbrt cbrtf "
                "exp expf exp2 exp2f exp10 exp10f expm1 expm1f log logf log2 log2f log10 log10f log1p "
                "log1pf pow powf sin sinf cos cosf tan tanf asin asinf acos acosf atan atanf atan2 atan2f "
                "sinh sinhf cosh coshf tanh tanhf erf erff erfc erfcf floor floorf ceil ceilf round "
                "roundf trunc truncf rint rintf fmod fmodf hypot hypotf fdim fdimf copysign copysignf "
                "isnan isinf isfinite __popc __popcll __clz __clzll __ffs __ffsll __brev __brevll __mul24 "
                "__umul24 __expf __logf __sinf __cosf __powf __fdividef __saturatef __float2int_rn "
                "__float2int_rz __int2float_rn __float_as_int __int_as_float __fmaf_rn __fadd_rn "
                "__fmul_rn make_float2 make_float3 make_float4 make_int2 make_int3 make_int4 make_uint2 "
                "make_uint4 make_uchar4 make_double2");
}

bool is_plain_atomic(std::string_view word) {
  return one_of(word,
                "atomicAdd atomicSub atomicMin atomicMax atomicAnd atomicOr atomicXor atomicInc atomicDec");
}

}  // namespace translate
