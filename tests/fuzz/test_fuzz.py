"""Any content of a file, a record, a request or an index: an answer or one clear error within 10 s and 1 GB."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import cases
import pytest
from hypothesis import strategies as st
from limits import Worker, fuzzed

from context_pack.cli.init import write_example

pytestmark = pytest.mark.slow

Cuts = list[tuple[int, int, bytes]]

FIXTURES = sorted((Path(__file__).parents[1] / "chunker" / "fixtures").iterdir())
SOURCES = {path.name: path.read_bytes() for path in FIXTURES}


def cuts(junk: list[bytes], most: int) -> st.SearchStrategy[Cuts]:
    """(place, number of removed bytes, inserted bytes) for at most `most` changes."""
    parts = st.sampled_from(junk) | st.binary(max_size=12)
    return st.lists(st.tuples(st.integers(0, 20_000), st.integers(0, 60), parts), min_size=1, max_size=most)


OF_SOURCES = cuts(
    [b"\0", b"{" * 2_000, b"(" * 2_000, b'"""', b"/*", b"\xff\xfe", b"\xed\xa0\x80", b"\r", b"<" * 900, b"a." * 3_000],
    4,
)
OF_RECORDS = cuts(
    [b"\0", b"[" * 2_000, b"{" * 2_000, b"9" * 5_000, b"\\ud800", b"\xed\xa0\x80", b"*" * 300, b"!", b"&a [*a]",
     b"\xff\xfe", b"\r", b'"', b"'", b": ", b"- ", b"null", b"1e999", b"../../etc/passwd", b"%YAML 9", b"---\n",
     b"&a [" + b"*a," * 40 + b"]"], 3,
)  # fmt: skip
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8) | st.sampled_from(["\0", "\ud800"]),
    lambda part: st.lists(part, max_size=3) | st.dictionaries(st.text(max_size=5), part, max_size=3),
    max_leaves=6,
)


def mutated(data: bytes, changes: Cuts) -> bytes:
    for at, length, junk in changes:
        place = at % (len(data) + 1)
        data = data[:place] + junk + data[place + length :]
    return data


@pytest.mark.parametrize("name", SOURCES)
def test_mutated_sources_are_read(worker: Worker, name: str) -> None:
    @fuzzed(40, changes=OF_SOURCES)
    def ask(changes: Cuts) -> None:
        worker.run(cases.source, name, mutated(SOURCES[name], changes))

    ask()


@fuzzed(25, changes=st.fixed_dictionaries({}, optional=dict.fromkeys(SOURCES, OF_SOURCES)).filter(bool))
def test_trees_of_mutated_sources_are_answered(worker: Worker, changes: dict[str, Cuts]) -> None:
    worker.run(cases.tree_of_sources, {name: mutated(SOURCES[name], some) for name, some in changes.items()})


LINES = st.lists(st.text("ab*?[]!/\\#{}-^ .\t\0", max_size=12) | st.binary(max_size=12).map(repr), max_size=6)


@fuzzed(
    60, lines=LINES, changes=OF_RECORDS,
    name=st.sampled_from([".gitignore", ".ctxpackignore", "deep/.gitignore", "deep/.ctxpackignore"]),
)  # fmt: skip
def test_any_ignore_file_is_read(worker: Worker, lines: list[str], changes: Cuts, name: str) -> None:
    data = "\n".join([*lines, "*a*a*a*b", "**/deep/**/x"]).encode("utf-8", "surrogatepass")
    worker.run(cases.ignore_file, name, mutated(data, changes))


SETTINGS = {
    "ctxpack.toml": b'limit = 5\nmax_chars = 9000\ninclude = ["src/*"]\n',
    "pyproject.toml": b'[project]\nname = "x"\n[tool.ctxpack]\nlimit = 5\nexclude = ["a", "b"]\n',
}


@fuzzed(
    120, name=st.sampled_from(sorted(SETTINGS)), changes=OF_RECORDS,
    text=st.none() | st.text(max_size=60)
    | st.sampled_from(["[" * 50_000, "a = " + "9" * 6_000, "limit = nan", "include = [1e999]"]),
)  # fmt: skip
def test_any_settings_are_taken_or_named(worker: Worker, name: str, changes: Cuts, text: str | None) -> None:
    data = mutated(SETTINGS[name], changes) if text is None else text.encode("utf-8", "surrogatepass")
    worker.run(cases.settings_file, name, data)


