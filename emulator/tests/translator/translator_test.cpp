// cu2cpp: what it changes, what it leaves alone, and its error messages.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <random>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "../../translate/translator.h"

namespace fs = std::filesystem;

namespace {

class Translate : public testing::Test {
 protected:
  Translate() : folder_(fs::path(testing::TempDir()) / ("cu2cpp_" + std::to_string(getpid()))) {
    fs::create_directories(folder_ / "sub");
  }
  ~Translate() override { fs::remove_all(folder_); }

  fs::path write(const std::string& name, const std::string& text) {
    std::ofstream(folder_ / name, std::ios::binary) << text;
    return folder_ / name;
  }
  static std::string read(const fs::path& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  // The translation without its first line, which is #line.
  std::string translate(const std::string& text) {
    const fs::path input = write("program.cu", text), output = folder_ / "out" / "program.cpp";
    translate::Translator(folder_ / "out").translate(input, output);
    const std::string all = read(output);
    const std::size_t end = all.find('\n') + 1;
    EXPECT_EQ(all.substr(0, end), "#line 1 \"" + input.string() + "\"\n");
    return all.substr(end);
  }
  // The translation of `statement` in a function with this head.
  std::string body(const std::string& head, const std::string& statement) {
    const std::string text = translate(head + " { " + statement + " }");
    return text.substr(head.size() + 3, text.size() - head.size() - 5);
  }
  // The lines of a translation with the numbers that the compiler gives
  // them: #line tells the next one's.
  static std::vector<std::pair<std::string, std::size_t>> numbered(const std::string& text) {
    std::vector<std::pair<std::string, std::size_t>> lines;
    std::size_t number = 1;
    for (std::size_t at = 0; at <= text.size();) {
      const std::size_t end = std::min(text.find('\n', at), text.size());
      std::string line = text.substr(at, end - at);
      at = end + 1;
      if (line.starts_with("#line ")) {
        number = std::stoul(line.substr(6));
      } else {
        lines.emplace_back(std::move(line), number);
        ++number;
      }
    }
    return lines;
  }
  static std::size_t last_line(const std::string& text) { return numbered(text).back().second; }
  // The message without the folder's name, and without columns.
  std::string error(const std::string& text) { return without_columns(error_with_column(text)); }
  std::string error_with_column(const std::string& text) {
    try {
      translate(text);
    } catch (const std::exception& e) {
      const std::string message = e.what(), prefix = folder_.string() + "/";
      EXPECT_EQ(message.substr(0, prefix.size()), prefix);
      return std::regex_replace(message, std::regex("(^|\n)" + prefix), "$1");
    }
    return "no error";
  }
  static std::string without_columns(const std::string& message) {
    return std::regex_replace(message, std::regex("(:[0-9]+):[0-9]+: "), "$1: ");
  }

  fs::path folder_;
};

TEST_F(Translate, Launches) {
  EXPECT_EQ(translate("k<<<1, 2>>>(a, b);"), "EMULATED_KERNEL(k).configure(1, 2)(a, b);");
  EXPECT_EQ(translate("ns::k<float, (3 > 2 ? 4 : 1)><<<dim3(64 >> 4), 16>>>(d);"),
            "EMULATED_KERNEL(ns::k<float, (3 > 2 ? 4 : 1)>).configure(dim3(64 >> 4), 16)(d);");
  EXPECT_EQ(translate("::k <<< g , b , n * sizeof(int) , s >>> ( );"),
            "EMULATED_KERNEL(::k ).configure( g , b , n * sizeof(int) , s ) ( );");
  EXPECT_EQ(translate("return ::ns::k<<<1, 2>>>();"),
            "return EMULATED_KERNEL(::ns::k).configure(1, 2)();");
  EXPECT_EQ(translate("if (x) k<<<1, 2>>>(); else k<int><<<3, 4>>>();"),
            "if (x) EMULATED_KERNEL(k).configure(1, 2)(); else "
            "EMULATED_KERNEL(k<int>).configure(3, 4)();");
  EXPECT_EQ(translate("k << <g, b >> > (a);"), "EMULATED_KERNEL(k ).configure(g, b ) (a);");
  EXPECT_EQ(translate("k\n  <T>\n  <<<1,\n     2>>>\n  (a);"),
            "EMULATED_KERNEL(k\n  <T>\n  ).configure(1,\n     2)\n  (a);");
  EXPECT_EQ(translate("k<int(*)(int), a->b><<<1, 2>>>();"),
            "EMULATED_KERNEL(k<int(*)(int), a->b>).configure(1, 2)();");
}

TEST_F(Translate, LaunchesAsNvccTakesThem) {
  EXPECT_EQ(translate("k<1<4><<<1, 2>>>();"), "EMULATED_KERNEL(k<1<4>).configure(1, 2)();");
  EXPECT_EQ(translate("k<<<1>>>();"), "EMULATED_KERNEL(k).configure(1)();");
  const std::string signs = "#define OPEN <<<\n#define CLOSE >>>\n",
                    instead = "#define OPEN .configure(\n#define CLOSE )\n";
  EXPECT_EQ(translate(signs + "k OPEN 1, 2 CLOSE ();"),
            instead + "EMULATED_KERNEL(k) OPEN 1, 2 CLOSE ();");
  EXPECT_EQ(translate(signs + "k OPEN 1, 2>>>();"), instead + "EMULATED_KERNEL(k) OPEN 1, 2)();");
  EXPECT_EQ(translate(signs + "k<<<1, 2 CLOSE ();"),
            instead + "EMULATED_KERNEL(k).configure(1, 2 CLOSE ();");
}

TEST_F(Translate, RefusesLaunchesThatCannotFit) {
  const std::string values = " between <<< and >>>, not ";
  EXPECT_EQ(error_with_column("__global__ void k();\nvoid f() { k<<<1, 1, 0, 0, 0>>>(); }"),
            "program.cu:2:16: error: there must be one to four values" + values +
                "5: grid, block, bytes of shared memory, stream");
  const std::string kernel = "__global__ void k(int* a, int b = 1);\nvoid f(int* a) { ";
  EXPECT_EQ(error(kernel + "k<<<1, 1>>>(); }"),
            "program.cu:2: error: kernel k(int* a, int b = 1) takes 1 argument, not 0");
  EXPECT_EQ(error(kernel + "k<<<1, 1>>>(a, 1, 2); }"),
            "program.cu:2: error: kernel k(int* a, int b = 1) takes 2 arguments, not 3");
  EXPECT_EQ(error("int g();\nvoid f() { g<<<1, 1>>>(); }"),
            "program.cu:2: error: g is no kernel: only a __global__ function can be launched");
  for (const std::string& text :
       {kernel + "k<<<1, 1>>>(a); k<<<1, 1>>>(a, 2); }",
        kernel + "k<<<f<1, 2>(3), min<int, int>(1, 2), 0>>>(a); }",
        kernel + "k<<<1, 1>>>(ARGUMENTS); }",
        "#define both a, b\n" + kernel + "k<<<1, 1>>>(both); }",
        kernel + "auto k = g; k<<<1, 1>>>(1, 2, 3); }",
        "__global__ void k(float);" + kernel + "k<<<1, 1>>>(); }",
        std::string(
            "template <class... T> __global__ void k(T... x); void f() { k<<<1, 1>>>(1, 2, 3); }"),
        std::string("void g(); __global__ void g(int); void f() { g<<<1, 1>>>(1); }"),
        std::string("void g(); struct A { void (*g)(int); void f() { g<<<1, 1>>>(1); } };")})
    EXPECT_NO_THROW(translate(text)) << text;
}

// How many loops of a kernel with this body are prepared to be run for all threads of a block.
class StridedLoops : public Translate {
 protected:
  int prepared(const std::string& body, const std::string& before = "",
               const std::string& parameters = "int n, float* out, const float* in") {
    const std::string text =
        translate(before + "\n__global__ void k(" + parameters + ") {\n" + body + "\n}\n");
    int count = 0;
    for (std::size_t at = 0; (at = text.find("strided_loop<", at)) != std::string::npos; ++at)
      ++count;
    return count;
  }
  const std::string begin_ = "for (int i = threadIdx.x + blockIdx.x * blockDim.x; i < n; ";
  const std::string head_ = begin_ + "i += blockDim.x * gridDim.x) ";
  const std::string tid_ = "int tid = threadIdx.x + blockIdx.x * blockDim.x;\n";
  const std::string step_ = " tid += blockDim.x * gridDim.x; }";
};

TEST_F(StridedLoops, ArePrepared) {
  EXPECT_EQ(prepared(head_ + "out[i] = in[i];"), 1);
  EXPECT_EQ(prepared(head_ + "{ if (in[i] < 0) continue; out[i] = in[i]; }"), 1);
  EXPECT_EQ(prepared(tid_ + "while (tid < n) { out[tid] = in[tid];" + step_), 1);
  EXPECT_EQ(prepared(tid_ + "int stride = gridDim.x * blockDim.x; while (tid < n) { out[tid] = 1; "
                            "tid = tid + stride; }"),
            1);
  EXPECT_EQ(prepared(head_ + "out[i] = f(in[i]);", "__device__ float f(float x) { return x * 2; }"),
            1);
  EXPECT_EQ(prepared("__shared__ int s[64]; s[threadIdx.x] = 0; __syncthreads();" + head_ +
                     "atomicAdd(&s[i % 64], 1);"),
            1);
  EXPECT_EQ(
      prepared("const int x = threadIdx.x, most = min(n, 64); " + head_ + "out[i] = x + most;"), 1);
  EXPECT_EQ(prepared("float sum = 0; " + head_ + "sum += in[i]; out[threadIdx.x] = sum;"), 1);
  EXPECT_EQ(prepared(head_ + "out[i] = 1; " + head_ + "out[i] += 1;"), 2);
  EXPECT_EQ(prepared(head_ + "{ int j = 0; do { out[i] = j; } while (++j < 3); }"), 1);
  EXPECT_EQ(prepared(head_ + "{ float a = in[i], b[2] = {a, a}; *(out + i) = b[0]; }"), 0);
  EXPECT_EQ(prepared(head_ + "{ float2 v; v.x = in[i]; *(out + i) = v.x; }"), 1);
  EXPECT_EQ(prepared("for (int i = threadIdx.x; i < N; i += blockDim.x) out[i] = N;",
                     "#define N (33 * 1024)\n"),
            1);
  EXPECT_EQ(prepared("for (int i = threadIdx.x; i < N; i += blockDim.x) out[i] = N;",
                     "const int N = 33 * 1024;"),
            1);
}

TEST_F(StridedLoops, AreLeftAlone) {
  for (const std::string& body : std::vector<std::string>{
           // Left early, or changed on the way.
           head_ + "{ if (in[i] < 0) break; out[i] = 1; }",
           head_ + "{ if (in[i] < 0) return; out[i] = 1; }",
           head_ + "{ if (in[i] < 0) goto end; out[i] = 1; } end:;", head_ + "out[i++] = 1;",
           head_ + "{ out[i] = 1; i += 2; }", head_ + "{ int& j = i; ++j; }",
           head_ + "{ int* j = &i; ++*j; }", head_ + "[&] { ++i; }();",
           begin_ + "i += blockDim.x, ++n) out[n] = 1;",
           "float* p = out; " + head_ + "{ *p = 1; p += 3; }",
           "float s = 0; float& t = s; " + head_ + "t += in[i];",
           "float s = 0; float* t = &s; " + head_ + "*t += in[i];",
           "float s[3]; " + head_ + "s[i % 3] += in[i];",
           "float s = 0; auto add = [&s](float x) { s += x; }; " + head_ + "add(in[i]);",
           head_ + "{ n = 3; out[i] = 1; }", head_ + "out++[i] = 1;",
           "int s = blockDim.x; " + begin_ + "i += s) { out[i] = 1; s = 5; }",
           tid_ + "while (tid < n) { if (in[tid] < 0) continue; out[tid] = 1;" + step_,
           tid_ + "while (tid < n) { out[tid] = 1;" + step_ + " out[tid] = 2;",
           // Bounds and steps that are not the same for all, or not known to be.
           begin_ + "i += threadIdx.x + 1) out[i] = 1;", begin_ + "i *= 2) out[i] = 1;",
           begin_ + "i -= blockDim.x) out[i] = 1;", begin_ + "++i) out[i] = 1;",
           "for (int i = threadIdx.x; i < in[0]; i += blockDim.x) out[i] = 1;",
           "for (int i = threadIdx.x; i != n; i += blockDim.x) out[i] = 1;",
           "for (int i = threadIdx.x; i < n < 3; i += blockDim.x) out[i] = 1;",
           "for (int i = threadIdx.x; i < n && in[i] > 0; i += blockDim.x) out[i] = 1;",
           "for (int i = threadIdx.x; i < f(); i += blockDim.x) out[i] = 1;",
           "for (int i = threadIdx.x; i < unknown; i += blockDim.x) out[i] = 1;",
           // Something happens before.
           "if (threadIdx.x == 3) return; " + head_ + "out[i] = 1;",
           "out[threadIdx.x] = 1; " + head_ + "out[i] = 1;",
           "float x = in[0]; " + head_ + "out[i] = x;", "int x = f(); " + head_ + "out[i] = x;",
           "int x = threadIdx.x; x += 2; __syncthreads(); " + head_ + "out[i] = x;",
           "int x = threadIdx.x; int y = x; x += 2; __syncthreads(); " + head_ + "out[i] = y;",
           "if (n > 3) { " + head_ + "out[i] = 1; }", "while (n > 3) " + head_ + "out[i] = 1;",
           // Others may be waited for.
           head_ + "__syncthreads();", head_ + "__syncwarp();",
           head_ + "out[i] = __shfl_sync(~0u, in[i], 0);",
           head_ + "while (atomicAdd(&out[0], 0) == 0) {}",
           head_ + "for (int k = 0; k < 3; ++k) atomicAdd(&out[k], 1);",
           head_ + "out[i] = atomicCAS(mutex, 0, 1);", head_ + "asm(\"bar.sync 0;\");"})
    EXPECT_EQ(prepared(body), 0) << body;
  // With what precedes the kernel.
  for (const auto& [before, body] : std::vector<std::pair<std::string, std::string>>{
           {"__device__ void f(int& x) { ++x; }", head_ + "f(i);"},
           {"__device__ void add(float& s, float x) { s += x; }",
            "float s = 0; " + head_ + "add(s, in[i]);"},
           {"#define ADD s +=\n", "float s = 0; " + head_ + "ADD in[i];"},
           {"#define N threadIdx.x\n",
            "for (int i = threadIdx.x; i < N; i += blockDim.x) out[i] = 1;"},
           {"#define N 3\n#undef N\n#define N g\nint g;\n",
            "for (int i = threadIdx.x; i < N; i += blockDim.x) out[i] = 1;"},
           {"const int N = 33 * 1024;",
            "const int N = in[threadIdx.x]; __syncthreads(); " +
                std::string("for (int i = threadIdx.x; i < N; i += blockDim.x) out[i] = 1;")},
           {"__device__ void f(int& x) { ++x; }",
            "int x = threadIdx.x; f(x); __syncthreads(); " + head_ + "out[i] = x;"},
           {"__device__ float f(int x) { __syncthreads(); return x; }", head_ + "out[i] = f(i);"},
           {"__device__ float f(int x) { return g(x); }", head_ + "out[i] = f(i);"},
           {"__device__ float sqrtf(float& x) { __syncwarp(); return x; }",
            head_ + "out[i] = sqrtf(in[i]);"}})
    EXPECT_EQ(prepared(body, before), 0) << before << body;
  EXPECT_EQ(
      prepared(head_ + "out[i] = in[i];", "", "int n, volatile float* out, volatile float* in"), 0);
  EXPECT_EQ(prepared(head_ + "out[i] = in[i];", "", "int n, Thing out, Thing in"), 0);
}

// Both copies of the body keep their lines, and so does what follows.
TEST_F(StridedLoops, KeepLines) {
  const std::string text = translate(
      "__global__ void k(int n, float* out) {\n"
      "  for (int i = threadIdx.x; i < n; i += blockDim.x) {\n"
      "    out[i] = 1;\n"
      "  }\n"
      "  out[0] = 2;\n"
      "}\n");
  std::map<std::string, std::set<std::size_t>> lines;
  for (const auto& [line, number] : numbered(text))
    for (const std::string what : {"out[i] = 1", "out[0] = 2"})
      if (line.find(what) != std::string::npos) lines[what].insert(number);
  EXPECT_EQ(lines["out[i] = 1"], std::set<std::size_t>{3});
  EXPECT_EQ(lines["out[0] = 2"], std::set<std::size_t>{5});
  EXPECT_EQ(error("__global__ void k(int n, float* out) {\n"
                  "  for (int i = threadIdx.x; i < n; i += blockDim.x) {\n"
                  "    out[i] = 1;\n"
                  "  }\n"
                  "}\n"
                  "void f() { k(1, nullptr); }\n")
                .substr(0, 13),
            "program.cu:6:");
}

// A file that a program has written says itself where its lines come from.
TEST_F(StridedLoops, KeepLinesOfTheSourcesOwn) {
  const std::string text = translate(
      "#line 101 \"mine.cu\"\n"
      "__global__ void k(int n, float* out) {\n"
      "  for (int i = threadIdx.x; i < n; i += blockDim.x) {\n"
      "    out[i] = 1;\n"
      "  }\n"
      "  out[0] = 2;\n"
      "}\n");
  for (const auto& [line, number] : numbered(text)) {
    if (line.find("out[i] = 1") != std::string::npos) {
      EXPECT_EQ(number, 103u);
    }
    if (line.find("out[0] = 2") != std::string::npos) {
      EXPECT_EQ(number, 105u);
    }
  }
  try {
    translate("\n#line 7 \"mine.cu\"\n#include <curand_kernel.h>\n");
    ADD_FAILURE() << "it is translated";
  } catch (const std::exception& e) {
    EXPECT_TRUE(std::string(e.what()).starts_with("mine.cu:7:")) << e.what();
  }
}

TEST_F(Translate, Subscripts) {
  const std::string text = translate(
      "__global__ void k(float* out, const int* in, cudaTextureObject_t t, int w, int n) {\n"
      "  const int x = threadIdx.x + blockIdx.x * blockDim.x;\n"
      "  if (x >= w) return;\n"
      "  int i = x + blockIdx.y * w;\n"
      "  out[i] = tex1Dfetch<float>(t, i);\n"
      "  if (x > 0) out[i + 1] += out[in[(int)x]];\n"
      "  for (int j = 0; j < n; ++j) out[w * x] += in[j] + in[x + j] + in[blockIdx.x];\n"
      "  i = change(w);\n"
      "  out[i] = 0;\n"
      "}\n"
      "__device__ float f(float* out, int i) { return out[i + threadIdx.x]; }\n");
  for (const std::string part : {
           "  out[::emulated::subscript(i)] = tex1Dfetch<float>(t, i);\n",
           "  if (x > 0) out[::emulated::subscript(i + 1)] += out[in[::emulated::subscript(",
           "out[::emulated::subscript(w * x)] += in[j] + in[x + j] + in[blockIdx.x];\n",
           "  out[i] = 0;\n",
           "return out[i + threadIdx.x];",
       })
    EXPECT_NE(text.find(part), std::string::npos) << part << "\nin\n" << text;
}

TEST_F(Translate, PointersToKernels) {
  EXPECT_EQ(translate("if (x) (*pointer)<<<1, 2>>>();"),
            "if (x) EMULATED_KERNEL((*pointer)).configure(1, 2)();");
  EXPECT_EQ(translate("table[i + 1]<<<1, 2>>>();"),
            "EMULATED_KERNEL(table[i + 1]).configure(1, 2)();");
  EXPECT_EQ(translate("a.b->kernel<<<1, 2>>>();"),
            "EMULATED_KERNEL(a.b->kernel).configure(1, 2)();");
  EXPECT_EQ(translate("x = choose(a, b)<<<1, 2>>>();"),
            "x = EMULATED_KERNEL(choose(a, b)).configure(1, 2)();");
  EXPECT_EQ(translate("T::template k<3><<<1, 2>>>();"),
            "EMULATED_KERNEL(T::template k<3>).configure(1, 2)();");
}

TEST_F(Translate, LeavesCommentsAndStringsAlone) {
  for (const std::string text :
       {"// k<<<1, 2>>>(x)\n", "/* k<<<1,\n 2>>>(x) */", "f(\"k<<<1, 2>>>(x) \\\" k<<<\");",
        "c = '\"'; d = '<'; // k<<<", "R\"(k<<<1, 2>>>())\";", "u8R\"x( )\" k<<< )x\";",
        "n = 1'000'000 << 2; a = b<c<d>>(e);", "// ends with a backslash \\\n k<<<1, 2>>>(x)\n",
        "extern int x[]; // extern __shared__ int y[];"})
    EXPECT_EQ(translate(text), text);
  EXPECT_EQ(translate("f(\"<<<\", k<<<1, '\\''>>>(\">>>\"));"),
            "f(\"<<<\", EMULATED_KERNEL(k).configure(1, '\\'')(\">>>\"));");
  EXPECT_EQ(translate("n = 0xff'ff; k<<<1, 1'0>>>();"),
            "n = 0xff'ff; EMULATED_KERNEL(k).configure(1, 1'0)();");
}

TEST_F(Translate, DynamicSharedMemory) {
  EXPECT_EQ(
      translate("__device__ void k() { extern __shared__ float s[]; }"),
      "__device__ void k() { [[maybe_unused]] auto& s = ::emulated::dynamic_shared<float>(); }");
  EXPECT_EQ(
      translate("namespace a {\ntemplate <class T> __device__ void k() {\n  extern __shared__ "
                "__align__(sizeof(T))\n unsigned char s [ ] ;}\n}"),
      "namespace a {\ntemplate <class T> __device__ void k() {\n  [[maybe_unused]] auto& s = "
      "::emulated::dynamic_shared<unsigned char>();\n}\n}");
  EXPECT_EQ(translate("__device__ void k() { extern __shared__ volatile ns::V<int, 2> s[]; }"),
            "__device__ void k() { [[maybe_unused]] auto& s = ::emulated::dynamic_shared<volatile "
            "ns::V<int, 2>>(); }");
}

TEST_F(Translate, AlignmentOfSharedMemory) {
  const std::string text =
      translate("__global__ void k() { __shared__ alignas(\n 16) float s[4]; }");
  EXPECT_NE(text.find("alignas(  16) __shared__ \n float s[4];"), std::string::npos) << text;
}

TEST_F(Translate, OtherChanges) {
  EXPECT_EQ(translate("cudaLaunchKernel((void*)k<int>, g, b, a);"),
            "cudaLaunchKernel(k<int>, g, b, a);");
  EXPECT_EQ(translate("cudaLaunchCooperativeKernel(reinterpret_cast<const void*>(k), g);"),
            "cudaLaunchCooperativeKernel((k), g);");
  const std::string kernel = "template <class T, int n> __global__ void k();\n";
  for (const auto& [cast, address] :
       {std::pair{"(void*)k<int, 4>", "k<int, 4>"},
        std::pair{"reinterpret_cast<const void *>(&k<int, 4>)", "(&k<int, 4>)"},
        std::pair{"(void*)k<int,\n4>", "k<int,\n4>"},
        std::pair{"(const void*) ::k<int, (4 > 3)>", "::k<int, (4 > 3)>"}}) {
    const std::string text = translate(kernel + "void f() { p = " + cast + "; }");
    EXPECT_NE(text.find(std::string("p = EMULATED_KERNEL_ADDRESS(") + address + ");"),
              std::string::npos)
        << text;
  }
  EXPECT_EQ(translate("void f(int* k) { p = (void*)k; }"), "void f(int* k) { p = (void*)k; }");
  EXPECT_EQ(translate("__device__ __noinline__ int f(); int g() __attribute__((__noinline__));"),
            "__device__ __attribute__((noinline)) int f(); int g() __attribute__((__noinline__));");
}

TEST_F(Translate, Includes) {
  write("plain.h", "int plain;");
  write("sub/other.cuh",
        "#pragma once\n#include \"../plain.h\"\n#include \"inner.cuh\"\nvoid f() { k<<<1, 2>>>(); "
        "}\n");
  write("sub/inner.cuh", "#pragma once\nvoid g() { k<<<1, 2>>>(); }\n");
  const std::string text = translate(
      "#include <vector>\n#include \"plain.h\"\n#  include \"sub/other.cuh\"\n#include "
      "\"missing.h\"\n");
  const std::string f = folder_.string();
  std::string name;
  for (const char c : f + "/sub/") name += std::isalnum(static_cast<unsigned char>(c)) ? c : '_';
  EXPECT_EQ(text, "#include <vector>\n#include \"" + f + "/plain.h\"\n#  include \"" + f + "/out/" +
                      name + "other.cuh.h\"\n#include \"missing.h\"\n");
  EXPECT_EQ(read(folder_ / "out" / (name + "other.cuh.h")),
            "#line 1 \"" + f + "/sub/other.cuh\"\n#pragma once\n#include \"" + f +
                "/plain.h\"\n#include \"" + f + "/out/" + name +
                "inner.cuh.h\"\nvoid f() { EMULATED_KERNEL(k).configure(1, 2)(); }\n");
}

// An #error stands where the header would: the compiler sees it only if
// the condition around it holds.
TEST_F(Translate, HeadersThatAreMissing) {
  EXPECT_EQ(translate("#ifdef X\n#include <cub/cub.cuh>  // sums\n#endif\n"),
            "#ifdef X\n#error cub/cub.cuh: the emulated device does not have this header; write "
            "the kernel by hand or use the gpu build  // sums\n#endif\n");
  // Where the compiler cannot leave it out, that is all that is said.
  EXPECT_EQ(error("\n#include <curand_kernel.h>\n#include <cub/cub.cuh>\n"),
            "program.cu:2: error: curand_kernel.h: the emulated device does not have this header; "
            "write a generator such as a hash of the thread's number, or use the gpu build");
  EXPECT_TRUE(error("#if 1\n#endif\n# include \"helper_math.h\"")
                  .starts_with("program.cu:3: error: helper_math.h: "));
  EXPECT_EQ(translate("#include <vector>\n#include <cuda_fp16.h>\n#include <thrust"),
            "#include <vector>\n#include <cuda_fp16.h>\n#include <thrust");
  write("helper_math.h", "int mine;\n");
  EXPECT_EQ(translate("#include \"helper_math.h\"").find("#error"), std::string::npos);
}

// As with -I. of a compiler; where the system has a header of that name, that is meant.
TEST_F(Translate, OwnHeadersInAngleBrackets) {
  write("mine.h", "void f() { k<<<1, 2>>>(); }\n");
  write("time.h", "int no_time;\n");
  const std::string text = translate("#include <mine.h>\n#include <time.h>\n");
  EXPECT_NE(text.find("mine.h.h\"\n#include <time.h>\n"), std::string::npos) << text;
}

// What only an editor reads.
TEST_F(Translate, BranchesForEditors) {
  const std::string code =
      "void __syncthreads();\n#endif\n__global__ void k() { __syncthreads(); }\n";
  for (const char* condition :
       {"#ifdef __INTELLISENSE__\n", "#if defined(__INTELLISENSE__)\n",
        "#if defined __INTELLISENSE__\n", "#ifndef __INTELLISENSE__\n#else\n"})
    EXPECT_EQ(error(condition + code), "no error") << condition;
}

TEST_F(Translate, TextureReferences) {
  const std::string program = "static texture<float, 2> picture;\n";
  EXPECT_EQ(
      error(program),
      "program.cu:1: error: texture references are gone since CUDA 12: make a texture object with "
      "cudaCreateTextureObject() and give it to the kernel as a cudaTextureObject_t");
  // Where the program has such a template of its own, or may have.
  EXPECT_EQ(error("template <class T, int n>\nstruct texture {};\n" + program), "no error");
  EXPECT_EQ(error("#define LIST \"list.h\"\n#include LIST\n" + program), "no error");
}

TEST_F(Translate, InlinePtx) {
  const auto in_kernel = [this](const std::string& statement) {
    return translate("__global__ void k() { unsigned a; " + statement + " }");
  };
  EXPECT_EQ(in_kernel("asm(\"mov.u32 %0, %%laneid;\" : \"=r\"(a));"),
            "__global__ void k() { unsigned a; static_cast<void>((::emulated::ptx::assign((a), "
            "::emulated::ptx::mov_(::emulated::ptx::as<unsigned>(::emulated::lane()))))); }");
  EXPECT_EQ(
      in_kernel("asm(\"add.f32 %0, 0f3F800000, 2;\\n\\t\" : \"=f\"(a));"),
      "__global__ void k() { unsigned a; static_cast<void>((::emulated::ptx::assign((a), "
      "::emulated::ptx::add_(::emulated::ptx::as<float>(__builtin_bit_cast(float, 0x3F800000u)), "
      "::emulated::ptx::as<float>(2))))); }");
  const std::string barrier = "__global__ void k() { asm volatile(\"\" ::: \"memory\"); }";
  EXPECT_EQ(translate(barrier), barrier);
  const std::string host = "void f() { asm volatile(\"pause\"); }";
  EXPECT_EQ(translate(host), host);
  // The compiler must say it, where no #ifdef leaves it out.
  EXPECT_EQ(
      translate("__device__ void f(int a) {\n  asm(\"wgmma.fence.sync.aligned;\");\n}"),
      "__device__ void f(int a) {\n  _Pragma(\"GCC error \\\"the emulated device does not know the "
      "inline PTX 'wgmma.fence.sync.aligned'; write it in CUDA C++, or choose with #ifdef "
      "EMULATED_DEVICE\\\"\");\n}");
  EXPECT_NE(translate("__device__ void f(int a) { asm(\"mov.u32 %0, %%envreg3;\" : \"=r\"(a)); }")
                .find("%envreg3"),
            std::string::npos);
}

TEST_F(Translate, KnowsItsInputsAndKeepsWhatDoesNotChange) {
  write("a.cuh", "int a;\n");
  const fs::path input = write("program.cu", "#include \"a.cuh\"\n"),
                 output = folder_ / "out" / "program.cpp";
  translate::Translator translator(folder_ / "out");
  translator.translate(input, output);
  EXPECT_EQ(translator.inputs(), (std::set<fs::path>{folder_ / "a.cuh", input}));
  const auto before = fs::last_write_time(output) - std::chrono::hours(1);
  fs::last_write_time(output, before);
  translate::Translator(folder_ / "out").translate(input, output);
  EXPECT_EQ(fs::last_write_time(output), before);
  write("program.cu", "#include \"a.cuh\"\nint b;\n");
  translate::Translator(folder_ / "out").translate(input, output);
  EXPECT_NE(fs::last_write_time(output), before);
}

// Ninja compiles the output again only if it has become newer.
TEST_F(Translate, AChangedHeaderMakesTheOutputNew) {
  write("inner.cuh", "void a() { k<<<1, 2>>>(); }\n");
  write("a.cuh", "#include \"inner.cuh\"\n");
  const fs::path input = write("program.cu", "#include \"a.cuh\"\n"),
                 output = folder_ / "out" / "program.cpp";
  translate::Translator(folder_ / "out").translate(input, output);
  const std::string text = read(output);
  const auto before = fs::last_write_time(output) - std::chrono::hours(1);
  fs::last_write_time(output, before);
  write("inner.cuh", "void b() { k<<<1, 2>>>(); }\n");
  write("program.cu", "#include \"a.cuh\"\nk<<<1;\n");  // an error in between loses nothing
  EXPECT_ANY_THROW(translate::Translator(folder_ / "out").translate(input, output));
  EXPECT_EQ(fs::last_write_time(output), before);
  write("program.cu", "#include \"a.cuh\"\n");
  translate::Translator(folder_ / "out").translate(input, output);
  EXPECT_GT(fs::last_write_time(output), before);
  EXPECT_EQ(read(output), text);
}

TEST_F(Translate, KnowsWhereCodeIs) {
  for (const std::string text :
       {"#if 0\nk<<<1, 2>>>(x \" ( ' \n#endif\n", "#if 1\n#else\nk<<<\n#endif\n",
        "#if (0)\n#if X\nk<<<\n#else\nk<<<\n"
        "#endif\n#endif\n",
        "#error it's k<<<1, 2>>>(x)\n", "c = u8'<'; d = U'\\''; e = L\"k<<<\";\n",
        "auto r = LR\"a(k<<<1, 2>>>(\")a\";\n", "std::ostream& operator<<<int>(A, B);\n",
        "#include <k<<<1>>>'>\n"})
    EXPECT_EQ(translate(text), text);
  EXPECT_EQ(translate("#if 0\n#elif X\nk<<<1, 2>>>();\n#endif\n"),
            "#if 0\n#elif X\nEMULATED_KERNEL(k).configure(1, 2)();\n#endif\n");
  // Branches that open the same bracket.
  EXPECT_EQ(translate("void f() {\n#if A\nif (a) {\n#else\nif (b) {\n#endif\nk<<<1, 2>>>(); } }\n"
                      "void g() { k<<<3, 4>>>(); }"),
            "void f() {\n#if A\nif (a) {\n#else\nif (b) {\n#endif\nEMULATED_KERNEL(k).configure(1, "
            "2)(); } }\n"
            "void g() { EMULATED_KERNEL(k).configure(3, 4)(); }");
}

TEST_F(Translate, AnyBytesAndAnyLength) {
  EXPECT_EQ(translate("\xef\xbb\xbfint a;\r\nk<<<1, 2>>>(\r\n);\r\n"),
            "int a;\r\nEMULATED_KERNEL(k).configure(1, 2)(\r\n);\r\n");
  EXPECT_EQ(translate("// Latin-1: \xe4\xf6\nm\xfc<<<1, 2>>>();"),
            "// Latin-1: \xe4\xf6\nEMULATED_KERNEL(m\xfc).configure(1, 2)();");
  EXPECT_EQ(error("\xff\xfe k"),
            "program.cu:1: error: the file is in UTF-16, which C++ compilers do not read; save "
            "it as UTF-8");
  const std::string many(200000, '1');
  EXPECT_EQ(translate("int a = " + many + "; k<<<1, 2>>>(\"" + many + "\");"),
            "int a = " + many + "; EMULATED_KERNEL(k).configure(1, 2)(\"" + many + "\");");
}

TEST_F(Translate, Configurations) {
  EXPECT_EQ(translate("k<<<n >> 2, [=] { f(); return 32; }(), m << 3>>>();"),
            "EMULATED_KERNEL(k).configure(n >> 2, [=] { f(); return 32; }(), m << 3)();");
  EXPECT_EQ(translate("k<<<shape<A<B<int>>>(n), size<4>::value>>>();"),
            "EMULATED_KERNEL(k).configure(shape<A<B<int>>>(n), size<4>::value)();");
}

TEST_F(Translate, Macros) {
  EXPECT_EQ(translate("#define RUN(k, ...) \\\n  k<<<1, 2>>>(__VA_ARGS__)\n"),
            "#define RUN(k, ...) \\\n  EMULATED_KERNEL(k).configure(1, 2)(__VA_ARGS__)\n");
  EXPECT_EQ(translate("#define RUN(k) (k)<<<1, 2>>>()\n"),
            "#define RUN(k) EMULATED_KERNEL((k)).configure(1, 2)()\n");
  EXPECT_EQ(
      translate("#define SHAPE(g, b) <<<g, b>>>\nif (x) n::k<int> SHAPE(1, 2) (a);"),
      "#define SHAPE(g, b) .configure(g, b)\nif (x) EMULATED_KERNEL(n::k<int>) SHAPE(1, 2) (a);");
  EXPECT_EQ(translate("#define START(k) k<<<1, 2>>>\nSTART(a)(b);"),
            "#define START(k) EMULATED_KERNEL(k).configure(1, 2)\nSTART(a)(b);");
  EXPECT_EQ(error("#define SHAPE <<<1, 2\n"), "program.cu:1: error: this <<< has no >>>");
}

TEST_F(Translate, LaunchesInEveryHeader) {
  for (const std::string ending : {".h", ".hpp", ".cuh", ".inl"}) {
    write("sub/header" + ending, "void f() { k<<<1, 2>>>(); }\n");
    const fs::path input = write("program.cu", "#include \"header" + ending + "\"\n"),
                   output = folder_ / "out" / "p.cpp";
    translate::Translator(folder_ / "out", {folder_ / "sub"}).translate(input, output);
    EXPECT_NE(read(output).find("header" + ending + ".h\""), std::string::npos) << read(output);
  }
}

TEST_F(Translate, SharedMemoryInEveryOrder) {
  const std::string reference = "[[maybe_unused]] auto& s = ::emulated::dynamic_shared<float>();";
  for (const std::string text : {"extern __shared__ float s[];", "__shared__ extern float s[];",
                                 "extern float __shared__ s[];", "float extern __shared__ s[];"})
    EXPECT_EQ(translate("__device__ void k() { " + text + " }"),
              "__device__ void k() { " + reference + " }");
  EXPECT_EQ(translate("__device__ void k() { extern volatile __shared__ half s[][N + 1]; }"),
            "__device__ void k() { [[maybe_unused]] auto& s = ::emulated::dynamic_shared<volatile "
            "half[N + 1]>(); }");
  // With a size it is static, as with nvcc.
  EXPECT_EQ(translate("__device__ void k() { extern __shared__ float s[64]; }"),
            "__device__ void k() {  __shared__ float s[64]; EMULATED_NOTE_SHARED(s, nullptr); }");
  EXPECT_EQ(
      translate("__device__ void k() { static __shared__ int a[4]; int __shared__ static b; }"),
      "__device__ void k() {  __shared__ int a[4]; EMULATED_NOTE_SHARED(a, nullptr); int "
      "__shared__  b; EMULATED_NOTE_SHARED(b, nullptr); }");
  // At namespace scope it moves to where the name is used.
  EXPECT_EQ(translate("namespace a {\nextern __shared__ int s[];\n__global__ void k() { s[0]; }\n"
                      "__global__ void l(int s) { s; }\n}"),
            "namespace a {\n\n__global__ void k() { [[maybe_unused]] auto& s = "
            "::emulated::dynamic_shared<int>(); s[0]; }\n__global__ void l(int s) { s; }\n}");
}

TEST_F(Translate, NotesDeclarations) {
  EXPECT_EQ(
      translate("__global__ void __launch_bounds__(64, 2) k(int* a, float) {}"),
      "__global__ void __launch_bounds__(64, 2) k(int* a, float) { EMULATED_NOTE_KERNEL((64), "
      "k);}");
  // A kernel's own variable, and one of a function that it calls.
  EXPECT_EQ(translate("template <class T, int n> __global__ void k() { __shared__ T a[n][2], b; }"),
            "template <class T, int n> __global__ void k() { __shared__ T a[n][2], b; "
            "EMULATED_NOTE_SHARED(a, k<T, n>); EMULATED_NOTE_SHARED(b, k<T, n>); }");
  EXPECT_EQ(translate("namespace a { __global__ void k(int* k) { __shared__ int b; } }"),
            "namespace a { __global__ void k(int* k) { __shared__ int b; "
            "EMULATED_NOTE_SHARED(b, ::a::k); } }");
  EXPECT_EQ(translate("__device__ void f() { __shared__ S<int, 2> s; }"),
            "__device__ void f() { __shared__ S<int, 2> s; EMULATED_NOTE_SHARED(s, nullptr); }");
  // Static variables of the device's functions, but not members of their classes.
  EXPECT_EQ(
      translate("__device__ int f() { const static int a[2] = {}, *b; static constexpr int c = 1; "
                "struct S { static int g(); }; }"),
      "__device__ int f() { const EMULATED_CONSTANT_VALUE static int a[2] = {}, *b; "
      "EMULATED_NOTE_STATIC(a); EMULATED_NOTE_STATIC(b); static constexpr int c = 1; "
      "EMULATED_NOTE_STATIC(c); struct S { static int g(); }; }");
  for (const std::string text :
       {"__host__ __device__ int f() { static int a; }", "int f() { static int a; }"})
    EXPECT_EQ(translate(text), text);
  EXPECT_NE(translate("ALIGNED(16) __device__ int d;").find("(emulated_note_of_d, d, device)"),
            std::string::npos);
  EXPECT_NE(translate("__device__ ALIGNED(16) int d;").find("(emulated_note_of_d, d, device)"),
            std::string::npos);
  EXPECT_EQ(
      translate("__constant__ float c[3];"),
      "static __constant__ float c[3]; namespace { EMULATED_NOTE_VARIABLE(emulated_note_of_c, c, "
      "constant); }");
  // Several files share what they declare extern.
  EXPECT_NE(
      translate("extern __device__ int d;\n__device__ int d = 1;").find("\n__device__ int d = 1;"),
      std::string::npos);
  EXPECT_EQ(translate("#define MINE __device__\nMINE int a = 1, *b;"),
            "#define MINE __device__\nMINE int a = 1, *b; namespace { "
            "EMULATED_NOTE_VARIABLE(emulated_note_of_a, a, device); "
            "EMULATED_NOTE_VARIABLE(emulated_note_of_b, b, device); }");
  for (const std::string text : {"extern __constant__ float c[3];", "__device__ int f(int);",
                                 "int host;", "struct S { __device__ S(int); };"})
    EXPECT_EQ(translate(text), text);
  // Where a variable cannot be noted, the runtime hears of that.
  EXPECT_NE(translate("template <class T> __device__ T v;").find("::emulated::UnnotedVariables"),
            std::string::npos);
}

TEST_F(Translate, Casts) {
  const std::string head = "__device__ void f(float x, int* p)";
  EXPECT_EQ(body(head, "g((int)x + 1);"), "g((int)(::emulated::Converted<int>)x + 1);");
  EXPECT_EQ(body(head, "g(-(unsigned char)h<int>(x)[2].y);"),
            "g(-(unsigned char)(::emulated::Converted<unsigned char>)h<int>(x)[2].y);");
  EXPECT_EQ(body(head, "g((float)(long long)-x);"),
            "g((float)(long long)(::emulated::Converted<long long>)-x);");
  EXPECT_EQ(body(head, "g(static_cast<std::size_t>(x), int(x));"),
            "g(::emulated::to<std::size_t>(x), ::emulated::to<int>(x));");
  // What is no cast. Implicit conversions are the compiler's: a number that does not fit is
  // reported when it happens.
  for (const char* text :
       {"g(sizeof(int) * x);", "int (*h)(int) = 0;", "int i = threadIdx.x * 4 + p[0];", "(f)(x);",
        "float i; i = x;", "int i = x, j = 2; j *= x;", "p[2] = x;", "auto v = make_int2(x, p[0]);",
        "(void)x;", "bool b = (bool)x;", "long double d = (long double)x;"})
    EXPECT_EQ(body(head, text), text);
  EXPECT_EQ(translate("using index = int;\n__device__ int f(float x) { return (index)x; }"),
            "using index = int;\n__device__ int f(float x) { return "
            "(index)(::emulated::Converted<index>)x; }");
  EXPECT_EQ(translate("int f(float x) { return (int)x; }"),
            "int f(float x) { return (int)x; }");  // the host's
  EXPECT_EQ(translate("void f() { each([=] __device__(float x) { return (int)x; }, (int)y); }"),
            "void f() { each([=] __device__(float x) { return (int)(::emulated::Converted<int>)x; "
            "}, (int)y); }");
}

TEST_F(Translate, Shifts) {
  const std::string head = "__device__ void f(unsigned a, int n, unsigned* p)";
  EXPECT_EQ(body(head, "g(a << n);"), "g(a << EMULATED_SHIFT_LEFT n);");
  EXPECT_EQ(
      body(head, "g(a<<n, a>>40, a<<=n);"),
      "g(a<< EMULATED_SHIFT_LEFT n, a>> EMULATED_SHIFT_RIGHT 40, a<<= EMULATED_ASSIGN_LEFT n);");
  EXPECT_EQ(body(head, "g(p[1] >> (n + 1) << 2);"),
            "g(p[1] >> EMULATED_SHIFT_RIGHT (n + 1) << 2);");
  EXPECT_EQ(body(head, "a <<= n;"), "a <<= EMULATED_ASSIGN_LEFT n;");
  EXPECT_EQ(body(head, "*p >>= -n;"), "*p >>= EMULATED_ASSIGN_RIGHT -n;");
  EXPECT_EQ(
      body(head, "g(1 << 40, 1 << 3 * n, a >> (int)n);"),
      "g(1 << EMULATED_SHIFT_LEFT 40, 1 << EMULATED_SHIFT_LEFT 3 * n, a >> EMULATED_SHIFT_RIGHT "
      "(int)(::emulated::Converted<int>)n);");
  // Small amounts, template arguments, what is no shift.
  for (const char* text :
       {"g(a << 3 | 1);", "a >>= 31;", "vector<vector<int>> v;", "pair<int, pair<int, g<2>>> v(1);",
        "h<g<1 + 2>>(x);", "if (is_same_v<A, B<C>>) g();", "g(a < n, n > a);"})
    EXPECT_EQ(body(head, text), text);
  EXPECT_EQ(translate("unsigned f(unsigned a, int n) { return a << n; }"),
            "unsigned f(unsigned a, int n) { return a << n; }");  // the host's
  EXPECT_EQ(translate("#define SHIFTED(a, n) ((a) << (n))\n"),
            "#define SHIFTED(a, n) ((a) << EMULATED_SHIFT_LEFT (n))\n");
  EXPECT_EQ(translate("#define LANES (1 << LOG_LANES)\n"), "#define LANES (1 << LOG_LANES)\n");
}

// What is written does not grow together with what is there.
TEST_F(Translate, Seams) {
  EXPECT_EQ(translate("__device__ int f(bool c, float x) { return c?1:int(x); }"),
            "__device__ int f(bool c, float x) { return c?1: ::emulated::to<int>(x); }");
  EXPECT_EQ(translate("#define CALL(name) k_##name<<<1, 2>>>(3)\n"),
            "#define CALL(name) EMULATED_KERNEL(k_##name).configure(1, 2)(3)\n");
}

TEST_F(Translate, Refusals) {
  const std::map<std::string, std::string> sentences = {
      {"__global__ void k(int);\nvoid f() {\n k(1); }",
       "3: error: kernel k must be launched: k<<<grid, block>>>(...)"},
      {"__device__ int d();\nint f() { return d(); }",
       "2: error: d is a __device__ function: host code such as f cannot call it"},
      {"int h();\n__global__ void k() {\n\n h(); }",
       "4: error: h is a function of the host: k runs on the device and can only call __device__ "
       "functions"},
      {"__global__ void k() { std::rand(); }",
       "1: error: rand is a function of the host: k runs on the device and can only call "
       "__device__ functions"},
      {"__global__ void k() {\n threadIdx.x = 1; }",
       "2: error: threadIdx cannot be written: it tells a thread where it is"},
      {"__global__ void k() { ++blockDim.y; }",
       "1: error: blockDim cannot be written: it tells a thread where it is"},
      {"__constant__ int c[4];\n__device__ void k() { c[1] += 1; }",
       "2: error: c is __constant__: a kernel can only read it"},
      {"__constant__ int c;\n__device__ void k(int i) { f(i, c); c = 1; }",
       "2: error: c is __constant__: a kernel can only read it"},
      {"\n__global__ int k() {}", "2: error: kernel k must return void: results go to memory"},
      {"__global__ void k() {\n  __shared__ int s = 0; }",
       "2: error: a __shared__ variable cannot be initialized: let a thread write to it, then call "
       "__syncthreads()"}};
  for (const auto& [text, sentence] : sentences) EXPECT_EQ(error(text), "program.cu:" + sentence);
}

TEST_F(Translate, RefusesVariablesOfTheHost) {
  const std::string sentence =
      "\" is undefined in device code: it is a variable of the host; pass it as an argument, or "
      "make it __device__ or __constant__";
  EXPECT_EQ(error_with_column("int n, *p;\n__global__ void k() {\n  p[n] = n; }"),
            "program.cu:3:3: error: \"p" + sentence + "\nprogram.cu:3:5: error: \"n" + sentence);
  for (const char* text :
       {"int n; __global__ void k(int* o) { *o = n; }",
        "static float n = 1; __device__ float f() { return n; }",
        "int m, n[2]; __global__ void k(int* o) { *o = n[1]; }",
        "namespace a { int n; namespace b { __global__ void k(int* o) { *o = n; } } }",
        "namespace a { int n; } __global__ void k(int* o) { *o = a::n; }",
        "namespace { int n; } __global__ void k(int* o) { *o = ::n; }",
        "struct P { int x; } n; __global__ void k(int* o) { *o = n.x; }",
        "struct P { int x; }; struct P n; __global__ void k(int* o) { *o = n.x; }",
        "const int n[2] = {1, 2}; __global__ void k(int* o) { *o = n[*o]; }",
        "template <class T> struct V {}; V<int> n; __global__ void k() { n; }",
        "template <class T> __global__ void k(T* o) { *o = 1; } int n; __global__ void "
        "l(int* o) { *o = n; }"})
    EXPECT_EQ(error(text), "program.cu:1: error: \"n" + sentence) << text;
  write("settings.h", "#pragma once\nint n = 3;\n");
  EXPECT_EQ(error("#include \"settings.h\"\n__global__ void k(int* o) { *o = n; }"),
            "program.cu:2: error: \"n" + sentence);
  // Within #if the compiler knows whether the line counts.
  EXPECT_EQ(
      translate("int n;\n#ifdef FAST\n__device__ int f() { return n; }\n#endif\n"),
      "int n;\n#ifdef FAST\n__device__ int f() { return _Pragma(\"GCC error \\\"\\\\\\\"n\\\\\\" +
          sentence + "\\\"\") n; }\n#endif\n");
}

// Names that may mean something else, and what nvcc accepts.
TEST_F(Translate, AcceptsNamesLikeThoseOfTheHost) {
  for (const char* text :
       {"const int n = 8; __global__ void k(int* o) { *o = n; }",
        "__global__ void k() { n; } int n;",
        "int n; __global__ void k(int n) { n; }",
        "int n; __global__ void k() { int m, n = 2; n; }",
        "int n; template <int n> __global__ void k() { n; }",
        "int n; __global__ void k(A a, A* b) { a.n = b->n; }",
        "int n; enum { n2, n3 }; namespace a { enum { n }; __global__ void k() { n; } }",
        "namespace a { int n; } __global__ void k() { n; }",
        "int n; namespace a { __device__ int n; }\n"
        "__global__ void k() { a::n; }",
        "int n; struct A { int n; __device__ int f() { return n; } };",
        "int n; template <class T> __host__ __device__ int f() { return n; }",
        "int n; struct A { int n; __device__ int f(); }; __device__ int A::f() { return n; }",
        "float n[4]; __global__ void k(int* o) { *o = sizeof(n) / sizeof n[0]; }",
        "int n;\n#define n 4\n__global__ void k(int* o) { *o = n; }",
        "int n; __global__ void k() { DECLARE(int, n); n; }",
        "int n; __global__ void k() { auto [m, n] = f(); n; }",
        "int n; struct n {}; __global__ void k() { n(); }",
        "struct n; __global__ void k() { n* p; }",
        "enum n : int {}; __global__ void k() { n(1); }",
        "using n = int; __global__ void k() { n(1); }",
        "TABLE(n); __global__ void k() { n; }",
        "SPACE int n; __global__ void k() { n; }",
        "int n; __global__ void k() { [](int n) { n; }; }",
        "int n; void f() { n = 1; }",
        "int n; KERNEL k() { n; }",
        "__shared__ int n; __global__ void k() { n; }"})
    EXPECT_NO_THROW(translate(text)) << text;
}

TEST_F(Translate, RefusesNothingThatIsRight) {
  for (const char* text :
       {"__global__ void k(int); void f() { k<<<1, 2>>>(3); }",
        "#define KERNEL __global__ void\nKERNEL k(int* p) { *p = 1; } void f() { k<<<1, 2>>>(0); }",
        "__global__ void k(); void f() { auto k = [] {}; k(); }",
        "__global__ void k(); void k(int); void f() { k(1); }",
        "HD int h(); __global__ void k() { h(); }",
        "constexpr int h() { return 1; } __global__ void k() { h(); }",
        "#define HD __host__ __device__\nHD int h(); __global__ void k() { h(); }",
        "__constant__ int c; void f() { c = 1; }",
        "__constant__ int* p; __global__ void k() { p[0] = 1; }",
        "__constant__ int c; __device__ void f(int c) { c = 1; }",
        "__constant__ int c; struct A { int c; __device__ void f() { c = 1; } };",
        "__constant__ int c; struct A { int c; __device__ void f(); };\n__device__ void A::f() { c "
        "= 1; }",
        "__constant__ int c; __global__ void k() { __shared__ int a[2], c; c = 1; }",
        "__constant__ int c; __global__ void k() { for (int i = f(2, 3), c = 2; i < c; ++i) c = 1; "
        "}",
        "__global__ void k() { if (threadIdx.x == 1) return; }",
        "__device__ int d(); __host__ int d(); int f() { return d(); }",
        "struct A { void k(); }; __global__ void k();",
        "class A { friend __global__ void k(A); };",
        "namespace a { __global__ void k(); } __global__ void a::k() {}",
        "template <class T> __global__ void k(T... x) {}",
        "__global__ void k(int a[], int (&&b)()) {}",
        "__device__ cudaError_t f() { return cudaError_t(1); }",
        "void f() { throw 1; } __device__ void g();",
        "template <class T> __host__ __device__ void f() { throw 1; }",
        "void f() { [] __device__ () { __shared__ int s; }; }",
        "void f() { struct A { __device__ int g(); }; }",
        "void f(int n) { int a[n]; }",
        "#define __shfl(a, b) __shfl_sync(~0u, a, b)\n__device__ int f() { return __shfl(1, 2); }",
        "__global__ void k() { extern __shared__ int s[]; } namespace a { __global__ void k() { "
        "extern __shared__ float s[]; } }",
        "template <class T> __global__ void k() { extern __shared__ T s[]; } __global__ void l() { "
        "extern __shared__ int s[]; }",
        "__global__ void k() { extern __shared__ real s[]; } __global__ void l() { extern "
        "__shared__ float s[]; }"})
    EXPECT_NO_THROW(translate(text)) << text;
}

TEST_F(Translate, WarnsOfFunctionsThatChooseByArchitecture) {
  const fs::path input =
      write("program.cu",
            "__host__ __device__ int f() {\n#ifdef __CUDA_ARCH__\n return 1;\n#else\n return "
            "2;\n#endif\n}\n"
            "__device__ int g() {\n#if __CUDA_ARCH__ > 700\n return 1;\n#endif\n}\n");
  translate::Translator translator(folder_ / "out");
  translator.translate(input, folder_ / "out" / "program.cpp");
  EXPECT_EQ(
      translator.warnings(),
      (std::vector<std::string>{
          input.string() + ":2:1: warning: f chooses by __CUDA_ARCH__, which is always defined "
                           "on the emulated device: the host takes the device's branch, "
                           "too"}));
}

TEST_F(Translate, WarnsOfCopiesOfAsManyBytesAsAPointerHas) {
  const auto warnings = [&](const std::string& parameters, const std::string& body) {
    const fs::path input = write("program.cu", "void f(" + parameters + ") {\n" + body + "\n}\n");
    translate::Translator translator(folder_ / "out");
    translator.translate(input, folder_ / "out" / "program.cpp");
    return translator.warnings();
  };
  const std::string copy = "cudaMemcpy(d, h, sizeof(h), cudaMemcpyHostToDevice);";
  EXPECT_EQ(warnings("float* d, const float* h", copy).at(0).substr(folder_.string().size()),
            "/program.cu:2:18: warning: sizeof(h) is 8, the size of a pointer: cudaMemcpy needs "
            "that of what it points to");
  for (const std::string& body :
       {"float *d, *h = g();\n" + copy,
        std::string("int* h = new int[9]; CHECK(cudaMemcpy(d, h, sizeof h, n))"),
        std::string("float* d; cudaMemset(d, 0, sizeof(d));")})
    EXPECT_EQ(warnings("", body).size(), 1u) << body;
  EXPECT_EQ(warnings("float h[8]", copy).size(), 1u);
  for (const std::string& body :
       {"float *d, h[8];\n" + copy, std::string("float *d, *h;\ncudaMemcpy(d, &h, sizeof(h), n);"),
        "float* h; { float h[4]; " + copy + " }", "auto h = g(); " + copy, "T h; " + copy,
        std::string("float* d, *h; cudaMemcpy(d, h, sizeof(*h), n);"),
        std::string("double *d, *h; cudaMemcpy(d, h, n * sizeof(h), n);")})
    EXPECT_EQ(warnings("", body), std::vector<std::string>{}) << body;
}

TEST_F(Translate, WarnsOfResultsInACopyOfTheArgument) {
  const auto warnings = [&](const std::string& type, const std::string& body) {
    const fs::path input =
        write("program.cu", type + "\n__global__ void k(const int* p, R r) {\n" + body + "\n}\n");
    translate::Translator translator(folder_ / "out");
    translator.translate(input, folder_ / "out" / "program.cpp");
    return translator.warnings();
  };
  const std::string type = "struct R { int sum, count; };";
  EXPECT_EQ(warnings(type, "if (*p) r.sum = 1;").at(0).substr(folder_.string().size()),
            "/program.cu:3:9: warning: kernel k writes to r, its copy of the argument, which ends "
            "with it: the host gets results from memory to which a pointer leads");
  EXPECT_EQ(warnings("typedef struct { int sum; } R;", "r.sum += *p; r.sum++;").size(), 1u);
  EXPECT_EQ(
      warnings("__global__ void sum(int n, float total) { total += n; }\nusing R = int;", "")
          .at(0)
          .substr(folder_.string().size()),
      "/program.cu:1:43: warning: kernel sum writes to total, its copy of the argument, which "
      "ends with it: the host gets results from memory to which a pointer leads");
  for (const std::string& body : {"", "r.sum = 1; f(r);", "f(r.sum);", "r.sum = 1; g(&r.sum);"})
    EXPECT_EQ(warnings(type, body), std::vector<std::string>{}) << body;
  // Its members lead to memory, or an assignment may.
  EXPECT_EQ(warnings("struct R { int* sum; };", "r.sum[0] = 1; *r.sum = 1;").size(), 0u);
  EXPECT_EQ(warnings("struct R { int& sum; };", "r.sum = 1;").size(), 0u);
  EXPECT_EQ(warnings("struct R { void operator=(int); };", "r = 1;").size(), 0u);
  EXPECT_EQ(warnings("using R = int*;", "r = nullptr;").size(), 0u);
}

TEST_F(Translate, WarnsOfCopiesOfAGroupThatNothingWaitsFor) {
  const auto warnings = [&](const std::string& wait) {
    const fs::path input =
        write("program.cu",
              "__global__ void k(int* p) {\n cg::memcpy_async(b, s, p, 4);\n" + wait + "\n}\n");
    translate::Translator translator(folder_ / "out");
    translator.translate(input, folder_ / "out" / "program.cpp");
    return translator.warnings();
  };
  EXPECT_EQ(warnings("b.sync();").at(0).substr(folder_.string().size()),
            "/program.cu:2:6: warning: nothing waits for this copy: "
            "cooperative_groups::wait(group) is missing, which a barrier is not");
  EXPECT_EQ(warnings("cg::wait(b);").size(), 0u);
  EXPECT_EQ(warnings("cg::wait_prior<1>(b);").size(), 0u);
}

TEST_F(Translate, WarnsOfCopiesThatNothingWaitsFor) {
  const auto warnings = [&](const std::string& wait) {
    const fs::path input = write("program.cu",
                                 "__global__ void k(int* p) {\n __pipeline_memcpy_async(s, p, 4);\n"
                                 " __pipeline_commit();\n" +
                                     wait + "\n}\n");
    translate::Translator translator(folder_ / "out");
    translator.translate(input, folder_ / "out" / "program.cpp");
    return translator.warnings();
  };
  EXPECT_EQ(warnings("__syncthreads();").at(0).substr(folder_.string().size()),
            "/program.cu:2:2: warning: nothing waits for this copy: __pipeline_wait_prior(0) is "
            "missing, before the barrier behind which the memory is read");
  EXPECT_EQ(warnings("__pipeline_wait_prior(0);"), std::vector<std::string>{});
  EXPECT_EQ(warnings("__pipeline_arrive_on(b);"), std::vector<std::string>{});
}

TEST_F(Translate, WarnsOfAddressesOfDeviceFunctionsTakenOnTheHost) {
  const auto warnings = [&](const std::string& body) {
    const fs::path input = write(
        "program.cu",
        "#define NAME(f) #f\ntypedef float (*Op)(float);\n__device__ float d(float x) { return x; "
        "}\n__device__ Op held = d;\n__global__ void k(float* x, Op op) { Op mine = d; *x = "
        "op(mine(*x)); }\ntemplate <Op op, int n> __global__ void t(float* x) { *x = op(*x); }\n"
        "int main() {\n" +
            body + "\n}\n");
    translate::Translator translator(folder_ / "out");
    translator.translate(input, folder_ / "out" / "program.cpp");
    return translator.warnings();
  };
  for (const char* body :
       {"Op op = d;", "Op op = &d;", "k<<<1, 1>>>(x, d);", "Op ops[] = {d, other};",
        "Op op = n > 2 ? d : other;", "op = d;", "call(2, &d);"})
    EXPECT_EQ(warnings(body).size(), 1u) << body;
  EXPECT_EQ(warnings("Op op = d;").at(0).substr(folder_.string().size()),
            "/program.cu:8:9: warning: d is a __device__ function: the address that host code such "
            "as main takes of it cannot be called in a kernel on a GPU; take it in device code, or "
            "copy it from a __device__ variable that holds it");
  for (const char* body :
       {"t<d, 3><<<1, 1>>>(x);", "Op op; cudaMemcpyFromSymbol(&op, held, sizeof op);",
        "Op op = h; op(2);", "float d = 2; f(d);", "puts(NAME(d));", "decltype(d)* op = h;",
        "using T = Sum<int, d, 2>;", "f(a.d, A::d);",
        "auto l = [] __device__(float x) { Op op = d; return op(x); };"})
    EXPECT_EQ(warnings(body), std::vector<std::string>{}) << body;
}

// Files of the project with bytes changed, cut out and doubled: the translator ends, and a
// translation has a line for every line. The seed is fixed: a failure comes again.
TEST_F(Translate, SurvivesDamagedFiles) {
  std::vector<std::string> sources;
  for (const auto& entry : fs::recursive_directory_iterator(EMULATOR "/tests"))
    if (entry.path().extension() == ".cu") sources.push_back(read(entry.path()));
  std::sort(sources.begin(), sources.end());
  ASSERT_GE(sources.size(), 5u);
  std::mt19937 random(2026);
  const auto below = [&](std::size_t n) {
    return std::uniform_int_distribution<std::size_t>(0, n - 1)(random);
  };
  std::vector<std::string> pieces = {std::string(1, '\0')};
  std::istringstream list(
      "<<<|>>>|(|)|{|}|\"|'|R\"x(|/*|\\\n|#if 0\n|#else\n|#endif\n|extern __shared__ |(int)|"
      "\n#define X <<<1,2>>>\n|\xff|<|template <|::|;|__global__ ");
  for (std::string piece; std::getline(list, piece, '|');) pieces.push_back(piece);
  const auto start = std::chrono::steady_clock::now();
  int translated = 0;
  for (int round = 0;
       round < 400 && std::chrono::steady_clock::now() - start < std::chrono::seconds(20);
       ++round) {
    std::string text = sources[below(sources.size())];
    for (std::size_t damage = 1 + below(6); damage > 0 && !text.empty(); --damage) {
      const std::size_t at = below(text.size()), length = std::min(text.size() - at, below(200));
      switch (below(4)) {
        case 0:
          text.erase(at, length);
          break;
        case 1:
          text.insert(at, text.substr(below(text.size()), length));
          break;
        case 2:
          text[at] = static_cast<char>(below(256));
          break;
        default:
          text.insert(at, pieces[below(pieces.size())]);
          break;
      }
    }
    if (text.starts_with("\xef\xbb\xbf")) continue;
    const fs::path input = write("damaged.cu", text), output = folder_ / "out" / "damaged.cpp";
    try {
      translate::Translator(folder_ / "out").translate(input, output);
    } catch (const translate::Error&) {
      continue;
    }
    ++translated;
    const std::string result = read(output);
    EXPECT_EQ(last_line(result),
              static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n') + 1))
        << round;
  }
  EXPECT_GE(translated, 50);
}

TEST_F(Translate, Errors) {
  EXPECT_EQ(error("void k() { extern __shared__ float s[], t[]; }"),
            "program.cu:1: error: dynamic shared memory must be declared as `extern __shared__ "
            "type name[];`, one name at a time");
  EXPECT_EQ(error("\n\nk<<<1, 2;\n"), "program.cu:3: error: this <<< has no >>>");
  EXPECT_EQ(error("k<<<1, 2>>>;\n"),
            "program.cu:1: error: the kernel's arguments in parentheses must follow >>>");
  EXPECT_EQ(error("x = 1 + <<<1, 2>>>();\n"),
            "program.cu:1: error: what precedes <<< is no kernel's name; an expression needs "
            "parentheses around it");
  EXPECT_EQ(error("f)<<<1, 2>>>();\n"),
            "program.cu:1: error: what precedes <<< is no kernel's name; an expression needs "
            "parentheses around it");
  EXPECT_EQ(error("k>><<<1, 2>>>();\n"),
            "program.cu:1: error: what precedes <<< is no kernel's name; an expression needs "
            "parentheses around it");
  EXPECT_EQ(error("#define SHAPE <<<1, 2>>> + 1\n"),
            "program.cu:1: error: the kernel's arguments in parentheses must follow >>>");
}

TEST_F(Translate, HostCodeHasItsOwnCopyOfAVariableOfTheDevice) {
  const std::string variables =
      "__device__ int x; __constant__ float c[4]; __device__ const int k = 1; __managed__ int m; ";
  const auto host = [&](const std::string& statement) {
    const std::string all = translate(variables + "void f(int n) { " + statement + " }");
    const std::size_t begin = all.find("void f(int n) { ") + 16;
    return all.substr(begin, all.size() - begin - 2);
  };
  const std::string copy_x = "::emulated::host_side(x)", copy_c = "::emulated::host_side(c)";
  EXPECT_EQ(host("x = 1; return x * n;"), copy_x + " = 1; return " + copy_x + " * n;");
  EXPECT_EQ(host("n = n * x; g(&x, *c, {n, x});"),
            "n = n * " + copy_x + "; g(&" + copy_x + ", *" + copy_c + ", {n, " + copy_x + "});");
  EXPECT_EQ(host("g(c[1], k, m);"), "g(" + copy_c + "[1], k, m);");
  for (const std::string same :
       {"return cudaMemcpyToSymbol(x, &n, 4);", "CHECK(cudaMemcpyFromSymbol(c + 1, x, sizeof(x)));",
        "decltype(x) y;", "int x = 1; x = 2;", "for (auto& [a, x] : map) x = 1;",
        "auto [x, y] = g();", "[](int a, T* x) { x = 0; };", "const T &y = n, *x = 0; g(x);",
        "o.x = p->x;", "T* x; x = 0;", "struct S { int x; } s = {.x = 1};"})
    EXPECT_EQ(host(same), same);
  const std::string kernel =
      variables + "__global__ void f(int n) { x = n; } struct S { int x; void g() { x = 1; } };";
  EXPECT_EQ(translate(kernel).find("host_side"), std::string::npos);
}

TEST_F(Translate, FunctionsOfTheLibraryInDeviceCodeAreTheDevices) {
  const std::string own = "::emulated::device_printf";
  EXPECT_EQ(body("__global__ void k(int n)",
                 "printf(\"%d\", n); int m = std::printf(\"\") + ::printf(\"\");"),
            own + "(\"%d\", n); int m = " + own + "(\"\") + " + own + "(\"\");");
  for (const std::string same : {"o.printf(n);", "p->printf(n);", "log::printf(n);", "f(printf);"})
    EXPECT_EQ(body("__device__ void f(int n)", same), same);
  EXPECT_EQ(body("void f(int n)", "printf(\"\");"), "printf(\"\");");
  EXPECT_EQ(body("__device__ void f(int n)", "free(malloc(n));"),
            "::emulated::device_free(::emulated::device_malloc(n));");
  EXPECT_EQ(
      body("__device__ void f(int n)", "T* p = new T[n]{}; delete[] (p); if (n) delete p->q;"),
      "T* p = new (::emulated::kernel_heap()) T[n]{}; "
      "delete[] ::emulated::given_back((p)); if (n) delete ::emulated::given_back(p->q);");
  EXPECT_EQ(body("__device__ void f(int n)", "new (&n) int(3);"), "new (&n) int(3);");
}

TEST_F(Translate, CallsWhoseResultIsDroppedAreMarked) {
  const auto host = [&](const std::string& statement) {
    return body("int f(int* p, int n)", statement);
  };
  const std::string mark = "::emulated::drops(\"cudaFree\"), ", call = "cudaFree(p);";
  EXPECT_EQ(host(call), mark + call);
  EXPECT_EQ(host("{ cudaFree(p); } cudaFree(p); n = 1; cudaFree(p);"),
            "{ " + mark + call + " } " + mark + call + " n = 1; " + mark + call);
  for (const std::string before :
       {"if (n > 1) ", "if constexpr (n) ", "if (n) n = 1; else ", "for (int i = 0; i < n; ++i) ",
        "while (--n) ", "do ",
        "switch (n) { case 1: ", "switch (n) { case A: ", "switch (n) { default: "})
    EXPECT_EQ(host(before + call), before + mark + call);
  for (const std::string same :
       {"return cudaFree(p);", "(void)cudaFree(p);", "error = cudaFree(p);",
        "cudaError_t e{cudaFree(p)};", "if (cudaFree(p) != cudaSuccess) n = 1;",
        "CHECK(cudaFree(p));", "n ? cudaFree(p) : cudaFree(q);", "n = 1, cudaFree(p);",
        "cudaGetLastError();", "cudaPeekAtLastError();", "cudaCheckAll(p);", "o.cudaFree(p);",
        "cudaError_t cudaFree(void*);"})
    EXPECT_EQ(host(same), same);
  EXPECT_EQ(host("std::thread t([&] { cudaFree(p); });"),
            "std::thread t([&] { " + mark + call + " });");
  EXPECT_EQ(translate("#define FREE(p) cudaFree(p);\ncudaError_t cudaFree(void* p);\n"),
            "#define FREE(p) cudaFree(p);\ncudaError_t cudaFree(void* p);\n");
  EXPECT_EQ(translate("#define FREE(p) do { cudaFree(p); } while (0)\n"),
            "#define FREE(p) do { " + mark + call + " } while (0)\n");
}

}  // namespace
