#!/usr/bin/env python3
"""causes.py NAME FOLDER emulated|gpu PROGRAM [EXPLAINED] - of a starter's solutions (one_program.py), right.cu passes, the
gaps as they are fail, and each wrong_*.cu fails with a sentence that names the cause.

A wrong solution's second line is a pattern for that sentence: "// plain: PATTERN" where a plain run knows, in one of the
three orders of threads, else "// explain: PATTERN". It fails as ./run FILE.cu --check has it: in one of the orders, or by
the first mistake in what --explain says. On a GPU, which names no cause, wrong ones are not tried.
"""
import os
import pathlib
import re
import subprocess
import sys


def run(program, name, order="in-order"):
    done = subprocess.run([program, name], capture_output=True, text=True, errors="replace", timeout=200,
                          env={**os.environ, "EMULATED_ORDER": order})
    return done.returncode, done.stdout + done.stderr


def faults(name, folder, orders, program, explained):
    """A line for everything that is not as it should be."""
    for order in orders:
        code, said = run(program, "right", order)
        if code == 77:
            print(said)
            sys.exit(77)
        if code != 0 or "PASS" not in said or "error: " in said:
            yield f"right.cu, {order}: exit code {code}\n{said}"
    code, said = run(program, name)
    if code != 1 or "FAIL" not in said:
        yield f"the starter as it is: exit code {code}\n{said}"
    if explained is None:
        return
    code, said = run(explained, "right")
    if code != 0 or "PASS" not in said:
        yield f"right.cu, explained: exit code {code}\n{said}"

    wrong = sorted(folder.glob("wrong_*.cu"))
    if not 5 <= len(wrong) <= 8:
        yield f"there are {len(wrong)} wrong solutions"
    for file in wrong:
        kind, pattern = re.match(r"// (plain|explain): (.*)", file.read_text().split("\n")[1]).groups()
        answers = [run(program, file.stem, order) for order in orders]
        if kind == "explain":
            answers.append(run(explained, file.stem))
        texts = [said for _, said in (answers if kind == "plain" else answers[-1:])]
        cause = next((found[0] for found in (re.search(f".*({pattern}).*", said) for said in texts) if found), None)
        fails = any(code == 1 or code < 0 for code, _ in answers)  # or a crash
        if not fails and "\nexplain: what is wrong\n  1. " not in answers[-1][1]:
            yield f"{file.stem} does not fail: {answers}"
        elif cause is None:
            yield f"{file.stem}: '{pattern}' is not said:\n" + "\n".join(texts)
        else:
            print(f"{file.stem}: {cause}")


def main():
    name, folder, device, *programs = sys.argv[1:]
    orders = ("in-order", "reversed", "shuffled") if device == "emulated" else ("in-order",)
    program, explained = programs if len(programs) == 2 else (*programs, None)
    bad = list(faults(name, pathlib.Path(folder), orders, program, explained))
    print("\n".join(bad))
    sys.exit(len(bad) > 0)


if __name__ == "__main__":
    main()
