"""How sure an answer is: by exact hits, else by the evidence that this repository has one at all."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from index.search.ranker import Ranker
from index.types import Grade, Scored

NOTHING = Grade("none", "nothing here shares a word with the query")


def grade_of(ranker: Ranker, evidence: Mapping[str, float], exact: Sequence[Scored], hits: Sequence[Scored]) -> Grade:
    """`strong` where the query names something that is here, or its evidence is that of questions with an answer."""
    if exact:
        return Grade("strong", "the query names what is shown first")
    if not hits:
        return NOTHING
    points = round(ranker.evidence_points(evidence), 4)
    share = f"the best chunk answers to {evidence['match']:.0%} of the query's words"
    if points >= ranker.strong:
        return Grade("strong", f"{share}; evidence {points:g}, strong from {ranker.strong:g}")
    if points >= ranker.weak:
        return Grade("weak", f"{share}; evidence {points:g}, strong from {ranker.strong:g}")
    return Grade("none", f"{share}; evidence {points:g}, weak from {ranker.weak:g}")
