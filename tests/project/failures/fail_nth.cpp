// A library for LD_PRELOAD, for tests only: the N-th call of one kind fails, as it may on any machine. It counts from
// the beginning of main(), so that what the system's libraries do before is left alone.
//   FAIL_KIND    memory (malloc and its relatives, mmap; operator new calls malloc), threads (pthread_create, fork), or
//                files (open, read, write, fsync, rename, close and so on)
//   FAIL_AT      N, from 1; 0: none fails
//   FAIL_ALWAYS  if set, all calls from the N-th on fail
//   FAIL_CALLERS names with colons between: only calls that come directly from the program or a library whose file name
//                has one of them in it are counted and fail (a library such as MPI's is left alone)
//   FAIL_COUNT   a file that receives how many calls there were
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>
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
const char* callers = nullptr;

// Is the code at this address one of FAIL_CALLERS?
bool is_counted(const void* code) {
  if (callers == nullptr) return true;
  Dl_info info{};
  if (dladdr(code, &info) == 0 || info.dli_fname == nullptr) return false;
  for (const char* name = callers; *name != 0;) {
    const std::size_t length = std::strcspn(name, ":");
    if (memmem(info.dli_fname, std::strlen(info.dli_fname), name, length) != nullptr) return true;
    name += length + (name[length] == ':');
  }
  return false;
}

// Does this call fail? Inlined: the return address is that of the function below that stands for the C library's.
[[gnu::always_inline]] inline bool fails(Kind of) {
  if (!armed.load(std::memory_order_relaxed) || of != kind || getpid() != process) return false;
  if (!is_counted(__builtin_return_address(0))) return false;
  const long number = counted.fetch_add(1) + 1;
  return fail_at > 0 && (always ? number >= fail_at : number == fail_at);
}

// The function that would have been called without this library.
template <class Function>
Function* real(const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

// Calls the function of that name, or fails with `error`. Inlined for the same reason.
template <class Result, class... Arguments>
[[gnu::always_inline]] inline Result call(Kind of, const char* name, Result failure, int error,
                                          Arguments... arguments) {
  if (!fails(of)) return real<Result(Arguments...)>(name)(arguments...);
  errno = error;
  return failure;
}
template <class... Arguments>
[[gnu::always_inline]] inline int file_call(const char* name, Arguments... arguments) {
  return call(files, name, -1, ENOSPC, arguments...);
}

// dlsym() itself may need memory, before the real functions are known.
alignas(16) char early[1 << 16];
std::atomic<std::size_t> early_used = 0;
void* early_memory(std::size_t bytes) { return early + early_used.fetch_add((bytes + 31) / 16 * 16); }
bool is_early(const void* p) { return p >= early && p < early + sizeof early; }

void* (*real_malloc)(std::size_t) = nullptr;
void* (*real_calloc)(std::size_t, std::size_t) = nullptr;
void* (*real_realloc)(void*, std::size_t) = nullptr;
void (*real_free)(void*) = nullptr;

void find_memory() {
  static std::atomic<bool> searching = false;
  if (real_free != nullptr || searching.exchange(true)) return;
  real_malloc = real<void*(std::size_t)>("malloc");
  real_calloc = real<void*(std::size_t, std::size_t)>("calloc");
  real_realloc = real<void*(void*, std::size_t)>("realloc");
  real_free = real<void(void*)>("free");
}

void* no_memory() {
  errno = ENOMEM;
  return nullptr;
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
  callers = std::getenv("FAIL_CALLERS");
  process = getpid();
  unsetenv("LD_PRELOAD");  // programs that this one starts are left alone
  std::atexit(write_count);
  armed = true;
  return real_main(argc, argv, environment);
}

}  // namespace

