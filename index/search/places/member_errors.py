"""Reads the messages of runtimes about members that a value lacks, and of databases about columns and tables."""

from __future__ import annotations

import re

from contracts.lazy_regex import lazy_regex
from contracts.rows import rows

MAX_CHARS = 1_000  # of a message; a longer text is no message alone
_MAY_NAME = lazy_regex(
    r"column|relation|(?:no such |\b)table|Field '|object name|\b(?:field|attribute|property)\b", re.I
)
_MAY_BE = lazy_regex(r"no attribute|Cannot |undefined method|member function|property|attempt to")


def missing_member(text: str) -> tuple[str, str, str] | None:
    """The type, if it is printed, the member that it lacks, and the text around a message that says so; None for other
    texts."""
    if len(text) > MAX_CHARS or not _MAY_BE.search(text):
        return None
    matches = (re.search(pattern, text) for _, pattern in rows(__file__, "member_errors.tsv"))
    match = next(filter(None, matches), None)
    if match is None:
        return None
    return match.groupdict().get("type") or "", match["member"], f"{text[: match.start()]} {text[match.end() :]}"


def named_column(text: str) -> tuple[str, str, str] | None:
    """The table and the column, or one of them, that a message of a database or a phrase names, and the text around it;
    None for other texts."""
    if len(text) > MAX_CHARS or not _MAY_NAME.search(text):
        return None
    matches = (re.search(pattern, text) for _, pattern in rows(__file__, "columns.tsv"))
    match = next(filter(None, matches), None)
    if match is None:
        return None
    groups = match.groupdict()
    around = f"{text[: match.start()]} {text[match.end() :]}"
    return groups.get("table") or "", groups.get("column") or "", around
