#!/usr/bin/env python3
"""generate.py SEED KERNELS > FILE.cu: a CUDA program with random kernels, the same for the same arguments.

Each kernel computes with a handful of variables per thread, of all the types that CUDA programs use, and meets the
other threads in shared memory, barriers, warp operations and atomics. Everything that it does has one result by
CUDA's rules, whatever the order of threads: atomics whose order cannot be seen, no race, no signed overflow, no NaN
whose bits could show. The program prints one line per kernel with a checksum of all threads' variables. README.md says
what is compared with what.
"""
import sys

MASK64 = (1 << 64) - 1


class Random:
    """splitmix64 (Steele, Lea and Flood 2014): the same numbers in every version of Python."""

    def __init__(self, seed):
        self.state = seed & MASK64

    def next(self):
        self.state = (self.state + 0x9E3779B97F4A7C15) & MASK64
        z = self.state
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK64
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK64
        return z ^ (z >> 31)

    def below(self, n):
        return (self.next() >> 11) % n

    def pick(self, choices):
        return choices[self.below(len(choices))]

    def chance(self, percent):
        return self.below(100) < percent


# The types of variables: letter, C++ name, how many of each.
TYPES = {"u": ("unsigned", 4), "i": ("int", 3), "f": ("float", 4), "d": ("double", 2), "w": ("unsigned long long", 2)}
# Where C++ leaves a result undefined (shifts by 32, floats that fit no integer), a compiler that sees constants may
# give any. What a GPU does is asked at run time: constants come from constant memory, and such operations are in
# functions that nvcc does not inline (OPAQUE).
INTS = ["0", "1", "2", "3", "7", "31", "32", "255", "1000", "65537", "0x7fffffff", "-1", "-2", "-100",
        "-0x7fffffff - 1", "40"]
# None lies halfway between two floats: nvcc 13.0 rounds the literal 16777217.0f up, g++ to the even one.
FLOATS = ["0.0f", "1.0f", "-1.0f", "0.5f", "3.25f", "-7.75f", "1e10f", "-3e9f", "1e-40f", "3.0e38f", "255.5f",
          "16777218.0f", "-0.25f", "300.0f", "2147483648.0f", "1e20f"]
DOUBLES = ["0.1", "-1e300", "4294967296.5", "1e-310", "-2147483649.0", "1.0", "1e19", "-0.5"]
CONVERSIONS = {  # name: (from, to)
    "to_unsigned": ("float", "unsigned"), "to_int": ("float", "int"), "to_byte": ("float", "unsigned char"),
    "to_signed_byte": ("float", "signed char"), "to_short": ("float", "short"),
    "to_unsigned_short": ("float", "unsigned short"), "to_wide": ("float", "unsigned long long"),
    "to_signed_wide": ("float", "long long"), "from_double_to_unsigned": ("double", "unsigned"),
    "from_double_to_int": ("double", "int"), "from_double_to_short": ("double", "short"),
    "from_double_to_unsigned_short": ("double", "unsigned short"),
    "from_double_to_wide": ("double", "unsigned long long"),
}


