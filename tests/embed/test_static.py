"""The embedded model, compared with the plain formula, and the properties that the index relies on."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from pathlib import Path
from zlib import crc32

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.embedded_texts import embed_texts
from index.embed import MODEL_ID, WEIGHTS
from index.embed.static import NAME_WEIGHT, PATH_WEIGHT, StaticEmbedder
from index.text import content_terms, terms_of_text, words_of

ROOT = Path(__file__).parents[2]
MODEL = StaticEmbedder.load()
MATRIX = np.load(WEIGHTS / "matrix.npy").astype(np.float64)
DOCUMENT, QUERY, PATH = np.load(WEIGHTS / "weights.npy").astype(np.float64)
TURN = np.load(WEIGHTS / "turn.npy").astype(np.float64)
TERMS = {term: row for row, term in enumerate((WEIGHTS / "terms.txt").read_text("utf-8").split("\n")[:-1])}
CODE = "src/cache/lru_store.py\ndef evict(self, key):\n    self.entries.pop(key)\n    self.entries_size -= 1\n"
TEXTS = st.lists(
    st.lists(
        st.sampled_from(["open", "socketPool", "x", "zqxjkv_blorp", "42", "für", "数据", "\n", "/"]), max_size=30
    ).map(" ".join),
    max_size=8,
)


def row_of(term: str) -> int:
    return TERMS.get(term, len(TERMS) + crc32(term.encode()) % (len(MATRIX) - len(TERMS)))


def unit(vector: np.ndarray) -> np.ndarray:
    return vector / max(np.linalg.norm(vector), 1e-12)


def plain_document(text: str) -> np.ndarray:
    path, _, body = text.partition("\n")
    folder, _, name = path.rpartition("/")
    content, about = np.zeros(MATRIX.shape[1]), np.zeros(MATRIX.shape[1])
    for term, count in Counter(terms_of_text(body)).items():
        content += np.log2(1 + min(count, 255)) * DOCUMENT[row_of(term)] * MATRIX[row_of(term)]
    for part, weight in ((folder, 1), (name.split(".")[0] or name, NAME_WEIGHT)):
        for term in set(terms_of_text(part)):
            about += weight * PATH[row_of(term)] * MATRIX[row_of(term)]
    return unit(unit(content) + PATH_WEIGHT * unit(about))


@given(TEXTS)
@settings(max_examples=50, deadline=None)
def test_documents_follow_the_plain_formula(texts: list[str]) -> None:
    vectors = embed_texts(MODEL, texts)
    assert vectors.shape == (len(texts), MODEL.dimensions)
    assert vectors.dtype == np.float32
    for text, vector in zip(texts, vectors, strict=True):
        assert vector == pytest.approx(plain_document(text), abs=2e-4)


@given(TEXTS)
@settings(max_examples=50, deadline=None)
def test_a_vector_does_not_depend_on_its_batch(texts: list[str]) -> None:
    together = embed_texts(MODEL, [*texts, CODE])
    alone = embed_texts(MODEL, [CODE])
    assert together[-1].tobytes() == alone[0].tobytes()


def test_a_vector_does_not_depend_on_the_order_of_terms() -> None:
    path, _, body = CODE.partition("\n")
    words = words_of(body)
    turned = f"{path}\n{' '.join(reversed(words))}"
    straight = f"{path}\n{' '.join(words)}"
    assert embed_texts(MODEL, [straight]).tobytes() == embed_texts(MODEL, [turned]).tobytes()


def test_a_query_is_the_turned_sum_of_its_weighted_terms() -> None:
    text = "where is the LRU cache evicted when it is full"
    total = sum(QUERY[row_of(term)] * MATRIX[row_of(term)] for term in content_terms(words_of(text)))
    assert MODEL.embed_query(text) == pytest.approx(unit(unit(total) @ TURN), abs=2e-4)


def test_the_turn_of_a_query_is_exact() -> None:
    """Sums of integers below 2^53 are the same on every machine: a query uses its terms' sum in steps of 2^-16."""
    said = np.rint(unit(np.ones(len(TURN))) * 2**16)
    assert np.abs(said) @ np.abs(TURN).max(axis=1) < 2**53
    assert np.array_equal(said @ TURN, said[::-1] @ TURN[::-1])


