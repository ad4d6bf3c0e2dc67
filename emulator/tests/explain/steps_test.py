#!/usr/bin/env python3
"""steps_test.py PROGRAM: the pages that PROGRAM (steps.cu) writes with EMULATED_STEP_PAGE: lanes, addresses, values,
banks and sentences of each kind of step are what the program's semantics say; the last state is what its memory holds; of
a sentence says what cannot be shown, and no page is left."""
import json
import os
import re
import signal
import stat
import subprocess
import sys
import tempfile
import time
from pathlib import Path

program = sys.argv[1]
source = (Path(__file__).parent / "steps.cu").read_text().splitlines()
folder = Path(tempfile.mkdtemp())
os.environ["EMULATED_WATCHDOG"] = "2"
bad = []


def expect(condition, sentence):
    if not condition:
        bad.append(sentence)


def same(got, expected, sentence):
    expect(got == expected, f"{sentence}: {got} instead of {expected}")


def run(*words, **settings):
    """Exit code, standard output, standard error, the page's data (None: there is no page)."""
    page = folder / "steps.html"
    page.unlink(missing_ok=True)
    settings = {"PAGE": str(page), "NAME": "steps <&\"é", "COMMAND": "./run",
                "OTHER": "./run --step steps @ -n 5", **settings}
    environment = dict(os.environ, **{"EMULATED_STEP_" + key: value for key, value in settings.items()})
    done = subprocess.run([program, *words], env=environment, capture_output=True, text=True, timeout=300)
    expect(not (folder / "steps.html.new").exists(), f"{words} {settings}: half a page is left")
    data = None
    if page.exists():
        json_text = re.search(r'id="steps">(.*?)</script>', page.read_text(), re.S).group(1)
        expect("<" not in json_text, "a < in the data")
        data = json.loads(json_text)
    return done.returncode, done.stdout, done.stderr, data


def line(mark):
    """The number of the line with this comment, or this text."""
    found = [i + 1 for i, text in enumerate(source) if text.rstrip().endswith("// " + mark)]
    found = found or [i + 1 for i, text in enumerate(source) if mark in text]
    assert len(found) == 1, (mark, found)
    return found[0]


def lanes(mask):
    return [i for i in range(32) if int(mask, 16) >> i & 1]


def full(entries, count):
    if isinstance(entries, dict):
        return [entries["from"] + i * entries["by"] for i in range(count)]
    return entries * count if len(entries) == 1 else entries


class Launch:
    def __init__(self, data, kernel):
        self.data = data
        (self.launch,) = [one for one in data["launches"] if one["kernel"] == kernel]
        self.steps = self.launch["steps"]

    def at(self, number):
        return [step for step in self.steps if step["l"] == number]

    def events(self, kind, number=None):
        return [(step, event) for step in self.steps for event in step.get("e", [])
                if event["k"] == kind and number in (None, step["l"])]

    def name(self, event):
        return self.launch["objects"][event["o"]]["name"]

    def last(self, name):
        """What memory holds in the end, by offset: the initial values, and what steps store."""
        (number, thing), = [(i, one) for i, one in enumerate(self.launch["objects"]) if one["name"] == name]
        cells = {}
        sizes = {offset: size for offset, size, _ in thing["cells"]}
        for begin, texts in thing["initial"]:
            at = begin
            for text in texts:
                cells[at] = text
                at += sizes[at % thing["element"]]
        for kind in ("store", "atomic"):
            for step, event in self.events(kind):
                if event["o"] != number:
                    continue
                count = len(lanes(event.get("m", step["m"])))
                for offset, text in zip(full(event["a"], count), full(event["v"], count)):
                    for part in text.split(" "):
                        cells[offset] = part
                        offset += sizes[offset % thing["element"]]
        return [cells[at] for at in sorted(cells)]


code, output, errors, data = run()
same(code, 0, "exit code " + errors)
memory = {text.split()[0]: text.split()[1:] for text in output.splitlines()}
same(data["program"], 'steps <&"é', "the program's name")
same([one["kernel"] for one in data["launches"]], ["columns", "ways", "types", "warps", "atomics", "locks"], "kernels")
for one in data["launches"]:
    same((one["launch"], one["shown"], one["limit"]), (1, [0, 0, 0], ""), one["kernel"])
    ended = 0
    for step in one["steps"]:
        ended += len(lanes(step.get("end", "0")))
    same(ended, one["threads"], one["kernel"] + ": threads that end")

