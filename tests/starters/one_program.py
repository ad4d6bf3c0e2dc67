#!/usr/bin/env python3
"""one_program.py OUT.cu FILE.cu... - one program of several solutions of a starter, each in a namespace: compiled at once.

OUT.cu's first argument is the name of the solution, that of its file; the others go on to the starter's check.
"""
import pathlib
import re
import sys


def main():
    out, *files = map(pathlib.Path, sys.argv[1:])
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
