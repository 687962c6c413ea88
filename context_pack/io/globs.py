"""Globs over whole paths: `*` stays within a folder, `**` crosses folders, a plain path includes all files below it."""

from __future__ import annotations

import re
from functools import lru_cache

from context_pack.io.paths import plain
from index.tree.ignore import ALL, FOLDERS, STAR, regex_of

_SPECIAL = re.compile(r"[*?\[{]")
_MARK = "\0"  # marks the next character as literal; no path contains it
_PART = re.compile(r"(\0.|\*\*/|\*\*|\*|\?|\[[^\]/]*\])", re.DOTALL)
_MEMBER = re.compile(r"(.)-(.)|(.)", re.DOTALL)  # of a set
_BRACES = re.compile(r"(\{[^{}/]*\})")
MOST_CHOICES = 256
PATTERNS_KEPT = 1_024  # a server meets new ones as long as it runs


def holds(pattern: str, path: str) -> bool:
    """Whether `path` matches the pattern or lies below a plain path, by whole path components."""
    wanted = plain(pattern)
    if not wanted:
        return plain(pattern.replace(".", "")) == "" and "." in pattern  # `.` and `./` are the root itself
    own = plain(path)
    if _SPECIAL.search(wanted):
        return any(regex.fullmatch(own) for regex in _compiled(wanted))
    return own == wanted or own.startswith(wanted + "/")


@lru_cache(maxsize=PATTERNS_KEPT)
def _compiled(pattern: str) -> tuple[re.Pattern[str], ...]:
    """A regular expression for each choice of the braces."""
    return tuple(re.compile(regex_of(_tokens(one)), re.DOTALL) for one in _choices(pattern))


def _choices(pattern: str) -> list[str]:
    """The patterns that the braces expand to; the pattern unchanged if that is more than MOST_CHOICES."""
    patterns = [""]
    for part in _BRACES.split(pattern):
        ends = part[1:-1].split(",") if _BRACES.fullmatch(part) else [part]
        if len(patterns) * len(ends) > MOST_CHOICES:
            return [pattern]
        # Text in braces is literal, so each of its characters is marked.
        literal = len(ends) > 1 or part is not ends[0]
        patterns = [start + (_MARK.join(["", *end]) if literal else end) for start in patterns for end in ends]
    return patterns


def _tokens(pattern: str) -> list[str]:
    tokens: list[str] = []
    fresh = True
    for part in _PART.split(pattern):
        if not part:
            continue
        if part == "**/" and tokens and tokens[-1] == ALL:
            continue  # the `**` before it matches these folders already
        tokens += _translated(part, fresh)
        fresh = part.endswith("/")
    return tokens


def _translated(part: str, fresh: bool) -> list[str]:
    if part == "**/":
        return [FOLDERS] if fresh else [ALL, "/"]
    fixed = {"**": ALL, "*": STAR, "?": "[^/]"}
    if part in fixed:
        return [fixed[part]]
    if part.startswith("[") and part.endswith("]") and len(part) > 2:
        negated = part[1] in "!^" and len(part) > 3
        members = "".join(map(_member, _MEMBER.finditer(part[1 + negated : -1])))
        return [f"[^{members}/]" if negated else f"[{members}]" if members else "(?!)"]
    return [re.escape(part.replace(_MARK, ""))]


def _member(match: re.Match[str]) -> str:
    """A character or a range of a set as a regular expression; empty for an empty range."""
    first, last = match[1] or match[3], match[2] or match[3]
    if first == last:
        return re.escape(first)
    return f"{re.escape(first)}-{re.escape(last)}" if first < last else ""
