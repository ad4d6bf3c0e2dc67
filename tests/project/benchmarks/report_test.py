#!/usr/bin/env python3
"""report_test.py PROJECT: make_report.py writes tables and plots of made-up records into a copy of the READMEs, finds
there every one that is changed by hand, and refuses what it cannot take.
"""
import json
import random
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

project = Path(sys.argv[1])
sys.dont_write_bytecode = True
sys.path.insert(0, str(project / "benchmarks"))
from jobs import PARTS
from ncu_rungs import kernels_of, rungs, summary
from report.records import Record
from report.tree import ladders

bad = []
ROWS = {  # the rows that each program prints
    "constant_broadcast": [f"{kind}, {words}" for words in (1, 2, 4, 8, 16, 32) for kind in ("constant", "global")],
    "heat_fast": [f"{rung}, 15 passes" for rung in ladders()["heat_fast"][1]] + ["best, 1 pass"],
    "add_long": ["128 x 128 threads", "264 x 1024 threads"],
    "add": [f"{threads} threads per block" for threads in (1, 32, 1024)],
    "julia": ["1 x 1", "32 x 8"],
    "many_streams": ["1", "2", "20"],
    "stream_graph": [f"{elements}, {way}" for elements in (1048576, 16384) for way in ("streams", "graph")],
    "ripple": ["kernel", "copy to the host"],
    "hashtable_fast": ["turns, insert", "turns, find 16", "exchange, insert", "exchange, find 16", "buckets, insert",
                       "buckets, find", "open, insert", "open, find", "sectors, insert", "sectors, find", "random sectors",
                       "random sectors, exchanged"],
}
TITLES = {"hashtable_fast": ["134217728 keys, load 0.5", "134217728 keys, load 0.9"],
          "many_streams": ["streams", "elements of a chunk", "rounds of a kernel"],
          "saxpy": ["kernel alone", "whole trip"]}
BESIDE = {"dot_fast": ["library"], "hist_fast": ["library"], "saxpy": ["cublas"], "scan": ["best", "thrust", "cub"],
          "find_repeats": ["cub"]}
for ladder, (_, files) in ladders().items():
    ROWS.setdefault(ladder, [*files, *BESIDE.get(ladder, [])])
SWEEP = ["1", "2", "8"]
CONTEXT = {"date": "2000-01-01", "device": "Made-up GPU", "emulated": False, "driver": "0", "cuda": "0.0",
           "copy_rate_GB_per_s": 1000.0}


def expect(condition, sentence):
    if not condition:
        bad.append(sentence)


def made_up_runs(part):
    some = random.Random(1)
    runs = []
    for program, arguments in PARTS[part](False):
        names = SWEEP if "--sweep" in arguments else ROWS.get(program, ["only"])
        for title in TITLES.get(program, [""]):
            rows = [{"name": name, "median_ms": some.uniform(0.01, 20), "best_ms": 0.01, "bytes": 1e6} for name in names]
            runs.append({"program": program, "arguments": " ".join(arguments), "title": title, "rows": rows})
    return {"context": CONTEXT, "runs": runs}


def made_up_ncu():
    """Through ncu_rungs.py's own reading of ncu's CSV: a first row of units, two kernels, numbers with commas."""
    head = ("ID", "Kernel Name", "gpu__time_duration.sum", "gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed",
            "sm__throughput.avg.pct_of_peak_sustained_elapsed", "sm__warps_active.avg.pct_of_peak_sustained_active",
            "l1tex__t_sector_hit_rate.pct", "smsp__issue_active.avg.per_cycle_active",
            "smsp__average_warps_issue_stalled_barrier_per_issue_active.ratio",
            "smsp__average_warps_issue_stalled_selected_per_issue_active.ratio",
            "smsp__average_warps_issue_stalled_wait_per_issue_active.ratio")
    lines = [head, ("", "", "ns", "%", "%", "%", "%", "inst/cycle", "inst", "inst", "inst"),
             ("0", "void small<3>(int)", "1,000", "1", "2", "3", "4", "0.1", "1", "1", "1"),
             ("1", "large(float *)", "2,000,000", "10", "20", "30", "40", "0.5", "6", "1", "3"),
             ("2", "large(float *)", "1,000,000", "40", "20", "30", "40", "0.5", "6", "1", "3")]
    text = "==PROF== words before\n" + "\n".join(",".join(f'"{cell}"' for cell in line) for line in lines)
    entry = summary(kernels_of(text))
    expect(entry["kernel"] == "large" and entry["launches"] == 2, f"the longest kernel: {entry}")
    expect(entry["ms_per_launch"] == 1.5 and entry["dram_percent"] == 20, f"weighted by time: {entry}")
    expect(entry["wait"] == "barrier" and entry["wait_percent"] == 60, f"the most frequent wait: {entry}")
    expect(summary(kernels_of("==ERROR== nothing")) is None, "no output gives no entry")
    # Only ladders that have been recorded: their READMEs have a place for the table.
    recorded = [ladder for ladder, (folder, _) in ladders().items() if "<!-- table ncu:" in (folder / "README.md").read_text()]
    entries = [{"ladder": ladder, "rung": rung, "arguments": " ".join(arguments), **entry}
               for ladder, rung, arguments in rungs() if ladder in recorded]
    return {"context": CONTEXT, "kernels": entries}


