// Runs calls_probe.cu's program, whose calls fail or come too early, and reads what the emulated
// device says of those that the program itself does not notice.
#include <gtest/gtest.h>
#include <unistd.h>

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

TEST(Fills, WithMoreThanAByteAreWarnedOf) {
  EXPECT_EQ(run("values_of_bytes").text,
            place("value_of_bytes") +
                ": warning: cudaMemset sets each byte to 232, the last 8 bits of 1000; larger "
                "elements are set by a kernel, or by a copy\nend\n");
}

TEST(DroppedResults, SayWhy) {
  const std::string invalid = "cudaErrorInvalidValue";
  expect_dropped(
      "to_host", "cudaMemcpy", invalid,
      "cudaMemcpyHostToDevice, but the destination is host memory and the source device memory");
  expect_dropped(
      "to_device", "cudaMemcpy", invalid,
      "cudaMemcpyDeviceToHost, but the destination is device memory and the source host memory");
  expect_dropped(
      "beyond", "cudaMemcpy", invalid,
      "64 bytes from byte 16 of the destination on do not fit into its 64 bytes from cudaMalloc");
  expect_dropped("symbol", "cudaMemcpyToSymbol", invalid,
                 "64 bytes from byte 0 on do not fit into the variable, which has 16");
  expect_dropped("fill_host", "cudaMemset", invalid, "the destination is host memory");
  expect_dropped("free_host", "cudaFree", invalid,
                 "; what malloc() or new gave, on the host or in a kernel, is given back there, by "
                 "free() or delete");
  expect_dropped("free_inside", "cudaFree", invalid,
                 " is byte 4 of the 64 bytes from cudaMalloc, not their beginning");
  expect_dropped("free_twice", "cudaFree", invalid, " was freed before");
  expect_dropped("wrong_free", "cudaFreeHost", invalid,
                 " comes from cudaMalloc; cudaFree frees it");
  expect_dropped("pitch", "cudaMemcpy2D", "cudaErrorInvalidPitchValue",
                 "the pitch of the destination, 4 bytes, is less than the width, 16 bytes; both "
                 "are in bytes");
#if defined(__GLIBC__) && !defined(SANITIZED)  // which ends the program at the first byte
  expect_dropped("small_vector", "cudaMemcpy", invalid,
                 "the destination has 4000 bytes, and the host has allocated at most 1000 there");
  // Whole pages.
  const std::size_t page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  const std::size_t at_most = (1000000 + 16 + page - 1) / page * page - 16;
  expect_dropped("small_array", "cudaMemcpy", invalid,
                 "the source has 4000000 bytes, and the host has allocated at most " +
                     std::to_string(at_most) + " there");
#endif
  expect_dropped("in_macro", "cudaFree", invalid, " was freed before");
  expect_dropped("no_device", "cudaSetDevice", "cudaErrorInvalidDevice",
                 "there is no device 7; there are 1, from 0 on");
  expect_dropped("not_pinned", "cudaHostGetDevicePointer", invalid,
                 " is no page-locked memory: no cudaHostAlloc() or cudaMallocHost() gave it, and "
                 "no cudaHostRegister() got it");
  expect_dropped(
      "null_address", "cudaMalloc", invalid,
      "cudaMalloc stores the address at a null pointer; it takes the address of the pointer, &p");
  expect_says(
      run("device_address"),
      place("device_address") + ": error: the address of what is allocated cannot be stored at 0x");
  expect_dropped("missing_address", "cudaMemcpy", invalid,
                 "but the destination is host memory (where cudaMalloc stored an address; if that "
                 "was meant for device memory, it takes that of the pointer, &p) and the source "
                 "host memory");
  // The address is a member's, rightly.
  expect_says(run("structure_of_host"),
              ", where cudaMalloc stored an address; a GPU cannot read it: copy the structure to "
              "the device, too\n");
  expect_says(run("missing_address"),
              place("missing_address_argument") +
                  ": error: kernel fill: argument 1 points to host memory (0x");
  expect_dropped("at_end", "cudaFree", invalid, "by free() or delete");
  expect_dropped("thread", "cudaFree", invalid, "by free() or delete");
}

