#!/usr/bin/env python3
"""promises.py PROJECT: every row of the tables in emulator/README.md that promises something has tests in promises.txt,
every row there stands in the README, and the tests that it names exist."""
import pathlib
import re
import sys

# Sections whose tables promise nothing that a test could show: which file holds what, what a space of memory
# is, times.
OTHER_TABLES = {"### Memory", "## Speed", "## Files"}


def rows(readme):
    """The first cells of all rows of the tables."""
    section, found = "", []
    for line in readme.splitlines():
        if line.startswith("#"):
            section = line
        cell = re.match(r"\| (.*?) +\|(?<!\\\|)", line)
        if cell and section not in OTHER_TABLES and not line.startswith("|---"):
            found.append(cell.group(1))
        if line.startswith("|---") and section not in OTHER_TABLES:
            found.pop()  # the table's head
    return found


def main():
    project = pathlib.Path(sys.argv[1])
    promised = rows((project / "emulator" / "README.md").read_text())
    listed = {}
    for line in (project / "tests" / "emulator" / "promises.txt").read_text().splitlines():
        if line and not line.startswith("# "):
            row, tests = line.rsplit(" | ", 1)
            listed[row] = tests.split()
    sources = "".join(path.read_text() for path in (project / "tests").glob("*/*.c*"))
    existing = {".".join(test) for test in re.findall(r"\bTEST(?:_[FP])?\((\w+), (\w+)\)", sources)}
    commands = "".join(path.read_text() for path in (project / "tests").glob("*/CMakeLists.txt"))
    existing |= set(re.findall(r"NAME (emulator\.\w+)", commands))
    wrong = [f"no test is listed for the row: {row}" for row in promised if row not in listed]
    wrong += [f"no table has this row: {row}" for row in listed if row not in promised]
    for row, tests in listed.items():
        wrong += [f"no such test: {test}, for the row: {row}" for test in tests if test not in existing]
        if not tests:
            wrong.append(f"no test for the row: {row}")
    print("\n".join(wrong) or f"{len(promised)} rows have tests")
    sys.exit(1 if wrong or len(promised) < 50 else 0)


if __name__ == "__main__":
    main()
