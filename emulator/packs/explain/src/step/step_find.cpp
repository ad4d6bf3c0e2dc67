// --at and --wrong: who wrote an element last. A copy of the program runs before the program itself
// and looks; both run the same way, so that the program then records the steps around that write.
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <unordered_map>
#include <utility>

#include "emulated/explain_hooks.h"
#include "launch/declarations.h"
#include "launch/running.h"
#include "record/memory.h"
#include "record/objects.h"
#include "step/step.h"
#include "warps/block.h"

namespace emulated::explain {

bool looks_for_writes = false;

namespace {

struct Writer {
  const KernelTotals* kernel = nullptr;
  unsigned launch = 0, thread = 0;
  std::uint64_t block = 0, count = 0;  // of this block's writes so far
};

// The copy's answer.
struct Answer {
  enum { none, found, sentence } kind = none;
  int code = 0;  // of a sentence
  char text[600] = "";
  char kernel[200] = "";
  Written write;
};

struct Looking {
  std::string name;  // of --at
  std::vector<std::size_t> indices;
  bool is_copy = false;
  int to_program = -1;
  // What is looked for in the present launch: for --at.
  std::uintptr_t begin = 0;
  std::size_t bytes = 0;
  bool begins = false;     // no block has run yet
  bool was_there = false;  // in any launch
  std::string problem;     // why not
  Writer last;
  std::uintptr_t last_address = 0;
  // For --wrong: of each word; and what the host has copied.
  std::unordered_map<std::uintptr_t, Writer> words;
  struct Copy {
    std::uintptr_t to, from;
    std::size_t bytes;
  };
  std::vector<Copy> copies;
  bool found_wrong = false;
};
Looking& looking() {
  static auto& value = *new Looking;
  return value;
}

void answer(const Answer& own) {
  const auto* bytes = reinterpret_cast<const char*>(&own);
  for (std::size_t done = 0; done < sizeof own;) {
    const ssize_t count = write(looking().to_program, bytes + done, sizeof own - done);
    if (count <= 0) return;
    done += static_cast<std::size_t>(count);
  }
}

void answer_with(const std::string& sentence, int code) {
  Answer own;
  own.kind = Answer::sentence;
  own.code = code;
  std::snprintf(own.text, sizeof own.text, "%s", sentence.c_str());
  answer(own);
}

void answer_with(const Writer& writer, std::uintptr_t address, std::size_t bytes) {
  Answer own;
  own.kind = Answer::found;
  std::snprintf(own.kernel, sizeof own.kernel, "%s", writer.kernel->name.c_str());
  own.write = {writer.launch, writer.thread, writer.block, writer.count, address, bytes};
  answer(own);
}

// Notes that a write of the present thread is the latest to what `writer` stands for.
void update(Writer& writer) {
  const bool same =
      writer.kernel == kernel && writer.launch == kernel->launches && writer.block == block->number;
  writer = {kernel, kernel->launches, block->thread, block->number, same ? writer.count + 1 : 1};
}

void read_element(const char* text) {
  Looking& own = looking();
  const char* end = text + std::strcspn(text, "[");
  own.name.assign(text, end);
  while (*end == '[') {
    char* after = nullptr;
    own.indices.push_back(std::strtoul(end + 1, &after, 10));
    end = *after == ']' ? after + 1 : "";
  }
  if (*end != '\0')
    end_with("--at shows a whole element, as in out[257], and '" + std::string(text) +
                 "' goes on after one",
             2);
}

// In the program itself: waits for the copy. Then the answer says which steps to show.
void take_answer(int from_copy, pid_t copy) {
  Answer own;
  auto* bytes = reinterpret_cast<char*>(&own);
  std::size_t done = 0;
  while (done < sizeof own) {
    const ssize_t count = read(from_copy, bytes + done, sizeof own - done);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) break;
    done += static_cast<std::size_t>(count);
  }
  close(from_copy);
  int end = 0;
  while (waitpid(copy, &end, 0) < 0 && errno == EINTR) {
  }
  if (done < sizeof own)
    end_with("the program ended before the writer of the element was found", 1);
  if (own.kind == Answer::sentence) end_with(own.text, own.code);
  want(own.kernel, own.write);
}

[[maybe_unused]] const bool prepared = [] {
  const char* const at = std::getenv("EMULATED_STEP_AT");
  if (!makes_steps() || (at == nullptr && std::getenv("EMULATED_STEP_WRONG") == nullptr))
    return false;
  Looking& own = looking();
  if (at != nullptr) read_element(at);
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return false;
  const pid_t copy = fork();
  if (copy < 0) end_with("there is not enough memory for a second run of the program", 1);
  if (copy > 0) {
    close(ends[1]);
    take_answer(ends[0], copy);
    return true;
  }
  close(ends[0]);
  own.is_copy = looks_for_writes = true;
  own.to_program = ends[1];
  // Nothing of the first run is seen.
  const int nowhere = open("/dev/null", O_RDWR | O_CLOEXEC);
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) dup2(nowhere, stream);
  return true;
}();

}  // namespace

