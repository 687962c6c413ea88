"""Step 1: the documents that bind a turn, the plan first."""

from __future__ import annotations

import re
from pathlib import PurePosixPath

from context_pack.core.text import is_unicode
from context_pack.kinds.turn.draft import TurnDraft
from context_pack.kinds.turn.excerpts import anchors, best_lines
from context_pack.kinds.turn.pack import Entry, reason
from contracts.errors import InvalidRequest
from index.tree.beneath import NotRead

HIGH = ("PLAN", "ACCEPTANCE", "ARCHITECTURE")
MEDIUM = ("DECISIONS", "OVERVIEW")
PRIORITIES = ("high", "medium", "low")
SUFFIXES = frozenset((".md", ".mdx", ".markdown", ".rst", ".txt", ".adoc", ".asciidoc", ".org"))
# The most that is shown of a document: (lines, characters) by priority. Others are named, with relevant headings.
EXCERPTS = {"high": (40, 2_400), "medium": (20, 1_200)}
MAX_ANCHORS = 8


def rank(path: str) -> tuple[int, int]:
    """(priority, place in its list) of a document, by its name without number (`02-plan`) and ending, in any case."""
    name = re.sub(r"^\d+[-_. ]+", "", PurePosixPath(path).stem.upper())
    return next(((n, names.index(name)) for n, names in enumerate((HIGH, MEDIUM)) if name in names), (2, 0))


def order(path: str, priority: str = "") -> tuple[int, int, bytes]:
    """Total order: by priority (the one given, else the name's), then the list's order, then the path."""
    by_name, place = rank(path)
    number = PRIORITIES.index(priority) if priority else by_name
    return number, place if number == by_name else len(HIGH), path.encode()


def documents(draft: TurnDraft) -> dict[str, Entry]:
    """The documents under docsRoot by path, in their order. InvalidRequest if docsRoot leaves the root."""
    docs_root = draft.request["docsRoot"]
    try:
        paths = _paths(draft, docs_root.strip().strip("/") or ".")
    except OSError as error:  # a name that is too long
        raise InvalidRequest("docsRoot", f"docsRoot {docs_root!r} is not a path: {error.strerror}") from error
    read = ((path, _entry(draft, path)) for path in sorted(paths or (), key=order))
    docs = {path: doc for path, doc in read if doc is not None}
    if not docs:
        fault = f"there is no folder {docs_root}" if paths is None else f"{docs_root} contains no documents"
        draft.warnings.append(f"docRefs is empty: {fault}")
    return docs


def _paths(draft: TurnDraft, docs_root: str) -> list[str] | None:
    """Documents below a folder, by path from the root; hidden folders are left out, links to folders not followed."""
    tree = draft.tree
    start = tree.place(docs_root, "docsRoot")
    entries = tree.entries(start)
    if entries is None:
        return None
    paths: list[str] = []
    queue = [(start, entries)]
    while queue:
        folder, entries = queue.pop()
        for name, is_folder in entries:
            path = name if folder == "." else f"{folder}/{name}"
            if is_folder and not name.startswith("."):
                try:
                    queue.append((path, tree.entries(path) or []))
                except OSError:
                    draft.warnings.append(f"{path}: unreadable")
            elif PurePosixPath(name).suffix.lower() in SUFFIXES and is_unicode(path):
                paths.append(path)
    return paths


def _entry(draft: TurnDraft, path: str) -> Entry | None:
    """A document; None if it is not a plain file, or is a link out of the root."""
    priority, name = PRIORITIES[rank(path)[0]], draft.redactor.path(path)
    value: dict[str, object] = {"path": name, "priority": priority}
    try:
        digest, text, what = draft.readable(path, "docsRoot")
        fault = f"is {what}: it is listed but not shown"
    except (NotRead, InvalidRequest):
        return None
    except OSError as error:
        digest, text, fault = "", None, f"cannot be read: {error.strerror}"
    if text is None:
        draft.warnings.append(f"{path} {fault}")
    else:
        shown = best_lines(text, draft.terms, *EXCERPTS[priority]) if priority in EXCERPTS else ""
        parts = {"anchors": anchors(text, draft.terms, shown, MAX_ANCHORS), "excerpt": shown}
        value |= {key: part for key, part in parts.items() if part}
    why = reason("docs_contract" if priority != "low" else "under_docs_root", f"priority {priority}")
    return Entry("docRefs", name, value, name, why, digest=digest)
