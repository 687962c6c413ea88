"""The YAML frontmatter of a wiki page, with every scalar as text: a tag `on` or `2024` stays as written.

PyYAML's loader in C takes 0.04 ms for a page.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from context_pack.io.markdown_files import FrontmatterError
from contracts.lazy_regex import lazy_regex

MAX_DEPTH = 200
_FENCE = lazy_regex(r"(?m)^---[^\S\n]*$")


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
    """The mapping in a YAML text: values are texts, None, lists and mappings of them. FrontmatterError names the line
    of a fault."""
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
    """PyYAML's safe loader, in C if available, without numbers, dates and booleans, neither guessed nor by their tags,
    and without merge keys, with which a small text means a large mapping."""
    import yaml

    base = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    null, *collections = (f"tag:yaml.org,2002:{kind}" for kind in ("null", "seq", "map"))
    resolvers = {
        first: [one for one in guesses if one[0] == null] for first, guesses in base.yaml_implicit_resolvers.items()
    }
    constructors = {
        tag: construct if tag in (None, null, *collections) else base.construct_yaml_str
        for tag, construct in base.yaml_constructors.items()
    }
    return type("TextLoader", (base,), {
        "yaml_implicit_resolvers": resolvers, "yaml_constructors": constructors, "flatten_mapping": lambda *_: None,
    })  # fmt: skip
