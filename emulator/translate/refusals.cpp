// What nvcc refuses and g++ would take: a kernel that returns something or is called without
// a launch, a device function called by the host and the other way round, writing to
// threadIdx and its companions or to constant memory. Where names leave a doubt (overloads,
// unknown macros) nothing is refused.

#include <string_view>

#include "passes.h"

namespace translate {

namespace {

// Functions of the host that every program knows and no device has.
bool is_of_library(std::string_view name) {
  return one_of(name,
                "rand srand rand_r random drand48 fopen fclose fprintf fread fwrite fputs fflush "
                "perror getenv system scanf sscanf sprintf snprintf getchar putchar puts strcmp "
                "strcpy strcat atoi atof calloc realloc qsort exit abort time clock_gettime "
                "gettimeofday sleep usleep");
}

// What only threads of a kernel can do together.
bool is_of_threads(std::string_view name) {
  return one_of(name,
                "__syncthreads __syncthreads_and __syncthreads_count __syncthreads_or __syncwarp "
                "__threadfence __threadfence_block __threadfence_system __activemask __all_sync "
                "__any_sync __ballot_sync __shfl_sync __shfl_down_sync __shfl_up_sync "
                "__shfl_xor_sync atomicAdd atomicSub atomicExch atomicCAS atomicMin atomicMax "
                "atomicInc atomicDec atomicAnd atomicOr atomicXor");
}

// The runtime's, but for its types, and for what it has for kernels.
bool is_of_runtime(std::string_view name) {
  if (!name.starts_with("cuda") || name.size() < 5 || name[4] < 'A' || name[4] > 'Z') return false;
  const bool of_type = name.ends_with("_t") || name.ends_with("Prop") || name.ends_with("Kind");
  return !of_type &&
         !one_of(name,
                 "cudaError cudaExtent cudaPos cudaPitchedPtr cudaGridDependencySynchronize "
                 "cudaTriggerProgrammaticLaunchCompletion");
}

class Checker {
 public:
  Checker(Source& source, const Outline& outline, const Program& program)
      : source_(source), code_(source.code()), outline_(outline), program_(program) {}

  void run() {
    for (const Declaration& declaration : outline_.declarations) check_texture(declaration);
    for (const Function& function : outline_.functions) {
      if ((function.side & side_global) != 0) check_type(function);
      if (function.body == none) continue;
      check_calls(function);
      if (function.in_kernel()) check_writes(function);
    }
  }

 private:
  void refuse(std::size_t token, const std::string& sentence) {
    source_.refuse(code_.begin(token), sentence);
  }

  // texture<float, 2> name; as CUDA 11 had it.
  void check_texture(const Declaration& declaration) {
    std::size_t first = declaration.first;
    while (code_.is(first, "static") || code_.is(first, "extern")) ++first;
    if (code_.is(first, "texture") && code_.is(first + 1, "<") && !program_.may_have_textures)
      refuse(first,
             "CUDA 12 removed texture references: make a texture object with "
             "cudaCreateTextureObject() and give it to the kernel as a cudaTextureObject_t");
  }

  void check_type(const Function& function) {
    for (std::size_t i = function.head; i < function.name_at; ++i)
      // auto: the type after -> is the compiler's to check. A macro may say void:
      // #define KERNEL __global__ void
      if (code_.is_one_of(i, "void auto") || program_.macro_sides.contains(code_.text(i))) return;
    if (function.side & side_unknown) return;  // a macro may say void
    if (function.name_at == function.head || function.name == "operator") return;
    refuse(function.name_at, "kernel " + function.name + " must return void: results go to memory");
  }

  // The sides of a function that is called at token i by its bare name; 0 for anything else.
  unsigned called_sides(std::size_t i) const {
    if (!code_.is(i, Kind::word)) return 0;
    std::size_t open = i + 1;
    if (code_.is(open, "<")) {
      open = code_.template_end(open);
      if (open == none) return 0;
      ++open;
    }
    if (!code_.is(open, "(")) return 0;
    const std::string_view name = code_.text(i);
    const std::string_view before = code_.text(i - 1);
    const bool of_std = before == "::" && code_.is(i - 2, "std");
    if (one_of(before, ". -> ~") || (before == "::" && code_.is(i - 2, Kind::word) && !of_std))
      return 0;
    if (program_.members.contains(name) || program_.function_macros.contains(name) ||
        program_.macro_sides.contains(name))
      return 0;
    const auto found = program_.functions.find(name);
    if (found != program_.functions.end() && !of_std)
      return (found->second & side_unknown) != 0 ? 0 : found->second;
    if (is_of_threads(name)) return of_std ? 0u : unsigned{side_device};
    return is_of_library(name) || is_of_runtime(name) ? unsigned{side_host} : 0u;
  }

