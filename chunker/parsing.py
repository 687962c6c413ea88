"""Bytes -> syntax tree, by the reading that leaves the fewest errors."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chunker.grammars import error_query, parser
from chunker.masking import MASKED_LANGUAGES, mask

if TYPE_CHECKING:
    from tree_sitter import Node


def parse(data: bytes, grammar: str) -> Node:
    """The root of the tree. Its offsets are those of `data`, also where the preprocessor had to be masked."""
    root = parser(grammar).parse(data).root_node
    if grammar not in MASKED_LANGUAGES or not root.has_error:
        return root
    masked = parser(grammar).parse(mask(data)).root_node
    return min(root, masked, key=lambda candidate: _error_bytes(candidate, grammar))


def _error_bytes(root: Node, grammar: str) -> int:
    from tree_sitter import QueryCursor

    if not root.has_error:
        return 0
    nodes = QueryCursor(error_query(grammar)).captures(root).get("error", [])
    return sum(node.end_byte - node.start_byte for node in nodes) + len(nodes)
