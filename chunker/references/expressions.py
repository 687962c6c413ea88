"""Reduces receivers, assigned values and declared types to one plain form that the graph can follow.

The form is a path of names, each called or not: `a.b().c`. A type is written as a call of it: `x: Foo` and `x = Foo()`
say the same about `x`. Anything else (an element of a list, an operation, a union) is `?`.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from chunker.kinds import EXPECTED, MAX_STEPS, UNKNOWN
from chunker.languages.import_syntax import split_list

MAX_BYTES = 1500  # of an expression or a type; a longer one is unknown

_LEAD = re.compile(
    rb"\s*(?:(?:await|new|try[!?]?|yield|mut|ref|typeof|unsafe|move|not|lazy|clone(?=\s+\$))\b\s*|[&*!]+\s*|::(?=[A-Z]\w*::))+"
)
# Ruby's `Cart.new shop`
_COMMAND = re.compile(
    rb"((?:::)?[A-Z]\w*(?:::[A-Z]\w*)*\.new)\s+(?!(?:if|unless|or|and|rescue|while|until|do)\b)(?=[\w\"'@$\[]|[:*&%-][^\s&=])"
)
_NAME = re.compile(rb"\s*([@$#]{0,2}[A-Za-z_\x80-\xff][\w\x80-\xff]*[!?]?)")
# `Cart\` of PHP's `Cart\Item`, `\App\` of `\App\Item`: the name of a namespace, which is one step
_NAMESPACE = re.compile(rb"(?:\w*\\)+(?=\w|\Z)")
# Zig has `.?` and `.*`.
_STEP = re.compile(rb"\s*(?:(?:\.[?*])*[?!]*\.(?![.\d])&?|::|->|\?->|(?<=\\)|:(?=\w+\())\s*|\s*!(?=\s*[.(])")
# `x as Foo` and Go's `x.(*Foo)`; `(Foo) x`, only for a type that looks like one (`(a) - b`)
_AS = re.compile(
    rb"(?:(?<!\s)\s+as[!?]?\s+((?:\w+(?:\.|::))*\w+(?:<[^()=]*>)?)\??|\.\(\s*(\*?\w+(?:\.\w+)?)\s*\))\s*\Z"
)
_CAST = re.compile(
    rb"\(\s*((?:\w+(?:\.|::))*[A-Z]\w*(?:<[^()=]*>)?|\*\w[\w.]*|\w[\w\s:]*\*+)\s*\)\s*(?=[\w\"'@$])(?!(?:in|is|if)\b)"
)
_ASSERTED = re.compile(rb"\s*\.\(\s*(\*?\w+(?:\.\w+)?)\s*\)")
_REST = re.compile(rb"(?:[\s;!?]|\.[?*])*\Z")
_REQUIRED = re.compile(rb"require\s*\(?\s*['\"]([\w./-]+)['\"]\s*\)?")
# `app(Cart::class)`, `$this->container->get(Cart::class)`, Angular's `inject(Cart)`: containers that give an object of
# the class
_CONTAINER = re.compile(
    rb"(?:(?:app|resolve|(?:\$?\w+(?:\(\))?(?:\??->|::))+(?:get|make|makeWith))(?=\([^,)]*::class\b)|inject)(\()"
    rb"\s*\\?(?:\w+\\)*([A-Z]\w*)(?:::class)?(?=\s*[,)])"
)
# `std::make_unique<Cart>(shop)`, `dynamic_cast<Cart *>(base)`, `base.Cast<Cart>()`, `QSharedPointer<Cart>::create()`:
# an object of the class
_FACTORY = re.compile(
    rb"(?:\w|::|\.|->|\[\w*\]|\([^()]*\))*(?:\b[Mm]ake_?(?:[Uu]niq|[Ss]hared|[Rr]ef)\w*|[Cc]ast|_ptr|Ptr|Pointer)"
    rb"<([\w\s:]+)(?:[^()\w\s:][^()]*)?>(?:::create)?(\()"
)
_BRACKET = re.compile(rb"[()\[\]{}]")
_ANGLE = re.compile(rb"(?:::)?<[\w\s,.:&'<>\[\]?|\"-]*>(?=\s*[({.:])")
# Methods that, to a reader of the call, return the object that they are called on.
_SAME: Final = frozenset(
    "unwrap expect clone as_ref as_mut borrow borrow_mut lock await to_owned into iter by_ref apply also let self this"
    " unwrap_or_default new class".split()
)

_TYPE_NOISE = re.compile(
    r"'\w+\s*|\b(?:const|mut|dyn|impl|readonly|final|volatile|struct|class|enum|static|inline|typename|unique|params"
    r"|ref|out|in|vararg|some|any|open|lateinit|asserts|async|nullable|nonnull|__\w+|_N\w+)\b\s+|@\w+(?:\([^)]*\))?\s*"
)
# The type in a comment before a declaration, if it is no list
_IN_COMMENT = re.compile(r"(?s)/\*.*?(?:@(?:var|return)\s+([\w\\|?$]+)(?![\w\\|?$<\[&]).*)?\Z")
_NOTHING: Final = frozenset({"None", "null", "undefined", "nil", "void", "never", "false", ""})
_WRAPPER = re.compile(
    r"(?:[\w.]+(?:\.|::))?(?:Optional|Type|type|ClassVar|Final|Annotated|Required|Box|Rc|Arc|Option|Ref|RefMut|Promise"
    r"|Awaitable|Coroutine|Awaited|Readonly|Partial|NonNullable|Lazy|Task|ValueTask|Result|Cell|RefCell|Mutex|RwLock|Pin"
    r"|Self|Nullable|Weak|Cow|id|optional|\w*(?:_ptr|Ptr|Pointer))\s*[\[<](.*)[\]>]",
    re.S,
)
# Letters, `_` and all that is not ASCII, written as what they are not: this compiles a hundred times faster.
_WORD = r"[^\x00-@\[-^`{-\x7f][^\x00-/:-@\[-^`{-\x7f]*"
_DOTTED = re.compile(rf"[@$]?{_WORD}(?:(?:\.|::|->){_WORD})*")


@lru_cache(maxsize=20_000)
def path_of(text: bytes) -> str:
    """An expression as a path of names; `?` if it is not one."""
    if len(text) > MAX_BYTES:
        return UNKNOWN
    if text == EXPECTED.encode():
        return EXPECTED
    text = _unwrapped(text)
    text = command[1] if (command := _COMMAND.match(text)) else text
    text = text[7:] if text.startswith(b"module.exports") else text
    if (cast := _CAST.match(text)) or (b"=>" not in text and (cast := _AS.search(text))):
        return instance_of(cast[cast.lastindex or 0])
    return _chain(text)


def _chain(text: bytes) -> str:
    """A chain of names and calls as a path."""
    steps, at = _start(text)
    if steps == [UNKNOWN]:
        return UNKNOWN
    while not steps or not _REST.match(text, at):
        if asserted := _ASSERTED.match(text, at):
            steps, at = instance_of(asserted[1]).split("."), asserted.end()
            continue
        step = _STEP.match(text, at) if steps else None
        if steps and step is None:
            return UNKNOWN
        name = _NAME.match(text, step.end() if step else at)
        if name is None or len(steps) >= MAX_STEPS:
            return UNKNOWN
        word = name[1].decode("utf-8", "replace").rstrip("!?")
        at, called = _called(text, name.end())
        if at < 0:
            return UNKNOWN
        if word == "class" and steps and steps[-1][0].isupper() and not called and steps[-1][-1] != ")":
            return UNKNOWN  # the object of a class, not one of its instances
        if not steps or word not in _SAME:
            steps.append(f"{word}{'()' if called else ''}")
    return ".".join(steps)


def _start(text: bytes) -> tuple[list[str], int]:
    """The steps at the start of an expression that are no plain names, and where they end."""
    if required := _REQUIRED.match(text):  # a module that is used without being bound
        return [f"require({required[1].decode().replace('.', '/')})"], required.end()
    if container := _CONTAINER.match(text):
        return [f"{container[2].decode()}()"], closing(text, container.start(1))
    if (b"ast<" in text or b"ake" in text or b"r<" in text) and (factory := _FACTORY.match(text)):
        return instance_of(factory[1]).split("."), closing(text, factory.start(2))
    if namespace := _NAMESPACE.match(text):
        return [namespace[0].decode("utf-8", "replace")], namespace.end()
    if text.startswith(b"("):  # `(new Cart())->add().total()`
        at = closing(text, 0)
        return (path_of(text[1 : at - 1]) if at > 0 else UNKNOWN).split("."), at
    return [], 0


def _unwrapped(text: bytes) -> bytes:
    """The expression without leading keywords and operators, and without parentheses around all of it."""
    for _ in range(3):
        if match := _LEAD.match(text):
            text = text[match.end() :]
        text = text.strip()
        if not text.startswith(b"(") or closing(text, 0) != len(text):
            break
        text = text[1:-1]
    return text


def _called(text: bytes, at: int) -> tuple[int, bool]:
    """(the end of a name with its arguments, whether it has any). Subscripts are left out: the type of an array is
    written as that of its elements."""
    if generic := _ANGLE.match(text, at):
        at = generic.end()
    end, called = at, False
    while (bracket := text[end : end + 2].lstrip(b" ")[:1]) in (b"(", b"{", b"["):
        end = closing(text, text.index(bracket, end))
        if end < 0:
            return -1, False
        called |= bracket != b"["
    return end, called


def closing(text: bytes, start: int, tokens: re.Pattern[bytes] = _BRACKET) -> int:
    """The position after the bracket that closes the one at `start`, among matches of `tokens`; -1 if none does."""
    depth = 0
    for match in tokens.finditer(text, start):
        depth += (match[0] in b"([{") - (match[0] in b")]}")
        if depth == 0:
            return match.end()
    return -1


@lru_cache(maxsize=20_000)
def instance_of(text: bytes) -> str:
    """A declared type as the path of a value of that type: `Optional[Foo]` -> `Foo()`; `?` for a union."""
    if len(text) > MAX_BYTES:
        return UNKNOWN
    name = text.decode("utf-8", "replace").strip().lstrip(":").strip().removeprefix("->").strip().strip("\"'")
    name = _IN_COMMENT.sub(r"\1", name).removesuffix(".type")  # Scala's `this.type`
    name = name.rpartition("!")[2] or name  # Zig's `Error!Foo`
    for _ in range(3):
        name = _TYPE_NOISE.sub("", name).strip(" \t\r\n*&?!^")
        name = _single(name)
        if match := _WRAPPER.fullmatch(name):
            name = _split_first(match[1])
        else:
            break
    name = re.split(r"[<\[({]", name, maxsplit=1)[0].strip(" *&?")
    namespace, separator, name = name.rpartition("\\")
    if not _DOTTED.fullmatch(name):
        return UNKNOWN
    steps = [namespace + separator] * len(separator) + re.split(r"\.|::|->", name)
    return ".".join(steps) + "()" if len(steps) <= MAX_STEPS else UNKNOWN


def _single(name: str) -> str:
    """The only type in `Foo | None`; the first in Go's `(Foo, error)`."""
    if name.startswith("(") and name.endswith(")"):
        name = _split_first(name[1:-1])
    if "|" not in name:
        return name
    types = [part for part in (part.strip(" \"'") for part in name.split("|")) if part not in _NOTHING]
    return types[0] if len(types) == 1 else UNKNOWN


def _split_first(text: str) -> str:
    """The text before the first comma outside brackets; for `name Type` (Go), the type."""
    first = next(iter(split_list(text, "([{<", ")]}>")), "")
    words = first.split()
    return words[-1] if len(words) == 2 and words[0].isidentifier() else first
