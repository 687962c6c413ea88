"""The JSON Schemas (draft 2020-12) of everything that ctxpack prints, by name, and a validator for requests.

The validator covers the part of JSON Schema that these schemas use: importing a full one takes longer than making a
pack. The tests compare it with a full one.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Any

_SUFFIX = ".schema.json"
_TYPES: dict[str, type | tuple[type, ...]] = {
    "object": Mapping,
    "array": list,
    "string": str,
    "boolean": bool,
    "integer": int,
    "number": (int, float),
    "null": type(None),
}

_ESCAPED = re.compile(r"\\u[dD][89a-fA-F]")
_HALF = re.compile(  # a first half without a second half, or a second without a first
    r"\\u[dD][89abAB]..(?!\\u[dD][c-fC-F])|(?<!\\u[dD][89abAB]..)\\u[dD][c-fC-F]"
)
HALF_PAIR = "half a surrogate pair, which is not valid text: write both halves, or the character itself"
MAX_DEPTH = 100  # levels of a JSON document; the code that walks one is recursive


def names() -> tuple[str, ...]:
    """The names of all schemas, sorted: `context_pack`, `envelope`, `error`, ..."""
    return tuple(sorted(_files()))


@cache
def schema(name: str) -> dict[str, Any]:
    """One schema. Its `$id` is `urn:ctxpack:FAMILY:v1:NAME`; raises KeyError if no schema has that name."""
    return json.loads(_files()[name].read_text("utf-8"))


@cache
def _files() -> dict[str, Path]:
    """The schema files of every family, by name; a name occurs in one family only."""
    return {file.name.removesuffix(_SUFFIX): file for file in Path(__file__).parent.glob(f"*/v1/*{_SUFFIX}")}


def is_too_deep(value: Any) -> bool:
    """Whether a JSON value has more levels than MAX_DEPTH."""
    level = [value]
    for _ in range(MAX_DEPTH + 1):
        level = [part for one in level for part in _parts(one)]
        if not level:
            return False
    return True


def half_pair_line(value: Any, text: str) -> int:
    """The line (1-based) of a JSON text with half a surrogate pair, which is not a character; 0 if there is none.

    `value` is the parsed text. Files, paths and databases cannot store half a pair.
    """
    if not _ESCAPED.search(text):
        return 0
    try:
        json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        half = _HALF.search(text)
        return text.count("\n", 0, half.start() if half else 0) + 1
    return 0


def _parts(value: Any) -> Iterable[Any]:
    if isinstance(value, Mapping):
        return value.values()
    return value if isinstance(value, list | tuple) else ()


def problem(value: Any, schema: Mapping[str, Any]) -> tuple[str, str] | None:
    """(where, what) of the first thing in `value` that the schema forbids; None if it is valid.

    `where` is a path like `testResults[0].name`; it is empty for the value itself.
    """
    return next(_problems(value, schema, schema, ""), None)


def _problems(value: Any, schema: Mapping[str, Any], root: Mapping[str, Any], where: str) -> Iterator[tuple[str, str]]:
    if "$ref" in schema:
        schema = root["$defs"][schema["$ref"].removeprefix("#/$defs/")]
    kind = schema.get("type")
    is_kind = kind is None or (kind == "boolean" if isinstance(value, bool) else isinstance(value, _TYPES[kind]))
    if not is_kind:
        yield where, f"is {_name(value)}, not {kind}"
        return
    if "enum" in schema and value not in schema["enum"]:
        yield where, f"is {value!r}, not one of {', '.join(map(str, schema['enum']))}"
    if "minimum" in schema and value < schema["minimum"]:
        yield where, f"is {value}, less than {schema['minimum']}"
    if isinstance(value, str):
        yield from _of_text(value, schema, where)
    elif isinstance(value, list):
        for number, part in enumerate(value):
            yield from _problems(part, schema.get("items", {}), root, f"{where}[{number}]")
    elif isinstance(value, Mapping):
        yield from _of_object(value, schema, root, where)


def _of_text(value: str, schema: Mapping[str, Any], where: str) -> Iterator[tuple[str, str]]:
    if len(value) < schema.get("minLength", 0):
        yield where, "is empty"
    if "pattern" in schema and re.search(schema["pattern"], value) is None:
        yield where, f"is {value[:80]!r}, which does not match {schema['pattern']}"
    if schema.get("format") == "date-time" and not _is_time(value):
        yield where, f"is {value[:80]!r}, not a date and time like 2026-01-31T12:00:00Z"


def _of_object(
    value: Mapping[str, Any], schema: Mapping[str, Any], root: Mapping[str, Any], where: str
) -> Iterator[tuple[str, str]]:
    properties: Mapping[str, Any] = schema.get("properties", {})
    for name in schema.get("required", ()):
        if name not in value:
            yield _join(where, name), "is missing"
    others = schema.get("additionalProperties", True)
    for name, part in value.items():
        if name in properties:
            yield from _problems(part, properties[name], root, _join(where, name))
        elif others is False:
            yield _join(where, name), f"is unknown; expected one of {', '.join(properties)}"
        elif isinstance(others, Mapping):
            yield from _problems(part, others, root, _join(where, name))


def _name(value: Any) -> str:
    if isinstance(value, bool):
        return "boolean"
    return next((name for name, kind in _TYPES.items() if isinstance(value, kind)), type(value).__name__)


def _join(where: str, name: str) -> str:
    return f"{where}.{name}" if where else name


def _is_time(text: str) -> bool:
    """Whether the text is a date and time as in RFC 3339, section 5.6, where the offset is mandatory."""
    if not re.fullmatch(r"\d{4}-\d{2}-\d{2}[Tt ]\d{2}:\d{2}:\d{2}(\.\d+)?([Zz]|[+-]\d{2}:\d{2})", text):
        return False
    try:
        datetime.fromisoformat(text.upper())
    except ValueError:
        return False
    return True