# JSON and YAML; the heads of Markdown records are YAML, and so is vault.yaml.
RECORDS = [
    ("graph", ".mdkg/config.json"), ("graph", ".mdkg/core/core.md"), ("graph", ".mdkg/work/task-1-store-offsets.md"),
    ("task", ".nexus/05-runtime/TASK_GRAPH.json"), ("task", ".nexus/03-index/ownership.json"),
    ("task", ".nexus/03-index/test_map.json"), ("task", ".nexus/02-architecture/modules.json"),
    ("task", ".nexus/01-governance/STATE.md"), ("turn", "request.json"), ("turn", "docs/PLAN.md"),
    ("wiki", "vault.yaml"), ("wiki", "wiki/concepts/autolyse.md"), ("wiki", "wiki/index.md"),
]  # fmt: skip


@pytest.fixture(scope="session")
def records(tmp_path_factory: pytest.TempPathFactory) -> dict[tuple[str, str], bytes]:
    folder = tmp_path_factory.mktemp("records")
    for kind in cases.RECIPES:
        write_example(kind, str(folder / kind))
    return {(kind, place): (folder / kind / place).read_bytes() for kind, place in RECORDS}


@pytest.mark.parametrize(("kind", "place"), RECORDS, ids=str)
def test_any_record_is_read_or_named(
    worker: Worker, records: dict[tuple[str, str], bytes], kind: str, place: str
) -> None:
    @fuzzed(30, changes=OF_RECORDS)
    def ask(changes: Cuts) -> None:
        worker.run(cases.record, kind, place, mutated(records[kind, place], changes))

    ask()


@pytest.mark.parametrize(("kind", "place"), [one for one in RECORDS if one[1].endswith(".json")], ids=str)
def test_any_value_at_any_place_of_a_record_is_read_or_named(
    worker: Worker, records: dict[tuple[str, str], bytes], kind: str, place: str
) -> None:
    @fuzzed(30, steps=st.lists(st.integers(0, 9), max_size=5), value=VALUES)
    def ask(steps: list[int], value: object) -> None:
        document = _replaced(json.loads(records[kind, place]), steps, value)
        worker.run(cases.record, kind, place, json.dumps(document).encode("ascii"))

    ask()


def _replaced(document: Any, steps: list[int], value: object) -> Any:
    """The document with another value at the end of the steps."""
    if not steps or not isinstance(document, dict | list) or not document:
        return value
    keys = list(document) if isinstance(document, dict) else range(len(document))
    key = keys[steps[0] % len(keys)]
    document[key] = _replaced(document[key], steps[1:], value)
    return document


ARGUMENTS = "query target pattern limit max_chars include format related_mode edges depth have explain x".split()
REQUESTS = st.fixed_dictionaries({}, optional={
    "id": VALUES, "action": st.sampled_from(["query", "search", "related", "symbols", "status", ""]) | VALUES,
    "args": st.dictionaries(st.sampled_from(ARGUMENTS), VALUES),
})  # fmt: skip
LINE = b'{"id": 7, "action": "query", "args": {"query": "store_offset_1", "max_chars": 900, "include": ["m*"]}}'


@fuzzed(80, request=REQUESTS, changes=st.none() | OF_RECORDS)
def test_any_request_of_a_batch_gets_one_answer(worker: Worker, request: object, changes: Cuts | None) -> None:
    line = json.dumps(request).encode("ascii") if changes is None else mutated(LINE, changes).replace(b"\n", b" ")
    worker.run(cases.batch_line, line)


DAMAGES = ["flipped", "one bit", "zeroed", "taken out", "doubled", "cut off"]


DAMAGE = {
    "number": st.integers(0, 999), "damage": st.sampled_from(DAMAGES), "at": st.integers(0, 20_000),
    "length": st.sampled_from([1, 8, 64, 512, 4_096]),
}  # fmt: skip


@fuzzed(80, **DAMAGE)
def test_any_damage_of_an_index_changes_no_answer(
    worker: Worker, number: int, damage: str, at: int, length: int
) -> None:
    worker.run(cases.index_file, number, damage, at, length)
