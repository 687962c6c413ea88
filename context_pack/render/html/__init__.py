"""A pack as one HTML page that needs no network; readable in light and dark mode, on paper and without scripts.

It counts like JSON: the page around the items is free; an item costs its content, its imports, its hunks and 128.
"""

from __future__ import annotations

from context_pack.render import JsonLayout
from contracts.records import Pack


class HtmlLayout(JsonLayout):
    def render(self, pack: Pack) -> str:
        """The page without the graph, which a pack does not contain."""
        from context_pack.render.html.document import document

        return document(pack)


LAYOUT = HtmlLayout()
