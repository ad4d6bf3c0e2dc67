#!/usr/bin/env python3
"""watch_test.py PROJECT: ./run --watch (scripts/watch.py) with a stand-in for ./run: at each save it runs again, it ends what
still runs, serves what was written, opens a browser once and only on a desktop, and leaves nothing behind."""
import json
import os
import pty
import signal
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from pathlib import Path

project = Path(sys.argv[1])
sys.path.insert(0, str(project / "emulator/tests/explain"))
from browser import Browser, find_chromium  # noqa: E402

# What stands in for ./run: the words in main.cu choose what the program does.
PROGRAM = """
echo "$$" >>pids
rm -f main_steps.html # as ./run --step does
grep -q BROKEN main.cu && { echo "main.cu:1: error: expected a word" >&2; exit 1; }
grep -q PAGE main.cu && echo "<!DOCTYPE html><p>$(grep -o 'PAGE.*' main.cu)</p>" >main_steps.html
grep -q PICTURE main.cu && cp "$PICTURE" main.png
grep -q STUBBORN main.cu && trap '' TERM
grep -q WINDOW main.cu && { sleep 1000 & echo $! >>pids; wait; sleep 1000; }
echo "ran $(cat main.cu)"
"""
bad = []


def expect(condition, sentence):
    if not condition:
        bad.append(sentence)


def until(condition, what, seconds=15):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        result = condition()
        if result:
            return result
        time.sleep(0.03)
    bad.append(what)
    return None


def alive(pid):
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


# What ./run --watch main.cu calls.
START = """
import sys, watch
try:
    sys.exit(watch.watch("main", [(".", False)], sys.argv[1:]))
except KeyboardInterrupt:
    sys.exit(130)
"""


class Watch:
    """watch.py in a folder of its own, its messages in a file; `terminal`: with one, as a person has it."""

    def __init__(self, first, terminal=False, **environment):
        self.folder = tempfile.TemporaryDirectory(prefix="watch_")
        self.path = Path(self.folder.name)
        self.save(first)
        desktop = ("DISPLAY", "WAYLAND_DISPLAY", "SSH_CONNECTION", "SSH_TTY")
        clean = {name: value for name, value in os.environ.items() if name not in desktop}
        self.terminal = pty.openpty() if terminal else None
        out = self.terminal[1] if terminal else open(self.path / "said", "wb")
        # A background job of a shell may ignore Ctrl-C.
        self.process = subprocess.Popen(
            ["env", "--default-signal=INT", f"PYTHONPATH={project}/scripts", sys.executable, "-B", "-c", START,
             "bash", "-c", PROGRAM],
            cwd=self.path, stdin=self.terminal[1] if terminal else subprocess.DEVNULL, stdout=out, stderr=out,
            env={**clean, "PICTURE": str(project / "docs/gallery/ray.png"), **environment},
            start_new_session=True)
        self.heard = b""

    def save(self, words):
        (self.path / "main.cu.new").write_text(words + "\n")
        (self.path / "main.cu.new").rename(self.path / "main.cu")  # as editors do

    def said(self):
        if not self.terminal:
            return (self.path / "said").read_text()
        os.set_blocking(self.terminal[0], False)
        try:
            self.heard += os.read(self.terminal[0], 65536)
        except BlockingIOError:
            pass
        return self.heard.decode()

    def pids(self):
        try:
            return [int(pid) for pid in (self.path / "pids").read_text().split()]
        except OSError:
            return []

    def address(self):
        words = until(lambda: "shown at http" in self.said(), "no address is printed") and self.said()
        return words.split("shown at ")[1].split()[0] if words else "http://127.0.0.1:9/"

    def end(self, number=signal.SIGINT):
        self.process.send_signal(number)
        code = self.process.wait(20)
        left = [pid for pid in self.pids() if alive(pid)]
        expect(not left, f"after signal {number} processes are left: {left}")
        self.folder.cleanup()
        for end in self.terminal or ():
            os.close(end)
        return code


