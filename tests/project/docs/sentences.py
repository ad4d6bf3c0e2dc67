#!/usr/bin/env python3
"""sentences.py PROJECT: what docs/troubleshooting.md quotes is what the sources say. The parts of each first cell
between NAMES in capitals and "..." must be in a script or a source."""
import re
import sys
from pathlib import Path

sys.dont_write_bytecode = True
root = Path(sys.argv[1])
sources = [root / "run", *root.glob("scripts/*")]
for folder in ("common", "emulator/src", "emulator/translate", "emulator/include"):
    sources += [path for path in (root / folder).rglob("*") if path.suffix in (".h", ".cpp")]
said = "\n".join(path.read_text(encoding="utf-8") for path in sources)
said = re.sub(r'"\s*\n\s*"', "", said)  # a literal of several lines
said = said.replace('\\"', '"')

wrong = []
for line in (root / "docs/troubleshooting.md").read_text(encoding="utf-8").splitlines():
    cell = line.split("|")[1].strip() if line.startswith("| ") else ""
    if cell in ("", "message"):
        continue
    parts = re.split(r"\b[A-Z]{4,}\b|\.\.\.|, (?=cuda)|[()\"']", cell)
    for part in (part.strip(" ,:.") for part in parts):
        if len(part) > 8 and part not in said:
            wrong.append(f'docs/troubleshooting.md quotes "{part}", which no source says')
print("\n".join(wrong))
sys.exit(1 if wrong else 0)
