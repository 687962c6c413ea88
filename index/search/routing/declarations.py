"""Finds the lines that declare a route: such a line contains the end of the route, its surroundings the rest.

The first parts come from a group, a class, a folder, the line's router, or a mount of one of these:
`Route::prefix('api')`, `[Route("api/[controller]")]`, `namespace :admin`, `routes/users.py`,
`APIRouter(prefix="/users")`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import cache, lru_cache, partial
from itertools import islice

from contracts.frozen import frozen
from contracts.lazy_regex import lazy_regex
from index.collection.collection import Collection
from index.collection.reader import MAX_LINE
from index.search.occurrences import PARAMETER
from index.search.routing.mounts import VERBS, RouteContext
from index.search.scope import Location, SearchScope, by_chunk
from index.search.spelling import folded
from index.text import parts_of, terms_of_text
from index.types import FileId

MAX_VALUES = 3  # parts of a route that may be values rather than names: `my-book` in `/books/my-book/edit`
MAX_BEFORE = 300  # characters between a router and the name in its path, on one line or several
MAX_IN_FILE, MAX_NAMED = 500, 2_000  # declarations per file; occurrences of a part that may be one
MAX_FILES = 300  # files that may contain one part of a route; if more do, they must also contain the parts before it
# The text before the path of a declaration: `router.get(`, `[HttpPost(`, `@GetMapping(value = `, `resources `.
_BEFORE = (
    rf"(?:{VERBS}|all|any|match|map(?:{VERBS})?|live\w*|use(?=\()|on|\w*path(?:prefix)?|pattern|url(?=\(r)|regex|mount|scope|namespace|register"
    r"|\w*resources?|\w*mapping|\w*route(?:_\w+)?|group|combo|handle\w*|http\w+)(?:<[^<>\n]*>)?[\s(:=]+"
    r"(?:(?:value|path)\s*[=:]\s*|\w+\(|[\w.]+,\s*)?[\[{]?(?:(?:[\"'][^\"'\s]*[\"'],\s*){1,3}(?=[\"']/))?[rfbu]?"
)
_VALUE = r"(?>\([^()\s\"'`]*\)|[:{<\[$*(])[^/\s\"'`]*"  # a part that code declares as a parameter; atomic: one reading
_OPTIONAL = r"(?:/[:{]\w+\?\}?)*"  # parts at the end that a request may leave out
_GROUP = lazy_regex(r"\([^()]*\)")  # a parameter as a pattern, which may contain a slash
_RESOURCE = lazy_regex(r"\{[\w.]+=([^{}]*)\}")  # parts that are one parameter: `/v1/{name=carts/*/items/*}:pay`
# The text before the path of an entry of a table, or of an arm: `(r"/carts", Carts)`, `{"GET", "/carts", carts}`,
# `(&Method::GET, "/carts") =>`, `["/carts"] = {`.
_ENTRY = r"^[ \t]*(?:case )?[({\[][ \t]*(?:(?:[\"']\w+[\"']|&?[\w.:]+),\s*)?[rfbu]?"
_TEXT = r"[\"'`][^\"'`\n]*[\"'`]"  # behind the path of an entry: its parameters, or its name
_ENTRY_END = rf"(?:,\s*(?:{_TEXT},\s*)?[&\w]|[)\]] *(?:[=-]>|=(?!=)))"
_PARAMETERS = lazy_regex(rf"[\"'`],\s*[\"'`]/({_VALUE}(?:/{_VALUE})*)[\"'`]")  # `{"/carts", "/{id}", carts}`
# A part of a path, or a symbol, but no part of a name (`Router::new`).
_PIECE = lazy_regex(r"(?:(?<=[/\"'`^])[\w{:<\[$*(-]|(?<=:)(?<!::)[\w{<\[$*(-])[^/\s\"'`,)]*")
_NAME_IN_PATH = lazy_regex(r"\[(?:controller|action|area)\]", re.I)
# Files that may declare any route.
_ROUTERS = lazy_regex(r"rout(?:e|ing)|urls?\b|controller|resource[^/]*$|views(?:ets?)?[^/]*$")
_CLIENT = lazy_regex(
    r"(?:axios|fetch|ajax|https?(?!\.(?:Method|Handle))|client|(?<=\w)api|requests?)\s*[.<(]|\((?:ctx|context),|base_?url"
    r"|\b(?:href|action)=|(?:router|history)\.(?:push|replace|navigate)\(",  # a page goes to another one
    re.I,
)
_GROUPS = lazy_regex(r"\s*,\s*include\(")  # behind a path: what it declares is inside
_GROUP_CALL = lazy_regex(r"\bgroup\W*$", re.I)
PART = 5  # points per part of the route; each part too many or missing costs one
# Cost of a request, a group, a comment or another method: it may contain one part more than the declaration.
MENTION = 7
_PREFIX = lazy_regex(r"prefix|mapping|namespace|scope|resource|\broute\(|controller\(|\bpath\(", re.I)
_OF_METHOD = lazy_regex(rf"(?:{VERBS})(?:mapping)?\W*$", re.I)
# `@Get`, `router.get("`, `[HttpGet]`, `.getMapping(value = "`. A pattern that begins with a set of characters is fast.
_METHOD = lazy_regex(
    rf"[@.:>\[](?:(?<!\[)(?:map)?|(?<=\[)http)(?:{VERBS}|route)"
    r"(?=(?:mapping)?(?:\s*\(\s*(?:(?:value|path)\s*=\s*)?[\"'`)]|\]|[ \t\r]*$))",
    re.M,
)
_METHODS = lazy_regex(r"\bmethods?\b.*", re.I)  # `methods=["POST"]` after a path
_METHODS_OF_ENTRY = lazy_regex(rf"(?<![A-Za-z])(?:{VERBS.upper()})\b.*")  # `{"/carts", carts, HTTP_GET | HTTP_POST}`
_METHODS_BEHIND = lazy_regex(rf"\s*,\s*(?:\w+::)*(?:{VERBS})(?:_\w+)?\(.*")  # `.route("/carts", get(list).post(add))`
_METHOD_CALL = lazy_regex(rf"\b(?:{VERBS})(?=(?:_\w+)?\()")
_OWNER = lazy_regex(r"(\w+)(?:\.|::|->)\w*$")  # `router.` before `get`

Points = tuple[int, int, int, bool]


@frozen
class _LineContext:
    """The surroundings of a line: parts of paths, names of folders and types, number of parameters.

    `prefixes` are the parts of paths that surrounding lines put before the paths declared inside.
    """

    pieces: frozenset[str]
    names: tuple[str, ...]
    values: int
    prefixes: frozenset[str]

    def holds(self, part: str) -> bool:
        """Whether the surroundings contain a part of a route, in a path or in a name."""
        return part in self.pieces or any(_names_part(name, part) for name in self.names)


def declarations(scope: SearchScope, verb: str, route: str) -> tuple[list[Location], bool]:
    """The lines that declare most of a route and, if there is one, its method; whether they declare all of it.

    The reason is `part` if they have another method, or end before a part that is spelled like a name of the tree.
    """
    collection = scope.collection
    parts = route.strip("/").lower().split("/")
    literal = [at for at, part in enumerate(parts) if part and not PARAMETER.fullmatch(part)]
    lines, hits = scope.lines, dict[Points, dict[tuple[FileId, int], int]]()  # of each line, its last part
    route_context = RouteContext(scope, [parts[at] for at in literal])
    files_with = cache(partial(_files_with, collection, _folded_paths(collection)))
    for last in [at for at in literal[-MAX_VALUES - 1 :][::-1] if parts[at] not in parts[at + 1 :]]:
        patterns = _patterns(parts, last)
        values = [parts[at] for at in literal if at > last]
        for file in _files(scope, files_with, [parts[at] for at in literal if at <= last]):
            if any(_declares_part(lines.text(file), value) for value in values):
                continue
            stem = "" if route_context.is_mounted(file) else stem_of(parts[last])
            for match in islice(_matches(lines.text(file), stem, *patterns), MAX_IN_FILE):
                line = match.string.count("\n", 0, match.start(match.lastgroup or 0)) + 1
                context = _context_of(collection, route_context, file, line, match)
                if points := _points(context, match, parts, last, verb):
                    hits.setdefault(points, {}).setdefault((file, line), last)
        if hits and max(hits)[0] > PART * (len(literal) - 1):  # all parts
            break
    best = max(hits, default=(0, 0, 0, False))
    lasts = hits.get(best, {})
    places = [place for place in lasts if place not in route_context.mount_lines] or lasts
    values = [parts[at] for at in literal if not best[3] and at > next(iter(lasts.values()), at)]
    is_part = not best[1] or any(_is_name(collection, value) for value in values)
    is_whole = not is_part and best[0] > PART * (len(literal) - 1)
    own = [place for file, line in places for place in lines.at(file, line, line)[:1]]
    own = [place for place in own if not collection.cells.in_tests[place[0]]] or own  # a client's tests build a server
    return by_chunk(own, "part" if is_part else "key"), is_whole


def _is_name(collection: Collection, part: str) -> bool:
    """Whether a part of a route is spelled like names of the tree, as values such as `my-book` seldom are."""
    numbers, named = collection.lexical.numbers_of(terms_of_text(part)), collection.lexical.fields["named"]
    return len(numbers) > 0 and all(len(named.of(number)) for number in numbers)


def _matches(
    text: str, stem: str, name: re.Pattern[str], whole: re.Pattern[str], empty: re.Pattern[str]
) -> Iterator[re.Match[str]]:
    """The declarations in a text that is not minified: near each occurrence of the name and, if the text contains the
    stem, near each method. The patterns are too slow to run over whole texts."""
    if text.count("\n") * MAX_LINE < len(text):
        return
    low = text.lower()
    low = low if len(low) == len(text) else text  # a few letters are longer in lower case
    end = 0
    for at in (match.start() for match in islice(name.finditer(low), MAX_NAMED)):
        if at >= end:
            before, end = end, _line_end(text, at)
            if end - text.rfind("\n", 0, at) <= MAX_LINE:
                matches = whole.finditer(text, max(at - MAX_BEFORE, 0), end)
                yield from (match for match in matches if match.end() > before)  # a call may have several paths
    end = 0
    for method in _METHOD.finditer(low) if len(stem) != 1 and stem in low else ():
        if method.start() >= end:
            begin, end = max(end, text.rfind("\n", 0, method.start()) + 1), _line_end(text, method.end())
            if end - begin <= MAX_LINE:
                yield from empty.finditer(text, begin, _line_end(text, end + 1))


def _declares_part(text: str, part: str) -> bool:
    """Whether a file has a part of a route in a path: then it is no value of a parameter there."""
    path = rf"[\"'`]\^?/?(?:(?<=/)[^\"'`\s]*/)?{re.escape(part)}[\"'`/]"  # not one of an import
    return part in text and re.search(path, text) is not None


def _line_end(text: str, at: int) -> int:
    end = text.find("\n", at)
    return len(text) if end < 0 else end


def _patterns(parts: Sequence[str], last: int) -> tuple[re.Pattern[str], re.Pattern[str], re.Pattern[str]]:
    """Patterns for the last name of a path in lower case, which is this part, for the declaration of a path that ends
    with it and its values, and for one of its values alone."""
    name, ends = re.escape(parts[last]), r"[/$(?\"'`"
    # `/carts`, `:carts`, `def carts(`, `"GET carts"`; a pattern that begins with a text is found faster
    opened = rf"(?<=[/\"'`^=]{name})(?:{ends}\s]|$)|(?<=:{name})(?!\w)|(?<=def {name})\(|(?<=[a-z] {name}){ends}]"
    own = [_VALUE if PARAMETER.fullmatch(part) else rf"(?:{re.escape(part)}|{_VALUE})" for part in parts[:last]]
    values = f"/{_VALUE}" * (len(parts) - last - 1)
    path = (
        "".join("(?:" for _ in own) + "".join(f"{part}/)?" for part in own) + r"(?:\{[\w.]+=)?" + re.escape(parts[last])
    )
    path += f"(?:{values})?" if values else ""
    symbol = re.escape(parts[last].replace("-", "_"))
    quoted = rf"(?<!\bnew ){_BEFORE}[\"'`](?:[A-Z]+ )?\^?/?(?P<path>{path}){_OPTIONAL}/?\$?(?:\([/.]\S*|\?\S*)?[\"'`]"
    entry = rf"{_ENTRY}[\"'`]\^?/(?P<entry>{path})/?\$?(?:\(\?:\\?[/.]\S*)?[\"'`]{_ENTRY_END}"
    plain = rf"(?<=\s)/(?P<plain>{path})/?(?=\s|$)"
    named = rf"(?:{VERBS}|resources?|namespace|scope)[ (]+:(?P<symbol>{symbol})\b"
    action = rf"def (?P<action>{symbol})\(self, *request\b[^)]*"  # of a class that Django's routers take whole
    valued = rf"\s*\(\s*(?:(?:value|path)\s*=\s*)?[\"'`]/?(?P<values>(?:{values[1:]})?)/?[\"'`]"
    bare = rf"(?:@(?:\w+\.)?|\[Http)(?:{VERBS})(?:Mapping)?(?:\s*\(\s*\)|\]|[ \t\r]*$)"
    empty = rf"(?:(?:[@.:>](?:Map)?|\[Http)(?:{VERBS}|route)(?:Mapping)?{valued}|{bare})"
    whole = rf"(?:\b{quoted}|{entry}|{plain}|\b{named}|\b{action})"
    flags = re.IGNORECASE | re.MULTILINE
    return re.compile(f"{name}(?:{opened})"), re.compile(whole, flags), re.compile(empty, flags)


def _points(context: _LineContext, match: re.Match[str], parts: Sequence[str], last: int, verb: str) -> Points | None:
    """How well a line declares a route: points for the parts and parameters that it and its surroundings share with the
    route, the method, the number of parts in paths, and whether its path ends with a parameter; None if it is another
    route, or shares one part of several."""
    kind = match.lastgroup or 0  # what contains the path, symbol or values that a line itself declares
    own = _RESOURCE.sub(r"\1", _GROUP.sub(":", match[kind].lower())).split("/") if kind and match[kind] else []
    parameters = _PARAMETERS.match(match.string, match.end(kind)) if kind == "entry" else None
    own += parameters[1].split("/")[: max(len(parts) - len(own), 0)] if parameters else ()
    if kind in ("symbol", "action"):
        own = [*([":"] if kind == "action" and "," in match[0].partition("request")[2] else []), parts[last]]
    end = last + 1 if own and own[-1] == parts[last] else len(parts)
    if kind == "path" and end < len(parts) and _OF_METHOD.search(match[0][: match.start(kind) - match.start()]):
        return None  # its path ends there
    shares = {at: part == parts[at] for at, part in enumerate(own, end - len(own))}
    names = [at for at, part in enumerate(parts) if not PARAMETER.fullmatch(part)]
    shared = [at for at in names if (shares[at] if at in shares else context.holds(parts[at]))]
    if last not in shared or max(len(shared), len(own)) < min(sum(shares.get(at, True) for at in names), 2):
        return None
    before = _statement_before(match.string, match.start(kind) if kind else match.end(), match.start())
    is_group = _GROUPS.match(match.string, match.end()) or _GROUP_CALL.search(before)
    # A request has parameters behind its path: `"/carts?page="`; `/:id?` may be left out.
    behind = match.string[match.end(kind) : match.end(kind) + 2]  # `?<` declares parameters
    is_open = bool(own) and PARAMETER.fullmatch(own[-1]) is not None
    has_parameters = behind[:1] == "?" and behind != "?<" and bool(own) and not is_open
    is_mention = kind == "plain" or has_parameters or bool(is_group or _CLIENT.search(before))
    methods = _methods(match, before, is_entry=kind == "entry")
    of_verb = 1 if not verb else 2 if verb in methods else 0 if re.search(VERBS, methods) else 1
    values = context.values + sum(1 for part in own if PARAMETER.fullmatch(part))
    missing = abs(len(parts) - len(shared) - values) + len(context.prefixes.difference(parts))
    exact = len(context.pieces.intersection(parts[at] for at in shared)) + len(own)
    points = PART * len(shared) - MENTION * (is_mention or not of_verb) - min(missing, PART - 1)
    return points, of_verb, exact, is_open


def _methods(match: re.Match[str], before: str, *, is_entry: bool) -> str:
    """A text with the methods of a declaration in lower case: those behind its path, else also those `before` it."""
    text, end = match.string, match.end()
    behind = None if _OF_METHOD.search(before) else _METHODS_BEHIND.match(text, end)
    if behind:
        return " ".join(_METHOD_CALL.findall(behind[0]))
    after = (_METHODS_OF_ENTRY if is_entry else _METHODS).search(text, end, _line_end(text, end))
    return before.lower() + (after[0].lower() if after else "")


def _statement_before(text: str, end: int, at: int) -> str:
    """The text of a statement up to `end`: from the start of the line of `at`, or of the line above a chained call or
    the first entry of an argument."""
    begin = text.rfind("\n", 0, at) + 1
    if text[begin:end].lstrip()[:1] == "." or text.endswith("({\n", 0, begin):
        begin = text.rfind("\n", 0, max(begin - 1, 0)) + 1
    return text[begin:end]


def _context_of(
    collection: Collection, route_context: RouteContext, file: FileId, line: int, match: re.Match[str]
) -> _LineContext:
    begin = match.string.rfind("\n", 0, match.start()) + 1
    owner = _OWNER.search(match.string[begin : match.start()] + match[0].partition("(")[0])
    lines = [_NAME_IN_PATH.sub("", row) for row in route_context.rows(file, line, owner[1] if owner else "")]
    pieces = [piece.lower() for row in lines for piece in _PIECE.findall(row)]
    prefixes = [piece.lower() for row in lines if _PREFIX.search(row) for piece in _PIECE.findall(row)]
    folders = collection.files.paths[file].rpartition(".")[0].split("/")
    plain = frozenset(piece for piece in pieces if not PARAMETER.fullmatch(piece))
    values = sum(1 for piece in pieces if PARAMETER.fullmatch(piece))
    names = (*folders, *route_context.names(file, line), *(owner.groups() if owner else ()))
    return _LineContext(plain, names, values, plain.intersection(prefixes))


@lru_cache(maxsize=8192)  # the folders and types of a tree, again and again
def _names_part(name: str, part: str) -> bool:
    """Whether a name contains a part of a route at the beginning of a word: `AccountController`, `admin_users`."""
    words, stem = [word.lower() for word in parts_of(name)], stem_of(part)
    joined = ("".join(words[at:]) for at in range(len(words)))
    return len(stem) > 1 and any(text.startswith(stem) for text in joined)


def stem_of(part: str) -> str:
    """A part of a route or a folder, in the singular: `transactions` and `Transaction` mean the same."""
    return folded(part).removesuffix("s")


def _files(scope: SearchScope, files_with: Callable[[str], set[int]], names: Sequence[str]) -> list[FileId]:
    """The code files that may contain the last of these parts of a route and, while they are many, one more part: the
    one that leaves the most of them but not many, because one that leaves fewer may be a value (`/users/alice/carts`),
    or else the one that leaves the fewest."""
    files, others = files_with(names[-1]), {*names[:-1]}
    while len(files) > MAX_FILES and others:
        cuts = sorted(((files & files_with(name), name) for name in others), key=lambda cut: (len(cut[0]), cut[1]))
        files, used = next((cut for cut in cuts[::-1] if len(cut[0]) <= MAX_FILES), cuts[0])
        others.remove(used)
    return scope.code_files(sorted(files))


def _folded_paths(collection: Collection) -> list[str]:
    """The paths in lower case without dashes; those that may declare any route are empty."""
    paths = (path.lower().replace("-", "").replace("_", "") for path in collection.files.paths)
    return ["" if _ROUTERS.search(path) else path for path in paths]


def _files_with(collection: Collection, paths: Sequence[str], part: str) -> set[int]:
    """The files that contain a part of a route, are named after it, or may declare any route."""
    chunks = collection.lexical.holding(terms_of_text(part))
    stem = stem_of(part)
    named = {number for number, path in enumerate(paths) if not path or (len(stem) > 2 and stem in path)}
    return named | set(collection.chunks.file[chunks].tolist())
