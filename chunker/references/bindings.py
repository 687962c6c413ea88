"""What a file says about the types of its names: local variables, members, results.

Locals are put in place where they are used: after `cart = Cart(shop)`, the receiver `cart` of `cart.total()` reads
`Cart()`. What others can reach (members, module variables, results of functions) is told as `Typed`.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence

from chunker.chunks.outline import CLASS_LIKE
from chunker.kinds import MAX_STEPS, UNKNOWN, Kind
from chunker.model import Typed
from chunker.parse.captures import Binding, Symbol
from chunker.references.expressions import instance_of, path_of

_FUNCTIONS: frozenset[Kind] = frozenset({"function", "method", "macro"})
_SELF = frozenset({b"self", b"this", b"cls"})
_MAX_HOPS = 4  # `a = b; b = c; ...`: further back nobody follows


def enclosing(symbols: Sequence[Symbol], positions: Sequence[int]) -> list[int]:
    """For each ascending byte position, the innermost symbol around it (its place in `symbols`), or -1.

    `symbols` are by start, outer before inner.
    """
    found: list[int] = []
    stack: list[int] = []
    at = 0
    for position in positions:
        while at < len(symbols) and symbols[at].start <= position:
            while stack and symbols[stack[-1]].end <= symbols[at].start:
                stack.pop()
            stack.append(at)
            at += 1
        while stack and symbols[stack[-1]].end <= position:
            stack.pop()
        found.append(stack[-1] if stack else -1)
    return found


class Locals:
    """The variables of functions: (symbol, name) -> where each is bound, and to what."""

    def __init__(self, symbols: Sequence[Symbol], parents: Sequence[int]) -> None:
        self._symbols = symbols
        self._parents = parents
        self._bound: dict[tuple[int, bytes], tuple[list[int], list[str]]] = {}
        self.names: set[bytes] = set()

    def bind(self, symbol: int, name: bytes, start: int, path: str) -> None:
        """In the order of the file."""
        self.names.add(name)
        starts, paths = self._bound.setdefault((symbol, name), ([], []))
        starts.append(start)
        paths.append(path)

    def knows(self, symbol: int, name: bytes, at: int) -> bool:
        return self._find(symbol, name, at) is not None

    def follow(self, symbol: int, path: str, at: int) -> str:
        """The path with the local variable that it starts from replaced by what that was bound to before `at`."""
        for _ in range(_MAX_HOPS):
            head, dot, rest = path.partition(".")
            name = head.removesuffix("()")
            known = name.encode()
            found = self._find(symbol, known, at) if known in self.names else None
            if found is None:
                return path
            start, bound = found
            # A call of a local gives what nobody knows; a variable bound to itself (`x = x`) neither.
            if bound == UNKNOWN or head != name or start >= at or bound.count(".") + rest.count(".") + 2 > MAX_STEPS:
                return UNKNOWN
            path, at = bound + dot + rest, start
        return UNKNOWN

    def _find(self, symbol: int, name: bytes, at: int) -> tuple[int, str] | None:
        while symbol >= 0:
            if self._symbols[symbol].kind in _FUNCTIONS and (bound := self._bound.get((symbol, name))):
                starts, paths = bound
                place = max(bisect_left(starts, at) - 1, 0)
                return starts[place], paths[place]
            symbol = self._parents[symbol]
        return None


def read_bindings(
    bindings: Sequence[Binding], symbols: Sequence[Symbol], numbers: Sequence[int | None], data: bytes
) -> tuple[Locals, tuple[Typed, ...]]:
    """The locals, and what others can reach. `numbers` give the definition of each symbol."""
    places = {id(symbol): number for number, symbol in enumerate(symbols)}
    parents = [places.get(id(symbol.parent), -1) for symbol in symbols]
    named = {symbol.name_start: number for number, symbol in enumerate(symbols)}
    table = Locals(symbols, parents)
    shared: dict[Typed, None] = {}
    ordered = sorted(bindings)
    inside = enclosing(symbols, [binding[0] for binding in ordered])
    for (start, end, role, left, right, is_type), within in zip(ordered, inside, strict=True):
        name = data[start:end]
        path = UNKNOWN if right <= left else (instance_of if is_type else path_of)(data[left:right])
        if role == "extension":
            if start in named:
                extension = _extension(symbols[named[start]], path, numbers[named[start]])
                shared.setdefault(extension, None)
            continue
        if role == "result":
            symbol = named.get(start, -1)
            if symbol < 0:
                continue
            container = symbols[symbol].qualified.rpartition(".")[0]
        elif role == "local" and start not in named and within >= 0 and symbols[within].kind in _FUNCTIONS:
            if name not in _SELF:
                # A variable is known by its value only after the value.
                table.bind(within, name, start if is_type else max(start, right), path)
            continue
        else:
            symbol = within if named.get(start) != within else parents[within]
            container = _owner(symbols, parents, symbol) if role == "member" else _qualified(symbols, symbol)
        if path == UNKNOWN or (role == "member" and not container):
            continue
        path = table.follow(symbol, path, start)
        if path != UNKNOWN:
            text = name.decode("utf-8", "replace").lstrip("$")
            shared.setdefault(Typed(container, text, path, numbers[symbol] if symbol >= 0 else None))
    return table, tuple(shared)


def _extension(symbol: Symbol, path: str, number: int | None) -> Typed:
    """A function as a member of the class that it extends, `?` where that is none."""
    return Typed(path.removesuffix("()").rpartition(".")[2], symbol.name, symbol.qualified, number)


def _qualified(symbols: Sequence[Symbol], symbol: int) -> str:
    return symbols[symbol].qualified if symbol >= 0 else ""


def _owner(symbols: Sequence[Symbol], parents: Sequence[int], symbol: int) -> str:
    """The class around, or what a method is written for (`function Cart:add()`); empty for neither."""
    scope = ""
    while symbol >= 0:
        if symbols[symbol].kind in CLASS_LIKE:
            return symbols[symbol].qualified
        scope, symbol = symbols[symbol].scope, parents[symbol]
    return scope
