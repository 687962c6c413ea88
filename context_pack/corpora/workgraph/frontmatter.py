"""The restricted frontmatter of work graphs. It looks like YAML and is not: one `key: value` a line, nothing nested."""

from __future__ import annotations

import re
from typing import NamedTuple

FENCE = "---"
_KEY = re.compile(r"[a-z][a-z0-9_]*")

Value = str | bool | list[str]


class FrontmatterError(ValueError):
    """What is wrong, and in which line of the file (1-based)."""

    def __init__(self, line: int, message: str) -> None:
        super().__init__(message)
        self.line = line
        self.message = message


class Field(NamedTuple):
    value: Value
    line: int


def parse(text: str) -> tuple[dict[str, Field], str]:
    """The fields in their order, and the body: all after the closing fence, with trailing white space trimmed.

    Line ends are LF or CRLF; the body's are LF. FrontmatterError names the first line that is not of the form.
    """
    if "\r\n" in text:
        text = text.replace("\r\n", "\n")
    if not text.startswith(FENCE) or text.partition("\n")[0].rstrip() != FENCE:
        raise FrontmatterError(1, "the first line is not ---")
    fields: dict[str, Field] = {}
    number, start = 1, text.find("\n") + 1
    while 0 < start < len(text):
        number += 1
        end = text.find("\n", start)
        line = text[start : end if end >= 0 else len(text)]
        start = end + 1
        if line.rstrip() == FENCE:
            return fields, text[start:].rstrip() if start else ""
        key, value = _field(line, number)
        if key in fields:
            raise FrontmatterError(number, f"the key {key} is there twice (first in line {fields[key].line})")
        fields[key] = Field(value, number)
    raise FrontmatterError(1, "the frontmatter has no closing ---")


def _field(line: str, number: int) -> tuple[str, Value]:
    key, colon, raw = line.partition(":")
    key, raw = key.strip(), raw.strip()
    if not colon:
        raise FrontmatterError(number, f"not key: value but {_clipped(line)}" if line.strip() else "a blank line")
    if not _KEY.fullmatch(key):
        raise FrontmatterError(number, f"{_clipped(key)} is no key: keys are a-z, then a-z, 0-9 and _")
    if not raw:
        raise FrontmatterError(number, f"{key} has no value")
    if raw[0] == "[":
        return key, _items(key, raw, number)
    return key, raw == "true" if raw in {"true", "false"} else raw


def _items(key: str, raw: str, number: int) -> list[str]:
    if raw[-1] != "]" or len(raw) < 2:
        raise FrontmatterError(number, f"the list of {key} starts with [ and does not end with ]")
    inner = raw[1:-1].strip()
    if not inner:
        return []
    items = [item.strip() for item in inner.split(",")]
    if not all(items):
        raise FrontmatterError(number, f"the list of {key} has an empty item")
    return items


def _clipped(text: str) -> str:
    return repr(text if len(text) <= 60 else text[:57] + "...")
