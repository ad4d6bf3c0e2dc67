#!/usr/bin/env python3
"""Draws the plots and prints the tables of cs418_assignment2/circle_renderer/README.md from the recorded measurements.

  benchmarks/cs418_circles_plot.py RESULTS.json PLOTS README.md
  benchmarks/cs418_circles_plot.py --check RESULTS.json README.md

Writes ladder_SCENE.svg (one bar per method, logarithmic) for each scene and growth.svg (time over the image's size) into
the folder PLOTS, and the tables into the README, each between a line "<!-- table NAME ... -->" and a line
"<!-- end of table -->". With --check it writes nothing and ends with 1 when a table differs. Needs nothing but Python.
"""
import json
import math
import pathlib
import re
import sys

METHODS = ["pixels", "cached", "tiles", "filled", "front", "few", "bins", "tiny", "fast"]
# The course's closed reference on the same GPU, and our targets, in ms.
COURSE = {"rgb": 0.0280, "rand10k": 0.4342, "rand100k": 4.21, "pattern": 0.0553, "snowsingle": 2.392,
          "biglittle": 2.774, "rand1M": 25.36, "micro2M": 52.56}
TARGET = {"rgb": 0.012, "pattern": 0.018, "rand10k": 0.036, "rand100k": 0.038, "biglittle": 0.036,
          "snowsingle": 0.12, "rand1M": 0.15, "micro2M": 0.21}
COLORS = {"pixels": "#8a8f98", "cached": "#b3b7bd", "tiles": "#5b8fc7", "filled": "#8fb4de", "front": "#3aa17e",
          "few": "#7cc4ab", "bins": "#d9a23b", "tiny": "#b06fc0", "fast": "#d2533f", "course": "#333333"}


def read(path):
    """{(scene, method, size, part): counters} of the runs without an error."""
    runs = {}
    for run in json.loads(pathlib.Path(path).read_text())["benchmarks"]:
        if run.get("error_occurred"):
            continue
        scene, method, size, part = run["name"].split("/")[:4]
        if "bytes_a_circle" in run:  # the counter's name in records of 2026-11-20
            run["bytes_per_circle"] = run["bytes_a_circle"]
        runs[scene, method, int(size), part] = run
    return runs


def text(x, y, words, size=13, anchor="start", color="#222"):
    return (f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}" text-anchor="{anchor}" fill="{color}" '
            f'font-family="sans-serif">{words}</text>')


def svg(width, height, parts):
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}">'
            f'<rect width="{width}" height="{height}" fill="white"/>' + "".join(parts) + "</svg>\n")


def ladder(scene, rows):
    """Horizontal bars on a logarithmic scale from 0.005 ms; rows = [(name, ms)]."""
    left, right, top, step = 80, 430, 40, 26
    low = 0.005
    high = max(ms for _, ms in rows) * 1.2
    def x(ms):
        return left + (right - left) * math.log(ms / low) / math.log(high / low)
    parts = [text(10, 22, f"{scene}: ms per frame, 1024 x 1024, NVIDIA H200 (logarithmic)", 14)]
    decade = 0.01
    bottom = top + step * len(rows)
    while decade < high:
        parts.append(f'<line x1="{x(decade):.1f}" y1="{top - 6}" x2="{x(decade):.1f}" y2="{bottom}" stroke="#ddd"/>')
        parts.append(text(x(decade), bottom + 16, f"{decade:g}", 11, "middle", "#666"))
        decade *= 10
    for i, (name, ms) in enumerate(rows):
        y = top + i * step
        parts.append(text(left - 8, y + 14, name, 13, "end"))
        parts.append(f'<rect x="{left}" y="{y}" width="{max(1, x(ms) - left):.1f}" height="{step - 8}" '
                     f'fill="{COLORS[name]}"/>')
        parts.append(text(x(ms) + 6, y + 14, f"{ms:.4g}", 12))
    return svg(500, bottom + 26, parts)


