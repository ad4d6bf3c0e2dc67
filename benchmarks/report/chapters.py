"""Tables and plots of chapters 6, 7 and 9: from the record of the samples."""
from .markdown import milliseconds, table
from .plots import Series, line_plot, size_name
from .records import median, percent_of_limit

RAY = "chapter06_constant_memory/README.md"
RAY_FAST = "chapter06_constant_memory/ray_fast/README.md"
HEAT = "chapter07_texture_memory/README.md"
HEAT_FAST = "chapter07_texture_memory/heat_fast/README.md"
HISTOGRAM = "chapter09_atomics/README.md"
HIST_FAST = "chapter09_atomics/hist_fast/README.md"

MIB = 1 << 20
HEAT_SIZES = [256, 512, 1024, 2048, 4096, 8192]
DEEP = 16384  # with 10 steps
SPHERES = [20, 60, 200, 600, 2000, 6000]
VALUES = [("random", "random"), ("zeros", "zeros"), ("text", "text"), ("two", "two values")]


def heat_run(samples, size):
    steps = {"steps": 10} if size == DEEP else {}
    rows = samples.run("heat_fast", size=size, **steps)
    return {name.split(",")[0]: row for name, row in rows.items()}  # "tiled, 15 passes"


def heat_passes(samples, size):
    steps = {"steps": 10} if size == DEEP else {}
    rows = samples.run("heat_fast", size=size, **steps)
    return {name.split(",")[0]: int(name.split(",")[1].split()[0]) for name in rows}


def picture(readme):
    """The line that shows the plot next to a README."""
    return f"![{readme.split('/')[-2]}: percent of the limit](limit.svg)\n\n"


def tables(samples):
    """{(README, name): Markdown}."""
    result = {}

    rows = []
    for spheres in (20, 200, 2000):
        times = [median(samples.only(program, size=1024, spheres=spheres)) for program in ("ray_noconst", "ray")]
        rows.append([str(spheres), *map(milliseconds, times), f"{times[1] / times[0]:.2f}"])
    result[RAY, "ray"] = table(["spheres", "`ray_noconst`", "`ray`", "constant / global"], rows)

    broadcast, rows = samples.run("constant_broadcast"), []
    for words in (1, 2, 4, 8, 16, 32):
        constant, world = (median(broadcast[f"{kind}, {words}"]) for kind in ("constant", "global"))
        rows.append([str(words), milliseconds(constant), milliseconds(world), f"{constant / world:.3g}"])
    result[RAY, "broadcast"] = table(["different words per warp", "constant ms", "global ms", "constant / global"],
                                     rows)

    scenes = [(1024, 20), (1024, 2000), (4096, 2000)]
    runs = [samples.run("ray_fast", size=size, spheres=spheres) for size, spheres in scenes]
    rows = [[f"`{method}`", *(milliseconds(median(run[method])) for run in runs)] for method in runs[0]]
    best = [min(median(row) for row in run.values()) for run in runs]
    rows.append(["`book` / best", *(f"{median(run['book']) / ms:.3g}" for run, ms in zip(runs, best))])
    head = ["rung", *(f"{size} × {size}, {spheres} spheres" for size, spheres in scenes)]
    result[RAY_FAST, "times"] = picture(RAY_FAST) + table(head, rows)

    rows = []
    for size in (1024, 4096, 8192):
        times = [median(samples.only(program, size=size)) for program in ("heat_notexture", "heat", "heat_2d")]
        rows.append([str(size), milliseconds(times[0])]
                    + [f"{milliseconds(ms)} ({100 * (ms / times[0] - 1):+.0f} %)" for ms in times[1:]])
    result[HEAT, "textures"] = table(["size", "`heat_notexture`", "`heat` (1D texture)", "`heat_2d` (2D texture)"],
                                     rows)

    sizes = [1024, 4096, DEEP]
    runs = {size: heat_run(samples, size) for size in sizes}
    passes = {size: heat_passes(samples, size) for size in (1024, 4096)}
    rows = []
    for method in runs[1024]:
        times = [milliseconds(median(runs[size][method])) if method in runs[size] else "does not fit" for size in sizes]
        few, many = passes[1024][method], passes[4096].get(method)
        said = str(many) if many == few else f"{many} ({few} at 1024²)" if many else str(few)
        limit = f"{percent_of_limit(runs[4096][method], samples.copy_rate):.0f}" if many else ""
        rows.append([f"`{method}`", *times, said, limit])
    head = ["rung", "1024²", "4096²", "16384²", "passes for 90 steps", "% of the limit at 4096²"]
    result[HEAT_FAST, "times"] = picture(HEAT_FAST) + table(head, rows)

    rows = []
    for program, more, name in (("hist_gpu_gmem_atomics", {}, ""), ("hist_gpu_shmem_atomics", {}, ""),
                                ("hist_gpu_shmem_atomics", {"blocks_per_sm": 8}, " --blocks-per-sm 8")):
        cells = []
        for data in ({"bytes": 100 * MIB}, {"input": f"ZEROS{100 * MIB}"}):
            ms = median(samples.only(program, **data, **more))
            cells.append(f"{milliseconds(ms)} ms, {100 * MIB * 1e-6 / ms:.3g} GB/s")
        rows.append([f"`{program}{name}`", *cells])
    result[HISTOGRAM, "histograms"] = table(["program", "random bytes", "all zeros"], rows)

    columns = [(size, values) for size in (100 * MIB, 1024 * MIB) for values, _ in VALUES]
    runs = {column: samples.run("hist_fast", bytes=column[0], values=column[1]) for column in columns}
    names = {"library": "`library` (CUB)"}
    rows = [[names.get(method, f"`{method}`"), *(milliseconds(median(runs[column][method])) for column in columns)]
            for method in runs[columns[0]]]
    names = {100 * MIB: "100 MiB ", 1024 * MIB: "1 GiB "}
    head = [(names[size] if values == "random" else "") + dict(VALUES)[values] for size, values in columns]
    result[HIST_FAST, "times"] = picture(HIST_FAST) + table(["rung", *head], rows)
    sweep = samples.run("hist_fast", sweep="", bytes=100 * MIB)
    result[HIST_FAST, "blocks"] = table(["blocks per multiprocessor", *sweep],
                                        [["ms", *(milliseconds(median(row)) for row in sweep.values())]])
    return result


