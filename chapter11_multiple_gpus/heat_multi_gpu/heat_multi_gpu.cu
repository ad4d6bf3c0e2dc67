// heat_multi_gpu - heat spreads over a plate whose rows lie on several GPUs, on MPI and NCCL.
//
// CUDA by Example, chapter 11, "CUDA C on Multiple GPUs", on the engines that clusters have. Each rung of the ladder
// is a file (1_exchange.cuh, ... 5_one_kernel.cuh; README.md says what each gains); all compute the bits of
// heat_notexture, for any number of ranks.
//
//   heat_multi_gpu --headless --frames 5                   one GPU
//   EMULATED_DEVICES=3 ./run heat_multi_gpu --exchange peer --gpus 3 --check --size 65 --frames 1 --steps 20
//
// mpirun -n 4 build/gpu/bin/heat_multi_gpu --benchmark --size 16384 --steps 1000: four GPUs, one process each.
// Keys: Esc or q ends, space pauses, s saves a picture, r restarts; a click or drag adds heat.
// What to see: the plate of heat_notexture, computed in parts.
#include <fcntl.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <optional>

#include "../../common/check.h"
#include "../../common/cpu_anim.h"
#include "../../common/fail.h"
#include "methods.cuh"
#include "report.cuh"
#include "ways.cuh"

/// The program's own options.
struct Wishes {
  HeatParameters heat;
  std::string exchange = "auto", json;
  int halo = most_steps_per_pass, gpus = 1;
  float rounds = 0;

  void add_to(Options& options) {
    options.add("--size", options.size, "pixels per side", 1, 1 << 17);
    heat.add_to(options);
    options.add_choice("--exchange", exchange, "how halos go from rank to rank", ways);
    options.add("--halo", halo, "rows per exchange from wide_halos on", 1, 1000);
    options.add("--gpus", gpus, "with --exchange peer: the GPUs that this process drives", 1, 64);
    options.add("--rounds", rounds, "how often a pass fills the GPU with warps; 0: by size", 0.0f, 1000.0f);
    options.add_file("--json", json, "with --benchmark: append the times to FILE, one JSON object per line");
  }
};

/// The plate after options.frames frames from the start, against the CPU reference. All ranks return the same.
bool check(SplitRung& rung, const Job& job, const Options& options, const HeatParameters& heat) {
  job.part.restart();
  job.team.barrier();
  for (int frame = 0; frame < options.frames; ++frame) rung.advance(heat.steps);
  rung.finish();
  const Grid rows = job.part.download();
  Grid plate(job.team.is_first() ? static_cast<std::size_t>(options.size) * options.size : 0);
  job.team.gather_rows(rows.data(), job.part.own(), options.size * sizeof(float), plate.data());
  bool passed = true;
  if (job.team.is_first())
    passed = check_equal("temperature", plate, reference_heat(options.size, options.frames, heat));
  job.team.broadcast(&passed, sizeof passed);
  return passed;
}

/// Every rung, or the one of --method: a frame timed; all must come to the same bits. Returns the exit code.
int benchmark(const Job& job, const Options& options, const Wishes& wishes, const std::string& way) {
  Report report(job.team, options.size, wishes.heat.steps, way, wishes.json);
  bool passed = true;
  // The CPU reference of a large plate would take hours: there the rungs are compared with each other only.
  const bool with_reference = 1.0 * options.size * options.size * wishes.heat.steps * options.frames < 2e9;
  for (const SplitMethod& method : split_methods()) {
    if (options.method != "best" && options.method != method.name) continue;
    if (method.peer_only && way != "peer" && job.team.size() > 1) continue;
    const std::unique_ptr<SplitRung> rung = method.make(job);
    if (with_reference && !check(*rung, job, options, wishes.heat)) {
      passed = false;
      continue;
    }
    passed = report.measure(method.name, *rung, job.part) && passed;
  }
  report.print();
  return job.team.is_first() ? verdict(options.name(), passed) : passed ? exit_code::fine : exit_code::failed;
}

/// What rank 0, who has the window or the film, tells the others to do.
struct Command {
  enum { advance, heat, restart, end } what;
  int x0 = 0, y0 = 0, x1 = 0, y1 = 0;  // heat: a line of the plate
};

/// A frame of every rank's own rows, gathered on rank 0. `pixels`: the picture; nullptr on the others.
void draw(const Part& part, Team& team, unsigned char* pixels) {
  const int dim = part.slab.width;
  const DeviceMemory<uchar4> colors(static_cast<std::size_t>(dim) * part.own());
  constexpr int at_once = 1 << 15;  // a grid has 65535 blocks in y at most
  for (int row = 0; row < part.own(); row += at_once) {
    const dim3 blocks(div_up(dim, 32), std::min(at_once, part.own() - row));
    color_kernel<<<blocks, 32>>>(colors.get() + static_cast<std::size_t>(row) * dim,
                                 part.row(part.now, part.begin + row), part.slab.pitch, dim);
    HANDLE_ERROR(cudaGetLastError());
  }
  std::vector<uchar4> rows(colors.size());
  HANDLE_ERROR(cudaMemcpy(rows.data(), colors.get(), colors.bytes(), cudaMemcpyDeviceToHost));
  team.gather_rows(rows.data(), part.own(), dim * sizeof(uchar4), pixels);
}

