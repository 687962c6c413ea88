"""Words for matching: lower-cased runs of letters and digits. A name's key is its words, joined by single spaces."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from unicodedata import normalize

from contracts.lazy_regex import lazy_regex
from index.text import paired

_WORD = lazy_regex(r"[^\W_]+")
_TERM = lazy_regex(r"[^\W_]+(?:[-_/.+][^\W_]+)*")


def folded(text: str) -> str:
    """The text composed (NFC) and in lower case: macOS decomposes file names, links are typed composed."""
    return (text if text.isascii() else normalize("NFC", text)).lower()


def words(text: str) -> list[str]:
    """The words in order; of a text without blanks between words, each two neighbouring characters."""
    return _WORD.findall(paired(folded(text)))


def key_of(text: str) -> str:
    """A name as words: `rag-vs-wiki` and `RAG vs. Wiki` have the same key."""
    return " ".join(words(text))


def terms(text: str) -> set[str]:
    """The words of a text, and its runs of words joined as in slugs, as they are written (in lower case)."""
    return {*_TERM.findall(folded(text)), *words(text)}


def names_in(text: str) -> Callable[[str], bool]:
    """A test for keys of names: whether the words of a key are side by side in the text."""
    whole = f" {key_of(text)} "
    singly = frozenset(whole.split())  # the first word alone rules most names out
    return lambda key: key.partition(" ")[0] in singly and f" {key} " in whole


def distinct(names: Iterable[str]) -> tuple[str, ...]:
    """Each name once, sorted, without empty ones."""
    return tuple(sorted({*names} - {""}))
