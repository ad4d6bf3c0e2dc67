// cu2cpp: what it changes, what it leaves alone, and its error messages.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "../../emulator/translate/translator.h"

namespace fs = std::filesystem;

namespace {

class Translate : public testing::Test {
 protected:
  Translate() : folder_(fs::path(testing::TempDir()) / ("cu2cpp_" + std::to_string(getpid()))) {
    fs::create_directories(folder_ / "sub");
  }
  ~Translate() override { fs::remove_all(folder_); }

  fs::path write(const std::string& name, const std::string& text) {
    std::ofstream(folder_ / name) << text;
    return folder_ / name;
  }
  static std::string read(const fs::path& path) {
    std::ifstream in(path);
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
  // The message without the folder's name.
  std::string error(const std::string& text) {
    try {
      translate(text);
    } catch (const std::exception& e) {
      const std::string message = e.what(), prefix = folder_.string() + "/";
      EXPECT_EQ(message.substr(0, prefix.size()), prefix);
      return message.substr(prefix.size());
    }
    return "no error";
  }

  fs::path folder_;
};

TEST_F(Translate, Launches) {
  EXPECT_EQ(translate("k<<<1, 2>>>(a, b);"), "EMULATED_KERNEL(k).configure(1, 2)(a, b);");
  EXPECT_EQ(translate("ns::k<float, (3 > 2 ? 4 : 1)><<<dim3(64 >> 4), 16>>>(d);"),
            "EMULATED_KERNEL(ns::k<float, (3 > 2 ? 4 : 1)>).configure(dim3(64 >> 4), 16)(d);");
  EXPECT_EQ(translate("::k <<< g , b , n * sizeof(int) , s >>> ( );"),
            "EMULATED_KERNEL(::k ).configure( g , b , n * sizeof(int) , s ) ( );");
  EXPECT_EQ(translate("return ::ns::k<<<1, 2>>>();"), "return EMULATED_KERNEL(::ns::k).configure(1, 2)();");
  EXPECT_EQ(translate("if (x) k<<<1, 2>>>(); else k<int><<<3, 4>>>();"),
            "if (x) EMULATED_KERNEL(k).configure(1, 2)(); else EMULATED_KERNEL(k<int>).configure(3, 4)();");
  EXPECT_EQ(translate("k\n  <T>\n  <<<1,\n     2>>>\n  (a);"),
            "EMULATED_KERNEL(k\n  <T>\n  ).configure(1,\n     2)\n  (a);");
  EXPECT_EQ(translate("k<int(*)(int), a->b><<<1, 2>>>();"),
            "EMULATED_KERNEL(k<int(*)(int), a->b>).configure(1, 2)();");
}

TEST_F(Translate, PointersToKernels) {
  EXPECT_EQ(translate("if (x) (*pointer)<<<1, 2>>>();"),
            "if (x) EMULATED_KERNEL((*pointer)).configure(1, 2)();");
  EXPECT_EQ(translate("table[i + 1]<<<1, 2>>>();"), "EMULATED_KERNEL(table[i + 1]).configure(1, 2)();");
  EXPECT_EQ(translate("a.b->kernel<<<1, 2>>>();"), "EMULATED_KERNEL(a.b->kernel).configure(1, 2)();");
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
  EXPECT_EQ(translate("void k() { extern __shared__ float s[]; }"),
            "void k() { [[maybe_unused]] auto& s = ::emulated::dynamic_shared<float>(); }");
  EXPECT_EQ(translate("namespace a {\ntemplate <class T> void k() {\n  extern __shared__ "
                      "__align__(sizeof(T))\n unsigned char s [ ] ;}\n}"),
            "namespace a {\ntemplate <class T> void k() {\n  [[maybe_unused]] auto& s = "
            "::emulated::dynamic_shared<unsigned char>();\n}\n}");
  EXPECT_EQ(translate("void k() { extern __shared__ volatile ns::V<int, 2> s[]; }"),
            "void k() { [[maybe_unused]] auto& s = ::emulated::dynamic_shared<volatile ns::V<int, 2>>(); }");
}

TEST_F(Translate, OtherChanges) {
  EXPECT_EQ(translate("cudaLaunchKernel((void*)k<int>, g, b, a);"), "cudaLaunchKernel(k<int>, g, b, a);");
  EXPECT_EQ(translate("cudaLaunchCooperativeKernel(reinterpret_cast<const void*>(k), g);"),
            "cudaLaunchCooperativeKernel((k), g);");
  EXPECT_EQ(translate("__device__ __noinline__ int f(); int g() __attribute__((__noinline__));"),
            "__device__ __attribute__((noinline)) int f(); int g() __attribute__((__noinline__));");
}

TEST_F(Translate, Includes) {
  write("plain.h", "int plain;");
  write("sub/other.cuh",
        "#pragma once\n#include \"../plain.h\"\n#include \"inner.cuh\"\nvoid f() { k<<<1, 2>>>(); }\n");
  write("sub/inner.cuh", "#pragma once\nvoid g() { k<<<1, 2>>>(); }\n");
  const std::string text = translate(
      "#include <vector>\n#include \"plain.h\"\n#  include \"sub/other.cuh\"\n#include \"missing.h\"\n");
  const std::string f = folder_.string();
  std::string name;
  for (const char c : f + "/sub/") name += std::isalnum(static_cast<unsigned char>(c)) ? c : '_';
  EXPECT_EQ(text, "#include <vector>\n#include \"" + f + "/plain.h\"\n#  include \"" + f + "/out/" + name +
                      "other.cuh.h\"\n#include \"missing.h\"\n");
  EXPECT_EQ(read(folder_ / "out" / (name + "other.cuh.h")),
            "#line 1 \"" + f + "/sub/other.cuh\"\n#pragma once\n#include \"" + f + "/plain.h\"\n#include \"" +
                f + "/out/" + name + "inner.cuh.h\"\nvoid f() { EMULATED_KERNEL(k).configure(1, 2)(); }\n");
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

TEST_F(Translate, Errors) {
  EXPECT_EQ(error("void k() { extern __shared__ float s[], t[]; }"),
            "program.cu:1: error: dynamic shared memory must be declared as `extern __shared__ type "
            "name[];`, one name at "
            "a time");
  EXPECT_EQ(error("\n\nk<<<1, 2;\n"), "program.cu:3: error: this <<< has no >>>");
  EXPECT_EQ(error("k<<<1, 2>>>;\n"),
            "program.cu:1: error: the kernel's arguments in parentheses must follow >>>");
  EXPECT_EQ(error("x = 1 + <<<1, 2>>>();\n"), "program.cu:1: error: no kernel name stands before <<<");
  EXPECT_EQ(error("#include \"a.h\n"), "program.cu:1: error: this #include has no closing quote");
}

}  // namespace
