#!/usr/bin/env python3
"""Draws the plots and prints the tables of cs418_assignment2/circle_renderer.md from the recorded measurements.

  benchmarks/cs418_circles_plot.py benchmarks/results/cs418_circles_h200.json docs/gallery/circle_renderer

Writes ladder_SCENE.svg (one bar a method, logarithmic) for each scene and growth.svg (time over the image's size) into
the folder, and prints the tables as Markdown. Needs nothing but Python.
"""
import json
import math
import pathlib
import sys

METHODS = ["pixels", "tiles", "front", "bins", "tiny", "fast"]
# The course's closed reference on the same GPU, and our targets (issue 5), in ms.
COURSE = {"rgb": 0.0280, "rand10k": 0.4342, "rand100k": 4.21, "pattern": 0.0553, "snowsingle": 2.392,
          "biglittle": 2.774, "rand1M": 25.36, "micro2M": 52.56}
TARGET = {"rgb": 0.012, "pattern": 0.018, "rand10k": 0.036, "rand100k": 0.038, "biglittle": 0.036,
          "snowsingle": 0.12, "rand1M": 0.15, "micro2M": 0.21}
COLOURS = {"pixels": "#8a8f98", "tiles": "#5b8fc7", "front": "#3aa17e", "bins": "#d9a23b", "tiny": "#b06fc0",
           "fast": "#d2533f", "course": "#333333"}


def read(path):
    """{(scene, method, size, part): counters} of the runs without an error."""
    runs = {}
    for run in json.loads(pathlib.Path(path).read_text())["benchmarks"]:
        if run.get("error_occurred"):
            continue
        scene, method, size, part = run["name"].split("/")[:4]
        runs[scene, method, int(size), part] = run
    return runs


def text(x, y, words, size=13, anchor="start", colour="#222"):
    return (f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}" text-anchor="{anchor}" fill="{colour}" '
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
    parts = [text(10, 22, f"{scene}: ms a frame, 1024 x 1024, NVIDIA H200 (logarithmic)", 14)]
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
                     f'fill="{COLOURS[name]}"/>')
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
    parts = [text(10, 22, "fast: ms a frame over the image's side, NVIDIA H200", 14)]
    for ms in (0.01, 0.1, 1, 10):
        parts.append(f'<line x1="{left}" y1="{y(ms):.1f}" x2="{right}" y2="{y(ms):.1f}" stroke="#ddd"/>')
        parts.append(text(left - 8, y(ms) + 4, f"{ms:g}", 11, "end", "#666"))
    for size in sizes:
        parts.append(text(x(size), bottom + 18, str(size), 11, "middle", "#666"))
    for scene, colour in zip(scenes, ("#3aa17e", "#5b8fc7", "#d9a23b", "#d2533f")):
        points = [(x(size), y(runs[scene, "fast", size, "render"]["median_ms"])) for size in sizes
                  if (scene, "fast", size, "render") in runs]
        if not points:
            continue
        parts.append(f'<polyline fill="none" stroke="{colour}" stroke-width="2" points="'
                     + " ".join(f"{px:.1f},{py:.1f}" for px, py in points) + '"/>')
        parts += [f'<circle cx="{px:.1f}" cy="{py:.1f}" r="3" fill="{colour}"/>' for px, py in points]
        parts.append(text(points[-1][0] + 8, points[-1][1] + 4, scene, 12, "start", colour))
    return svg(500, 330, parts)


def number(ms):
    return f"{ms:.4f}" if ms < 1 else f"{ms:.2f}"


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    runs = read(sys.argv[1])
    folder = pathlib.Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    scenes = list(dict.fromkeys(scene for scene, _, size, _ in runs if size == 1024 and scene != "rand10M"))

    print("| scene | " + " | ".join(METHODS) + " | course | target | fast against the course |")
    print("|---" * (len(METHODS) + 4) + "|")
    for scene in scenes:
        times = {m: runs[scene, m, 1024, "render"]["median_ms"] for m in METHODS if (scene, m, 1024, "render") in runs}
        rows = list(times.items()) + ([("course", COURSE[scene])] if scene in COURSE else [])
        (folder / f"ladder_{scene}.svg").write_text(ladder(scene, rows))
        cells = [number(times[m]) if m in times else "" for m in METHODS]
        course = f"{COURSE[scene]:.4g}" if scene in COURSE else ""
        target = f"{TARGET[scene]:g}" if scene in TARGET else ""
        against = f"{COURSE[scene] / times['fast']:.1f} x" if scene in COURSE and "fast" in times else ""
        print(f"| {scene} | " + " | ".join(cells) + f" | {course} | {target} | {against} |")

    print("\n| scene | clear | advance | render | together | bytes a circle |\n|---|---|---|---|---|---|")
    for scene in scenes:
        parts = [runs.get((scene, "fast", 1024, part)) for part in ("clear", "advance", "render")]
        if None in parts:
            continue
        clear, advance, render = (part["median_ms"] for part in parts)
        print(f"| {scene} | {clear:.4f} | {advance:.4f} | {render:.4f} | {clear + advance + render:.4f} | "
              f"{parts[2]['bytes_a_circle']:.0f} |")

    print("\n| scene | size | render (median) | best | bytes a circle |\n|---|---|---|---|---|")
    for (scene, method, size, part), run in sorted(runs.items(), key=lambda item: (item[0][0], item[0][2])):
        if method == "fast" and part == "render" and (size != 1024 or scene == "rand10M"):
            print(f"| {scene} | {size} | {number(run['median_ms'])} | {number(run['best_ms'])} | "
                  f"{run['bytes_a_circle']:.0f} |")
    (folder / "growth.svg").write_text(growth(runs))


main()
