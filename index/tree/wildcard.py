"""Wildcards as regular expressions that never try a choice twice: the time grows with the path, not with its powers.

`*a*a*a*b` tries every way to spread the letters of a long name over its stars, if each star may be taken back. It need
not be: the first match of what follows a star leaves the most room for the rest, because the next wildcard takes up
whatever is left over. So the first match is final (an atomic group), up to the last wildcard, which has to reach the
end of the path.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum


class Wild(Enum):
    """Tokens that match more than one character: a run of them within a folder, whole folders, or anything."""

    STAR = "[^/]*?"
    FOLDERS = "(?:.*?/)??"  # where a folder begins, alone
    ALL = ".*?"


Token = str | Wild  # the regular expression of one character, or a wildcard


def regex_of(tokens: Sequence[Token]) -> str:
    """The regular expression of a whole path, for `re.DOTALL` and `fullmatch`."""
    sections: list[tuple[Token, list[Token]]] = [("", [])]
    for token in tokens:
        if token in (Wild.FOLDERS, Wild.ALL):
            sections.append((token, []))
        else:
            sections[-1][1].append(token)
    *before, (crossing, last) = sections
    parts = [f"(?>{_text(wild)}{_section(inside, final=True)})" for wild, inside in before]
    return "".join([*parts, _text(crossing), _section(last, final=False)])


def _section(tokens: Sequence[Token], *, final: bool) -> str:
    """The pieces between two wildcards that cross folders; the last match is not `final` where the path has to end."""
    pieces: list[list[str]] = [[]]
    for token in tokens:
        if isinstance(token, Wild):
            pieces.append([])
        else:
            pieces[-1].append(token)
    first, *after = ("".join(piece) for piece in pieces)
    parts = [first]
    for number, piece in enumerate(after, start=1):
        piece_regex = Wild.STAR.value + piece
        parts.append(f"(?>{piece_regex})" if final or number < len(after) else piece_regex)
    return "".join(parts)


def _text(token: Token) -> str:
    return token.value if isinstance(token, Wild) else token