class Kernel:
    def __init__(self, random, number):
        self.random = random
        self.number = number
        # Threads in x, y, z. Warp operations need whole warps.
        self.block = random.pick([(32, 1, 1), (64, 1, 1), (96, 1, 1), (128, 1, 1), (8, 8, 1), (16, 4, 2), (100, 1, 1),
                                  (5, 7, 3)])
        self.threads = self.block[0] * self.block[1] * self.block[2]
        self.whole_warps = self.threads % 32 == 0
        self.blocks = 1 + random.below(5)
        self.lines = []
        self.indent = 1
        self.loops = 0

    def say(self, line):
        self.lines.append("  " * self.indent + line)

    def variable(self, kind):
        return f"{kind}{self.random.below(TYPES[kind][1])}"

    # ---- expressions, by the type that they have ----
    def unsigned(self, depth=2):
        text = self.some_unsigned(depth)
        return text if text.startswith("(") and not text.startswith("(unsigned char)") else "(unsigned)" + text

    def some_unsigned(self, depth):
        r = self.random
        if depth == 0 or r.chance(15):
            return r.pick([self.variable("u"), self.variable("u"), "tid", "lane", "blockIdx.x", f"table[{r.below(64)}]", f"table[{self.variable('u')} & 63]",
                           f"local[{self.variable('u')} & 7]"])
        a, b = self.unsigned(depth - 1), self.unsigned(depth - 1)
        return r.pick([
            lambda: f"({a} + {b})", lambda: f"({a} - {b})", lambda: f"({a} * {b})", lambda: f"({a} ^ {b})",
            lambda: f"({a} & {b})", lambda: f"({a} | {b})", lambda: f"(~{a})",
            lambda: f"({a} / ({b} | 1u))", lambda: f"({a} % ({b} | 1u))",
            lambda: f"shifted_left({a}, {b} & 63u)", lambda: f"shifted_right({a}, {b} & 63u)",
            lambda: f"({a} << ({b} & 31u))", lambda: f"({a} >> {r.below(32)})",
            lambda: f"({a} < {b} ? {self.unsigned(depth - 1)} : {b})", lambda: f"min({a}, {b})", lambda: f"max({a}, {b})",
            lambda: f"(unsigned){self.integer(depth - 1)}", lambda: f"to_unsigned({self.single(depth - 1)})",
            lambda: f"from_double_to_unsigned({self.double(depth - 1)})", lambda: f"(unsigned){self.wide(depth - 1)}",
            lambda: f"to_byte({self.single(depth - 1)})", lambda: f"to_unsigned_short({self.single(depth - 1)})",
            lambda: f"from_double_to_unsigned_short({self.double(depth - 1)})",
            lambda: f"(unsigned char){a}", lambda: f"bits({self.single(depth - 1)})",
            lambda: f"__popc({a})", lambda: f"__clz({a})", lambda: f"__brev({a})", lambda: f"__ffs({a})",
            lambda: f"__byte_perm({a}, {b}, {self.unsigned(depth - 1)})", lambda: f"__umulhi({a}, {b})",
            lambda: f"__funnelshift_l({a}, {b}, {self.unsigned(depth - 1)})",
            lambda: f"__funnelshift_rc({a}, {b}, {self.unsigned(depth - 1)})", lambda: f"__umul24({a}, {b})",
            lambda: f"__usad({a}, {b}, {self.unsigned(depth - 1)})", lambda: f"__uhadd({a}, {b})",
            lambda: f"__dp4a({a}, {b}, {self.unsigned(depth - 1)})", lambda: f"__vabs4({a})",
            lambda: f"__vsub4({a}, {b})", lambda: f"__double2hiint(clean({self.double(depth - 1)}))",
            lambda: f"mixed({a}, {b})", lambda: f"twice<{r.below(5)}>({a})",
        ])()

    def integer(self, depth=2):
        return "(int)" + self.some_integer(depth)

    def some_integer(self, depth):
        r = self.random
        if depth == 0 or r.chance(15):
            return r.pick([self.variable("i"), self.variable("i"), f"ints[{r.below(16)}]", "(int)tid"])
        a, b = self.integer(depth - 1), self.integer(depth - 1)
        return r.pick([
            lambda: f"wrapped_add({a}, {b})", lambda: f"wrapped_sub({a}, {b})", lambda: f"wrapped_mul({a}, {b})",
            lambda: f"({a} / (({b} & 0xfff) + 1))", lambda: f"({a} % (({b} & 0xff) + 1))",
            lambda: f"shifted_with_sign({a}, {self.unsigned(depth - 1)} & 63u)", lambda: f"({a} ^ {b})", lambda: f"({a} & {b})",
            lambda: f"({a} < {b} ? {b} : {a})", lambda: f"min({a}, {b})", lambda: f"max({a}, {b})",
            lambda: f"to_int({self.single(depth - 1)})", lambda: f"from_double_to_int({self.double(depth - 1)})",
            lambda: f"(int){self.unsigned(depth - 1)}", lambda: f"to_short({self.single(depth - 1)})",
            lambda: f"to_signed_byte({self.single(depth - 1)})", lambda: f"from_double_to_short({self.double(depth - 1)})",
            lambda: f"(signed char){a}", lambda: f"(short){a}",
            lambda: f"__mulhi({a}, {b})", lambda: f"__mul24({a}, {b})", lambda: f"__hadd({a}, {b})",
            lambda: f"({self.single(depth - 1)} < {self.single(depth - 1)})",
            lambda: f"({self.double(depth - 1)} != {self.double(depth - 1)})",
            lambda: f"to_int(floorf({self.single(depth - 1)}))",
        ])()

    def single(self, depth=2):
        r = self.random
        if depth == 0 or r.chance(15):
            return r.pick([self.variable("f"), self.variable("f"), f"floats[{r.below(16)}]"])
        a, b = self.single(depth - 1), self.single(depth - 1)
        return r.pick([
            lambda: f"({a} + {b})", lambda: f"({a} - {b})", lambda: f"({a} * {b})", lambda: f"({a} / {b})",
            lambda: f"fmaf({a}, {b}, {self.single(depth - 1)})", lambda: f"sqrtf(fabsf({a}))", lambda: f"(-{a})",
            lambda: f"(fminf({a}, {b}) + 0.0f)", lambda: f"(fmaxf({a}, {b}) + 0.0f)",  # whatever the sign of zero
            lambda: f"floorf({a})", lambda: f"ceilf({a})", lambda: f"truncf({a})", lambda: f"rintf({a})",
            lambda: f"(float){self.integer(depth - 1)}", lambda: f"(float){self.unsigned(depth - 1)}",
            lambda: f"(float){self.double(depth - 1)}", lambda: f"(float){self.wide(depth - 1)}",
            lambda: f"({a} < {b} ? {a} : {b})", lambda: f"copysignf(clean({a}), clean({b}))",
            lambda: f"__fadd_r{r.pick('nzud')}({a}, {b})", lambda: f"__fmul_r{r.pick('nzud')}({a}, {b})",
            lambda: f"__fdiv_r{r.pick('nzud')}({a}, {b})", lambda: f"__fmaf_r{r.pick('nzud')}({a}, {b}, {a})",
            lambda: f"__fsqrt_r{r.pick('nzud')}(fabsf({a}))", lambda: f"__uint_as_float({self.unsigned(depth - 1)} & 0x7effffffu)",
            lambda: f"((float)({self.unsigned(depth - 1)} & 0xffffu) * 0.0625f - 2000.0f)",
            lambda: f"ldexpf({a}, (int)({self.unsigned(depth - 1)} & 31u) - 16)",
        ])()

    def double(self, depth=2):
        r = self.random
        if depth == 0 or r.chance(15):
            return r.pick([self.variable("d"), self.variable("d"), f"doubles[{r.below(8)}]"])
        a, b = self.double(depth - 1), self.double(depth - 1)
        return r.pick([
            lambda: f"({a} + {b})", lambda: f"({a} - {b})", lambda: f"({a} * {b})", lambda: f"({a} / {b})",
            lambda: f"fma({a}, {b}, {self.double(depth - 1)})", lambda: f"sqrt(fabs({a}))",
            lambda: f"(double){self.single(depth - 1)}", lambda: f"(double){self.integer(depth - 1)}",
            lambda: f"(double){self.wide(depth - 1)}", lambda: f"floor({a})", lambda: f"trunc({a})",
            lambda: f"__dadd_r{r.pick('nzud')}({a}, {b})", lambda: f"__dmul_r{r.pick('nzud')}({a}, {b})",
            lambda: f"(double)({self.unsigned(depth - 1)} >> 3) * 0.001",
        ])()

    def wide(self, depth=2):
        r = self.random
        if depth == 0 or r.chance(15):
            return r.pick([self.variable("w"), self.variable("w"), f"(unsigned long long)table[{r.below(64)}]"])
        a, b = self.wide(depth - 1), self.wide(depth - 1)
        return r.pick([
            lambda: f"({a} + {b})", lambda: f"({a} * {b})", lambda: f"({a} ^ {b})", lambda: f"({a} / ({b} | 1))",
            lambda: f"wide_left({a}, {self.unsigned(depth - 1)} & 127u)",
            lambda: f"wide_right({a}, {self.unsigned(depth - 1)} & 127u)",
            lambda: f"to_wide({self.single(depth - 1)})", lambda: f"from_double_to_wide({self.double(depth - 1)})",
            lambda: f"(unsigned long long)to_signed_wide({self.single(depth - 1)})",
            lambda: f"(unsigned long long){self.integer(depth - 1)}",
            lambda: f"(((unsigned long long){self.unsigned(depth - 1)} << 32) | {self.unsigned(depth - 1)})",
            lambda: f"__umul64hi({a}, {b})", lambda: f"(unsigned long long)__popcll({a})", lambda: f"__brevll({a})",
        ])()

    def expression(self, kind, depth=2):
        return {"u": self.unsigned, "i": self.integer, "f": self.single, "d": self.double, "w": self.wide}[kind](depth)

    def condition(self):
        return self.random.pick([
            lambda: f"({self.unsigned(1)} & {1 << self.random.below(4)}u) != 0u", lambda: f"lane < {self.random.below(33)}u",
            lambda: f"{self.integer(1)} < {self.integer(1)}", lambda: f"{self.single(1)} < {self.single(1)}",
            lambda: f"tid % {2 + self.random.below(5)}u == 0u", lambda: f"{self.wide(1)} > {self.wide(1)}",
        ])()

    # ---- statements ----
    def assign(self):
        kind = self.random.pick("uuuiiffffdw")
        target = self.variable(kind)
        if kind in "uw" and self.random.chance(20):
            operator = self.random.pick(["+=", "-=", "*=", "^=", "|=", "&="])
            self.say(f"{target} {operator} {self.expression(kind)};")
        elif kind == "u" and self.random.chance(15):
            self.say(f"{target} {self.random.pick(['<<=', '>>='])} {self.unsigned(1)} & 31u;")
        elif kind == "u" and self.random.chance(15):
            self.say(f"local[{self.unsigned(1)} & 7] = {self.unsigned()};")
        else:
            self.say(f"{target} = {self.expression(kind)};")

    def several(self, most, depth, uniform):
        self.indent += 1
        for _ in range(1 + self.random.below(most)):
            self.statement(depth, uniform)
        self.indent -= 1

    def branch(self, depth):
        self.say(f"if ({self.condition()}) {{")
        self.several(3, depth - 1, False)
        if self.random.chance(50):
            self.say("} else {")
            self.several(3, depth - 1, False)
        self.say("}")

    def choice(self, depth):
        self.say(f"switch ({self.unsigned(1)} & 3u) {{")
        self.indent += 1
        for case in ("case 0:", "case 1:", "default:"):
            self.say(case)
            self.several(2, depth - 1, False)
            if self.random.chance(75):
                self.say("  break;")
        self.indent -= 1
        self.say("}")

    def loop(self, depth, uniform):
        k = f"k{self.loops}"
        self.loops += 1
        if uniform:  # the same number of turns for all threads
            self.say(f"for (int {k} = 0; {k} < {1 + self.random.below(5)}; ++{k}) {{")
            self.several(3, depth - 1, True)
        else:
            self.say(f"for (unsigned {k} = 0, end = {self.unsigned(1)} & 7u; {k} < end; ++{k}) {{")
            self.several(3, depth - 1, False)
            if self.random.chance(30):
                self.say(f"  if ({self.condition()}) {self.random.pick(['break', 'continue'])};")
        self.indent += 1
        self.say(f"u{self.random.below(4)} += (unsigned){k};")
        self.indent -= 1
        self.say("}")

    # All threads of the block come here.
    def exchange(self):
        r = self.random
        step, offset = 1 + 2 * r.below(8), r.below(self.threads)
        kind = r.pick("uufw")
        array = {"u": "shared_u", "f": "shared_f", "w": "shared_w"}[kind]
        self.say(f"{array}[tid] = {self.expression(kind)};")
        self.say("__syncthreads();")
        self.say(f"{self.variable(kind)} = {array}[(tid * {step}u + {offset}u) % {self.threads}u];")
        self.say("__syncthreads();")

    def block_vote(self):
        self.say(self.random.pick([
            lambda: f"{self.variable('u')} += (unsigned)__syncthreads_count({self.condition()});",
            lambda: f"{self.variable('u')} ^= (unsigned)(__syncthreads_and({self.condition()}) != 0);",
            lambda: f"{self.variable('u')} ^= (unsigned)(__syncthreads_or({self.condition()}) != 0);",
        ])())

    def shared_atomics(self):
        r = self.random
        self.say("if (tid < 16u) bins[tid] = 0u;")
        self.say("__syncthreads();")
        operation = r.pick(["atomicAdd", "atomicXor", "atomicMax", "atomicOr"])
        again = "for (unsigned turn = 0; turn < 3u; ++turn) " if r.chance(30) else ""
        self.say(f"{again}{operation}(&bins[{self.unsigned(1)} & 15u], {self.unsigned(1)});")
        self.say("__syncthreads();")
        self.say(f"{self.variable('u')} = bins[{self.unsigned(1)} & 15u];")
        self.say("__syncthreads();")

    def global_atomics(self):
        r = self.random
        self.say(r.pick([
            lambda: f"atomicAdd(&totals[{self.unsigned(1)} & 15u], {self.unsigned(1)});",
            lambda: f"atomicXor(&totals[16u + ({self.unsigned(1)} & 15u)], {self.unsigned(1)});",
            lambda: f"atomicMin(&totals[32u + ({self.unsigned(1)} & 7u)], {self.unsigned(1)});",
            lambda: f"atomicMax((int*)&totals[40u + ({self.unsigned(1)} & 7u)], {self.integer(1)});",
            lambda: f"atomicSub(&totals[{self.unsigned(1)} & 15u], {self.unsigned(1)});",
            lambda: f"add_by_exchange(&totals[48u + ({self.unsigned(1)} & 7u)], {self.unsigned(1)});",
            # Whole numbers, whose sum is exact in every order.
            lambda: f"atomicAdd((float*)&totals[56u + ({self.unsigned(1)} & 7u)], (float)({self.unsigned(1)} & 15u));",
        ])())

    # All lanes of the warp come here.
    def warp(self):
        r = self.random
        full, value = "0xffffffffu", self.variable("u")
        single = self.variable("f")
        self.say(r.pick([
            lambda: f"{value} = __shfl_sync({full}, {value}, {self.unsigned(1)} & 31u);",
            lambda: f"{value} += __shfl_xor_sync({full}, {value}, {1 << r.below(5)});",
            lambda: f"{value} ^= __shfl_up_sync({full}, {value}, {1 + r.below(8)}, {r.pick([8, 16, 32])});",
            lambda: f"{value} ^= __shfl_down_sync({full}, {value}, {1 + r.below(8)}, {r.pick([8, 16, 32])});",
            lambda: f"{single} = __shfl_xor_sync({full}, {single}, {1 + r.below(31)});",
            lambda: f"{value} ^= __ballot_sync({full}, {self.condition()});",
            lambda: f"{value} += (unsigned)(__all_sync({full}, {self.condition()}) != 0);",
            lambda: f"{value} += (unsigned)(__any_sync({full}, {self.condition()}) != 0);",
            lambda: f"{value} ^= __match_any_sync({full}, {self.unsigned(1)} & 3u);",
            lambda: f"{value} = __reduce_add_sync({full}, {value});",
            lambda: f"{value} ^= __reduce_max_sync({full}, {value});",
            lambda: f"w0 ^= __shfl_sync({full}, w1, {r.below(32)});",
            lambda: "if (lane < 16u) { " + f"{value} += __shfl_xor_sync(0xffffu, {value}, {1 << r.below(4)});" + " }",
        ])())

    def statement(self, depth, uniform):
        r = self.random
        if uniform and r.chance(35):
            choices = [self.exchange, self.block_vote, self.shared_atomics]
            if self.whole_warps:
                choices += [self.warp, self.warp, self.warp]
            r.pick(choices)()
        elif depth > 0 and r.chance(35):
            r.pick([lambda: self.branch(depth), lambda: self.loop(depth, uniform), lambda: self.choice(depth)])()
        elif r.chance(10):
            self.global_atomics()
        else:
            self.assign()

    def text(self):
        r, n = self.random, self.threads
        statements = 8 + r.below(10)
        for _ in range(statements):
            self.statement(2, True)
        size = ", ".join(str(s) for s in self.block)
        head = [
            f"// Threads per block: {size}; blocks: {self.blocks}",
            f"__global__ void __launch_bounds__({n}) kernel{self.number}(unsigned long long* out, unsigned* totals, "
            "const unsigned* in) {",
            f"  __shared__ unsigned shared_u[{n}], bins[16];",
            f"  __shared__ float shared_f[{n}];",
            f"  __shared__ unsigned long long shared_w[{n}];",
            "  const unsigned tid = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z), lane = tid & 31u;",
            f"  const unsigned global = blockIdx.x * {n}u + tid;",
            "  unsigned u0 = in[global], u1 = in[global + 1], u2 = global, u3 = in[global * 7u % 1024u];",
            "  int i0 = (int)in[global + 2], i1 = (int)in[global + 9] % 100, i2 = (int)(in[global + 3] & 0xffu);",
            "  float f0 = (float)(int)in[global + 4] * 1e-5f, f1 = (float)in[global + 10],\n        f2 = special(in[global + 5]), f3 = floats[global & 15u];",
            "  double d0 = (double)(int)in[global + 6] * 1e-3, d1 = (double)in[global + 11] / 3.0;",
            "  unsigned long long w0 = ((unsigned long long)in[global + 7] << 32) | in[global + 8], w1 = global;",
            "  unsigned local[8];",
            "  for (unsigned k = 0; k < 8u; ++k) local[k] = in[global + k] ^ k;",
            "  shared_u[tid] = 0u; shared_f[tid] = 0.0f; shared_w[tid] = 0ull; if (tid < 16u) bins[tid] = 0u;",
            "  __syncthreads();",
        ]
        tail = [
            "  unsigned long long hash = 0xcbf29ce484222325ull;",
            "  hash = add(hash, u0); hash = add(hash, u1); hash = add(hash, u2); hash = add(hash, u3);",
            "  hash = add(hash, (unsigned)i0); hash = add(hash, (unsigned)i1); hash = add(hash, (unsigned)i2);",
            "  hash = add(hash, bits(f0)); hash = add(hash, bits(f1)); hash = add(hash, bits(f2)); hash = add(hash, bits(f3));",
            "  hash = add(hash, (unsigned long long)__double_as_longlong(clean(d0)));",
            "  hash = add(hash, (unsigned long long)__double_as_longlong(clean(d1)));",
            "  hash = add(hash, w0); hash = add(hash, w1);",
            "  for (unsigned k = 0; k < 8u; ++k) hash = add(hash, local[k]);",
            "  out[global] = hash;",
            "}",
        ]
        return "\n".join(head + self.lines + tail)


