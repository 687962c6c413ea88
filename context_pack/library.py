"""The verbs of the command line as functions. Each opens the index of a repository, asks once and returns `data`.

Options are those of the command line, with underscores. Failures are `contracts.errors.CtxpackError`.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from context_pack import upkeep
from context_pack.session import SYMBOLS_LIMIT, Progress, Session
from contracts.records import Pack
from contracts.reports import Built, Cleaned, Hits, Status, Symbols

Repo = str | Path | None


def open(repo: Repo = None, *, progress: Progress | None = None, **options: Any) -> Session:
    """An index opened once for many questions; its answers also carry hints."""
    return Session.open(repo, options, progress)


def query(text: str, repo: Repo = None, **options: Any) -> Pack:
    """The code that answers a query, within `max_chars`."""
    return open(repo, **options).query(text).data


def search(text: str, repo: Repo = None, **options: Any) -> Hits:
    """Ranked chunks, best first."""
    return open(repo, **options).search(text).data


def symbols(pattern: str | None = None, repo: Repo = None, *, limit: int = SYMBOLS_LIMIT, **options: Any) -> Symbols:
    """Where symbols are defined, by glob or part of their name."""
    return open(repo, **options).symbols(pattern, limit=limit).data


def status(repo: Repo = None, **options: Any) -> Status:
    """What is indexed. IndexMissing when nothing is."""
    return open(repo, no_refresh=True, **options).status().data


def index(repo: Repo = None, *, full: bool = False, progress: Progress | None = None, **options: Any) -> Built:
    """Build or refresh an index."""
    return upkeep.build(repo, options, full=full, progress=progress)[0].data


def clean(repo: Repo = None, **options: Any) -> Cleaned:
    """Remove an index."""
    return upkeep.clean(repo, options).data
