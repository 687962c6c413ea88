"""Each signal of files, chunks and questions against a value computed by hand; for those of packs see test_passages.

The collection is six files of eight chunks: `docs/guide.md` 0, `engine/core.py` 1, `gen/page_pb2.py` 2,
`store/__init__.py` 3 (its import) and 4, `store/flush_page.py` 5, `tests/test_flush_page.py` 6 (its import) and 7.
"""

from __future__ import annotations

import gc
from math import log
from weakref import ref

import numpy as np
import pytest

from index.collection.collection import Collection
from index.search.query import parse_query
from index.search.ranker import EVIDENCE_SIGNALS, SIGNALS, Evidence, shipped_ranker
from index.search.signals import Values
from index.search.signals.files import CHUNK_SIGNALS, FILE_SIGNALS, Measurement
from index.search.signals.pool import Pool, PoolMeasurement
from index.segment.builder import is_generated
from tests.clock import within
from tests.index.conftest import Keeper, WriteTree

TREE = {
    "docs/guide.md": "# Engine\n\nAbout engines.\n",
    "engine/core.py": "class Engine:\n    pass\n",
    "gen/page_pb2.py": "page = 1\n",
    "store/__init__.py": "from store.flush_page import flush_page\n\nnothing = flush_page\n",
    "store/flush_page.py": 'def flush_page(page):\n    """Flush a page."""\n    return page\n',
    "tests/test_flush_page.py": "from store.flush_page import flush_page\n\ndef test_it():\n    return flush_page(1)\n",
}
QUERY = "flush page Engine zy_z"  # its terms: flush, page, engin, and two that no chunk contains, zy and zyz
WORDS = [3, 3, 2, 5, 2, 8, 5, 5]  # number of words of each chunk
FILE_WORDS = [3, 3, 2, 7, 8, 10]
# flush is in 5 of the 8 chunks, page in 6, engin in 2; an unknown term weighs half as much as a term of one chunk.
IDF = {"flush": log(9 / 5.5), "page": log(9 / 6.5), "engin": log(9 / 2.5)}
TOTAL = sum(IDF.values()) + 2 * log(18) / 2
FLUSH, PAGE, ENGINE = (IDF[term] / TOTAL for term in IDF)
BOTH = FLUSH + PAGE


def bm25(counts: dict[str, int], words: int, average: float) -> float:
    """Okapi BM25 with k1 = 1.2 and b = 0.75."""
    norm = 1.2 * (0.25 + 0.75 * words / average)
    return sum(IDF[term] * count * 2.2 / (count + norm) for term, count in counts.items())


CHUNK_COUNTS = [
    {"engin": 2}, {"engin": 1}, {"page": 1}, {"flush": 2, "page": 2}, {"flush": 1, "page": 1}, {"flush": 2, "page": 4},
    {"flush": 2, "page": 2}, {"flush": 1, "page": 1},
]  # fmt: skip
FILE_COUNTS = [
    {"engin": 2}, {"engin": 1}, {"page": 1}, {"flush": 3, "page": 3}, {"flush": 2, "page": 4}, {"flush": 3, "page": 3}
]  # fmt: skip
BM25 = [bm25(counts, words, 33 / 8) for counts, words in zip(CHUNK_COUNTS, WORDS, strict=True)]
FILE_BM25 = [bm25(counts, words, 33 / 6) for counts, words in zip(FILE_COUNTS, FILE_WORDS, strict=True)]
SHARE = [score / FILE_BM25[0] for score in FILE_BM25]  # the guide says `engine` twice in three words
# Cosines 0.0, 0.1 ... 0.7: their mean is 0.35, their deviation a tenth of the root of 5.25.
DENSE = [(place - 3.5) / 5.25**0.5 for place in range(8)]

