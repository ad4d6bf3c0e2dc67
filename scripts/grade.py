#!/usr/bin/env python3
"""./run grade: the score table of the course's handout, and solutions of the starters.

    grade.py BIN DEVICE scan|find_repeats|circles [ROW...] [--reference GPU] [--method NAME]

prints the table for the programs in the folder BIN, with the course's own command lines, and compares with recorded times
of the course's reference programs. On the emulated device it looks only at correctness: its times say nothing about a GPU.
"""
import csv
import glob
import json
import math
import os
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile

import device
import messages
from messages import did_you_mean, die, out, progress, say, shorten
from samples import root
from starters import starters

RESULTS = os.environ.get("COURSE_REFERENCES", os.path.join(root, "benchmarks/results"))
ALL_ROWS = {"scan": ["1000000", "10000000", "20000000", "40000000"],
            "find_repeats": ["1000000", "10000000", "20000000", "40000000"],
            "circles": ["rgb", "rand10k", "rand100k", "pattern", "snowsingle", "biglittle", "rand1M", "micro2M"]}
PROGRAMS = {"scan": "cudaScan", "find_repeats": "cudaScan", "circles": "render"}
# The rung that is about as fast as the course's reference program.
RUNGS = {"scan": "sweep", "find_repeats": "scan", "circles": "tiles"}

HELP = """usage: run grade scan|find_repeats|circles [ROW...] [--reference GPU] [--method NAME]
       run grade NAME FILE.cu...

Prints the score table of the course's handout for the programs of this collection, beside recorded times of the course's
reference programs. On the emulated device it tells only whether the results are correct.

  ROW              some rows of the table only: 1000000, rand10k, ...
  --reference GPU  whose reference times: part of a GPU's name (recorded: {gpus})
                   default: this GPU's if they are recorded, else the H200's
  --method NAME    grade this rung of the ladder instead of the best one

run grade NAME FILE.cu... [--csv OUT.csv] checks your own files, filled starters of `./run try`, NAME one of
  {starters}.
On the emulated device each runs with the threads in three orders, and a race counts as wrong; scan, find_repeats and
circles get the handout's table, on a GPU with points beside a rung of ours.

Exit codes: 0 all correct, 1 something is wrong, 2 wrong use, 77 this device cannot do it."""


def main(command, words):
    messages.me = "grade"
    test = words[0] if words else ""
    if test in ALL_ROWS and not any(word.endswith(".cu") for word in words):
        request = Request(words)  # what is wrong is refused before anything is built
        answer = subprocess.run([os.path.join(root, "run"), PROGRAMS[test]], env={**os.environ, "BUILD_ONLY": "1"},
                                stdout=subprocess.PIPE, text=True, check=False)
        if answer.returncode != 0:
            sys.exit(answer.returncode)
        chosen, folder = answer.stdout.rstrip("\n").split(" ", 1)
        sys.exit(table(os.path.join(folder, "bin"), chosen, request))
    if not test or test.startswith("-"):
        Request(words)
    files(command, words)


# ---- the handout's table

class Reference:
    """The recorded times of one GPU."""

    def __init__(self, path):
        with open(path, encoding="utf-8") as file:
            content = json.load(file, parse_float=str, parse_int=str)  # the times as they are written
        self.context = content["context"]
        self.times = {entry["name"]: entry["real_time"] for entry in content["benchmarks"]}

    def has(self, test, gpu):
        return gpu.lower() in self.context["gpu"].lower() and any(name.startswith(test + "/") for name in self.times)


def references():
    return [Reference(path) for path in sorted(glob.glob(f"{glob.escape(RESULTS)}/course_reference_*.json"))]


def methods(test):
    """The names in the ladder's table. An installation has no sources: there the program refuses the others."""
    ladder = "circle_renderer" if test == "circles" else test
    names = []
    for path in sorted(glob.glob(f"{glob.escape(root)}/cs418_assignment2/{ladder}/methods*.cu")):
        with open(path, encoding="utf-8") as file:
            names += re.findall(r'(?:[({]|name = )"([a-z_0-9]+)",', file.read())
    return names


