#!/usr/bin/env python3
"""The table of CUDA's functions in REFERENCE.md, from the headers that declare them.

    functions.py             prints the table
    functions.py --write     writes it between its marks
    functions.py --check     exit code 1 if REFERENCE.md has another one
"""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
PAGE = ROOT / "REFERENCE.md"
BEGIN, END = "<!-- functions: begin -->\n", "<!-- functions: end -->\n"

# A row of the table: its title, where its functions are declared, and what their names look like.
API = r"cuda[A-Z]\w+"
ROWS = (
    ("Device, memory, copies, streams, events", "include/cuda_runtime_api.h include/emulated/errors.h "
     "include/emulated/templates.h", API),
    ("Textures, surfaces, arrays", "include/texture_types.h include/emulated/texture_array.h "
     "include/emulated/mipmaps.h", API),
    ("Graphs, launches by address", "packs/graphs/include/emulated/graphs_api.h include/emulated/known_kernels.h", API),
    ("OpenGL's buffers", "packs/graphics/include/emulated/graphics_api.h packs/graphics/include/cuda_gl_interop.h", API),
    ("In kernels: texture fetches", "include/emulated/texture_fetch.h include/emulated/mipmaps.h",
     r"tex[123C](?!d)\w+"),
    ("In kernels: atomics", "include/emulated/atomics.h", r"atomic[A-Z]\w+"),
    ("In kernels: barriers, fences, clocks", "include/emulated/barriers.h",
     r"__sync\w+|__threadfence\w*|__nanosleep|clock64"),
    ("In kernels: lanes of a warp", "include/emulated/warp.h",
     r"__(?:shfl|ballot|any|all|match|reduce|syncwarp|activemask)\w*"),
    ("In kernels: loads and stores with hints", "include/emulated/memory_access.h", r"__(?:ld|st)\w+"),
)

def names_in(header, pattern):
    """The functions at namespace scope that the header declares: directly, or as arguments of a macro's uses."""
    text = re.sub(r"//.*", "", (ROOT / header).read_text(encoding="utf-8"))
    text = re.sub(r"\\\n\s*", " ", text)
    # Neither what is in namespaces of the emulated device nor what is in a function's body.
    text = re.sub(r"^namespace emulated[\w:]* \{.*?^\}", "", text, flags=re.MULTILINE | re.DOTALL)
    declared = re.findall(rf"^(?!#|[ }}])[\w\[\]:<>,&*. ]*?[ *&>]({pattern})\(", text, re.MULTILINE)
    by_macro = re.findall(rf"^EMULATED_\w+\(({pattern})\b", text, re.MULTILINE)
    in_macro = re.findall(rf"^#define .*?static inline \w+ ({pattern})\(", text, re.MULTILINE)
    return set(declared + by_macro + in_macro)


def table():
    text = "| functions | declared in |\n|---|---|\n"
    for title, headers, pattern in ROWS:
        names = set()
        for header in headers.split():
            names |= names_in(header, pattern)
        listed = ", ".join(f"`{name}`" for name in sorted(names, key=lambda name: (name.lstrip("_").lower(), name)))
        places = ", ".join(f"`{header}`" for header in headers.split() if names_in(header, pattern))
        text += f"| **{title}**: {listed} | {places} |\n"
    return text


def main():
    page = PAGE.read_text(encoding="utf-8")
    before, rest = page.split(BEGIN)
    old, after = rest.split(END)
    new = table()
    if "--write" in sys.argv:
        PAGE.write_text(before + BEGIN + new + END + after, encoding="utf-8")
    elif "--check" in sys.argv:
        if old != new:
            print("the table of functions in REFERENCE.md is old: run tests/reference/functions.py --write")
            return 1
        print(f"REFERENCE.md lists {new.count('`')} names and headers")
    else:
        print(new, end="")
    return 0


if __name__ == "__main__":
    sys.exit(main())
