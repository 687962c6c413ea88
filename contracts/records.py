"""The typed records behind the JSON Schemas: what the CLI prints, and what every part hands to the next."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

Role = Literal["primary", "related"]
HintType = Literal["info", "action", "warn"]


@dataclass(frozen=True, slots=True)
class Hint:
    """Something the reader should know beside the answer; an `action` names what to run or which option to choose."""

    type: HintType
    text: str


@dataclass(frozen=True, slots=True)
class Why:
    """One named part of a score: `signal` is what was measured, `points` what it was worth, `detail` where it was."""

    name: str
    signal: float
    points: float
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Item:
    """One piece of a pack. Lines are 1-based and inclusive and cover the code, not the imports put before it."""

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


@dataclass(frozen=True, slots=True)
class Dropped:
    """A selected item that is not in the pack, the limit that kept it out, and what it would have cost."""

    id: str
    cause: str
    cost_chars: int
    points: float


@dataclass(frozen=True, slots=True)
class Budget:
    max_chars: int
    used_chars: int
    truncated: bool
    dropped_items: int


@dataclass(frozen=True, slots=True)
class Pack:
    """`data` of `ctxpack query`: a pure function of tree, command, configuration and model."""

    query: str
    model_id: str
    profile: str
    items: tuple[Item, ...]
    budget: Budget
    dropped: tuple[Dropped, ...] = ()
    version: int = 1


@dataclass(frozen=True, slots=True)
class Hit:
    """One ranked chunk of `ctxpack search`; `score` in 0..1. Only a tie of the code graph has a `distance`."""

    id: str
    file: str
    start_line: int
    end_line: int
    score: float
    symbol: str | None = None
    type: str | None = None
    content: str | None = None
    relationship: tuple[str, ...] = ()
    distance: int | None = None
    why: tuple[Why, ...] = ()


@dataclass(frozen=True, slots=True)
class Hits:
    """`data` of `ctxpack search`, best first."""

    query: str
    model_id: str
    profile: str
    hits: tuple[Hit, ...]
    version: int = 1


@dataclass(frozen=True, slots=True)
class Symbol:
    """Where a symbol is defined; `id` is the chunk that defines it."""

    name: str
    qualified: str
    kind: str
    file: str
    line: int
    id: str


@dataclass(frozen=True, slots=True)
class Symbols:
    """`data` of `ctxpack symbols`, in the order of names, then files, then lines."""

    pattern: str | None
    symbols: tuple[Symbol, ...]
    version: int = 1


@dataclass(frozen=True, slots=True)
class Built:
    """`data` of `ctxpack index`: the generation that is live now, and the files by which it differs from the last."""

    generation: int
    model_id: str
    files: int
    chunks: int
    added: int
    changed: int
    removed: int
    version: int = 1


@dataclass(frozen=True, slots=True)
class Model:
    """An embedding model; `where` is empty for one that is not on this machine, `dimensions` 0 while unknown."""

    name: str
    model_id: str
    dimensions: int
    installed: bool
    where: str
    licence: str


@dataclass(frozen=True, slots=True)
class Models:
    """`data` of `ctxpack model list` and `ctxpack model pull`."""

    models: tuple[Model, ...]
    version: int = 1


@dataclass(frozen=True, slots=True)
class Cleaned:
    """`data` of `ctxpack clean`: the index folders that were removed."""

    removed: tuple[str, ...]
    version: int = 1


@dataclass(frozen=True, slots=True)
class Envelope:
    """The one JSON document that every command prints. `error` is there exactly when `status` is `error`."""

    status: Literal["ok", "error"]
    data: Mapping[str, object] | Sequence[object] | None
    hints: tuple[Hint, ...] = ()
    meta: Mapping[str, object] = field(default_factory=dict)
    error: Mapping[str, object] | None = None
