"""A repository whose history yields questions, and a cache folder for each test."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from bench_repository import WORDS, Repository, source


@pytest.fixture(scope="session")
def made_once(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Eight modules, then 24 commits that each change one of them, between commits that yield no question."""
    made = Repository(tmp_path_factory.mktemp("history") / "repository")
    made.commit("Begin the work with eight parts", {f"src/{word}.py": source(word) for word in WORDS})
    for number in range(24):
        word = WORDS[number % len(WORDS)]
        subject = f"Let the {word} handler answer request variant number{number} sooner"
        made.commit(subject, {f"src/{word}.py": source(word, number + 1), "CHANGELOG.md": f"{number}\n"})
        made.commit(f"Bump version to {number}", {"src/version.txt": f"{number}\n"})
    return made.root


@pytest.fixture
def repository(made_once: Path, tmp_path: Path) -> Repository:
    """A copy of that repository, which a test may change."""
    shutil.copytree(made_once, tmp_path / "repository")
    return Repository(tmp_path / "repository", later_s=1_000_000)


@pytest.fixture(autouse=True)
def cache_folder(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path_factory.mktemp("cache")
    monkeypatch.setenv("CTXPACK_CACHE_DIR", str(folder))
    return folder
