#include "detectors/again.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "device/limits.h"
#include "hash.h"
#include "record/memory.h"
#include "record/objects.h"
#include "warps/block.h"

namespace emulated::explain {

namespace {

// Runs of one launch: two with the same values, to know what differs anyway
// (clocks), and two with others.
enum Run { as_it_was, once_more, zeros, others, runs };
constexpr unsigned char fills[runs] = {unwritten, unwritten, 0, 0x5a};
constexpr std::size_t again_max_bytes = std::size_t{1} << 28;
// Launches that may be tried again: the first ones of each kernel, and of a program all.
constexpr unsigned first_launches = 64, max_tried = 1000;
// With other values a loop may never end: a run ends after so many basic blocks.
constexpr std::uint64_t steps_at_most = 1'000'000'000;

// What a run hands over; the bytes of all pieces of memory follow.
struct AnswerOfRun {
  bool complete, failed;
  std::uint64_t said;  // a hash of what it printed
};

struct Again {
  std::vector<Piece> pieces;
  std::size_t bytes = 0;  // of all pieces
  char* answers = nullptr;
  int run = -1;        // in a copy: which one
  pid_t copy = 0;      // in the program: the copy that waits; 0: there is none
  int to_copy = -1;    // a socket to it
  unsigned tried = 0;  // launches

