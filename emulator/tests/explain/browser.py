"""A page in headless Chromium: opened, driven by keys and the mouse, and read. Standard library only: the
DevTools protocol goes through a pipe (--remote-debugging-pipe), so no port is opened, no driver needed."""
import base64
import json
import os
import select
import shutil
import subprocess
import sys
import tempfile
import time


def find_chromium():
    """Its path, or None."""
    return next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)


def skip_without_chromium():
    if not find_chromium():
        print("SKIP: this system has no Chromium to open pages with (Debian's package chromium)")
        sys.exit(77)


class Browser:
    """One window. `with Browser() as browser: browser.open(path); browser.press("ArrowRight")`."""

    def __init__(self, width=1400, height=900, dark=False):
        self.profile = tempfile.TemporaryDirectory(prefix="steps_browser_", ignore_cleanup_errors=True)
        from_us, to_browser = os.pipe()
        from_browser, to_us = os.pipe()
        # The browser reads from descriptor 3 and writes to 4.
        self.process = subprocess.Popen(
            ["bash", "-c", f'exec "$@" 3<&{from_us} 4>&{to_us}', "bash", find_chromium(), "--headless",
             "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-extensions",
             "--remote-debugging-pipe", f"--user-data-dir={self.profile.name}", "about:blank"],
            pass_fds=(from_us, to_us), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL, start_new_session=True, env={**os.environ, "HOME": self.profile.name})
        os.close(from_us)
        os.close(to_us)
        self.input, self.output, self.buffer = to_browser, from_browser, b""
        self.number, self.session, self.events = 0, None, []
        pages = [target for target in self.call("Target.getTargets")["targetInfos"] if target["type"] == "page"]
        attached = self.call("Target.attachToTarget", targetId=pages[0]["targetId"], flatten=True)
        self.session = attached["sessionId"]
        for domain in ("Page", "Runtime"):
            self.call(domain + ".enable")
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1,
                  mobile=width < 720)
        self.call("Emulation.setEmulatedMedia",
                  features=[{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])

    def __enter__(self):
        return self

    def __exit__(self, *_):
        os.close(self.input)  # the browser ends when its pipe does
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            os.killpg(self.process.pid, 9)
            self.process.wait()
        os.close(self.output)
        self.profile.cleanup()

    def receive(self, seconds=60):
        end = time.monotonic() + seconds
        while b"\0" not in self.buffer:
            if not select.select([self.output], [], [], max(0, end - time.monotonic()))[0]:
                raise TimeoutError("the browser does not answer")
            part = os.read(self.output, 1 << 20)
            if not part:
                raise ConnectionError("the browser has ended")
            self.buffer += part
        message, self.buffer = self.buffer.split(b"\0", 1)
        return json.loads(message)

    def call(self, method, **parameters):
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        data = json.dumps(message).encode() + b"\0"
        while data:
            data = data[os.write(self.input, data):]
        while True:
            answer = self.receive()
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']['message']}")
                return answer["result"]
            if "method" in answer:
                self.events.append(answer)

    def open(self, url):
        """Opens a file or an address, and waits until it is loaded."""
        self.events.clear()
        self.call("Page.navigate", url=url if "://" in str(url) else f"file://{os.path.abspath(url)}")
        while not any(event["method"] == "Page.loadEventFired" for event in self.events):
            self.events.append(self.receive())
        self.refuse_errors()

    def refuse_errors(self):
        for event in self.events:
            if event["method"] == "Runtime.exceptionThrown":
                details = event["params"]["exceptionDetails"]
                reason = details.get("exception", {}).get("description", details["text"])
                raise AssertionError(f"the page's script failed: {reason}")

    def run(self, script):
        """The value of a JavaScript expression."""
        answer = self.call("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        self.refuse_errors()
        if "exceptionDetails" in answer:
            raise AssertionError(answer["exceptionDetails"]["exception"].get("description", script))
        return answer["result"].get("value")

    def text(self, selector):
        return self.run(f"document.querySelector({json.dumps(selector)}).innerText")

    def press(self, key, times=1):
        """A key, as the keyboard gives it: "ArrowRight", "n", " ", "Tab"."""
        text = {"text": "\r"} if key == "Enter" else {"text": key} if len(key) == 1 else {}
        for _ in range(times):
            self.call("Input.dispatchKeyEvent", type="keyDown", key=key, code="Space" if key == " " else key,
                      windowsVirtualKeyCode={"Tab": 9, "Enter": 13, "Escape": 27, " ": 32}.get(key, 0), **text)
            self.call("Input.dispatchKeyEvent", type="keyUp", key=key)
        self.refuse_errors()

    def click(self, selector):
        x, y = self.run(f"""(() => {{
            const element = document.querySelector({json.dumps(selector)});
            element.scrollIntoView({{block: "nearest"}});
            const box = element.getBoundingClientRect();
            return [box.x + box.width / 2, box.y + box.height / 2];
        }})()""")
        for kind in ("mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", buttons=1, clickCount=1)
        self.refuse_errors()

    def picture(self, path):
        with open(path, "wb") as file:
            answer = self.call("Page.captureScreenshot", captureBeyondViewport=True)
            file.write(base64.b64decode(answer["data"]))