bool looks_for_writer() { return looking().is_copy; }

Element wanted_place(const Launch& launch) {
  return element_in(launch, looking().name, looking().indices);
}
bool has_wanted_name() { return !looking().name.empty(); }

std::string wanted_element() {
  return looking().name.empty() ? "the wrong element"
                                : element_text(looking().name, looking().indices);
}

void find_in_launch(const Launch&) {
  looking().bytes = 0;
  looking().begins = true;
}

// In the first block: shared memory is the OS thread's own.
void find_in_block(const Launch& launch) {
  Looking& own = looking();
  if (own.name.empty() || !std::exchange(own.begins, false) || !is_asked_for()) return;
  const Element place = element_in(launch, own.name, own.indices);
  if (!place.problem.empty()) own.problem = place.problem;
  if (place.bytes == 0) return;
  own.was_there = true;
  own.begin = place.address;
  own.bytes = place.bytes;
}

void note_writer(std::uintptr_t address, std::uint32_t bytes) {
  Looking& own = looking();
  if (own.name.empty()) {
    for (std::uintptr_t word = address / 4; word <= (address + bytes - 1) / 4; ++word)
      update(own.words[word]);
  } else if (own.bytes > 0 && address < own.begin + own.bytes && own.begin < address + bytes &&
             is_block_asked_for(block->number)) {
    update(own.last);
    own.last_address = own.begin;
  }
}

void note_copy_to_host(const void* to, const void* from, std::size_t bytes) {
  if (!looks_for_writes || !looking().name.empty()) return;
  looking().copies.push_back(
      {reinterpret_cast<std::uintptr_t>(to), reinterpret_cast<std::uintptr_t>(from), bytes});
}

void find_wrong_element(const void* element, std::size_t bytes) {
  Looking& own = looking();
  if (!looks_for_writes || !own.name.empty() || own.found_wrong) return;
  const Unseen unseen;
  own.found_wrong = true;
  auto address = reinterpret_cast<std::uintptr_t>(element);
  bool known = false;
  for (auto copy = own.copies.rbegin(); copy != own.copies.rend() && !known; ++copy)
    if (address - copy->to < copy->bytes) {
      address = copy->from + (address - copy->to);
      known = true;
    }
  known = known || note_at(address) != 0;  // memory that both sides see
  if (!known)
    return answer_with(
        "the wrong element was computed on the host: no copy brought it from the device", 1);
  const auto it = own.words.find(address / 4);
  if (it == own.words.end()) return answer_with("no kernel wrote the wrong element", 1);
  answer_with(it->second, address, bytes);
}

void finish_looking() {
  Looking& own = looking();
  if (own.found_wrong) return;
  if (own.name.empty())
    return answer_with(
        "no check has found a wrong element; --wrong needs a program whose --check fails", 1);
  if (own.last.kernel != nullptr) return answer_with(own.last, own.last_address, own.bytes);
  if (!own.was_there && !own.problem.empty()) return answer_with(own.problem, 2);
  if (!own.was_there)
    return answer_with(
        "no kernel that ran has a parameter, a __shared__ or a __device__ variable named '" +
            own.name + "'",
        2);
  answer_with(
      "no kernel that was looked at wrote " + element_text(looking().name, looking().indices), 1);
}

}  // namespace emulated::explain
