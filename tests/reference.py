"""Plain versions of the optimised routines, slow and obvious; property tests compare the fast ones with them."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from itertools import accumulate, pairwise

from index.segment.columns import Segment
from index.text import terms_of_text


def bm25(
    query: Sequence[str], texts: Sequence[str], lengths: Sequence[int], k1: float = 1.2, b: float = 0.75
) -> list[float]:
    """Okapi BM25 of each text, term by term; `lengths` in words. Robertson & Zaragoza 2009, idf as in Lucene."""
    counted = [Counter(terms_of_text(text)) for text in texts]
    average = max(sum(lengths) / len(lengths), 1.0)
    scores = []
    for counts, length in zip(counted, lengths, strict=True):
        score = 0.0
        for term in query:
            frequency = sum(term in other for other in counted)
            idf = math.log1p((len(texts) - frequency + 0.5) / (frequency + 0.5))
            tf = min(counts[term], 255)
            score += idf * tf * (k1 + 1) / (tf + k1 * (1 - b + b * length / average))
        scores.append(score)
    return scores


def postings(segment: Segment, level: str, target: str) -> tuple[list[int], list[int]]:
    """(start of each term's rows, then the end of the last; chunks or files that contain the terms, term by term)."""
    terms = segment.array(f"{level}.term").tolist()
    files = [file for file, (a, b) in enumerate(pairwise(segment.rows[level].tolist())) for _ in range(a, b)]
    rows = segment.absolute(level, target, target).tolist() if target == "chunk" else files
    by_term: list[list[int]] = [[] for _ in range(len(segment.terms))]
    for term, row in zip(terms, rows, strict=True):
        by_term[term].append(row)
    return [0, *accumulate(map(len, by_term))], [row for rows in by_term for row in rows]


def table(edges: Sequence[float], points: Sequence[float], value: float) -> float:
    """The points that a one-dimensional table gives to a value."""
    place = 0
    for edge in edges:
        if value >= edge:
            place += 1
    return points[place]


def repeats(rows: Sequence[int], rank: Sequence[float], file: Sequence[int], cost: float) -> dict[int, int]:
    """The rows, best first, with the number of earlier rows of the same file, each of which adds `cost` to the rank."""
    left, found = list(rows), {}
    while left:
        before = {row: sum(file[other] == file[row] for other in found) for row in left}
        best = max(left, key=lambda row: (round(rank[row] + cost * before[row], 6), -left.index(row)))
        left.remove(best)
        found[best] = before[best]
    return found
