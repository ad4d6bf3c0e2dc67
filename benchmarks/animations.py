#!/usr/bin/env python3
"""animations.py [BIN] [--write|--check]: what a frame of each animated sample costs on the emulated device, as Markdown.

BIN is the folder of the built samples (default build/emulated/bin). Each sample runs without a window and in a window on
a display of its own (Xvfb), at its default size and at 512 x 512. Counted is processor time,
the drawing of OpenGL in software included, so that what else runs on the machine hardly matters: the difference between
a run of many frames and one of few, per frame, the median of three. --write puts the table into emulator/README.md;
--check says which rows are missing there, and measures nothing.
"""

import argparse
import os
import pathlib
import re
import resource
import statistics
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True  # no __pycache__ next to the scripts
from report.markdown import table, with_table

ROOT = pathlib.Path(__file__).resolve().parent.parent
README = ROOT / "emulator/README.md"
NAME, MARK = "animations", "made by benchmarks/animations.py"
SCENES = {"circle_renderer": ["sunflower", "snow"]}
TURNS = 3


def processor_ms(command):
    """The processor time of a command, in milliseconds."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True, timeout=300)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return 1000 * (after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime)


def frame_ms(command):
    """The processor time of one frame."""

    def run(frames):
        return processor_ms([*command, "--frames", str(frames)])

    few = 2
    rough = max((run(few + 4) - run(few)) / 4, 1)
    more = int(min(max(500 / rough, 3), 50))
    return statistics.median((run(few + more) - run(few)) / more for _ in range(TURNS))


def default_size(program):
    text = subprocess.run([program, "--help"], capture_output=True, text=True, check=True).stdout
    return int(re.search(r"--size N.*default (\d+)", text).group(1))


def rows(folder):
    """How the row of each sample or scene begins, its command, and its default size."""
    for line in (folder.parent / "samples.list").read_text().splitlines():
        name, _, kind = line.split("|")[:3]
        if kind != "animation":
            continue
        program = str(folder / name)
        size = default_size(program)
        for scene in SCENES.get(name, [""]):
            text = " ".join([f"`{name}`", scene]).strip()
            yield f"| {text} | {size} |", [program, *scene.split()], size


def measured(command, size, picture):
    """The four cells of a sample's times."""
    cells = []
    for pixels in [size] if size == 512 else [size, 512]:
        for where in (["--headless", "--output", picture], ["--window"]):
            ms = frame_ms([*command, "--size", str(pixels), *where])
            cells.append(f"{ms:.0f}" if ms >= 9.5 else f"{ms:.1f}")
    return cells * 2 if size == 512 else cells


def missing_rows(folder):
    page = README.read_text()
    written = page[page.index(f"<!-- table {NAME}: {MARK} -->"):]
    return [begin for begin, _, _ in rows(folder) if begin not in written]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("bin", nargs="?", type=pathlib.Path, default=ROOT / "build/emulated/bin")
    parser.add_argument("--write", action="store_true", help="put the table into emulator/README.md")
    parser.add_argument("--check", action="store_true", help="only say which rows emulator/README.md lacks")
    options = parser.parse_args()

    if options.check:
        missing = missing_rows(options.bin)
        for begin in missing:
            print(f"emulator/README.md has no row {begin} benchmarks/animations.py --write makes it")
        sys.exit(1 if missing else 0)
    os.environ["EMULATED_THREADS"] = "1"
    with tempfile.TemporaryDirectory() as folder:
        display = subprocess.Popen(
            ["Xvfb", "-displayfd", "1", "-screen", "0", "1280x1024x24"],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        try:
            os.environ["DISPLAY"] = ":" + display.stdout.readline().strip()
            lines = []
            for begin, command, size in rows(options.bin):
                cells = measured(command, size, os.path.join(folder, "frame.ppm"))
                print(begin, *cells, file=sys.stderr)
                lines.append([*begin.strip("| ").split(" | "), *cells])
        finally:
            display.terminate()
            display.wait()
    head = ["sample", "default size", "headless", "in a window", "headless, 512", "in a window, 512"]
    text = table(head, lines)
    if options.write:
        README.write_text(with_table(README.read_text(), NAME, text, MARK))
    else:
        print(text)


main()
