#!/usr/bin/env python3
"""Draws the plots and writes the tables in the READMEs of saxpy, scan and find_repeats from a recorded run.

    benchmarks/cs418_scan_plot.py benchmarks/results/cs418_scan_h200.json
    benchmarks/cs418_scan_plot.py --check benchmarks/results/cs418_scan_h200.json

Writes throughput.svg into the folders scan and find_repeats of cs418_assignment2, and the tables between the marks in
the three READMEs. --check writes nothing and fails when a README's table is another one than the recorded run gives.
"""
import json
import sys
from collections import defaultdict
from pathlib import Path

PEER = {"scan": "cub", "find_repeats": "cub", "saxpy": "cublas"}
FOLDER = Path(__file__).resolve().parent.parent / "cs418_assignment2"
BEGIN = "<!-- table: made by benchmarks/cs418_scan_plot.py -->\n"
END = "\n<!-- end of table -->"
OURS = {"scan": "best", "find_repeats": "fused", "saxpy": "vector"}


def load(path):
    """Returns the context and runs[work][method][n] = (microseconds, GB/s, percent of the copy rate)."""
    document = json.loads(Path(path).read_text())
    runs = defaultdict(lambda: defaultdict(dict))
    for entry in document["benchmarks"]:
        if entry.get("error_occurred"):
            raise SystemExit(f"{entry['name']}: {entry['error_message']}")
        work, method, n = entry["name"].split("/")[:3]
        runs[work][method][int(n)] = (entry["real_time"], entry["GB_per_s"], entry["copy_percent"])
    return document["context"], runs


def size_name(n):
    if n & (n - 1) == 0 and n > 1_000_000:
        return f"2^{n.bit_length() - 1}"
    for unit, letter in ((1_000_000, "M"), (1_000, "k")):
        if n % unit == 0:
            return f"{n // unit}{letter}"
    return str(n)


def table(work, methods):
    """Returns the lines of one README's table; the methods come in the order of the run, which is that of the ladder."""
    sizes = sorted({n for times in methods.values() for n in times})
    lines = ["| method | " + " | ".join(size_name(n) for n in sizes) + " |", "|---" * (len(sizes) + 1) + "|"]
    for method, times in methods.items():
        cells = []
        for n in sizes:
            if n in times:
                us, rate, percent = times[n]
                cells.append(f"{us:.{1 if us < 1000 else 0}f} ({rate:.0f}, {percent:.0f} %)")
            else:
                cells.append("–")
        lines.append(f"| `{method}` | " + " | ".join(cells) + " |")
    ratios = [f"{methods[PEER[work]][n][0] / methods[OURS[work]][n][0]:.2f}" for n in sizes]
    lines.append(f"| **{PEER[work]} / {OURS[work]}** | " + " | ".join(ratios) + " |")
    return lines


def with_table(text, lines):
    """Returns a README's text with `lines` between the marks."""
    before, rest = text.split(BEGIN)
    _, after = rest.split(END)
    return before + BEGIN + "\n" + "\n".join(lines) + "\n" + END + after


def plot(work, methods, context, path):
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as pyplot

    matplotlib.rcParams["svg.hashsalt"] = "scan"  # the same file from the same numbers
    figure, axes = pyplot.subplots(figsize=(8, 4.5))
    for method, times in methods.items():
        points = sorted(times.items())
        if method == OURS[work] == "best":
            continue
        library = method in ("cub", "thrust")
        axes.plot([n for n, _ in points], [values[1] for _, values in points], marker="o", markersize=4,
                  linestyle="--" if library else "-", label=method)
    rate = float(context["copy_rate_GB_per_s"])
    axes.axhline(rate, color="gray", linewidth=1)
    axes.text(axes.get_xlim()[0], rate, " copy from device to device", va="bottom", color="gray", fontsize=8)
    axes.set_xscale("log")
    axes.set_xlabel("numbers in the array")
    axes.set_ylabel("GB/s, read and written")
    axes.set_ylim(bottom=0)
    axes.set_title(f"{work} on {context['device']}, CUDA {int(context['cuda_runtime']) // 1000}")
    axes.legend(fontsize=8)
    axes.grid(alpha=0.3)
    figure.tight_layout()
    figure.savefig(path, metadata={"Date": None})


def main():
    arguments = [argument for argument in sys.argv[1:] if argument != "--check"]
    if len(arguments) != 1:
        raise SystemExit(__doc__)
    check = "--check" in sys.argv
    context, runs = load(arguments[0])
    stale = []
    for work in ("saxpy", "scan", "find_repeats"):
        readme = FOLDER / work / "README.md"
        text = readme.read_text()
        fresh = with_table(text, table(work, runs[work]))
        if fresh != text:
            stale.append(str(readme))
        if not check:
            readme.write_text(fresh)
            if work != "saxpy":
                plot(work, runs[work], context, FOLDER / work / "throughput.svg")
    if check and stale:
        raise SystemExit(f"not what {arguments[0]} says: " + ", ".join(stale))


if __name__ == "__main__":
    main()