class Request:
    """What a command line asks for."""

    def __init__(self, words):
        parser = messages.Parser()
        parser.add_argument("--help", "-h", action="store_true")
        parser.add_argument("--reference", default="")
        parser.add_argument("--method")
        parser.add_argument("words", nargs="*")
        options, unknown = parser.parse_known_intermixed_args(words)
        if options.help:
            out(HELP.format(gpus=", ".join(reference.context["gpu"] for reference in references()),
                            starters=" ".join(starters())))
            sys.exit(0)
        parser.refuse_unknown(unknown)
        self.test = options.words[0] if options.words else ""
        if self.test not in ALL_ROWS:
            die("name what to grade: scan, find_repeats or circles; run grade --help tells more", 2)
        self.rows = options.words[1:] or ALL_ROWS[self.test]
        for row in self.rows:
            refuse(self.test, "row", row, ALL_ROWS[self.test])
        self.method = ["--method", options.method] if options.method is not None else []
        known = methods(self.test)
        if self.method and known:
            refuse(self.test, "method", options.method, known)
        self.gpu = ([name for name, _ in device.gpus()] or [""])[0]
        wanted = [options.reference] if options.reference else [self.gpu or "H200", "H200"]
        found = [reference for gpu in wanted for reference in references() if reference.has(self.test, gpu)]
        if not found:
            die(f"no reference times of {self.test} are recorded for a GPU named '{shorten(options.reference)}'", 2)
        self.reference = found[0]


def refuse(test, kind, word, known):
    if word not in known:
        die(f"{test} has no {kind} '{shorten(word)}', it has {' '.join(known)}" + did_you_mean(word, known), 2)


class Course:
    """The course's programs in the folder `programs`, run by the course's command lines. `options` go to each program, and
    one that takes longer than `seconds` is not correct."""

    def __init__(self, test, programs, options, seconds=None):
        self.test = test
        self.program = os.path.join(os.path.abspath(programs), PROGRAMS[test])
        self.options = options
        self.seconds = seconds
        self.folder = tempfile.TemporaryDirectory()

    def run(self, *words):
        """Exit code, or nothing where it took too long, and output."""
        code, printed, errors = limited([self.program, *words, *self.options], self.seconds, cwd=self.folder.name)
        return code, printed + errors

    def check(self, row):
        if self.test == "circles":
            return self.run("-c", row, "-s", "1024", "-S", "1")
        return self.run("-m", self.test, "-i", "random", "-n", row)

    def time(self, row):
        """Milliseconds, as the program prints them; "0" if it does not. The course's checker takes the best of three runs
        of the renderer; cudaScan itself takes the best of three calls."""
        if self.test == "circles":
            said = "".join(self.run("-r", "cuda", "-b", "0:4", row, "-s", "1024", "-f", "output")[1] for _ in range(3))
        else:
            said = self.check(row)[1]
        times = re.findall(r"^(?:Total: *|Student GPU time: )([0-9.]+) ms$", said, re.MULTILINE)
        return min(times, key=float, default="0")


def score(test, reference, time):
    """scan, find_repeats: 1.25 points for up to 1.2 times the reference's time, else in proportion. circles: 2 points for
    being correct, and up to 7 for speed: all for up to 1.2 times the reference's time, none for more than 10 times."""
    full = 7 if test == "circles" else 1.25
    points = full if time <= 1.2 * reference else full * reference / time
    if test != "circles":
        return points
    return 2 + (math.ceil(points) if time <= 10 * reference else 0)


def measure(request, course, rung, is_gpu):
    """The lines of the table, the points "5/9", and whether all rows are correct. With `rung`, a Course, its times are the
    reference."""
    test = request.test
    lines = []
    total = 0
    correct = 0
    for row in request.rows:
        progress(f"{row} ...")
        reference = rung.time(row) if rung else request.reference.times[f"{test}/{row}"]
        code, said = course.check(row)
        if code == 2 and request.method:
            die(re.sub(r"^[^:]*: (there is no method)", r"\1", last_line(said)), 2)
        if code == 77:
            die(last_line(said), 77)
        correct += code == 0
        if code != 0:
            progress()
            say(f"{row} is not correct: {last_line(said)}")
            time = f"{course.time(row)} (F)" if is_gpu and test != "circles" else "(F)"
            points = 0
        elif is_gpu:
            time = course.time(row)
            points = score(test, float(reference), float(time))
        else:
            time = "not timed"
            points = "correct"
        lines.append((row, reference, time, points if points == "correct" else f"{points:.6g}"))
        total += points if is_gpu else 0
    progress()
    return lines, f"{total:.6g}/{len(lines) * (9 if test == 'circles' else 1.25):.6g}", correct == len(lines)


