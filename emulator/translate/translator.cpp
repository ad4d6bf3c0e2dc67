#include "translator.h"

#include <cctype>
#include <fstream>
#include <iterator>
#include <string_view>
#include <utility>

#include "passes.h"

namespace fs = std::filesystem;

namespace translate {

namespace {

std::string read_file(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::string text((std::istreambuf_iterator<char>(in)), {});
  if (!in) throw std::runtime_error(path.string() + ": error: cannot be read");
  return text;
}

void write_file(const fs::path& path, const std::string& text) {
  std::ofstream out(path, std::ios::binary);
  out << text;
  if (!out.flush()) throw std::runtime_error(path.string() + ": error: cannot be written");
}

// Returns whether it was.
bool write_if_changed(const fs::path& path, const std::string& text) {
  if (fs::exists(path) && read_file(path) == text) return false;
  write_file(path, text);
  return true;
}

// Headers of the CUDA toolkit and of NVIDIA's samples that the emulated device does
// not have, and what to do instead.
struct Missing {
  std::string_view instead;
  std::vector<std::string_view> beginnings;  // of their names
};

std::string_view instead_of(const std::vector<Missing>& list, std::string_view name) {
  for (const Missing& headers : list)
    for (const std::string_view beginning : headers.beginnings)
      if (name.starts_with(beginning)) return headers.instead;
  return "";
}

std::string missing_header(std::string_view name) {
  static const std::vector<Missing> missing = {
      {"write the kernel by hand or use the gpu build",
       {"thrust/", "cub/", "cublas", "cudnn", "cufft", "cusolver", "cusparse", "cutlass/", "npp"}},
      {"copy it from NVIDIA's cuda-samples (Common/) to the program's folder",
       {"helper_math.h", "helper_image.h", "helper_gl.h", "exception.h"}},
      {"write a generator such as a hash of the thread's number, or use the gpu build", {"curand"}},
      {"multiply with plain loops or use the gpu build", {"mma.h"}},
      {"use float or half", {"cuda_fp8"}},
      {"copy pictures through the host",
       {"cuda_egl_interop.h", "cuda_vdpau_interop.h", "cudaGL", "cudaEGL", "cudaVDPAU"}},
      {"use __syncthreads() or cuda::barrier", {"cuda_awbarrier", "cuda/latch"}},
      {"count with cuda::atomic", {"cuda/semaphore"}},
      {"use the intrinsic functions or inline PTX that is known here", {"cuda/ptx"}},
      {"use the gpu build", {"nvrtc.h", "nvml.h"}},
      {"launch kernels from the host", {"cuda_device_runtime_api.h"}},
      {"use the runtime's interface (cuda_runtime.h)", {"helper_cuda_drvapi.h", "cudaTypedefs.h"}},
      {"include <cuda_profiler_api.h>", {"cudaProfiler.h", "cudaProfilerTypedefs.h"}},
  };
  // Headers that old programs include and CUDA no longer has. All that is
  // left of them is in cuda_runtime.h.
  static const std::vector<Missing> gone = {
      {"include helper_cuda.h, and write checkCudaErrors(...) for CUDA_SAFE_CALL(...) and "
       "cutilSafeCall(...)",
       {"cutil", "shrUtils.h", "shrQATest.h", "sdkHelper.h", "drvapi_error_string.h"}},
      {"kernels can call printf", {"cuPrintf"}},
      {"leave the line out: cuda_runtime.h has its functions",
       {"sm_11_", "sm_12_", "sm_13_", "sm_14_", "cuda_texture_types.h", "cuda_surface_types.h",
        "math_functions_dbl_ptx", "device_runtime.h"}},
      {"include <nvtx3/nvToolsExt.h>", {"nvToolsExt"}},
      {"it was a separate library: write the kernel by hand", {"cudpp"}},
  };
  if (const std::string_view instead = instead_of(missing, name); !instead.empty())
    return joined({name, ": the emulated device does not have this header; ", instead});
  if (const std::string_view instead = instead_of(gone, name); !instead.empty())
    return joined({name, ": CUDA no longer has this header; ", instead});
  return "";
}

// One sentence a line.
void throw_errors(std::vector<std::string> sentences, const std::string& last = "") {
  if (!last.empty()) sentences.push_back(last);
  std::string text;
  for (const std::string& sentence : sentences) text += (text.empty() ? "" : "\n") + sentence;
  if (!text.empty()) throw Error(text);
}

std::string quoted(const fs::path& path) {
  std::string text;
  for (const char c : path.generic_string()) {
    if (c == '"' || c == '\\') text += '\\';
    text += c;
  }
  return text;
}

}  // namespace

Translator::Translator(fs::path include_folder, std::vector<fs::path> search_folders)
    : include_folder_(std::move(include_folder)), search_folders_(std::move(search_folders)) {}

void Translator::translate(const fs::path& input, const fs::path& output) {
  if (output.has_parent_path()) fs::create_directories(output.parent_path());
  const fs::path path = fs::absolute(input).lexically_normal();
  const std::string text = path.extension() == ".cpp" ? of_host(path) : translation(path).text;
  // A changed header makes the output new as well, though its text is the old one: Ninja
  // compiles only when it sees the output become newer. All is written at the end, so that
  // an error leaves no half of it.
  bool changed = false;
  if (!headers_.empty()) fs::create_directories(include_folder_);
  for (const auto& [path, header] : headers_) changed |= write_if_changed(path, header);
  if (changed)
    write_file(output, text);
  else
    write_if_changed(output, text);
}

void Translator::learn_from(const fs::path& other) {
  Translator reader(include_folder_, search_folders_);
  reader.translation(fs::absolute(other).lexically_normal());
  program_.extern_variables.merge(reader.program_.extern_variables);
  inputs_.merge(reader.inputs_);
}

std::string Translator::of_host(const fs::path& input) {
  inputs_.insert(input);
  Source source(input, read_file(input));
  translate_dropped_results(source, outline(source, program_), program_);
  const char* const header = source.changes() > 0 ? "#include <emulated/dropped.h>\n" : "";
  return joined({header, "#line 1 \"", quoted(input), "\"\n", source.result()});
}

Translator::Translation Translator::translation(const fs::path& input) {
  inputs_.insert(input);
  Source source(input, read_file(input));
  bool changed = include(source);  // what included files declare is known here
  const std::size_t only_includes = source.changes();
  const Outline known = outline(source, program_);
  learn(source, known, program_);
  try {
    for (Pass* const pass : passes()) pass(source, known, program_);
  } catch (const Error& error) {
    throw_errors(source.errors(), error.what());
  }
  throw_errors(source.errors());
  changed |= source.changes() != only_includes;
  warnings_.insert(warnings_.end(), source.warnings().begin(), source.warnings().end());
  return {"#line 1 \"" + quoted(input) + "\"\n" + source.result(), changed};
}

// Translates what the source includes, and names where the translations lie: the output lies in
// another folder, so that relative names no longer lead to their files. Is anything of it changed?
bool Translator::include(Source& source) {
  bool changed = false;
  int conditions = 0;  // #if that are open
  for (const Directive& directive : source.directives()) {
    const Tokens& line = directive.tokens;
    if (line.text(0).starts_with("if")) ++conditions;
    if (line.is(0, "endif")) --conditions;
    if (!line.is(0, "include") || line.size() < 2) continue;
    program_.may_have_textures |= line.is(1, Kind::word);  // #include MACRO: who knows
    const std::string_view text = line.text(1);
    const bool quotes = text.starts_with('"');
    if (text.size() < 2 || !text.ends_with(quotes ? '"' : '>')) continue;
    const std::string name(text.substr(1, text.size() - 2));
    // <name.h> may be the program's own, where the system has none.
    const bool system = !quotes && fs::exists(fs::path("/usr/include") / name);
    const fs::path file = system ? fs::path() : find_include(source.path(), name);
    if (!file.empty()) {
      const fs::path& instead = translated_include(file);
      changed |= instead != file;
      if (!quotes || instead != file ||
          file == (source.path().parent_path() / name).lexically_normal())
        source.replace(line.begin(1), line.end(1), "\"" + quoted(instead) + "\"");
      continue;
    }
    const std::string sentence = missing_header(name);
    if (sentence.empty()) continue;
    // Within #if the compiler shows it only where the line counts, and never takes the toolkit's
    // own header, whose errors fill pages.
    if (conditions == 0) source.fail(directive.begin, sentence);
    source.replace(directive.begin, line.end(line.size() - 1), "#error " + sentence);
    changed = true;
  }
  return changed;
}

fs::path Translator::find_include(const fs::path& from, const std::string& name) const {
  fs::path beside = (from.parent_path() / name).lexically_normal();
  if (fs::is_regular_file(beside)) return beside;
  for (const fs::path& folder : search_folders_) {
    fs::path file = (fs::absolute(folder) / name).lexically_normal();
    if (fs::is_regular_file(file)) return file;
  }
  return {};
}

const fs::path& Translator::translated_include(const fs::path& header) {
  const auto [found, fresh] = included_.emplace(header, header);
  if (!fresh) return found->second;  // also a file that includes itself: as it is
  // One file for one header, however it is named in the #include: #pragma once depends on that.
  std::string name;
  for (const char c : header.generic_string())
    name += std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.' ? c : '_';
  Translation translated = translation(header);
  if (translated.changed) {
    found->second = include_folder_ / (name + ".h");
    headers_[found->second] = std::move(translated.text);
  }
  return found->second;
}

}  // namespace translate
