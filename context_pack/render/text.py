"""Text formats: a head, the items, a foot, and with `--explain` a list of what was left out.

Everything that is printed counts, to the last newline. The items get the room that the longest possible head and foot
leave.
"""

from __future__ import annotations

from dataclasses import replace
from textwrap import dedent
from typing import TYPE_CHECKING

from context_pack.core.text import size
from context_pack.render import Layout, phrases, with_used_chars
from contracts.records import Item, Pack

if TYPE_CHECKING:
    from collections.abc import Sequence

    from contracts.reports import Hit, Hits, Place, Related, Symbols

MAX_PLACES = 5  # of a target that are listed one by one: a file can have hundreds


class TextLayout(Layout):
    """Plain text. `head`, `item` and `foot` return whole lines; other text formats override them."""

    bullet = ""  # before each line of the list of drops

    def head(self, pack: Pack) -> str:
        return f"ctxpack: {phrases.title(pack)} [{pack.model_id}, {pack.profile}]\n\n{phrases.notes(pack)}"

    def item(self, item: Item) -> str:
        name = f"  {item.type or ''} {phrases.escaped(item.symbol or '')}".rstrip()
        heading = f"--- {phrases.place(item)}{name}  ({phrases.role_and_score(item)})\n"
        why = "".join(f"    {phrases.reason(part)}\n" for part in item.why)
        more = f"    {phrases.alike(item)}\n" if item.alike else ""
        hunks = f"{phrases.hunks(item)}\n" if item.hunks else ""
        return f"{heading}{more}{why}{phrases.code(item)}\n{hunks}\n"

    def foot(self, pack: Pack, items: int) -> str:
        return f"{phrases.balance(pack, items)}\n"

    def item_chars(self, item: Item) -> int:
        return size(self.item(item))

    def frame_chars(self, pack: Pack, selected: int) -> int:
        widest = replace(pack.budget, used_chars=pack.budget.max_chars, dropped_items=selected)
        return size(self.head(pack)) + size(self.foot(replace(pack, items=(), budget=widest), selected))

    def finish(self, pack: Pack) -> Pack:
        items = "".join(map(self.item, pack.items))
        return with_used_chars(pack, lambda stated: size(self._around(stated, items)))

    def render(self, pack: Pack) -> str:
        return self._around(pack, "".join(map(self.item, pack.items)))

    def _around(self, pack: Pack, items: str) -> str:
        """The printed items with the head, the foot and the list of drops."""
        return self.head(pack) + items + self.foot(pack, len(pack.items)) + self._account(pack)

    def _account(self, pack: Pack) -> str:
        """The drops that the pack lists, and the number of other drops; empty if it lists none."""
        lines = [f"{self.bullet}{phrases.drop(dropped)}\n" for dropped in pack.dropped]
        more = pack.budget.dropped_items - len(lines)
        return "".join(lines) + f"{self.bullet}left out: {more} more\n" * bool(lines and more > 0)


LAYOUT = TextLayout()


def listing(data: Related | Hits | Symbols) -> str:
    """Places as plain text, one in a line."""
    from contracts.reports import Hits, Symbols

    if isinstance(data, Symbols):
        return "".join(
            f"{phrases.escaped(f'{one.file}:{one.line}  {one.kind} {one.qualified}')}\n" for one in data.symbols
        )
    return dedent("".join(map(_tied, data.hits))) if isinstance(data, Hits) else related_text(data)


def related_text(related: Related) -> str:
    """The ties of a place as plain text: the place, then a list for each kind of tie, strongest first, and how many
    there are if these are not all."""
    of = "".join(f"{_place(place)}\n" for place in heads(related.of))
    groups = by_labels(related)
    if not groups:
        return f"{of}\nnothing is related to this place\n"
    more = f"\n{len(related.hits)} of {related.total} related places\n" if related.total else ""
    tied = (f"\n{' > '.join(labels).replace('_', ' ')}\n{''.join(map(_tied, hits))}" for labels, hits in groups.items())
    return f"{of}{''.join(tied)}{more}"


def by_labels(related: Related) -> dict[tuple[str, ...], list[Hit]]:
    """The ties of each kind, strongest first; the nearest kind comes first."""
    groups: dict[tuple[str, ...], list[Hit]] = {}
    for hit in sorted(related.hits, key=lambda hit: hit.distance or 0):  # stable: strongest first stays
        groups.setdefault(hit.relationship, []).append(hit)
    return groups


def heads(places: Sequence[Place]) -> Sequence[Place]:
    """The places of a target; if a file has many, one for all of its places, whose type says how many these are."""
    if len(places) <= MAX_PLACES:
        return places
    files: dict[str, list[Place]] = {}
    for place in places:
        files.setdefault(place.file, []).append(place)
    return [
        replace(own[0], end_line=max(one.end_line for one in own), symbol=None, type=phrases.counted(len(own), "place"))
        for own in files.values()
    ]


def _tied(hit: Hit) -> str:
    """A tied place with its reasons and, with `--content`, its code indented below."""
    why = "".join(
        f"      {part.points:+.3f} {phrases.escaped(f'{part.name} {part.detail}'.rstrip())}\n" for part in hit.why
    )
    code = [] if hit.content is None else hit.content.split("\n")
    return f"  {_place(hit)}\n{why}" + "".join(f"      {line}".rstrip() + "\n" for line in code)


def _place(place: Place | Hit) -> str:
    name = " ".join(filter(None, (place.type, phrases.escaped(place.symbol or ""))))
    return f"{phrases.escaped(place.file)}:{phrases.span(place.start_line, place.end_line)}  {name}".rstrip()
