// What kernel<<<grid, block, bytes, stream>>>(arguments) becomes:
//   EMULATED_KERNEL(kernel).configure(grid, block, bytes, stream)(arguments)
// The kernel stays inside a lambda, so that overloads are chosen and templates deduced as
// in a plain call. A thread's own arguments are moved into the kernel: they are nothing
// that a reference could write to.
#pragma once

#include <tuple>
#include <type_traits>
#include <utility>

#include "arguments.h"
#include "explain_hooks.h"
#include "indices.h"
#include "parameters.h"
#include "runtime.h"
#include "scheduler.h"
#include "texture_fetch.h"

// assert(x) in device code becomes assert(EMULATED_ASSERTED((x), x as translated)).
#define EMULATED_ASSERTED(written, ...) (__VA_ARGS__)
#define EMULATED_KERNEL(...)                                                                   \
  ::emulated::named_kernel(                                                                    \
      #__VA_ARGS__, ::emulated::Location::current(),                                           \
      [=](auto... arguments) -> decltype(static_cast<void>(__VA_ARGS__(::std::move(            \
                                 arguments)...))) { __VA_ARGS__(::std::move(arguments)...); }, \
      [=](auto take) -> decltype(take(__VA_ARGS__)) { return take(__VA_ARGS__); })

namespace emulated {

// Its address distinguishes one translation unit from another. A hidden unit (indices.h)
// cannot be mixed up with others.
#ifdef EMULATED_HIDDEN_UNIT
constexpr const char* this_unit = nullptr;
#else
[[maybe_unused]] EMULATED_LOCAL const char translation_unit = 0;
[[maybe_unused]] EMULATED_LOCAL const char* const this_unit = &translation_unit;
#endif

// What every thread calls: the kernel with its arguments. Asked with an argument it reports the
// kernel's only texture.
struct WhichTexture {};
template <class Invoke, class... Arguments>
auto body_of(const Invoke& invoke, Arguments... arguments) {
  return [=](auto... which_texture) {
    if constexpr (sizeof...(which_texture) == 0)
      invoke(arguments...);
    else
      return only_texture(arguments...);
  };
}

// Code for all threads of a grid, compiled for one kernel with its arguments (`Body` calls it).
template <class Body>
struct Grid {
  // Threads in an order of their own, or a single one on whatever stack it was given. Its index is
  // in memory, where a fault finds it (device_fault).
  [[gnu::noinline, gnu::flatten]] static bool run_listed(const Launch& launch,
                                                         const PackedIndex* threads,
                                                         unsigned count) {
    const Body& body = *static_cast<const Body*>(launch.kernel);
    if (count > 1) strided_loops = {};
    for (unsigned i = 0; i < count; ++i) {
      threadIdx = unpack_index(threads[i]);
      asm volatile("" ::: "memory");
      if (explain::on) explain::begin_thread(thread_rank());
      body();
      if (suspended) return false;
    }
    return true;
  }

  // One thread after another in a plain loop, the whole kernel inlined into it. ivdep: CUDA
  // promises nothing about the order of threads between barriers, so the compiler may take several
  // at once, in vector registers. For that nothing may be stored in the loop but what the kernel
  // stores: the index that is set after it makes its stores in the loop dead where no function is
  // called that could read it. False: a thread had to wait and the runtime has to continue.
  [[gnu::always_inline]] static bool loop_over_threads(const Body& body, const dim3& size) {
    suspended = false;
    for (unsigned z = 0; z < size.z; ++z)
      for (unsigned y = 0; y < size.y; ++y) {
        threadIdx.y = y;
        threadIdx.z = z;
#pragma GCC ivdep
        for (unsigned x = 0; x < size.x; ++x) {
          threadIdx.x = x;
          body();
          if (suspended) return false;
        }
        threadIdx.x = unknown_thread;
      }
    return true;
  }

  // The loop, compiled once more for each way to fetch floats that lets the compiler look
  // at the kernel's texture in front of it, not in it. The body is a copy, which the
  // kernel's pointers cannot reach.
  static bool run_threads(const Body& shared_body) {
    const Body body = shared_body;
    // Stored again with known bounds, so that the compiler sees that blockIdx.x * blockDim.x +
    // threadIdx.x does not wrap around: only then it knows that neighboring threads access
    // neighboring elements.
    const dim3 size = blockDim;
    const uint3 block = blockIdx;
    if (size.x > 1024 || block.x >= block_x_limit) __builtin_unreachable();
    blockDim = size;
    blockIdx = block;
    if constexpr (std::is_invocable_r_v<cudaTextureObject_t, const Body&, WhichTexture>) {
      const cudaTextureObject_t object = body(WhichTexture());
      if (enter_kernel_texture<QuickFetch::linear>(object)) return loop_over_threads(body, size);
      if (enter_kernel_texture<QuickFetch::nearest>(object)) {
        if (!columns_are_inside(block.x * size.x, size.x)) return loop_over_threads(body, size);
        kernel_texture.holds_columns = true;
        return loop_over_threads(body, size);
      }
    }
    return loop_over_threads(body, size);
  }

