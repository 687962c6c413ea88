"""What a tool answers, as one self-contained JSON Schema: the envelope, with the tool's contract as its `data`.

Contracts refer to each other by URN. Clients need not know how to resolve one, and some refuse a `$schema` other than
their own, so what is referred to several times is moved below one `$defs` and referred to by pointer, and the rest
stands where it is referred to: a client that checks an answer need not follow a pointer for every item.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from contracts.schemas import schema

_URN = "urn:ctxpack:"


def output_schema(answer: str) -> dict[str, Any]:
    """The envelope around `data` of the schema of that name."""
    definitions: dict[str, Any] = {}
    envelope = _moved(schema("envelope"), "envelope", definitions)
    data = envelope["properties"]["data"]
    envelope["properties"]["data"] = {
        "description": data["description"],
        "anyOf": [{"$ref": _include(answer, definitions)}, {"type": "null"}],
    }
    return _inlined({**envelope, "$defs": dict(sorted(definitions.items()))})


def _inlined(document: dict[str, Any]) -> dict[str, Any]:
    """The same with each definition that is referred to once in the place of that reference."""
    counts = Counter(_references(document))
    once = {name for name in document["$defs"] if counts[f"#/$defs/{name}"] == 1}

    def put(value: Any) -> Any:
        if isinstance(value, list):
            return [put(part) for part in value]
        if not isinstance(value, dict):
            return value
        name = value.get("$ref", "").removeprefix("#/$defs/")
        if name not in once:
            return {key: put(part) for key, part in value.items()}
        return {**put(document["$defs"][name]), **{key: put(part) for key, part in value.items() if key != "$ref"}}

    kept = {name: body for name, body in document["$defs"].items() if name not in once}
    found: dict[str, Any] = put({**document, "$defs": kept})
    return found if kept else {key: part for key, part in found.items() if key != "$defs"}


def _references(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        if "$ref" in value:
            yield value["$ref"]
        value = list(value.values())
    for part in value if isinstance(value, list) else ():
        yield from _references(part)


def _include(name: str, definitions: dict[str, Any]) -> str:
    """Take over a schema with all that it refers to; the pointer by which it is known."""
    if name not in definitions:
        definitions[name] = {}  # a schema may refer to itself
        definitions[name] = _moved(schema(name), name, definitions)
    return f"#/$defs/{name}"


def _moved(body: dict[str, Any], name: str, definitions: dict[str, Any]) -> dict[str, Any]:
    for key, definition in body.get("$defs", {}).items():
        definitions[f"{name}.{key}"] = _pointed(definition, name, definitions)
    kept = {key: value for key, value in body.items() if key not in ("$schema", "$id", "$defs")}
    moved: dict[str, Any] = _pointed(kept, name, definitions)
    return moved


def _pointed(value: Any, name: str, definitions: dict[str, Any]) -> Any:
    """The value with every reference leading to its place in the one document."""
    if isinstance(value, list):
        return [_pointed(part, name, definitions) for part in value]
    if not isinstance(value, dict):
        return value
    found = {key: _pointed(part, name, definitions) for key, part in value.items() if key != "$ref"}
    if "$ref" in value:
        found["$ref"] = _target(value["$ref"], name, definitions)
    return found


def _target(reference: str, name: str, definitions: dict[str, Any]) -> str:
    if reference.startswith(_URN):
        urn, _, pointer = reference.partition("#")
        other = urn.rpartition(":")[2]
        _include(other, definitions)
        return _local(pointer, other) if pointer else f"#/$defs/{other}"
    return _local(reference.removeprefix("#"), name)


def _local(pointer: str, name: str) -> str:
    return f"#/$defs/{name}.{pointer.removeprefix('/$defs/')}" if pointer else f"#/$defs/{name}"
