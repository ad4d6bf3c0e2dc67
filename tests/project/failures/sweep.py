#!/usr/bin/env python3
"""sweep.py LIBRARY BIN_FOLDER [SAMPLE...]: lets the N-th allocation, thread or file operation of every sample fail.

Then every sample with little memory (address space, as ulimit -v sets it) and without more OS threads or processes
(ulimit -u; by an unprivileged user where root runs this).

A sample ends then with exit code 0 and all that it ends with otherwise (it could do without), or with 1, 2 or 3 and one
sentence on standard error; nothing else. No file is left behind half written, none of another name, and an older picture
or film stays as it was until the new one is whole.

FAILURES=all in the environment tries every N; else the first ones and some that FAILURES_SEED (1) chooses.
FILMS_BY_LIBRARY=1 says that the samples can write GIFs without ffmpeg: then all but heat_notexture do so. ffmpeg is a
process of its own, the same for each sample, and would take most of the time.
"""
import errno
import os
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor

# The smallest work of each sample that is all of its work, with a file where it writes one.
STILL = "--headless --size 8 --output out.png"
FILM = "--headless --size 8 --frames 2 --output out.gif"
RUNS = {
    "device_info": [""],
    "hist_cpu": ["--bytes 100", "--bytes 100 --output out.png"],
    "hist_gpu_no_atomics": ["--bytes 100"],
    "hist_gpu_gmem_atomics": ["--bytes 100 --output out.png"],
    "hist_gpu_shmem_atomics": ["--bytes 100 --output out.png"],
    "hist_fast": ["--bytes 100 --check"],
    "dot_zero_copy": ["-n 100 --check"],
    "dot_multi_gpu": ["-n 100 --check"],
    "dot_portable_pinned": ["-n 100 --check"],
    "saxpy": ["-n 100 --check"],
    "scan": ["-n 100 --check"],
    "find_repeats": ["-n 100 --check"],
    "circle_renderer": ["rgb --headless --size 8 --frames 1 --output out.png", "rgb --size 8 --check",
                        "--scene scene.txt --headless --size 8 --frames 1 --output out.png", "rgb -s 8 -b 0:1 -f out"],
    "heat_multi_gpu": ["--exchange peer --headless --size 8 --frames 2 --steps 3 --checkpoint out.ckpt "
                       "--output out.png"],
    "heat_notexture": [FILM, "--headless --size 8 --frames 2 --output out.png"],
}
SCENE = "circles 1\n0.5 0.5 0.25  0.25 1 0 0 0.5\n"
# Whose calls fail, where not all are to fail. What MPI does without memory or sockets is MPI's.
CALLERS = {"heat_multi_gpu": "heat_multi_gpu:libstdc++:libpng:libz"}
KINDS = ["memory", "threads", "files"]
ADDRESS_SPACE = [60, 100, 150, 200, 300, 500, 1000]  # MB
UNPRIVILEGED = 65534


def limit(megabytes, processes):
    """Lessens what this process may have."""
    if megabytes:
        resource.setrlimit(resource.RLIMIT_AS, (megabytes << 20, megabytes << 20))
    if processes:
        resource.setrlimit(resource.RLIMIT_NPROC, (processes, processes))
        if os.getuid() == 0:
            os.setgroups([])
            os.setgid(UNPRIVILEGED)
            os.setuid(UNPRIVILEGED)


class Run:
    def __init__(self, sample, arguments, kind, always, megabytes=0, processes=0):
        self.sample, self.arguments, self.kind, self.always = sample, arguments, kind, always
        self.megabytes, self.processes = megabytes, processes

    def __str__(self):
        return f"{self.sample} {self.arguments} [{self.kind}{', all later ones, too' if self.always else ''}]"


def started(command, **options):
    """subprocess.run(). A copied program is busy while a process that another thread starts still has it open, and the
    user's processes are too many while another run of this sweep has its own."""
    for _ in range(100):
        try:
            return subprocess.run(command, check=False, **options)
        except OSError as error:
            if error.errno not in (errno.ETXTBSY, errno.EAGAIN):
                raise
            time.sleep(0.05)
    return subprocess.run(command, check=False, **options)


