"""Resolving a model's name from the disk alone, and the errors if it does not exist."""

from __future__ import annotations

import shutil
import subprocess
import sys
from dataclasses import astuple
from pathlib import Path

import pytest

from contracts.errors import InvalidRequest, ModelMissing
from index.embed.models import REGISTRY, ModelSpec, fingerprint, hub_cache, list_models, pull, resolve
from index.embed.transformer import SentenceTransformerEmbedder

BGE = "BAAI/bge-small-en-v1.5"


def model_files(folder: Path, *, weights: bytes = b"weights" * 5_000, width: int = 384) -> Path:
    folder.mkdir(parents=True)
    (folder / "config.json").write_text(f'{{"hidden_size": {width}}}')
    (folder / "modules.json").write_text("[]")
    (folder / "tokenizer.json").write_text("{}")
    (folder / "model.safetensors").write_bytes(weights)
    return folder


def in_hub_cache(caches: Path, name: str, *, width: int = 384) -> Path:
    """A model as huggingface_hub keeps it: snapshots are links to blobs, a ref names the snapshot."""
    repository = caches / "hub" / f"models--{name.replace('/', '--')}"
    blobs = model_files(repository / "blobs", width=width)
    snapshot = repository / "snapshots" / "5c38ec7c"
    snapshot.mkdir(parents=True)
    for blob in blobs.iterdir():
        (snapshot / blob.name).symlink_to(Path("../../blobs") / blob.name)
    (repository / "refs").mkdir()
    (repository / "refs" / "main").write_text("5c38ec7c")
    return snapshot