def growth(runs):
    scenes = ["rand10k", "snowsingle", "rand1M", "micro2M"]
    sizes = [256, 512, 1024, 2048, 4096]
    left, right, top, bottom = 60, 400, 40, 300
    low, high = 0.01, 10
    def x(size):
        return left + (right - left) * math.log(size / 256) / math.log(16)
    def y(ms):
        return bottom - (bottom - top) * math.log(ms / low) / math.log(high / low)
    parts = [text(10, 22, "fast: ms per frame over the image's side, NVIDIA H200", 14)]
    for ms in (0.01, 0.1, 1, 10):
        parts.append(f'<line x1="{left}" y1="{y(ms):.1f}" x2="{right}" y2="{y(ms):.1f}" stroke="#ddd"/>')
        parts.append(text(left - 8, y(ms) + 4, f"{ms:g}", 11, "end", "#666"))
    for size in sizes:
        parts.append(text(x(size), bottom + 18, str(size), 11, "middle", "#666"))
    for scene, color in zip(scenes, ("#3aa17e", "#5b8fc7", "#d9a23b", "#d2533f")):
        points = [(x(size), y(runs[scene, "fast", size, "render"]["median_ms"])) for size in sizes
                  if (scene, "fast", size, "render") in runs]
        if not points:
            continue
        parts.append(f'<polyline fill="none" stroke="{color}" stroke-width="2" points="'
                     + " ".join(f"{px:.1f},{py:.1f}" for px, py in points) + '"/>')
        parts += [f'<circle cx="{px:.1f}" cy="{py:.1f}" r="3" fill="{color}"/>' for px, py in points]
        parts.append(text(points[-1][0] + 8, points[-1][1] + 4, scene, 12, "start", color))
    return svg(500, 330, parts)


def number(ms):
    return f"{ms:.4f}" if ms < 1 else f"{ms:.2f}"


def scenes_of(runs):
    return list(dict.fromkeys(scene for scene, _, size, _ in runs if size == 1024 and scene != "rand10M"))


def times_of(runs, scene):
    return {m: runs[scene, m, 1024, "render"]["median_ms"] for m in METHODS if (scene, m, 1024, "render") in runs}


def table(head, rows):
    lines = ["| " + " | ".join(head) + " |", "|---" * len(head) + "|"]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows]) + "\n"


def tables(runs):
    """{name: Markdown} of the README's tables."""
    scenes = scenes_of(runs)
    render = []
    for scene in scenes:
        times = times_of(runs, scene)
        cells = [number(times[m]) if m in times else "" for m in METHODS]
        course = f"{COURSE[scene]:.4g}" if scene in COURSE else ""
        target = f"{TARGET[scene]:g}" if scene in TARGET else ""
        against = f"{COURSE[scene] / times['fast']:.1f} x" if scene in COURSE and "fast" in times else ""
        render.append([scene, *cells, course, target, against])

    frame = []
    for scene in scenes:
        parts = [runs.get((scene, "fast", 1024, part)) for part in ("clear", "advance", "render")]
        if None in parts:
            continue
        times = [part["median_ms"] for part in parts]
        frame.append([scene, *(f"{ms:.4f}" for ms in times), f"{sum(times):.4f}", f"{parts[2]['bytes_per_circle']:.0f}"])

    sizes = [[scene, str(size), number(run["median_ms"]), number(run["best_ms"]), f"{run['bytes_per_circle']:.0f}"]
             for (scene, method, size, part), run in sorted(runs.items(), key=lambda item: (item[0][0], item[0][2]))
             if method == "fast" and part == "render" and (size != 1024 or scene == "rand10M")]
    return {"render": table(["scene", *METHODS, "course", "target", "fast against the course"], render),
            "frame": table(["scene", "clear", "advance", "render", "together", "bytes per circle"], frame),
            "sizes": table(["scene", "size", "render (median)", "best", "bytes per circle"], sizes)}


def with_tables(readme, runs):
    """The README's text with the tables as the runs have them."""
    for name, markdown in tables(runs).items():
        pattern = rf"(<!-- table {name}\b[^\n]*-->\n).*?(<!-- end of table -->)"
        readme, found = re.subn(pattern, lambda match: match[1] + "\n" + markdown + "\n" + match[2], readme, flags=re.S)
        if found != 1:
            sys.exit(f"the README has {found} places for the table {name}, not one")
    return readme


def main():
    arguments = sys.argv[1:]
    check = arguments[:1] == ["--check"]
    if len(arguments) != 3:
        sys.exit(__doc__)
    runs = read(arguments[1] if check else arguments[0])
    readme = pathlib.Path(arguments[2])
    text_now = readme.read_text()
    text_wanted = with_tables(text_now, runs)
    if check:
        if text_now != text_wanted:
            sys.exit(f"the tables of {readme} differ from the recorded measurements; {sys.argv[0]} writes them anew")
        return
    readme.write_text(text_wanted)
    folder = pathlib.Path(arguments[1])
    folder.mkdir(parents=True, exist_ok=True)
    for scene in scenes_of(runs):
        rows = list(times_of(runs, scene).items()) + ([("course", COURSE[scene])] if scene in COURSE else [])
        (folder / f"ladder_{scene}.svg").write_text(ladder(scene, rows))
    (folder / "growth.svg").write_text(growth(runs))


main()