TEST(Copies, OverTheHostsStackAreRefused) {
  const Outcome outcome = run("over_the_stack");
  expect_says(outcome, place("over_the_stack") +
                           ": error: cudaMemcpy copies 65536 bytes to a local variable of the "
                           "host, beyond the end of all variables of its function; ");
  expect_says(outcome, "cudaErrorInvalidValue\nend\n");
  EXPECT_EQ(outcome.code, 1);
}

TEST(Arguments, ATableInHostMemoryIsNamed) {
  expect_says(run("table"), place("table") +
                                ": error: kernel fill_rows: argument 1 points to a table in host "
                                "memory (0x");
  expect_says(run("table"),
              "where cudaMalloc stored addresses; a GPU cannot read it: copy the "
              "table to the device, too\n");
}

TEST(HostFunctions, MayNotCallCuda) {
  const Outcome outcome = run("host_function");
  expect_says(outcome, place("host_function") +
                           ": error: the function that cudaLaunchHostFunc gives to a stream calls "
                           "CUDA, which it must not: on a GPU such calls fail "
                           "(cudaErrorNotPermitted), or wait forever\n");
  expect_says(outcome, "cudaErrorNotPermitted\nend\n");
  EXPECT_EQ(outcome.code, 1);
}

TEST(DroppedResults, OfMacrosThatLookAreNotSaid) {
  const Outcome outcome = run("macro_that_looks");
  EXPECT_EQ(outcome.text, "failed\ncudaErrorInvalidValue\nend\n");
  EXPECT_EQ(outcome.code, 0);
}

TEST(DroppedResults, AFailedLaunchEndsWithOneUnlessItIsLookedAt) {
  for (const bool seen : {false, true}) {
    const Outcome outcome = run(seen ? "launch_seen" : "launch_unseen");
    EXPECT_EQ(outcome.code, seen ? 0 : 1);
    EXPECT_EQ(outcome.text,
              place("launch_fails") +
                  ": error: kernel fill: 2048 threads per block; at most 1024 in all, "
                  "in x and in y, and 64 in z\n" +
                  (seen ? "failed\n" : "") + "end\n");
  }
}

#ifndef SANITIZED  // which ends the program at the null pointer
TEST(DroppedResults, TheFirstMistakeIsNamedFirst) {
  const Outcome outcome = run("too_much");
  const std::size_t first = outcome.text.find(
                        place("too_much") +
                        ": error: cudaMalloc returns "
                        "cudaErrorMemoryAllocation, and the program does not look at "
                        "it: 1152921504606846976 bytes are asked for, and "),
                    second =
                        outcome.text.find(place("null") + ": error: kernel store, block (0,0,0)");
  EXPECT_NE(second, std::string::npos) << outcome.text;
  EXPECT_LT(first, second) << outcome.text;
}

TEST(DroppedResults, OfAFaultAreSaidOnce) {
  const Outcome outcome = run("sticky");
  expect_says(outcome, place("fault") + ": error: kernel store, block (0,0,0)");
  expect_says(outcome,
              place("sticky") +
                  ": error: cudaMemset returns cudaErrorIllegalAddress, and the program does not "
                  "look at it: after the fault of a kernel no call does anything\n");
  EXPECT_EQ(count(outcome.text, "error: "), 2u) << outcome.text;
}

