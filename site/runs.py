"""What the emulated device says about a program: its report (--explain) and its page of steps (--step).

A program is built as ./run builds it, in build/emulated, and run once for each. The results are kept in
build/site_runs by the hash of the program's file and its arguments."""
import base64
import hashlib
import html
import json
import os
import re
import shlex
import subprocess
import tempfile
import zlib
from collections import namedtuple

import messages
import run
from build import Build, install, take_turn

root = run.root

# One run of a program. `name`: of its page; `sample`: None for a file that is no sample; `words`: its arguments for
# --explain, `step_words`: for --step, `block`: what --step looks at; `typed`: what a reader types after ./run --step.
Run = namedtuple("Run", "name sample file words step_words block typed")
TIMEOUT_S = 300
MOST_BYTES = 24 << 20  # of a step page's data: a browser opens more too slowly


def run_of(sample, method=None):
    """The run of a sample, or of one rung of its ladder."""
    chosen = ["--method", method] if method else []
    block, own = {}, []
    words = iter(shlex.split(sample.step))
    for word in words:
        if word in ("--block", "--launch", "--kernel"):
            block["EMULATED_STEP_" + word[2:].upper()] = next(words)
        else:
            own.append(word)
    if method and "--method" in own:
        own = []
    shown = own if "--method" in own else []  # a mistake is shown by both
    name = f"{sample.name}-{method}" if method else sample.name
    return Run(name, sample, sample.file, run.little(sample, shown) + chosen, run.little(sample, own) + chosen, block,
               typed(block, sample.name, own + chosen))


def typed(block, name, words):
    """What a reader types after ./run --step."""
    options = [word for key, value in block.items() for word in ("--" + key.split("_")[-1].lower(), value)]
    return messages.typed([*options, name, *words])


def run_of_file(path):
    return Run(os.path.basename(path).split(".")[0], None, path, [], [], {}, path)


def prepare(runs, plain, folder):
    """Builds in `folder` the programs of these runs, and those of the names `plain` as they are."""
    build = Build(folder, "emulated")
    samples = {one.sample.name: one.sample for one in runs if one.sample}
    if samples:
        with take_turn(folder):
            mpi = ["mpi"] * any(sample.needs == "HAVE_MPI" for sample in samples.values())
            build.configure(install("build", *mpi))
            build.build([name + "_explained" for name in samples] + sorted(plain), "the samples")


def results(runs, failures, only, folder, built=None):
    """({name: result} of the runs, {command: text} of the failures); where `only` (a function of a run) is false, what
    an earlier build has left. `failures`: {command: the name of its sample}; `folder`: where programs are built; `built`:
    a build that has them already."""
    wanted = [one for one in runs if only(one) and (one.sample or not built)]
    plain = {name for name in failures.values() if any(one.name == name for one in wanted)}
    if wanted and not built:
        prepare(wanted, plain, folder)
    kept = os.path.join(built or folder, "site_runs")
    programs = built or os.path.join(folder, "emulated")
    os.makedirs(kept, exist_ok=True)
    printed = {command: prints(command, os.path.join(programs, "bin", name), kept)
               for command, name in failures.items()
               if name in plain and os.path.exists(os.path.join(programs, "bin", name))}
    device = device_hash()
    found = {}
    for number, one in enumerate(wanted, 1):
        messages.progress(f"{messages.me}: {one.name} under --explain and --step ({number} of {len(wanted)})")
        program = os.path.join(programs, "explained", one.sample.name) if one.sample else None
        if built and program and not os.path.exists(program):
            messages.die(f"--built: {programs} has no program explained/{one.sample.name}", 2)
        hashes = [hash_of(program)] if program else [hash_of(os.path.join(root, one.file)), device]
        key = hashlib.sha256("\0".join([*hashes, *one.words, "|", *one.step_words, one.typed]).encode()).hexdigest()[:24]
        path = os.path.join(kept, f"{one.name}.{key}.json")
        if not os.path.exists(path):
            for old in os.listdir(kept):
                if re.fullmatch(re.escape(one.name) + r"\.[0-9a-f]{24}\.json", old):
                    os.remove(os.path.join(kept, old))
            result = {"explain": explain(one, program), "step": step(one, program)}
            write(path, json.dumps(result))
    messages.progress()
    newest = {name.split(".")[0]: os.path.join(kept, name) for name in os.listdir(kept)}
    for one in runs:
        if one.name in newest:
            result = json.loads(messages.read(newest[one.name]))
            if result["step"] and shared_of(result["step"]) != page_files():
                result["step"] = None  # recorded for another version of the page
            found[one.name] = result
    return found, printed


def page_files():
    """The style and the script that all pages of steps share."""
    folder = os.path.join(root, "emulator/packs/explain/page")
    return tuple(messages.read(os.path.join(folder, name)).strip() for name in ("steps.css", "steps.js"))


def shared_of(step):
    return step["style"].strip(), step["script"].strip()


