"""Finds the lines that declare the first parts of a route: those around a place, the one that creates its router, and
the mounts, in any file, of the router, class or file that the place belongs to.

`app.use('/users', userRoutes)`, `include_router(items.router, prefix="/items")`, `path('blog/', include('blog.urls'))`,
`users.Register(v1.Group("/users"))`, `.nest("/users", users::router())`: a mount has a path and names its target.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache, cached_property, partial
from itertools import islice, takewhile
from weakref import proxy

from contracts.frozen import frozen
from contracts.lazy_regex import lazy_regex
from index.collection.reader import MAX_LINE
from index.search.scope import SearchScope
from index.search.spelling import folded
from index.text import indentation, terms_of_text
from index.types import FileId

MAX_ABOVE = 2_000  # lines above a line that are searched for those enclosing it
MAX_MOUNTS, MAX_IN_FILE = 1_000, 100  # mounts per part of a route; paths in one file that contain the part
MAX_AROUND = 50  # mounts per place; also lines that create its router
MAX_ARGUMENTS = 6  # lines of arguments in one call
MAX_STEPS = 3  # levels of mounts inside mounts
MAX_BEFORE = 60  # characters searched before a path; they may start on the line above
MAX_FILES = 2_000  # files with a part of a route that are searched for mounts; if there are more, none is
VERBS = "get|post|put|patch|delete|head|options"
# Decorators, chained calls and arguments start with these; such a line belongs to the line below.
_NEIGHBOURS = ("@", "[", "#[", ".", "->", '"', "'", 'r"', "r'")
_WORD = lazy_regex(r"\w+")  # a line without one, such as a lone brace, encloses nothing
_PATH = lazy_regex(r"[\"'`]\^?\w*/")
_ENDS = frozenset({"],", "},"})  # the end of an argument on several lines
_PREFIX = lazy_regex(r"\bprefix\b")
# The text before the path of a mount.
_BEFORE_MOUNT = lazy_regex(
    r"(?:(?:prefix|mount|nest|\buse|group|rout(?:e|er|es)|\b(?:re_|base)?path|\burl|include|scope|forward|\bmap)"
    r"|\bmount\b.*=>)[\s(:=\[]*r?[\"'`](?:[^.@\s\"'`][^\s\"'`]*/)?[/^]?$"
)
_DECLARES = lazy_regex(rf"(?:[@.:>]|\[http)(?:{VERBS})(?:mapping)?\s*\(", re.I)
_OWNER = lazy_regex(r"(\w+)(?:\.|::|->)\w+\(")
_ASSIGNED = lazy_regex(r"^\s*(?:(?:const|let|var|export|static|auto)\s+)*(\w+)\b[\w,\s:]*=(?!=)")
_NOT_NAMES = lazy_regex(  # keywords, names of arguments, and strings other than the names of modules
    r"(?<![.:])\b(?:async|class|const|def|default|do|exports?|fn|from|func?|function|import|let|mod|module|new|pub|public"
    r"|require|return|self|static|this|use|var)\b|\b\w+=(?=\S)"
    r"|[\"'`]((?![\^/])[^\s\"'`]*[./][^\s\"'`]*(?<!/))[\"'`]|[\"'`][^\"'`]*[\"'`]"
)
_NAME = lazy_regex(r"(?<![.\w$-])(?:[\w$-]+(?:\.|::|/))*[\w$-]+")  # not the method of a chain: `).route(`
# The source of a name in an import or an assignment.
_SOURCE = lazy_regex(r"\bfrom\s+\.*([\w.]+)|[\"'`]([\w.@-][\w./@-]*)[\"'`]|((?:\w+(?:\.|::))+\w+)")
_SPLIT = lazy_regex(r"\.|::|/")
# Not counted as parts of names: references to the own scope, and files that stand for their folder.
_NOT_PARTS = frozenset({"", "crate", "super", "self", "this", "init", "index", "mod"})

Name = tuple[str, ...]  # the folded parts of a qualified name


@frozen
class _Mount:
    """A line that mounts something, and the router it is mounted on; `row` is the line with the path."""

    file: FileId
    line: int
    owner: str
    row: str


class RouteContext:
    """Finds the lines that may declare parts of one route for the places that belong to it."""

    def __init__(self, scope: SearchScope, parts: Sequence[str]) -> None:
        self._scope, self._collection, self._lines, self._parts = scope, scope.collection, scope.lines, parts
        context = proxy(self)  # caches of bound methods would keep the index's files open
        self.rows = cache(partial(RouteContext._rows, context))
        self._sources = cache(partial(RouteContext._source_names, context))
        self._places = cache(partial(RouteContext._path_of, context))
        self._creators = cache(partial(RouteContext._creating_lines, context))
        self.mount_lines = set[tuple[FileId, int]]()  # the lines that mount another file

    def names(self, file: FileId, line: int) -> list[str]:
        """The parts of the name of the symbol that contains a line."""
        symbol = next((self._collection.symbol_of(chunk) for chunk, _ in self._lines.at(file, line, line)), "")
        return symbol.split(".") if symbol else []

    def _rows(self, file: FileId, line: int, owner: str, steps: int = MAX_STEPS) -> tuple[str, ...]:
        """The lines that enclose a line, the lines that create its router, and the mounts of either."""
        rows = self._lines.lines(file)
        around = list(enclosing(rows, line))
        outermost = _NOT_NAMES.sub(r"\1", around[-1][:MAX_LINE]) if around else ""
        own = {folded(name) for name in (owner, *self.names(file, line), *_WORD.findall(outermost))}
        around += self._creators(file, owner) if owner else ()
        mounts: set[_Mount] = set()
        for mount in self._mounts_of(file, own, folded(owner)) if steps else ():
            if mount in mounts:
                continue
            if len(mounts) == MAX_AROUND:
                break
            mounts.add(mount)
            if (mount.file, mount.line) != (file, line):
                around += (mount.row, *self.rows(mount.file, mount.line, mount.owner, steps - 1))
        return tuple(dict.fromkeys(around))

    def is_mounted(self, file: FileId) -> bool:
        """Whether a mount names the file or its folder."""
        return any(name in self._by_name for name in _names_of(self._places(file)))

    def _path_of(self, file: FileId) -> Name:
        """The folders and the stem of a file."""
        return _name(self._collection.files.paths[file].rpartition(".")[0])

    def _mounts_of(self, file: FileId, own: set[str], owner: str) -> Iterator[_Mount]:
        """The mounts of a file or its folder, unless they name something else in it; and those of the names in `own`,
        which a place of the file belongs to."""
        places = self._places(file)
        names = _names_of(places)
        for last in sorted(own.union(places[-2:]) - {""}):
            of_place = (at for name in names if name[-1] == last for at in self._by_name.get(name, ()))
            every = range(len(self._mounts.get(last, ()))) if last in own else sorted(of_place)
            for mount, name, local_name in map(self._mounts.get(last, []).__getitem__, every):
                if name in names:
                    is_own = not local_name or folded(local_name) in own or local_name not in self._lines.text(file)
                elif len(name) > 1:
                    is_own = last in own and not own.union(places[-2:]).isdisjoint(name[:-1])
                else:
                    is_near = last != owner and self._places(mount.file)[:-1] == places[:-1]
                    is_own = last in own and (mount.file == file or is_near)
                if is_own:
                    self.mount_lines.update({(mount.file, mount.line)} if mount.file != file else ())
                    yield mount

    @cached_property
    def _mounts(self) -> dict[str, list[tuple[_Mount, Name, str]]]:
        """Mounts by the last part of what they mount: the mount, the whole name, and the local name of an import."""
        mounts: dict[str, dict[tuple[_Mount, Name, str], None]] = {}
        for part in self._parts:
            for mount, text in islice(self._mounts_under(part), MAX_MOUNTS):
                for name, local_name in self._mounted_names(mount.file, text):
                    mounts.setdefault(name[-1], {})[mount, name, local_name] = None
        return {last: list(named) for last, named in mounts.items()}

    @cached_property
    def _by_name(self) -> dict[Name, list[int]]:
        """The places of the mounts of each whole name among those with its last part."""
        places: dict[Name, list[int]] = {}
        for mounts in self._mounts.values():
            for at, (_, name, _) in enumerate(mounts):
                places.setdefault(name, []).append(at)
        return places

    def _mounts_under(self, part: str) -> Iterator[tuple[_Mount, str]]:
        """The mounts whose path contains a part, each with its code: the line with the path or, if that line creates a
        router, each line that uses the router."""
        collection = self._collection
        chunks = collection.lexical.holding(terms_of_text(part))
        files = sorted(set(collection.chunks.file[chunks].tolist()))
        path = re.compile(re.escape(part) + r"(?=[/\"'`])")
        for file in self._scope.code_files(files if len(files) <= MAX_FILES else ()):
            low = self._lines.text(file).lower()
            for match in islice(path.finditer(low), MAX_IN_FILE):
                before = low[max(match.start() - MAX_BEFORE, 0) : match.start()]
                if not _BEFORE_MOUNT.search(before):
                    continue
                rows, line = self._lines.lines(file), low.count("\n", 0, match.start()) + 1
                row, places = rows[line - 1], [line]
                if len(row) > MAX_LINE or _DECLARES.search(row):
                    continue
                if assigned := _ASSIGNED.search(_call(rows, line)):
                    word = re.compile(rf"(?<![\w{{.]){assigned[1]}\b")
                    users = [at for at, one in enumerate(rows, 1) if assigned[1] in one and word.search(one)]
                    users = [at for at in users if at != line and len(rows[at - 1]) <= MAX_LINE]
                    places = [at for at in users if not _DECLARES.search(rows[at - 1])]
                for at in places:
                    call = _call(rows, at)
                    owner = _OWNER.search(call)
                    yield _Mount(file, at, owner[1] if owner else "", row), call

    def _mounted_names(self, file: FileId, text: str) -> Iterator[tuple[Name, str]]:
        """The names in a line; for one that is imported or assigned, also its source, with the local name."""
        for written in dict.fromkeys(_NAME.findall(_NOT_NAMES.sub(r"\1", text))):
            if (name := _name(written)) and (base := _WORD.search(written)):
                yield name, ""
                for source in self._sources(file, base[0]):
                    yield source + name[1:], base[0] if len(name) == 1 else ""

    def _creating_lines(self, file: FileId, router: str) -> list[str]:
        rows, creates = self._lines.lines(file), re.compile(rf"(?:^|[\s(,]){router}\b\s*(?::?=|[,)])")
        calls = (_call(rows, at) for at, row in enumerate(rows, 1) if router in row and creates.search(row[:MAX_LINE]))
        return list(islice((call for call in calls if "/" in call), MAX_AROUND))

    def _source_names(self, file: FileId, word: str) -> list[Name]:
        """The sources of a word, from its first two imports or assignments."""
        has_word = rf"^\s*(?:import|from|use)\b.*\b{word}\b|^[\w\s{{}},:]*\b{word}\b[\w,\s:}}]*=(?!=)"
        rows = (row[:MAX_LINE] for row in self._lines.lines(file) if word in row)
        sources = map(_SOURCE.findall, islice(filter(re.compile(has_word).search, rows), 2))
        return [name for own in sources for source in own if (name := _name("".join(source)))]


def _call(rows: Sequence[str], line: int) -> str:
    """A line joined with the other lines of its call, or with the next line if it ends with a comma."""
    depth = indentation(rows[line - 1])
    first = next(
        (at for at in range(line - 1, max(line - MAX_ARGUMENTS, 0), -1) if indentation(rows[at - 1]) < depth), line
    )
    first = next((at for at in (first, line) if rows[at - 1].rstrip().endswith("(")), 0)
    if not first:
        return " ".join(rows[line - 1 : line + rows[line - 1].rstrip().endswith(",")])[:MAX_LINE]
    inside = takewhile(lambda row: indentation(row) > indentation(rows[first - 1]), rows[first : first + MAX_ARGUMENTS])
    return " ".join((rows[first - 1], *inside))[:MAX_LINE]


def _name(text: str) -> Name:
    return tuple(part for part in map(folded, _SPLIT.split(text)) if part not in _NOT_PARTS)


def _names_of(places: Name) -> set[Name]:
    """The names of a file: the ends of its path and of the path of its folder."""
    return {path[start:] for path in (places, places[:-1]) for start in range(len(path))}


def enclosing(rows: Sequence[str], line: int) -> Iterator[str]:
    """The lines under which a line is indented, each with the lines above that belong to it: decorators, chained calls,
    a path that is an earlier argument, and the prefix in an earlier argument on several lines."""
    depth, last = indentation(rows[line - 1]), line - 1
    for at in range(line - 2, max(line - MAX_ABOVE, -1), -1):
        row, own = rows[at], indentation(rows[at])
        belongs = own == depth and at == last - 1 < line - 2 and _belongs(row.strip(), rows[last])
        if not (depth or belongs):
            return
        if _WORD.search(row) and (own < depth or belongs):
            yield row
            depth, last = own, at
            if at and rows[at - 1].strip() in _ENDS:
                yield from filter(_PREFIX.search, _inside(rows, at))


def _inside(rows: Sequence[str], end: int) -> Iterator[str]:
    """The last lines, from below, of what the bracket on line `end` closes."""
    depth, first = indentation(rows[end - 1]), max(end - 1 - MAX_ARGUMENTS, 0)
    return takewhile(lambda row: indentation(row) > depth, reversed(rows[first : end - 1]))


def _belongs(row: str, below: str) -> bool:
    return row.startswith(_NEIGHBOURS) or (row.endswith(",") and bool(_PATH.search(row)) and not _PATH.search(below))
