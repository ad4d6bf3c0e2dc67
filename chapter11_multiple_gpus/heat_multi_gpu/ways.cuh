// The ways of --exchange, and which one serves a job.
#pragma once

#include <set>

#include "exchange_mpi.cuh"
#include "exchange_nccl.cuh"
#include "exchange_peer.cuh"

inline const std::vector<std::string> ways = {"auto", "nccl", "mpi", "peer"};

#ifdef HAVE_NCCL
constexpr bool have_nccl = true;
#else
constexpr bool have_nccl = false;
#endif

#ifdef EMULATED_DEVICE
constexpr bool devices_are_emulated = true;
#else
constexpr bool devices_are_emulated = false;
#endif

/// Gives this process its GPU: the ranks of a host take its GPUs in turn. Returns whether no two ranks of the job
/// have the same one. On the emulated device every process has one of its own.
inline bool choose_device(MpiTeam& team) {
  int devices = 0;
  HANDLE_ERROR(cudaGetDeviceCount(&devices));  // ends with 77 where there is none
  HANDLE_ERROR(cudaSetDevice(team.rank_on_host() % devices));
  if (devices_are_emulated) return true;
  cudaDeviceProp properties;
  HANDLE_ERROR(cudaGetDeviceProperties(&properties, team.rank_on_host() % devices));
  // By its number in the factory: a launcher may show each process another GPU as number 0.
  const std::vector<cudaUUID_t> all = team.from_all(properties.uuid);
  std::set<std::string> different;
  for (const cudaUUID_t& one : all) different.emplace(one.bytes, sizeof one.bytes);
  return static_cast<int>(different.size()) == team.size();
}

/// The way for `wanted`, one of `ways`, in a job of processes; ends all of them with a sentence where it cannot be.
inline std::string choose_way(const std::string& wanted, MpiTeam& team) {
  if (wanted == "nccl" && !have_nccl)
    team.refuse(exit_code::cannot_here,
                devices_are_emulated ? "--exchange nccl needs GPUs: NCCL does not know the emulated device"
                                     : "--exchange nccl: this program was built without NCCL");
  if (wanted == "peer" && team.size() > 1)
    team.refuse(exit_code::wrong_use,
                "--exchange peer joins the GPUs of one process: start it without mpirun, with --gpus N");
  const bool own_gpus = choose_device(team);
  if (!own_gpus && wanted != "mpi")
    team.refuse(exit_code::wrong_use,
                "there are fewer GPUs than ranks: start fewer ranks, or let them share with --exchange mpi");
  if (wanted != "auto") return wanted;
  return have_nccl && team.size() > 1 ? "nccl" : "mpi";
}

inline std::unique_ptr<HaloExchange> make_exchange(const std::string& way, const Part& part, Team& team) {
#ifdef HAVE_NCCL
  if (way == "nccl") return std::make_unique<NcclExchange>(team);
#endif
  if (way == "peer") return std::make_unique<PeerExchange>(part, team);
  return std::make_unique<MpiExchange>(part);
}

/// The fastest rung for a way.
inline std::string best_method(const std::string& way, const Team& team) {
  return way == "peer" && team.size() > 1 ? "one_kernel" : "wide_halos";
}
