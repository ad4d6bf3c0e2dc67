"""Installs what is missing, configures with CMake and builds with Ninja, for ./run and ./run_tests."""
import fcntl
import os
import re
import subprocess
import sys
import time
import zlib

import compiler
import messages
from messages import die, read, say, shorten

root = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))

# What CMake, Ninja or a compiler take for something else, whatever the quotes.
NOT_IN_PROJECT = r"""[][;$"`\\*?<>|:#\n]"""
NOT_IN_SOURCE = r"[][;\\?<>\n]|[#|][^/]*$|\$\{[^/]*$"


def refuse_folder():
    if re.search(NOT_IN_PROJECT, root):
        die("please rename this folder: CMake or Ninja cannot take [ ] # ; $ \\ \" ` * ? < > | : or a line's end in "
            f"its name: {shorten(root)}", 2)


def install(*groups):
    """Whether something had to be installed (install.sh has the groups)."""
    done = subprocess.run([os.path.join(root, "scripts/install.sh"), messages.me, *groups], stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, check=False)
    if done.returncode != 0:
        sys.exit(done.returncode)
    return done.stdout != b""


def is_folder_writable(folder):
    return os.path.isdir(folder) and os.access(folder, os.W_OK)


def can_write(folder):
    try:
        os.makedirs(folder, exist_ok=True)
    except OSError:
        return False
    return is_folder_writable(folder)


def choose_folder(program):
    """Where programs are built. In a checkout that is read-only, the program, if one is given, is run where it was built;
    all else is built in the user's cache."""
    folder = os.path.join(root, "build")
    if can_write(folder) or program and os.access(os.path.join(folder, program), os.X_OK):
        return folder
    cache = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.environ.get("HOME", "/nonexistent"), ".cache")
    folder = f"{cache}/cuda_teaching_examples/{zlib.crc32(root.encode('utf-8', 'surrogateescape'))}"
    if not can_write(folder):
        die(f"{root} is read-only, and so is the other place to build in, {folder}")
    say(f"{root} is read-only: building in {folder}")
    return folder


def take_turn(folder):
    """Waits until no other ./run or ./run_tests builds in this folder. Closing what this returns lets the next one in."""
    lock = open(os.path.join(folder, ".lock"), "w", encoding="utf-8")
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        say("waiting: another ./run or ./run_tests is building in build/")
        fcntl.flock(lock, fcntl.LOCK_EX)
    return lock


def run_logged(command, log):
    """Whether the command succeeds; its output goes to the file `log`. On a terminal a line shows how far it is."""
    with open(log, "wb") as file:
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=file, stderr=file)
    start = time.monotonic()
    while sys.stderr and sys.stderr.isatty():
        try:
            process.wait(0.5)
            break
        except subprocess.TimeoutExpired:
            steps = re.findall(r"^\[(\d+)/(\d+)\]", read(log), re.MULTILINE)
            far = "{} of {} steps done, ".format(*steps[-1]) if steps else ""
            messages.progress(f"{messages.me}: {far}{int(time.monotonic() - start)} s")
    messages.progress()
    return process.wait() == 0


class Build:
    """The folder of one preset."""

    def __init__(self, folder, preset):
        self.preset = preset
        self.folder = os.path.join(folder, preset)
        self.log = f"{self.folder}.build.log"
        self.configure_log = f"{self.folder}.configure.log"

    def cache(self):
        return read(os.path.join(self.folder, "CMakeCache.txt"))

    def cmake(self, *arguments):
        if run_logged(["cmake", *arguments], self.configure_log):
            return
        messages.write(read(self.configure_log))
        try:
            os.remove(os.path.join(self.folder, "build.ninja"))
        except OSError:
            pass
        die(f"CMake failed to configure build/{self.preset} (see its output above)")

    def configure(self, installed, tests=False):
        """Makes the folder ready, with the tests or, sooner, without. Quick if it is ready, and nothing was installed."""
        cache = self.cache()
        if cache and f"\nCMAKE_HOME_DIRECTORY:INTERNAL={root}\n" not in cache:
            cache = ""  # the folder was copied or moved
            subprocess.run(["rm", "-rf", self.folder], check=True)
        has_tests = "\nBUILD_TESTING:BOOL=ON\n" in cache
        is_there = os.path.exists(os.path.join(self.folder, "build.ninja"))
        if is_there and not installed and (has_tests or not tests):
            return
        say(f"configuring build/{self.preset}")
        options = [f"-DBUILD_TESTING={'ON' if tests or has_tests else 'OFF'}"]
        if "WARNINGS_AS_ERRORS" in os.environ:
            options.append("-DWARNINGS_AS_ERRORS=" + os.environ["WARNINGS_AS_ERRORS"])
        self.cmake("-S", root, "--preset", self.preset, "-B", self.folder, *options)

    def set_listing(self, variables, files, device):
        """What the target `listing` is made of (cmake/Listing.cmake); a list has semicolons."""
        variables = {"LISTING": ";".join(files), **variables}
        if device == "emulated":  # whose headers define what these libraries of CUDA have
            variables["LISTING_LIBRARIES"] = re.sub("-l(cu|nv)[^;]*", "", variables["LISTING_LIBRARIES"])
        cache = self.cache()
        if any(f"\n{name}:STRING={value}\n" not in cache for name, value in variables.items()):
            self.cmake(*(f"-D{name}:STRING={value}" for name, value in variables.items()), self.folder)

    def steps_to_do(self, targets):
        """The number of steps as Ninja plans them, "?" where it does not know a target yet, or nothing."""
        # A dry run of build.ninja itself ends at the step that looks for new files, so the plan has another name.
        plan = os.path.join(self.folder, "plan.ninja")
        if not os.path.islink(plan):
            os.symlink("build.ninja", plan)
        done = subprocess.run(["ninja", "-C", self.folder, "-f", "plan.ninja", "-n", *targets], stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL, text=True, check=False)
        if done.returncode != 0:
            return "?"
        steps = re.findall(r"^\[\d+/(\d+)\]", done.stdout, re.MULTILINE)
        return steps[-1] if steps else ""

    def build(self, targets, name, files=(), standard=""):
        """Builds the targets, or everything. Prints one line if there is something to do, the warnings, and the
        compiler's errors if it fails. `name`: of what is built; `files`: of a program that is not ours."""
        steps = self.steps_to_do(targets)
        if steps:
            say(f"building {name} in build/{self.preset}{duration(steps)}")
        is_built = run_logged(["ninja", "-C", self.folder, *targets], self.log)
        words = read(self.log)
        if files:
            warnings = compiler.keep_warnings(os.path.join(self.folder, "listing.warnings"), words, targets[0], files)
        if not is_built:
            messages.write(compiler.explain_failure(words, root, standard))
            die(f"the build failed; the whole log is {self.log}")
        messages.write(compiler.warnings(warnings if files else words.split("\n"), root if files else ""))


def duration(steps):
    """The number of steps, and a rough time where they take long."""
    if steps == "?":
        return ""
    if int(steps) < 6:
        return f" ({steps} step{'s' if steps != '1' else ''})"
    seconds = 5 * int(steps) / min(os.cpu_count() or 1, 4)
    return f" ({steps} steps, about " + (f"{seconds / 10:.0f}0 s)" if seconds < 90 else f"{seconds / 60:.0f} min)")
