"""./run: what it is asked for, and one sample or program built and run."""
import argparse
import os
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile

import device
import exercises
import messages
import samples
from build import (NOT_IN_SOURCE, Build, choose_folder, install, is_folder_writable, refuse_folder, take_turn)
from messages import Parser, did_you_mean, die, out, read, refuse_unwritable, say, shorten, typed

root = samples.root

HELP = """usage: run [--verbose] [--watch] [--explain[=PAGE.html]|--step] [SAMPLE|FILE.cu...] [options]
       run try|grade|diff ...
       run --site [FOLDER]
       run --list|--help

Installs what is missing, builds SAMPLE (default: heat) and runs it with the options given; SAMPLE
--help lists them. FILE.cu is a program of your own or a listing of the book. It is compiled alone,
and #include finds common/. Several .cu, .cpp and .c files at the start of the command line form one
program. Options of nvcc after the files go to the compiler (-I FOLDER, -D NAME, -fopenmp,
-Xcompiler X, ...). The first other word and all that follow go to the program. So do all words
after --.
Uses the GPU if nvcc and an NVIDIA GPU are found, otherwise the emulated device.

  --explain SAMPLE      reports mistakes in its kernels and calls, and how the kernels access
                        memory, line by line; also for FILE.cu. Runs on the emulated device. A
                        sample gets a small size unless its options give one
  --explain=PAGE.html   writes the same as a page
  --step SAMPLE         writes SAMPLE_steps.html, a page that steps through block (0,0,0) of each
                        kernel's first launch: lanes, lines, memory, barriers. --block X,Y,Z,
                        --launch N and --kernel NAME choose other blocks. --at 'out[257]' shows the
                        last write of this element, --wrong that of the first wrong element
  --watch ...           builds and runs again at each save; a page or a picture is shown at an
                        address that reloads itself. Ctrl-C ends it
  --verbose ...         prints all messages of a failed build, not only the errors
  try                   lists the exercises, files with gaps, and which of them pass
  try NAME|FILE.cu      writes my_NAME.cu, or checks the file if it is there: in three orders of
                        threads, then as --explain. --hint [N] prints a hint; --watch checks at
                        each save
  grade NAME FILE.cu... checks such files, and prints the course's points where they exist (run
                        grade --help)
  grade TEST            prints the score table of the course's handout: scan, find_repeats, circles
  diff A B              shows how two samples differ, without their comments
  --site [FOLDER]       writes all of this as a static site, by default into build/site: each sample
                        with its picture, its source, its costs and its threads to step through
  --list                lists the samples
  DEVICE=emulated run   uses the emulated device even if there is a GPU (also: gpu)
  STANDARD=20 run FILE  compiles FILE.cu as C++20 (default: 17, as nvcc's); also -std=c++20
  SANITIZE=1 run        uses the emulated device with AddressSanitizer and
                        UndefinedBehaviorSanitizer"""

SOURCES = (".cu", ".cpp", ".c")
COURSE = ("cudaScan", "cudaSaxpy", "render")  # the course's programs


def main(command, words):
    if words[:1] == ["--site"]:
        return make_site(words[1:])
    options, rest = read_options(words)
    if options.help:
        return out(HELP)
    if options.list:
        return list_samples() if not rest else die("--list takes no value", 2)
    flags = [word for word in words[:len(words) - len(rest)] if word != "--verbose"]
    verb = rest[0] if rest[:1] and rest[0] in ("try", "diff", "grade") else ""
    if flags and (verb or not rest) or options.verbose and not rest:
        flag = flags[-1].split("=")[0] if flags else "--verbose"
        die(f"{flag} needs the name of a sample or a .cu file after it", 2)
    if verb == "try":
        return exercises.try_one(command, rest[1:])
    if verb == "diff":
        return diff(rest[1:])
    refuse_folder()
    if options.verbose:
        os.environ["RUN_VERBOSE"] = "1"
    if options.watch:
        import watch
        name, folders = watched(rest, options.step)
        return watch.watch(name, folders, [command] + [word for word in words if word != "--watch"])
    if verb == "grade":
        import grade
        return grade.main(command, rest[1:])
    return build_and_run(command, words, options, rest or ["heat"])


