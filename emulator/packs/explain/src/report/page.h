// The report as a page of HTML.
#pragma once

#include <functional>
#include <iosfwd>
#include <string>

namespace emulated::explain {

/// Whether it could be written; if not, standard error has a sentence.
bool write_page(const std::string& path);
/// Writes a new file and renames it then; to what is no file, straight. False: it cannot be
/// written; nothing is left of it.
bool write_file(const std::string& path, const std::function<void(std::ostream&)>& write);

}  // namespace emulated::explain
