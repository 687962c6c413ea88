"""Regular expressions that are compiled on first use: most commands use few of those that they import."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any, AnyStr, cast


def lazy_regex(pattern: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:
    """A stand-in with the attributes of the compiled pattern; it compiles when one of them is first read."""
    return cast("re.Pattern[AnyStr]", _LazyRegex(pattern, flags))


def with_parts(pattern: str, parts: Iterable[tuple[str, str]]) -> str:
    """A pattern with its parts in capitals replaced by what they stand for, which may contain later ones."""
    for name, part in parts:
        pattern = pattern.replace(name, part)
    return pattern


class _LazyRegex:
    def __init__(self, pattern: str | bytes, flags: int) -> None:
        self._pattern, self._flags = pattern, flags

    def __getattr__(self, name: str) -> Any:
        """The pattern's attribute, stored on this object so that the next look-up bypasses this method."""
        value = getattr(re.compile(self._pattern, self._flags), name)
        setattr(self, name, value)
        return value
