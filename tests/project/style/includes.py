#!/usr/bin/env python3
"""Which of our files include which: no cycles, one direction, and how much a reader has to open for a program or a rung.

    includes.py PROJECT            checks; exit code 1 and a line per finding
    includes.py PROJECT --count    the reach of every program and rung: lines and files of its own, lines of common/

The reach is the include closure, with the .cpp or .cu of a header's name: splitting a file does not make it smaller, needing
less does. It informs; nothing limits it. Besides, the README of a sample's folder names its sources and begins with a map,
and the first lines of a rung name the headers of samples that it includes.
"""
import re
import sys
from pathlib import Path

# The emulated device knows nothing else, common nothing but that (or CUDA), samples no test; tests/ and benchmarks/ may
# include anything.
SAMPLE = re.compile(r"(chapter\d\d_|appendix_|cs418_|docs/template)")
SOURCES = (".h", ".hpp", ".cuh", ".cu", ".cpp")
RUNG = re.compile(r"(.+)/(\d)_\w+\.cuh?")

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
            chapters = SAMPLE.match(name), SAMPLE.match(target)
            # A ladder may continue an earlier one, so that one file has a technique.
            ladders = name.count("/") == 2 and target.count("/") == 2 and name > target
            if all(chapters) and name.split("/")[0] != target.split("/")[0] and not ladders:
                yield f"{name} includes {target}: only a ladder continues an earlier ladder; what samples share is in common"


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


def count(project, graph):
    """Prints what a reader of each program that is no ladder, and of each rung, has to open, twins included."""
    def lines(files):
        return sum((project / f).read_text().count("\n") for f in files)

    ladders = {found.group(1) for name in graph if (found := RUNG.fullmatch(name))}
    for name in filter(SAMPLE.match, graph):
        is_program = name.endswith(".cu") and str(Path(name).parent) not in ladders and \
            re.search(r"\bint main\s*\(", (project / name).read_text())
        if is_program or RUNG.fullmatch(name):
            files = closure(graph, name, twins=True)
            common = [f for f in files if f.startswith(("common/", "emulator/"))]
            own = files - set(common)
            print(f"{lines(own):5d} lines in {len(own):2d} files, {lines(common):4d} of common  {name}")


def readmes(project):
    """Every source is named in its folder's README, whose map begins before line 20. NAME_picture.h stands for all such."""
    for readme in [*project.glob("[ac]*/README.md"), *project.glob("[ac]*/*/README.md")]:
        if readme.parent.name in ("cmake", "picture"):
            continue
        text = readme.read_text()
        if not re.search(r"^\|", "\n".join(text.split("\n")[:20]), re.MULTILINE):
            yield f"{readme}: its map of the files is not at its beginning"
        for source in sorted(readme.parent.iterdir()):
            any_picture = re.sub(r".+_picture$", "NAME_picture", source.stem)
            if source.suffix in SOURCES and source.stem not in text and any_picture not in text:
                yield f"{readme} does not name {source.name}"


def unnamed(project, graph):
    """A rung's comment before its first #include names each header of a sample that the rung includes itself."""
    for name in filter(RUNG.fullmatch, filter(SAMPLE.match, graph)):
        first_lines = (project / name).read_text().split("#include", 1)[0]
        for target in filter(SAMPLE.match, graph[name]):
            if Path(target).name not in first_lines:
                yield f"{name} includes {target}, which its first lines do not name"


def main():
    project = Path(sys.argv[1]).resolve()
    graph = graph_of(project)
    problems = [" includes ".join(cycle) for cycle in cycles(graph)]
    problems += [*wrong_direction(graph), *readmes(project), *unnamed(project, graph)]
    if "--count" in sys.argv:
        count(project, graph)
    if len(graph) < 200:
        problems.append(f"only {len(graph)} sources found below {project}")
    print("\n".join(problems), end="\n" if problems else "")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
