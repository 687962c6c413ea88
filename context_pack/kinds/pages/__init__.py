"""The page pack: the pages of a wiki vault that a reader should know before they write or answer, with their points."""

from context_pack.kinds.pages.pack import answer
from context_pack.kinds.pages.seed import PageRequest

__all__ = ["PageRequest", "answer"]
