"""The patterns of query files: what each finds, and a form of it that tree-sitter compiles quickly.

To compile a node with children, tree-sitter walks through all states that a parser may have inside it: 0.3 s for all
patterns of Swift. A wildcard needs no walk. So only the root of a pattern keeps its kind, for which most nodes of a
tree need not be tried; the kinds of the nodes below it are tested on the matches:

    (call function: (member property: (_) @name)) @x  ->  (call function: (_ property: (_) @name) @_0) @role
    (pair value: [(string) (number)] @value) @x       ->  (pair value: (_) @_0 @value) @role

Patterns that differ only in roles, kinds and predicates have one form, which is compiled once.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING

from contracts.frozen import frozen

if TYPE_CHECKING:
    from tree_sitter import Node

_TOKEN = re.compile(r";.*|\"(?:[^\"\\]|\\.)*\"|#[\w-]+\?|[()\[\]?*+]|[^\s()\[\]?*+\";]+")
_ESCAPED = re.compile(r"\\(.)")
_DETAILS = frozenset("name whole body tail scope receiver from doc wrapped type value".split())
ROLE = "role"  # the name that the capture with the role has in all forms

# An opening bracket, the words and trees after it, and the closing bracket.
Tree = list["Tree | str"]


@frozen
class TextTest:
    """A predicate of a query file (`#eq?`, `#any-of?`, `#match?`, `#not-match?`): the text of `capture` must pass.

    It is tested here because a tree whose source was read piece by piece does not know its text.
    """

    capture: str
    pattern: re.Pattern[bytes]
    wanted: bool = True

    def passes(self, captures: Mapping[str, Sequence[Node]], data: bytes) -> bool:
        start, end = captures[self.capture][0].byte_range
        return (self.pattern.search(data[start:end]) is not None) is self.wanted


@frozen
class KindTest:
    """The nodes of `capture`, if there are any, must be of one of these kinds."""

    capture: str
    kinds: frozenset[str]

    def passes(self, captures: Mapping[str, Sequence[Node]], data: bytes) -> bool:
        return all(node.type in self.kinds for node in captures.get(self.capture, ()))


@frozen
class Pattern:
    """`form` is compiled, `role` is the capture that says what the pattern finds, and a match must pass all `tests`."""

    form: str
    role: str
    has_receiver: bool
    tests: tuple[TextTest | KindTest, ...]


def read_patterns(source: str) -> list[Pattern]:
    """The patterns of a query file, in order."""
    patterns: list[Tree] = []
    for part in _trees(source):
        if isinstance(part, str):
            patterns[-1].append(part)  # the capture of a root
        else:
            patterns.append([part])
    return [_pattern(parts) for parts in patterns]


def _trees(source: str) -> Tree:
    open_trees: list[Tree] = [[]]
    for token in _TOKEN.findall(source):
        if token in ("(", "["):
            open_trees.append([token])
        elif token in (")", "]"):
            tree = open_trees.pop()
            open_trees[-1].append([*tree, token])
        elif token[0] != ";":
            open_trees[-1].append(token)
    (trees,) = open_trees
    return trees


def _pattern(parts: Tree) -> Pattern:
    tests: list[TextTest | KindTest] = []
    words = [word for part in parts for word in _form(part, tests, below_root=False)]
    captures = {word[1:] for word in words if word.startswith("@")}
    roles = [name for name in captures if name not in _DETAILS and not name.startswith("_")]
    if len(roles) != 1:
        raise ValueError(f"a pattern must have one capture with a role, this one has {sorted(roles)}: {words}")
    (role,) = roles
    form = " ".join(f"@{ROLE}" if word == f"@{role}" else word for word in words)
    tests = [replace(test, capture=ROLE) if test.capture == role else test for test in tests]
    return Pattern(form, role, not captures.isdisjoint(("receiver", "from")), tuple(tests))


def _form(tree: Tree | str, tests: list[TextTest | KindTest], *, below_root: bool) -> list[str]:
    """The words of a part of a pattern, without predicates and, below the root, with wildcards; adds its tests."""
    if isinstance(tree, str):
        return [tree]
    kind = _kind(tree)
    if kind.startswith("#"):
        tests.append(_text_test(tree))
        return []
    words = [_form(part, tests, below_root=below_root or kind not in ("", "_")) for part in tree]
    kinds = _tested_kinds(tree) if below_root else []
    if kinds:
        test = KindTest(f"_{len(tests)}", frozenset(kinds))
        tests.append(test)
        children = words[2:] if kind else [[")"]]
        words = [["(", "_"], *children, [f"@{test.capture}"]]
    return [word for part in words for word in part]


def _tested_kinds(tree: Tree) -> list[str]:
    """The kind of a node with children, and all kinds of an alternation of nothing but kinds."""
    kind, parts = _kind(tree), tree[2:-1]
    if kind:
        has_children = any(isinstance(part, list) or part == "_" or part[0] == '"' for part in parts)
        # From the walk, tree-sitter knows where a match may fail after a child that is not captured, and only there
        # tries the next child, too: in `a, b, c`, `((x) . (x) @y)` would not match `b, c`.
        needs_walk = any(part == "." and before[0] != "@" for before, part in pairwise(parts))
        return [kind] if has_children and kind != "_" and not needs_walk else []
    kinds = [_kind(part) for part in tree[1:-1] if isinstance(part, list) and len(part) == len("(x)")]
    return kinds if tree[0] == "[" and len(kinds) == len(tree) - len("[]") else []


def _kind(tree: Tree) -> str:
    """The kind of a node, the name of a predicate, or "" for a group."""
    return tree[1] if tree[0] == "(" and isinstance(tree[1], str) else ""


def _text_test(tree: Tree) -> TextTest:
    word, capture, *quoted = (str(part) for part in tree[1:-1])
    values = [_ESCAPED.sub(r"\1", value[1:-1]) for value in quoted]
    if word in ("#eq?", "#any-of?"):
        values = [rf"\A(?:{'|'.join(map(re.escape, values))})\Z"]
    (pattern,) = values
    return TextTest(capture[1:], re.compile(pattern.encode()), word != "#not-match?")
