"""A real headless Chromium, driven over its debugging pipe."""

from __future__ import annotations

import itertools
import json
import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

FLAGS = (
    "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
    "--disable-extensions", "--disable-background-networking", "--remote-debugging-pipe", "about:blank",
)  # fmt: skip


class Browser:
    """One page. `open` loads a file in a window; `value` evaluates an expression, or a promise, in it."""

    def __init__(self, to_browser: BinaryIO, from_browser: BinaryIO) -> None:
        self._to, self._from = to_browser, from_browser
        self._numbers = itertools.count(1)
        self._session: str | None = None
        self.events: list[dict[str, Any]] = []
        target = self._ask("Target.createTarget", url="about:blank")["targetId"]
        self._session = self._ask("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Network", "Log", "Runtime"):
            self._ask(f"{domain}.enable")

    def open(self, file: Path, width: int = 1280, height: int = 900) -> None:
        """Load a page and wait until it is complete."""
        self.go(file.as_uri(), width, height)
        while self.value("document.readyState + location.href") != f"complete{file.as_uri()}":
            pass

    def go(self, address: str, width: int = 1280, height: int = 900) -> None:
        """Begin to load an address."""
        self.events.clear()
        self._ask("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        self._ask("Page.navigate", url=address)

    def value(self, expression: str) -> Any:
        answer = self._ask("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in answer, answer
        return answer["result"].get("value")

    def type(self, text: str) -> None:
        """Types text into the focused element."""
        self._ask("Input.insertText", text=text)

    def key(self, key: str, number: int, text: str = "") -> None:
        """Presses a key, given by its name and its Windows key code."""
        named = {"key": key, "code": key, "windowsVirtualKeyCode": number, **({"text": text} if text else {})}
        for kind in ("keyDown", "keyUp"):
            self._ask("Input.dispatchKeyEvent", type=kind, **named)

    def click(self, x: float, y: float) -> None:
        for kind in ("mousePressed", "mouseReleased"):
            self._ask("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def allow_clipboard(self, origin: str) -> None:
        """Lets pages of an origin read and write the clipboard without a prompt."""
        session, self._session = self._session, None
        self._ask(
            "Browser.grantPermissions", origin=origin, permissions=["clipboardReadWrite", "clipboardSanitizedWrite"]
        )
        self._session = session

    @property
    def requests(self) -> list[str]:
        """The URLs that the page requested, including its own."""
        return [event["params"]["request"]["url"] for event in self.events
                if event["method"] == "Network.requestWillBeSent"]  # fmt: skip

    @property
    def complaints(self) -> list[str]:
        """The messages about the page on the browser's console."""
        return [event["params"]["entry"]["text"] for event in self.events if event["method"] == "Log.entryAdded"]

    def _ask(self, method: str, **parameters: Any) -> Any:
        number = next(self._numbers)
        message = {"id": number, "method": method, "params": parameters}
        if self._session:
            message["sessionId"] = self._session
        self._to.write(json.dumps(message).encode() + b"\0")
        self._to.flush()
        while True:
            answer = self._read()
            if answer.get("id") == number:
                assert "error" not in answer, answer
                return answer["result"]
            self.events.append(answer)

    def _read(self) -> dict[str, Any]:
        message = bytearray()
        while (byte := self._from.read(1)) != b"\0":
            assert byte, "the browser ended"
            message += byte
        loaded: dict[str, Any] = json.loads(message)
        return loaded


@contextmanager
def running(program: str, profile: Path) -> Iterator[Browser]:
    """A browser with its own profile, running until the end of the block."""
    read_by_it, to_browser = os.pipe()
    from_browser, written_by_it = os.pipe()
    # The browser reads from descriptor 3 and writes to descriptor 4.
    command = f'exec "$@" 3<&{read_by_it} 4>&{written_by_it}'
    with subprocess.Popen(
        ["bash", "-c", command, "bash", program, *FLAGS, f"--user-data-dir={profile}"],
        pass_fds=(read_by_it, written_by_it), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    ) as process:  # fmt: skip
        os.close(read_by_it)
        os.close(written_by_it)
        with os.fdopen(to_browser, "wb") as to, os.fdopen(from_browser, "rb") as answers:
            yield Browser(to, answers)
        process.terminate()
