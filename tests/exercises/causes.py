#!/usr/bin/env python3
"""causes.py FOLDER emulated|gpu PROGRAM [EXPLAINED] - of an exercise's solutions (one_program.py), the right ones pass, the
gaps as they are fail, and each wrong one fails in the run, and by the finding, that wrong.txt says (wrong_solutions.py).

The runs are those of ./run try: three orders of threads until one fails, then --explain. On a GPU, which names
no cause, wrong ones are not tried.
"""
import os
import pathlib
import re
import subprocess
import sys

sys.dont_write_bytecode = True  # not beside the sources
from wrong_solutions import right_solutions, wrong_solutions  # noqa: E402


def run(program, name, order="in-order"):
    done = subprocess.run([program, name], capture_output=True, text=True, errors="replace", timeout=200,
                          env={**os.environ, "EMULATED_ORDER": order, "EMULATED_WATCHDOG": "2"})  # it looks after so many seconds
    return done.returncode, done.stdout + done.stderr


def findings(report):
    """(file, line, kind) of the errors of the device, and of the numbered mistakes that --explain reports."""
    errors, _, mistakes = report.partition("\nexplain: what is wrong\n")
    mistakes = mistakes.partition("\nexplain: ")[0]
    return (re.findall(r"^  \d+\. (\S+):(\d+): ([^:\n]+)", mistakes, re.MULTILINE) +
            re.findall(r"^(\S+):(\d+): (error): ", errors, re.MULTILINE) +
            [(file, line, "error") for file, line in re.findall(r"^error: .* at (\S+):(\d+): ", errors, re.MULTILINE)])


def faults_of_right(name, orders, program, explained):
    for order in orders:
        code, said = run(program, name, order)
        if code == 77:
            print(said)
            sys.exit(77)
        if code != 0 or "PASS" not in said or "error: " in said:
            yield f"{name}.cu, {order}: exit code {code}\n{said}"
    if explained is None:
        return
    code, said = run(explained, name)
    if code != 0 or "PASS" not in said or "error: " in said or findings(said):
        yield f"{name}.cu, explained: exit code {code}\n{said}"


def faults_of_wrong(solution, orders, program, explained):
    said = ""
    fails = False
    for order in orders:
        code, said = run(program, solution.name, order)
        fails = code == 1 or code < 0  # or a crash
        if fails:
            break
    if solution.plain is not None and not fails:
        yield f"{solution.name} passes without --explain:\n{said}"
    elif solution.plain is not None and not re.search(solution.plain, said, re.MULTILINE):
        yield f"{solution.name}: '{solution.plain}' is not said:\n{said}"
    code, report = run(explained, solution.name)
    found = findings(report)
    if solution.kind is None and found:
        yield f"{solution.name}: not only the result, but {found}"
    elif solution.kind is not None and not any(fits(solution, *finding) for finding in found):
        # What only the check finds in the counts of --explain: "finding: FAIL: what it says".
        if not (solution.kind.startswith("FAIL") and code == 1 and re.search(solution.kind[6:], report)):
            yield f"{solution.name}: no {solution.kind} at '{solution.code}', but {found}\n{report}"


def fits(solution, file, line, kind):
    if kind != solution.kind:
        return False
    if solution.code is None:
        return True
    lines = solution.text.splitlines()
    return file.endswith(f"{solution.name}.cu") and int(line) <= len(lines) and solution.code in lines[int(line) - 1]


def faults_of_files(folder, name):
    text = (folder / f"{name}.cu").read_text()
    if not re.match(rf"// exercise {name} - \S.*\.\n", text):
        yield f"{name}.cu does not begin with // exercise {name} - what it is."
    if "TODO 1: " not in text or "main(" in text:
        yield f"{name}.cu has no TODO 1, or a main()"
    hints = (folder / "hints.txt").read_text().strip().split("\n\n")
    paths = re.findall(r"\w+/[\w/]+(?:\.cuh?)?", hints[-1])
    if len(hints) < 3 or not any((folder.parent.parent / path).exists() for path in paths):
        yield "hints.txt has fewer than three hints, or the last one names no sample"
    if len(right_solutions(folder)) < 2:
        yield "there is one right solution, not two in different styles"


def faults(folder, orders, program, explained):
    """A line for everything that is not as it should be."""
    name = folder.name.split("_", 2)[2]
    yield from faults_of_files(folder, name)
    for file in right_solutions(folder):
        yield from faults_of_right(file.stem, orders, program, explained)
    code, said = run(program, name)
    if code != 1 or "FAIL" not in said:
        yield f"the exercise as it is: exit code {code}\n{said}"
    wrong = wrong_solutions(folder)
    if not 5 <= len(wrong) <= 8:
        yield f"there are {len(wrong)} wrong solutions"
    if explained is not None:
        for solution in wrong:
            yield from faults_of_wrong(solution, orders, program, explained)


def main():
    folder, device, *programs = sys.argv[1:]
    orders = ("in-order", "reversed", "shuffled") if device == "emulated" else ("in-order",)
    program, explained = programs if len(programs) == 2 else (*programs, None)
    bad = list(faults(pathlib.Path(folder), orders, program, explained))
    print("\n".join(bad))
    sys.exit(len(bad) > 0)


if __name__ == "__main__":
    main()
