"""The packaged VS Code extension in a real VS Code, driven in a real browser, with the real command line."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from tests.chromium import Browser, running

pytestmark = pytest.mark.slow

EXTENSION = Path(__file__).parents[2] / "editors" / "vscode"
PACKAGE = EXTENSION / "dist" / "ctxpack.vsix"
WAIT_S = 300.0
BAR = "[█░]"  # the row of the budget begins with it
SETTINGS = {
    "security.workspace.trust.enabled": False,
    "telemetry.telemetryLevel": "off",
    "extensions.autoCheckUpdates": False,
    "extensions.autoUpdate": False,
    "workbench.startupEditor": "none",
}
CENTRE = """((one) => {
  const box = one?.getBoundingClientRect();
  return box?.width ? [box.x + box.width / 2, box.y + box.height / 2] : null;
})(%s)"""
ROWS = "[...document.querySelectorAll('.pane-body .monaco-list-row')]"
TEXTS = f"{ROWS}.map(row => row.innerText.replaceAll('\\n', ' '))"
PROMPT = "document.querySelector('.quick-input-widget:not([style*=\"display: none\"])')"


class Workbench:
    """VS Code in a browser: what a user types, clicks and sees."""

    def __init__(self, browser: Browser) -> None:
        self.browser = browser

    def until(self, expression: str) -> Any:
        """Waits until an expression of the page is true; returns its value."""
        end = time.monotonic() + WAIT_S
        while not (value := self.browser.value(expression)):
            assert time.monotonic() < end, (
                f"{expression} did not come true:\n{self.browser.value(TEXTS)}\n{self.text('body')}"
            )
            time.sleep(0.05)
        return value

    def text(self, selector: str) -> str:
        return str(self.browser.value(f"document.querySelector({json.dumps(selector)})?.innerText ?? ''"))

    def click(self, element: str) -> None:
        """Clicks the middle of an element as soon as it exists."""
        self.browser.click(*self.until(CENTRE % element))

    def command(self, name: str) -> None:
        """Run a command from the palette."""
        self.browser.key("F1", 112)
        self.until(f"!!{PROMPT}?.querySelector('input')")
        self.browser.type(name)
        first = f"{PROMPT}?.querySelector('.monaco-list-row')?.innerText.includes({json.dumps(name)})"
        self.until(first)
        self.browser.key("Enter", 13, text="\r")
        self.until(f"!{first}")

    def query(self, text: str) -> list[str]:
        """Runs a query from the palette; returns the rows of the pack."""
        self.command("ctxpack: Pack for query")
        self.until(f"!!{PROMPT}?.innerText.includes('An identifier, a path')")
        self.browser.type(text)
        self.browser.key("Enter", 13, text="\r")
        return self.view(text, BAR)

    def view(self, title: str, first: str) -> list[str]:
        """The rows of the pack view, once it has a title and its first row starts with a regular expression."""
        heading = "document.querySelector('.sidebar .composite.title').innerText.toUpperCase()"
        self.until(f"{heading}.includes({json.dumps(title.upper())})")
        rows: list[str] = self.until(f"new RegExp('^' + {json.dumps(first)}).test({TEXTS}[0] ?? '') && {TEXTS}")
        return rows

    def open(self, place: str) -> None:
        """Clicks the row of a place, and waits until the editor is there."""
        self.click(f"{ROWS}.find(row => row.innerText.includes({json.dumps(place)}))")
        line = re.split("[:-]", place)[1]
        self.until(f"document.querySelector('.statusbar').innerText.includes('Ln {line}, Col 1')")


def free(program: str) -> str:
    """The path of a program; skips the test if it is not installed."""
    found = shutil.which(program)
    return found or pytest.skip(f"needs {program}: scripts/tools installs it on Debian")


@pytest.fixture(scope="module")
def changed(project: Path) -> Path:
    """The project as a git repository, with a change that is not committed."""
    identity = ["-c", "user.name=T", "-c", "user.email=t@example.org", "-c", "commit.gpgsign=false"]
    for arguments in (["init", "-q"], ["add", "-A"], [*identity, "commit", "-qm", "first"]):
        subprocess.run(["git", *arguments], cwd=project, check=True)
    file = project / "src" / "resizing.py"
    file.write_text(file.read_text("utf-8").replace("side / height, 1.0)", "side / height, 2.0)"), "utf-8")
    return project


@pytest.fixture(scope="module")
def code(environment: dict[str, str], tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a VS Code with the packaged extension. `ctxpack` is where pipx would install it."""
    node = free("node")
    server = next(EXTENSION.glob(".code-server-*/package/lib/vscode/out/server-main.js"), None)
    if server is None or not PACKAGE.exists():
        pytest.skip("needs a VS Code and the packaged extension: scripts/vscode makes both ready with npm")
    program = Path(environment["HOME"]) / ".local" / "bin" / "ctxpack"
    program.parent.mkdir(parents=True)
    program.symlink_to(Path(sys.executable).with_name("ctxpack"))
    data = tmp_path_factory.mktemp("code")
    settings = data / "data" / "User" / "settings.json"
    settings.parent.mkdir(parents=True)
    settings.write_text(json.dumps(SETTINGS), "utf-8")
    start = [node, str(server), "--accept-server-license-terms", "--telemetry-level=off", f"--server-data-dir={data}"]
    subprocess.run([*start, f"--install-extension={PACKAGE}"], env=environment, check=True, capture_output=True)
    serve = [*start, "--host=127.0.0.1", "--port=0", "--without-connection-token"]
    log = data / "server.log"
    with log.open("wb") as out, subprocess.Popen(serve, env=environment, stdout=out, stderr=out) as process:
        end = time.monotonic() + WAIT_S
        while not (said := re.search(r"agent listening on (\d+)", log.read_text("utf-8"))):
            assert time.monotonic() < end, log.read_text("utf-8")
            time.sleep(0.05)
        yield f"http://127.0.0.1:{said[1]}"
        process.terminate()


