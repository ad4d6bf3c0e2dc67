"""The pages of a site in headless Chromium, one after another: what each loads and reports, whether its text fits, what
the keyboard reaches, and what an accessibility checker finds."""
import json
import os
import re
import sys
import urllib.parse
from pathlib import Path

project = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(project / "emulator/tests/explain"))
sys.dont_write_bytecode = True
from browser import Browser, find_chromium  # noqa: E402, F401

FIRST_PAGE = 500_000  # bytes of all that it loads at first
WIDTHS = (1280, 768, 360)
RULES = {"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]}
CONTRAST = {"runOnly": ["color-contrast"]}
# Lines of source are lower than a finger.
CONFIGURATION = {"rules": [{"id": "target-size", "selector": ":not(main .source *)"}]}
CLICKS = ("click", "dblclick", "mousedown", "pointerdown", "touchstart")
here = Path(__file__).resolve().parent


def shorten(sentences):
    """The sentences without those that differ from an earlier one only by a name or a number."""
    kinds = {}
    for sentence in sentences:
        kinds.setdefault(re.sub(r'"[^"]*"|\d+', "", sentence), []).append(sentence)
    return [kind[0] + f" (and {len(kind) - 1} more)" * (len(kind) > 1) for kind in kinds.values()]


class Window(Browser):
    """A browser that keeps what a page loads and reports."""

    def __init__(self, folder, checker):
        super().__init__()
        self.name = None  # of the page that it shows
        self.root = Path(folder).resolve().as_uri()
        self.checker = checker.read_text(encoding="utf-8") if checker else None
        for domain in ("Log", "Network", "DOM"):
            self.call(domain + ".enable")
        self.call("Network.setCacheDisabled", cacheDisabled=True)
        self.call("Emulation.setFocusEmulationEnabled", enabled=True)
        self.call("Page.addScriptToEvaluateOnNewDocument", source=(here / "in_page.js").read_text(encoding="utf-8"))

    def show(self, width, dark=False):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=800, deviceScaleFactor=1,
                  mobile=width < 720)
        self.call("Emulation.setEmulatedMedia",
                  features=[{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])

    def open_page(self, name, root=None):
        """Opens a page of the folder, from the disk or below an address, and waits until it is usable. Returns the
        milliseconds from its first byte."""
        self.name = name
        self.open(f"{root or self.root}/{urllib.parse.quote(name)}")
        return self.run("siteCheck.untilUsable()")

    def loaded(self):
        """The addresses that the page has asked for."""
        return [event["params"]["request"]["url"] for event in self.events
                if event["method"] == "Network.requestWillBeSent"]

    def reports(self, root=None):
        """What is wrong with what the page has loaded and reported until now."""
        found = []
        for event in self.events:
            kind, parameters = event["method"], event["params"]
            if kind == "Runtime.exceptionThrown":
                details = parameters["exceptionDetails"]
                found.append("its script failed: " + details.get("exception", {}).get("description", details["text"]))
            elif kind == "Runtime.consoleAPICalled" and parameters["type"] in ("error", "warning", "assert"):
                words = " ".join(str(value.get("value", "")) for value in parameters["args"])
                found.append(f"the console shows: {parameters['type']}: {words}")
            elif kind == "Log.entryAdded" and parameters["entry"]["level"] in ("error", "warning"):
                entry = parameters["entry"]
                found.append(f"the console shows: {entry['level']}: {entry['text']} {entry.get('url', '')}")
            elif kind == "Network.loadingFailed" and not parameters.get("canceled"):
                found.append(f"something it loads failed: {parameters['errorText']}")
        inside = f"{root or self.root}/"
        found += [f"it loads {url[:200]}, which is not in the folder" for url in self.loaded()
                  if not url.startswith((inside, "data:", "blob:"))]
        return found

    def refuse_errors(self):
        """Nothing here: reports() has them."""

    def click_faults(self):
        """Elements with a listener for clicks that the keyboard cannot reach."""
        document = self.call("Runtime.evaluate", expression="document")["result"]["objectId"]
        listeners = self.call("DOMDebugger.getEventListeners", objectId=document, depth=-1)["listeners"]
        found = []
        for node in {listener["backendNodeId"] for listener in listeners if listener["type"] in CLICKS}:
            element = self.call("DOM.resolveNode", backendNodeId=node)["object"]["objectId"]
            answer = self.call("Runtime.callFunctionOn", objectId=element, returnByValue=True,
                               functionDeclaration="function() { return siteCheck.clickFault(this); }")
            found.append(answer["result"].get("value", ""))
        return [sentence for sentence in found if sentence]

    def accessibility_faults(self, rules):
        if self.checker is None:
            return []
        if not self.run("'axe' in window"):
            self.call("Runtime.evaluate", expression=self.checker)
            self.run(f"axe.configure({json.dumps(CONFIGURATION)})")
        return self.run(f"siteCheck.accessibility({json.dumps(rules)})")

    def page_faults(self, name):
        """All that is wrong with a page, as sentences."""
        self.show(WIDTHS[0])
        self.open_page(name)
        self.run("siteCheck.open('details:not(.menu)')")  # an open menu lies over others
        found = self.run("siteCheck.sourceFaults()") + self.run("siteCheck.pictureFaults()")
        found += self.accessibility_faults(RULES)
        self.run("siteCheck.open('details')")
        for width in WIDTHS:
            self.show(width)
            self.run("siteCheck.settle()")
            found += [f"{width} pixels wide: {sentence}" for sentence in self.run("siteCheck.cutTexts()")]
        self.show(WIDTHS[0], dark=True)
        self.run("siteCheck.settle()")
        found += [f"dark: {sentence}" for sentence in self.accessibility_faults(CONTRAST)]
        found += self.run("siteCheck.pointedAt()") + self.click_faults()
        self.press("Tab", self.run("siteCheck.watchFocus()"))
        found += self.run("siteCheck.focusFaults()")
        return shorten(found + self.reports())

    def first_page_faults(self):
        """The first page, on a phone as it opens: all that it loads."""
        self.show(360)
        self.open_page("index.html")
        urls = [urllib.parse.urlsplit(url) for url in self.loaded()]
        paths = {urllib.parse.unquote(url.path) for url in urls if url.scheme == "file"}
        size = sum(os.path.getsize(path) for path in paths if os.path.isfile(path))
        print(f"index.html loads {len(paths)} files at first, {size} bytes")
        return [f"it loads {size} bytes at first, and {FIRST_PAGE} are the most"] if size > FIRST_PAGE else []
