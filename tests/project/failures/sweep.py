#!/usr/bin/env python3
"""sweep.py LIBRARY BIN_FOLDER SAMPLE: lets the N-th allocation, thread or file operation of the sample fail, or all from
the N-th on.

The sample ends then with exit code 0 and all that it ends with otherwise (it could do without), or with 1, 2 or 3 and one
sentence on standard error; nothing else. No file is left behind half written, none of another name, and an older picture
or film stays as it was until the new one is whole.

FAILURES=all in the environment tries every N; else the first ones and some that FAILURES_SEED (1) chooses.
"""
import os
import random
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

BLOCK = re.compile(r"block \(\d+,\d+,\d+\)")

# The smallest work of each sample that is all of its work, with a file where it writes one.
STILL = "--headless --size 8 --output out.png"
FRAMES = "--headless --size 8 --frames 2 --output out.png"
RUNS = {
    **{name: [""] for name in ("device_info", "hello", "choose_device", "divergent_barrier")},
    **{name: ["-n 100"] for name in ("add", "add_long", "dot", "hashtable_cpu", "hashtable")},
    **{name: ["-n 100 --check"] for name in ("dot_fast", "dot_lock", "hashtable_fast")},
    "copy_timed": ["--check"],
    **{name: ["-n 1000 --chunk 100 --check", "-n 1000 --chunk 100 --headless --output out.png"]
       for name in ("single_stream", "double_stream", "many_streams")},
    "stream_graph": ["-n 1000 --chunk 100"],
    "hist_cpu": ["--bytes 100", "--bytes 100 --output out.png"],
    "hist_gpu_no_atomics": ["--bytes 100"],
    "hist_gpu_gmem_atomics": ["--bytes 100 --output out.png"],
    "hist_gpu_shmem_atomics": ["--bytes 100 --output out.png"],
    "hist_fast": ["--bytes 100 --check"],
    **{name: ["-n 100 --check"] for name in ("dot_zero_copy", "dot_multi_gpu", "dot_portable_pinned", "saxpy", "scan",
                                             "find_repeats")},
    "circle_renderer": ["rgb --headless --size 8 --frames 1 --output out.png", "rgb --size 8 --check"],
    "heat_notexture": ["--headless --size 8 --frames 2 --output out.gif", FRAMES],
    **{name: [FRAMES] for name in ("ripple", "julia", "ripple_interop", "heat_interop", "heat", "heat_2d", "heat_fast", "texture_transform", "cubemap_texture", "texture_3d",
                                   "mipmap_texture")},
}
library, samples, sample = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2]), sys.argv[3]


class Outcome:
    """One run in a folder of its own."""

    def __init__(self, arguments, kind, always, fail_at=0, older=False):
        with tempfile.TemporaryDirectory(prefix="failures_") as name:
            folder = Path(name)
            for file in ("out.png", "out.gif"):
                if older and file in arguments:
                    (folder / file).write_text("older")
            # Three OS threads, whatever the machine: the same number of calls everywhere.
            environment = {key: value for key, value in os.environ.items() if key != "DISPLAY"}
            environment.update(LD_PRELOAD=library, FAIL_KIND=kind, FAIL_AT=str(fail_at), EMULATED_THREADS="3",
                               FAIL_COUNT=str(folder / "count"))
            if always:
                environment["FAIL_ALWAYS"] = "1"
            try:
                done = subprocess.run([os.path.join(samples, sample)] + arguments.split(), cwd=folder, env=environment,
                                      capture_output=True, timeout=60, check=False)
                self.code, self.out, self.err = done.returncode, done.stdout.replace(name.encode(), b""), done.stderr
            except subprocess.TimeoutExpired:
                self.code, self.out, self.err = "none: it hangs", b"", b""
            self.files = {path.name: path.read_bytes() for path in folder.iterdir()}
            self.count = int(self.files.pop("count", b"") or 0)

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
        if outcome.files != expected.files:
            wrong.append(f"exit code 0, but other files: { {n: len(t) for n, t in outcome.files.items()} }")
    elif outcome.code in (1, 2, 3):
        if not said:
            wrong.append("nothing is said")
        own = said.split("it says:")[0]  # a program that failed is quoted
        # A warning comes without a failure, too; the block that comes first differs.
        usual = {BLOCK.sub("", line) for line in expected.err.decode(errors="replace").splitlines()}
        own = "\n".join(line for line in own.splitlines() if BLOCK.sub("", line) not in usual)
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
    some = random.Random(seed)
    more = int(os.environ.get("FAILURES_EACH", "4"))
    return sorted({*range(1, min(count, 4) + 1), *(some.randint(1, count) for _ in range(more if count else 0))})


def main():
    tried = failed = 0
    seed = int(os.environ.get("FAILURES_SEED", "1"))
    pool = ThreadPoolExecutor(max_workers=2)
    ways = [(kind, always) for kind in ("memory", "threads", "files") for always in (False, True)]
    for arguments in RUNS.get(sample, [STILL]):
        for kind, always in ways:
            run = f"{sample} {arguments} [{kind}{', all later ones, too' if always else ''}]"
            expected = Outcome(arguments, kind, always)
            if expected.code == 77:  # this device cannot run it
                return 77
            if expected.code != 0:
                sys.exit(f"{run}: exit code {expected.code} without any failure: {expected.err}")
            older = always and sample != "circle_renderer"
            numbers = chosen(expected.count, seed + always)
            for number, outcome in zip(numbers, pool.map(lambda n: Outcome(arguments, kind, always, n, older), numbers)):
                tried += 1
                for line in mistakes(outcome, expected, older):
                    print(f"{run} {number} of {expected.count}: {line}")
                    failed += not line.startswith("    ")
    print(f"{tried} runs, {failed} mistakes")
    return bool(failed)


if __name__ == "__main__":
    sys.exit(main())