# ---- columns ----
columns = Launch(data, "columns")
for step, event in columns.events("store", line("column")):
    w = step["w"]
    same((event["a"], event["v"]), ({"from": 4 * w, "by": 128}, [str(10 * w + i) for i in range(32)]), "a column")
    same((event["n"], event["least"], event["unit"]), (32, 1, "wavefronts"), "banks of a column")
    expect("a request takes 32.0 wavefronts where 1.0 would do: lanes access different words of one bank, 32 words apart"
           in data["texts"][event["t"]], "the sentence about banks")
for step, event in columns.events("load", line("row")):
    w = step["w"]
    same((full(event["a"], 32), event["v"]), ([128 * w + 4 * i for i in range(32)], [str(10 * i + w) for i in range(32)]), "a row")
    same(event["n"], 1, "banks of a row")
tile = columns.launch["objects"][0]
same((tile["name"], tile["space"], tile["type"], tile["extents"], tile["bytes"]), ("tile", "shared", "float", [32, 32], 4096), "tile")
same(tile["initial"], [[0, [None] * 1024]], "nobody has written shared memory")
same(len(columns.events("barrier")), 32, "warps that come to the barrier")
same([step["w"] for step, _ in columns.events("opens")], [columns.events("barrier")[-1][0]["w"]], "who opens the barrier")
first_load = min(i for i, step in enumerate(columns.steps) if step["l"] == line("row"))
same(len([1 for step in columns.steps[:first_load] if step["l"] == line("column")]), 32, "stores before the first load")
same([float(v) for v in columns.last("out")], [float(v) for v in memory["columns"]], "out at the end")

# ---- ways ----
ways = Launch(data, "ways")
low, high = "3ff", "fffffc00"
same([step["m"] for step in ways.at(line("low"))] + [step["m"] for step in ways.at(line("high"))], [low, high], "both ways")
branch = [event for step, event in ways.events("branch")][0]
same(sorted(way[1:] for way in branch["to"]), sorted([[line("low"), low], [line("high"), high]]), "the branch")
rest = [sum(1 << i for i in range(32) if i % 3 > turns) for turns in (0, 1)]
same([int(step["m"], 16) for step in ways.at(line("turn"))], rest, "turns of the loop")
(step,) = ways.at(line("together"))
same(step["m"], "ffffffff", "lanes that meet again")
expected = [sum(1 + 1 for k in range(i % 3)) for i in range(32)]
same([int(v) for v in ways.last("out")], expected, "sums")
same((ways.launch["launches"], ways.launch["grid"]), (3, [2, 1, 1]), "launches")

# ---- computes: no step is left out where nothing but registers is used ----
code, _, errors, computed = run("computes", KERNEL="registers::computes")
computes = Launch(computed, "registers::computes<int>")
same([len(computes.at(line(way))) for way in ("halved", "tripled")], [70, 41], "turns of a loop without memory")

# ---- types ----
types = Launch(data, "types")
same([float(v) for v in types.last("u")], [float(v) for v in memory["unsigneds"]], "unsigned")
same([float(v) for v in types.last("d")], [float(v) for v in memory["doubles"]], "double")
same(types.last("u")[1], "4000000001", "an unsigned number")
same(types.last("l"), [str(-5000000000 * i) for i in range(32)], "64 bits")
same(types.last("h"), [f"{i}.5" for i in range(32)], "half")
(event,) = [event for _, event in types.events("store") if types.name(event) == "v"]
same((event["b"], event["v"][3]), (16, "3 0.5 -1 2"), "float4")
(event,) = [event for _, event in types.events("store") if types.name(event) == "c"]
same((event["b"], event["v"][3]), (4, "3 2 3 255"), "uchar4, one store")
(event,) = [event for _, event in types.events("store") if types.name(event) == "b"]
same((event["a"], event["b"], event["v"][3]), ({"from": 4, "by": 12}, 4, "-3"), "a member")
things = {thing["name"]: thing for thing in types.launch["objects"]}
same(things["b"]["cells"], [[0, 4, "x"], [4, 4, "id"], [8, 1, "color"]], "members")
same(things["factors"]["space"], "constant", "constant memory")
(event,) = [event for _, event in types.events("load") if types.name(event) == "factors"]
same((event["unit"], event["n"]), ("words", 4), "different words of constant memory")
(event,) = [event for _, event in types.events("store") if types.name(event) == "unknown"]
same(event["v"][:2], ["0x3f800000", "0x40000000"], "values of no known type")

