// heat_multi_gpu - heat spreads over a plate whose rows are split over several GPUs.
//
// CUDA by Example, chapter 11, "CUDA C on Multiple GPUs", with the libraries that clusters use: MPI
// and NCCL. One file per rung, numbered in reading order; README.md lists what each gains. All give
// heat_notexture's bits, on any number of GPUs.
// Terms (docs/glossary.md): stencil, halo, registers, stream.
//
//   ./run heat_multi_gpu --headless --size 128 --frames 3               one GPU
//   EMULATED_DEVICES=3 ./run heat_multi_gpu --exchange peer --check --size 65 --frames 1 --steps 20
//   mpirun -n 4 build/gpu/bin/heat_multi_gpu --benchmark --size 16384   four GPUs, one process each
//
// Keys: Esc or q quits, space pauses, s saves a picture.
// What to see: the plate of heat_notexture, computed in parts.
#include <algorithm>
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
      {"exchange", rung<ExchangeRung>, needs_exchange},
      {"overlap", rung<OverlapRung>, needs_exchange},
      {"wide_halos", rung<WideHalosRung>, needs_exchange},
      {"one_kernel", rung<OneKernelRung>, needs_peers},
      {.name = "best", .maker = make_best, .help = "one_kernel with peer memory, else wide_halos"}};
  return table;
}

// ---- the command line

enum class Transport { automatic, nccl, mpi, peer };
const std::vector<std::string> transports = {"auto", "nccl", "mpi", "peer"};  // in that order

/// What all ranks need of the command line. Rank 0 reads it, so a mistake is reported once, and the
/// picture's file is looked at where it will be written.
struct Settings {
  int size;
  int steps = book_steps;
  int frames;
  int method_number;  ///< in methods()
  Transport transport;
  bool check;
  bool benchmark;

  const MultiMethod& method() const { return *(methods().begin() + method_number); }
};

Settings parse(Options& options, int argc, char** argv) {
  Settings settings;
  std::string transport = "auto";
  options.default_size({.gpu = 1024, .emulated = 256});
  options.add("--size", options.size, "pixels per side", 1, 1 << 17);
  add_steps(options, settings.steps);
  options.add_choice("--exchange", transport, "transport of halos between ranks", transports);
  options.add_methods(methods().for_options(), "best");
  options.parse(argc, argv);
  settings.size = options.size;
  settings.frames = options.benchmark && !options.frames_given ? 1 : options.frames;
  settings.method_number = static_cast<int>(&methods()[options.method] - &*methods().begin());
  settings.transport = static_cast<Transport>(
      std::find(transports.begin(), transports.end(), transport) - transports.begin());
  settings.check = options.check;
  settings.benchmark = options.benchmark;
  return settings;
}

// ---- which device and which transport

// Gives this process its GPU, and returns the transport: `wanted`, or the best where that is
// automatic. Ends the job if that cannot be.
Transport choose_device_and_transport(Transport wanted, MpiCommunicator& comm) {
  if (wanted == Transport::nccl && !have_nccl)
    comm.refuse(exit_code::cannot_here, "--exchange nccl: this program was built without NCCL");
  if (wanted == Transport::peer && comm.size() > 1)
    comm.refuse(exit_code::wrong_use,
                "--exchange peer joins the GPUs of one process: start it without mpirun");
  Transport transport = wanted;
  if (wanted == Transport::automatic)
    transport = have_nccl && comm.size() > 1 ? Transport::nccl : Transport::mpi;

  int devices = 0;
  HANDLE_ERROR(cudaGetDeviceCount(&devices));        // ends with 77 where there is none
  const int device = comm.rank_on_host() % devices;  // the ranks of a host take its GPUs in turn
  HANDLE_ERROR(cudaSetDevice(device));
  cudaDeviceProp properties;
  HANDLE_ERROR(cudaGetDeviceProperties(&properties, device));
  // Compared by UUID: a launcher may show each process another GPU as device 0.
  std::set<std::string> different;
  for (const cudaUUID_t& uuid : comm.from_all(properties.uuid))
    different.emplace(uuid.bytes, sizeof uuid.bytes);
  if (transport == Transport::nccl && static_cast<int>(different.size()) < comm.size())
    comm.refuse(exit_code::wrong_use,
                "there are fewer GPUs than ranks: start fewer ranks, or let them share with "
                "--exchange mpi");
  return transport;
}

// None for peer memory.
std::unique_ptr<HaloExchange> make_exchange(Transport transport, const Subdomain& domain,
                                            [[maybe_unused]] Communicator& comm) {
#ifdef HAVE_NCCL
  if (transport == Transport::nccl) return std::make_unique<NcclExchange>(domain, comm);
#endif
  if (transport == Transport::peer) return nullptr;
  return std::make_unique<MpiExchange>(domain);
}

// ---- check and benchmark; the CPU reference is reference_heat() in common/heat.h

