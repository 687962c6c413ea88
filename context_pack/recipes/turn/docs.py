"""Step 1: the documents that a turn is bound by, the plan first."""

from __future__ import annotations

import os
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from chunker.parse.decoding import decode
from context_pack.core.ladder import Climber
from context_pack.corpora.inside import inside
from context_pack.recipes.turn.entries import Entry, climber, reason
from context_pack.recipes.turn.excerpts import anchors, best_lines
from context_pack.recipes.turn.reading import read
from context_pack.redaction import Redactor
from contracts.errors import InvalidRequest

HIGH = ("PLAN", "ACCEPTANCE", "ARCHITECTURE")
MEDIUM = ("DECISIONS", "OVERVIEW")
PRIORITIES = ("high", "medium", "low")
SUFFIXES = frozenset((".md", ".mdx", ".markdown", ".rst", ".txt", ".adoc", ".asciidoc", ".org"))
# How much of a document is shown at most: (lines, characters) by priority. Others are named, with telling headings.
EXCERPTS = {"high": (40, 2_400), "medium": (20, 1_200)}
MAX_ANCHORS = 8
MAX_DOCUMENT_BYTES = 1_000_000  # a larger document is named and not read


@dataclass(frozen=True, slots=True)
class Documents:
    """The documents, in their order, and what the reader should know about them."""

    climbers: tuple[Climber[Entry], ...]
    paths: frozenset[str]
    warnings: tuple[str, ...]


def rank(path: str) -> tuple[int, int]:
    """(priority, place in its list) of a document, by its name without the ending, in any case."""
    name = PurePosixPath(path).stem.upper()
    for number, names in enumerate((HIGH, MEDIUM)):
        if name in names:
            return number, names.index(name)
    return 2, 0


def order(path: str, priority: str = "") -> tuple[int, int, bytes]:
    """Total order: by priority (the one given, else the name's), then the list's order, then the path."""
    by_name, place = rank(path)
    number = PRIORITIES.index(priority) if priority else by_name
    return number, place if number == by_name else len(HIGH), path.encode()


def documents(root: Path, docs_root: str, terms: Collection[str], redactor: Redactor) -> Documents:
    """The documents under docsRoot, in their order. InvalidRequest when docsRoot leaves the root."""
    wanted = docs_root.strip().strip("/")
    folder = inside(root, wanted or ".", "docsRoot")
    try:
        is_there = folder.is_dir()
    except OSError as error:  # a name that is too long
        raise InvalidRequest("docsRoot", f"docsRoot {docs_root[:80]!r} is no path: {error.strerror}") from error
    if not is_there:
        return Documents((), frozenset(), (f"docRefs is empty: there is no folder {docs_root}",))
    warnings: list[str] = []
    paths = sorted(_paths(Path(os.path.realpath(root)), folder, warnings), key=order)
    climbers = tuple(_climber(root, path, terms, redactor, warnings) for path in paths)
    if not climbers:
        warnings.append(f"docRefs is empty: {docs_root} holds no documents")
    return Documents(climbers, frozenset(paths), tuple(warnings))


def _paths(root: Path, folder: Path, warnings: list[str]) -> list[str]:
    """Documents below a folder, by path from the root; hidden folders and links out of the root are left out."""
    found = []
    for here, folders, files in os.walk(folder, onerror=lambda error: warnings.append(f"{error.filename}: unreadable")):
        folders[:] = [name for name in folders if not name.startswith(".")]
        for name in files:
            path = Path(here, name)
            if path.suffix.lower() in SUFFIXES and path.is_file() and path.resolve().is_relative_to(root):
                found.append(path.relative_to(root).as_posix())
    return [path for path in found if _is_text(path)]


def _is_text(path: str) -> bool:
    try:
        path.encode()
    except UnicodeEncodeError:
        return False
    return True


def _climber(root: Path, path: str, terms: Collection[str], redactor: Redactor, warnings: list[str]) -> Climber[Entry]:
    priority = PRIORITIES[rank(path)[0]]
    name = redactor.path(path)
    value: dict[str, object] = {"path": name, "priority": priority}
    text, digest = _text(root, path, warnings)
    if text is not None:
        clean = redactor.text(text, path)
        shown = best_lines(clean, terms, *EXCERPTS[priority]) if priority in EXCERPTS else ""
        told = {"anchors": anchors(clean, terms, shown, MAX_ANCHORS), "excerpt": shown}
        value |= {name: part for name, part in told.items() if part}
    why = reason("docs_contract" if priority != "low" else "under_docs_root", f"priority {priority}")
    return climber(Entry("docRefs", name, value, name, digest), (why,), stays=True)


def _text(root: Path, path: str, warnings: list[str]) -> tuple[str | None, str]:
    """A document's text, None where there is none to show, and its hash, empty where it cannot be read."""
    try:
        digest, size_bytes, data = read(inside(root, path, "docsRoot"), MAX_DOCUMENT_BYTES)
    except OSError as error:
        warnings.append(f"{path} cannot be read: {error.strerror}")
        return None, ""
    if size_bytes > MAX_DOCUMENT_BYTES:
        warnings.append(f"{path} is larger than {MAX_DOCUMENT_BYTES:,} bytes: it is named and not shown")
        return None, digest
    text = decode(data)
    if text is None:
        warnings.append(f"{path} is binary: it is named and not shown")
    return text, digest


def check_docs_root(docs_root: str) -> None:
    """InvalidRequest when docsRoot is not a path from the root."""
    if ".." in docs_root.replace("\\", "/").split("/"):
        raise InvalidRequest("docsRoot", f"docsRoot {docs_root} leaves the root", hint="give a path from the root")
