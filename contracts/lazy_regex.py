"""Regular expressions that are compiled when they are first used: most commands use few of those that they import."""

from __future__ import annotations

import re
from typing import Any, AnyStr, cast


def later(pattern: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:
    """The compiled pattern, as far as its methods go; compiling waits for the first of them."""
    return cast("re.Pattern[AnyStr]", _Later(pattern, flags))


class _Later:
    def __init__(self, pattern: str | bytes, flags: int) -> None:
        self._pattern, self._flags = pattern, flags

    def __getattr__(self, name: str) -> Any:
        """The pattern's own attribute, stored here: the next look-up does not come to this method."""
        value = getattr(re.compile(self._pattern, self._flags), name)
        setattr(self, name, value)
        return value
