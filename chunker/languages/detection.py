"""Detects the language of a file by its name, its first line, or words at its top if languages share an extension."""

from __future__ import annotations

import re
from functools import cache
from posixpath import basename

from chunker.languages.table import BY_EXTENSION, BY_FILENAME, BY_INTERPRETER, BY_MODE
from contracts.rows import rows

_SHEBANG = re.compile(rb"#!\s*(?:\S*/)?(?:env\s+(?:-\S+\s+)*)?([A-Za-z][\w+-]*?)[\d.]*(?:\s|$)")
_MODELINE = re.compile(rb"-\*-\s*(?:mode:\s*)?([A-Za-z+#]+)\s*;?.*?-\*-")

HEAD_BYTES = 65_536  # headers of C++ may begin with hundreds of lines that are C, too


@cache
def _by_content() -> list[tuple[str, str, re.Pattern[bytes]]]:
    """(extension, language, pattern of file heads) for the extensions that several languages share, in order."""
    return [(end, name, re.compile(pattern.encode())) for end, name, pattern in rows(__file__, "heads.tsv")]


def detect_language(path: str, head: bytes = b"") -> str | None:
    """The name of the matching record in `LANGUAGES`, or None if no language of the table matches.

    `path` has forward slashes; `head` is the file or its start (if it is empty, the name alone decides).
    """
    name = basename(path)
    if name in BY_FILENAME:
        return BY_FILENAME[name]
    stem, dot, end = name.rpartition(".")
    extension = dot + end.lower() if stem else ""
    for shared, language, pattern in _by_content() if head else ():
        if shared == extension and pattern.search(head[:HEAD_BYTES]):
            return language
    # `Dockerfile.dev`, `.env.local`, `ChangeLog-2013`: the part before the first mark is a file name of the table.
    by_stem = BY_FILENAME.get(name[:1] + re.split(r"[.-]", name[1:], maxsplit=1)[0])
    return BY_EXTENSION.get(extension) or by_stem or _by_first_line(head)


def _by_first_line(head: bytes) -> str | None:
    first = head[:200].partition(b"\n")[0]
    if first.startswith(b"#!") and (match := _SHEBANG.match(first)):
        return BY_INTERPRETER.get(match[1].decode("ascii"))
    if match := _MODELINE.search(first):
        return BY_MODE.get(match[1].decode("ascii").lower())
    return None
