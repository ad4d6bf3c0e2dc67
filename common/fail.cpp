#include "fail.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <new>

namespace {

/// Reports an uncaught exception in one sentence: usually a lack of memory
/// or threads. Nothing here may need memory.
[[noreturn]] void end_with_a_sentence() {
  const char* beginning = "ended by an unknown error";
  const char* reason = "";
  std::exception_ptr thrown = std::current_exception();
  try {
    if (thrown) std::rethrow_exception(thrown);
  } catch (const std::bad_alloc&) {
    beginning = "not enough host memory for this";
  } catch (const std::exception& error) {
    beginning = "ended by an error: ";
    reason = error.what();
  } catch (...) {
  }
  std::fflush(stdout);
  std::fprintf(stderr, "%s: %s%s\n", program_invocation_short_name, beginning, reason);
  // Without destructors: they might wait for objects that frames on the stack still hold.
  std::quick_exit(exit_code::failed);
}

/// A program has failed if its output was lost: exit code 1.
void check_standard_output(int code, void*) {
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return;
  std::fprintf(stderr, "%s: cannot write to standard output\n", program_invocation_short_name);
  if (code == exit_code::fine) ::_exit(exit_code::failed);
}

/// A cron job or an editor may start a program with standard input, output or error closed. The
/// next file that it opens would take their place: printed text would go into a film. So they are
/// opened here; reading finds nothing, and writing fails as before.
void open_standard_descriptors() {
  for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (::fcntl(descriptor, F_GETFD) == -1 && errno == EBADF) ::open("/dev/null", O_RDONLY);
}

// In force before main() begins.
[[maybe_unused]] const bool prepared = [] {
  open_standard_descriptors();
  std::signal(SIGXFSZ, SIG_IGN);  // a file beyond the user's limit: the write fails with a reason
  std::set_terminate(end_with_a_sentence);
  return ::on_exit(check_standard_output, nullptr) == 0;
}();

}  // namespace

std::string program_name() { return program_invocation_short_name; }

void fail(int code, const std::string& sentence) {
  std::fflush(stdout);  // earlier output comes first
  std::fprintf(stderr, "%s: %s\n", program_invocation_short_name, sentence.c_str());
  std::exit(code);
}

std::string echoed(const std::string& text, size_t max_bytes) {
  std::string shown;
  for (const char c : text) {
    if (shown.size() >= max_bytes) return shown + "...";
    const auto byte = static_cast<unsigned char>(c);
    shown += byte < 0x20 || byte == 0x7f ? '?' : c;
  }
  return shown;
}
