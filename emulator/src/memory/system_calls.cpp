// Functions of the C library that give memory to the operating system, which does not fault at a
// closed page as the program does, but lets the call fail. So closed memory is opened before, and
// the early access is reported.
#include "managed.h"
#include "platform/platform.h"

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)

#include <dlfcn.h>
#include <sys/types.h>
#include <sys/uio.h>

#include <cstdio>

namespace emulated {

namespace {

// The C library's own function of this name.
template <class Function>
Function* next(const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

void touch(const void* begin, std::size_t bytes, const void* caller) {
  if (bytes == 0 || !is_closed(begin, bytes)) return;
  const void* const place = in_program(caller) ? caller : caller_in_program();
  tell_early_access(begin, bytes, static_cast<const char*>(place) - 1);
}

}  // namespace

}  // namespace emulated

extern "C" {

ssize_t read(int file, void* buffer, std::size_t bytes) {
  static auto* const call = emulated::next<decltype(read)>("read");
  emulated::touch(buffer, bytes, __builtin_return_address(0));
  return call(file, buffer, bytes);
}

ssize_t write(int file, const void* buffer, std::size_t bytes) {
  static auto* const call = emulated::next<decltype(write)>("write");
  emulated::touch(buffer, bytes, __builtin_return_address(0));
  return call(file, buffer, bytes);
}

ssize_t pread(int file, void* buffer, std::size_t bytes, off_t offset) {
  static auto* const call = emulated::next<decltype(pread)>("pread");
  emulated::touch(buffer, bytes, __builtin_return_address(0));
  return call(file, buffer, bytes, offset);
}

ssize_t pwrite(int file, const void* buffer, std::size_t bytes, off_t offset) {
  static auto* const call = emulated::next<decltype(pwrite)>("pwrite");
  emulated::touch(buffer, bytes, __builtin_return_address(0));
  return call(file, buffer, bytes, offset);
}

ssize_t writev(int file, const iovec* parts, int count) {
  static auto* const call = emulated::next<decltype(writev)>("writev");
  for (int i = 0; i < count; ++i)
    emulated::touch(parts[i].iov_base, parts[i].iov_len, __builtin_return_address(0));
  return call(file, parts, count);
}

std::size_t fread(void* buffer, std::size_t size, std::size_t count, FILE* file) {
  static auto* const call = emulated::next<decltype(fread)>("fread");
  emulated::touch(buffer, size * count, __builtin_return_address(0));
  return call(buffer, size, count, file);
}

std::size_t fwrite(const void* buffer, std::size_t size, std::size_t count, FILE* file) {
  static auto* const call = emulated::next<decltype(fwrite)>("fwrite");
  emulated::touch(buffer, size * count, __builtin_return_address(0));
  return call(buffer, size, count, file);
}

}  // extern "C"

#endif
