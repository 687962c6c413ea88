"""Finds the places that answer a route such as `/users/12`, as routers and frameworks declare it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import takewhile

from chunker.kinds import ROUTINES, VALUES
from contracts.lazy_regex import lazy_regex
from index.collection.collection import CODE, Collection
from index.collection.reader import MAX_LINE
from index.search.definitions import RARE, Definition, allowed_definitions
from index.search.occurrences import PARAMETER
from index.search.routing.declarations import declarations, stem_of
from index.search.routing.mounts import MAX_ARGUMENTS, VERBS, enclosing
from index.search.scope import MAX_CHUNKS, Location, SearchScope, distinct
from index.search.spelling import in_usual_cases, is_compound_name, names_in
from index.types import ChunkId, FileId

_FORMAT = lazy_regex(r"\.[a-z]\w{1,4}/?\Z")  # of an answer, at the end of a route
# The end of a file's path that is not part of its route: `route.ts`, `+server.js`, or the ending alone.
_ROUTE_FILE = lazy_regex(r"(/(route|page|index|\+server|\+page(\.server)?))?\.\w+$")
_PARTIAL = lazy_regex(r"/_[^/]*\.(?!(?:vue|svelte|[jt]sx?)$)\w+$")  # a part of a page, unlike the parameter `_id.vue`
# The actions for each method by the conventions of Rails, Laravel and Django's view sets, and those that show a form.
_ACTIONS = {"post": ("create", "store"), "put": ("update",), "patch": ("update",), "delete": ("destroy",)}
_FORMS = ("new", "create", "edit")
_METHOD_OF_CLASS = lazy_regex(r"(\w+)::class\s*,\s*['\"](\w+)")
_BEFORE_PATH = lazy_regex(r"^\s*(?:[@\[#].*|[\w.:]+(?=\(|\s+[\"'`]))")  # the router, or a whole decorator
# A whole call or entry of a table: `path('a', show),`
_WHOLE_ENTRY = lazy_regex(r"\s*[\w.]*[(\[{][^,]*,.*[)\]}]\s*,\s*")
_PATH_ALONE = lazy_regex(r"\s*[rfbu]?([\"'])/[^\"']*\1,?\s*")
_BEHIND_PATH = lazy_regex(r"[\"'`]\s*,\s*&?([^\W\d]\w+)\s*[,)\]}]")  # a handler of one word: `("/carts", Carts)`
_CONTROLLER = lazy_regex(r"['\"](?:[\w/]*/)?(\w+)#(\w+)['\"]")
_ACTION = lazy_regex(r"\b([A-Z][\w.]*)\s*,\s*:(\w+)")  # Phoenix: `get("/carts", CartController, :index)`
_VERBS = frozenset(VERBS.split("|"))  # of a call around a handler: `get(list_carts)`, `get().to(list_carts)`
_AS_CALLABLE = lazy_regex(r"\.as_\w+$")  # `CartView.as_view()` has the methods of its class
_RESOURCE = lazy_regex(r"\bresources?[ (]+:(\w+)")
_MEMBER = lazy_regex(r"\b(?:get|post|put|patch|delete)[ (]+[:\"'](\w+)\b")


def routed(
    scope: SearchScope, verb: str, route: str, by_kind: dict[int, list[Location]], *, is_whole: bool
) -> dict[int, list[Location]]:
    """The places that answer a route; if there are none and the route is the whole query, those that contain its text.
    In a longer query, the text of a route alone is no evidence."""
    verb = verb.lower()
    places = list(_route_handlers(scope, verb, route))
    if not (verb and any(_name(scope.collection, place.chunk) == verb.upper() for place in places)):
        places = _declared(scope, verb, route, by_kind.get(CODE, ()), places)
    if not places and not is_whole:
        return {}
    if not places and CODE not in by_kind:
        places = _route_ends(scope, route)
    return {CODE: places} if places else by_kind


def _declared(
    scope: SearchScope, verb: str, route: str, texts: Sequence[Location], named: list[Location]
) -> list[Location]:
    """The declarations of a route, or else those `named` after it; with its `texts`, which say more than declarations
    of some of its parts."""
    places, is_whole = declared(scope, verb, route)
    if named:
        return places if is_whole else named
    if is_whole or not (places and texts):
        return places
    of_text = {(hit.chunk, lines) for hit in texts for lines in hit.lines}
    has_text = any((hit.chunk, lines) in of_text for hit in places for lines in hit.lines)
    return places if has_text else distinct([*texts, *places])


def declared(scope: SearchScope, verb: str, route: str) -> tuple[list[Location], bool]:
    """The lines that declare most of a route, also without the format of its answer (`/carts.json`), and whether they
    declare all of it."""
    places, is_whole = declarations(scope, verb, route)
    if not is_whole and (shorter := _FORMAT.sub("", route)) != route:
        own, is_whole = declarations(scope, verb, shorter)
        places = own if is_whole else places
    return places, is_whole


def handlers(scope: SearchScope, verb: str, route: str, routes: Sequence[Location]) -> list[Definition]:
    """The definitions that the lines of routes name: `views.CartView.as_view()`, `Cart@show`, `to: 'carts#show'`.

    If several definitions share a name: the one whose folders contain the most parts of the route; none if many do.
    """
    collection = scope.collection
    end = route.strip("/").lower().rpartition("/")[2]
    parts, named = {stem_of(part) for part in route.split("/")}, list[Definition]()
    for place in routes:
        file = collection.file_of(place.chunk)
        rows = scope.rows(place.chunk)
        if collection.rules_of(place.chunk).schema:
            named += [one for first, _ in place.lines for one in _implementations(scope, place.chunk, first)]
            continue
        for first, _ in place.lines:
            reading = end if end in _FORMS else "index" if end in rows[first - 1].lower() else "show"
            names = list(_handler_names(rows, first, _ACTIONS.get(verb.lower(), (reading,))))
            owners = [owner for name in names if (owner := name.rpartition(".")[0]).rpartition(".")[2][:1].isupper()]
            actions = _ACTIONS.get(verb.lower(), ("retrieve" if PARAMETER.fullmatch(end) else "list",))
            of_verb = [verb.lower(), *actions] if verb else []
            methods = [f"{name}.{method}" for name in (*names, *owners) for method in of_verb if name]
            actions_of = [name for name in names if name.rpartition(".")[0] in owners and not _AS_CALLABLE.search(name)]
            # The method of a variable, if the route is called so: `api.GetCarts`.
            members = [name.rpartition(".")[2] for name in names if name.lower().endswith(f".{end.partition('.')[0]}")]
            # An action, a class's method for the verb, a function, a class.
            for tried in (actions_of, methods, names, owners, members):
                if own := [one for name in tried for one in _defined(scope, name, file, parts)]:
                    break
            own = [one for one in own if one.row.kind not in VALUES] or own
            named += own or _methods_of_variables(scope, names, file, parts)
    return named


def _methods_of_variables(scope: SearchScope, names: Sequence[str], file: FileId, parts: set[str]) -> list[Definition]:
    """The methods in the folder of the route that names of members mean: `s.getCarts` of Go."""
    members = [name.rpartition(".")[2] for name in names if "." in name and is_compound_name(name.rpartition(".")[2])]
    matches = [one for name in members for one in _defined(scope, name, file, parts)]
    folder, paths = scope.collection.files.paths[file].rpartition("/")[0], scope.collection.files.paths
    return [one for one in matches if one.row.kind in ROUTINES and paths[one.row.file].rpartition("/")[0] == folder]


def _implementations(scope: SearchScope, chunk: ChunkId, line: int) -> list[Definition]:
    """The methods that implement the `rpc` around a line, whose options give it a route; of many of its name, those
    that name its message."""
    inside = scope.collection.definitions.in_chunk(chunk, minor=True)
    around = [row for row in inside if row.kind in ROUTINES and row.has_line(line)]
    if not around:
        return []
    own = max(around, key=lambda row: row.start_line)
    declares = rf"\brpc\s+{re.escape(own.name)}\s*\(\s*(?:stream\s+)?(?:\w+\.)*(\w+)"
    message = re.search(declares.encode(), scope.collection.text_of(chunk))
    every = (one for name in in_usual_cases(own.name) or [own.name] for one in allowed_definitions(scope, name))
    matches = [one for one in every if not one.tier and one.row.kind in ROUTINES and one.row.chunk != chunk]
    naming = [one for one in matches if message and message[1] in scope.collection.text_of(one.row.chunk)]
    return naming or (matches if len(matches) <= RARE else [])


def _defined(scope: SearchScope, name: str, file: FileId, parts: set[str]) -> list[Definition]:
    """The definition of a name in the file of the route, or else the one whose folders contain most of the route; none
    if more than RARE contain as much."""
    matches = [one for one in allowed_definitions(scope, name) if not one.tier] if name else []
    matches = [one for one in matches if one.row.kind in ROUTINES] or matches
    matches = [one for one in matches if one.row.file == file] or matches
    folders = ({*map(stem_of, scope.collection.files.paths[one.row.file].split("/"))} for one in matches)
    shares = [len(parts & own) for own in folders]
    most = max(shares, default=0)
    best = [one for share, one in zip(shares, matches, strict=True) if share == most]
    return best[:1] if len(best) <= RARE else []


def _handler_names(rows: Sequence[str], line: int, actions: Sequence[str]) -> Iterator[str]:
    """The names of the handlers that a line gives a route; arguments of the call may be on the lines next to it."""
    text = rows[line - 1]
    if max(map(len, rows[max(line - 2, 0) : line + 1])) > MAX_LINE:  # minified: the patterns would take too long
        return
    # Otherwise the lines around it may be other entries of a table.
    is_bare = _PATH_ALONE.fullmatch(text) is not None or not (names_in(text) or _WHOLE_ENTRY.fullmatch(text))
    is_open = text.count("(") > text.count(")") and not text.rstrip().endswith("{")  # which begins its own handler
    goes_on = is_open or (is_bare and text.rstrip().endswith(","))
    above = rows[max(line - 1 - MAX_ARGUMENTS, 0) : line - 1] if is_bare and text.lstrip()[:1] in ('"', "'") else []
    opening = [*takewhile(lambda row: len(row) <= MAX_LINE and row.rstrip().endswith(","), above[::-1])][::-1]
    text = " ".join([*opening, text, *rows[line : line + 1][:goes_on]])
    for controller, action in _CONTROLLER.findall(text):
        yield f"{_camel(controller)}Controller.{action}"
    for controller, action in _ACTION.findall(text):
        yield f"{controller}.{action}"
    arguments = _BEFORE_PATH.sub("", text)
    names = [
        name for name in names_in(_METHOD_OF_CLASS.sub(r"\1.\2", arguments).replace("@", ".")) if name not in _VERBS
    ]
    for name in names or _BEHIND_PATH.findall(text):
        controller = name.removesuffix(".class")
        yield from [f"{controller}.{action}" for action in actions] if "esource" in text else [name]
    for row in (text, *enclosing(rows, line)):
        if resource := _RESOURCE.search(row):
            member = _MEMBER.search(text)
            own = actions if row is text else [member[1]] if member else []
            yield from (f"{_camel(resource[1])}Controller.{action}" for action in own)
            break


def _camel(name: str) -> str:
    return "".join(word.capitalize() for word in name.split("_"))


def _route_handlers(scope: SearchScope, verb: str, route: str) -> Iterator[Location]:
    """The handlers of a route in files named after it: the function of the request's method, else the first one."""
    collection = scope.collection
    for file in scope.code_files(_route_files(collection, route.strip("/").split("/"))):
        chunks = list(map(ChunkId, collection.chunks_in(file)))
        names = {chunk: _name(collection, chunk) for chunk in chunks}
        of_method = [chunk for chunk in chunks if names[chunk].lower() == verb]
        for chunk in (of_method or [chunk for chunk in chunks if names[chunk]] or chunks)[:1]:
            yield Location(chunk, ((collection.cells.start_line[chunk],) * 2,), "key")


