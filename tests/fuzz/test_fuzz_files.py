"""Files that a repository or a damaged disk may hold: ignore rules, YAML, JSON records, index files."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import context_pack
from context_pack.corpora.nexus.project import parsed
from context_pack.envelope import translated
from context_pack.examples import write_example
from context_pack.kinds import pages
from context_pack.recipes import graph, task, turn
from context_pack.render.turn_text import render as turn_text
from index.walk import walk

bounded = settings(
    max_examples=40, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
JUNK = st.one_of(
    st.sampled_from(
        [b"\0", b"[" * 2_000, b"{" * 2_000, b"9" * 5_000, b"\\ud800", b"\xed\xa0\x80", b"*" * 300, b"!", b"&a [*a]",
         b"\xff\xfe", b"\r", b'"', b"'", b": ", b"- ", b"null", b"1e999", b"../../etc/passwd", b"%YAML 9"]
    ),
    st.binary(max_size=8),
)  # fmt: skip
CUTS = st.lists(st.tuples(st.integers(0, 20_000), st.integers(0, 40), JUNK), min_size=1, max_size=3)


def mutated(data: bytes, cuts: list[tuple[int, int, bytes]]) -> bytes:
    for at, length, junk in cuts:
        place = at % (len(data) + 1)
        data = data[:place] + junk + data[place + length :]
    return data


def no_fault_of_ours(ask: Callable[[], object]) -> None:
    """An answer, or an error that is the file's."""
    try:
        ask()
    except Exception as error:
        assert translated(error).code != "internal", repr(error)


@pytest.fixture(autouse=True, scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CTXPACK_CACHE_DIR", str(tmp_path_factory.mktemp("cache")))
        patch.setenv("CTXPACK_NO_BACKGROUND", "1")
        yield


LINES = st.lists(st.text("ab*?[]!/\\#{}-^ .\t\0", max_size=12) | st.binary(max_size=12).map(repr), max_size=6)


@bounded
@given(lines=LINES, junk=JUNK, name=st.sampled_from([".gitignore", ".ctxpackignore", "deep/.gitignore"]))
def test_any_ignore_file_is_read(tmp_path: Path, lines: list[str], junk: bytes, name: str) -> None:
    (tmp_path / "deep").mkdir(exist_ok=True)
    for file in ("a.py", "deep/b.py", "deep/" + "a" * 200 + ".py"):
        (tmp_path / file).write_text("x = 1\n")
    (tmp_path / name).write_bytes("\n".join(lines).encode("utf-8", "surrogatepass") + b"\n" + junk)
    no_fault_of_ours(lambda: walk(tmp_path))
    (tmp_path / name).unlink()


def _task(root: Path) -> object:
    return task.answer("T02", root, files=False)


def _turn(root: Path) -> object:
    document = parsed((root / "request.json").read_bytes(), "request.json")
    return turn.answer(document, root, render=turn_text)


def _pages(root: Path) -> object:
    return pages.answer(pages.PageRequest("autolyse starter", explain=True), root)


ASKED: dict[str, Callable[[Path], object]] = {
    "graph": lambda root: graph.answer("task-1", root, {"verbose": True}, None, None),
    "task": _task,
    "turn": _turn,
    "wiki": _pages,
}
RECORDS = [
    ("graph", ".mdkg/config.json"), ("graph", ".mdkg/core/core.md"), ("graph", ".mdkg/work/task-1-store-offsets.md"),
    ("task", ".nexus/05-runtime/TASK_GRAPH.json"), ("task", ".nexus/03-index/ownership.json"),
    ("task", ".nexus/03-index/test_map.json"), ("task", ".nexus/02-architecture/modules.json"),
    ("task", ".nexus/01-governance/STATE.md"), ("turn", "request.json"), ("turn", "docs/PLAN.md"),
    ("wiki", "vault.yaml"), ("wiki", "wiki/concepts/autolyse.md"), ("wiki", "wiki/index.md"),
]  # fmt: skip


@pytest.mark.parametrize(("kind", "place"), RECORDS, ids=str)
def test_any_record_is_read_or_named(tmp_path: Path, kind: str, place: str) -> None:
    write_example(kind, str(tmp_path / "tree"))
    file = tmp_path / "tree" / place
    whole = file.read_bytes()
    ASKED[kind](tmp_path / "tree")  # as it is, it is answered

    @settings(max_examples=25, deadline=None, derandomize=True)
    @given(cuts=CUTS)
    def ask(cuts: list[tuple[int, int, bytes]]) -> None:
        file.write_bytes(mutated(whole, cuts))
        no_fault_of_ours(lambda: ASKED[kind](tmp_path / "tree"))

    ask()


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=6),
    lambda part: st.lists(part, max_size=3) | st.dictionaries(st.text(max_size=5), part, max_size=3),
    max_leaves=5,
)


@pytest.mark.parametrize(("kind", "place"), [one for one in RECORDS if one[1].endswith(".json")], ids=str)
def test_any_value_at_any_place_of_a_record_is_read_or_named(tmp_path: Path, kind: str, place: str) -> None:
    write_example(kind, str(tmp_path / "tree"))
    file = tmp_path / "tree" / place
    whole = file.read_text("utf-8")

    @settings(max_examples=30, deadline=None, derandomize=True)
    @given(steps=st.lists(st.integers(0, 9), max_size=5), value=values)
    def ask(steps: list[int], value: object) -> None:
        file.write_text(json.dumps(_replaced(json.loads(whole), steps, value)), "utf-8")
        no_fault_of_ours(lambda: ASKED[kind](tmp_path / "tree"))

    ask()


def _replaced(document: Any, steps: list[int], value: object) -> Any:
    """The document with another value where the steps lead."""
    if not steps or not isinstance(document, dict | list) or not document:
        return value
    keys = list(document) if isinstance(document, dict) else range(len(document))
    key = keys[steps[0] % len(keys)]
    document[key] = _replaced(document[key], steps[1:], value)
    return document


def test_any_damage_of_an_index_is_answered_or_named(tmp_path: Path) -> None:
    root = tmp_path / "tree"
    root.mkdir()
    for number in range(6):
        (root / f"m{number}.py").write_text(f"def store_offset_{number}(upload):\n    return upload + {number}\n")
    context_pack.open(root, index_dir=tmp_path / "whole").query("store_offset_1")
    names = sorted(
        str(file.relative_to(tmp_path / "whole")) for file in (tmp_path / "whole").rglob("*")
        if file.is_file() and "table" not in file.parts
    )  # fmt: skip

    @settings(max_examples=40, deadline=None, derandomize=True)
    @given(name=st.sampled_from(names), cuts=CUTS, short=st.booleans())
    def ask(name: str, cuts: list[tuple[int, int, bytes]], short: bool) -> None:
        shutil.rmtree(tmp_path / "home", ignore_errors=True)
        shutil.copytree(tmp_path / "whole", tmp_path / "home")
        file = tmp_path / "home" / name
        data = file.read_bytes()
        file.write_bytes(data[: cuts[0][0] % (len(data) + 1)] if short else mutated(data, cuts))
        session: list[Any] = []
        no_fault_of_ours(lambda: session.append(context_pack.open(root, index_dir=tmp_path / "home")))
        for one in session:
            no_fault_of_ours(lambda one=one: one.query("store_offset_1"))  # type: ignore[misc]

    ask()
