"""The restricted frontmatter of work graphs. It looks like YAML and is not: one `key: value` a line, nothing nested."""

from __future__ import annotations

import re

from context_pack.patterns import later

FENCE = "---"
_CLOSING = later(r"^---[^\S\n]*$", re.MULTILINE)
_KEY = later(r"[a-z][a-z0-9_]*")
_FIELD = later(r"\s*([a-z][a-z0-9_]*)\s*:\s*(\S(?:.*\S)?)\s*")

Value = str | bool | list[str]
Field = tuple[Value, int]  # and its line
_WORDS: dict[str, Value] = {"true": True, "false": False}


class FrontmatterError(ValueError):
    """What is wrong, and in which line of the file (1-based)."""

    def __init__(self, line: int, message: str) -> None:
        super().__init__(message)
        self.line = line
        self.message = message


def parse(text: str) -> tuple[dict[str, Field], str]:
    """The fields in their order, and the body: all after the closing fence, with trailing white space trimmed.

    Line ends are LF or CRLF; the body's are LF. FrontmatterError names the first line that is not of the form.
    """
    if "\r\n" in text:
        text = text.replace("\r\n", "\n")
    first = text.partition("\n")[0]
    if first.rstrip() != FENCE or not first.startswith(FENCE):
        raise FrontmatterError(1, "the first line is not ---")
    start = len(first) + 1
    closing = _CLOSING.search(text, start)
    lines = text[start : closing.start() if closing else len(text)].split("\n")
    fields: dict[str, Field] = {}
    for number, line in enumerate(lines[:-1] if closing else lines, start=2):
        entry = _FIELD.fullmatch(line)
        if entry is None:
            if closing is None and not line and number == len(lines) + 1:  # the end of the last line
                break
            raise FrontmatterError(number, _complaint(line))
        key, raw = entry.groups()
        if key in fields:
            raise FrontmatterError(number, f"the key {key} is there twice (first in line {fields[key][1]})")
        fields[key] = (_items(key, raw, number) if raw[0] == "[" else _WORDS.get(raw, raw), number)
    if closing is None:
        raise FrontmatterError(1, "the frontmatter has no closing ---")
    return fields, text[closing.end() + 1 :].rstrip()


def _complaint(line: str) -> str:
    """What is wrong with a line that is no field."""
    key, colon, _ = (part.strip() for part in line.partition(":"))
    if not colon:
        return f"not key: value but {_clipped(line)}" if line.strip() else "a blank line"
    if not _KEY.fullmatch(key):
        return f"{_clipped(key)} is no key: keys are a-z, then a-z, 0-9 and _"
    return f"{key} has no value"


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
