#!/usr/bin/env python3
"""causes.py NAME FOLDER emulated|gpu PROGRAM [EXPLAINED] - of a starter's solutions (one_program.py), right.cu passes, the
gaps as they are fail, and each wrong one (wrong_solutions.py) fails with a sentence that names the cause.

It fails as ./run FILE.cu --check has it: in one of three orders of threads, or by the first mistake in what --explain says.
On a GPU, which names no cause, wrong ones are not tried.
"""
import os
import pathlib
import re
import subprocess
import sys

sys.dont_write_bytecode = True  # not beside the sources
from wrong_solutions import wrong_solutions  # noqa: E402


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

    wrong = wrong_solutions(folder)
    if not 5 <= len(wrong) <= 8:
        yield f"there are {len(wrong)} wrong solutions"
    for solution in wrong:
        answers = [run(program, solution.name, order) for order in orders]
        if solution.run == "explain":
            answers.append(run(explained, solution.name))
        texts = [said for _, said in (answers if solution.run == "plain" else answers[-1:])]
        found = filter(None, (re.search(f".*({solution.pattern}).*", said) for said in texts))
        cause = next((match[0] for match in found), None)
        fails = any(code == 1 or code < 0 for code, _ in answers)  # or a crash
        if not fails and "\nexplain: what is wrong\n  1. " not in answers[-1][1]:
            yield f"{solution.name} does not fail: {answers}"
        elif cause is None:
            yield f"{solution.name}: '{solution.pattern}' is not said:\n" + "\n".join(texts)
        else:
            print(f"{solution.name}: {cause}")


def main():
    name, folder, device, *programs = sys.argv[1:]
    orders = ("in-order", "reversed", "shuffled") if device == "emulated" else ("in-order",)
    program, explained = programs if len(programs) == 2 else (*programs, None)
    bad = list(faults(name, pathlib.Path(folder), orders, program, explained))
    print("\n".join(bad))
    sys.exit(len(bad) > 0)


if __name__ == "__main__":
    main()
