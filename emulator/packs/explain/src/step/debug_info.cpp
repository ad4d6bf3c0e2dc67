// Reads .debug_info: DWARF 5, sections 7.5 (units and entries), 7.7.1 (expressions), and 7.6
// (numbers of variable length).
#include "step/debug_info.h"

#include <elf.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <unordered_map>

namespace emulated::explain {

namespace {

struct Bytes {
  const unsigned char *at = nullptr, *end = nullptr;

  bool has(std::size_t count) const { return static_cast<std::size_t>(end - at) >= count; }
  std::uint64_t number(unsigned bytes) {
    std::uint64_t value = 0;
    if (!has(bytes)) {
      at = end;
      return 0;
    }
    std::memcpy(&value, at, bytes);
    at += bytes;
    return value;
  }
  std::uint64_t unsigned_leb() {
    std::uint64_t value = 0;
    for (unsigned shift = 0; has(1); shift += 7) {
      const unsigned char byte = *at++;
      if (shift < 64) value |= std::uint64_t{byte & 0x7fu} << shift;
      if ((byte & 0x80) == 0) break;
    }
    return value;
  }
  std::uint64_t signed_leb() {
    std::uint64_t value = 0;
    unsigned shift = 0;
    unsigned char byte = 0x80;
    while (has(1) && (byte & 0x80) != 0) {
      byte = *at++;
      if (shift < 64) value |= std::uint64_t{byte & 0x7fu} << shift;
      shift += 7;
    }
    if (shift < 64 && (byte & 0x40) != 0) value |= ~std::uint64_t{0} << shift;
    return value;
  }
  std::string_view text() {
    const auto* const begin = at;
    while (has(1) && *at != 0) ++at;
    const std::string_view found(reinterpret_cast<const char*>(begin),
                                 static_cast<std::size_t>(at - begin));
    if (has(1)) ++at;
    return found;
  }
  void skip(std::uint64_t count) { at = has(count) ? at + count : end; }
};

std::string_view text_at(Bytes section, std::uint64_t offset) {
  section.skip(offset);
  return section.text();
}

struct Abbreviation {
  std::uint64_t tag = 0;
  bool has_children = false;
  struct Attribute {
    std::uint64_t name, form, constant;
  };
  std::vector<Attribute> attributes;
};
using Abbreviations = std::unordered_map<std::uint64_t, Abbreviation>;

Abbreviations read_abbreviations(Bytes in) {
  Abbreviations all;
  while (in.has(1)) {
    const std::uint64_t code = in.unsigned_leb();
    if (code == 0) break;
    Abbreviation& one = all[code];
    one.tag = in.unsigned_leb();
    one.has_children = in.number(1) != 0;
    for (;;) {
      const std::uint64_t name = in.unsigned_leb(), form = in.unsigned_leb();
      const std::uint64_t constant = form == 0x21 ? in.signed_leb() : 0;  // DW_FORM_implicit_const
      if (name == 0 && form == 0) break;
      one.attributes.push_back({name, form, constant});
    }
  }
  return all;
}

// What an attribute holds: a number, or a text, or bytes.
struct Value {
  std::uint64_t number = 0;
  std::string_view text;
  Bytes block;
  bool is_reference = false;  // relative to its unit
};

struct DebugReader {
  DebugInfo& info;
  Bytes entries, abbreviations, strings, line_strings;

