#!/usr/bin/env python3
"""compare.py CU2CPP COMPILER "INCLUDE;..." "OPTION,...": does the emulated build answer as nvcc does?

Translates and compiles each of the small programs in *.cases. The answer (accept, warn, refuse) must be nvcc's in
answers.txt, or be in differences.txt with the reason; and the sentence in the program's first line must be said.
"""
import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True  # not next to the sources
from cases import FOLDER, read_cases

# The compiler's warnings that name mistakes; those without a name do, too.
SHOWN = re.compile(r"-W(uninitialized|maybe-uninitialized|return-type|format|format-extra-args|div-by-zero|overflow|return-local-addr|"
                   r"unused-value|shift-count-overflow)=?\]|assignment used as truth value|deprecated: use cuda")


class Build:
    def __init__(self, cu2cpp, compiler, includes, options, folder):
        self.cu2cpp, self.folder = cu2cpp, folder
        self.compile = [compiler, *options.split(","), "-I", str(folder), *(f"-I{path}" for path in includes.split(";"))]
        # Most of the time goes into the headers: they are compiled once.
        (folder / "all.h").write_text("#include <cuda_runtime.h>\n")
        subprocess.run([*self.compile, "-x", "c++-header", folder / "all.h", "-o", folder / "all.h.gch"], check=True)

    def answer(self, case):
        """The answer of the emulated build, and all its messages."""
        source, translated = self.folder / f"{case.name}.cu", self.folder / f"{case.name}.cpp"
        source.write_text(case.text)
        first = run(self.cu2cpp, source, translated, "--include-dir", self.folder / case.name, "--strict-constexpr")
        if first.returncode != 0:
            return "refuse", first.stderr
        second = run(*self.compile, "-include", self.folder / "all.h", "-S", "-o", os.devnull, translated)
        said = first.stderr + second.stderr
        if second.returncode != 0:
            return "refuse", said
        warnings = [line for line in said.splitlines() if "warning: " in line]
        shown = [line for line in warnings if not line.endswith("]") or SHOWN.search(line)]
        return ("warn" if shown else "accept"), "\n".join(shown)


def run(*command):
    return subprocess.run([str(word) for word in command], text=True, capture_output=True)


def table(name):
    """name of a case -> the rest of its line"""
    lines = (FOLDER / name).read_text().splitlines()
    return dict((line.split(None, 1) + [""])[:2] for line in lines if line and not line.startswith("#"))


def main():
    cases = read_cases()
    nvcc, differences = table("answers.txt"), table("differences.txt")
    problems = [f"{name} is in differences.txt, but there is no such case" for name in
                differences.keys() - {case.name for case in cases}]
    with tempfile.TemporaryDirectory() as folder:
        build = Build(*sys.argv[1:5], pathlib.Path(folder))
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            answers = list(pool.map(build.answer, cases))
    for case, (answer, said) in zip(cases, answers):
        expected = nvcc.get(case.name, "unknown: run ask_nvcc.py").split()[0]
        if answer != expected and case.name not in differences:
            problems.append(f"{case.name}: nvcc: {expected}, the emulated build: {answer}\n{said}")
        if answer == expected and case.name in differences:
            problems.append(f"{case.name} is in differences.txt, but both {answer}")
        if case.sentence and case.sentence not in said:
            problems.append(f'{case.name}: expected "{case.sentence}" in\n{said}')
    print("\n".join(problems) if problems else f"PASS {len(cases)} programs, {len(differences)} differences")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
