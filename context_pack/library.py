"""The verbs of the command line as functions. Each opens what it needs, asks once and returns `data`.

Options are those of the command line, with underscores. Failures are `contracts.errors.CtxpackError`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from context_pack import upkeep
from context_pack.session import SYMBOLS_LIMIT, Progress, Session
from context_pack.session import Repo as Repos
from contracts.records import Pack
from contracts.reports import Built, Cleaned, Hits, Related, Status, Symbols

if TYPE_CHECKING:
    from context_pack.recipes.turn import Turn
    from contracts.bench import Bench
    from contracts.graph import GraphPack
    from contracts.pages import PagePack
    from contracts.task import TaskPacket

Repo = str | Path | None


def open(repo: Repos = None, *, progress: Progress | None = None, **options: Any) -> Session:
    """An index opened once for many questions; its answers also carry hints."""
    return Session.open(repo, options, progress)


def query(text: str | None = None, repo: Repos = None, **options: Any) -> Pack:
    """The code that answers a query, or what a reviewer needs of the changes since `diff`, within `max_chars`."""
    return open(repo, **options).query(text).data


def search(text: str, repo: Repos = None, **options: Any) -> Hits:
    """Ranked chunks, best first."""
    return open(repo, **options).search(text).data


def related(target: str, repo: Repos = None, **options: Any) -> Related:
    """What is tied to a place or a symbol, by the code graph or by likeness, strongest tie first."""
    return open(repo, **options).related(target).data


def symbols(pattern: str | None = None, repo: Repos = None, *, limit: int = SYMBOLS_LIMIT, **options: Any) -> Symbols:
    """Where symbols are defined, by glob or part of their name."""
    return open(repo, **options).symbols(pattern, limit=limit).data


def status(repo: Repo = None, *, verify: bool = False, **options: Any) -> Status:
    """What is indexed, and with `verify` whether it is as it was written. IndexMissing when nothing is indexed."""
    return Session.open(repo, {**options, "no_refresh": True}, serving=True).status(verify=verify).data


def index(repo: Repo = None, *, full: bool = False, progress: Progress | None = None, **options: Any) -> Built:
    """Build or refresh an index."""
    return upkeep.build(repo, options, full=full, progress=progress)[0].data


def clean(repo: Repo = None, **options: Any) -> Cleaned:
    """Remove an index."""
    return upkeep.clean(repo, options).data


def bench(repo: Repo = None, *, commits: int = 50, **options: Any) -> Bench:
    """Recall, hits and characters to read on a repository's own commits, beside BM25 and `grep -l`.

    Options: `model`, `explain`, `progress`.
    """
    from context_pack.evaluation.run import bench as measure

    return measure(repo, count=commits, **options).data


def graph(name: str, root: Repo = None, *, format: str = "json", **options: Any) -> GraphPack:
    """The pack for a node of a Markdown work graph, without a timestamp. `format` decides whether `max_bytes` counts.

    What was skipped on the way is told by `context_pack.recipes.graph.answer`, in its hints.
    """
    from context_pack.recipes.graph import answer
    from context_pack.render.graph import layout

    return answer(name, root, options, layout(format), None).data


def pages(text: str = "", vault: Repo = None, *, limit: int = 5, min_score: int = 3, **seed: Any) -> PagePack:
    """The pages of a wiki vault to read for a seed: a text, `page`, or `title` with `tags` and `entities`.

    What is wrong with the vault is told by `context_pack.kinds.pages.answer`, in its hints.
    """
    from context_pack.kinds.pages import PageRequest, answer

    return answer(PageRequest(text, limit=limit, min_score=min_score, **seed), vault).data


def task(name: str, root: Repo = None, **options: Any) -> TaskPacket:
    """The packet for a planned task, by id or JSON file. Options: `digest`, `explain`, `generated_at`, `no_redact`.

    Which slots stayed empty and why is told by `context_pack.recipes.task.answer`, in its hints.
    """
    from context_pack.recipes.task import answer

    return answer(name, root, **options).data


def turn(request: Mapping[str, Any], root: Repo = None, **options: Any) -> Turn:
    """The pack for one turn of a workflow node, with its sidecar. Options: `max_tokens`, `reason`, `counter`,
    `no_redact`, `own_files` (the request's and the answer's, which are no part of the tree that is asked).

    What was shortened or taken out is told by `context_pack.recipes.turn.answer`, in its hints.
    """
    from context_pack.recipes.turn import answer

    return answer(request, root, **options).data


def merge_turns(packs: Sequence[Mapping[str, Any]], **options: Any) -> Turn:
    """Several turn packs as one, with its sidecar. Options as for `turn`."""
    from context_pack.recipes.turn import merge

    return merge([(f"packs[{number}]", pack) for number, pack in enumerate(packs)], **options).data