  // f = square; call(&square): where nothing but the function's name can be meant.
  bool takes_device_address(const Function& function, std::size_t i) const {
    const auto found = program_.functions.find(code_.text(i));
    if (found == program_.functions.end() || found->second != side_device ||
        !function.only_host() || code_.is(function.head, "template") ||
        !code_.is_one_of(i + 1, "; , ) } :"))
      return false;
    const std::string_view name = code_.text(i);
    std::size_t before = i - 1;
    if (code_.is(before, "&")) --before;
    if (!code_.is_one_of(before, "= ( , { return ? :") || program_.members.contains(name) ||
        program_.function_macros.contains(name) || program_.macro_sides.contains(name) ||
        is_local(code_, function, name) || in_device_lambda(function, i))
      return false;
    // What it is given to; not a template's arguments, decltype, a macro.
    for (; !code_.is_one_of(before, "; ( { ["); --before) {
      if (code_.is_one_of(before, "< template")) return false;
      if (code_.is_one_of(before, ") } ]")) {
        if (code_.partner(before) == none) return false;
        before = code_.partner(before);
      }
    }
    return !code_.is(before, "(") ||
           (!code_.is_one_of(before - 1, "decltype sizeof alignof noexcept typeid") &&
            !program_.function_macros.contains(code_.text(before - 1)));
  }

  void check_calls(const Function& function) {
    for (std::size_t i = function.body; i < code_.partner(function.body); ++i) {
      const std::string name(code_.text(i));
      if (takes_device_address(function, i))
        source_.warn(code_.begin(i),
                     joined({name, " is a __device__ function: the address that host code such as ",
                             function.name,
                             " takes of it cannot be called in a kernel on a GPU; take it in "
                             "device code, or copy it from a __device__ variable that holds it"}));
      const unsigned sides = called_sides(i);
      if (sides == 0 || is_local(code_, function, name)) continue;
      if ((sides & side_global) != 0)
        refuse(i, joined({"kernel ", name, " must be launched: ", name, "<<<grid, block>>>(...)"}));
      // In a template the arguments may choose an overload of another namespace.
      const bool is_template = code_.is(function.head, "template");
      if (sides == side_device && function.only_host() && !is_template &&
          !in_device_lambda(function, i))
        refuse(i, joined({name, " is a __device__ function: host code such as ", function.name,
                          " cannot call it"}));
      if (sides == side_host && function.only_device() && (function.side & side_both) == 0)
        refuse(i, joined({name, " is a function of the host: ", function.name,
                          " runs on the device and can only call __device__ functions"}));
    }
  }

  bool in_device_lambda(const Function& function, std::size_t at) const {
    for (std::size_t i = function.body; i < at; ++i)
      if (code_.is(i, "__device__")) return true;
    return false;
  }

  void check_writes(const Function& function) {
    for (std::size_t i = function.body; i < code_.partner(function.body); ++i) {
      const std::string_view name = code_.text(i);
      const bool index = one_of(name, "threadIdx blockIdx blockDim gridDim warpSize");
      // In a member function the name may be another member's.
      const auto constant = program_.constants.find(name);
      if (!index && (function.member || constant == program_.constants.end())) continue;
      if (code_.is_one_of(i - 1, ". -> ::") || is_local(code_, function, name)) continue;
      std::size_t after = i + 1;
      std::size_t indices = 0;
      bool of_member = false;
      while (code_.is_one_of(after, "[ .")) {
        of_member |= code_.is(after, "[") && code_.is(after - 2, ".");
        if (code_.is(after, "[")) ++indices;
        after = code_.is(after, ".") ? after + 2 : code_.past_brackets(after) + 1;
      }
      // What it or a member of it points to may be written.
      if (!index && (of_member || indices > constant->second || code_.is(i - 1, "*") ||
                     code_.is(after, "->")))
        continue;
      const bool before =
          code_.is(i - 1, "++") || code_.is(i - 1, "--") ||
          (code_.is(i - 1, "&") && code_.is(i - 2, "(") && code_.text(i - 3).starts_with("atomic"));
      if (!before && !is_assignment(code_.text(after))) continue;
      refuse(i, index ? std::string(name) + " cannot be written: it holds the place of a thread"
                      : std::string(name) + " is __constant__: a kernel can only read it");
    }
  }

  Source& source_;
  const Tokens& code_;
  const Outline& outline_;
  const Program& program_;
};

}  // namespace

void refuse_mistakes(Source& source, const Outline& outline, Program& program) {
  Checker(source, outline, program).run();
}

}  // namespace translate
