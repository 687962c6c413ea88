"""Words for matching: lower-cased runs of letters and digits. A name is its words with single spaces between."""

from __future__ import annotations

from collections.abc import Iterable
from unicodedata import normalize

from context_pack.patterns import later

FEW_WORDS = 64  # up to here making every run is faster than counting the words of ten thousand keys
_WORD = later(r"[^\W_]+")
_TERM = later(r"[^\W_]+(?:[-_/.+][^\W_]+)*")


def folded(text: str) -> str:
    """Composed, in lower case: macOS decomposes file names, links are typed composed."""
    return (text if text.isascii() else normalize("NFC", text)).lower()


def words(text: str) -> list[str]:
    return _WORD.findall(folded(text))


def key_of(text: str) -> str:
    """A name as words: `rag-vs-wiki` and `RAG vs. Wiki` have the same key."""
    return " ".join(words(text))


def terms(text: str) -> set[str]:
    """The words of a text, and its runs of words joined as in slugs, as they are written (in lower case)."""
    whole = _TERM.findall(folded(text))
    return {*whole, *words(text)}


class Phrases:
    """Tells which names stand in a text: all their words, in a row."""

    def __init__(self, text: str) -> None:
        self._list = words(text)
        self._words = frozenset(self._list)
        self._text = f" {' '.join(self._list)} "

    def hold(self, key: str) -> bool:
        """Whether the words of a key stand in the text. The first word alone rules most names out."""
        return key.partition(" ")[0] in self._words and f" {key} " in self._text

    def runs(self, keys: Iterable[str]) -> frozenset[str]:
        """Every run of words that is as long as one of some keys: a key stands in the text when it is among them."""
        found = self._list
        longest = len(found)
        if longest > FEW_WORDS:
            longest = min(longest, max((key.count(" ") + 1 for key in keys), default=0))
        return frozenset(
            " ".join(found[start : start + length])
            for length in range(1, longest + 1)
            for start in range(len(found) - length + 1)
        )
