"""Builds the outline of a file from captures: nested, qualified symbols with their rows, and import statements."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import field
from typing import TYPE_CHECKING

from chunker.chunks.lines import Lines
from chunker.kinds import CLASSES, ROUTINES, VALUES
from chunker.model import Span
from chunker.parse.captures import Binding, Captures, Symbol, Uses
from chunker.parse.grammars import SymbolQuery
from contracts.frozen import frozen

if TYPE_CHECKING:
    from tree_sitter import Node

MAX_DEPTH = 32  # qualified names stop growing at this depth: those of 10,000 nested scopes would take 100 MB


@frozen
class Outline:
    """The symbols and uses of a file: `symbols` are all, `top` the outermost ones, both in file order.

    `uses` are keyed by start byte; `bindings` give the types of names; `package` is the package of the file.
    `lead_rows` contain only comments and attributes, which belong to the code below. `minor` are names inside other
    code (members of objects, local functions, code in macros) that neither layout nor graph uses.

    `bare` are names alone, which are calls if they are no local variables: by start byte the end, and whether the name
    is a symbol that is passed to a call (Ruby's `before_action :find_cart`). `fields` are those of types. `opened` are
    expressions in which a module's names stand alone (OCaml's `Cart.(total 1)`): their start and end, and the module's.
    """

    symbols: list[Symbol]
    top: list[Symbol]
    uses: Uses = field(default_factory=dict)
    imports: list[Span] = field(default_factory=list)
    lead_rows: frozenset[int] = frozenset()
    bindings: list[Binding] = field(default_factory=list)
    package: str = ""
    minor: list[Symbol] = field(default_factory=list)
    bare: dict[int, tuple[int, bool]] = field(default_factory=dict)
    fields: list[Symbol] = field(default_factory=list)
    opened: list[tuple[int, int, int, int]] = field(default_factory=list)


def read_outline(trees: Iterable[tuple[Node, SymbolQuery]], lines: Lines, component: str = "") -> Outline:
    """Run each query once over its tree and order the captures; `component` names the whole file if it is a class."""
    captures = Captures(lines.data)
    for root, query in trees:
        captures.read(root, query)
    imports = _outermost(captures.spans["import"])
    comment_rows = _own_rows(captures.spans["comment"], lines)
    lead_rows = comment_rows | _own_rows(captures.spans["attribute"], lines)
    symbols = _without_locals(captures.symbols(), imports)
    if component and (text := lines.data.lstrip()):
        start = len(lines.data) - len(text)
        symbols.insert(0, Symbol(start, len(lines.data), component, start, "class", start))
    for symbol in symbols:
        _settle(symbol, lines, comment_rows, lead_rows)
    top = _nest(symbols)
    package = _package(captures, symbols, lines.data)
    minor, fields = captures.minor(), captures.fields()
    for symbol in (*minor, *fields):
        _settle(symbol, lines, set(), set())
    bindings, bare, leads = captures.bindings, _bare(captures, minor), frozenset(lead_rows)
    opened = sorted(captures.opened)
    return Outline(symbols, top, captures.uses, imports, leads, bindings, package, minor, bare, fields, opened)


def plain_outline(lines: Lines, symbols: list[Symbol], comment_rows: set[int], package: str) -> Outline:
    """The outline of a file that is read without a grammar."""
    for symbol in symbols:
        _settle(symbol, lines, comment_rows, comment_rows)
    return Outline(symbols, _nest(symbols), lead_rows=frozenset(comment_rows), package=package)


def _bare(captures: Captures, minor: list[Symbol]) -> dict[int, tuple[int, bool]]:
    bare = {start: (end, False) for start, end in captures.spans["bare"] if start not in captures.uses}
    named = {symbol.name_start for symbol in minor}
    after_colon = ((start, end) for start, end in captures.spans["bare.symbol"] if start not in named)
    return bare | {start + 1: (end, True) for start, end in after_colon}


def _package(captures: Captures, symbols: list[Symbol], data: bytes) -> str:
    """The package or namespace that a file declares; the first one if it declares several."""
    if packages := captures.spans["package"]:
        spans = [packages[0], *sorted(set(captures.spans["package.inner"]) - {packages[0]})]
        return ".".join("".join(data[start:end].decode("utf-8", "replace").split()) for start, end in spans)
    return next((symbol.qualified for symbol in symbols if symbol.package), "")


def _own_rows(spans: list[tuple[int, int]], lines: Lines) -> set[int]:
    """The rows that contain nothing but these nodes."""
    rows: set[int] = set()
    for start, reach in spans:
        end = _visible_end(start, reach, lines.data)
        first, last = lines.row(start), lines.row(max(start, end - 1))
        surrounding = lines.data[lines.begin(first) : start] + lines.data[end : lines.end(last)]
        if end > start and not surrounding.strip():
            rows.update(range(first, last + 1))
    return rows


def _visible_end(start: int, end: int, data: bytes) -> int:
    """The end of a node without trailing white space: where indentation ends blocks (Scala), nodes may include some."""
    while end > start and data[end - 1 : end].isspace():
        end -= 1
    return end


def _settle(symbol: Symbol, lines: Lines, comment_rows: set[int], lead_rows: set[int]) -> None:
    """Set the rows of a symbol: those of its node, and those right above that belong to it."""
    symbol.head_row = lines.row(symbol.head)
    symbol.first_row = symbol.head_row if symbol.start == symbol.head else lines.row(symbol.start)
    symbol.end = _visible_end(symbol.start, symbol.end, lines.data)
    symbol.last_row = lines.row(max(symbol.start, symbol.end - 1))
    # Where indentation ends blocks (F#), a node may include the comments above the next symbol.
    while symbol.last_row in comment_rows and lines.indents[symbol.last_row] <= lines.indents[symbol.head_row]:
        symbol.end = _visible_end(symbol.start, lines.begin(symbol.last_row), lines.data)
        symbol.last_row = lines.row(symbol.end - 1)
    while symbol.first_row - 1 in lead_rows:
        symbol.first_row -= 1
    if symbol.doc is None:
        comments = [row for row in range(symbol.first_row, symbol.head_row) if row in comment_rows]
        if comments:
            symbol.doc = Span(lines.begin(comments[0]), lines.end(comments[-1]))


def _without_locals(symbols: list[Symbol], imports: list[Span]) -> list[Symbol]:
    """The symbols without those that only look like definitions: variables in functions, names bound by an import."""
    others: list[Symbol] = []
    function_end = 0
    bound = {span.start_byte: span.end_byte for span in imports}
    for symbol in symbols:
        is_local = symbol.start < function_end or bound.get(symbol.head, 0) >= symbol.end
        if is_local and symbol.kind in VALUES:
            continue
        if symbol.kind in ROUTINES:
            function_end = max(function_end, symbol.end)
        others.append(symbol)
    return others


def _nest(symbols: list[Symbol]) -> list[Symbol]:
    """Link members to their enclosing symbols, qualify the names, and return the outermost symbols."""
    top: list[Symbol] = []
    stack: list[Symbol] = []
    for symbol in symbols:
        while stack and (symbol.start >= stack[-1].end or same_extent(symbol, stack[-1])):
            stack.pop()
        symbol.qualified = f"{symbol.scope}.{symbol.name}" if symbol.scope else symbol.name
        if stack:
            parent = symbol.parent = stack[-1]
            symbol.depth = parent.depth + 1
            if symbol.kind == "function" and parent.kind in CLASSES:
                symbol.kind = "method"
            if parent.qualified and not parent.package and symbol.depth <= MAX_DEPTH:
                symbol.qualified = f"{parent.qualified}.{symbol.qualified}"
        (stack[-1].members if stack else top).append(symbol)
        stack.append(symbol)
    return top


def same_extent(one: Symbol, other: Symbol) -> bool:
    """Whether two names belong to one statement (`a = b = 1`, `const a = 1, b = 2`): neighbours, not nested."""
    return one.start == other.start and one.end == other.end


def _outermost(spans: list[tuple[int, int]]) -> list[Span]:
    outermost: list[Span] = []
    for start, end in sorted(set(spans), key=lambda span: (span[0], -span[1])):
        if not outermost or start >= outermost[-1].end_byte:
            outermost.append(Span(start, end))
    return outermost
