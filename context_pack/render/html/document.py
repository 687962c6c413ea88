"""Fills the template of the HTML page; code is highlighted and has the line numbers of the file."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Sequence
from importlib.resources import files
from itertools import accumulate, pairwise

from jinja2 import Environment, StrictUndefined
from markupsafe import Markup, escape
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import get_lexer_for_filename
from pygments.util import ClassNotFound

from context_pack.render import JSON as COSTS
from context_pack.render import phrases
from context_pack.render.html.graph import Drawing
from context_pack.render.html.reasons import Reason, reasons, strongest
from contracts.frozen import frozen
from contracts.records import Hint, Item, Pack

BAR = 100_000  # units of the bar's width
_CONTROLS = {code: 0xFFFD for code in (*range(9), 11, 12, *range(14, 32), 0x7F)}  # what HTML cannot contain


@frozen
class Entry:
    """An item on the page: `start` to `end` is its part of the bar."""

    number: int
    item: Item
    cost: int
    why: Sequence[Reason]
    start: int
    end: int


def document(pack: Pack, drawing: Drawing | None = None, hints: Sequence[Hint] = ()) -> str:
    """The whole document, to its last newline; `drawing` shows the graph around the primary items."""
    costs = [COSTS.item_chars(item) for item in pack.items]
    ends = pairwise(BAR * cost // max(1, pack.budget.max_chars) for cost in accumulate(costs, initial=0))
    rows = zip(range(1, len(costs) + 1), pack.items, costs, reasons(pack.items), ends, strict=True)
    light, dark = (HtmlFormatter(style=name).get_style_defs(".code") for name in ("default", "github-dark"))
    style = f"{_text('page.css')}{light}\n@media (prefers-color-scheme: dark) {{\n{dark}\n}}\n"
    script = _text("page.js")
    environment = Environment(autoescape=True, trim_blocks=True, lstrip_blocks=True, undefined=StrictUndefined)
    return environment.from_string(_text("page.html.j2")).render(
        pack=pack, budget=pack.budget, hints=hints, phrases=phrases, code=_code, strongest=strongest,
        entries=[Entry(number, item, cost, why, *part) for number, item, cost, why, part in rows],
        drawing=drawing,
        style=Markup(style), script=Markup(script), style_hash=_hash(style), script_hash=_hash(script),
    )  # fmt: skip


def _text(name: str) -> str:
    return files("context_pack.render.html").joinpath(name).read_text("utf-8")


def _hash(text: str) -> str:
    """The source of a Content Security Policy that allows this text only (https://www.w3.org/TR/CSP3/#external-hash)."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def _code(item: Item) -> Markup:
    """The lines with their numbers; changed lines are marked."""
    numbers = _line_numbers(item, item.content.split("\n"))
    changed = {number for start, end in item.changed for number in range(start, end + 1)}
    rows = (
        Markup('<span class="line{}" data-n="{}">{}\n</span>').format(
            " changed" if number in changed else "", number or "", html
        )
        for number, html in zip(numbers, _html(item), strict=True)
    )
    return Markup('<pre class="code"><code>{}</code></pre>').format(Markup("").join(rows))


def _line_numbers(item: Item, lines: Sequence[str]) -> list[int | None]:
    """The file's line number of each line of an item: None for imports, for gap marks, and for all lines if unsure."""
    head = len("\n".join(item.imports).split("\n")) + 1 if item.imports else 0
    numbers: list[int | None] = [None] * head
    number = item.start_line
    for first, last in item.elided:
        numbers += [*range(number, first), None]
        number = last + 1
    numbers += range(number, item.end_line + 1)
    return numbers if len(numbers) == len(lines) else [None] * len(lines)


def _html(item: Item) -> list[Markup]:
    """The lines as HTML, without highlighting if the file has no lexer or the lexer changes the number of lines."""
    text = item.content.translate(_CONTROLS).replace("\r", "")
    plain = [escape(line) for line in text.split("\n")]
    try:
        lexer = get_lexer_for_filename(item.file.rpartition("/")[2], stripnl=False, ensurenl=False)
    except ClassNotFound:
        return plain
    lines = [Markup(line) for line in highlight(text, lexer, HtmlFormatter(nowrap=True)).split("\n")]
    return lines[: len(plain)] if len(lines) in (len(plain), len(plain) + 1) else plain
