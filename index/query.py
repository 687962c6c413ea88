"""What a query asks for: an identifier, a path, or something in words; and the terms it is searched by."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from index.analysis import STOP_WORDS, content_terms, parts_of, terms_of, words_of
from index.spelling import symbol_of

QueryKind = Literal["identifier", "path", "words"]
MAX_TERMS = 48  # a pasted stack trace has hundreds; the rarest of the first ones decide anyway
MAX_CHARS = 20_000  # beyond this, a query is a file; its beginning is what is asked
_PATH = re.compile(r"(?P<path>[^\s:]+)(?::(?P<line>\d+)(?::\d+|-\d+)?)?$")
_SPELLED = re.compile(r"[a-z0-9][A-Z]|[A-Za-z0-9]_[A-Za-z0-9]")
_CODE_LIKE = re.compile(r"[a-z][A-Z]|_|\d|[A-Z]{2,}|^[A-Z][a-z]+$")


@dataclass(frozen=True, slots=True)
class Query:
    """`terms` are distinct, in order of use; `compounds` join neighbouring words (`embedding cache` ->
    `embeddingcache`); `identifiers` are words that look like names in code, as written."""

    text: str
    kind: QueryKind
    terms: tuple[str, ...]
    compounds: tuple[str, ...]
    identifiers: tuple[str, ...]
    symbol: str = ""
    path: str = ""
    line: int | None = None

    def spelled(self) -> list[str]:
        """The identifiers that only code spells like this: `parseEx`, `max_chars`; `Names` and `HTTP` may be prose."""
        return [word for word in self.identifiers if _SPELLED.search(word)]


@lru_cache(maxsize=32)
def parse_query(text: str) -> Query:
    """Classify a query; whether a path or a symbol exists is for the index to find out."""
    text = text.strip()[:MAX_CHARS]
    words = words_of(text)
    terms = content_terms(words) or [term for word in words for term in terms_of(word)]
    single = " " not in text and "\n" not in text
    symbol = "" if "/" in text else symbol_of(text)
    found = _PATH.match(text) if single and ("/" in text or "." in text) else None
    kind: QueryKind = "identifier" if symbol else "path" if found else "words"
    return Query(
        text=text,
        kind=kind,
        terms=tuple(dict.fromkeys(terms))[:MAX_TERMS],
        compounds=tuple(_compounds(words, set(terms)))[:MAX_TERMS],
        identifiers=tuple(dict.fromkeys(word for word in words if _looks_named(word)))[:MAX_TERMS],
        symbol=symbol,
        path=found["path"].removeprefix("./") if found else "",
        line=int(found["line"]) if found and found["line"] else None,
    )


def _looks_named(word: str) -> bool:
    return len(word) > 2 and word.lower() not in STOP_WORDS and _CODE_LIKE.search(word) is not None


def _compounds(words: list[str], known: set[str]) -> list[str]:
    """Two or three neighbouring content words run together: how a name in code would spell them."""
    plain = ["".join(parts_of(word)) for word in words if word.lower() not in STOP_WORDS]
    runs = ["".join(plain[at : at + size]) for size in (2, 3) for at in range(len(plain) - size + 1)]
    return [run for run in dict.fromkeys(runs) if run not in known]
