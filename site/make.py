#!/usr/bin/env python3
"""./run --site [FOLDER] [--only NAME,...] [--built BUILD]: the book as a static site, by default in build/site.

All pages are made. --only limits what takes long, the runs on the emulated device, to samples (hello), rungs
(ray_fast-cull), patterns (divergence) and folders (chapter05_thread_cooperation); "none" is nothing. What an earlier
build has recorded of the others is shown. --built takes the programs of a folder such as build/emulated as they are:
nothing is installed or built, and patterns are left out. Tests use it.

A page is made only where what it is made from has changed. The site is written next to FOLDER and renamed: a build that
fails leaves the old one."""
import errno
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.realpath(__file__))
sys.dont_write_bytecode = True
sys.path[:0] = [HERE, os.path.join(os.path.dirname(HERE), "scripts")]

import messages  # noqa: E402
from build import choose_folder, install  # noqa: E402
from messages import Parser, die, say, shorten  # noqa: E402

STATE = ".site.json"
NEEDED = "import markdown_it, pygments"


def has_libraries(python):
    return subprocess.run([python, "-c", NEEDED], stderr=subprocess.DEVNULL, check=False).returncode == 0


def use_libraries():
    """Goes on with a Python that has the two libraries, which are installed if there is none."""
    for attempt in range(2):
        for python in (shutil.which("python3"), "/usr/bin/python3"):
            if python and has_libraries(python):
                os.execv(python, [python, os.path.realpath(__file__), *sys.argv[1:]])
        if attempt == 0:
            install("site")
    die("no python3 here has the libraries of the packages python3-markdown-it and python3-pygments")


def read_words(words):
    parser = Parser()
    parser.add_argument("--only")
    parser.add_argument("--built")
    options, rest = parser.parse_known_args(words)
    parser.refuse_unknown(rest, "; ./run --help lists them all")
    if len(rest) > 1 or rest == [""]:
        die("--site takes one folder", 2)
    if options.built is not None and not os.path.isdir(os.path.join(options.built, "explained")):
        die(f"--built takes a build of the emulated device, and '{shorten(options.built)}' has no folder explained/", 2)
    only = options.only.split(",") if options.only is not None else None
    return rest[0] if rest else None, only, options.built and os.path.abspath(options.built)


def refuse_folder(folder):
    """Only a new or empty folder, or a site that this program has made, is replaced."""
    shown = shorten(folder)
    if os.path.lexists(folder) and not os.path.isdir(folder):
        die(f"'{shown}' is not a folder", 2)
    if os.path.islink(folder):
        die(f"'{shown}' is a link; give the folder itself", 2)
    if os.path.isdir(folder) and os.listdir(folder) and not os.path.isfile(os.path.join(folder, STATE)):
        die(f"'{shown}' is not empty and is no site of ./run --site; give another folder, or empty it", 2)
    ours = read_state(folder)
    if ours is None:
        die(f"'{shown}' is a site, but its {STATE} is damaged; give another folder, or empty it", 2)
    for place, folders, files in os.walk(folder):
        links = [name for name in folders if os.path.islink(os.path.join(place, name))]
        for name in files + links:
            path = os.path.relpath(os.path.join(place, name), folder)
            if path != STATE and path not in ours:
                die(f"'{shown}' is a site, but '{shorten(path)}' is no file of it: move that away first", 2)
    above = os.path.dirname(folder)
    try:
        os.makedirs(above, exist_ok=True)
        os.lstat(folder)  # a name that is too long
    except FileNotFoundError:
        pass
    except FileExistsError:
        die(f"'{shown}' cannot be made: '{shorten(above)}' is not a folder", 2)
    except OSError as error:
        die(f"'{shown}' cannot be made: {error.strerror}", 2)
    if not os.access(above, os.W_OK | os.X_OK):
        die(f"'{shown}' cannot be written: you may not write in the folder above it", 2)


def chooser(site, names):
    """A function of a run: is it among the names?"""
    if names is None:
        return lambda one: True
    known = {"none"} | {one.name for one in site.run_list} | \
        {part for one in site.run_list for part in (os.path.dirname(one.file), one.file.split("/")[0])}
    for name in names:
        if name not in known:
            near = messages.did_you_mean(name, sorted(known))
            die(f"--only: there is no sample or folder '{shorten(name)}'{near}", 2)
    return lambda one: one.name in names or one.file.split("/")[0] in names or os.path.dirname(one.file) in names \
        or one.sample and one.sample.name in names


def read_state(folder):
    """{address: {"stamp", "assets"}} of the files of a site, which is empty where there is no site; None: damaged."""
    path = os.path.join(folder, STATE)
    if not os.path.lexists(path):
        return {}
    try:
        state = json.loads(messages.read(path))["pages"]
        is_whole = all(isinstance(entry.get("assets", {}), dict) for entry in state.values())
    except (ValueError, KeyError, TypeError, AttributeError):
        return None
    return state if is_whole else None


