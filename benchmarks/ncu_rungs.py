#!/usr/bin/env python3
"""What limits each rung: Nsight Compute's numbers of every rung of every ladder, at its headline size.

    benchmarks/ncu_rungs.py build/gpu FOLDER               all ladders, some three minutes on one H200
    benchmarks/ncu_rungs.py build/gpu FOLDER --only heat   those whose name matches
    benchmarks/ncu_rungs.py build/gpu FOLDER --list        prints the commands and runs nothing

Runs ncu with the clocks as they are (--clock-control none) and few sections, and writes into FOLDER

    ncu_GPU.json        for each rung its longest kernel: time, throughputs, occupancy, hit rates, most frequent wait
    ncu/LADDER_RUNG...  ncu's own output, as it came, to look at (it names the machine: not for the project)

make_report.py makes the tables "What limits each rung" from the first. ncu must be in the PATH, and the GPU's counters
open to the user. Exit code 1 when a rung gave no numbers; the others are written all the same.
"""
import argparse
import csv
import datetime
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True  # no __pycache__ next to the scripts
from record import driver_version, short_name
from report.tree import ladders

SECTIONS = ["SpeedOfLight", "Occupancy", "MemoryWorkloadAnalysis", "SchedulerStats", "WarpStateStats"]
# what a rung's entry says -> ncu's metric
METRICS = {
    "dram_percent": "gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed",
    "sm_percent": "sm__throughput.avg.pct_of_peak_sustained_elapsed",
    "occupancy_percent": "sm__warps_active.avg.pct_of_peak_sustained_active",
    "l1_hit_percent": "l1tex__t_sector_hit_rate.pct",
    "l2_hit_percent": "lts__t_sector_hit_rate.pct",
    "issue_per_cycle": "smsp__issue_active.avg.per_cycle_active",
}
TIME = "gpu__time_duration.sum"
STALL = re.compile(r"smsp__average_warps_issue_stalled_(\w+)_per_issue_active\.ratio")
MIB = 1 << 20


PICTURE = "--headless --output SCRATCH.ppm"
CIRCLES = f"{PICTURE} --size 1024"
# A ladder's headline size, at which every rung is profiled that WORK does not name.
SIZES = {
    "dot_fast": f"--check -n {1 << 28}",
    "ray_fast": f"{PICTURE} --size 4096 --spheres 2000",
    "heat_fast": f"{PICTURE} --frames 1 --size 4096",
    "hist_fast": f"--check --bytes {1024 * MIB}",
    "saxpy": "-n 100000000 --trip pinned",
    "scan": "-n 40000000",
    "find_repeats": "-n 40000000",
    "circle_renderer": f"rand100k {CIRCLES}",
    "hashtable_fast": f"--check -n {1 << 26}",
}
# Other sizes: where a rung refuses the headline's, has two, or would take too long (ncu launches a kernel dozens of times).
WORK = {
    ("heat_fast", "registers"): [SIZES["heat_fast"], f"{PICTURE} --frames 1 --size 16384 --steps 10"],
    ("heat_fast", "persistent"): [f"{PICTURE} --frames 1 --size 1024"],
    ("scan", "exchange"): ["-n 4000000"],
    ("circle_renderer", "few"): [f"rgb {CIRCLES}"],
    ("circle_renderer", "bins"): [f"rand1M {CIRCLES}"],
    ("circle_renderer", "tiny"): [f"micro2M {CIRCLES}"],
    ("circle_renderer", "fast"): [f"rand1M {CIRCLES}"],
}
LIBRARIES = {"dot_fast": "library", "hist_fast": "library", "saxpy": "cublas", "scan": "cub", "find_repeats": "cub"}
PICTURES = {"to_bytes_kernel", "color_kernel"}  # make the picture that --headless writes: part of no rung
LAUNCHES = 60  # at most so many are profiled; the kernel that takes longest in them counts


def rungs():
    """[(ladder, rung, arguments)] of every rung of the tree, and of the library next to it."""
    todo = []
    for ladder, (_, files) in ladders().items():
        if ladder not in SIZES:  # heat_multi_gpu: ncu profiles one process on one GPU
            continue
        for rung in [*files, *([LIBRARIES[ladder]] if ladder in LIBRARIES else [])]:
            todo += [(ladder, rung, arguments.split()) for arguments in WORK.get((ladder, rung), [SIZES[ladder]])]
    return todo


def number(text):
    """ncu's numbers: "1,234.5" -> 1234.5; nothing where there is none."""
    try:
        return float(text.replace(",", ""))
    except ValueError:
        return None


def kernels_of(text):
    """Reads what `ncu --csv --page raw --print-units base` printed: [{column: text}], a launch each."""
    lines = text.splitlines()
    start = next((i for i, line in enumerate(lines) if line.startswith('"ID"')), None)
    if start is None:
        return []
    rows = list(csv.DictReader(lines[start:]))
    return [row for row in rows if row["ID"].isdigit()]  # the first one holds the units