  Value read(Bytes& in, std::uint64_t form, std::uint64_t constant, unsigned offset_bytes,
             unsigned address_bytes) const {
    Value value;
    const auto block = [&](std::uint64_t bytes) {
      value.block = {in.at, in.has(bytes) ? in.at + bytes : in.end};
      in.skip(bytes);
    };
    switch (form) {
      case 0x01:  // addr
        value.number = in.number(address_bytes);
        break;
      case 0x03:  // block2
        block(in.number(2));
        break;
      case 0x04:  // block4
        block(in.number(4));
        break;
      case 0x0a:  // block1
        block(in.number(1));
        break;
      case 0x09:  // block
      case 0x18:  // exprloc
        block(in.unsigned_leb());
        break;
      case 0x05:  // data2
        value.number = in.number(2);
        break;
      case 0x06:  // data4
        value.number = in.number(4);
        break;
      case 0x07:  // data8
      case 0x20:  // ref_sig8
        value.number = in.number(8);
        break;
      case 0x0b:  // data1
      case 0x0c:  // flag
        value.number = in.number(1);
        break;
      case 0x0d:  // sdata
        value.number = in.signed_leb();
        break;
      case 0x0f:  // udata
      case 0x1a:  // strx
      case 0x1b:  // addrx
      case 0x22:  // loclistx
      case 0x23:  // rnglistx
        value.number = in.unsigned_leb();
        break;
      case 0x08:  // string
        value.text = in.text();
        break;
      case 0x0e:  // strp
        value.text = text_at(strings, in.number(offset_bytes));
        break;
      case 0x1f:  // line_strp
        value.text = text_at(line_strings, in.number(offset_bytes));
        break;
      case 0x10:  // ref_addr
      case 0x17:  // sec_offset
        value.number = in.number(offset_bytes);
        break;
      case 0x11:  // ref1
      case 0x12:  // ref2
      case 0x13:  // ref4
      case 0x14:  // ref8
        value.number = in.number(1u << (form - 0x11));
        value.is_reference = true;
        break;
      case 0x15:  // ref_udata
        value.number = in.unsigned_leb();
        value.is_reference = true;
        break;
      case 0x1e:  // data16
        block(16);
        break;
      case 0x19:  // flag_present
        value.number = 1;
        break;
      case 0x21:  // implicit_const
        value.number = constant;
        break;
      case 0x25:  // strx1
      case 0x29:  // addrx1
        in.skip(1);
        break;
      case 0x26:  // strx2
      case 0x2a:  // addrx2
        in.skip(2);
        break;
      case 0x28:  // strx4
      case 0x2c:  // addrx4
        in.skip(4);
        break;
      default:  // unknown: what follows cannot be read
        in.at = in.end;
    }
    return value;
  }

  // Where a variable is: DW_OP_addr; or a constant and DW_OP_form_tls_address, or
  // DW_OP_GNU_push_tls_address.
  static void read_place(Entry& entry, Bytes expression) {
    const std::uint64_t operation = expression.number(1);
    if (operation != 0x03 && operation != 0x0e && operation != 0x0c) return;
    entry.at = expression.number(operation == 0x0c ? 4 : 8);
    const std::uint64_t next = expression.has(1) ? expression.number(1) : 0;
    entry.is_thread_local = next == 0x9b || next == 0xe0;
    entry.has_place = operation == 0x03 ? next == 0 : entry.is_thread_local;
  }

  void add(Entry& entry, std::uint64_t attribute, const Value& value, std::size_t unit) const {
    const std::size_t reference = value.number + (value.is_reference ? unit : 0);
    switch (attribute) {
      case 0x03:  // name
        entry.name = value.text;
        break;
      case 0x49:  // type
        entry.type = reference;
        break;
      case 0x31:  // abstract_origin
      case 0x47:  // specification
        entry.origin = reference;
        break;
      case 0x11:  // low_pc
        entry.begin = value.number;
        break;
      case 0x0b:  // byte_size
        entry.bytes = value.number;
        break;
      case 0x38:  // data_member_location
        entry.at = value.number;
        break;
      case 0x2f:  // upper_bound
        entry.count = value.number + 1;
        break;
      case 0x37:  // count
        entry.count = value.number;
        break;
      case 0x3e:  // encoding
        entry.encoding = value.number;
        break;
      case 0x02:  // location
        if (value.block.at != nullptr) read_place(entry, value.block);
        break;
      default:
        break;
    }
  }

  void read_unit(Bytes& section, const unsigned char* begin) const {
    const auto unit = static_cast<std::size_t>(section.at - begin);
    std::uint64_t length = section.number(4);
    const unsigned offset_bytes = length == 0xffffffff ? 8 : 4;
    if (offset_bytes == 8) length = section.number(8);
    Bytes in{section.at, section.has(length) ? section.at + length : section.end};
    section.skip(length);
    const std::uint64_t version = in.number(2);
    if (version < 4 || version > 5) return;
    std::uint64_t kind = 1, address_bytes = 8, abbreviation = 0;
    if (version == 5) {
      kind = in.number(1);
      address_bytes = in.number(1);
      abbreviation = in.number(offset_bytes);
    } else {
      abbreviation = in.number(offset_bytes);
      address_bytes = in.number(1);
    }
    if (kind != 1 && kind != 3) return;  // compile, partial
    Bytes own = abbreviations;
    own.skip(abbreviation);
    const Abbreviations known = read_abbreviations(own);
    std::vector<std::size_t> around{info.entries.size()};
    while (in.has(1)) {
      const auto offset = static_cast<std::size_t>(in.at - begin);
      const std::uint64_t code = in.unsigned_leb();
      if (code == 0) {
        if (around.size() > 1) around.pop_back();
        continue;
      }
      const auto it = known.find(code);
      if (it == known.end()) return;
      Entry entry;
      entry.tag = it->second.tag;
      entry.parent = around.back();
      for (const auto& [name, form, constant] : it->second.attributes) {
        std::uint64_t actual = form;
        if (form == 0x16) actual = in.unsigned_leb();  // DW_FORM_indirect
        add(entry, name,
            read(in, actual, constant, offset_bytes, static_cast<unsigned>(address_bytes)), unit);
      }
      info.entries.push_back(entry);
      info.offsets.push_back(offset);
      if (it->second.has_children) around.push_back(info.entries.size() - 1);
    }
  }