FILE = {
    "dense_mass": [0, 0, 0, 0, 0, log(1 + DENSE[6] - 1 + DENSE[7] - 1)],
    "bm25_chunk": [score / BM25[0] for score in (*BM25[:3], BM25[3], BM25[5], BM25[6])],
    "bm25_file": SHARE,
    "bm25_rank": [1, 1 / 2, 1 / 6, 1 / 3, 1 / 4, 1 / 5],
    "cover_chunk": [ENGINE, ENGINE, PAGE, BOTH, BOTH, BOTH],
    "cover_names": [ENGINE, ENGINE, PAGE, 0, BOTH, 0],
    "cover_best_name": [ENGINE, ENGINE, PAGE, 0, BOTH, 0],
    "cover_signature": [ENGINE, ENGINE, PAGE, BOTH, BOTH, 0],
    "cover_doc": [0, 0, 0, 0, BOTH, 0],
    "cover_file_name": [0, 0, PAGE, 0, BOTH, BOTH],
    "cover_folder": [0, ENGINE, 0, 0, 0, 0],
    "name_precision": [0, 0, 1 / 3, 0, 2 / 3, 1 / 2],  # page_pb2, pagepb2; flush_page, flushpage; with test, four
    "compound_name": [0, 0, 0, 0, 1, 0],
    "compound_body": [0, 0, 0, 1, 1, 1],
    "compound_path": [0, 0, 0, 0, 1, 0],  # flushpage; the test's name is testflushpage
    "defines": [1, 1, 0, 0, 0, 0],
    "dense_chunk": [DENSE[0], DENSE[1], DENSE[2], DENSE[4], DENSE[5], DENSE[7]],
    "dense_file": [*DENSE[:3], (DENSE[3] + DENSE[4]) / 2, DENSE[5], (DENSE[6] + DENSE[7]) / 2],
    "neighbours": [0, 0, 0, SHARE[4], SHARE[3], SHARE[4]],  # best of the files that it imports or that import it
    "tested_by": [0, 0, 0, 0, SHARE[5], 0],
    "test": [0, 0, 0, 0, 0, 1],
    "aside": [1, 0, 0, 0, 0, 0],
    "generated": [0, 0, 1, 0, 0, 0],
    "entry": [0, 0, 0, 1, 0, 0],
    "imported_by": [0, 0, 0, 0, log(3), 0],
    "size": [log(1 + words) for words in FILE_WORDS],
    "prose": [1, 0, 0, 0, 0, 0],
}
CHUNK = {
    "cover": [ENGINE, ENGINE, PAGE, *[BOTH] * 5],
    "cover_names": [ENGINE, ENGINE, PAGE, 0, 0, BOTH, 0, 0],
    "cover_signature": [ENGINE, ENGINE, PAGE, 0, BOTH, BOTH, 0, 0],
    "compound_body": [0, 0, 0, 1, 1, 1, 1, 1],
    "dense": DENSE,
    "length": [log(1 + words) for words in WORDS],
}
# `flush` weighs half: 4.5 of five terms. The order of the pack is given: chunks 0 and 1 with one word, 4 with both.
EVIDENCE = {
    "terms": 5,
    "named": -1,  # zy_z can only be code, and does not occur
    "cosine": 0.7,
    "cosine_usual": 0.35,
    "match": 1.5 / 4.5,
    "names": 1.5 / 4.5,
}


@pytest.fixture
def measured(write_tree: WriteTree, keeper: Keeper) -> Measurement:
    collection = Collection(keeper.refresh(write_tree(TREE))[0])
    collection.vectors = np.stack([np.arange(8) / 10, np.zeros(8)], axis=1).astype(np.float32)
    return Measurement(collection, parse_query(QUERY), np.array([1, 0], np.float32))


@pytest.mark.parametrize("name", [name for name in FILE_SIGNALS if name != "path"])
def test_a_signal_of_files(measured: Measurement, name: str) -> None:
    assert measured.file[name] == pytest.approx(np.array(FILE[name]), abs=1e-4)
    assert measured.file[name].any()


def test_a_file_that_is_named(measured: Measurement) -> None:
    def named(text: str) -> list[float]:
        question = Measurement(measured.collection, parse_query(text), None)
        return question.file["path"].tolist()

    assert named("what does flush_page.py do") == [0, 0, 0, 0, 1, 0]
    assert named("compare engine/core.py with `store/__init__.py`.") == [0, 1, 0, 1, 0, 0]
    assert named("why is core.pyc or other/core.py not here") == named("e.g. the core") == [0] * 6


@pytest.mark.parametrize("name", CHUNK_SIGNALS)
def test_a_signal_of_chunks(measured: Measurement, name: str) -> None:
    assert measured.chunk[name] == pytest.approx(np.array(CHUNK[name]), abs=1e-4)
    assert measured.chunk[name].any()


def test_the_arrays_of_a_question_go_with_it(write_tree: WriteTree, keeper: Keeper) -> None:
    """Without the garbage collector, which runs rarely even if there are many queries."""
    measured = Measurement(Collection(keeper.refresh(write_tree(TREE))[0]), parse_query(QUERY), None)
    assert len(measured.file["size"]) == 6
    gone = ref(measured)
    gc.disable()
    try:
        del measured
        assert gone() is None
    finally:
        gc.enable()


