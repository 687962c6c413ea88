"""ctxpack as a library: selects, orders, fits and renders one bounded pack of what a reader needs.

The functions are the command line's verbs, with its long options as keywords:

    import context_pack

    pack = context_pack.query("EmbeddingCache", repo="~/src/project", max_chars=8000)
    for item in pack.items:
        print(item.id, item.score)

    session = context_pack.open("~/src/project")  # one index, many questions
    hits = session.search("retry backoff", top_k=5).data.hits
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from context_pack.version import __version__ as __version__

if TYPE_CHECKING:
    from context_pack.api import (
        bench,
        clean,
        graph,
        index,
        merge_turns,
        open,
        pages,
        query,
        related,
        search,
        status,
        symbols,
        task,
        turn,
    )

__all__ = [
    "bench", "clean", "graph", "index", "merge_turns", "open", "pages", "query", "related", "search", "status",
    "symbols", "task", "turn",
]  # fmt: skip


def __getattr__(name: str) -> object:
    """Load the library on first use: `import context_pack` alone costs nothing."""
    if name in __all__:
        from context_pack import api

        return getattr(api, name)
    raise AttributeError(name)
