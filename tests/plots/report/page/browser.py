"""Drives a headless Chromium over the DevTools protocol, through a pipe: no port, no library."""

import base64
import json
import os
import shutil
import subprocess
import tempfile

PROGRAMS = ("chromium", "chromium-browser", "google-chrome")


def find_program():
    """The path of a Chromium, or None."""
    return next(filter(None, map(shutil.which, PROGRAMS)), None)


class Browser:
    """One tab of a Chromium of its own. Use it in a with statement."""

    def __init__(self, program):
        self.profile = tempfile.mkdtemp(prefix="memplan-page-")
        to_child, self.writer = os.pipe()
        self.reader, from_child = os.pipe()
        self.process = self._start(program, to_child, from_child)
        os.close(to_child)
        os.close(from_child)
        self.number = 0
        self.received = b""
        self.complaints = []
        self.session = None
        self._open_tab()

    def _start(self, program, to_child, from_child):
        flags = [
            "--headless=new",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-dev-shm-usage",
            "--no-first-run",
            "--disable-background-networking",
            "--disable-component-update",
            "--host-resolver-rules=MAP * ~NOTFOUND",
            "--remote-debugging-pipe",
            f"--user-data-dir={self.profile}",
        ]
        command = f'exec 3<&{to_child} 4>&{from_child}; exec "$@"'
        return subprocess.Popen(
            ["bash", "-c", command, "bash", program, *flags],
            pass_fds=(to_child, from_child),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )

    def __enter__(self):
        return self

    def __exit__(self, *_):
        try:
            self.send("Browser.close", {}, None)
        except (OSError, EOFError):
            pass
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        os.close(self.writer)
        os.close(self.reader)
        shutil.rmtree(self.profile, ignore_errors=True)

    def _open_tab(self):
        target = self.send("Target.createTarget", {"url": "about:blank"}, None)["targetId"]
        attached = self.send(
            "Target.attachToTarget", {"targetId": target, "flatten": True}, None
        )
        self.session = attached["sessionId"]
        for domain in ("Page", "Runtime", "Log"):
            self.send(f"{domain}.enable")

    def _receive(self):
        while b"\0" not in self.received:
            chunk = os.read(self.reader, 1 << 20)
            if not chunk:
                raise EOFError("Chromium has ended")
            self.received += chunk
        message, self.received = self.received.split(b"\0", 1)
        return json.loads(message)

    def _note(self, message):
        """Keeps what a page complains about: exceptions, console errors, files that are missing."""
        method, parameters = message.get("method"), message.get("params", {})
        if method == "Runtime.exceptionThrown":
            self.complaints.append(json.dumps(parameters["exceptionDetails"])[:600])
        elif method == "Runtime.consoleAPICalled" and parameters["type"] in ("error", "warning"):
            self.complaints.append(json.dumps(parameters["args"])[:600])
        elif method == "Log.entryAdded" and parameters["entry"]["level"] in ("error", "warning"):
            self.complaints.append(json.dumps(parameters["entry"])[:600])

    def send(self, method, parameters=None, session=""):
        """Calls a method and returns its result; events that come before it are noted."""
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters or {}}
        if session is not None:
            message["sessionId"] = self.session
        os.write(self.writer, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._receive()
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                return answer["result"]
            self._note(answer)

    def run(self, expression):
        """The value of a JavaScript expression in the page; a promise is waited for."""
        answer = self.send(
            "Runtime.evaluate",
            {"expression": expression, "awaitPromise": True, "returnByValue": True},
        )
        if "exceptionDetails" in answer:
            raise RuntimeError(f"{expression}: {json.dumps(answer['exceptionDetails'])[:600]}")
        return answer["result"].get("value")

    def resize(self, width, height):
        self.send(
            "Emulation.setDeviceMetricsOverride",
            {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False},
        )

    def prefer(self, scheme):
        """Lets the system ask for "light" or "dark"."""
        features = [{"name": "prefers-color-scheme", "value": scheme}]
        self.send("Emulation.setEmulatedMedia", {"features": features})

    def open(self, path, place=""):
        """Loads a file and waits until it has been drawn."""
        self.send("Page.navigate", {"url": "about:blank"})
        self.send("Page.navigate", {"url": f"file://{os.path.abspath(path)}{place}"})
        loaded = "document.readyState === 'complete' && location.protocol === 'file:'"
        if not self.wait(loaded):
            raise RuntimeError(f"{path} does not open")
        self.run("typeof memplan === 'undefined' || memplan.ready().then(() => true, () => false)")
        self.frame()

    def frame(self):
        """Waits until what was changed is drawn."""
        self.run(
            "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
            ".then(() => true)"
        )

    def wait(self, condition, seconds=20):
        """Waits until a JavaScript condition holds."""
        return self.run(
            f"new Promise((done) => {{ const end = Date.now() + {seconds * 1000};"
            f" const look = () => ({condition}) ? done(true) : Date.now() > end ? done(false) :"
            " setTimeout(look, 20); look(); })"
        )

    def mouse(self, kind, x, y, **more):
        event = {"type": kind, "x": x, "y": y, "pointerType": "mouse", **more}
        self.send("Input.dispatchMouseEvent", event)

    def click(self, x, y):
        for kind in ("mousePressed", "mouseReleased"):
            self.mouse(kind, x, y, button="left", clickCount=1)

    def key(self, key, code=None, text=None):
        event = {"key": key, "code": code or key}
        codes = {"Enter": 13, "Tab": 9, "Escape": 27, "ArrowDown": 40, "ArrowRight": 39, "End": 35}
        event["windowsVirtualKeyCode"] = codes.get(key, ord(key[0]))
        if key == "Enter":
            text = "\r"
        down = "keyDown" if text else "rawKeyDown"
        self.send("Input.dispatchKeyEvent", {**event, "type": down, "text": text or ""})
        self.send("Input.dispatchKeyEvent", {**event, "type": "keyUp"})

    def screenshot(self, path, whole=False):
        """Writes what the window shows, or the whole page, as a PNG."""
        parameters = {"format": "png", "captureBeyondViewport": whole}
        if whole:
            size = self.send("Page.getLayoutMetrics")["cssContentSize"]
            parameters["clip"] = {
                "x": 0, "y": 0, "width": size["width"], "height": size["height"], "scale": 1,
            }
        answer = self.send("Page.captureScreenshot", parameters)
        with open(path, "wb") as picture:
            picture.write(base64.b64decode(answer["data"]))