def make_site(words):
    """Goes on as the builder of the site, a program of its own."""
    builder = os.path.join(root, "site/make.py")
    if not os.path.exists(builder):
        die("--site needs a checkout of the project: there is no folder site/ here", 2)
    refuse_folder()
    os.execv(sys.executable, [sys.executable, builder, *words])


def read_options(words):
    """The options before the name, and the words from the name on, or from the options of --step on."""
    parser = Parser()
    for name in ("--list", "--verbose", "--watch"):
        parser.add_argument(name, action="store_true")
    parser.add_argument("--help", "-h", action="store_true")
    page = parser.add_mutually_exclusive_group()
    page.add_argument("--explain", metavar="PAGE")
    page.add_argument("--step", action="store_true")
    first = 0
    while words[first:] and words[first].startswith("-"):
        if "--step" in words[:first] and re.match("--(block|launch|kernel|at|wrong)", words[first]):
            break
        first += 1
    # The value of --explain is optional, and never the next word.
    options, unknown = parser.parse_known_args(["--explain=" if word == "--explain" else word for word in words[:first]])
    parser.refuse_unknown(unknown, "; ./run --help lists them all")
    return options, words[first:]


def list_samples():
    out("\n".join(f"{sample.name:26} {sample.purpose}" for sample in samples.samples()))


def diff(words):
    messages.me = "diff"
    if len(words) != 2:
        die("usage: run diff A B, two samples or files: run diff ray_noconst ray", 2)
    files = {sample.name: os.path.join(root, sample.file) for sample in samples.samples()}
    if not shutil.which("g++"):
        install("build")
    with tempfile.TemporaryDirectory() as folder:
        for word, side in zip(words, "ab"):
            file = files.get(word, word)
            if not os.path.isfile(file):
                die(f"there is no sample or file '{shorten(word)}'" + did_you_mean(word, files), 2)
            # The preprocessor takes the comments out, and their lines.
            subprocess.run(["g++", "-fpreprocessed", "-dD", "-E", "-P", "-x", "c++", file, "-o", f"{folder}/{side}"],
                           check=True)
        done = subprocess.run(["diff", "--color=auto", "-U", "2", "--label", words[0], "--label", words[1], f"{folder}/a",
                               f"{folder}/b"], check=False)
    sys.exit(2 if done.returncode > 1 else 0)


# ---- what is run: a sample, or files

def refuse_unknown_sample(words, command="./run"):
    """The sample words[0]; if there is none, the program ends with the nearest names."""
    name = words[0]
    known = {sample.name: sample for sample in samples.samples()}
    if name in known:
        return known[name]
    if any(os.path.isfile(" ".join(words[:count])) for count in (2, 3, 4)):
        die("there is a space in that path; put quotes around it", 2)
    if os.path.exists(name):
        die(f"'{shorten(name)}' is not a sample; {command} takes a sample's name or .cu, .cpp and .c files", 2)
    others = {}  # what is written with dashes, or is the other command
    if command == "./run":
        others = {word: f"./run --{word}" for word in ("help", "list", "explain", "step", "watch")}
        others["tests"] = "./run_tests"
    if os.path.isfile(name + ".cu"):
        near = [shorten(name) + ".cu"]
    elif name in others:
        near = [others[name]]
    else:
        near = messages.nearest(name, list(known)) or [others[word] for word in messages.nearest(name, list(others))]
    die(f"there is no sample named '{shorten(name)}'; " + (f"did you mean {', '.join(near)}? " if near else "") +
        f"{command} --list shows them all", 2)


def refuse_missing_file(file):
    name = os.path.basename(file).split(".")[0]
    if os.path.exists(file):
        die(f"'{shorten(file)}' is not a file", 2)
    is_sample = any(sample.name == name for sample in samples.samples())
    die(f"there is no file '{shorten(file)}'" + (f"; did you mean the sample {name}?" if is_sample else ""), 2)


def watched(words, step):
    """The name of what is to be watched, and its folders with sources; a ladder's with the folders in it."""
    if step:
        words = take_step_options(words)
    if not words:
        die("--watch needs the name of a sample or a .cu file after it", 2)
    files = []
    for word in words:
        if not word.endswith(SOURCES):
            break
        if not os.path.isfile(word):
            refuse_missing_file(word)
        files.append(word)
    common = (os.path.join(root, "common"), True)
    if files:
        name = os.path.splitext(os.path.basename(files[0]))[0]
        return name, [(os.path.dirname(file) or ".", False) for file in files] + [common]
    sample = refuse_unknown_sample(words)
    folder = os.path.dirname(os.path.join(root, sample.file))
    return sample.name, [(folder, os.path.basename(folder) == sample.name), common]


