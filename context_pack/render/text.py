"""Plain text: a line of heading before each item's code, nothing around it."""

from __future__ import annotations

from context_pack.render import phrases
from context_pack.render.printed import PrintedLayout
from contracts.records import Item, Pack


def _head(pack: Pack) -> str:
    return f"ctxpack: {phrases.title(pack)} [{pack.model_id}, {pack.profile}]\n\n"


def _item(item: Item) -> str:
    name = f"  {item.type or ''} {phrases.escaped(item.symbol or '')}".rstrip()
    heading = f"--- {phrases.place(item)}{name}  ({phrases.standing(item)})\n"
    why = "".join(f"    {phrases.reason(part)}\n" for part in item.why)
    more = f"    {phrases.alike(item)}\n" if item.alike else ""
    return f"{heading}{more}{why}{item.content}\n\n"


def _foot(pack: Pack, items: int) -> str:
    return f"{phrases.balance(pack, items)}\n"


LAYOUT = PrintedLayout(
    head=_head,
    item=_item,
    foot=_foot,
    drop=lambda dropped: f"{phrases.drop(dropped)}\n",
    more=lambda count: f"{phrases.more(count)}\n",
)