PREAMBLE = """// Made by tests/random_kernels/generate.py: do not change.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#ifdef EMULATED_DEVICE
#define OPAQUE
#else
#define OPAQUE __noinline__
#endif

__constant__ unsigned table[64];
__constant__ int ints[16] = {@INTS@};
__constant__ float floats[16] = {@FLOATS@};
__constant__ double doubles[8] = {@DOUBLES@};

@CONVERSIONS@
__device__ OPAQUE unsigned shifted_left(unsigned a, unsigned n) { return a << n; }
__device__ OPAQUE unsigned shifted_right(unsigned a, unsigned n) { return a >> n; }
__device__ OPAQUE int shifted_with_sign(int a, unsigned n) { return a >> n; }
__device__ OPAQUE unsigned long long wide_left(unsigned long long a, unsigned n) { return a << n; }
__device__ OPAQUE unsigned long long wide_right(unsigned long long a, unsigned n) { return a >> n; }
__device__ int wrapped_add(int a, int b) { return (int)((unsigned)a + (unsigned)b); }
__device__ int wrapped_sub(int a, int b) { return (int)((unsigned)a - (unsigned)b); }
__device__ int wrapped_mul(int a, int b) { return (int)((unsigned)a * (unsigned)b); }
// One NaN for all: which of its bits are set is not defined.
__device__ float clean(float x) { return x == x ? x : __uint_as_float(0x7fc00000u); }
__device__ double clean(double x) { return x == x ? x : __longlong_as_double(0x7ff8000000000000ll); }
__device__ unsigned bits(float x) { return __float_as_uint(clean(x)); }
__device__ float special(unsigned x) {
  switch (x & 7u) {
    case 0: return __uint_as_float(0x7fc00000u);
    case 1: return __uint_as_float(0x7f800000u);
    case 2: return __uint_as_float(0xff800000u);
    case 3: return __uint_as_float(x >> 9);  // denormal
    case 4: return -0.0f;
    default: return __uint_as_float(x & 0xbfffffffu);
  }
}
__device__ __noinline__ unsigned mixed(unsigned a, unsigned b) { return (a ^ (b >> 7)) * 0x9e3779b1u + b; }
template <int n>
__device__ unsigned twice(unsigned a) {
  return a + twice<n - 1>(a ^ n);
}
template <>
__device__ unsigned twice<0>(unsigned a) {
  return a;
}
__device__ void add_by_exchange(unsigned* address, unsigned value) {
  unsigned seen = *(volatile unsigned*)address, expected;
  do {
    expected = seen;
    seen = atomicCAS(address, expected, expected + value);
  } while (seen != expected);
}
// FNV-1a by words.
__host__ __device__ unsigned long long add(unsigned long long hash, unsigned long long word) {
  hash = (hash ^ word) * 0x100000001b3ull;
  return hash ^ (hash >> 29);
}
"""

