"""Rewrites the lines of files as people, editors, agents and tools refer to them as `path:line`: `cart.py line 12`,
`lines 3 to 9 of cart.py`, `@cart.py#L3-9`, `sed -n 3,9p cart.py`, `{"file": "cart.py", "line": 3}`, URLs.

`line_references.tsv` has the forms. Each consists of runs of bounded length.
"""

from __future__ import annotations

import re
from functools import cache, partial
from urllib.parse import parse_qs, unquote, urlsplit

from contracts.lazy_regex import lazy_regex, with_parts
from contracts.rows import rows
from index.collection.collection import Collection
from index.collection.reader import FileLines
from index.search.spelling import parse_place

_NUMBER = r"[0-9]{1,7}"
_PARTS = (
    ("{LINES}", "(?P<first>N)(?:(?:{TO}|:)L?(?P<last>N)|(?:,? and |, ?)(?:L|{LINE})?(?P<next>N))?(?![0-9]|[.]?\\w)"),
    ("{TO}", r"(?: ?[-–] ?|\.\.| (?:to|through|until) )(?:{LINE})?"),
    ("{LINE}", r"(?:(?i:lines?)\s?#?\s?)"),
    ("{PATH}", r"{START}(?!@)(?P<path>(?:[A-Za-z]:(?=[\\/]))?{RUN}(?:{IN_BRACKETS}{1,3}{RUN}){0,4})"),
    ("{IN_BRACKETS}", r"(?:{MARK}{0,9}(?:\[{1,2}{RUN}\]{1,2}|\({RUN}\)))"),  # `app/[id]/(shop)/page.tsx`
    ("{RUN}", r"(?:{MARK}{0,9}\w{1,99}+){1,60}+"),  # ends with a letter, a digit or `_`
    ("{MARK}", r"[^\w\s:`\"'<>|*,;=?#()\[\]]"),
    ("{START}", "(?<![^\\s`\"'(\\[<*=@:])(?<!\\w@)"),
    ("{CLOSE}", "[`\"'*\\])]{0,4}"),
    ("{WHERE}", "(?:(?:at|on|near|around|about|(?:starting|beginning) (?:at|from|on)) )?(?:the )?"),
    ("{KEY}", "[\"']?\\s?[=:]\\s*[\"']?"),
    ("N", _NUMBER),
)
_FORMS = tuple(
    (literal, lazy_regex(with_parts(pattern, _PARTS), re.M))
    for _, literal, pattern in rows(__file__, "line_references.tsv")
)
_WEAK = ("[", "(", " ")  # `cart.py [1]`, `cart.py(1)`, `cart.py 404`: other numbers, too, unless there is such a line
_ENDING = lazy_regex(r"\.[A-Za-z]\w{0,9}\Z")
_URL = lazy_regex(r"[a-z][a-z+.-]{1,20}://[^\s<>()`'\"\]]*[\w/]")
_NUMBERS = lazy_regex(rf"[Ln]?(?P<first>{_NUMBER})(?:-L?(?P<last>{_NUMBER}))?")


def with_places(collection: Collection, text: str) -> str:
    """The text with `path:line` or `path:first-last` in place of other references to lines of files of the index."""
    for url in _URL.findall(text) if "://" in text else ():
        text = text.replace(url, _of_url(collection, url), 1)
    if "@" in text or any(map(str.isdigit, text)):
        files = _Files(collection)
        for literal, form in _FORMS:
            if literal in text:
                text = form.sub(partial(_rewritten, files, is_weak=literal in _WEAK), text)
    return text


class _Files:
    """The files of an index by the paths of a text, which repeats some."""

    def __init__(self, collection: Collection) -> None:
        names = self._names = collection.files.names
        self._lines = FileLines(collection)
        self.named = cache(lambda path: names.longest(path.replace("\\", "/"))[1])  # without `self`: no cycle

    def has_line(self, path: str, line: int) -> bool:
        is_path = "." in path or "/" in path  # `run(3)` is a call, although a script has this name
        return is_path and any(1 <= line <= self._lines.count(file) for file in self.named(path))

    def is_missing(self, path: str) -> bool:
        """Whether files have names that end like a path, but no file has this name."""
        ending = _ENDING.search(path)
        return ending is not None and any(one.endswith(ending[0]) for one in self._names.paths)


def _rewritten(files: _Files, match: re.Match[str], *, is_weak: bool) -> str:
    """The reference in the usual spelling; unchanged if no file has such a name, unless it is the whole text, which
    then is the place of a missing file."""
    path, numbers = match["path"], match.groupdict()
    first, last, further = (numbers.get(name) for name in ("first", "last", "next"))
    if not first:
        return match[0][1:] if files.named(path) else match[0]
    if is_weak:
        is_place = files.has_line(path, int(first))
    else:
        is_place = bool(files.named(path)) or (match[0] == match.string.strip() and files.is_missing(path))
    if not is_place:
        return match[0]
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
        try:
            address = urlsplit(url)
        except ValueError:  # `http://[host]/`
            return url
        given = {key: values[0] for key, values in parse_qs(address.query).items()}
        path, _, numbers = unquote(given.get("path") or given.get("file") or address.path).partition(":")
        match = _NUMBERS.match(given.get("line") or address.fragment or numbers or address.query)
        end = _NUMBERS.match(given.get("lineEnd", ""))
        first = int(match["first"]) if match else None
        last = int(end["first"] if end else match["last"] or 0) if match else None
        paths = (path,)
    for path in paths:
        count, files = names.longest(path)
        own = [file for file in files if count in (names.depth(file), path.count("/") + 1) and (count > 1 or first)]
        if len(own) == 1:
            return collection.files.paths[own[0]] + (f":{first}-{max(first, last or 0)}" if first else "")
    return url
