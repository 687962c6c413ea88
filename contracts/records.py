"""The pack and its envelope as typed records, and the conversion of any record to the data of its JSON Schema.

The records of the other commands are in `contracts.reports`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields, is_dataclass
from functools import cache
from typing import Any, Literal

from contracts.errors import CtxpackError
from contracts.frozen import frozen

_EMPTY = (None, (), "")
_PLAIN = frozenset((str, int, float, bool, type(None)))  # tested first: nearly every value is one of these

Role = Literal["primary", "related"]
HintType = Literal["info", "action", "warn"]
# Why a selected item is not in the pack: it does not fit; it scores far below the best item; a shown item says nearly
# the same; it is only an opening or closing line, or a line outside any symbol.
Cause = Literal["no_room", "little_evidence", "alike", "bare"]


@frozen
class Hint:
    """A remark on the answer; an `action` names a command to run or an option to choose."""

    type: HintType
    text: str


@frozen
class Why:
    """One named part of a score: `signal` is the measured value, `points` its worth, `detail` where it was measured."""

    name: str
    signal: float
    points: float
    detail: str = ""


@frozen
class HunkText:
    """Changed lines that the file does not contain: the `old` ones stood before line `line`, the `new` ones would.

    `more` is the number of further lines of the item's hunks that are left out.
    """

    line: int
    old: str | None = None
    new: str | None = None
    more: int | None = None


@frozen
class Item:
    """One piece of a pack. Lines are 1-based and inclusive and cover the code, not the imports shown above it."""

    id: str
    role: Role
    file: str
    start_line: int
    end_line: int
    score: float
    imports: tuple[str, ...]
    content: str
    symbol: str | None = None
    type: str | None = None
    relationship: tuple[str, ...] = ()
    distance: int | None = None
    elided: tuple[tuple[int, int], ...] = ()
    why: tuple[Why, ...] = ()
    changed: tuple[tuple[int, int], ...] = ()
    hunks: tuple[HunkText, ...] = ()
    alike: tuple[str, ...] = ()  # ids of items that say nearly the same and are not shown


@frozen
class Dropped:
    """A selected item that is not in the pack, what kept it out, and what it would have cost."""

    id: str
    cause: str
    cost_chars: int
    points: float


@frozen
class LeftOut:
    """How many of the dropped items would be left out under any budget, by cause."""

    little_evidence: int | None = None
    alike: int | None = None
    bare: int | None = None


@frozen
class Budget:
    """The limit and the cost of a pack; tokens only if `token_counter` counts them."""

    max_chars: int
    used_chars: int
    truncated: bool
    dropped_items: int
    max_tokens: int | None = None
    used_tokens: int | None = None
    token_counter: str = ""
    left_out: LeftOut | None = None


@frozen
class Diff:
    """The changes that a pack is about: those since `commit`, which `base` names, up to `head` or the working tree.

    For a patch, `base` is `patch`, and `commit` and `head` are empty.
    """

    base: str
    files: int
    added: int
    removed: int
    commit: str = ""
    head: str = ""


@frozen
class Pack:
    """`data` of `ctxpack query`: a pure function of tree, command, configuration and model."""

    query: str
    model_id: str
    profile: str
    items: tuple[Item, ...]
    budget: Budget
    dropped: tuple[Dropped, ...] = ()
    diff: Diff | None = None
    confidence: str = ""  # `weak` or `none`: how surely the pack answers the query; empty if strong
    notes: tuple[str, ...] = ()  # remarks for readers who see the pack without the envelope's hints
    version: int = 1


@frozen
class Envelope:
    """The JSON document that every command prints. `error` is present exactly if `status` is `error`."""

    status: Literal["ok", "error"]
    hints: tuple[Hint, ...]
    data: Mapping[str, object] | Sequence[object] | None
    meta: Mapping[str, object]
    error: Mapping[str, object] | None = None


def as_data(record: Any) -> dict[str, Any]:
    """A record as a dict of JSON values; a field is left out if both its value and its default are empty."""
    data: dict[str, Any] = {}
    for name, default in _fields(record.__class__):
        value = getattr(record, name)
        if default in _EMPTY and value == default:
            continue
        data[name] = _value(value)
    return data


def error_data(error: CtxpackError) -> dict[str, Any]:
    """`error` of an envelope. Names that are not valid Unicode (undecodable paths) are escaped."""
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


def with_texts(value: Any, change: Callable[[str], str]) -> Any:
    """The JSON value with each text changed, keys too."""
    if isinstance(value, str):
        return change(value)
    if isinstance(value, dict):
        return {change(str(key)): with_texts(part, change) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [with_texts(part, change) for part in value]
    return value


def printable(value: Any) -> Any:
    """The JSON value with valid Unicode texts: a surrogate (from an undecodable name) becomes its escape."""
    return with_texts(value, lambda text: text.encode("utf-8", "backslashreplace").decode("utf-8"))
