"""Task, turn and graph packs only read inside the root, whatever is swapped in while they read."""

from __future__ import annotations

import json
import os
import re
import resource
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from strangers import Stranger

from context_pack.cli.init import write_example
from context_pack.kinds import graph, task, turn
from contracts.errors import CtxpackError, NoFiles
from tests.code_index import code_index

Ask = Callable[[Path], object]
SPY = "SPY7"
# Where the marker word of outside text goes: after words of prose and code, and into the values of records.
MARKED = re.compile(r'(\b[a-z]{3,}(?= )|verifyToken|\.int(?=\.test)|(?<="tddMode": ")[a-z]+)')
REQUEST = {"goal": "Cap the backoff delay", "definitionOfDone": [], "globalMode": "planning", "base": "HEAD"}


class NoCode:
    """An empty code index, because only the records matter here."""

    def linked(self, file: str, label: str, *, backward: bool = False) -> list[str]:
        return []

    def language(self, file: str) -> str:
        return ""

    defined_in = file_text = language


def _no_code(root: Path) -> Any:
    raise NoFiles("there is no index")


def _turn(root: Path) -> object:
    with code_index(_no_code):
        return turn.answer(REQUEST, root)


def _task(name: str, digest: str) -> Ask:
    def ask(root: Path) -> object:
        with code_index(lambda _: NoCode()):
            return task.answer(name, root, digest=digest, explain=True)

    return ask


# The question, its example project, and the folders that are swapped while it is answered.
KINDS: dict[str, tuple[Ask, str, tuple[str, ...]]] = {
    "task": (
        _task("T02", "full"), "task",
        (".nexus", ".nexus/00-mission", ".nexus/01-governance", ".nexus/02-architecture", ".nexus/03-index",
         ".nexus/04-plans", ".nexus/04-plans/02-auth", ".nexus/05-runtime"),
    ),
    "compact": (_task("T02", "compact"), "task", (".nexus/01-governance",)),
    "file": (_task("T03", "full"), "task", ("src", "src/api")),
    "turn": (_turn, "turn", ("docs", "src", "src/ws")),
    "graph": (
        lambda root: graph.answer("task-2", root, {"verbose": True}), "graph", (".mdkg", ".mdkg/core", ".mdkg/work"),
    ),
}  # fmt: skip
FOLDERS = [(kind, folder) for kind, (_, _, folders) in KINDS.items() for folder in folders]


class Swap:
    """The n-th time that a file or folder with one of some names is opened, another folder replaces one."""

    def __init__(self, folder: Path, outside: Path, names: frozenset[str], at: int) -> None:
        self.folder, self.outside, self.names, self.at = folder, outside, names, at
        self.seen = 0

    def opened(self, path: object) -> None:
        if isinstance(path, str | bytes) and Path(os.fsdecode(path)).name in self.names:
            self.seen += 1
            if self.seen == self.at:
                self.folder.rename(self.folder.with_name("aside"))
                self.folder.symlink_to(self.outside)

    def undo(self) -> None:
        if self.folder.is_symlink():
            self.folder.unlink()
            self.folder.with_name("aside").rename(self.folder)


_swap: list[Swap] = []


def _hook(event: str, arguments: tuple[object, ...]) -> None:
    if _swap and event in ("open", "os.scandir"):
        _swap[-1].opened(arguments[0])


sys.addaudithook(_hook)  # called right before every system call that opens a file; it cannot be removed again


@contextmanager
def swapped(swap: Swap) -> Iterator[None]:
    _swap.append(swap)
    try:
        yield
    finally:
        _swap.pop()
        swap.undo()


@pytest.fixture(autouse=True)
def no_waiting() -> Iterator[None]:
    """Interrupts a wait for a pipe after a minute."""

    def wake(*_: object) -> None:
        raise TimeoutError("a pipe was waited for")

    before = signal.signal(signal.SIGALRM, wake)
    signal.alarm(60)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


@pytest.fixture
def trees(tmp_path: Path, stranger: Stranger, request: pytest.FixtureRequest) -> tuple[str, Path, Path]:
    """The example of a kind, and a folder outside with the same files but different texts."""
    kind: str = request.param
    root, outside = tmp_path / "tree", tmp_path / "outside"
    write_example(KINDS[kind][1], root)
    if kind == "turn":
        (root / "docs" / "glossary.md").unlink()  # a document of low priority is only named
        stranger.git(root, "init", "-q")
        stranger.git(root, "add", "-A")
        stranger.git(root, "commit", "-q", "-m", "first")
        with (root / "src" / "ws" / "retry.ts").open("a") as file:
            file.write("// and more\n")
    shutil.copytree(root, outside, ignore=shutil.ignore_patterns(".git"))
    for path in sorted(path for path in outside.rglob("*") if path.is_file()):
        text = path.read_text("utf-8")
        path.write_text(MARKED.sub(rf"\1{SPY}", text), "utf-8")
    return kind, root, outside


def _answered(ask: Ask, root: Path) -> str:
    try:
        return repr(ask(root))
    except CtxpackError as error:
        return f"{error.message} {error.hint} {error.details}"


