"""./run_tests: installs what is missing, builds everything and runs the tests."""
import glob
import os
import re
import subprocess
import sys

import device
from build import Build, can_write, install, refuse_folder, take_turn
from messages import Parser, did_you_mean, die, out, read, say, shorten
from samples import root

HELP = """run_tests [--sanitized] [--emulated-only] [ctest options]: installs what is missing, builds everything, runs the tests.
run_tests --site: builds the site of ./run --site, and tests each of its pages in a browser, which it installs.

Without --emulated-only it builds and tests the gpu build first if nvcc is found (without a GPU the programs are only
compiled, and the samples report that there is none), then always the emulated build, and with --sanitized also the one
with AddressSanitizer and UndefinedBehaviorSanitizer. With ctest options (-R NAME) it builds only what those tests need."""

# Why a test may skip in continuous integration: this device cannot do it. A tool that is missing there is a mistake.
REASONS = re.compile("gpu|no device|this device|compute capability|sanitize|namespace|this system has no", re.IGNORECASE)


def main(words):
    options, for_ctest = read_options(words)
    if options.help:
        return out(HELP)
    refuse_folder()
    folder = os.path.join(root, "build")
    if not can_write(folder):
        die(f"{root} is read-only, and the tests write there; copy it first")
    if options.site:
        return test_site(folder) if len(words) == 1 else die("--site stands alone", 2)
    lock = take_turn(folder)
    installed = install("build", "mpi", "films", "site", "tests", "checks")
    failed = []
    for preset in presets(options):
        failed += run_tests(Build(folder, preset), installed, for_ctest)
    lock.close()
    return die("tests failed in: " + "; ".join(failed)) if failed else 0


def test_site(folder):
    """Builds the whole site, and tests its pages with a browser and an accessibility checker. Nothing may skip here."""
    install("browser")
    checker = install_checker(os.path.join(folder, "site_checker"))
    site = os.path.join(folder, "site")
    code = subprocess.run([os.path.join(root, "run"), "--site", site], check=False).returncode
    if code != 0:
        return code
    for command in (["faults_test.py", checker], ["site_test.py", site, "--axe", checker]):
        say(f"tests/site/{command[0]}")
        command[0] = os.path.join(root, "tests/site", command[0])
        if subprocess.run([sys.executable, *command], check=False).returncode != 0:
            die(f"{os.path.basename(command[0])} failed")
    return 0


def install_checker(folder):
    """axe-core, as the package that tests/site/requirements.txt names has it. Returns the path of its script."""
    wanted = os.path.join(root, "tests/site/requirements.txt")
    script = os.path.join(folder, "axe_playwright_python/axe.min.js")
    if not os.path.exists(script) or os.path.getmtime(script) < os.path.getmtime(wanted):
        say("installing axe-core with pip")
        pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--require-hashes", "--upgrade"]
        if subprocess.run([*pip, "--target", folder, "-r", wanted], check=False,
                          env={**os.environ, "PIP_ROOT_USER_ACTION": "ignore"}).returncode != 0:
            die("pip could not install axe-core (see above), without which the pages cannot be tested")
        os.utime(script)
    return script


def read_options(words):
    parser = Parser()
    parser.add_argument("--sanitized", action="store_true")
    parser.add_argument("--site", action="store_true")
    parser.add_argument("--emulated-only", action="store_true")
    parser.add_argument("--help", "-h", action="store_true")
    options, for_ctest = parser.parse_known_args(words)
    if for_ctest and not for_ctest[0].startswith("-"):
        die(f"'{shorten(for_ctest[0])}' is not an option of ctest; did you mean -R {shorten(for_ctest[0])}?", 2)
    first = for_ctest[0].split("=")[0] if for_ctest else ""
    if first.startswith("--") and first not in device.output_of("ctest", "--help").split():
        die(f"there is no option {shorten(first)}, here or in ctest" + did_you_mean(first, parser.option_names()), 2)
    return options, for_ctest


def presets(options):
    if not options.emulated_only and device.is_new_enough(device.find_nvcc()[1]):
        if not device.gpus():
            say("nvcc is here, but no GPU: the gpu build is compiled, and its samples report that there is none")
        yield "gpu"
    elif not options.emulated_only:
        say("no nvcc of CUDA 12.0 or newer: only the emulated build is tested")
    if options.sanitized:
        yield "emulated-sanitized"
    yield "emulated"


def run_tests(build, installed, for_ctest):
    """Builds and tests one preset; what failed, as sentences."""
    build.configure(installed, tests=True)
    targets = programs_of(build, for_ctest) if for_ctest else []
    build.build(targets, " ".join(targets) or "everything")
    say(f"testing build/{build.preset}")
    # Two more than there are cores, as some tests do little but wait. On a GPU one at a time, as they share its memory.
    jobs = (os.cpu_count() or 1) + 2
    chosen = for_ctest
    if build.preset == "gpu":
        if device.gpus():
            jobs = 1
        elif not for_ctest:
            chosen = ["-L", "^(chapter|cs418)"]  # the rest is the same as in the emulated build
    log = os.path.join(build.folder, "ctest.log")
    with open(log, "w", encoding="utf-8") as file:
        process = subprocess.Popen(["ctest", "--preset", build.preset, "-j", str(jobs), *chosen], cwd=root,
                                   stdout=subprocess.PIPE, text=True, errors="replace")
        for line in process.stdout:
            print(line, end="", flush=True)
            file.write(line)
    failed = [build.preset] if process.wait() != 0 else []
    # (In the gpu build without a GPU nearly everything skips.)
    if os.environ.get("CI_RUN") and build.preset != "gpu":
        skipped = unexplained_skips(build)
        failed += [f"{build.preset}: these skipped without a reason: {', '.join(skipped)}"] if skipped else []
    return failed


def programs_of(build, for_ctest):
    """The targets whose programs the chosen tests start; none where no test is known by that name: unit tests are known by
    theirs when they have been built."""
    listed = subprocess.run(["ctest", "--preset", build.preset, "-N", *for_ctest], cwd=root, stdout=subprocess.PIPE,
                            text=True, check=False).stdout
    names = set(re.findall(r"^ *Test *#[0-9]*: (.*)", listed, re.MULTILINE))
    # As CMake has written them: ctest does not list the command of a program that is not there yet.
    paths = set()
    for file in glob.iglob(f"{glob.escape(build.folder)}/**/*", recursive=True):
        if file.endswith(("/CTestTestfile.cmake", "_tests.cmake")):
            for name, command in re.findall(r"^add_test\(\[=*\[(.*?)\]=*\](.*)", read(file), re.MULTILINE):
                if name in names:
                    paths.update(re.findall(re.escape(build.folder) + r'/([^" ;]*)', command))
    known = subprocess.run(["ninja", "-C", build.folder, "-t", "targets", "all"], stdout=subprocess.PIPE, text=True,
                           check=False).stdout
    targets = [target for target in re.findall(r"^(.*?): ", known, re.MULTILINE) if target in paths]
    others = {"bin": "samples", "tests/site/site": "site_programs"}  # folders, and what is built before they are used
    return targets + [target for folder, target in others.items() if folder in paths]


def unexplained_skips(build):
    log = read(os.path.join(build.folder, "Testing/Temporary/LastTest.log"))
    said = {part.split("\n")[0].split(" ")[-1]: part for part in log.split(" Testing: ")[1:]}
    skipped = re.findall(r"^\s+\d+ - (.*) \(Skipped\)", read(os.path.join(build.folder, "ctest.log")), re.MULTILINE)
    return [name for name in skipped if not REASONS.search(said.get(name, ""))]

