#!/usr/bin/env python3
"""Which of our files include which: no cycles, one direction, and few files to read for a rung of a ladder.

    includes.py PROJECT            checks; exit code 1 and a line per finding
    includes.py PROJECT --count    a table: the files that a reader of each rung needs
"""

import re
import sys
from pathlib import Path

# The emulated device knows nothing else, common nothing but that (or CUDA), samples no test; tests/ and benchmarks/ may
# include anything.
SAMPLES = ["chapter", "cs418_assignment2", "docs/template"]
SOURCES = (".h", ".hpp", ".cuh", ".cu", ".cpp")
# Most files that a rung needs besides its ladder's program and itself, counted within its ladder and the folders that
# ladders share; what `common` offers stands in common/README.md and is not counted.
MOST_FILES = {"cs418_assignment2/scan/1_sweep.cuh": 2}


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
    # The emulated device's headers without an ending are found by <...> only; they include each other's files so, too.
    return graph


def cycles(graph):
    """One list of files for each cycle found: the first file stands at the end again."""
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


def closure(graph, name):
    """All files that `name` includes, directly or not."""
    seen, ahead = set(), [name]
    while ahead:
        for target in graph.get(ahead.pop(), []):
            if target not in seen:
                seen.add(target)
                ahead.append(target)
    return seen


def is_sample(name):
    return any(name.startswith(folder) for folder in SAMPLES)


def wrong_direction(graph):
    for name, targets in graph.items():
        for target in targets:
            if name.startswith("emulator/") and not target.startswith("emulator/"):
                yield f"{name} includes {target}: the emulated device knows nothing else"
            if name.startswith("common/") and not target.startswith(("common/", "emulator/")):
                yield f"{name} includes {target}: common knows no sample and no test"
            if is_sample(name) and target.startswith(("tests/", "benchmarks/")):
                yield f"{name} includes {target}: samples know no test"


def rungs(graph):
    """The numbered files of the ladders, in reading order."""
    return [name for name in graph if re.fullmatch(r".+/\d_\w+\.cuh", name) and is_sample(name)]


def needed(graph, rung):
    """What a reader of the rung needs besides the program and the rung itself."""
    return sorted(name for name in closure(graph, rung) if not name.startswith(("common/", "emulator/")))


def main():
    project = Path(sys.argv[1]).resolve()
    graph = graph_of(project)
    if "--count" in sys.argv:
        for rung in rungs(graph):
            others = needed(graph, rung)
            shared = sorted(Path(n).name for n in closure(graph, rung) if n.startswith("common/"))
            print(f"{rung}: {len(others)} more ({', '.join(Path(n).name for n in others) or 'none'}); "
                  f"of common: {', '.join(shared) or 'none'}")
        return 0
    problems = [" includes ".join(cycle) for cycle in cycles(graph)] + list(wrong_direction(graph))
    for rung, most in MOST_FILES.items():
        if rung not in graph:
            problems.append(f"{rung} is not there")
        elif len(needed(graph, rung)) > most:
            problems.append(f"{rung} needs {', '.join(needed(graph, rung))}: more than {most} files")
    if len(graph) < 200:
        problems.append(f"only {len(graph)} sources found below {project}")
    for problem in problems:
        print(problem)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
