"""Records as the plain data that the JSON Schemas describe."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from functools import cache
from typing import Any

from contracts.errors import CtxpackError

_EMPTY = (None, (), "")
_PLAIN = frozenset((str, int, float, bool, type(None)))  # nearly every value: the rest takes longer to tell apart


def as_data(record: Any) -> dict[str, Any]:
    """A record as a dict of JSON values; a field whose default is empty is optional and left out when it is empty."""
    data: dict[str, Any] = {}
    for name, default in _fields(record.__class__):
        value = getattr(record, name)
        if default in _EMPTY and value == default:
            continue
        data[name] = _value(value)
    return data


def error_data(error: CtxpackError) -> dict[str, Any]:
    """`error` of an envelope. Names that are no valid Unicode (undecodable paths) are shown escaped."""
    return {
        "code": error.code,
        "message": printable(error.message),
        "hint": printable(error.hint),
        "details": printable(error.details),
    }


@cache
def _fields(kind: type[Any]) -> tuple[tuple[str, Any], ...]:
    return tuple((field.name, field.default) for field in fields(kind))


def _value(value: Any) -> Any:
    if value.__class__ in _PLAIN:
        return value
    if isinstance(value, tuple):
        return [_value(part) for part in value]
    return as_data(value) if is_dataclass(value) else value


def printable(value: Any) -> Any:
    """A JSON value whose texts are valid Unicode: a surrogate (of an undecodable name) becomes its escape."""
    if isinstance(value, str):
        return value.encode("utf-8", "backslashreplace").decode("utf-8")
    if isinstance(value, dict):
        return {str(printable(key)): printable(part) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [printable(part) for part in value]
    return value
