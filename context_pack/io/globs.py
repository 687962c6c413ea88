"""Globs over whole paths, as in ignore files, with braces; a plain path includes all files below it."""

from __future__ import annotations

import re
from functools import lru_cache

from context_pack.io.paths import plain
from context_pack.options.values import alternatives
from index.tree.ignore import wildmatch

_SPECIAL = re.compile(r"[*?\[{]")
PATTERNS_KEPT = 1_024  # a server meets new ones as long as it runs


def holds(pattern: str, path: str) -> bool:
    """Whether `path` matches the pattern or lies below a plain path, by whole path components."""
    wanted = plain(pattern)
    if not wanted:
        return plain(pattern.replace(".", "")) == "" and "." in pattern  # `.` and `./` are the root itself
    own = plain(path)
    if _SPECIAL.search(wanted):
        return any(regex.fullmatch(own.encode("utf-8", "surrogatepass")) for regex in _compiled(wanted))
    return own == wanted or own.startswith(wanted + "/")


@lru_cache(maxsize=PATTERNS_KEPT)
def _compiled(pattern: str) -> tuple[re.Pattern[bytes], ...]:
    """A regular expression for each choice of the braces, without those that match nothing."""
    regexes = (wildmatch(one.encode("utf-8", "surrogatepass")) for one in _choices(pattern))
    return tuple(re.compile(regex, re.DOTALL) for regex in regexes if regex is not None)


def _choices(pattern: str) -> list[str]:
    """The patterns that the braces expand to; the pattern unchanged if they are too many."""
    try:
        return alternatives(pattern)
    except ValueError:
        return [pattern]