/// Does what rank 0 says; `pixels` as draw() wants them. False at the end.
bool obey(const Command& command, SplitRung& rung, const Job& job, int steps, unsigned char* pixels) {
  Part& part = job.part;
  switch (command.what) {
    case Command::advance:
      rung.advance(steps);
      rung.finish();
      draw(part, job.team, pixels);
      return true;
    case Command::heat:
      add_heat_kernel<<<dim3(div_up(part.slab.width, 32), part.slab.rows), 32>>>(
          part.in(), part.slab.pitch, part.slab.width, command.x0, command.y0 - part.slab.first_row,
          command.x1, command.y1 - part.slab.first_row);
      HANDLE_ERROR(cudaGetLastError());
      HANDLE_ERROR(cudaDeviceSynchronize());
      return true;
    case Command::restart:
      part.restart();
      return true;
    default:
      return false;
  }
}

/// Frame after frame to the window or the file, which rank 0 has. Returns the exit code.
int animate(SplitRung& rung, const Job& job, const Options& options, int steps) {
  Command command{Command::end};
  if (!job.team.is_first()) {
    do {
      job.team.broadcast(&command, sizeof command);
    } while (obey(command, rung, job, steps, nullptr));
    return exit_code::fine;
  }
  const CPUAnimBitmap bitmap(options.size, options.size);
  const auto tell = [&](Command all) {
    job.team.broadcast(&all, sizeof all);
    obey(all, rung, job, steps, bitmap.get_ptr());
  };
  Interaction mouse_and_keys;
  mouse_and_keys.drag = [&](int x0, int y0, int x1, int y1) { tell({Command::heat, x0, y0, x1, y1}); };
  mouse_and_keys.restart = [&] { tell({Command::restart}); };
  const int code = bitmap.animate(
      options, [&](int) { tell({Command::advance}); }, mouse_and_keys);
  tell({Command::end});
  return code;
}

/// What every rank does. Returns the exit code.
int run(Team& team, const Options& options, const Wishes& wishes, const std::string& way) {
  if (team.size() > options.size)
    team.refuse(exit_code::wrong_use, std::to_string(team.size()) + " ranks are too many for a plate of " +
                                          std::to_string(options.size) + " rows: each needs one of its own");
  Part part(options.size, wishes.heat.speed, wishes.halo, team);
  const std::unique_ptr<HaloExchange> exchange = make_exchange(way, part, team);
  const Job job = {team, part, *exchange, wishes.rounds};
  if (options.benchmark) return benchmark(job, options, wishes, way);

  const std::string name = options.method != "best" ? options.method : best_method(way, team);
  for (const SplitMethod& method : split_methods()) {
    if (method.name != name) continue;
    if (method.peer_only && way != "peer" && team.size() > 1)
      team.refuse(exit_code::wrong_use, "--method " + name + " needs --exchange peer");
    const std::unique_ptr<SplitRung> rung = method.make(job);
    if (!options.check) return animate(*rung, job, options, wishes.heat.steps);
    const bool passed = check(*rung, job, options, wishes.heat);
    return team.is_first() ? verdict(options.name(), passed) : passed ? exit_code::fine : exit_code::failed;
  }
  return exit_code::failed;  // not reached: Options knows the names
}

/// Reads the command line. Of many ranks only the first one speaks.
void parse(Options& options, int argc, char** argv) {
  if (rank_from_environment() == 0) return options.parse(argc, argv);
  static bool parsing = true;
  // mpirun ends all ranks when one ends with an error: that shall be the one that has something to say.
  std::atexit([] {
    if (parsing) ::sleep(1);
  });
  const int null = ::open("/dev/null", O_WRONLY), out = ::dup(1), err = ::dup(2);
  ::dup2(null, 1);
  ::dup2(null, 2);
  options.parse(argc, argv);
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
  options.default_size(1024, 256);
  wishes.add_to(options);
  std::vector<Options::Method> names;
  for (const SplitMethod& method : split_methods()) names.push_back({method.name, method.help});
  names.push_back({"best", "one_kernel with peer memory, else wide_halos"});
  options.add_methods(names, "best");
  parse(options, argc, argv);
  // Kernels are loaded at the start, not while a neighbor waits for one.
  ::setenv("CUDA_MODULE_LOADING", "EAGER", 0);
  if (wishes.gpus > 1 && wishes.exchange != "peer")
    options.fail("--gpus is for --exchange peer; else mpirun starts one process per GPU");

  MpiTeam processes(argc, argv);
  const std::string way = choose_way(wishes.exchange, processes);
  if (way != "peer") return run(processes, options, wishes, way);
  int devices = 0;
  HANDLE_ERROR(cudaGetDeviceCount(&devices));
  if (wishes.gpus > devices)
    options.fail("--gpus " + std::to_string(wishes.gpus) + ", but there are " + std::to_string(devices));
  return run_as_threads(wishes.gpus, [&](Team& team) {
    HANDLE_ERROR(cudaSetDevice(team.rank()));
    return run(team, options, wishes, way);
  });
}
