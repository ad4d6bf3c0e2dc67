#!/usr/bin/env python3
"""refusals.py TABLE PROGRAM SOURCES KIND...: what does the device say of a program's mistakes?

Runs the program as TABLE lists it (its first lines explain it). SOURCES: those of the program, with commas between them;
it is called like the first one. KIND: what this build is, such as "sanitized"; of the table's lines after
[KIND] or [not KIND] only those that fit count.
"""
import os
import pathlib
import re
import resource
import subprocess
import sys

SECONDS = 60  # for a run


class Case:
    def __init__(self):
        self.runs, self.expected = [], []


def read_cases(table, probe, kinds):
    cases, counts, case = [], True, Case()
    for line in table.read_text().splitlines():
        text = line.strip()
        if text.startswith("["):
            kind = text.strip("[]").split()
            counts = not kind or (kind[-1] in kinds) == (len(kind) == 1)
        elif not text or text.startswith("#") or not counts:
            continue
        elif line.startswith(" "):
            case.expected.append(text)
        else:
            if case.expected:
                case = Case()
            case.runs.append(text)
            if case not in cases and text.split()[0] == probe:
                cases.append(case)
    return cases


def read_places(sources):
    """name of a marked line -> FILE:LINE"""
    places = {}
    for source in sources:
        for number, line in enumerate(pathlib.Path(source).read_text().splitlines(), 1):
            if mark := re.search(r"// LINE (\w+)$", line):
                places[mark[1]] = f"{pathlib.Path(source).name}:{number}"
    return places


def run(program, words):
    """Exit code, and all that is said."""
    variables = dict(word.split("=", 1) for word in words if "=" in word)
    arguments = [word for word in words if "=" not in word]
    memory, terminal = variables.pop("MEMORY", None), variables.pop("TERMINAL", None)

    def limit():
        if memory:
            resource.setrlimit(resource.RLIMIT_AS, (int(memory) * 1024,) * 2)
    screen, errors = os.openpty() if terminal else (None, subprocess.STDOUT)
    done = subprocess.run([program, *arguments], stdout=subprocess.PIPE, stderr=errors, preexec_fn=limit,
                          env=os.environ | variables, timeout=SECONDS)
    said = done.stdout.decode(errors="replace")
    if terminal:
        said += os.read(screen, 1 << 16).decode(errors="replace")
    return done.returncode, said


def problems(expected, outcomes, places):
    """What does not fit of one case."""
    found, said = [], [text for _, text in outcomes]
    at = [0] * len(said)
    for line in expected:
        kind, _, rest = line.partition(" ")
        if line in ("same", "several"):
            if (len(set(said)) == 1) != (line == "same"):
                found.append(f"{line}: {len(set(said))} different outputs")
            continue
        words = re.sub(r"@(\w+)", lambda name: places.get(name[1], "no line " + name[1]),
                       rest if kind in ("once", "never", "only") else line).replace(r"\n", "\n")
        for i, text in enumerate(said):
            if kind == "only":
                fits = re.sub(r"\S*/(?=\w+\.(cu|cpp):\d)", "", text).strip("\n") == words
            elif kind in ("once", "never"):
                fits = text.count(words) == (kind == "once")
            else:
                place = text.find(words, at[i])
                fits, at[i] = place >= 0, place + len(words)
            if not fits:
                found.append(f"expected: {line}\n{text}")
    return found


def main():
    table, program, sources, *kinds = sys.argv[1:]
    sources = sources.split(",")
    probe, places = pathlib.Path(sources[0]).stem, read_places(sources)
    cases, failed = read_cases(pathlib.Path(table), probe, kinds), 0
    for case in cases:
        outcomes, found = [], []
        for line in case.runs:
            words, _, code = line.partition(" -> ")
            outcomes.append(run(program, words.split()[1:]))
            got = outcomes[-1][0]
            if got == 0 if code == "fails" else got != int(code or 0):
                found.append(f"exit code {got}\n{outcomes[-1][1]}")
        found += problems(case.expected, outcomes, places)
        failed += bool(found)
        for problem in found:
            print(f"{' | '.join(case.runs)}: {problem}")
    print(f"{'FAIL' if failed else 'PASS'} {len(cases)} cases, {failed} failed")
    return 1 if failed or not cases else 0


if __name__ == "__main__":
    sys.exit(main())
