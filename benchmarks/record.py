#!/usr/bin/env python3
"""Runs every benchmark and records what it measures.

    benchmarks/record.py build/gpu FOLDER                 everything: some six minutes on one H200
    benchmarks/record.py build/gpu FOLDER --part samples  one part of it
    benchmarks/record.py build/gpu FOLDER --only heat     the samples whose name matches this expression

Writes into FOLDER, GPU being the device's name in short (h200):

    PART_GPU.json  for each part of jobs.py, such as samples: every sample there, every method
    log.txt        what the programs printed, and how long each took

Every method is checked before it is timed, and every program measures the rate of a copy itself. The files go to
benchmarks/results; make_report.py makes the READMEs' tables and plots from them. Needs nothing but Python.
Exit code 1 when a program failed: its times are not recorded.
"""
import argparse
import datetime
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.dont_write_bytecode = True  # no __pycache__ next to the scripts
from jobs import PARTS


def driver_version():
    """The GPU driver's version, or "" where there is none."""
    try:
        result = subprocess.run(["nvidia-smi", "--query-gpu=driver_version", "--format=csv,noheader"],
                                capture_output=True, text=True, timeout=60, check=False)
    except OSError:
        return ""
    return result.stdout.split("\n")[0].strip() if result.returncode == 0 else ""


def version(number):
    """13000 -> "13.0": how the runtime counts its versions."""
    return f"{int(number) // 1000}.{int(number) % 1000 // 10}"


def short_name(device):
    """NVIDIA H200 -> h200: the device's name as part of a file's name."""
    words = [word for word in re.split(r"[^A-Za-z0-9]+", device) if word and word.lower() not in ("nvidia", "geforce")]
    return "_".join(words).lower()


class Recorder:
    def __init__(self, build, folder):
        self.build, self.folder, self.failed = build, folder, []
        folder.mkdir(parents=True, exist_ok=True)
        self.log = open(folder / "log.txt", "a", encoding="utf-8")
        self.driver = driver_version()
        self.date = datetime.date.today().isoformat()

    def run(self, command, shown, **environment):
        """Runs a program; returns whether it succeeded. What it prints goes to the log."""
        print(shown, end=" ", flush=True)
        begin = time.monotonic()
        result = subprocess.run([str(word) for word in command], capture_output=True, text=True,
                                env={**os.environ, "DISPLAY": "", **environment}, check=False)
        seconds = time.monotonic() - begin
        print(f"({seconds:.1f} s)" if result.returncode == 0 else f"FAILED ({result.returncode})", flush=True)
        self.log.write(f"$ {shown}\n{result.stdout}{result.stderr}({seconds:.1f} s, exit code {result.returncode})\n\n")
        self.log.flush()
        if result.returncode != 0:
            self.failed.append(shown)
        return result.returncode == 0

    def context(self, device, runtime, copy_rate):
        emulated = "emulated" in device.lower()
        return {"date": self.date, "device": device, "emulated": emulated,
                "driver": "" if emulated else self.driver, "cuda": version(runtime),
                "copy_rate_GB_per_s": round(float(copy_rate), 1)}

    def write(self, name, context, what, content):
        path = self.folder / f"{name}_{short_name(context['device'])}.json"
        lines = [f'{{"context": {json.dumps(context)},', f'"{what}": [']
        lines.append(",\n".join(json.dumps(entry) for entry in content))
        path.write_text("\n".join(lines) + "\n]}\n")
        json.loads(path.read_text())
        print(f"wrote {path}")

    def part(self, name, todo, only):
        runs = []
        with tempfile.TemporaryDirectory() as scratch:
            record = Path(scratch) / "record"
            for program, arguments in todo:
                if not re.search(only, program):
                    continue
                flag = [] if "--sweep" in arguments else ["--benchmark"]
                real = [self.zeros(scratch, word) if word.startswith("ZEROS") else word for word in arguments]
                record.write_text("")
                if not self.run([self.build / "bin" / program, *flag, *real], " ".join([program, *flag, *arguments]),
                                SAMPLES_RECORD=str(record)):
                    continue
                tables = [json.loads(line) for line in record.read_text().splitlines()]
                if not tables:
                    self.failed.append(f"{program} recorded nothing")
                for table in tables:
                    runs.append({"program": program, "arguments": " ".join(arguments), **table})
        if not runs:
            return
        first = runs[0]
        context = self.context(first["device"], first["runtime"], statistics.median(r["copy_GB_per_s"] for r in runs))
        for run in runs:  # said once for all
            for key in ("device", "multiprocessors", "driver_api", "runtime"):
                run.pop(key)
        self.write(name, context, "runs", runs)

    @staticmethod
    def zeros(scratch, word):
        path = Path(scratch) / word
        if not path.exists():
            path.write_bytes(bytes(int(word.removeprefix("ZEROS"))))
        return str(path)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=Path)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--part", choices=PARTS, help="only this part")
    parser.add_argument("--only", default="", help="only samples whose name matches")
    parser.add_argument("--quick", action="store_true", help="sizes that say nothing: does everything run?")
    options = parser.parse_args()
    if not (options.build / "bin").is_dir():
        sys.exit(f"{options.build} is no build folder: it has no bin (cmake --preset gpu && cmake --build build/gpu)")
    recorder = Recorder(options.build, options.folder)
    for name, jobs in PARTS.items():
        if options.part in (None, name):
            recorder.part(name, jobs(options.quick), options.only)
    if recorder.failed:
        sys.exit("failed, and not recorded: " + "; ".join(recorder.failed))


if __name__ == "__main__":
    main()