def prints(command, program, kept):
    """What a command prints that fails on purpose, "NAME=VALUE ./run SAMPLE WORDS"."""
    path = os.path.join(kept, f"prints-{hash_text(hash_of(program) + command)}.json")
    if not os.path.exists(path):
        before, _, after = command.partition("./run ")
        settings = dict(word.split("=", 1) for word in before.split())
        with tempfile.TemporaryDirectory() as folder:
            try:
                done = subprocess.run(["./" + os.path.basename(program), *after.split()[1:]], executable=program,
                                      cwd=folder, env={**os.environ, "DISPLAY": "", **settings},
                                      stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                      text=True, errors="replace", timeout=TIMEOUT_S, check=False)
            except subprocess.TimeoutExpired:
                return ""
        write(path, json.dumps(done.stdout.replace(root + "/", "")))
    return json.loads(messages.read(path))


def hash_of(path):
    with open(path, "rb") as file:
        return hashlib.sha256(file.read()).hexdigest()


def hash_text(text):
    return hashlib.sha256(text.encode()).hexdigest()[:24]


def device_hash():
    """The hash of the sources of the emulated device, for programs that are built only to be run here."""
    total = hashlib.sha256()
    for folder, folders, files in os.walk(os.path.join(root, "emulator")):
        folders.sort()
        for name in sorted(files):
            if "/tests" not in folder:
                total.update(hash_of(os.path.join(folder, name)).encode())
    return total.hexdigest()


def write(path, text):
    with open(path + ".partial", "w", encoding="utf-8") as file:
        file.write(text)
    os.replace(path + ".partial", path)


def execute(one, program, flag, words, environment):
    """The page of a run as text, or nothing where the program writes none."""
    with tempfile.TemporaryDirectory() as folder:
        page = os.path.join(folder, "page.html")
        command = [program, *words]
        environment = {name: page if value == "PAGE" else value for name, value in environment.items()}
        if not program:  # as a reader types it, so the page shows that
            for name in ("run", one.file.split("/")[0]):
                os.symlink(os.path.join(root, name), os.path.join(folder, name))
            command = ["./run", "--explain=page.html" if flag == "--explain" else flag, one.file]
            environment = {}
            if flag == "--step":
                page = os.path.join(folder, one.name + "_steps.html")
        try:
            subprocess.run(command, cwd=folder, env={**os.environ, "DISPLAY": "", **environment},
                           stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                           timeout=TIMEOUT_S, check=False)
        except subprocess.TimeoutExpired:
            messages.say(f"{one.name} took more than {TIMEOUT_S} s under {flag} and is shown without")
        return messages.read(page)


# ---- --explain

def explain(one, program):
    """{"kernels": [{"name", "shape", "findings": [text], "lines": [[file, line, [[percent, words]]]]}]} of the page
    that --explain writes. The findings of the whole program are those of a kernel without a name."""
    page = execute(one, program, "--explain", one.words, {
        "EMULATED_EXPLAIN_PAGE": "PAGE", "EMULATED_GLOSSARY": "docs/glossary.md"})
    kernels = []
    body = page.partition("<body>")[2]
    for number, part in enumerate(re.split(r"<h2>", body)):
        name, _, rest = part.partition("</h2>") if number else ("", "", part)
        shape = re.search(r"<p class=shape>(.*?)</p>", rest)
        lines = []
        for piece in re.split(r"<h3>", rest)[1:]:
            file = piece.partition("</h3>")[0]
            for row in re.findall(r"<tr class=noted>(.*?)</tr>", piece, re.S):
                line = int(re.search(r"<td class=number>(\d+)<", row)[1])
                facts = [[int(re.search(r"width:(\d+)", fact)[1]) if "width:" in fact else None,
                          html.unescape(re.sub(r"<[^>]*>", "", fact)).strip()]
                         for fact in re.findall(r"<div[^>]*>(.*?)</div>", row, re.S)]
                lines.append([html.unescape(file), line, facts])
        findings = [html.unescape(re.sub(r"<[^>]*>", "", item)).strip()
                    for item in re.findall(r"<li[^>]*>(.*?)</li>", rest, re.S)]
        if not number:  # notes about the program
            findings += [html.unescape(note) for note in re.findall(r"<p>(.*?)</p>", rest.partition("</ol>")[2], re.S)]
        if number or findings:
            kernels.append({"name": html.unescape(name), "shape": html.unescape(shape[1]) if shape else "",
                            "findings": findings, "lines": lines})
    return kernels


# ---- --step

def step(one, program):
    """{"body", "style", "script", "data"} of the page of steps, its data compressed; or nothing."""
    page = execute(one, program, "--step", one.step_words, {
        "EMULATED_STEP_PAGE": "PAGE", "EMULATED_STEP_NAME": one.name,
        "EMULATED_STEP_COMMAND": "./run --step " + one.typed,
        "EMULATED_STEP_OTHER": "./run --step @ " + one.typed, **one.block})
    match = re.fullmatch(r"(?s).*<style>\n(?P<style>.*?)</style>.*<body>\n(?P<body>.*?)"
                         r'<script type="application/json" id="steps">\n(?P<data>.*?)</script>\s*'
                         r"<script>\n(?P<script>.*)</script>.*", page)
    if not match:
        return None
    if len(match["data"]) > MOST_BYTES:
        messages.say(f"the steps of {one.name} are too many for a page")
        return None
    packed = base64.b64encode(zlib.compress(match["data"].encode(), 9)).decode()
    return {"body": match["body"], "style": match["style"], "script": match["script"], "data": packed}