@pytest.mark.parametrize("name", EVIDENCE_SIGNALS)
def test_a_signal_of_questions(measured: Measurement, name: str) -> None:
    collection = measured.collection
    pool = Pool.of(
        measured,
        np.arange(len(collection.files)),
        np.zeros(len(collection.files)),
        lambda chunks: np.zeros(len(chunks)),
    )
    assert pool.chunks.tolist() == [0, 1, 2, 4, 5, 7], "imports alone are not shown"
    in_pool = PoolMeasurement(measured, pool, {"flush": 0.5})
    value = Values(EVIDENCE_SIGNALS, Evidence(measured, in_pool))[name]
    assert value and value == pytest.approx(EVIDENCE[name], abs=1e-4)


def test_a_question_may_ask_for_a_kind_of_file(measured: Measurement) -> None:
    for kind, word in (
        ("test", "tests"),
        ("aside", "examples"),
        ("aside", "migration"),
        ("generated", "generated"),
        ("prose", "readme"),
    ):
        asking = Measurement(measured.collection, parse_query(f"{QUERY} {word}"), None)
        assert measured.file[kind].any() and not asking.file[kind].any()


def test_data_is_not_demoted_if_the_query_has_its_whole_name(write_tree: WriteTree, keeper: Keeper) -> None:
    paths = "scripts/compose-search.yml", "scripts/compose_search.py", "scripts/compose.yml"
    collection = Collection(keeper.refresh(write_tree(dict.fromkeys(paths, "search: compose\n")))[0])
    for text, aside in (
        ("which port does search in compose have", {*paths[1:]}),
        ("which port does it have", {*paths}),
    ):
        asking = Measurement(collection, parse_query(text), None)
        values = zip(collection.files.paths, asking.file["aside"], strict=True)
        assert {path for path, value in values if value} == aside


def test_folders_decide_which_files_are_demoted(write_tree: WriteTree, keeper: Keeper) -> None:
    beside = (
        "_examples/a.py",
        "shop-samples/a.py",
        "Shop.Benchmarks/a.py",
        "fuzz/a.py",
        "docs/a.py",
        "build/tools/a.py",
        "packages/web/tools/a.py",
        "shop/scripts/a.py",
        "dist/browser/a.py",
        "web/a.min.py",
        "spdlog/bundled/a.py",
        "shop/src/jmh/java/com/shop/a.py",
        "shop/migrations/0001_a.py",
        "db/old_migrations/2024/20240102_a.py",
        "migrations/Version20240102030405.py",
        "shop/migrations/V001__a.py",
        "util/Migrator/DbScripts/2024-01-02_00_A.sql",
        "src/lang/de-DE.json",
        "lang/fr/auth.php",
        "config/locales/en.yml",
        "app/src/main/res/values-pt-rBR/strings.xml",
        "conf/locale/locale_de-DE.ini",
        "Shop/de.lproj/Localizable.strings",
        "tools/a.py",
    )
    code = (
        "_compat/a.py",
        "distance/a.py",
        "fuzzy/a.py",
        "lib/shop/tools/a.py",
        "shop/tools/a.py",
        "agents/core/tools/a.py",
        "sampler/a.py",
        "shop/migrations/loader.py",
        "compat/src/main/java/com/shop/a.py",
        "src/benchmark/a.py",
        "src/main/java/com/example/demo/a.py",
        "app/src/main/kotlin/org/samples/legacy/a.py",
        "src/lang/parser.py",
        "src/i18n.ts",
        "tools/src/main/java/com/shop/a.py",
        "scripts/shop/src/main/a.py",
        "conf/app.ini",
        "app/src/main/res/values/dimens.xml",
    )
    tree = write_tree(dict.fromkeys((*beside, *code), "def pay():\n    return 1\n"))
    collection = Collection(keeper.refresh(tree)[0])
    aside = dict(zip(collection.files.paths, collection.static["aside"].tolist(), strict=True))
    assert aside == {**dict.fromkeys(beside, 1.0), **dict.fromkeys(code, 0.0)}


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("db/schema.rb", 0.0),
        ("db/structure.sql", 0.0),
        ("db/seed.rb", 1.0),
        ("pnpm-lock.yaml", 1.0),
        ("go.sum", 1.0),
        ("db/dump_15.sql", 1.0),
    ],
)
def test_the_schema_of_a_database_is_read_though_a_program_writes_it(
    write_tree: WriteTree, keeper: Keeper, name: str, expected: float
) -> None:
    comment = "--" if name.endswith(".sql") else "#"
    tree = write_tree({name: f"{comment} This file is auto-generated. Do not edit it.\ncreate table shops\n"})
    collection = Collection(keeper.refresh(tree)[0])
    assert collection.static["generated"].tolist() == [expected]


