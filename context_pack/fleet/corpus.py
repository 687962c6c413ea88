"""Several repositories of a fleet as one corpus, ranked by points and by the evidence that each has an answer."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace

from context_pack.kinds.code.repositories import PROSE, Repositories
from context_pack.kinds.code.selection import EXACT_SCORE, RANKED_SCORE
from contracts.records import Why
from index import Index
from index.fleet.catalog import naming_points
from index.search.query import parse_query
from index.search.ranker import shipped_ranker
from index.search.searcher import EXACT_STEP, LEAST_EXACT
from index.text import words_of
from index.types import Filters, Order, Scored


class FleetRepositories(Repositories):
    """`Repositories` whose hits are ordered by points and evidence together, each blob once.

    Points are comparable inside a repository; what makes repositories comparable is the evidence of the question as a
    whole. Scores fall by what a repository has less of it than the best one.
    """

    def __init__(self, indexes: Mapping[str, Index]) -> None:
        super().__init__(indexes)
        self._indexes = indexes

    def search(self, query: str, *, top_k: int, filters: Filters | None = None, order: Order = "files") -> list[Scored]:
        """The best of all repositories. A query that starts with a repository's name asks it alone."""
        docs_first = filters is not None and filters.docs == "first"
        found: list[tuple[tuple[bool, bool, float, int, int], tuple[bytes, int], float, Scored]] = []
        for one, text in self._addressed(query):
            index, own = self._indexes[one.name], one.filters(filters)
            hits = index.search(text, top_k=top_k, filters=own, order=order)
            evidence = index.evidence(text, filters=own) + naming_points(one.name, words_of(text)) if hits else 0.0
            for rank, hit in enumerate(hits):
                code = docs_first and index.chunk(hit.chunk).language not in PROSE
                key = (code, hit.score < EXACT_SCORE, -round(hit.points + evidence, 6), one.place, rank)
                outer = replace(hit, chunk=one.first + hit.chunk)
                found.append((key, _place(index, hit.chunk), evidence, outer))
        found.sort(key=lambda row: row[0])
        once = {place: (evidence, hit) for _, place, evidence, hit in reversed(found)}  # the first of equals stays
        shown = [(evidence, hit) for _, place, evidence, hit in found if once[place][1] is hit][:top_k]
        best = max((evidence for _, _, evidence, _ in found), default=0.0)
        scale = shipped_ranker().passage_scale if parse_query(query).wants_lines(order) else 1.0
        return [_beside(hit, rank, round(evidence - best, 4), scale) for rank, (evidence, hit) in enumerate(shown)]


def _place(index: Index, chunk: int) -> tuple[bytes, int]:
    """Blob and line: the same place of a fork is equal."""
    file = int(index.snapshot.array("chunk_file")[chunk])
    return bytes(index.snapshot.array("file.hash")[file]), int(index.snapshot.array("chunk.start_byte")[chunk])


def _beside(hit: Scored, rank: int, behind: float, scale: float) -> Scored:
    """A hit as it stands beside those of other repositories; `behind` is its evidence less that of the best, <= 0."""
    if hit.score >= EXACT_SCORE:
        return replace(hit, score=max(1 - EXACT_STEP * rank, LEAST_EXACT))
    if not behind:
        return hit
    chance = min(max(hit.score / RANKED_SCORE, 1e-9), 1 - 1e-9)
    lowered = 1 / (1 + math.exp(min(-math.log(chance / (1 - chance)) - scale * behind, 60.0)))
    reasons = hit.reasons
    return replace(
        hit, score=round(RANKED_SCORE * lowered, 6), points=round(hit.points + behind, 4),
        reasons=lambda: (*reasons(), Why("repository.evidence", behind, behind)),
    )  # fmt: skip
