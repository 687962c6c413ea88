"""The code of an item as HTML: highlighted by pygments, with the line numbers of the file."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from markupsafe import Markup, escape

from contracts.records import Item

LIGHT, DARK = "default", "github-dark"
_CONTROLS = {code: 0xFFFD for code in (*range(9), 11, 12, *range(14, 32), 0x7F)}  # what HTML cannot hold


def styles() -> tuple[str, str]:
    """The rules for highlighted code: for light and for dark."""
    from pygments.formatters import HtmlFormatter

    light, dark = (HtmlFormatter(style=style).get_style_defs(".code") for style in (LIGHT, DARK))
    return light, dark


def code(item: Item) -> Markup:
    """The lines, each with its number beside the text; those that changed are marked."""
    numbers = line_numbers(item, item.content.split("\n"))
    changed = {number for start, end in item.changed for number in range(start, end + 1)}
    rows = (
        Markup('<span class="line{}" data-n="{}">{}\n</span>').format(
            " changed" if number in changed else "", number or "", html
        )
        for number, html in zip(numbers, _html(item), strict=True)
    )
    return Markup('<pre class="code"><code>{}</code></pre>').format(Markup("").join(rows))


def line_numbers(item: Item, lines: Sequence[str]) -> list[int | None]:
    """The file's number of each line of an item: None for imports, the marks of what is left out, and where unsure."""
    head = len("\n".join(item.imports).split("\n")) + 1 if item.imports else 0
    gaps = dict(item.elided)
    numbers: list[int | None] = [None] * head
    number = item.start_line
    for _ in lines[head:]:
        if number in gaps:
            numbers.append(None)
            number = gaps[number] + 1
        else:
            numbers.append(number)
            number += 1
    sure = number == item.end_line + 1 and len(numbers) == len(lines)
    return numbers if sure else [None] * len(lines)


def _html(item: Item) -> list[Markup]:
    """The lines as HTML; plain where no lexer keeps them apart as they are."""
    text = item.content.translate(_CONTROLS).replace("\r", "")
    plain = [escape(line) for line in text.split("\n")]
    from pygments import highlight
    from pygments.formatters import HtmlFormatter

    lexer = _lexer(item.file)
    if lexer is None:
        return plain
    lines = [Markup(line) for line in highlight(text, lexer, HtmlFormatter(nowrap=True)).split("\n")]
    return lines[: len(plain)] if len(lines) in (len(plain), len(plain) + 1) else plain


def _lexer(file: str) -> Any:
    from pygments.lexers import get_lexer_for_filename
    from pygments.util import ClassNotFound

    try:
        return get_lexer_for_filename(file.rpartition("/")[2], stripnl=False, ensurenl=False)
    except ClassNotFound:
        return None
