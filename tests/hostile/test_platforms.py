"""Differences of Windows and macOS that can be tested elsewhere; docs/platforms.md describes the rest."""

from __future__ import annotations

import json
import os
import select
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path

import click
import pytest

from context_pack.cli import progress
from context_pack.io.clones import address_of
from context_pack.io.paths import inside
from contracts.errors import InvalidRequest
from index.processes import can_fork
from index.tree import beneath, git
from index.tree.walk import walk

Ctxpack = Callable[..., subprocess.CompletedProcess[bytes]]


@pytest.mark.parametrize(
    ("code", "limit_s", "most", "expected"),
    [("print('out'); print('err', file=sys.stderr)", 300.0, 100, (b"out\n", b"err\n", "")),
     ("sys.stdout.write('x' * 5_000_000); sys.stderr.write('y' * 3_000_000)", 300.0, 10_000_000, (b"x" * 5_000_000, None, "")),  # noqa: E501
     ("sys.stdout.write('x' * 5_000_000)", 300.0, 1_000_000, (None, b"", "git printed more than 1,000,000 bytes")),
     ("print('x', end='', flush=True); sys.stdin.read()", 0.5, 100, (b"x", b"", "git took longer than 0.5 s"))],
)  # fmt: skip
def test_two_pipes_are_read_within_limits(
    code: str, limit_s: float, most: int, expected: tuple[bytes | None, bytes | None, str]
) -> None:
    with _read(f"import sys\n{code}", limit_s, most) as found:
        pass
    for got, wanted in zip(found, expected, strict=True):
        assert wanted is None or got == wanted
    assert len(found[1]) <= git.MAX_MESSAGE_BYTES + git.READ_BYTES


def test_a_pipe_that_a_child_of_git_keeps_prevents_no_fork(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "lance", raising=False)  # other tests leave it, and threads
    threads = threading.enumerate
    others = {*threads()} - {threading.current_thread()}
    monkeypatch.setattr(threading, "enumerate", lambda: [one for one in threads() if one not in others])
    child = "import sys; sys.stdin.read()"
    code = f"import subprocess, sys; subprocess.Popen([sys.executable, '-c', {child!r}]); print('out')"
    with _read(code, 0.5, 100) as found:
        assert (found[2], can_fork()) == ("git took longer than 0.5 s", True)


@contextmanager
def _read(code: str, limit_s: float, most: int) -> Iterator[tuple[bytes, bytes, str]]:
    """What git's reader makes of a process that prints. It alone closes the pipes, which `with` would do, too."""
    command = [sys.executable, "-c", code]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert process.stdin is not None and process.stdout is not None and process.stderr is not None
    with process.stdin:
        select.select([process.stdout], [], [], 300)  # the limit does not count the start of the interpreter
        yield git._read_both(process.stdout, process.stderr, limit_s, most)
    process.kill()
    process.wait()


def test_git_answers(tmp_path: Path) -> None:
    assert git.run(["init", "-q", str(tmp_path)]).code == 0
    assert git.run(["rev-parse", "--is-inside-work-tree"], tmp_path).output == b"true\n"
    assert "not a git command" in git.run(["no-such-command"], tmp_path).complaint


def test_ctrl_c_is_reported_on_systems_without_a_wake_up_pipe(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "platform", "win32")
    with pytest.raises(click.Abort), progress.stoppable():
        raise KeyboardInterrupt
    assert capsys.readouterr().err.strip() == progress.STOPPED


@pytest.mark.skipif(sys.platform == "win32", reason="a signal to one's own process ends it there")
def test_a_signal_in_the_middle_of_a_class_statement_stops_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    class Signal:
        def __init__(self, number: int) -> None:
            self.number = number

        def __set_name__(self, owner: type, name: str) -> None:
            signal.raise_signal(self.number)

    with pytest.raises(SystemExit) as left, progress.exit_on_sigterm():
        type("Stopped", (), {"attribute": Signal(signal.SIGTERM)})
    assert left.value.code == progress.TERMINATED
    with pytest.raises(click.Abort), progress.stoppable():
        type("Stopped", (), {"attribute": Signal(signal.SIGINT)})
    assert capsys.readouterr().err.strip() == progress.STOPPED


