"""A process killed at any moment loses nothing: the last index answers, the next run completes the work."""

from __future__ import annotations

import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

import context_pack
from index.generation.store import Store, model_home

pytestmark = pytest.mark.slow

KILLS = int(os.environ.get("CTXPACK_TEST_KILLS", "24"))  # in total; set more for a longer run by hand
SEED = os.environ.get("CTXPACK_TEST_SEED", "0")
LATEST = 1.1  # latest kill, relative to the duration of a whole run
CTXPACK = [sys.executable, "-P", "-m", "context_pack"]
MODEL = "ctxpack-static-v1"


class Tree:
    """A repository of modules of the standard library that changes from run to run, and its index."""

    def __init__(self, folder: Path) -> None:
        self.root, self.home = folder / "tree", folder / "index"
        library = Path(os.__file__).parent
        for name in ("asyncio", "json"):
            shutil.copytree(library / name, self.root / name, ignore=shutil.ignore_patterns("__pycache__"))
        (self.root / "anchor.py").write_text("def unchanging_anchor():\n    return 1\n")
        self.version = 0

    def change(self) -> None:
        """Changes a third of the files, removes one and restores it, and adds a name that no other version has."""
        self.version += 1
        for number, file in enumerate(sorted(self.root.glob("*/*.py"))):
            if number % 3 == self.version % 3:
                with file.open("a") as out:
                    out.write(f"\n\ndef added_{self.version}_{number}():\n    return {self.version}\n")
        (self.root / f"only_{self.version - 1}.py").unlink(missing_ok=True)
        (self.root / f"only_{self.version}.py").write_text(f"def version_{self.version}():\n    return 0\n")

    def files(self, query: str, **options: object) -> list[str]:
        session = context_pack.open(self.root, index_dir=self.home, **options)
        return [item.file for item in session.query(query).data.items]

    def check(self, was_there: bool) -> None:
        """The published index is complete and answers; then a query completes the interrupted work."""
        live = Store(model_home(self.home, MODEL)).open()
        assert (live is not None) >= was_there, "the last index is gone"
        if live is not None:
            assert live.is_intact()
            assert "anchor.py" in self.files("unchanging_anchor", no_refresh=True)
        assert self.files(f"version_{self.version}")[0] == f"only_{self.version}.py"
        left = sorted(path.name for path in (self.home / MODEL / "generations").iterdir())
        assert all(name.isdigit() for name in left), left  # nothing is half written or set aside
        assert len(left) <= 3  # one more than are kept, until the next writing run

    def data(self) -> list[object]:
        """The answer of an index of this tree, without a refresh."""
        session = context_pack.open(self.root, index_dir=self.home, no_refresh=True)
        return [
            session.query(text).data for text in ("event loop of a thread", "JSONDecoder", "selector of a transport")
        ]


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Tree:
    monkeypatch.setenv("CTXPACK_NO_BACKGROUND", "1")
    one = Tree(tmp_path)
    one.change()
    return one


Start = Callable[[Tree], "subprocess.Popen[bytes]"]


def run(*arguments: object) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [str(one) for one in arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
        start_new_session=True,
    )  # fmt: skip


def index(tree: Tree) -> subprocess.Popen[bytes]:
    """Builds the first index of a tree, or the next one."""
    return run(*CTXPACK, "index", tree.root, "--index-dir", tree.home)


def answer(tree: Tree) -> subprocess.Popen[bytes]:
    """A query in a changed tree, whose index is refreshed first."""
    return run(*CTXPACK, "query", "event loop", "--repo", tree.root, "--index-dir", tree.home)


def serve(tree: Tree) -> subprocess.Popen[bytes]:
    """A server with two calls about a changed tree, one after the other."""
    process = run(*CTXPACK, "mcp", "--repo", tree.root, "--index-dir", tree.home)
    about = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}
    messages = [
        {"id": 0, "method": "initialize", "params": about}, {"method": "notifications/initialized"},
        *({"id": number, "method": "tools/call", "params": {"name": "search", "arguments": {"query": "event loop"}}}
          for number in (1, 2)),
    ]  # fmt: skip
    assert process.stdin is not None
    process.stdin.write(b"".join(json.dumps({"jsonrpc": "2.0", **one}).encode() + b"\n" for one in messages))
    process.stdin.flush()
    return process


def whole_run(start: Start, tree: Tree) -> float:
    """The duration of a run that is not killed, in seconds."""
    began = time.monotonic()
    process = start(tree)
    assert process.stdout is not None
    replies = [process.stdout.readline() for _ in range(3 if start is serve else 1)]
    took_s = time.monotonic() - began
    killed(process, 0.0 if start is serve else 30.0)
    assert all(replies)
    return took_s


def killed(process: subprocess.Popen[bytes], delay_s: float) -> bool:
    """Kills a run and all that it started; whether it was still running."""
    with suppress(subprocess.TimeoutExpired):
        process.wait(delay_s)
    running = process.poll() is None
    family = [process.pid]
    for pid in family:
        family += _children(pid)
    for pid in family:
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    process.communicate()
    return running


def _children(pid: int) -> list[int]:
    listed = subprocess.run(["ps", "-e", "-o", "pid=,ppid="], capture_output=True, text=True, check=True)
    return [int(child) for child, parent in map(str.split, listed.stdout.splitlines()) if int(parent) == pid]


@pytest.mark.parametrize(("start", "share"), [(index, 0.3), (answer, 0.5), (serve, 0.2)])
def test_no_kill_loses_anything(tree: Tree, start: Start, share: float) -> None:
    whole_run(index, tree)
    tree.change()
    took_s = whole_run(start, tree)
    draw, hits, kills = random.Random(f"{SEED} {start.__name__}"), 0, round(KILLS * share)
    for number in range(kills):
        first = start is index and number % 3 == 0  # there is no index yet
        if first:
            shutil.rmtree(tree.home)
        tree.change()
        began = time.monotonic()
        hit = killed(start(tree), draw.uniform(0, LATEST) * took_s)
        took_s = took_s if hit else min(took_s, time.monotonic() - began)  # the machine is less busy by now
        hits += hit
        tree.check(was_there=not first)
    print(f"{start.__name__}: {kills} kills, {hits} before the end of a run of {took_s:.2f} s")
    assert hits > kills // 3
    context_pack.index(tree.root, index_dir=tree.home)
    found = tree.data()
    tree.home = tree.home.with_name("afresh")
    context_pack.index(tree.root, index_dir=tree.home)
    assert tree.data() == found
