"""Items that say nearly the same: overloads, copies, variants of a test. One is shown, with the places of the others.

Two texts are compared by the pairs of words that stand side by side in them, without their own names and without their
documentation. White space, punctuation and the order of lines do not count.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import pairwise

from context_pack.kinds.code.packing.drafts import Draft

LEAST_ALIKE = 0.8  # of the pairs of two texts that both have: from here on the second one says nothing new
LEAST_PAIRS = 12  # a shorter text costs little and differs in its few words
REMEMBERED = 2_048
_WORD = b"_ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
_TO_WORDS = bytes(byte if byte in _WORD or byte > 127 else 0x20 for byte in range(256))


def are_alike(one: Draft, other: Draft) -> bool:
    """Whether two items say nearly the same. Those of other kinds and sizes do not: that is cheap to know."""
    if one.row.kind != other.row.kind or not (_are_near(len(one.code), len(other.code))):
        return False
    if not _are_near(one.row.end_line - one.row.start_line, other.row.end_line - other.row.start_line):
        return False
    pairs, others = _pairs(one), _pairs(other)
    both = len(pairs & others)
    return len(pairs) >= LEAST_PAIRS and both >= LEAST_ALIKE * (len(pairs) + len(others) - both)


def _are_near(one: int, other: int) -> bool:
    return min(one, other) >= LEAST_ALIKE * max(one, other)


def _pairs(draft: Draft) -> frozenset[tuple[bytes, bytes]]:
    row, code = draft.row, draft.code
    if row.doc:
        lines = code.split("\n")
        code = "\n".join((*lines[: row.doc[0] - row.start_line], *lines[row.doc[1] + 1 - row.start_line :]))
    return _pairs_of(code, row.symbol or "")


@lru_cache(maxsize=REMEMBERED)
def _pairs_of(code: str, symbol: str) -> frozenset[tuple[bytes, bytes]]:
    names = frozenset(symbol.encode("utf-8", "replace").split(b"."))
    words = code.encode("utf-8", "replace").translate(_TO_WORDS).split()
    return frozenset(pairwise([word for word in words if word not in names]))
