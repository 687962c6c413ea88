"""The order of a pack: signals of chunks and of their surroundings, points, reasons, order, grades."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from benchmarks.research.ranker.passages import passages_of
from chunker.kinds import KINDS
from index import build_index, open_index
from index.collection.collection import Collection
from index.search.passages import rank_passages
from index.search.query import parse_query
from index.search.ranker import MOST_SPREADS, Ranker, Table, Weight, parts, shipped_ranker
from index.search.searcher import (
    Passages,
    Searcher,
    candidate_files,
)
from index.search.signals import Values
from index.search.signals import pool as pool_module
from index.search.signals.files import Measurement
from index.search.signals.pool import AROUND_SIGNALS, OWN_SIGNALS, Pool, PoolMeasurement, Surroundings
from index.segment.columns import Array
from index.types import Filters, First, Order, Scored
from tests.index.conftest import Keeper, WriteTree

LINES = "".join(f"        page_{number} = self.pages.get({number}, default_page)\n" for number in range(18))
# In the order of the index: Guide 0, show_page 1, write_page 2, imports 3, Engine 4 with flush 5 and checkpoint 6,
# long_report in three parts 7 8 9, imports 10, test_flush 11. Imports are not shown.
TREE = {
    "docs/guide.md": "# Guide\n\nHow to flush the page.\n",
    "examples/demo.py": "def show_page(page):\n    print(page)\n",
    "store/disk.py": "def write_page(page):\n    return open(page)\n",
    "store/engine.py": (
        "from store.disk import write_page\n\n\nclass Engine:\n    pages = {}\n\n"
        f"    def flush(self):\n{LINES}        write_page(self.pages)\n\n"
        f"    def checkpoint(self):\n{LINES}        return self.flush()\n"
    ),
    "store/long.py": "def long_report(rows):\n"
    + "".join(f"    row_{number} = rows.pop()  # unit {number} of a report that is long\n" for number in range(40))
    + "    return rows\n",
    "tests/test_engine.py": "from store.engine import Engine\n\n\ndef test_flush():\n    Engine().flush()\n",
}
SHOWN = [0, 1, 2, 4, 5, 6, 7, 8, 9, 11]
LONG = "flush page of the pages with disk file wal log buffer cache manager writer"  # too long to be a topic
QUERIES = ("flush page", "write a page to disk", "long report of rows", "how is the engine tested", "guide")
NONE = -12.0  # value of a missing neighbour
NO_MASS = -6.9078  # log 0.001
ORDERS: tuple[Order, ...] = ("files", "lines")


class Engine:
    """The index of a tree, and the signals of its chunks for `flush page` with `flush` at half weight."""

    def __init__(self, keeper: Keeper, root: Path) -> None:
        snapshot, _ = keeper.refresh(root)
        self.collection = Collection(snapshot)
        self.embedder = keeper.embedder

    def pool(self, text: str = "flush page") -> Pool:
        measured = Measurement(self.collection, parse_query(text), None)
        files = np.arange(len(self.collection.files))
        return Pool.of(measured, files, -files.astype(float), lambda chunks: np.zeros(len(chunks)))

    def own(
        self, dense: Array | None = None, vector: Array | None = None, second: Array | None = None
    ) -> Values[Array]:
        measured = Measurement(self.collection, parse_query("flush page"), vector, second=second)
        measured.chunk["dense"] = np.zeros(len(self.collection.chunks), np.float32) if dense is None else dense
        pool = self.pool()
        return Values(OWN_SIGNALS, PoolMeasurement(measured, pool, {"flush": 0.5}), len(pool.chunks))

    def passages(self, text: str, ranker: Ranker, files: Array | None = None, first: First = "") -> Passages:
        query = parse_query(text)
        vector = self.embedder.embed_query(query.text, self.collection.lexical.idf_of)
        measured = Measurement(self.collection, query, vector)
        chosen = candidate_files(measured, np.ones(len(self.collection.files), bool)) if files is None else files
        points = parts(ranker.file, measured.file, chosen).sum(axis=0)
        return rank_passages(ranker, measured, chosen, points, first)

    def hits(self, text: str, order: Order = "lines", top_k: int = 20, filters: Filters | None = None) -> list[Scored]:
        searcher = Searcher(self.collection, self.embedder, shipped_ranker())
        return searcher.search(text, top_k, filters or Filters(), order)

    def files(self, hits: list[Scored]) -> list[str]:
        paths = self.collection.snapshot.strings("file.path")
        return [paths[int(self.collection.chunks.file[hit.chunk])] for hit in hits]


@pytest.fixture
def engine(write_tree: WriteTree, keeper: Keeper) -> Engine:
    return Engine(keeper, write_tree(TREE))


OWN = {  # chunks 0 1 2 4 5 6 7 8 9 11
    "file_gap": [0, 1, 2, 3, 3, 3, 4, 4, 4, 5],
    "match": [1.1667, 0.3333, 0.3333, 0.3333, 1.1667, 1.1667, -1.3333, -1.3333, -1.3333, -0.5],
    "match_gap": [0, 0.5, 0.5, 0.5, 0, 0, 1.5, 1.5, 1.5, 1],
    "match_names": [0, 1, 1, 0, 0.5, 0, 0, 0, 0, 0.5],
    "match_around": [1, 0.6667, 0.6667, 1, 1, 1, 0, 0, 0, 0.3333],
    "dense_symbol": [0] * 10,
    "dense_beside": [0] * 10,
    "dense_place": [0, 0, 0, 0, 1, 2, 0, 1, 2, 0],
    "feedback": [0] * 10,
    "branches": [0] * 10,
    "density": [2, 2.5, 3, 1.5, 5.7, 5.7, 146 / 14, 11, 145 / 14, 2],
    "called_by": np.log1p([0, 0, 1, 1, 3, 1, 0, 0, 0, 0]),  # by the number of its callers, users and containers
    "test": [0, 0, 0, 0, 0, 0, 0, 0, 0, 1],
    "in_tests": [0] * 10,
    "transformer": [0] * 10,
}


def test_what_is_measured_of_a_chunk_itself(engine: Engine) -> None:
    own = engine.own()
    assert set(OWN) | {"kind"} == set(OWN_SIGNALS)
    assert {name: np.round(own[name].astype(float), 4).tolist() for name in OWN} == {
        name: np.round(np.array(values, float), 4).tolist() for name, values in OWN.items()
    }
    kinds = own["kind"].tolist()
    assert kinds[1] == kinds[2] == kinds[9] and kinds[4] == kinds[5], "functions; methods"
    assert len({kinds[0], kinds[1], kinds[3], kinds[4]}) == 4, "a section, a function, a class, a method"


def test_a_test_in_the_file_that_it_tests_counts_as_one_unless_asked_for(write_tree: WriteTree, keeper: Keeper) -> None:
    macro = "    check! {\n        flush, 1\n    }\n"  # no symbol
    rust = (
        "pub fn flush() {}\n\nmod tests {\n    use super::*;\n\n    fn flushes() {\n        flush();\n    }\n\n"
        f"{macro * 80}}}\n"
    )
    engine = Engine(keeper, write_tree({"disk.rs": rust, "testing.rs": "pub fn tested() {}\n"}))
    symbols = engine.collection.chunks.symbol
    names = ["", *engine.collection.snapshot.segment.names]
    for text, expected in (("flush", {"tests", "tests.flushes", ""}), ("test of flush", set())):
        pool = engine.pool(text)
        measured = PoolMeasurement(Measurement(engine.collection, parse_query(text), None), pool, {})
        within = pool.chunks[OWN_SIGNALS["in_tests"].measure(measured) == 1]
        assert {names[symbol + 1] for symbol in symbols[within]} == expected


def test_a_configuration_answers_a_question_about_a_setting(engine: Engine) -> None:
    pool = engine.pool()
    for text, kinds in (("flush page", {"section", "function", "class", "method"}), ("port of the page", {KINDS[0]})):
        measured = PoolMeasurement(Measurement(engine.collection, parse_query(text), None), pool, {})
        assert {KINDS[int(kind)] for kind in OWN_SIGNALS["kind"].measure(measured)} == kinds


def test_meaning_counts_for_the_symbol_and_for_the_chunks_beside(engine: Engine) -> None:
    own = engine.own(dense=np.array([3, 1, 2, 9, 0.5, 2.5, 1.5, 4, 6, 5, 9, -1], np.float32))
    assert own["dense_symbol"].tolist() == [3, 1, 2, 0.5, 2.5, 1.5, 6, 6, 6, -1]
    assert own["dense_beside"].tolist() == [0, 0, 0, 2.5, 1.5, 2.5, 6, 5, 6, 0], "not by what is not shown"
    assert own["dense_place"].tolist() == [0, 0, 0, 2, 0, 1, 2, 0, 1, 0]


def test_the_best_chunks_give_feedback(engine: Engine) -> None:
    vectors = np.zeros((len(engine.collection.chunks), 2), np.float32)
    vectors[:, 0] = 1
    vectors[8] = [0, 1]  # unlike all others, and not among the six best at first
    engine.collection.vectors = vectors
    own = engine.own(vector=np.array([1, 0], np.float32))
    assert own["feedback"].tolist() == [0.3333] * 7 + [-3.0] + [0.3333] * 2  # nine of ten at 1: mean 0.9, deviation 0.3
    assert not engine.own(vector=np.ones(3, np.float32))["feedback"].any(), "a vector of another model says nothing"


def test_branches_are_counted_by_the_words_that_begin_them(write_tree: WriteTree, keeper: Keeper) -> None:
    tree = {
        "store/plain.py": "def flush(page):\n    return page.data\n",
        "store/choice.py": "def flush(page):\n    if page:\n        return 1\n    elif page is None:\n        pass\n",
        "store/match.rb": "def flush(page)\n  return unless page\n\n  case page\n  when 1 then 2\n  end\nend\n",
        "store/words.py": "def flush(page):\n    matched = page.data\n    return page.is_if(matched)\n",
    }
    engine = Engine(keeper, write_tree(tree))
    paths = engine.collection.snapshot.strings("file.path")
    files = [paths[int(file)] for file in engine.pool().file]
    branches = dict(zip(files, engine.own()["branches"].tolist(), strict=True))
    # Terms are stems of words and of parts of names: `matched` twice, `is_if`.
    assert branches == {"store/plain.py": 0, "store/choice.py": 2, "store/match.rb": 3, "store/words.py": 3}


def test_a_transformer_counts_for_chunks_with_its_vectors(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    read = np.zeros(len(engine.collection.chunks), np.float32)
    read[[0, 5, 6, 11]] = [3, 1, 1, 3]
    assert not engine.own(second=read)["transformer"].any(), "four chunks do not say what is usual"
    monkeypatch.setattr(pool_module, "MIN_COVERED", 4)
    assert engine.own(second=read)["transformer"].tolist() == [1, 0, 0, 0, -1, -1, 0, 0, 0, 1]


def _log(*gaps: float) -> float:
    return float(np.log(sum(np.exp(gaps)) + 0.001))


def _around(engine: Engine, points: Array) -> Values[Array]:
    return Values(AROUND_SIGNALS, Surroundings(engine.collection, engine.pool(), points), len(points))


def test_what_is_measured_around_a_chunk(engine: Engine) -> None:
    points = -np.arange(10.0)  # of the shown chunks in order: Guide 0, show_page -1, ... test_flush -9
    around = _around(engine, points)
    expected = {
        "beside": [NONE, NONE, NONE, -4, -3, -4, -7, -6, -7, NONE],
        "beyond": [NONE, NONE, NONE, -5, NONE, -3, -8, NONE, -6, NONE],
        "others_in_file": [
            *[NO_MASS] * 3, _log(-4, -5), _log(-3, -5), _log(-3, -4), _log(-7, -8), _log(-6, -8), _log(-6, -7), NO_MASS
        ],
        "container": [NONE] * 4 + [-3, -3] + [NONE] * 4,
        "folder": [_log(0), _log(-1), *[_log(-2, -3, -4, -5, -6, -7, -8)] * 7, _log(-9)],
        "linked_file": [NONE, NONE, -3, -2, -2, -2, NONE, NONE, NONE, -3],  # disk, engine and its test
        "callee": [*[NONE] * 4, -2, -4, NONE, NONE, NONE, -3],  # flush: write_page; checkpoint: flush; test: Engine
        "callees": [*[NO_MASS] * 4, _log(-2), _log(-4), *[NO_MASS] * 3, _log(-3, -4)],
        "caller": [NONE, NONE, -4, -9, -5, *[NONE] * 5],
        "callers": [NO_MASS, NO_MASS, _log(-4), _log(-9), _log(-5, -9), *[NO_MASS] * 5],
    }  # fmt: skip
    assert set(expected) == set(AROUND_SIGNALS)
    for name, values in expected.items():
        assert around[name] == pytest.approx(values, abs=1e-4), name


def test_gaps_are_counted_from_the_best_chunk(engine: Engine) -> None:
    low, high = (_around(engine, top - np.arange(10.0)) for top in (0.0, 7.0))
    for name in AROUND_SIGNALS:
        assert low[name].tolist() == high[name].tolist()


def _without(tables: tuple[Table, ...], name: str) -> tuple[Table, ...]:
    return tuple(replace(table, points=table.points * 0) if table.name == name else table for table in tables)


@pytest.mark.parametrize("level", ["own", "around"])
def test_every_table_of_the_ranker_counts(engine: Engine, level: str) -> None:
    ranker = shipped_ranker()
    tables: tuple[Table, ...] = getattr(ranker, level)
    assert tables
    points = [engine.passages(query, ranker).points for query in QUERIES]
    for table in tables:
        if table.name in ("transformer", "in_tests"):  # no transformer vectors here, no tests beside their code
            continue
        lesser = replace(ranker, **{level: _without(tables, table.name)})  # type: ignore[arg-type]
        found = [engine.passages(query, lesser).points for query in QUERIES]
        assert any((one != other).any() for one, other in zip(points, found, strict=True)), table.name


def test_every_weight_of_evidence_counts(engine: Engine) -> None:
    ranker = shipped_ranker()
    evidence = [passages_of(engine.collection, engine.embedder, ranker, query)[1].evidence for query in QUERIES]
    for name in ranker.evidence:
        lesser = replace(ranker, evidence={one: ranker.evidence[one] for one in ranker.evidence if one != name})
        assert any(lesser.evidence_points(one) != ranker.evidence_points(one) for one in evidence), name


def test_a_weight_counts_spreads_up_to_three() -> None:
    weight = Weight(usual=10.0, spread=2.0, points=0.5)
    assert [weight.of(value) for value in (10.0, 11.0, 6.0, 99.0, -99.0)] == [0.0, 0.25, -1.0, 1.5, -1.5]


def test_evidence_is_shares_of_the_words(engine: Engine) -> None:
    evidence = passages_of(engine.collection, engine.embedder, Ranker((), (), 0.0, ()), "flush zyzzyva")[1].evidence
    assert (evidence["match"], evidence["names"], evidence["terms"]) == (0.5, 0.5, 2.0)


def test_reasons_add_up_to_the_points(engine: Engine) -> None:
    for query in QUERIES:
        hits = [hit for hit in engine.hits(query) if hit.score < 0.5]
        assert hits
        for hit in hits:
            assert hit.points == pytest.approx(sum(why.points for why in hit.why), abs=0.003)
            assert {why.name.partition(".")[0] for why in hit.why} <= {"own", "around", "topic", "again_in_file"}


def test_points_are_the_sum_of_both_sets_of_tables(engine: Engine) -> None:
    found = engine.passages(LONG, shipped_ranker())
    total = found.own_parts.sum(axis=0) + found.around_parts.sum(axis=0)
    assert found.points == pytest.approx(total, abs=1e-4)


def test_every_symbol_comes_once_by_its_best_part(engine: Engine) -> None:
    second = Table("density", np.array([10.5], np.float32), np.array([0.0, 5.0]))  # eleven words a line
    found = engine.passages(f"long report {LONG}", replace(shipped_ranker(), own=(second,), around=()))
    chunks = found.pool.chunks[found.order].tolist()
    assert chunks == [8, 0, 1, 2, 4, 5, 6, 11], "once, by its second part; the others equal, in the order of chunks"


def test_ties_are_in_the_order_of_chunks(engine: Engine) -> None:
    found = engine.passages(LONG, Ranker((), (), 0.0, ()))
    assert not found.points.any()
    assert found.pool.chunks.tolist() == SHOWN
    assert found.pool.chunks[found.order].tolist() == [0, 1, 2, 4, 5, 6, 7, 11]


def test_documents_come_first_on_request(engine: Engine) -> None:
    code_first = Table("kind", np.array([KINDS.index("section")], np.float32), np.array([5.0, 0.0]))
    ranker = replace(shipped_ranker(), own=(code_first,), around=())
    firsts: tuple[First, ...] = ("", "documents")
    query = "how to flush the page in the guide"
    orders = [engine.passages(query, ranker, first=first).order.tolist() for first in firsts]
    assert orders[0] == [*orders[1][1:], 0] and orders[1][0] == 0
    others = [engine.passages(LONG, ranker, first=first).order.tolist() for first in firsts]
    assert others[0] == others[1], "the guide has nothing of this"
    hits = engine.hits("flush page", filters=Filters(docs="first"))
    assert engine.files(hits)[0] == "docs/guide.md"


@pytest.mark.parametrize(
    ("filters", "allowed"),
    [
        (Filters(include=("tests/**",)), {"tests/test_engine.py"}),
        (Filters(exclude=("store/",)), {"tests/test_engine.py", "examples/demo.py", "docs/guide.md"}),
        (Filters(languages=("markdown",)), {"docs/guide.md"}),
        (Filters(docs="skip"), set(TREE) - {"docs/guide.md"}),
        (Filters(include=("nowhere/**",)), set()),
    ],
)
def test_filters_come_before_the_order(engine: Engine, filters: Filters, allowed: set[str]) -> None:
    found = set(engine.files(engine.hits("flush page", filters=filters)))
    assert found <= allowed and bool(found) == bool(allowed)


def test_unknown_words_find_nothing(engine: Engine) -> None:
    assert engine.hits("zyzzyva quux") == []
    found = engine.passages("zyzzyva quux", shipped_ranker())
    assert not found.own["match"].any() and not found.own["match_names"].any()
    assert np.isfinite(found.points).all() and len(found.points) == len(SHOWN)


def test_no_files_give_an_empty_order(engine: Engine) -> None:
    found = engine.passages("flush page", shipped_ranker(), np.zeros(0, np.int64))
    assert not len(found.order)
    assert [found.evidence[name] for name in ("match", "names")] == [0.0] * 2


def test_by_files_different_files_come_first_and_by_lines_what_answers(write_tree: WriteTree, keeper: Keeper) -> None:
    store = "\n\n".join(f"def flush_page_{number}(page):\n    return flush(page, {number})" for number in range(4))
    engine = Engine(keeper, write_tree({**TREE, "store/flush_page.py": f"{store}\n"}))
    names = Table("match_names", np.array([1.5], np.float32), np.array([0.0, 1.0]))
    ranker = replace(shipped_ranker(), own=(names,), around=(), repeat=(99.0,))
    searcher = Searcher(engine.collection, engine.embedder, ranker)
    by_files, by_lines = (engine.files(searcher.search(LONG, 4, Filters(), order)) for order in ORDERS)
    assert by_lines == ["store/flush_page.py"] * 4
    assert len(set(by_files)) == 4


def test_a_name_that_exists_comes_first_in_either_order(engine: Engine) -> None:
    for order in ORDERS:
        hits = engine.hits("write_page", order)
        assert (hits[0].chunk, hits[0].score) == (2, 1.0)
        assert [hit.chunk for hit in hits].count(2) == 1 and all(hit.score < 0.5 for hit in hits[1:])


def test_fewer_hits_are_the_beginning_of_more(engine: Engine) -> None:
    assert engine.hits("flush page", top_k=3) == engine.hits("flush page", top_k=20)[:3]


@pytest.mark.parametrize("level", ["file", "chunk", "own", "around", "evidence"])
def test_a_ranker_of_unknown_signals_is_refused(level: str) -> None:
    document = {"bias": 0.0, "repeat": [], level: {"moon_phase": {"edges": [0.5], "points": [0.0, 1.0]}}}
    with pytest.raises(ValueError, match=f"points of {level} for what is not measured: moon_phase"):
        Ranker.from_document(document)


def _grader(points: float) -> Ranker:
    """A ranker whose evidence is always the same: strong from 2, weak from 1."""
    weight = Weight(usual=-99.0, spread=1.0, points=points / MOST_SPREADS)
    return Ranker((), (), 0.0, (), evidence={"terms": weight}, strong=2.0, weak=1.0)


HIT = Scored(1, 0.4, 1.0, lambda: ())


@pytest.mark.parametrize(
    ("points", "confidence"), [(2.5, "strong"), (2.0, "strong"), (1.9999, "weak"), (1.0, "weak"), (0.9999, "none")]
)
def test_evidence_decides_the_grade(points: float, confidence: str) -> None:
    grade = _grader(points).grade({"terms": 1.0, "match": 0.5}, [], [HIT])
    assert grade.confidence == confidence
    assert "matches 50% of the query's words" in grade.reason and f"evidence {points:g}" in grade.reason


def test_an_exact_hit_is_strong_and_an_answer_without_evidence_is_none() -> None:
    assert _grader(-9).grade({"terms": 0.0, "match": 0.0}, [HIT], [HIT]).confidence == "strong"
    assert _grader(9).grade({"terms": 1.0, "match": 1.0}, [], []).confidence == "none"


def test_a_searcher_grades_its_questions(engine: Engine) -> None:
    searcher = Searcher(engine.collection, engine.embedder, replace(_grader(1.5), own=shipped_ranker().own))
    questions = [searcher.question(text, Filters()) for text in ("write_page", "flush the page", "zyzzyva quux")]
    assert [one.grade.confidence for one in questions] == ["strong", "weak", "none"]
    elsewhere = searcher.question("write_page", Filters(("docs/**",)))
    assert elsewhere.grade.confidence != "strong", "where it may be, it is not"


def test_only_a_pack_for_a_topic_is_not_ordered_by_lines_alone(engine: Engine) -> None:
    searcher = Searcher(engine.collection, engine.embedder, shipped_ranker())

    def order_of(text: str, order: Order) -> list[int]:
        return [one.chunk for one in searcher.search(text, 9, Filters(), order)]

    assert sorted(order_of("flush page", "pack")) == sorted(order_of("flush page", "files"))
    for question in ("Where does it flush a page?", LONG):
        assert order_of(question, "pack") == order_of(question, "lines") != order_of(question, "files")
    assert order_of("zyzzyva quux", "pack") == []


@pytest.mark.parametrize("topic", ["flush page", "how each page of the disk store is flushed"])
def test_in_a_pack_for_a_topic_other_files_come_earlier_than_by_lines(
    keeper: Keeper, write_tree: WriteTree, monkeypatch: pytest.MonkeyPatch, topic: str
) -> None:
    """One file has nearly all the words; each other one begins with its best place by lines. The test comes last."""
    many = "".join(
        f"def flush_page_{number}(disk, store):\n    return disk.flush(store.page)\n\n\n" for number in range(9)
    )
    others = {f"{name}.py": f"class {name.title()}:\n    size = 1\n\n    def page(self):\n        return self.flush\n"
              for name in ("cart", "menu", "shop")}  # fmt: skip
    test = "def test_flush_page(disk, store):\n    assert flush_page(disk, store)\n"
    collection = Collection(keeper.refresh(write_tree({"disk.py": many, **others, "tests/test_disk.py": test}))[0])
    searcher = Searcher(collection, keeper.embedder, shipped_ranker())

    def order_of(order: Order) -> tuple[list[int], list[str]]:
        chunks = [one.chunk for one in searcher.search(topic, 30, Filters(), order)]
        return chunks, [collection.files.paths[number] for number in collection.chunks.file[chunks]]

    (by_lines, paths_by_lines), (pack, paths) = order_of("lines"), order_of("pack")
    assert sorted(pack) == sorted(by_lines)
    assert (paths[0], paths[-1]) == ("disk.py", "tests/test_disk.py")
    for path in others:
        place, place_by_lines = paths.index(path), paths_by_lines.index(path)
        assert place < place_by_lines
        assert pack[place] == by_lines[place_by_lines]
    hits = searcher.search(topic, 30, Filters(), "pack")
    scores = [one.score for one in hits]
    assert scores == sorted(scores, reverse=True)
    assert all(one.points == pytest.approx(sum(why.points for why in one.why)) for one in hits)
    assert [any(why.name == "new_file" for why in one.why) for one in hits] == [
        path not in paths[:place] for place, path in enumerate(paths)
    ]
    for gain in ("NEW_FILE_OF_CONCEPT", "NEW_FILE_OF_TOPIC"):
        monkeypatch.setattr(f"index.search.searcher.{gain}", 0.0)
    assert order_of("pack")[0] == sorted(by_lines, key=lambda chunk: chunk == pack[-1])


def test_a_function_includes_its_nested_functions(tmp_path: Path) -> None:
    """It is one item, from its signature to its last line; members of a class stay separate."""
    body = "\n".join(f"    total_{line} = first_{line} + second_{line}" for line in range(60))
    nested = "\n".join(f"        inner_{line} = total_{line}" for line in range(60))
    text = f"def outer():\n{body}\n\n    def inner():\n{nested}\n        return inner_1\n\n{body}\n    return inner\n"
    (tmp_path / "a.py").write_text(text)
    build_index(tmp_path, home=tmp_path / "home", model="embedded")
    index = open_index(tmp_path, home=tmp_path / "home", model="embedded")
    chunks = [index.chunk(number) for number in index.chunks_of_file("a.py")]
    assert len({chunk.symbol for chunk in chunks}) == 2
    for number, chunk in zip(index.chunks_of_file("a.py"), chunks, strict=True):
        parts = index.parts(number)
        lines = (index.extent(parts[0], parts[-1]).start_line, index.extent(parts[0], parts[-1]).end_line)
        assert (lines == (1, text.count("\n"))) == (chunk.symbol == "outer"), chunk


@pytest.mark.parametrize(
    ("topic", "first"),
    [("flush page", ".md"), ("how each page of the disk store is flushed", ".md"), ("tests for flush page", "test_")],
)
def test_documents_or_tests_that_come_first_do_so_in_a_pack_for_a_topic(
    keeper: Keeper, write_tree: WriteTree, topic: str, first: str
) -> None:
    page = "".join(f"## Flush {number}\n\nHow each page of the disk store is flushed.\n\n" for number in range(9))
    tests = "".join(f"def test_flush_page_{number}(disk, store):\n    assert store.page\n\n\n" for number in range(9))
    code = {f"{name}.py": "def flush(page):\n    return page\n" for name in ("cart", "menu", "shop")}
    keeper.refresh(root := write_tree({"page.md": page, "test_page.py": tests, **code}))
    collection = Collection(keeper.refresh(root)[0])
    filters = Filters(docs="first" if first == ".md" else "")
    hits = Searcher(collection, keeper.embedder, shipped_ranker()).search(topic, 30, filters, "pack")
    paths = [collection.files.paths[collection.chunks.file[one.chunk]] for one in hits]
    wanted = [first in path for path in paths]
    assert all(wanted[:8]) and not all(wanted)
