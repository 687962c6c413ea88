"""Step 1: the documents that bind a turn, the plan first."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from context_pack.core.text import is_unicode
from context_pack.kinds.turn.draft import TurnDraft
from context_pack.kinds.turn.excerpts import anchors, best_lines
from context_pack.kinds.turn.pack import Entry, reason
from contracts.errors import InvalidRequest
from index.text import terms_of_text
from index.tree.beneath import NotRead
from index.types import Filters

if TYPE_CHECKING:
    from index import Index

HIGH = ("PLAN", "ACCEPTANCE", "ARCHITECTURE")
MEDIUM = ("DECISIONS", "OVERVIEW")
PRIORITIES = ("high", "medium", "low")
LOW = len(PRIORITIES) - 1
SUFFIXES = frozenset((".md", ".mdx", ".markdown", ".rst", ".txt", ".adoc", ".asciidoc", ".org"))
# The most that is shown of a document: (lines, characters) by priority. Others are named, with relevant headings.
EXCERPTS = {"high": (40, 2_400), "medium": (20, 1_200)}
MAX_ANCHORS = 8
# Paths are never trimmed, and these many take a quarter of the usual budget; the hundreds of a manual would take more
# than all of it. Of more documents of low priority, those closest to the goal are named, and the folders of the others,
# or their root if the folders are many.
MAX_LOW, CLOSEST, MAX_FOLDERS = 60, 8, 16
_GLOB = re.compile(r"[\\*?\[\]{}!]")
MIN_SHARE = 0.1  # of the best hit's score; a hit with less is there only because there is nothing better
HITS_PER_DOCUMENT = 8  # chunks that the search for the closest documents returns, for each that may be named


def rank(path: str) -> tuple[int, int]:
    """(priority, place in its list) of a document, by its name without number (`02-plan`) and ending, in any case."""
    name = re.sub(r"^\d+[-_. ]+", "", PurePosixPath(path).stem.upper())
    return next(((n, names.index(name)) for n, names in enumerate((HIGH, MEDIUM)) if name in names), (LOW, 0))


def order(path: str, priority: str = "") -> tuple[int, int, bytes]:
    """Total order: by priority (the one given, else the name's), then the list's order, then the path."""
    by_name, place = rank(path)
    number = PRIORITIES.index(priority) if priority else by_name
    return number, place if number == by_name else len(HIGH), path.encode()


def documents(draft: TurnDraft, code: Index | None) -> tuple[dict[str, Entry], frozenset[str]]:
    """The documents under docsRoot by path, in their order, and the paths of all of them, named or not.

    InvalidRequest if docsRoot leaves the root.
    """
    docs_root = draft.request["docsRoot"]
    try:
        start = draft.tree.place(docs_root.strip().strip("/") or ".", "docsRoot")
        paths = _paths(draft, start)
    except OSError as error:  # a name that is too long
        raise InvalidRequest("docsRoot", f"docsRoot {docs_root!r} is not a path: {error.strerror}") from error
    every = sorted(paths or (), key=order)
    low = [path for path in every if rank(path)[0] == LOW]
    folded = set(low).difference(_closest(draft, code, low, start)) if len(low) > MAX_LOW else frozenset[str]()
    folders = _folders(folded, start)
    read = [(path, _entry(draft, path)) for path in every if path not in folded]
    read += [(path, _folder(draft, path, count)) for path, count in folders.items()]
    # A folder may be called like a document of high priority: `decisions/`.
    read.sort(key=lambda one: order(one[0], PRIORITIES[LOW] if one[0] in folders else ""))
    docs = {path: doc for path, doc in read if doc is not None}
    if not docs:
        fault = f"there is no folder {docs_root}" if paths is None else f"{docs_root} contains no documents"
        draft.warnings.append(f"docRefs is empty: {fault}")
    if folded:
        draft.warnings.append(f"docRefs: {len(folded)} of {len(every)} documents are named by their folders only")
    return docs, frozenset(every)


def _closest(draft: TurnDraft, code: Index | None, paths: Sequence[str], start: str) -> list[str]:
    """The documents that answer the goal best; without an index, those whose paths have most of its words."""
    if code is None:
        shared = {path: len(draft.terms.intersection(terms_of_text(path))) for path in paths}
        return sorted(filter(shared.get, paths), key=lambda path: -shared[path])[:CLOSEST]
    below = _GLOB.sub(r"\\\g<0>", start)
    filters = Filters(include=() if start == "." else (f"/{below}/",), docs="first")
    hits = code.search(draft.request["goal"], top_k=HITS_PER_DOCUMENT * CLOSEST, filters=filters)
    least = MIN_SHARE * max((hit.score for hit in hits), default=0.0)
    low, files = frozenset(paths), dict.fromkeys(code.chunk(hit.chunk).file for hit in hits if hit.score >= least)
    return [file for file in files if file in low][:CLOSEST]


def _folders(paths: Iterable[str], start: str) -> dict[str, int]:
    """The folders directly below docsRoot that contain the documents, and docsRoot itself, with their numbers."""
    top = "" if start == "." else f"{start}/"
    first = (path[len(top) :].partition("/") for path in paths)
    folders = Counter(f"{top}{folder}/" if below else top or "./" for folder, below, _ in first)
    return folders if len(folders) <= MAX_FOLDERS else {top or "./": folders.total()}


def _folder(draft: TurnDraft, path: str, count: int) -> Entry:
    """A folder in place of documents in it."""
    name = draft.redactor.path(path)
    value = {"path": name, "excerpt": f"{count} more document{'s' if count > 1 else ''}", "priority": PRIORITIES[LOW]}
    return Entry("docRefs", name, value, name, reason("under_docs_root", f"priority {PRIORITIES[LOW]}"))


def _paths(draft: TurnDraft, start: str) -> list[str] | None:
    """Documents below a folder, by path from the root; hidden folders are left out, links to folders not followed."""
    tree = draft.tree
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
