// heat_multi_gpu - heat spreads over a plate whose rows are split over several GPUs.
//
// CUDA by Example, chapter 11, "CUDA C on Multiple GPUs", with the libraries that clusters use: MPI
// and NCCL. One file per rung, numbered in reading order; README.md lists the gain of each. All
// give heat_notexture's bits, on any number of GPUs.
// Terms (docs/glossary.md): stencil, halo, registers, stream.
//
//   ./run heat_multi_gpu --headless --size 128 --frames 3               one GPU
//   EMULATED_DEVICES=3 ./run heat_multi_gpu --exchange peer --check --size 65 --frames 1 --steps 20
//   mpirun -n 4 build/gpu/bin/heat_multi_gpu --benchmark --size 16384   four GPUs, one process each
//
// Keys: Esc or q quits, space pauses, s saves a picture.
// What to see: the plate of heat_notexture, computed in parts.
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "../../common/check.h"
#include "../../common/timing.h"
#include "1_exchange.cuh"
#include "2_overlap.cuh"
#include "3_wide_halos.cuh"
#include "4_one_kernel.cuh"
#include "exchange_mpi.cuh"
#include "exchange_nccl.cuh"
#include "frames.cuh"

using namespace heat_multi_gpu;

Refusal needs_exchange(const Context& context) {
  if (context.exchange != nullptr) return {};
  return {"needs --exchange nccl or mpi"};
}
Refusal needs_peers(const Context& context) {
  if (context.exchange == nullptr || context.comm.size() == 1) return {};
  return {"needs --exchange peer"};
}

const MethodTable<MultiMethod>& methods();

std::function<void(int steps)> make_best(const Context& context) {
  return methods()[context.exchange == nullptr ? "one_kernel" : "wide_halos"].make(context);
}

const MethodTable<MultiMethod>& methods() {
  static const MethodTable<MultiMethod> table = {
      {"exchange", MultiMethod::function_of<ExchangeRung>, needs_exchange},
      {"overlap", MultiMethod::function_of<OverlapRung>, needs_exchange},
      {"wide_halos", MultiMethod::function_of<WideHalosRung>, needs_exchange},
      {"one_kernel", MultiMethod::function_of<OneKernelRung>, needs_peers},
      {.name = "best", .maker = make_best, .help = "one_kernel with peer memory, else wide_halos"}};
  return table;
}

// ---- which device and which transport

// Gives this process its GPU, and returns the transport: `wanted`, or the best one if that is
// "auto". Ends the job if that is not possible.
std::string choose_device_and_transport(const std::string& wanted, MpiCommunicator& comm) {
  if (wanted == "nccl" && !have_nccl)
    comm.refuse(exit_code::cannot_here, "--exchange nccl: this program was built without NCCL");
  if (wanted == "peer" && comm.size() > 1)
    comm.refuse(exit_code::wrong_use,
                "--exchange peer joins the GPUs of one process: start it without mpirun");
  std::string transport = wanted;
  if (wanted == "auto") transport = have_nccl && comm.size() > 1 ? "nccl" : "mpi";

  int devices = 0;
  HANDLE_ERROR(cudaGetDeviceCount(&devices));        // ends with 77 if there is none
  const int device = comm.rank_on_host() % devices;  // the ranks of a host use its GPUs in turn
  HANDLE_ERROR(cudaSetDevice(device));
  cudaDeviceProp properties;
  HANDLE_ERROR(cudaGetDeviceProperties(&properties, device));
  // Devices are compared by UUID: a launcher may show each process another GPU as device 0.
  std::set<std::string> different;
  for (const cudaUUID_t& uuid : comm.from_all(properties.uuid))
    different.emplace(uuid.bytes, sizeof uuid.bytes);
  if (transport == "nccl" && static_cast<int>(different.size()) < comm.size())
    comm.refuse(exit_code::wrong_use,
                "there are fewer GPUs than ranks: start fewer ranks, or let them share with "
                "--exchange mpi");
  return transport;
}

// None for peer memory.
std::unique_ptr<HaloExchange> make_exchange(const std::string& transport, const Subdomain& domain,
                                            [[maybe_unused]] Communicator& comm) {
#ifdef HAVE_NCCL
  if (transport == "nccl") return std::make_unique<NcclExchange>(domain, comm);
#endif
  if (transport == "peer") return nullptr;
  return std::make_unique<MpiExchange>(domain);
}

// ---- check and benchmark; the CPU reference is reference_heat() in common/heat.h

// Checks the plate after `frames` frames of `steps` steps against the CPU reference. All ranks
// return the same result.
bool agrees(const Context& context, int frames, int steps) {
  const Subdomain& domain = context.domain;
  const size_t row_bytes = domain.dim * sizeof(float);
  std::vector<float> rows(static_cast<size_t>(domain.dim) * domain.own());
  HANDLE_ERROR(cudaMemcpy2D(rows.data(), row_bytes, domain.cells() + domain.begin * domain.pitch,
                            domain.pitch * sizeof(float), row_bytes, domain.own(),
                            cudaMemcpyDeviceToHost));
  std::vector<float> expected;  // of rank 0
  if (context.comm.is_first()) expected = reference_heat(domain.dim, frames, steps);
  std::vector<float> plate(expected.size());
  context.comm.gather_rows(rows.data(), domain.own(), row_bytes, plate.data());
  int passed = 0;
  if (context.comm.is_first() && check_equal("temperature", plate, expected)) passed = 1;
  return context.comm.from_first(passed) == 1;
}