@pytest.mark.skipif(sys.platform == "win32", reason="a signal to one's own process ends it there")
@pytest.mark.parametrize(
    ("scope", "number", "end"),
    [
        (progress.exit_on_sigterm, signal.SIGTERM, SystemExit),
        (progress.stoppable, signal.SIGINT, click.Abort),
        (progress.until_stopped, signal.SIGTERM, None),
        (progress.until_stopped, signal.SIGINT, None),
    ],
)
def test_a_signal_is_not_lost_where_python_discards_exceptions(
    scope: Callable[[], AbstractContextManager[None]],
    number: int,
    end: type[BaseException] | None,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Signal:
        def __del__(self) -> None:
            signal.raise_signal(number)

    monkeypatch.setattr(sys, "unraisablehook", sys.__unraisablehook__)  # it prints; that of pytest warns
    handler, is_over = signal.getsignal(signal.SIGTERM), False
    try:
        with pytest.raises(end) if end else nullcontext(), scope():
            Signal()
            time.sleep(20)
            is_over = True
    finally:
        signal.signal(signal.SIGTERM, handler)
    assert not is_over, "the signal was lost"
    assert "Traceback" not in capsys.readouterr().err


@pytest.mark.parametrize("scope", [progress.exit_on_sigterm, progress.stoppable])
def test_other_errors_pass(scope: Callable[[], AbstractContextManager[None]]) -> None:
    with pytest.raises(RuntimeError, match="of its own"), scope():
        raise RuntimeError("of its own")


@pytest.mark.parametrize(
    "path",
    ["C:\\src\\a.py", "C:/src/a.py", "\\\\?\\C:\\src\\a.py", "\\\\server\\share\\a.py", "//server/share/a.py",
     "..\\a.py", "src\\..\\..\\a.py", "\\\\.\\pipe\\x", "\\a.py"],
)  # fmt: skip
def test_no_spelling_of_a_path_leaves_the_root(path: str, tmp_path: Path) -> None:
    with pytest.raises(InvalidRequest):
        inside(tmp_path, path, "field")


def test_backslashes_are_slashes(tmp_path: Path) -> None:
    assert inside(tmp_path, "src\\a.py", "field") == "src/a.py"


@pytest.mark.parametrize("path", ["C:\\src\\app", "\\\\?\\C:\\src\\app", "\\\\server\\share\\app", "D:app", "src\\app"])
def test_a_windows_path_is_not_a_url(path: str) -> None:
    assert address_of(path) is None


@pytest.mark.parametrize(
    "place",
    ["src\\cart.py:2", ".\\src\\cart.py:2", "C:\\work\\shop\\src\\cart.py:2", "C:\\work\\shop\\src\\cart.py(2,5)",
     "\\\\?\\C:\\work\\shop\\src\\cart.py:2", "C:/work/shop/src/cart.py:2"],
)  # fmt: skip
def test_a_place_may_be_spelled_as_on_windows(place: str, ctxpack: Ctxpack, tmp_path: Path) -> None:
    root = tmp_path / "shop"
    (root / "src").mkdir(parents=True)
    (root / "src/cart.py").write_bytes(
        b"def total(items):\r\n    return sum(items)\r\n\r\n\r\ndef other():\r\n    pass\r\n"
    )
    (root / "ctxpack.toml").write_text("")
    items = json.loads(ctxpack("query", place, "--repo", str(root)).stdout)["data"]["items"]
    assert (items[0]["file"], items[0]["start_line"]) == ("src/cart.py", 1)
    assert items[0]["symbol"].startswith("total") and "return sum(items)" in items[0]["content"]


def test_line_ends_change_neither_places_nor_lines(ctxpack: Ctxpack, tmp_path: Path) -> None:
    code = "import os\n\n\ndef total(items):\n    return sum(items)\n\n\ndef other():\n    return os.sep\n"
    found = []
    for name, text in (("unix", code), ("windows", code.replace("\n", "\r\n"))):
        root = tmp_path / name / "shop"
        root.mkdir(parents=True)
        (root / "cart.py").write_bytes(text.encode())
        (root / "ctxpack.toml").write_text("")
        items = json.loads(ctxpack("query", "total", "--repo", str(root)).stdout)["data"]["items"]
        found.append([(item["id"], item["symbol"], item["content"].replace("\r\n", "\n")) for item in items])
    assert found[0] == found[1]


def test_files_are_read_beneath_a_root_without_handles_of_folders(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(beneath, "_HAS_HANDLES", False)
    (tmp_path / "a").mkdir()
    (tmp_path / "a/b.py").write_text("x = 1\n")
    (tmp_path / "outside").symlink_to("/etc")
    assert beneath.read_beneath(tmp_path, "a/b.py", 100) == b"x = 1\n"
    with pytest.raises(OSError):
        beneath.read_beneath(tmp_path, "outside/passwd", 100)
    assert [os.fsdecode(file.path) for file in walk(tmp_path).files] == ["a/b.py"]


def test_a_worker_ends_after_its_time_limit_although_a_call_keeps_the_lock_of_the_interpreter() -> None:
    code = (
        "import re\n"
        "from context_pack.mcp import worker\n"
        "worker.GRACE_S = 0.2\n"
        "worker.Worker.reply = lambda *_: re.match('(a+)+b', 'a' * 60)\n"
        "worker.main()\n"
    )
    request = json.dumps({"limit_s": 0.3}).encode() + b"\n"
    command = [sys.executable, "-c", code, "{}"]
    run = subprocess.run(command, input=request, capture_output=True, timeout=300, check=False)
    assert (run.returncode, run.stdout) == (1, b"")
    assert b"Timeout" in run.stderr


def test_names_that_differ_in_case_alone_are_two_files(ctxpack: Ctxpack, tmp_path: Path) -> None:
    (tmp_path / "Cart.py").write_text("def upper_cart():\n    return 1\n")
    (tmp_path / "cart.py").write_text("def lower_cart():\n    return 1\n")
    if len(list(tmp_path.glob("*.py"))) < 2:
        pytest.skip("this file system takes them for one")
    (tmp_path / "ctxpack.toml").write_text("")
    for name, symbol in (("Cart.py:1", "upper_cart"), ("cart.py:1", "lower_cart")):
        items = json.loads(ctxpack("query", name, "--repo", str(tmp_path)).stdout)["data"]["items"]
        assert items[0]["symbol"] == symbol


def test_two_writers_wait_for_each_other_by_a_lock_that_every_system_has(ctxpack: Ctxpack, tmp_path: Path) -> None:
    from filelock import FileLock, UnixFileLock, WindowsFileLock

    assert FileLock in (UnixFileLock, WindowsFileLock)
    (tmp_path / "a.py").write_text("def first():\n    return 1\n")
    (tmp_path / "ctxpack.toml").write_text("")
    index = tmp_path.parent / f"{tmp_path.name}-index"
    command = [sys.executable, "-m", "context_pack", "index", str(tmp_path), "--index-dir", str(index)]
    runs = [subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) for _ in range(3)]
    assert [json.loads(run.communicate()[0])["status"] for run in runs] == ["ok"] * 3
