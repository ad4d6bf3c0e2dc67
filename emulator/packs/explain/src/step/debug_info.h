// The program's types, variables and functions, from its own debugging information (DWARF 4 and 5,
// as g++ writes it).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace emulated::explain {

/// An entry of .debug_info.
struct Entry {
  std::uint64_t tag = 0;
  std::size_t parent = 0;  // index of the entry around it
  std::string_view name;
  std::size_t type = 0, origin = 0;  // offsets in the section; 0: none
  std::uintptr_t begin = 0;          // a function's address in the file; 0: none
  std::uint64_t bytes = 0;           // size of a type
  // A member's offset; a variable's address in the file, or in thread-local memory.
  std::uint64_t at = 0;
  std::uint64_t count = 0;     // of a dimension of an array
  std::uint64_t encoding = 0;  // of a number
  bool is_thread_local = false, has_place = false;
};

/// Read once; empty where there is none.
struct DebugInfo {
  static const DebugInfo& of_program();

  /// By their offset in the section; nullptr: there is none.
  const Entry* at(std::size_t offset) const;
  std::size_t index_of(const Entry& entry) const {
    return static_cast<std::size_t>(&entry - entries.data());
  }
  std::vector<const Entry*> children_of(const Entry& entry) const;
  /// The function that begins at this address of the program's file.
  const Entry* function_at(std::uintptr_t address) const;
  /// Its own name, or that of what it is an instance of.
  std::string_view name_of(const Entry& entry) const;
  /// Its type, without const, volatile and other names for it; nullptr: void, or not known.
  const Entry* type_of(const Entry& entry) const;
  /// Where thread-local memory begins in the file's addresses, how much of it there is, and how it
  /// is aligned.
  std::uint64_t thread_local_bytes = 0, thread_local_alignment = 1;

  std::vector<Entry> entries;
  std::vector<std::size_t> offsets;  // of each entry, growing
};

// Tags and encodings (DWARF 5, sections 7.5.3 and 7.8).
namespace dwarf {
constexpr std::uint64_t array_type = 0x01, class_type = 0x02, enumeration_type = 0x04,
                        formal_parameter = 0x05, member = 0x0d, pointer_type = 0x0f,
                        reference_type = 0x10, structure_type = 0x13, typedef_name = 0x16,
                        union_type = 0x17, inheritance = 0x1c, subrange_type = 0x21,
                        base_type = 0x24, const_type = 0x26, subprogram = 0x2e, variable = 0x34,
                        volatile_type = 0x35, restrict_type = 0x37, rvalue_reference_type = 0x42;
constexpr std::uint64_t boolean = 2, real = 4, signed_number = 5, signed_char = 6,
                        unsigned_number = 7, unsigned_char = 8;
}  // namespace dwarf

}  // namespace emulated::explain
