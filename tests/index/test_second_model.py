"""The transformer in addition to the static model: its vectors on disk, how they are filled, their use in search."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from dataclasses import replace
from hashlib import blake2b
from pathlib import Path

import filelock
import numpy as np
import pytest

from contracts.errors import IndexLocked, ModelMissing
from index import Index, open_index
from index.collection.collection import Collection
from index.embed.models import ModelSpec, resolve
from index.embed.static import StaticEmbedder
from index.generation.private import cache_root
from index.search.ranker import Table, shipped_ranker
from index.search.signals.files import second_dense
from index.second_model.fill import TABLES, fill, work_order
from index.second_model.vectors import ChunkVectors, SecondModel, VectorFile, chunk_keys, vector_file
from tests.index.conftest import SHOP, Keeper, WriteTree
from tests.index.word_model import WordModel


def document_hash(text: str) -> bytes:
    return blake2b(text.encode(), digest_size=16).digest()


KEYS = [document_hash(text) for text in "abcde"]
VECTORS = np.arange(20, dtype=np.float32).reshape(5, 4) / 16  # exact in float16


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CTXPACK_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setenv("CTXPACK_NO_BACKGROUND", "1")


@pytest.fixture
def spec(tmp_path: Path) -> ModelSpec:
    """A model's folder, which `WordModel` stands in for."""
    folder = tmp_path / "weights"
    folder.mkdir()
    (folder / "config.json").write_text(f'{{"hidden_size": {WordModel.dimensions}}}')
    (folder / "tokenizer.json").write_text("{}")
    (folder / "model.safetensors").write_bytes(b"weights")
    return resolve(str(folder))


def filled(keeper: Keeper, spec: ModelSpec, model: WordModel, told: list[tuple[int, int]] | None = None) -> None:
    def note(done: int, total: int) -> None:
        if told is not None:
            told.append((done, total))

    fill(keeper.store, spec, wait_s=0, progress=note, load=lambda _: model)


def test_vectors_come_back_by_their_keys(tmp_path: Path) -> None:
    file = VectorFile(tmp_path / "vectors" / "m.bin", 4)
    assert (len(file.records()), file.keys(), file.identity()) == (0, set(), 0)
    file.append(KEYS[:2], VECTORS[:2])
    file.append(KEYS[2:], VECTORS[2:])
    assert np.array_equal(file.records()["vector"], VECTORS)
    assert np.array_equal(file.records(3)["vector"], VECTORS[3:])
    assert file.keys() == set(KEYS)


def test_half_a_record_of_a_killed_writer_is_written_again(tmp_path: Path) -> None:
    file = VectorFile(tmp_path / "m.bin", 4)
    file.append(KEYS[:2], VECTORS[:2])
    whole = file.path.read_bytes()
    for cut in range(1, 24):
        file.path.write_bytes(whole[:-cut])
        assert file.keys() == {KEYS[0]}
        file.append(KEYS[1:2], VECTORS[1:2])
        assert file.path.read_bytes() == whole


@pytest.mark.parametrize("content", [b"", b"short", b"something else that is long enough to be records\n" * 9])
def test_a_foreign_file_counts_as_empty_and_is_replaced(tmp_path: Path, content: bytes) -> None:
    file = VectorFile(tmp_path / "m.bin", 4)
    file.path.write_bytes(content)
    assert file.keys() == set()
    file.append(KEYS, VECTORS)
    assert np.array_equal(file.records()["vector"], VECTORS)
    assert VectorFile(file.path, 8).keys() == set()  # the same name, another width


def test_unneeded_vectors_are_removed_and_readers_notice(tmp_path: Path, shop: Path, keeper: Keeper) -> None:
    segment = keeper.refresh(shop)[0].segment
    keys = chunk_keys(segment)
    file = VectorFile(tmp_path / "m.bin", 4)
    vectors = ChunkVectors(segment, file)
    file.append([*KEYS, keys[1]], np.vstack([VECTORS, VECTORS[:1]]))
    vectors.catch_up()
    file.rewrite({keys[1]})
    file.append([keys[0]], VECTORS[3:4])
    assert file.keys() == {keys[0], keys[1]}
    vectors.catch_up()
    assert np.flatnonzero(vectors.covered).tolist() == [0, 1]
    assert np.array_equal(vectors.matrix[:2], VECTORS[[3, 0]])


def test_a_key_is_the_hash_of_the_path_and_the_text(shop: Path, keeper: Keeper) -> None:
    index = opened(shop, keeper)
    rows = [index.chunk(number) for number in range(index.chunks)]
    assert chunk_keys(index.snapshot.segment) == [document_hash(f"{row.file}\n{row.text}") for row in rows]


def opened(root: Path, keeper: Keeper, second: SecondModel | None = None) -> Index:
    snapshot, refreshed = keeper.refresh(root)
    return Index(root, keeper.store, snapshot, keeper.embedder, refreshed, second=second)