TEST(DroppedResults, AFaultThatNoCallReturnsEndsWithOne) {
  const Outcome outcome = run("fault_at_end");
  EXPECT_EQ(outcome.code, 1);
  EXPECT_EQ(count(outcome.text, "error: "), 1u) << outcome.text;
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

TEST(DroppedResults, OfFilesOfTheHost) {
  const std::string sentence =
      ": error: cudaMemcpy returns cudaErrorInvalidValue, and the program does not look at it: "
      "cudaMemcpyDeviceToHost, but the destination is device memory and the source host memory\n";
  const Outcome outcome = run("host_file");
  EXPECT_EQ(outcome.code, 1);
  EXPECT_EQ(outcome.text, "end\n" + place("host_file", HOST_SOURCE) + sentence);
  const Outcome looked_at = run("host_file_looked_at");
  EXPECT_EQ(looked_at.code, 0);
  EXPECT_EQ(looked_at.text, "failed\nfailed\ncudaErrorInvalidValue\nend\n");
}

#if !defined(SANITIZED)  // which cannot go on after an access
// What is said of the host's access in the line of that name, and what the program prints.
void expect_early(const std::string& name, const std::string& line, const std::string& byte,
                  const std::string& printed, const std::string& launch = "launch") {
  const Outcome outcome = run(name);
  EXPECT_EQ(outcome.code, 1);
  expect_says(outcome, place(line) + ": error: the host uses byte " + byte +
                           " of the 400000 bytes from cudaMallocManaged, which kernel number");
  expect_says(outcome, ", launched at " + place(launch) +
                           ", may still be writing; call cudaDeviceSynchronize() first\n");
  expect_says(outcome, printed + "end\n");
}

TEST(TooEarly, TheHostUsesManagedMemory) {
  expect_early("early_read", "early_read", "20 (element 5)", "5 ");
  expect_early("early_write", "early_write", "20 (element 5)", "");
  expect_early("early_copy", "early_copy", "0 (element 0)", "99999 ");
  expect_early("early_template", "early_template", "4 (element 1)", "1 ", "launch_template");
  expect_early("early_device_copy", "early_device_copy", "20 (element 5)", "5 ");
  expect_says(run("early_first"),
              place("early_first") + ": error: the host uses byte 0 (element 0) of the 4000 bytes");
}

TEST(TooEarly, CallsOfTheLibraryAndTheSystemSucceedAllTheSame) {
  expect_early("early_fwrite", "early_fwrite", "0 (element 0)", "100000 ");
  expect_says(run("early_fwrite"), place("early_fread") + ": error: the host uses byte 0");
  expect_early("early_system_call", "early_read_call", "0 (element 0)", "100000 ");
  expect_says(run("early_system_call"),
              place("early_write_call") + ": error: the host uses byte 0");
  expect_early("early_stream", "early_stream", "0 (element 0)", "1 ");
}

TEST(TooEarly, TheHostUsesPinnedMemoryThatACopyFills) {
  const Outcome outcome = run("early_pinned");
  EXPECT_EQ(outcome.code, 1);
  expect_says(
      outcome,
      place("early_pinned") +
          ": error: the host uses byte 20 of the 400000 bytes from cudaMallocHost, which the "
          "asynchronous copy at " +
          place("copy") + " may still be writing; call cudaStreamSynchronize() first\n0 end\n");
}
#endif

TEST(TooEarly, TheTimeOfAnEvent) {
  const Outcome outcome = run("early_time");
  EXPECT_EQ(outcome.code, 1);
  expect_says(
      outcome,
      place("early_time") +
          ": error: cudaEventElapsedTime asks for the time of an event, recorded at " +
          place("record") +
          ", that the program has not waited for: a GPU returns cudaErrorNotReady and no time; "
          "call cudaEventSynchronize first\n");
}

TEST(TooEarly, TheProgramEndsBeforeItHasAKernelsOutput) {
  const Outcome outcome = run("early_end");
  EXPECT_EQ(outcome.code, 1);
  expect_says(outcome, "from the device\n");
  expect_says(
      outcome,
      place("early_end") +
          ": error: kernel greet prints, and the program ends without having waited for it: a GPU "
          "may lose what it printed; call cudaDeviceSynchronize()\n");
  EXPECT_EQ(run("early_end", "CUDA_LAUNCH_BLOCKING=1").code, 0);
}

TEST(TooEarly, ProgramsThatWaitAreNot) {
  const Outcome outcome = run("waited_for");
  EXPECT_EQ(outcome.code, 0);
  EXPECT_EQ(outcome.text, "from the device\n14 end\n");
  const Outcome copies = run("waited_for_copies");
  EXPECT_EQ(copies.code, 0);
  EXPECT_EQ(copies.text, "50099 end\n");
}

TEST(TooEarly, NotInTheHostsOwnPart) {
  const Outcome outcome = run("own_parts");
  EXPECT_EQ(outcome.code, 0);
  EXPECT_EQ(outcome.text, "502 end\n");
}

}  // namespace