# The options of nvcc and g++ that may follow a program's files, in one word or two, and the variable of cmake/Listing.cmake
# that their first group goes to. Those of the last line change nothing: each build optimizes, for the device that is there.
COMPILER = (
    ("FOLDERS", r"(?:-I ?|--include-path[= ])(.+)"),
    ("DEFINITIONS", r"(?:-D ?|--define-macro[= ])(.+)"),
    ("STANDARD", r"--?std[= ](?:c\+\+)?(.+)"),
    ("HOST_OPTIONS", r"(?:-Xcompiler|--compiler-options)[= ](.+)"),
    ("HOST_OPTIONS", r"(-fopenmp|-pthread|-march=.+|-W(?:all|extra|error|no-.+)?)"),
    ("NVCC_OPTIONS", r"(-[Ggw]|--?(?:lineinfo|generate-line-info|device-debug|use_fast_math|(?:expt-)?extended-lambda|"
                     r"expt-relaxed-constexpr|res(?:ource)?-usage))"),
    ("NVCC_OPTIONS", r"(--?(?:fmad|ftz|prec-div|prec-sqrt|rdc|relocatable-device-code|maxrregcount|Xptxas|ptxas-options|"
                     r"diag-suppress)[= ].+)"),
    ("LIBRARIES", r"(-L ?.+|-l ?[A-Za-z].*)"),
    (None, r"-O[0-3s]?|-Ofast|-m64|--?(?:arch|gpu-architecture|gpu-code|code|gencode|generate-code|ccbin)[= ].+"))

# What else looks like an option of a compiler where the program gets it. It may be the program's own.
LIKE_COMPILER = re.compile(r"-[DIOU].*|-o|-[fW][a-z].+|-(include|isystem)|--?(std|X[a-z]+|[a-z]+-options|arch|gencode)([= ].*)?")


def listing_of(words):
    """A program that is not ours: its files, the variables of cmake/Listing.cmake, and the program's own words."""
    files = []
    values = {name: [] for name, _ in COMPILER if name}
    while words and words[0] != "--":
        if words[0].endswith(SOURCES) and not words[0].startswith("-"):
            files.append(source_file(words[0], files))
            words = words[1:]
            continue
        found = next(((count, name, match) for count in (1, 2) for name, pattern in COMPILER
                      if (match := re.fullmatch(pattern, " ".join(words[:count])))), None)
        if not found:
            break
        count, name, match = found
        words = words[count:]
        value = match[1] if name else ""
        if name == "HOST_OPTIONS":
            values[name] += re.split("[, ]", value)
        elif name == "NVCC_OPTIONS":
            values[name].append(value.replace(" ", "=", 1))
        elif name == "LIBRARIES":
            folder = os.path.abspath(value[2:].lstrip()) if value.startswith("-L") else value[2:].lstrip()
            values[name].append(value[:2] + folder)
        elif name:
            values[name].append(value)
    if words[:1] == ["--"]:
        words = words[1:]
    elif any(LIKE_COMPILER.fullmatch(word) for word in words):
        say(f"handed to the program: {shorten(typed(words))} (put a compiler's options before the program's own)")
    values["FOLDERS"] = [include_folder(folder) for folder in values["FOLDERS"]]
    if any(re.search("[;#]", definition) for definition in values["DEFINITIONS"]):
        die("-D takes no ; or #", 2)
    values["STANDARD"] = (values["STANDARD"] or [os.environ.get("STANDARD", "17")])[-1:]
    if values["STANDARD"][0] not in ("17", "20"):
        die(f"STANDARD must be 17 or 20, not '{shorten(values['STANDARD'][0])}'", 2)
    return files, {f"LISTING_{name}": ";".join(value) for name, value in values.items()}, words


