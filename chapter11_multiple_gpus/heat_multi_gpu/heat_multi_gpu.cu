// heat_multi_gpu - heat spreads over a plate whose rows are split over several GPUs.
//
// CUDA by Example, chapter 11, "CUDA C on Multiple GPUs", with the libraries that clusters use: MPI
// and NCCL. Each rung of the ladder is a file (1_exchange.cuh, ...; README.md lists what each
// gains); all give heat_notexture's bits, on any number of GPUs.
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

Refusal needs_exchange(const Job& job) {
  return job.exchange != nullptr ? Refusal() : Refusal{"needs --exchange nccl or mpi"};
}
Refusal needs_peers(const Job& job) {
  return job.exchange == nullptr || job.team.size() == 1 ? Refusal()
                                                         : Refusal{"needs --exchange peer"};
}

const MethodTable<MultiMethod>& methods() {
  static const MethodTable<MultiMethod> table = {
      {"exchange", "a row to each neighbor after each step", rung<ExchangeRung>, needs_exchange},
      {"overlap", "borders first, halos in flight while the interior is computed",
       rung<OverlapRung>, needs_exchange},
      {"wide_halos", "k rows per exchange, k steps between two exchanges", rung<WideHalosRung>,
       needs_exchange},
      {"one_kernel", "the kernel writes halos into the neighbors' memory", rung<OneKernelRung>,
       needs_peers},
      {"best", "one_kernel with peer memory, else wide_halos", [](const Job& job) {
         return methods()[job.exchange == nullptr ? "one_kernel" : "wide_halos"].make(job);
       }}};
  return table;
}

// ---- which device and which way of exchange

// Gives this process its GPU, and says how halos go where `wanted` is auto;
// ends the job if that cannot be.
std::string choose(const std::string& wanted, MpiTeam& team) {
  if (wanted == "nccl" && !have_nccl)
    team.refuse(exit_code::cannot_here, "--exchange nccl: this program was built without NCCL");
  if (wanted == "peer" && team.size() > 1)
    team.refuse(exit_code::wrong_use,
                "--exchange peer joins the GPUs of one process: start it without mpirun");
  const std::string way = wanted != "auto" ? wanted : have_nccl && team.size() > 1 ? "nccl" : "mpi";

  int devices = 0;
  HANDLE_ERROR(cudaGetDeviceCount(&devices));        // ends with 77 where there is none
  const int device = team.rank_on_host() % devices;  // the ranks of a host take its GPUs in turn
  HANDLE_ERROR(cudaSetDevice(device));
  cudaDeviceProp properties;
  HANDLE_ERROR(cudaGetDeviceProperties(&properties, device));
  // Compared by UUID: a launcher may show each process another GPU as device 0.
  std::set<std::string> different;
  for (const cudaUUID_t& one : team.from_all(properties.uuid))
    different.emplace(one.bytes, sizeof one.bytes);
  if (way == "nccl" && static_cast<int>(different.size()) < team.size())
    team.refuse(exit_code::wrong_use,
                "there are fewer GPUs than ranks: start fewer ranks, or let them share with "
                "--exchange mpi");
  return way;
}

// None for peer memory.
std::unique_ptr<HaloExchange> make_exchange(const std::string& way, const Part& part,
                                            [[maybe_unused]] Team& team) {
#ifdef HAVE_NCCL
  if (way == "nccl") return std::make_unique<NcclExchange>(part, team);
#endif
  if (way == "peer") return nullptr;
  return std::make_unique<MpiExchange>(part);
}

// ---- check and benchmark; the CPU reference is reference_heat() in heat_common.h

// The plate after so many frames against the CPU reference. All ranks return the same.
bool agrees(const Job& job, const Settings& settings) {
  const std::vector<float> rows = job.part.download(job.part.begin, job.part.own());
  std::vector<float> plate;
  std::vector<float> expected;
  if (job.team.is_first())
    expected = reference_heat(settings.size, settings.frames, settings.steps);
  plate.resize(expected.size());
  job.team.gather_rows(rows.data(), job.part.own(), settings.size * sizeof(float), plate.data());
  const int passed = !job.team.is_first() || check_equal("temperature", plate, expected);
  return job.team.from_first(passed) != 0;
}

// Only rank 0's exit code counts: mpirun ends all ranks when one fails, and that one speaks.
int verdict_of_all(Team& team, const Options& options, bool passed) {
  return team.is_first() ? verdict(options.name(), passed) : exit_code::fine;
}

