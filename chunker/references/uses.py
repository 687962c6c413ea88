"""The references of each symbol, and the types of local variables, members and results.

Local variables are replaced by their values: after `cart = Cart(shop)`, the receiver `cart` of `cart.total()` becomes
`Cart()`. Names that other code can use (members, module variables, results of functions) become `Typed`.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence

from chunker.chunks.lines import Lines
from chunker.chunks.outline import Outline
from chunker.kinds import CLASSES, JOINT, MAX_STEPS, ROUTINES, UNKNOWN
from chunker.languages.table import LanguageRules
from chunker.model import Import, Reference, Typed
from chunker.parse.captures import Symbol, Uses
from chunker.parse.grammars import USE_KINDS, rank_of
from chunker.references.expressions import MAX_BYTES, instance_of, path_of
from chunker.references.messages import as_calls

_FUNCTIONS = ROUTINES | {"macro"}
_SELF = frozenset({b"self", b"this", b"cls"})
_TYPE_RANK, _CALL_RANK, _BASE_RANK, _MACRO_RANK = map(rank_of, ("type", "call", "base", "macro"))
_AFTER_HEAD = re.compile(rb"[^\w$]")  # of a path
_NUMBERED = re.compile(rb"(?<=[a-z_)])\.0(?=\.|\Z)")  # the first value in `struct Price(Total);`
_MODULE = re.compile(r"[^\s.()?]+(\.[^\s.()?]+)*+")  # `shop.line-items`
_NEW = re.compile(rb"new(?=[(.]|\Z)")  # Ruby: `new(1)` constructs an object of the class around it
_FIELD = re.compile(rb"(?:self->)?_(?=([a-z]\w*))")
_ASSIGNED = re.compile(rb"[ \t]*=(?![=~>])")
_MAX_OPENED = 3  # of the modules opened around a name, the innermost ones
_MAX_HOPS = 4  # `a = b; b = c; ...`: longer chains are not followed


def enclosing(symbols: Sequence[Symbol], positions: Sequence[int]) -> list[Symbol | None]:
    """For each ascending byte position, the innermost symbol around it; `symbols` by start, outer before inner."""
    spans = [(symbol.start, symbol.end) for symbol in symbols]
    return [symbols[stack[-1]] if stack else None for stack in _around(spans, positions)]


def _around(spans: Sequence[tuple[int, int]], positions: Iterable[int]) -> Iterator[list[int]]:
    """For each ascending byte position, the numbers of the spans around it, innermost last; valid until the next."""
    stack: list[int] = []
    at = 0
    for position in positions:
        while at < len(spans) and spans[at][0] <= position:
            while stack and spans[stack[-1]][1] <= spans[at][0]:
                stack.pop()
            stack.append(at)
            at += 1
        while stack and spans[stack[-1]][1] <= position:
            stack.pop()
        yield stack


class Locals:
    """The variables of functions, and those of a file that are no definitions (in callbacks of tests): by (function or
    None, name), the positions of bindings and the bound paths.

    `outside` are the names of variables outside functions.
    """

    def __init__(self, outline: Outline, imports: Sequence[Import], language: LanguageRules) -> None:
        self._imported = {local: (statement.module, name) for statement in imports for local, name in statement.names}
        self._package, self._mixins, self._messages = outline.package, language.mixins, language.messages
        self.modules_apart = language.modules_apart
        self._scopes = _FUNCTIONS | {"module", "variable"} if language.value_locals else _FUNCTIONS
        self._members = re.compile(language.member_marks.encode()) if language.member_marks else None
        self.joins_names = language.package_separator == "::"  # `Shop::Cart` is one step of a path
        self._defined = {symbol.name.encode() for symbol in outline.symbols}
        self._bound: dict[tuple[Symbol | None, bytes], list[tuple[int, str]]] = {}
        self.names: set[bytes] = set()
        self.outside: set[bytes] = set()

    def bind(self, around: Symbol | None, name: bytes, start: int, path: str) -> bool:
        """Add a binding of a variable in a symbol, in file order. Returns whether it is local to a function."""
        is_local = around is not None and around.kind in self._scopes
        if not is_local:
            self.outside.add(name)
            around = None if around is not None and around.start == around.name_start else around  # a component
        if is_local:
            is_followed = name not in _SELF
        else:  # a definition, an import and an unknown value are what they are; so are members
            is_known = path != UNKNOWN and not path.startswith("require(")
            is_followed = around is None and is_known and name not in self._defined
        if is_followed:
            self.names.add(name)
            self._bound.setdefault((around, name), []).append((start, path))
        return is_local

    def find(self, symbol: Symbol | None, name: bytes, at: int) -> tuple[int, str] | None:
        """The position and path of the last binding before `at` (else of the first) of a name that `symbol` uses."""
        while symbol is not None:
            if bound := self._bound.get((symbol, name)):
                return bound[max(bisect_left(bound, (at,)) - 1, 0)]
            symbol = symbol.parent
        bound = self._bound.get((None, name), [])
        return bound[last - 1] if (last := bisect_left(bound, (at,))) else None

    def bind_type(self, around: Symbol | None, name: bytes, path: str) -> None:
        """Add a bound of a parameter for types, as the type of a value and before `::`: the first of those that are
        defined or imported here."""
        if "::" in path or (head := path.removesuffix("()")).encode() in self._defined or head in self._imported:
            for word, bound in ((name + b"()", path), (name + b"::", path.removesuffix("()"))):
                self.names.add(word)
                self._bound.setdefault((around, word), [(0, bound)])

    def path(self, data: bytes, left: int, right: int, *, is_type: bool = False) -> str:
        """The path of an expression or a type. A name before `::` that is imported or stands for a type is marked, so
        that no variable replaces it. `Price::Fixed` before `(` is a pattern of a variant."""
        text, after = _expression(data, left, right), data[right : right + 2]
        if self.modules_apart:
            name = text.decode("utf-8", "replace").strip("'")
            return name if _MODULE.fullmatch(name) and name.count(".") < MAX_STEPS else UNKNOWN
        text = _NUMBERED.sub(rb"._0", text) if b".0" in text else text
        text = b"self." + text if self._mixins and _NEW.match(text) else text
        text = self._without_messages(text) if self._messages and not is_type else text
        text = self._members.sub(rb".\1", text) if self._members else text
        if self.joins_names:
            return path_of(text.replace(b"::", JOINT.encode())).replace(f"{JOINT}.", ".")
        path = (instance_of if is_type else path_of)(text)
        if b"::" not in text + after:  # most languages have none
            return path
        head, dot, rest = (path + "(" * (after[:1] == b"(" and b"::" in text)).partition(".")
        is_space = head in self._imported or f"{head}::".encode() in self.names
        mark = "::" if is_space and f"{head}::".encode() in text + after else ""
        return f"{head}{mark}{dot}{rest}"

    def without_mark(self, name: bytes) -> str:
        """The name of a member without what marks it as a field or a variable."""
        return name.decode("utf-8", "replace").lstrip("$_" if self._messages else "$")

    def _without_messages(self, text: bytes) -> bytes:
        """The expression with calls in place of messages. `_cart` is the field behind the property `cart` of `self`."""
        text = as_calls(text)
        field = _FIELD.match(text)
        return b"self." + text[field.end() :] if field and b"_" + field[1] not in self.names else text

    def follow(self, symbol: Symbol | None, path: str, at: int) -> str:
        """The path, with a local variable at its start replaced by the path bound to it before `at`."""
        for _ in range(_MAX_HOPS):
            head, dot, rest = path.partition(".")
            name = head if head.encode() in self.names else head.removesuffix("()")
            binding = self.find(symbol, name.encode(), at) if name.encode() in self.names else None
            if binding is None:
                return self._absolute(path)
            start, bound = binding
            # The result of calling a local is unknown; so is a variable bound to itself (`x = x`).
            whole = bound + dot + rest
            if bound == UNKNOWN or head != name or start >= at or whole.count(".") >= MAX_STEPS:
                return UNKNOWN
            path, at = whole, start or at
        return UNKNOWN

    def receiver(self, symbol: Symbol | None, word: bytes, at: int) -> str | None:
        """The object that a bare name is a part of: None if it is no variable, `?` if it is no part of an object."""
        name = word.decode("utf-8", "replace")
        path = self.follow(symbol, name, at) if word in self.names else name
        if path == name or path.startswith("require("):  # a required module is an import
            return None
        receiver, _, part = path.rpartition(".")
        return receiver if receiver and part == name else UNKNOWN

    def _absolute(self, path: str) -> str:
        r"""The path with the whole name of a namespace at its start: `\Shop\Cart\.Item` after `use Shop\Cart`."""
        path = path.replace("::", "", 1)
        head, separator, rest = path.partition("\\")
        outer = self._imported.get(head) or (self._package, head)
        return "\\".join(["", *filter(None, outer), rest]) if head and separator else path


def read_bindings(outline: Outline, table: Locals, data: bytes) -> tuple[Typed, ...]:
    """The types of names that other code can use; local variables are added to `table`. Symbols have their `number`."""
    by_name_start = {symbol.name_start: symbol for symbol in outline.symbols}
    shared: dict[tuple[str, str, str, int | None], Typed] = {}  # overloads with one result say the same
    ordered = sorted(outline.bindings)
    inside = enclosing(outline.symbols, [binding[0] for binding in ordered])
    for (start, end, role, left, right, is_type), around in zip(ordered, inside, strict=True):
        name, own, is_member = data[start:end], by_name_start.get(start), role in ("member", "variant")
        if role == "variant":  # what is in it, as the pattern `Price::Fixed(total)` names it, or in `struct Price(`
            name, own = b"_0" if own else name + b"(", None
        # `export default` and decorators are outside the definition.
        within = around.parent if around is not None and start < around.head else around
        path = UNKNOWN if right <= left else table.path(data, left, right, is_type=is_type)
        path = f"{path}.{name.decode('utf-8', 'replace')}" if role == "part" and path != UNKNOWN else path
        if role in ("extension", "result") and own is None:
            continue
        if role == "extension" and own is not None:  # a member of the class that it extends, `?` if that is unknown
            extended = path.removesuffix("()").rpartition(".")[2]
            one = extended, own.name, own.qualified, own.number
            shared.setdefault(one, Typed(*one))
            continue
        if role == "generic":
            table.bind_type(around, name, path)
            continue
        place = start if is_type else max(start, right)  # a variable has the type of its value only after the value
        if role in ("local", "part") and own is None and table.bind(within, name, place, path):
            continue
        symbol, container = own, own.qualified.rpartition(".")[0] if own is not None else ""
        if role != "result":
            symbol = within.parent if within is not None and own is within else within
            container = _owner(symbol) if is_member else symbol.qualified if symbol is not None else ""
        if path == UNKNOWN or (is_member and not container):
            continue
        path = table.follow(symbol, path, place)
        text = own.name if own is not None and role == "result" else table.without_mark(name)
        # A function that returns the result of its namesake (`self.parse` that calls `parse`) says nothing about it.
        if path != UNKNOWN and (is_type or role != "result" or path.rpartition(".")[2] != f"{text}()"):
            number = symbol.number if symbol is not None else None
            shared.setdefault((container, text, path, None), Typed(container, text, path, number))
    return tuple(shared.values())


def _expression(data: bytes, left: int, right: int) -> bytes:
    """The bytes of an expression, or so many of a long one that it is unknown: a chain of 40,000 members has one that
    long before each of them."""
    return data[left : min(right, left + MAX_BYTES + 1)]


def _owner(symbol: Symbol | None) -> str:
    """The enclosing class, or the scope in the name of a method (`function Cart:add()`); empty without either."""
    scope = ""
    while symbol is not None:
        if symbol.kind in CLASSES:
            return symbol.qualified
        scope, symbol = symbol.scope, symbol.parent
    return scope


def _bare_calls(outline: Outline, variables: Locals, data: bytes) -> dict[int, str | None]:
    """The names without brackets that are calls, by start byte, with the receiver: `self` for a method of the enclosing
    class, None for a function of the file."""
    if not outline.bare:
        return {}
    functions = [symbol for symbol in outline.symbols if symbol.kind in _FUNCTIONS]
    in_file = {symbol.name.encode() for symbol in functions if not _is_in_class(symbol)}
    calls: dict[int, str | None] = {}
    ordered = sorted(outline.bare)
    for start, symbol in zip(ordered, enclosing(outline.symbols, ordered), strict=True):
        end, is_symbol = outline.bare[start]
        name, is_in_function = data[start:end], symbol is not None and symbol.kind in _FUNCTIONS
        if is_symbol:
            is_call = not is_in_function  # there, a symbol is data more often than the name of a method
        else:
            is_local = name in variables.names and variables.find(symbol, name, start) is not None
            is_call = not is_local and name not in variables.outside
        if is_call and _is_in_class(symbol):
            calls[start] = "self"
        elif is_call and name in in_file:
            calls[start] = None
    return calls


def _is_in_class(symbol: Symbol | None) -> bool:
    """Whether a symbol is a class, or is inside one."""
    while symbol is not None:
        if symbol.kind in CLASSES or (symbol.kind == "module" and not symbol.transparent):
            return True
        symbol = symbol.parent
    return False


class Values:
    """Says which names may be functions or classes used as values: those that the file defines, imports or shares."""

    def __init__(self, outline: Outline, variables: Locals, imports: Sequence[Import], language: LanguageRules) -> None:
        self.hide_calls, self.have_writers = not language.calls_apart, language.mixins
        self._has_module_receivers = language.file_modules or language.modules_apart
        self._marked, self._variables, self._locals = language.marks_values, variables.outside, variables.names
        own = _FUNCTIONS if language.markup else _FUNCTIONS | CLASSES  # a component is no value of itself
        self._own = {symbol.name.encode() for symbol in outline.symbols if symbol.kind in own}
        self._imported = {local.partition(".")[0].encode() for statement in imports for local, _ in statement.names}
        # Some files see names of other files without an import.
        self._sees_all = language.program_wide or bool(language.package) or b"*" in self._imported

    def may_be(self, name: bytes, receiver: bytes) -> bool:
        """Whether a name after this receiver may be a function or a class. A member of anything but a module is more
        often a field, so it must have the name of one of the file."""
        if self._marked or name in self._own:
            return True
        if name.isupper() or name.endswith(b"__") or name in _SELF:
            return False
        if receiver and self._has_module_receivers:
            return True
        if receiver:
            head = _AFTER_HEAD.split(receiver, 1)[0]
            return head in self._imported or (self._sees_all and head in self._locals)
        return name in self._imported or (self._sees_all and name not in self._variables)


def _opened(outline: Outline, uses: Uses) -> dict[int, list[tuple[int, int]]]:
    """The modules that are opened around names without a receiver, innermost first, by the start of the name."""
    starts = sorted(start for start, use in uses.items() if use[3] <= use[2]) if outline.opened else []
    modules = [(left, right) for *_, left, right in outline.opened]
    stacks = _around([(start, end) for start, end, *_ in outline.opened], starts)
    pairs = zip(starts, stacks, strict=True)
    return {start: [modules[at] for at in stack[: -_MAX_OPENED - 1 : -1]] for start, stack in pairs if stack}


def _receiver(variables: Locals, symbol: Symbol | None, data: bytes, start: int, use: tuple[int, int, int, int]) -> str:
    """What a name is a member of, as a path."""
    rank, _, left, right = use
    path = variables.path(data, left, right)
    if variables.modules_apart:
        return path
    receiver = UNKNOWN if path == UNKNOWN else variables.follow(symbol, path, start)
    if receiver == UNKNOWN and path.isidentifier() and rank & ~1 == _CALL_RANK:
        return f"{UNKNOWN}.{path}"  # a variable of unknown type may be named after it
    return receiver


def read_references(
    outline: Outline, variables: Locals, values: Values, starts: Sequence[int], lines: Lines
) -> tuple[Reference, ...]:
    """The first use of each name by each symbol in each chunk, in file order: the graph needs no more.

    `starts` are the bytes at which chunks start. The words of import statements are left out, and so is a symbol's own
    name, unless it is taken from a base (`instance Show Point`).
    """
    data, rows, last_row = lines.data, lines.starts, lines.count
    references: list[Reference] = []
    seen: set[tuple[bytes, int, str | None, Symbol | None, int]] = set()
    names = {symbol.name_start for symbol in outline.symbols}
    own_names = {symbol.name.encode() for symbol in outline.symbols} if outline.opened else set()
    calls = _bare_calls(outline, variables, data)
    uses = outline.uses | {start: (_CALL_RANK, outline.bare[start][0], 0, 0) for start in calls}
    opened = _opened(outline, uses)
    ordered = sorted(
        start
        for start, (rank, end, left, right) in uses.items()
        if rank >= _TYPE_RANK or start in opened or values.may_be(data[start:end], _expression(data, left, right))
    )
    for statement in reversed(outline.imports):
        del ordered[bisect_left(ordered, statement.start_byte) : bisect_right(ordered, statement.end_byte - 1)]
    # The chunk and the row only move forward.
    chunk, row, last = -1, 0, len(starts)
    for start, symbol in zip(ordered, enclosing(outline.symbols, ordered), strict=True):
        rank, end, left, right = uses[start]
        if start in names and (rank < _BASE_RANK and right <= left):
            continue
        while chunk + 1 < last and starts[chunk + 1] <= start:
            chunk += 1
        word = data[start:end].removeprefix(b":")  # Ruby's `method(:total)`
        word = word.replace(b"::", b".") if variables.joins_names else word
        # Ruby: `cart.total = 1` calls `total=`.
        word += b"=" if values.have_writers and rank == _CALL_RANK | 1 and _ASSIGNED.match(data, end) else b""
        receiver = calls.get(start) if right <= left else _receiver(variables, symbol, data, start, uses[start])
        # No variable hides a type or a macro, nor in some languages the function that `total()` calls.
        may_hide = rank not in (_TYPE_RANK, _MACRO_RANK) and (values.hide_calls or rank & ~1 != _CALL_RANK)
        if right <= left and start not in calls and may_hide:
            receiver = variables.receiver(symbol, word, start)
        kind = rank >> 1
        paths = [receiver]
        if start in opened and receiver is None and word not in own_names:
            paths += [variables.follow(symbol, variables.path(data, *span), start) for span in opened[start]]
        for path in paths:
            key = (word, kind, path, symbol, chunk)
            if key in seen or (path == UNKNOWN and (rank < _TYPE_RANK or right <= left)):
                continue
            seen.add(key)
            row = bisect_right(rows, start, row, last_row)
            number = symbol.number if symbol is not None else None
            name = word.decode("utf-8", "replace")
            references.append(Reference(name, USE_KINDS[kind], chunk if chunk > 0 else 0, row, path, number))
    return tuple(references)
