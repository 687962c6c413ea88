"""Syntax tree -> outline: the symbols with their extents, the references, the import statements, the comment lines."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from chunker.grammars import SymbolQuery
from chunker.lines import Lines
from chunker.model import Kind, ReferenceKind, Span

if TYPE_CHECKING:
    from tree_sitter import Node

MAX_DEPTH = 32  # qualified names stop growing here: 10,000 nested scopes would make 100 MB of them
CLASS_LIKE: Final = frozenset({"class", "struct", "enum", "interface", "trait", "impl"})

_RECEIVER_BYTES = 100
_RECEIVER = re.compile(rb"[@$]{0,2}[\w\x80-\xff]+[!?]?(?:(?:\??\.|::|->|\\)[$@]?[\w\x80-\xff]+)*\.?")
_REFERENCE_RANK = {"type": 0, "call": 1, "base": 2}  # where patterns overlap the more telling one stays

# `Foo::bar`, `M.foo`, `Foo.prototype.bar`, `App\Model`: the last part is the name, the rest is its scope.
_SCOPED = re.compile(r"(?P<scope>[\w$@]\S*?)(?:::|\.|:|\\)(?P<name>[~$#]?\w[\w$]*[?!=]?|operator\b.*)", re.S)
_SCOPE_NOISE = re.compile(r"<.*>|\[.*\]|\(.*\)|\s+|[*&]+", re.S)
_LIST_SPACE = re.compile(r",\s+")
_TYPE_PREFIX = re.compile(r"^(?:\s|'\w+|\b(?:mut|dyn|for|const)\b)+")
_SEPARATORS = re.compile(r"::|\\|->|:|/")
# A scope that is the module's own export table or the receiver itself qualifies nothing.
_NO_SCOPE = frozenset({"exports", "module.exports", "self", "this", "window", "globalThis", "_G"})
_NAME_CHARS = 200


@dataclass(slots=True, eq=False)
class Symbol:
    """A definition in the tree; all extents are bytes, all rows 0-based.

    `start..end` is the widest node (with `export`, `template`, decorators), `head` where its own declaration starts,
    `first_row` takes in the attributes and comments right above. A `transparent` symbol is laid out as if its members
    stood outside; unless it is a `package` it still qualifies their names.
    """

    start: int
    end: int
    name: str
    name_start: int
    kind: Kind
    head: int
    scope: str = ""
    transparent: bool = False
    package: bool = False
    body: int | None = None
    doc: Span | None = None
    first_row: int = 0
    last_row: int = 0
    qualified: str = ""
    depth: int = 0
    parent: Symbol | None = None
    members: list[Symbol] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class RawReference:
    start: int
    name: str
    kind: ReferenceKind
    receiver: str | None


@dataclass(frozen=True, slots=True)
class Outline:
    """What the query found, in the order of the file: `symbols` are all of them, `top` those that no other encloses.

    `lead_rows` are the rows that hold nothing but a comment or an attribute: they belong to what follows them.
    """

    symbols: list[Symbol]
    top: list[Symbol]
    references: list[RawReference]
    imports: list[Span]
    lead_rows: frozenset[int]


def read_outline(root: Node, query: SymbolQuery, lines: Lines) -> Outline:
    """Run the query once over the tree and put in order what it finds."""
    found = _Found(lines.data)
    roles = query.roles
    for pattern, captures in query.matches(root):
        found.take(pattern, roles[pattern], captures)
    symbols = found.ordered_symbols()
    comment_rows = _own_rows(found.comments, lines)
    lead_rows = comment_rows | _own_rows(found.attributes, lines)
    for symbol in symbols:
        _settle(symbol, lines, comment_rows, lead_rows)
    imports = _outermost(found.imports)
    symbols = _without_locals(symbols, imports)
    top = _nest(symbols)
    names = {symbol.name_start for symbol in symbols}
    references = found.ordered_references(names, imports)
    return Outline(symbols, top, references, imports, frozenset(lead_rows))


def _telling(reference: RawReference) -> tuple[int, bool]:
    return _REFERENCE_RANK[reference.kind], reference.receiver is not None


class _Found:
    """Collects the matches. Where two patterns name the same thing, the first in the query file wins."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.symbols: dict[int, tuple[int, Symbol]] = {}
        self.references: dict[int, RawReference] = {}
        self.wraps: dict[int, tuple[int, int]] = {}
        self.imports: list[tuple[int, int]] = []
        self.comments: list[tuple[int, int]] = []
        self.attributes: list[tuple[int, int]] = []

    def take(self, rank: int, role: str, captures: dict[str, list[Node]]) -> None:
        span = captures[role][0].byte_range
        group, _, kind = role.partition(".")
        if group == "reference":
            self._take_reference(span, kind, captures.get("receiver"))  # type: ignore[arg-type]
        elif group == "definition":
            self._take_definition(rank, span, kind, captures)
        elif group == "comment":
            self.comments.append(span)
        elif group == "attribute":
            self.attributes.append(span)
        elif group == "import":
            self.imports.append(span)
        else:
            self.wraps[captures["wrapped"][0].start_byte] = span

    def _take_reference(self, span: tuple[int, int], kind: ReferenceKind, receiver: list[Node] | None) -> None:
        start, end = span
        known = self.references.get(start)
        before = None
        if receiver:
            left, right = receiver[0].byte_range
            if right - left <= _RECEIVER_BYTES and _RECEIVER.fullmatch(self.data, left, right):
                before = self._text(left, right).rstrip(".")
        fresh = RawReference(start, self._text(start, end), kind, before)
        self.references[start] = fresh if known is None else max(known, fresh, key=_telling)

    def _take_definition(self, rank: int, span: tuple[int, int], kind: str, captures: dict[str, list[Node]]) -> None:
        names = captures.get("name")
        left, right = names[0].byte_range if names else (span[0], span[0])
        symbol = _named(self._text(left, min(right, left + _NAME_CHARS)), span, left, kind)
        if "scope" in captures:
            symbol.scope = _clean_scope(self._text(*captures["scope"][0].byte_range))
        if "body" in captures:
            symbol.body = captures["body"][0].start_byte
        if "doc" in captures:
            symbol.doc = Span(*captures["doc"][0].byte_range)
        known = self.symbols.get(left)
        if known is not None:
            older, old = known
            first, second = (old, symbol) if older <= rank else (symbol, old)
            first.start, first.end = min(old.start, symbol.start), max(old.end, symbol.end)
            first.body, first.doc = first.body or second.body, first.doc or second.doc
            rank, symbol = min(older, rank), first
        self.symbols[left] = rank, symbol

    def ordered_symbols(self) -> list[Symbol]:
        """All symbols, outer before inner, each as wide as the nodes that wrap it."""
        symbols = [symbol for _, symbol in self.symbols.values()]
        for symbol in symbols:
            while symbol.start in self.wraps:
                start, end = self.wraps[symbol.start]
                if start == symbol.start or end < symbol.end:
                    break
                symbol.start, symbol.end = start, end
        return sorted(symbols, key=lambda symbol: (symbol.start, -symbol.end, symbol.name_start))

    def ordered_references(self, names: set[int], imports: list[Span]) -> list[RawReference]:
        """All references but a symbol's own name and the words of import statements.

        A name that an instance takes from its base (`instance Show Point`) is both: it stays.
        """
        kept: list[RawReference] = []
        starts = [span.start_byte for span in imports]
        for start in sorted(self.references):
            reference = self.references[start]
            at = bisect_right(starts, start) - 1
            imported = at >= 0 and start < imports[at].end_byte
            if not imported and (start not in names or reference.kind == "base"):
                kept.append(reference)
        return kept

    def _text(self, start: int, end: int) -> str:
        return self.data[start:end].decode("utf-8", "replace")