MAIN = """
static void check(cudaError_t error, const char* what) {
  if (error == cudaSuccess) return;
  std::printf("%s: %s\\n", what, cudaGetErrorString(error));
  std::exit(1);
}

using Kernel = void (*)(unsigned long long*, unsigned*, const unsigned*);

// RUN NUMBER as an argument prints the hash of each thread of that kernel instead.
static void run(int number, Kernel kernel, unsigned blocks, dim3 block, int wanted, const unsigned* in,
                unsigned long long* out, unsigned* totals) {
  const unsigned threads = blocks * block.x * block.y * block.z;
  check(cudaMemset(totals, 0, 64 * sizeof(unsigned)), "cudaMemset");
  check(cudaMemset(out, 0, 1024 * sizeof(unsigned long long)), "cudaMemset");
  kernel<<<blocks, block>>>(out, totals, in);
  check(cudaGetLastError(), "launch");
  std::vector<unsigned long long> results(threads);
  std::vector<unsigned> sums(64);
  check(cudaMemcpy(results.data(), out, threads * sizeof(results[0]), cudaMemcpyDeviceToHost), "kernel");
  check(cudaMemcpy(sums.data(), totals, 64 * sizeof(unsigned), cudaMemcpyDeviceToHost), "kernel");
  unsigned long long hash = 0xcbf29ce484222325ull, sum_hash = hash;
  for (unsigned long long result : results) hash = add(hash, result);
  for (unsigned sum : sums) sum_hash = add(sum_hash, sum);
  if (wanted < 0) std::printf("%s kernel%d %016llx %016llx\\n", SEED, number, hash, sum_hash);
  if (wanted != number) return;
  for (unsigned i = 0; i < threads; ++i) std::printf("thread %u %016llx\\n", i, results[i]);
  for (unsigned i = 0; i < 64; ++i) std::printf("total %u %08x\\n", i, sums[i]);
}

int main(int argc, char** argv) {
  int devices = 0;
  if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) {
    std::puts("SKIP: no GPU in this machine");
    return 77;
  }
  const int wanted = argc > 1 ? std::atoi(argv[1]) : -1;
  std::vector<unsigned> words(1024 + 16);
  unsigned long long state = 12345;
  for (unsigned& word : words) {
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    word = (unsigned)(state >> 32) >> (unsigned)(state >> 24 & 15);
  }
  check(cudaMemcpyToSymbol(table, words.data(), 64 * sizeof(unsigned)), "cudaMemcpyToSymbol");
  unsigned *in = nullptr, *totals = nullptr;
  unsigned long long* out = nullptr;
  check(cudaMalloc(&in, words.size() * sizeof(unsigned)), "cudaMalloc");
  check(cudaMalloc(&totals, 64 * sizeof(unsigned)), "cudaMalloc");
  check(cudaMalloc(&out, 1024 * sizeof(unsigned long long)), "cudaMalloc");
  check(cudaMemcpy(in, words.data(), words.size() * sizeof(unsigned), cudaMemcpyHostToDevice), "cudaMemcpy");
"""


