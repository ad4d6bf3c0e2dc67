"""What a GPU measured, from the records in benchmarks/results: the rows of a sample or a rung, and what binds it."""
import glob
import html
import json
import os
import re
from collections import namedtuple

# `what`: the run; `name`: of the row; `rate`: GB/s, and `percent` of a copy's, or nothing where the bytes are unknown.
Row = namedtuple("Row", "what name ms rate percent device")
FOLD = 12  # rows; more are folded
BUSY = 65  # percent of a limit from which it binds


def read_records(root):
    """{file: record}, but those of other people's programs."""
    paths = sorted(glob.glob(os.path.join(glob.escape(root), "benchmarks/results/*.json")))
    records = {}
    for path in paths:
        if "_reference_" not in path:
            with open(path, encoding="utf-8") as file:
                records[os.path.basename(path)] = json.load(file)
    return records


def rows_of(records, program, rung=None):
    rows = []
    for file, record in records.items():
        context = record["context"]
        if file.startswith("heat_multi_gpu") and program == "heat_multi_gpu":
            rows += [Row(f"{run['ranks']} GPU{'s' * (run['ranks'] > 1)}, {run['size']}² cells, {run['steps']} steps",
                         f"{run['method']}, {run['exchange']}", 1000 * run["median_s"], None, None, context)
                     for run in record["runs"] if rung in (None, run["method"])]
        for run in record.get("runs", []):
            if run.get("program") != program:
                continue
            copy = run.get("copy_GB_per_s") or context.get("copy_rate_GB_per_s")
            for row in run["rows"]:
                if rung and row["name"].split(",")[0] != rung:
                    continue
                rate = row["bytes"] * 1e-6 / row["median_ms"] if row["bytes"] else None
                words = run["arguments"].replace("ZEROS", "zeros ").split()
                what = run["title"]
                if any(not word.startswith("-") and word not in what.split() for word in words):
                    what += f", {' '.join(words)}"
                rows.append(Row(what, row["name"], row["median_ms"], rate, rate and 100 * rate / copy, context))
    return rows


def number(value):
    """Three digits."""
    return f"{value:.3g}" if value < 1000 else f"{value:,.0f}"


def percent(value):
    return f"{value:.0f} %" if value >= 1 else "&lt; 1 %"


def table(rows):
    if not rows:
        return ""
    body = "".join(f"<tr><td>{html.escape(row.what)}</td><td>{html.escape(row.name)}</td><td>{number(row.ms)}</td>"
                   f"<td>{number(row.rate) if row.rate else '–'}</td>"
                   f"<td>{percent(row.percent) if row.percent else '–'}</td></tr>\n" for row in rows)
    result = ('<div class="scrolls" tabindex="0" role="group" aria-label="Measured times"><table class="numbers">'
              "<thead><tr><th>work</th><th>what was timed</th><th>ms</th><th>GB/s</th><th>of a copy’s rate</th></tr>"
              f"</thead><tbody>{body}</tbody></table></div>\n")
    if len(rows) > FOLD:
        result = f"<details><summary>All {len(rows)} times</summary>{result}</details>\n"
    places = sorted({f"{row.device['device']}, driver {row.device['driver']}, CUDA {row.device['cuda']}, "
                     f"{row.device['date']}" for row in rows})
    return result + "".join(f'<p class="dim">Recorded on {html.escape(place)}.</p>\n' for place in places)


def gain_of(text):
    """The line of a rung's gain, which make_report.py keeps."""
    match = re.search(r"^// (Gain over .+(?:\n//   .+)*)", text, re.M)
    return re.sub(r"\n//\s*", " ", match[1]) if match else ""


def bound(records, program, rung, rows):
    """One sentence: what binds it; or nothing where no record says so."""
    for file, record in records.items():
        if not file.startswith("ncu_"):
            continue
        for entry in record["kernels"]:
            if entry["ladder"] == program and entry["rung"] == rung:
                return bound_by_counters(entry)
    moved = [row for row in rows if row.percent]
    if not moved:
        return ""
    most = max(moved, key=lambda row: row.percent)
    where = f"({html.escape(most.name)}, {html.escape(most.what)})"
    if most.percent >= BUSY:
        return (f"It is bound by memory: it moves {number(most.rate)} GB/s, {percent(most.percent)} of what a copy "
                f"reaches {where}.")
    return (f"It is not bound by the bandwidth of memory: at best it moves {number(most.rate)} GB/s, "
            f"{percent(most.percent)} of what a copy reaches {where}.")


def bound_by_counters(entry):
    memory, busy = entry["dram_percent"], entry["sm_percent"]
    kernel = f"Its longest kernel, <code>{html.escape(entry['kernel'])}</code>,"
    waits = ""
    if "wait" in entry:
        waits = (f" Its warps spend {entry['wait_percent']:.0f} % of their time in the most frequent wait, "
                 f"<em>{entry['wait'].replace('_', ' ')}</em>.")
    if memory >= BUSY and memory >= busy:
        return f"{kernel} is bound by device memory: it uses {memory:.0f} % of the bandwidth.{waits}"
    if busy >= BUSY:
        return (f"{kernel} is bound by the multiprocessors, which are {busy:.0f} % busy; memory is {memory:.0f} % busy."
                f"{waits}")
    return f"{kernel} is bound by waiting: memory is {memory:.0f} % busy, the multiprocessors {busy:.0f} %.{waits}"
