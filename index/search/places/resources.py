"""Finds resources of Android apps: where `R.layout.cart`, `@+id/total` or `@string/title` is declared and used."""

from __future__ import annotations

import re

from contracts.lazy_regex import lazy_regex
from index.collection.collection import PROSE
from index.search.scope import Location, SearchScope, distinct
from index.search.spelling import QUOTES, spellings
from index.types import ChunkId, FileId

# `R.layout.cart`, `@+id/total`; also in a call or an attribute: `getString(R.string.title)`.
_REFERENCE = lazy_regex(
    r"(?:[\w.:<>]+(?:\(|=[\"']))?"
    r"(?:(?:\w+\.){0,8}R\.(?P<kind>[a-z]+)\.(?P<name>\w+)|@\+?(?:\w+:)?(?P<type>[a-z]+)/(?P<own>[\w.]+))(?:[,)\"'].*)?"
)
_FILE = lazy_regex(r"(?:^|/)res/(?P<kind>[a-z]+)(?:-[\w+-]+)?/(?P<name>\w+)\.\w+$")
MAX_DECLARING = 4  # places: a layout has variants, a text has translations
MAX_USERS = 12


def resource_of(path: str) -> tuple[str, str]:
    """The kind and the name of the resource that a file is: `res/layout-land/cart.xml`; empty for other files."""
    match = _FILE.search(path)
    return (match["kind"], match["name"]) if match else ("", "")


def names_of(kind: str, name: str) -> list[str]:
    """The texts by which code and other resources name a resource; classes are generated from layouts, and their fields
    from the ids in them."""
    camel = spellings(name.replace("_", "-"))[-1]
    binding = [f"{camel[:1].upper()}{camel[1:]}Binding"] if kind == "layout" else []
    field = [camel] if kind == "id" and camel != name else []
    return [f"R.{kind}.{name}", f"@{kind}/{name}", *binding, *field] if kind else []


def resource_hits(scope: SearchScope, text: str) -> list[Location]:
    """The places that declare the resource that a text names, then the code and the resources that use it."""
    match = _REFERENCE.fullmatch(text.strip(QUOTES))
    if not match:
        return []
    kind, name = match["kind"] or match["type"], match["name"] or match["own"]
    declaring = [*_files(scope, kind, name), *_declarations(scope, kind, name)]
    if not declaring:  # `@shop/cart` is a package
        return []
    by_kind = [scope.occurrences(one, "key") for one in names_of(kind, name)]
    users = [hit for one in by_kind for number, hits in one.items() if number != PROSE for hit in hits]
    users = scope.in_turns([hit for hit in distinct(users) if not scope.collection.is_in_tests(hit.chunk)])
    return distinct([*declaring[:MAX_DECLARING], *users[:MAX_USERS]])


def _files(scope: SearchScope, kind: str, name: str) -> list[Location]:
    """The first chunks of the files that are a resource, that without qualifiers first (`layout-land`)."""
    paths = enumerate(scope.collection.files.paths)
    own = [(path, FileId(number)) for number, path in paths if name in path and resource_of(path) == (kind, name)]
    chunks = (scope.collection.chunks_in(file) for path, file in sorted(own, key=_qualifiers) if scope.allowed[file])
    return [Location(ChunkId(chunk), (), "path") for run in chunks for chunk in run[:1]]


def _qualifiers(own: tuple[str, int]) -> tuple[int, int]:
    return own[0].rpartition("/")[0].count("-"), own[1]


def _declarations(scope: SearchScope, kind: str, name: str) -> list[Location]:
    """The lines of resources that declare one: `@+id/total`, `<string name="title">`, but not in `values-de`."""
    is_id, key = kind == "id", re.escape(name)
    pattern = re.compile((rf"@\+id/{key}(?![\w.])" if is_id else rf"<\w[^<>]*\bname=\"{key}\"").encode())
    path_of, chunks = scope.collection.path_of, (hit.chunk for hit in scope.holders(name, "key"))
    places = scope.places_of((chunk for chunk in chunks if _FILE.search(path_of(chunk))), pattern)
    hits = {(path_of(hit.chunk), hit.chunk): hit for hit in places}
    least = min(map(_qualifiers, hits), default=(0, 0))[0]
    return [hits[own] for own in sorted(hits, key=_qualifiers) if is_id or _qualifiers(own)[0] == least]
