#!/usr/bin/env python3
"""multi_gpu_test.py PROJECT BUILD: record_multi_gpu.py runs on two emulated devices, writes a record with the runs of the part
that was asked for, and make_report.py does not take it for a GPU's.
"""
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

project, build = Path(sys.argv[1]), Path(sys.argv[2])
bad = []


def expect(condition, sentence):
    if not condition:
        bad.append(sentence)


def run(*command):
    return subprocess.run([sys.executable, *map(str, command)], capture_output=True, text=True, check=False,
                          env={**os.environ, "EMULATED_DEVICES": "2"})


with tempfile.TemporaryDirectory() as folder:
    out = Path(folder)
    script = project / "benchmarks/record_multi_gpu.py"
    result = run(script, build, out, "--quick", "--part", "check", "--part", "weak")
    expect(result.returncode == 0, f"it failed: {result.stdout}{result.stderr}")
    records = list(out.glob("heat_multi_gpu_*.json"))
    expect(len(records) == 1, f"{len(records)} records, not one")
    for path in records:
        document = json.loads(path.read_text())
        expect(document["context"]["emulated"] is True, "the record does not say that the device is emulated")
        runs = [(one["part"], one["method"], one["ranks"]) for one in document["runs"]]
        expect(runs == [("weak", "one_kernel", 1), ("weak", "one_kernel", 2)], f"other runs than those asked for: {runs}")
        expect(all(one["median_s"] > 0 for one in document["runs"]), "a run without a time")
        result = run(project / "benchmarks/make_report.py", "--check", "--results", out)
        expect(result.returncode == 1 and "recorded on the emulated device" in result.stderr,
               f"make_report.py takes an emulated record: {result.stderr}")
    log = (out / "log.txt").read_text()
    expect("--exchange mpi --benchmark --size 2 --steps 3" in log, "the checks with MPI were not run")

    result = run(script, build / "nowhere", out)
    expect(result.returncode == 1 and "there is no program" in result.stderr, f"a build without it: {result.stderr}")

print("\n".join(bad))
sys.exit(bool(bad))