  // Flattened, so that each kernel is inlined into the loop over its threads, however large it is.
  // (At run_threads() the attribute comes too early: g++ cannot inline the kernel's call yet.)
  [[gnu::flatten]] static void run_blocks(const Launch& launch) {
    const Body& body = *static_cast<const Body*>(launch.kernel);
    const dim3 grid = launch.grid;
    blockDim = launch.block;
    gridDim = grid;
    kernel_texture = {};
    std::uint64_t block;
    while (claim_block(block)) {
      blockIdx.x = static_cast<unsigned>(block % grid.x);
      blockIdx.y = static_cast<unsigned>(block / grid.x % grid.y);
      blockIdx.z = static_cast<unsigned>(block / grid.x / grid.y);
      suspended = false;
      threadIdx.x = unknown_thread;
      const PackedIndex* const order = begin_block(block);
      strided_loops = {0, order == nullptr, false};
      const bool ended = order == nullptr
                             ? run_threads(body)
                             : run_listed(launch, order, blockDim.x * blockDim.y * blockDim.z);
      if (!ended) finish_suspended_block();
      end_block();
    }
  }

  static void present(uint3& block, uint3& thread) {
    block = blockIdx;
    thread = threadIdx;
  }
};

// What suspends a thread keeps the thread's indices on the thread's own stack:
// meanwhile others use the variables.
template <class Wait>
static inline auto suspending(Wait wait) {
  struct Keep {
    uint3 thread = threadIdx;
    ~Keep() {
      threadIdx = thread;
      if (explain::on) explain::run_thread(thread_rank());
    }
  } keep;
  if (!suspended) [[unlikely]] {
    suspended = true;
    begin_suspending(thread_rank());
  }
  return wait();
}

// Launches `body` in the given shape, or records the launch when the stream is being captured.
template <class Body>
cudaError_t launch(const char* name, Location at, const void* function, const LaunchShape& shape,
                   const Body& body) {
  Launch request{shape, name, at, function, this_unit};
  if (const cudaError_t error = check_kernel_stream(request)) return fail(error);
  request.run_blocks = &Grid<Body>::run_blocks;
  request.run_threads = &Grid<Body>::run_listed;
  request.present = &Grid<Body>::present;
  request.kernel_bytes = sizeof(Body);
  if (explain::on) request.suspend = [](void (*wait)()) { suspending(wait); };
  if (is_capturing(shape.stream)) {
    begin_arguments();  // it does not run now
    return submit(
        shape.stream,
        [request, body]() mutable {
          request.kernel = &body;
          return run_grid(request);
        },
        cudaGraphNodeTypeKernel);
  }
  request.kernel = &body;
  const cudaError_t error = run_grid(request);
  launch_that_ends = {name, at};
  return error;
}

// ---- kernel<<<...>>> ----
template <class Invoke, class Address>
struct Kernel;

// Alive until the expression that launches is over: then the arguments and other objects in it have
// been destroyed.
struct LaunchExpression {
  LaunchExpression() = default;
  LaunchExpression(const LaunchExpression&) {}
  LaunchExpression& operator=(const LaunchExpression&) = delete;
  ~LaunchExpression() { launch_that_ends = {}; }
};

// A kernel with a shape, which its arguments launch.
template <class Invoke, class Address>
struct Launcher {
  Kernel<Invoke, Address> kernel;
  LaunchShape shape;
  [[no_unique_address]] LaunchExpression expression{};

  template <class... Arguments>
  requires std::is_invocable_v<const Invoke&, Arguments...>
  void operator()(Arguments... arguments) const {
    using Take = decltype(taker<Address, 0, Arguments...>(std::index_sequence_for<Arguments...>()));
    constexpr bool found = !std::is_null_pointer_v<Take>;
    if constexpr ((is_bytes<Arguments> && ...)) {
      // Arguments are evaluated once; every thread gets its own copy of
      // them as the kernel's parameters.
      if (refused(arguments...)) return;
      const void* function = nullptr;
      if constexpr (found) {
        note_written(kernel.address(Take()), arguments...);
        function = reinterpret_cast<const void*>(kernel.address(Take()));
      }
      start(body_of(kernel.invoke, arguments...), function);
    } else {
      static_assert(
          found,
          "an argument has a copy constructor or a destructor: then the other arguments of an "
          "overloaded or templated kernel must have exactly its parameters' types, or its template "
          "arguments must be given");
      if constexpr (found) start_bytes(kernel.address(Take()), arguments...);
    }
  }

