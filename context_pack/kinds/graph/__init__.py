"""The graph pack: a node of a Markdown work graph (`.mdkg`) and the nodes its edges lead to, in reading order."""

from context_pack.kinds.graph.pack import answer

__all__ = ["answer"]
