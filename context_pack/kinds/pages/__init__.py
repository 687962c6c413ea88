"""The page pack: the pages of a wiki vault to read before writing or answering, with their points."""

from context_pack.kinds.pages.pack import answer
from context_pack.kinds.pages.seed import PageRequest

__all__ = ["PageRequest", "answer"]
