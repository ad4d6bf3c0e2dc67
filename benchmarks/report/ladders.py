"""Tables and plots of saxpy, scan and find_repeats: from the record of the samples."""
from collections import defaultdict

from .markdown import milliseconds, table
from .plots import Series, line_plot, size_name
from .records import gigabytes_per_second, median

FOLDER = "cs418_assignment2"
PEER = {"scan": "cub", "find_repeats": "cub", "saxpy": "cublas"}
OURS = {"scan": "best", "find_repeats": "fused", "saxpy": "vector"}
LIBRARIES = ("cub", "thrust", "cublas")
WORKS = ("saxpy", "scan", "find_repeats")
TRIP = 100_000_000  # elements of the table of trips


def runs_of(record):
    """runs[work][method][n] = (microseconds, GB/s, percent of the copy rate)."""
    runs = defaultdict(lambda: defaultdict(dict))
    for run in record.content:
        if run["program"] not in WORKS or run.get("title", "").startswith("whole trip"):
            continue
        n = int(run["arguments"].split()[-1])
        for row in run["rows"]:
            copy_rate = run.get("copy_GB_per_s", record.copy_rate)
            rate = gigabytes_per_second(row)
            runs[run["program"]][row["name"]][n] = (1000 * median(row), rate, 100 * rate / copy_rate)
    return runs


def times_table(work, methods, reference):
    """The methods come in the order of the run, which is that of the ladder. reference: {"scan/1000000": ms} of the course's
    programs."""
    sizes = sorted({n for times in methods.values() for n in times})
    rows = []
    for method, times in methods.items():
        cells = []
        for n in sizes:
            if n in times:
                us, rate, percent = times[n]
                cells.append(f"{us:.{1 if us < 1000 else 0}f} ({rate:.0f}, {percent:.0f} %)")
            else:
                cells.append("–")
        rows.append([f"`{method}`", *cells])
    course = [reference.get(f"{work}/{n}") for n in sizes]
    if any(course):
        rows.append(["the course's", *("–" if ms is None else f"{1000 * ms:.0f}" for ms in course)])
    ratios = [f"{methods[PEER[work]][n][0] / methods[OURS[work]][n][0]:.2f}" for n in sizes]
    rows.append([f"**{PEER[work]} / {OURS[work]}**", *ratios])
    return table(["method", *(size_name(n) for n in sizes)], rows)


def trips_table(record):
    """The trips of saxpy, and how many times as long as the kernel they take."""
    kernel = median(record.run("saxpy", "kernel alone", n=TRIP)["vector"])
    rows = [[f"`{name}`" if " " not in name else name, milliseconds(median(row)), f"{gigabytes_per_second(row):.1f}",
             f"{median(row) / kernel:.0f}"] for name, row in record.run("saxpy", "whole trip", n=TRIP).items()]
    return table(["trip of 100M elements", "ms", "GB/s over the bus", "times the kernel `vector`"], rows)


def tables(record):
    runs = runs_of(record)
    reference = record.reference("course")
    result = {(f"{FOLDER}/{work}/README.md", "times"): times_table(work, runs[work], reference) for work in WORKS}
    result[f"{FOLDER}/saxpy/README.md", "trips"] = trips_table(record)
    return result


def plots(record):
    runs, result = runs_of(record), {}
    for work in WORKS:
        series = [Series(method, [(n, values[2]) for n, values in sorted(times.items())], method in LIBRARIES)
                  for method, times in runs[work].items() if method != "best"]
        names = {n: size_name(n) for one in series for n, _ in one.points}
        result[f"{FOLDER}/{work}/throughput.svg"] = line_plot(
            f"{work}: bytes read and written, in percent of the copy's rate", record.where(), "numbers in the array",
            series, limit=(100, "a copy from device to device"), x_names=names, unit=" %")
    return result