  // The sections of the file, which stays mapped: names point into it.
  static void read_file(DebugInfo& info) {
    const int file = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
    if (file < 0) return;
    struct stat status = {};
    fstat(file, &status);
    const auto bytes = static_cast<std::size_t>(status.st_size);
    void* const memory = mmap(nullptr, bytes, PROT_READ, MAP_PRIVATE, file, 0);
    close(file);
    if (memory == MAP_FAILED || bytes < sizeof(Elf64_Ehdr)) return;
    const auto* const begin = static_cast<const unsigned char*>(memory);
    const auto& header = *reinterpret_cast<const Elf64_Ehdr*>(begin);
    if (header.e_shoff + header.e_shnum * sizeof(Elf64_Shdr) > bytes) return;
    const auto* const sections = reinterpret_cast<const Elf64_Shdr*>(begin + header.e_shoff);
    const auto contents = [&](const Elf64_Shdr& section) -> Bytes {
      if (section.sh_type == SHT_NOBITS || section.sh_offset + section.sh_size > bytes) return {};
      return {begin + section.sh_offset, begin + section.sh_offset + section.sh_size};
    };
    const Bytes names = contents(sections[header.e_shstrndx]);
    DebugReader reader{info, {}, {}, {}, {}};
    for (unsigned i = 0; i < header.e_shnum; ++i) {
      if ((sections[i].sh_flags & SHF_COMPRESSED) != 0) continue;
      const std::string_view name = text_at(names, sections[i].sh_name);
      if (name == ".debug_info") reader.entries = contents(sections[i]);
      if (name == ".debug_abbrev") reader.abbreviations = contents(sections[i]);
      if (name == ".debug_str") reader.strings = contents(sections[i]);
      if (name == ".debug_line_str") reader.line_strings = contents(sections[i]);
    }
    const auto* const segments = reinterpret_cast<const Elf64_Phdr*>(begin + header.e_phoff);
    for (unsigned i = 0; i < header.e_phnum; ++i)
      if (segments[i].p_type == PT_TLS) {
        info.thread_local_bytes = segments[i].p_memsz;
        info.thread_local_alignment = std::max<std::uint64_t>(1, segments[i].p_align);
      }
    Bytes section = reader.entries;
    while (section.has(4)) reader.read_unit(section, reader.entries.at);
  }
};

}  // namespace

const DebugInfo& DebugInfo::of_program() {
  static const DebugInfo* const info = [] {
    auto* const fresh = new DebugInfo;
    DebugReader::read_file(*fresh);
    return fresh;
  }();
  return *info;
}

const Entry* DebugInfo::at(std::size_t offset) const {
  if (offset == 0) return nullptr;
  const auto it = std::lower_bound(offsets.begin(), offsets.end(), offset);
  return it == offsets.end() || *it != offset
             ? nullptr
             : &entries[static_cast<std::size_t>(it - offsets.begin())];
}

std::vector<const Entry*> DebugInfo::children_of(const Entry& entry) const {
  std::vector<const Entry*> children;
  const std::size_t own = index_of(entry);
  for (std::size_t i = own + 1; i < entries.size() && entries[i].parent >= own; ++i)
    if (entries[i].parent == own) children.push_back(&entries[i]);
  return children;
}

const Entry* DebugInfo::function_at(std::uintptr_t address) const {
  for (const Entry& entry : entries)
    if (entry.tag == dwarf::subprogram && entry.begin == address) return &entry;
  return nullptr;
}

std::string_view DebugInfo::name_of(const Entry& entry) const {
  const Entry* one = &entry;
  for (int i = 0; i < 4 && one != nullptr && one->name.empty(); ++i) one = at(one->origin);
  return one == nullptr ? std::string_view() : one->name;
}

const Entry* DebugInfo::type_of(const Entry& entry) const {
  const Entry* one = &entry;
  for (int i = 0; i < 4 && one != nullptr && one->type == 0; ++i) one = at(one->origin);
  if (one == nullptr) return nullptr;
  const Entry* type = at(one->type);
  while (type != nullptr && (type->tag == dwarf::const_type || type->tag == dwarf::volatile_type ||
                             type->tag == dwarf::restrict_type || type->tag == dwarf::typedef_name))
    type = at(type->type);
  return type;
}

}  // namespace emulated::explain
