// Runs probe.cu's program with environments and mistakes, and reads what the
// emulated device says about them.
#include <map>
#include <set>
#include <string>

#include "run_probe.h"

namespace {

// ---- EMULATED_ORDER, EMULATED_THREADS ----
TEST(Order, ARaceShowsAndACorrectKernelDoesNotCare) {
  const std::string one = "EMULATED_THREADS=1 EMULATED_ORDER=";
  const std::string in_order = run("order", one + "in-order").text,
                    reversed = run("order", one + "reversed").text;
  EXPECT_EQ(in_order, run("order", "EMULATED_THREADS=1").text);
  EXPECT_EQ(in_order.substr(0, 22), "winner 319 counter 320");
  EXPECT_EQ(reversed.substr(0, 20), "winner 0 counter 320");
  EXPECT_NE(in_order.substr(22),
            reversed.substr(20));  // how many threads saw their neighbor's value
  std::set<std::string> winners;
  for (const char* seed : {"", ":1", ":2", ":3", ":4", ":5"}) {
    const Outcome outcome = run("order", one + "shuffled" + seed);
    expect_says(outcome, " counter 320 ");
    EXPECT_EQ(outcome.text.find("right 64"), std::string::npos);
    EXPECT_EQ(outcome.text, run("order", one + "shuffled" + seed).text);  // the seed decides
    winners.insert(outcome.text.substr(0, outcome.text.find(" counter")));
  }
  EXPECT_GE(winners.size(), 4u);
}

TEST(Environment, WrongValuesEndTheProgram) {
  const std::map<std::string, std::string> sentences = {
      {"EMULATED_ORDER=sorted",
       "EMULATED_ORDER is 'sorted'; it must be in-order, reversed, shuffled or shuffled:SEED.\n"},
      {"EMULATED_ORDER=shuffled:x",
       "EMULATED_ORDER is 'shuffled:x'; it must be in-order, reversed, shuffled or "
       "shuffled:SEED.\n"},
      {"EMULATED_ORDER=",
       "EMULATED_ORDER is ''; it must be in-order, reversed, shuffled or shuffled:SEED.\n"},
      {"EMULATED_THREADS=0",
       "EMULATED_THREADS is '0'; it must be a number of threads from 1 to 1024.\n"},
      {"EMULATED_THREADS=two",
       "EMULATED_THREADS is 'two'; it must be a number of threads from 1 to 1024.\n"},
      {"EMULATED_THREADS=-1",
       "EMULATED_THREADS is '-1'; it must be a number of threads from 1 to 1024.\n"},
      {"EMULATED_WATCHDOG=0",
       "EMULATED_WATCHDOG is '0'; it must be a number of seconds above 0.\n"},
      {"EMULATED_WATCHDOG=nan",
       "EMULATED_WATCHDOG is 'nan'; it must be a number of seconds above 0.\n"},
      {"EMULATED_CHECK_LEAKS=yes", "EMULATED_CHECK_LEAKS is 'yes'; it must be 0 or 1.\n"}};
  for (const auto& [environment, sentence] : sentences) {
    const Outcome outcome = run("order", environment);
    EXPECT_EQ(outcome.code, 2) << environment;
    EXPECT_EQ(outcome.text, sentence);
  }
}

// ---- mistakes of threads ----
TEST(Mistakes, EarlyExitIsToleratedWithOneWarning) {
  for (const char* order : {"in-order", "reversed", "shuffled", "shuffled:2"}) {
    const Outcome outcome = run("early_exit", std::string("EMULATED_ORDER=") + order);
    expect_says(outcome, place("early_exit") + ": warning: kernel early_exit, block (");
    expect_says(outcome, "24 of 64 threads ended without coming to this __syncthreads");
    EXPECT_EQ(outcome.text.find("warning"), outcome.text.rfind("warning"));
    expect_says(outcome, "cudaSuccess cudaSuccess cudaSuccess\n");
  }
}

// The guide demands all non-exited lanes of the mask.
TEST(Mistakes, LanesThatHaveEndedAreNone) {
  EXPECT_EQ(run("ended_lanes").text, "cudaSuccess cudaSuccess cudaSuccess\n");
}

TEST(Mistakes, DifferentBarriers) {
  const Outcome outcome = run("different_barriers");
  expect_says(outcome, place("different_barriers") +
                           ": warning: kernel different_barriers, block (0,0,0): threads of one "
                           "block meet at different barriers");
  expect_says(outcome, "cudaSuccess cudaSuccess cudaSuccess\n");
}

TEST(Mistakes, DeadlockTellsWhoWaitsWhere) {
  const Outcome outcome = run("divergent");
  expect_says(outcome, "error: kernel divergent, block (0,0,0): deadlock, no thread can go on");
  expect_says(
      outcome,
      place("divergent") +
          ": waits at __shfl_xor_sync for lanes 0xffffffff: 16 threads, (0,0,0) to (15,0,0)");
  expect_says(outcome, ": waits at __syncthreads: 16 threads, (16,0,0) to (31,0,0)");
  expect_says(outcome, "cudaErrorLaunchTimeout cudaErrorLaunchTimeout cudaSuccess\n");
}

TEST(Mistakes, WarpOperations) {
  Outcome outcome = run("different_operations");
  expect_says(outcome, place("different_operations") + ": error: kernel different_operations");
  expect_says(outcome, "lanes of a warp meet at different operations");
  expect_says(outcome, "cudaErrorLaunchFailure cudaErrorLaunchFailure cudaSuccess\n");
  outcome = run("not_in_mask");
  expect_says(outcome,
              place("not_in_mask") +
                  ": error: kernel not_in_mask, block (0,0,0), thread (0,0,0): __ballot_sync: the "
                  "calling lane is not in its own mask");
}

TEST(Mistakes, GridBarriers) {
  Outcome outcome = run("no_cooperative_launch");
  expect_says(outcome, place("no_cooperative_launch") + ": error: ");
  expect_says(outcome, "grid.sync() needs a cooperative launch");
  outcome = run("some_blocks_sync");
  expect_says(outcome, "deadlock");
  expect_says(outcome, "cudaErrorLaunchTimeout cudaErrorLaunchTimeout cudaSuccess\n");
}

TEST(Mistakes, TheWatchdogEndsAWaitForNothing) {
  const Outcome outcome = run("waits_forever", "EMULATED_WATCHDOG=0.3");
  expect_says(
      outcome,
      "no progress for 0.3 seconds, all threads only wait for memory that no thread changes (nor "
      "can the host, as it could on a GPU: here a launch returns when the kernel has ended)");
  expect_says(outcome, place("waits_forever") + ": waits at a change of memory: 32 threads");
  expect_says(outcome, "cudaErrorLaunchTimeout cudaErrorLaunchTimeout cudaSuccess\n");
}

TEST(Mistakes, TheWatchdogEndsALoopThatComesBackToItsState) {
  const Outcome outcome = run("never_ends", "EMULATED_WATCHDOG=0.3");
  expect_says(outcome, "error: kernel never_ends, block (");
  expect_says(outcome,
              ", thread (5,0,0): this loop never ends: its thread comes back to the same state "
              "again and again, and memory stays as it is at " +
                  place("never_ends") + "\n");
  expect_says(outcome, "cudaErrorLaunchTimeout cudaErrorLaunchTimeout cudaSuccess\n");
}

TEST(Mistakes, InvalidLaunch) {
  const Outcome outcome = run("too_many_threads");
  expect_says(outcome, place("too_many_threads") +
                           ": error: kernel trap: 2048 threads per block; at most 1024");
  expect_says(outcome, "cudaErrorInvalidConfiguration cudaSuccess cudaSuccess\n");
}

// NaN would pass `if (fabs(value - right) > eps) wrong();`.
TEST(Mistakes, FreshMemoryIsFarFromAnyResult) {
  expect_says(run("uninitialized"), "far, managed 0\n");
}

TEST(Mistakes, EveryBlockFindsSharedMemoryUnwritten) {
  for (const char* environment :
       {"EMULATED_THREADS=1", "EMULATED_THREADS=3 EMULATED_ORDER=shuffled"})
    expect_says(run("uninitialized_shared", environment),
                std::to_string(10 * 2 * 256 + 10 * 32) + "\n");
}

#ifndef SANITIZED
TEST(Mistakes, AWriteBeyondASharedArrayHitsNoVariableOfTheDevice) {
  expect_says(run("overruns_shared"), "cudaSuccess cudaSuccess");
}
#endif

TEST(Mistakes, LaunchBounds) {
  const Outcome outcome = run("too_many_for_bounds");
  EXPECT_EQ(outcome.text,
            place("too_many_for_bounds") +
                ": error: kernel bounded: 128 threads per block; its __launch_bounds__ allow 64\n"
                "cudaErrorInvalidValue cudaSuccess cudaSuccess\n");
}

// ---- faults ----
TEST(Faults, Assert) {
  const Outcome outcome = run("failed_assert");
  expect_says(outcome, place("failed_assert") + ": void failed_assert(int): block: [");
  expect_says(outcome, "thread: [5,0,0] Assertion `value != int(0.5f)` failed.");
  expect_says(outcome, "cudaErrorAssert cudaErrorAssert cudaSuccess\n");
}

TEST(Faults, Trap) {
  const Outcome outcome = run("trap");
  expect_says(outcome, "thread (7,0,0): __trap() was called");
  expect_says(outcome, "cudaErrorLaunchFailure cudaErrorLaunchFailure cudaSuccess\n");
}

TEST(Faults, ALaunchInsideAKernel) {
  const Outcome outcome = run("launches_inside");
  expect_says(outcome, "launches kernel trap at " + place("launches_inside") +
                           ", but the emulated device cannot launch from inside a kernel");
  EXPECT_EQ(outcome.text.find("cannot launch"), outcome.text.rfind("cannot launch"));
  expect_says(outcome, "cudaErrorNotSupported cudaErrorNotSupported cudaSuccess\n");
}

#ifndef SANITIZED
TEST(Faults, BuiltinTrap) {
  const Outcome outcome = run("builtin_trap");
  expect_says(outcome, "thread (3,0,0): __builtin_trap() was called, or ");
  expect_says(outcome, " at " + place("builtin_trap"));
  expect_says(outcome, "cudaErrorLaunchFailure cudaErrorLaunchFailure cudaSuccess\n");
}

TEST(Faults, IllegalAddress) {
  const Outcome outcome = run("illegal_address");
  expect_says(outcome, "thread (3,0,0): an illegal address, 0x0, is accessed at " +
                           place("illegal_address") +
                           "; argument 1 of the kernel is a null pointer\n");
  expect_says(outcome, "cudaErrorIllegalAddress cudaErrorIllegalAddress cudaSuccess\n");
}

TEST(Faults, ANullPointerIsNamedWhereItIsAnArgument) {
  const Outcome outcome = run("follows_null");
  expect_says(outcome,
              "thread (0,0,0): an illegal address, 0x0, is accessed at " + place("follows_null"));
  EXPECT_EQ(outcome.text.find("null pointer"), std::string::npos) << outcome.text;
}

// As on an H200 with CUDA 13.0: cudaGetLastError forgets the fault, the device does not.
TEST(Faults, GetLastErrorForgetsAndTheNextCallReminds) {
  const std::string fault = "cudaErrorIllegalAddress ";
  expect_says(run("last_error"), "\n" + fault + fault + "cudaSuccess " + fault + fault +
                                     "cudaSuccess cudaSuccess " + fault + "cudaSuccess\n");
}

// A compiler that guards stacks and the library's copies (-fstack-protector-strong,
// _FORTIFY_SOURCE) calls abort() before anything else happens.
TEST(Faults, AWriteBeyondALocalArrayIsSaid) {
  for (const char* order : {"in-order", "reversed", "shuffled"})
    for (const std::string name : {"overruns", "overruns_far", "overruns_by_memset"}) {
      const Outcome outcome = run(name, std::string("EMULATED_ORDER=") + order);
      EXPECT_EQ(outcome.code, 0);
      expect_says(outcome, "error: kernel " + name + ", block (0,0,0), thread (");
      const bool guarded = outcome.text.find("detected ***: terminated") != std::string::npos;
      if (guarded) expect_says(outcome, ": abort() was called, by the kernel or for it");
      const std::string error = guarded ? "cudaErrorLaunchFailure" : "cudaErrorIllegalAddress";
      expect_says(outcome, error + " " + error + " cudaSuccess\n");
    }
}

TEST(Faults, AMisalignedOneIsSaid) {
#if defined(__x86_64__)
  const std::string name = "misaligned";
#else  // where only atomic accesses must be aligned
  const std::string name = "misaligned_atomic";
#endif
  const Outcome outcome = run(name);
  expect_says(outcome, "thread (0,0,0): a misaligned address is accessed");
  expect_says(outcome, " at " + place(name));
  expect_says(outcome, "cudaErrorMisalignedAddress cudaErrorMisalignedAddress cudaSuccess\n");
}

#ifndef __clang__  // whose -g1 does not tell addr2line of inlined functions
// And not that of the header whose function the kernel calls.
TEST(Faults, TheLineIsTheProgramsOwn) {
  expect_says(run("atomic_nowhere"),
              "an illegal address, 0x0, is accessed at " + place("atomic_nowhere"));
}
#endif

TEST(Faults, DivisionByZero) {
  const Outcome outcome = run("divide");
  expect_says(outcome,
              ": error: kernel divide, block (0,0,0), thread (0,0,0): an integer is divided by "
              "zero (a GPU ");
  expect_says(outcome, " at " + place("divide"));
  expect_says(outcome, "cudaErrorLaunchFailure cudaErrorLaunchFailure cudaSuccess\n");
}

// One instruction computes both; the compiler takes it out of the loop over threads.
TEST(Faults, QuotientAndRemainderByZero) {
  const Outcome outcome = run("divide_twice");
  expect_says(
      outcome,
      ": error: kernel divide_twice, block (0,0,0), thread (0,0,0): an integer is divided ");
  expect_says(outcome, "probe.cu:");
  EXPECT_EQ(outcome.text.find(".h:"), std::string::npos) << outcome.text;
}

// A GPU runs the lanes of a warp together.
TEST(Faults, AllAssertionsOfAWarp) {
  for (const char* const name : {"failed_asserts", "failed_asserts_later"}) {
    const Outcome outcome = run(name);
    for (const char* const thread : {"33", "43", "53", "63"})
      expect_says(outcome,
                  "thread: [" + std::string(thread) + ",0,0] Assertion `threadIdx.x % 10 != 3");
    EXPECT_EQ(outcome.text.find("thread: [73,"), std::string::npos) << outcome.text;
    expect_says(outcome, "cudaErrorAssert cudaErrorAssert cudaSuccess\n");
  }
}

TEST(Leaks, AreReportedOnDemand) {
  EXPECT_EQ(run("leak").text, "cudaSuccess cudaSuccess");
  const Outcome outcome = run("leak", "EMULATED_CHECK_LEAKS=1");
  expect_says(outcome, "leak: 4096 bytes at 0x");
  expect_says(outcome, "from cudaMalloc were never freed\n");
  expect_says(outcome, "leak: 2 allocations with 8096 bytes in all were never freed\n");
  EXPECT_EQ(run("order", "EMULATED_CHECK_LEAKS=1").text.find("leak"), std::string::npos);
}
#else
// ---- what the sanitizers find, with the line ----
TEST(Sanitizers, OutOfBounds) {
  Outcome outcome = run("global_overrun");
  EXPECT_NE(outcome.code, 0);
  expect_says(outcome, "heap-buffer-overflow");
  expect_says(outcome, place("global_overrun"));
  expect_says(outcome, "0 bytes to the right of 4000-byte region");
  outcome = run("dynamic_overrun");
  EXPECT_NE(outcome.code, 0);
  expect_says(outcome, "use-after-poison");
  expect_says(outcome, place("dynamic_overrun"));
  outcome = run("static_overrun");
  EXPECT_NE(outcome.code, 0);
  expect_says(outcome, place("static_overrun"));
  expect_says(outcome, "index 64 out of bounds");
}

TEST(Sanitizers, UseAfterFree) {
  const Outcome outcome = run("use_after_free");
  EXPECT_NE(outcome.code, 0);
  expect_says(outcome, "heap-use-after-free");
  expect_says(outcome, place("global_overrun"));
}
#endif

}  // namespace
