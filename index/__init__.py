"""A searchable, incremental, crash-safe index of a tree of files; a query returns ranked chunks with reasons."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from index.api import Index
    from index.repository import build_index, clean, open_index

__all__ = ["Index", "build_index", "clean", "open_index"]


def __getattr__(name: str) -> object:
    """Load the index on first use, so that `import index` alone is cheap."""
    if name in __all__:
        from index import repository

        return getattr(repository, name)
    raise AttributeError(name)
