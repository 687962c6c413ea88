"""Words as SQLite's full-text search sees them, for texts that are in no table: SQLite itself is asked.

Its tokenizer `unicode61` looks at one character at a time. Each is part of a word, folded (lower case, no diacritics),
or it separates words, or it is a combining mark, which is dropped within a word and separates where none has begun.
So it is enough to know what it makes of the characters that occur. `porter` then cuts a word down to its stem.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from context_pack.corpora.vault.search_tables import create, opened

_NOT_ASCII = re.compile(r"[^\x00-\x7f]+")
_SEPARATOR, _MARK = " ", ""


def stems(words: Sequence[str]) -> list[str | None]:
    """The stem of each word; None for what is no word to SQLite, or several. IOFailure without full-text search."""
    found: list[str | None] = [None] * len(words)
    seen = set()
    for number, token in _tokens("porter unicode61", words):
        found[number] = None if number in seen else token
        seen.add(number)
    return found


def shared_prefix(stem: bytes) -> bytes:
    """What every word with this stem begins with.

    Porter's steps (1980) only cut a word's end off, except that they leave `e` (`hoping`, `relational`), `i` (`happy`),
    or `ble` for `bili` (`ability`), of which the last step may take the `e` again.
    """
    if stem.endswith(b"ble"):
        return stem[:-2]
    return stem[:-1] if stem.endswith((b"e", b"i", b"bl")) else stem


@dataclass(frozen=True, slots=True)
class Folding:
    """What SQLite makes of the characters of some texts, ASCII aside."""

    _made: tuple[tuple[str, str], ...]  # a character, and what stands for it where that is another
    _marks: str

    @classmethod
    def of(cls, texts: Iterable[str]) -> Folding:
        """IOFailure without full-text search."""
        characters = sorted(set("".join("".join(_NOT_ASCII.findall(text)) for text in texts)))
        parts: dict[int, list[str]] = {}
        for number, token in _tokens("unicode61", [f"a{character}b" for character in characters]):
            parts.setdefault(number, []).append(token)
        made = [(character, _between(parts[number])) for number, character in enumerate(characters)]
        return cls(
            tuple((character, new) for character, new in made if new not in {character, _MARK}),
            "".join(character for character, new in made if new == _MARK),
        )

    def folded(self, text: str) -> bytes:
        """A text in UTF-8 whose words are runs of ASCII letters, digits and bytes from 0x80 on, in lower case."""
        if not text.isascii():
            for character, new in self._made:
                text = text.replace(character, new)
            if self._marks:
                text = re.sub(rf"(?<=[0-9A-Za-z\x80-\U0010ffff])[{self._marks}]+", "", text)
                text = re.sub(f"[{self._marks}]", _SEPARATOR, text)
        return text.encode("utf-8", "replace").lower()


def _between(tokens: list[str]) -> str:
    """What became of the character between `a` and `b`."""
    return _SEPARATOR if len(tokens) > 1 else tokens[0][1:-1]


def _tokens(tokenizer: str, texts: Sequence[str]) -> list[tuple[int, str]]:
    """(number of the text, token) of every token."""
    database = opened(None)
    try:
        create(
            database,
            (
                f"create virtual table given using fts5(text, tokenize='{tokenizer}')",
                "create virtual table token using fts5vocab(given, instance)",
            ),
        )
        database.execute("begin")
        database.executemany("insert into given(rowid, text) values (?, ?)", enumerate(texts))
        return database.execute("select doc, term from token").fetchall()
    finally:
        database.close()
