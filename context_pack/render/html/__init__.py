"""A pack as one HTML page that needs nothing else: no network, readable in light, dark, on paper and without script.

It counts like JSON: what is around the items is free, and an item costs its content, its imports and 128.
"""

from __future__ import annotations

from context_pack.render import JsonLayout
from contracts.records import Pack


class HtmlLayout(JsonLayout):
    def render(self, pack: Pack) -> str:
        """The page without the graph, which a pack does not hold."""
        from context_pack.render.html.document import document

        return document(pack)


LAYOUT = HtmlLayout()
