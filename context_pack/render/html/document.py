"""The page's data, and the template filled with it."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import accumulate, pairwise

from jinja2 import Environment, StrictUndefined, Template
from markupsafe import Markup

from context_pack.render import phrases
from context_pack.render.html.code import code, styles
from context_pack.render.html.graph import Drawing
from context_pack.render.html.reasons import Reason, reasons, strongest
from context_pack.render.json import LAYOUT as COSTS
from contracts.records import Hint, Item, Pack

BAR = 100_000  # units of the bar's width


@dataclass(frozen=True, slots=True)
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
    light, dark = styles()
    style = f"{_text('page.css')}{light}\n@media (prefers-color-scheme: dark) {{\n{dark}\n}}\n"
    script = _text("page.js")
    return _template().render(
        pack=pack, budget=pack.budget, hints=hints, phrases=phrases, code=code, strongest=strongest,
        entries=[Entry(number, item, cost, why, *part) for number, item, cost, why, part in rows],
        drawing=drawing,
        style=Markup(style), script=Markup(script), style_hash=_hash(style), script_hash=_hash(script),
    )  # fmt: skip


def _text(name: str) -> str:
    return files("context_pack.render.html").joinpath(name).read_text("utf-8")


@cache
def _template() -> Template:
    environment = Environment(autoescape=True, trim_blocks=True, lstrip_blocks=True, undefined=StrictUndefined)
    return environment.from_string(_text("page.html.j2"))


def _hash(text: str) -> str:
    """A source of a Content Security Policy (https://www.w3.org/TR/CSP3/#external-hash): this text and no other."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"
