#include "warnings.h"

#include <string_view>

namespace translate {

namespace {

std::string warning(const Source& source, std::size_t position, const std::string& sentence) {
  return source.path().string() + ":" + std::to_string(source.line(position)) + ": warning: " + sentence;
}

bool mentions(const Tokens& line, std::string_view word) {
  for (std::size_t i = 1; i < line.size(); ++i)
    if (line.is(i, word)) return true;
  return false;
}

void warn_of_choices(const Source& source, const Outline& outline, std::vector<std::string>& sentences) {
  const Tokens& code = source.code();
  for (const Directive& directive : source.directives()) {
    const Tokens& line = directive.tokens;
    if (!mentions(line, "__CUDA_ARCH__") || mentions(line, "EMULATED_DEVICE") || line.is(0, "define"))
      continue;
    for (const Function& function : outline.functions) {
      if (function.body == none || (function.side & side_host) == 0 || (function.side & side_device) == 0 ||
          directive.code_index <= function.body || directive.code_index > code.partner(function.body))
        continue;
      sentences.push_back(warning(
          source, directive.begin,
          function.name + " chooses by __CUDA_ARCH__, which is always defined on the emulated device: "
                          "the host takes the device's branch, too"));
    }
  }
}

// Statements that combine a thread's element with its partner's, while the partner does the same.
class Exchanges {
 public:
  Exchanges(const Source& source, const Function& function)
      : source_(source), code_(source.code()), function_(function) {}

  void warn(std::vector<std::string>& sentences) const {
    const std::size_t end = code_.partner(function_.body);
    for (std::size_t i = function_.body + 1; i < end; ++i) {
      // array[index] = ...; or += or the like, that no condition precedes
      const bool begins = code_.is(i - 1, ";") || code_.is(i - 1, "{") || code_.is(i - 1, "}");
      if (!begins || !code_.is(i, Kind::word) || !code_.is(i + 1, "[") || !code_.is(i + 2, Kind::word) ||
          !code_.is(i + 3, "]") || !code_.text(i + 4).ends_with('='))
        continue;
      const std::string_view array = code_.text(i), index = code_.text(i + 2);
      const std::size_t partner = partners_element(i + 5, array, index);
      if (partner == none || !is_of_thread(index) || is_of_one_thread(array)) continue;
      const std::string element(code_.between(partner, code_.partner(partner + 1) + 1));
      sentences.push_back(
          warning(source_, code_.begin(i),
                  "one thread reads " + element +
                      " while another may have written it already in the same "
                      "statement: the warps of a GPU happen to read first, here threads run one after "
                      "another; read it "
                      "into a variable, then call __syncwarp() or __syncthreads(), then write"));
    }
  }

 private:
  // array[index ^ ...] in the statement from token i on.
  std::size_t partners_element(std::size_t i, std::string_view array, std::string_view index) const {
    for (; i < code_.size() && !code_.is(i, ";") && !code_.is(i, "{"); ++i)
      if (code_.is(i, array) && code_.is(i + 1, "[") && code_.is(i + 2, index) && code_.is(i + 3, "^"))
        return i;
    return none;
  }

  // Is the index the thread's number: const int index = threadIdx.x; or ... = group.thread_rank(); ?
  bool is_of_thread(std::string_view index) const {
    for (std::size_t i = function_.body; i < code_.partner(function_.body); ++i) {
      if (!code_.is(i, index) || !code_.is(i + 1, "=")) continue;
      for (std::size_t k = i + 2; k < code_.size() && !code_.is(k, ";"); ++k)
        if (code_.is(k, "threadIdx") || code_.is(k, "thread_rank")) return true;
    }
    return false;
  }

  // Is the array declared in the function, and not as shared?
  bool is_of_one_thread(std::string_view array) const {
    for (std::size_t i = function_.body; i < code_.partner(function_.body); ++i) {
      if (!code_.is(i, array) || !code_.is(i + 1, "[") || !code_.is(i - 1, Kind::word)) continue;
      for (std::size_t k = i; !code_.is(k, ";") && !code_.is(k, "{"); --k)
        if (code_.is(k, "__shared__")) return false;
      return true;
    }
    return false;
  }

  const Source& source_;
  const Tokens& code_;
  const Function& function_;
};

}  // namespace

std::vector<std::string> warnings(const Source& source, const Outline& outline) {
  std::vector<std::string> sentences;
  warn_of_choices(source, outline, sentences);
  for (const Function& function : outline.functions)
    if (function.body != none && function.in_kernel()) Exchanges(source, function).warn(sentences);
  return sentences;
}

}  // namespace translate
