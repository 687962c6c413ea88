"""What declares the first parts of a route: the lines around a place, the one that makes its router, and lines of any
file that mount what the place belongs to under a path.

`app.use('/users', userRoutes)`, `include_router(items.router, prefix="/items")`, `path('blog/', include('blog.urls'))`,
`users.Register(v1.Group("/users"))`, `.nest("/users", users::router())`: a mount has a path and names something else.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache, cached_property

from contracts.frozen import frozen
from contracts.lazy_regex import later
from index.collection.collection import Collection
from index.collection.reader import FileLines
from index.search.occurrences import CODE, kind_of
from index.search.spelling import folded
from index.segment.columns import Array
from index.text import terms_of_text
from index.types import FileId

MOST_LINE = 1_000  # characters; a longer one is minified
MOST_ABOVE = 2_000  # lines above one that may enclose it
MOST_STEPS = 3  # mounts of mounts
MOST_BEFORE = 150  # characters before a path, on its line or the one above
MOST_FILES = 2_000  # that hold a part of a route and are looked through for mounts
VERBS = "get|post|put|patch|delete|head|options"
# A decorator, a link of a chain or an argument belongs to the line beside it.
_NEIGHBOURS = ("@", "[", "#[", ".", "->", '"', "'", 'r"', "r'")
_WORD = later(r"\w+")  # a brace alone encloses nothing
_PATH = later(r"[\"'`]\^?\w*/")
# What stands before the path of a mount.
_MOUNT = later(
    r"(?:(?:prefix|mount|nest|\buse|group|rout(?:e|er|es)|\b(?:re_|base)?path|\burl|include|scope|forward|\bmap)"
    r"|\bmount\b.*=>)[\s(:=\[]*r?$",
    re.I,
)
_DECLARES = later(rf"(?:[@.:>]|\[http)(?:{VERBS})(?:mapping)?\s*\(", re.I)
_OWNER = later(r"(\w+)(?:\.|::|->)\w+\(")
_MADE = later(r"^\s*(?:(?:const|let|var|export|static|auto)\s+)*(\w+)\b[\w,\s:]*=(?!=)")
_NO_NAME = later(  # keywords, names of arguments, texts but those of modules
    r"(?<![.:])\b(?:async|class|const|def|default|do|exports?|fn|from|func?|function|import|let|mod|module|new|pub|public"
    r"|require|return|self|static|this|use|var)\b|\b\w+=(?=\S)"
    r"|[\"'`]((?![\^/])[^\s\"'`]*[./][^\s\"'`]*(?<!/))[\"'`]|[\"'`][^\"'`]*[\"'`]"
)
_NAME = later(  # keywords, names of arguments, paths, words
    r"\b(?:async|class|const|def|default|do|exports?|fn|from|func?|function|import|let|mod|module|new|pub|public|require"
    r"|return|self|static|this|use|var)\b|\b\w+=(?=\S)"
    r"|[\"'`](?:[\^/][^\"'`]*|[^\"'`\s]*/|[^\"'`./]*|[^\"'`]*\s[^\"'`]*)[\"'`]"
)
_NAME = later(r"(?:[\w$-]+(?:\.|::|/))*[\w$-]+")
# Where an import or an assignment has a name from.
_SOURCE = later(r"\bfrom\s+\.*([\w.]+)|[\"'`]([\w.@-][\w./@-]*)[\"'`]|((?:\w+(?:\.|::))+\w+)")
_SPLIT = later(r"\.|::|/")
_NO_PARTS = frozenset({"", "crate", "super", "self", "this"})
_INSIDE_FOLDER = frozenset({"init", "index", "mod", "main"})  # `__init__.py`: what it holds, the folder is named for

Name = tuple[str, ...]  # the folded parts of a qualified name


@frozen
class _Mount:
    """The line at which something is mounted, and the router that it is mounted on; `row` holds the path.

    `names` are those of what is mounted, each with the word that it is known by where an import says where it is from.
    """

    file: FileId
    line: int
    owner: str
    row: str
    names: tuple[tuple[Name, str], ...]


class Surroundings:
    """What stands around places, as far as it may hold parts of one route."""

    def __init__(self, collection: Collection, lines: FileLines, parts: Sequence[str], allowed: Array) -> None:
        self._collection, self._lines, self._parts, self._allowed = collection, lines, parts, allowed
        self.rows = cache(self._rows)
        self.mounting = set[tuple[FileId, int]]()  # the lines that mount another file

    def _rows(self, file: FileId, line: int, owner: str, steps: int = MOST_STEPS) -> tuple[str, ...]:
        """The lines that enclose one, that make the router it is written for, and that mount either."""
        rows = self._lines.lines(file)
        around = list(enclosing(rows, line))
        symbols = [folded(name) for name in self.names(file, line)]
        outermost = _NO_NAME.sub(r"\1", around[-1]) if around else ""
        own = {*symbols, folded(owner), *map(folded, _WORD.findall(outermost))} - {""}
        if owner:
            made = re.compile(rf"(?:^|[\s(,]){owner}\b\s*(?::?=|[,)])")
            around += [
                row for row in rows if owner in row and "/" in row and len(row) <= MOST_LINE and made.search(row)
            ]
        for mount in self._mounts_of(file, line, own, symbols) if steps else ():
            around += (mount.row, *self.rows(mount.file, mount.line, mount.owner, steps - 1))
        return tuple(dict.fromkeys(around))

    def names(self, file: FileId, line: int) -> list[str]:
        """The parts of the name of the symbol that a line stands in."""
        collection = self._collection
        symbol = next((collection.cells.symbol[chunk] for chunk, _ in self._lines.at(file, line, line)), -1)
        return collection.snapshot.segment.names[symbol].split(".") if symbol >= 0 else []

    def mounted(self, part: str) -> set[int]:
        """The files that what is mounted under a part may stand in: they or their folders are called like it."""
        mounts = (mount for mount in self._mounts if re.search(rf"[/^\"'`]{re.escape(part)}\b", mount.row, re.I))
        names = {re.escape(word) for mount in mounts for name, _ in mount.names for word in name[-2:]}
        named = re.compile(rf"(?:^|[/.])(?:{'|'.join(sorted(names))})(?:\.\w+|/[^/]*)$")
        paths = (path.lower().replace("-", "").replace("_", "") for path in self._collection.files.paths if names)
        return {number for number, path in enumerate(paths) if named.search(path)}

    def _mounts_of(self, file: FileId, line: int, own: set[str], symbols: Sequence[str]) -> list[_Mount]:
        """The mounts that name the file or its folder, and nothing else in it; or what the place belongs to."""
        paths = self._collection.files.paths
        places, mounts = _places(paths[file]), dict[_Mount, None]()
        for last in sorted({*own, *places[-2:]}):
            for mount, name, known_as in self._by_name.get(last, ()):
                if (mount.file, mount.line) == (file, line):
                    continue
                if name in {places[-len(name) :], places[-len(name) - 1 : -1]}:
                    is_own = not known_as or folded(known_as) in own or known_as not in self._lines.text(file)
                elif len(name) > 1:
                    is_own = last in own and any(part in own or part in places[-2:] for part in name[:-1])
                else:
                    is_beside = _places(paths[mount.file])[:-1] == places[:-1] and last in symbols
                    is_own = last in own and (mount.file == file or is_beside)
                if is_own:
                    mounts.setdefault(mount)
        self.mounting.update((mount.file, mount.line) for mount in mounts if mount.file != file)
        return list(mounts)

    @cached_property
    def _mounts(self) -> list[_Mount]:
        return list(dict.fromkeys(mount for part in self._parts for mount in self._mounts_under(part)))

    @cached_property
    def _by_name(self) -> dict[str, list[tuple[_Mount, Name, str]]]:
        """The mounts by the last part of each name of what they mount."""
        by_name: dict[str, list[tuple[_Mount, Name, str]]] = {}
        for mount in self._mounts:
            for name, known_as in mount.names:
                by_name.setdefault(name[-1], []).append((mount, name, known_as))
        return by_name

    def _mounts_under(self, part: str) -> Iterator[_Mount]:
        """The mounts whose path holds a part."""
        collection = self._collection
        chunks = collection.lexical.holding(dict.fromkeys(terms_of_text(part)))
        files = sorted(set(collection.chunks.file[chunks].tolist()))
        before, behind = r"[\"'`](?:[^.@\s\"'`][^\s\"'`]*/)?[/^]?", r"(?:/[^\s\"'`]*)?[\"'`]"
        path = re.compile(before + re.escape(part) + behind, re.I)
        for file in map(FileId, files if len(files) <= MOST_FILES else ()):
            if self._allowed[file] and kind_of(collection, file) == CODE:
                for match in path.finditer(text := self._lines.text(file)):
                    if _MOUNT.search(text, max(match.start() - MOST_BEFORE, 0), match.start()):
                        yield from self._mounts_at(file, text.count("\n", 0, match.start()) + 1)

    def _mounts_at(self, file: FileId, line: int) -> Iterator[_Mount]:
        """What is mounted under the path of a line: there, or where the router is used that it makes."""
        rows = self._lines.lines(file)
        row, places = rows[line - 1], [line]
        if len(row) > MOST_LINE or _DECLARES.search(row):
            return
        if made := _MADE.search(row):
            word = re.compile(rf"(?<![\w{{.]){made[1]}\b")
            users = [at for at, one in enumerate(rows, 1) if made[1] in one and word.search(one)]
            places = [at for at in users if at != line and not _DECLARES.search(rows[at - 1])]
        for at in places:
            text = " ".join(rows[at - 1 : at + rows[at - 1].rstrip().endswith(",")])
            owner = _OWNER.search(text)
            yield _Mount(file, at, owner[1] if owner else "", row, tuple(_mounted_names(rows, text)))


def _mounted_names(rows: Sequence[str], text: str) -> Iterator[tuple[Name, str]]:
    """The names in a line, and the same by what an import or an assignment has them from."""
    for written in dict.fromkeys(_NAME.findall(_NO_NAME.sub(r"\1", text))):
        name, base = _name(written), _WORD.search(written)
        if not name or not base:
            continue
        yield name, ""
        has_name = rf"^\s*(?:import|from|use)\b.*\b{base[0]}\b|^[\w\s{{}},:]*\b{base[0]}\b[\w,\s:}}]*=(?!=)"
        search = re.compile(has_name).search
        for row in [row for row in rows if base[0] in row and search(row)][:2]:
            for source in _SOURCE.findall(row):
                if other := _name("".join(source)):
                    yield other + name[1:], base[0] if len(name) == 1 else ""


def _name(text: str) -> Name:
    return tuple(part for part in map(folded, _SPLIT.split(text)) if part not in _NO_PARTS)


@cache
def _places(path: str) -> Name:
    """The folded folders and the stem of a path."""
    name = _name(path.rpartition(".")[0])
    return name[:-1] if name and name[-1] in _INSIDE_FOLDER else name


def enclosing(rows: Sequence[str], line: int) -> Iterator[str]:
    """The lines that a line is indented under, each with its decorators, the chain of calls that it ends, and the path
    that is an argument before it."""
    depth, last = _depth(rows[line - 1]), line - 1
    for at in range(line - 2, max(line - MOST_ABOVE, -1), -1):
        row, own = rows[at], _depth(rows[at])
        belongs = own == depth and at == last - 1 < line - 2 and _belongs(row.strip(), rows[last])
        if not (depth or belongs):
            return
        if _WORD.search(row) and (own < depth or belongs):
            yield row
            depth, last = own, at


def _belongs(row: str, below: str) -> bool:
    return row.startswith(_NEIGHBOURS) or (row.endswith(",") and bool(_PATH.search(row)) and not _PATH.search(below))


def _depth(row: str) -> int:
    return len(row) - len(row.lstrip())