@pytest.mark.parametrize(("trees", "folder"), FOLDERS, indirect=["trees"])
def test_a_folder_that_becomes_a_link_while_it_is_read(
    trees: tuple[str, Path, Path], folder: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    kind, root, outside = trees
    ask = KINDS[kind][0]
    names = frozenset(path.name for path in root.rglob("*") if ".git" not in path.parts)
    assert SPY not in _answered(ask, root)
    opened = []
    for at in range(1, 1_000):
        monkeypatch.setenv("CTXPACK_CACHE_DIR", str(tmp_path / f"cache{at}"))  # an empty cache
        swap = Swap(root / folder, outside / folder, names, at)
        with swapped(swap):
            answer = _answered(ask, root)
            is_swapped = (root / folder).is_symlink()
        assert SPY not in answer, f"at the opening {at}"
        opened.append(swap.seen)
        if not is_swapped:
            break
    assert len(opened) > 5 and not is_swapped


@pytest.mark.parametrize("trees", list(KINDS), indirect=True)
def test_the_test_would_notice_text_from_outside(trees: tuple[str, Path, Path], stranger: Stranger) -> None:
    """The tests above can fail: the other tree's own pack shows its text."""
    kind, _, outside = trees
    if kind == "turn":
        stranger.repository(outside)
    assert SPY in _answered(KINDS[kind][0], outside)


@pytest.mark.parametrize(("trees", "folder"), FOLDERS, indirect=["trees"])
def test_a_folder_that_is_a_link_out_of_the_root(trees: tuple[str, Path, Path], folder: str) -> None:
    kind, root, outside = trees
    shutil.rmtree(root / folder)
    (root / folder).symlink_to(outside / folder)
    assert SPY not in _answered(KINDS[kind][0], root)


PIPES = {
    "task": ("src/auth/middleware.ts", ".nexus/01-governance/STATE.md", ".nexus/03-index/symbols.json",
             ".nexus/05-runtime/TASK_GRAPH.json", ".nexus/04-plans/02-auth/PLAN.md"),
    "turn": ("docs/PLAN.md",),
    "graph": (".mdkg/config.json", ".mdkg/work/task-1-store-offsets.md", ".mdkg/core/core.md"),
}  # fmt: skip
QUESTIONS = {"task": ("task", "T02"), "turn": ("turn", "request.json"), "graph": ("graph", "task-2", "--verbose")}


@pytest.mark.parametrize(("kind", "place"), [(kind, place) for kind, places in PIPES.items() for place in places])
def test_a_pipe_in_place_of_a_file_does_not_block(
    tmp_path: Path, ctxpack: Callable[..., subprocess.CompletedProcess[bytes]], kind: str, place: str
) -> None:
    root = tmp_path / "tree"
    write_example(kind, root)
    (root / place).unlink()
    os.mkfifo(root / place)
    done = ctxpack(*QUESTIONS[kind], "--root", str(root), "--format", "json", cwd=root)
    envelope = json.loads(done.stdout)
    assert envelope["status"] == "ok" or envelope["error"]["code"] == "invalid_request", envelope["error"]
    if kind == "task":
        assert f"{place} is not read: it is not a regular file" in envelope["error"]["message"]


class Code:
    """An index of one file."""

    model_id = "stand-in"

    def __init__(self, path: str) -> None:
        self._path = path

    def paths(self) -> list[str]:
        return [self._path]

    def search(self, *_: object, **__: object) -> list[Any]:
        return []

    linked = defined_in = search


def test_a_file_of_the_index_that_became_a_pipe_is_left_out(tmp_path: Path) -> None:
    root, path = tmp_path / "tree", "src/ws/retry.ts"
    write_example("turn", root)
    request = {**REQUEST, "ownership": {"src/**": "us"}}
    del request["base"]
    code: Any = Code(path)
    with code_index(lambda _: code):
        whole = turn.answer(request, root)
    assert [entry["path"] for entry in whole.data.pack["relevantFiles"]] == [path]
    (root / path).unlink()
    os.mkfifo(root / path)
    with code_index(lambda _: code):
        answer = turn.answer(request, root)
    assert "relevantFiles" not in answer.data.pack
    assert any(
        f"{path} was left out: it cannot be read (it is not a regular file)" in hint.text for hint in answer.hints
    )


@pytest.mark.parametrize(
    "question", [("task", "/dev/zero"), ("turn", "/dev/zero"), ("turn", "merge", "/dev/zero")], ids=" ".join
)
def test_a_device_is_read_no_further_than_a_record_may_be_long(tmp_path: Path, question: tuple[str, ...]) -> None:
    def limited() -> None:
        resource.setrlimit(resource.RLIMIT_AS, (3_000_000_000, 3_000_000_000))

    command = [sys.executable, "-P", "-m", "context_pack", *question]
    done = subprocess.run(command, capture_output=True, check=False, timeout=300, cwd=tmp_path, preexec_fn=limited)
    error = json.loads(done.stdout)["error"]
    assert (done.returncode, error["code"]) == (1, "invalid_request")
    assert "/dev/zero is larger than" in error["message"]


@pytest.mark.parametrize("target", ["/dev/zero", "/etc/passwd", "pipe"])
@pytest.mark.parametrize("place", ["src/auth/middleware.ts", ".nexus/00-mission/ACCEPTANCE_MASTER.md"])
def test_a_link_to_a_device_or_out_of_the_root_is_named(tmp_path: Path, place: str, target: str) -> None:
    root = tmp_path / "tree"
    write_example("task", root)
    os.mkfifo(root / "pipe")
    (root / place).unlink()
    (root / place).symlink_to(root / target)
    with pytest.raises(CtxpackError) as refusal, code_index(lambda _: NoCode()):
        task.answer("T02", root)
    assert refusal.value.code == "invalid_request"
    assert place in refusal.value.message and "root:" not in refusal.value.message