def test_the_signal_is_the_cosine_among_the_covered_in_standard_deviations(
    tmp_path: Path, shop: Path, keeper: Keeper, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("index.second_model.vectors.MIN_VECTORS", 3)
    collection = Collection(keeper.refresh(shop)[0])
    keys, file = chunk_keys(collection.snapshot.segment), VectorFile(tmp_path / "m.bin", 2)
    vectors = ChunkVectors(collection.snapshot.segment, file)
    file.append([keys[0], keys[2]], np.array([[1, 0], [0, 1]], np.float32))
    vectors.catch_up()
    query = np.array([1, 0], np.float32)
    assert not vectors.enough, "two tell nothing"
    file.append([keys[3]], np.array([[0.5, 0]], np.float32))
    vectors.catch_up()
    # cosines 1, 0, 0.5: mean 0.5, deviation sqrt(1 / 6)
    expected = np.zeros(len(collection.chunks), np.float32)
    expected[[0, 2]] = 1.2247, -1.2247
    assert np.array_equal(second_dense(vectors.matrix, vectors.covered, query), expected)


def test_all_chunks_get_their_vectors_and_progress_is_reported(shop: Path, keeper: Keeper, spec: ModelSpec) -> None:
    snapshot, _ = keeper.refresh(shop)
    model, told = WordModel(), list[tuple[int, int]]()
    filled(keeper, spec, model, told)
    vectors = ChunkVectors(snapshot.segment, vector_file(keeper.store.home, spec))
    vectors.catch_up()
    index = opened(shop, keeper)
    texts = [f"{row.file}\n{row.text}" for row in (index.chunk(number) for number in range(index.chunks))]
    assert vectors.covered.all()
    assert np.array_equal(vectors.matrix, WordModel().embed_documents(texts).astype(np.float16).astype(np.float32))
    assert (told[0], told[-1]) == ((0, len(texts)), (len(texts), len(texts)))
    assert sorted(model.asked) == sorted(set(texts))


def test_computed_vectors_are_kept_after_an_interruption(
    write_tree: WriteTree, keeper: Keeper, spec: ModelSpec
) -> None:
    root = write_tree({f"m{number}.py": f"def f{number}():\n    return {number}\n" for number in range(100)})
    keeper.refresh(root)
    first = WordModel(stop_after=64)
    with pytest.raises(KeyboardInterrupt):
        filled(keeper, spec, first)
    file = vector_file(keeper.store.home, spec)
    assert len(file.records()) == 64
    second = WordModel()
    filled(keeper, spec, second)
    assert (len(file.records()), len(second.asked)) == (100, 36)
    assert not set(first.asked) & set(second.asked)


def test_an_edit_costs_the_vectors_of_the_chunks_it_changed(shop: Path, keeper: Keeper, spec: ModelSpec) -> None:
    keeper.refresh(shop)
    filled(keeper, spec, WordModel())
    (shop / "shop/money.py").write_text(SHOP["shop/money.py"].replace("float(text)", "float(text or 0)"))
    keeper.refresh(shop)
    again = WordModel()
    filled(keeper, spec, again)
    assert len(again.asked) == 1
    assert "float(text or 0)" in again.asked[0]


def test_new_files_come_first_then_those_that_others_import_and_tests_and_prose_last(
    shop: Path, keeper: Keeper
) -> None:
    day = 86_400 * 10**9
    for path in SHOP:
        os.utime(shop / path, ns=(100 * day, 100 * day))
    snapshot, _ = keeper.refresh(shop)
    collection = Collection(snapshot)
    paths = [collection.files.paths[file] for file in collection.chunks.file[work_order(snapshot)].tolist()]
    order = list(dict.fromkeys(paths))
    assert order.index("shop/money.py") < order.index("tests/test_cart.py")
    assert order.index("shop/cart.py") < order.index("README.md")
    os.utime(shop / "README.md", ns=(200 * day, 200 * day))
    snapshot, _ = keeper.refresh(shop)
    newest = Collection(snapshot).chunks.file[work_order(snapshot)[0]]
    assert snapshot.strings("file.path")[int(newest)] == "README.md"


def test_a_second_run_leaves_a_file_to_the_first(shop: Path, keeper: Keeper, spec: ModelSpec) -> None:
    keeper.refresh(shop)
    file = vector_file(keeper.store.home, spec)
    file.path.parent.mkdir()
    with filelock.FileLock(f"{file.path}.lock"), pytest.raises(IndexLocked, match="without progress for 0 s"):
        filled(keeper, spec, WordModel())
    filled(keeper, spec, WordModel())
    assert len(file.records())


def test_the_background_process_loads_no_model_where_nothing_is_missing(
    shop: Path, keeper: Keeper, spec: ModelSpec, tmp_path: Path
) -> None:
    keeper.refresh(shop)
    filled(keeper, spec, WordModel())
    (tmp_path / "site" / "sentence_transformers").mkdir(parents=True)
    (tmp_path / "site" / "sentence_transformers" / "__init__.py").write_text("raise AssertionError('imported')\n")
    command = [sys.executable, "-W", "error", "-m", "index.second_model.fill", str(keeper.store.home), spec.name]
    done = {}
    for missing in (False, True):
        if missing:
            vector_file(keeper.store.home, spec).path.unlink()
            shutil.rmtree(cache_root() / TABLES, ignore_errors=True)
        environment = {**os.environ, "PYTHONPATH": str(tmp_path / "site")}
        done[missing] = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    assert (done[False].returncode, done[False].stderr) == (0, "")
    assert "imported" in done[True].stderr


def beside(keeper: Keeper, spec: ModelSpec, monkeypatch: pytest.MonkeyPatch, *, waits: bool = True) -> SecondModel:
    monkeypatch.setattr("index.second_model.vectors.SentenceTransformerEmbedder", lambda _: WordModel())
    live = keeper.store.open()
    assert live is not None
    return SecondModel(spec, keeper.store.home, live.segment, waits=waits)


def test_an_answer_states_its_coverage(
    shop: Path, keeper: Keeper, spec: ModelSpec, monkeypatch: pytest.MonkeyPatch
) -> None:
    chunks = opened(shop, keeper).chunks
    index = opened(shop, keeper, beside(keeper, spec, monkeypatch))
    assert index.model_id == f"ctxpack-static-v1+{spec.model_id}"
    index.search("round an amount")
    assert index.vector_coverage is not None
    assert (index.vector_coverage.covered, index.vector_coverage.used) == (0, False)
    filled(keeper, spec, WordModel())
    index = opened(shop, keeper, beside(keeper, spec, monkeypatch))
    index.search("round an amount")
    coverage = index.vector_coverage
    assert coverage is not None
    assert (coverage.model_id, coverage.covered, coverage.chunks, coverage.used) == (
        spec.model_id, chunks, chunks, True,
    )  # fmt: skip


def test_a_server_sees_vectors_as_they_come(
    shop: Path, keeper: Keeper, spec: ModelSpec, monkeypatch: pytest.MonkeyPatch
) -> None:
    keeper.refresh(shop)
    index = opened(shop, keeper, beside(keeper, spec, monkeypatch, waits=False))
    index.search("round an amount")
    assert index.vector_coverage is not None and not index.vector_coverage.covered
    filled(keeper, spec, WordModel())
    for _ in range(1000):  # the model loads in the background, so the first answers may lack it
        index.search("round an amount")
        if index.vector_coverage.used:
            break
    assert index.vector_coverage.used


def test_the_signal_is_worth_what_its_table_says_and_nothing_without_vectors(
    shop: Path, keeper: Keeper, spec: ModelSpec, monkeypatch: pytest.MonkeyPatch
) -> None:
    keeper.refresh(shop)
    filled(keeper, spec, WordModel())
    monkeypatch.setattr("index.search.signals.pool.MIN_COVERED", 2)
    ranker = replace(shipped_ranker(), own=(Table("transformer", np.array([0.5], np.float32), np.array([0.0, 3.0])),))
    plain, with_second = opened(shop, keeper), opened(shop, keeper, beside(keeper, spec, monkeypatch))
    plain.ranker = with_second.ranker = ranker
    names = {why.name for hit in plain.search("sum of lines", order="lines") for why in hit.why}
    assert "own.transformer" not in names
    names = {why.name for hit in with_second.search("sum of lines", order="lines") for why in hit.why}
    assert "own.transformer" in names


def test_a_generation_has_the_static_model_whatever_is_named(shop: Path, tmp_path: Path) -> None:
    for model in ("auto", "embedded"):
        index = open_index(shop, home=tmp_path / "home", model=model)
        assert (index.model_id, index.vector_coverage) == ("ctxpack-static-v1", None)
        assert isinstance(index.embedder, StaticEmbedder)
    with pytest.raises(ModelMissing, match="bge-small"):
        open_index(shop, home=tmp_path / "home", model="bge-small")


def test_nothing_is_embedded_twice(shop: Path, keeper: Keeper, spec: ModelSpec, tmp_path: Path) -> None:
    """In another home, even after all generations of the first one are gone."""
    pytest.importorskip("lancedb")
    keeper.refresh(shop)
    first = WordModel()
    filled(keeper, spec, first)
    shutil.rmtree(keeper.store.home)
    keeper.refresh(shop)

    def load(_: ModelSpec) -> WordModel:
        raise AssertionError("nothing is left to be computed")

    fill(keeper.store, spec, wait_s=0, load=load)
    vectors = ChunkVectors(keeper.refresh(shop)[0].segment, vector_file(keeper.store.home, spec))
    vectors.catch_up()
    assert first.asked and vectors.covered.all()
