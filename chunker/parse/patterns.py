"""The patterns of query files: what each finds, and a form of it that tree-sitter compiles quickly.

To compile a node with children, tree-sitter walks through all states that a parser may have inside it: 0.3 s for all
patterns of Swift. A wildcard needs no walk. So only the root of a pattern keeps its kind, for which most nodes of a
tree need not be tried; the kinds of the nodes below it are tested on the matches:

    (class_body (method name: (_) @name) @definition.method)  ->  (class_body (_ name: (_) @name) @_0 @role)

Patterns that differ only in roles, kinds and predicates have one form, which is compiled once. The walks of a small
grammar are short; there the forms are exact, because wildcards match more nodes.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from contracts.frozen import frozen

if TYPE_CHECKING:
    from tree_sitter import Node

_TOKEN = re.compile(r";.*|\"(?:[^\"\\]|\\.)*\"|#[\w-]+\?|[()\[\]?*+]|[^\s()\[\]?*+\";]+")
_ESCAPED = re.compile(r"\\(.)")
_DETAILS = frozenset("name whole body tail open scope receiver from path doc wrapped type value".split())
_FREQUENT = frozenset({"reference.call", "reference.type"})  # so many that to test them takes longer than the walk
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
    """The nodes of `capture`, if there are any, must be of this kind."""

    capture: str
    kind: str

    def passes(self, captures: Mapping[str, Sequence[Node]], data: bytes) -> bool:
        return all(node.type == self.kind for node in captures.get(self.capture, ()))


@frozen
class Pattern:
    """`form` is compiled, `role` is the capture that says what the pattern finds, and a match must pass all `tests`."""

    form: str
    role: str
    has_receiver: bool
    tests: tuple[TextTest | KindTest, ...]


def read_patterns(source: str, *, exact: bool = False) -> list[Pattern]:
    """The patterns of a query file, in order; if `exact`, their forms keep the kinds of all nodes."""
    patterns: list[Tree] = []
    for part in _trees(source):
        if isinstance(part, str):
            patterns[-1].append(part)  # the capture of a root
        else:
            patterns.append([part])
    return [_pattern(parts, exact=exact) for parts in patterns]


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


def _pattern(parts: Tree, *, exact: bool) -> Pattern:
    captures = {word[1:] for word in _words(parts) if word[0] == "@"}
    roles = [name for name in captures if name not in _DETAILS and not name.startswith("_")]
    if len(roles) != 1:
        raise ValueError(f"a pattern must have one capture with a role, this one has {sorted(roles)}: {parts}")
    (role,) = roles
    form = _Form([], role, exact or role in _FREQUENT)
    text = " ".join(word for part in _without_group(parts) for word in form.words(part, below_root=False))
    tests = sorted(form.tests, key=lambda test: isinstance(test, KindTest))  # texts first: they differ more often
    return Pattern(text, role, not captures.isdisjoint(("receiver", "from")), tuple(tests))


def _without_group(parts: Tree) -> Tree:
    """A pattern in brackets that only join it with its predicates, without these brackets."""
    group = parts[0]
    if isinstance(group, str) or group[0] == "[" or _kind(group):
        return parts
    roots = [part for part in group if isinstance(part, list) and not _kind(part).startswith("#")]
    return [*group[1:-1], *parts[1:]] if len(roots) == 1 else parts


def _words(tree: Tree) -> Iterator[str]:
    for part in tree:
        if isinstance(part, str):
            yield part
        else:
            yield from _words(part)


@dataclass
class _Form:
    """The form of a pattern with this role, while it is written; `tests` grows with it."""

    tests: list[TextTest | KindTest]
    role: str
    exact: bool

    def words(self, tree: Tree | str, *, below_root: bool) -> list[str]:
        if isinstance(tree, str):
            return [self._capture(tree)]
        kind = _kind(tree)
        if kind.startswith("#"):
            self.tests.append(_text_test(kind, self._capture(str(tree[2]))[1:], map(str, tree[3:-1])))
            return []
        parts = [self.words(part, below_root=below_root or kind not in ("", "_")) for part in tree]
        if below_root and not self.exact and _is_tested(tree):
            name = f"_{len(self.tests)}"
            self.tests.append(KindTest(name, kind))
            parts = [["(", "_"], *parts[2:], [f"@{name}"]]
        return [word for part in parts for word in part]

    def _capture(self, word: str) -> str:
        return f"@{ROLE}" if word == f"@{self.role}" else word


def _is_tested(tree: Tree) -> bool:
    """Whether a node becomes a wildcard: it has a kind and children, and its children need no walk.

    From the walk, tree-sitter knows where a match may fail after a child that is not captured, and only there tries the
    next child, too: without it, `((x) . (x) @y)` would find `a, b` in `a, b, c` and not `b, c`.
    """
    parts = tree[2:-1]
    has_children = any(isinstance(part, list) or part == "_" or part[0] == '"' for part in parts)
    needs_walk = any(part == "." and before[0] != "@" for before, part in pairwise(parts))
    return _kind(tree) not in ("", "_") and has_children and not needs_walk


def _kind(tree: Tree) -> str:
    """The kind of a node, the name of a predicate, or "" for a group."""
    return tree[1] if tree[0] == "(" and isinstance(tree[1], str) else ""


def _text_test(word: str, capture: str, quoted: Iterable[str]) -> TextTest:
    values = [_ESCAPED.sub(r"\1", value[1:-1]) for value in quoted]
    if word in ("#eq?", "#any-of?"):
        values = [rf"\A(?:{'|'.join(map(re.escape, values))})\Z"]
    (pattern,) = values
    return TextTest(capture, re.compile(pattern.encode()), word != "#not-match?")
