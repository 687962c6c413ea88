"""A pack as one HTML page that needs nothing else: no network, no script, readable in light and dark and on paper.

It counts like JSON: what is around the items is free, and an item costs its content, its imports and 128.
"""

from __future__ import annotations

from collections.abc import Sequence

from context_pack.render.data import DataLayout
from context_pack.render.page.picture import Picture
from contracts.records import Hint, Pack


class PageLayout(DataLayout):
    def render(self, pack: Pack) -> str:
        """The page without the picture, which takes a graph that a pack does not hold."""
        return page(pack)


def page(pack: Pack, picture: Picture | None = None, hints: Sequence[Hint] = ()) -> str:
    """The whole document; `picture` shows the graph around the primary items."""
    from context_pack.render.page.document import document

    return document(pack, picture, hints)


LAYOUT = PageLayout()
