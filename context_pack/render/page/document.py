"""The page: what was asked, the budget as a bar, the graph, the items with their reasons, what was left out."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from importlib.resources import files

from context_pack.render import phrases
from context_pack.render.data import LAYOUT as COSTS
from context_pack.render.page.code import code, styles
from context_pack.render.page.picture import Picture, kinds, svg
from contracts.records import Hint, Item, Pack, Why

# The page may load nothing: a browser enforces what the tests observe.
POLICY = "default-src 'none'; style-src 'unsafe-inline'"


def document(pack: Pack, picture: Picture | None, hints: Sequence[Hint]) -> str:
    """The whole document, to its last newline."""
    light, dark = styles()
    style = files("context_pack.render.page").joinpath("page.css").read_text("utf-8")
    title = escape(phrases.title(pack))
    body = "".join((_head(pack, title), _hints(hints), _budget(pack), _graph(picture), _items(pack), _dropped(pack)))
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{title} · ctxpack</title>\n"
        f"<style>\n{style}{light}\n@media (prefers-color-scheme: dark) {{\n{dark}\n}}\n</style>\n"
        f"</head>\n<body>\n<main>\n{body}</main>\n</body>\n</html>\n"
    )


def _head(pack: Pack, title: str) -> str:
    made = f"model {escape(pack.model_id)}, profile {escape(pack.profile)}"
    return f'<header>\n<p class="kicker">context pack · {made}</p>\n<h1>{title}</h1>\n</header>\n'


def _hints(hints: Sequence[Hint]) -> str:
    if not hints:
        return ""
    told = "".join(f'<li class="{hint.type}">{escape(hint.text)}</li>' for hint in hints)
    return f'<ul class="hints">{told}</ul>\n'


def _budget(pack: Pack) -> str:
    """A bar: each item as wide as what it costs, what is free at the end."""
    budget = pack.budget
    parts = "".join(_part(number, item, budget.max_chars) for number, item in enumerate(pack.items, start=1))
    tokens = ""
    if budget.used_tokens is not None:
        limit = f" of {budget.max_tokens:,}" if budget.max_tokens is not None else ""
        tokens = f" · {budget.used_tokens:,}{limit} tokens ({escape(budget.token_counter)})"
    used = f"<strong>{budget.used_chars:,}</strong> of {budget.max_chars:,} characters{tokens}"
    left_out = f" · {phrases.left_out(budget)}" if budget.dropped_items else ""
    legend = '<span class="key primary"></span>primary <span class="key related"></span>related '
    return (
        f'<section aria-label="Budget"><h2>Budget</h2>\n<div class="bar">{parts}</div>\n'
        f'<p class="note">{used} · {len(pack.items)} item{"s" * (len(pack.items) != 1)}{left_out}'
        f'<span class="legend">{legend}<span class="key free"></span>free</span></p></section>\n'
    )


def _part(number: int, item: Item, limit: int) -> str:
    cost = COSTS.item_chars(item)
    title = escape(f"{phrases.place(item)}: {cost:,} characters")
    width = f"{100 * cost / limit:.4f}"
    return f'<a class="{item.role}" style="width:{width}%" href="#item-{number}" title="{title}"></a>'


def _graph(picture: Picture | None) -> str:
    if picture is None or not picture.edges:
        return ""
    legend = "".join(f'<span class="key edge {kind}"></span>{kind} ' for kind in kinds(picture.edges))
    return (
        f'<section aria-label="Graph"><h2>Around the primary items</h2>\n<div class="wide">{svg(picture)}</div>\n'
        f'<p class="note">Framed: in this pack. Dashed: not in it.<span class="legend">{legend}</span></p></section>\n'
    )


def _items(pack: Pack) -> str:
    if not pack.items:
        return f'<p class="empty">{escape(phrases.balance(pack, 0))}</p>\n'
    contents = "".join(_entry(number, item) for number, item in enumerate(pack.items, start=1))
    items = "".join(_item(number, item) for number, item in enumerate(pack.items, start=1))
    return f'<nav aria-label="Items"><h2>Items</h2>\n<ol class="toc">{contents}</ol></nav>\n{items}'


def _entry(number: int, item: Item) -> str:
    name = f"<b>{escape(phrases.escaped(item.symbol))}</b> " if item.symbol else ""
    return (
        f'<li><a href="#item-{number}"><span class="dot {item.role}"></span>{name}'
        f'<span class="place">{escape(phrases.place(item))}</span></a></li>'
    )


def _item(number: int, item: Item) -> str:
    kind = f'<span class="kind">{escape(item.type)}</span> ' if item.type else ""
    name = f"{kind}{escape(phrases.escaped(item.symbol))}" if item.symbol else f"{kind}"
    tie = (
        f'<span class="tie">{escape(" → ".join(label.replace("_", " ") for label in item.relationship))}</span>'
        if item.relationship else ""
    )  # fmt: skip
    cut = '<span class="tie">cut</span>' if item.elided else ""
    return (
        f'<article id="item-{number}" class="{item.role}">\n'
        f'<h3><span class="place">{escape(phrases.place(item))}</span> {name}</h3>\n'
        f'<p class="standing"><span class="role {item.role}">{item.role}</span>{tie}{cut}'
        f"score {item.score:.3f} · {COSTS.item_chars(item):,} characters</p>\n"
        f"{_alike(item)}{_why(item.why)}{code(item)}\n</article>\n"
    )


def _alike(item: Item) -> str:
    return f'<p class="note">{escape(phrases.alike(item))}</p>\n' if item.alike else ""


def _why(why: Sequence[Why]) -> str:
    """The reasons, the strongest first in sight and all of them on demand."""
    if not why:
        return ""
    ranked = sorted(why, key=lambda part: (-abs(part.points), part.name, part.detail))
    first = ", ".join(f"{escape(_told(part))} <b>{part.points:+.2f}</b>" for part in ranked[:3])
    rows = "".join(
        f"<tr><td>{escape(part.name.replace('_', ' '))}</td><td>{escape(phrases.escaped(part.detail))}</td>"
        f'<td class="number">{part.signal:.3f}</td><td class="number">{part.points:+.3f}</td></tr>'
        for part in why
    )
    head = "<tr><th>reason</th><th></th><th>measured</th><th>points</th></tr>"
    return f'<details class="why"><summary>why: {first}</summary><table>{head}{rows}</table></details>\n'


def _told(part: Why) -> str:
    name = part.name.replace("_", " ")
    return f"{name} ({phrases.escaped(part.detail)})" if part.detail else name


def _dropped(pack: Pack) -> str:
    if not pack.dropped:
        return ""
    rows = "".join(
        f'<tr><td class="place">{escape(phrases.escaped(one.id))}</td>'
        f"<td>{escape(phrases.CAUSES.get(one.cause, one.cause))}</td>"
        f'<td class="number">{one.cost_chars:,}</td><td class="number">{one.points:.3f}</td></tr>'
        for one in pack.dropped
    )
    head = "<tr><th>place</th><th>cause</th><th>characters</th><th>points</th></tr>"
    return (
        f'<section aria-label="Left out"><h2>Left out</h2>\n<div class="wide"><table class="dropped">{head}{rows}'
        "</table></div></section>\n"
    )
