#!/usr/bin/env python3
"""The list of samples, from the calls of add_sample() in their folders, and the first lines of files. CMake calls it:

    samples.py list                                the list, for an installation
    samples.py purpose NAME.cu FOLDER FILE.cpp     writes a source with what --help shows (common/options.cpp)
"""
import glob
import os
import re
import shlex
import sys
from collections import namedtuple

root = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))

# `file` is the .cu and `picture` a file of the project or empty, both from `root`; `kind`: still, animation or numeric;
# `needs`: a variable of CMake, or empty; `purpose`: "what it shows"; `drawing`: a file of the project, or empty; `step`:
# arguments that --step adds for the page of the site.
Sample = namedtuple("Sample", "name file kind picture needs purpose drawing step", defaults=("", ""))


def purpose_of(path, is_needed=False):
    """WORDS of the line "// NAME - WORDS.", with which NAME.cu begins, and N_NAME.cuh after "#pragma once"; otherwise
    nothing, or, where it is needed, the end."""
    name = re.sub(r"^\d+_", "", os.path.basename(path).split(".")[0])
    text = ""
    if os.path.exists(path):
        with open(path, encoding="utf-8", errors="replace") as file:
            text = file.read(1000)
    match = re.match(r"(?:#pragma once\n)?// (\w+) - ([^|\n]+)\.\n", text)
    if match and match[1] == name:
        return match[2]
    if is_needed:
        sys.exit(f'{path}: it must begin with "// {name} - what it is, in a few words."')
    return ""


def rungs_of(folder):
    """The rungs of the ladder in this folder, with their purposes, in reading order."""
    paths = sorted(glob.glob(f"{glob.escape(folder)}/[0-9]_*.cuh"))
    return [(os.path.basename(path)[2:-4], purpose_of(path, True)) for path in paths]


def samples():
    """All samples, in the order of the folders and of the calls. An installation has them in a file."""
    installed = os.path.join(root, "samples.list")
    if os.path.exists(installed):
        with open(installed, encoding="utf-8") as file:
            return [Sample(*line.rstrip("\n").split("|")) for line in file]
    found = []
    for part in ("chapter", "appendix", "cs418"):
        for path in sorted(glob.glob(f"{glob.escape(root)}/{part}*/CMakeLists.txt")):
            with open(path, encoding="utf-8") as file:
                calls = re.findall(r"^add_sample\(([^)]*)\)", file.read(), re.MULTILINE)
            found += [sample_of(os.path.basename(os.path.dirname(path)), shlex.split(call, True)) for call in calls]
    return found


def sample_of(folder, words):
    name = words[0]
    file = f"{folder}/{name}.cu"
    if not os.path.exists(os.path.join(root, file)):
        file = f"{folder}/{name}/{name}.cu"

    def after(keyword):
        return words[words.index(keyword) + 1] if keyword in words else ""

    picture = after("PICTURE")
    if not picture and os.path.exists(os.path.join(root, "docs/gallery", name + ".png")):
        picture = name + ".png"
    if picture:
        picture = picture[1:] if picture.startswith("/") else "docs/gallery/" + picture
    kind = "animation" if "ANIMATION" in words else "still" if "STILL" in words else "numeric"
    drawing = after("DRAWING") and f"docs/drawings/{after('DRAWING')}"
    purpose = purpose_of(os.path.join(root, file))
    return Sample(name, file, kind, picture, after("NEEDS"), purpose, drawing, after("STEP"))


def purpose_source(file, ladder):
    """A source of C++ with the variables that common/options.cpp declares."""

    def literal(text):
        return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'

    name = os.path.basename(file).split(".")[0]
    lines = {"sample_purpose": f"{name} - {purpose_of(file, True)}.",
             "sample_rungs": "".join(f"{rung} - {words}.\n" for rung, words in rungs_of(ladder))}
    return "".join(f"extern const char {variable}[];\nconst char {variable}[] = {literal(text)};\n"
                   for variable, text in lines.items())


if __name__ == "__main__":
    if sys.argv[1] == "list":
        print("\n".join("|".join(sample) for sample in samples()))
    else:
        with open(sys.argv[4], "w", encoding="utf-8") as output:
            output.write(purpose_source(sys.argv[2], sys.argv[3]))
