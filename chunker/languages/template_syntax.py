"""How templates mark their code, by the end of a file's name: the records of `templates.tsv`."""

from __future__ import annotations

import re
from typing import Final

from contracts.frozen import frozen
from contracts.rows import rows


@frozen
class TemplateSyntax:
    """`code`: the marks around each code part; none if all of the file counts. See `templates.tsv`."""

    code: tuple[tuple[bytes, bytes], ...]
    bare: bool = False
    actions: bool = False
    tags: bool = False


def _records() -> dict[str, TemplateSyntax]:
    records: dict[str, TemplateSyntax] = {}
    for suffixes, code, *marks in rows(__file__, "templates.tsv"):
        words = {word: True for word in " ".join(marks).split()}
        ends = code.encode().split() if code != "-" else []
        syntax = TemplateSyntax(tuple(zip(ends[::2], ends[1::2], strict=True)), **words)
        records |= dict.fromkeys(suffixes.split(), syntax)
    return records


_SYNTAXES: Final = _records()
# What ends the path of a template: `.html.erb`, `.blade.php`, `.html`
TEMPLATE_END: Final = re.compile(
    rf"(?:\.(?:html?|xml|txt|text|js|json|turbo_stream))?(?:{'|'.join(map(re.escape, sorted(_SYNTAXES)))})$"
)


def template_syntax(path: str) -> TemplateSyntax | None:
    """The record of a template; None for another file."""
    name = path.rpartition("/")[2]
    while "." in name:
        name = name.partition(".")[2]
        if syntax := _SYNTAXES.get(f".{name}"):
            return syntax
    return None


def is_template(path: str) -> bool:
    return TEMPLATE_END.search(path) is not None
