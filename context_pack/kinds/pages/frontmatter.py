"""The YAML frontmatter of a wiki page, with every scalar as text: a tag `on` or `2024` stays as written.

Most frontmatter is so plain that it can be read line by line, twenty times as fast as by PyYAML and with the same
result. PyYAML reads the rest, and is loaded only then.
"""

from __future__ import annotations

from functools import cache, lru_cache
from typing import Any

from context_pack.io.markdown_files import FrontmatterError
from contracts.lazy_regex import lazy_regex

MAX_DEPTH = 200
_NULLS = frozenset({"", "~", "null", "Null", "NULL"})
_FENCE = lazy_regex(r"(?m)^---[^\S\n]*$")

# A plain scalar in a block: no `: `, no ` #`, no colon at its end. In `[...]` also no comma, bracket or colon.
_PLAIN = r"\w(?:[^:#]|:(?=\S)|(?<=\S)#)*"
_FLOW = r"\w[^:#,\[\]{}\"]*"
_QUOTED = r"\"[^\"\\]*\"|'[^']*'"
_VALUE = rf"(?P<value>~|{_QUOTED}|{_PLAIN})"
_LIST = rf"\[ *(?:(?:{_FLOW}|{_QUOTED}) *(?:, *(?:{_FLOW}|{_QUOTED}) *)*)?\]"
_ENTRY = lazy_regex(rf"(?P<key>[A-Za-z][A-Za-z0-9_-]*):(?: +(?:(?P<list>{_LIST})|{_VALUE})?)? *")
_ITEM = lazy_regex(rf"(?P<indent> *)- +{_VALUE}? *")
_LIST_ITEM = lazy_regex(rf"{_QUOTED}|{_FLOW}")


def source_of(text: str) -> str:
    """The YAML between the fences, empty if the text has none. FrontmatterError if the second fence is missing."""
    opening = _FENCE.match(text)
    if opening is None or opening.end() == len(text):
        return ""
    closing = _FENCE.search(text, opening.end() + 1)
    if closing is None:
        raise FrontmatterError(1, "the frontmatter has no closing ---")
    return text[opening.end() + 1 : closing.start()]


def line_of(source: str, key: str) -> int:
    """The first line that starts with a key (1-based); 1 if there is none."""
    lines = enumerate(source.split("\n"), start=1)
    return next((number for number, line in lines if line.startswith(key)), 1)


def mapping(source: str) -> dict[str, Any]:
    """The mapping in a YAML text: values are texts, None, lists and mappings of them. FrontmatterError otherwise."""
    fields = read_plain(source)
    return read_yaml(source) if fields is None else fields


def read_plain(source: str) -> dict[str, Any] | None:
    """The mapping, if every line is plain: `key: text`, `key: [a, b]`, `key:` and `- item` lines. None otherwise."""
    fields: dict[str, Any] = {}
    key, indent = "", -1  # the key whose list may go on, and the indentation of its items
    for line in source.split("\n"):
        plain = _plain_line(line)
        if plain is None:
            return None
        name, deep, value, is_open = plain
        if name:
            fields[name] = list(value) if isinstance(value, tuple) else value
            key, indent = name if is_open else "", -1
        elif deep >= 0:
            if not key or indent not in {-1, deep}:
                return None
            fields[key] = [*(fields[key] or ()), value]
            indent = deep
    return fields


# The pages of a vault share most of their lines: `page-type: concept`, `tags: []`, `related:`.
@lru_cache(maxsize=1 << 13)
def _plain_line(line: str) -> tuple[str, int, str | tuple[str | None, ...] | None, bool] | None:
    """The key, the indentation of an item (-1: none), the value, and whether items may follow; None if not plain."""
    if not line.isprintable():
        return None
    if not line or line[0] == "#":
        return "", -1, None, False
    entry = _ENTRY.fullmatch(line)
    if entry is None:
        item = _ITEM.fullmatch(line)
        return None if item is None else ("", len(item["indent"]), _scalar(item["value"]), False)
    key, items = entry["key"], entry["list"]
    value = tuple(map(_scalar, _LIST_ITEM.findall(items))) if items else _scalar(entry["value"])
    # A list may only follow a key that has no value at all, not even `null`.
    return None if key in _NULLS else (key, -1, value, line.rstrip(" ")[-1] == ":")


def _scalar(written: str | None) -> str | None:
    text = (written or "").rstrip(" ")
    if text[:1] in ('"', "'"):
        return text[1:-1]
    return None if text in _NULLS else text


def read_yaml(source: str) -> dict[str, Any]:
    """The mapping, as PyYAML reads it. FrontmatterError names the line."""
    import yaml

    try:
        _check_depth(source)
        fields = yaml.load(source, _text_loader())
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        raise FrontmatterError(mark.line + 1 if mark else 1, f"not YAML: {error.problem or error.context}") from error
    except (yaml.YAMLError, RecursionError, ValueError) as error:
        raise FrontmatterError(1, f"not readable as YAML: {error}") from error
    if not isinstance(fields, dict | None):
        raise FrontmatterError(1, "not a mapping of keys to values")
    return {str(key): value for key, value in (fields or {}).items()}


def _check_depth(source: str) -> None:
    """FrontmatterError if the text is nested too deeply: PyYAML's loader in C recurses for each level, its parser does
    not. Every level needs one of these characters, so few texts have to be parsed.
    """
    if sum(map(source.count, "[{-:?")) <= MAX_DEPTH:
        return
    import yaml

    depth = 0
    for event in yaml.parse(source, _text_loader()):
        depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
        if depth > MAX_DEPTH:
            raise FrontmatterError(event.start_mark.line + 1, f"nested more than {MAX_DEPTH} deep")


@cache
def _text_loader() -> Any:
    """PyYAML's safe loader, in C if available, without its guesses at numbers, dates and booleans."""
    import yaml

    base = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    resolvers = {
        first: [one for one in guesses if one[0] == "tag:yaml.org,2002:null"]
        for first, guesses in base.yaml_implicit_resolvers.items()
    }
    return type("TextLoader", (base,), {"yaml_implicit_resolvers": resolvers})