def _named(text: str, span: tuple[int, int], name_start: int, kind: str) -> Symbol:
    scope, name = "", _LIST_SPACE.sub(",", text.strip().strip("\"'`"))
    if kind == "impl":
        name = _TYPE_PREFIX.sub("", _SCOPE_NOISE.sub(" ", name)).strip() or name
    elif name.startswith("("):
        name = name.strip("() ") or name
    if match := _SCOPED.fullmatch(name):
        scope, name = _clean_scope(match["scope"]), match["name"]
    package = kind == "package"
    transparent = package or kind == "namespace"
    known: Kind = "module" if transparent else kind  # type: ignore[assignment]
    if name.endswith(">") and name[0].isalpha() and not name.startswith("operator"):
        name = name.partition("<")[0]
    return Symbol(*span, " ".join(name.split()), name_start, known, span[0], scope, transparent, package)


def _clean_scope(text: str) -> str:
    """`Foo<T>::Bar` -> `Foo.Bar`; empty where the scope says nothing."""
    scope = _SEPARATORS.sub(".", _SCOPE_NOISE.sub("", text)).strip(".").removesuffix(".prototype")
    return "" if scope in _NO_SCOPE else scope


def _own_rows(spans: list[tuple[int, int]], lines: Lines) -> set[int]:
    """The rows that these nodes have to themselves."""
    rows: set[int] = set()
    data = lines.data
    for start, end in spans:
        if end <= start:
            continue
        first, last = lines.row(start), lines.row(end - 1)
        before, after = data[lines.begin(first) : start], data[end : lines.end(last)]
        if (not before or before.isspace()) and (not after or after.isspace()):
            rows.update(range(first, last + 1))
    return rows