# ---- structures that are copied ----
code, _, errors, copied = run("copies")
copies = Launch(copied, "copies")
for read, written, values in [("from", "to", [f"{i}.5 {-i} {i}" for i in range(32)]),
                              ("colors", "reversed", [f"{i} 2 3 255" for i in range(32)])]:
    events = [event for step in copies.steps for event in step.get("e", []) if copies.name(event) in (read, written)]
    same([(event["k"], copies.name(event)) for event in events], [("load", read), ("store", written)], "the order of a copy")
    for event in events:
        same(full(event["v"], 32), values, f"a structure of {copies.name(event)}")

# ---- warps ----
warps = Launch(data, "warps")
(_, shuffle), (_, ballot) = warps.events("warp")
same((shuffle["what"], shuffle["m"]), ("__shfl_up_sync", "ffffffff"), "shuffle")
same(shuffle["v"], [str(i * i) for i in range(32)], "given")
same(shuffle["r"], [str(max(i - 1, 0) ** 2) for i in range(32)], "got")
same(shuffle["from"], [max(i - 1, 0) for i in range(32)], "from")
same((ballot["v"][:2], ballot["r"]), (["0", "1"], ["0xaaaaaaaa"]), "ballot")
same([float(v) for v in warps.last("out")], [float(v) for v in memory["warps"]], "out")

# ---- atomics ----
atomics = Launch(data, "atomics")
(_, add), (_, most) = atomics.events("atomic")
same((add["r"][:3], add["v"][:3], add["n"]), (["0", "0.5", "1"], ["0.5", "1", "1.5"], 32), "atomicAdd")
same((most["r"][5], most["v"][5], atomics.name(most)), ("4", "5", "total"), "atomicMax")
same([float(v) for v in atomics.last("sum")], [float(v) for v in memory["atomics"]], "sum")
expect("up to 32 lanes of a warp update the same address" in data["texts"][add["t"]], "the sentence about atomics")

# ---- locks ----
locks = Launch(data, "locks")
same(len(locks.at(line("locked"))), 40, "one thread at a time holds the lock")
same(locks.last("lock")[-1], memory["locks"][1], "the counter")

# ---- races, bounds, barriers ----
code, _, errors, data = run("races")
races = Launch(data, "races")
kinds = {finding["kind"] for finding in races.launch["findings"]}
same(kinds, {"race"}, "findings of a race")
for finding in races.launch["findings"]:
    step, other = races.steps[finding["step"]], races.steps[finding["other"]["step"]]
    same({step["l"], other["l"]}, {line("write"), line("read")}, "lines of a race")
    same(step["w"] + other["w"], 3, "warps of a race")
    expect("__syncthreads() is missing" in data["texts"][finding["text"]], "what would order them")
early = [event["v"] for step, event in races.events("load") if step["w"] == 0]
expect(early[0] != [str(127 - i) for i in range(32)], "a warp reads what the last warp has not written")

code, _, errors, data = run("beyond")
beyond = Launch(data, "beyond")
(finding,) = beyond.launch["findings"]
same((finding["kind"], lanes(finding["lanes"])), ("bounds", list(range(22, 32))), "lanes beyond")
expect("beyond the 128 bytes of out" in data["texts"][finding["text"]] or "out of bounds" in data["texts"][finding["text"]], "bounds")
(_, event), = beyond.events("store")
same((full(event["a"], 32)[31], event["v"]), (164, ["7"] * 22 + [""] * 10), "a store beyond")

code, _, errors, data = run("half_barrier")
half = Launch(data, "half_barrier")
same([finding["kind"] for finding in half.launch["findings"]], ["barrier"], "a barrier to which not all come")

# ---- what the page does not show ----
code, _, errors, data = run("tail")
tail = Launch(data, "tail")
same([step["m"] for step, _ in tail.events("barrier")], ["ffffffff"] * 2, "lanes that part meet again at the barrier")
(odd,) = [step for step in tail.at(line("odd")) if step["w"] == 0 and "e" in step and step["e"][-1]["k"] == "store"]
same(odd["m"], "aaaaaaa8", "lanes of the condition")
(elsewhere,) = [one for one in data["elsewhere"] if "threads ended without reaching this __syncthreads" in one["text"]]
same(elsewhere["command"], "./run --step steps --block 1,0,0 -n 5", "the command that shows the other block")
expect(f"step: not on this page: steps.cu:{line('all that are left')}: " in errors, "the terminal: " + errors)
expect("\nstep: on the page of: ./run --step steps --block 1,0,0 -n 5\n" in errors, "the terminal: " + errors)
code, _, errors, data = run("tail", OTHER="")
same([one["command"] for one in data["elsewhere"]], ["./run --block 1,0,0"], "a command without a place for options")
code, _, errors, data = run("tail", BLOCK="1,0,0")
tail = Launch(data, "tail")
same([finding["kind"] for finding in tail.launch["findings"] if finding["kind"] == "barrier"], ["barrier"], "the other block")
expect(not any("without coming" in one["text"] for one in data["elsewhere"]), "what is shown is nowhere else")
same([(step["w"], step["m"], step["end"]) for step in tail.at(line("all of a warp"))],
     [(0, "ffffffff", "fff00000"), (1, "ffffffff", "ffffffff")], "threads that end at once, in their line")
