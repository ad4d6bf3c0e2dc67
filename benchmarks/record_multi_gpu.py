#!/usr/bin/env python3
"""Measures heat_multi_gpu on the GPUs of this machine, one process per GPU or one for all.

    benchmarks/record_multi_gpu.py build/gpu FOLDER --nccl 2.28.3           everything but sanitize
    benchmarks/record_multi_gpu.py build/gpu FOLDER --part check            one part of it: see PARTS
    EMULATED_DEVICES=2 benchmarks/record_multi_gpu.py build/emulated FOLDER --quick

Writes into FOLDER

    heat_multi_gpu_GPU.json  the record, for benchmarks/results; make_report.py makes the README's tables of it
    log.txt                  what was run and printed
    machine.txt              the GPUs and their links

--nccl: the version of NCCL, which no program queries. A command that fails or hangs is named at the end, and does not stop
the rest; the exit code is 1 when one did. MPIRUN names another mpirun (Debian's is orterun where its packages are only
unpacked). Needs nothing but Python.
"""
import argparse
import datetime
import json
import os
import re
import subprocess
import sys
import time
from pathlib import Path

sys.dont_write_bytecode = True  # no __pycache__ next to the scripts
from record import driver_version, short_name, version

CANNOT_HERE = 77  # the exit code of a program without NCCL, or of a machine without peer access
FAST = [("peer", "one_kernel"), ("nccl", "wide_halos")]
OTHERS = [("nccl", "exchange"), ("nccl", "overlap")]
# What is timed, with 1000 steps: (part, seconds at most, exchange, GPUs, cells per side, method).
TIMED = [
    *(("targets", 60, *way, gpus, 16384) for gpus in (4, 2, 1) for way in FAST),
    *(("targets", 120, *way, gpus, size) for size in (32768, 65536) for gpus in (4, 2) for way in FAST),
    *(("ladder", 60, *way, gpus, 16384) for gpus in (4, 2, 1) for way in OTHERS),
    *(("ladder", 60, "mpi", "wide_halos", gpus, 16384) for gpus in (4, 2)),
    *(("ladder", 90, *way, gpus, 32768) for gpus in (4, 2) for way in OTHERS),
    ("ladder", 60, "mpi", "overlap", 4, 16384),
    # 16384 x 16384 cells for each GPU: 23168 is 16384 * sqrt(2), a multiple of 128
    *(("weak", 60, "peer", "one_kernel", gpus, size) for gpus, size in ((1, 16384), (2, 23168), (4, 32768))),
]
# What every rung is checked with, bit for bit against the CPU reference: (GPUs, options).
CHECKED = [
    *((gpus, "--size 509 --steps 143 --frames 2") for gpus in (1, 2, 3, 4)),
    *((gpus, f"--size {gpus} --steps 3 --frames 2") for gpus in (1, 2, 3, 4)),
    (4, "--size 1024 --steps 101 --frames 3"),
]
SANITIZED = "--size 200 --steps 23 --frames 1"
PARTS = ("check", "targets", "ladder", "weak", "sanitize")
# One host: shared memory is all that MPI needs. No search for network cards, no copies that containers forbid, no display
# asked for GPUs, and no multicast memory, which sends and receives do not use. A container runs as root.
ENVIRONMENT = {
    "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "OMPI_MCA_pml": "ob1",
    "OMPI_MCA_btl": "self,vader", "OMPI_MCA_btl_vader_single_copy_mechanism": "none",
    "OMPI_MCA_mca_base_component_show_load_errors": "0", "NCCL_NVLS_ENABLE": "0", "DISPLAY": "", "HWLOC_COMPONENTS": "-gl",
}


def printed(*command):
    """What a command prints; "" where it is not there."""
    try:
        return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False).stdout
    except OSError:
        return ""


