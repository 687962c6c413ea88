"""Rewrites the lines of files as people, editors, agents and tools refer to them as `path:line`: `cart.py line 12`,
`lines 3 to 9 of cart.py`, `@cart.py#L3-9`, `sed -n 3,9p cart.py`, `{"file": "cart.py", "line": 3}`, URLs.

`line_references.tsv` has the forms. Each consists of runs of bounded length.
"""

from __future__ import annotations

import re
from urllib.parse import parse_qs, unquote, urlsplit

from contracts.lazy_regex import lazy_regex, with_parts
from contracts.rows import rows
from index.collection.collection import Collection
from index.search.spelling import parse_place

_NUMBER = r"[0-9]{1,7}"
_PARTS = (
    ("{LINES}", "(?P<first>N)(?:(?:{TO}|:)L?(?P<last>N)|(?:,? and |, ?)(?:L|{LINE})?(?P<next>N))?(?![0-9]|[.]?\\w)"),
    ("{TO}", r"(?: ?[-–] ?|\.\.| (?:to|through|until) )(?:{LINE})?"),
    ("{LINE}", r"(?:(?i:lines?)\s?#?\s?)"),
    ("{PATH}", "{START}(?P<path>(?:[A-Za-z]:(?=[\\\\/]))?[^\\s:`\"'<>|*,;=?#@()\\[][^\\s:`\"'<>|*,;=?#]{0,200}\\b)"),
    ("{START}", "(?<![^\\s`\"'(\\[<*=@:])"),
    ("{CLOSE}", "[`\"'*\\])]{0,4}"),
    ("{OPEN}", "[`\"'*(\\[]{0,4}"),
    ("{WHERE}", "(?:(?:at|on|near|around|about|(?:starting|beginning) (?:at|from|on)) )?(?:the )?"),
    ("{KEY}", "[\"']?\\s?[=:]\\s*[\"']?"),
    ("N", _NUMBER),
)
_FORMS = tuple(
    (literal, lazy_regex(with_parts(pattern, _PARTS), re.M))
    for _, literal, pattern in rows(__file__, "line_references.tsv")
)
_URL = lazy_regex(r"[a-z][a-z+.-]{1,20}://[^\s<>()`'\"\]]*[\w/]")
_NUMBERS = lazy_regex(rf"[Ln]?(?P<first>{_NUMBER})(?:-L?(?P<last>{_NUMBER}))?")


def with_places(collection: Collection, text: str) -> str:
    """The text with `path:line` or `path:first-last` in place of other references to lines of files of the index."""
    for url in _URL.findall(text) if "://" in text else ():
        text = text.replace(url, _of_url(collection, url), 1)
    if "@" in text or any(map(str.isdigit, text)):
        for literal, form in _FORMS:
            if literal in text:
                text = form.sub(lambda match: _rewritten(collection, match), text)
    return text


def _rewritten(collection: Collection, match: re.Match[str]) -> str:
    """The reference in the usual spelling; unchanged if no file has such a name."""
    path, lines = match["path"], match.groupdict()
    if not collection.files.names.named(path.replace("\\", "/")):
        return match[0]
    first, last, further = (lines.get(name) for name in ("first", "last", "next"))
    if not first:
        return match[0][1:]
    if further and "between" not in match[0]:
        return f"{path}:{first} {path}:{further}"
    return f"{path}:{first}-{last or further}" if last or further else f"{path}:{first}"


def _of_url(collection: Collection, url: str) -> str:
    """The place that a URL shows: of a forge by its form, of others by the file of this tree that its path or its
    parameter `path` or `file` ends with; unchanged without such a file."""
    names, place = collection.files.names, parse_place(url)
    if place is not None:
        paths, first, last = place.paths, place.first, place.last
    else:
        address = urlsplit(url)
        given = {key: values[0] for key, values in parse_qs(address.query).items()}
        path, _, numbers = unquote(given.get("path") or given.get("file") or address.path).partition(":")
        match = _NUMBERS.match(given.get("line") or address.fragment or numbers or address.query)
        first, last = (int(match["first"]), int(given.get("lineEnd") or match["last"] or 0)) if match else (None, None)
        paths = (path,)
    for path in paths:
        count, files = names.longest(path)
        own = [file for file in files if count in (names.depth(file), path.count("/") + 1) and (count > 1 or first)]
        if len(own) == 1:
            return collection.files.paths[own[0]] + (f":{first}-{max(first, last or 0)}" if first else "")
    return url
