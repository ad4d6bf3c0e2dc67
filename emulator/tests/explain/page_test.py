#!/usr/bin/env python3
"""page_test.py PACK: the page of --step (PACK/page) with data made here, in headless Chromium: what its panels
show at each step, its keys and clicks; nothing of the data becomes markup; it fits a phone."""
import json
import sys
import tempfile
from pathlib import Path

from browser import Browser, skip_without_chromium

skip_without_chromium()
page = Path(sys.argv[1]) / "page"
bad = []


def expect(condition, sentence):
    if not condition:
        bad.append(sentence)


EVIL = "</script><img src=x onerror=alert(1)><b>&amp; é"
ALL, LOW, HIGH, REST = "ffffffff", "ffff", "ffff0000", "ff"
shared = {"name": "tile", "space": "shared", "bytes": 4096, "type": "float", "element": 4, "extents": [32, 32],
          "cells": [[0, 4, ""]], "origin": "", "address": "0", "bank_offset": 0, "initial": []}
colors = {"name": "out", "space": "global", "bytes": 256, "type": "uchar4", "element": 4, "extents": [],
          "cells": [[i, 1, "xyzw"[i]] for i in range(4)], "origin": "cudaMalloc in line 20",
          "address": "7f0000000420", "initial": [[0, ["9"] * 8 + [None] * 248]]}
counter = {"name": "counter", "space": "global", "bytes": 4, "type": "int", "element": 4, "extents": [],
           "cells": [[0, 4, ""]], "origin": "", "address": "7f0000000600", "initial": [[0, ["0"]]]}
steps = [
    {"w": 0, "f": 0, "l": 3, "m": ALL, "e": [
        {"k": "store", "o": 0, "b": 4, "a": {"from": 0, "by": 4}, "v": [f"{i}.5" for i in range(32)],
         "n": 1, "least": 1, "unit": "wavefronts"}]},
    {"w": 1, "f": 0, "l": 3, "m": REST, "e": [
        {"k": "store", "o": 0, "b": 4, "a": {"from": 128, "by": 4}, "v": ["7"],
         "n": 1, "least": 1, "unit": "wavefronts"}]},
    {"w": 0, "f": 0, "l": 4, "m": ALL, "e": [{"k": "barrier", "what": "__syncthreads()"}]},
    {"w": 1, "f": 0, "l": 4, "m": REST, "e": [{"k": "barrier", "what": "__syncthreads()"},
                                              {"k": "opens", "what": "__syncthreads()"}]},
    {"w": 0, "f": 0, "l": 5, "m": ALL, "e": [
        {"k": "load", "o": 0, "b": 4, "a": {"from": 0, "by": 128}, "v": ["0.5", "7"] + ["0"] * 30,
         "n": 32, "least": 1, "unit": "wavefronts", "t": 0}]},
    {"w": 0, "f": 0, "l": 6, "m": ALL, "e": [{"k": "branch", "to": [[0, 7, LOW], [0, 8, HIGH]]}]},
    {"w": 0, "f": 0, "l": 7, "m": LOW, "e": [
        {"k": "store", "o": 1, "b": 4, "a": {"from": 0, "by": 4}, "v": ["1 2 3 4"],
         "n": 2, "least": 2, "unit": "sectors"}]},
    {"w": 0, "f": 0, "l": 8, "m": HIGH, "e": [
        {"k": "warp", "what": "__shfl_down_sync", "v": [str(i) for i in range(16)], "r": ["5"], "from": [31]}]},
    {"w": 0, "f": 0, "l": 9, "m": ALL, "e": [
        {"k": "atomic", "o": 2, "b": 4, "a": {"from": 0, "by": 0}, "v": [str(i + 1) for i in range(32)],
         "r": [str(i) for i in range(32)], "n": 32, "least": 1, "unit": "lanes at one address", "t": 1}]},
    {"w": 1, "f": 0, "l": 9, "m": REST, "e": [
        {"k": "store", "o": 1, "m": "1", "b": 4, "a": [256], "v": [""], "n": 1, "least": 1, "unit": "sectors"}]},
    {"w": 1, "f": 0, "l": 10, "m": REST, "end": REST, "e": [
        {"k": "texture", "what": "tex2D", "a": [f"({i}, 0.5)" for i in range(8)], "v": ["2"]}]},
    {"w": 0, "f": 0, "l": 11, "m": ALL, "end": ALL},
]
launch = {"kernel": "first<int>", "launch": 1, "launches": 2, "grid": [2, 1, 1], "block": [40, 1, 1],
          "shown": [0, 0, 0], "threads": 40, "shared_bytes": 4096, "called": {"f": 0, "l": 12}, "limit": "",
          "before": 0, "start": 0, "objects": [shared, colors, counter], "steps": steps, "findings": [
              {"kind": "bounds", "step": 9, "text": 2, "lanes": "1", "o": 1, "a": 256},
              {"kind": "race", "step": 6, "text": 3, "lanes": "1", "other": {"step": 8, "lanes": "2"},
               "o": 1, "a": 0}]}
