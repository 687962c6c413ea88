"""A page pack as a Markdown table."""

from __future__ import annotations

from collections.abc import Sequence

from context_pack.render.phrases import cell, escaped
from contracts.pages import PagePack, PageSeed
from contracts.records import Why

_LABELS = {
    "shared_tag": "shared tag: ",
    "shared_domain": "shared domain: ",
    "default_domain": "default domain: ",
    "link_to": "links to: ",
    "link_from": "linked from: ",
    "same_page_type": "same page-type: ",
    "searcher_hit": "",
    "title_overlap": "title overlap: ",
}


def as_table(pack: PagePack) -> str:
    """The table, what was counted, the seed, and with `--explain` the pages with points that are not in the pack."""
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
    labelled = ((_LABELS[part.name] + (part.detail or f"{part.signal:.2f}"), part.points) for part in why)
    return "; ".join(f"{cell(signal)} +{points:.0f}" for signal, points in labelled)
