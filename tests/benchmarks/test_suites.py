"""The loader: public folders, mined documents, splits."""

import json
from pathlib import Path

import pytest

from benchmarks.suites import Target, load_suite, split_of


@pytest.fixture
def public(tmp_path: Path) -> Path:
    folder = tmp_path / "suite"
    (folder / "annotations").mkdir(parents=True)
    repos = [
        {"name": "one", "language": "go", "benchmark_root": "src"},
        {"name": "absent", "language": "go"},
    ]
    lines = {"path": "src/b.go", "start_line": 2, "end_line": 5}
    asked = [
        {"query": "how it starts", "relevant": ["src/a.go"], "secondary": [lines]},
        {"query": "Server", "relevant": [], "secondary": ["src/a.go"]},
        {"query": "server start", "relevant": ["src/a.go"], "category": "architecture"},
    ]  # fmt: skip
    (folder / "repos.json").write_text(json.dumps(repos))
    (folder / "annotations" / "one.json").write_text(json.dumps(asked))
    (tmp_path / "corpora" / "one" / "src").mkdir(parents=True)
    return folder


def test_a_public_folder_gives_the_repositories_that_exist(public: Path, tmp_path: Path) -> None:
    suite = load_suite(public, tmp_path / "corpora")
    (repository,) = suite.repositories
    assert repository.root == tmp_path / "corpora" / "one" / "src"
    first = repository.questions[0]
    assert first.targets == (Target("src/a.go"), Target("src/b.go", 2, 5))
    assert (first.language, first.repository) == ("go", "one")
    assert [one.category for one in repository.questions] == ["architecture", "symbol", "architecture"]
    assert suite.questions == 3


def test_no_tree_at_all_is_an_error(public: Path, tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="trees"):
        load_suite(public, tmp_path / "elsewhere")


@pytest.fixture
def mined(tmp_path: Path) -> Path:
    question = {"query": "q", "category": "commit", "language": "c", "targets": [{"path": "a.c"}]}
    about = {"url": "", "language": "c", "license": "MIT", "commit": "0", "files": 1}
    entries = [
        about | {"name": name, "split": split, "questions": [question]}
        for name, split in [("x", "train"), ("y", "dev")]
    ]
    document = tmp_path / "commits.json"
    document.write_text(json.dumps({"format": 1, "name": "commits", "trees": "trees", "repositories": entries}))
    for name in "xy":
        (tmp_path / "trees" / name).mkdir(parents=True)
    return document


def test_a_mined_document_and_its_splits(mined: Path) -> None:
    suite = load_suite(mined)
    assert [repository.name for repository in suite.repositories] == ["x", "y"]
    assert [repository.name for repository in suite.only(split="dev").repositories] == ["y"]
    assert [repository.name for repository in suite.only(names=["x"]).repositories] == ["x"]
    assert suite.repositories[0].questions[0].targets == (Target("a.c"),)


def test_another_format_is_refused(mined: Path) -> None:
    mined.write_text(json.dumps({"format": 99, "repositories": []}))
    with pytest.raises(ValueError, match="format 99"):
        load_suite(mined)


def test_the_split_depends_on_the_name_alone() -> None:
    names = [f"owner/repository-{number}" for number in range(600)]
    held_out = [name for name in names if split_of(name) == "dev"]
    assert 70 <= len(held_out) <= 130
    assert split_of("Owner/Name") == split_of("owner/name")
