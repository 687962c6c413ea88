"""A team's published generations: fetched, checked, published, on folders and on a bucket; every failure of a store."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import orjson
import pytest

import context_pack
from contracts.errors import InvalidRequest
from index import Index, build_index, open_index
from index.embed.models import ModelSpec, resolve
from index.fleet import published
from index.fleet import share as sharing
from index.fleet.objects import FolderObjects, StoreFailure
from index.generation.reader import Snapshot
from index.tree import MAX_FILE_BYTES
from tests.fleet.bucket import Bucket
from tests.index.conftest import SHOP

GIT = ("git", "-c", "user.name=a", "-c", "user.email=a@b.c", "-c", "commit.gpgsign=false")
QUESTIONS = ("sum up the cart", "Money", "parse_money", "checkout")


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CTXPACK_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setenv("CTXPACK_NO_BACKGROUND", "1")


def git(root: Path, *arguments: str) -> None:
    subprocess.run([*GIT, "-C", str(root), *arguments], check=True, capture_output=True)


def write(root: Path, files: dict[str, str]) -> None:
    for path, text in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)


def commit(root: Path, files: dict[str, str]) -> None:
    write(root, files)
    git(root, "add", "-A")
    git(root, "commit", "-qm", "change")


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    root = tmp_path / "shop"
    root.mkdir()
    git(root, "init", "-q")
    commit(root, SHOP)
    return root


@pytest.fixture(params=["folder", "bucket"])
def store(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    if request.param == "folder":
        (tmp_path / "share").mkdir()
        yield str(tmp_path / "share")
        return
    pytest.importorskip("obstore")
    with Bucket() as bucket:
        bucket.name_in(monkeypatch)
        yield "s3://team/indexes"


def clone(root: Path, name: str) -> Path:
    other = root.parent / name
    subprocess.run([*GIT, "clone", "-q", str(root), str(other)], check=True)
    return other


def build(root: Path, store: str | None, name: str = "home") -> Index:
    return build_index(root, home=root.parent / f"{root.name}-{name}", model="embedded", share=store)


def answers(root: Path, index: Index) -> list[bytes]:
    session = context_pack.open(root, index_dir=index.folder.parent, model="embedded", no_refresh=True)
    return [orjson.dumps(session.query(question).data, default=vars) for question in QUESTIONS]


def changes(index: Index) -> tuple[int, int, int]:
    news = index.refreshed
    assert news is not None
    return news.added, news.changed, news.removed


def notes(index: Index) -> str:
    assert index.refreshed is not None
    return "\n".join(index.refreshed.notes)


def counted(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The paths of the files that are chunked from now on."""
    paths: list[str] = []
    monkeypatch.setattr("index.segment.workers.read_parallel", _noting(paths))
    return paths


def _noting(paths: list[str]):  # type: ignore[no-untyped-def]
    from index.segment.workers import read_parallel

    def noting(root, stats, *rest, **options):  # type: ignore[no-untyped-def]
        paths.extend(stat.path for stat in stats)
        return read_parallel(root, stats, *rest, **options)

    return noting


