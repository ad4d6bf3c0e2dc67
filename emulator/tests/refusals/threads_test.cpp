// Runs threads_probe.cu's program: kernels that wait wrongly or end wrongly.
#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <map>
#include <string>

#include "run_probe.h"

namespace {

// ---- ends of kernels: the program goes on ----
#ifndef SANITIZED
// Also by the C library for a bad pointer.
TEST(Ends, AbortInAKernel) {
  const std::map<std::string, std::string> threads = {{"aborts", "4"}, {"frees", "6"}};
  for (const auto& [name, thread] : threads) {
    const Outcome outcome = run(name);
    EXPECT_EQ(outcome.code, 0);
    expect_says(outcome, "error: kernel " + name + ", block (");
    expect_says(outcome, "thread (" + thread + ",0,0): abort() was called, ");
    expect_says(outcome, " at " + place(name));
    expect_says(outcome, "cudaErrorLaunchFailure cudaSuccess\n");
  }
}
#endif

// A GPU has no exceptions: one of the C++ library ends the kernel.
TEST(Ends, ExceptionInAKernel) {
  const std::map<std::string, std::string> whats = {
      {"throws", "no such value"}, {"throws_later", "array::at: __n (which is 31)"}};
  for (const auto& [name, what] : whats) {
    const Outcome outcome = run(name);
    EXPECT_EQ(outcome.code, 0);
    expect_says(outcome, "error: kernel " + name + ", block (");
    expect_says(outcome, ": an exception is thrown, which no GPU has: " + what);
    expect_says(outcome, " at " + place(name));
    expect_says(outcome, "cudaErrorLaunchFailure cudaSuccess\n");
    EXPECT_EQ(outcome.text.find("terminate"), std::string::npos) << outcome.text;
  }
}

// The search for who handles an exception ends with a thread's stack.
TEST(Ends, NothingHasCalledAThread) {
  EXPECT_EQ(run("callers").text, "0 cudaSuccess cudaSuccess\n");
}

// ---- kernels that take long, on a terminal ----
#ifndef SANITIZED
TEST(Ends, OfALoopThatCountsAreUnknownAndItIsSaidWhereItIs) {
  const int terminal = posix_openpt(O_RDWR | O_NOCTTY);
  ASSERT_TRUE(terminal >= 0 && grantpt(terminal) == 0 && unlockpt(terminal) == 0);
  const std::string name = ptsname(terminal);
  const int held = open(name.c_str(), O_RDWR | O_NOCTTY);  // what was written stays
  const Outcome outcome = run("counts", "exec 2>" + name + "; EMULATED_WATCHDOG=0.2");
  EXPECT_EQ(outcome.code, 0);
  expect_says(outcome, "cudaSuccess cudaSuccess\n");
  std::array<char, 4096> said = {};
  fcntl(terminal, F_SETFL, O_NONBLOCK);
  const Outcome shown{0, read(terminal, said.data(), said.size() - 1) > 0 ? said.data() : ""};
  expect_says(shown, ": note: kernel counts has run for more than 0.2 s; block (0,0,0)");
  expect_says(shown,
              " is at " + place("counts") + ", and Ctrl-C ends it if the loop there never does");
  EXPECT_EQ(shown.text.find("for more than"), shown.text.rfind("for more than"));
  close(held);
  close(terminal);
}
#endif

// ---- stacks, memory, OS threads ----
TEST(Stacks, HoldTheFramesThatCudaAllows) {
  const Outcome outcome = run("large_frame");
  EXPECT_EQ(outcome.text, "cudaSuccess cudaSuccess\n");
}

#ifndef SANITIZED
TEST(Stacks, AnOverflowOfLargeFramesIsFound) {
  const Outcome outcome = run("overflows");
  expect_says(
      outcome,
      "error: kernel overflows, block (0,0,0), thread (0,0,0): the thread's stack overflows");
  expect_says(outcome, "cudaErrorLaunchFailure cudaSuccess\n");
}

TEST(Limits, NoMemoryForStacks) {
  const Outcome outcome = run("many_stacks", "ulimit -v 600000; EMULATED_THREADS=1");
  EXPECT_EQ(outcome.code, 1);
  EXPECT_EQ(outcome.text,
            "The emulated device ends this program: the stacks of a block's threads do not fit "
            "into memory.\n");
}

TEST(Limits, NoMoreOsThreads) {
  const Outcome outcome = run("many_os_threads", "ulimit -v 600000; EMULATED_THREADS=1");
  EXPECT_EQ(outcome.code, 1);
  expect_says(outcome, "The emulated device ends this program: ");
  EXPECT_EQ(outcome.text.find('\n'), outcome.text.size() - 1) << outcome.text;
}
#endif

// ---- processes ----
TEST(Processes, KernelsBeforeAndAfterMain) {
  const Outcome outcome = run("outside_main");
  EXPECT_EQ(outcome.code, 0);
  EXPECT_EQ(outcome.text, "constructed: cudaSuccess destructed: cudaSuccess\n");
}

// ---- waiting ----
TEST(Watchdog, SaysSoonThatAKernelWaitsForTheHost) {
  const Outcome outcome = run("wait_for_host", "EMULATED_WATCHDOG=4");
  const std::string note =
      ": note: kernel wait_for_host, block (0,0,0): all threads only wait for memory to change, "
      "and the host's code behind the launch cannot change it: a launch returns when its kernel "
      "has ended; this one is ended after 4 seconds of waiting\n";
  expect_says(outcome, place("wait_for_host") + note);
  EXPECT_EQ(outcome.text.find(": note: "), outcome.text.rfind(": note: "));
  EXPECT_LT(outcome.text.find(": note: "), outcome.text.find("no progress for 4 seconds"));
  expect_says(outcome, "cudaErrorLaunchTimeout cudaSuccess\n");
}

TEST(Watchdog, EndsAWaitForManyWords) {
  const Outcome outcome = run("wait_for_many", "EMULATED_WATCHDOG=0.3");
  expect_says(outcome, place("wait_for_many") + ": waits at a change of memory: 2 threads");
  expect_says(outcome, "cudaErrorLaunchTimeout cudaSuccess\n");
}

TEST(Watchdog, TellsThatBlocksHaveNotBegun) {
  const Outcome outcome = run("wait_for_all", "EMULATED_WATCHDOG=3");
  expect_says(
      outcome,
      "90 of 600 blocks have not begun: only a cooperative launch promises that all run at the "
      "same time");
  expect_says(outcome, "cudaErrorLaunchTimeout cudaSuccess\n");
}

TEST(Watchdog, LeavesAKernelAloneThatWorksAndLooks) {
  const Outcome outcome = run("work_until_stopped", "EMULATED_WATCHDOG=0.3");
  EXPECT_EQ(outcome.text, "cudaSuccess cudaSuccess\n");
}

TEST(Watchdog, EndsThreadsThatMeetForEver) {
  for (const std::string order : {"in-order", "shuffled"})
    for (const std::string name : {"barriers_forever", "shuffles_forever"}) {
      const Outcome outcome = run(name, "EMULATED_WATCHDOG=0.3 EMULATED_ORDER=" + order);
      expect_says(outcome, "error: kernel " + name + ", block (");
      expect_says(outcome,
                  "no progress for 0.3 seconds, all threads repeat the same steps, and memory "
                  "stays as it is");
      expect_says(outcome, place(name) + ": waits at ");
      expect_says(outcome, "cudaErrorLaunchTimeout cudaSuccess\n");
    }
}

TEST(Watchdog, LooksAtMemoryWhileTheKernelEnds) {
  EXPECT_EQ(run("ends_while_watched", "EMULATED_WATCHDOG=0.1").text, "cudaSuccess cudaSuccess\n");
}

TEST(Watchdog, LeavesAKernelAloneThatWorksInMemoryOnly) {
  EXPECT_EQ(run("counts_in_memory", "EMULATED_WATCHDOG=0.1").text, "cudaSuccess cudaSuccess\n");
}

}  // namespace