// Every rung, or the one of --method: checked, then timed. The first is compared with the CPU
// reference, unless that takes hours, the others with the first, by a checksum of all cells.
// Returns the exit code.
int benchmark(const Job& job, const Options& options, const Settings& settings) {
  const bool with_reference =
      1.0 * settings.size * settings.size * settings.steps * settings.frames < 2e9;
  std::vector<std::pair<std::string, Timing>> times;
  std::uint64_t first_sum = 0;
  bool passed = true;
  for (const MultiMethod& method : methods()) {
    const bool wanted =
        settings.method == "best" ? method.name != "best" : method.name == settings.method;
    if (!wanted || method.refusal(job)) continue;
    Frames frames(job, method, settings);
    for (int frame = 0; frame < (with_reference ? settings.frames : 1); ++frame) frames.advance();
    const std::uint64_t sum = job.part.checksum(job.team);
    if (times.empty()) first_sum = sum;
    if (sum != first_sum || (with_reference && times.empty() && !agrees(job, settings))) {
      passed = false;
      if (job.team.is_first())
        std::fprintf(stderr, "%s is wrong, so it is not timed.\n", method.name.c_str());
    } else {
      // Not from the first frame on: the clocks of an idle GPU rise only under load.
      times.emplace_back(method.name, measure_host([&] { frames.advance(); }, 9, 3));
    }
  }
  char title[200];
  std::snprintf(title, sizeof title, "%d x %d, %d steps, %s on %d, checksum %016" PRIx64,
                settings.size, settings.size, settings.steps, settings.exchange.c_str(),
                job.team.size(), first_sum);
  BenchmarkTable table(title);
  for (const auto& [name, timing] : times) table.add(name, timing, 0);
  if (job.team.is_first()) table.print();
  return verdict_of_all(job.team, options, passed);
}

// ---- what every rank does

int run(Team& team, Options& options, const Settings& settings) {
  if (team.size() > settings.size)
    team.refuse(exit_code::wrong_use,
                std::to_string(team.size()) + " ranks are too many for a plate of " +
                    std::to_string(settings.size) + " rows: each needs one of its own");
  Part part(settings.size, team);
  const std::unique_ptr<HaloExchange> exchange = make_exchange(settings.exchange, part, team);
  const Job job = {team, part, exchange.get()};
  if (settings.benchmark) return benchmark(job, options, settings);

  const MultiMethod& method = methods()[settings.method];
  if (const Refusal refusal = method.refusal(job))
    team.refuse(refusal.code, method.name + " " + refusal.why);
  Frames frames(job, method, settings);
  if (!settings.check) return animate(frames, team, options);
  while (frames.left() > 0) frames.advance();
  return verdict_of_all(team, options, agrees(job, settings));
}

// On rank 0.
void parse(Options& options, Settings& settings, int argc, char** argv) {
  options.default_size({.gpu = 1024, .emulated = 256});
  options.add("--size", options.size, "pixels per side", 1, 1 << 17);
  add_steps(options, settings.steps);
  options.add_file("--checkpoint", settings.checkpoint,
                   "write the plate to FILE at intervals and after the last frame");
  options.add("--checkpoint-every", settings.checkpoint_every, "frames between checkpoints", 1,
              1000000);
  options.add_file("--restart", settings.restart,
                   "continue from that checkpoint to the same last frame");
  options.add_choice("--exchange", settings.exchange, "transport of halos between ranks",
                     {"auto", "nccl", "mpi", "peer"});
  options.add_methods(methods().for_options(), "best");
  options.parse(argc, argv);
  if (options.benchmark && !(settings.checkpoint.empty() && settings.restart.empty()))
    options.fail("--benchmark times frames from the start and excludes --checkpoint and --restart");
  settings.method = options.method;
  settings.size = options.size;
  settings.frames = options.benchmark && !options.frames_given ? 1 : options.frames;
  settings.check = options.check;
  settings.benchmark = options.benchmark;
}

int main(int argc, char** argv) {
  // Kernels are loaded at the start, not while a neighbor waits for one.
  ::setenv("CUDA_MODULE_LOADING", "EAGER", 0);
  MpiTeam processes(argc, argv);
  Options options("heat_multi_gpu", Common::animation | Common::check | Common::benchmark);
  Settings settings;
  processes.first_alone([&] { parse(options, settings, argc, argv); });
  static_cast<Numbers&>(settings) = processes.from_first<Numbers>(settings);
  for (std::string* text :
       {&settings.method, &settings.exchange, &settings.checkpoint, &settings.restart})
    *text = processes.from_first(*text);

  settings.exchange = choose(settings.exchange, processes);
  if (settings.exchange != "peer") return run(processes, options, settings);
  int gpus = 0;
  HANDLE_ERROR(cudaGetDeviceCount(&gpus));
  return run_as_threads(gpus, [&](Team& team) {
    HANDLE_ERROR(cudaSetDevice(team.rank()));
    return run(team, options, settings);
  });
}
