"""The turn pack: what one turn of a workflow node needs to know, within a number of tokens."""

from context_pack.recipes.turn.build import Turn, answer
from context_pack.recipes.turn.merge import merge
from context_pack.recipes.turn.request import read_json

__all__ = ["Turn", "answer", "merge", "read_json"]
