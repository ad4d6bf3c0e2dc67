"""The wrong solutions of an exercise. An entry of wrong.txt has the edits of right.cu, and how they are found out.

    ==== guard: The threads beyond the last element write, too.
    plain: kernel add_kernel wrote beyond the end of the 4 bytes
    finding: out of bounds at c[i] = a[i] + b[i];
    -  if (i < n) c[i] = a[i] + b[i];
    +  c[i] = a[i] + b[i];
    ...
    -  if (i == 0) c[i] = 0;

The first line has the name and the mistake in a sentence. Two lines name what finds it:

    plain: PATTERN             it fails in one of three orders of threads, which print this (a regular expression). There
                               is no such line where luck decides, as in a race between blocks: --explain finds it then.
    finding: KIND at CODE      what --explain says is wrong: one of its numbered findings is of this kind, at a line with
                               this code. Without " at CODE": at a line of the check. The kind "error" is an error
                               that the device prints at once, such as a wrong launch.
    finding: only the result   --explain has nothing to report about it.

Then come the edits, with "..." between them. A line with "-" is removed, a line with "+" is added, a line with a space
stays. The "-" lines and the lines that stay must occur together exactly once in right.cu.

A wrong solution that differs in most lines is a file of its own, wrong_NAME.cu. It begins with these lines as comments:
// SENTENCE, // plain: PATTERN, if there is one, and // finding: ...
"""
import collections
import re
import sys

# `plain`: a pattern, or nothing; `kind` and `code`: of the finding, or nothing.
Wrong = collections.namedtuple("Wrong", "name plain kind code text")
ONLY = "only the result"


class Entry:
    def __init__(self, place, name):
        self.place, self.name = f"{place}: {name}", f"wrong_{name}"
        self.expectations = {}
        self.edits = [[]]  # each a list of lines with their -, + or space

    def refuse(self, problem):
        sys.exit(f"{self.place}: {problem}")


def entries(path):
    found = []
    for number, line in enumerate(path.read_text().splitlines(), 1):
        place = f"{path}:{number}"
        head = re.fullmatch(r"==== (\w+): \S.*", line)
        expectation = re.fullmatch(r"(plain|finding): (\S.*)", line)
        if head:
            found.append(Entry(place, head[1]))
        elif line == "":
            continue
        elif not found or line.startswith("===="):
            sys.exit(f"{place}: an entry begins with ==== NAME: SENTENCE")
        elif expectation:
            if expectation[1] in found[-1].expectations:
                found[-1].refuse(f"there are two lines {expectation[1]}:")
            found[-1].expectations[expectation[1]] = expectation[2]
        elif line == "...":
            found[-1].edits.append([])
        elif line[0] in "-+ ":
            found[-1].edits[-1].append(line)
        else:
            sys.exit(f"{place}: this line begins with none of plain: finding: - + ... or a space")
    return found


def edited(right, entry):
    """The lines of right.cu with the entry's edits."""
    replaced = []
    for edit in entry.edits:
        before = [line[1:] for line in edit if line[0] in "- "]
        after = [line[1:] for line in edit if line[0] in "+ "]
        if not before:
            entry.refuse("an edit names no line of right.cu")
        if before == after:
            entry.refuse(f"an edit changes nothing: {before[0].strip()}")
        begins = [i for i in range(len(right)) if right[i : i + len(before)] == before]
        if len(begins) != 1:
            entry.refuse(f"right.cu has these lines {len(begins)} times, not once: {before[0].strip()}")
        replaced.append((begins[0], begins[0] + len(before), after))
    result, done = [], 0
    for begin, end, after in sorted(replaced):
        if begin < done:
            entry.refuse(f"two edits have a line in common: {right[begin].strip()}")
        result += right[done:begin] + after
        done = end
    return result + right[done:]


def right_solutions(folder):
    """right.cu, and the other right ones."""
    return [folder / "right.cu", *sorted(folder.glob("right_*.cu"))]


def wrong_solutions(folder):
    """Those of wrong.txt, and the files wrong_*.cu."""
    right = (folder / "right.cu").read_text().splitlines()
    solutions = []
    for entry in entries(folder / "wrong.txt"):
        solutions.append(solution_of(entry, "\n".join(edited(right, entry)) + "\n"))
    for file in sorted(folder.glob("wrong_*.cu")):
        text = file.read_text()
        entry = Entry(file, file.stem.removeprefix("wrong_"))
        entry.expectations = dict(re.findall(r"^// (plain|finding): (\S.*)", text, re.MULTILINE))
        solutions.append(solution_of(entry, text))
    for name, times in collections.Counter(solution.name for solution in solutions).items():
        if times > 1:
            sys.exit(f"{folder}: there are {times} solutions named {name}")
    return solutions


def solution_of(entry, text):
    plain = entry.expectations.get("plain")
    finding = entry.expectations.get("finding") or entry.refuse("there is no line finding:")
    kind, _, code = finding.partition(" at ")
    try:
        re.compile(plain or "")
    except re.error as error:
        entry.refuse(f"the pattern is no regular expression: {error}")
    if finding == ONLY:
        if not plain:
            entry.refuse("there is no line plain:, and the finding is 'only the result'")
        kind = None
    if code and not any(code in line for line in text.splitlines()):
        entry.refuse(f"no line has this code: {code}")
    return Wrong(entry.name, plain, kind, code or None, text)
