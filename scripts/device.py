#!/usr/bin/env python3
"""device.py [auto|gpu|emulated]: the device for which this machine builds. It is decided only here; CMake calls it, too.

Prints lines "KEY VALUE"; a value may be empty:
  nvcc           path of nvcc, the CUDA compiler; the first of $CUDACXX, PATH, $CUDA_PATH, /usr/local/cuda, /opt/cuda
  architectures  compute capabilities of all GPUs, as CMake writes them: 90
  device         gpu or emulated
  reason         a clause
If that device cannot be used: a line "problem ..." in place of the last two.
"""
import os
import re
import shutil
import subprocess
import sys

OLDEST = 12  # CUDA 12.0 is the first with C++20 in kernels


class Problem(Exception):
    pass


def output_of(*command):
    """What the command prints; nothing if it fails."""
    done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                          text=True, check=False)
    return done.stdout if done.returncode == 0 else ""


def find_nvcc():
    """Path and version of the first nvcc that is new enough, else of the first one."""
    found = ("", "unknown")
    folders = os.environ.get("CUDA_PATH", "/usr/local/cuda"), "/usr/local/cuda", "/opt/cuda"
    for place in (os.environ.get("CUDACXX", ""), "nvcc", *(folder + "/bin/nvcc" for folder in folders)):
        path = shutil.which(place)
        if path and not is_new_enough(found[1]):
            version = re.search(r"release ([0-9.]+),", output_of(path, "--version"))
            version = version[1] if version else "unknown"
            if not found[0] or is_new_enough(version):
                found = (path, version)
    return found


def is_new_enough(version):
    major = version.split(".")[0]
    return major.isdigit() and int(major) >= OLDEST


def gpus():
    """The name and the compute capability of each GPU, such as ("NVIDIA H200", "9.0")."""
    if not shutil.which("nvidia-smi"):
        return []
    lines = output_of("nvidia-smi", "--query-gpu=name,compute_cap", "--format=csv,noheader")
    return re.findall(r"^(.+), (\d+\.\d+)$", lines, re.MULTILINE)


def choose(wanted):
    """The device, "gpu" or "emulated", and a clause that gives the reason. nvcc is asked only where that matters."""
    if wanted == "emulated":
        return "emulated", "asked for"
    if wanted == "gpu":
        path, version = find_nvcc()
        if is_new_enough(version):
            return "gpu", "asked for"
        raise Problem("DEVICE=gpu needs nvcc of the CUDA toolkit 12.0 or newer" +
                      (f"; {path} is version {version}" if path else ", on the PATH or in /usr/local/cuda"))
    if wanted != "auto":
        raise Problem(f"DEVICE must be auto, gpu or emulated, not '{wanted}'")
    found = gpus()
    if not found:
        return "emulated", "no NVIDIA GPU here"
    version = find_nvcc()[1]
    if is_new_enough(version):
        return "gpu", f"nvcc {version} and a GPU are here: {found[0][0]}"
    return "emulated", "a GPU is here, but no nvcc of CUDA 12.0 or newer"


def main():
    print("nvcc", find_nvcc()[0])
    print("architectures", *sorted({capability.replace(".", "") for _, capability in gpus()}, key=int))
    try:
        device, reason = choose(sys.argv[1] if len(sys.argv) > 1 else "auto")
    except Problem as problem:
        print("problem", problem)
        return
    print("device", device)
    print("reason", reason)


if __name__ == "__main__":
    main()
