"""A whole quality run over a small tree, with the real index."""

import json
from pathlib import Path

import pytest

from benchmarks import machine
from benchmarks.quality import main

TREE = {
    "cache.py": "class EmbeddingCache:\n    def __init__(self):\n        self.items = {}\n",
    "server.py": "def serve_requests(port):\n    while True:\n        accept_connection(port)\n",
    "sorting.py": "def sort_rows(rows):\n    return sorted(rows)\n",
}
ASKED = [
    {"query": "EmbeddingCache", "relevant": ["cache.py"]},
    {"query": "how requests are served on a port", "relevant": [{"path": "server.py", "start_line": 1, "end_line": 3}]},
]


@pytest.fixture
def suite(tmp_path: Path) -> Path:
    folder = tmp_path / "suite"
    (folder / "annotations").mkdir(parents=True)
    (folder / "repos.json").write_text(json.dumps([{"name": "tree", "language": "python"}]))
    (folder / "annotations" / "tree.json").write_text(json.dumps(ASKED))
    root = folder / "corpora" / "tree"
    root.mkdir(parents=True)
    for name, text in TREE.items():
        (root / name).write_text(text)
    return folder


def test_a_run_writes_table_and_result_and_repeats(
    suite: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    results = []
    for name in ("a.json", "b.json"):
        main(["--suite", str(suite), "--out", str(tmp_path / name), "--table", str(tmp_path / "table.md")])
        results.append(json.loads((tmp_path / name).read_text()))
    first, second = (result["engines"]["ctxpack"]["questions"] for result in results)
    assert first == second
    assert [one["category"] for one in first] == ["symbol", "architecture"]
    assert [one["measures"]["hit@1"] for one in first] == [1.0, 1.0]
    assert first[0]["top"][0].startswith("cache.py:1:")
    assert results[0]["about"]["questions"] == 2
    table = (tmp_path / "table.md").read_text()
    assert "| ndcg@10 | 1.000 [1.000, 1.000] |" in table
    assert "| category symbol | 1 |" in table
    assert table in capsys.readouterr().out


def test_a_run_below_its_mark_fails(suite: Path) -> None:
    main(["--suite", str(suite), "--least", "hit@1=1"])
    with pytest.raises(SystemExit, match=r"recall@2000 of ctxpack is 1\.0000, less than 1\.5"):
        main(["--suite", str(suite), "--least", "recall@2000=1.5"])


def test_a_command_is_shown_without_folders() -> None:
    shown = machine.command("benchmarks.quality", ["--suite", "/some/suite", "--trees", "/a", "/b", "--runs", "3"])
    assert shown == "python -m benchmarks.quality --suite SUITE --trees TREES TREES --runs 3"