// Only rank 0's exit code counts: mpirun ends all ranks when one fails, and that rank reports.
int verdict_of_all(Communicator& comm, const Options& options, bool passed) {
  return comm.is_first() ? verdict(options.name(), passed) : exit_code::fine;
}

// Checks, then times every rung, or the one of --method. The first is compared with the CPU
// reference if that takes seconds (for large plates it takes hours). The others are compared with
// the first, by a checksum of all cells. Returns the exit code.
int benchmark(const Context& context, const Options& options, int steps,
              const std::string& transport) {
  int frames = options.frames_given ? options.frames : 1;
  const bool with_reference = 1.0 * options.size * options.size * steps * frames < 2e9;
  if (!with_reference) frames = 1;
  std::vector<std::pair<std::string, Timing>> times;
  std::uint64_t first_sum = 0;
  bool passed = true;
  for (const MultiMethod& method : methods()) {
    const bool is_wanted =
        options.method == "best" ? method.name != "best" : method.name == options.method;
    if (!is_wanted || method.refusal(context)) continue;
    Frames plate(context, method, steps);
    for (int frame = 0; frame < frames; ++frame) plate.advance();
    const std::uint64_t sum = checksum(context);
    if (times.empty()) first_sum = sum;
    bool right = sum == first_sum;
    if (times.empty() && with_reference) right = agrees(context, frames, steps);
    if (!right) {
      passed = false;
      if (context.comm.is_first())
        std::fprintf(stderr, "%s is wrong, so it is not timed.\n", method.name.c_str());
      continue;
    }
    // The first frames do not count: the clocks of an idle GPU rise only under load.
    times.emplace_back(method.name, measure_host([&] { plate.advance(); }, 9, 3));
  }
  char title[200];
  std::snprintf(title, sizeof title, "%d x %d, %d steps, %s on %d, checksum %016" PRIx64,
                options.size, options.size, steps, transport.c_str(), context.comm.size(),
                first_sum);
  BenchmarkTable table(title);
  for (const auto& [name, timing] : times) table.add(name, timing, 0);
  if (context.comm.is_first()) table.print();
  return verdict_of_all(context.comm, options, passed);
}

// ---- the work of every rank

int run(Communicator& comm, const Options& options, int steps, const std::string& transport) {
  if (comm.size() > options.size)
    comm.refuse(exit_code::wrong_use,
                std::to_string(comm.size()) + " ranks are too many for a plate of " +
                    std::to_string(options.size) + " rows: each needs one of its own");
  Subdomain domain(options.size, comm.rank(), comm.size());
  const std::unique_ptr<HaloExchange> exchange = make_exchange(transport, domain, comm);
  const Context context = {comm, domain, exchange.get()};
  if (options.benchmark) return benchmark(context, options, steps, transport);

  const MultiMethod& method = methods()[options.method];
  if (const Refusal refusal = method.refusal(context))
    comm.refuse(refusal.code, method.name + " " + refusal.why);
  Frames frames(context, method, steps);
  if (!options.check) return animate(frames, comm, options);
  for (int frame = 0; frame < options.frames; ++frame) frames.advance();
  return verdict_of_all(comm, options, agrees(context, options.frames, steps));
}

int main(int argc, char** argv) {
  // Kernels are loaded at the start, not while a neighbor waits for one.
  ::setenv("CUDA_MODULE_LOADING", "EAGER", 0);
  MpiCommunicator processes(argc, argv);

  Options options("heat_multi_gpu", Common::animation | Common::check | Common::benchmark);
  int steps = book_steps;
  std::string transport = "auto";
  options.default_size({.gpu = 1024, .emulated = 256});
  options.add("--size", options.size, "pixels per side", 1, 1 << 17);
  add_steps(options, steps);
  options.add_choice("--exchange", transport, "transport of halos between ranks",
                     {"auto", "nccl", "mpi", "peer"});
  options.add_methods(methods().for_options(), "best");
  // Rank 0 comes first. So a mistake is reported once, and the picture's file is checked where it
  // will be written.
  processes.first_alone([&] { options.parse(argc, argv); });
  if (!processes.is_first()) options.read(argc, argv);

  transport = choose_device_and_transport(transport, processes);
  if (transport != "peer") return run(processes, options, steps, transport);
  int gpus = 0;
  HANDLE_ERROR(cudaGetDeviceCount(&gpus));
  return run_as_threads(gpus, [&](Communicator& comm) {
    HANDLE_ERROR(cudaSetDevice(comm.rank()));
    return run(comm, options, steps, transport);
  });
}
