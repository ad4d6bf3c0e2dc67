#!/usr/bin/env python3
"""./run grade: the score table of the course's handout, and solutions of the exercises.

    grade.py BIN DEVICE scan|find_repeats|circles [ROW...] [--reference GPU] [--method NAME]

prints the table for the programs in the folder BIN, with the course's own command lines, next to recorded times of the
course's reference programs. On the emulated device it looks only at correctness: its times say nothing about a GPU.
"""
import csv
import functools
import glob
import json
import math
import os
import re
import secrets
import shutil
import signal
import subprocess
import sys
import tempfile

import device
import messages
from messages import did_you_mean, die, out, progress, say, shorten
from samples import root
from exercises import exercises, next_line

PROGRAMS = {"scan": "cudaScan", "find_repeats": "cudaScan", "circles": "render"}
# The rung that is about as fast as the course's reference program.
RUNGS = {"scan": "sweep", "find_repeats": "scan", "circles": "tiles"}
SIZES = ["1000000", "10000000", "20000000", "40000000"]
ROWS = {"scan": SIZES, "find_repeats": SIZES,
        "circles": ["rgb", "rand10k", "rand100k", "pattern", "snowsingle", "biglittle", "rand1M", "micro2M"]}

USAGE = """usage: run grade scan|find_repeats|circles [ROW...] [--reference GPU] [--method NAME]
       run grade NAME FILE.cu... [--csv OUT.csv]
       run grade --exercises FOLDER [--csv OUT.csv] [--jobs N]"""
HELP = USAGE + """

Prints the score table of the course's handout for the programs of this collection, next to recorded times of the course's
reference programs. On the emulated device it reports only whether the results are correct.

  ROW              prints only these rows of the table: 1000000, rand10k, ...
  --reference GPU  the GPU whose reference times are used: part of its name (recorded: {gpus});
                   default: this GPU if its times are recorded, else the H200
  --method NAME    grades this rung of the ladder instead of the best one

With files it checks your solutions of the exercises, the files that `./run try` writes. NAME is one of
  {exercises}.
On the emulated device each file runs with the threads in three orders, and a race counts as wrong. For scan,
find_repeats and circles it also prints the handout's table, on a GPU with points, relative to a rung of this collection.
--csv writes a table of all files.

--exercises checks a whole class on the emulated device: FOLDER has a folder per person, with the files that it has solved.

Exit codes: 0 all correct, 1 something is wrong, 2 wrong use, 77 this device cannot do it."""


def main(command, words):
    messages.me = "grade"
    if any(word.split("=")[0] == "--exercises" for word in words):
        return whole_class(words)
    if words and not words[0].startswith("-") and (words[0] not in ROWS or any(word.endswith(".cu") for word in words)):
        return files(command, words)
    request = Request(words)  # what is wrong is refused before anything is built
    built = build(PROGRAMS[request.test])
    return table(request, Course(request.test, built["folder"] + "/bin", request.method), built["device"])


