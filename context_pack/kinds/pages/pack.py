"""The page pack. `pack` is a pure function of a vault, a seed and the searcher's hits; `answer` reads and calls it."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

from context_pack.answer import Answer, Stages
from context_pack.core.fit import Candidate, Limit, drop_tail
from context_pack.io.markdown_files import problem_hints
from context_pack.kinds.pages.page import Page
from context_pack.kinds.pages.score import score
from context_pack.kinds.pages.searcher import Hits, search
from context_pack.kinds.pages.seed import PageRequest, seed_of
from context_pack.kinds.pages.vault import WIKI, Vault, page_path, read_vault, seed_page, vault_root
from context_pack.redaction import Redactor
from contracts.errors import InvalidRequest, NotFound
from contracts.pages import DroppedPage, PageCounts, PagePack, PageRow, PageSeed
from contracts.records import Hint


def answer(request: PageRequest, vault: str | Path | None = None) -> Answer[PagePack]:
    """The pack for a seed; what is wrong with the vault is among its hints."""
    request.check()
    stages = Stages()
    root = vault_root(vault)
    with stages.stage("read"):
        read = read_vault(root)
    excludes = [_exclude(root, name) for name in request.exclude]
    page = seed_page(read, request.page) if request.page is not None else None
    excluded = {path for path, _ in excludes} | ({page.path} if page else set())
    with stages.stage("infer"):
        seed = seed_of(read, request, page)
    with stages.stage("search"):
        hits = search(read, seed, request.searcher, excluded)
    with stages.stage("score"):
        packed = pack(read, seed, request, hits, excluded)
    redactor = Redactor(not request.no_redact)
    packed = redactor.record(packed)
    warnings = tuple(Hint("warn", warning) for _, warning in excludes if warning)
    hints = redactor.hints((*warnings, *hits.hints, *_hints(read, packed)))
    return Answer(packed, hints, stages.durations_ms(), redactor.account)


def pack(vault: Vault, seed: PageSeed, request: PageRequest, hits: Hits, excluded: Collection[str] = ()) -> PagePack:
    """The best pages, at most `limit`, none below `min_score`."""
    candidates = score(vault, seed, hits, excluded)
    enough = sum(candidate.points >= request.min_score for candidate in candidates)
    limits = (Limit("min_score", enough.__ge__), Limit("limit", request.limit.__ge__))
    tail = drop_tail(candidates, limits)
    left_out = tail.dropped if request.explain else ()
    return PagePack(
        seed=seed,
        searcher=hits.searcher,
        provider=hits.provider,
        limit=request.limit,
        min_score=request.min_score,
        counts=PageCounts(
            pages=len(vault.pages),
            scored=len(candidates),
            below_min_score=len(candidates) - enough,
            over_limit=enough - len(tail.kept),
        ),
        pages=tuple(map(_row, tail.kept)),
        left_out=tuple(DroppedPage(one.id, int(one.points), limit, one.why) for one, limit in left_out),
    )


def _row(candidate: Candidate[Page]) -> PageRow:
    page = candidate.item
    return PageRow(
        path=page.path,
        title=page.title,
        score=int(candidate.points),
        baseline_only=all(part.name == "default_domain" for part in candidate.why),
        page_type=page.page_type or None,
        modified=page.modified or None,
        why=candidate.why,
    )


def _exclude(root: Path, name: str) -> tuple[str, str]:
    """A path that must not appear, and a warning when there is no such file: it cannot appear anyway."""
    try:
        return page_path(root, name, "exclude"), ""
    except (InvalidRequest, NotFound) as error:
        return name, f"--exclude: {error.message}"


def _hints(vault: Vault, packed: PagePack) -> tuple[Hint, ...]:
    hints = problem_hints(vault.problems, "more problems in the vault")
    if vault.unsaved:
        hints.append(Hint("info", f"the pages will be read anew next time: {vault.unsaved}"))
    if not vault.pages:
        hints.append(Hint("info", f"the vault has no pages: there is no *.md in {vault.root.name}/{WIKI}"))
    elif not packed.pages:
        hints.append(Hint("info", f"no page has {packed.min_score} points: nothing to read first, or try --min-score"))
    if packed.counts.over_limit:
        hints.append(Hint("action", f"{packed.counts.over_limit} more pages have enough points: raise --limit"))
    return tuple(hints)