def table(programs, chosen, request, rung=None, submission=""):
    """Prints the table; `chosen`: gpu or emulated. The programs may be those of a file, `submission`, with a rung of ours,
    measured next to it, as reference. Returns 0 if everything is correct."""
    test = request.test
    context = request.reference.context
    is_gpu = chosen == "gpu"
    out(f"Test: {test}, {submission or PROGRAMS[test]} " +
        (f"on {request.gpu or 'a GPU'}" if is_gpu else "on the emulated device") +
        (f", {' '.join(request.method)}" if request.method else ""))
    if rung:
        out(f"Reference: our rung '{RUNGS[test]}', measured in the same run; times in ms")
    else:
        out("Reference: {gpu}, {source} (driver {driver}, CUDA {cuda}, date {date}); times in ms".format(**context))
    if not is_gpu:
        out("CORRECTNESS ONLY: the emulated device's times say nothing about a GPU, so there is no time and no score.")
    elif not rung and request.gpu != context["gpu"]:
        out("No reference times are recorded for this GPU: the score compares it with another one.")
    lines, points, is_correct = measure(request, Course(test, programs, request.method), rung, is_gpu)
    correct = sum(line[3] == "correct" for line in lines)
    print_table(test, lines, ("Total score:", points) if is_gpu else ("Correct:", f"{correct} of {len(lines)}"))
    return 0 if is_correct else 1


def print_table(test, lines, last):
    is_circles = test == "circles"
    title = "Score table:" if is_circles else f"{test.capitalize()} Score Table:"
    header = (("Scene Name", "Ref Time (T_ref)", "Your Time (T)", "Score") if is_circles else
              ("Element Count", "Ref Time", "Student Time", "Score"))
    width = 16 if is_circles else 15

    def row(cells):
        return f"| {cells[0]:15} | {cells[1]:{width}} | {cells[2]:15} | {cells[3]:15} |"

    dashes = "-" * len(row(header))
    empty = " " * (15 + 3 + width)
    out("\n".join(["-" * len(title), title, "-" * len(title), dashes, row(header), dashes, *map(row, lines), dashes,
                   f"| {empty} | {last[0]:15} | {last[1]:15} |", dashes]))


# ---- solutions of a starter

def files(command, words):
    """NAME FILE.cu... [--csv OUT]: each file's functions count, not its main: the starter's main is used. On the emulated
    device each check runs with the threads in three orders, and once more under --explain, where the first mistake counts
    as wrong."""
    messages.me = "grade"
    parser = messages.Parser()
    parser.add_argument("--csv")
    parser.add_argument("words", nargs="*")
    options, unknown = parser.parse_known_intermixed_args(words)
    parser.refuse_unknown(unknown)
    usage = "usage: run grade NAME FILE.cu... [--csv OUT.csv]"
    name = options.words[0]
    if name not in starters():
        die(f"there is nothing to grade named '{shorten(name)}'" +
            did_you_mean(name, starters(), f"; there are: {' '.join(starters())}"), 2)
    if not options.words[1:]:
        die(usage, 2)
    for file in options.words[1:]:
        if not file.endswith(".cu"):
            die(f"'{shorten(file)}' is not a .cu file; {usage}", 2)
        if not os.path.isfile(file):
            die(f"'{shorten(file)}' is not a file" if os.path.exists(file) else f"there is no file '{shorten(file)}'", 2)
        if not os.access(file, os.R_OK):
            die(f"you may not read '{shorten(file)}'", 2)
    if options.csv is not None:
        is_place = os.access(os.path.dirname(options.csv) or ".", os.W_OK) and not os.path.isdir(options.csv)
        if not is_place:
            die(f"'{shorten(options.csv)}' cannot be written", 2)
    with tempfile.TemporaryDirectory() as folder:
        sys.exit(grade_all(command, name, options.words[1:], options.csv, folder))


