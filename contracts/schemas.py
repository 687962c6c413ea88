"""The JSON Schemas (draft 2020-12) of everything that ctxpack prints, by name."""

from __future__ import annotations

from functools import cache
from typing import Any

VERSION = "v1"
_SUFFIX = ".schema.json"


def names() -> tuple[str, ...]:
    """The schemas there are, sorted: `context_pack`, `envelope`, `error`, ..."""
    return tuple(sorted(entry.name.removesuffix(_SUFFIX) for entry in _folder().iterdir()))


@cache
def schema(name: str) -> dict[str, Any]:
    """One schema. Its `$id` is `urn:ctxpack:command:v1:NAME`; KeyError when there is none of that name."""
    import json

    if name not in names():
        raise KeyError(f"no schema named {name}: there are {', '.join(names())}")
    loaded: dict[str, Any] = json.loads(_folder().joinpath(name + _SUFFIX).read_text("utf-8"))
    return loaded


def _folder() -> Any:
    from importlib.resources import files

    return files("contracts") / "command" / VERSION
