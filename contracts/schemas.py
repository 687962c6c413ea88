"""The JSON Schemas (draft 2020-12) of everything that ctxpack prints, by name."""

from __future__ import annotations

from functools import cache
from typing import Any

FAMILIES = ("command/v1", "task/v1", "turn/v1")
_SUFFIX = ".schema.json"


def names() -> tuple[str, ...]:
    """The schemas there are, sorted: `context_pack`, `envelope`, `error`, ..."""
    return tuple(sorted(_files()))


@cache
def schema(name: str) -> dict[str, Any]:
    """One schema. Its `$id` is `urn:ctxpack:FAMILY:v1:NAME`; KeyError when there is none of that name."""
    import json

    if name not in names():
        raise KeyError(f"no schema named {name}: there are {', '.join(names())}")
    loaded: dict[str, Any] = json.loads(_files()[name].read_text("utf-8"))
    return loaded


@cache
def _files() -> dict[str, Any]:
    """The schema files of every family, by name; a name occurs in one family only."""
    from importlib.resources import files

    root = files("contracts")
    entries = [entry for family in FAMILIES for entry in root.joinpath(*family.split("/")).iterdir()]
    return {entry.name.removesuffix(_SUFFIX): entry for entry in entries if entry.name.endswith(_SUFFIX)}