def grade_all(command, name, paths, csv_path, folder):
    from run import tell_more

    rows = [("file", "result", "score", "message")]
    failed = None  # the first file
    for path in paths:
        solution = Solution(command, name, path, folder)
        solution.check()
        points = ""
        if solution.result == "PASS" and name in ALL_ROWS:
            if len(paths) == 1 and csv_path is None:
                progress()
                if table(*solution.request(), solution.path) != 0:
                    solution.result = "FAIL"
            elif solution.device == "gpu":
                points = solution.points()
        progress()
        out(f"{solution.result:16} {path}: {solution.why}" + (f" ({points} points)" if points else ""))
        rows.append((path, solution.result, points, solution.why))
        if solution.result in ("FAIL", "crash", "no end"):
            failed = failed or solution
    if csv_path is not None:
        with open(csv_path, "w", encoding="utf-8", newline="") as file:
            csv.writer(file, quoting=csv.QUOTE_ALL, lineterminator="\n").writerows(rows)
    if failed:
        messages.write(tell_more(failed.device, failed.explains, failed.path))
    return 0 if all(row[1] == "PASS" for row in rows[1:]) else 1


class Solution:
    """One file; `result` is PASS, or what went wrong in two words, `why` a sentence, `explains` the command for more."""

    SECONDS = int(os.environ.get("GRADE_SECONDS", "60"))
    BUILD_SECONDS = 300

    def __init__(self, command, name, path, folder):
        self.command = command
        self.name = name
        self.path = path
        self.folder = folder
        self.submission = os.path.join(folder, "submission.cu")
        self.result = "PASS"
        self.why = ""
        self.explains = ""
        self.device = ""

    def build(self, *flags):
        """Builds the submission; the device and the folder, or nothing, and the messages."""
        code, said, errors = limited([os.path.join(root, "run"), *flags, self.submission], self.BUILD_SECONDS,
                                     env={**os.environ, "BUILD_ONLY": "1"})
        return (said.rstrip("\n").split(" ", 1) if code == 0 else None), errors

    def run(self, program, order="in-order"):
        """Exit code and output of a program, in an empty folder, with limits of time, memory and what it may write."""
        work = os.path.join(self.folder, "empty")
        shutil.rmtree(work, ignore_errors=True)
        os.mkdir(work)

        def limits():
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
            resource.setrlimit(resource.RLIMIT_FSIZE, (100_000 * 1024,) * 2)
            if self.device != "gpu":  # whose driver reserves addresses for all memory there is
                resource.setrlimit(resource.RLIMIT_AS, (16_000_000 * 1024,) * 2)

        return limited([program], self.SECONDS, cwd=work, preexec_fn=limits,
                       env={**os.environ, "EMULATED_ORDER": order, "EMULATED_GLOSSARY": "docs/glossary.md"})

    def check(self):
        with open(self.path, encoding="utf-8", errors="surrogateescape") as file:
            text = file.read()
        with open(starters()[self.name], encoding="utf-8") as file:
            own_main = re.search("^int main.*$", file.read(), re.MULTILINE).group()
        # Its main gets another name; line numbers stay.
        text = re.sub(r"\bint\s+main\s*\(", "int main_of_the_file(", text)
        with open(self.submission, "w", encoding="utf-8", errors="surrogateescape") as file:
            file.write(f'#line 1 "{os.path.basename(self.path)}"\n{text}\n{own_main}\n')
        progress(f"building {self.path}")
        built, errors = self.build()
        if not built:
            self.result = "does not compile"
            self.why = first(r".*error.*", errors) or last_line(errors)
            if "starter.h" not in text:
                self.why = f"it does not include starter.h, as the file that ./run try {self.name} writes does"
            return
        self.device, self.built = built
        self.program = os.path.join(self.folder, "program")
        shutil.copy(os.path.join(self.built, "listing/listing"), self.program)
        order, said = self.check_orders()
        self.explain(order if self.result != "PASS" else "in-order", said)

    def check_orders(self):
        """Runs the checks until one fails; the order of the threads, and what was printed."""
        order = said = ""
        for order in ("in-order", "reversed", "shuffled") if self.device == "emulated" else ("in-order",):
            progress(f"running {self.path} with its threads {order.replace('-', ' ')}")
            code, printed, errors = self.run(self.program, order)
            said = printed + errors
            self.why = (first(r"^FAIL.*|.*error: .*", said) or last_line(said)).replace(self.built + "/", "")
            self.why = re.sub("^FAIL ", "", self.why)
            if order != "in-order":
                self.why += f" (threads {order})"
            if code is None:
                self.result = "no end"
                self.why = f"it did not end within {self.SECONDS} seconds"
            elif code != 0:
                self.result = {1: "FAIL", 77: "no device"}.get(code, "crash")
            elif "error: " in said:  # of the device, which the program did not notice
                self.result = "FAIL"
            if self.result != "PASS":
                break
        return order, said

    def explain(self, order, said):
        """Looks for mistakes: a wrong result may come of one, and a right one be luck."""
        from run import explain_command

        order = "" if order == "in-order" else order
        self.explains = explain_command(self.command, [self.path], {**os.environ, "EMULATED_ORDER": order})
        progress(f"looking for mistakes in {self.path}")
        report = ""
        if self.device == "emulated" and self.result in ("PASS", "FAIL"):
            built, _ = self.build("--explain")
            if built:
                _, printed, errors = self.run(os.path.join(built[1], "explained/listing"))
                report = printed + errors
        mistakes = re.search(r"^explain: what is wrong\n(?:.+\n)*?  1\. (.*)", report, re.MULTILINE)
        if mistakes:
            self.why = mistakes[1] if self.result == "PASS" else f"{self.why}; {mistakes[1]}"
            self.result = "FAIL"
        if self.result != "PASS":
            return
        self.why = re.sub("^PASS ", "", first(r"^PASS .*", said))
        if not self.why:
            self.result = "FAIL"
            self.why = "it ended without an answer"
        if self.device == "emulated":
            self.why += "; threads in three orders"
        if "\nexplain: no races" in "\n" + report:
            self.why += ", no races"

    def request(self):
        """What table() and measure() take for the handout's table of this file."""
        programs = os.path.join(self.folder, "bin")
        os.makedirs(programs, exist_ok=True)
        shutil.copy(self.program, os.path.join(programs, PROGRAMS[self.name]))
        rows = []
        if self.name == "circles":  # others take hours, where every pixel looks at every circle
            rows = ["rgb", "rand10k", "pattern"]
        rung = None
        if self.device == "gpu":
            rows += ["rand100k", "rand1M"] if rows else []
            subprocess.run([os.path.join(root, "run"), PROGRAMS[self.name]], env={**os.environ, "BUILD_ONLY": "1"},
                           stdout=subprocess.DEVNULL, check=False)
            rung = Course(self.name, os.path.join(self.built, "bin"), ["--method", RUNGS[self.name]])
        return programs, self.device, Request([self.name, *rows]), rung

    def points(self):
        """Those of the table, which is not shown."""
        programs, _, request, rung = self.request()
        _, points, is_correct = measure(request, Course(self.name, programs, [], 10 * self.SECONDS), rung, True)
        if not is_correct:
            self.result = "FAIL"
            self.why = "not all sizes of the handout are right"
        return points


def limited(command, seconds, **options):
    """Exit code, or nothing where the time was over, and the first million bytes of standard output and of errors."""
    with tempfile.TemporaryFile() as printed, tempfile.TemporaryFile() as errors:
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=printed, stderr=errors,
                                   start_new_session=True, **options)
        try:
            code = process.wait(seconds)
        except subprocess.TimeoutExpired:
            code = None
        finally:
            try:
                os.killpg(process.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
            process.wait()
        texts = []
        for file in printed, errors:
            file.seek(0)
            texts.append(file.read(1_000_000).decode("utf-8", "replace"))
    return code, *texts


def first(pattern, text):
    match = re.search(pattern, text, re.MULTILINE)
    return match.group() if match else ""


def last_line(text):
    return text.rstrip("\n").rpartition("\n")[2][:1000]


if __name__ == "__main__":
    messages.me = "grade"
    sys.exit(table(sys.argv[1], sys.argv[2], Request(sys.argv[3:])))
