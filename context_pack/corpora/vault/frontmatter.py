"""The YAML frontmatter of a wiki page, with every scalar as text: a tag `on` or `2024` is what it says.

PyYAML reads it. Most frontmatter is so plain that it can be read line by line, twenty times as fast, with the same
result; what is not goes to PyYAML, which is loaded only then.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any

from context_pack.patterns import later

FENCE = "---"
_FENCE_LINE = f"\n{FENCE}"
MAX_DEPTH = 200
LINES_KEPT = 1 << 13
_NULLS = frozenset({"", "~", "null", "Null", "NULL"})

# A plain scalar in a block: no `: `, no ` #`, no colon at its end. In `[...]` also no comma, bracket or colon.
_PLAIN = r"\w(?:[^:#]|:(?=\S)|(?<=\S)#)*"
_FLOW = r"\w[^:#,\[\]{}\"]*"
_QUOTED = r"\"[^\"\\]*\"|'[^']*'"
_SCALAR = rf"(?P<quoted>{_QUOTED})|(?P<plain>{_PLAIN})"
_LIST = rf"\[ *(?:(?:{_FLOW}|{_QUOTED}) *(?:, *(?:{_FLOW}|{_QUOTED}) *)*)?\]"
_ENTRY = later(rf"(?P<key>[A-Za-z][A-Za-z0-9_-]*):(?: +(?:(?P<list>{_LIST})|~|{_SCALAR})?)? *")
_ITEM = later(rf"(?P<indent> *)- +(?:~|{_SCALAR})? *")
_LIST_ITEM = later(rf"{_QUOTED}|{_FLOW}")


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
    start = len(first) + 1
    opening = len(first)  # the line break before the line that is looked at
    while (opening := text.find(_FENCE_LINE, opening)) >= 0:
        end = text.find("\n", opening + 1)
        end = len(text) if end < 0 else end
        rest = text[opening + len(_FENCE_LINE) : end]
        if not rest or rest.isspace():
            return text[start : opening + 1], min(end + 1, len(text))
        opening = end
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
        plain = _plain_line(line)
        if plain is None:
            return None
        name, deep, value, is_open = plain
        if name:
            found[name] = list(value) if isinstance(value, tuple) else value
            key, indent = name if is_open else "", -1
        elif deep >= 0:
            if not key or indent not in {-1, deep}:
                return None
            found[key] = [*(found[key] or ()), value]
            indent = deep
    return found


# The pages of a vault have most of their lines in common: `page-type: concept`, `tags: []`, `related:`.
@lru_cache(maxsize=LINES_KEPT)
def _plain_line(line: str) -> tuple[str, int, str | tuple[str | None, ...] | None, bool] | None:
    """The key, the indentation of an item (-1: none), the value, and whether items may follow; None if not plain."""
    if not line or line[0] == "#":
        return ("", -1, None, False) if line.isprintable() else None
    if not line.isprintable():
        return None
    entry = _ENTRY.fullmatch(line)
    if entry is not None:
        key, written = entry["key"], entry["list"]
        if key in _NULLS:
            return None
        # A list may only follow a key that has no value at all, not even `null`.
        return key, -1, tuple(_items(written)) if written else _scalar(entry), line.rstrip(" ")[-1] == ":"
    item = _ITEM.fullmatch(line)
    return None if item is None else ("", len(item["indent"]), _scalar(item), False)


def read_yaml(source: str) -> dict[str, Any]:
    """The mapping, as PyYAML reads it. YamlError names the line."""
    import yaml

    try:
        _check_depth(source)
        loaded = yaml.load(source, _text_loader())
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        raise YamlError(mark.line + 1 if mark else 1, f"not YAML: {error.problem or error.context}") from error
    except YamlError:
        raise
    except (yaml.YAMLError, RecursionError, ValueError) as error:
        raise YamlError(1, f"not YAML that can be read: {error}") from error
    if loaded is None:
        return {}
    if not isinstance(loaded, dict):
        raise YamlError(1, "not a mapping of keys to values")
    return {str(key): value for key, value in loaded.items()}


def _scalar(match: re.Match[str]) -> str | None:
    """The scalar of a line: quoted, plain, or none at all."""
    quoted, plain = match["quoted"], match["plain"]
    if quoted:
        return str(quoted[1:-1])
    text = (plain or "").rstrip(" ")
    return None if text in _NULLS else text


def _items(written: str) -> list[str | None]:
    """The items of `[a, "b c"]`."""
    inner = written[1:-1]
    if '"' in inner or "'" in inner:
        parts = [part.strip(" ") for part in _LIST_ITEM.findall(inner)]
        return [part[1:-1] if part[0] in "\"'" else _null(part) for part in parts]
    return [_null(part.strip(" ")) for part in inner.split(",")] if inner.strip(" ") else []


def _null(text: str) -> str | None:
    return None if text in _NULLS else text


def _check_depth(source: str) -> None:
    """YamlError when the text is nested too deeply: PyYAML's loader in C calls itself for every level, and crashes.

    Its parser does not. Every level takes one of these characters, so that few texts have to be looked at.
    """
    if sum(map(source.count, "[{-:?")) <= MAX_DEPTH:
        return
    import yaml

    depth = 0
    for event in yaml.parse(source, _text_loader()):
        if isinstance(event, yaml.CollectionStartEvent):
            depth += 1
            if depth > MAX_DEPTH:
                raise YamlError(event.start_mark.line + 1, f"nested more than {MAX_DEPTH} deep")
        elif isinstance(event, yaml.CollectionEndEvent):
            depth -= 1


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
