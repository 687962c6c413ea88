"""The models that users can name, where their weights are on this machine, and how to download them.

Weights come from a folder or from the local hub cache; only `pull` uses the network. Nothing here imports torch: a look
at the disk tells what is installed, so that `auto` costs a query nothing.
"""

from __future__ import annotations

import importlib
import importlib.util
import json
import os
import sys
from collections.abc import Iterator
from dataclasses import replace
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from contracts.errors import IOFailure, ModelMissing, NotFound, UsageError, with_extra
from contracts.frozen import frozen
from index.embed import DIMENSIONS, MODEL_ID

if TYPE_CHECKING:
    from contracts.reports import Model

Pooling = Literal["cls", "mean"]

EXTRA = "bge"
_WEIGHTS = "model.safetensors"  # the other formats are pickles, and reading a pickle can run code
# What a model needs at run time: the hub's folders also contain the same weights for three other engines.
_PULLED = ("*.json", "*.txt", "*.model", "*.safetensors", "README.md", "*/config.json", "*/*.safetensors")
_NOT_PULLED = ("onnx/*", "openvino/*", "*.onnx", "*.h5", "*.ot", "*.msgpack")
_WIDTHS = ("hidden_size", "d_model", "dim")  # names for the width of vectors in different model families
_SAMPLES, _SAMPLE_BYTES = 64, 4096
_MAX_BYTES = 10_000_000  # of a file of settings


@frozen
class ModelSpec:
    """A model and how to use it.

    `model_id` is its name in packs and indexes. `hub` is its name on the hub; empty for the embedded model and for a
    user's folder. `pooling` and `query_prompt`, if given, override the model's own settings. `dimensions` is 0 if
    unknown. `folder` is where the weights are, None if they are not on this machine.
    """

    name: str
    model_id: str
    hub: str = ""
    dimensions: int = 0
    licence: str = ""
    pooling: Pooling | None = None
    query_prompt: str | None = None
    folder: Path | None = None

    @property
    def embedded(self) -> bool:
        """Whether this is the model inside the package."""
        return self.name == "embedded"


REGISTRY: tuple[ModelSpec, ...] = (
    ModelSpec("embedded", MODEL_ID, dimensions=DIMENSIONS, licence="Apache-2.0"),
    ModelSpec(
        "bge-small",
        "bge-small",
        hub="BAAI/bge-small-en-v1.5",
        dimensions=384,
        licence="MIT",
        pooling="cls",
        query_prompt="Represent this sentence for searching relevant passages: ",  # from its model card; queries only
    ),
)
_BY_NAME = {spec.name: spec for spec in REGISTRY} | {spec.hub: spec for spec in REGISTRY if spec.hub}


def resolve(name: str) -> ModelSpec:
    """The model that `name` refers to: `auto`, a name of the registry, a hub name (`org/model`) or a folder's path.

    `auto` is bge-small if the extra and its weights are on the machine, else the embedded model. The result is used in
    addition to the static model, which is always used. Nothing is loaded.
    Raises InvalidRequest for a name of another form, ModelMissing for a path without a model.
    """
    if name == "auto":
        best = _with_folder(_BY_NAME["bge-small"])
        return best if best.folder and extra_installed() else _BY_NAME["embedded"]
    if name in _BY_NAME:
        return _with_folder(_BY_NAME[name])
    if name.startswith(("/", "./", "../", "~")) or Path(name).is_absolute():
        return _folder_spec(name)
    if name.count("/") == 1 and all(name.split("/")) and ".." not in name and "\\" not in name:
        return _with_folder(ModelSpec(name, name, hub=name))
    raise UsageError(
        "model",
        f"{name!r} is not a model: use auto, {', '.join(spec.name for spec in REGISTRY)}, a hub name such as "
        "org/model, or the path of a folder (./model)",
        hint="see `ctxpack model list`",
    )


def second_model(name: str) -> ModelSpec | None:
    """The transformer to use in addition to the static model; None if the name means `embedded`. Nothing is loaded.

    Raises ModelMissing, which says what is not on this machine.
    """
    spec = resolve(name)
    return None if spec.embedded else loadable(spec)


