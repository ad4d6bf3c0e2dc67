#!/usr/bin/env python3
"""Draws the plots of cs418_assignment2/README.md and prints its tables from a recorded run.

    cs418_scan_benchmark --benchmark_out=results/cs418_scan_h200.json --benchmark_out_format=json
    cs418_scan_plot.py results/cs418_scan_h200.json ../cs418_assignment2

Writes scan_throughput.svg and find_repeats_throughput.svg into the folder and markdown tables to standard output.
"""
import json
import sys
from collections import defaultdict
from pathlib import Path

ORDER = {
    "scan": ["sweep", "blocks", "lookback", "exchange", "pipeline", "best", "thrust", "cub"],
    "find_repeats": ["scan", "fused", "cub"],
    "saxpy": ["simple", "vector", "cublas"],
}
PEER = {"scan": "cub", "find_repeats": "cub", "saxpy": "cublas"}
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
    sizes = sorted({n for times in methods.values() for n in times})
    print(f"\n### {work}: microseconds (GB/s, percent of the copy rate)\n")
    print("| method | " + " | ".join(size_name(n) for n in sizes) + " |")
    print("|---" * (len(sizes) + 1) + "|")
    for method in ORDER[work]:
        cells = []
        for n in sizes:
            if n in methods[method]:
                us, rate, percent = methods[method][n]
                cells.append(f"{us:.{1 if us < 1000 else 0}f} ({rate:.0f}, {percent:.0f} %)")
            else:
                cells.append("–")
        print(f"| `{method}` | " + " | ".join(cells) + " |")
    ratios = [f"{methods[PEER[work]][n][0] / methods[OURS[work]][n][0]:.2f}" for n in sizes]
    print(f"| **{PEER[work]} / {OURS[work]}** | " + " | ".join(ratios) + " |")


def plot(work, methods, context, path):
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as pyplot

    matplotlib.rcParams["svg.hashsalt"] = "scan"  # the same file from the same numbers
    figure, axes = pyplot.subplots(figsize=(8, 4.5))
    for method in ORDER[work]:
        points = sorted(methods[method].items())
        if not points or method == OURS[work] == "best":
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
    if len(sys.argv) != 3:
        raise SystemExit(__doc__)
    context, runs = load(sys.argv[1])
    for work in ("saxpy", "scan", "find_repeats"):
        table(work, runs[work])
    for work in ("scan", "find_repeats"):
        plot(work, runs[work], context, Path(sys.argv[2]) / f"{work}_throughput.svg")


if __name__ == "__main__":
    main()
