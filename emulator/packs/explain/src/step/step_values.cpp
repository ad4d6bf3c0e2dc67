// Objects by name and type, and their values as text.
#include <dlfcn.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <cstring>

#include "emulated/explain_hooks.h"
#include "emulated/half_bits.h"
#include "emulated/texture_fetch.h"
#include "launch/declarations.h"
#include "launch/running.h"
#include "record/objects.h"
#include "step/debug_info.h"
#include "step/step.h"

namespace emulated::explain {

namespace {

// An element of more parts than this is shown as bytes.
constexpr std::size_t max_cells = 64;

// The arguments of the host thread's latest launch.
auto& arguments() {
  static thread_local std::vector<std::vector<char>> all;
  return all;
}

const DebugInfo& info() { return DebugInfo::of_program(); }

std::string type_name(const Entry* type) {
  if (type == nullptr) return "void";
  if (type->tag == dwarf::pointer_type) return type_name(info().type_of(*type)) + "*";
  return std::string(info().name_of(*type));
}

bool is_class(const Entry& type) {
  return type.tag == dwarf::structure_type || type.tag == dwarf::class_type ||
         type.tag == dwarf::union_type;
}

std::size_t size_of_type(const Entry& type) {
  if (type.tag != dwarf::array_type) return static_cast<std::size_t>(type.bytes);
  const Entry* const element = info().type_of(type);
  std::size_t bytes = element == nullptr ? 0 : size_of_type(*element);
  for (const Entry* one : info().children_of(type))
    if (one->tag == dwarf::subrange_type) bytes *= static_cast<std::size_t>(one->count);
  return bytes;
}

Cell::Kind kind_of(const Entry& type) {
  switch (type.tag == dwarf::base_type ? type.encoding : 0) {
    case dwarf::boolean:
      return Cell::Kind::boolean;
    case dwarf::real:
      return type.bytes == 4 || type.bytes == 8 ? Cell::Kind::real : Cell::Kind::unknown;
    case dwarf::signed_number:
    case dwarf::signed_char:
      return Cell::Kind::integer;
    case dwarf::unsigned_number:
    case dwarf::unsigned_char:
      return Cell::Kind::natural;
    default:
      return type.tag == dwarf::enumeration_type ? Cell::Kind::integer : Cell::Kind::unknown;
  }
}

// Adds the parts of which a value of this type consists.
void add_cells(std::vector<Cell>& cells, const Entry& type, std::size_t offset,
               const std::string& name) {
  if (cells.size() > max_cells) return;
  const std::string_view own = info().name_of(type);
  if (own == "__half" || own == "__nv_bfloat16") {
    cells.push_back({offset, 2, own == "__half" ? Cell::Kind::half : Cell::Kind::bfloat, name});
    return;
  }
  if (type.tag == dwarf::array_type) {
    const Entry* const element = info().type_of(type);
    const std::size_t bytes = element == nullptr ? 0 : size_of_type(*element);
    for (std::size_t i = 0; bytes > 0 && i < size_of_type(type) / bytes && i <= max_cells; ++i)
      add_cells(cells, *element, offset + i * bytes, name + "[" + std::to_string(i) + "]");
    return;
  }
  if (!is_class(type)) {
    cells.push_back({offset, static_cast<std::size_t>(type.bytes), kind_of(type), name});
    return;
  }
  for (const Entry* part : info().children_of(type)) {
    const Entry* const inner = info().type_of(*part);
    if (inner == nullptr) continue;
    const std::string_view member = info().name_of(*part);
    if (part->tag == dwarf::inheritance)
      add_cells(cells, *inner, offset + part->at, name);
    else if (part->tag == dwarf::member && part->begin == 0)
      add_cells(cells, *inner, offset + part->at,
                name.empty() || member.empty() ? name + std::string(member)
                                               : name + "." + std::string(member));
    if (type.tag == dwarf::union_type && part->tag == dwarf::member) break;  // one of its readings
  }
}

Type type_from(const Entry* entry) {
  Type type;
  if (entry == nullptr || size_of_type(*entry) == 0) return type;
  type.element = size_of_type(*entry);
  add_cells(type.cells, *entry, 0, "");
  std::erase_if(type.cells, [](const Cell& cell) { return cell.bytes == 0; });
  if (type.cells.empty() || type.cells.size() > max_cells) return {};
  type.name = type_name(entry);
  return type;
}

// An array's elements; other types are their own.
const Entry* element_of(const Entry* type) {
  while (type != nullptr && type->tag == dwarf::array_type) type = info().type_of(*type);
  return type;
}

std::array<std::size_t, 3> extents_of(const Entry* type) {
  std::array<std::size_t, 3> extents{};
  std::size_t n = 0;
  if (type != nullptr && type->tag == dwarf::array_type)
    for (const Entry* one : info().children_of(*type))
      if (one->tag == dwarf::subrange_type && n < extents.size())
        extents[n++] = static_cast<std::size_t>(one->count);
  return extents;
}

std::uintptr_t thread_local_begin() {
  const auto pointer = reinterpret_cast<std::uintptr_t>(__builtin_thread_pointer());
  const std::uintptr_t alignment = info().thread_local_alignment;
  const auto rounded = [&](std::uintptr_t n) {
    return (n + alignment - 1) / alignment * alignment;
  };
#if defined(__x86_64__)
  return pointer - rounded(info().thread_local_bytes);
#else
  return pointer + rounded(16);
#endif
}

std::uintptr_t offset_in_program(std::uintptr_t address) {
  Dl_info own;
  const auto* const pointer = reinterpret_cast<const void*>(address);  // NOLINT
  return dladdr(pointer, &own) == 0 ? 0 : address - reinterpret_cast<std::uintptr_t>(own.dli_fbase);
}

const Entry* variable_entry(std::uintptr_t place, bool is_thread_local) {
  for (const Entry& entry : info().entries)
    if (entry.tag == dwarf::variable && entry.has_place && entry.at == place &&
        entry.is_thread_local == is_thread_local)
      return &entry;
  return nullptr;
}

const Entry* kernel_entry(const void* function) {
  if (function == nullptr) return nullptr;
  return info().function_at(offset_in_program(reinterpret_cast<std::uintptr_t>(function)));
}

// A pointer that the kernel gets, and what it is called.
struct Pointer {
  std::uintptr_t address = 0;
  const Entry* to = nullptr;
  std::string name;
};

void add_pointers(std::vector<Pointer>& all, const Entry* type, const char* bytes, std::size_t size,
                  const std::string& name) {
  if (type == nullptr) return;
  if (type->tag == dwarf::pointer_type || type->tag == dwarf::reference_type) {
    Pointer pointer;
    if (size < sizeof pointer.address) return;
    std::memcpy(&pointer.address, bytes, sizeof pointer.address);
    pointer.to = info().type_of(*type);
    pointer.name = name;
    all.push_back(pointer);
  } else if (is_class(*type)) {
    for (const Entry* part : info().children_of(*type))
      if (part->tag == dwarf::member && part->at < size)
        add_pointers(all, info().type_of(*part), bytes + part->at, size - part->at,
                     name + "." + std::string(info().name_of(*part)));
  }
}

std::vector<Pointer> pointers_of(const Launch& launch) {
  std::vector<Pointer> all;
  if (const Entry* const function = kernel_entry(launch.function)) {
    std::size_t n = 0;
    for (const Entry* parameter : info().children_of(*function)) {
      if (parameter->tag != dwarf::formal_parameter || n >= arguments().size()) continue;
      const std::vector<char>& bytes = arguments()[n++];
      add_pointers(all, info().type_of(*parameter), bytes.data(), bytes.size(),
                   std::string(info().name_of(*parameter)));
    }
  }
  for_each_variable([&](const DeviceVariable& variable) {
    const auto place = offset_in_program(reinterpret_cast<std::uintptr_t>(variable.begin));
    if (const Entry* const entry = variable_entry(place, false))
      add_pointers(all, info().type_of(*entry), variable.begin, variable.bytes, variable.name);
  });
  return all;
}

// What `extern __shared__ T name[]` has become in the kernel
// (../../../translate/shared_memory.cpp).
const Entry* dynamic_array_of(const Launch& launch) {
  const Entry* function = kernel_entry(launch.function);
  if (function != nullptr && function->origin != 0) function = info().at(function->origin);
  if (function == nullptr) return nullptr;
  const std::size_t begin = info().index_of(*function);
  const Entry* found = nullptr;
  for (std::size_t i = begin + 1; i < info().entries.size(); ++i) {
    const Entry& entry = info().entries[i];
    if (entry.parent < begin) break;
    const Entry* const type = entry.tag == dwarf::variable ? info().type_of(entry) : nullptr;
    if (type == nullptr || type->tag != dwarf::reference_type) continue;
    const Entry* const array = info().type_of(*type);
    if (array == nullptr || array->tag != dwarf::array_type) continue;
    if (found != nullptr) return nullptr;  // of several it is not known which is meant
    found = &entry;
  }
  return found;
}

std::string with_shortest(double value, std::size_t bytes) {
  char text[64];
  const auto end = bytes == 4
                       ? std::to_chars(text, text + sizeof text, static_cast<float>(value)).ptr
                       : std::to_chars(text, text + sizeof text, value).ptr;
  return {text, end};
}

std::string as_bytes(std::size_t bytes, const void* value) {
  static constexpr char digits[] = "0123456789abcdef";
  std::string text = "0x";
  const auto* const data = static_cast<const unsigned char*>(value);
  for (std::size_t i = bytes; i-- > 0;) {
    text += digits[data[i] >> 4];
    text += digits[data[i] & 15];
  }
  return text;
}

// The type of the texels of a texture or surface object, and the object's extents.
void type_of_texels(Shown& shown) {
  using enum TexelFormat;
  Object& object = shown.object;
  const TextureState* const end = texture_table + texture_slots;
  const TextureState* const found = std::find_if(
      static_cast<const TextureState*>(texture_table), end, [&](const TextureState& one) {
        return one.handle != 0 && reinterpret_cast<std::uintptr_t>(one.texels) == object.begin;
      });
  if (found == end) return;
  Cell::Kind kind = Cell::Kind::integer;
  if (found->format == u8 || found->format == u16 || found->format == u32)
    kind = Cell::Kind::natural;
  if (found->format >= f16) kind = Cell::Kind::real;
  static constexpr const char* names[] = {"uchar", "char", "ushort", "short",
                                          "uint",  "int",  "half",   "float"};
  const auto count = static_cast<std::size_t>(found->channels);
  const std::size_t bytes = static_cast<std::size_t>(found->texel_bytes) / count;
  shown.type.name = names[static_cast<int>(found->format)];
  if (count > 1) shown.type.name += std::to_string(count);
  shown.type.element = bytes * count;
  for (std::size_t i = 0; i < count; ++i)
    shown.type.cells.push_back({i * bytes, bytes, found->format == f16 ? Cell::Kind::half : kind,
                                count > 1 ? std::string(1, "xyzw"[i]) : ""});
  const auto width = static_cast<std::size_t>(found->width),
             height = static_cast<std::size_t>(found->height),
             depth = static_cast<std::size_t>(found->depth);
  if (found->row_pitch != width * shown.type.element || height * depth == 1) return;
  if (depth > 1)
    object.extents = {depth, height, width};
  else
    object.extents = {height, width, 0};
}

template <class T>
T loaded(const void* value) {
  T number;
  std::memcpy(&number, value, sizeof number);
  return number;
}

}  // namespace

void step_argument(const void* bytes, std::size_t size) {
  if (!makes_steps()) return;
  const auto* const begin = static_cast<const char*>(bytes);
  arguments().emplace_back(begin, begin + size);
}
void begin_step_arguments() { arguments().clear(); }

std::string value_text(Cell::Kind kind, std::size_t bytes, const void* value) {
  switch (kind) {
    case Cell::Kind::real:
      return bytes == 4 ? with_shortest(loaded<float>(value), 4)
                        : with_shortest(loaded<double>(value), 8);
    case Cell::Kind::half:
      return with_shortest(half_to_float(loaded<std::uint16_t>(value)), 4);
    case Cell::Kind::bfloat:
      return with_shortest(std::bit_cast<float>(std::uint32_t{loaded<std::uint16_t>(value)} << 16),
                           4);
    case Cell::Kind::boolean:
      return *static_cast<const unsigned char*>(value) != 0 ? "true" : "false";
    case Cell::Kind::integer:
      if (bytes == 1) return std::to_string(loaded<std::int8_t>(value));
      if (bytes == 2) return std::to_string(loaded<std::int16_t>(value));
      if (bytes == 4) return std::to_string(loaded<std::int32_t>(value));
      if (bytes == 8) return std::to_string(loaded<std::int64_t>(value));
      break;
    case Cell::Kind::natural:
      if (bytes == 1) return std::to_string(loaded<std::uint8_t>(value));
      if (bytes == 2) return std::to_string(loaded<std::uint16_t>(value));
      if (bytes == 4) return std::to_string(loaded<std::uint32_t>(value));
      if (bytes == 8) return std::to_string(loaded<std::uint64_t>(value));
      break;
    case Cell::Kind::unknown:
      break;
  }
  return as_bytes(bytes, value);
}

void name_and_type(Shown& shown, const Launch& launch, std::size_t access_bytes) {
  Object& object = shown.object;
  shown.name = object.name;
  const Entry* type = nullptr;
  if (object.name == dynamic_shared_name) {
    if (const Entry* const array = dynamic_array_of(launch)) {
      shown.name = info().name_of(*array);
      type = element_of(info().type_of(*info().type_of(*array)));
    }
  } else if (shown.space == Space::shared || !object.name.empty()) {
    const bool is_thread_local = shown.space == Space::shared;
    const std::uintptr_t place =
        is_thread_local ? object.begin - thread_local_begin() : offset_in_program(object.begin);
    if (const Entry* const entry = variable_entry(place, is_thread_local)) {
      type = info().type_of(*entry);
      if (object.extents[0] == 0) object.extents = extents_of(type);
      type = element_of(type);
    }
  } else {
    for (const Pointer& pointer : pointers_of(launch)) {
      if (pointer.address - object.begin >= object.bytes) continue;
      const Type known = type_from(pointer.to);
      if (shown.name.empty()) shown.name = pointer.name;
      if (known.cells.empty()) continue;
      shown.name = pointer.name;
      type = pointer.to;
      break;
    }
    if (shown.name.empty()) shown.name = name_of_allocation(object);
    if (shown.name.empty()) shown.name = object.bytes == 0 ? "" : "memory";
  }
  shown.type = type_from(type);
  if (shown.type.cells.empty() && shown.space == Space::global) type_of_texels(shown);
  if (!shown.type.cells.empty()) return;
  // What is accessed at once is an element.
  shown.type.element = std::min<std::size_t>(access_bytes, 8);
  shown.type.cells = {{0, shown.type.element, Cell::Kind::unknown, ""}};
}

std::string element_text(const std::string& name, const std::vector<std::size_t>& indices) {
  std::string text = name;
  for (const std::size_t i : indices) text += "[" + std::to_string(i) + "]";
  return text;
}

namespace {

// An element behind `address`, where an array of these extents lies; the first extent 0: a pointer.
Element element_behind(std::uintptr_t address, std::size_t bytes, std::size_t element,
                       const std::vector<std::size_t>& extents, const std::string& name,
                       const std::vector<std::size_t>& indices) {
  Element found;
  const std::string text = element_text(name, indices);
  if (element == 0) {
    found.problem = "the type of " + name + " is not known, so " + text + " cannot be found";
    return found;
  }
  if (indices.size() != extents.size()) {
    found.problem = name +
                    (extents.empty() ? " is one value"
                                     : " needs " + std::to_string(extents.size()) +
                                           (extents.size() == 1 ? " index" : " indices")) +
                    ", not as in " + text;
    return found;
  }
  std::size_t index = 0;
  for (std::size_t d = 0; d < indices.size(); ++d) {
    if (extents[d] != 0 && indices[d] >= extents[d]) {
      found.problem = "there is no " + text + ": index " + std::to_string(indices[d]) + " of " +
                      std::to_string(extents[d]);
      return found;
    }
    index = index * (extents[d] == 0 ? 1 : extents[d]) + indices[d];
  }
  if (index >= bytes / element) {
    found.problem = "there is no " + text + ": " + name + " has " +
                    std::to_string(bytes / element) + " elements";
    return found;
  }
  found.address = address + index * element;
  found.bytes = element;
  return found;
}

std::vector<std::size_t> dimensions_of(const std::array<std::size_t, 3>& extents) {
  std::vector<std::size_t> all;
  for (const std::size_t extent : extents)
    if (extent != 0) all.push_back(extent);
  return all;
}

}  // namespace

Element element_in(const Launch& launch, const std::string& name,
                   const std::vector<std::size_t>& indices) {
  for (const Pointer& pointer : pointers_of(launch)) {
    if (pointer.name != name) continue;
    const Object object = object_at(pointer.address);
    const std::size_t before = pointer.address - object.begin;
    if (before >= object.bytes) continue;
    std::vector<std::size_t> extents = dimensions_of(extents_of(pointer.to));
    const Entry* const element = element_of(pointer.to);
    extents.insert(extents.begin(), 0);
    return element_behind(pointer.address, object.bytes - before,
                          element == nullptr ? 0 : size_of_type(*element), extents, name, indices);
  }
  for (const SharedNote& note : running->shared)
    if (name == note.name)
      return element_behind(
          reinterpret_cast<std::uintptr_t>(note.address()), note.bytes, note.element_bytes,
          dimensions_of({note.extents[0], note.extents[1], note.extents[2]}), name, indices);
  if (const Entry* const array = dynamic_array_of(launch);
      array != nullptr && info().name_of(*array) == name) {
    const Entry* const element = element_of(info().type_of(*info().type_of(*array)));
    return element_behind(reinterpret_cast<std::uintptr_t>(dynamic_shared_bytes),
                          launch.shared_bytes, element == nullptr ? 0 : size_of_type(*element), {0},
                          name, indices);
  }
  Element found;
  for_each_variable([&](const DeviceVariable& variable) {
    if (variable.name != name) return;
    const auto begin = reinterpret_cast<std::uintptr_t>(variable.begin);
    const Entry* const entry = variable_entry(offset_in_program(begin), false);
    const Entry* const type = entry == nullptr ? nullptr : info().type_of(*entry);
    const Entry* const element = element_of(type);
    found = element_behind(begin, variable.bytes, element == nullptr ? 0 : size_of_type(*element),
                           dimensions_of(extents_of(type)), name, indices);
  });
  return found;
}

std::string text_of(const Shown& shown, std::ptrdiff_t offset, std::size_t bytes,
                    const void* value) {
  if (offset < 0 || static_cast<std::size_t>(offset) + bytes > shown.object.bytes) return "";
  const auto* const data = static_cast<const char*>(value);
  const std::size_t begin = static_cast<std::size_t>(offset), end = begin + bytes;
  std::size_t next = begin;
  std::string text;
  for (std::size_t first = begin / shown.type.element * shown.type.element; first < end;
       first += shown.type.element)
    for (const Cell& cell : shown.type.cells) {
      const std::size_t at = first + cell.offset;
      if (at + cell.bytes <= begin || at >= end) continue;
      if (at < next || at + cell.bytes > end || (at > next && text.empty()))
        return as_bytes(bytes, value);
      text += (text.empty() ? "" : " ") + value_text(cell.kind, cell.bytes, data + (at - begin));
      next = at + cell.bytes;
    }
  return text.empty() ? as_bytes(bytes, value) : text;
}

}  // namespace emulated::explain
