#!/usr/bin/env python3
"""reference_times.py FOLDER: the recorded reference times are JSON, say where they come from, and hold whole tables."""
import glob
import json
import sys

COUNTS = ["1000000", "10000000", "20000000", "40000000"]
ROWS = {
    "scan": COUNTS,
    "find_repeats": COUNTS,
    "circles": ["rgb", "rand10k", "rand100k", "pattern", "snowsingle", "biglittle", "rand1M", "micro2M"],
}

files = glob.glob(sys.argv[1] + "/course_reference_*.json")
gpus = {}
for path in files:
    with open(path, encoding="utf-8") as file:
        data = json.load(file)
    for key in ("gpu", "driver", "cuda", "date", "source"):
        assert data["context"][key], f"{path}: no {key}"
    tables = {}
    for row in data["benchmarks"]:
        test, name = row["name"].split("/")
        assert row["time_unit"] == "ms" and row["real_time"] > 0, f"{path}: {row}"
        tables.setdefault(test, []).append(name)
    for test, names in tables.items():
        assert names == ROWS[test], f"{path}: {test} has the rows {names}"
    gpus[data["context"]["gpu"]] = set(tables)
assert gpus.get("NVIDIA H200") == set(ROWS), f"H200: {gpus}"
assert len(gpus) >= 2, gpus
print("ok:", gpus)
