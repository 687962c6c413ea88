"""bge-small's settings on a BERT of random weights, small enough to compute by hand with transformers alone."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest
import torch
from tokenizers import Tokenizer
from tokenizers.models import WordPiece
from tokenizers.normalizers import BertNormalizer
from tokenizers.pre_tokenizers import BertPreTokenizer
from tokenizers.processors import BertProcessing
from transformers import AutoTokenizer, BertConfig, BertModel

from contracts.errors import ModelMissing
from index.embed.models import cache_key, resolve
from index.embed.transformer import SentenceTransformerEmbedder

pytestmark = pytest.mark.bge

Floats = npt.NDArray[np.float32]
INSTRUCTION = "Represent this sentence for searching relevant passages: "
TEXTS = ["open a file", "def read(path):\n    return path", "x", "", "parse " * 900, "caf\udce9 é 名", "close the file"]


@pytest.fixture(scope="module")
def weights(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder as the hub stores it, whose own settings ask for mean pooling."""
    folder = tmp_path_factory.mktemp("model")
    letters = "abcdefghijklmnopqrstuvwxyz0123456789():.,_é名"
    words = ["open", "file", "read", "path", "return", "def", "parse", "represent", "sentence", "passages"]
    vocabulary = [
        "[PAD]",
        "[UNK]",
        "[CLS]",
        "[SEP]",
        "[MASK]",
        *words,
        *letters,
        *(f"##{letter}" for letter in letters),
    ]
    (folder / "vocab.txt").write_text("\n".join(vocabulary) + "\n", "utf-8")
    pieces = Tokenizer(WordPiece({word: number for number, word in enumerate(vocabulary)}, unk_token="[UNK]"))
    pieces.normalizer, pieces.pre_tokenizer = BertNormalizer(lowercase=True), BertPreTokenizer()
    pieces.post_processor = BertProcessing(("[SEP]", 3), ("[CLS]", 2))
    pieces.save(str(folder / "tokenizer.json"))
    special = {"unk_token": "[UNK]", "sep_token": "[SEP]", "pad_token": "[PAD]", "cls_token": "[CLS]"}
    settings = {"tokenizer_class": "BertTokenizerFast", "do_lower_case": True, "model_max_length": 512, **special}
    (folder / "tokenizer_config.json").write_text(json.dumps(settings))
    torch.manual_seed(11)
    config = BertConfig(
        vocab_size=len(vocabulary), hidden_size=384, num_hidden_layers=2, num_attention_heads=12, intermediate_size=64
    )
    BertModel(config).save_pretrained(folder)
    modules = [("0", "", "Transformer"), ("1", "1_Pooling", "Pooling"), ("2", "2_Normalize", "Normalize")]
    (folder / "modules.json").write_text(
        json.dumps(
            [
                {"idx": int(name), "name": name, "path": path, "type": f"sentence_transformers.models.{kind}"}
                for name, path, kind in modules
            ]
        )
    )
    (folder / "1_Pooling").mkdir()
    pooling = {"word_embedding_dimension": 384, "pooling_mode_mean_tokens": True, "pooling_mode_cls_token": False}
    (folder / "1_Pooling" / "config.json").write_text(json.dumps(pooling))
    (folder / "sentence_bert_config.json").write_text('{"max_seq_length": 512, "do_lower_case": true}')
    return folder


@pytest.fixture
def bge(caches: Path, weights: Path) -> SentenceTransformerEmbedder:
    """The tiny model in the place of bge-small's weights."""
    shutil.copytree(weights, caches / "ctxpack" / "models" / "bge-small")
    spec = resolve("auto")
    assert spec.name == "bge-small"
    return SentenceTransformerEmbedder(spec)


def by_hand(folder: Path, texts: Sequence[str], *, pooling: str) -> Floats:
    """float32[n, d]: each text alone through the bare transformer, pooled and normalised here."""
    tokenizer, model = AutoTokenizer.from_pretrained(folder), BertModel.from_pretrained(folder).eval()
    rows = []
    for text in texts:
        clean = text.encode("utf-8", "replace").decode("utf-8")
        tokens = tokenizer(clean, return_tensors="pt", truncation=True, max_length=512)
        with torch.no_grad():
            states = model(**tokens).last_hidden_state[0].numpy()
        row = states[0] if pooling == "cls" else states.mean(axis=0)
        rows.append(row / np.linalg.norm(row) if text else np.zeros(len(row)))
    return np.array(rows, np.float32)


