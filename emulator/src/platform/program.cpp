#include <dlfcn.h>
#include <execinfo.h>
#include <fcntl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include "emulated/explain_hooks.h"
#include "platform.h"

namespace emulated {

namespace {

// The program or library that has the instruction.
const void* base_of(const void* instruction) {
  Dl_info info;
  return dladdr(instruction, &info) == 0 ? nullptr : info.dli_fbase;
}

// Whether "FILE:LINE" is in a header of the device's own.
bool in_own_header(std::string_view line) {
  // NAME/include/emulated/...: CUDA's headers are in NAME/include/, too, the packs' in NAME/packs/.
  const std::string_view own = explain::own_header;
  const std::string_view folder = own.substr(0, own.rfind("/include/emulated/"));
  const std::string_view name = folder.substr(folder.rfind('/') + 1);
  const auto within = [&](std::string_view place) {
    for (std::size_t at = line.find(name); at != line.npos; at = line.find(name, at + 1))
      if (at > 0 && line[at - 1] == '/' && line.substr(at + name.size()).starts_with(place))
        return true;
    return false;
  };
  return within("/include/") || within("/packs/");
}

// The loops of std::copy are there, and printf() where the compiler replaces it by a checked one
// (_FORTIFY_SOURCE, on Ubuntu by default).
bool in_system_header(std::string_view line) {
  constexpr std::string_view root = "/usr/";
  if (!line.starts_with(root)) return false;
  line.remove_prefix(root.size());
  // A cross compiler's are in /usr/TARGET/include.
  return line.starts_with("lib") || line.starts_with("include/") ||
         line.substr(std::min(line.find('/'), line.size())).starts_with("/include/");
}

}  // namespace

bool in_library_header(std::string_view line) {
  return in_system_header(line) || in_own_header(line);
}

bool in_program(const void* instruction) {
  return base_of(instruction) == base_of(reinterpret_cast<const void*>(&base_of));
}

Addr2line start_addr2line() {
  int questions[2];
  int answers[2];
  // No pipe: send() can do without the signal that ends a program whose addr2line has ended.
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, questions) != 0) return {};
  if (pipe2(answers, O_CLOEXEC) != 0) {
    close(questions[0]);
    close(questions[1]);
    return {};
  }
  // The program's path; its process's file where it was replaced meanwhile. (If qemu
  // runs the program, other processes find qemu there.)
  char program[4096] = {};
  if (readlink("/proc/self/exe", program, sizeof program - 1) <= 0 || access(program, R_OK) != 0)
    std::snprintf(program, sizeof program, "/proc/%d/exe", static_cast<int>(getpid()));
  char addr2line[] = "addr2line";
  char each_address[] = "-a";
  char inlined[] = "-i";
  char functions[] = "-f";
  char readable_names[] = "-C";
  char of[] = "-e";
  char* const arguments[] = {addr2line,      each_address, inlined, functions,
                             readable_names, of,           program, nullptr};
  volatile bool missing = false;  // which the child, sharing this memory, finds out
  const pid_t child =
      vfork();  // NOLINT(clang-analyzer-security.insecureAPI.vfork): fork would allocate
  if (child == 0) {
    setpgid(0, 0);  // Ctrl-C ends the program, which still asks when it reports
    dup2(questions[0], STDIN_FILENO);
    dup2(answers[1], STDOUT_FILENO);
    dup2(open("/dev/null", O_WRONLY), STDERR_FILENO);
    // A pipe of the program's to another one, held here, too, would not end for that one.
    for (int file = STDERR_FILENO + 1; file < 1024; ++file) close(file);
    execvp(addr2line, arguments);
    missing = true;
    _exit(127);
  }
  close(questions[0]);
  close(answers[1]);
  if (child > 0 && !missing) return {questions[1], answers[0], child};
  close(questions[1]);
  close(answers[0]);
  if (child > 0) waitpid(child, nullptr, 0);
  return {};
}

// Neither this nor what calls it allocates memory: a damaged heap may be the fault.
void write_source_line(const void* instruction, char* text, std::size_t size) {
  text[0] = '\0';
  const void* base = base_of(instruction);
  if (!in_program(instruction)) return;
  const Addr2line lookup = start_addr2line();
  if (lookup.questions < 0) return;

  // The compiler may make one instruction of two lines' (a quotient and its remainder), or move it
  // out of a loop: then it knows no line for it. Its neighbors show where it is.
  constexpr std::ptrdiff_t neighbors[] = {0, 4, 8, -4, 12, -8, 16, 24, -16, 32, -24, 48};
  const std::ptrdiff_t at = static_cast<const char*>(instruction) - static_cast<const char*>(base);
  for (const std::ptrdiff_t neighbor : neighbors) {
    char question[32];
    const int length = std::snprintf(question, sizeof question, "0x%zx\n",
                                     static_cast<std::size_t>(at + neighbor));
    send(lookup.questions, question, static_cast<std::size_t>(length), MSG_NOSIGNAL);
  }
  close(lookup.questions);

  char chunk[256];
  char line[1000];
  std::size_t length = 0;
  std::size_t addresses = 0;
  bool is_location = false;  // or an address or a function's name
  bool found = false;
  while (!found) {
    const ssize_t n = read(lookup.answers, chunk, sizeof chunk);
    if (n <= 0) break;
    for (ssize_t i = 0; i < n && !found; ++i) {
      if (chunk[i] != '\n') {
        if (length < sizeof line - 1) line[length++] = chunk[i];
        continue;
      }
      line[length] = '\0';
      length = 0;
      if (!is_location) {
        if (std::strncmp(line, "0x", 2) == 0)
          ++addresses;
        else
          is_location = true;  // the next one: this is its function
        continue;
      }
      is_location = false;
      if (line[0] == '?' || std::string_view(line).ends_with(":?")) continue;
      if (char* const rest = std::strstr(line, discriminator)) *rest = '\0';
      found = !in_library_header(line);
      if (found || text[0] == '\0')
        std::snprintf(text, size, addresses > 1 ? " near %s" : " at %s", line);
    }
  }
  close(lookup.answers);
  waitpid(lookup.process, nullptr, 0);
  // A line of the device's own says nothing about the program.
  if (!found && in_own_header(text)) text[0] = '\0';
}

void give_up(const char* what) {
  // Several OS threads may come here at once; one sentence is enough.
  static std::atomic_flag ending;
  if (ending.test_and_set())
    for (;;) ::pause();
  std::fflush(stdout);
  std::fprintf(stderr, "The emulated device ends this program: %s.\n", what);
  std::quick_exit(1);  // other threads may run kernels, so that nothing can be taken down in order
}

const void* caller_in_program() {
  void* frames[64];
  const int count = backtrace(frames, 64);
  bool own = false;
  // AddressSanitizer's backtrace() is itself in the list, before this function.
  bool in_library = false;
  for (int i = 0; i < count; ++i) {
    const void* instruction = static_cast<const char*>(frames[i]) - 1;  // of the call
    if (!in_program(instruction))
      in_library = own;
    else if (in_library)
      return instruction;
    else
      own = true;
  }
  return nullptr;
}

bool error_is_terminal() { return ::isatty(STDERR_FILENO) == 1; }

}  // namespace emulated
