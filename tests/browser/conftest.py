"""A real headless Chromium, driven over its debugging pipe."""

from __future__ import annotations

import itertools
import json
import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO

import pytest

FLAGS = (
    "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
    "--disable-extensions", "--disable-background-networking", "--remote-debugging-pipe", "about:blank",
)  # fmt: skip


class Browser:
    """One page. `open` loads a file in a window; `value` evaluates an expression in it."""

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
        self.events.clear()
        self._ask("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        self._ask("Page.navigate", url=file.as_uri())
        while self.value("document.readyState + location.href") != f"complete{file.as_uri()}":
            pass

    def value(self, expression: str) -> Any:
        answer = self._ask("Runtime.evaluate", expression=expression, returnByValue=True)
        assert "exceptionDetails" not in answer, answer
        return answer["result"].get("value")

    @property
    def requests(self) -> list[str]:
        """What the page asked for, itself included."""
        return [event["params"]["request"]["url"] for event in self.events
                if event["method"] == "Network.requestWillBeSent"]  # fmt: skip

    @property
    def complaints(self) -> list[str]:
        """What the browser wrote to its console about the page."""
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


@pytest.fixture(scope="session")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    chromium = shutil.which("chromium")
    assert chromium, "these tests need Chromium: scripts/tools installs it on Debian"
    profile = tmp_path_factory.mktemp("profile")
    read_by_it, to_browser = os.pipe()
    from_browser, written_by_it = os.pipe()
    # The browser reads from descriptor 3 and writes to descriptor 4.
    command = f'exec "$@" 3<&{read_by_it} 4>&{written_by_it}'
    with subprocess.Popen(
        ["bash", "-c", command, "bash", chromium, *FLAGS, f"--user-data-dir={profile}"],
        pass_fds=(read_by_it, written_by_it), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    ) as process:  # fmt: skip
        os.close(read_by_it)
        os.close(written_by_it)
        with os.fdopen(to_browser, "wb") as to, os.fdopen(from_browser, "rb") as answers:
            yield Browser(to, answers)
        process.terminate()
