"""./run try: the exercises, files with gaps, in the order of the book.

A folder exercises/CC_N_NAME holds one: NAME.cu has the gaps, check.cu the check, hints.txt the hints (exercises/README.md).
CC is the chapter, a the appendix, b what comes after the book."""
import glob
import hashlib
import os
import re
import tempfile
from collections import namedtuple

import messages
from build import can_write, choose_folder
from messages import did_you_mean, die, out, read, shorten
from samples import root

Exercise = namedtuple("Exercise", "name folder file check purpose")
GROUPS = {"a": "appendix", "b": "beyond"}  # else the number of a chapter


def exercises():
    """All exercises by name, in their order."""
    found = {}
    for folder in sorted(glob.glob(f"{glob.escape(root)}/exercises/*_*_*/")):
        name = os.path.basename(folder[:-1]).split("_", 2)[2]
        file = f"{folder}{name}.cu"
        match = re.match(rf"// exercise {name} - (.*)\.\n", read(file))
        if match:
            found[name] = Exercise(name, folder, file, folder + "check.cu", match[1])
    return found


def exercise_of(file):
    """The exercise that this file of a reader solves, by the line "// exercise NAME - ..."; or nothing."""
    match = re.search(r"^// exercise (\w+)\b", read(file), re.MULTILINE) if file.endswith(".cu") else None
    return exercises().get(match[1]) if match else None


def group_of(exercise):
    """ "chapter 4" """
    prefix = os.path.basename(exercise.folder[:-1]).split("_")[0]
    return GROUPS.get(prefix) or f"chapter {int(prefix)}"


def hints_of(exercise):
    """The paragraphs of hints.txt."""
    return [text for text in read(exercise.folder + "hints.txt").strip().split("\n\n") if text]


def first_gap(exercise, file):
    """The line of the first gap in a file that is as `./run try` wrote it."""
    text = read(file)
    return text[:text.index("TODO")].count("\n") + 1 if text == read(exercise.file) else None


# ---- results, by the content of the reader's file and of what checks it

def result_file(exercise, file):
    content = "\0".join([read(file), read(exercise.check), read(os.path.join(root, "exercises/exercise.h"))])
    key = hashlib.sha256(content.encode("utf-8", "surrogateescape")).hexdigest()[:20]
    return os.path.join(choose_folder(""), "tried", f"{exercise.name}.{key}")


def keep_result(exercise, file, result):
    path = result_file(exercise, file)
    if can_write(os.path.dirname(path)):
        with open(path, "w", encoding="utf-8") as kept:
            kept.write(result)


def result_of(exercise, file):
    """PASS, FAIL, "changed" since the last check, or "not tried"."""
    if not os.path.exists(file) or first_gap(exercise, file):
        return "not tried"
    return read(result_file(exercise, file)) or "changed"


# ---- the next command

def next_line(command, exercise, file, kind, arguments="", order="in-order"):
    """The line that ends a failed check; `kind`, from the check: explain, step or hint; `arguments`: for the test that failed;
    `order`: of the threads."""
    gap = first_gap(exercise, file)
    if gap:
        return f"Fill in the first gap: {file}, line {gap}. A hint: {command} try {exercise.name} --hint"
    test = messages.typed([file]) + (f" {arguments}" if arguments else "")
    prefix = "" if order == "in-order" else f"EMULATED_ORDER={order} "
    if kind == "step" and order == "in-order":
        return f"To step to the write of this element: {command} --step {test} --wrong"
    if kind == "hint" and order == "in-order":
        return f"For a hint: {command} try {exercise.name} --hint"
    return f"To learn why: {prefix}{command} --explain {test}"


# ---- the command

