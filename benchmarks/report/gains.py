"""The gain of each rung, in its own file: from the records. A line "// Gain over RUNG on an H200: ..." is written from "on"
on, with the GPU of the record and the headline times of RUNG and of the file's own rung; so is "// Time on an H200: ..." of
a first rung, or "// Rate on ..." where the record counts keys per second."""
import re

from . import hashtables, multi
from .tree import ladders

LINE = re.compile(r"^// (Gain over (\w+)|Time|Rate) on an? [^:\n]+:.*$", re.MULTILINE)
MIB = 1 << 20
# The headline runs of a ladder: how a line calls one, and its options.
BOOK_WORKS = {
    "dot_fast": {"2^24 elements": {"n": 1 << 24}, "2^28 elements": {"n": 1 << 28}},
}
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


def works_of(samples, works):
    """{ladder: {work: {rung: ms}}} of the ladders in `works`."""
    found = {}
    for ladder, options_of in works.items():
        titled = "kernel alone" if ladder == "saxpy" else ""
        found[ladder] = {work: {name.split(",")[0]: row["median_ms"]
                                for name, row in samples.run(ladder, titled, **options).items()}
                         for work, options in options_of.items()}
    return found


def of_book(samples):
    """[(unit, {ladder: {work: {rung: value}}})] of a record; so do the others."""
    return [("ms", works_of(samples, BOOK_WORKS))]


def of_hashtables(samples):
    rates = hashtables.keys_per_second(samples, hashtables.LOADS[0])
    steps = {step: {name.split(",")[0]: rate for name, rate in rates.items() if name.endswith(step)}
             for step in ("insert", "find")}
    return [("billion keys/s", {"hashtable_fast": steps})]


def of_samples(samples):
    return [("ms", works_of(samples, WORKS))]


def of_circles(record):
    return [("ms", {"circle_renderer": {run["arguments"].split()[0]: {row["name"]: row["median_ms"] for row in run["rows"]}
                                        for scene in SCENES for run in record.content
                                        if run["arguments"] == f"{scene} --size 1024"}})]


def of_several(record):
    found = {}
    for work, gpus in MULTI.items():
        seconds = {rung: multi.measured(record, rung, gpus, 16384) for rung in ladders()["heat_multi_gpu"][1]}
        found[work] = {rung: 1000 * s for rung, s in seconds.items() if s is not None}
    return [("ms", {"heat_multi_gpu": found})]


def with_gain(text, ladder, rung, device, unit, works):
    """The text of a rung's file with its line as a record of that device gives it. works: {work: {rung: value}}."""
    def line(match):
        base = match[2]
        parts = []
        for work, values in works.items():
            if rung in values and base is None:
                parts.append(f"{work} {short(values[rung])}")
            elif rung in values and base in values:
                parts.append(f"{work} {short(values[base])} -> {short(values[rung])}")
        if not parts:
            raise ValueError(f"{ladder}: no record has times of {rung}" + (f" and {base}" if base else ""))
        said = f"// {match[1]} on {device}: {', '.join(parts)} {unit}"
        if len(said) > 100:
            raise ValueError(f"{ladder}, {rung}: a line of more than 100 columns: {said}")
        return said
    return LINE.sub(line, text)
