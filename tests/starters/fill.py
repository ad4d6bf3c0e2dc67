#!/usr/bin/env python3
"""fill.py STARTER.cu SOLUTIONS.txt OUT.cu - one program with all fillings of a starter's gaps, each in a namespace.

A gap is a paragraph that begins with "// TODO n". SOLUTIONS.txt has for each filling a line "=== NAME PATTERN" and the gaps
("--- n", then the code); a wrong one names only the gaps that differ from the right one. OUT.cu's first argument is the
name of the filling ("empty": the gaps as they are); the others go on to the starter.
"""
import re
import sys


def fillings(text):
    """[(name, pattern, {gap: code})], "right" first."""
    result = []
    for part in re.split(r"^=== ", text, flags=re.M)[1:]:
        head, _, body = part.partition("\n")
        name, _, pattern = head.partition(" ")
        gaps = re.split(r"^--- (\d+)\n", body, flags=re.M)
        result.append((name, pattern, dict(zip(gaps[1::2], gaps[2::2]))))
    return result


def fill(starter, code):
    """The starter with its gaps replaced by code[gap]."""
    gap = re.compile(r"^ *// TODO (\d+)\b.*\n(?:(?!\}|\n).*\n)*", re.M)
    assert {match[1] for match in gap.finditer(starter)} == set(code), "the solution fills other gaps than there are"
    return gap.sub(lambda match: code[match[1]], starter)


def main():
    starter, solutions, out = sys.argv[1:]
    with open(starter) as text:
        starter = text.read()
    with open(solutions) as text:
        variants = fillings(text.read())
    right = variants[0][2]
    bodies = [("empty", starter)] + [(name, fill(starter, {**right, **code})) for name, _, code in variants]
    with open(out, "w") as program:
        program.write('#include "starter.h"\n')
        for name, body in bodies:
            body = re.sub(r"^#include .*\n", "", body, flags=re.M).replace("int main(", "int run(")
            program.write(f"namespace {name} {{\n{body}}}\n")
        program.write("int main(int argc, char** argv) {\n  const std::string name = argc > 1 ? argv[1] : \"\";\n")
        for name, _ in bodies:
            program.write(f'  if (name == "{name}") return {name}::run(argc - 1, argv + 1);\n')
        program.write("  return 2;\n}\n")


if __name__ == "__main__":
    main()
