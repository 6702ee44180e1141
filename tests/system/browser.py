# SPDX-License-Identifier: Apache-2.0
"""A headless Chromium, driven through its DevTools protocol over a pipe. Standard library only.

No time limits: either an answer comes, or the browser has died, which ends the pipe and is reported. Without Chromium,
the cases that need it are visibly skipped; if CI=true, they fail.
"""

import base64
import fcntl
import json
import os
import shutil
import subprocess
import tempfile
import unittest

PROGRAM = shutil.which("chromium")


def require():
    if PROGRAM:
        return
    if os.environ.get("CI") == "true":
        raise AssertionError("chromium is missing: tools/install-packages test")
    raise unittest.SkipTest("no chromium here: tools/install-packages test")  # CMakeLists.txt looks for this


def above_standard_files(descriptor):
    """The same file under a number that cannot collide with 3 and 4, which are for the browser."""
    moved = fcntl.fcntl(descriptor, fcntl.F_DUPFD_CLOEXEC, 10)
    os.close(descriptor)
    return moved


class Browser:
    """One browser with one page. requests, console: what the page requested and complained about since open()."""

    def __init__(self):
        require()
        self.folder = tempfile.TemporaryDirectory(prefix="fpgauge-chromium-")
        self.log = open(os.path.join(self.folder.name, "stderr"), "w+", encoding="utf-8", errors="replace")
        to_browser, self.output = map(above_standard_files, os.pipe())
        self.input, from_browser = map(above_standard_files, os.pipe())
        command = [PROGRAM, "--headless", "--remote-debugging-pipe", "--disable-gpu", "--disable-dev-shm-usage",
                   "--hide-scrollbars", "--no-first-run", "--disable-background-networking", "--disable-component-update",
                   "--disable-sync", "--metrics-recording-only", f"--user-data-dir={self.folder.name}/profile"]
        if os.geteuid() == 0:
            command.append("--no-sandbox")
        self.process = subprocess.Popen(["/bin/bash", "-c", f'exec "$@" 3<&{to_browser} 4>&{from_browser}', "bash", *command],
                                        pass_fds=(to_browser, from_browser), stdin=subprocess.DEVNULL,
                                        stdout=subprocess.DEVNULL, stderr=self.log)
        os.close(to_browser)
        os.close(from_browser)
        self.pending, self.number, self.session = b"", 0, None
        self.requests, self.console, self.loaded = [], [], False
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")

    def close(self):
        try:
            self.session = None
            self.call("Browser.close")
        except AssertionError:
            pass
        os.close(self.output)
        os.close(self.input)
        self.process.wait()
        self.log.close()
        self.folder.cleanup()

    def message(self):
        while b"\0" not in self.pending:
            more = os.read(self.input, 1 << 16)
            if not more:
                self.log.seek(0)
                raise AssertionError("chromium ended:\n" + self.log.read())
            self.pending += more
        text, self.pending = self.pending.split(b"\0", 1)
        return json.loads(text)

    def note(self, event):
        method, details = event.get("method"), event.get("params", {})
        if method == "Network.requestWillBeSent":
            self.requests.append(details["request"]["url"])
        elif method == "Runtime.exceptionThrown":
            self.console.append(details["exceptionDetails"]["text"])
        elif method == "Runtime.consoleAPICalled":
            self.console.append(str(details["args"]))
        elif method == "Log.entryAdded":
            self.console.append(details["entry"]["text"])
        elif method == "Page.loadEventFired":
            self.loaded = True

    def call(self, method, **parameters):
        self.number += 1
        number = self.number
        message = {"id": number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        data = json.dumps(message).encode() + b"\0"
        try:
            while data:
                data = data[os.write(self.output, data):]
        except BrokenPipeError as error:
            raise AssertionError("chromium ended") from error
        while True:
            answer = self.message()
            if answer.get("id") == number:
                if "error" in answer:
                    raise AssertionError(f"{method}: {answer['error']}")
                return answer["result"]
            self.note(answer)

    def open(self, path):
        self.requests, self.console, self.loaded = [], [], False
        self.call("Page.navigate", url="file://" + os.path.abspath(path))
        while not self.loaded:
            self.note(self.message())

    def evaluate(self, script):
        """The value of a JavaScript expression. The page's own policy still applies to the page."""
        answer = self.call("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            raise AssertionError(f"{answer['exceptionDetails']}")
        return answer["result"].get("value")

    def media(self, media="", dark=False):
        self.call("Emulation.setEmulatedMedia", media=media,
                  features=[{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])

    def size(self, width, height):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)

    def screenshot(self, path, x=0, y=0, width=1180, height=2000, scale=1):
        data = self.call("Page.captureScreenshot", format="png", captureBeyondViewport=True,
                         clip={"x": x, "y": y, "width": width, "height": height, "scale": scale})["data"]
        with open(path, "wb") as file:
            file.write(base64.b64decode(data))

    def pdf(self):
        return base64.b64decode(self.call("Page.printToPDF", preferCSSPageSize=True, printBackground=False)["data"])
