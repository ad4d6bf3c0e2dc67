#!/usr/bin/env bash
# find_device.sh [auto|gpu|emulated]: which device this machine builds for. The one place where that is decided: CMake
# and ./run both use it. Prints lines "KEY VALUE"; a value may be empty:
#   nvcc           path of nvcc, the CUDA compiler; the first of $CUDACXX, PATH, $CUDA_PATH, /usr/local/cuda, /opt/cuda
#   nvcc_version   13.0
#   gpu            name of the first NVIDIA GPU
#   architectures  compute capabilities of all GPUs, as CMake writes them: 90
#   device         gpu or emulated
#   reason         a clause that says why
# When that device cannot be used: a line "problem ..." instead of the last two, and exit code 2.
set -u
wanted=${1:-auto}
oldest=12 # CUDA 12.0: the first with C++20 in kernels

nvcc='' version=''
for path in "${CUDACXX:-}" "$(command -v nvcc)" "${CUDA_PATH:-/usr/local/cuda}/bin/nvcc" /usr/local/cuda/bin/nvcc \
  /opt/cuda/bin/nvcc; do
  [ -n "$path" ] && path=$(command -v "$path") && [ -x "$path" ] || continue
  found=$("$path" --version 2>/dev/null | sed -n 's/.*release \([0-9.]*\),.*/\1/p')
  [ -n "$nvcc" ] && [ "${found%%.*}" -lt $oldest ] 2>/dev/null && continue
  nvcc=$path version=$found
  [ "${found%%.*}" -ge $oldest ] 2>/dev/null && break # an older one stays only when nothing better comes
done

gpu='' architectures=''
if command -v nvidia-smi >/dev/null; then
  gpu=$(nvidia-smi -L 2>/dev/null | sed -n '1s/^GPU 0: \(.*\) (UUID.*/\1/p')
  [ -z "$gpu" ] || architectures=$(nvidia-smi --query-gpu=compute_cap --format=csv,noheader 2>/dev/null |
    sed -n 's/^\([0-9]*\)\.\([0-9]*\)$/\1\2/p' | sort -nu | paste -sd' ')
fi

printf '%s\n' "nvcc $nvcc" "nvcc_version $version" "gpu $gpu" "architectures $architectures"
usable=no
[ -n "$nvcc" ] && [ "${version%%.*}" -ge $oldest ] 2>/dev/null && usable=yes

case $wanted in
  emulated) printf '%s\n' "device emulated" "reason asked for" ;;
  gpu)
    if [ $usable = yes ]; then
      printf '%s\n' "device gpu" "reason asked for"
    elif [ -n "$nvcc" ]; then
      echo "problem DEVICE=gpu needs nvcc of the CUDA toolkit 12.0 or newer; $nvcc is version ${version:-unknown}"
      exit 2
    else
      echo "problem DEVICE=gpu needs nvcc of the CUDA toolkit 12.0 or newer, on the PATH or in /usr/local/cuda"
      exit 2
    fi
    ;;
  auto)
    if [ $usable = yes ] && [ -n "$gpu" ]; then
      printf '%s\n' "device gpu" "reason nvcc $version and a GPU are here: $gpu"
    elif [ -n "$nvcc" ] && [ $usable = no ]; then
      printf '%s\n' "device emulated" "reason nvcc $version is older than 12.0"
    elif [ $usable = yes ]; then
      printf '%s\n' "device emulated" "reason nvcc is here, but no NVIDIA GPU"
    elif [ -n "$gpu" ]; then
      printf '%s\n' "device emulated" "reason a GPU is here, but no nvcc of CUDA 12.0 or newer"
    else
      printf '%s\n' "device emulated" "reason no NVIDIA GPU and no nvcc here"
    fi
    ;;
  *)
    echo "problem DEVICE must be auto, gpu or emulated, not '$wanted'"
    exit 2
    ;;
esac