  std::size_t answer_bytes() const { return sizeof(AnswerOfRun) + bytes; }
  AnswerOfRun& answer(int which) const {
    return *reinterpret_cast<AnswerOfRun*>(answers +
                                           static_cast<std::size_t>(which) * answer_bytes());
  }
  const unsigned char* values(int which) const {
    return reinterpret_cast<const unsigned char*>(&answer(which)) + sizeof(AnswerOfRun);
  }
};
Again& state() {
  static auto& value = *new Again;
  return value;
}

// Gives memory that nobody wrote, and what derives from it, other values.
void change_values(const Again& again, unsigned char value) {
  for (const Piece& piece : again.pieces)
    for_each_part(
        piece.begin, piece.bytes,
        [value](const Note* notes, std::uintptr_t begin, std::size_t size) {
          auto* const memory =
              reinterpret_cast<unsigned char*>(begin);  // NOLINT(performance-no-int-to-ptr)
          for (std::size_t i = 0; i < size; ++i)
            if (state_of(notes[i]) == State::unwritten || state_of(notes[i]) == State::derived)
              memory[i] = value;
        });
}

// How the process ended. A signal of the program's own does not disturb.
int wait_for(pid_t process) {
  int end = 0;
  while (waitpid(process, &end, 0) < 0 && errno == EINTR) {
  }
  return end;
}

// The copy waits until it is needed, then makes a copy of itself for each run. True in those.
bool wait_and_run(Again& again, int from_program) {
  char begin = 0;
  if (read(from_program, &begin, sizeof begin) != sizeof begin) _exit(0);
  close(from_program);
  // Nothing of it is seen, nor of what the program has in its buffers.
  // What kernels print is compared.
  const int nowhere = open("/dev/null", O_RDWR);
  dup2(nowhere, STDIN_FILENO);
  dup2(nowhere, STDOUT_FILENO);
  dup2(nowhere, STDERR_FILENO);
  for (int run = 0; run < runs; ++run) {
    const pid_t child = fork();
    if (child == 0) {
      again.run = run;
      steps_left_again = steps_at_most;
      dup2(memfd_create("said", 0), STDOUT_FILENO);
      if (run != as_it_was && run != once_more) change_values(again, fills[run]);
      return true;
    }
    if (child < 0) _exit(0);
    wait_for(child);
    if (run == as_it_was && !again.answer(run).complete) _exit(0);
  }
  _exit(0);
}

Matters compare(const Again& again, unsigned source) {
  if (!again.answer(as_it_was).complete || !again.answer(once_more).complete)
    return Matters::unknown;
  const auto *const first = again.values(as_it_was), *const second = again.values(once_more),
                    *const with_zeros = again.values(zeros),
                    *const with_others = again.values(others);
  const AnswerOfRun &usual = again.answer(as_it_was), &same = again.answer(once_more);
  if (std::memcmp(first, second, again.bytes) != 0 || usual.said != same.said)
    return Matters::unknown;
  bool derived = false, at_once = false;
  for (const Run run : {zeros, others}) {
    const AnswerOfRun& other = again.answer(run);
    at_once |= !other.complete || other.failed != usual.failed || other.said != usual.said;
  }
  if (at_once) return Matters::at_once;
  std::size_t i = 0;
  for (const Piece& piece : again.pieces)
    for (std::size_t k = 0; k < piece.bytes; ++k, ++i) {
      if (first[i] == with_zeros[i] && first[i] == with_others[i]) continue;
      const State own = state_of(note_at(piece.begin + k));
      if (own == State::unwritten) continue;  // it still has the values that were tried
      if (own == State::derived && with_zeros[i] == fills[zeros] && with_others[i] == fills[others])
        continue;
      derived = true;
      at_once |= piece.on_host;
      if (!piece.on_host)
        set_notes(piece.begin + k, 1, note_of(State::derived, Space::global, source));
    }
  if (at_once) return Matters::at_once;
  return derived ? Matters::derived : Matters::no;
}

}  // namespace

std::uint64_t steps_left_again = 0;

bool is_again() { return state().run >= 0; }

void count_step_again() {
  if (--steps_left_again == 0) _exit(0);
}

bool prepare_again(const Launch& launch, unsigned launches_before) {
  Again& again = state();
  // A launch that was looked at stands for those like it. A cooperative one needs many OS threads.
  if (launch.cooperative || !(launches_before < first_launches || has_read_unwritten()) ||
      again.tried >= max_tried)
    return false;
  ++again.tried;
  again.pieces = all_pieces();
  again.bytes = 0;
  for (const Piece& piece : again.pieces) again.bytes += piece.bytes;
  if (again.bytes > again_max_bytes) return false;
  again.bytes = (again.bytes + 15) / 16 * 16;
  void* const shared = mmap(nullptr, runs * again.answer_bytes(), PROT_READ | PROT_WRITE,
                            MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  int ends[2];
  if (shared == MAP_FAILED) return false;
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
    munmap(shared, runs * again.answer_bytes());
    return false;
  }
  again.answers = static_cast<char*>(shared);
  again.copy = fork();
  if (again.copy == 0) {
    close(ends[1]);
    return wait_and_run(again, ends[0]);
  }
  close(ends[0]);
  again.to_copy = ends[1];
  return false;
}

void fill_shared_again() {
  for (const std::span<char> bytes : worker->shared)
    std::memset(bytes.data(), fills[state().run], bytes.size());
}

// A hash of what this run has printed.
static std::uint64_t hash_of_output() {
  std::fflush(stdout);
  std::uint64_t hash = hash_of_nothing;
  char buffer[4096];
  ssize_t count = 0;
  for (off_t at = 0; (count = pread(STDOUT_FILENO, buffer, sizeof buffer, at)) > 0; at += count)
    hash = hash_of(buffer, static_cast<std::size_t>(count), hash);
  return hash;
}

void finish_again() {
  const Again& again = state();
  AnswerOfRun& answer = again.answer(again.run);
  auto* to = reinterpret_cast<char*>(&answer) + sizeof(AnswerOfRun);
  for (const Piece& piece : again.pieces) {
    const auto* const from =
        reinterpret_cast<const void*>(piece.begin);  // NOLINT(performance-no-int-to-ptr)
    std::memcpy(to, from, piece.bytes);
    to += piece.bytes;
  }
  answer.failed = running->failed;
  answer.said = hash_of_output();
  answer.complete = true;
  _exit(0);
}

Matters try_again(bool reads_unwritten, unsigned source) {
  Again& again = state();
  if (again.copy <= 0) return Matters::unknown;
  const char begin = 1;
  // That the copy is gone is no reason to end.
  if (reads_unwritten && send(again.to_copy, &begin, sizeof begin, MSG_NOSIGNAL) != sizeof begin)
    reads_unwritten = false;
  close(again.to_copy);
  wait_for(again.copy);
  again.copy = 0;
  const Matters matters = reads_unwritten ? compare(again, source) : Matters::unknown;
  munmap(again.answers, runs * again.answer_bytes());
  return matters;
}

}  // namespace emulated::explain
