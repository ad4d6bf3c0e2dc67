// Runs promises_probe.cu's program.
#include <string>

#include "run_probe.h"

namespace {

TEST(KernelArguments, HostPointersInStructuresAreWarnedOfOnce) {
  const Outcome outcome = run("structure");
  expect_says(outcome,
              place("structure") +
                  ": warning: kernel follows: argument 1 holds a pointer to host memory (0x");
  expect_says(outcome, ", at byte 0), which a GPU cannot follow\n");
  EXPECT_EQ(outcome.text.find("warning"), outcome.text.rfind("warning"));
  EXPECT_EQ(run("harmless").text, "5 0 cudaSuccess\n");
}

// That a structure holds what looks like a pointer to host memory is no mistake.
TEST(DeepCopy, ThatWasForgottenIsFound) {
  EXPECT_EQ(run("deep").text, "7 0 cudaSuccess\n");
  const Outcome outcome = run("shallow");
#ifndef SANITIZED
  EXPECT_EQ(outcome.text, "7 0 cudaSuccess\n");  // the pack explain sees it followed
#else
  EXPECT_NE(outcome.code, 0);
  expect_says(outcome, "use-after-poison");
  expect_says(outcome, place("deep_follow"));
#endif
}

TEST(DeepCopy, OfATableOfPointersIsWarnedOf) {
  EXPECT_EQ(run("rows_of_device").text, "5 0 cudaSuccess\n");
  const Outcome outcome = run("rows_of_host");
  expect_says(outcome,
              place("rows") +
                  ": warning: kernel first_of_rows: argument 1 is a table of pointers, of which "
                  "the first is to host memory (0x");
  expect_says(outcome, "), which a GPU cannot follow; what it points to must be copied, too\n");
}

TEST(VirtualFunctions, OfTheHostAreWarnedOf) {
  const Outcome outcome = run("object");
  expect_says(outcome, place("object") +
                           ": warning: kernel area: device memory holds an object of Shape, copied "
                           "from the host to 0x");
  expect_says(outcome,
              "which has virtual functions: they are the host's, and a GPU cannot call them; make "
              "the object in a kernel\n");
  expect_says(outcome, place("object_as_argument") +
                           ": warning: kernel area_of: argument 1 holds an object of Shape, which "
                           "has virtual functions: they are the host's");
}

TEST(KernelArguments, PaddingIsNoPointer) {
  EXPECT_EQ(run("padding").text, "5 6 cudaSuccess\n");
  EXPECT_EQ(run("copied_padding").text, "5 0 cudaSuccess\n");
}

#ifndef SANITIZED
#if defined(__x86_64__)
TEST(ImplicitConversions, ThatDoNotFitEndTheKernel) {
  for (const std::string name : {"argument", "member", "global", "initializer", "element"}) {
    const Outcome outcome = run(name);
    expect_says(outcome, ": error: kernel " + name + ", block (0,0,0), thread (0,0,0): ");
    expect_says(
        outcome,
        std::string(name == "member" ? "3" : "1") + "e+10 becomes 'int' at " + place(name) +
            " and does not fit; with a cast that is written there, as in (int)x, and not in a "
            "macro, it becomes 2147483647 as on a GPU\n");
    expect_says(outcome, "cudaErrorLaunchFailure\n");
  }
}
#else
TEST(ImplicitConversions, ThatDoNotFitAreTheGpusOnArm64) {
  for (const std::string name : {"argument", "member", "global", "initializer", "element"}) {
    const Outcome outcome = run(name);
    expect_says(outcome, "2147483647 ");
    expect_says(outcome, " cudaSuccess\n");
  }
}
#endif

TEST(ImplicitConversions, ThatAreRightGoOn) {
  EXPECT_EQ(run("fitting").text, "-7 44 cudaSuccess\n");
  EXPECT_EQ(run("host").text, "0 0 0 cudaSuccess\n");  // as in a program that nvcc has compiled
}

TEST(Shifts, ByTheWidthOrMoreAreTheGpus) { EXPECT_EQ(run("shifts").text, "0 0 cudaSuccess\n"); }
#else
TEST(Sanitizers, SignedOverflow) {
  const Outcome outcome = run("overflows");
  EXPECT_NE(outcome.code, 0);
  expect_says(outcome, place("overflows"));
  expect_says(outcome,
              "signed integer overflow: 2147483647 + 1 cannot be represented in type 'int'");
}

TEST(Sanitizers, ImplicitConversionsThatDoNotFit) {
  const Outcome outcome = run("initializer");
  expect_says(outcome, place("initializer"));
  expect_says(outcome, "1e+10 is outside the range of representable values of type 'int'");
}

TEST(Sanitizers, WrongShifts) {
  const Outcome outcome = run("shifts");
  EXPECT_NE(outcome.code, 0);
  expect_says(outcome, place("shifts"));
  expect_says(outcome, "shift exponent 33 is too large for 32-bit type 'int'");
}

TEST(Sanitizers, MisalignedVectorAccess) {
  const Outcome outcome = run("misaligned");
  EXPECT_NE(outcome.code, 0);
  expect_says(outcome, place("misaligned"));
  expect_says(outcome, "misaligned address");
  expect_says(outcome, "which requires 16 byte alignment");
}
#endif

}  // namespace
