"""One loader for all suites of questions: the public suite, mined suites (research/mine.py), our own over packages.

A mined suite is one JSON document; paths are relative to the repository's tree, lines 1-based and inclusive, and a
target without lines is the whole file:

    {"format": 1, "name": "commits", "trees": FOLDER beside the document,
     "repositories": [{"name", "url", "language", "license", "commit", "split": "train"|"dev", "files",
                       "questions": [{"query", "category", "language", "commit"?, "symbol"?,
                                      "targets": [{"path", "start_line"?, "end_line"?}],
                                      "places"?: [{"path", "start_line", "end_line"}]}]}]}

A public suite is a folder in its authors' layout: repos.json and annotations/NAME.json.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path
from typing import Any

FORMAT = 1
HEADER: dict[str, Any] = {"format": FORMAT}
DEV_ONE_IN = 6  # of the mined repositories is held out from all training


@dataclass(frozen=True, slots=True)
class Target:
    """A place that answers: a file, by a suffix of its path, or some of its lines (1-based, inclusive)."""

    path: str
    start_line: int | None = None
    end_line: int | None = None


@dataclass(frozen=True, slots=True)
class Question:
    """`places`: lines of the targets that a commit changed; only the training of chunks uses them."""

    query: str
    targets: tuple[Target, ...]
    category: str
    language: str
    repository: str
    places: tuple[Target, ...] = ()


@dataclass(frozen=True, slots=True)
class Repository:
    """One tree and the questions about it."""

    name: str
    root: Path
    language: str
    questions: tuple[Question, ...]
    split: str = "dev"


@dataclass(frozen=True, slots=True)
class Suite:
    name: str
    repositories: tuple[Repository, ...]

    @property
    def questions(self) -> int:
        return sum(len(repository.questions) for repository in self.repositories)

    def only(self, split: str | None = None, names: Iterable[str] = ()) -> Suite:
        """The repositories of a split, or those with these names; all without either."""
        selection = set(names)
        repositories = tuple(
            repository
            for repository in self.repositories
            if (split is None or repository.split == split) and (not selection or repository.name in selection)
        )
        return replace(self, repositories=repositories)


def split_of(slug: str) -> str:
    """`dev` for one repository in DEV_ONE_IN, else `train`; only the lower-cased `owner/name` decides."""
    return "dev" if int.from_bytes(sha256(slug.lower().encode()).digest()[:4], "big") % DEV_ONE_IN == 0 else "train"


def load_suite(path: Path, corpora: Path | None = None) -> Suite:
    """A suite from a mined document or a public folder.

    `corpora` contains the trees by name: required for a folder; for a document it replaces the folder named there.
    FileNotFoundError if no tree of the suite exists, ValueError for another format.
    """
    suite = _public_suite(path, corpora or path / "corpora") if path.is_dir() else _mined_suite(path, corpora)
    if not suite.repositories:
        raise FileNotFoundError(f"{path}: none of its repositories' trees is there")
    return suite


def _public_suite(folder: Path, corpora: Path) -> Suite:
    repositories = []
    for entry in json.loads((folder / "repos.json").read_text("utf-8")):
        name, language = entry["name"], entry["language"]
        root = corpora / name / (entry.get("benchmark_root") or "")
        if root.is_dir():
            items = json.loads((folder / "annotations" / f"{name}.json").read_text("utf-8"))
            questions = tuple(_public_question(item, language, name) for item in items)
            repositories.append(Repository(name, root, language, questions))
    return Suite(folder.name, tuple(repositories))


def _public_question(item: dict[str, Any], language: str, repository: str) -> Question:
    query: str = item["query"]
    places = [*item.get("relevant", []), *item.get("secondary", [])]
    category = item.get("category") or _category(query)
    return Question(query, tuple(map(_target, places)), category, language, repository)


def _category(query: str) -> str:
    """The category that the public suite's harness assumes for an annotation without one."""
    if " " not in query.strip():
        return "symbol"
    return "architecture" if query.lower().startswith("how ") else "semantic"


def _target(place: str | dict[str, Any]) -> Target:
    if isinstance(place, str):
        return Target(place)
    return Target(place["path"], place.get("start_line"), place.get("end_line"))


def _mined_suite(document: Path, corpora: Path | None) -> Suite:
    content = json.loads(document.read_text("utf-8"))
    if content.get("format") != FORMAT:
        raise ValueError(f"{document}: format {content.get('format')}, not {FORMAT}; mine it again")
    trees = corpora or document.parent / content["trees"]
    repositories = []
    for entry in content["repositories"]:
        root = trees / entry["name"]
        if root.is_dir():
            questions = tuple(
                Question(
                    item["query"], tuple(map(_target, item["targets"])), item["category"], item["language"],
                    entry["name"], tuple(map(_target, item.get("places", ()))),
                )
                for item in entry["questions"]
            )  # fmt: skip
            repositories.append(Repository(entry["name"], root, entry["language"], questions, entry["split"]))
    return Suite(content["name"], tuple(repositories))