def test_a_word_that_is_common_in_the_corpus_says_less() -> None:
    rare = {"json": 0.1, "stream": 4.0}
    plain = MODEL.embed_query("json stream")
    told = MODEL.embed_query("json stream", lambda terms: np.array([rare[term] for term in terms]))
    stream = MODEL.embed_query("stream")
    assert told @ stream > plain @ stream + 0.05
    same = MODEL.embed_query("json stream", lambda terms: np.full(len(terms), 4.0))
    assert same == pytest.approx(plain, abs=1e-4)


def test_a_query_of_stop_words_alone_still_has_a_vector() -> None:
    assert np.linalg.norm(MODEL.embed_query("what is this")) == pytest.approx(1, abs=1e-6)


def test_empty_texts_give_zeros() -> None:
    assert not embed_texts(MODEL, ["", "\n"]).any()
    assert not MODEL.embed_query("").any()
    assert embed_texts(MODEL, []).shape == (0, MODEL.dimensions)


def test_binary_search_and_dictionary_agree_on_rows() -> None:
    terms = [*list(TERMS)[::997], *list(TERMS)[-3:], "zqxjkvblorp", "", "数据"]
    several = MODEL._rows([*terms, *terms] * 20)[: len(terms)]
    assert several.tolist() == [row_of(term) for term in terms] == [int(MODEL._rows([term])[0]) for term in terms]


def test_related_words_are_near_and_the_right_code_wins() -> None:
    codes = [
        CODE,
        "src/http/retry.py\ndef backoff(attempt):\n    delay = base * 2 ** attempt\n    sleep(delay)\n",
        "src/auth/token.py\ndef verify_signature(jwt, secret):\n    return decode(jwt, secret).payload\n",
        "src/db/pool.py\ndef acquire(self):\n    connection = self.idle.pop() or connect(self.dsn)\n",
    ]
    documents = embed_texts(MODEL, codes)
    questions = ["remove oldest item from the cache", "wait longer after each failed request",
                 "check that a login token is authentic", "reuse open database connections"]  # fmt: skip
    assert [int(np.argmax(documents @ MODEL.embed_query(question))) for question in questions] == [0, 1, 2, 3]


def test_the_shipped_model_is_small_and_says_what_it_is() -> None:
    assert sum(file.stat().st_size for file in WEIGHTS.iterdir()) <= 16_000_000
    assert MODEL.model_id == MODEL_ID
    assert {"LICENSE", "MODEL_CARD.md"} <= {file.name for file in WEIGHTS.iterdir()}
    assert list(TERMS) == sorted(TERMS, key=str.encode)


def test_a_query_loads_neither_the_vocabulary_nor_heavy_packages() -> None:
    script = (
        "import sys; from index.embed.static import StaticEmbedder; model = StaticEmbedder.load();"
        "model.embed_query('parse the config file'); print('_vocabulary' in vars(model),"
        "*sorted({'scipy', 'torch', 'lancedb', 'pyarrow', 'tokenizers'} & set(sys.modules)))"
    )
    shown = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True)
    assert shown.stdout.split() == ["False"]


@given(st.sampled_from(sorted(TERMS)).filter(str.isalpha), st.sampled_from([0.3, 0.45, 0.7]))
@settings(max_examples=30, deadline=None)
def test_similar_terms_are_those_with_a_large_cosine(term: str, least: float) -> None:
    start = term[:2]
    plain = [other for other in sorted(TERMS) if other.startswith(start) and MODEL.similarity(term, other) >= least]
    near = MODEL.similar(term, start, least)
    assert set(plain) <= set(near)
    assert all(other.startswith(start) and MODEL.similarity(term, other) > least - 0.002 for other in near)