def name_of(row):
    """scan_pipeline of "void scan_pipeline<8>(unsigned int const*, ...)"."""
    name = re.sub(r"<.*", "", row["Kernel Name"].split("(")[0])
    return name.split()[-1].split("::")[-1] if name.split() else row["Kernel Name"]


def summary(rows):
    """The kernel that took longest in all, and its numbers, each launch weighted by its time."""
    by_name = {}
    for row in rows:
        time = number(row.get(TIME, ""))
        if time and name_of(row) not in PICTURES:
            by_name.setdefault(name_of(row), []).append((time, row))
    if not by_name:
        return None
    total = {name: sum(time for time, _ in launches) for name, launches in by_name.items()}
    name = max(total, key=total.get)
    launches = by_name[name]

    def mean(column):
        known = [(time, number(row.get(column, "") or "")) for time, row in launches]
        known = [(time, value) for time, value in known if value is not None]
        return sum(t * v for t, v in known) / sum(t for t, _ in known) if known else None

    entry = {"kernel": name, "launches": len(launches), "ms_per_launch": total[name] * 1e-6 / len(launches),
             "percent_of_time": 100 * total[name] / sum(total.values())}
    for key, column in METRICS.items():
        entry[key] = mean(column)
    waits = {match[1]: mean(column) for column in launches[0][1] if (match := STALL.fullmatch(column))}
    waits = {reason: value for reason, value in waits.items() if value}
    waiting = {reason: value for reason, value in waits.items() if reason not in ("selected", "not_selected")}
    if waiting:
        worst = max(waiting, key=waiting.get)
        entry["wait"], entry["wait_percent"] = worst, 100 * waiting[worst] / sum(waits.values())
    return {key: float(f"{value:.4g}") if isinstance(value, float) else value for key, value in entry.items()}


def measured_on(ncu):
    """The device, its driver, ncu's version, today's date."""
    device = subprocess.run(["nvidia-smi", "--query-gpu=name", "--format=csv,noheader"], capture_output=True,
                            text=True, check=False).stdout.split("\n")[0].strip() or "unknown"
    version = subprocess.run([ncu, "--version"], capture_output=True, text=True, check=False).stdout
    found = re.search(r"Version ([\d.]+)", version)
    return {"date": datetime.date.today().isoformat(), "device": device, "driver": driver_version(),
            "ncu": found[1] if found else ""}


def write(path, context, entries):
    lines = [f'{{"context": {json.dumps(context)},', '"kernels": [',
             ",\n".join(json.dumps(entry) for entry in entries), "]}"]
    path.write_text("\n".join(lines) + "\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=Path)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--only", default="", help="only ladders or rungs that match, as LADDER/RUNG")
    parser.add_argument("--list", action="store_true", help="print the commands and run nothing")
    parser.add_argument("--ncu", default="ncu", help="the program to call")
    options = parser.parse_args()
    raw = options.folder / "ncu"
    entries, failed = [], []
    if not options.list:
        raw.mkdir(parents=True, exist_ok=True)
        context = measured_on(options.ncu)
        path = options.folder / f"ncu_{short_name(context['device'])}.json"
    with tempfile.TemporaryDirectory() as scratch:
        for ladder, rung, arguments in rungs():
            if not re.search(options.only, f"{ladder}/{rung}"):
                continue
            shown = " ".join(word for word in arguments if not word.startswith("SCRATCH") and word != "--output")
            real = [word.replace("SCRATCH", f"{scratch}/picture") for word in arguments]
            sections = [word for section in SECTIONS for word in ("--section", section)]
            command = [options.ncu, "--clock-control", "none", *sections, "--csv", "--page", "raw",
                       "--print-units", "base", "--launch-count", str(LAUNCHES), str(options.build / "bin" / ladder), "--method", rung, *real]
            if options.list:
                print(" ".join(command))
                continue
            print(f"{ladder} {rung} {shown}", flush=True)
            result = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
            size = re.sub(r"\W+", "_", shown)
            (raw / f"{ladder}_{rung}_{size}.csv").write_text(result.stdout)
            entry = summary(kernels_of(result.stdout))
            if entry is None:
                failed.append(f"{ladder} {rung}: {result.stdout.strip()[-300:]}")
                continue
            print(f"  {entry}", flush=True)
            entries.append({"ladder": ladder, "rung": rung, "arguments": shown, **entry})
            write(path, context, entries)  # after each rung: who stops it keeps what there is
    if entries:
        print(f"wrote {path}")
    if failed:
        sys.exit("no numbers of " + "\n".join(failed))


if __name__ == "__main__":
    main()