// The plate after so many frames against the CPU reference. All ranks return the same.
bool agrees(const Context& context, const Settings& settings) {
  const std::vector<float> rows = context.domain.download_own();
  std::vector<float> expected;  // of rank 0
  if (context.comm.is_first())
    expected = reference_heat(settings.size, settings.frames, settings.steps);
  std::vector<float> plate(expected.size());
  context.comm.gather_rows(rows.data(), context.domain.own(), settings.size * sizeof(float),
                           plate.data());
  int passed = 0;
  if (context.comm.is_first() && check_equal("temperature", plate, expected)) passed = 1;
  return context.comm.from_first(passed) == 1;
}

// Only rank 0's exit code counts: mpirun ends all ranks when one fails, and that one speaks.
int verdict_of_all(Communicator& comm, const Options& options, bool passed) {
  return comm.is_first() ? verdict(options.name(), passed) : exit_code::fine;
}

// The CPU reference takes hours for large plates: these are only compared with each other.
bool reference_takes_seconds(const Settings& settings) {
  return 1.0 * settings.size * settings.size * settings.steps * settings.frames < 2e9;
}

// Every rung, or the one of --method: checked, then timed. The first is compared with the CPU
// reference where that takes seconds, the others with the first, by a checksum of all cells.
// Returns the exit code.
int benchmark(const Context& context, const Options& options, const Settings& settings) {
  const bool with_reference = reference_takes_seconds(settings);
  const std::string& wanted = settings.method().name;
  std::vector<std::pair<std::string, Timing>> times;
  std::uint64_t first_sum = 0;
  bool passed = true;
  for (const MultiMethod& method : methods()) {
    const bool is_wanted = wanted == "best" ? method.name != "best" : method.name == wanted;
    if (!is_wanted || method.refusal(context)) continue;
    Frames frames(context, method, settings.steps);
    const int checked = with_reference ? settings.frames : 1;
    for (int frame = 0; frame < checked; ++frame) frames.advance();
    const std::uint64_t sum = context.domain.checksum(context.comm);
    if (times.empty()) first_sum = sum;
    bool right = sum == first_sum;
    if (times.empty() && with_reference) right = agrees(context, settings);
    if (!right) {
      passed = false;
      if (context.comm.is_first())
        std::fprintf(stderr, "%s is wrong, so it is not timed.\n", method.name.c_str());
      continue;
    }
    // Not from the first frame on: the clocks of an idle GPU rise only under load.
    times.emplace_back(method.name, measure_host([&] { frames.advance(); }, 9, 3));
  }
  char title[200];
  std::snprintf(title, sizeof title, "%d x %d, %d steps, %s on %d, checksum %016" PRIx64,
                settings.size, settings.size, settings.steps,
                transports[static_cast<int>(settings.transport)].c_str(), context.comm.size(),
                first_sum);
  BenchmarkTable table(title);
  for (const auto& [name, timing] : times) table.add(name, timing, 0);
  if (context.comm.is_first()) table.print();
  return verdict_of_all(context.comm, options, passed);
}

// ---- what every rank does

int run(Communicator& comm, const Options& options, const Settings& settings) {
  if (comm.size() > settings.size)
    comm.refuse(exit_code::wrong_use,
                std::to_string(comm.size()) + " ranks are too many for a plate of " +
                    std::to_string(settings.size) + " rows: each needs one of its own");
  Subdomain domain(settings.size, comm);
  const std::unique_ptr<HaloExchange> exchange = make_exchange(settings.transport, domain, comm);
  const Context context = {comm, domain, exchange.get()};
  if (settings.benchmark) return benchmark(context, options, settings);

  const MultiMethod& method = settings.method();
  if (const Refusal refusal = method.refusal(context))
    comm.refuse(refusal.code, method.name + " " + refusal.why);
  Frames frames(context, method, settings.steps);
  if (!settings.check) return animate(frames, comm, options);
  for (int frame = 0; frame < settings.frames; ++frame) frames.advance();
  return verdict_of_all(comm, options, agrees(context, settings));
}

int main(int argc, char** argv) {
  // Kernels are loaded at the start, not while a neighbor waits for one.
  ::setenv("CUDA_MODULE_LOADING", "EAGER", 0);
  MpiCommunicator processes(argc, argv);
  Options options("heat_multi_gpu", Common::animation | Common::check | Common::benchmark);
  Settings settings;
  processes.first_alone([&] { settings = parse(options, argc, argv); });
  settings = processes.from_first(settings);

  settings.transport = choose_device_and_transport(settings.transport, processes);
  if (settings.transport != Transport::peer) return run(processes, options, settings);
  int gpus = 0;
  HANDLE_ERROR(cudaGetDeviceCount(&gpus));
  return run_as_threads(gpus, [&](Communicator& comm) {
    HANDLE_ERROR(cudaSetDevice(comm.rank()));
    return run(comm, options, settings);
  });
}