def cache_key(spec: ModelSpec) -> str:
    """A name for exactly these weights and settings of a transformer, for vectors that outlive the index."""
    assert spec.folder is not None
    return f"{spec.model_id}@{fingerprint(spec.folder)}"


def list_models() -> tuple[Model, ...]:
    """The registry, then every other sentence-transformers model of the local hub cache, by name."""
    rows = [report(_with_folder(spec)) for spec in REGISTRY]
    registered = {spec.hub for spec in REGISTRY}
    for folder in sorted(set(_hub_names()) - registered):
        spec = _with_folder(ModelSpec(folder, folder, hub=folder))
        if spec.folder and (spec.folder / "modules.json").is_file():
            rows.append(report(spec))
    return tuple(rows)


def pull(name: str) -> ModelSpec:
    """Download a model's weights into the local hub cache. Nothing else in ctxpack downloads models.

    Raises ModelMissing without the extra, NotFound for a name that the hub does not know, IOFailure if the
    download fails; the next pull continues it.
    """
    spec = resolve(name)
    if not spec.hub:
        return spec
    if importlib.util.find_spec("huggingface_hub") is None:
        raise _missing(f"downloading {spec.name} needs huggingface_hub, which is not installed", spec)
    client, utils = (importlib.import_module(f"huggingface_hub{part}") for part in ("", ".utils"))
    unknown: type[Exception] = importlib.import_module("huggingface_hub.errors").RepositoryNotFoundError
    if not sys.stderr.isatty():
        utils.disable_progress_bars()
    utils.logging.set_verbosity_error()
    try:
        client.snapshot_download(spec.hub, allow_patterns=list(_PULLED), ignore_patterns=list(_NOT_PULLED))
    except unknown as error:
        raise NotFound(f"the hub has no model {spec.hub}", hint="check the name at huggingface.co/models") from error
    except Exception as error:  # depending on its version, the hub's client raises errors of requests, httpx or its own
        why = str(error).partition("\n")[0]
        hint = "run the command again to resume; offline, copy the model's folder here and give its path"
        raise IOFailure(f"{spec.hub} could not be downloaded: {why}", hint=hint, details={"path": spec.hub}) from error
    pulled = _with_folder(spec)
    if pulled.folder is None:
        hint = "choose a model with a model.safetensors"
        raise NotFound(f"{spec.hub} is on the hub, but has no weights that sentence-transformers can read", hint=hint)
    return pulled


def extra_installed() -> bool:
    """Whether sentence-transformers can be imported, without importing it."""
    return importlib.util.find_spec("sentence_transformers") is not None


def hub_cache() -> Path:
    """The folder in which huggingface_hub keeps models (its constants.py, without importing it)."""
    for variable in ("HF_HUB_CACHE", "HUGGINGFACE_HUB_CACHE"):
        if os.environ.get(variable):
            return Path(os.path.expandvars(os.environ[variable])).expanduser()
    cache = os.environ.get("XDG_CACHE_HOME") or "~/.cache"
    home = os.environ.get("HF_HOME") or str(Path(cache) / "huggingface")
    return Path(os.path.expandvars(home)).expanduser() / "hub"