@pytest.fixture
def with_extra(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """sentence-transformers is installed, and importing it would fail the test."""
    (tmp_path / "site" / "sentence_transformers").mkdir(parents=True)
    (tmp_path / "site" / "sentence_transformers" / "__init__.py").write_text("raise AssertionError('imported')\n")
    monkeypatch.delitem(sys.modules, "sentence_transformers", raising=False)
    monkeypatch.syspath_prepend(tmp_path / "site")


@pytest.fixture
def without_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sentence_transformers", None)


def test_the_embedded_model_is_what_its_module_says() -> None:
    from index.embed.static import StaticEmbedder

    spec = resolve("embedded")
    model = StaticEmbedder.load()
    assert (spec.model_id, spec.dimensions) == (model.model_id, model.dimensions)


def test_bge_small_is_used_as_its_model_card_says(caches: Path) -> None:
    spec = resolve("bge-small")
    assert spec == resolve(BGE)
    assert (spec.model_id, spec.hub, spec.dimensions, spec.pooling) == ("bge-small", BGE, 384, "cls")
    assert spec.query_prompt == "Represent this sentence for searching relevant passages: "
    assert spec.folder is None


def test_auto_is_bge_small_with_the_extra_and_weights(caches: Path, with_extra: None) -> None:
    assert resolve("auto").name == "embedded"
    snapshot = in_hub_cache(caches, BGE)
    assert (resolve("auto").name, resolve("auto").folder) == ("bge-small", snapshot)


def test_auto_is_the_embedded_model_without_the_extra(caches: Path, without_extra: None) -> None:
    in_hub_cache(caches, BGE)
    assert resolve("auto").name == "embedded"


def test_a_download_that_was_cut_off_is_no_model(caches: Path, with_extra: None) -> None:
    snapshot = in_hub_cache(caches, BGE)
    (snapshot / "model.safetensors").resolve().unlink()
    assert resolve("bge-small").folder is None
    assert resolve("auto").name == "embedded"


def test_our_own_models_folder_comes_before_the_hub_cache(caches: Path) -> None:
    in_hub_cache(caches, BGE)
    ours = model_files(caches / "ctxpack" / "models" / "bge-small")
    assert resolve("bge-small").folder == ours
    other = model_files(caches / "ctxpack" / "models" / "org--name", width=12)
    assert resolve("org/name") == ModelSpec("org/name", "org/name", hub="org/name", dimensions=12, folder=other)


def test_a_folder_is_known_by_its_content_not_by_its_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    here, there = model_files(tmp_path / "a" / "mine"), model_files(tmp_path / "b" / "mine")
    spec = resolve(str(here))
    assert spec.model_id == f"mine@{fingerprint(here)[:8]}" == resolve(str(there)).model_id
    assert (spec.dimensions, spec.hub, spec.folder) == (384, "", here)
    monkeypatch.chdir(tmp_path / "a")
    assert resolve("./mine").model_id == resolve("../b/mine").model_id == spec.model_id


@pytest.mark.parametrize(
    ("file", "place"), [("model.safetensors", 0), ("model.safetensors", -1), ("config.json", 5), ("tokenizer.json", 0)]
)
def test_the_fingerprint_changes_with_weights_and_settings(tmp_path: Path, file: str, place: int) -> None:
    folder = model_files(tmp_path / "mine")
    before = fingerprint(folder)
    data = bytearray((folder / file).read_bytes())
    data[place] ^= 1
    (folder / file).write_bytes(data)
    assert fingerprint(folder) != before


def test_retrained_weights_of_any_size_are_noticed(tmp_path: Path) -> None:
    for size in (1, 5_000, 3_000_000):
        marks = set()
        for content in (b"a", b"b"):
            folder = model_files(tmp_path / "mine", weights=content * size)
            marks.add(fingerprint(folder))
            shutil.rmtree(folder)
        assert len(marks) == 2


@pytest.mark.parametrize("name", ["", "bge", "a/b/c", "a//b", "/".join("ab") + "/", "org/..", "org\\name", "auto "])
def test_a_malformed_name_is_refused(caches: Path, name: str) -> None:
    with pytest.raises(InvalidRequest) as caught:
        resolve(name)
    assert caught.value.details == {"field": "model"}
    assert caught.value.hint == "see `ctxpack model list`"


@pytest.mark.parametrize("name", ["./none", "../none", "~/none", "/none"])
def test_a_path_that_holds_no_model_is_refused(caches: Path, name: str) -> None:
    with pytest.raises(ModelMissing, match="does not contain a sentence-transformers model"):
        resolve(name)


def test_a_missing_model_says_how_to_get_it(caches: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(sys.modules, "sentence_transformers", None)
    extra = "run `pip install 'ctxpack-code[bge]'`, or in a clone of ctxpack: `pipx install --force '.[bge]'`"
    for name in ("bge-small", "org/name"):
        with pytest.raises(ModelMissing, match=f"the weights of {name} are not on this machine") as caught:
            SentenceTransformerEmbedder(resolve(name))
        assert caught.value.hint == f"{extra}; then run `ctxpack model pull {name}`; or use `--model embedded`"
    in_hub_cache(caches, BGE)
    with pytest.raises(ModelMissing, match="bge-small needs sentence-transformers, which is not installed") as caught:
        SentenceTransformerEmbedder(resolve("bge-small"))
    assert caught.value.hint == f"{extra}; or use `--model embedded`"


def test_with_the_extra_only_the_weights_are_missing(caches: Path, with_extra: None) -> None:
    with pytest.raises(ModelMissing) as caught:
        SentenceTransformerEmbedder(resolve("bge-small"))
    assert caught.value.hint == "run `ctxpack model pull bge-small`; or use `--model embedded`"


def test_the_list_shows_installed_and_available_models(caches: Path, with_extra: None) -> None:
    embedded = ("embedded", "ctxpack-static-v1", 256, True, "in the package", "Apache-2.0")
    assert [astuple(row) for row in list_models()] == [embedded, ("bge-small", "bge-small", 384, False, "", "MIT")]
    bge, other = in_hub_cache(caches, BGE), in_hub_cache(caches, "org/some--name", width=64)
    in_hub_cache(caches, "org/no-sentence-model")
    (caches / "hub" / "models--org--no-sentence-model" / "blobs" / "modules.json").unlink()
    assert [astuple(row) for row in list_models()] == [
        embedded,
        ("bge-small", "bge-small", 384, True, str(bge), "MIT"),
        ("org/some--name", "org/some--name", 64, True, str(other), ""),
    ]


def test_a_model_outside_the_hub_is_not_downloaded(tmp_path: Path) -> None:
    folder = model_files(tmp_path / "mine")
    assert pull(str(folder)) == resolve(str(folder))
    assert pull("embedded") == resolve("embedded")


def test_pulling_needs_the_extra(caches: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "huggingface_hub", None)
    monkeypatch.setitem(sys.modules, "sentence_transformers", None)
    with pytest.raises(ModelMissing, match="needs huggingface_hub, which is not installed") as caught:
        pull("bge-small")
    assert "`pip install 'ctxpack-code[bge]'`" in caught.value.hint


@pytest.mark.parametrize(
    ("variables", "expected"),
    [
        ({"HF_HUB_CACHE": "/h", "HF_HOME": "/x"}, "/h"),
        ({"HF_HOME": "/x"}, "/x/hub"),
        ({"XDG_CACHE_HOME": "/c"}, "/c/huggingface/hub"),
        ({}, "/home/me/.cache/huggingface/hub"),
    ],
)
def test_the_hub_cache_follows_the_variables_of_the_hub(
    caches: Path, monkeypatch: pytest.MonkeyPatch, variables: dict[str, str], expected: str
) -> None:
    for name in ("HF_HOME", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", "/home/me")
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert hub_cache() == Path(expected)


def test_resolving_imports_nothing_heavy(caches: Path) -> None:
    in_hub_cache(caches, BGE)
    script = (
        "import sys; from index.embed.models import resolve, list_models; resolve('auto'); list_models()\n"
        "print(sorted({'numpy', 'torch', 'sentence_transformers', 'huggingface_hub'} & set(sys.modules)))"
    )
    assert subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout == "[]\n"


def test_names_of_the_registry_are_unique() -> None:
    names = [name for spec in REGISTRY for name in (spec.name, spec.model_id, spec.hub) if name]
    assert len(names) == len(set(names)) + sum(spec.name == spec.model_id for spec in REGISTRY)
