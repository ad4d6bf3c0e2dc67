#!/usr/bin/env python3
"""excerpts.py PROJECT: where a page shows what --explain said of a line (NAME.cu:LINE or NAME.h:LINE, then the access), the
line is one that can do that access. A change of the file moves its lines; then the excerpt is old. Exit code 1 and a line
per finding."""

import re
import sys
from pathlib import Path

ROW = re.compile(r"^ {4}(\w+\.(?:cuh?|h)):(\d+)\s+(load|store|atomic|texture|surface)\b", re.MULTILINE)
# What a line has to hold for it: an element, a pointer, or a call.
NEEDED = {
    "load": r"[\[*]|->|\w\.\w|\(", "store": r"(?<![=!<>])=(?!=)|\(|\+\+", "atomic": r"atomic|\.fetch|\.load|\.store|\(",
    "texture": r"tex\w*", "surface": r"surf\w*",
}


def main():
    project = Path(sys.argv[1]).resolve()
    left_out = re.compile(r"(^|/)(build[^/]*|\.[^/]+|exercises|course)/")
    files = [path for path in project.rglob("*.*") if not left_out.search(path.relative_to(project).as_posix())]
    pages = [path for path in files if path.suffix == ".md"]
    sources = {}
    for path in files:
        if path.suffix in (".cu", ".cuh", ".h"):
            sources.setdefault(path.name, []).append(path)

    count = wrong = 0
    for page in pages:
        for name, number, access in ROW.findall(page.read_text(encoding="utf-8")):
            # Beside the page, or below it, first.
            near = [path for path in sources.get(name, []) if page.parent in path.parents] or sources.get(name, [])
            if not near:
                continue  # a program of one's own
            count += 1
            lines = near[0].read_text(encoding="utf-8").split("\n")
            line = re.sub(r"//.*", "", lines[int(number) - 1]) if int(number) <= len(lines) else ""
            if not re.search(NEEDED[access], line):
                print(f"{page.relative_to(project)}: {name}:{number} does no {access}: \"{line.strip()}\"")
                wrong += 1
    if count < 12:
        print(f"only {count} excerpts found below {project}")
        wrong += 1
    print(f"{count} lines of excerpts, {wrong} old")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
