"""A page pack as a Markdown table; as JSON it is `data` of the envelope."""

from __future__ import annotations

from collections.abc import Sequence

from context_pack.render.phrases import escaped
from contracts.pages import PagePack, PageSeed
from contracts.records import Why

FORMATS = ("md", "json")
HEAD = "| Path | Score | Why |\n|------|-------|-----|\n"
_LABELS = {
    "shared_tag": "shared tag",
    "shared_domain": "shared domain",
    "default_domain": "default domain",
    "link_to": "links to",
    "link_from": "linked from",
    "same_page_type": "same page-type",
    "title_overlap": "title overlap",
}


def render(pack: PagePack, name: str) -> str | None:
    """What is printed; None when the pack is `data` of the envelope."""
    if name == "json":
        return None
    rows = [
        f"| {_cell(row.path)} | {row.score} | {_why(row.why)}{'; baseline only' if row.baseline_only else ''} |\n"
        for row in pack.pages
    ]
    by = f"{pack.searcher} ({pack.provider})" if pack.provider else pack.searcher
    foot = f"\n{_counted(pack)} Searcher: {escaped(by)}.\n{_seed(pack.seed)}"
    return HEAD + "".join(rows) + foot + _left_out(pack)


def _counted(pack: PagePack) -> str:
    counts = pack.counts
    return (
        f"{len(pack.pages)} of {counts.pages} pages; {counts.below_min_score} with points but fewer than "
        f"{pack.min_score}, {counts.over_limit} over the limit of {pack.limit}."
    )


def _left_out(pack: PagePack) -> str:
    """With `--explain`: the pages with points that are not in the pack."""
    if not pack.left_out:
        return ""
    rows = [f"| {_cell(one.path)} | {one.score} | {one.limit} | {_why(one.why)} |\n" for one in pack.left_out]
    return f"\n| Left out | Score | Limit | Why |\n|----------|-------|-------|-----|\n{''.join(rows)}"


def _seed(seed: PageSeed) -> str:
    """`Seed: tags llm, wiki; entities andrej-karpathy.`: what the pages were scored against."""
    signals = {
        "page": (seed.page,) if seed.page else (),
        "tags": seed.tags,
        "domains": seed.domains,
        "default domains": seed.default_domains,
        "entities": seed.entities,
        "page-type": (seed.page_type,) if seed.page_type else (),
    }
    told = "; ".join(f"{name} {', '.join(found)}" for name, found in signals.items() if found)
    return f"Seed: {escaped(told) or 'no signals of this vault'}.\n"


def _why(why: Sequence[Why]) -> str:
    """`shared tag: llm +3; hybrid top-1 +5`: the points add up to the score."""
    return "; ".join(f"{_cell(_signal(part))} +{part.points:.0f}" for part in why)


def _signal(part: Why) -> str:
    if part.name == "searcher_hit":
        return part.detail
    return f"{_LABELS[part.name]}: {part.detail or f'{part.signal:.2f}'}"


def _cell(text: str) -> str:
    """A cell of a table (GFM 4.10): a pipe is escaped, and so is what would end the line."""
    return escaped(text).replace("|", "\\|")