def _route_ends(scope: SearchScope, route: str) -> list[Location]:
    """The code that contains the longest end of a route: routers may add a prefix.

    An end of a single part counts only in quotes, and only if few places contain it; without its slash and its ending,
    only before a handler of its name: `add("getCarts", api.GetCarts)` for `/rest/getCarts.view`.
    """
    parts = route.strip("/").split("/")
    for start in range(1, len(parts)):
        end = "/" + "/".join(parts[start:])
        if not PARAMETER.fullmatch(parts[start]):
            is_last = start == len(parts) - 1
            hits = scope.quoted_in_code(end, "key") if is_last else scope.in_code(end, "key")
            if hits and (not is_last or len(hits) <= MAX_CHUNKS):
                return hits
    last = parts[-1].partition(".")[0]
    named = re.compile(rf"[\"']{re.escape(last)}[\"'],\s*(?:\w+(?:\.|::))*({re.escape(last)})\b", re.I)
    return scope.on_lines_like(scope.quoted_in_code(last, "key"), named) if len(parts) > 1 and last else []


def _route_files(collection: Collection, parts: Sequence[str]) -> list[FileId]:
    """The files whose folders are the parts of a route: `api/users/[id]/route.ts`, those with the most of its names."""
    files = list[tuple[int, FileId]]()
    values = sum(PARAMETER.fullmatch(part) is not None for part in parts)
    for number, path in enumerate(collection.files.paths if len(parts) > 1 else ()):
        if f"/{parts[-1]}" in path or "[" in path or (PARAMETER.fullmatch(parts[-1]) and not _PARTIAL.search(path)):
            folders = _ROUTE_FILE.sub("", path).split("/")
            folders = [folder for folder in folders if not folder.startswith("(")][-len(parts) :]
            if len(folders) == len(parts) and all(map(_is_part, parts, folders)):
                names = sum(map(str.__eq__, parts, folders))
                files += [(names, FileId(number))] * (names > 0 or values == len(parts))
    most = max((names for names, _ in files), default=0)
    return [file for names, file in files if names == most]


def _is_part(part: str, folder: str) -> bool:
    """Whether a folder matches this part of a route; one in brackets does with any value, such as a word or an id, but
    one for the rest of any route (`[...path]`) only with a parameter."""
    is_any = folder[:1] == "[" and "..." not in folder
    return folder == part or is_any or (PARAMETER.fullmatch(part) is not None and folder[:1] in "[$_:")


def _name(collection: Collection, chunk: ChunkId) -> str:
    return collection.symbol_of(chunk).rpartition(".")[2]
