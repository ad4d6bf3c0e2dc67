"""Tables and plots of circle_renderer: from the record of its --benchmark over the scenes."""
from .markdown import table
from .plots import Series, line_plot
from .tree import ladders

README = "cs418_assignment2/circle_renderer/README.md"
PLOTS = "docs/gallery/circle_renderer"
# Our targets in ms.
TARGET = {"rgb": 0.012, "pattern": 0.018, "rand10k": 0.036, "rand100k": 0.038, "biglittle": 0.036,
          "snowsingle": 0.12, "rand1M": 0.15, "micro2M": 0.21}


def runs_of(record):
    """{(scene, method, size): {"median_ms": ..., "best_ms": ...}}."""
    runs = {}
    for run in record.content:
        scene, _, size = run["arguments"].split()
        runs |= {(scene, row["name"], int(size)): row for row in run["rows"]}
    return runs


def number(ms):
    return f"{ms:.4f}" if ms < 1 else f"{ms:.2f}"


def scenes_of(runs):
    return list(dict.fromkeys(scene for scene, _, size in runs if size == 1024))


def methods_of(runs):
    """The rungs that were recorded, in their order."""
    recorded = {method for _, method, _ in runs}
    return [rung for rung in ladders()["circle_renderer"][1] if rung in recorded]


def times_of(runs, scene):
    return {m: runs[scene, m, 1024]["median_ms"] for m in methods_of(runs) if (scene, m, 1024) in runs}


def tables(record):
    """{(README, name): Markdown}."""
    runs = runs_of(record)
    scenes, methods = scenes_of(runs), methods_of(runs)
    reference = record.reference("course")
    render = []
    for scene in scenes:
        times = times_of(runs, scene)
        cells = [number(times[m]) if m in times else "" for m in methods]
        course = reference.get(f"circles/{scene}")
        target = f"{TARGET[scene]:g}" if scene in TARGET else ""
        against = f"{course / times['fast']:.1f} x" if course and "fast" in times else ""
        render.append([scene, *cells, f"{course:.4g}" if course else "", target, against])

    sizes = [[scene, str(size), number(run["median_ms"]), number(run["best_ms"])]
             for (scene, method, size), run in sorted(runs.items(), key=lambda item: (item[0][0], item[0][2]))
             if method == "fast" and size != 1024]
    found = {"render": table(["scene", *methods, "course", "target", "fast against the course"], render),
             "sizes": table(["scene", "size", "median", "best"], sizes)}
    return {(README, name): markdown for name, markdown in found.items()}


def plots(record):
    """{path: SVG}: the time over the image's size."""
    runs = runs_of(record)
    note = f"{record.device}, {record.context['date']}; logarithmic"
    series = []
    for scene in ("rand10k", "snowsingle", "rand1M", "micro2M"):
        points = [(size, runs[scene, "fast", size]["median_ms"]) for size in (256, 512, 1024, 2048, 4096)
                  if (scene, "fast", size) in runs]
        series.append(Series(scene, points))
    plot = line_plot("fast: ms per frame over the image's side", note, "pixels per side", series, y_log=True,
                     unit=" ms")
    return {f"{PLOTS}/growth.svg": plot}