expect(tail.steps.index(tail.at(line("all of a warp"))[1]) < tail.steps.index(tail.events("opens")[0][0]), "before the barrier")

code, _, errors, data = run("later")
same([one["command"] for one in data["elsewhere"]], ["./run --step steps --launch 2 -n 5"], "the command that shows the other launch")
code, _, errors, data = run("later", KERNEL="beyond", LAUNCH="2")
same((data["elsewhere"], len(data["launches"][0]["findings"])), ([], 1), "the other launch")
code, _, errors, data = run("everywhere", BLOCK="1,0,0")
expect(any("of block 0 writes" in text and text.endswith("; block 1, which is shown here, does the same") for text in data["texts"]),
       f"a sentence about another block says so: {data['texts']}")
same(data["elsewhere"], [], "the same line, in a block that is shown")

# ---- textures and surfaces: coordinates, and what is read and written ----
code, _, errors, data = run("textures")
textures = Launch(data, "textures")
calls = {event["what"]: event for _, event in textures.events("texture")}
same(sorted(calls), ["surf2Dwrite", "tex1Dfetch", "tex2D"], "functions")
(linear,) = [event for _, event in textures.events("texture", line("linear"))]
same((linear["what"], linear["a"][:2], linear["v"][:2]), ("tex1Dfetch", ["31", "30"], ["15.5", "15"]), "linear memory")
(plane,) = [event for _, event in textures.events("texture", line("plane"))]
same((plane["what"], plane["a"][:2], plane["a"][9], plane["v"][9]), ("tex2D", ["(0.5, 1)", "(1.5, 1)"], "(1.5, 2)", "17 10 20 255"), "a plane")
(smooth,) = [event for _, event in textures.events("texture", line("smooth"))]
same((smooth["a"][4], len(smooth["v"][4].split())), ("(0.5, 0.25)", 4), "a filtered texture")
expect(smooth["v"][4].endswith(" 1"), f"colors from 0 to 1: {smooth['v'][4]}")
(surface,) = [event for _, event in textures.events("texture", line("surface"))]
same((surface["what"], surface["a"][9], surface["v"][9]), ("surf2Dwrite", "(4, 2)", "9 1 2 3"), "a surface, whose x counts bytes")
((_, store),) = textures.events("store", line("surface"))
array = textures.launch["objects"][store["o"]]
same((array["name"], array["type"], array["extents"], array["element"]), ("array", "uchar4", [4, 8], 4), "an array")
same((store["a"][9], store["v"][9]), ((2 * 8 + 1) * 4, "9 1 2 3"), "where the surface is written")

# ---- instances of a template ----
code, _, errors, data = run("instances")
same([(one["kernel"], one["launches"]) for one in data["launches"]], [("twice<float>", 2), ("twice<int>", 2)], "instances")
code, _, errors, data = run("instances", KERNEL="twice<int>", LAUNCH="2")
same([(one["kernel"], one["launch"]) for one in data["launches"]], [("twice<int>", 2)], "an instance by its name")

# ---- windows ----
code, _, errors, data = run(KERNEL="ways", LAUNCH="2", BLOCK="1,0,0")
(launch,) = data["launches"]
same((launch["launch"], launch["shown"]), (2, [1, 0, 0]), "the window that was asked for")
code, _, errors, data = run("long")
launch = data["launches"][0]
expect(launch["limit"] != "" and "--at" in launch["limit"], "the limit and the way around it: " + launch["limit"])
expect(len(launch["steps"]) <= 50000, "at most 50,000 steps")
expect((folder / "steps.html").stat().st_size < 20_200_000, "at most 20 MB")
code, _, errors, data = run("long", AT="out[0]")
launch = data["launches"][0]
expect(launch["before"] > 0 and 0 < launch["start"] < len(launch["steps"]), "steps around the last write")
same(launch["steps"][launch["start"]]["l"], line("out[threadIdx.x] += k % 7"), "the last write")
code, _, errors, data = run(AT="tile[3][5]")
same((data["wanted"], data["launches"][0]["kernel"]),
     ("thread 163 of block 0 wrote tile[3][5] last, in launch 1 of kernel columns", "columns"), "who wrote tile[3][5]")
