#!/usr/bin/env python3
"""record_multi_gpu.py FOLDER OUT: makes the record results/heat_multi_gpu_GPU.json of what heat_multi_gpu.sh has left in
FOLDER: its tables, and what machine.txt lists of the GPUs. --nccl: the version of NCCL, which no program queries.
"""
import argparse
import json
import re
import sys
from pathlib import Path

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("folder", type=Path)
parser.add_argument("out", type=Path)
parser.add_argument("--nccl", required=True)
options = parser.parse_args()

machine = re.sub(r"\x1b\[\d*m", "", (options.folder / "machine.txt").read_text())


def found(pattern):
    match = re.search(pattern, machine)
    if match is None:
        sys.exit(f"record_multi_gpu.py: machine.txt has nothing like {pattern}")
    return match


months = {name: i + 1 for i, name in enumerate("Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split())}
date = found(r"^\w{3} (\w{3}) +(\d+) .* (\d{4})\n")
gpus = re.findall(r"^\| +\d+ +(NVIDIA [^|]*?) +O(?:n|ff) ", machine, re.M)
if not gpus or len(set(gpus)) != 1:
    sys.exit(f"record_multi_gpu.py: not GPUs of one sort: {gpus}")
link = re.search(r"^GPU0\s+X\s+(\S+)", machine, re.M)
context = {"date": f"{date[3]}-{months[date[1]]:02}-{int(date[2]):02}", "device": f"{len(gpus)} {gpus[0]}",
           "emulated": False, "driver": found(r"Driver Version: (\S+)")[1], "cuda": found(r"CUDA Version: (\S+)")[1],
           "mpi": "Open MPI " + found(r"Open MPI\) (\S+)")[1], "nccl": options.nccl,
           "link": link[1] if link else "none"}

runs = []
for line in (options.folder / "times.json").read_text().splitlines():
    measured = json.loads(line)
    title = re.fullmatch(r"(\d+) x \d+, (\d+) steps, (\w+) on (\d+), checksum (\w+)", measured["title"])
    size, steps, way, ranks, checksum = title.groups()
    for row in measured["rows"]:
        run = {"method": row["name"], "exchange": way, "ranks": int(ranks), "size": int(size), "steps": int(steps),
               "median_s": row["median_ms"] / 1000, "best_s": row["best_ms"] / 1000, "checksum": checksum}
        same = [r for r in runs if all(r[key] == run[key] for key in ("method", "exchange", "ranks", "size"))]
        if not same:
            runs.append(run)
        elif same[0]["checksum"] != checksum:
            sys.exit(f"record_multi_gpu.py: two checksums: {same[0]}, {run}")
lines = ",\n".join(json.dumps(run) for run in runs)
options.out.write_text(f'{{"context": {json.dumps(context)},\n"runs": [\n{lines}\n]}}\n')
print(f"wrote {options.out}: {len(runs)} runs")
