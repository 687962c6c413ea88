"""Reads the messages of runtimes about members that a value lacks."""

from __future__ import annotations

import re

from contracts.lazy_regex import lazy_regex
from contracts.rows import rows

MAX_CHARS = 1_000  # of a message; a longer text is no message alone
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