def source_file(file, others):
    if not os.path.isfile(file):
        refuse_missing_file(file)
    if not os.access(file, os.R_OK):
        die(f"you may not read '{shorten(file)}'", 2)
    path = os.path.join(os.path.realpath(os.path.dirname(file)), os.path.basename(file))
    if re.search(NOT_IN_SOURCE, path):
        die(f"CMake takes no file with one of [ ] ; < > \\ ? in its path, or # | ${{ in its name: '{shorten(path)}'", 2)
    name = os.path.basename(path)
    if file.endswith(".cu") and path not in others and name in map(os.path.basename, others):
        die(f"two of the files are called '{shorten(name)}'; give one of them another name", 2)
    return path


def include_folder(folder):
    if not os.path.isdir(folder):
        die(f"there is no folder '{shorten(folder)}'", 2)
    path = os.path.realpath(folder) + "/"
    if re.search(r'[;"\\]', path):
        die(f"-I takes no folder with one of ; \" \\ in its path: '{shorten(path)}'", 2)
    return path


def refuse_misplaced(command, arguments, name):
    """Ends where an option of `run` comes after the name of the sample or file, whose program would get it."""
    for word in arguments:
        if re.fullmatch("--(explain(=.*)?|step|watch|verbose)", word):
            die(f"{shorten(word)} comes before the name: {command} {shorten(word)} {name}", 2)


# ---- the options of --step and --explain

def take_step_options(words):
    """Puts them into the environment, where the emulated device reads them (emulator/packs/explain/src/step.cpp), and
    returns the other words. A sample may have a --block of its own, with one number."""
    mine = words[:words.index("--")] if "--" in words else words
    parser = Parser()
    parser.add_argument("--block", type=matching(r"\d{1,9}(,\d{1,9}){0,2}", "the block's x,y,z, as in --block 1,0,0"))
    parser.add_argument("--launch", type=matching(r"[1-9]\d{0,8}", "a number from 1 on"))
    parser.add_argument("--kernel", type=matching(".+", "the name of a kernel"))
    element = parser.add_mutually_exclusive_group()
    element.add_argument("--at", type=matching(r"[A-Za-z_][A-Za-z_0-9.]*(\[\d{1,18}\]){0,3}",
                                               "an element, as in --at out[257] or --at tile[3][5]"))
    element.add_argument("--wrong", action="store_const", const="1")
    options, others = parser.parse_known_args(mine)
    if options.block and options.block.isdigit() and others and not others[0].endswith(".cu"):
        others += ["--block", options.block]
        options.block = None
    os.environ.update({f"EMULATED_STEP_{name.upper()}": value for name, value in vars(options).items() if value})
    return others + words[len(mine):]


def matching(pattern, needed):
    """The type of an option's value."""
    def check(text):
        if not re.fullmatch(pattern, text):
            raise argparse.ArgumentTypeError(f"needs {needed}, not '{shorten(text)}'")
        return text

    return check


def prepare_steps(command, words, others):
    """--step; `others`: the words without its own. Returns the page that will be written."""
    name = os.path.splitext(os.path.basename(others[0]))[0]
    page = os.path.join(os.getcwd(), name + "_steps.html")
    refuse_unwritable(page, os.path.basename(page))
    if os.path.exists(page):
        os.remove(page)
    os.environ.update(EMULATED_STEP_NAME=name, EMULATED_STEP_PAGE=page, EMULATED_STEP_COMMAND=typed([command, *words]),
                      EMULATED_STEP_OTHER=typed([command, "--step", others[0], "@", *others[1:]]))
    return page


def little(sample, words):
    """The words of a sample under --explain: where no option says how much it is to compute, that is little."""
    pattern = r"((--headless|--check|--(output|seed|method|device)[ =]\S+) )*"
    if not re.fullmatch(pattern, "".join(word + " " for word in words)):
        return words
    if sample.kind != "numeric":
        words = ["--size", "128", *([] if "--headless" in words else ["--headless"]), *words]
    if sample.kind == "animation":
        words = [*words, "--frames", "1"]
    if sample.name == "circle_renderer":
        return ["rand10k", *words]
    for pattern, more in (("hist_", ["--bytes", "100000"]), ("dot_", ["-n", "100000"]),
                          ("(single|double|many)_stream|stream_graph", ["-n", "20000", "--chunk", "5000"]),
                          ("(saxpy|scan|find_repeats)$|hashtable", ["-n", "10000"])):
        if re.match(pattern, sample.name):
            return [*words, *more]
    return words


# ---- building and running

