#!/usr/bin/env python3
"""one_program.py OUT.cu FOLDER - one program of all solutions of an exercise: compiled at once.

They are the exercise as it is, right.cu, right_*.cu and the wrong ones (wrong_solutions.py), each in a namespace with the
check. They are also written one by one, into a folder next to OUT.cu. OUT.cu's first argument is the name of the solution;
the others go on to the check.
"""
import pathlib
import re
import sys

sys.dont_write_bytecode = True  # not beside the sources
from wrong_solutions import right_solutions, wrong_solutions  # noqa: E402


def main():
    out, folder = map(pathlib.Path, sys.argv[1:])
    check = folder / "check.cu"
    files = [folder / f"{folder.name.split('_', 2)[2]}.cu", *right_solutions(folder)]
    edited = out.with_suffix("")
    edited.mkdir(exist_ok=True)
    for solution in wrong_solutions(folder):
        files.append(edited / f"{solution.name}.cu")
        files[-1].write_text(solution.text)

    includes = {}

    def body(file):
        """The text, without its includes, which come first in the program, and with the end of its macros."""
        text = file.read_text()
        for include in re.findall(r'^#include (.*)$', text, re.M):
            header = folder / include.strip('"')
            includes[f'"{header.resolve()}"' if header.exists() else include] = True
        ends = "".join(f"#undef {name}\n" for name in re.findall(r"^#define (\w+)", text, re.M))
        text = re.sub(r"^#include .*$", "", text, flags=re.M)
        return f'#line 1 "{file}"\n{text}\n{ends}'

    parts = []
    for file in files:
        parts.append(f"namespace {file.stem}_ {{\n{body(file)}{body(check).replace('int main(', 'int run(')}}}\n")
    with open(out, "w") as program:
        program.write("#define ONE_PROGRAM\n" + "".join(f"#include {include}\n" for include in includes) + "".join(parts))
        program.write("int main(int argc, char** argv) {\n  const std::string name = argc > 1 ? argv[1] : \"\";\n")
        for file in files:
            program.write(f'  if (name == "{file.stem}") return {file.stem}_::run(argc - 1, argv + 1);\n')
        program.write("  return 2;\n}\n")


if __name__ == "__main__":
    main()