  // All other arguments.
  void operator()(...) const requires(!std::is_invocable_v<const Invoke&>) {
    static_assert(sizeof(Invoke) == 0,
                  "the kernel cannot be launched with these arguments: their number or types are "
                  "not those of its parameters");
  }

  // Arguments that no kernel can use: pointers to host memory.
  template <class... Arguments>
  bool refused(const Arguments&... arguments) const {
    const cudaError_t error = check_arguments(kernel.name, kernel.at, arguments...);
    if (error != cudaSuccess) launch_failed(error);
    return error != cudaSuccess;
  }
  template <class Body>
  void start(const Body& body, const void* function) const {
    const cudaError_t error = emulated::launch(kernel.name, kernel.at, function, shape, body);
    if (error != cudaSuccess) launch_failed(error);
  }
  template <class... Parameters>
  void start_bytes(void (*function)(Parameters...),
                   const std::type_identity_t<Parameters>&... parameters) const {
    if (refused(parameters...)) return;
    note_written(function, parameters...);
    start(body_from_bytes(function, std::index_sequence_for<Parameters...>(), parameters...),
          reinterpret_cast<const void*>(function));
  }
};

// Knows the parameters' types, so that arguments such as NULL or {1, 2}
// are converted as in a plain call.
template <class Invoke, class Address, class... Parameters>
struct TypedLauncher : Launcher<Invoke, Address> {
  void (*function)(Parameters...);

  static constexpr bool has_reference = (std::is_reference_v<Parameters> || ...);
  static_assert(
      parameter_bytes<Parameters...>() <= max_parameter_bytes,
      "the parameters of this kernel take more than 32764 bytes: put them into memory, and give it "
      "a pointer");
  static constexpr bool all_bytes = (is_bytes<Parameters> && ...) && !has_reference;

  void operator()(Parameters... parameters) const requires(all_bytes) { start_own(parameters...); }
  // Where parameters have default arguments or are a pack.
  template <class... Arguments>
  requires(all_bytes && sizeof...(Arguments) != sizeof...(Parameters) &&
           (is_bytes<Arguments> && ...) && std::is_invocable_v<const Invoke&, Arguments...>) void
  operator()(Arguments... arguments) const {
    start_own(arguments...);
  }
  // All threads get the address of what a reference names, so it must be where the device may look.
  void operator()(Parameters... parameters) const requires(has_reference) {
    if (this->refused(passed<Parameters>(parameters)...)) return;
    note_written(function, parameters...);
    this->start(
        [function = function, arguments = std::tuple<Parameters...>(std::forward<Parameters>(
                                  parameters)...)]() { std::apply(function, arguments); },
        reinterpret_cast<const void*>(function));
  }
  void operator()(Parameters... parameters) const requires(!all_bytes && !has_reference) {
    this->start_bytes(function, parameters...);
  }

  void operator()(...) const requires(!std::is_invocable_v<const Invoke&>) {
    static_assert(sizeof(Invoke) == 0,
                  "the kernel cannot be launched with these arguments: their number or types are "
                  "not those of its parameters");
  }
  template <class First, class... Others>
  void operator()(const First&, const Others&...) const
      requires(sizeof...(Parameters) == 0 &&
               !std::is_invocable_v<const Invoke&, First, Others...>) {
    static_assert(sizeof(Invoke) == 0,
                  "the kernel cannot be launched with these arguments: it has no parameters");
  }

  template <class... Arguments>
  void start_own(Arguments... arguments) const {
    if (this->refused(arguments...)) return;
    note_written(function, arguments...);
    this->start(body_of(this->kernel.invoke, arguments...),
                reinterpret_cast<const void*>(function));
  }
};

template <class Invoke, class Address, class... Parameters>
TypedLauncher(Launcher<Invoke, Address>, void (*)(Parameters...))
    -> TypedLauncher<Invoke, Address, Parameters...>;

template <class Invoke, class Address>
struct Kernel {
  const char* name;
  Location at;
  Invoke invoke;
  Address address;

  auto configure(dim3 grid, dim3 block = 1, std::size_t shared_bytes = 0,
                 cudaStream_t stream = nullptr) const {
    begin_arguments();
    const Launcher<Invoke, Address> launcher{*this, {grid, block, shared_bytes, stream}};
    if constexpr (std::is_invocable_v<const Address&, TakeAddress>)
      return TypedLauncher{launcher, address(TakeAddress())};
    else
      return launcher;
  }
};
template <class Invoke, class Address>
Kernel<Invoke, Address> named_kernel(const char* name, Location at, Invoke invoke,
                                     Address address) {
  return {name, at, invoke, address};
}

// Dynamic shared memory, of the size that the launch asked for.
template <class T>
static inline T (&dynamic_shared())[] {
  return reinterpret_cast<T(&)[]>(dynamic_shared_bytes);
}

}  // namespace emulated
