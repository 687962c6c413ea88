"""The embedded model without numpy gives the same results as the one with numpy."""

from __future__ import annotations

from math import sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from index.embed import lite, static
from index.embed.lite import SoftModel, soft_model
from index.embed.static import StaticEmbedder

TEXTS = st.lists(
    st.sampled_from(["retry", "backoff", "parse", "HTTPServer", "zzqx", "naïve", "the", "2024", "\n"]), max_size=8
).map(" ".join)


@pytest.fixture(scope="module")
def twin() -> StaticEmbedder:
    """The embedder, without turned queries: those are only used to search code."""
    embedder = StaticEmbedder.load()
    embedder.turn = np.eye(embedder.dimensions)
    return embedder


@given(TEXTS)
def test_a_query_has_the_same_vector(twin: StaticEmbedder, text: str) -> None:
    assert np.allclose(soft_model().query_vector(text), twin.embed_query(text), atol=1e-4)


@given(TEXTS, TEXTS)
def test_the_similarity_is_the_plain_sum(twin: StaticEmbedder, query: str, text: str) -> None:
    """Term by term: weight times cosine's numerator, over the length of the weights."""
    rows = twin._rows(list(dict.fromkeys(static.terms_of_text(text))))
    counts = np.array([static.terms_of_text(text).count(term) for term in dict.fromkeys(static.terms_of_text(text))])
    weights = np.log2(1 + counts) * twin._document[rows] if len(rows) else np.zeros(0)
    dots = twin._matrix[rows].astype(np.float64) @ twin.embed_query(query).astype(np.float64) if len(rows) else weights
    length = sqrt(float((weights**2).sum()))
    expected = float((weights * dots).sum()) / length if length else 0.0
    assert soft_model().similarities(query, [text]) == pytest.approx([expected], abs=1e-2)


def test_code_about_the_question_is_closer() -> None:
    close, far = soft_model().similarities("retry with exponential backoff", ["wait and try again", "parse a colour"])
    assert close > far


def test_empty_texts_have_no_similarity() -> None:
    assert soft_model().similarities("retry", ["", "--- ???"]) == [0.0, 0.0]
    assert soft_model().similarities("", ["retry"]) == [0.0]


def test_the_arrays_are_those_that_numpy_reads() -> None:
    matrix, weights = (np.load(lite.WEIGHTS / name) for name in ("matrix.npy", "weights.npy"))
    model = SoftModel()
    assert (model._rows, lite.DIMENSIONS) == matrix.shape
    assert model._matrix.tobytes() == matrix.tobytes() and model._weights.tobytes() == weights.tobytes()
