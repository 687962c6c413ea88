"""Bytes -> syntax tree, by the reading that leaves the fewest errors, within a budget of work."""

from __future__ import annotations

from time import process_time
from typing import TYPE_CHECKING

from chunker.languages.table import LanguageRules
from chunker.parse.grammars import error_query, parser
from chunker.parse.masking import mask

if TYPE_CHECKING:
    from tree_sitter import Node

# The parser reports back every hundred operations: real code needs 2 to 45 reports a kilobyte. Error recovery is
# quadratic on some garbage; the budget stops it at the same place every time.
_REPORTS_PER_KB = 150
_LEAST_REPORTS = 1000
# Some of that garbage costs few operations but seconds and gigabytes each. Real code takes 0.1 s a megabyte.
_SECONDS_PER_MB = 4.0
_LEAST_SECONDS = 2.0
_CLOCK_EVERY = 64  # reports between two looks at the clock: each is a system call


def parse(data: bytes, language: LanguageRules) -> Node | None:
    """The root of the tree, or None when reading it would take unreasonably long.

    Its offsets are those of `data`, also where the preprocessor had to be masked.
    """
    grammar = language.grammar
    assert grammar is not None
    root = _parse(data, grammar)
    if root is None or not language.preprocessor or not root.has_error:
        return root
    masked = _parse(mask(data, macros=language.preprocessor == "macros"), grammar)
    return root if masked is None else min(root, masked, key=lambda candidate: _error_bytes(candidate, grammar))


def _parse(data: bytes, grammar: str) -> Node | None:
    reports_left = _LEAST_REPORTS + _REPORTS_PER_KB * len(data) // 1024
    deadline = process_time() + _LEAST_SECONDS + _SECONDS_PER_MB * len(data) / 1e6
    views = [memoryview(data)]

    def read(offset: int, _: object) -> memoryview:
        views.append(views[0][offset:])
        return views[-1]

    def exhausted(_offset: int, _has_error: bool) -> bool:
        nonlocal reports_left
        reports_left -= 1
        return reports_left < 0 or (reports_left % _CLOCK_EVERY == 0 and process_time() > deadline)

    reader = parser(grammar)
    try:
        # A tree that was read from a function must never be asked for the text of a node: that crashes on a memoryview,
        # and with bytes it copies the rest of the file each time.
        return reader.parse(read, progress_callback=exhausted).root_node
    except ValueError:  # how a parse that was stopped reports itself
        reader.reset()
        return None
    finally:
        for view in views:  # tree-sitter 0.26 never gives back the last one, and that would keep the file in memory
            view.release()


def _error_bytes(root: Node, grammar: str) -> int:
    from tree_sitter import QueryCursor

    if not root.has_error:
        return 0
    nodes = QueryCursor(error_query(grammar)).captures(root).get("error", [])
    return sum(node.end_byte - node.start_byte for node in nodes) + len(nodes)