member = {"name": "points", "space": "global", "bytes": 64, "type": "Point", "element": 16, "extents": [],
          "cells": [[0, 8, "x"], [8, 4, "count"]], "origin": "", "address": "80", "initial": [[0, ["2.25", "4"]]]}
other = {**launch, "kernel": EVIL, "launches": 1, "block": [8, 4, 1], "threads": 32, "shared_bytes": 0,
         "limit": "The page ends here.", "objects": [member], "findings": [], "start": 1, "steps": [
             {"w": 0, "f": 0, "l": 1, "m": ALL},
             {"w": 0, "f": 0, "l": 2, "m": "3", "e": [
                 {"k": "load", "o": 0, "b": 8, "a": [0, 16], "v": ["2.25", "0"],
                  "n": 1, "least": 1, "unit": "sectors"}]}]}
half = {**other, "kernel": "half", "limit": "", "objects": [], "start": 0, "findings": [{"kind": "barrier", "step": 1, "text": 2}],
        "steps": [{"w": 0, "f": 0, "l": 2, "m": ALL, "end": HIGH, "e": [{"k": "branch", "to": [[0, 3, LOW]]}]},
                  {"w": 0, "f": 0, "l": 3, "m": LOW, "e": [{"k": "barrier", "what": "__syncthreads()"},
                                                          {"k": "opens", "what": "__syncthreads()"}]},
                  {"w": 0, "f": 0, "l": 4, "m": LOW, "end": LOW}]}
data = {"version": 1, "program": "test", "command": "./run --step " + EVIL, "order": "Warps take turns.",
        "glossary": "", "wanted": "", "elsewhere": [{"text": EVIL, "command": "./run --step a.cu --block 1,0,0"},
                                                    {"text": "late", "command": ""}],
        "texts": ["a conflict", "a queue", "out ends before this", "a race on out[0]"],
        "sources": [{"file": "a.cu", "first": 1, "lines": [EVIL] + [f"line {i};  // {EVIL}" for i in range(2, 13)]}],
        "launches": [launch, other, half]}


def write(path):
    text = json.dumps(data)
    for sign in "<>&":
        text = text.replace(sign, f"\\u{ord(sign):04x}")
    html = (page / "steps.html").read_text()
    for mark, words in (("STYLE", (page / "steps.css").read_text()), ("DATA", text),
                        ("SCRIPT", (page / "steps.js").read_text())):
        expect(html.count(f"/*{mark}*/") == 1, f"steps.html has no single /*{mark}*/")
        html = html.replace(f"/*{mark}*/", words)
    path.write_text(html)


