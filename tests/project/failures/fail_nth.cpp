// A library for LD_PRELOAD, for tests only: the N-th call of one kind fails, as it may on
// any machine. It counts from the beginning of main(), so that what the system's
// libraries do before is left alone.
//   FAIL_KIND    memory (malloc and its relatives, mmap; operator new calls malloc), threads
//                (pthread_create), or files (open, read, write, rename, close and so on)
//   FAIL_AT      N, from 1; 0: none fails
//   FAIL_ALWAYS  if set, all calls from the N-th on fail
//   FAIL_COUNT   a file that receives how many calls there were
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace {

enum Kind { memory, threads, files, kinds };
constexpr int error_seen = 0x20;  // glibc's _IO_ERR_SEEN

std::atomic<bool> armed = false;
std::atomic<long> counted = 0;
Kind kind = kinds;
long fail_at = 0;
bool always = false;
pid_t process = 0;

// Does this call fail?
bool fails(Kind of) {
  if (!armed.load(std::memory_order_relaxed) || of != kind || getpid() != process) return false;
  const long number = counted.fetch_add(1) + 1;
  return fail_at > 0 && (always ? number >= fail_at : number == fail_at);
}

// The function that would have been called without this library.
template <class Function>
Function* real(const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

template <class Result>
Result failed(Result failure, int error) {
  errno = error;
  return failure;
}

// Calls the function of that name, or fails with `error`.
template <class Result, class... Arguments>
Result call(Kind of, const char* name, Result failure, int error, Arguments... arguments) {
  return fails(of) ? failed(failure, error) : real<Result(Arguments...)>(name)(arguments...);
}

// The same for what closes: it does that, whether it fails or not.
template <class What>
int close_call(const char* name, What what) {
  const bool bad = fails(files);
  const int code = real<int(What)>(name)(what);
  return bad ? failed(-1, ENOSPC) : code;
}

void write_count() {
  const char* path = std::getenv("FAIL_COUNT");
  if (path == nullptr || getpid() != process) return;
  const long count = counted.load();
  armed = false;
  if (FILE* file = std::fopen(path, "w")) {
    std::fprintf(file, "%ld\n", count);
    std::fclose(file);
  }
}

int (*real_main)(int, char**, char**) = nullptr;
int armed_main(int argc, char** argv, char** environment) {
  static const char* const names[] = {"memory", "threads", "files"};
  const char* name = std::getenv("FAIL_KIND");
  for (int i = 0; name != nullptr && i < kinds; ++i)
    if (std::strcmp(name, names[i]) == 0) kind = static_cast<Kind>(i);
  if (const char* at = std::getenv("FAIL_AT")) fail_at = std::atol(at);
  always = std::getenv("FAIL_ALWAYS") != nullptr;
  process = getpid();
  unsetenv("LD_PRELOAD");  // programs that this one starts are left alone
  std::atexit(write_count);
  armed = true;
  return real_main(argc, argv, environment);
}

}  // namespace

extern "C" {

int __libc_start_main(int (*main)(int, char**, char**), int argc, char** argv, void (*init)(),
                      void (*fini)(), void (*rtld_fini)(), void* stack_end) {
  real_main = main;
  using Start =
      int(int (*)(int, char**, char**), int, char**, void (*)(), void (*)(), void (*)(), void*);
  return real<Start>("__libc_start_main")(armed_main, argc, argv, init, fini, rtld_fini, stack_end);
}

// ---- memory: under glibc's second names for them, as dlsym() may need memory itself ----
void* __libc_malloc(std::size_t bytes);
void* __libc_calloc(std::size_t count, std::size_t bytes);
void* __libc_realloc(void* old, std::size_t bytes);

void* malloc(std::size_t bytes) {
  return fails(memory) ? failed(static_cast<void*>(nullptr), ENOMEM) : __libc_malloc(bytes);
}
void* calloc(std::size_t count, std::size_t bytes) {
  return fails(memory) ? failed(static_cast<void*>(nullptr), ENOMEM) : __libc_calloc(count, bytes);
}
void* realloc(void* old, std::size_t bytes) {
  return fails(memory) ? failed(static_cast<void*>(nullptr), ENOMEM) : __libc_realloc(old, bytes);
}
int posix_memalign(void** p, std::size_t alignment, std::size_t bytes) {
  return call(memory, "posix_memalign", ENOMEM, ENOMEM, p, alignment, bytes);
}
void* aligned_alloc(std::size_t alignment, std::size_t bytes) {
  return call(memory, "aligned_alloc", static_cast<void*>(nullptr), ENOMEM, alignment, bytes);
}
void* mmap(void* address, std::size_t bytes, int protection, int flags, int file,
           off_t offset) noexcept {
  return call(memory, "mmap", MAP_FAILED, ENOMEM, address, bytes, protection, flags, file, offset);
}

// ---- threads ----
int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*start)(void*),
                   void* argument) {
  return call(threads, "pthread_create", EAGAIN, EAGAIN, thread, attributes, start, argument);
}

// ---- files ----
int open(const char* path, int flags, ...) {
  va_list list;
  va_start(list, flags);
  const auto mode = static_cast<mode_t>(va_arg(list, int));
  va_end(list);
  static const auto next = real<int(const char*, int, ...)>("open");
  return fails(files) ? failed(-1, ENOSPC) : next(path, flags, mode);
}
FILE* fopen(const char* path, const char* mode) {
  return call(files, "fopen", static_cast<FILE*>(nullptr), ENOSPC, path, mode);
}
FILE* fopen64(const char* path, const char* mode)
    __attribute__((alias("fopen")));  // the same on 64-bit Linux
ssize_t read(int file, void* data, std::size_t bytes) {
  return call(files, "read", ssize_t{-1}, EIO, file, data, bytes);
}
ssize_t write(int file, const void* data, std::size_t bytes) {
  return call(files, "write", ssize_t{-1}, ENOSPC, file, data, bytes);
}
// What is said about a failure on stderr must come through. A failure of a stream is noted in it,
// as the C library does.
std::size_t fwrite(const void* data, std::size_t bytes, std::size_t count, FILE* file) {
  static const auto next =
      real<std::size_t(const void*, std::size_t, std::size_t, FILE*)>("fwrite");
  if (file == stderr || !fails(files)) return next(data, bytes, count, file);
  file->_flags |= error_seen;
  return failed(std::size_t{0}, ENOSPC);
}
int fflush(FILE* file) {
  static const auto next = real<int(FILE*)>("fflush");
  if (file == stderr || !fails(files)) return next(file);
  if (file != nullptr) file->_flags |= error_seen;
  return failed(-1, ENOSPC);
}
int fclose(FILE* file) { return close_call("fclose", file); }
int close(int file) { return close_call("close", file); }
int rename(const char* from, const char* to) noexcept {
  return call(files, "rename", -1, ENOSPC, from, to);
}
int pipe(int* ends) noexcept { return call(files, "pipe", -1, ENOSPC, ends); }

}  // extern "C"