extern "C" {

int __libc_start_main(int (*main)(int, char**, char**), int argc, char** argv, void (*init)(), void (*fini)(),
                      void (*rtld_fini)(), void* stack_end) {
  real_main = main;
  using Start = int(int (*)(int, char**, char**), int, char**, void (*)(), void (*)(), void (*)(), void*);
  return real<Start>("__libc_start_main")(armed_main, argc, argv, init, fini, rtld_fini, stack_end);
}

// ---- memory ----
void* malloc(std::size_t bytes) {
  find_memory();
  if (real_malloc == nullptr) return early_memory(bytes);
  return fails(memory) ? no_memory() : real_malloc(bytes);
}
void* calloc(std::size_t count, std::size_t bytes) {
  find_memory();
  if (real_calloc == nullptr) return early_memory(count * bytes);
  return fails(memory) ? no_memory() : real_calloc(count, bytes);
}
void* realloc(void* old, std::size_t bytes) {
  find_memory();
  if (fails(memory)) return no_memory();
  if (!is_early(old)) return real_realloc(old, bytes);
  void* moved = real_malloc(bytes);
  if (moved != nullptr) std::memcpy(moved, old, bytes);
  return moved;
}
void free(void* p) {
  if (is_early(p) || p == nullptr) return;
  find_memory();
  real_free(p);
}
int posix_memalign(void** p, std::size_t alignment, std::size_t bytes) {
  return call(memory, "posix_memalign", ENOMEM, ENOMEM, p, alignment, bytes);
}
void* aligned_alloc(std::size_t alignment, std::size_t bytes) {
  return call(memory, "aligned_alloc", static_cast<void*>(nullptr), ENOMEM, alignment, bytes);
}
void* mmap(void* address, std::size_t bytes, int protection, int flags, int file, off_t offset) noexcept {
  return call(memory, "mmap", MAP_FAILED, ENOMEM, address, bytes, protection, flags, file, offset);
}

// ---- threads ----
int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*start)(void*),
                   void* argument) {
  return call(threads, "pthread_create", EAGAIN, EAGAIN, thread, attributes, start, argument);
}
pid_t fork() noexcept { return call(threads, "fork", pid_t{-1}, EAGAIN); }

// ---- files ----
int open(const char* path, int flags, ...) {
  va_list list;
  va_start(list, flags);
  const auto mode = static_cast<mode_t>(va_arg(list, int));
  va_end(list);
  static const auto next = real<int(const char*, int, ...)>("open");
  if (!fails(files)) return next(path, flags, mode);
  errno = ENOSPC;
  return -1;
}
int open64(const char* path, int flags, ...) __attribute__((alias("open")));  // the same on 64-bit Linux
FILE* fopen(const char* path, const char* mode) {
  return call(files, "fopen", static_cast<FILE*>(nullptr), ENOSPC, path, mode);
}
FILE* fopen64(const char* path, const char* mode) __attribute__((alias("fopen")));
ssize_t read(int file, void* data, std::size_t bytes) {
  return call(files, "read", ssize_t{-1}, EIO, file, data, bytes);
}
ssize_t write(int file, const void* data, std::size_t bytes) {
  return call(files, "write", ssize_t{-1}, ENOSPC, file, data, bytes);
}
// What is said about a failure on stderr must come through. A failure of a stream is noted in it, as the C library does.
std::size_t fwrite(const void* data, std::size_t bytes, std::size_t count, FILE* file) {
  static const auto next = real<std::size_t(const void*, std::size_t, std::size_t, FILE*)>("fwrite");
  if (file == stderr || !fails(files)) return next(data, bytes, count, file);
  file->_flags |= error_seen;
  errno = ENOSPC;
  return 0;
}
int fflush(FILE* file) {
  static const auto next = real<int(FILE*)>("fflush");
  if (file == stderr || !fails(files)) return next(file);
  if (file != nullptr) file->_flags |= error_seen;
  errno = ENOSPC;
  return -1;
}
// These close all the same.
int fclose(FILE* file) {
  const bool failed = fails(files);
  const int code = real<int(FILE*)>("fclose")(file);
  if (failed) errno = ENOSPC;
  return failed ? -1 : code;
}
int close(int file) {
  const bool failed = fails(files);
  const int code = real<int(int)>("close")(file);
  if (failed) errno = ENOSPC;
  return failed ? -1 : code;
}
int fsync(int file) { return file_call("fsync", file); }
int rename(const char* from, const char* to) noexcept { return file_call("rename", from, to); }
int pipe(int* ends) noexcept { return file_call("pipe", ends); }

}  // extern "C"
