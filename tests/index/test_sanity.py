"""Thirty typical questions about this project and three packages by other authors."""

from __future__ import annotations

import importlib.util
import shutil
from pathlib import Path

import pytest

from index.collection.collection import Collection
from index.embed.static import StaticEmbedder
from index.search.ranker import shipped_ranker
from index.search.searcher import Searcher
from index.types import Filters
from tests.index.conftest import Keeper

ROOT = Path(__file__).parents[2]
MIN_RIGHT = 28
QUESTIONS = [
    ("ctxpack", "how are two segments merged into one ordered by path", "index/segment/merge.py"),
    ("ctxpack", "where is the table of errors with exit codes", "contracts/errors.py"),
    ("ctxpack", "IndexLocked", "contracts/errors.py"),
    ("ctxpack", "BM25 term frequency saturation and document length norm", "index/lexical.py"),
    ("ctxpack", "camelCase identifiers split into stemmed parts", "index/text.py"),
    ("ctxpack", "resolve an import statement to a file of the tree", "index/graph/import_files.py"),
    ("ctxpack", "atomically publish a new generation and remove old ones", "index/generation/store.py"),
    ("ctxpack", "what fits into the budget and what is dropped", "context_pack/kinds/code/fitting.py"),
    ("click", "how is a progress bar rendered in the terminal", "_termui_impl.py"),
    ("click", "CliRunner", "testing.py"),
    ("click", "convert a parameter value to an integer within a range", "types.py"),
    ("click", "shell completion script for zsh", "shell_completion.py"),
    ("click", "wrap help text to the terminal width", "formatting.py"),
    ("click", "raise an error for a missing parameter", "exceptions.py"),
    ("click", "prompt the user for a password without echo", "termui.py"),
    ("click", "decorator that adds an option to a command", "decorators.py"),
    ("jsonschema", "check that a string matches the email format", "_format.py"),
    ("jsonschema", "additionalProperties keyword", "_keywords.py"),
    ("jsonschema", "pick the most relevant error out of many", "exceptions.py"),
    ("jsonschema", "ErrorTree", "exceptions.py"),
    ("jsonschema", "command line interface that validates instances", "cli.py"),
    ("jsonschema", "type checker that knows what an integer is", "_types.py"),
    ("_pytest", "how are fixtures resolved and cached", "fixtures.py"),
    ("_pytest", "rewrite assert statements to show values", "assertion/rewrite.py"),
    ("_pytest", "capture stdout and stderr at file descriptor level", "capture.py"),
    ("_pytest", "MonkeyPatch", "monkeypatch.py"),
    ("_pytest", "write test results as junit xml", "junitxml.py"),
    ("_pytest", "temporary directory for each test function", "tmpdir.py"),
    ("_pytest", "collect doctests from text files and modules", "doctest.py"),
    ("_pytest", "parametrize marks and skip conditions evaluated", "skipping.py"),
]


def root_of(name: str, folder: Path) -> Path:
    """The folder of a package; of ours, a copy of all that is installed."""
    if name == "ctxpack":
        for package in ("contracts", "chunker", "index", "context_pack"):
            shutil.copytree(ROOT / package, folder / package, ignore=shutil.ignore_patterns("__pycache__"))
        return folder
    spec = importlib.util.find_spec(name)
    assert spec is not None
    assert spec.origin is not None
    return Path(spec.origin).parent


def test_the_right_file_is_among_the_first_three(
    tmp_path_factory: pytest.TempPathFactory, embedder: StaticEmbedder
) -> None:
    assert len(QUESTIONS) == 30
    searchers: dict[str, Searcher] = {}
    wrong: list[str] = []
    for package, question, answer in QUESTIONS:
        if package not in searchers:
            root = root_of(package, tmp_path_factory.mktemp("tree"))
            snapshot, _ = Keeper(tmp_path_factory.mktemp(package), embedder).refresh(root)
            searchers[package] = Searcher(Collection(snapshot), embedder, shipped_ranker())
        collection = searchers[package].collection
        paths = collection.snapshot.strings("file.path")
        assert answer in paths.to_list()
        hits = searchers[package].search(question, 20, Filters())
        files = list(dict.fromkeys(paths[int(collection.chunks.file[hit.chunk])] for hit in hits))[:3]
        if answer not in files:
            wrong.append(f"{package}: {question!r} -> {files}, not {answer}")
    assert len(QUESTIONS) - len(wrong) >= MIN_RIGHT, "\n".join(wrong)
