// cu2cpp: what it leaves alone, which files it reads and writes, where it refuses or warns. What
// becomes of the code that it changes is tested by programs (semantics/, public_style/), the words
// by small ones (nvcc/).
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
  // The lines of a translation with the numbers that the compiler gives
  // them: #line says the next one's.
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
  // Where each error or warning stands, "LINE:COLUMN"; "no error" where there is none.
  std::string refused(const std::string& text) {
    try {
      translate(text);
    } catch (const std::exception& error) {
      return places(error.what());
    }
    return "no error";
  }
  std::string warned(const std::string& text) {
    const fs::path input = write("program.cu", text);
    translate::Translator translator(folder_ / "out");
    translator.translate(input, folder_ / "out" / "program.cpp");
    std::string all;
    for (const std::string& warning : translator.warnings()) all += warning + "\n";
    return places(all);
  }
  static std::string places(const std::string& messages) {
    std::string found;
    const std::regex place("\\.cuh?:([0-9]+:[0-9]+): (error|warning): ");
    for (std::sregex_iterator i(messages.begin(), messages.end(), place), end; i != end; ++i)
      found += (found.empty() ? "" : " ") + i->str(1);
    return found;
  }
  void expect_same(const std::vector<std::string>& texts) {
    for (const std::string& text : texts) EXPECT_EQ(translate(text), text);
  }
  void expect_changed(const std::vector<std::string>& texts) {
    for (const std::string& text : texts) EXPECT_NE(translate(text), text);
  }
  // Each in a function with this head.
  static std::vector<std::string> in(const std::string& head,
                                     const std::vector<std::string>& statements) {
    std::vector<std::string> texts;
    for (const std::string& statement : statements)
      texts.push_back(head + " { " + statement + " }");
    return texts;
  }

  fs::path folder_;
};

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
  for (const std::string& loop : std::vector<std::string>{
           "for (int i = blockIdx.x * blockDim.x + threadIdx.x; n > i; i = gridDim.x * blockDim.x "
           "+ i) out[i] = 1;",
           "for (size_t i = size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < size_t(n); i += "
           "size_t{blockDim.x} * gridDim.x) out[i] = 1;",
           "for (auto i = static_cast<size_t>(blockIdx.x) * blockDim.x + threadIdx.x, step = "
           "static_cast<size_t>(blockDim.x) * gridDim.x; i < static_cast<size_t>(n); i = i + step) "
           "out[i] = 1;",
           "int i; for (i = threadIdx.x; i < n; i += blockDim.x) out[i] = 1;",
           "for (int i = threadIdx.x; i != n && i < n; i += blockDim.x) out[i] = 1;",
           "for (int i = n - 1 - threadIdx.x; i >= 0; i -= blockDim.x) out[i] = 1;",
           "int t = threadIdx.x; if (t >= n) return; float s{}; for (int i = t; i < n; i += "
           "blockDim.x) s += in[i]; out[t] = s;",
           "if (threadIdx.x == 3) { return; } " + head_ + "out[i] = 1;"})
    EXPECT_EQ(prepared(loop), 1) << loop;
  EXPECT_EQ(prepared("for (int i = threadIdx.x; i < v.n; i += blockDim.x) v.data[i] = v.a.b;", "",
                     "View v"),
            1);
  EXPECT_EQ(prepared("for (int i = first(); i < n; i += all()) out[i] = 1;",
                     "__device__ int first() { return threadIdx.x; }\n"
                     "__device__ int all() { return blockDim.x; }\n"),
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
           // Conditions and steps that the body may change, or not known to be anything else.
           begin_ + "i *= 2) out[i] = 1;", begin_ + "++i) out[i] = 1;",
           begin_ + "i = 2 * blockDim.x * i) out[i] = 1;",
           begin_ + "i = blockDim.x > 1 ? 1 + i : i) out[i] = 1;",
           begin_ + "i = i + blockDim.x << 1) out[i] = 1;",
           "for (int i = threadIdx.x; i < in[0]; i += blockDim.x) out[i] = 1;",
           "for (int i = threadIdx.x; i < n && in[i] > 0; i += blockDim.x) out[i] = 1;",
           "for (int i = threadIdx.x; i < f(); i += blockDim.x) out[i] = 1;",
           "for (int i = threadIdx.x; i < unknown; i += blockDim.x) out[i] = 1;",
           // Something happens before.
           "if (in[0] > 3) return; " + head_ + "out[i] = 1;",
           "if (n > 3) return; else out[0] = 1; " + head_ + "out[i] = 1;",
           "int x = threadIdx.x; if (x > 3) return; x = 5; __syncthreads(); out[x] = 1; " + head_ +
               "out[i] = 1;",
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
  for (const char* const body : {"v.set(i);", "v.n = i;", "++v.n;", "f(v);", "f(&v.data[i]);"})
    EXPECT_EQ(prepared(head_ + body, "", "int n, Thing v"), 0) << body;
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
  EXPECT_EQ(refused("__global__ void k(int n, float* out) {\n"
                    "  for (int i = threadIdx.x; i < n; i += blockDim.x) {\n"
                    "    out[i] = 1;\n"
                    "  }\n"
                    "}\n"
                    "void f() { k(1, nullptr); }\n"),
            "6:12");
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

// ---- what is left alone, byte by byte ----
TEST_F(Translate, TextThatIsNoCode) {
  expect_same(
      {"// k<<<1, 2>>>(x)\n", "/* k<<<1,\n 2>>>(x) */", "f(\"k<<<1, 2>>>(x) \\\" k<<<\");",
       "c = '\"'; d = '<'; // k<<<", "R\"(k<<<1, 2>>>())\";", "u8R\"x( )\" k<<< )x\";",
       "n = 1'000'000 << 2; a = b<c<d>>(e);", "// ends with a backslash \\\n k<<<1, 2>>>(x)\n",
       "extern int x[]; // extern __shared__ int y[];", "#if 0\nk<<<1, 2>>>(x \" ( ' \n#endif\n",
       "#if 1\n#else\nk<<<\n#endif\n", "#if (0)\n#if X\nk<<<\n#else\nk<<<\n#endif\n#endif\n",
       "#error it's k<<<1, 2>>>(x)\n", "c = u8'<'; d = U'\\''; e = L\"k<<<\";\n",
       "auto r = LR\"a(k<<<1, 2>>>(\")a\";\n", "std::ostream& operator<<<int>(A, B);\n",
       "#include <k<<<1>>>'>\n", "#include <vector>\n#include <cuda_fp16.h>\n#include <thrust",
       "// Latin-1: \xe4\xf6\nint m\xfc;\r\n"});
  expect_changed({"#if 0\n#elif X\nk<<<1, 2>>>();\n#endif\n", "n = 0xff'ff; k<<<1, 1'0>>>();",
                  // Branches that open the same bracket.
                  "void f() {\n#if A\nif (a) {\n#else\nif (b) {\n#endif\nk<<<1, 2>>>(); } }\n"});
  EXPECT_EQ(translate("\xef\xbb\xbfint a;\r\n"), "int a;\r\n");  // as some editors begin a file
  EXPECT_EQ(refused("\xff\xfe k"), "1:1");                       // UTF-16
  EXPECT_EQ(refused("%%cuda\nint main() {}\n"), "1:1");          // a cell of a notebook
  EXPECT_EQ(refused("\n  %%cuda --name a.cu\nint n;\n"), "2:3");
  EXPECT_EQ(refused("\xef\xbb\xbf%%writefile a.cu\r\nint n;\n"), "1:1");
  EXPECT_EQ(refused("// %%cuda\nint a = 7 % 3;\n"), "no error");
  const std::string many(200000, '1');
  expect_changed({"int a = " + many + "; k<<<1, 2>>>(\"" + many + "\");"});
}

TEST_F(Translate, CodeOfTheHost) {
  expect_same({"int f(float x) { return (int)x; }",
               "unsigned f(unsigned a, int n) { return a << n; }",
               "#define LANES (1 << LOG_LANES)\n", "void f(int n) { printf(\"\"); }",
               "void f() { asm volatile(\"pause\"); }", "int f() { static int a; }",
               "__host__ __device__ int f() { static int a; }", "extern __constant__ float c[3];",
               "__device__ int f(int);", "int host;", "struct S { __device__ S(int); };",
               "void f(int* k) { p = (void*)k; }",
               "#define FREE(p) cudaFree(p);\ncudaError_t cudaFree(void* p);\n"});
}

TEST_F(Translate, CodeOfTheDeviceThatMeansTheSame) {
  expect_same(in("__device__ void f(float x, int* p)",
                 {"g(sizeof(int) * x);", "int (*h)(int) = 0;", "int i = threadIdx.x * 4 + p[0];",
                  "(f)(x);", "int i = x, j = 2; j *= x;", "auto v = make_int2(x, p[0]);",
                  "(void)x;", "bool b = (bool)x;", "long double d = (long double)x;"}));
  expect_same(in(
      "__device__ void f(unsigned a, int n)",
      {"g(a << 3 | 1);", "a >>= 31;", "vector<vector<int>> v;", "pair<int, pair<int, g<2>>> v(1);",
       "h<g<1 + 2>>(x);", "if (is_same_v<A, B<C>>) g();", "g(a < n, n > a);"}));
  expect_same(in("__device__ void f(int n)",
                 {"o.printf(n);", "p->printf(n);", "log::printf(n);", "f(printf);",
                  "new (&n) int(3);", "asm volatile(\"\" ::: \"memory\");"}));
}

// Only statements whose result is dropped are marked.
TEST_F(Translate, CallsWhoseResultIsUsed) {
  const std::string head = "int f(int* p, int n)";
  expect_same(in(head, {"return cudaFree(p);", "(void)cudaFree(p);", "error = cudaFree(p);",
                        "cudaError_t e{cudaFree(p)};", "if (cudaFree(p) != cudaSuccess) n = 1;",
                        "CHECK(cudaFree(p));", "n ? cudaFree(p) : cudaFree(q);",
                        "n = 1, cudaFree(p);", "cudaGetLastError();", "cudaPeekAtLastError();",
                        "cudaCheckAll(p);", "o.cudaFree(p);", "cudaError_t cudaFree(void*);"}));
  expect_changed(
      in(head, {"cudaFree(p);", "if (n > 1) cudaFree(p);", "do cudaFree(p); while (n);",
                "if (n) n = 1; else cudaFree(p);", "for (;;) cudaFree(p);",
                "switch (n) { case A: cudaFree(p); }", "std::thread t([&] { cudaFree(p); });"}));
}

// Host code has a copy of its own of a variable of the device: what names that is marked.
TEST_F(Translate, NamesLikeAVariableOfTheDevice) {
  const auto copies = [&](const std::string& statement) {
    const std::string text = translate(
        "__device__ int x; __constant__ float c[4]; __device__ const int k = 1; "
        "__managed__ int m; void f(int n) { " +
        statement + " } struct S { int x; void g() { x = 1; } };");
    int count = 0;
    for (std::size_t at = 0; (at = text.find("host_side(", at)) != std::string::npos; ++at) ++count;
    return count;
  };
  EXPECT_EQ(copies("x = 1; return x * n;"), 2);
  EXPECT_EQ(copies("n = n * x; g(&x, *c, {n, x});"), 4);
  EXPECT_EQ(copies("g(c[1], k, m);"), 1);
  for (const std::string none :
       {"return cudaMemcpyToSymbol(x, &n, 4);", "CHECK(cudaMemcpyFromSymbol(c + 1, x, sizeof(x)));",
        "decltype(x) y;", "int x = 1; x = 2;", "for (auto& [a, x] : map) x = 1;",
        "auto [x, y] = g();", "[](int a, T* x) { x = 0; };", "const T &y = n, *x = 0; g(x);",
        "o.x = p->x;", "T* x; x = 0;", "struct S { int x; } s = {.x = 1};"})
    EXPECT_EQ(copies(none), 0) << none;
}

// ---- files ----
TEST_F(Translate, Includes) {
  write("plain.h", "int plain;");
  write("sub/other.cuh",
        "#pragma once\n#include \"../plain.h\"\n#include \"inner.cuh\"\nvoid f() { k<<<1, 2>>>(); "
        "}\n");
  write("sub/inner.cuh", "#pragma once\nvoid g() { k<<<1, 2>>>(); }\n");
  const std::string text = translate(
      "#include <vector>\n#include \"plain.h\"\n#  include \"sub/other.cuh\"\n#include "
      "\"missing.h\"\n");
  // A file with nothing to change is named where it lies, another by its translation.
  std::smatch names;
  ASSERT_TRUE(std::regex_match(text, names,
                               std::regex("#include <vector>\n#include \"(.*)\"\n#  include "
                                          "\"(.*)\"\n#include \"missing.h\"\n")))
      << text;
  EXPECT_EQ(names[1], (folder_ / "plain.h").string());
  const std::string other = read(names[2].str());
  EXPECT_NE(other.find("\"" + (folder_ / "plain.h").string() + "\""), std::string::npos) << other;
  EXPECT_EQ(other.find("<<<"), std::string::npos) << other;
  ASSERT_TRUE(std::regex_search(other, names, std::regex("#include \"(.*inner.*)\"\n"))) << other;
  EXPECT_EQ(read(names[1].str()).find("<<<"), std::string::npos);
}

// An #error stands where the header would: the compiler sees it only if the condition around it
// holds. Elsewhere that is all that is said.
TEST_F(Translate, HeadersThatAreMissing) {
  EXPECT_NE(translate("#ifdef X\n#include <cub/cub.cuh>  // sums\n#endif\n")
                .find("\n#error cub/cub.cuh: "),
            std::string::npos);
  EXPECT_EQ(refused("\n#include <curand_kernel.h>\n#include <cub/cub.cuh>\n"), "2:1");
  EXPECT_EQ(refused("#if 1\n#endif\n# include \"helper_math.h\""), "3:1");
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
    EXPECT_EQ(refused(condition + code), "no error") << condition;
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

TEST_F(Translate, LaunchesInEveryHeader) {
  for (const std::string ending : {".h", ".hpp", ".cuh", ".inl"}) {
    write("sub/header" + ending, "void f() { k<<<1, 2>>>(); }\n");
    const fs::path input = write("program.cu", "#include \"header" + ending + "\"\n"),
                   output = folder_ / "out" / "p.cpp";
    translate::Translator(folder_ / "out", {folder_ / "sub"}).translate(input, output);
    EXPECT_NE(read(output).find("header" + ending + ".h\""), std::string::npos) << read(output);
  }
}

// ---- what is refused, and where ----
TEST_F(Translate, Refusals) {
  const std::map<std::string, std::string> places = {
      {"__global__ void k();\nvoid f() { k<<<1, 1, 0, 0, 0>>>(); }", "2:16"},
      {"__global__ void k(int* a, int b = 1);\nvoid f(int* a) { k<<<1, 1>>>(); }", "2:18"},
      {"__global__ void k(int* a, int b = 1);\nvoid f(int* a) { k<<<1, 1>>>(a, 1, 2); }", "2:18"},
      {"int g();\nvoid f() { g<<<1, 1>>>(); }", "2:12"},
      {"\n\nk<<<1, 2;\n", "3:4"},
      {"k<<<1, 2>>>;\n", "1:9"},
      {"x = 1 + <<<1, 2>>>();\n", "1:9"},
      {"f)<<<1, 2>>>();\n", "1:3"},
      {"k>><<<1, 2>>>();\n", "1:4"},
      {"#define SHAPE <<<1, 2>>> + 1\n", "1:22"},
      {"#define SHAPE <<<1, 2\n", "1:17"},
      {"void k() { extern __shared__ float s[], t[]; }", "1:12"},
      {"__global__ void k(int);\nvoid f() {\n k(1); }", "3:2"},
      {"__device__ int d();\nint f() { return d(); }", "2:18"},
      {"int h();\n__global__ void k() {\n\n h(); }", "4:2"},
      {"__global__ void k() { std::rand(); }", "1:28"},
      {"__global__ void k() {\n threadIdx.x = 1; }", "2:2"},
      {"__global__ void k() { ++blockDim.y; }", "1:25"},
      {"__constant__ int c[4];\n__device__ void k() { c[1] += 1; }", "2:23"},
      {"__constant__ int c;\n__device__ void k(int i) { f(i, c); c = 1; }", "2:37"},
      {"\n__global__ int k() {}", "2:16"},
      {"__global__ void k() {\n  __shared__ int s = 0; }", "2:3"},
      {"static texture<float, 2> picture;\n", "1:8"},
      {"int n, *p;\n__global__ void k() {\n  p[n] = n; }", "3:3 3:5"}};
  for (const auto& [text, place] : places) EXPECT_EQ(refused(text), place) << text;
}

// tests/nvcc/host_variables.cases has the other ways in which device code names them.
TEST_F(Translate, RefusesVariablesOfTheHost) {
  for (const char* text :
       {"namespace a { int n; namespace b { __global__ void k(int* o) { *o = n; } } }",
        "struct P { int x; } n; __global__ void k(int* o) { *o = n.x; }",
        "template <class T> struct V {}; V<int> n; __global__ void k() { n; }",
        "template <class T> __global__ void k(T* o) { *o = 1; } int n; __global__ void "
        "l(int* o) { *o = n; }"})
    EXPECT_NE(refused(text), "no error") << text;
  write("settings.h", "#pragma once\nint n = 3;\n");
  EXPECT_EQ(refused("#include \"settings.h\"\n__global__ void k(int* o) { *o = n; }"), "2:34");
}

// Within #if, and of inline PTX, the compiler must say it: it knows whether the line counts.
TEST_F(Translate, RefusalsByTheCompiler) {
  for (const char* text :
       {"int n;\n#ifdef FAST\n__device__ int f() { return n; }\n#endif\n",
        "__device__ void f(int a) { asm(\"wgmma.fence.sync.aligned;\"); }",
        "__device__ void f(int a) { asm(\"mov.u32 %0, %%envreg3;\" : \"=r\"(a)); }"})
    EXPECT_NE(translate(text).find("_Pragma(\"GCC error "), std::string::npos) << text;
}

// Names that may mean something else; tests/nvcc/host_variables.cases has what nvcc accepts.
TEST_F(Translate, AcceptsNamesThatMayBeAnythingElse) {
  for (const char* text :
       {"__global__ void k() { n; } int n;", "int n; __global__ void k(A a, A* b) { a.n = b->n; }",
        "int n; struct A { int n; __device__ int f(); }; __device__ int A::f() { return n; }",
        "int n;\n#define n 4\n__global__ void k(int* o) { *o = n; }",
        "int n; __global__ void k() { DECLARE(int, n); n; }",
        "int n; struct n {}; __global__ void k() { n(); }",
        "struct n; __global__ void k() { n* p; }", "enum n : int {}; __global__ void k() { n(1); }",
        "using n = int; __global__ void k() { n(1); }", "TABLE(n); __global__ void k() { n; }",
        "SPACE int n; __global__ void k() { n; }", "int n; KERNEL k() { n; }",
        "__shared__ int n; __global__ void k() { n; }"})
    EXPECT_NO_THROW(translate(text)) << text;
}

TEST_F(Translate, RefusesNoLaunchThatMayFit) {
  const std::string kernel = "__global__ void k(int* a, int b = 1);\nvoid f(int* a) { ";
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

TEST_F(Translate, RefusesNothingThatIsRight) {
  for (const char* text :
       {"__global__ void k(int); void f() { k<<<1, 2>>>(3); }",
        "template <class T, int n>\nstruct texture {}; static texture<float, 2> picture;",
        "#define LIST \"list.h\"\n#include LIST\nstatic texture<float, 2> picture;",
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

// ---- warnings ----
TEST_F(Translate, Warnings) {
  const std::string group = "__global__ void k(int* p) {\n cg::memcpy_async(b, s, p, 4);\n";
  const std::string pipeline =
      "__global__ void k(int* p) {\n __pipeline_memcpy_async(s, p, 4);\n __pipeline_commit();\n";
  const std::vector<std::pair<std::string, std::string>> places = {
      {"__host__ __device__ int f() {\n#ifdef __CUDA_ARCH__\n return 1;\n#endif\n}\n", "2:1"},
      {"__device__ int g() {\n#if __CUDA_ARCH__ > 700\n return 1;\n#endif\n}\n", ""},
      {group + "b.sync();\n}", "2:6"},
      {group + "cg::wait(b);\n}", ""},
      {group + "cg::wait_prior<1>(b);\n}", ""},
      {pipeline + "__syncthreads();\n}", "2:2"},
      {pipeline + "__pipeline_wait_prior(0);\n}", ""},
      {pipeline + "__pipeline_arrive_on(b);\n}", ""}};
  for (const auto& [text, place] : places) EXPECT_EQ(warned(text), place) << text;
}

TEST_F(Translate, WarnsOfCopiesOfAsManyBytesAsAPointerHas) {
  const std::string copy = "cudaMemcpy(d, h, sizeof(h), n);";
  for (const std::string& text : in("void f(int n)", {"float *d, *h = g(); " + copy,
                                                      "int* h = new int[9]; CHECK(cudaMemcpy(d, h, "
                                                      "sizeof h, n))",
                                                      "float* d; cudaMemset(d, 0, sizeof(d));"}))
    EXPECT_NE(warned(text), "") << text;
  EXPECT_EQ(warned("void f(float* d, const float* h) {\n" + copy + "}"), "2:18");
  EXPECT_EQ(warned("void f(float h[8]) {\n" + copy + "}"), "2:18");
  for (const std::string& text :
       in("void f(int n)",
          {"float *d, h[8]; " + copy, "float *d, *h; cudaMemcpy(d, &h, sizeof(h), n);",
           "float* h; { float h[4]; " + copy + " }", "auto h = g(); " + copy, "T h; " + copy,
           "float* d, *h; cudaMemcpy(d, h, sizeof(*h), n);",
           "double *d, *h; cudaMemcpy(d, h, n * sizeof(h), n);"}))
    EXPECT_EQ(warned(text), "") << text;
}

TEST_F(Translate, WarnsOfResultsInACopyOfTheArgument) {
  const auto warnings = [&](const std::string& type, const std::string& body) {
    return warned(type + "\n__global__ void k(const int* p, R r) {\n" + body + "\n}\n");
  };
  const std::string type = "struct R { int sum, count; };";
  EXPECT_EQ(warnings(type, "if (*p) r.sum = 1;"), "3:9");
  EXPECT_EQ(warnings("typedef struct { int sum; } R;", "r.sum += *p; r.sum++;"), "3:1");
  EXPECT_EQ(warned("__global__ void sum(int n, float total) { total += n; }"), "1:43");
  for (const char* body : {"", "r.sum = 1; f(r);", "f(r.sum);", "r.sum = 1; g(&r.sum);"})
    EXPECT_EQ(warnings(type, body), "") << body;
  // Its members lead to memory, or an assignment may.
  EXPECT_EQ(warnings("struct R { int* sum; };", "r.sum[0] = 1; *r.sum = 1;"), "");
  EXPECT_EQ(warnings("struct R { int& sum; };", "r.sum = 1;"), "");
  EXPECT_EQ(warnings("struct R { void operator=(int); };", "r = 1;"), "");
  EXPECT_EQ(warnings("using R = int*;", "r = nullptr;"), "");
}

TEST_F(Translate, WarnsOfAddressesOfDeviceFunctionsTakenOnTheHost) {
  const std::string head =
      "#define NAME(f) #f\ntypedef float (*Op)(float);\n__device__ float d(float x) { return x; "
      "}\n__device__ Op held = d;\n__global__ void k(float* x, Op op) { Op mine = d; *x = "
      "op(mine(*x)); }\ntemplate <Op op, int n> __global__ void t(float* x) { *x = op(*x); }\n"
      "int main()";
  for (const std::string& text :
       in(head, {"Op op = d;", "Op op = &d;", "k<<<1, 1>>>(x, d);", "Op ops[] = {d, other};",
                 "Op op = n > 2 ? d : other;", "op = d;", "call(2, &d);"}))
    EXPECT_NE(warned(text), "") << text;
  for (const std::string& text :
       in(head, {"t<d, 3><<<1, 1>>>(x);", "Op op; cudaMemcpyFromSymbol(&op, held, sizeof op);",
                 "Op op = h; op(2);", "float d = 2; f(d);", "puts(NAME(d));",
                 "decltype(d)* op = h;", "using T = Sum<int, d, 2>;", "f(a.d, A::d);",
                 "auto l = [] __device__(float x) { Op op = d; return op(x); };"}))
    EXPECT_EQ(warned(text), "") << text;
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
  int translated = 0;
  for (int round = 0; round < 200; ++round) {
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

}  // namespace
