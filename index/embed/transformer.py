"""Sentence-transformers models as embedders. Importing this module is cheap; creating an embedder imports torch."""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from contracts.errors import ModelMissing
from index.embed.models import ModelSpec, loadable, read_json

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer

Floats = npt.NDArray[np.float32]

BATCH_TEXTS = 16  # two cores gain nothing above 8, and an interruption loses a batch
_PACKAGE = "sentence_transformers."
_MODULES = frozenset({"Transformer", "Pooling", "Normalize", "Dense", "LayerNorm", "Dropout"})
_ACTIVATIONS = "torch.nn.modules."
# Files of settings, each of which may ask for remote code.
_SETTINGS = ("config.json", "sentence_bert_config.json", "tokenizer_config.json", "config_sentence_transformers.json")


class SentenceTransformerEmbedder:
    """A model in a local folder. Texts longer than the model's limit are truncated (512 tokens for bge-small).

    The same texts in the same order give the same vectors; in another batch, a vector may differ in its seventh digit.
    Raises ModelMissing, which says what is not on this machine and how to get it.
    """

    def __init__(self, spec: ModelSpec) -> None:
        if spec.folder is not None and (why := code_in(spec.folder)):  # before any library is imported
            raise _unusable(spec, why)
        self.model_id = loadable(spec).model_id
        _forbid_network()
        self._model = _load_model(spec)
        prompts: dict[str, str] = dict(getattr(self._model, "prompts", None) or {})
        self._query_prompt = spec.query_prompt if spec.query_prompt is not None else prompts.get("query", "")
        # A registered model is used as registered: its instruction precedes queries, and documents have none.
        self._document_prompt = prompts.get("document", "") if spec.query_prompt is None else ""
        self.dimensions = len(self._encode([""], "")[0])
        if spec.dimensions not in (0, self.dimensions):
            raise _unusable(spec, f"it has {self.dimensions} dimensions instead of {spec.dimensions}")

    def embed_documents(self, texts: Sequence[str]) -> Floats:
        """float32[n, d], rows of length one; an empty text gives zeros."""
        vectors: Floats = np.zeros((len(texts), self.dimensions), np.float32)
        # Texts of similar length share a batch, to save padding. Longest first: memory fails early or not at all.
        order = sorted((place for place, text in enumerate(texts) if text), key=lambda place: -len(texts[place]))
        for start in range(0, len(order), BATCH_TEXTS):
            places = order[start : start + BATCH_TEXTS]
            vectors[places] = self._encode([texts[place] for place in places], self._document_prompt)
        return vectors

    def embed_query(self, text: str) -> Floats:
        """float32[d] of length one; zeros for an empty text."""
        if not text:
            return np.zeros(self.dimensions, np.float32)
        with _one_thread():
            vector: Floats = self._encode([text], self._query_prompt)[0]
        return vector

    def _encode(self, texts: list[str], prompt: str) -> Floats:
        # The tokenizer does not accept a lone surrogate (from a name or a broken file).
        clean = [prompt + text.encode("utf-8", "replace").decode("utf-8") for text in texts]
        raw = self._model.encode(clean, batch_size=len(clean), show_progress_bar=False, convert_to_numpy=True)
        vectors = np.asarray(raw, np.float32)
        lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
        return (vectors / np.maximum(lengths, np.float32(1e-12))).astype(np.float32, copy=False)


@contextmanager
def _one_thread() -> Iterator[None]:
    """Use one thread: a query is too short to split, and on a busy machine threads wait for each other 100 times."""
    import torch

    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(threads)


def _forbid_network() -> None:
    """Make the hub's client refuse network access, even if it was imported before."""
    os.environ["HF_HUB_OFFLINE"] = os.environ["TRANSFORMERS_OFFLINE"] = "1"
    constants = sys.modules.get("huggingface_hub.constants")
    if constants is not None:
        constants.HF_HUB_OFFLINE = True  # type: ignore[attr-defined]


def _load_model(spec: ModelSpec) -> SentenceTransformer:
    """The model, with the pooling of the spec if it names one. Raises ModelMissing if the model cannot be loaded."""
    assert spec.folder is not None
    # Both print reports and progress bars to stderr, which is for our own messages.
    for name in ("sentence_transformers", "transformers"):
        logging.getLogger(name).setLevel(logging.ERROR)
    from sentence_transformers import SentenceTransformer

    reports: Any = import_module("transformers.utils.logging")  # some of its versions have no types
    reports.set_verbosity_error()
    reports.disable_progress_bar()
    try:
        model = SentenceTransformer(
            str(spec.folder), local_files_only=True, trust_remote_code=False, model_kwargs={"use_safetensors": True}
        )
        if spec.pooling is None:
            return model
        return SentenceTransformer(modules=[model[0], _pooling(spec, spec.folder)])
    except Exception as error:  # four libraries read these files, each with errors of its own
        raise _unusable(spec, str(error).partition("\n")[0] or type(error).__name__) from error


def _unusable(spec: ModelSpec, why: str) -> ModelMissing:
    removal = f"remove it and run `ctxpack model pull {spec.name}`, or " if spec.hub else ""
    return ModelMissing(
        f"the model in {spec.folder} cannot be used as {spec.name}: {why}",
        hint=f"{removal}use `--model embedded`",
        details={"model": spec.name},
    )


def _pooling(spec: ModelSpec, folder: Path) -> Any:
    modules: Any = import_module("sentence_transformers.sentence_transformer.modules")
    return modules.Pooling(read_json(folder / "config.json")["hidden_size"], pooling_mode=spec.pooling)


def code_in(folder: Path) -> str:
    """The setting in a model's folder that would run the folder's own code; empty if there is none.

    `trust_remote_code=False` alone does not prevent this: before version 6, sentence-transformers imports any class
    that `modules.json` names, even from the folder itself.
    """
    modules = read_json(folder / "modules.json")
    for module in modules if isinstance(modules, list) else []:
        kind = module.get("type") if isinstance(module, dict) else None
        if not isinstance(kind, str) or not kind.startswith(_PACKAGE) or kind.rpartition(".")[2] not in _MODULES:
            return f"modules.json names {kind!r}, which is not one of sentence-transformers' own modules"
        place = module.get("path", "")
        if not isinstance(place, str) or place.startswith("/") or ".." in place.split("/"):
            return "modules.json names a folder outside the model"
        config = read_json(folder / place / "config.json")
        activation = config.get("activation_function") if isinstance(config, dict) else None
        if kind.endswith(".Dense") and not str(activation).startswith(_ACTIVATIONS):
            return f"{place}/config.json names {activation!r}, which is not an activation of torch"
    if modules is not None and not isinstance(modules, list):
        return "modules.json is not a list"
    named = (name for name in _SETTINGS if _trusts_remote_code(read_json(folder / name)))
    return next((f"{name} requests remote code" for name in named), "")


def _trusts_remote_code(settings: Any) -> bool:
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