def _settle(symbol: Symbol, lines: Lines, comment_rows: set[int], lead_rows: set[int]) -> None:
    """Find the rows of a symbol: its node's, and those right above that belong to it."""
    symbol.first_row = lines.row(symbol.start)
    symbol.last_row = lines.row(max(symbol.start, symbol.end - 1))
    while symbol.first_row - 1 in lead_rows:
        symbol.first_row -= 1
    if symbol.doc is None:
        comments = [row for row in range(symbol.first_row, lines.row(symbol.head)) if row in comment_rows]
        if comments:
            symbol.doc = Span(lines.begin(comments[0]), lines.end(comments[-1]))


def _without_locals(symbols: list[Symbol], imports: list[Span]) -> list[Symbol]:
    """Leave out what only looks like a definition: variables inside functions, and names bound by an import."""
    kept: list[Symbol] = []
    function_end = 0
    bound = {span.start_byte: span.end_byte for span in imports}
    for symbol in symbols:
        is_local = symbol.start < function_end or bound.get(symbol.head, 0) >= symbol.end
        if is_local and symbol.kind in ("const", "variable"):
            continue
        if symbol.kind in ("function", "method"):
            function_end = max(function_end, symbol.end)
        kept.append(symbol)
    return kept


def _nest(symbols: list[Symbol]) -> list[Symbol]:
    """Link members to what encloses them, qualify the names, and return the outermost symbols."""
    top: list[Symbol] = []
    stack: list[Symbol] = []
    for symbol in symbols:
        while stack and (symbol.start >= stack[-1].end or same_extent(symbol, stack[-1])):
            stack.pop()
        parent = stack[-1] if stack else None
        (parent.members if parent else top).append(symbol)
        _qualify(symbol, parent)
        stack.append(symbol)
    return top


def same_extent(one: Symbol, other: Symbol) -> bool:
    """Two names of one statement (`a = b = 1`, `const a = 1, b = 2`) are neighbours, not nested."""
    return one.start == other.start and one.end == other.end


def _qualify(symbol: Symbol, parent: Symbol | None) -> None:
    symbol.parent = parent
    own = f"{symbol.scope}.{symbol.name}" if symbol.scope else symbol.name
    symbol.qualified = own
    if parent is None:
        return
    symbol.depth = parent.depth + 1
    if symbol.kind == "function" and parent.kind in CLASS_LIKE:
        symbol.kind = "method"
    outer = "" if parent.package else parent.qualified
    if outer and symbol.depth <= MAX_DEPTH:
        symbol.qualified = f"{outer}.{own}"


def _outermost(spans: list[tuple[int, int]]) -> list[Span]:
    kept: list[Span] = []
    for start, end in sorted(set(spans), key=lambda span: (span[0], -span[1])):
        if not kept or start >= kept[-1].end_byte:
            kept.append(Span(start, end))
    return kept
