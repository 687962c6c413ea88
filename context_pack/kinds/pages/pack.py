"""The page pack, and its Markdown table. `pack` is a pure function of a vault, a seed and the searcher's hits."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from pathlib import Path

from context_pack.answer import Answer, Stages
from context_pack.io.markdown_files import problem_hints
from context_pack.kinds.pages.score import SIGNALS, score
from context_pack.kinds.pages.searcher import Hits, search
from context_pack.kinds.pages.seed import PageRequest, seed_of
from context_pack.kinds.pages.vault import WIKI, Vault, page_path, read_vault, seed_page, vault_root
from context_pack.redaction import Redactor
from context_pack.render.phrases import cell, escaped
from contracts.errors import InvalidRequest, NotFound
from contracts.pages import DroppedPage, PageCounts, PagePack, PageRow, PageSeed
from contracts.records import Hint, Why


def answer(request: PageRequest, vault: str | Path | None = None) -> Answer[PagePack]:
    """The pack for a seed; problems of the vault are among its hints."""
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
    packed = redactor.data(packed)
    warnings = tuple(Hint("warn", warning) for _, warning in excludes if warning)
    hints = redactor.hints((*warnings, *hits.hints, *_hints(read, packed)))
    return Answer(packed, hints, stages.durations_ms(), redactor.counts)


def pack(vault: Vault, seed: PageSeed, request: PageRequest, hits: Hits, excluded: Collection[str] = ()) -> PagePack:
    """The best pages, at most `limit`, none below `min_score`."""
    candidates = score(vault, seed, hits, excluded)
    enough = sum(candidate.points >= request.min_score for candidate in candidates)
    count = min(enough, request.limit)
    limits = ["limit"] * (enough - count) + ["min_score"] * (len(candidates) - enough)
    left_out = zip(candidates[count:], limits, strict=True) if request.explain else ()
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
            over_limit=enough - count,
        ),
        pages=tuple(
            PageRow(
                path=page.path,
                title=page.title,
                score=int(one.points),
                baseline_only=all(part.name == "default_domain" for part in one.why),
                page_type=page.page_type or None,
                modified=page.modified or None,
                why=one.why,
            )
            for one in candidates[:count]
            for page in (one.item,)
        ),
        left_out=tuple(DroppedPage(one.id, int(one.points), limit, one.why) for one, limit in left_out),
    )


def _exclude(root: Path, name: str) -> tuple[str, str]:
    """A path that must not appear, and a warning if there is no such file, which cannot appear anyway."""
    try:
        return page_path(root, name, "exclude"), ""
    except (InvalidRequest, NotFound) as error:
        return name, f"--exclude: {error.message}"


def _hints(vault: Vault, packed: PagePack) -> tuple[Hint, ...]:
    hints = problem_hints(vault.problems, vault.unsaved)
    if not vault.pages:
        hints.append(Hint("info", f"the vault has no pages: there is no *.md in {vault.root.name}/{WIKI}"))
    elif not packed.pages:
        hints.append(Hint("info", f"no page has {packed.min_score} points; lower --min-score to see more"))
    if packed.counts.over_limit:
        hints.append(Hint("action", f"{packed.counts.over_limit} more pages have enough points; raise --limit"))
    return tuple(hints)


def as_table(pack: PagePack) -> str:
    """The table, the counts, the seed, and with `--explain` the pages with points that were left out."""
    rows = [
        f"| {cell(row.path)} | {row.score} | {_why(row.why)}{'; baseline only' if row.baseline_only else ''} |\n"
        for row in pack.pages
    ]
    counts = pack.counts
    by = f"{pack.searcher} ({pack.provider})" if pack.provider else pack.searcher
    text = (
        f"| Path | Score | Why |\n|------|-------|-----|\n{''.join(rows)}\n{len(pack.pages)} of {counts.pages} pages; "
        f"{counts.below_min_score} with points but fewer than {pack.min_score}, {counts.over_limit} over the limit of "
        f"{pack.limit}. Searcher: {escaped(by)}.\nSeed: {escaped(_signals(pack.seed)) or 'no signals of this vault'}.\n"
    )
    if pack.left_out:
        text += "\n| Left out | Score | Limit | Why |\n|----------|-------|-------|-----|\n"
    return text + "".join(
        f"| {cell(one.path)} | {one.score} | {one.limit} | {_why(one.why)} |\n" for one in pack.left_out
    )


def _signals(seed: PageSeed) -> str:
    """`tags llm, wiki; entities andrej-karpathy`: what the pages were scored against."""
    signals = {
        "page": (seed.page,) if seed.page else (),
        "tags": seed.tags,
        "domains": seed.domains,
        "default domains": seed.default_domains,
        "entities": seed.entities,
        "page-type": (seed.page_type,) if seed.page_type else (),
    }
    return "; ".join(f"{name} {', '.join(values)}" for name, values in signals.items() if values)


def _why(why: Sequence[Why]) -> str:
    """`shared tag: llm +3; hybrid top-1 +5`: the points add up to the score."""
    labelled = ((SIGNALS[part.name][1] + (part.detail or f"{part.signal:.2f}"), part.points) for part in why)
    return "; ".join(f"{cell(signal)} +{points:.0f}" for signal, points in labelled)
