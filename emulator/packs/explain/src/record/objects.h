// Allocations and variables: what lies at an address, and how a report names it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "emulated/runtime.h"
#include "explain.h"
#include "report/places.h"

namespace emulated::explain {

/// Return addresses, of which the first in the program's own source counts.
using Callers = std::array<const void*, 12>;
Callers callers();
/// The line of the program that called; nullptr: none is known.
const Place* caller_line(const Callers& callers);

/// Memory that the device may use begins to exist. Freed allocations are kept until others lie
/// there.
void add_allocation(const void* begin, std::size_t bytes, const Allocator& by);
void end_allocation(const void* begin);
/// The next one that this host thread makes has this name in the program.
void name_next_allocation(const char* name);
/// The next launch gets it as an array of elements of so many bytes.
void note_element(const void* begin, std::size_t element);

/// A variable or an allocation.
struct Object {
  std::uintptr_t begin = 0;
  std::size_t bytes = 0;
  std::string name;         // of a variable
  std::size_t element = 0;  // bytes of an element of the variable's array; 0: not known
  std::array<std::size_t, 3> extents{};  // of the array
  const Allocator* by = nullptr;         // of an allocation: what made it
  const char* given_name = nullptr;      // of an allocation: the name in that call
  Callers callers{};                     // of that function
  bool freed = false;
};
/// The object in which the address lies, or to which it is nearest; bytes 0: there is none.
Object object_at(std::uintptr_t address);
/// The bytes of an element for which kernels take an allocation; 0: not known, or several.
std::size_t element_of(const Object& allocation);
/// The launch that begins now gets its arguments: this is said of it where they are named.
void note_user_of_arguments(const std::string& text);
/// What was said of the latest launch that got the allocation; empty: none did.
std::string user_of(const Object& allocation);
/// A variable in shared memory.
Object object_of(const SharedNote& note);
/// The name that the program gives an allocation in the call that makes it, or empty.
std::string name_of_allocation(const Object& object);
/// The bytes of an element of which so many are accessed; they are all where nothing is known.
std::size_t element_size(const Object& object, std::size_t bytes);
/// "tile[1][0]", "a[100]", "bytes 4 to 7 of a[2]": what is accessed at this offset.
std::string element_text(const Object& object, std::ptrdiff_t offset, std::size_t bytes);
/// "a[0] to a[31]": the elements to which the bytes from `begin` to before `end` belong. So many of
/// an element are accessed; 0: that is not known.
std::string elements_text(const Object& object, std::ptrdiff_t begin, std::ptrdiff_t end,
                          std::size_t accessed);
/// "the 400 bytes of a (cudaMalloc in line 12)"; the name of a variable. `place`:
/// of whose file no name is needed.
std::string object_text(const Object& object, const Place& place);
/// " in line 12", and of which file where it is another one than `from` is in.
std::string line_text(const Callers& callers, const Place& from);
/// Is this unwritten byte padding, as of a structure that a kernel copies word by word? (It takes
/// for words what another kernel takes for structures, of which other bytes were written.)
bool is_padding(std::uintptr_t address);
constexpr const char* dynamic_shared_name = "dynamic shared memory";
/// Each allocation that is alive, and each variable that kernels may write.
struct Piece {
  std::uintptr_t begin;
  std::size_t bytes;
  bool on_host;  // the host reads it without a copy
};
std::vector<Piece> all_pieces();

/// Is it the device's memory, which the host cannot read?
bool is_on_device(const void* pointer);

}  // namespace emulated::explain