def preamble():
    conversions = "\n".join(f"__device__ OPAQUE {to} {name}({source} x) {{ return ({to})x; }}"
                            for name, (source, to) in CONVERSIONS.items())
    text = PREAMBLE.replace("@INTS@", ", ".join(INTS)).replace("@FLOATS@", ", ".join(FLOATS))
    return text.replace("@DOUBLES@", ", ".join(DOUBLES)).replace("@CONVERSIONS@", conversions)


def program(seed, count):
    random = Random(seed)
    kernels = [Kernel(random, number) for number in range(count)]
    texts = [kernel.text() for kernel in kernels]
    calls = "".join(
        f"  run({k.number}, kernel{k.number}, {k.blocks}, dim3({k.block[0]}, {k.block[1]}, {k.block[2]}), wanted, in, out, "
        "totals);\n" for k in kernels)
    return (preamble() + f'\nstatic const char* const SEED = "{seed}";\n\n' + "\n\n".join(texts) + "\n" + MAIN + calls +
            "  check(cudaFree(in), \"cudaFree\");\n  check(cudaFree(totals), \"cudaFree\");\n"
            "  check(cudaFree(out), \"cudaFree\");\n}\n")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    sys.stdout.write(program(int(sys.argv[1]), int(sys.argv[2])))
