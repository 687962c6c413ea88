"""The four import packages have plain names: notice when another distribution's was found instead of ours."""

from __future__ import annotations

import os.path
from importlib.util import find_spec

ROOMS = ("contracts", "chunker", "index")


def stranger() -> str | None:
    """One sentence about a package that is not ours, or None. Nothing is imported to find out."""
    house = _house(__file__)
    for room in ROOMS:
        spec = find_spec(room)
        place = spec.origin if spec is not None else None
        if place is None or _house(place) != house:
            found = f"`{room}` was found in {place}, which is not part of ctxpack" if place else f"`{room}` is missing"
            return (
                f"{found}: another package of that name stands in the way, so install ctxpack on its own, "
                "with `pipx install ctxpack` or `uv tool install ctxpack`."
            )
    return None


def _house(module_file: str) -> str:
    """The folder that holds a package, given one of the package's files."""
    return os.path.dirname(os.path.dirname(os.path.realpath(module_file)))  # noqa: PTH120 - no pathlib before start-up
