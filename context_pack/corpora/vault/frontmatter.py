"""The YAML frontmatter of a wiki page, with every scalar as text: a tag `on` or `2024` is what it says.

PyYAML reads it. Most frontmatter is so plain that it can be read line by line, twenty times as fast, with the same
result; what is not goes to PyYAML, which is loaded only then.
"""

from __future__ import annotations

import re
from typing import Any

FENCE = "---"
_NULLS = frozenset({"", "~", "null", "Null", "NULL"})

# A plain scalar in a block: no `: `, no ` #`, no colon at its end. In `[...]` also no comma, bracket or colon.
_PLAIN = r"\w(?:[^:#]|:(?=\S)|(?<=\S)#)*"
_FLOW = r"\w[^:#,\[\]{}\"]*"
_QUOTED = r"\"[^\"\\]*\"|'[^']*'"
_LINE = re.compile(r"(?P<key>[A-Za-z][A-Za-z0-9_-]*):(?: +(?P<value>.*))?")
_ITEM = re.compile(r"(?P<indent> *)- +(?P<value>.*)")
_SCALAR = re.compile(rf"{_PLAIN}|{_QUOTED}")
_LIST = re.compile(rf"\[ *(?:(?:{_FLOW}|{_QUOTED}) *(?:, *(?:{_FLOW}|{_QUOTED}) *)*)?\]")
_LIST_ITEM = re.compile(rf"{_QUOTED}|{_FLOW}")


class YamlError(ValueError):
    """What is wrong, and in which line of the text that was given (1-based)."""

    def __init__(self, line: int, message: str) -> None:
        super().__init__(message)
        self.line = line
        self.message = message


def split(text: str) -> tuple[str | None, int]:
    """The YAML between the fences (None when the text starts with no fence), and where the body starts.

    YamlError when a fence is opened and never closed.
    """
    if not text.startswith(FENCE):
        return None, 0
    first, newline, _ = text.partition("\n")
    if first.rstrip() != FENCE or not newline:
        return None, 0
    start = position = len(first) + 1
    while position < len(text):
        end = text.find("\n", position)
        end = len(text) if end < 0 else end
        if text[position:end].rstrip() == FENCE:
            return text[start:position], min(end + 1, len(text))
        position = end + 1
    raise YamlError(1, "the frontmatter has no closing ---")


def mapping(source: str) -> dict[str, Any]:
    """The mapping that a YAML text holds: values are texts, None, lists and mappings of them. YamlError otherwise."""
    found = read_plain(source)
    return read_yaml(source) if found is None else found


def read_plain(source: str) -> dict[str, Any] | None:
    """The mapping, if every line is plain: `key: text`, `key: [a, b]`, `key:` and `- item` lines. None otherwise."""
    found: dict[str, Any] = {}
    key, indent = "", -1  # the key whose list may go on, and how far its items are indented
    for line in source.split("\n"):
        if not line or line.startswith("#"):
            continue
        if not line.isprintable():
            return None
        entry = _LINE.fullmatch(line)
        if entry is not None:
            key, indent = entry["key"], -1
            value = _value(entry["value"])
            if value is NotImplemented or key in _NULLS:
                return None
            found[key] = value
            continue
        item = _ITEM.fullmatch(line)
        if item is None or not key or indent not in {-1, len(item["indent"])}:
            return None
        if indent < 0 and found[key] is not None:
            return None
        value = _scalar(item["value"].strip(" "))
        if value is NotImplemented:
            return None
        found[key] = [*(found[key] or ()), value]
        indent = len(item["indent"])
    return found


def read_yaml(source: str) -> dict[str, Any]:
    """The mapping, as PyYAML reads it. YamlError names the line."""
    import yaml

    try:
        loaded = yaml.load(source, _text_loader())
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        raise YamlError(mark.line + 1 if mark else 1, f"not YAML: {error.problem or error.context}") from error
    except (yaml.YAMLError, RecursionError, ValueError) as error:
        raise YamlError(1, f"not YAML that can be read: {error}") from error
    if loaded is None:
        return {}
    if not isinstance(loaded, dict):
        raise YamlError(1, "not a mapping of keys to values")
    return {str(key): value for key, value in loaded.items()}


def _value(raw: str | None) -> Any:
    """A value on the line of its key; NotImplemented when it is not plain."""
    text = (raw or "").strip(" ")
    if not text.startswith("["):
        return _scalar(text)
    if not _LIST.fullmatch(text):
        return NotImplemented
    items = [_scalar(item.strip(" ")) for item in _LIST_ITEM.findall(text[1:-1])]
    return NotImplemented if NotImplemented in items else items


def _scalar(text: str) -> Any:
    if text in _NULLS:
        return None
    if not _SCALAR.fullmatch(text):
        return NotImplemented
    return text[1:-1] if text[0] in "\"'" else text


_loader: Any = None


def _text_loader() -> Any:
    """PyYAML's safe loader, in C where it is built in, without the guesses at numbers, dates and booleans."""
    global _loader  # noqa: PLW0603 - made once, when PyYAML is there
    if _loader is None:
        import yaml

        base = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
        kept = "tag:yaml.org,2002:null"
        resolvers = {
            first: [(tag, form) for tag, form in known if tag == kept]
            for first, known in base.yaml_implicit_resolvers.items()
        }
        _loader = type("TextLoader", (base,), {"yaml_implicit_resolvers": resolvers})
    return _loader