def is_whole_film(name, text):
    """Another GIF than expected, but a whole one: an ffmpeg that lacked memory makes other colors of it, or the library
    wrote it instead."""
    return name.endswith(".gif") and text.startswith(b"GIF89a") and text.endswith(b";") and len(text) > 100


class Outcome:
    """One run in a folder of its own."""

    def __init__(self, library, folder_of_samples, run, fail_at, older):
        folder = tempfile.mkdtemp(prefix="failures_")
        try:
            with open(os.path.join(folder, "scene.txt"), "w") as scene:
                scene.write(SCENE)
            if older:
                for name in ("out.png", "out.gif"):
                    if name in run.arguments:
                        with open(os.path.join(folder, name), "w") as file:
                            file.write("older")
            # Three OS threads, whatever the machine: the same number of calls everywhere.
            environment = {key: value for key, value in os.environ.items() if key != "DISPLAY"}
            environment.update(LD_PRELOAD=library, FAIL_KIND=run.kind, FAIL_AT=str(fail_at), EMULATED_THREADS="3",
                               FAIL_COUNT=os.path.join(folder, "count"))
            if os.environ.get("FILMS_BY_LIBRARY") == "1" and run.sample not in ("heat_notexture", *CALLERS):
                environment["PATH"] = folder
            if run.always:
                environment["FAIL_ALWAYS"] = "1"
            if run.sample in CALLERS:
                environment.update(FAIL_CALLERS=CALLERS[run.sample], EMULATED_DEVICES="2",
                                   OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")
            program = os.path.join(folder_of_samples, run.sample)
            limits = None
            if run.megabytes or run.processes:
                del environment["LD_PRELOAD"]
                limits = lambda: limit(run.megabytes, run.processes)
                os.chmod(folder, 0o777)
                # That user may not read every folder.
                program = shutil.copy(program, os.path.join(folder, run.sample))
            command = [program] + run.arguments.split()
            try:
                done = started(command, cwd=folder, env=environment, capture_output=True, timeout=60,
                               preexec_fn=limits)
                self.code, self.out, self.err = done.returncode, done.stdout, done.stderr
                self.out = self.out.replace(folder.encode(), b"FOLDER")
            except subprocess.TimeoutExpired:
                self.code, self.out, self.err = "none: it hangs", b"", b""
            self.files, self.count = {}, 0
            for name in sorted(os.listdir(folder)):
                with open(os.path.join(folder, name), "rb") as file:
                    text = file.read()
                if name == "count":
                    self.count = int(text or 0)
                elif name not in ("scene.txt", run.sample):
                    self.files[name] = text
        finally:
            shutil.rmtree(folder)

    def words(self):
        """Standard output without what a clock says."""
        return re.sub(rb"[0-9]+(\.[0-9]+)?(e[-+][0-9]+)?", b"#", b" ".join(self.out.split()))


def mistakes(outcome, expected, older):
    """What is not allowed of this outcome; empty if nothing."""
    wrong = []
    said = outcome.err.decode(errors="replace").strip()
    if outcome.code == 0:
        if outcome.words() != expected.words():
            wrong.append(f"exit code 0, but other words: {outcome.out.decode(errors='replace')[-300:]!r}")
        same = outcome.files.keys() == expected.files.keys() and all(
            text == expected.files[name] or is_whole_film(name, text) for name, text in outcome.files.items())
        if not same:
            wrong.append(f"exit code 0, but other files: { {n: len(t) for n, t in outcome.files.items()} }")
    elif outcome.code in (1, 2, 3):
        if not said:
            wrong.append("nothing is said")
        own = said.split("it says:")[0]  # a program that failed is quoted
        own = re.split(r"^-{20,}$", own, flags=re.M)[0]  # MPI speaks in a frame
        own = "\n".join(line for line in own.split("\n") if "ORTE_ERROR_LOG" not in line)  # or so
        # A sentence and a hint; one more where standard output fails as well.
        if len(own.strip().splitlines()) > 3 or len(own) > 600:
            wrong.append("more than a sentence is said")
        if "terminate called" in said:
            wrong.append("the C++ runtime speaks")
        if "which a kernel cannot do" in said:
            wrong.append("a kernel is blamed")
        for name, text in outcome.files.items():
            # A whole picture may be there already when something later fails.
            if text != expected.files.get(name) and not (older and text == b"older"):
                wrong.append(f"{name} is left behind with {len(text)} bytes")
        if older and "out.png" in expected.files and "out.png" not in outcome.files:
            wrong.append("the older picture is gone")
    else:
        wrong.append(f"exit code {outcome.code}")
    if wrong:
        wrong.append(f"    it says: {said[:600]!r}")
    return wrong


def chosen(count, seed):
    """Which N to try of `count` calls."""
    if os.environ.get("FAILURES") == "all":
        return range(1, count + 1)
    numbers, state = set(range(1, min(count, 4) + 1)), seed
    for _ in range(int(os.environ.get("FAILURES_EACH", "4"))):
        state = (state * 6364136223846793005 + 1442695040888963407) % (1 << 64)
        if count > 0:
            numbers.add(1 + (state >> 33) % count)
    return sorted(numbers)


def all_runs(sample):
    animated = sample in ("heat", "heat_2d", "heat_fast", "texture_transform", "cubemap_texture", "texture_3d",
                          "mipmap_texture")
    return RUNS.get(sample, [FILM if animated else STILL])


class Sweep:
    def __init__(self, library, folder):
        self.library, self.folder = library, folder
        self.pool = ThreadPoolExecutor(max_workers=2)
        self.tried = self.failed = 0

    def run(self, run, fail_at=0, older=False):
        return Outcome(self.library, self.folder, run, fail_at, older)

    def judge(self, name, outcome, expected, older):
        self.tried += 1
        for line in mistakes(outcome, expected, older):
            print(f"{name}: {line}")
            self.failed += not line.startswith("    ")

    def without_failure(self, run):
        """What the run ends with when all is well; None where it is unknown."""
        expected = self.run(run)
        if expected.code == 0:
            return expected
        if expected.code != 77:  # 77: this device cannot run it
            print(f"{run}: exit code {expected.code} without any failure: {expected.err}")
            self.failed += 1
        return None

    def nth_calls(self, sample, arguments):
        seed = int(os.environ.get("FAILURES_SEED", "1"))
        for kind in KINDS:
            for always in (False, True):
                run = Run(sample, arguments, kind, always)
                expected = self.without_failure(run)
                if expected is None:
                    return
                older = always and sample != "circle_renderer"
                numbers = list(chosen(expected.count, seed + always))
                outcomes = self.pool.map(lambda n: self.run(run, n, older), numbers)
                for number, outcome in zip(numbers, outcomes):
                    self.judge(f"{run} {number} of {expected.count}", outcome, expected, older)

    def scarce(self, sample, arguments):
        expected = self.without_failure(Run(sample, arguments, "none", False))
        if expected is None:
            return
        limits = [(megabytes, 0) for megabytes in ADDRESS_SPACE] + [(0, 1), (0, 2)]
        runs = [Run(sample, arguments, "none", False, *each) for each in limits]
        for run, outcome in zip(runs, self.pool.map(self.run, runs)):
            self.judge(f"{run} with {run.megabytes or 'all'} MB, {run.processes or 'all'} processes", outcome, expected,
                       False)


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    sweep = Sweep(os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2]))
    for sample in sys.argv[3:]:
        for arguments in all_runs(sample):
            sweep.nth_calls(sample, arguments)
            if sample not in CALLERS:
                sweep.scarce(sample, arguments)
    print(f"{sweep.tried} runs, {sweep.failed} mistakes")
    sys.exit(1 if sweep.failed else 0)


if __name__ == "__main__":
    main()
