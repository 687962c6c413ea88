"""Globs over whole paths: `*` stays within a folder, `**` crosses folders, a plain path means all that is below it."""

from __future__ import annotations

import re
from functools import cache

from context_pack.corpora.inside import plain

_SPECIAL = re.compile(r"[*?\[{]")
_PART = re.compile(r"(\*\*/|\*\*|\*|\?|\[[^\]/]*\]|\{[^{}/]*\})")


def holds(pattern: str, path: str) -> bool:
    """Whether `path` is, or lies below, what the pattern names; by whole path components."""
    wanted = plain(pattern)
    if not wanted:
        return plain(pattern.replace(".", "")) == "" and "." in pattern  # `.` and `./` are the root itself
    if _SPECIAL.search(wanted):
        return _compiled(wanted).fullmatch(plain(path)) is not None
    own = plain(path)
    return own == wanted or own.startswith(wanted + "/")


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile("".join(map(_translated, _PART.split(pattern))), re.DOTALL)


def _translated(part: str) -> str:
    fixed = {"**/": "(?:.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]"}
    if part in fixed:
        return fixed[part]
    if part.startswith("[") and part.endswith("]") and len(part) > 2:
        inner = part[1:-1].replace("\\", "\\\\")
        return f"[^{inner[1:]}/]" if inner[0] in "!^" and len(inner) > 1 else f"[{inner}]"
    if part.startswith("{") and part.endswith("}") and len(part) > 1:
        return f"(?:{'|'.join(map(re.escape, part[1:-1].split(',')))})"
    return re.escape(part)
