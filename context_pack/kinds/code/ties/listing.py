"""The ties of a place or a symbol: those of the code graph, and those to code that its name leads to."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import islice

from chunker.kinds import VALUES
from context_pack.kinds.code.corpus import Corpus
from context_pack.kinds.code.selection import follow
from context_pack.kinds.code.target import file_of, symbols_at
from context_pack.kinds.code.ties.import_lines import ties_of_imports
from context_pack.kinds.code.ties.users import allowed, role_of, ties_by_name
from context_pack.options.resolve import Settings
from contracts.records import Hint
from index.types import Follow, SymbolRow, Tie

MAX_COUNTED = 400  # ties of a place that are looked at to choose and to count


def most_telling(
    corpus: Corpus, target: str, chunks: Sequence[int], settings: Settings
) -> tuple[list[Tie], int, tuple[Hint, ...]]:
    """The ties of a target, whose chunks are given, to list; the number of all ties, and a hint if these are more.

    Those with the labels of the strongest ties and users come first; among those of one label, code before tests before
    generated code. All parts of a symbol have one tie.
    """
    definitions, most = symbols_at(corpus, target, chunks), settings.top_k
    file = file_of(corpus, target)
    imported = [] if file else _imported(corpus, target, chunks, settings)
    by_name = ties_by_name(corpus, file, chunks, definitions, settings)
    if not file and _is_outside_code(corpus, chunks):
        around = corpus.chunk(chunks[0]).file
        parts = corpus.chunks_of_file(around)
        of_file = ties_by_name(corpus, around, parts, definitions, settings)
        if of_file or _has_edges(corpus, parts):  # otherwise only what resembles the place says more
            chunks, by_name = parts, of_file
    by_name = [*imported, *by_name]
    # The names of the target's symbols, however it was given: the same place has the same ties.
    names = " ".join(dict.fromkeys(corpus.chunk(number).symbol or "" for number in chunks)).strip() or target

    def followed(most: int) -> list[Tie]:
        way = replace(follow(settings, most, alike=True), together=True, pulls=(1.0,) * len(chunks))
        ties = corpus.related(chunks, names, way, filters=settings.filters)
        return ties_of(corpus, definitions, ties, of_types=not by_name)

    best = [*by_name[: (most + 1) // 2], *followed(most)]
    every = [*by_name, *followed(max(most, MAX_COUNTED))]
    symbols: dict[int, Tie] = {}
    for tie in every:
        symbols.setdefault(corpus.parts(tie.chunk)[0], tie)
    whole = [*symbols.values()]
    listed = _in_turns(corpus, [*best, *whole], whole)[:most]
    if len(whole) == len(listed):
        return listed, len(whole), ()
    direct = Counter(tie.labels[0].replace("_", " ") for tie in whole if tie.distance == 1)
    counts = ", ".join(f"{count} {label}" for label, count in direct.most_common())
    least = f"At least {len(whole)} places are related. " if len(every) >= MAX_COUNTED else ""
    return listed, len(whole), (Hint("info", f"{least}Direct: {counts}; raise --top-k to list more."),)


def _imported(corpus: Corpus, target: str, chunks: Sequence[int], settings: Settings) -> list[Tie]:
    """The ties of the import statements at the lines of a place, as far as the options want them."""
    place = next((one for one in corpus.places(target) if one.first is not None), None)
    if place is None:
        return []
    return allowed(corpus, ties_of_imports(corpus, chunks[0], place.first or 0, place.last or 0), settings)


def _is_outside_code(corpus: Corpus, chunks: Sequence[int]) -> bool:
    """Whether nothing at a place is defined, used or documented, as in the head of a file: then the file is
    meant, if it has ties."""
    is_bare = all(corpus.chunk(number).symbol is None for number in chunks)
    return is_bare and not _has_edges(corpus, chunks)


def _has_edges(corpus: Corpus, chunks: Sequence[int]) -> bool:
    return bool(corpus.related(chunks, "", Follow(1, 1, together=True)))


def _in_turns(corpus: Corpus, order: Sequence[Tie], ties: Sequence[Tie]) -> list[Tie]:
    """The ties in the order of the labels of `order`; of one label, code before tests before generated code."""
    by_labels: dict[tuple[str, ...], list[Tie]] = {}
    for tie in sorted(ties, key=lambda tie: role_of(corpus, tie.chunk)):
        by_labels.setdefault(tie.labels, []).append(tie)
    rest = {labels: iter(own) for labels, own in by_labels.items()}
    return [tie for one in order for tie in islice(rest.get(one.labels, ()), 1)]


def ties_of(
    corpus: Corpus, definitions: Sequence[SymbolRow], ties: Sequence[Tie], *, of_types: bool = False
) -> list[Tie]:
    """The ties of the definitions themselves, without users that their chunks have because of other members; all ties
    of a place, which defines nothing. `of_types`: those of the types of fields, too, for fields that nothing reads.
    """
    if not definitions:
        return list(ties)
    qualified = {row.qualified for row in definitions}
    if of_types:
        fields = [row for row in definitions if row.kind in VALUES and not corpus.defined(row.qualified)]
        qualified |= {row.qualified.rpartition(".")[0] for row in fields}
    names = "|".join(sorted({re.escape(row.name) for row in definitions}))
    name = re.compile(rf"(?<!\w)(?:{names})(?!\w)")

    def may_be_of_others(tie: Tie) -> bool:
        return tie.labels[0].endswith("_by") and tie.distance == 1 and corpus.chunk(tie.source).symbol not in qualified

    return [tie for tie in ties if not may_be_of_others(tie) or name.search(corpus.chunk(tie.chunk).text)]