code, _, errors, data = run(AT="out[7]", KERNEL="ways")
same((data["launches"][0]["launch"], data["launches"][0]["shown"]), (3, [1, 0, 0]), "the last launch and block that wrote")

# ---- what cannot be shown ----
for words, settings, expected_code, sentence in [
        ([], {"BLOCK": "9,9,9"}, 2, r"there is no block \(9,9,9\): the grid of kernel \w+ has \d+ x 1 x 1 blocks"),
        ([], {"KERNEL": "absent"}, 2, "there is no kernel 'absent'; the program launches columns, ways"),
        ([], {"KERNEL": "ways", "LAUNCH": "4"}, 2, "there is no launch 4: kernel ways is launched 3 times"),
        (["nothing"], {}, 1, "the program launches no kernel"),
        (["usage"], {}, 2, "the program ended with exit code 2 before a kernel ran"),
        (["refused"], {}, 1, "no kernel could begin"),
        (["library"], {}, 1, "nothing that ran in of_a_library can be shown: it is empty, or of a library"),
        (["nothing"], {"AT": "out[1]"}, 2, "no kernel that ran has .* named 'out'"),
        ([], {"AT": "absent[1]"}, 2, "no kernel that ran has .* named 'absent'"),
        ([], {"AT": "tile[32][0]"}, 2, r"there is no tile\[32\]\[0\]: index 32 of 32"),
        ([], {"AT": "tile[3]"}, 2, r"tile needs 2 indices, not as in tile\[3\]"),
        ([], {"AT": "sum[9]"}, 2, r"there is no sum\[9\]: sum has 1 elements"),
        ([], {"AT": "l[40]"}, 2, r"there is no l\[40\]"),
        ([], {"AT": "b[3].id"}, 2, r"--at shows a whole element, as in out\[257\], and 'b\[3\]\.id' goes on after one"),
        ([], {"AT": "factors[1]"}, 1, r"no kernel that was looked at wrote factors\[1\]"),
        ([], {"WRONG": "1"}, 1, "no check has found a wrong element"),
        ([], {"PAGE": str(folder / "missing" / "page")}, 1, "cannot write")]:
    code, _, errors, data = run(*words, **settings)
    same(code, expected_code, f"exit code with {words} {settings}")
    expect(re.search("^step: " + sentence, errors, re.M), f"{words} {settings}: {errors!r}")
    expect(data is None, f"{words} {settings}: there is a page")
# A pipe stays one, and gets the page.
pipe = folder / "pipe"
os.mkfifo(pipe)
reader = subprocess.Popen(["cat", str(pipe)], stdout=subprocess.PIPE, text=True)
code, _, errors, _ = run("tail", PAGE=str(pipe))
page = reader.communicate(timeout=60)[0]
same((code, stat.S_ISFIFO(pipe.stat().st_mode)), (0, True), "a page that goes to a pipe: " + errors)
expect(page.rstrip().endswith("</html>"), "the page that came through the pipe is not whole")
code, _, errors, data = run("endless")
same(code, 1, "exit code of a loop that never ends")
expect("step: kernel endless has not ended 10 million branches after" in errors, "a loop that never ends: " + errors[-300:])
expect(data is not None and len(data["launches"][0]["steps"]) == 50000, "its first steps")
# Ctrl-C reaches all processes of the terminal; the page has what ran so far.
page = folder / "steps.html"
page.unlink(missing_ok=True)
program_alone = subprocess.Popen([program, "endless"], start_new_session=True, stderr=subprocess.PIPE, text=True, env={
    **os.environ, "EMULATED_STEP_PAGE": str(page), "EMULATED_WATCHDOG": "60"})
children = Path(f"/proc/{program_alone.pid}/task/{program_alone.pid}/children")
while not children.read_text() and program_alone.poll() is None:
    time.sleep(0.02)
time.sleep(0.5)
os.killpg(program_alone.pid, signal.SIGINT)
_, errors = program_alone.communicate(timeout=60)
same(program_alone.returncode, -signal.SIGINT, "the end by Ctrl-C")
expect(page.exists() and page.read_text().rstrip().endswith("</html>"), "no page after Ctrl-C: " + errors)
code, _, errors, data = run("forever")
same(code, 1, "exit code of a kernel that never ends")
expect(data is not None and data["launches"][0]["limit"] != "", "a kernel that never ends: " + errors[-300:])

for sentence in bad:
    print(sentence[:600], file=sys.stderr)
sys.exit(1 if bad else 0)
