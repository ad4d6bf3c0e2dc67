#!/usr/bin/env python3
"""Makes the drawings of the documentation: every .svg in this folder.

    docs/drawings/make_drawings.py                               writes them here
    docs/drawings/make_drawings.py --check                       exit code 1 if a file here is not what would be written
    docs/drawings/make_drawings.py --theme dark --folder FOLDER  one theme alone, to look at it (svg viewers know no themes)

A new drawing is a function in one of the modules next to this file, and one line in DRAWINGS. Plain Python, no packages.
"""
import argparse
import sys
from pathlib import Path

sys.dont_write_bytecode = True  # no __pycache__ next to the drawings
import circles
import cooperation
import frames
import heat
import memory
import scans
import streams
import tables
import textures
import warps

DRAWINGS = {
    "threads": memory.threads,
    "constant_broadcast": memory.constant_broadcast,
    "atomics": memory.atomics,
    "strided_access": warps.strided_access,
    "bank_conflicts": warps.bank_conflicts,
    "divergence": warps.divergence,
    "two_memories": cooperation.two_memories,
    "vector_grid": cooperation.vector_grid,
    "dot_tree": cooperation.dot_tree,
    "dot_rungs": cooperation.dot_rungs,
    "shared_tile": cooperation.shared_tile,
    "stream_orders": streams.stream_orders,
    "hash_tables": tables.hash_tables,
    "hash_rungs": tables.hash_rungs,
    "stencil": textures.stencil,
    "filtering": textures.filtering,
    "cubemap": textures.cubemap,
    "interop": frames.interop,
    "halo_exchange": heat.halo_exchange,
    "scan_tree": scans.tree,
    "look_back": scans.look_back,
    "exchange": scans.exchange,
    "cull": circles.cull,
    "front_to_back": circles.front_to_back,
}
HERE = Path(__file__).resolve().parent


def main():
    parser = argparse.ArgumentParser(description="Makes the drawings of the documentation.")
    parser.add_argument("--folder", type=Path, default=HERE, help="where to write; default: the script's own folder")
    parser.add_argument("--theme", choices=["both", "light", "dark"], default="both")
    parser.add_argument("--check", action="store_true", help="compare with the files in the folder, write nothing")
    options = parser.parse_args()

    wrong = []
    for name, draw in DRAWINGS.items():
        path, svg = options.folder / f"{name}.svg", draw().svg(options.theme)
        if not options.check:
            path.write_text(svg, encoding="utf-8")
        elif not path.exists() or path.read_text(encoding="utf-8") != svg:
            wrong.append(f"{path.name} is not what make_drawings.py makes: run it again")
    if options.check:
        unknown = {path.stem for path in options.folder.glob("*.svg")} - set(DRAWINGS)
        wrong += [f"{name}.svg is not made by any function here" for name in sorted(unknown)]
    print("\n".join(wrong), end="\n" if wrong else "")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
