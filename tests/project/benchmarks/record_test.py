#!/usr/bin/env python3
"""record_test.py PROJECT BUILD SAMPLE...: on the emulated device record.py runs every sample that has --benchmark and
records its methods; each prints first of all that its times say nothing about a GPU; no README's table is made of them.
"""
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

project, build = Path(sys.argv[1]), Path(sys.argv[2])
# What needs another size, what only chooses, what is wrong on purpose.
NOT_RECORDED = ("best", "broken", "tiny", "without_barrier", "no_lock")
SENTENCE = "Times of the emulated device: they say nothing about a GPU. benchmarks/README.md says where a GPU's are."
sys.dont_write_bytecode = True
sys.path.insert(0, str(project / "benchmarks"))
from jobs import PARTS

bad = []


def expect(condition, sentence):
    if not condition:
        bad.append(sentence)


def run(*command):
    return subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False)


with tempfile.TemporaryDirectory() as folder:
    out = Path(folder)
    result = run(sys.executable, project / "benchmarks/record.py", build, out, "--quick")
    expect(result.returncode == 0, f"record.py failed: {result.stdout}{result.stderr}")
    runs, records = [], []
    for part in PARTS:
        found = list(out.glob(f"{part}_*.json"))
        expect(len(found) == 1, f"{len(found)} records of {part}, not one")
        records += found
    for record in records:
        document = json.loads(record.read_text())
        context, runs = document["context"], runs + document["runs"]
        expect(context.get("emulated") is True, "the record does not say that the device is emulated")
        expect(re.fullmatch(r"\d{4}-\d\d-\d\d", context.get("date", "")), "no date")
        expect(context.get("copy_rate_GB_per_s", 0) > 0, "no copy rate")

    recorded = {run["program"] for run in runs}
    for sample in sys.argv[3:]:
        helped = run(build / "bin" / sample, "--help").stdout
        if "--benchmark" not in helped or sample == "heat_multi_gpu":  # that has a script of its own
            continue
        expect(sample in recorded, f"{sample} is not recorded")
        rows = {row["name"].split(",")[0] for one in runs if one["program"] == sample for row in one["rows"]}
        for line in helped.split("--method NAME")[-1].split("\n  -")[0].split("\n")[1:] if "--method" in helped else []:
            method = line.split()[0] if re.match(r" {30}\S", line) else ""
            # Not there, either: what needs the CUDA toolkit.
            if method and "gpu only" not in line and method not in NOT_RECORDED:
                expect(method in rows, f"{sample}: method {method} is not recorded, only {sorted(rows)}")
    for one in runs:
        expect(one["rows"], f"{one['program']} {one['arguments']}: no rows")
        for row in one["rows"]:
            expect(row["median_ms"] > 0, f"{one['program']} {row['name']}: no time")

    for block in (out / "log.txt").read_text().split("\n\n$ "):
        lines = block.split("\n")
        expect(lines[1:2] == [SENTENCE], f"{lines[0]}: does not begin with whose times these are, but {lines[1:2]}")

    if records:
        result = run(sys.executable, project / "benchmarks/make_report.py", "--check", "--results", out)
        expect(result.returncode == 1 and "recorded on the emulated device" in result.stderr,
               f"make_report.py takes an emulated record: {result.stderr}")

print("\n".join(bad))
sys.exit(bool(bad))
