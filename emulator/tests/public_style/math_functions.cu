// Mathematical functions and integer intrinsics that the C library does not have.
// Values: from their definitions.
#include <math.h>
#include <stdio.h>

__global__ void integers(uint2* o) {
  int i = 0;
  o[i++] = make_uint2(umin(3u, 5u), 3);
  o[i++] = make_uint2(umax(3u, 5u), 5);
  o[i++] = make_uint2(llmin(3ll, -5ll), (unsigned)-5);
  o[i++] = make_uint2(llmax(3, 5), 5);
  o[i++] = make_uint2(ullmin(3, 5), 3);
  o[i++] = make_uint2(ullmax(3, 5), 5);
  o[i++] = make_uint2(__dp4a(0x01020304, 0x01010101, 5), 15);
  o[i++] = make_uint2(__dp4a(0xff020304u, 0x01010101u, 5u), 0xff + 9 + 5);
  o[i++] = make_uint2(__vadd4(0xff010203, 0x01010101), 0x00020304);
  o[i++] = make_uint2(__vsub4(0x00010203, 0x01010101), 0xff000102);
  o[i++] = make_uint2(__vadd2(0xffff0001, 0x00010001), 0x00000002);
  o[i++] = make_uint2(__vabsdiffu4(0x01020304, 0x04030201), 0x03010103);
  o[i++] = make_uint2(__vsadu4(0x01020304, 0x04030201), 8);
  o[i++] = make_uint2(__vmaxu4(0x01020304, 0x04030201), 0x04030304);
  o[i++] = make_uint2(__vminu4(0x01020304, 0x04030201), 0x01020201);
  o[i++] = make_uint2(__vcmpeq4(0x01020304, 0x01030304), 0xff00ffff);
  o[i++] = make_uint2(__vavgu4(0x01020304, 0x03020304), 0x02020304);
  o[i++] = make_uint2(__vaddus4(0xff010203, 0x01010101), 0xff020304);
  o[i++] = make_uint2(__urhadd(3u, 4u), 4);
  o[i++] = make_uint2(__uhadd(3u, 4u), 3);
  o[i++] = make_uint2(abs(-5), 5);
  o[i++] = make_uint2(labs(-5l), 5);
  o[i++] = make_uint2(llabs(-5ll), 5);
}

__global__ void floats(double2* o, double x, float f) {
  int i = 0;
  o[i++] = make_double2(normcdff(f), 0.61791142218895256);
  o[i++] = make_double2(sinpi(x), 0.80901699437494745);
  o[i++] = make_double2(cospi(x), 0.58778525229247314);
  o[i++] = make_double2(rcbrt(x), 1.4938015821857216);
  o[i++] = make_double2(normcdf(x), 0.61791142218895256);
  o[i++] = make_double2(exp10(x), 1.9952623149688795);
  o[i++] = make_double2(exp10f(f), 1.9952623149688795);
  o[i++] = make_double2(j0(x), 0.97762624653829611);
  o[i++] = make_double2(j1f(f), 0.14831881627310400);
  o[i++] = make_double2(y0(x), -0.80727357780451986);
  o[i++] = make_double2(jn(2, x), 0.011165861949063964);
  o[i++] = make_double2(norm3d(1., 2., 2.), 3);
  double s, c;
  sincospi(x, &s, &c);
  o[i++] = make_double2(s + c, sinpi(x) + cospi(x));
  float sf, cf;
  sincosf(f, &sf, &cf);
  o[i++] = make_double2(sf + cf, sinf(f) + cosf(f));
}

int main() {
  constexpr int whole = 23, real = 14;
  uint2* a;
  double2* b;
  cudaMallocManaged(&a, whole * sizeof *a);
  cudaMallocManaged(&b, real * sizeof *b);
  integers<<<1, 1>>>(a);
  floats<<<1, 1>>>(b, 0.3, 0.3f);
  bool ok = cudaDeviceSynchronize() == cudaSuccess;
  for (int i = 0; i < whole; i++)
    if (a[i].x != a[i].y) {
      ok = false;
      printf("int %d: %x %x\n", i, a[i].x, a[i].y);
    }
  for (int i = 0; i < real; i++)
    if (!(fabs(b[i].x - b[i].y) < 1e-6 * fabs(b[i].y) + 1e-7)) {
      ok = false;
      printf("floats %d: %.10g %.10g\n", i, b[i].x, b[i].y);
    }
  printf(ok ? "OK\n" : "WRONG\n");
}
