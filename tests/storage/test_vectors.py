"""The table of a transformer's vectors, in real folders: no vector is lost, and none is computed twice."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from index.second_model import fill
from index.second_model.fill import VectorTable
from index.second_model.vectors import document
from index.segment.builder import empty
from index.segment.columns import Segment, Strings, offsets_of

pytest.importorskip("lancedb")
D = 4


def opened(path: Path, model: str = "counting", dimensions: int = D) -> VectorTable:
    return VectorTable(path / "vectors.lance", model, dimensions)


def key(number: int) -> bytes:
    return f"text {number:11}".encode()


def keys(count: int, first: int = 0) -> list[bytes]:
    return [key(number) for number in range(first, first + count)]


def vectors(count: int, first: int = 0) -> np.ndarray:
    return (np.arange(count * D, dtype=np.float16).reshape(count, D) + first * D) / 64


def by_key(table: VectorTable, wanted: list[bytes]) -> dict[bytes, list[float]]:
    found, values = table.get(wanted)
    return dict(zip(found, values.tolist(), strict=True))


def test_vectors_come_back_bit_by_bit_and_only_those_asked_for(tmp_path: Path) -> None:
    opened(tmp_path).put(keys(100), vectors(100))
    table = opened(tmp_path)
    assert by_key(table, [*keys(3, 40), b"?" * 16]) == dict(zip(keys(3, 40), vectors(3, 40).tolist(), strict=True))
    table.put(keys(2, 99), np.ones((2, D), np.float16))
    assert by_key(table, keys(2, 99)) == {key(99): vectors(100)[99].tolist(), key(100): [1.0] * D}
    assert table.problems == []


def test_models_share_nothing(tmp_path: Path) -> None:
    opened(tmp_path).put(keys(2), vectors(2))
    assert opened(tmp_path, "another").get(keys(2))[0] == []
    assert opened(tmp_path, "a/b").get(keys(2))[0] == opened(tmp_path, "a_b").get(keys(2))[0] == []


def test_many_small_appends_become_one_and_nothing_is_lost(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fill, "MAX_FRAGMENTS", 5)
    table = opened(tmp_path)
    for number in range(20):
        table.put(keys(3, 3 * number), vectors(3, 3 * number))
    assert by_key(table, keys(60)) == dict(zip(keys(60), vectors(60).tolist(), strict=True))
    assert table._open().stats()["fragment_stats"]["num_fragments"] <= 6


def test_two_processes_lose_nothing(tmp_path: Path) -> None:
    code = (
        "import sys, numpy as np; from pathlib import Path; from index.second_model.fill import VectorTable\n"
        "table = VectorTable(Path(sys.argv[1]), 'counting', 4); me = int(sys.argv[2])\n"
        "for start in range(0, 60, 10):\n"
        "    keys = [f'text {me * 60 + start + n:11}'.encode() for n in range(10)]\n"
        "    table.put(keys, np.ones((10, 4), np.float16))\n"
        "assert table.problems == [], table.problems\n"
    )
    runs = [
        subprocess.Popen([sys.executable, "-W", "ignore", "-c", code, str(tmp_path / "vectors.lance"), str(me)])
        for me in range(2)
    ]
    assert [run.wait() for run in runs] == [0, 0]
    assert set(by_key(opened(tmp_path), keys(120))) == set(keys(120))


@pytest.mark.parametrize("part", ["_versions", "data", ""])
def test_a_damaged_table_is_set_aside_reported_and_rebuilt(tmp_path: Path, part: str) -> None:
    opened(tmp_path).put(keys(5), vectors(5))
    folder = tmp_path / "vectors.lance" / "counting.lance"
    for file in (folder / part).rglob("*"):
        if file.is_file():
            file.write_bytes(b"spoiled" * 10)
    table = opened(tmp_path)
    assert table.get(keys(5))[0] == []
    assert len(table.problems) == 1 and "computed again" in table.problems[0]
    assert (tmp_path / "vectors.lance" / "counting.damaged").is_dir()
    table.put(keys(5), vectors(5))
    assert set(table.get(keys(5))[0]) == set(keys(5))


def test_vectors_that_cannot_be_stored_are_reported(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    table = VectorTable(tmp_path / "file" / "vectors.lance", "counting", D)
    table.put(keys(1), vectors(1))
    assert "could not be stored" in table.problems[-1]


def test_only_the_owner_can_read_the_folder(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        opened(tmp_path).put(keys(1), vectors(1))
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "vectors.lance").stat().st_mode) == 0o700


def test_a_document_is_the_path_and_the_chunks_text() -> None:
    plain = empty(0)
    rows = {**plain.rows, "file": np.arange(3), "chunk": offsets_of([2, 1])}
    columns = {
        **plain.columns,
        "file.path": Strings.of(["x.py", "é.py"]),
        "file.text": Strings.of(["a é 1\nb 2\n", "c 3\n"]),
        "chunk.start_byte": np.array([0, 7, 0], np.int32),
        "chunk.end_byte": np.array([7, 11, 4], np.int32),
    }
    segment = Segment(columns, rows, plain.names, plain.terms)
    texts = [document(segment, file, chunk) for chunk, file in enumerate((0, 0, 1))]
    assert texts == ["x.py\na é 1\n", "x.py\nb 2\n", "é.py\nc 3\n"]
