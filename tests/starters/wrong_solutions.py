"""The wrong solutions of a starter. An entry of wrong.txt has the edits of right.cu, and what a run then prints.

    ==== swapped: Blocks and threads have changed places.
    plain: at most 1024 threads
    -  const int blocks = (n + threads_per_block - 1) / threads_per_block;
    +  const int blocks = (n + threads_per_block - 1) / threads_per_block + 1024;
    ...
    -  add_kernel<<<blocks, threads_per_block>>>(a, b, c, n);
    +  add_kernel<<<threads_per_block, blocks>>>(a, b, c, n);

The first line has the name and the mistake in a sentence. The second line has the run that finds it, and a pattern (a
regular expression) for the output: "plain" runs in three orders of threads, "explain" runs with --explain. Then come
the edits, with "..." between them. A line with "-" is removed, a line with "+" is added, a line with a space stays. The
"-" lines and the lines that stay must occur together exactly once in right.cu. Line numbers in a pattern are those
after the edits.

A wrong solution that differs in most lines is a file of its own, wrong_NAME.cu. Its first two lines are // SENTENCE and
// RUN: PATTERN.
"""
import collections
import re
import sys

Wrong = collections.namedtuple("Wrong", "name run pattern text")


class Entry:
    def __init__(self, place, name):
        self.place, self.name = f"{place}: {name}", f"wrong_{name}"
        self.expectations = []
        self.edits = [[]]  # each a list of lines with their -, + or space

    def refuse(self, problem):
        sys.exit(f"{self.place}: {problem}")


def entries(path):
    found = []
    for number, line in enumerate(path.read_text().splitlines(), 1):
        place = f"{path}:{number}"
        head = re.fullmatch(r"==== (\w+): \S.*", line)
        expectation = re.fullmatch(r"(plain|explain): (\S.*)", line)
        if head:
            found.append(Entry(place, head[1]))
        elif line == "":
            continue
        elif not found or line.startswith("===="):
            sys.exit(f"{place}: an entry begins with ==== NAME: SENTENCE")
        elif expectation:
            found[-1].expectations.append(expectation.groups())
        elif line == "...":
            found[-1].edits.append([])
        elif line[0] in "-+ ":
            found[-1].edits[-1].append(line)
        else:
            sys.exit(f"{place}: this line begins with none of plain: explain: - + ... or a space")
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


def wrong_solutions(folder):
    """Those of wrong.txt, and the files wrong_*.cu."""
    right = (folder / "right.cu").read_text().splitlines()
    solutions = []
    for entry in entries(folder / "wrong.txt"):
        if len(entry.expectations) != 1:
            entry.refuse(f"there are {len(entry.expectations)} expectations (plain: or explain:), not one")
        solutions.append(Wrong(entry.name, *entry.expectations[0], "\n".join(edited(right, entry)) + "\n"))
    for file in sorted(folder.glob("wrong_*.cu")):
        text = file.read_text()
        expectation = re.match(r"// .*\n// (plain|explain): (\S.*)", text)
        if not expectation:
            sys.exit(f"{file}: its first two lines are not // SENTENCE and // plain: PATTERN (or explain:)")
        solutions.append(Wrong(file.stem, *expectation.groups(), text))

    for name, times in collections.Counter(solution.name for solution in solutions).items():
        if times > 1:
            sys.exit(f"{folder}: there are {times} solutions named {name}")
    for solution in solutions:
        try:
            re.compile(solution.pattern)
        except re.error as error:
            sys.exit(f"{folder}: the pattern of {solution.name} is no regular expression: {error}")
    return solutions
