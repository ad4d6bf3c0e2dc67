"""./run --watch: a command, and again at each save in the folders of its sources.

A run that is not over yet, for instance a window, is ended first. What a run leaves in the current folder, a page or a
picture called NAME..., is served on 127.0.0.1 as a page that reloads itself; a browser is opened for it once, unless there
is no desktop, no terminal, or a connection through ssh. Ctrl-C ends it, with everything that it started."""
import http.server
import json
import os
import pathlib
import signal
import subprocess
import sys
import threading
import time

import messages
from messages import say

SOURCES = {".cu", ".cuh", ".h", ".hpp", ".cpp", ".c", ".inc"}
SHOWN = {".html": "text/html; charset=utf-8", ".png": "image/png", ".gif": "image/gif"}
CLEAR = "\033[2J\033[H"  # ANSI: empties the screen, and begins at its top
PERIOD = 0.2  # seconds between two looks at the files
PATIENCE = 1  # seconds that a program has for its end

# What makes the page reload itself; it says, too, when the last run failed.
RELOAD = b"""
<script>
(() => {
  let shown;
  setInterval(async () => {
    const { version, failed } = await (await fetch("/version")).json();
    if (shown !== undefined && version !== shown) location.reload();
    shown = version;
    let note = document.getElementById("watch-note");
    if (!note && failed) {
      note = document.createElement("p");
      note.id = "watch-note";
      note.textContent = "The last run failed; the terminal shows why. This page is from an earlier run.";
      note.style = "position: fixed; bottom: 0; left: 0; z-index: 9; margin: 0; padding: 4px 12px; " +
        "background: #b03600; color: #fff; font: 14px sans-serif";
      document.body.append(note);
    }
    if (note) note.hidden = !failed;
  }, 500);
})();
</script>
"""


class Shown:
    """What is served: the newest page or picture, as it was when its run ended."""

    def __init__(self):
        self.path, self.content, self.version, self.failed, self.address = None, b"", 0, False, None

    def take(self, path):
        self.path, self.content = path, path.read_bytes()
        self.version += 1

    def page(self):
        if self.path.suffix == ".html":
            return self.content + RELOAD
        return b'<!DOCTYPE html><title>%s</title><img src="/picture?%d" alt="" style="max-width:100%%">' % (
            self.path.name.encode("ascii", "xmlcharrefreplace").replace(b"<", b""), self.version) + RELOAD

    def serve(self):
        """Begins to serve, once; a port that is free."""
        if self.address:
            return
        shown = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                place = self.path.split("?")[0]
                state = json.dumps({"version": shown.version, "failed": shown.failed})
                answers = {"/": ("text/html; charset=utf-8", shown.page()),
                           "/version": ("application/json", state.encode()),
                           "/picture": (SHOWN[shown.path.suffix], shown.content)}
                # No other site may read it under a name of its own.
                if self.headers.get("Host") != shown.address.removeprefix("http://").rstrip("/"):
                    return self.send_error(403)
                if place not in answers:
                    return self.send_error(404)
                self.send_response(200)
                self.send_header("Content-Type", answers[place][0])
                self.send_header("Cache-Control", "no-store")
                self.end_headers()
                return self.wfile.write(answers[place][1])

            def log_message(self, *_):
                pass

        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        server.daemon_threads = True
        self.address = f"http://127.0.0.1:{server.server_port}/"
        threading.Thread(target=server.serve_forever, daemon=True).start()
        say(f"{self.path.name} is shown at {self.address}")
        from run import open_page
        open_page(self.address)


def look(folders):
    """The sources as they are now. For each folder, `folders` says whether the folders in it count."""
    found = {}
    for folder, is_deep in folders:
        for path in pathlib.Path(folder).glob("**/*" if is_deep else "*"):
            if path.suffix in SOURCES:
                try:
                    state = path.stat()
                    found[path] = (state.st_mtime_ns, state.st_size, state.st_ino)
                except OSError:
                    pass  # an editor is about to replace it
    return found


def outputs(name, named):
    """Pages and pictures: those called NAME... in this folder, and those that the command names."""
    paths = {path for path in pathlib.Path(".").iterdir() if path.name.startswith(name)} | named
    return {path: path.stat().st_mtime_ns for path in paths if path.suffix in SHOWN and path.is_file()}


def end(process):
    """Ends a run with all that it has started: its process group."""
    for number in (signal.SIGTERM, signal.SIGKILL):
        try:
            os.killpg(process.pid, number)
        except ProcessLookupError:
            break
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            process.poll()
            try:
                os.killpg(process.pid, 0)
            except ProcessLookupError:
                break
            time.sleep(0.02)
    process.wait()


def watch(name, folders, command, has_screen=False):
    """Runs the command again and again; does not return. `has_screen`: what it prints fits on a screen, which on a terminal
    is empty before each run."""
    messages.me = "watch"
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda caught, _: sys.exit(128 + caught))
    shown = Shown()
    named = {pathlib.Path(word.removeprefix("--explain=")) for word in command}
    environment = {**os.environ, "RUN_WATCHED": "1"}
    first = True
    while True:
        before, sources = outputs(name, named), look(folders)
        if has_screen and sys.stdout.isatty():
            messages.out(CLEAR)
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, env=environment, start_new_session=True)
        runs = True
        try:
            while True:
                code = process.poll() if runs else None
                if code is not None:
                    end(process)
                    runs = False
                    if first and code == 2:  # wrong use: no save would change that
                        return 2
                    new = [path for path, age in outputs(name, named).items() if before.get(path) != age]
                    if new:
                        pages = [path for path in new if path.suffix == ".html"]
                        shown.take(max(pages or new, key=lambda path: path.stat().st_mtime_ns))
                        shown.serve()
                    shown.failed = not new and code != 0
                    say(("" if code == 0 else f"exit code {code}; ") + "waiting for the next save (Ctrl-C ends)")
                now = look(folders)
                if now != sources:
                    while (later := look(folders)) != now:  # until the editor is done
                        now = later
                        time.sleep(PERIOD / 2)
                    break
                time.sleep(PERIOD)
        finally:
            if runs:
                end(process)
        first = False
        saved = [path for path in now.keys() | sources.keys() if now.get(path) != sources.get(path)]
        if not has_screen:
            say(", ".join(sorted(path.name for path in saved)[:3]) + (" ..." if len(saved) > 3 else "") + " saved")
