"""The fuzz cases, run in the worker: each input gives an answer or an error about the input, never a bug of ours."""

from __future__ import annotations

import json
import shutil
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import context_pack
from chunker.api import chunk_file
from context_pack.cli.batch import answers
from context_pack.cli.init import write_example
from context_pack.envelope import translated
from context_pack.io.tree import parsed
from context_pack.kinds import graph, pages, task, turn
from context_pack.kinds.turn.text import render as turn_text
from context_pack.options.config_file import file_layer
from context_pack.redaction import redact
from contracts.errors import CtxpackError
from index.tree.walk import walk

UPLOADS = {
    f"m{number}.py": f"def store_offset_{number}(upload):\n    return upload + {number}\n" for number in range(6)
}
QUESTION = "store_offset_1"


def no_fault_of_ours(ask: Callable[[], object]) -> Any:
    """The answer; None for an error that the input caused."""
    try:
        return ask()
    except Exception as error:
        if translated(error).code == "internal":
            raise
        return None


def _folder() -> Path:
    return Path(tempfile.mkdtemp())


def source(name: str, data: bytes) -> None:
    """A source file is split into chunks, and redacted without losing a line."""
    assert chunk_file(data, name) is not None
    text = data.decode("utf-8", "replace")
    assert redact(text, name).text.count("\n") == text.count("\n")


def tree_of_sources(files: dict[str, bytes]) -> None:
    """A tree is indexed and queried for words, a name, a place and all its definitions."""
    root, home = _folder(), _folder()
    for name, data in files.items():
        (root / name).write_bytes(data)
    session = no_fault_of_ours(lambda: context_pack.open(root, index_dir=home))
    for text in ("store the offset of an upload", "Cache", f"{min(files)}:2") if session else ():
        no_fault_of_ours(lambda text=text: session.query(text, max_chars=4_000))  # type: ignore[misc]
        no_fault_of_ours(lambda text=text: session.related(text))  # type: ignore[misc]
    no_fault_of_ours(lambda: session and session.symbols("*"))
    shutil.rmtree(root)
    shutil.rmtree(home)


@cache
def _uploads() -> context_pack.Session:
    root = _folder()
    for name, text in UPLOADS.items():
        (root / name).write_text(text)
    return context_pack.open(root, index_dir=_folder())


def batch_line(line: bytes) -> None:
    """A line of a batch gets one answer."""
    found = list(answers(_uploads(), [line]))
    assert len(found) == (1 if line.strip() else 0)
    for one in found:
        answer = json.loads(one)
        assert answer["status"] == "ok" or answer["error"]["code"] != "internal", answer


def settings_file(name: str, data: bytes) -> None:
    """The configuration of a repository is accepted, or the error names its file."""
    root = _folder()
    (root / name).write_bytes(data)
    try:
        file_layer(root)
    except CtxpackError as error:
        assert error.code != "internal" and name in error.message
    shutil.rmtree(root)


def ignore_file(name: str, data: bytes) -> None:
    """The files of a tree are listed whatever its ignore files contain."""
    root = _folder()
    for file in ("a.py", "deep/b.py", "deep/" + "a" * 200 + ".py"):
        (root / file).parent.mkdir(exist_ok=True)
        (root / file).write_text("x = 1\n")
    (root / name).write_bytes(data)
    no_fault_of_ours(lambda: walk(root))
    shutil.rmtree(root)


def _turn(root: Path) -> object:
    document = parsed((root / "request.json").read_bytes(), "request.json")
    return turn.answer(document, root, render=turn_text)


RECIPES: dict[str, Callable[[Path], object]] = {
    "graph": lambda root: graph.answer("task-1", root, {"verbose": True}),
    "task": lambda root: task.answer("T02", root, files=False),
    "turn": _turn,
    "wiki": lambda root: pages.answer(pages.PageRequest("autolyse starter", explain=True), root),
}


@cache
def _example(kind: str) -> Path:
    """An example project; without changes, it gives an answer."""
    root = _folder() / "tree"
    write_example(kind, str(root))
    RECIPES[kind](root)
    return root


def record(kind: str, place: str, data: bytes) -> None:
    """A project with one malformed file gives an answer, or an error that names the file."""
    file = _example(kind) / place
    whole = file.read_bytes()
    file.write_bytes(data)
    try:
        no_fault_of_ours(lambda: RECIPES[kind](_example(kind)))
    finally:
        file.write_bytes(whole)


@cache
def _indexed() -> tuple[Path, Path, Any]:
    """A tree, its index, and the index's answer."""
    root, home = _folder(), _folder() / "index"
    for name, text in UPLOADS.items():
        (root / name).write_text(text)
    context_pack.index(root, index_dir=home)
    return root, home, context_pack.open(root, index_dir=home).query(QUESTION).data


def _spoil(home: Path, number: int, damage: str, at: int, length: int) -> Path:
    """Damages one file of an index."""
    files = sorted(file for file in home.rglob("*") if file.is_file())
    file = files[number % len(files)]
    data = file.read_bytes()
    at %= len(data) + 1
    part, rest = data[at : at + length], data[at + length :]
    file.write_bytes({
        "flipped": data[:at] + bytes(byte ^ 0xFF for byte in part) + rest,
        "one bit": data[:at] + bytes(byte ^ 0x10 for byte in part[:1]) + data[at + 1 :],
        "zeroed": data[:at] + b"\0" * len(part) + rest,
        "taken out": data[:at] + rest, "doubled": data[: at + length] + data[at:], "cut off": data[:at],
    }[damage])  # fmt: skip
    return file


def index_file(number: int, damage: str, at: int, length: int) -> None:
    """An index with a damaged file gives the same answer as before, or says what is wrong."""
    root, whole, sound = _indexed()
    home = _folder() / "index"
    shutil.copytree(whole, home)
    file = _spoil(home, number, damage, at, length)
    answer = no_fault_of_ours(lambda: context_pack.open(root, index_dir=home).query(QUESTION).data)
    assert answer in (None, sound), (str(file), answer)
    shutil.rmtree(home.parent)


def prepare() -> None:
    """Creates what many cases share, and loads what they need."""
    _uploads()
    _indexed()
    for kind in RECIPES:
        _example(kind)
