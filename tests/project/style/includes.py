#!/usr/bin/env python3
"""Which of our files include which: no cycles, one direction, and how much a reader has to open for a program or a rung.

    includes.py PROJECT            checks; exit code 1 and a line per finding
    includes.py PROJECT --count    the reach of every program and rung: lines and files of its own, lines of common/

The reach is the include closure: splitting a file does not make it smaller, needing less does. A program also needs the
.cpp or .cu of a header's name. Besides, the README of a sample's folder names its sources and begins with a map.
"""
import re
import sys
from pathlib import Path

# The emulated device knows nothing else, common nothing but that (or CUDA), samples no test; tests/ and benchmarks/ may
# include anything.
SAMPLE = re.compile(r"(chapter\d\d_|cs418_|docs/template)")
SOURCES = (".h", ".hpp", ".cuh", ".cu", ".cpp")
RUNG = re.compile(r"(.+)/(\d)_\w+\.cuh?")

# Most lines and files of its own.
PROGRAM, LOWER_RUNG, LAST_TWO = (480, 5), (200, 3), (550, 5)
SECOND_PART = {"cs418_assignment2/circle_renderer": (4, (800, 7)),  # from this rung on
               "chapter11_multiple_gpus/heat_multi_gpu": (1, (500, 6))}  # besides heat_fast's


def included(project, path):
    """The project's files that `path` includes directly, by their paths from the project's root."""
    found = []
    for name in re.findall(r'^[ \t]*#[ \t]*include "([^"]+)"', path.read_text(errors="replace"), re.MULTILINE):
        # As the compiler looks: beside the file, then where the build's -I leads.
        for place in (path.parent, project / "emulator/include", project / "emulator/src"):
            target = place / name
            if target.is_file():
                found.append(str(target.resolve().relative_to(project)))
                break
    return found


def graph_of(project):
    graph = {}
    folders = [folder for folder in project.iterdir() if folder.is_dir() and not folder.name.startswith((".", "build"))]
    for path in sorted(path for folder in folders for path in folder.rglob("*")):
        if path.suffix in SOURCES and path.is_file():
            graph[str(path.relative_to(project))] = included(project, path)
    return graph


def cycles(graph):
    """One list of files for each cycle found: the first file is also the last."""
    state, found = {}, []

    def visit(name, way):
        state[name] = "open"
        for target in graph.get(name, []):
            if state.get(target) == "open":
                found.append(way[way.index(target):] + [target])
            elif target not in state:
                visit(target, way + [target])
        state[name] = "done"

    for name in graph:
        if name not in state:
            visit(name, [name])
    return found


def wrong_direction(graph):
    for name, targets in graph.items():
        for target in targets:
            if name.startswith("emulator/") and not target.startswith("emulator/"):
                yield f"{name} includes {target}: the emulated device knows nothing else"
            if name.startswith("common/") and not target.startswith(("common/", "emulator/")):
                yield f"{name} includes {target}: common knows no sample and no test"
            if SAMPLE.match(name) and target.startswith(("tests/", "benchmarks/")):
                yield f"{name} includes {target}: samples know no test"


def closure(graph, name, twins=False):
    """The file and all that it includes, directly or not; with `twins` also what the headers of samples declare."""
    seen, ahead = set(), [name]
    while ahead:
        file = ahead.pop()
        if file in seen:
            continue
        seen.add(file)
        ahead += graph.get(file, [])
        if twins and SAMPLE.match(file) and file.endswith((".h", ".cuh")):
            ahead += [twin for end in (".cpp", ".cu") if (twin := str(Path(file).with_suffix(end))) in graph]
    return seen


def reaches(project, graph):
    """Yields (file, most lines, most files, files of its own, files of common) of every program that is no ladder and of
    every rung."""
    rungs = {}
    for name in graph:
        if SAMPLE.match(name) and (found := RUNG.fullmatch(name)):
            rungs.setdefault(found.group(1), []).append(name)
    for name in graph:
        folder = str(Path(name).parent)
        if SAMPLE.match(name) and name in rungs.get(folder, []):
            first, most = SECOND_PART.get(folder, (99, None))
            if int(RUNG.fullmatch(name).group(2)) < first:
                most = LAST_TWO if name in sorted(rungs[folder])[-2:] and folder not in SECOND_PART else LOWER_RUNG
        elif (SAMPLE.match(name) and name.endswith(".cu") and folder not in rungs and
              re.search(r"\bint main\s*\(", (project / name).read_text())):
            most = PROGRAM
        else:
            continue
        files = [f for f in closure(graph, name, twins=most == PROGRAM) if "multi_gpu" not in name or "/heat_fast/" not in f]
        common = [f for f in files if f.startswith(("common/", "emulator/"))]
        yield name, most, sorted(set(files) - set(common)), common


def too_much(project, graph, count):
    def lines(files):
        return sum((project / f).read_text().count("\n") for f in files)

    for name, most, own, common in reaches(project, graph):
        reach = lines(own), len(own)
        if count:
            print(f"{reach[0]:5d} of {most[0]} lines in {reach[1]} of {most[1]} files, {lines(common):4d} of common  {name}")
        if reach[0] > most[0] or reach[1] > most[1]:
            yield f"{name}: {reach[0]} lines in {reach[1]} files to read, more than {most[0]} in {most[1]}: {', '.join(own)}"


def readmes(project):
    """Every source is named in its folder's README, whose map begins before line 20."""
    for readme in [*project.glob("c*/README.md"), *project.glob("c*/*/README.md")]:
        if readme.parent.name in ("cmake", "picture"):
            continue
        text = readme.read_text()
        if not re.search(r"^\|", "\n".join(text.split("\n")[:20]), re.MULTILINE):
            yield f"{readme}: its map of the files is not at its beginning"
        for source in sorted(readme.parent.iterdir()):
            if source.suffix in SOURCES and source.stem not in text:
                yield f"{readme} does not name {source.name}"


def main():
    project = Path(sys.argv[1]).resolve()
    graph = graph_of(project)
    problems = [" includes ".join(cycle) for cycle in cycles(graph)]
    problems += [*wrong_direction(graph), *too_much(project, graph, "--count" in sys.argv), *readmes(project)]
    if len(graph) < 200:
        problems.append(f"only {len(graph)} sources found below {project}")
    print("\n".join(problems), end="\n" if problems else "")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
