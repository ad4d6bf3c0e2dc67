#!/usr/bin/env python3
"""fuzz.py WHAT BIN_FOLDER COMPARE_IMAGES [SAMPLE...]: WHAT is pictures, scenes or options. Gives changed files or command
lines to our programs; each must end with exit code 0 to 3, and with a sentence if it is not 0.

The changes are made from the files in corpus/, among them what was once trouble; FUZZ_SEED (1) chooses them, FUZZ_COUNT
(default 150) says how many. What fails is written to a folder and named. (The translator's fuzzer is
Translate.SurvivesDamagedFiles in emulator/tests.)
"""
import os
import pathlib
import shlex
import subprocess
import sys
import tempfile

import sweep

HERE = pathlib.Path(__file__).resolve().parent
VALUES = ["", " ", "0", "1", "2", "7", "-1", "1.5", "nan", "inf", "-inf", "1e400", "99999999999999999999", "0x10", "1,000",
          "7 ", "\t7", "-", "--", "---", "=", "a" * 5000, "\u0663", "%s%n", "$HOME", "..", "/", "no/such/file", "out.png",
          "out.jpg", "/dev/full", "'", "\n", "--help", "--check", "1:2", "2:1", ":", "best"]


class Choices:
    """A small generator that is the same everywhere (Knuth's MMIX constants)."""

    def __init__(self, seed):
        self.state = seed

    def below(self, n):
        self.state = (self.state * 6364136223846793005 + 1442695040888963407) % (1 << 64)
        return (self.state >> 33) % n

    def pick(self, sequence):
        return sequence[self.below(len(sequence))]


def changed(data, choices, others):
    """The bytes with some of them changed, cut, doubled, or from another file."""
    data = bytearray(data)
    for _ in range(1 + choices.below(4)):
        at = choices.below(len(data) + 1)
        kind = choices.below(7)
        if kind == 0 and data:
            data[at % len(data)] ^= 1 << choices.below(8)
        elif kind == 1 and data:
            data[at % len(data)] = choices.pick([0, 0xff, 0x7f, 0x80, ord("9"), ord("-"), ord("\n"), ord(" ")])
        elif kind == 2:
            del data[at:]
        elif kind == 3:
            del data[at:at + 1 + choices.below(8)]
        elif kind == 4:
            data[at:at] = data[at:at + choices.below(200)] * (1 + choices.below(20))
        elif kind == 5:
            data[at:at] = choices.pick([b"99999999999999999999", b"1e999", b"-1", b"nan", b"#", b"\0" * 50, b"9" * 12000])
        else:
            data[at:at] = choices.pick(others)[:choices.below(100)]
    return bytes(data)


def files(kind, count, choices):
    """First the corpus as it is, then `count` changed files."""
    corpus = [path.read_bytes() for path in sorted((HERE / "corpus" / kind).iterdir())]
    return corpus + [changed(choices.pick(corpus), choices, corpus) for _ in range(count)]


def command_lines(samples, count, choices):
    lines = [shlex.split(line) for line in (HERE / "corpus" / "options" / "lines.txt").read_text().splitlines()
             if line and not line.startswith("#")]
    flags = ["--size", "--frames", "--output", "--seed", "--bytes", "-n", "--method", "--scene", "--device", "--check",
             "--headless", "--window", "--angle", "--steps", "--speed", "--spheres", "-b", "-f", "--input", "--no-such"]
    small = [sample for sample in samples if sweep.all_runs(sample)]
    for _ in range(count):
        sample = choices.pick(small)
        words = choices.pick(sweep.all_runs(sample)).split()  # small: added words rarely make it large
        for _ in range(1 + choices.below(3)):
            at = choices.below(len(words) + 1)
            words[at:at] = [choices.pick(flags)] if choices.below(2) else [choices.pick(flags), choices.pick(VALUES)]
        lines.append([sample] + words)
    return [line for line in lines if line[0] in samples]


def judged(command, folder):
    """What is wrong with how the command ends; empty if nothing."""
    environment = {key: value for key, value in os.environ.items() if key != "DISPLAY"}
    try:
        done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, timeout=60)
    except subprocess.TimeoutExpired:
        return "it hangs"
    said = done.stderr.decode(errors="replace")
    if done.returncode not in (0, 1, 2, 3):
        return f"exit code {done.returncode}: {said[-2000:]}"
    if done.returncode != 0 and not said.strip() and b"FAIL" not in done.stdout and b"differ" not in done.stdout:
        return f"exit code {done.returncode} without a word"
    if len(said) > 2500:
        return f"it says {len(said)} characters: {said[:300]}..."
    return ""


def main():
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    what, binaries, compare = sys.argv[1], os.path.abspath(sys.argv[2]), os.path.abspath(sys.argv[3])
    choices = Choices(int(os.environ.get("FUZZ_SEED", "1")))
    count = int(os.environ.get("FUZZ_COUNT", "150"))
    kept = pathlib.Path(tempfile.mkdtemp(prefix="fuzz_"))
    wrong = 0
    if what == "options":
        cases = [([os.path.join(binaries, words[0])] + words[1:], None) for words in
                 command_lines(sys.argv[4:], count, choices)]
    elif what == "pictures":
        cases = [([compare, "input", "input", "0"], data) for data in files(what, count, choices)]
    else:
        cases = [([os.path.join(binaries, "circle_renderer"), "--scene", "input", "--check", "--size", "4"], data)
                 for data in files(what, count, choices)]
    for number, (command, data) in enumerate(cases):
        with tempfile.TemporaryDirectory(prefix="fuzz_") as folder:
            if data is not None:
                pathlib.Path(folder, "input").write_bytes(data)
            command = [word.replace("\0", "") for word in command]
            problem = judged(command, folder)
        if problem:
            wrong += 1
            print(f"case {number}: {' '.join(shlex.quote(word[:100]) for word in command)}: {problem}")
            if data is not None:
                (kept / f"{what}_{number}").write_bytes(data)
                print(f"    its file is {kept / f'{what}_{number}'}")
    if not list(kept.iterdir()):
        kept.rmdir()
    print(f"{len(cases)} cases, {wrong} mistakes")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