# Again at each save; a mistake is shown, and the watch goes on.
watch = Watch("one")
until(lambda: "ran one" in watch.said(), "the program did not run")
until(lambda: "waiting for the next save" in watch.said(), "it does not say that it waits")
watch.save("BROKEN in the middle of a wo")
until(lambda: "main.cu saved" in watch.said(), "the save is not named")
until(lambda: "error: expected a word" in watch.said(), "the compiler's words are missing")
until(lambda: "exit code 1" in watch.said(), "the failure is not named")
watch.save("two")
until(lambda: "ran two" in watch.said(), "after a mistake the program did not run again")
expect(watch.said().count("ran ") == 2, "it ran without a save")
expect("http" not in watch.said(), "something is served though there is nothing to show")
expect(watch.end() == 130, "Ctrl-C does not end it with 130")

# A window that is open is replaced, even if it does not heed SIGTERM, and goes with Ctrl-C or the terminal.
for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
    watch = Watch("STUBBORN WINDOW" if number == signal.SIGINT else "WINDOW")
    until(lambda: len(watch.pids()) == 2, "the program with a window did not run")
    older = watch.pids()
    if number == signal.SIGINT:
        watch.save("WINDOW two")
        until(lambda: len(watch.pids()) == 4, "a window that is open was not replaced")
        expect(not any(alive(pid) for pid in older), "the older window is still there")
        expect(all(alive(pid) for pid in watch.pids()[2:]), "the newer window is not there")
    code = watch.end(number)
    expect(code == 128 + number, f"signal {number} ends it with {code}")

# A page is served to this machine alone, and renewed.
watch = Watch("PAGE one")
address = watch.address()
expect(address.startswith("http://127.0.0.1:"), f"it is served at {address}")


def fetch(path, **headers):
    return urllib.request.urlopen(urllib.request.Request(address + path, headers=headers), timeout=10).read()


expect(b"<p>PAGE one</p>" in fetch(""), "the page is not served")
version = json.loads(fetch("version"))["version"]
try:
    fetch("", Host="elsewhere.example")
    bad.append("a page of another name may read what is served")
except urllib.error.HTTPError as error:
    expect(error.code == 403, f"another name gets {error.code}")
watch.save("BROKEN")
until(lambda: json.loads(fetch("version"))["failed"], "a failure does not reach the page")
expect(b"<p>PAGE one</p>" in fetch(""), "after a failure the older page is not served")
watch.save("PAGE two")
renewed = {"version": version + 1, "failed": False}
until(lambda: json.loads(fetch("version")) == renewed, "a new page is not announced")
expect(b"<p>PAGE two</p>" in fetch(""), "the new page is not served")
watch.save("PICTURE")
until(lambda: b"<img" in fetch(""), "a picture is not shown")
expect(fetch("picture").startswith(b"\x89PNG"), "the picture is not served")
expect(watch.said().count("shown at") == 1, "it is served a second time")
watch.end()

# The browser: once, and only where there are a desktop and a terminal, without ssh.
for terminal, environment, times in (
        (True, {"DISPLAY": ":9"}, 1), (False, {"DISPLAY": ":9"}, 0), (True, {}, 0),
        (True, {"DISPLAY": ":9", "SSH_CONNECTION": "a b"}, 0)):
    with tempfile.TemporaryDirectory() as folder:
        opener = Path(folder) / "xdg-open"
        opener.write_text(f'#!/bin/sh\necho "$1" >>{folder}/opened\n')
        opener.chmod(0o755)
        watch = Watch("PAGE one", terminal, PATH=f"{folder}:{os.environ['PATH']}", **environment)
        address = watch.address()
        watch.save("PAGE two")
        until(lambda: watch.said().count("waiting for the next save") == 2, "a page was not made again")
        opened = Path(folder) / "opened"
        if times:
            until(opened.exists, "no browser was opened")
        lines = opened.read_text().split() if opened.exists() else []
        expect(lines == [address] * times, f"{environment}, terminal {terminal}: the browser opened {lines}")
        watch.end()

# In a browser the page reloads itself, and says when it is older than the source.
if find_chromium():
    watch = Watch("PAGE one")
    with Browser() as window:
        window.open(watch.address())
        expect(window.text("p") == "PAGE one", "the browser does not show the page")
        watch.save("BROKEN")
        until(lambda: window.run("document.getElementById('watch-note')?.hidden === false"),
              "the page does not mention that the last run failed")
        watch.save("PAGE two")
        until(lambda: window.run("document.querySelector('p')?.innerText") == "PAGE two",
              "the page did not reload itself")
    watch.end()

print("\n".join(bad))
sys.exit(bool(bad))
