"""A query that is a place: a file's line or lines as compilers, editors and forges spell them."""

from __future__ import annotations

import re
from dataclasses import dataclass

MAX_PLACE_CHARS = 2_000  # of a URL; a longer word is no place
_DIGITS = r"[0-9]{1,9}"
_BEHIND_COLON = re.compile(
    rf":L?(?P<first>{_DIGITS})"
    rf"(?:-L?(?P<last>{_DIGITS})"  # FILE:A-B
    rf"|[:.]{_DIGITS}(?:-(?:(?P<last_of_columns>{_DIGITS})[:.])?{_DIGITS})?)?:?$"  # FILE:LINE:COL, FILE:A:COL-B:COL
)
_IN_PARENTHESES = re.compile(
    rf"\((?P<first>{_DIGITS})(?:-(?P<last>{_DIGITS})|[,:]\s?{_DIGITS})?\):?$"
)  # FILE(LINE,COL)
_FRAGMENT = re.compile(
    rf"[#?](?:lines-|L)?(?P<first>{_DIGITS})(?:C{_DIGITS})?(?:[-:](?:L|lines-)?(?P<last>{_DIGITS})(?:C{_DIGITS})?)?$"
)
_PATH = re.compile(r"(?:[A-Za-z]:(?=[\\/]))?[^\s:]+$")
_AROUND = "'\"`<>"
# How the URLs of file views end their repository: GitLab, Gitea and Forgejo, sourcehut, GitHub, Bitbucket. What comes
# next is a revision, which may hold slashes, then the path.
_REVISION_NEXT = re.compile(
    r"/-/(?:blob|raw|blame|edit|tree)/|/(?:src|raw|blame)/(?:branch|commit|tag)/|/(?:blob|blame|raw|edit)/|/src/"
)
_ITEM = re.compile(r"/tree/.+?/item/")  # sourcehut says where the revision ends
_BROWSE = re.compile(r"/browse/")  # so does Bitbucket Server, whose revision is a parameter
_NO_LINES: tuple[int | None, int | None] = (None, None)
_RAW_HOST = "raw.githubusercontent.com"


@dataclass(frozen=True, slots=True)
class Place:
    """`paths` are what the path may be, the likeliest first: a URL does not tell where its revision ends.

    Lines are 1-based and inclusive; both are None for a whole file. `certain`: it is nothing but a place.
    """

    paths: tuple[str, ...]
    first: int | None = None
    last: int | None = None
    certain: bool = False

    @property
    def path(self) -> str:
        return self.paths[0]


def parse_place(text: str) -> Place | None:
    """The place that a text without blanks spells; whether there is such a file is for the index to find out."""
    if len(text) > MAX_PLACE_CHARS:
        return None
    text = text.strip(_AROUND).removeprefix("\\\\?\\")  # before long paths of Windows
    if "://" in text:
        return _of_url(text)
    rest, lines = text, _NO_LINES
    for pattern in (_BEHIND_COLON, _IN_PARENTHESES, _FRAGMENT):
        match = pattern.search(text)
        if match:
            rest, lines = text[: match.start()], _lines(match)
            break
    path = rest.replace("\\", "/").removeprefix("./")
    if not _PATH.match(rest) or not ("/" in path or "." in path or lines[0] is not None):
        return None
    first, last = lines
    return Place((path,), first, last, certain="#" in text[len(rest) :])


def _lines(match: re.Match[str]) -> tuple[int, int]:
    named = match.groupdict()
    first = int(named["first"])
    last = int(named.get("last") or named.get("last_of_columns") or first)
    return min(first, last), max(first, last)


def _of_url(url: str) -> Place | None:
    """The place in a forge's view of a file; None for every other address."""
    address, mark, fragment = url.partition("#")
    address, _, parameters = address.partition("?")
    paths = _paths_of(address)
    if not paths:
        return None
    match = _FRAGMENT.match(mark + fragment) or _FRAGMENT.match("?" + parameters)
    first, last = _lines(match) if match else _NO_LINES
    return Place(tuple(paths), first, last, certain=match is not None)


def _paths_of(address: str) -> list[str]:
    from urllib.parse import unquote

    scheme, _, rest = unquote(address).partition("://")
    host, _, path = rest.partition("/")
    if scheme not in ("http", "https") or not path:
        return []
    if host == _RAW_HOST:
        return _suffixes(path, 3)
    for pattern in (_ITEM, _BROWSE):
        match = pattern.search(f"/{path}")
        if match:
            return [f"/{path}"[match.end() :]]
    match = _REVISION_NEXT.search(f"/{path}")
    return _suffixes(f"/{path}"[match.end() :], 1) if match else []


def _suffixes(path: str, skipped: int) -> list[str]:
    """The path without its first parts: first without `skipped` of them, then with one part less each time."""
    parts = path.strip("/").split("/")
    return ["/".join(parts[at:]) for at in range(skipped, len(parts))]
