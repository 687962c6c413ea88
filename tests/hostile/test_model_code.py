"""A model's folder is data: one that asks to run its own code is rejected before any library sees it."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Any

import pytest

from contracts.errors import ModelMissing
from index.embed.models import resolve
from index.embed.transformer import SentenceTransformerEmbedder, code_in

OWN = "sentence_transformers.models."


def write(folder: Path, name: str, document: Any) -> None:
    (folder / name).parent.mkdir(parents=True, exist_ok=True)
    (folder / name).write_text(json.dumps(document))


@pytest.fixture
def model(tmp_path: Path) -> Path:
    folder = tmp_path / "model"
    write(folder, "config.json", {"hidden_size": 8})
    write(folder, "tokenizer.json", {})
    (folder / "model.safetensors").write_bytes(b"weights")
    modules = [
        {"idx": 0, "name": "0", "path": "", "type": f"{OWN}Transformer"},
        {"idx": 1, "name": "1", "path": "1_Pooling", "type": f"{OWN}Pooling"},
        {"idx": 2, "name": "2", "path": "2_Dense", "type": f"{OWN}Dense"},
    ]
    write(folder, "modules.json", modules)
    write(folder, "1_Pooling/config.json", {})
    write(folder, "2_Dense/config.json", {"activation_function": "torch.nn.modules.activation.Tanh"})
    return folder


def test_a_plain_model_is_accepted(model: Path) -> None:
    assert code_in(model) == ""


@pytest.mark.parametrize(
    ("name", "document", "said"),
    [
        ("modules.json", [{"path": "", "type": "modeling.Evil"}], "modeling.Evil"),
        ("modules.json", [{"path": "", "type": "os.system"}], "os.system"),
        ("modules.json", [{"path": "", "type": "org/repo--modeling.Evil"}], "org/repo--modeling.Evil"),
        ("modules.json", [{"path": "", "type": f"{OWN}WordEmbeddings"}], "WordEmbeddings"),
        ("modules.json", [{"path": "../x", "type": f"{OWN}Pooling"}], "outside"),
        ("modules.json", {"type": "x"}, "not a list"),
        ("2_Dense/config.json", {"activation_function": "os.system"}, "os.system"),
        ("2_Dense/config.json", ["os.system"], "not an activation"),
        ("sentence_bert_config.json", {"model_args": {"trust_remote_code": True}}, "remote code"),
    ],
)
def test_a_model_with_code_is_refused(model: Path, name: str, document: Any, said: str) -> None:
    """No library is involved: this passes on a machine without one."""
    write(model, name, document)
    spec = resolve(str(model))
    with pytest.raises(ModelMissing) as refusal:
        SentenceTransformerEmbedder(spec)
    assert said in refusal.value.message


def test_the_library_is_one_that_runs_no_code_by_itself() -> None:
    """Before version 6, it ran the code of a local folder even if remote code was off."""
    project = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text())
    wanted = dict(one.split(">=") for one in project["project"]["optional-dependencies"]["bge"])
    assert int(wanted["sentence-transformers"].partition(".")[0]) >= 6


def test_weights_that_are_a_program_are_refused(model: Path) -> None:
    (model / "model.safetensors").rename(model / "pytorch_model.bin")
    with pytest.raises(ModelMissing):
        resolve(str(model))
