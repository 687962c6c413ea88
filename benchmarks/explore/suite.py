"""Explore questions: asked in a programmer's words, answered by lines that were marked by reading the code.

A suite is a folder of JSON documents in one of two layouts; lines are 1-based and inclusive, grade 2 must be read and
grade 1 helps. One document per repository (ours, `questions/`):

    {"repository": "OWNER/NAME", "commit", "language", "license", "root",
     "questions": [{"repo": NAME, "kind", "query", "spans": [{"path", "start_line", "end_line", "grade"}], "why"}]}

or lists of such questions, with a `repos.json` like that of the public suite, which gives languages and roots. A tree
is TREES/NAME, and paths start at its `root`.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath
from typing import Any

from chunker.languages.table import FIRST_TIER

KINDS = ("behaviour", "mechanism", "change", "symptom", "contract", "concept", "topic")
MUST, HELPS = 2, 1
MAX_MUST, MAX_LINES = 6, 150  # spans of a question that must be read, and lines of a span
LANGUAGES = frozenset(row.name for row in FIRST_TIER)
_ABOUT = {"repository", "commit", "language", "license", "root", "questions"}
_QUESTION = {"repo", "kind", "query", "spans", "why"}
_SPAN = {"path", "start_line", "end_line", "grade"}


@dataclass(frozen=True, slots=True)
class Span:
    path: str
    start_line: int
    end_line: int
    grade: int


@dataclass(frozen=True, slots=True)
class Question:
    repository: str
    language: str
    kind: str
    query: str
    spans: tuple[Span, ...]
    why: str = ""


@dataclass(frozen=True, slots=True)
class Repository:
    """One tree and the questions about it; `root` is the folder that paths start at."""

    name: str
    root: Path
    language: str
    questions: tuple[Question, ...]


@dataclass(frozen=True, slots=True)
class Suite:
    name: str
    repositories: tuple[Repository, ...]

    @property
    def questions(self) -> int:
        return sum(len(repository.questions) for repository in self.repositories)

    def only(self, names: Iterable[str]) -> Suite:
        """The repositories with these names; all without names."""
        selection = set(names)
        repositories = tuple(one for one in self.repositories if not selection or one.name in selection)
        return replace(self, repositories=repositories)


def load_suite(folder: Path, trees: Sequence[Path], repos: Path | None = None) -> Suite:
    """The suite's repositories that have a tree, each from the first of the folders that contains it.

    `repos` is needed for documents without languages and roots; without it, it is `folder`/repos.json.
    FileNotFoundError if no tree exists.
    """
    repos_file = repos or folder / "repos.json"
    about = {one["name"]: one for one in json.loads(repos_file.read_text("utf-8"))} if repos_file.is_file() else {}
    repositories = []
    for name, entry in _documents(folder, about).items():
        root = next((tree / name / entry["root"] for tree in trees if (tree / name / entry["root"]).is_dir()), None)
        if root is not None:
            questions = tuple(_question(item, name, entry["language"]) for item in entry["questions"])
            repositories.append(Repository(name, root, entry["language"], questions))
    if not repositories:
        raise FileNotFoundError(f"{folder}: none of its repositories' trees is in {', '.join(map(str, trees))}")
    return Suite(folder.name, tuple(repositories))


def _documents(folder: Path, about: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """Name -> language, root and questions, in the order of the files."""
    documents: dict[str, dict[str, Any]] = {}
    for path in question_files(folder):
        content = json.loads(path.read_text("utf-8"))
        if isinstance(content, dict):
            documents[name_of(content)] = content
            continue
        for item in content:
            entry = about.get(item["repo"], {})
            empty = {"language": entry.get("language", ""), "root": entry.get("benchmark_root") or "", "questions": []}
            documents.setdefault(item["repo"], empty)["questions"].append(item)
    return documents


def question_files(folder: Path) -> Iterator[Path]:
    """The documents of a suite in the order of their names."""
    return (path for path in sorted(folder.glob("*.json")) if path.name != "repos.json")


def name_of(document: Mapping[str, Any]) -> str:
    """The name of a document's tree: the repository without its owner."""
    return str(document["repository"]).partition("/")[2]


def _question(item: Mapping[str, Any], repository: str, language: str) -> Question:
    spans = tuple(Span(one["path"], one["start_line"], one["end_line"], one["grade"]) for one in item["spans"])
    return Question(repository, language, item["kind"], item["query"], spans, item.get("why", ""))


def faults(document: Mapping[str, Any], tree: Path | None = None) -> list[str]:
    """The faults of a document of ours, by number of the question; no word of a question is repeated.

    With its tree, every range must be inside its file.
    """
    if set(document) != _ABOUT:
        return [f"its keys are {sorted(document)}, not {sorted(_ABOUT)}"]
    problems = []
    if document["language"] not in LANGUAGES:
        problems.append(f"{document['language']} is no language of chunker/languages.py")
    if "/" not in document["repository"] or len(document["commit"]) != 40 or not document["license"]:
        problems.append("it needs an OWNER/NAME, a whole commit and a license")
    queries = [item.get("query") for item in document["questions"]]
    if not queries or len(set(queries)) < len(queries):
        problems.append("it asks nothing, or a question twice")
    root = None if tree is None else tree / document["root"]
    for number, item in enumerate(document["questions"], start=1):
        problems += [f"question {number}: {fault}" for fault in _question_faults(item, name_of(document), root)]
    return problems


def _question_faults(item: Mapping[str, Any], name: str, root: Path | None) -> Iterator[str]:
    if set(item) != _QUESTION:
        yield f"its keys are {sorted(item)}, not {sorted(_QUESTION)}"
        return
    if item["repo"] != name or item["kind"] not in KINDS or not item["query"].strip() or not item["why"].strip():
        yield "it needs its repository's name, one of the kinds, a query and a why"
    if any(set(span) != _SPAN or span["grade"] not in (MUST, HELPS) for span in item["spans"]):
        yield f"a span has {sorted(_SPAN)}, its grade is {MUST} or {HELPS}"
        return
    places = [(span["path"], span["start_line"], span["end_line"]) for span in item["spans"]]
    if len(set(places)) < len(places):
        yield "a span comes twice"
    must = sum(span["grade"] == MUST for span in item["spans"])
    if not 1 <= must <= MAX_MUST:
        yield f"{must} spans must be read, not 1 to {MAX_MUST}"
    for number, (path, first, last) in enumerate(places, start=1):
        if not 1 <= first <= last < first + MAX_LINES or PurePosixPath(path).is_absolute() or ".." in path.split("/"):
            yield f"span {number} is no range of at most {MAX_LINES} lines in a file below the root"
        elif root is not None and not _holds(root / path, last):
            yield f"span {number} is not in the tree"


def _holds(file: Path, line: int) -> bool:
    return file.is_file() and len(file.read_bytes().splitlines()) >= line
