#!/usr/bin/env python3
"""emulator_lines.py [--check]: the table of emulator/README.md that says what its lines are for. Counted are lines of code,
without comments, blanks and lone brackets. --check compares: a row may be a tenth, or 50 lines, away from what there is.
It fails, too, when the device itself, what programs of any kind need, has grown beyond what one person can know."""
import pathlib
import re
import sys

EMULATOR = pathlib.Path(__file__).resolve().parent.parent / "emulator"

MOST_LINES = 9000  # of the device itself

# What the lines are for, and which files hold them: the first row that matches.
ROWS = [
    ("what makes C++ of `.cu` files", r"translate/.*"),
    ("graphs", r"src/graph.*|include/graph_.*|.*known_kernels.*"),
    ("textures, surfaces, arrays", r"(src|include)/texture_.*|include/(surface_api|channel_descriptor)\.h"),
    ("**what runs kernels**: launches, blocks, threads, stacks, barriers, warps, waiting",
     r"include/emulated/(arguments|barriers|declarations|indices|launch|parameters|qualifiers|scheduler|strided|waiting|"
     r"warp)\.h|src/(barrier|block|declarations|device_functions|fiber|functions|grid|pool|schedule|settings|shuffle|"
     r"thread_order|waiting|warp|worker)\.(h|cpp)"),
    ("memory, copies, pools, atomic functions",
     r"src/memory.*|include/emulated/(atomics|memory_access|runtime|templates)\.h"),
    ("streams, events, captures", r"src/(streams\.cpp|handles\.h)"),
    ("devices, their properties, errors", r"src/(device.*|errors\.cpp)"),
    ("what is said about mistakes", r"src/(diagnosis|division|fault|undefined)\.(h|cpp)"),
    ("mathematical functions, conversions, shifts, inline PTX, 16-bit floats",
     r"include/emulated/(convert|math|packed_integers|ptx|rounding|shift|short_floats|special_functions)\.h|"
     r"include/(cuda_fp16|cuda_bf16|cuComplex|math_constants)\.h"),
    ("cooperative groups, namespace `cuda`",
     r"include/(cooperative_groups.*|cuda/.*|cuda_pipeline.*|emulated/(wide_tiles|cuda_std)\.h)"),
    ("declarations of CUDA's API: enumerations, structures, error codes, names of headers", r"include/.*"),
]


# Not the device itself: each of these can be left aside by whose program does not call it, and stands alone.
BREADTH = {"graphs", "textures, surfaces, arrays", "cooperative groups, namespace `cuda`",
           "mathematical functions, conversions, shifts, inline PTX, 16-bit floats",
           "declarations of CUDA's API: enumerations, structures, error codes, names of headers"}


def code_lines(path):
    text = re.sub(r'("(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])\')|//[^\n]*|/\*.*?\*/',
                  lambda match: match.group(1) or "\n" * match.group(0).count("\n"), path.read_text(), flags=re.S)
    return sum(1 for line in text.split("\n") if line.strip(" \t{}();,"))


def count():
    counts = {row: 0 for row, _ in ROWS}
    for folder in ("translate", "src", "include"):
        for path in (EMULATOR / folder).rglob("*"):
            if path.is_file():
                name = path.relative_to(EMULATOR).as_posix()
                counts[next(row for row, pattern in ROWS if re.fullmatch(pattern, name))] += code_lines(path)
    rows = sorted(counts.items(), key=lambda entry: -entry[1])
    return rows + [("the device itself: all rows but graphs, textures, groups, functions and declarations",
                    sum(lines for row, lines in rows if row not in BREADTH)), ("all", sum(counts.values()))]


def main():
    rows = count()
    if sys.argv[1:] != ["--check"]:
        print("| lines | what for |\n|---|---|")
        for row, lines in rows:
            print(f"| {round(lines, -1)} | {row} |")
        return
    readme = (EMULATOR / "README.md").read_text()
    told = {row: int(lines) for lines, row in re.findall(r"^\| (\d+) \| (.*) \|$", readme, flags=re.M)}
    wrong = [f"{row}: {lines} lines, emulator/README.md says {told.get(row)}" for row, lines in rows
             if row not in told or abs(told[row] - lines) > max(50, lines // 10)]
    wrong += [f"{row}: {lines} lines, more than {MOST_LINES}" for row, lines in rows
              if row.startswith("the device itself") and lines > MOST_LINES]
    print("\n".join(wrong) or f"{len(rows)} rows are right")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
