// Mathematical functions and integer intrinsics that the C library does not have. Values: from their definitions.
#include <math.h>
#include <stdio.h>
__global__ void integers(unsigned* o) {
  int i = 0;
  o[i++] = umin(3u, 5u);
  o[i++] = umax(3u, 5u);
  o[i++] = llmin(3ll, -5ll);
  o[i++] = llmax(3, 5);
  o[i++] = ullmin(3, 5);
  o[i++] = ullmax(3, 5);
  o[i++] = __dp4a(0x01020304, 0x01010101, 5);
  o[i++] = __dp4a(0xff020304u, 0x01010101u, 5u);
  o[i++] = __dp2a_lo(0x00020003, 0x04050607, 1);
  o[i++] = __dp2a_hi(0x00020003, 0x04050607, 1);
  o[i++] = __vadd4(0xff010203, 0x01010101);
  o[i++] = __vsub4(0x00010203, 0x01010101);
  o[i++] = __vadd2(0xffff0001, 0x00010001);
  o[i++] = __vabsdiffu4(0x01020304, 0x04030201);
  o[i++] = __vsadu4(0x01020304, 0x04030201);
  o[i++] = __vmaxu4(0x01020304, 0x04030201);
  o[i++] = __vminu4(0x01020304, 0x04030201);
  o[i++] = __vcmpeq4(0x01020304, 0x01030304);
  o[i++] = __vavgu4(0x01020304, 0x03020304);
  o[i++] = __vaddus4(0xff010203, 0x01010101);
  o[i++] = __urhadd(3u, 4u);
  o[i++] = __uhadd(3u, 4u);
  o[i++] = abs(-5);
  o[i++] = labs(-5l);
  o[i++] = llabs(-5ll);
}

__global__ void floats(double* o, double x) {
  int i = 0;
  float f = x;
  o[i++] = erfinvf(f);
  o[i++] = erfcinvf(f);
  o[i++] = normcdff(f);
  o[i++] = normcdfinvf(f);
  o[i++] = erfcxf(f);
  o[i++] = sinpi(x);
  o[i++] = cospi(x);
  o[i++] = rcbrt(x);
  o[i++] = erfinv(x);
  o[i++] = erfcinv(x);
  o[i++] = normcdf(x);
  o[i++] = normcdfinv(x);
  o[i++] = erfcx(x);
  o[i++] = exp10(x);
  o[i++] = exp10f(f);
  o[i++] = j0(x);
  o[i++] = j1f(f);
  o[i++] = y0(x);
  o[i++] = jn(2, x);
  o[i++] = cyl_bessel_i0(x);
  o[i++] = cyl_bessel_i1f(f);
  o[i++] = norm3d(1., 2., 2.);
  o[i++] = rnorm3d(1., 2., 2.);
  o[i++] = norm4df(1, 1, 1, 1);
  o[i++] = rnorm4d(1, 1, 1, 1);
  o[i++] = rhypot(3., 4.);
  o[i++] = rhypotf(3, 4);
  double a[3] = {1, 2, 2};
  o[i++] = norm(3, a);
  o[i++] = rnorm(3, a);
  double s, c;
  sincos(x, &s, &c);
  o[i++] = s + c;
  sincospi(x, &s, &c);
  o[i++] = s + c;
  float sf, cf;
  sincosf(f, &sf, &cf);
  o[i++] = sf + cf;
  o[i++] = fdimf(f, 0.1f);
  o[i++] = remquof(5.f, 3.f, (int*)&s);
  o[i++] = logbf(8.f);
  o[i++] = ilogbf(8.f);
  o[i++] = scalbnf(1.f, 3);
  o[i++] = lgammaf(f);
  o[i++] = tgamma(x);
  o[i++] = nextafterf(1.f, 2.f) > 1.f;
  o[i++] = copysignf(3.f, -1.f);
  o[i++] = fmaf(f, 2.f, 1.f);
  o[i++] = __fmaf_rn(f, 2.f, 1.f);
  o[i++] = truncf(2.7f);
  o[i++] = rintf(2.5f);
  o[i++] = nearbyintf(3.5f);
  o[i++] = roundf(2.5f);
}

int main() {
  unsigned *d, h[40];
  cudaMalloc(&d, 160);
  integers<<<1, 1>>>(d);
  cudaMemcpy(h, d, 100, cudaMemcpyDeviceToHost);
  unsigned e[] = {3,
                  5,
                  (unsigned)-5,
                  5,
                  3,
                  5,
                  15,
                  0xff + 9 + 5,
                  1 + 3 * 7 + 2 * 6,
                  1 + 3 * 5 + 2 * 4,
                  0x00020304,
                  0xff000102,
                  0x00000002,
                  0x03010103,
                  8,
                  0x04030304,
                  0x01020201,
                  0xff00ffff,
                  0x02020304,
                  0xff020304,
                  4,
                  3,
                  5,
                  5,
                  5};
  bool ok = true;
  for (int i = 0; i < 25; i++)
    if (h[i] != e[i]) {
      ok = false;
      printf("int %d: %x %x\n", i, h[i], e[i]);
    }
  double *o, r[48], x = 0.3;
  cudaMalloc(&o, sizeof r);
  floats<<<1, 1>>>(o, x);
  cudaMemcpy(r, o, sizeof r, cudaMemcpyDeviceToHost);
  double w[] = {0.27246271472675435,
                0.73286907795921685,
                0.61791142218895256,
                -0.52440051270804089,
                0.73459933,
                0.80901699437494745,
                0.58778525229247314,
                1.4938015821857216,
                0.27246271472675435,
                0.73286907795921685,
                0.61791142218895256,
                -0.52440051270804089,
                0.73459933,
                1.9952623149688795,
                1.9952623149688795,
                0.97762624653829611,
                0.14831881627310400,
                -0.80727357780451986,
                0.011165861949063964,
                1.0226268793515974,
                0.15169384000359282,
                3,
                1. / 3,
                2,
                0.5,
                0.2,
                0.2,
                3,
                1. / 3};
  for (int i = 0; i < 29; i++)
    if (!(fabs(r[i] - w[i]) < 1e-6 * fabs(w[i]) + 1e-7)) {
      ok = false;
      printf("floats %d: %.10g %.10g\n", i, r[i], w[i]);
    }
  printf(ok ? "OK\n" : "WRONG\n");
}