def try_one(command, words):
    messages.me = "try"
    parser = messages.Parser()
    parser.add_argument("--help", "-h", action="store_true")
    parser.add_argument("--hint", nargs="?", const="1")
    parser.add_argument("--watch", action="store_true")
    parser.add_argument("names", nargs="*")
    options, unknown = parser.parse_known_intermixed_args(words)
    parser.refuse_unknown(unknown)
    if options.help or len(options.names) > 1 or not options.names and (options.hint or options.watch):
        usage = f"usage: {os.path.basename(command)} try [NAME|FILE.cu [--hint [N]|--watch]]"
        return out(usage) if options.help else die(usage, 2)
    known = exercises()
    if not options.names:
        return list_exercises(command, known)
    name = options.names[0]
    exercise = known.get(name)
    file = f"my_{name}.cu"
    if name.endswith(".cu") and os.path.isfile(name):
        file = name
        exercise = exercise_of(name) or die(f"{shorten(name)} is not an exercise: it has no line '// exercise NAME - ...'", 2)
    if not exercise:
        die(f"there is no exercise '{shorten(name)}'" + did_you_mean(name, known, f"; there are: {' '.join(known)}"), 2)
    if options.hint:
        return show_hint(command, exercise, options.hint)
    if not os.path.exists(file):
        write_file(command, exercise, file)
        if not options.watch:
            return 0
    if options.watch:
        import watch
        folder = os.path.dirname(file) or "."
        return watch.watch(os.path.splitext(os.path.basename(file))[0], [(folder, False)], [command, "try", name], True)
    return check(command, exercise, file)


def list_exercises(command, known):
    results = {name: result_of(exercise, f"my_{name}.cu") for name, exercise in known.items()}
    lines = ["Exercises: files with gaps, in the order of the book, each checked on the device.", ""]
    lines += [f"  {group_of(exercise):10} {name:13} {results[name]:10} {exercise.purpose}"
              for name, exercise in known.items()]
    waiting = [name for name in known if results[name] != "PASS"]
    passed = len(known) - len(waiting)
    lines += ["", f"{passed} of {len(known)} pass. " + (f"Next: {command} try {waiting[0]}" if waiting else "Well done!")]
    out("\n".join(lines))


def show_hint(command, exercise, number):
    hints = hints_of(exercise)
    if not re.fullmatch(r"[1-9]\d?", number) or int(number) > len(hints):
        die(f"{exercise.name} has the hints 1 to {len(hints)}, not '{shorten(number)}'", 2)
    number = int(number)
    out(f"Hint {number} of {len(hints)}: {hints[number - 1]}")
    if number < len(hints):
        out(f"The next one: {command} try {exercise.name} --hint {number + 1}")


def write_file(command, exercise, file):
    try:
        with open(file, "x", encoding="utf-8") as copy:
            copy.write(read(exercise.file))
    except OSError as error:
        die(f"{file} cannot be written: {error.strerror}", 2)
    out(f"Wrote {file}. Fill in what is marked TODO, then: {command} try {exercise.name}")


def check(command, exercise, file):
    """Runs the check as grading has it, prints the answer, and keeps it. Returns the exit code."""
    import grade

    with tempfile.TemporaryDirectory() as folder:
        solution = grade.Solution(exercise, file, folder)
        solution.check()
    messages.progress()
    if solution.result == "no device":
        die(solution.why, 77)
    if solution.result == "does not compile":
        messages.write(solution.said)
        return 1
    keep_result(exercise, file, "PASS" if solution.result == "PASS" else "FAIL")
    if solution.result == "PASS":
        out(f"PASS {solution.why}")
        waiting = [name for name, one in exercises().items() if result_of(one, f"my_{name}.cu") != "PASS"]
        if waiting:
            out(f"Next: {command} try {waiting[0]}")
        return 0
    result = "FAIL" if solution.result == "FAIL" else f"FAIL ({solution.result})"
    out(f"{result} {solution.why}")
    if solution.mistake:
        out(solution.mistake)
    out(next_line(command, exercise, file, "explain" if solution.mistake else solution.next, solution.arguments,
                  solution.order))
    return 1