def test_documents_are_the_normalised_state_of_the_first_token(bge: SentenceTransformerEmbedder, weights: Path) -> None:
    found = bge.embed_documents(TEXTS)
    assert (found.dtype, found.shape) == (np.float32, (len(TEXTS), 384))
    assert np.allclose(found, by_hand(weights, TEXTS, pooling="cls"), atol=2e-6)
    assert not np.allclose(found, by_hand(weights, TEXTS, pooling="mean"), atol=0.05)
    assert np.allclose(np.linalg.norm(found, axis=1), [0.0 if not text else 1.0 for text in TEXTS], atol=1e-6)


def test_only_queries_have_the_instruction(bge: SentenceTransformerEmbedder, weights: Path) -> None:
    (instructed,) = by_hand(weights, [INSTRUCTION + "open a file"], pooling="cls")
    found = bge.embed_query("open a file")
    assert (found.dtype, found.shape) == (np.float32, (384,))
    assert np.allclose(found, instructed, atol=2e-6)
    assert not np.allclose(found, bge.embed_documents(["open a file"])[0], atol=0.01)
    assert not bge.embed_query("").any()


def test_vectors_keep_the_order_of_their_texts(bge: SentenceTransformerEmbedder) -> None:
    texts = [f"read {'path ' * (number * 7 % 40)}{number}" for number in range(50)]
    forward = bge.embed_documents(texts)
    assert np.array_equal(forward, bge.embed_documents(texts))
    assert np.allclose(forward[::-1], bge.embed_documents(texts[::-1]), atol=2e-6)
    assert np.allclose(forward[7], bge.embed_documents([texts[7]])[0], atol=2e-6)
    assert bge.embed_documents([]).shape == (0, 384)


def test_other_models_keep_their_own_pooling_and_prompts(weights: Path, tmp_path: Path) -> None:
    folder = tmp_path / "other"
    shutil.copytree(weights, folder)
    prompts = {"query": "read: ", "document": "path: "}
    (folder / "config_sentence_transformers.json").write_text(json.dumps({"prompts": prompts}))
    model = SentenceTransformerEmbedder(resolve(str(folder)))
    assert model.model_id.startswith("other@")
    assert np.allclose(model.embed_documents(["x"]), by_hand(weights, ["path: x"], pooling="mean"), atol=2e-6)
    assert np.allclose(model.embed_query("x"), by_hand(weights, ["read: x"], pooling="mean")[0], atol=2e-6)


def test_the_key_of_cached_vectors_names_the_weights(
    bge: SentenceTransformerEmbedder, caches: Path, weights: Path
) -> None:
    assert bge.model_id == "bge-small"
    before = cache_key(resolve("bge-small"))
    assert before.startswith("bge-small@")
    with (caches / "ctxpack" / "models" / "bge-small" / "model.safetensors").open("r+b") as file:
        file.seek(-4, 2)
        file.write(b"\0\0\0\0")
    assert cache_key(resolve("bge-small")) != before


@pytest.mark.parametrize("damage", ["cut", "junk", "config", "width"])
def test_weights_that_cannot_be_used_are_named(caches: Path, weights: Path, damage: str) -> None:
    folder = caches / "ctxpack" / "models" / "bge-small"
    shutil.copytree(weights, folder)
    data = (folder / "model.safetensors").read_bytes()
    if damage == "config":
        (folder / "config.json").write_text("{}")
    elif damage == "width":
        (folder / "1_Pooling").rename(folder / "aside")
        config = BertConfig(vocab_size=200, hidden_size=24, num_hidden_layers=1, num_attention_heads=2)
        BertModel(config).save_pretrained(folder)
    else:
        (folder / "model.safetensors").write_bytes(data[: len(data) // 2] if damage == "cut" else b"junk" * 100)
    with pytest.raises(ModelMissing, match="cannot be used as bge-small") as caught:
        SentenceTransformerEmbedder(resolve("bge-small"))
    assert caught.value.hint == "remove it and run `ctxpack model pull bge-small`, or use `--model embedded`"


OFFLINE = """
import os, sys
def guard(event, arguments):
    if event in ("socket.connect", "socket.getaddrinfo"):
        raise AssertionError(f"network: {event} {arguments}")
sys.addaudithook(guard)
from index.embed.models import resolve
from index.embed.transformer import SentenceTransformerEmbedder
model = SentenceTransformerEmbedder(resolve(sys.argv[1]))
model.embed_documents(["open", "read"]); model.embed_query("file")
import huggingface_hub.constants
assert huggingface_hub.constants.HF_HUB_OFFLINE
"""


@pytest.mark.slow
def test_loading_uses_no_network_and_prints_nothing(weights: Path, caches: Path) -> None:
    for folder in (weights, caches / "plain"):
        command = [sys.executable, "-W", "error", "-c", OFFLINE, str(folder)]
        if folder != weights:  # without modules.json, sentence-transformers would warn that it adds its own pooling
            shutil.copytree(weights, folder, ignore=shutil.ignore_patterns("modules.json", "1_Pooling"))
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