def report(copy, results, *more):
    return subprocess.run([sys.executable, str(project / "benchmarks/make_report.py"), "--project", str(copy),
                           "--results", str(results), *more], capture_output=True, text=True, check=False)


with tempfile.TemporaryDirectory() as folder:
    copy, results = Path(folder) / "copy", Path(folder) / "results"
    made_up = shutil.ignore_patterns("book_*", "hashtables_*", "samples_*", "ncu_*")
    shutil.copytree(project / "benchmarks/results", results, ignore=made_up)
    for part in ("book", "hashtables", "samples"):
        (results / f"{part}_made_up.json").write_text(json.dumps(made_up_runs(part)))
    (results / "ncu_made_up.json").write_text(json.dumps(made_up_ncu()))
    for readme in [project / "README.md", *project.glob("chapter*/**/README.md"), *project.glob("appendix*/**/README.md"),
                   *project.glob("cs418_assignment2/**/README.md")]:
        target = copy / readme.relative_to(project)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(readme, target)
    rungs_of_copy = []
    for folder, files in ladders().values():
        for rung in files.values():
            rungs_of_copy.append(copy / rung.relative_to(project))
            rungs_of_copy[-1].parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(rung, rungs_of_copy[-1])
    (copy / "docs/gallery/circle_renderer").mkdir(parents=True)

    result = report(copy, results)
    expect(result.returncode == 0, f"it cannot write: {result.stderr}")
    result = report(copy, results, "--check")
    expect(result.returncode == 0, f"what it wrote is not what it checks: {result.stderr}")

    # Every README whose table is changed by hand is found, and every such plot.
    changed = []
    for readme in copy.glob("**/README.md"):
        text = readme.read_text()
        table = re.search(r"<!-- table \S+: made by benchmarks/make_report.py -->\n(.*?)<!-- end of table -->", text, re.S)
        if table:
            cell = table.start(1) + re.search(r"\d", table[1]).start()
            readme.write_text(text[:cell] + ("1" if text[cell] != "1" else "2") + text[cell + 1:])
            changed.append(str(readme.relative_to(copy)))
    for rung in rungs_of_copy:
        text = rung.read_text()
        if (gain := re.search(r"^// (?:Gain over \w+|Time|Rate) on .*: .*\d", text, re.M)):
            rung.write_text(text[:gain.end() - 1] + ("1" if gain[0][-1] != "1" else "2") + text[gain.end():])
            changed.append(rung.name)
    expect(sum(name.endswith(".cuh") for name in changed) > 30, f"only few rungs tell their gain: {changed}")
    for plot in copy.glob("**/*.svg"):
        plot.write_text(plot.read_text().replace("<circle", "<ellipse", 1).replace("<rect", "<rec", 1))
        changed.append(plot.name)
    expect(len(changed) > 12, f"only {len(changed)} READMEs and plots")
    result = report(copy, results, "--check")
    expect(result.returncode == 1, "what was changed by hand is not found")
    for name in changed:
        expect(name in result.stderr, f"a changed {name} is not found: {result.stderr}")

    # The GPU that a line names is the record's.
    record_file = results / "samples_made_up.json"
    record = json.loads(record_file.read_text())
    for device, called in (("NVIDIA H100 80GB HBM3", "an H100"), ("NVIDIA GeForce RTX 4090", "an RTX 4090"),
                           ("Tesla T4", "a Tesla T4"), ("NVIDIA A100-SXM4-40GB", "an A100-SXM4")):
        record["context"]["device"] = device
        record_file.write_text(json.dumps(record))
        said = Record(record_file).one_device
        expect(said == called, f"{device} is called '{said}', not '{called}'")
        result = report(copy, results)
        gain = (copy / "cs418_assignment2/saxpy/2_vector.cuh").read_text()
        expect(f"// Gain over simple on {called}: " in gain, f"the line of a gain on {device}: {gain[:500]}")

    # What it cannot take.
    record["context"]["emulated"] = True
    record_file.write_text(json.dumps(record))
    result = report(copy, results)
    expect(result.returncode == 1 and "emulated" in result.stderr, f"an emulated record is taken: {result.stderr}")
    record["context"]["emulated"] = False
    record_file.write_text(json.dumps(record))
    for part in ("ncu", "samples"):
        another = shutil.copy(results / f"{part}_made_up.json", results / f"{part}_another.json")
        result = report(copy, results)
        expect(result.returncode == 1 and f"two records of {part}" in result.stderr, f"two records: {result.stderr}")
        Path(another).unlink()
    record["runs"] = [run for run in record["runs"] if run["program"] != "ray"]
    record_file.write_text(json.dumps(record))
    result = report(copy, results)
    expect(result.returncode == 1 and "runs of ray" in result.stderr, f"a missing run: {result.stderr}")

print("\n".join(bad))
sys.exit(bool(bad))