@pytest.fixture(scope="module")
def workbench(code: str, changed: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workbench]:
    """VS Code with the project open."""
    with running(free("chromium"), tmp_path_factory.mktemp("profile")) as browser:
        browser.allow_clipboard(code)
        browser.go(f"{code}/?folder={quote(str(changed))}")
        opened = Workbench(browser)
        opened.until("!!document.querySelector('.activitybar [aria-label=\"ctxpack\"]')")
        yield opened


def test_a_question_shows_its_pack_and_the_budget(workbench: Workbench) -> None:
    budget, group, first, *_ = workbench.query("PictureCache")
    filled, chars, limit = re.fullmatch(r"█+░+ (\d+) % ?(\d+) of (\d+) characters", budget).groups()
    assert int(filled) == round(100 * int(chars) / int(limit))
    assert limit == "20000"
    assert re.fullmatch(r"primary ?\d+", group)
    assert "PictureCache" in first
    assert "src/picture_cache.py:" in first
    workbench.open("tests/test_picture_cache.py:6-9")


def test_a_pack_is_copied_for_a_chat(workbench: Workbench) -> None:
    workbench.query("fit_into")
    workbench.command("ctxpack: Copy for chat")
    copied = workbench.until("navigator.clipboard.readText().then(text => text.startsWith('# fit_into') && text)")
    assert "```py\n" in copied
    assert "def fit_into(width: int, height: int, side: int)" in copied


def test_the_symbol_under_the_cursor_and_the_selection(workbench: Workbench) -> None:
    workbench.query("test_what_was_stored_is_loaded")
    workbench.open("tests/test_picture_cache.py:6-9")
    workbench.command("ctxpack: Related to symbol")
    rows = workbench.view("test_picture_cache.py:6", "related to")
    assert any("PictureCache.store" in row for row in rows)

    workbench.open("tests/test_picture_cache.py:6-9")
    workbench.command("Expand Line Selection")
    workbench.command("ctxpack: Pack for selection")
    workbench.view("def test_what_was_stored_is_loaded", BAR)


def test_uncommitted_changes_are_packed(workbench: Workbench) -> None:
    workbench.command("ctxpack: Pack for uncommitted changes")
    rows = workbench.view("changes since HEAD: 1 file, +1 -1", "░")
    assert "src/resizing.py:6-9" in rows[2]
    assert "fit_into" in rows[2]
