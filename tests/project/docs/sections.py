#!/usr/bin/env python3
"""sections.py PROJECT: the functions that docs/book.md names for a section are in the file that it links: "`NAME()` and
`NAME` in [`FILE`](PATH)"; and the exercises that it names are those that exist, but for the assignment's. Exit code 1, and
a line per name that is not there."""
import re
import sys
from pathlib import Path

page = Path(sys.argv[1]) / "docs/book.md"
places = re.findall(r"((?:`\w+(?:\(\))?`(?:, | and ))*`\w+(?:\(\))?`) in \[`[^`]+`\]\(([^)]+)\)", page.read_text(encoding="utf-8"))
wrong = count = 0
for names, path in places:
    text = (page.parent / path).read_text(encoding="utf-8")
    for name in re.findall(r"\w+", names.replace(" and ", ", ")):
        count += 1
        if not re.search(rf"\b{name}\b", text):
            print(f"docs/book.md: {path} has no {name}")
            wrong += 1
if count < 50:
    print(f"only {count} names found in docs/book.md")
    wrong += 1
exercises = {path.name.split("_", 2)[2] for path in Path(sys.argv[1]).glob("exercises/*_*_*")}
rows = [line.split(" | ") for line in page.read_text(encoding="utf-8").splitlines() if line.startswith("| ")]
named = {name for row in rows for name in re.findall(r"`(\w+)`", row[2])}
for name in sorted(named - exercises):
    print(f"docs/book.md: there is no exercise {name}")
    wrong += 1
chapters = {path.name.split("_", 2)[2] for path in Path(sys.argv[1]).glob("exercises/[0-9a]*_*_*")}
for name in sorted(chapters - named):
    print(f"docs/book.md does not name the exercise {name}")
    wrong += 1
sys.exit(1 if wrong else 0)
