"""The table's retriever against the snapshot's: the same candidates, the same answers."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest

from index import Index, build_index, open_index
from index.search.retrieval import SnapshotRetriever, table_retriever
from index.text import content_terms, words_of
from index.types import Filters

QUESTIONS = ["decode a json string with escapes", "JSONDecodeError", "iterate over encoded chunks", "command line tool"]


@pytest.fixture(scope="module")
def json_index(tmp_path_factory: pytest.TempPathFactory) -> Index:
    library = Path(os.__file__).parent / "json"
    return build_index(library, home=tmp_path_factory.mktemp("home"), model="embedded")


@pytest.mark.parametrize("question", QUESTIONS)
def test_table_and_snapshot_retrieve_the_same(json_index: Index, question: str) -> None:
    table = table_retriever(json_index.store, json_index.corpus, 0)
    assert table is not None
    snapshot = SnapshotRetriever(json_index.corpus)
    terms, everything = content_terms(words_of(question)), json_index.chunks
    mine, theirs = snapshot.lexical(terms, everything)[0], table.lexical(terms, everything)[0]
    assert sorted(mine.tolist()) == sorted(theirs.tolist())
    vector = json_index.embedder.embed_query(question)
    mine, scores = snapshot.dense(vector, 10)
    theirs, other = table.dense(vector, 10)
    assert mine.tolist() == theirs.tolist()
    np.testing.assert_allclose(scores, other, atol=1e-5)


@pytest.mark.parametrize("question", QUESTIONS)
def test_answers_do_not_depend_on_who_names_the_candidates(json_index: Index, question: str) -> None:
    home = json_index.folder.parent
    small = open_index(json_index.root, home=home, model="embedded")
    large = open_index(json_index.root, home=home, model="embedded", table_above=0)
    mine, theirs = small.search(question, top_k=10), large.search(question, top_k=10)
    assert mine
    assert large.search(question, top_k=1, filters=Filters(include=("decoder.py", "tool.py")))
    assert [(hit.chunk, hit.score) for hit in mine] == [(hit.chunk, hit.score) for hit in theirs]
