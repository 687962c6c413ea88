"""Reads the messages of runtimes about members that a value lacks, and of databases about columns and tables."""

from __future__ import annotations

import re

from contracts.lazy_regex import lazy_regex
from contracts.rows import rows

MAX_CHARS = 1_000  # of a message; a longer text is no message alone
_MAY_NAME = lazy_regex(
    r"column|relation|\A(?:select|delete|insert|update)\s"
    r"|(?:no such |\b)table|Field '|object name|\b(?:field|attribute|property)\b",
    re.I,
)
_MAY_BE = lazy_regex(r"no attribute|Cannot |undefined method|member function|property|attempt to")


def missing_member(text: str) -> tuple[str, str, str] | None:
    """The type, if it is printed, the member that it lacks, and the text around a message that says so; None for other
    texts."""
    match = _match(text, _MAY_BE, "member_errors.tsv")
    return (match.groupdict().get("type") or "", match["member"], _around(match)) if match else None


def named_column(text: str) -> tuple[str, str, str] | None:
    """The table and the column, or one of them, that a message of a database or a phrase names, and the text around it;
    None for other texts."""
    match = _match(text, _MAY_NAME, "columns.tsv")
    groups = match.groupdict() if match else {}
    return (groups.get("table") or "", groups.get("column") or "", _around(match)) if match else None


def _match(text: str, usual: re.Pattern[str], table: str) -> re.Match[str] | None:
    """The match of the first pattern of a table that fits a text with one of its usual words."""
    if len(text) > MAX_CHARS or not usual.search(text):
        return None
    return next(filter(None, (re.search(pattern, text) for _, pattern in rows(__file__, table))), None)


def _around(match: re.Match[str]) -> str:
    return f"{match.string[: match.start()]} {match.string[match.end() :]}"
