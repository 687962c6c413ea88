"""The vector cache: what goes in comes out, nothing in it spoils an answer, processes share it, it stays small."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from collections.abc import Sequence
from hashlib import blake2b
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from index.embed.cache import VectorCache, document_hash, document_texts, embed_cached
from index.segment.columns import Strings, offsets_of
from index.segment.segment import Segment, empty

Floats = npt.NDArray[np.float32]
D = 8


class Counting:
    """An embedder whose vectors can be told in advance, and that remembers what it was asked; not a stand-in for one:
    the cache must work for any."""

    model_id = "counting"
    dimensions = D

    def __init__(self, stop_after: int | None = None) -> None:
        self.asked: list[str] = []
        self.stop_after = stop_after

    def embed_documents(self, texts: Sequence[str]) -> Floats:
        if self.stop_after is not None and len(self.asked) >= self.stop_after:
            raise KeyboardInterrupt
        self.asked += texts
        return expected(texts)

    def embed_query(self, text: str) -> Floats:
        return self.embed_documents([text])[0]


def expected(texts: Sequence[str]) -> Floats:
    digests = [blake2b(text.encode(), digest_size=D).digest() for text in texts]
    return np.array([list(digest) for digest in digests], np.float32).reshape(len(texts), D) / 255


def opened(path: Path, model: str = "counting", **more: int) -> VectorCache:
    return VectorCache(path / "cache.sqlite3", model, D, **more)


def test_vectors_come_back_exactly_under_their_model_and_size(tmp_path: Path) -> None:
    vectors = np.array([[1e-30, -0.0, 1 / 3, *range(5)], [np.pi] * D], np.float32)
    keys = [b"a" * 16, b"b" * 16]
    with opened(tmp_path) as cache:
        cache.put_many(keys, vectors)
        cache.put_many(keys[:1], vectors[1:])  # the first one stays
    with opened(tmp_path) as cache, opened(tmp_path, "other") as other:
        found = cache.get_many([*keys, b"c" * 16])
        assert list(found) == keys
        assert np.array_equal(np.stack(list(found.values())), vectors)
        assert other.get_many(keys) == {}
        assert VectorCache(tmp_path / "cache.sqlite3", "counting", D + 1).get_many(keys) == {}


@settings(max_examples=30, deadline=None)
@given(runs=st.lists(st.lists(st.text(max_size=4), max_size=80), max_size=4))
def test_with_a_cache_the_vectors_are_those_without(
    tmp_path_factory: pytest.TempPathFactory, runs: list[list[str]]
) -> None:
    folder = tmp_path_factory.mktemp("cache")
    seen: set[str] = set()
    for texts in runs:
        embedder, told = Counting(), [(0, 0)]
        with opened(folder) as cache:
            got = embed_cached(texts, embedder, cache, lambda done, total: told.append((done, total)))  # noqa: B023
        assert np.array_equal(got, expected(texts))
        assert np.array_equal(got, embed_cached(texts, Counting(), None))
        assert sorted(embedder.asked) == sorted(set(texts) - seen)
        assert told[-1] == (len(texts), len(texts))
        assert [done for done, _ in told] == sorted(done for done, _ in told)
        seen |= set(texts)


def test_an_interrupted_run_goes_on_where_it_stopped(tmp_path: Path) -> None:
    texts = [f"text {number}" for number in range(200)]
    first = Counting(stop_after=96)
    with opened(tmp_path) as cache, pytest.raises(KeyboardInterrupt):
        embed_cached(texts, first, cache)
    second = Counting()
    with opened(tmp_path) as cache:
        assert np.array_equal(embed_cached(texts, second, cache), expected(texts))
    assert len(first.asked) == 96
    assert sorted(first.asked + second.asked) == sorted(texts)


def test_a_killed_writer_loses_its_last_batch_at_most(tmp_path: Path) -> None:
    script = (
        "import os, sys, numpy as np; from pathlib import Path; from index.embed.cache import VectorCache\n"
        "cache = VectorCache(Path(sys.argv[1]), 'm', 4)\n"
        "for n in range(50): cache.put_many([bytes([n]) * 16], np.full((1, 4), n, np.float32))\n"
        "os.kill(os.getpid(), 9)\n"
    )
    path = tmp_path / "cache.sqlite3"
    assert subprocess.run([sys.executable, "-c", script, str(path)], check=False).returncode == -9
    cache = VectorCache(path, "m", 4)
    assert len(cache.get_many([bytes([n]) * 16 for n in range(50)])) == 50
    assert cache.hints == []


def test_processes_share_the_file(tmp_path: Path) -> None:
    script = (
        "import sys, numpy as np; from pathlib import Path; from index.embed.cache import VectorCache, document_hash\n"
        "cache = VectorCache(Path(sys.argv[1]), 'm', 4); me = int(sys.argv[2])\n"
        "for start in range(0, 200, 10):\n"
        "    keys = [document_hash(f'{me % 2}/{n}') for n in range(start, start + 10)]\n"
        "    cache.get_many(keys)\n"
        "    cache.put_many(keys, np.full((10, 4), me % 2, np.float32))\n"
        "sys.exit('; '.join(cache.hints) or None)\n"
    )
    path = tmp_path / "new" / "cache.sqlite3"
    commands = [[sys.executable, "-c", script, str(path), str(number)] for number in range(4)]
    running = [subprocess.Popen(command, stderr=subprocess.PIPE, text=True) for command in commands]
    assert [(process.communicate()[1], process.returncode) for process in running] == [("", 0)] * 4
    cache = VectorCache(path, "m", 4)
    for group in (0, 1):
        found = cache.get_many([document_hash(f"{group}/{n}") for n in range(200)])
        assert len(found) == 200
        assert {float(value) for vector in found.values() for value in vector} == {group}


@pytest.mark.parametrize("damage", [b"no database at all" * 400, b"", b"SQLite format 3\0" + b"\xee" * 5_000])
def test_a_damaged_file_is_started_anew_and_that_is_said(tmp_path: Path, damage: bytes) -> None:
    (tmp_path / "cache.sqlite3").write_bytes(damage)
    with opened(tmp_path) as cache:
        assert np.array_equal(embed_cached(["a", "b"], Counting(), cache), expected(["a", "b"]))
    assert cache.hints == (["the vector cache cache.sqlite3 was damaged and has been started anew"] if damage else [])
    with opened(tmp_path) as cache:
        assert len(cache.get_many([document_hash("a"), document_hash("b")])) == 2
        assert cache.hints == []


def test_damage_in_the_middle_is_found_when_it_is_met(tmp_path: Path) -> None:
    texts = [f"text {number}" for number in range(2_000)]
    with opened(tmp_path) as cache:
        embed_cached(texts, Counting(), cache)
    path = tmp_path / "cache.sqlite3"
    data = bytearray(path.read_bytes())
    data[8_192:-4_096] = b"\xa5" * (len(data) - 12_288)
    path.write_bytes(data)
    with opened(tmp_path) as cache:
        assert np.array_equal(embed_cached(texts, Counting(), cache), expected(texts))
        assert cache.hints == ["the vector cache cache.sqlite3 was damaged and has been started anew"]


def test_where_nothing_can_be_kept_the_vectors_are_right_all_the_same(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    cache = VectorCache(tmp_path / "file" / "cache.sqlite3", "counting", D)
    assert np.array_equal(embed_cached(["a", "b"], Counting(), cache), expected(["a", "b"]))
    (hint,) = cache.hints
    assert hint.startswith("the vector cache cache.sqlite3 cannot be used (")


def test_a_full_disk_is_said_once(tmp_path: Path) -> None:
    with opened(tmp_path) as cache:
        cache._open().execute("PRAGMA max_page_count = 20")  # SQLite's own way to a full disk
        texts = [f"text {number}" for number in range(3_000)]
        assert np.array_equal(embed_cached(texts, Counting(), cache), expected(texts))
        assert cache.hints == [
            "the vector cache cache.sqlite3 cannot be used (database or disk is full): nothing is kept"
        ]


def test_the_file_stays_below_its_bound_and_what_is_used_stays_in_it(tmp_path: Path) -> None:
    bound = 400_000
    kept = [f"used {number}" for number in range(100)]
    for session in range(12):
        with opened(tmp_path, max_bytes=bound) as cache:
            embed_cached([*kept, *(f"{session}/{number}" for number in range(500))], Counting(), cache)
            last = embed_cached([f"{session}/{number}" for number in range(500)], (again := Counting()), cache)
            assert len(last) == 500
        assert (tmp_path / "cache.sqlite3").stat().st_size <= bound * 1.1
    assert len(again.asked) < 250
    with opened(tmp_path, max_bytes=bound) as cache:
        assert len(cache.get_many([document_hash(text) for text in kept])) == len(kept)
        assert cache.get_many([document_hash(f"0/{number}") for number in range(500)]) == {}


def test_a_chunks_document_is_its_files_path_and_its_text() -> None:
    texts = ["a é 1\nb 2\n", "", "c 3\n"]
    plain = empty(0)
    rows = {**plain.rows, "file": np.arange(4), "chunk": offsets_of([2, 0, 1])}
    columns = {
        **plain.columns,
        "file.path": Strings.of(["x.py", "y.py", "é.py"]),
        "file.text": Strings.of(texts),
        "chunk.start_byte": np.array([0, 7, 0], np.int32),
        "chunk.end_byte": np.array([7, 11, 4], np.int32),
    }
    segment = Segment(columns, rows, plain.names, plain.terms)
    assert list(document_texts(segment)) == ["x.py\na é 1\n", "x.py\nb 2\n", "é.py\nc 3\n"]


def test_the_format_is_what_its_number_says(tmp_path: Path) -> None:
    """A change of the tables needs another FILE_NAME: an older ctxpack may use the same cache folder."""
    opened(tmp_path).close()
    connection = sqlite3.connect(tmp_path / "cache.sqlite3")
    names = [name for (name,) in connection.execute("SELECT name FROM pragma_table_info('vector') ORDER BY cid")]
    connection.close()
    assert names == ["id", "model", "hash", "used", "data"]
