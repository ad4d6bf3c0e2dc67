#!/usr/bin/env python3
"""units.py EMULATOR: no unit of the device (a header with the source of its name) depends on itself through others, the core
includes no pack, and nothing includes a file outside of this folder."""
import re
import sys
from pathlib import Path

root = Path(sys.argv[1]).resolve()
places = [root / "src", root / "translate", *sorted(root.glob("packs/*/translate")), root / "include", *sorted(root.glob("packs/*/src")), *sorted(root.glob("packs/*/include"))]
files = [path for place in places for path in place.rglob("*") if path.is_file()]


def name(path):
    return str(path.relative_to(root).with_suffix("") if path.suffix in (".h", ".cpp") else path.relative_to(root))


units, wrong = {}, []
for path in files:
    for include in re.findall(r'^\s*#\s*include\s*["<]([^">]+)[">]', path.read_text(), re.MULTILINE):
        target = next((place / include for place in [path.parent, *places] if (place / include).is_file()), None)
        if target is None:
            if "../" in include:
                wrong.append(f"{name(path)} includes {include}")
            continue
        target = target.resolve()
        if root not in target.parents:
            wrong.append(f"{name(path)} includes {include}: outside")
        elif name(target) != name(path):
            units.setdefault(name(path), set()).add(name(target))
        if "packs" in target.parts and "packs" not in path.parts:
            wrong.append(f"{name(path)} includes {include}: the core includes no pack")

state = {}


def visit(unit, way):
    state[unit] = "open"
    for target in sorted(units.get(unit, ())):
        if state.get(target) == "open":
            wrong.append("a cycle: " + " -> ".join(way[way.index(target):] + [target]))
        elif target not in state:
            visit(target, way + [target])
    state[unit] = "done"


for unit in sorted(units):
    if unit not in state:
        visit(unit, [unit])
print("\n".join(wrong) or f"{len(files)} files, {len(units)} units, no cycle")
sys.exit(1 if wrong or len(files) < 100 else 0)