def test_every_signal_has_its_table_and_every_table_its_signal() -> None:
    ranker = shipped_ranker()
    for level, signals in SIGNALS.items():
        tables = {table.name: table for table in getattr(ranker, level)}
        assert tables.keys() == signals.keys(), level
        assert all(table.points.any() for table in tables.values())


@pytest.mark.parametrize("level", SIGNALS)
def test_tables_of_monotone_signals_do_not_fall(level: str) -> None:
    for table in getattr(shipped_ranker(), level):
        trend = SIGNALS[level][table.name].trend
        assert (np.diff(table.points) * trend >= -1e-4).all(), table.name


GENERATED = {
    "go": "// Code generated by protoc-gen-go. DO NOT EDIT.\npackage a\n",
    "cs": "// <auto-generated>\n//   Generated by the compiler.\n// </auto-generated>\n#pragma warning disable\n",
    "ts": '/* eslint-disable */\n// @generated by protoc-gen-es v2 with parameter "target=ts"\nimport a from "a";\n',
    "php": "<?php\n# Generated by the protocol buffer compiler.  DO NOT EDIT!\n",
    "cc": "/*\nA licence\nwithout stars.\n*/\n\n// Code generated by cart-gen. DO NOT EDIT.\nint a;\n",
    "java": "/**\n * Autogenerated by Thrift Compiler\n *\n * DO NOT EDIT UNLESS YOU ARE SURE\n */\nclass A {}\n",
}
LONG = "".join(f"function a{number}(b){{return b+{number}}};" for number in range(200))
GENERATED["js"] = f"/*! a licence */\n{LONG}\n"
GENERATED["mjs"] = f"{LONG * 9}var usage=`how to use it:\n    a [b]\n`;\n"
WRITTEN = {
    "cc": "/* A licence. */\nint generated;  // do not edit\n",
    "php": f"<?php\nclass Mails\n{{\n    public static $banned = '{LONG}';\n}}\n",
    "py": '# Writes the table that is generated for C.\nHEAD = """\n# Generated by us. DO NOT EDIT.\n"""\n',
    "go": "// Package gen keeps generated names in order.\npackage gen\n",
    "rs": "// Please do not edit the table below by hand.\nfn main() {}\n",
    "md": "# Generated files\n\nThey are marked @generated.\n",
}


@pytest.mark.parametrize(
    ("suffix", "text", "generated"),
    [
        *((suffix, text, 1) for suffix, text in GENERATED.items()),
        *((suffix, text, 0) for suffix, text in WRITTEN.items()),
    ],
)
def test_a_file_whose_first_comments_say_so_is_generated(
    suffix: str, text: str, generated: int, keeper: Keeper, write_tree: WriteTree
) -> None:
    snapshot, _ = keeper.refresh(write_tree({f"total.{suffix}": text}))
    assert Collection(snapshot).static["generated"].tolist() == [generated]


JQUERY = b"/*!\n * jQuery JavaScript Library v1.7.1\n * http://jquery.com/\n */\n(function( window ) {\n})(window);\n"


@pytest.mark.parametrize(
    ("path", "text", "generated"),
    [
        ("shop/static/jquery.js", JQUERY, True),
        ("shop/static/jquery-ui.js", JQUERY, True),
        ("web/backbone.js", b"//     Backbone.js 0.5.3\n//     (c) 2010\n", True),
        ("web/css/normalize.css", b"/*! normalize.css v4.1.1 | MIT License */\nhtml {}\n", True),
        ("web/angular.js", b"/**\n * @license AngularJS v1.8.2\n */\n", True),
        ("web/shop.js", b"// Shopping carts 1.5 and later\n", False),
        ("jquery.js", JQUERY, False),  # may be the project itself
        ("src/jquery.js", JQUERY, False),
        ("shop/static/shop.js", JQUERY, False),  # code that was begun from it
        ("web/server.js", b"// The server works on Node v14.13.0\n", False),
        ("web/cart.js", b"// The cart.\nconst limit = 1.5;\n", False),
    ],
)
def test_a_copy_of_a_release_counts_as_generated(path: str, text: bytes, generated: bool) -> None:
    assert is_generated(text, path) == generated


def test_a_file_of_blanks_takes_no_time() -> None:
    with within(3):
        assert is_generated((b" " * 500 + b"\n") * 2_000, "blank.txt")
