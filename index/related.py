"""What is tied to the primaries: their containers and members, what they call and use, who calls them, their tests."""

from __future__ import annotations

from collections.abc import Sequence

from index.columns import Array
from index.corpus import Corpus
from index.filtering import allowed_files
from index.query import parse_query
from index.signals import measure
from index.types import Filters, Tie

# What one step along an edge is worth, by label and direction; a backward edge is named after what it means.
_OUT = {
    "contains": 0.75, "calls": 0.6, "uses": 0.7, "extends": 0.8, "implements": 0.8, "imports": 0.2, "tests": 0.3,
    "overrides": 0.6, "documents": 0.4,
}  # fmt: skip
_IN = {
    "contains": 0.8, "calls": 0.55, "uses": 0.45, "extends": 0.6, "implements": 0.6, "imports": 0.1, "tests": 0.6,
    "overrides": 0.5, "documents": 0.5,
}  # fmt: skip
_BACKWARD = {
    "contains": "contained_by", "calls": "called_by", "uses": "used_by", "extends": "extended_by",
    "implements": "implemented_by", "imports": "imported_by", "tests": "tested_by", "overrides": "overridden_by",
    "documents": "documented_by",
}  # fmt: skip
MAX_FANOUT = 200  # neighbours looked at for one node; a name with more callers says little about any one of them
MATCH_WEIGHT = 0.6  # what a full match with the query adds to a tie
STEP = 0.5  # a tie over two edges is worth half of their product: a sibling tells less than a caller


def ties(
    corpus: Corpus, primaries: Sequence[int], query: str, per_primary: int, depth: int, filters: Filters
) -> list[Tie]:
    """At most `per_primary` chunks for each primary, best first; each chunk once, by its strongest tie."""
    if per_primary <= 0 or depth <= 0 or not primaries:
        return []
    allowed = allowed_files(corpus, filters)
    match = measure(corpus, parse_query(query), None).chunk["cover"]
    taken = set(primaries)
    best: dict[int, Tie] = {}
    for place, primary in enumerate(primaries):
        found = [
            tie for tie in _from(corpus, primary, depth, match, place)
            if tie.chunk not in taken and allowed[corpus.chunk_file[tie.chunk]]
        ]  # fmt: skip
        for tie in sorted(found, key=_key)[:per_primary]:
            known = best.get(tie.chunk)
            if known is None or _key(tie) < _key(known):
                best[tie.chunk] = tie
    return sorted(best.values(), key=_key)


def _key(tie: Tie) -> tuple[int, int, int, int]:
    return (-round(tie.weight * 1_000_000), tie.distance, tie.chunk, tie.source)


def _from(corpus: Corpus, primary: int, depth: int, match: Array, place: int) -> list[Tie]:
    """Breadth first from one primary; the first visit fixes the distance."""
    edges = ((corpus.edges_out, _OUT, False), (corpus.edges_in, _IN, True))
    seen: dict[int, Tie] = {}
    frontier: list[tuple[int, tuple[str, ...], float]] = [(primary, (), 1.0)]
    fade = 1.0 / (1 + 0.15 * place)
    for distance in range(1, depth + 1):
        reached: list[tuple[int, tuple[str, ...], float]] = []
        for node, labels, strength in frontier:
            for way, worth, backward in edges:
                for other, label in way.neighbours(node)[:MAX_FANOUT]:
                    if other == primary or (other in seen and seen[other].distance < distance):
                        continue
                    named = (*labels, _BACKWARD[label] if backward else label)
                    power = strength * worth[label] * (1.0 if distance == 1 else STEP)
                    weight = fade * (power + MATCH_WEIGHT * float(match[other]))
                    known = seen.get(other)
                    if known is None or weight > known.weight:
                        seen[other] = Tie(primary, other, named, distance, weight)
                        reached.append((other, named, power))
        frontier = reached
    return list(seen.values())