def build_and_run(command, words, options, rest):
    """`words`: all that was typed; `rest`: from the name on."""
    explains = options.explain is not None or options.step
    page = None
    if options.explain:
        os.environ["EMULATED_EXPLAIN_PAGE"] = os.path.realpath(options.explain)
        refuse_unwritable(options.explain, "--explain=" + shorten(options.explain))
    if options.step:
        rest = take_step_options(rest) or die("--step needs the name of a sample or a .cu file after it", 2)
        page = prepare_steps(command, words, rest)
    os.environ["EMULATED_GLOSSARY"] = "docs/glossary.md"

    sample = sample_of_file(rest)
    files = []
    listing = {}
    exercise = None
    if sample or not rest[0].endswith(SOURCES):
        arguments = rest[1:]
        if not sample and rest[0] not in COURSE:
            sample = refuse_unknown_sample(rest)
        target = name = sample.name if sample else rest[0]
        if sample:
            refuse_misplaced(command, arguments, name)
        if sample and explains:
            arguments = little(sample, arguments)
    else:
        files, listing, arguments = listing_of(rest)
        refuse_misplaced(command, arguments, rest[0])
        target = "listing"
        name = os.path.splitext(os.path.basename(files[0]))[0]  # what its messages and pictures are called
        exercise = exercises.exercise_of(rest[0])
        if exercise:
            listing["LISTING"] = ";".join([*files, exercise.check])

    preset, chosen, reason = choose_preset(explains, options.step)
    say(f"using the {'GPU' if chosen == 'gpu' else 'emulated device'}{reason}")
    program = ("explained/" if explains else "listing/" if files else "bin/") + target
    folder = choose_folder("" if files else f"{preset}/{program}")
    build = Build(folder, preset)
    if is_folder_writable(folder):
        with take_turn(folder):
            build.configure(install("build", *groups_of(sample, arguments)))
            if files:
                build.set_listing(listing, files, chosen)
            build.build([target + ("_explained" if explains else "")], name, files, listing.get("LISTING_STANDARD"))
    if "BUILD_ONLY" in os.environ:  # for grading
        return out(f"{chosen} {build.folder}")
    display = virtual_display(files)
    code = run_program(os.path.join(build.folder, program), name, arguments)
    if display:
        display.terminate()
    if page and os.path.exists(page) and "RUN_WATCHED" not in os.environ:
        open_page(page)
    if exercise and not explains:
        return end_exercise(code, command, exercise, rest[0])
    end_as(code, chosen, None if explains else (command, rest))


def sample_of_file(words):
    """The sample whose own file is the first word, as a shell completes it, where no other file follows."""
    if not words[0].endswith(".cu") or not os.path.exists(words[0]) or words[1:2] and words[1].endswith(SOURCES):
        return None
    return next((sample for sample in samples.samples() if os.path.samefile(words[0], os.path.join(root, sample.file))), None)


def groups_of(sample, arguments):
    """What else has to be installed: for MPI; for a film, which an animation makes where there is no display and no
    option names a file."""
    makes_film = any(word.endswith((".gif", ".mp4")) for word in arguments)
    if sample and sample.kind == "animation":
        makes_film = makes_film or arguments == ["--headless"] or not arguments and not os.environ.get("DISPLAY")
    return ["mpi"] * bool(sample and sample.needs == "HAVE_MPI") + ["films"] * makes_film


def choose_preset(explains, step):
    """The preset, the device, and the reason."""
    sanitize = os.environ.get("SANITIZE", "0")
    if sanitize not in ("0", "1"):
        die(f"SANITIZE must be 0 or 1, not '{shorten(sanitize)}'", 2)
    if explains:
        return "emulated", "emulated", ", with one block step by step" if step else ", with every access noted"
    if sanitize == "1":
        return "emulated-sanitized", "emulated", " with sanitizers"
    try:
        chosen, reason = device.choose(os.environ.get("DEVICE") or "auto")
    except device.Problem as problem:
        die(str(problem), 2)
    return chosen, chosen, f" ({reason})"


