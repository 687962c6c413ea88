"""The captures of a language's query in a syntax tree, as byte spans and symbols in no particular order."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from chunker.kinds import Kind
from chunker.model import Span
from chunker.parse.grammars import SymbolQuery, rank_of
from chunker.parse.patterns import ROLE

if TYPE_CHECKING:
    from tree_sitter import Node

# `Foo::bar`, `M.foo`, `Foo.prototype.bar`, `App\Model`: the last part is the name, the rest is its scope.
_SCOPED = re.compile(
    r"(?P<scope>[\w$@]\S*?)(?:::|\.|:|\\)(?P<name>[~$#]?\w[\w$]*[?!=]?(?:<[^<>:]*>)?|operator\b.*)", re.S
)
_SCOPE_NOISE = re.compile(r"<.*>|\[.*\]|\(.*\)|\s+|[*&]+", re.S)
_QUOTES = re.compile(r"\A([\"'`])(.*)\1\Z", re.S)  # `focus'` of Haskell keeps its prime
_LIST_SPACE = re.compile(r",\s+")
_TYPE_PREFIX = re.compile(r"^(?:\s|'\w+|\b(?:mut|dyn|for|const)\b)+")
_SEPARATORS = re.compile(r"::|\\|->|:|/")
# A scope that is the module's own export table or the receiver itself does not qualify a name.
_NO_SCOPE: Final = frozenset({"exports", "module.exports", "self", "this", "window", "globalThis", "_G"})
_CAST = re.compile(r"operator\s+\w[^(]*")  # `operator bool() const`
_COMPONENT = re.compile(
    rb"<(?P<in_tag>[A-Z][\w.]*)?\.(?!live_component\b)(?P<tag>[a-z_]\w*[?!]?)"
    rb"|(?<![\w.:@&<])(?:(?P<in_call>[A-Z]\w*(?:\.[A-Z]\w*)*)\.)?(?P<call>[a-z_]\w*[?!]?)(?=\()"
)
_NAME_CHARS = 200
_PART = "shorthand_property_identifier_pattern"  # `save` in `const { save } = useCart()`
_TYPE_RANK, _CALL_RANK, _DEMAND_RANK = map(rank_of, ("type", "call", "demand"))


@dataclass(slots=True, eq=False)
class Symbol:
    """A definition in the tree; all extents are bytes, all rows 0-based.

    `start..end` is the widest node (with `export`, `template`, decorators), `head` is where the declaration itself
    starts, `first_row` includes attributes and comments right above. A `transparent` symbol is laid out as if its
    members were outside it; unless it is a `package`, it still qualifies their names.
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
    opens: bool = False  # it extends to the next module: `package Shop::Cart;`
    body: int | None = None
    doc: Span | None = None
    head_row: int = 0
    first_row: int = 0
    last_row: int = 0
    qualified: str = ""
    depth: int = 0
    number: int | None = None  # of its definition
    parent: Symbol | None = None
    members: list[Symbol] = field(default_factory=list)


# Start byte -> rank as in `SymbolQuery`, end, start and end of the receiver (0, 0 without one). Plain tuples, because
# every called name has one, and creating anything richer takes longer than finding it.
Uses = dict[int, tuple[int, int, int, int]]
# Start and end of a name; `local`, `part` (then the type or value is that of the object with a member of this name),
# `member`, `variant` (then the type is that of the first value in it), `generic` (a parameter for types, with a bound),
# `result` or `extension` (then the type is the extended one); start and end of its type or value (0, 0 without one);
# whether that is a type rather than a value.
Binding = tuple[int, int, str, int, int, bool]


