"""A refreshed index answers like a fresh one: both no longer know words and names that an edit removed."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from benchmarks.research.ranker.passages import passages_of
from index import Index, build_index, open_index
from index.search.query import parse_query
from index.search.ranker import EVIDENCE_SIGNALS, named, shipped_ranker
from index.tree import walk

VERBS = "upload parse render resolve allocate flatten".split()
NOUNS = "Ledger Gasket Turbine Cursor Beacon Pallet".split()


def _write(root: Path, number: int, verb: str, noun: str) -> None:
    (root / f"part_{number}.py").write_text(
        f"class {noun}Box{number}:\n    '''Keeps one {noun.lower()}.'''\n\n"
        f"    def {verb}{noun}{number}(self, value):\n        return value + {number}\n"
    )


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    root = tmp_path / "tree"
    root.mkdir()
    for number in range(12):
        _write(root, number, VERBS[number % 6], NOUNS[(number * 5) % 6])
    return root


def _shown(index: Index, query: str) -> tuple[object, ...]:
    hits = index.search(query, order="lines")
    assert index.embedder is not None
    evidence = passages_of(index.collection, index.embedder, shipped_ranker(), query)[1].evidence
    return [(index.chunk(hit.chunk).id, hit.score, hit.why) for hit in hits], [
        evidence[name] for name in EVIDENCE_SIGNALS
    ]


def test_a_renamed_function_is_unknown(tree: Path, tmp_path: Path) -> None:
    build_index(tree, home=tmp_path / "home")
    old = tree / "part_3.py"
    name = f"{VERBS[3]}{NOUNS[3]}3"
    assert name in old.read_text()
    old.write_text(old.read_text().replace(name, "settleInvoice3"))
    refreshed, fresh = open_index(tree, home=tmp_path / "home"), build_index(tree, home=tmp_path / "fresh")
    assert refreshed.collection.lexical.numbers_of([name.lower()]) != [-1], "its vocabulary still has the word"
    for query in (name, f"what does {name} do", f"{name}()", f"where is {name} called"):
        assert _shown(refreshed, query) == _shown(fresh, query)


def test_a_name_that_is_only_used_is_not_defined(tree: Path, tmp_path: Path) -> None:
    (tree / "caller.py").write_text("from elsewhere import drain_all\n\n\ndef run():\n    return drain_all()\n")
    index = build_index(tree, home=tmp_path / "home")
    names = (f"{VERBS[3]}{NOUNS[3]}3", "drain_all", "drain_most")
    assert [named(index.collection, parse_query(f"what is {name}")) for name in names] == [2.0, 1.0, -1.0]


@pytest.mark.parametrize("seed", range(4))
def test_random_edits_leave_no_old_words(tree: Path, tmp_path: Path, seed: int) -> None:
    source = random.Random(seed)
    build_index(tree, home=tmp_path / "home")
    gone = []
    for _ in range(3):
        for number in source.sample(range(12), 4):
            text = (tree / f"part_{number}.py").read_text()
            gone.append(text.split("def ")[1].split("(")[0])
            _write(tree, number, source.choice(VERBS), source.choice(["Anvil", "Orchid", "Quartz", *NOUNS]))
        refreshed = open_index(tree, home=tmp_path / "home")
    fresh = build_index(tree, home=tmp_path / "fresh")
    for query in [*gone, *(f"{noun} box value" for noun in NOUNS), "keeps one turbine", "gasket"]:
        assert _shown(refreshed, query) == _shown(fresh, query), query


def _large(tree: Path) -> None:
    for number in range(12, 600):
        _write(tree, number, VERBS[number % 6], NOUNS[(number * 5) % 6])


def test_a_first_index_in_steps_answers_like_one_that_is_made_at_once(tree: Path, tmp_path: Path) -> None:
    _large(tree)
    sizes = []

    def published(stage: str, done: int, total: int) -> None:
        if (stage, done) == ("publish", 1):
            sizes.append(open_index(tree, home=tmp_path / "home", refresh=False).files)

    stepped = open_index(tree, home=tmp_path / "home", in_steps=True, progress=published)
    fresh = build_index(tree, home=tmp_path / "fresh")
    assert sizes == [120, 600], "every fifth file first"
    for query in ("renderTurbine14", "what keeps one gasket", "where is a pallet resolved"):
        assert _shown(stepped, query) == _shown(fresh, query)


def test_a_part_of_a_tree_takes_nothing_from_what_another_has_published(
    tree: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another process indexed the whole tree while this one was scanning it."""
    _large(tree)
    look = walk.walk

    def then_another_publishes(*arguments: Any, **options: Any) -> walk.Walk:
        monkeypatch.undo()
        seen = look(*arguments, **options)
        build_index(tree, home=tmp_path / "home")
        return seen

    monkeypatch.setattr(walk, "walk", then_another_publishes)
    index = open_index(tree, home=tmp_path / "home", in_steps=True)
    assert (index.files, index.generation) == (600, 1)
