// Runs calls_probe.cu's program, whose calls fail or come too early, and reads what the emulated device says of those that the
// program itself does not notice.
#include <gtest/gtest.h>

#include <string>

#include "run_probe.h"

namespace {

// The dropped result of `call`, in the line of that name, and the reason.
void expect_dropped(const std::string& name, const std::string& call, const std::string& error,
                    const std::string& reason) {
  const Outcome outcome = run(name);
  EXPECT_EQ(outcome.code, 1);
  expect_says(outcome, "end\n");
  expect_says(outcome, place(name) + ": error: " + call + " returns " + error +
                           ", and the program does not look at it: ");
  expect_says(outcome, reason + "\n");
}

// How often it is said.
std::size_t count(const std::string& text, const std::string& words) {
  std::size_t found = 0;
  for (std::size_t at = text.find(words); at != text.npos; at = text.find(words, at + 1)) ++found;
  return found;
}

TEST(DroppedResults, SayWhy) {
  const std::string invalid = "cudaErrorInvalidValue";
  expect_dropped("to_host", "cudaMemcpy", invalid,
                 "cudaMemcpyHostToDevice, but the destination is host memory and the source device memory");
  expect_dropped("to_device", "cudaMemcpy", invalid,
                 "cudaMemcpyDeviceToHost, but the destination is device memory and the source host memory");
  expect_dropped("beyond", "cudaMemcpy", invalid,
                 "64 bytes from byte 16 of the destination on do not fit into its 64 bytes from cudaMalloc");
  expect_dropped("symbol", "cudaMemcpyToSymbol", invalid,
                 "64 bytes from byte 0 on do not fit into the variable, which has 16");
  expect_dropped("fill_host", "cudaMemset", invalid, "the destination is host memory");
  expect_dropped("free_host", "cudaFree", invalid,
                 " is host memory that no call of CUDA allocated; free() or delete gives it back");
  expect_dropped("free_inside", "cudaFree", invalid,
                 " is byte 4 of the 64 bytes from cudaMalloc, not their beginning");
  expect_dropped("free_twice", "cudaFree", invalid, " was freed before");
  expect_dropped("wrong_free", "cudaFreeHost", invalid, " comes from cudaMalloc; cudaFree frees it");
  expect_dropped("no_device", "cudaSetDevice", "cudaErrorInvalidDevice",
                 "there is no device 7; there are 1, from 0 on");
  expect_dropped("null_address", "cudaMalloc", invalid,
                 "cudaMalloc stores the address at a null pointer; it takes the address of the pointer, &p");
  expect_dropped(
      "missing_address", "cudaMemcpy", invalid,
      "but the destination is host memory (where cudaMalloc stored an address; it takes that of the "
      "pointer, &p) and the source host memory");
  expect_says(run("missing_address"), place("missing_address_argument") +
                                          ": error: kernel fill: argument 1 points to host memory (0x");
  expect_dropped("at_end", "cudaFree", invalid, "gives it back");
  expect_dropped("thread", "cudaFree", invalid, "gives it back");
}

#ifndef SANITIZED  // which ends the program at the null pointer
TEST(DroppedResults, TheFirstMistakeIsNamedFirst) {
  const Outcome outcome = run("too_much");
  const std::size_t first = outcome.text.find(place("too_much") +
                                              ": error: cudaMalloc returns "
                                              "cudaErrorMemoryAllocation, and the program does not look at "
                                              "it: 1152921504606846976 bytes are asked for, and "),
                    second = outcome.text.find(place("null") + ": error: kernel store, block (0,0,0)");
  EXPECT_NE(second, std::string::npos) << outcome.text;
  EXPECT_LT(first, second) << outcome.text;
}

TEST(DroppedResults, OfAFaultAreSaidOnce) {
  const Outcome outcome = run("sticky");
  expect_says(outcome, place("fault") + ": error: kernel store, block (0,0,0)");
  expect_says(outcome, place("sticky") +
                           ": error: cudaMemset returns cudaErrorIllegalAddress, and the program does not "
                           "look at it: after the fault of a kernel no call does anything\n");
  EXPECT_EQ(count(outcome.text, "error: "), 2u) << outcome.text;
}
#endif

TEST(DroppedResults, AreSaidOncePerPlace) {
  const Outcome outcome = run("loop");
  expect_says(outcome, place("loop") + ": error: cudaFree returns cudaErrorInvalidValue");
  EXPECT_EQ(count(outcome.text, "error: "), 1u) << outcome.text;
}

TEST(DroppedResults, ThatAreLookedAtAreNone) {
  const Outcome outcome = run("looked_at", "EMULATED_DEVICES=2");
  EXPECT_EQ(outcome.code, 0);
  EXPECT_EQ(outcome.text, "failed\nfailed\ncudaErrorInvalidValue\nend\n");
}

}  // namespace
