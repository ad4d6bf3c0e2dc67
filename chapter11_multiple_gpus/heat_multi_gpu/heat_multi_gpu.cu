// heat_multi_gpu - heat spreads over a plate whose rows lie on several GPUs, on MPI and NCCL.
//
// CUDA by Example, chapter 11, "CUDA C on Multiple GPUs", on the engines that clusters have. Each rung of the ladder
// is a file (1_exchange.cuh, ...; README.md says what each gains); all give heat_notexture's bits, on any number of
// GPUs.
// Terms (docs/glossary.md): stencil, halo, registers, stream, graph.
//
//   ./run heat_multi_gpu --headless --size 128 --frames 3                one GPU
//   EMULATED_DEVICES=3 ./run heat_multi_gpu --exchange peer --gpus 3 --check --size 65 --frames 1 --steps 20
//   mpirun -n 4 build/gpu/bin/heat_multi_gpu --benchmark --size 16384    four GPUs, one process each
//
// Keys: Esc or q ends, space pauses, s saves a picture, r restarts; a click or drag adds heat.
// What to see: the plate of heat_notexture, computed in parts.
#include <fcntl.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <optional>

#include "../../common/check.h"
#include "../../common/fail.h"
#include "animate.cuh"
#include "methods.cuh"
#include "report.cuh"
#include "ways.cuh"

/// The program's own options.
struct Wishes {
  FrameWishes frames;
  std::string exchange = "auto", json;
  int halo = most_steps_per_pass, gpus = 1;
  float rounds = 0;

  void add_to(Options& options) {
    options.add("--size", options.size, "pixels per side", 1, 1 << 17);
    frames.add_to(options);
    options.add_choice("--exchange", exchange, "how halos go from rank to rank", ways);
    options.add("--halo", halo, "rows per exchange from wide_halos on", 1, 1000);
    options.add("--gpus", gpus, "with --exchange peer: the GPUs that this process drives", 1, 64);
    options.add("--rounds", rounds, "how often a pass fills the GPU with warps; 0: by size", 0.0f, 1000.0f);
    options.add_file("--json", json, "with --benchmark: append the times to FILE, one JSON object per line");
  }

  /// Ends the program where two options contradict each other.
  void look_at(const Options& options) const {
    if (gpus > 1 && exchange != "peer")
      options.fail("--gpus is for --exchange peer; else mpirun starts one process per GPU");
    if (options.benchmark && !(frames.checkpoint.empty() && frames.restart.empty()))
      options.fail("--benchmark times frames from the start: it goes without --checkpoint and --restart");
  }
};

/// The plate after the last frame, against the CPU reference. All ranks return the same.
bool check(SplitRung& rung, const Job& job, const Options& options, const FrameWishes& wishes,
           const PlateState& first) {
  Frames frames(job, rung, wishes, first);
  for (int frame = first.frame; frame < wishes.last; ++frame) frames.advance();
  const std::vector<float> rows = job.part.download(job.part.begin, job.part.own());
  std::vector<float> plate(job.team.is_first() ? static_cast<std::size_t>(options.size) * options.size : 0);
  job.team.gather_rows(rows.data(), job.part.own(), options.size * sizeof(float), plate.data());
  bool passed = true;
  if (job.team.is_first())
    passed = check_equal("temperature", plate, reference_heat(options.size, wishes.last, wishes.steps));
  job.team.broadcast(&passed, sizeof passed);
  return passed;
}

/// The verdict, which all ranks know and the first one prints. Only its exit code counts: mpirun ends all ranks when
/// one ends with an error, and that shall be the one that has something to say.
int told(const Team& team, const Options& options, bool passed) {
  return team.is_first() ? verdict(options.name(), passed) : exit_code::fine;
}

