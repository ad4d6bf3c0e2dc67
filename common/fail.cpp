#include "fail.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <new>
#include <stdexcept>
#include <system_error>

namespace {

/// Descriptors 0 to 2 that the caller has closed (`sample >&-`) would be given to the next file that is
/// opened, and what is printed would end up in it. Here they become files of their own before main begins:
/// standard output and standard error one that refuses every write, as a full disk does.
void open_standard_streams() {
  for (int descriptor = 0; descriptor <= 2; ++descriptor) {
    if (::fcntl(descriptor, F_GETFD) >= 0 || errno != EBADF) continue;
    int file = ::open(descriptor == 0 ? "/dev/null" : "/dev/full", descriptor == 0 ? O_RDONLY : O_WRONLY);
    if (file < 0) file = ::open("/dev/null", O_RDWR);
    if (file >= 0 && file != descriptor) {
      ::dup2(file, descriptor);
      ::close(file);
    }
  }
}

/// A program whose words were lost has not done what was asked of it: exit code 1.
void check_standard_output(int code, void*) {
  errno = 0;
  const bool failed_before = std::ferror(stdout) != 0;
  if (std::fflush(stdout) == 0 && !failed_before) return;
  std::fprintf(stderr, "%s: cannot write to standard output: %s\n", program_invocation_short_name,
               std::strerror(errno != 0 ? errno : EIO));
  if (code == exit_code::fine) ::_exit(exit_code::failed);
}

/// What nobody caught, as one sentence: most of all memory or threads that are not there. So nothing here may need
/// memory: no strings.
[[noreturn]] void end_with_a_sentence() {
  // Only the first thread ends the program. What runs at its end may wait for a lock that this thread still holds,
  // since no frame was left; that has to end, too.
  static std::atomic_flag ending;
  if (ending.test_and_set()) {
    for (;;) ::pause();
  }
  std::signal(SIGALRM, [](int) { ::_exit(exit_code::failed); });
  ::alarm(2);
  const char* beginning = "ended by an unknown error";
  char reason[300] = "";
  try {
    if (const std::exception_ptr thrown = std::current_exception()) std::rethrow_exception(thrown);
  } catch (const std::bad_alloc&) {
    beginning = "not enough host memory for this";
  } catch (const std::length_error&) {
    beginning = "not enough host memory for this";
  } catch (const std::system_error& error) {
    beginning = "the system refused: ";
    std::snprintf(reason, sizeof reason, "%s", error.what());
  } catch (const std::exception& error) {
    beginning = "ended by an error: ";
    std::snprintf(reason, sizeof reason, "%s", error.what());
  } catch (...) {
  }
  std::fflush(stdout);
  std::fprintf(stderr, "%s: %s%s\n", program_invocation_short_name, beginning, reason);
  std::exit(exit_code::failed);
}

/// Before main, and before the constructors of objects with static storage.
[[gnu::constructor(101)]] void prepare() {
  open_standard_streams();
  ::on_exit(check_standard_output, nullptr);
  std::set_terminate(end_with_a_sentence);
}

}  // namespace

std::string program_name() { return program_invocation_short_name; }

void fail(int code, const std::string& sentence) {
  std::fflush(stdout);  // what was printed before comes first
  std::fprintf(stderr, "%s: %s\n", program_invocation_short_name, sentence.c_str());
  std::exit(code);
}

std::string echoed(const std::string& text, std::size_t most) {
  std::string shown;
  for (const char c : text) {
    if (shown.size() >= most) return shown + "...";
    const auto byte = static_cast<unsigned char>(c);
    shown += byte < 0x20 || byte == 0x7f ? '?' : c;
  }
  return shown;
}
