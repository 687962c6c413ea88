"""Finds what implements an interface in languages whose types do not name the interfaces that they implement."""

from __future__ import annotations

import re
from collections.abc import Container

from chunker.kinds import ROUTINES, VALUES
from index.collection.collection import Collection
from index.collection.tables import DefinitionRow

MAX_NAMESAKES = 1_000  # definitions of the rarest method; a type has a more frequent one by chance
MAX_METHODS, MAX_COMPARED = 12, 3  # the rarest methods that a type must define, and those whose parameters are counted
MAX_SIGNATURE = 1_000  # characters of the parameters
MAX_TYPE_PARAMETER = 2  # characters: `T`, `K`

Owner = tuple[str, str]  # of a method: the folder or the file that its type is in, and the type's qualified name


def implementers(collection: Collection, interface: DefinitionRow, changed: Container[str] = ()) -> list[DefinitionRow]:
    """The types that define the methods of an interface (MAX_METHODS; of MAX_COMPARED with as many parameters and, if
    the language wants it, a last one of the same type), by place; none if it has no methods, or if its language wants
    types to name it (`implicit_interfaces` of its record is empty).

    Types may still have other parameters for methods with the `changed` names, if the interface has more methods."""
    pattern = collection.rules_of(interface.chunk).implicit_interfaces
    if not pattern or interface.kind in ROUTINES | VALUES or not re.search(pattern, _text(collection, interface, 1)):
        return []
    table, methods = collection.definitions, {one.name: one for one in _methods(collection, interface)}
    pairs = sorted(((one, table.of(name)) for name, one in methods.items()), key=lambda pair: len(pair[1]))
    if not pairs or len(pairs[0][1]) > MAX_NAMESAKES:
        return []
    owners = set[Owner]()
    differing = changed if any(name not in changed for name in methods) else ()
    for number, (method, rows) in enumerate(pairs[:MAX_METHODS]):
        own = _parameters(collection, method) if number < MAX_COMPARED and method.name not in differing else None
        bodies = ((_owner(collection, one), one) for one in table.at(rows) if not one.is_minor)
        owners = {
            owner for owner, one in bodies
            if (not number or owner in owners) and (own is None or _fits(own, _parameters(collection, one)))
        }  # fmt: skip
        if not owners:
            return []
    family, home = collection.rules_of(interface.chunk).family, _home(collection, interface)
    if collection.rules_of(interface.chunk).package == "folder" and not all(name[:1].isupper() for name in methods):
        owners = {one for one in owners if one[0] == home}  # only a package itself can define its hidden methods
    names = sorted({qualified.rpartition(".")[2] for _, qualified in owners})
    types = {one.number: one for name in names for one in table.named(name)}
    return [
        one for number, one in sorted(types.items())
        if number != interface.number and one.kind not in ROUTINES | VALUES | {"impl"}
        and (_home(collection, one), one.qualified) in owners and collection.rules_of(one.chunk).family == family
    ]  # fmt: skip


def _text(collection: Collection, one: DefinitionRow, lines: int = 0) -> str:
    """The text of a definition's chunk from the line of its name on, all of it or so many lines."""
    rows = collection.text_of(one.chunk).decode(errors="replace").split("\n")
    first = one.line - collection.cells.start_line[one.chunk]
    return "\n".join(rows[first : first + lines] if lines else rows[first:])


def _methods(collection: Collection, interface: DefinitionRow) -> list[DefinitionRow]:
    """The methods that an interface declares itself; those with a body are no part of its chunks."""
    table, chunks = collection.definitions, collection.parts_of(interface.chunk)
    declared = (one for chunk in chunks for one in table.in_chunk(chunk, minor=True))
    rows = (*declared, *table.in_file(interface.file))
    return [one for one in rows if one.kind in ROUTINES and one.qualified == f"{interface.qualified}.{one.name}"]


def _parameters(collection: Collection, method: DefinitionRow) -> tuple[int, str]:
    """(the number of values that a call of a method must pass, the name of the last one's type if its language wants
    equal types); -1 and no name if the method's first line does not begin a list of them."""
    text = _text(collection, method)
    match = re.search(rf"\b{re.escape(method.name)}\(", text[:MAX_SIGNATURE])
    depth, flat = 0, ""  # the list without what is in brackets
    for letter in text[match.end() : match.end() + MAX_SIGNATURE] if match else "":
        depth += (letter in "([{") - (letter in ")]}")
        if depth < 0:
            parts = [part.strip() for part in flat.split(",")]
            is_typed = parts[0] not in ("self", "cls")
            rest = "**" if is_typed else "*"  # `*config` is a type of Go
            parts = [part for part in parts if part not in ("", "/") and "=" not in part and not part.startswith(rest)]
            words = re.findall(r"\w+", parts[-1]) if parts and is_typed else []
            # A short one is a parameter of the interface's type.
            kind = words[-1].replace("interface", "any") if words and len(words[-1]) > MAX_TYPE_PARAMETER else ""
            return len(parts), kind
        flat += letter if not depth else ""
    return -1, ""


def _fits(method: tuple[int, str], other: tuple[int, str]) -> bool:
    return method[0] == other[0] and (method[1] == other[1] or "" in (method[1], other[1]))


def _owner(collection: Collection, method: DefinitionRow) -> Owner:
    return _home(collection, method), method.qualified.rpartition(".")[0]


def _home(collection: Collection, one: DefinitionRow) -> str:
    """Where the other members of a type are: in its package if that is a folder, else in its file."""
    path = collection.path_of(one.chunk)
    return path.rpartition("/")[0] if collection.rules_of(one.chunk).package == "folder" else path
