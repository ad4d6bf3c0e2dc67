#!/usr/bin/env python3
"""ask_nvcc.py [PATTERN]: writes answers.txt again, what nvcc says to each of the small programs in *.cases.

Each line has a program's name, its answer (accept, warn, refuse) and the first thing that nvcc says. Needs nvcc 13; no GPU.
With a pattern only the programs whose names fit are asked, and the other answers stay.
"""
import concurrent.futures
import pathlib
import re
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True  # not next to the sources
from cases import FOLDER, read_cases


def ask(case):
    with tempfile.TemporaryDirectory() as folder:
        source = pathlib.Path(folder, "case.cu")
        source.write_text(case.text)
        nvcc = subprocess.run(["nvcc", "-arch=sm_90", "-c", "case.cu", "-o", "case.o"], cwd=folder, text=True,
                              capture_output=True)
    said = re.findall(r"(?im)^.*\b(?:error|warning|fatal)\b.*$", nvcc.stdout + nvcc.stderr)
    errors = [line for line in said if re.search(r"(?i)\b(error|fatal)\b[^:]*:", line) and "warning #" not in line]
    if nvcc.returncode != 0:
        return "refuse", sentence((errors or said or ["?"])[0])
    if said:
        return "warn", sentence(said[0])
    return "accept", ""


def sentence(line):
    """What nvcc says without file, line and kind, which may be there twice."""
    place = r"(\S+[:(]\d+\S*: |ptxas (.*?; )?)?"
    kind = r"(error|warning|fatal)( error)?( #\d+(-D)?)? *: "
    for _ in range(2):
        line = re.sub("(?i)^" + place + kind, "", line)
    return line


def main():
    pattern = sys.argv[1] if len(sys.argv) > 1 else ""
    answers = FOLDER / "answers.txt"
    known = {line.split(None, 1)[0]: line for line in answers.read_text().splitlines()} if answers.exists() else {}
    cases = read_cases()
    wanted = [case for case in cases if re.search(pattern, case.name)]
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for case, (answer, said) in zip(wanted, pool.map(ask, wanted)):
            known[case.name] = f"{case.name} {answer} {said}".rstrip()
    answers.write_text("".join(known[case.name] + "\n" for case in cases if case.name in known))


main()