def build(*words):
    """Builds what ./run would run for these words, by a process of its own: the device and the build's folder."""
    done = subprocess.run([os.path.join(root, "run"), *words], env={**os.environ, "BUILD_ONLY": "1"},
                          stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode != 0:
        sys.exit(done.returncode)
    return dict(zip(("device", "folder"), done.stdout.rstrip("\n").split(" ", 1)))


# ---- the handout's table

def references():
    """What is recorded for each GPU, with the times as they are written."""
    folder = os.environ.get("COURSE_REFERENCES", os.path.join(root, "benchmarks/results"))
    for path in sorted(glob.glob(f"{glob.escape(folder)}/course_reference_*.json")):
        with open(path, encoding="utf-8") as file:
            content = json.load(file, parse_float=str, parse_int=str)
        yield content["context"], {entry["name"]: entry["real_time"] for entry in content["benchmarks"]}


def methods(test):
    """The names in the ladder's table. An installation has no sources: there the program refuses the others."""
    ladder = "circle_renderer" if test == "circles" else test
    paths = sorted(glob.glob(f"{glob.escape(root)}/cs418_assignment2/{ladder}/methods*.cu"))
    return re.findall(r'(?:[({]|name = )"([a-z_0-9]+)",', "".join(map(messages.read, paths)))


def refuse(test, kind, word, known):
    if word not in known:
        die(f"{test} has no {kind} '{shorten(word)}', it has {' '.join(known)}" + did_you_mean(word, known), 2)


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
            out(HELP.format(gpus=", ".join(context["gpu"] for context, _ in references()), exercises=" ".join(exercises())))
            sys.exit(0)
        parser.refuse_unknown(unknown)
        self.test = options.words[0] if options.words else ""
        if self.test not in ROWS:
            die("name what to grade: scan, find_repeats or circles; see run grade --help", 2)
        self.rows = options.words[1:] or ROWS[self.test]
        for row in self.rows:
            refuse(self.test, "row", row, ROWS[self.test])
        self.method = []
        if options.method is not None:
            self.method = ["--method", options.method]
            refuse(self.test, "method", options.method, methods(self.test) or [options.method])
        self.gpu = ([name for name, _ in device.gpus()] or [""])[0]
        wanted = [options.reference] if options.reference else [self.gpu or "H200", "H200"]
        found = [(context, times) for gpu in wanted for context, times in references()
                 if gpu.lower() in context["gpu"].lower() and f"{self.test}/{ROWS[self.test][0]}" in times]
        if not found:
            die(f"no reference times of {self.test} are recorded for a GPU named '{shorten(options.reference)}'", 2)
        self.context, self.times = found[0]


class Course:
    """A program in the folder `programs`, run by the course's command lines. `options` go to it, and what takes longer than
    `seconds` is not correct."""

    def __init__(self, test, programs, options, seconds=None):
        self.test = test
        self.command = [os.path.join(os.path.abspath(programs), PROGRAMS[test])]
        self.options = options
        self.seconds = seconds
        self.folder = tempfile.TemporaryDirectory()

    def run(self, *words):
        return limited([*self.command, *words, *self.options], self.seconds, cwd=self.folder.name)

    def check(self, row):
        """Exit code and output."""
        if self.test == "circles":
            return self.run("-c", row, "-s", "1024", "-S", "1")
        return self.run("-m", self.test, "-i", "random", "-n", row)

    def time(self, row):
        """Milliseconds, as they are printed. The course's checker takes the best of three runs of the renderer; cudaScan
        itself takes the best of three calls."""
        if self.test == "circles":
            said = "".join(self.run("-r", "cuda", "-b", "0:4", row, "-s", "1024", "-f", "output")[1] for _ in range(3))
        else:
            said = self.check(row)[1]
        return min(re.findall(r"^(?:Total: *|Student GPU time: )([0-9.]+) ms$", said, re.MULTILINE), key=float, default="0")


def score(test, reference, time):
    """scan, find_repeats: 1.25 points for up to 1.2 times the reference's time, else in proportion. circles: 2 points for
    being correct, and up to 7 for speed: all for up to 1.2 times the reference's time, none for more than 10 times."""
    full = 7 if test == "circles" else 1.25
    points = full if time <= 1.2 * reference else full * reference / time
    if test != "circles":
        return points
    return 2 + (math.ceil(points) if time <= 10 * reference else 0)


def measure(request, course, is_gpu, rung=None):
    """The lines of the table, the points "5/9", and how many rows are correct. The times of `rung`, a Course, are the
    reference, or the recorded ones."""
    lines = []
    total = 0
    correct = 0
    for row in request.rows:
        progress(f"{row} ...")
        reference = rung.time(row) if rung else request.times[f"{request.test}/{row}"]
        code, said = course.check(row)
        last = last_line(said)
        if code == 2 and request.method:
            die(re.sub(r"^[^:]*: (there is no method)", r"\1", last), 2)
        if code == 77:
            die(last, 77)
        if code != 0:
            progress()
            say(f"{row} is not correct: {last}")
            own = f"{course.time(row)} (F)" if is_gpu and request.test != "circles" else "(F)"
            lines.append((row, reference, own, "0"))
            continue
        correct += 1
        own = course.time(row) if is_gpu else "not timed"
        points = score(request.test, float(reference), float(own)) if is_gpu else 0
        total += points
        lines.append((row, reference, own, f"{points:.6g}" if is_gpu else "correct"))
    progress()
    return lines, f"{total:.6g}/{len(lines) * (9 if request.test == 'circles' else 1.25):.6g}", correct


def table(request, course, chosen, submission="", rung=None):
    """Prints the table for the device `chosen`; `submission`: the file whose program that is, if it is not ours. Returns 0 if
    all is correct."""
    test = request.test
    is_gpu = chosen == "gpu"
    out(f"Test: {test}, {submission or PROGRAMS[test]} on {request.gpu or 'a GPU' if is_gpu else 'the emulated device'}" +
        (f", {' '.join(request.method)}" if request.method else ""))
    out(f"Reference: our rung '{RUNGS[test]}', measured in the same run; times in ms" if rung else
        "Reference: {gpu}, {source} (driver {driver}, CUDA {cuda}, date {date}); times in ms".format(**request.context))
    if not is_gpu:
        out("CORRECTNESS ONLY: the emulated device's times say nothing about a GPU, so there is no time and no score.")
    elif not rung and request.gpu != request.context["gpu"]:
        out("No reference times are recorded for this GPU: the score compares it with another one.")
    lines, points, correct = measure(request, course, is_gpu, rung)

    title = f"{test.capitalize()} Score Table:"
    header = ("Element Count", "Ref Time", "Student Time", "Score")
    width = 15
    if test == "circles":
        title = "Score table:"
        header = ("Scene Name", "Ref Time (T_ref)", "Your Time (T)", "Score")
        width = 16
    rows = [f"| {row:15} | {reference:{width}} | {own:15} | {result:15} |" for row, reference, own, result in (header, *lines)]
    last = ("Total score:", points) if is_gpu else ("Correct:", f"{correct} of {len(lines)}")
    dashes = "-" * len(rows[0])
    out("\n".join(["-" * len(title), title, "-" * len(title), dashes, rows[0], dashes, *rows[1:], dashes,
                   f"| {'':{18 + width}} | {last[0]:15} | {last[1]:15} |", dashes]))
    return 0 if correct == len(lines) else 1


# ---- solutions of an exercise

def whole_class(words):
    """--exercises FOLDER [--csv OUT] [--jobs N]"""
    parser = messages.Parser()
    parser.add_argument("--exercises")
    parser.add_argument("--csv")
    parser.add_argument("--jobs", type=int, default=max(1, (os.cpu_count() or 1) // 2))
    options, unknown = parser.parse_known_args(words)
    if unknown or options.jobs < 1:
        parser.refuse_unknown(unknown)
        die(USAGE, 2)
    if not os.path.isdir(options.exercises):
        die(f"there is no folder '{shorten(options.exercises)}'", 2)
    if options.csv is not None:
        messages.refuse_unwritable(options.csv, f"'{shorten(options.csv)}'")
    from grade_folder import grade_folder
    return grade_folder(options.exercises, options.csv, options.jobs)


def files(command, words):
    """NAME FILE.cu... [--csv OUT]"""
    messages.me = "grade"
    parser = messages.Parser()
    parser.add_argument("--csv")
    parser.add_argument("name")
    parser.add_argument("files", nargs="*")
    options, unknown = parser.parse_known_intermixed_args(words)
    parser.refuse_unknown(unknown)
    known = exercises()
    if options.name not in known:
        die(f"there is nothing to grade named '{shorten(options.name)}'" +
            did_you_mean(options.name, known, f"; there are: {' '.join(known)}"), 2)
    if not options.files:
        die(USAGE, 2)
    for file in options.files:
        if not file.endswith(".cu"):
            die(f"'{shorten(file)}' is not a .cu file", 2)
        if not os.path.isfile(file):
            die(f"'{shorten(file)}' is not a file" if os.path.exists(file) else f"there is no file '{shorten(file)}'", 2)
        if not os.access(file, os.R_OK):
            die(f"you may not read '{shorten(file)}'", 2)
    if options.csv is not None:
        messages.refuse_unwritable(options.csv, f"'{shorten(options.csv)}'")
    with tempfile.TemporaryDirectory() as folder:
        return grade_all(command, [Solution(known[options.name], path, folder) for path in options.files], options.csv)


def write_csv(path, rows):
    """A file that is there is replaced when the new one is whole."""
    path = os.path.realpath(path)
    part = path if os.path.exists(path) and not os.path.isfile(path) else path + ".part"
    try:
        with open(part, "w", encoding="utf-8", newline="") as file:
            csv.writer(file, quoting=csv.QUOTE_ALL, lineterminator="\n").writerows(rows)
        if part != path:
            os.replace(part, path)
    except OSError as error:
        die(f"'{shorten(path)}' cannot be written: {error.strerror}")


def grade_all(command, solutions, csv_path):
    rows = [("file", "result", "score", "message")]
    failed = None  # the first one
    for solution in solutions:
        solution.check()
        points = ""
        if solution.result == "PASS" and solution.name in ROWS:
            points = solution.measure(is_shown=len(solutions) == 1 and csv_path is None)
        progress()
        why = solution.why + (f"; {solution.mistake}" if solution.mistake else "")
        out(f"{solution.result:16} {solution.path}: {why}" + (f" ({points} points)" if points else ""))
        rows.append((solution.path, solution.result, points, why))
        if solution.result in ("FAIL", "crash", "no end"):
            failed = failed or solution
    if csv_path is not None:
        write_csv(csv_path, rows)
    if failed:
        kind = "explain" if failed.mistake else failed.next
        messages.write(next_line(command, failed.exercise, failed.path, kind, failed.arguments, failed.order) + "\n")
    return 0 if all(row[1] == "PASS" for row in rows[1:]) else 1


class Solution:
    """One file. On the emulated device the check runs with the threads in three orders, and once more under --explain, where
    the first mistake counts as wrong. `result` is PASS, or what went wrong in two words; `why` is a sentence, `mistake` what
    --explain says of it; `next`, `arguments` and `order` lead to the command that helps (exercises.next_line)."""

    SECONDS = int(os.environ.get("GRADE_SECONDS", "60"))

    def __init__(self, exercise, path, folder):
        self.exercise = exercise
        self.name = exercise.name
        self.path = path
        self.submission = os.path.join(folder, "submission.cu")
        self.program = os.path.join(folder, PROGRAMS.get(self.name, "program"))
        self.work = os.path.join(folder, "empty")
        self.result = "PASS"
        self.why = ""
        self.mistake = ""
        self.next = ""
        self.arguments = ""
        self.order = "in-order"
        self.explained = ""  # the program for --explain, where it is built already
        self.said = ""  # by the compiler
        self.device = ""
        self.folder = ""  # of the build

    def build(self, *flags):
        """Builds the submission; False and the messages if it does not compile."""
        code, said = limited([os.path.join(root, "run"), *flags, self.submission], 300, env={**os.environ, "BUILD_ONLY": "1"})
        if code == 0:
            self.device, self.folder = first("^(gpu|emulated) /.*$", said).split(" ", 1)
        return code == 0, said

    def run(self, program, order="in-order", forks=False):
        """What ended a program (confined.py), and its output, in an empty folder. The key is printed only by the check, when
        it is through: who prints PASS and ends does not pass."""
        shutil.rmtree(self.work, ignore_errors=True)
        os.mkdir(self.work)
        mark = self.work + ".next"
        key = secrets.token_hex(16)
        # A GPU's driver reserves addresses for all memory there is.
        end, said = confined([program], self.SECONDS, 0 if self.device == "gpu" else 16, forks or self.device == "gpu",
                             cwd=self.work,
                             env={**os.environ, "EMULATED_ORDER": order, "EMULATED_GLOSSARY": "docs/glossary.md",
                                  "HOME": self.work, "TMPDIR": self.work, "EXERCISE_KEY": key, "EXERCISE_NEXT": mark})
        self.next, _, self.arguments = messages.read(mark).rstrip("\n").partition("\n")
        if os.path.exists(mark):
            os.remove(mark)
        shutil.rmtree(self.work, ignore_errors=True)
        if end == "code 0" and key not in said:
            end = "code 1"
            said = "it ended before the check did\n"
        return end, said.replace(key + "\n", "")

    def write_submission(self):
        # Line numbers stay. A main of its own gets another name: the check has one.
        text = re.sub(r"\bint\s+main\s*\(", "int main_of_the_file(", messages.read(self.path))
        with open(self.submission, "w", encoding="utf-8") as file:
            file.write(f'// exercise {self.name}\n#line 1 "{os.path.basename(self.path)}"\n{text}')

    def check(self):
        self.write_submission()
        progress(f"building {self.path}")
        is_built, self.said = self.build()
        if not is_built:
            self.result = "does not compile"
            self.why = first(r"^.*error.*$", self.said) or last_line(self.said)
            return
        shutil.copy(os.path.join(self.folder, "listing/listing"), self.program)
        said = self.check_orders()
        self.look_for_mistakes(said)

    def check_orders(self):
        """Runs the check until one fails; the output."""
        said = ""
        for self.order in ("in-order", "reversed", "shuffled") if self.device == "emulated" else ("in-order",):
            progress(f"running {self.path} with its threads {self.order.replace('-', ' ')}")
            end, said = self.run(self.program, self.order)
            # The compiler takes its name as one in the build folder.
            self.why = (first("^FAIL.*$|^.*error: .*$", said) or last_line(said)).replace(f"{self.folder}/", "")
            self.why = self.why.removeprefix("FAIL ") + ("" if self.order == "in-order" else f" (threads {self.order})")
            if end == "time":
                self.result = "no end"
                self.why = f"it did not end within {self.SECONDS} seconds"
            elif end in ("disk", f"signal {signal.SIGXFSZ}"):
                self.result = "FAIL"
                self.why = "it wrote more than 100 MB to a file, 200 MB, or 10,000 files"
            elif end != "code 0":
                self.result = {"code 1": "FAIL", "code 77": "no device"}.get(end, "crash")
                self.why = self.why or f"it ended with {end}"
            elif "error: " in said:  # of the device, which the program did not notice
                self.result = "FAIL"
            if self.result != "PASS":
                return said
        self.order = "in-order"
        return said

    def look_for_mistakes(self, said):
        """A wrong result may come of one, and a right one be luck."""
        progress(f"looking for mistakes in {self.path}")
        report = ""
        if self.device == "emulated" and self.result in ("PASS", "FAIL") and (self.explained or self.build("--explain")[0]):
            plain = self.next, self.arguments
            end, report = self.run(self.explained or os.path.join(self.folder, "explained/listing"), forks=True)
            mistake = re.search(r"^explain: what is wrong\n(?:.+\n)*?  1\. (.*(?:\n     .*)*)", report, re.MULTILINE)
            self.mistake = re.sub("\n +", " ", mistake[1]) if mistake else ""
            if self.result == "FAIL" and not mistake:
                self.mistake = re.sub("^.*/", "", first(r"^\S+:\d+: warning: .*$", said))
            if self.result == "PASS" and end == "code 1" and first("^FAIL.*$", report):  # what only --explain counts
                self.result = "FAIL"
                self.why = first("^FAIL.*$", report).removeprefix("FAIL ")
            else:
                self.next, self.arguments = plain
        if self.mistake and self.result == "PASS":
            self.result = "FAIL"
            self.why, self.mistake = self.mistake, ""
            self.next = "explain"
        if self.result != "PASS":
            return
        self.why = first("^PASS .*$", said).removeprefix("PASS ")
        if self.device == "emulated":
            self.why += "; threads in three orders"
        if re.search("^explain: no races", report, re.MULTILINE):
            self.why += ", no races"

    def measure(self, is_shown):
        """The handout's table for this file, printed or, on a GPU, only its points."""
        is_gpu = self.device == "gpu"
        if not is_shown and not is_gpu:
            return ""
        rows = []
        if self.name == "circles":  # others take hours, where every pixel looks at every circle
            rows = ["rgb", "rand10k", "pattern"] + (["rand100k", "rand1M"] if is_gpu else [])
        rung = None
        if is_gpu:
            rung = Course(self.name, build(PROGRAMS[self.name])["folder"] + "/bin", ["--method", RUNGS[self.name]])
        request = Request([self.name, *rows])
        course = Course(self.name, os.path.dirname(self.program), [], 10 * self.SECONDS)
        if is_shown:
            progress()
            if table(request, course, self.device, self.path, rung) != 0:
                self.result = "FAIL"
            return ""
        lines, points, correct = measure(request, course, True, rung)
        if correct < len(lines):
            self.result = "FAIL"
            self.why = "the results are wrong at some of the handout's sizes"
        return points


def confined(command, seconds, gigabytes, forks, **options):
    """What ended the command (confined.py), and its output. Where the system allows it, the command sees no process but its
    own."""
    reader, writer = os.pipe()
    prefix = ["unshare", "--user", "--pid", "--fork", "--kill-child", "--"] if has_namespaces() else []
    python = [sys.executable, "-IS", os.path.join(root, "scripts/confined.py")]
    try:
        _, said = limited([*prefix, *python, str(writer), str(seconds), str(gigabytes), str(int(forks)), *command], seconds + 10,
                          pass_fds=[writer], **options)
    finally:
        os.close(writer)
        with os.fdopen(reader) as answer:
            end = answer.read()
    return end or "time", said


@functools.lru_cache(maxsize=None)
def has_namespaces():
    command = ["unshare", "--user", "--pid", "--fork", "--kill-child", "--", "true"]
    return bool(shutil.which("unshare")) and subprocess.run(command, stderr=subprocess.DEVNULL, check=False).returncode == 0


def limited(command, seconds, **options):
    """Exit code, or nothing where the time was over, and the first million bytes of the output, of errors last."""
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
        said = b""
        for file in printed, errors:
            file.seek(0)
            said += file.read(1_000_000)
    return code, said.decode("utf-8", "replace")


def first(pattern, text):
    match = re.search(pattern, text, re.MULTILINE)
    return match.group() if match else ""


def last_line(text):
    return text.rstrip("\n").rpartition("\n")[2][:1000]


if __name__ == "__main__":
    messages.me = "grade"
    asked = Request(sys.argv[3:])
    sys.exit(table(asked, Course(asked.test, sys.argv[1], asked.method), sys.argv[2]))
