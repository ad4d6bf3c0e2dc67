"""The project's README: how many times as fast as others the ladders are. From the record of the samples."""
from .chapters import HEAT_FAST, HIST_FAST, HISTOGRAM, RAY_FAST
from .ladders import FOLDER, OURS, PEER, runs_of
from .markdown import table
from .records import median

README = "README.md"


def link(path):
    """The name of a README's folder, which leads there."""
    return f"[`{path.split('/')[-2]}`]({path})"


def span(ratios):
    """The smallest and the largest ratio, with two digits: "1.3 to 2.4"."""
    ends = [f"{ratio:.2g}" if ratio < 100 else f"{ratio:.0f}" for ratio in (min(ratios), max(ratios))]
    return " to ".join(dict.fromkeys(ends))


def ratios(samples, ladder, slow, fast):
    """The ratio slow / fast of the times in each run of the ladder that has both methods."""
    result = []
    for run in samples.content:
        times = {row["name"].split(",")[0]: median(row) for row in run["rows"]}
        if run["program"] == ladder and slow in times and fast in times:
            result.append(times[slow] / times[fast])
    return result


def tables(samples):
    size = 100 << 20
    book, shared = (median(samples.only(f"hist_gpu_{memory}_atomics", bytes=size)) for memory in ("gmem", "shmem"))
    fast = median(samples.run("hist_fast", bytes=size, values="random")["replicated"])
    spheres = [samples.run("ray_fast", size=size, spheres=2000) for size in (1024, 4096)]
    rows = [
        ["a histogram with shared-memory atomics", f"[chapter 9]({HISTOGRAM})", "global ones", span([book / shared])],
        ["a histogram", link(HIST_FAST), "the book's first GPU kernel", span([book / fast])],
        ["", "", "CUB", span(ratios(samples, "hist_fast", "library", "replicated"))],
        ["heat, 256² to 16384² cells", link(HEAT_FAST), "the book's version", span(ratios(samples, "heat_fast", "book", "best"))],
        ["2,000 spheres, 1024² and 4096² pixels", link(RAY_FAST), "the book's version",
         span([median(run["book"]) / median(run["depth"]) for run in spheres])]]
    runs = runs_of(samples)
    for work in ("scan", "find_repeats"):
        methods = runs[work]
        theirs, ours = methods[PEER[work]], methods[OURS[work]]
        rows.append([f"{work}, 10,000 to 2^28 numbers", link(f"{FOLDER}/{work}/README.md"), "CUB",
                     span([theirs[n][0] / ours[n][0] for n in ours])])
    return {(README, "gains"): table(["what", "where", "compared with", "times as fast"], rows)}


def plots(_):
    return {}
