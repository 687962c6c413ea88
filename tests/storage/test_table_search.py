"""The LanceDB retriever against plain numpy over the same rows: the same chunks, with and without indexes."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from test_table import ENVIRONMENT

from index.lance.table import ChunkTable
from index.lance.table_search import LanceRetriever

D = 16
WORDS = ["the", "The", "not", "parse", "parser", "parsing", "é", "ﬀ", "x" * 60, "a.b", "snake_case", "c++", "0", "名前"]


class Corpus:
    """Some files' chunks as a generation numbers them, with words and vectors drawn from a seed."""

    def __init__(self, files: int, seed: int = 5) -> None:
        draw = np.random.default_rng(seed)
        self.files = sorted(f"src/{'äz'[number % 2]}/file'{number:03}.py" for number in range(files))
        self.hashes = [bytes([number % 256, number // 256]) * 8 for number in range(files)]
        counts = draw.integers(1, 6, files)
        self.rows = np.concatenate([[0], np.cumsum(counts)])
        total = int(self.rows[-1])
        self.file_of = np.repeat(np.arange(files), counts)
        self.terms = [list(draw.choice(WORDS, draw.integers(1, 8))) for _ in range(total)]
        vectors = draw.standard_normal((total, D)).astype(np.float32)
        vectors[total // 2] = vectors[0]  # a tie
        self.vectors = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)

    def columns(self, paths: Sequence[str]) -> dict[str, Any]:
        numbers = [
            number
            for path in paths
            for number in range(self.rows[self.files.index(path)], self.rows[self.files.index(path) + 1])
        ]
        places = self.file_of[numbers]
        return {
            "file": [self.files[place] for place in places],
            "ordinal": (np.array(numbers) - self.rows[places]).astype(np.int32),
            "language": ["python"] * len(numbers),
            "kind": ["block"] * len(numbers),
            "symbol": [None] * len(numbers),
            "start_line": np.ones(len(numbers), np.int32),
            "end_line": np.ones(len(numbers), np.int32),
            "text": [""] * len(numbers),
            "terms": [" ".join(self.terms[number]) for number in numbers],
            "file_hash": [self.hashes[place] for place in places],
            "chunk_hash": [bytes(16)] * len(numbers),
            "vector": self.vectors[numbers],
        }

    def stored(self, folder: Path, *, generation: int = 1) -> ChunkTable:
        table = ChunkTable(folder, D)
        table.synchronise(dict(zip(self.files, self.hashes, strict=True)), self.columns, generation)
        return table

    def retriever(self, table: ChunkTable) -> LanceRetriever:
        return LanceRetriever(table, self.files, self.hashes, self.rows)

    def holding(self, terms: Sequence[str], files: Sequence[str] | None = None) -> list[int]:
        allowed = {self.files.index(path) for path in (self.files if files is None else files)}
        return [
            number
            for number, held in enumerate(self.terms)
            if set(held) & set(terms) and self.file_of[number] in allowed
        ]

    def nearest(self, vector: npt.NDArray[np.float32], k: int, files: Sequence[str] | None = None) -> list[int]:
        allowed = {self.files.index(path) for path in (self.files if files is None else files)}
        scores = self.vectors @ vector
        numbers = [number for number in range(len(scores)) if self.file_of[number] in allowed]
        return sorted(numbers, key=lambda number: (-scores[number], number))[:k]


@pytest.fixture(scope="module")
def corpus() -> Corpus:
    return Corpus(60)


@pytest.fixture(scope="module", params=["flat", "indexed"])
def retriever(
    request: pytest.FixtureRequest, corpus: Corpus, tmp_path_factory: pytest.TempPathFactory
) -> LanceRetriever:
    table = corpus.stored(tmp_path_factory.mktemp(request.param))
    if request.param == "indexed":
        table.make_indexes()
    return corpus.retriever(table)


@pytest.mark.parametrize("k", [1, 7, 50, 10_000])
def test_dense_gives_what_a_comparison_with_every_vector_gives(
    retriever: LanceRetriever, corpus: Corpus, k: int
) -> None:
    for number in (0, 3, 77):
        found, scores = retriever.dense(corpus.vectors[number], k)
        assert found.dtype == np.int64
        assert found.tolist() == corpus.nearest(corpus.vectors[number], k)
        assert np.allclose(scores, (corpus.vectors @ corpus.vectors[number])[found], atol=1e-6)


@pytest.mark.parametrize(
    "terms", [["parse"], ["the"], ["The", "not"], ["é", "x" * 60], ["a.b", "c++"], ["0", "0"], WORDS]
)
def test_lexical_finds_every_chunk_that_holds_a_term(
    retriever: LanceRetriever, corpus: Corpus, terms: list[str]
) -> None:
    found, scores = retriever.lexical(terms, 10_000)
    assert sorted(found.tolist()) == corpus.holding(terms)
    assert (np.diff(scores) <= 0).all()
    assert (scores > 0).all()
    ties = [(-score, number) for score, number in zip(scores.tolist(), found.tolist(), strict=True)]
    assert ties == sorted(ties)


def test_a_rare_term_weighs_more(retriever: LanceRetriever, corpus: Corpus) -> None:
    counts = {word: len(corpus.holding([word])) for word in WORDS}
    rare, common = min(counts, key=counts.__getitem__), max(counts, key=counts.__getitem__)
    first = retriever.lexical([rare, common], 3)[0]
    assert all(rare in corpus.terms[number] for number in first)


def test_files_are_chosen_before_the_best_are_taken(retriever: LanceRetriever, corpus: Corpus) -> None:
    within = corpus.files[10:13]
    found, _ = retriever.lexical(["parse", "the"], 5, within=within)
    assert set(found.tolist()) <= set(corpus.holding(["parse", "the"], within))
    assert len(found) == min(5, len(corpus.holding(["parse", "the"], within)))
    assert retriever.dense(corpus.vectors[0], 4, within=within)[0].tolist() == corpus.nearest(
        corpus.vectors[0], 4, within
    )


def test_nothing_asked_nothing_found(retriever: LanceRetriever, corpus: Corpus) -> None:
    for found, scores in (
        retriever.lexical([], 5),
        retriever.lexical(["unheard_of"], 5),
        retriever.lexical(["the"], 0),
        retriever.lexical(["the"], 5, within=[]),
        retriever.dense(corpus.vectors[0], 0),
        retriever.dense(corpus.vectors[0], 5, within=["no/such/file"]),
    ):
        assert (len(found), len(scores)) == (0, 0)


@pytest.mark.parametrize("indexed", [False, True])
def test_rows_of_another_content_are_no_answer(tmp_path: Path, indexed: bool) -> None:
    behind = Corpus(40, seed=1)
    table = behind.stored(tmp_path)
    if indexed:
        table.make_indexes()
    now = Corpus(40, seed=1)
    now.hashes = [b"changed".ljust(16) if number % 3 else key for number, key in enumerate(now.hashes)]
    same = [path for number, path in enumerate(now.files) if not number % 3]
    retriever = now.retriever(table)
    assert retriever.dense(now.vectors[0], 20)[0].tolist() == now.nearest(now.vectors[0], 20, same)
    assert sorted(retriever.lexical(["the"], 1_000)[0].tolist()) == now.holding(["the"], same)


def test_rows_added_after_the_indexes_are_found(tmp_path: Path) -> None:
    corpus = Corpus(60)
    table = ChunkTable(tmp_path, D)
    everything = dict(zip(corpus.files, corpus.hashes, strict=True))
    table.synchronise(dict(list(everything.items())[:50]), corpus.columns, 1)
    table.make_indexes()
    table.synchronise(everything, corpus.columns, 2)
    retriever = corpus.retriever(ChunkTable(tmp_path, D))
    for _ in ("beside the indexes", "in them"):
        assert sorted(retriever.lexical(["parse"], 1_000)[0].tolist()) == corpus.holding(["parse"])
        assert retriever.dense(corpus.vectors[-1], 9)[0].tolist() == corpus.nearest(corpus.vectors[-1], 9)
        table.compact()


def test_large_tables_get_their_indexes_by_themselves(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("index.lance.table.INDEXED_ROWS", 100)
    table = Corpus(60).stored(tmp_path)
    assert sorted(column for index in table.opened().list_indices() for column in index.columns) == [
        "file",
        "terms",
        "vector",
    ]


WRITER = """
import sys
from pathlib import Path
from test_table_search import *
corpus, steady = Corpus(60), Corpus(60)
for generation in range(40):
    corpus.hashes[1:4] = [bytes([generation]) * 16] * 3
    table = corpus.stored(Path(sys.argv[1]), generation=generation)
    if generation % 3 == 0:
        table.compact()
"""


def test_readers_go_on_while_a_writer_compacts(tmp_path: Path) -> None:
    corpus = Corpus(60)
    table = corpus.stored(tmp_path)
    table.make_indexes()
    steady = [path for number, path in enumerate(corpus.files) if number not in (1, 2, 3)]
    retriever = corpus.retriever(ChunkTable(tmp_path, D))
    versions = set()
    with subprocess.Popen([sys.executable, "-c", WRITER, str(tmp_path)], env=ENVIRONMENT) as writer:
        while writer.poll() is None:
            versions.add(retriever._table.opened().version)
            assert retriever.dense(corpus.vectors[0], 5, within=steady)[0].tolist() == corpus.nearest(
                corpus.vectors[0], 5, steady
            )
            assert sorted(retriever.lexical(["parse"], 999, within=steady)[0].tolist()) == corpus.holding(
                ["parse"], steady
            )
    assert writer.returncode == 0
    assert len(versions) > 5
