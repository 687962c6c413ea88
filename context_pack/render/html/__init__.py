"""A pack as one HTML page that needs nothing else: no network, readable in light, dark, on paper and without script.

It counts like JSON: what is around the items is free, and an item costs its content, its imports and 128.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from context_pack.render.json import JsonLayout
from contracts.records import Hint, Pack

if TYPE_CHECKING:
    from context_pack.render.html.graph import Graph


class HtmlLayout(JsonLayout):
    def render(self, pack: Pack) -> str:
        """The page without the graph, which a pack does not hold."""
        return page(pack)


def page(pack: Pack, graph: Graph | None = None, hints: Sequence[Hint] = ()) -> str:
    """The whole document; `graph` is drawn around the primary items."""
    from context_pack.render.html.document import document

    return document(pack, graph, hints)


LAYOUT = HtmlLayout()
