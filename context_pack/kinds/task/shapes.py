"""The shapes that the same JSON file has in the wild, brought to one: a list of records.

`{key: [..]}`, `{key: {name: ..}}`, `[..]` and `{name: ..}` are accepted. A file that is there but fits none of them is
an error that names it: a slot must not be empty because its source was not understood.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from contracts.errors import InvalidRequest

Record = dict[str, Any]
# Keys that stand beside the records in files of these kinds, and are none.
_ABOUT = frozenset(
    "version schema schemaVersion $schema project name description mission generated generatedAt generated_at"
    " lastAnalyzed last_analyzed lastUpdated last_updated updatedAt createdAt boundaries meta metadata comment _comment"
    .split()
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Shape:
    """`key` holds the records; `name` is where a mapping's keys go; `lists` where a mapping's lists go.

    A record has one of `marks`; a file none of whose records has is not understood.
    """

    key: str
    name: str
    marks: tuple[str, ...]
    lists: str = ""


MODULES = Shape("modules", "name", ("path", "paths", "owns", "files"), "files")
CONTRACTS = Shape(
    "contracts", "id",
    ("file", "path", "files", "handler", "consumers", "endpoint", "owner", "method", "operationId", "requestSchema"),
)  # fmt: skip
SYMBOLS = Shape("symbols", "file", ("file", "exports", "exported", "name"), "exports")
OWNERSHIP = Shape("files", "path", ("path", "file", "imports"), "imports")
TESTS = Shape(
    "testMap", "sourceFile", ("sourceFile", "source_file", "source", "testFiles", "test_files", "tests"), "testFiles"
)
_KEYS = {"files": ("files", "ownership"), "testMap": ("testMap", "test_map")}


def records(document: Any, place: str, shape: Shape) -> list[Record]:
    """The records of a file, in its order. InvalidRequest names the file when it is none of the shapes."""
    body = _body(document, shape)
    if isinstance(body, list):
        found = [("", _record(place, f"{shape.key}[{number}]", value)) for number, value in enumerate(body)]
    elif isinstance(body, Mapping):
        named = {name: value for name, value in body.items() if not _is_about(name, value)}
        found = [(name, _record(place, name, _wrapped(value, shape))) for name, value in named.items()]
    else:
        raise _not_understood(place, f"{type(document).__name__} where an object or a list was expected")
    if found and not any(mark in record for _, record in found for mark in shape.marks):
        raise _not_understood(place, f"no entry has any of {', '.join(shape.marks)}")
    return [_named(name, record, shape) for name, record in found]


def _body(document: Any, shape: Shape) -> Any:
    if isinstance(document, Mapping):
        for key in _KEYS.get(shape.key, (shape.key,)):
            if isinstance(document.get(key), list | Mapping) and not _is_record_named(document, key, shape):
                return document[key]
    return document


def _is_record_named(document: Mapping[str, Any], key: str, shape: Shape) -> bool:
    """Whether `key` is the name of one record among others: a module may well be called `modules` or `files`."""
    value = document[key]
    return isinstance(value, Mapping) and any(mark in value for mark in shape.marks) and len(document) > 1


def _is_about(name: str, value: Any) -> bool:
    return name in _ABOUT and not isinstance(value, Mapping)


def _wrapped(value: Any, shape: Shape) -> Any:
    return {shape.lists: value} if isinstance(value, list) and shape.lists else value


def _record(place: str, where: str, value: Any) -> Record:
    if not isinstance(value, Mapping):
        raise _not_understood(place, f"{where} is {type(value).__name__}, not an object")
    return dict(value)


def _named(name: str, record: Record, shape: Shape) -> Record:
    """A record with the name that its file keeps outside of it, unless it says its name itself."""
    if not name or any(key in record for key in (shape.name, "id", "name")):
        return record
    return {shape.name: name, **record}


def texts(record: Mapping[str, Any], place: str, *keys: str) -> list[str]:
    """The texts under the first of some keys that is there: one text, or a list of texts or of `{path}` objects."""
    key = next((key for key in keys if record.get(key) is not None), None)
    if key is None:
        return []
    value = record[key]
    found = [value] if isinstance(value, str) else value
    if not isinstance(found, Sequence):
        raise _not_understood(place, f"{key} is {type(value).__name__}, not a list of texts")
    return [_text(part, place, key) for part in found]


def _text(value: Any, place: str, key: str) -> str:
    if isinstance(value, Mapping):
        value = next(
            (value[name] for name in ("path", "file", "source", "from", "name", "module") if name in value), None
        )
    if not isinstance(value, str):
        raise _not_understood(place, f"{key} holds {type(value).__name__} where a text was expected")
    return value


def _not_understood(place: str, fault: str) -> InvalidRequest:
    return InvalidRequest(place, f"{place} is not understood: {fault}", hint=f"the shapes of {place} are in the docs")