class Captures:
    """The matches of one file. If two patterns capture the same name, the first in the query file wins."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.uses: Uses = {}
        self.bindings: list[Binding] = []
        self.spans: dict[str, list[tuple[int, int]]] = defaultdict(list)  # all other roles, by role
        self.opened: list[tuple[int, int, int, int]] = []
        self._named: dict[str, dict[int, tuple[int, Symbol]]] = {"definition": {}, "minor": {}, "field": {}}
        self._wraps: dict[int, tuple[int, int]] = {}

    def read(self, root: Node, query: SymbolQuery) -> None:
        """Run the query over the whole tree; of references that start at the same byte, keep the highest rank."""
        roles, ranks, uses = query.roles, query.ranks, self.uses
        for pattern, captures in query.matches(root, self.data):
            rank = ranks[pattern]
            if rank <= 0:
                role = roles[pattern]
                if rank == 0:
                    self._add(pattern, role, captures)
                    continue
                self._bind(role, captures)
                continue
            start, end = captures[ROLE][0].byte_range
            if "path" in captures and (cut := self.data.rfind(b"::", start, end)) >= 0:  # `Shop::Cart::total`
                rank, use = rank | 1, (rank | 1, end, start, cut)
                start = cut + 2
            elif not rank & 1:
                use = rank, end, 0, 0
            elif "receiver" in captures:
                use = rank, end, captures["receiver"][0].start_byte, captures["receiver"][-1].end_byte
            else:  # a flat chain of steps: the receiver is all of it from `from` to the dot
                use = rank, end, captures["from"][0].start_byte if "from" in captures else start, start - 1
            other = uses.get(start)
            if other is None or other[0] < rank:
                uses[start] = use
        for place, _ in self.spans["attribute.name"]:  # `@doc "..."` is no call
            self.uses.pop(place, None)
        for left, right in self.spans["markup"]:
            self._call_components(left, right)
        self._turn("types", _CALL_RANK, _TYPE_RANK)  # `@spec run(Cart.t()) :: atom()`
        self._turn("demands", _TYPE_RANK, _DEMAND_RANK)  # `self: Carts & Prices =>`

    def _call_components(self, left: int, right: int) -> None:
        """Add the calls in markup of Phoenix: `<.button>`, `<Shop.Cart.row>`, `{total(@cart)}`."""
        for match in _COMPONENT.finditer(self.data, left, right):
            name = match.lastgroup or ""
            module = match.span(f"in_{name}") if match[f"in_{name}"] else (0, 0)
            self.uses[match.start(name)] = (_CALL_RANK + (module[1] > 0), match.end(name), *module)

    def _turn(self, role: str, rank: int, into: int) -> None:
        """Give the references of a rank in the spans of a role another one."""
        places = sorted(self.uses) if self.spans[role] else []
        for left, right in self.spans[role]:
            for place in places[bisect_left(places, left) : bisect_left(places, right)]:
                own, end, start, stop = self.uses[place]
                if own & ~1 == rank:
                    self.uses[place] = (own - rank + into, end, start, stop)

    def symbols(self) -> list[Symbol]:
        """All symbols, outer before inner, each as wide as the nodes that wrap it."""
        symbols = [symbol for _, symbol in self._named["definition"].values()]
        modules = sorted(symbol.start for symbol in symbols if symbol.kind == "module")
        for symbol in symbols:
            if symbol.opens:
                symbol.end = next(iter(modules[bisect_right(modules, symbol.start) :]), len(self.data))
        for symbol in symbols:
            while symbol.start in self._wraps:
                start, end = self._wraps[symbol.start]
                if start == symbol.start or end < symbol.end:
                    break
                symbol.start, symbol.end = start, end
        return sorted(symbols, key=lambda symbol: (symbol.start, -symbol.end, symbol.name_start))

    def minor(self) -> list[Symbol]:
        """The names that only the table of definitions contains, by position."""
        minor = self._named["minor"]
        return [minor[start][1] for start in sorted(minor.keys() - self._named["definition"].keys())]

    def fields(self) -> list[Symbol]:
        """The fields of types that are no other definitions, by position."""
        definitions, minor, fields = self._named.values()
        return [fields[start][1] for start in sorted(fields.keys() - minor.keys() - definitions.keys())]

    def _add(self, rank: int, role: str, captures: dict[str, list[Node]]) -> None:
        span = captures[ROLE][0].byte_range
        level, _, kind = role.partition(".")
        if role == "wrap":
            self._wraps[captures["wrapped"][0].start_byte] = span
        elif role == "opened":
            self.opened.append((*span, *captures["receiver"][0].byte_range))
        elif level in self._named:
            self._add_definition(self._named[level], rank, span, kind or "variable", captures)
        else:
            self.spans[role].append(span)

    def _add_definition(
        self, symbols: dict[int, tuple[int, Symbol]], rank: int, span: tuple[int, int], kind: str,
        captures: dict[str, list[Node]],
    ) -> None:  # fmt: skip
        names = captures.get("name")
        left = names[0].start_byte if names else span[0]
        # The value of `module.exports` has a name of its own.
        start, right = names[-1].byte_range if names else (left, left)
        text = self._text(start, min(right, start + _NAME_CHARS))
        if "tail" in captures:  # a part of the definition that is its sibling in the tree
            span = span[0], captures["tail"][-1].end_byte
        symbol = _named(text, span, left, kind, scoped="whole" not in captures)
        symbol.opens = "open" in captures
        if "scope" in captures:
            symbol.scope = _clean_scope(self._text(*captures["scope"][0].byte_range))
        if "body" in captures:
            symbol.body = captures["body"][0].start_byte
        if "doc" in captures:
            symbol.doc = Span(*captures["doc"][0].byte_range)
        earlier = symbols.get(left)
        if earlier is not None:
            older, old = earlier
            first, second = (old, symbol) if older <= rank else (symbol, old)
            first.start, first.end = min(old.start, symbol.start), max(old.end, symbol.end)
            first.body, first.doc = first.body or second.body, first.doc or second.doc
            rank, symbol = min(older, rank), first
        symbols[left] = rank, symbol

    def _bind(self, role: str, captures: dict[str, list[Node]]) -> None:
        is_type = "type" in captures
        value = captures["type"] if is_type else captures.get("value")
        left, right = (value[0].start_byte, value[-1].end_byte) if value else (0, 0)
        names = captures[ROLE]
        if role == "part":  # a query for the parts themselves is cubic in their number: each match waits for the value
            names = [node for node in names[0].named_children if node.type == _PART]
        self.bindings += ((*node.byte_range, role, left, right, is_type) for node in names)

    def _text(self, start: int, end: int) -> str:
        return self.data[start:end].decode("utf-8", "replace")


def _named(text: str, span: tuple[int, int], name_start: int, kind: str, *, scoped: bool) -> Symbol:
    scope, name = "", _QUOTES.sub(r"\2", _LIST_SPACE.sub(",", text.strip().removeprefix("::")))
    if kind == "impl":
        name = _TYPE_PREFIX.sub("", _SCOPE_NOISE.sub(" ", name)).strip() or name
    elif name.startswith("("):
        name = name.strip("() ") or name
    elif name.startswith(":") and name[1:2].isidentifier():
        name = name[1:]  # Ruby's and Elixir's `:name`
    elif name.endswith(":") and name[:-1].isidentifier():
        name = name[:-1]  # Elixir's `name: 1`
    if scoped and (match := _SCOPED.fullmatch(name)):
        scope, name = _clean_scope(match["scope"]), match["name"]
    if cast := _CAST.match(name):
        name = cast[0]
    if name.endswith(">") and name[0].isalpha() and not name.startswith("operator"):
        name = name.partition("<")[0]
    package = kind == "package"
    transparent = package or kind == "namespace"
    own_kind: Kind = "module" if transparent else kind  # type: ignore[assignment]
    return Symbol(*span, " ".join(name.split()), name_start, own_kind, span[0], scope, transparent, package)


def _clean_scope(text: str) -> str:
    """`Foo<T>::Bar` -> `Foo.Bar`; empty if the scope does not qualify a name."""
    scope = _SEPARATORS.sub(".", _SCOPE_NOISE.sub("", text)).strip(".").removesuffix(".prototype")
    return "" if scope in _NO_SCOPE else scope