def fingerprint(folder: Path) -> str:
    """16 hexadecimal digits that change with a model's settings (all of them) or weights (64 samples).

    Samples, because every start would otherwise read half a gigabyte; retrained weights differ everywhere.
    """
    digest = blake2b(digest_size=8)
    settings = ("config.json", "modules.json", "tokenizer.json", "vocab.txt", "sentence_bert_config.json",
                "config_sentence_transformers.json", "1_Pooling/config.json")  # fmt: skip
    for name in settings:
        path = folder / name
        digest.update(name.encode() + b"\0" + (path.read_bytes() if path.is_file() else b""))
    with (folder / _WEIGHTS).open("rb") as file:
        size = file.seek(0, os.SEEK_END)
        digest.update(size.to_bytes(8, "little"))
        for number in range(_SAMPLES):
            file.seek(max(0, size - _SAMPLE_BYTES) * number // (_SAMPLES - 1))
            digest.update(file.read(_SAMPLE_BYTES))
    return digest.hexdigest()


def _with_folder(spec: ModelSpec) -> ModelSpec:
    """The spec with the folder of its weights, if they are on this machine."""
    if spec.embedded:
        return spec
    folder = next((folder for folder in _places(spec) if _is_model(folder)), None)
    return replace(spec, folder=folder, dimensions=spec.dimensions or _dimensions(folder))


def _places(spec: ModelSpec) -> Iterator[Path]:
    """Folders to look for a model in: our own `models` folder (for machines without the hub), then the hub cache."""
    from index.generation.private import cache_root

    yield cache_root() / "models" / spec.name.replace("/", "--")
    repository = hub_cache() / f"models--{spec.hub.replace('/', '--')}"
    try:
        yield repository / "snapshots" / (repository / "refs" / "main").read_text("ascii").strip()
    except (OSError, UnicodeDecodeError):
        return


def _hub_names() -> Iterator[str]:
    """The hub names of every model in the hub cache."""
    for folder in hub_cache().glob("models--*--*"):
        yield folder.name.removeprefix("models--").replace("--", "/", 1)


def _is_model(folder: Path) -> bool:
    """Whether the folder contains a model; a broken link (from an interrupted download) does not count."""
    tokenizers = ("tokenizer.json", "vocab.txt", "tokenizer.model", "sentencepiece.bpe.model")
    has = {name: (folder / name).is_file() for name in ("config.json", _WEIGHTS, *tokenizers)}
    return has["config.json"] and has[_WEIGHTS] and any(has[name] for name in tokenizers)


def _dimensions(folder: Path | None) -> int:
    settings = read_json(folder / "config.json") if folder else None
    widths = (settings.get(name) for name in _WIDTHS) if isinstance(settings, dict) else ()
    return next((width for width in widths if isinstance(width, int)), 0)


def read_json(file: Path) -> Any:
    """The content of a JSON file; None if it cannot be read: loading the model then fails, and says so."""
    try:
        if not file.is_file() or file.stat().st_size > _MAX_BYTES:
            return None
        return json.loads(file.read_bytes())
    except (OSError, ValueError, RecursionError):
        return None


def _folder_spec(name: str) -> ModelSpec:
    folder = Path(name).expanduser().resolve()
    if not _is_model(folder):
        hint = "the folder must contain config.json, model.safetensors and tokenizer.json"
        raise ModelMissing(f"{name} does not contain a sentence-transformers model", hint=hint)
    # The id must not contain the machine's path, and must change if other weights are put into the folder.
    identity = f"{folder.name}@{fingerprint(folder)[:8]}"
    return ModelSpec(name, identity, folder=folder, dimensions=_dimensions(folder))


def loadable(spec: ModelSpec) -> ModelSpec:
    """The spec, if the model can be loaded. Raises ModelMissing, which says what is missing."""
    if spec.folder is None:
        raise _missing(f"the weights of {spec.name} are not on this machine", spec)
    if not extra_installed():
        raise _missing(f"{spec.name} needs sentence-transformers, which is not installed", spec)
    return spec


def report(spec: ModelSpec) -> Model:
    """The line of `ctxpack model list`."""
    from contracts.reports import Model

    installed = spec.embedded or (spec.folder is not None and extra_installed())
    where = "in the package" if spec.embedded else str(spec.folder or "")
    return Model(spec.name, spec.model_id, spec.dimensions, installed, where, spec.licence)


def _missing(message: str, spec: ModelSpec) -> ModelMissing:
    steps = [] if extra_installed() else [with_extra(EXTRA)]
    steps += [] if spec.folder or not spec.hub else [f"`ctxpack model pull {spec.name}`"]
    return ModelMissing(
        message, hint=f"run {'; then run '.join(steps)}; or use `--model embedded`", details={"model": spec.name}
    )
