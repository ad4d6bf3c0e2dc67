#!/usr/bin/env python3
"""terms.py PROJECT: the header of every sample names the terms that its reader needs ("Terms (docs/glossary.md): ..."), the
glossary explains each, and the README of the sample's folder links to each of them: in the table row that begins with the
sample's name, or, in a folder of its own, anywhere. Exit code 1, and a line per term that is missing.
"""
import re
import subprocess
import sys
from pathlib import Path

project = Path(sys.argv[1])


def glossary():
    """The terms of the glossary, in small letters, each with its anchor. A heading may hold several: "Stream, event, graph"."""
    terms = {}
    for heading in re.findall(r"^### (.+)$", (project / "docs/glossary.md").read_text(encoding="utf-8"), re.MULTILINE):
        anchor = re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")
        for term in [heading, *re.split(r", | and ", heading)]:
            terms[term.lower()] = anchor
    return terms


terms = glossary()
problems, count = [], 0
listed = subprocess.run([sys.executable, project / "scripts/samples.py", "list"], check=True,
                        capture_output=True, text=True).stdout
for line in listed.splitlines():
    count += 1
    name, file = line.split("|")[:2]
    source = project / file
    header = re.match(r"(?://.*\n)*", source.read_text(encoding="utf-8")).group()
    named = re.search(r"^// Terms \(docs/glossary\.md\): ((?:.+\n// )*.+)\.$", header, re.MULTILINE)
    if not named:
        problems.append(f"{source}: its first comment has no line \"Terms (docs/glossary.md): ...\"")
        continue
    readme = source.parent / "README.md"
    text = readme.read_text(encoding="utf-8")
    if source.parent.name != name:
        rows = [row for row in text.splitlines() if row.startswith("|") and f"`{name}`" in row.split("|")[1]]
        text = "\n".join(rows)
    text = re.sub(r"\s+", "", text)
    for term in named.group(1).replace("\n//", "").split(", "):
        if term not in terms:
            problems.append(f"{source}: the glossary does not explain \"{term}\"")
        elif f"docs/glossary.md#{terms[term]})" not in text:
            problems.append(f"{readme}: no link to the glossary's \"{term}\" for {name}")
print("\n".join(problems) or f"the terms of {count} samples are explained")
sys.exit(1 if problems or count == 0 else 0)
