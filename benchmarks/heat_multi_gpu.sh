#!/usr/bin/env bash
# heat_multi_gpu.sh BIN FOLDER [PART...]: measures heat_multi_gpu on the GPUs of this machine. BIN: the built program.
# FOLDER gets times.json (one table per line), machine.txt and log.txt with everything that was run and printed. Parts, all but `sanitize` by default, in this order:
#   check     every rung and way of exchange on small plates, bit for bit against the CPU reference
#   targets   the fastest rungs, 1000 steps: 16384, 32768 and 65536 cells per side on 1, 2 and 4 GPUs
#   ladder    the other rungs
#   weak      16384 x 16384 cells for each GPU
#   sanitize  compute-sanitizer over every rung
# A command that fails or hangs is noted and does not stop the rest; the exit code is 1 when one did. MPIRUN names
# another mpirun (Debian's is orterun where its packages are only unpacked).
set -u
[ $# -ge 2 ] || { sed -n '2,/^set -u/s/^# //p' "$0" >&2; exit 2; }
bin=$1 folder=$2
shift 2
parts=("$@")
[ $# -gt 0 ] || parts=(check targets ladder weak)
[ -x "$bin" ] || { echo "there is no program $bin" >&2; exit 2; }
mkdir -p "$folder" || exit 2
bin=$(readlink -f "$bin") folder=$(readlink -f "$folder")
mpirun=${MPIRUN:-mpirun}
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 # a container runs as root
# One host: shared memory is all that MPI needs. No search for network cards, no copies that containers forbid.
export OMPI_MCA_pml=${OMPI_MCA_pml:-ob1} OMPI_MCA_btl=${OMPI_MCA_btl:-self,vader}
export OMPI_MCA_btl_vader_single_copy_mechanism=none OMPI_MCA_mca_base_component_show_load_errors=0
export NCCL_NVLS_ENABLE=0 # no multicast memory: sends and receives do not use it
export DISPLAY= HWLOC_COMPONENTS=-gl # no display is asked for GPUs
gpus=$(nvidia-smi --list-gpus 2>/dev/null | grep -c '^GPU')
[ "$gpus" -gt 0 ] || gpus=${EMULATED_DEVICES:-1}
{ date -u; nvidia-smi; nvidia-smi topo -m; "$mpirun" --version; } >"$folder/machine.txt" 2>&1
failed=0

# attempt SECONDS COMMAND...: runs it with that time limit, prints what it prints.
attempt() {
  local limit=$1 code began=$SECONDS
  shift
  echo "\$ ${*/#$bin/heat_multi_gpu}" | tee -a "$folder/log.txt"
  timeout -k 5 "$limit" "$@" </dev/null >"$folder/last.txt" 2>&1
  code=$?
  [ $code -eq 0 ] || { echo "exit code $code after $((SECONDS - began)) s" >>"$folder/last.txt"; failed=1; }
  grep -v '^$' "$folder/last.txt" | tail -n 40 | tee -a "$folder/log.txt"
}

# job SECONDS EXCHANGE GPUS options...: the program on so many GPUs; peer is one process, the others are one per GPU.
job() {
  local limit=$1 exchange=$2 ranks=$3
  shift 3
  [ "$ranks" -le "$gpus" ] || return 0
  if [ "$exchange" = peer ]; then
    attempt "$limit" env CUDA_VISIBLE_DEVICES="$(seq -s, 0 $((ranks - 1)))" EMULATED_DEVICES="$ranks" \
      "$bin" --exchange peer "$@"
  else
    # CUDA, NCCL and MPI have threads of their own: a rank must not be bound to one core.
    attempt "$limit" "$mpirun" --bind-to none -n "$ranks" "$bin" --exchange "$exchange" "$@"
  fi
}

measured() { SAMPLES_RECORD=$folder/times.json job "$1" "$2" "$3" --benchmark --steps 1000 "${@:4}"; }

for part in "${parts[@]}"; do
  echo "== $part" | tee -a "$folder/log.txt"
  case $part in
    check)
      for exchange in peer nccl mpi; do
        for ranks in 1 2 3 4; do
          job 60 $exchange $ranks --benchmark --size 509 --steps 143 --frames 2
          job 30 $exchange $ranks --benchmark --size "$ranks" --steps 3 --frames 2
        done
        job 60 $exchange 4 --benchmark --size 1024 --steps 101 --frames 3
      done
      ;;
    targets)
      for ranks in 4 2 1; do
        measured 60 peer $ranks --size 16384 --method one_kernel
        measured 60 nccl $ranks --size 16384 --method wide_halos
      done
      for size in 32768 65536; do
        for ranks in 4 2; do
          measured 120 peer $ranks --size $size --method one_kernel
          measured 120 nccl $ranks --size $size --method wide_halos
        done
      done
      ;;
    ladder)
      for ranks in 4 2 1; do
        for method in exchange overlap; do measured 60 nccl $ranks --size 16384 --method $method; done
        [ $ranks -eq 1 ] || measured 60 mpi $ranks --size 16384 --method wide_halos
      done
      for ranks in 4 2; do
        for method in exchange overlap; do measured 90 nccl $ranks --size 32768 --method $method; done
        measured 60 peer $ranks --size 32768 --method one_kernel
        measured 60 nccl $ranks --size 32768 --method wide_halos
      done
      measured 60 mpi 4 --size 16384 --method overlap
      ;;
    weak)
      measured 60 peer 1 --size 16384 --method one_kernel
      measured 60 peer 2 --size 23168 --method one_kernel # 16384 * sqrt(2), a multiple of 128
      measured 60 peer 4 --size 32768 --method one_kernel
      ;;
    sanitize)
      for tool in memcheck racecheck synccheck initcheck; do
        attempt 120 compute-sanitizer --tool $tool "$bin" --benchmark --size 200 --steps 23 --frames 1
        [ "$gpus" -lt 2 ] ||
          attempt 120 env CUDA_VISIBLE_DEVICES=0,1 compute-sanitizer --tool $tool "$bin" --exchange peer --benchmark --size 200 \
            --steps 23 --frames 1
      done
      [ "$gpus" -lt 2 ] ||
        # NCCL looks for kernels that its library lacks, and goes on without them: no report of API errors.
        attempt 120 compute-sanitizer --tool memcheck --report-api-errors no --target-processes all "$mpirun" -n 2 \
          "$bin" --exchange nccl --benchmark --size 200 --steps 23 --frames 1
      ;;
    *) echo "there is no part $part" >&2; exit 2 ;;
  esac
done
rm -f "$folder/last.txt"
exit $failed
