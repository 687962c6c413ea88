"""The cells of a Jupyter notebook as a script with the notebook's line numbers."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

_TEXT = r'"(?:[^"\\]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*+"'
_CELL = re.compile(r'(\s*+)"cell_type": *+"(code|markdown|raw)",?\s*+')
_SOURCE = re.compile(rf'(\s*+)"source": *+\[?\s*+({_TEXT})?+\s*+(?:\],?|,)?+\s*+')
_LINE = re.compile(rf"\s*+({_TEXT}),?\s*+")
_MAGIC = re.compile(r"\s*[%!?]")


def script(text: str) -> str | None:
    """The source of the cells, each line at its own line number, with cells other than code as comments and blank lines
    for the rest (outputs, metadata); `# %%` starts a cell, as in the percent format of Jupytext.

    None if the file is not written as Jupyter writes it, one line per line of source.
    """
    lines = [line or "" for line in _lines(text)]
    return "\n".join(lines) if any(lines) else None


def _lines(text: str) -> Iterator[str | None]:
    cell, indent, within = "", "", False
    for line in text.split("\n"):
        source = _LINE.fullmatch(line) if within else None
        within = source is not None
        if source:
            yield _shown(source[1], cell)
        elif match := _CELL.fullmatch(line):
            indent, cell = match.groups()
            yield None
        elif (match := _SOURCE.fullmatch(line)) and match[1] == indent:
            within = match[2] is None
            yield _shown(match[2], cell) if match[2] else "# %%" if cell == "code" else f"# %% [{cell}]"
        else:
            yield None


def _shown(literal: str, cell: str) -> str:
    """A line of source, given as a JSON string, as a line of Python; text and notebook commands become comments."""
    source: str = json.loads(literal, strict=False)  # control characters need not be escaped
    text = source.encode("utf-8", "replace").decode()  # half a surrogate pair is not valid text
    line = text.rstrip("\n").replace("\n", " ")
    return f"# {line}".rstrip() if cell != "code" or _MAGIC.match(line) else line