def virtual_display(files):
    """For a program that opens a window of its own where there is no display: one that ends with it."""
    if os.environ.get("DISPLAY") or not any(re.search(r"\bglutInit\b", read(file)) for file in files):
        return None
    name = os.path.basename(files[0])
    if not shutil.which("Xvfb"):
        die(f"{name} opens a window, and there is no display; the package xvfb has a virtual one", 77)
    display = subprocess.Popen(["Xvfb", "-displayfd", "1", "-screen", "0", "1280x1024x24", "-nolisten", "tcp"],
                               stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    os.environ["DISPLAY"] = ":" + display.stdout.readline().strip()
    say(f"there is no display; the window of {name} is in a virtual one ({os.environ['DISPLAY']}). Ctrl-C ends it")
    return display


def run_program(program, name, arguments):
    """Runs the program, which keeps the terminal, and returns its exit code, or minus the signal that ended it. Signals
    are handed on to it."""
    for mark in ("SAMPLES_WRONG_ELEMENT", "EXERCISE_NEXT"):
        os.environ[mark] = f"{os.environ.get('TMPDIR', '/tmp')}/{mark.lower()}.{os.getpid()}"
    signals = (signal.SIGHUP, signal.SIGINT, signal.SIGQUIT, signal.SIGTERM, signal.SIGUSR1, signal.SIGUSR2)
    signal.pthread_sigmask(signal.SIG_BLOCK, signals)  # until there is a process that takes them
    process = subprocess.Popen([name, *arguments], executable=program,
                               preexec_fn=lambda: signal.pthread_sigmask(signal.SIG_UNBLOCK, signals))
    for number in signals:
        signal.signal(number, lambda caught, _: process.send_signal(caught))
    signal.pthread_sigmask(signal.SIG_UNBLOCK, signals)
    return process.wait()


def end_as(code, chosen, advice):
    """Ends as the program ended, by an exit code or a signal. After a failure, a crash or an exit code other than 0, 2, 3
    and 77, the last line is the command that shows why; `advice`: the command as it was typed, or nothing."""
    crashes = [-signal.SIGABRT, -signal.SIGBUS, -signal.SIGFPE, -signal.SIGILL, -signal.SIGSEGV]
    wrong = os.environ["SAMPLES_WRONG_ELEMENT"]
    if advice and (code in crashes or code > 0 and code not in (2, 3, 77)):
        command = explain_command(*advice)
        messages.write(tell_more(chosen, command))
        if os.path.exists(wrong):
            messages.write("To step to the write of the first wrong element: "
                           f"{command.replace(' --explain ', ' --step ', 1)} --wrong\n")
    if os.path.exists(wrong):
        os.remove(wrong)
    if code < 0:
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))  # one core file is enough
        if -code != signal.SIGKILL:
            signal.signal(-code, signal.SIG_DFL)
        os.kill(os.getpid(), -code)
    sys.exit(code)


def explain_command(command, words, environment=os.environ):
    """The command that explains what `command words` did, with the variables on which that depends."""
    names = ("STANDARD", "EMULATED_ORDER", "EMULATED_DEVICES")
    settings = [f"{name}={environment[name]}" for name in names if environment.get(name)]
    return typed([*settings, command, "--explain", *words])


def tell_more(chosen, command):
    """The line that ends a failed run; `command` comes from explain_command()."""
    if chosen == "gpu":
        return f"To learn why, on the emulated device: DEVICE=emulated {command}\n"
    return f"To learn why: {command}\n"


def end_exercise(code, command, exercise, file):
    """The exit code of an exercise's check. After a failure the last line is the command that helps."""
    path = os.environ["EXERCISE_NEXT"]
    kind, _, arguments = read(path).rstrip("\n").partition("\n")
    if os.path.exists(path):
        os.remove(path)
    if code not in (0, 2, 77):
        order = os.environ.get("EMULATED_ORDER") or "in-order"
        messages.write(exercises.next_line(command, exercise, file, kind or "explain", arguments, order) + "\n")
    return code if code >= 0 else 128 - code


def open_page(page):
    """Shows a file or an address in the browser, where there are a desktop and a terminal, but not through ssh."""
    if not (sys.stdin and sys.stdin.isatty() and sys.stderr and sys.stderr.isatty()):
        return
    if os.environ.get("SSH_CONNECTION") or os.environ.get("SSH_TTY"):
        return
    has_desktop = os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY") or sys.platform == "darwin"
    opener = shutil.which("xdg-open") or shutil.which("open")
    if has_desktop and opener:
        subprocess.Popen([opener, page], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
