"""./run grade --exercises FOLDER [--csv OUT.csv]: all solutions of a class, each person's in a folder of its own.

All are built by one call of Ninja, then run in parallel. What one solution does costs only its own row: each is compiled and
run with limits (confined.py)."""
import concurrent.futures
import os
import re
import shutil
import stat
import subprocess
import tempfile

import messages
from build import Build, choose_folder, install, refuse_folder, run_logged, take_turn
from exercises import exercise_of, exercises
from grade import Solution, write_csv
from messages import die, out, progress, shorten

COMPILE_SECONDS = 60
COMPILE_GIGABYTES = 8
MAX_BYTES = 1_000_000  # of a source


class Row:
    """One file of one person."""

    def __init__(self, person, path, exercise):
        self.person = person
        self.path = path
        self.exercise = exercise
        self.solution = None
        self.verdict = ""
        self.kind = ""  # of the mistake
        self.why = ""

    def refuse(self, why):
        self.verdict = "not read"
        self.why = why


def rows_of(folder):
    """The .cu files of all folders in this one."""
    rows = []
    for person in sorted(os.listdir(folder)):
        place = os.path.join(folder, person)
        if not os.path.isdir(place) or os.path.islink(place):
            continue
        for name in sorted(os.listdir(place)):
            if name.endswith(".cu"):
                rows.append(row_of(person, os.path.join(place, name)))
    return rows


def row_of(person, path):
    row = Row(person, path, None)
    state = os.lstat(path)  # a link may lead to another's file
    if not stat.S_ISREG(state.st_mode) or state.st_size > MAX_BYTES:
        row.refuse("it is not a file of at most 1 MB")
        return row
    row.exercise = exercise_of(path)
    if not row.exercise:
        row.refuse("it has no line '// exercise NAME - ...' of an exercise")
    return row


def grade_folder(folder, csv_path, jobs):
    rows = rows_of(folder)
    if not rows:
        die(f"there are no .cu files in the folders in '{shorten(folder)}'", 2)
    refuse_folder()
    place = choose_folder("")
    build = Build(place, "emulated")
    with take_turn(place):
        build.configure(install("build"))
        with tempfile.TemporaryDirectory(dir=place, prefix="graded.") as work:
            prepare(rows, work, build)
            readable = [row for row in rows if row.solution]
            with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
                for done, _ in enumerate(pool.map(check, readable), 1):
                    progress(f"grade: {done} of {len(readable)} solutions checked")
            progress()
        build.cmake("-DGRADED:STRING=", build.folder)
    show(rows)
    if csv_path:
        table = [("name", "exercise", "verdict", "mistake", "message", "file")]
        table += [(row.person, name_of(row), row.verdict, row.kind, row.why, row.path) for row in rows]
        write_csv(csv_path, table)
    return 0 if all(row.verdict == "PASS" for row in rows) else 1


def name_of(row):
    return row.exercise.name if row.exercise else os.path.basename(row.path)


def prepare(rows, work, build):
    """Copies the files, and builds all that can be built, each with the check of its exercise."""
    lines = [f"set(GRADED_LAUNCHER timeout {COMPILE_SECONDS} prlimit --as={COMPILE_GIGABYTES * 10**9})"]
    used = {}
    for number, row in enumerate(rows):
        if row.verdict:
            continue
        own = os.path.join(work, str(number))
        os.mkdir(own)
        row.solution = Solution(row.exercise, row.path, own)
        row.solution.device = "emulated"
        row.solution.write_submission()
        used[row.exercise.name] = row.exercise
        lines.append(f'add_graded(graded_{number} "{row.solution.submission}" {row.exercise.name})')
    checks = [f'add_graded_check({name} "{exercise.check}")' for name, exercise in used.items()]
    targets = os.path.join(work, "targets.cmake")
    with open(targets, "w", encoding="utf-8") as file:
        file.write(FUNCTIONS + "\n".join([lines[0], *checks, *lines[1:]]) + "\n")
    build.cmake(f"-DGRADED:STRING={targets}", build.folder)
    names = [f"graded_{number}{twin}" for number, row in enumerate(rows) if row.solution for twin in ("", "_explained")]
    messages.say(f"building {len(names) // 2} solutions, each twice")
    run_logged(["ninja", "-C", build.folder, "-k", "0", *names], build.log)
    said = messages.read(build.log)
    for number, row in enumerate(rows):
        if not row.solution:
            continue
        for name, attribute in ((f"graded/graded_{number}", "program"), (f"explained/graded_{number}", "explained")):
            built = os.path.join(build.folder, name)
            copy = os.path.join(work, str(number), attribute)
            if os.path.exists(built):
                shutil.move(built, copy)
                setattr(row.solution, attribute, copy)
            else:
                setattr(row.solution, attribute, "")
        if not row.solution.program or not row.solution.explained:
            row.verdict = "does not compile"
            row.why = compile_error(said, number, row)


def compile_error(said, number, row):
    """The first error that the log has of this one's steps."""
    for step in re.split(r"^(?=\[\d+/\d+\] )", said, flags=re.MULTILINE):
        if f"graded_{number}.dir/" in step or f"graded_{number}_explained.dir/" in step or f"/{number}/submission" in step:
            error = re.search(r"^.*(?:error|undefined reference|multiple definition)\b.*$", step, re.MULTILINE)
            if error:
                return error.group()[:300]
    return f"compiling it took more than {COMPILE_SECONDS} seconds, or {COMPILE_GIGABYTES} GB"


def check(row):
    if row.verdict:
        return
    solution = row.solution
    said = solution.check_orders()
    solution.look_for_mistakes(said)
    row.verdict = solution.result
    row.why = solution.why + (f"; {solution.mistake}" if solution.mistake else "")
    row.kind = kind_of(solution)


def kind_of(solution):
    """The kind of finding, or "only the result"."""
    if solution.result != "FAIL":
        return ""
    found = re.search(r"(?:^|; )\S+:\d+: ([a-z][a-z ]*):", f"{solution.why}; {solution.mistake}")
    return found[1] if found else "only the result"


def show(rows):
    names = {name: number for number, name in enumerate(exercises())}
    rows.sort(key=lambda row: (row.person, names.get(name_of(row), len(names)), row.path))
    table = [("name", "exercise", "verdict", "mistake", "message")]
    table += [(row.person, name_of(row), row.verdict, row.kind or "-", row.why) for row in rows]
    widths = [min(max(len(line[column]) for line in table), 40) for column in range(4)]
    for line in table:
        out("  ".join(f"{messages.shorten(word):{width}}" for word, width in zip(line, widths)) + "  " + shorten(line[4]))
    passed = sum(row.verdict == "PASS" for row in rows)
    out(f"{passed} of {len(rows)} pass, of {len({row.person for row in rows})} people")


FUNCTIONS = """function(add_graded_check name source)
  add_cuda_library(graded_check_${name} "${source}")
  foreach(target IN ITEMS graded_check_${name} graded_check_${name}_explained)
    compile_as_listing(${target})
    set_target_properties(${target} PROPERTIES EXCLUDE_FROM_ALL ON)
  endforeach()
endfunction()
function(add_graded target source name)
  add_emulated_executable(${target} "${source}" STANDARD 17 LIBRARIES graded_check_${name} common project_warnings
    project_sanitizers)
  foreach(twin IN ITEMS ${target} ${target}_explained)
    compile_as_listing(${twin})
    set_target_properties(${twin} PROPERTIES EXCLUDE_FROM_ALL ON CXX_COMPILER_LAUNCHER "${GRADED_LAUNCHER}")
  endforeach()
  set_target_properties(${target} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/graded")
endfunction()
"""
