# SPDX-License-Identifier: Apache-2.0
"""A real browser without a window, driven through a pipe (Chrome DevTools Protocol): no other software is needed."""
import base64
import itertools
import json
import os
import select
import shutil
import subprocess
import tempfile
import time

NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")


def find_browser():
    """FLUVIA_BROWSER, else the first that is installed; None if there is none."""
    chosen = os.environ.get("FLUVIA_BROWSER")
    return chosen or next((path for name in NAMES if (path := shutil.which(name))), None)


class Browser:
    """One page of a browser. `errors` has what went wrong in it: exceptions, errors of the console, refused loads, and
    loads from elsewhere than `server`."""

    def __init__(self, width=1280, height=1000, dark=False, scripts=True, server=None):
        self._places = ("data:", "file:", "blob:", "about:") + ((server,) if server else ())
        self.errors, self._numbers, self._buffer = [], itertools.count(1), b""
        self._profile = tempfile.TemporaryDirectory(prefix="fluvia-browser-", ignore_cleanup_errors=True)
        to_browser, self._out = os.pipe()
        self._in, from_browser = os.pipe()
        command = [find_browser(), "--headless", "--no-sandbox", "--remote-debugging-pipe", "--use-angle=swiftshader",
                   "--enable-unsafe-swiftshader", "--hide-scrollbars", "--no-first-run", "--disable-dev-shm-usage",
                   f"--user-data-dir={self._profile.name}", f"--window-size={width},{height}"]

        def place():  # the browser reads commands from 3 and answers on 4
            first, second = os.dup(to_browser), os.dup(from_browser)
            os.dup2(first, 3)
            os.dup2(second, 4)

        self._process = subprocess.Popen(command, preexec_fn=place, pass_fds=(3, 4), stdin=subprocess.DEVNULL,
                                         stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_browser)
        os.close(from_browser)
        self._session = None
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self._session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(domain + ".enable")
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])
        self.call("Emulation.setScriptExecutionDisabled", value=not scripts)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        os.close(self._out)
        self._process.kill()
        self._process.wait()
        os.close(self._in)
        self._profile.cleanup()

    def call(self, method, **parameters):
        number = next(self._numbers)
        message = {"id": number, "method": method, "params": parameters}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._out, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._next()
            if answer.get("id") == number:
                assert "error" not in answer, answer
                return answer["result"]

    def _next(self, seconds=120):
        end = time.monotonic() + seconds
        while b"\0" not in self._buffer:
            ready, _, _ = select.select([self._in], [], [], max(0, end - time.monotonic()))
            assert ready, "the browser does not answer"
            part = os.read(self._in, 1 << 20)
            assert part, "the browser ended"
            self._buffer += part
        message, self._buffer = self._buffer.split(b"\0", 1)
        message = json.loads(message)
        self._note(message)
        return message

    def _note(self, message):
        method, values = message.get("method"), message.get("params", {})
        if method == "Runtime.exceptionThrown":
            self.errors.append(values["exceptionDetails"])
        if method == "Runtime.consoleAPICalled" and values["type"] in ("error", "assert"):
            self.errors.append(values["args"])
        if method == "Log.entryAdded" and values["entry"]["level"] == "error":
            self.errors.append(values["entry"])
        if method == "Network.requestWillBeSent" and not values["request"]["url"].startswith(self._places):
            self.errors.append(values["request"])

    def open(self, page):
        """Opens a file, or an address."""
        self.call("Page.navigate", url=page if isinstance(page, str) else page.as_uri())
        while self._next().get("method") != "Page.loadEventFired":
            pass

    def value(self, expression):
        """The value of a JavaScript expression; waits for promises."""
        result = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in result, result
        return result["result"].get("value")

    def wait_for(self, expression, seconds=120):
        end = time.monotonic() + seconds
        while not self.value(expression):
            assert time.monotonic() < end, f"never: {expression}; {self.errors}"
            time.sleep(0.2)

    def picture(self, selector=None, whole=False):
        """A PNG of the window, the whole page, or one element."""
        clip = {}
        if selector:
            box = self.value(f"(e => {{ e.scrollIntoView(); const b = e.getBoundingClientRect(); return [b.x + scrollX, b.y + scrollY, "
                             f"b.width, b.height]; }})(document.querySelector({json.dumps(selector)}))")
            clip = {"clip": dict(zip(("x", "y", "width", "height"), box), scale=1)}
        answer = self.call("Page.captureScreenshot", format="png", captureBeyondViewport=bool(selector) or whole, **clip)
        return base64.b64decode(answer["data"])

    def drag(self, selector, dx, dy):
        x, y = self.value(f"(e => {{ e.scrollIntoView({{block: 'center'}}); const b = e.getBoundingClientRect(); return [b.x + b.width / 2, "
                          f"b.y + b.height / 2]; }})(document.querySelector({json.dumps(selector)}))")
        for kind, part in (("mousePressed", 0), ("mouseMoved", 0.5), ("mouseMoved", 1), ("mouseReleased", 1)):
            self.call("Input.dispatchMouseEvent", type=kind, x=x + part * dx, y=y + part * dy, button="left", buttons=1,
                      clickCount=1)
