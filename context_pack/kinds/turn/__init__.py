"""The turn pack: what one turn of a workflow node needs to know, within a limit of tokens."""

from context_pack.kinds.turn.build import answer
from context_pack.kinds.turn.merge import merge
from context_pack.kinds.turn.pack import Turn
from context_pack.kinds.turn.request import read_json

__all__ = ["Turn", "answer", "merge", "read_json"]
