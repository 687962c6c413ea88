"""What a file exports, as its language says it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from index import Index

# How a definition says that it is, or is not, for others. Where a language has no mark, a leading underscore hides.
_OPEN = {
    "javascript": r"\bexport\b|\bmodule\.exports\b|^\s*exports\.", "typescript": r"\bexport\b", "tsx": r"\bexport\b",
    "rust": r"\bpub\b", "zig": r"\bpub\b", "csharp": r"\bpublic\b", "java": r"\bpublic\b",
}  # fmt: skip
_CLOSED = {
    "kotlin": r"\b(private|internal)\b", "scala": r"\bprivate\b", "swift": r"\b(private|fileprivate)\b",
    "c": r"^\s*static\b", "cpp": r"^\s*static\b", "php": r"\bprivate\b", "elixir": r"\bdefp\b", "lua": r"^\s*local\b",
}  # fmt: skip
_EXPORT_LIST = re.compile(r"export\s*(?:type\s*)?\{([^}]*)\}|module\.exports\s*=\s*\{([^}]*)\}")
_EXPORTED_NAME = re.compile(r"(?:[\w$]+\s+as\s+)?([A-Za-z_$][\w$]*)\s*(?:[:,]|$)")


def is_exported(name: str, line: str, language: str, listed: frozenset[str] = frozenset()) -> bool:
    """Whether a top-level definition is for others, by its name and first line; `listed`: names in export lists."""
    if name in listed:
        return True
    if language == "go":
        return name[:1].isupper()
    if language in _OPEN:
        return re.search(_OPEN[language], line) is not None
    if language in _CLOSED and re.search(_CLOSED[language], line):
        return False
    return not name.startswith("_")


def listed_exports(text: str, language: str) -> frozenset[str]:
    """The names in JavaScript's and TypeScript's export lists."""
    if language not in ("javascript", "typescript", "tsx"):
        return frozenset()
    lists = [one or other for one, other in _EXPORT_LIST.findall(text)]
    return frozenset(
        name for part in lists for item in part.split(",") for name in _EXPORTED_NAME.findall(item.strip())
    )


def exported(index: Index, file: str) -> Sequence[str]:
    """The names that a file of the index offers to others, in its order."""
    text, language = index.file_text(file) or "", index.language(file) or ""
    lines, listed = text.split("\n"), listed_exports(text, language)
    names = [
        row.name
        for row in index.defined_in(file)
        if row.qualified == row.name and is_exported(row.name, lines[row.line - 1], language, listed)
    ]
    return list(dict.fromkeys(names))