def test_a_second_clone_chunks_nothing_and_answers_the_same(
    shop: Path, store: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = build(shop, store)
    assert notes(first) == ""
    other = clone(shop, "other")
    chunked = counted(monkeypatch)
    second = open_index(other, home=other.parent / "second", model="embedded", share=store)
    assert (chunked, changes(second), notes(second)) == ([], (0, 0, 0), "")
    alone = build(other, None, "alone")
    assert answers(other, second) == answers(other, alone) == answers(shop, first)
    assert not (second.folder / sharing.FOLDER).exists()
    assert not second.stale()


def test_what_differs_from_the_nearest_published_commit_is_indexed_here(
    shop: Path, store: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    build(shop, store)
    other = clone(shop, "other")
    commit(other, {"shop/tax.py": "def tax(amount):\n    return amount * 0.2\n"})
    (other / "shop/money.py").write_text(SHOP["shop/money.py"].replace("float(text)", "float(text or 0)"))
    chunked = counted(monkeypatch)
    second = open_index(other, home=other.parent / "second", model="embedded", share=store)
    assert sorted(chunked) == ["shop/money.py", "shop/tax.py"]
    assert changes(second) == (1, 1, 0)
    assert answers(other, second) == answers(other, build(other, None, "alone"))


def test_uncommitted_text_is_never_published(shop: Path, store: str) -> None:
    write(shop, {"secret.py": "KEY = 'not yet committed'\n"})
    index = build(shop, store)
    assert "uncommitted" in notes(index)
    assert (
        open_index(clone(shop, "other"), home=shop.parent / "h", model="embedded", share=store).files == index.files - 1
    )


def test_what_is_committed_while_it_is_indexed_is_not_published(
    shop: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "share").mkdir()
    publish = sharing.Share.publish

    def late(share: sharing.Share, snapshot: Snapshot) -> None:
        commit(shop, {"later.py": "LATER = 1\n"})
        publish(share, snapshot)

    monkeypatch.setattr(sharing.Share, "publish", late)
    assert "another commit" in notes(build(shop, str(tmp_path / "share")))
    assert not list(tmp_path.joinpath("share").rglob("*.json"))


def test_one_generation_a_commit_however_often_it_is_published(shop: Path, tmp_path: Path) -> None:
    (tmp_path / "share").mkdir()
    build(shop, str(tmp_path / "share"))
    before = sorted(tmp_path.joinpath("share").rglob("*.json"))
    build(clone(shop, "other"), str(tmp_path / "share"))
    assert sorted(tmp_path.joinpath("share").rglob("*.json")) == before
    assert len(before) == 1


def test_two_publishers_at_once_leave_one_whole_generation(shop: Path, tmp_path: Path) -> None:
    other, third = clone(shop, "other"), clone(shop, "third")
    (tmp_path / "share").mkdir()
    code = (
        "import sys; from pathlib import Path; from index import build_index\n"
        "i = build_index(Path(sys.argv[1]), home=Path(sys.argv[2]), model='embedded', share=sys.argv[3])\n"
        "assert not i.refreshed.notes, i.refreshed.notes\n"
    )
    runs = [
        subprocess.Popen([sys.executable, "-c", code, str(root), f"{root}-home", str(tmp_path / "share")])
        for root in (shop, other)
    ]
    assert [run.wait() for run in runs] == [0, 0]
    index = open_index(third, home=tmp_path / "h", model="embedded", share=str(tmp_path / "share"))
    assert (changes(index), notes(index)) == ((0, 0, 0), "")


def test_a_publisher_that_dies_leaves_nothing_that_is_fetched(
    shop: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = tmp_path / "share"
    place.mkdir()
    whole = FolderObjects.create

    def dying(self: FolderObjects, key: str, data: bytes) -> bool:
        if key.endswith(".json"):
            raise KeyboardInterrupt
        return whole(self, key, data)

    monkeypatch.setattr(FolderObjects, "create", dying)
    with pytest.raises(KeyboardInterrupt):
        build(shop, str(place))
    monkeypatch.undo()
    monkeypatch.setenv("CTXPACK_NO_BACKGROUND", "1")
    other = clone(shop, "other")
    index = build(other, str(place))
    assert (changes(index), notes(index)) == ((len(SHOP), 0, 0), "")
    third = open_index(clone(shop, "third"), home=tmp_path / "h", model="embedded", share=str(place))
    assert changes(third) == (0, 0, 0)


@pytest.mark.parametrize("damage", ["flipped", "cut", "gone", "larger", "no json", "other parts"])
def test_a_damaged_generation_is_reported_and_not_used(shop: Path, tmp_path: Path, damage: str) -> None:
    place = tmp_path / "share"
    place.mkdir()
    first = build(shop, str(place))
    (naming,) = place.rglob("*.json")
    for blob in (place / published.ROOT / "blobs").iterdir():
        data = blob.read_bytes()
        if damage == "gone":
            blob.unlink()
        elif damage in ("flipped", "cut", "larger"):
            middle = len(data) // 2
            flipped = data[:middle] + bytes([data[middle] ^ 1]) + data[middle + 1 :]
            blob.write_bytes({"flipped": flipped, "cut": data[:middle], "larger": data + b"x"}[damage])
    if damage == "no json":
        naming.write_bytes(b"{")
    if damage == "other parts":
        parts = orjson.loads(naming.read_bytes())["parts"]
        parts["arrays.bin"] = {**parts["arrays.bin"], "whole": 10**15}
        naming.write_bytes(orjson.dumps({"parts": parts}))
    other = clone(shop, "other")
    index = open_index(other, home=tmp_path / "h", model="embedded", share=str(place))
    assert "built without it" in notes(index)
    assert changes(index) == (len(SHOP), 0, 0)
    assert answers(other, index) == answers(shop, first)
    naming.unlink()
    build(shop, str(place))
    third = open_index(clone(shop, "third"), home=tmp_path / "h3", model="embedded", share=str(place))
    assert (changes(third), notes(third)) == ((0, 0, 0), ""), "it is published again"


def test_a_bomb_is_not_unpacked(shop: Path, tmp_path: Path) -> None:
    import hashlib
    import zlib

    place = tmp_path / "share"
    place.mkdir()
    build(shop, str(place))
    (naming,) = place.rglob("*.json")
    bomb = zlib.compress(b"\0" * 50_000_000, 9)
    digest = hashlib.sha256(bomb).hexdigest()
    (place / published.ROOT / "blobs" / digest).write_bytes(bomb)
    parts = orjson.loads(naming.read_bytes())["parts"]
    parts["arrays.bin"] = {"sha256": digest, "bytes": len(bomb), "whole": 1000}
    naming.write_bytes(orjson.dumps({"parts": parts}))
    index = open_index(clone(shop, "other"), home=tmp_path / "h", model="embedded", share=str(place))
    assert "does not have the stated size" in notes(index)


def test_a_stored_text_that_is_not_in_the_tree_is_never_shown(shop: Path, tmp_path: Path) -> None:
    """A forged store: another text under the hash of the file, with valid checksums."""
    place = tmp_path / "share"
    place.mkdir()
    evil = clone(shop, "evil")
    lie = SHOP["shop/money.py"].replace("ROUNDING", "FORGERYX")
    write(evil, {"shop/money.py": lie})
    index = build(evil, None)
    honest = build(shop, None)
    forged = forged_generation(index.snapshot, honest.snapshot, tmp_path / "forged")
    share = sharing.Share(str(place), shop, honest.store, honest.snapshot.manifest.model_id, MAX_FILE_BYTES)
    share.publish(forged)
    assert share.notes == []
    other = clone(shop, "other")
    found = open_index(other, home=tmp_path / "h", model="embedded", share=str(place))
    assert notes(found) == ""
    assert changes(found) == (0, 1, 0), "the file with the lie is read from the tree"
    assert b"FORGERYX" not in b"".join(answers(other, found))
    assert found.file_text("shop/money.py") == SHOP["shop/money.py"]


def forged_generation(
    lying: Snapshot, honest: Snapshot, folder: Path, changed: dict[str, np.ndarray] | None = None
) -> Snapshot:
    """The generation of one tree with the hashes and sizes of another, and other numbers."""
    from index.generation.reader import Manifest
    from index.generation.writer import SnapshotWriter
    from index.segment.columns import Segment

    folder.mkdir()
    segment, true = lying.segment, honest.segment
    columns = {**segment.columns, "file.hash": true.array("file.hash"), "file.size": true.array("file.size")}
    columns |= {name: values for name, values in (changed or {}).items() if name in columns}
    rows = {level: (changed or {}).get(f"rows/{level}", values) for level, values in segment.rows.items()}
    own = {*columns, *(f"rows/{level}" for level in rows)}
    derived = {
        name: (changed or {}).get(name, lying.array(name))
        for name in lying._placements
        if name not in own and name.rpartition("/")[0] not in {*columns, "names", "terms"}
    }
    writer = SnapshotWriter(folder)
    about = lying.manifest
    writer.finish(
        Manifest(1, about.model_id, about.dimensions, about.about),
        Segment(columns, rows, segment.names, segment.terms),
        derived,
    )
    return Snapshot(folder)


@pytest.mark.parametrize(
    "column", ["chunk.kind", "definition.name", "body.term", "rows/chunk", "post/body/chunk", "post/body/indptr"]
)
def test_invalid_positions_are_reported_and_not_used(shop: Path, tmp_path: Path, column: str) -> None:
    """A forged store with valid checksums."""
    place = tmp_path / "share"
    place.mkdir()
    honest = build(shop, None)
    values = honest.snapshot.array(column).copy()
    values[len(values) // 2] = 250 if values.dtype.itemsize == 1 else 10**6
    forged = forged_generation(honest.snapshot, honest.snapshot, tmp_path / "forged", {column: values})
    sharing.Share(str(place), shop, honest.store, honest.snapshot.manifest.model_id, MAX_FILE_BYTES).publish(forged)
    found = open_index(clone(shop, "other"), home=tmp_path / "h", model="embedded", share=str(place))
    assert "built without it" in notes(found)
    assert changes(found) == (len(SHOP), 0, 0)


def test_a_store_that_is_gone_or_read_only_leaves_the_index_alone(shop: Path, tmp_path: Path) -> None:
    index = build(shop, str(tmp_path / "nowhere"))
    assert "does not exist" in notes(index)
    assert changes(index) == (len(SHOP), 0, 0)
    place = tmp_path / "file"
    place.write_text("")
    assert "does not exist" in notes(build(shop, str(place), "again"))


def test_a_read_only_store_is_reported(shop: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place = tmp_path / "share"
    place.mkdir()

    def refused(self: FolderObjects, key: str, data: bytes) -> bool:
        raise StoreFailure("Read-only file system")

    monkeypatch.setattr(FolderObjects, "create", refused)
    index = build(shop, str(place))
    assert notes(index).endswith("Read-only file system; nothing was published")
    assert changes(index) == (len(SHOP), 0, 0)


def test_a_bucket_without_conditional_writes_is_refused(shop: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("obstore")
    with Bucket(conditional=False) as bucket:
        bucket.name_in(monkeypatch)
        index = build(shop, "s3://team/indexes")
        assert "conditional writes" in notes(index)
        assert [key.rpartition("/")[2] for key in bucket.objects] == ["probe"]


def test_a_slow_bucket_costs_a_bounded_time(shop: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("obstore")
    monkeypatch.setattr("index.fleet.objects.TIMEOUT", "300ms")
    monkeypatch.setattr("index.fleet.objects.RETRIES", 0)
    with Bucket(delay_s=2) as bucket:
        bucket.name_in(monkeypatch)
        index = build(shop, "s3://team/indexes")
    assert "built without it" in notes(index) and "nothing was published" in notes(index)
    assert changes(index) == (len(SHOP), 0, 0)


def test_a_folder_without_commits_shares_nothing(tmp_path: Path) -> None:
    write(tmp_path / "plain", SHOP)
    (tmp_path / "share").mkdir()
    index = build(tmp_path / "plain", str(tmp_path / "share"))
    assert "without commits" in notes(index)
    assert list((tmp_path / "share").iterdir()) == []


def test_other_limits_are_another_generation(shop: Path, tmp_path: Path) -> None:
    place = tmp_path / "share"
    place.mkdir()
    build(shop, str(place))
    other = clone(shop, "other")
    index = open_index(other, home=tmp_path / "h", model="embedded", share=str(place), max_file_bytes=200)
    assert index.files < len(SHOP)
    assert changes(index)[0] == index.files


def test_a_repositorys_own_file_names_no_store(shop: Path, tmp_path: Path) -> None:
    place = tmp_path / "share"
    place.mkdir()
    commit(shop, {"ctxpack.toml": f'share = "{place}"\n'})
    with pytest.raises(InvalidRequest, match="share"):
        context_pack.index(shop, index_dir=tmp_path / "h")
    assert list(place.iterdir()) == []


def test_another_scheme_is_one_clear_error(shop: Path) -> None:
    with pytest.raises(InvalidRequest, match="ftp:// is not a store"):
        build(shop, "ftp://host/folder")


@pytest.mark.bge
@pytest.mark.skipif(find_spec("sentence_transformers") is None or find_spec("lancedb") is None, reason="extra bge")
def test_vectors_of_a_transformer_are_shared(shop: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from tests.index.word_model import WordModel

    place, weights = tmp_path / "share", tmp_path / "weights"
    place.mkdir()
    spec = small_model(weights)
    model = WordModel()
    monkeypatch.setattr("index.second_model.fill.fill.__kwdefaults__", {**_fill_defaults(), "load": lambda _: model})
    build_index(shop, home=tmp_path / "a", model=str(weights), share=str(place))
    assert model.asked
    embedded = len(model.asked)
    shutil.rmtree(os.environ["CTXPACK_CACHE_DIR"])
    other = clone(shop, "other")
    index = build_index(other, home=tmp_path / "b", model=str(weights), share=str(place))
    assert len(model.asked) == embedded, "nothing is embedded again"
    assert index.second is not None and index.second.coverage.covered == index.chunks
    assert spec.dimensions == index.second.vectors.matrix.shape[1]
    assert not np.isnan(index.second.vectors.matrix).any()


def _fill_defaults() -> dict[str, object]:
    from index.second_model.fill import fill

    return dict(fill.__kwdefaults__ or {})


def small_model(folder: Path) -> ModelSpec:
    """A model's folder, which `WordModel` stands in for."""
    from tests.index.word_model import WordModel

    folder.mkdir()
    (folder / "config.json").write_text(f'{{"hidden_size": {WordModel.dimensions}}}')
    (folder / "tokenizer.json").write_text("{}")
    (folder / "model.safetensors").write_bytes(b"weights")
    return resolve(str(folder))