with tempfile.TemporaryDirectory() as folder, Browser() as window:
    write(Path(folder) / "page.html")
    window.open(Path(folder) / "page.html")

    def where():
        return window.text("#where")

    def sentences():
        return window.text("#sentences")

    def states(warp):
        return window.run(f"laneCells[{warp}].map((cell) => cell.className.split(' ')[1]).join(' ')")

    def word(o, number):
        return window.run(f"(() => {{ const cell = document.getElementById('word-{o}-{number}');"
                          "return cell.className + ' ' + cell.textContent; })()")

    def at(step, words):
        expect(where() == f"Step {step} of 12: {words}", f"step {step}: '{where()}'")

    elsewhere = (f"Not on this page, but on that of ./run --step a.cu --block 1,0,0 {EVIL} "
                 "After the last step of this page: late")
    expect(window.text("#elsewhere").split() == f"In another kernel of this page: half out ends before this {elsewhere}".split(),
           window.text("#elsewhere"))

    # Step by step with the keys.
    at(1, "warp 0 runs line 3")
    expect("All 32 lanes write tile in shared memory: 1 wavefront." in sentences(), sentences())
    expect(states(0) == " ".join(["run"] * 32), "not all lanes of warp 0 run")
    expect(states(1) == " ".join(["ready"] * 8 + ["none"] * 24), f"warp 1 is {states(1)}")
    expect(word(0, 3) == "word hot lane3 3.5", f"tile[0][3] is {word(0, 3)}")
    expect(word(0, 32).startswith("word never"), f"tile[1][0] is {word(0, 32)}")
    window.press("ArrowRight")
    at(2, "warp 1 runs line 3")
    expect(word(0, 3) == "word by lane3 3.5", f"tile[0][3] is {word(0, 3)}")
    window.press("ArrowRight")
    at(3, "warp 0 runs line 4")
    expect("arrive at __syncthreads() and wait for warp 1." in sentences(), sentences())
    window.press("ArrowRight")
    expect(states(0) == " ".join(["waits"] * 32), f"at the barrier warp 0 is {states(0)}")
    expect("__syncthreads() opens" in sentences(), sentences())
    window.press("ArrowRight")
    expect(states(0) == " ".join(["run"] * 32), "the barrier did not open")
    expect("32 wavefronts; 1 would do. In bank 0 lanes 0–31 access 32 different words" in sentences(), sentences())
    expect("Lanes 2–31 read words of tile that no thread has written yet." in sentences(), sentences())
    expect("a conflict" in sentences(), sentences())
    expect(window.text("#banks .crowded") == "×32", "no ×32 above bank 0")
    row = window.run("document.querySelectorAll('#lanes tr')[2].innerText")
    expect(row.split() == ["1", "1", "[1][0]", "0", "7", "1:0"], f"the row of lane 1 is {row.split()}")
    window.press("ArrowRight")
    expect("The lanes part: lanes 0–15 go on in line 7, lanes 16–31 go on in line 8. The warp runs these ways one after "
           "the other; they meet again in line 9, step 9." in sentences(), sentences())
    window.press("ArrowRight")
    at(7, "warp 0 runs line 7, with lanes 0–15")
    expect(states(0) == " ".join(["run"] * 16 + ["off"] * 16), f"diverged: {states(0)}")
    expect(window.text("#warps .now .at") == "7 · 8", "the lines of both sides are not next to warp 0")
    expect("a race on out[0]" in sentences(), sentences())
    expect("Divergence: lanes 16–31 are inactive, because they take another path" in sentences(), sentences())
    expect("line 7" in window.text("#code .here") and "w0" in window.text("#code .here"), "line 7 is not lit")
    cells = window.run("[...document.querySelectorAll('#others .word')].map((cell) => cell.className)")
    expect([name for name in cells if "hot" in name][:1] == ["word hot lane0 bad"], f"out: {cells}")
    expect(sum("absent" not in name for name in cells) == 16, "not two sectors of out are shown")
    expect(cells[7] == "word absent" and "hot" in cells[8], "out does not begin at its second sector of the line")
    window.press("ArrowRight")
    expect("gives gets from lane" in window.text("#lanes table").replace("\t", " "), window.text("#lanes"))
    window.press("ArrowRight")
    expect("All 32 lanes do an atomic operation on counter in global memory: 32 lanes at one address, "
           "one after another." in sentences(), sentences())
    row = window.run("document.querySelectorAll('#lanes tr')[3].innerText")
    expect(row.split() == ["2", "2", "counter", "2", "→", "3"], f"the atomic's row is {row.split()}")
    expect(window.text("#others .hot") == "32", f"the counter's word shows {window.text('#others .hot')}")
    window.press("ArrowRight")
    expect("out ends before this" in sentences() and "out[64]" in sentences(), sentences())
    window.press("ArrowRight")
    expect("Lanes 0–7 call tex2D, at 8 places: the table has coordinates and values." in sentences(), sentences())
    expect("Warp 1 has ended." in sentences(), sentences())
    window.press("ArrowRight")
    at(12, "warp 0 runs line 11")
    expect(states(1).startswith("ended"), f"warp 1 is {states(1)}")
    window.press("ArrowRight")
    at(12, "warp 0 runs line 11")
    window.press("ArrowLeft")
    at(11, "warp 1 runs line 10")
    window.press("ArrowUp")
    at(10, "warp 1 runs line 9")
    window.press("Home")
    at(1, "warp 0 runs line 3")
    marks = []
    for _ in range(5):
        window.press("n")
        marks.append(int(where().split()[1]))
    expect(marks == [5, 6, 7, 8, 9], f"n goes to {marks}")
    window.press("n")
    window.press("p")
    at(9, "warp 0 runs line 9")
    expect(window.text("#kinds").split("\n")[0].endswith("mistake (3)"), window.text("#kinds"))

    # What is clicked: a line, the other access, a thread, a word.
    window.click("#line-0-7 .t")
    at(7, "warp 0 runs line 7, with lanes 0–15")
    window.click("#sentences button")
    at(9, "warp 0 runs line 9")
    window.press("Home")
    window.click("#lane-1-3")
    window.press("ArrowRight", 2)
    at(4, "warp 1 runs line 4")
    expect(window.text("#unfollow").startswith("following thread 35"), window.text("#unfollow"))
    window.press("Escape")
    window.press("ArrowRight")
    at(5, "warp 0 runs line 5")
    window.click("#word-0-32")
    expect(window.text("#cell-title") == "tile[1][0] = 7", window.text("#cell-title"))
    uses = window.text("#cell-list").split("\n")
    expected = ["step 2, line 3: thread 32 (warp 1, lane 0) writes 7",
                "step 5, line 5: thread 1 (warp 0, lane 1) reads 7"]
    expect(uses == expected, f"tile[1][0] was used so: {uses}")
    window.click("#cell-list button")
    at(2, "warp 1 runs line 3")
    window.click("#writers")
    expect(word(0, 32).endswith("1:0"), f"writers: {word(0, 32)}")

    # By the keyboard alone: Tab into the threads, arrows there, Enter follows.
    window.run("document.querySelector('#warps').focus()")
    window.press("ArrowDown")
    window.press("ArrowRight")
    window.press("Enter")
    expect(window.text("#unfollow").startswith("following thread 33"), window.text("#unfollow"))
    at(2, "warp 1 runs line 3")
    label = window.run("find(find('warps').getAttribute('aria-activedescendant')).ariaLabel")
    expect(label == "thread 33, warp 1, lane 1: runs, line 3", f"the label of a thread is {label}")
    window.press("Escape")
    window.press("Escape")
    window.press(" ")
    expect(window.run("new Promise((done) => setTimeout(() => done(now), 700))") > 1, "space does not play")
    window.press(" ")

    # The other launch. All words of the data are text; a value of a member.
    expect(not window.run("document.querySelector('#launches').hidden"), "there is no choice of launches")
    window.run("find('launches').value = 1; find('launches').dispatchEvent(new Event('change'))")
    expect(where() == "Step 2 of 2: warp 0 runs line 2, with lanes 0, 1", where())
    expect("Lanes 0, 1 read points in global memory: 1 sector of 32 bytes." in sentences(), sentences())
    row = window.run("document.querySelectorAll('#lanes tr')[2].innerText")
    expect(row.split() == ["1", "(1,", "0)", "[1].x", "0"], f"a member's row is {row.split()}")
    expect(window.text("#limit") == "The page ends here.", "the limit is not shown")
    expect(window.text("#code .t") == EVIL, "a source line is not shown as it is")
    expect(window.run("document.querySelectorAll('img, b').length") == 0, "text became markup")
    expect(EVIL in window.text("#command"), "the command is not shown as it is")
    expect(window.run("document.querySelector('#line').getBoundingClientRect().width") > 300, "no time line")

    # A mistake in another kernel of the page. A barrier to which not all come: who waits, who has ended.
    expect(window.text("#launch").startswith("2 of 3 kernels; block (0, 0, 0)"), window.text("#launch"))
    expect(window.text("#elsewhere").split() ==
           f"In another kernel of this page: first<int> out ends before this … and 1 more "
           f"In another kernel of this page: half out ends before this {elsewhere}".split(), window.text("#elsewhere"))
    window.click("#elsewhere li:nth-child(2) button")
    expect(where().startswith("Step 2 of 3"), "the button does not lead to the mistake: " + where())
    expect("16 threads (warp 0) wait at __syncthreads() in line 3; 16 threads (warp 0) have ended in line 2 and will not come."
           in sentences(), sentences())

# On a phone the panels are below one another, and nothing is wider than it.
with tempfile.TemporaryDirectory() as folder, Browser(width=400, height=800, dark=True) as window:
    write(Path(folder) / "page.html")
    window.open(str(Path(folder) / "page.html") + "#launch=1&step=5")
    expect(window.text("#where").startswith("Step 5 of 12"), "the address does not choose the step")
    expect(window.run("document.documentElement.scrollWidth") == 400, "the page is wider than a phone")
    tops = window.run("['source', 'threads', 'memory'].map((id) => find(id).getBoundingClientRect().top)")
    expect(tops == sorted(tops) and len(set(tops)) == 3, f"the panels are not one below another: {tops}")
    ground = window.run("getComputedStyle(document.body).backgroundColor")
    expect(ground == "rgb(20, 23, 27)", f"it is not dark: {ground}")
    window.press("t")
    expect(window.run("getComputedStyle(document.body).backgroundColor") == "rgb(245, 246, 248)", "t does not make it light")

print("\n".join(bad))
sys.exit(bool(bad))
