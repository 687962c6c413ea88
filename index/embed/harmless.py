"""Whether a model's folder asks for code of its own: `trust_remote_code=False` alone does not keep it from running.

Before version 6, sentence-transformers imports whatever class `modules.json` names, from the folder itself if it lies
there, whichever way remote code is set.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

_OWN = "sentence_transformers."
_KNOWN = frozenset({"Transformer", "Pooling", "Normalize", "Dense", "LayerNorm", "Dropout"})
_ACTIVATIONS = "torch.nn.modules."
_MOST_BYTES = 10_000_000
# What reads as settings, each of which may ask for remote code.
_SETTINGS = ("config.json", "sentence_bert_config.json", "tokenizer_config.json", "config_sentence_transformers.json")


def code_in(folder: Path) -> str:
    """The setting of a model's folder that would run code of its own; empty where none would."""
    modules = _read(folder / "modules.json")
    for module in modules if isinstance(modules, list) else []:
        kind = module.get("type") if isinstance(module, dict) else None
        if not isinstance(kind, str) or not kind.startswith(_OWN) or kind.rpartition(".")[2] not in _KNOWN:
            return f"modules.json names {kind!r}, which is none of sentence-transformers' own modules"
        place = module.get("path", "")
        if not isinstance(place, str) or place.startswith("/") or ".." in place.split("/"):
            return "modules.json names a folder outside"
        activation = (_read(folder / place / "config.json") or {}).get("activation_function")
        if kind.endswith(".Dense") and not str(activation).startswith(_ACTIVATIONS):
            return f"{place}/config.json names {activation!r}, which is no activation of torch"
    if modules is not None and not isinstance(modules, list):
        return "modules.json is no list"
    named = (name for name in _SETTINGS if _asks(_read(folder / name)))
    return next((f"{name} asks for remote code" for name in named), "")


def _read(file: Path) -> Any:
    """A JSON file; None without one that can be read: loading the model fails then, and says so."""
    try:
        if not file.is_file() or file.stat().st_size > _MOST_BYTES:
            return None
        return json.loads(file.read_bytes())
    except (OSError, ValueError, RecursionError):
        return None


def _asks(settings: Any) -> bool:
    """Whether `trust_remote_code` is set anywhere."""
    pending = [settings]
    while pending:
        one = pending.pop()
        if isinstance(one, dict):
            if one.get("trust_remote_code"):
                return True
            pending += one.values()
        elif isinstance(one, list):
            pending += one
    return False