def keep_or_write(old, new, address, is_same, write):
    """A file of the new site: that of the old one where it is the same. Returns whether it was written."""
    source, target = os.path.join(old, address), os.path.join(new, address)
    os.makedirs(os.path.dirname(target), exist_ok=True)
    if is_same and os.path.isfile(source):
        try:
            os.link(source, target)
        except OSError:
            shutil.copy2(source, target)
        return False
    write(target)
    return True


def text_writer(text):
    def write(target):
        with open(target, "w", encoding="utf-8") as file:
            file.write(text())
    return write


def asset_writer(file, how):
    """Copies a picture, or lets ffmpeg make a film or a small picture of it."""
    arguments = {"film": ["-movflags", "+faststart", "-pix_fmt", "yuv420p", "-crf", "22", "-vf",
                          "scale=trunc(iw/2)*2:trunc(ih/2)*2"],
                 "still": ["-frames:v", "1"], "small": ["-vf", "scale='min(256,iw)':-1"]}

    def write(target):
        if how == "copy":
            shutil.copyfile(file, target)
            return
        command = ["ffmpeg", "-v", "error", "-i", file, *arguments[how], target]
        done = subprocess.run(command, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=False)
        if done.returncode != 0:
            reason = os.strerror(errno.ENOSPC) if "No space" in done.stderr else "ffmpeg could not make it"
            raise OSError(errno.EIO, reason, target)
    return write


def write_site(site, old, new):
    """Writes all files into `new`. Returns how many were made, and how many there are."""
    import runs

    before = read_state(old) or {}
    state, made = {}, 0

    def add(address, stamp, write):
        nonlocal made
        was_made = keep_or_write(old, new, address, before.get(address, {}).get("stamp") == stamp, write)
        made += was_made
        state[address] = {"stamp": stamp}
        return was_made

    def add_page(page):
        site.assets = {}
        known = before.get(page.address, {})
        was_made = add(page.address, site.stamp(page, common), text_writer(lambda: site.whole(page)))
        state[page.address]["assets"] = site.assets if was_made else known.get("assets", {})

    def add_text(address, text):
        add(address, runs.hash_text(text), text_writer(lambda: text))

    common = site.map_hash()
    for page in list(site.pages.values()):
        page.site = site
        add_page(page)
        if page.kind == "threads":
            name = os.path.basename(page.address)[:-5]
            add_text(f"steps/{name}.js", f'var packedSteps = "{site.results[name]["step"]["data"]}";\n')
    style, script = runs.page_files()
    index = json.dumps(site.search_index(), ensure_ascii=False, separators=(",", ":"))
    texts = {name: messages.read(os.path.join(HERE, name)) for name in ("style.css", "site.js", "theme.js")}
    texts["search.js"] = f"var searchIndex = {index};\n"
    texts["steps/load.js"] = messages.read(os.path.join(HERE, "load.js"))
    texts["steps/steps.css"] = style + "\n" + messages.read(os.path.join(HERE, "back.css"))
    texts["steps/steps.js"] = script
    for name, text in texts.items():
        add_text(name, text)
    assets = {address: asset for entry in state.values() for address, asset in entry.get("assets", {}).items()}
    for address, (file, how) in assets.items():
        path = os.path.join(runs.root, file)
        add(address, runs.hash_of(path) + how, asset_writer(path, how))
    text_writer(lambda: json.dumps({"pages": state}))(os.path.join(new, STATE))
    return made, len(state)


def replace(folder, new):
    """Puts the new site into the place of the old one."""
    gone = tempfile.mkdtemp(prefix=".partial-", dir=os.path.dirname(folder))
    old = os.path.join(gone, "old")
    if os.path.isdir(folder):
        os.rename(folder, old)
    try:
        os.rename(new, folder)
    except OSError:
        if os.path.isdir(old):
            os.rename(old, folder)
        raise
    finally:
        shutil.rmtree(gone, ignore_errors=True)


def main():
    messages.me = "run"
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # so nothing is left behind
    if not has_libraries(sys.executable):
        use_libraries()
    target, names, built = read_words(sys.argv[1:])
    builds = None if built and target else choose_folder("")
    folder = os.path.abspath(target or os.path.join(builds, "site"))
    refuse_folder(folder)
    if not built:
        install("films")
    import pages

    site = pages.Site()
    new = None
    try:
        site.find()
        site.collect(chooser(site, names), builds, built)
        new = tempfile.mkdtemp(prefix=".partial-", dir=os.path.dirname(folder))
        os.chmod(new, 0o755)
        made, count = write_site(site, folder, new)
        replace(folder, new)
    except OSError as error:
        place = f" ({shorten(error.filename)})" if error.filename else ""
        die(f"the site could not be written: {error.strerror}{place}")
    finally:
        if new:
            shutil.rmtree(new, ignore_errors=True)
    say(f"wrote {made} of {count} files of the site; open {os.path.join(folder, 'index.html')}")


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        sys.exit(130)
