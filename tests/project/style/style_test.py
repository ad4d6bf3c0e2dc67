#!/usr/bin/env python3
"""language.py and includes.py find what they are there for, and nothing else."""
import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True
import includes
import language

# File name, text, and a part of what is found there.
BAD = [
    ("a.h", "#pragma once\n// the col" "our of a pixel", "British spelling"),
    ("a.cu", "int neighb" "ours = 0;", "British spelling"),
    ("a.md", "It is initial" "ised, then normal" "ised.", "British spelling"),
    ("a.cpp", "void Check" "Colour();", "British spelling"),
    ("a.md", "The cent" "red box", "centered"),
    ("a.cu", "// 256 threads a " "block", "say per"),
    ("a.cu", "// 4 bytes (RGBA) a " "pixel", "say per"),
    ("a.cu", "int pixels_a_" "lane = 4;", "say per"),
    ("a.cu", "// one thread a " "cell", "say per"),
    ("a.md", "word " * 25, "columns"),
    ("a.cu", "for (int i = 0; i < n; i+" "+) {", "++i"),
    ("a.cu", "  count-" "-;", "++i"),
    ("a.h", "int x;", "pragma once"),
    ("a.h", "#pragma once\n/*" "* Returns x. */", "///"),
    ("a.h", "#pragma once\n/// @par" "am x the number", "sentences"),
    ("a.md", "It takes so" "me 20 ms.", "about"),
    ("a.cu", "// Who" "ever arrives last", "the thread"),
    ("a.cu", "// What bi" "nds a rung: memory", "bottleneck"),
    ("a.cpp", "The block as" "ks for a word", "polls"),
]
GOOD = [
    ("a.md", "A precise exercise: rise, noise, promise, otherwise, revised, advised. Parallel, four, hour, your, tour."),
    ("a.md", "The analyses of diameters and parameters; a programmer programmed it."),
    ("a.cu", "// Each warp loads a tile; a block of 256 threads; write a file; how many threads a multiprocessor holds"),
    ("a.cu", "out[n++] = in[i--]; const int old = count++;"),
    ("a.cu", "  call(a, b,\n       step+" "+);"),
    ("a.cu", 'const char* text = "i++; j--;";  // i++;'),
    ("a.md", "| a row of a table | " + "word " * 40 + "|"),
    ("a.h", "#pragma once\n/// Returns x.\nint f();"),
    ("a.md", "Bit n stands for circle n; there is none. He asked; a number is None."),
    ("a.cu", "// the last block to arrive; some of 20 blocks; recommended, stream ends here"),
]


def main():
    wrong = []
    for name, text, part in BAD:
        found = [what for _, what in language.findings(name, text)]
        if not any(part in what for what in found):
            wrong.append(f"not found in {text!r}: {part} (but {found})")
    for name, text in GOOD:
        found = list(language.findings(name, text))
        if found:
            wrong.append(f"found in {text!r}: {found}")
    if language.american("Col" "our, neighb" "ouring, Uninitial" "ised") != "Color, neighboring, Uninitialized":
        wrong.append("spellings are corrected wrongly")

    with tempfile.TemporaryDirectory() as folder:
        project = Path(folder).resolve()
        for name, text in {
                "common/a.h": '#include "b.h"', "common/b.h": '  #  include "a.h"\n#include <vector>',
                "common/c.h": '#include "../chapter1/d.h"', "chapter1/d.h": '#include "../common/a.h"'}.items():
            (project / name).parent.mkdir(exist_ok=True)
            (project / name).write_text(text)
        graph = includes.graph_of(project)
        if includes.cycles(graph) != [["common/a.h", "common/b.h", "common/a.h"]]:
            wrong.append(f"cycles: {includes.cycles(graph)}")
        if len(list(includes.wrong_direction(graph))) != 1:
            wrong.append(f"directions: {list(includes.wrong_direction(graph))}")
        (project / "chapter01_x").mkdir()
        (project / "chapter01_x/a.h").write_text("")
        (project / "chapter01_x/a.cpp").write_text("\n" * 400)
        (project / "chapter01_x/p.cu").write_text('#include "a.h"\nint main() {}\n' + "\n" * 100)
        found = list(includes.too_much(project, includes.graph_of(project), False))
        if not any("p.cu: 502 lines in 3 files" in line for line in found):
            wrong.append(f"the reach is wrong: {found}")
    print("\n".join(wrong), end="\n" if wrong else "")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
