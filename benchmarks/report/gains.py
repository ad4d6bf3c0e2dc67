"""The gain of each rung, in its own file: from the records. A line "// Gain over RUNG on an H200: ..." is written from the
colon on, with the headline times of RUNG and of the file's own rung; so is "// Time on an H200: ..." of a first rung."""
import re

from . import multi
from .tree import ladders

LINE = re.compile(r"^// (?:Gain over (\w+)|Time) on an H200:.*$", re.MULTILINE)
MIB = 1 << 20
# The headline runs of a ladder: how a line calls one, and its options.
WORKS = {
    "ray_fast": {"2000 spheres": {"size": 1024, "spheres": 2000}},
    "heat_fast": {"1024^2 cells": {"size": 1024}, "4096^2 cells": {"size": 4096}},
    "hist_fast": {"100 MiB": {"bytes": 100 * MIB, "values": "random"}},
    "saxpy": {"100 million elements": {"n": 100_000_000}},
    "scan": {"10^6 numbers": {"n": 1_000_000}, "2^28 numbers": {"n": 1 << 28}},
    "find_repeats": {"10^6 numbers": {"n": 1_000_000}, "2^28 numbers": {"n": 1 << 28}},
}
SCENES = ("rgb", "rand1M", "micro2M")  # of circle_renderer
MULTI = {"1000 steps, 2 GPUs": 2, "4 GPUs": 4}  # of heat_multi_gpu, 16384 x 16384 cells


def short(ms):
    """Three digits: 0.0901, 9.88, 970."""
    return f"{ms:.0f}" if ms >= 100 else f"{ms:#.3g}"


def times(samples, circles, several):
    """{ladder: {work: {rung: ms}}}"""
    found = {}
    for ladder, works in WORKS.items():
        found[ladder] = {}
        for work, options in works.items():
            if ladder == "saxpy":
                rows = next(run["rows"] for run in samples.content if run["program"] == "saxpy" and
                            run["arguments"] == f"-n {options['n']}" and not run.get("title", "").startswith("whole trip"))
                rows = {row["name"]: row for row in rows}
            else:
                rows = samples.run(ladder, **options)
            found[ladder][work] = {name.split(",")[0]: row["median_ms"] for name, row in rows.items()}
    found["circle_renderer"] = {run["arguments"].split()[0]: {row["name"]: row["median_ms"] for row in run["rows"]}
                                for scene in SCENES for run in circles.content
                                if run["arguments"] == f"{scene} --size 1024"}
    found["heat_multi_gpu"] = {}
    for work, gpus in MULTI.items():
        seconds = {rung: multi.measured(several, rung, gpus, 16384) for rung in ladders()["heat_multi_gpu"][1]}
        found["heat_multi_gpu"][work] = {rung: 1000 * s for rung, s in seconds.items() if s is not None}
    return found


def with_gain(text, ladder, rung, measured):
    """The text of a rung's file with its line as the records give it."""
    def line(match):
        base = match[1]
        parts = []
        for work, ms in measured[ladder].items():
            if rung in ms and base is None:
                parts.append(f"{work} {short(ms[rung])}")
            elif rung in ms and base in ms:
                parts.append(f"{work} {short(ms[base])} -> {short(ms[rung])}")
        if not parts:
            raise ValueError(f"{ladder}: no record has times of {rung}" + (f" and {base}" if base else ""))
        said = match[0].split(":")[0] + ": " + ", ".join(parts) + " ms"
        if len(said) > 100:
            raise ValueError(f"{ladder}, {rung}: a line of more than 100 columns: {said}")
        return said
    return LINE.sub(line, text)
