"""What a question asks for: the primary items, what relates to them, and the format that tells of both."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING

from context_pack import render
from context_pack.recipes import code
from context_pack.settings import check_query
from context_pack.suggestions import nearest, suggestions
from contracts.records import Hint
from index.types import Filters, Scored

if TYPE_CHECKING:
    from context_pack.corpus import Corpus
    from context_pack.redaction import Redactor
    from context_pack.render import Layout
    from context_pack.settings import Settings

NOTHING_FOUND = Hint(
    "info",
    "Nothing in this repository rises above the noise for this query. "
    "Try an identifier, a file name, or fewer and more telling words.",
)
FILTERED_OUT = Hint(
    "info",
    "Nothing that passes the filters rises above the noise for this query. "
    "Loosen include, exclude, language or no_docs, or ask in other words.",
)
NEAREST = " `ctxpack search` asks for less and may name the nearest places."  # what a pack without evidence adds


@dataclass(frozen=True, slots=True)
class Asked:
    """The primary items, the words that tell what is related to them and which of their lines matter, the format.

    What the reader `has` is among the primaries, because what is tied to it counts, and is not shown.
    """

    primaries: Sequence[Scored]
    query: str
    layout: Layout
    hints: tuple[Hint, ...]
    has: code.Has


def asked(corpus: Corpus, raw: Corpus, text: str | None, settings: Settings, redactor: Redactor) -> Asked:
    """What a text asks for, or a change, or both. `raw` is the corpus with its secrets: quick to look through."""
    has, told = _having(corpus, settings)
    if settings.diff is not None:
        words = check_query(text) if text and text.strip() else ""
        about = _by_change(raw, words, settings.diff, settings, redactor)
        primaries = [scored for scored in about.primaries if not has(scored.chunk)]
        return replace(about, primaries=primaries, hints=(*about.hints, *told), has=has)
    query = check_query(text)
    primaries = code.select_primary(corpus, query, settings, has)
    if primaries and primaries[0].score >= code.EXACT_SCORE:
        return Asked(primaries, query, _layout(settings), told, has)
    names = nearest(corpus, query)
    if names and not primaries:
        primaries = code.select_primary(corpus, names[0], settings, has)
        answers = names[0] if primaries else ""
        hints = suggestions(redactor.name(query), names, "query", answers)
        return Asked(primaries, answers or query, _layout(settings), (*hints, *told), has)
    hints = (*nothing_found(primaries, settings, NEAREST), *suggestions(redactor.name(query), names, "query"), *told)
    return Asked(primaries, query, _layout(settings), hints, has)


def _having(corpus: Corpus, settings: Settings) -> tuple[code.Has, tuple[Hint, ...]]:
    """Whether the reader has a chunk, by its number."""
    if not settings.have and not settings.have_pack:
        return code.has_nothing, ()
    from context_pack.having import having

    found = having(corpus, settings)
    return cache(lambda number: found.holds(corpus.chunk(number))), found.hints


def _layout(settings: Settings) -> Layout:
    """What a pack is measured by: a page shows what JSON holds, and is no larger a pack for its markup."""
    return render.layout("json" if settings.format == "html" else settings.format)


def nothing_found(found: Sequence[object], settings: Settings, more: str = "") -> tuple[Hint, ...]:
    """What to try when nothing was found."""
    if found:
        return ()
    hint = NOTHING_FOUND if settings.filters in (Filters(), Filters(docs="first")) else FILTERED_OUT
    return (replace(hint, text=hint.text + more),)


def _by_change(corpus: Corpus, text: str, diff: str, settings: Settings, redactor: Redactor) -> Asked:
    from context_pack.corpora.changes import changes
    from context_pack.recipes.review import review
    from context_pack.render.changed import ChangedLayout

    found = review(corpus, changes(corpus.root, diff), text, settings)
    layout = ChangedLayout(_layout(settings), redactor.name(text), found.diff, found.lines)
    return Asked(found.primaries, found.steer, layout, found.hints, code.has_nothing)