class Machine:
    def __init__(self, program, folder, quick):
        self.program, self.folder, self.quick, self.failed = program, folder, quick, []
        self.mpirun = os.environ.get("MPIRUN", "mpirun")
        names = re.findall(r"^GPU \d+: (.*?) \(", printed("nvidia-smi", "--list-gpus"), re.M)
        self.gpus = len(names) or int(os.environ.get("EMULATED_DEVICES", "1"))
        if len(set(names)) > 1:
            sys.exit(f"record_multi_gpu.py: not GPUs of one sort: {names}")
        self.topology = printed("nvidia-smi", "topo", "-m")
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "machine.txt").write_text(printed("nvidia-smi") + self.topology + printed(self.mpirun, "--version"))
        self.log = open(folder / "log.txt", "a", encoding="utf-8")

    def attempt(self, seconds, command, **environment):
        """Runs it with that time limit and prints what it prints; returns whether it succeeded."""
        shown = " ".join(command).replace(str(self.program), "heat_multi_gpu")
        print(f"$ {shown}", flush=True)
        begin = time.monotonic()
        result = subprocess.run(["timeout", "-k", "5", str(seconds), *command], stdin=subprocess.DEVNULL,
                                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False,
                                env={**ENVIRONMENT, **os.environ, **environment})
        took = f"({time.monotonic() - begin:.1f} s, exit code {result.returncode})"
        self.log.write(f"$ {shown}\n{result.stdout}{took}\n\n")
        self.log.flush()
        print(f"{result.stdout.strip()}\n{took}", flush=True)
        if result.returncode not in (0, CANNOT_HERE):
            self.failed.append(shown)
        return result.returncode == 0

    def run(self, seconds, exchange, gpus, options, **environment):
        """The program on so many GPUs: with `peer` one process, else one per GPU."""
        if gpus > self.gpus:
            return False
        command = [str(self.program), "--exchange", exchange, "--benchmark", *options.split()]
        if exchange == "peer":
            visible = {"CUDA_VISIBLE_DEVICES": ",".join(map(str, range(gpus))), "EMULATED_DEVICES": str(gpus)}
            return self.attempt(seconds, command, **visible, **environment)
        # CUDA, NCCL and MPI have threads of their own: a rank must not be bound to one core.
        return self.attempt(seconds, [self.mpirun, "--bind-to", "none", "-n", str(gpus), *command], **environment)

    def check(self):
        for exchange in ("peer", "nccl", "mpi"):
            for gpus, options in CHECKED[4:6] if self.quick else CHECKED:
                self.run(60, exchange, gpus, options)

    def timed(self, part):
        """[(the table that the program records, the run's entry in the record)]"""
        found = []
        scratch = self.folder / "table.json"
        for of_part, seconds, exchange, method, gpus, size in TIMED:
            if of_part != part:
                continue
            scratch.unlink(missing_ok=True)
            size, steps = (65, 20) if self.quick else (size, 1000)
            options = f"--steps {steps} --size {size} --method {method}"
            if not self.run(seconds, exchange, gpus, options, SAMPLES_RECORD=str(scratch)):
                continue
            table = json.loads(scratch.read_text().splitlines()[-1])
            [row] = table["rows"]
            found.append((table, {
                "part": part, "method": method, "exchange": exchange, "ranks": gpus, "size": size, "steps": steps,
                "median_s": round(row["median_ms"] / 1000, 7), "best_s": round(row["best_ms"] / 1000, 7),
                "checksum": re.search(r"checksum (\w+)", table["title"])[1]}))
        scratch.unlink(missing_ok=True)
        return found

    def sanitize(self):
        for tool in ("memcheck", "racecheck", "synccheck", "initcheck"):
            sanitizer = ["compute-sanitizer", "--tool", tool]
            self.attempt(120, [*sanitizer, str(self.program), "--benchmark", *SANITIZED.split()])
            if self.gpus > 1:
                self.attempt(120, [*sanitizer, str(self.program), "--exchange", "peer", "--benchmark", *SANITIZED.split()],
                             CUDA_VISIBLE_DEVICES="0,1")
        if self.gpus > 1:
            # NCCL looks for kernels that its library lacks, and goes on without them: no report of API errors.
            self.attempt(120, ["compute-sanitizer", "--tool", "memcheck", "--report-api-errors", "no", "--target-processes",
                               "all", self.mpirun, "-n", "2", str(self.program), "--exchange", "nccl", "--benchmark",
                               *SANITIZED.split()])

    def context(self, table, nccl):
        """Where and when; `table`: one that the program recorded here."""
        link = re.search(r"^GPU0\s+X\s+(\S+)", re.sub(r"\x1b\[\d*m", "", self.topology), re.M)
        mpi = re.search(r"\(Open MPI\) (\S+)", printed(self.mpirun, "--version"))
        return {"date": datetime.date.today().isoformat(), "device": f"{self.gpus} {table['device']}",
                "emulated": "emulated" in table["device"].lower(), "driver": driver_version(),
                "cuda": version(table["runtime"]), "mpi": f"Open MPI {mpi[1]}" if mpi else self.mpirun, "nccl": nccl,
                "link": link[1] if link else "none"}


def without_repeats(runs):
    """Each once; a plate must have one checksum, whatever computed it."""
    kept, checksums = {}, {}
    for run in runs:
        other = checksums.setdefault((run["size"], run["steps"]), run)
        if other["checksum"] != run["checksum"]:
            sys.exit(f"record_multi_gpu.py: two checksums: {other}, {run}")
        kept.setdefault(tuple(run[key] for key in ("part", "method", "exchange", "ranks", "size")), run)
    return list(kept.values())


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=Path)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--part", choices=PARTS, action="append", help="only this part; may be given again")
    parser.add_argument("--nccl", default="", help="the version of NCCL")
    parser.add_argument("--quick", action="store_true", help="sizes that say nothing: does everything run?")
    options = parser.parse_args()
    program = (options.build / "bin/heat_multi_gpu").resolve()
    if not program.exists():
        sys.exit(f"there is no program {program}")
    machine = Machine(program, options.folder, options.quick)
    timed = []
    for part in options.part or PARTS[:-1]:
        print(f"== {part}", flush=True)
        if part == "check":
            machine.check()
        elif part == "sanitize":
            machine.sanitize()
        else:
            timed += machine.timed(part)
    if timed:
        context = machine.context(timed[0][0], options.nccl)
        runs = ",\n".join(json.dumps(run) for run in without_repeats([run for _, run in timed]))
        path = options.folder / f"heat_multi_gpu_{short_name(timed[0][0]['device'])}.json"
        path.write_text(f'{{"context": {json.dumps(context)},\n"runs": [\n{runs}\n]}}\n')
        print(f"wrote {path}")
    if machine.failed:
        sys.exit("failed: " + "; ".join(machine.failed))


if __name__ == "__main__":
    main()