/// Every rung, or the one of --method: a frame timed; all must come to the same bits. Returns the exit code.
int benchmark(const Job& job, const Options& options, const Wishes& wishes, const std::string& way) {
  const int steps = wishes.frames.steps;
  const PlateState start = {options.size, steps};
  Report report(job.team, options.size, steps, way, wishes.json);
  bool passed = true;
  // The CPU reference of a large plate would take hours: there the rungs are compared with each other only.
  const bool with_reference = 1.0 * options.size * options.size * steps * options.frames < 2e9;
  for (const SplitMethod& method : split_methods()) {
    if (options.method != "best" && options.method != method.name) continue;
    if (method.peer_only && way != "peer" && job.team.size() > 1) continue;
    const std::unique_ptr<SplitRung> rung = method.make(job);
    if (with_reference && !check(*rung, job, options, wishes.frames, start)) {
      passed = false;
      continue;
    }
    passed = report.measure(method.name, *rung, job.part) && passed;
  }
  report.print();
  return told(job.team, options, passed);
}

/// What every rank does. Returns the exit code.
int run(Team& team, const Options& options, const Wishes& wishes, const std::string& way,
        const PlateState& first) {
  if (team.size() > options.size)
    team.refuse(exit_code::wrong_use, std::to_string(team.size()) + " ranks are too many for a plate of " +
                                          std::to_string(options.size) + " rows: each needs one of its own");
  Part part(options.size, wishes.halo, team);
  const std::unique_ptr<HaloExchange> exchange = make_exchange(way, part, team);
  const Job job = {team, part, *exchange, wishes.rounds};
  if (options.benchmark) return benchmark(job, options, wishes, way);

  const SplitMethod& method =
      split_methods()[options.method != "best" ? options.method : best_method(way, team)];
  if (method.peer_only && way != "peer" && team.size() > 1)
    team.refuse(exit_code::wrong_use, "--method " + method.name + " needs --exchange peer");
  const std::unique_ptr<SplitRung> rung = method.make(job);
  if (options.check) return told(team, options, check(*rung, job, options, wishes.frames, first));
  Frames frames(job, *rung, wishes.frames, first);
  return animate(frames, job, options);
}

/// Reads the command line. Of many ranks only the first one speaks.
void parse(Options& options, const Wishes& wishes, int argc, char** argv) {
  if (rank_from_environment() == 0) {
    options.parse(argc, argv);
    return wishes.look_at(options);
  }
  static bool parsing = true;
  // mpirun ends all ranks when one ends with an error: that shall be the one that has something to say.
  std::atexit([] {
    if (parsing) ::sleep(1);
  });
  const int null = ::open("/dev/null", O_WRONLY), out = ::dup(1), err = ::dup(2);
  ::dup2(null, 1);
  ::dup2(null, 2);
  options.parse(argc, argv);
  wishes.look_at(options);
  std::fflush(stdout);
  ::dup2(out, 1);
  ::dup2(err, 2);
  for (const int file : {null, out, err}) ::close(file);
  parsing = false;
}

int main(int argc, char** argv) {
  Options options("heat_multi_gpu",
                  "Heat spreads over a plate whose rows lie on several GPUs: MPI, NCCL, peer memory.",
                  Common::animation | Common::check | Common::benchmark);
  Wishes wishes;
  options.default_size({.gpu = 1024, .emulated = 256});
  wishes.add_to(options);
  std::vector<Options::Method> names = split_methods().for_options();
  names.push_back({"best", "one_kernel with peer memory, else wide_halos"});
  options.add_methods(names, "best");
  parse(options, wishes, argc, argv);
  // Kernels are loaded at the start, not while a neighbor waits for one.
  ::setenv("CUDA_MODULE_LOADING", "EAGER", 0);
  MpiTeam processes(argc, argv);
  const std::string way = choose_way(wishes.exchange, processes);
  wishes.frames.last = options.frames;
  const PlateState first = first_frame(wishes.frames, options, processes);
  options.frames = std::max(1, options.frames - first.frame);  // those that are left
  if (way != "peer") return run(processes, options, wishes, way, first);
  int devices = 0;
  HANDLE_ERROR(cudaGetDeviceCount(&devices));
  if (wishes.gpus > devices)
    options.fail("--gpus " + std::to_string(wishes.gpus) + ", but there are " + std::to_string(devices));
  return run_as_threads(wishes.gpus, [&](Team& team) {
    HANDLE_ERROR(cudaSetDevice(team.rank()));
    return run(team, options, wishes, way, first);
  });
}
