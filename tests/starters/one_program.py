#!/usr/bin/env python3
"""one_program.py OUT.cu STARTER.cu FOLDER - one program of all solutions of a starter: compiled at once.

They are the starter as it is, FOLDER/right.cu and the wrong ones (wrong_solutions.py), each in a namespace, which are also
written one by one, into a folder next to OUT.cu. OUT.cu's first argument is the name of the solution; the others go on to
the starter's check.
"""
import pathlib
import re
import sys

sys.dont_write_bytecode = True  # not beside the sources
from wrong_solutions import wrong_solutions  # noqa: E402


def main():
    out, starter, folder = map(pathlib.Path, sys.argv[1:])
    files = [starter, folder / "right.cu"]
    edited = out.with_suffix("")
    edited.mkdir(exist_ok=True)
    for solution in wrong_solutions(folder):
        files.append(edited / f"{solution.name}.cu")
        files[-1].write_text(solution.text)
    with open(out, "w") as program:
        program.write('#include "starter.h"\n')
        for file in files:
            text = re.sub(r"^#include .*$", "", file.read_text(), flags=re.M).replace("int main(", "int run(")
            program.write(f'namespace {file.stem} {{\n#line 1 "{file}"\n{text}}}\n')
        program.write("int main(int argc, char** argv) {\n  const std::string name = argc > 1 ? argv[1] : \"\";\n")
        for file in files:
            program.write(f'  if (name == "{file.stem}") return {file.stem}::run(argc - 1, argv + 1);\n')
        program.write("  return 2;\n}\n")


if __name__ == "__main__":
    main()
