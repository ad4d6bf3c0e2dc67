#!/usr/bin/env python3
"""site_test.py FOLDER [--axe AXE.min.js] [--few | --files]: whether the site in FOLDER holds what it promises.

Without a browser: links, anchors, sizes. In headless Chromium, every page: what it loads and reports, text that is cut
off, the keyboard, and with --axe contrast and names of controls; then the search, a step page and the films as a reader
uses them. --few opens a page of each kind, --files none. Exit code 1, and a line per fault; 77 without Chromium."""
import argparse
import http.server
import sys
import threading
from functools import partial
from pathlib import Path

from check_files import Site
from check_pages import Window, find_chromium

SEARCHED = "histogram"


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        """Nothing: requests are no news."""


def search_faults(window):
    """On a phone, from the disk: a word leads to links, Tab to the first of them, and that to a page with the word."""
    window.show(360)
    window.open_page("index.html")
    if not window.run("Boolean(document.querySelector('input[type=search]'))"):
        return ["index.html: it has no search"]
    window.run("""
        const shown = () => [...document.querySelectorAll('a[href]')].filter((link) => link.checkVisibility());
        const before = new Set(shown());
        document.querySelector('input[type=search]').focus()""")
    window.call("Input.insertText", text=SEARCHED)
    first = window.run("""new Promise((resolve) => {
        const look = () => {
            const link = shown().find((link) => !before.has(link));
            link ? resolve(link.href) : requestAnimationFrame(look);
        };
        look();
    })""")
    found = window.run("siteCheck.settle().then(() => siteCheck.cutTexts())")
    window.press("Tab")
    if window.run("document.activeElement.href") != first:
        found.append("Tab does not lead to its first result")
    found += window.reports()
    window.open(first)
    if not window.run(f"document.body.innerText.toLowerCase().includes('{SEARCHED}')"):
        found.append(f"{first} does not contain '{SEARCHED}'")
    return [f"index.html: its search: {sentence}" for sentence in found]


def step_faults(window, name):
    """The data of a step page decompresses, and a key goes to the next step."""
    window.show(1280)
    window.open_page(name)
    first = window.text("#where")
    window.press("ArrowRight")
    second = window.text("#where")
    if not (first.startswith("Step 1 of ") and second.startswith("Step 2 of ")):
        return [f"{name}: it shows '{first}', and after a step '{second}'"]
    return [f"{name}: {sentence}" for sentence in window.reports()]


def film_faults(window, name):
    """Each film of a page rests while it is out of sight, and plays where it is seen. (Waits for that.)"""
    window.show(1280)
    window.open_page(name)
    window.run("""(async () => {
        const frame = () => new Promise(requestAnimationFrame);
        const films = [...document.querySelectorAll('video')];
        const isBelow = (film) => film.getBoundingClientRect().top > innerHeight;
        while (films.some((film) => isBelow(film) && !film.paused)) await frame();
        for (const film of films) {
            while (film.paused) {
                film.scrollIntoView({block: 'center', behavior: 'instant'});
                await frame();
            }
        }
    })()""")
    return [f"{name}: {sentence}" for sentence in window.reports()]


def served_faults(window, folder, names):
    """Pages from a web server on this machine; prints how long each took from its first byte until it was usable."""
    faults = []
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=folder)) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        root = f"http://127.0.0.1:{server.server_port}"
        window.show(1280)
        for name in names:
            milliseconds = window.open_page(name, root)
            faults += [f"{name}: from a server: {sentence}" for sentence in window.reports(root)]
            print(f"{name}: {milliseconds:.0f} ms from its first byte to usable")
        server.shutdown()
    return faults


def page_faults(window, names):
    """Opens each of the pages, and prints what is wrong with it. Returns the number of those with a fault."""
    failed = 0
    for name in names:
        found = window.page_faults(name)
        failed += bool(found)
        for sentence in found:
            print(f"{name}: {sentence}", flush=True)
    return failed


def uses(window, site, few):
    """What is wrong with the first page, the search, a page of steps and the films, as a reader uses them."""
    def size_of(name):
        data = (site.folder / name).with_suffix(".js")  # of a page of steps
        return (site.folder / name).stat().st_size + (data.stat().st_size if data.exists() else 0)

    names = sorted(site.pages, key=size_of, reverse=True)
    steps = [name for name in names if name.startswith("steps/")][:1]
    films = [name for name in site.pages if "<video" in site.read(name)]
    found = window.first_page_faults() + search_faults(window)
    for name in steps:
        found += step_faults(window, name)
    for name in films[:1 if few else None]:
        found += film_faults(window, name)
    return found + served_faults(window, site.folder, dict.fromkeys(["index.html", names[0], *steps]))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder")
    parser.add_argument("--axe", type=Path)
    parser.add_argument("--few", action="store_true")
    parser.add_argument("--files", action="store_true")
    options = parser.parse_args()
    site = Site(options.folder)
    faults = site.faults()
    print("\n".join(faults))
    print(f"{len(site.pages)} pages, {site.links} links, {len(faults)} faults in the files")
    if options.files or faults and not site.pages:
        return 1 if faults else 0
    if not find_chromium():
        print("SKIP: this system has no Chromium to open pages with (Debian's package chromium)")
        return 1 if faults else 77
    names = list(site.pages)
    if options.few:
        names = list({page.kind: name for name, page in reversed(site.pages.items())}.values())
    with Window(options.folder, options.axe) as window:
        try:
            failed, found = page_faults(window, names), uses(window, site, options.few)
        except TimeoutError:
            sys.exit(f"{window.name}: after a minute it is not as it should be, or its script still runs")
    print("\n".join(found))
    print(f"{len(names) - failed} passed, {failed} failed")
    return 1 if faults or failed or found else 0


if __name__ == "__main__":
    sys.exit(main())
