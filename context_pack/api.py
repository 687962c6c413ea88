"""The verbs of the command line as functions. Each opens what it needs, asks one question and returns its `data`.

Options are those of the command line, with underscores. Failures are `contracts.errors.CtxpackError`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Unpack

from context_pack import maintenance
from context_pack.options import keywords
from context_pack.options.spec import SYMBOLS_LIMIT
from context_pack.session import Repos, Session
from contracts.records import Pack
from contracts.reports import Bench, Built, Cleaned, Hits, Related, Status, Symbols
from index.types import Progress

if TYPE_CHECKING:
    from context_pack.core.text import Counter
    from context_pack.kinds.turn import Turn
    from contracts.graph import GraphPack
    from contracts.pages import PagePack
    from contracts.task import TaskPacket

Repo = str | Path | None


def open(
    repo: Repos = None, *, progress: Progress | None = None, **options: Unpack[keywords.SessionOptions]
) -> Session:
    """Open an index once for many questions; its answers also have hints."""
    return Session.open(repo, options, progress)


def query(text: str | None = None, repo: Repos = None, **options: Unpack[keywords.QueryOptions]) -> Pack:
    """The code that answers a query, or that a reviewer of the changes since `diff` needs, within `max_chars`."""
    return Session.open(repo, options).query(text).data


def search(text: str, repo: Repos = None, **options: Unpack[keywords.SearchOptions]) -> Hits:
    """Ranked chunks, best first."""
    return Session.open(repo, options).search(text).data


def related(target: str, repo: Repos = None, **options: Unpack[keywords.RelatedOptions]) -> Related:
    """Code related to a place or a symbol, by the code graph or by similarity, strongest first."""
    return Session.open(repo, options).related(target).data


def symbols(
    pattern: str | None = None,
    repo: Repos = None,
    *,
    limit: int = SYMBOLS_LIMIT,
    **options: Unpack[keywords.OpenOptions],
) -> Symbols:
    """The definitions of symbols, by glob or part of their name."""
    return Session.open(repo, options).symbols(pattern, limit=limit).data


def status(repo: Repo = None, *, verify: bool = False, **options: Unpack[keywords.IndexOptions]) -> Status:
    """The state of the index; with `verify`, also whether it is intact. IndexMissing if there is no index."""
    return Session.open(repo, {**options, "no_refresh": True}, serving=True).status(verify=verify).data


def index(
    repo: Repo = None, *, full: bool = False, progress: Progress | None = None, **options: Unpack[keywords.IndexOptions]
) -> Built:
    """Build or refresh an index; `full` reads every file again."""
    return maintenance.build(repo, options, full=full, progress=progress)[0].data


def clean(repo: Repo = None, **options: Unpack[keywords.CleanOptions]) -> Cleaned:
    """Remove an index."""
    return maintenance.clean(repo, options).data


def bench(
    repo: Repo = None,
    *,
    commits: int = 50,
    model: str = "auto",
    explain: bool = False,
    progress: Progress | None = None,
) -> Bench:
    """Recall, hits and characters to read on a repository's own commits, compared with BM25 and `grep -l`."""
    from context_pack.benchmark.run import bench as measure

    return measure(repo, count=commits, model=model, explain=explain, progress=progress).data


def graph(
    name: str, root: Repo = None, *, format: Literal["json", "md"] = "json", **options: Unpack[keywords.GraphOptions]
) -> GraphPack:
    """The pack for a node of a Markdown work graph, without a timestamp. `max_bytes` applies only if `format` is `md`.

    `context_pack.kinds.graph.answer` also returns hints, which say what was skipped.
    """
    from context_pack.kinds.graph import answer

    return answer(name, root, options, format).data


def pages(
    text: str = "",
    vault: Repo = None,
    *,
    page: str | None = None,
    title: str | None = None,
    tags: Sequence[str] | None = None,
    entities: Sequence[str] | None = None,
    limit: int = 5,
    exclude: Sequence[str] = (),
    min_score: int = 3,
    searcher: Literal["hybrid", "none"] = "hybrid",
    explain: bool = False,
    no_redact: bool = False,
) -> PagePack:
    """The pages of a wiki vault to read for a seed: a text, `page`, or `title` with `tags` and `entities`.

    `context_pack.kinds.pages.answer` also returns hints, which report problems of the vault.
    """
    from context_pack.kinds.pages import PageRequest, answer
    from context_pack.options.values import split

    tags, entities = (None if names is None else split(names) for names in (tags, entities))
    excluded = (exclude,) if isinstance(exclude, str) else tuple(exclude)
    seed = PageRequest(text, page, title, tags, entities, excluded, searcher)
    return answer(replace(seed, limit=limit, min_score=min_score, explain=explain, no_redact=no_redact), vault).data


def task(name: str, root: Repo = None, **options: Unpack[keywords.TaskOptions]) -> TaskPacket:
    """The packet for a planned task, by id or JSON file.

    `context_pack.kinds.task.answer` also returns hints, which say which slots stayed empty and why.
    """
    from context_pack.kinds.task import answer

    return answer(name, root, **options).data


def turn(
    request: Mapping[str, Any],
    root: Repo = None,
    *,
    counter: Counter | None = None,
    own_files: Sequence[str] = (),
    **options: Unpack[keywords.TurnOptions],
) -> Turn:
    """The pack for one turn of a workflow node, with its sidecar.

    `counter` counts tokens; `own_files` are the files of the request and the answer, which are left out of the search.
    `context_pack.kinds.turn.answer` also returns hints, which say what was shortened or removed.
    """
    from context_pack.kinds.turn import answer

    return answer(request, root, counter=counter, own_files=own_files, **options).data


def merge_turns(
    packs: Sequence[Mapping[str, Any]], *, counter: Counter | None = None, **options: Unpack[keywords.TurnOptions]
) -> Turn:
    """Merge several turn packs into one, with its sidecar."""
    from context_pack.kinds.turn import merge

    named = [(f"packs[{number}]", pack) for number, pack in enumerate(packs)]
    return merge(named, counter=counter, **options).data
