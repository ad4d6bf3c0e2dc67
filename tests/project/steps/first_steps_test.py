#!/usr/bin/env python3
"""first_steps_test.py PROJECT DIVERGENCE BANK_CONFLICTS DOT SHARED_BITMAP HIST: the five pages that
docs/first_steps.md lets the reader step through are made, and gone through in headless Chromium by keys; what
the text promises is there."""
import os
import subprocess
import sys
import tempfile
from pathlib import Path

project = Path(sys.argv[1])
sys.path.insert(0, str(project / "emulator/tests/explain"))
sys.dont_write_bytecode = True
from browser import Browser, skip_without_chromium  # noqa: E402

skip_without_chromium()
bad = []


def expect(condition, sentence):
    if not condition:
        bad.append(f"{page.name}: {sentence}")


def make(program, name, *arguments):
    """The page of a program, and what the program printed."""
    path = Path(folder) / f"{name}_steps.html"
    environment = {**os.environ, "EMULATED_STEP_PAGE": str(path), "EMULATED_STEP_NAME": name,
                   "EMULATED_STEP_COMMAND": f"./run --step {name}"}
    result = subprocess.run([program, *arguments], cwd=folder, env=environment, capture_output=True, text=True)
    if not path.exists():
        print(f"{name}: no page was written: {result.stdout}{result.stderr}")
        sys.exit(1)
    return path


def line_of(file, text):
    lines = (project / file).read_text().split("\n")
    return next(number for number, line in enumerate(lines, 1) if text in line)


with tempfile.TemporaryDirectory() as folder, Browser() as window:
    def open_page(path):
        window.open(path)
        expect(window.text("#where").startswith("Step 1 of "), "it does not begin with the first step")
        return path

    def sentences():
        return window.text("#where") + "\n" + window.text("#sentences")

    def press_until(key, text, most=200):
        """Whether a key leads to a step with this text."""
        for _ in range(most):
            if text in sentences():
                return True
            window.press(key)
        expect(False, f"'{key}' does not lead to '{text}'; the last step is: {sentences()}")
        return False

    def words():
        return window.run("[...document.querySelectorAll('#rows .word')].map((cell) => cell.textContent)")

    # A divergent branch: every second lane adds, then every fourth.
    page = open_page(make(sys.argv[2], "divergence"))
    window.press("n")
    adds = line_of("docs/patterns/divergence.cu", "s[t] += s[t + stride]")
    press_until("n", f"runs line {adds}, with lanes 0, 2, …, 30")
    expect("are inactive, because they take another path" in sentences(), sentences())
    states = window.run("laneCells[steps[now].w].map((cell) => cell.className.split(' ')[1])")
    expect(states == ["run", "off"] * 16, f"its lanes are {states}")
    press_until("n", f"runs line {adds}, with lanes 0, 4, …, 28")
    window.press("End")
    expect(words()[0] == "256", f"256 ones are {words()[0]}")
    marks = window.text("#kinds")
    window.run("find('launches').value = 1; find('launches').dispatchEvent(new Event('change'))")
    few, many = (int(text.split("divergence (")[1].split(")")[0]) for text in (window.text("#kinds"), marks))
    expect(few * 3 < many, f"sequential has {few} marks, interleaved {many}")

    # A transpose: a column of a tile of 32 columns is one bank, of 33 columns all banks.
    page = open_page(make(sys.argv[3], "bank_conflicts"))
    window.press("n")
    expect("32 wavefronts; 1 would do. In bank 0 lanes 0–31 access 32 different words" in sentences(), sentences())
    expect(window.text("#banks .crowded") == "×32", "the number of words is not above the bank")
    expect(window.run("document.querySelectorAll('#rows .word.hot').length") == 32, "32 words are not lit")
    window.run("find('launches').value = 1; find('launches').dispatchEvent(new Event('change'))")
    expect("bank conflict" not in window.text("#kinds"), "33 columns have bank conflicts")
    read = line_of("docs/patterns/bank_conflicts.cu", "= tile[x][y]")
    window.click(f"#line-0-{read} .t")
    expect("All 32 lanes read tile in shared memory: 1 wavefront." in sentences(), sentences())

    # A dot product: the barrier, and 64 products that are added up.
    page = open_page(make(sys.argv[4], "dot", "-n", "64"))
    press_until("ArrowRight", "arrive at __syncthreads() and wait for warps 1–7.")
    window.press("ArrowRight")
    expect(window.run("laneCells[0].every((cell) => cell.className.includes('waits'))"), "warp 0 does not wait")
    press_until("ArrowRight", "opens, and all that wait go on.")
    expect(words()[:4] == ["0", "2", "8", "18"], f"the products are {words()[:4]}")
    window.press("End")
    window.click("#rows .word")
    expect(window.text("#cell-title") == "cache[0] = 170688", window.text("#cell-title"))
    uses = window.text("#cell-list")
    expect("thread 0 (warp 0, lane 0) writes 170688" in uses, f"cache[0] was used so: {uses}")

    # The same tile without its barrier: a warp reads what is not written yet.
    page = open_page(make(sys.argv[5], "shared_bitmap", "--method", "without_barrier", "--size", "64", "--headless"))
    press_until("n", "read words of tile that no thread has written yet")
    expect("race" in sentences() and "__syncthreads() is missing" in sentences(), sentences())
    expect(window.run("document.querySelectorAll('#rows .word.hot.never').length") == 32, "the words are not hatched")
    expect(window.run("document.querySelectorAll('#code .party').length") == 2, "not both lines are framed")
    reads = window.run("now")
    window.click("#sentences button")
    expect(window.run("now") > reads and "write tile in shared memory" in sentences(), sentences())

    # A histogram without atomics: lanes with the same byte write the same count.
    page = open_page(make(sys.argv[6], "hist_gpu_no_atomics", "--bytes", "100000"))
    press_until("n", "write the same element, histogram[")
    expect("race" in sentences(), sentences())
    expect(window.run("steps[now].e.map((event) => event.k).join(' ')") == "load load store", "no read, add, write")

print("\n".join(bad))
sys.exit(bool(bad))