def plots(samples):
    """{path: SVG}."""
    note = samples.where()
    copy_rate = samples.copy_rate
    result = {}

    series = {}
    for size in HEAT_SIZES:
        for method, row in heat_run(samples, size).items():
            one_pass_per_step = 12e-6 * size * size * 90 / copy_rate  # ms
            series.setdefault(method, []).append((size, 100 * one_pass_per_step / row["median_ms"]))
    series.pop("best", None)
    result[HEAT_FAST.replace("README.md", "limit.svg")] = line_plot(
        "heat_fast: percent of what one pass over memory per step could reach", note,
        "cells per side of the plate, 90 steps per frame", [Series(name, points) for name, points in series.items()],
        limit=(100, "one pass per step, 12 bytes per cell, at the copy's rate", "below"), y_log=True, unit=" %")

    series = {}
    for size in (1, 4, 16, 64, 100, 256, 1024):
        for method, row in samples.run("hist_fast", bytes=size * MIB, values="random").items():
            series.setdefault(method, []).append((size, percent_of_limit(row, copy_rate)))
    result[HIST_FAST.replace("README.md", "limit.svg")] = line_plot(
        "hist_fast: bytes read, in percent of the copy's rate", note, "MiB of random bytes",
        [Series(name, points, name == "library") for name, points in series.items()],
        limit=(100, "a copy from device to device"), unit=" %")

    series, writing = {}, 4e-6 * 1024 * 1024 / copy_rate
    for spheres in SPHERES:
        for method, row in samples.run("ray_fast", size=1024, spheres=spheres).items():
            series.setdefault(method, []).append((spheres, 100 * writing / row["median_ms"]))
    result[RAY_FAST.replace("README.md", "limit.svg")] = line_plot(
        "ray_fast, 1024 × 1024: percent of the rate at which the picture could be written", note, "spheres",
        [Series(name, points) for name, points in series.items()],
        limit=(100, "the picture's 4 MiB, written at the copy's rate"), x_names={n: size_name(n) for n in SPHERES},
        y_log=True, unit=" %")
    return result
