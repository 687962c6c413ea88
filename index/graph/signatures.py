"""What a call and a definition say about their arguments, read from the text after the name; and how they agree."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from chunker.languages.table import LANGUAGES

OVERLOADING: Final = frozenset(row.name for row in LANGUAGES.values() if row.overloads)
MAX_BYTES: Final = 3000  # a longer list of arguments is generated
_TRAILING: Final = frozenset({"kotlin", "swift"})  # `run { ... }` passes a function
_BLOCK: Final = "{"  # the label of a function after the brackets
_VARIADIC = 99

_TOKEN = re.compile(
    rb'"""(?:.|\n)*?"""|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])\'|//[^\n]*|/\*(?:.|\n)*?\*/|->|=>|[()\[\]{}<>,]'
)
_GENERIC = re.compile(rb"\s*(?:::)?<[\w\s,.:&?<>*\[\]]*>(?=\s*[({])|\s*\[[\w\s,.:<>%+\[\]-]*\](?=\s*[({])")
_DEFAULT = re.compile(r"(?<![=!<>])=(?![=>])")
_COLON, _EQUAL = re.compile(r"(\w+)\s*:(?!:)"), re.compile(r"(\w+)\s*=(?!=)")
_LABEL: Final = {"csharp": _COLON, "swift": _COLON, "kotlin": _EQUAL, "scala": _EQUAL}
_NOISE = re.compile(
    r"^(?:\s|@\w+(?:\([^)]*\))?|\[[^\]]*\]|\b(?:final|const|this|ref|out|in|params|vararg|noinline|crossinline|val|var"
    r"|private|public|override|implicit|using|inout|struct|volatile|readonly|scoped|static|typename)\b)+"
)
_MANY = re.compile(r"\s*(?:\w+\s+)*(?:params|vararg)\b|.*\.\.\.", re.S)
_COLON_TYPES: Final = frozenset({"kotlin", "scala", "swift"})
_TYPE = re.compile(r"[\w.:]*\w")

_TEXTS: Final = frozenset("String string CharSequence StringPiece string_view char str StaticString Substring".split())
_NUMBERS: Final = frozenset(
    "int Int long Long double Double float Float short byte uint Integer size_t BigDecimal".split()
)
_TRUTHS: Final = frozenset("bool Bool boolean Boolean".split())
_FUNCTION: Final = "->"
_FUNCTIONS: Final = frozenset(
    "Func Action Consumer BiConsumer Supplier Function BiFunction Predicate Runnable Callable Expression".split()
)
_LITERALS: Final = _TEXTS | _NUMBERS | _TRUTHS | {_FUNCTION, "[]"}
_QUOTED = re.compile(r"(?:\$|@|\$@|raw|s|f|u8|L)?\".*\"", re.S)
_NUMBER = re.compile(r"-?\d[\w.]*")
_LAMBDA = re.compile(r"\{|(?:\([\w\s,]*\)|\w+)\s*[-=]>|\[[&=\w\s]*\]\s*[({]")
_MADE = re.compile(r"(?:new\s+(?=[a-z])|(?:new\s+)?(?=[A-Z]))(\w+)\s*(?:<[^()]*>)?\s*[({]")


@dataclass(frozen=True, slots=True)
class Parameter:
    """The name or label that a call may give it, and the plain name of its type; `->` for a function."""

    label: str
    kind: str
    is_optional: bool = False
    is_variadic: bool = False


@dataclass(frozen=True, slots=True)
class Argument:
    """Its label, and the types that its text has by itself; none where that needs more than the text."""

    label: str
    kinds: frozenset[str]


def parameters(text: bytes, language: str) -> tuple[Parameter, ...] | None:
    """The parameters that the text after a definition's name begins with; nothing where it has no list of them."""
    listed = _listed(_after_generic(text), angles=True)
    if listed is None:
        return None
    return tuple(_parameter(part, language) for part in listed[0] if part != "void")


def arguments(text: bytes, language: str) -> list[Argument] | None:
    """The arguments that the text after a call's name begins with; nothing where there are none to read."""
    text = _after_generic(text)
    listed = _listed(text, angles=False)
    found = [] if listed is None else [_argument(part, language) for part in listed[0]]
    rest = text if listed is None else text[listed[1] :].lstrip(b" \t")
    # Scala's block after brackets is a list of its own.
    follows = rest[:1] == b"{" and (language in _TRAILING or (language == "scala" and listed is None))
    if follows:
        found.append(Argument(_BLOCK, frozenset({_FUNCTION})))
    return None if listed is None and not follows else found


_PIPED = re.compile(rb"\|>\s*(?:[\w.]+\.)?\Z")
_CAPTURED = re.compile(rb"/(\d+)")


def arities(text: bytes) -> range:
    """How many arguments a function of Elixir takes, by the text after its name."""
    listed = _listed(text, angles=False)
    parts = [] if listed is None else listed[0]
    return range(len(parts) - sum("\\\\" in part for part in parts), len(parts) + 1)


def arity(before: bytes, text: bytes) -> int | None:
    """How many arguments a call in Elixir passes, by the texts around its name: one more than it lists in a pipe
    (`x |> f(y)`), what it says as a value (`&f/2`); nothing where no brackets tell."""
    if captured := _CAPTURED.match(text):
        return int(captured[1])
    listed = _listed(text, angles=False)
    return None if listed is None else len(listed[0]) + (_PIPED.search(before) is not None)


def fit(given: Sequence[Argument], wanted: Sequence[Parameter] | None, language: str) -> tuple[int, int, int]:
    """How well arguments fit parameters, more is better: whether they do at all, by how many types, and whether nothing
    is left to defaults."""
    if wanted is None:
        return (1, 0, 0)
    is_open = any(one.is_variadic for one in wanted)
    least = sum(not (one.is_optional or one.is_variadic) for one in wanted)
    labels = {one.label for one in wanted}
    known = all(one.label in labels for one in given if one.label not in ("", _BLOCK))
    if not known or not least <= len(given) <= (_VARIADIC if is_open else len(wanted)):
        # Outside of its class a function of C++ does not say which parameters may be left out.
        return (1, -1, 0) if language == "cpp" and len(given) < least else (0, 0, 0)
    kinds = sum(_agreement(argument, parameter) for argument, parameter in _matched(given, wanted))
    return (2, kinds, int(len(given) == len(wanted) and not is_open))


def _after_generic(text: bytes) -> bytes:
    generic = _GENERIC.match(text)
    return text[generic.end() if generic else 0 :].lstrip(b" \t")


def _parameter(text: str, language: str) -> Parameter:
    stated, *default = _DEFAULT.split(text, maxsplit=1)
    bare = _NOISE.sub("", stated).strip()
    if language in _COLON_TYPES:
        names, _, kind = bare.partition(":")
        label, kind = (names.split() or [""])[0], _NOISE.sub("", kind).strip()
    else:
        kind, _, label = bare.rpartition(" ")
        kind, label = (kind, label.strip("&*[]")) if kind else (label, "")
    is_variadic = _MANY.match(stated) is not None or (language == "scala" and kind.endswith("*"))
    return Parameter(label, _plain_type(kind), bool(default), is_variadic)


def _plain_type(kind: str) -> str:
    found = _TYPE.search(kind)
    if "->" in kind or "=>" in kind or found is None:
        return _FUNCTION if found else ""
    name = re.split(r"[.:]+", found[0])[-1]
    if name in _FUNCTIONS:
        return _FUNCTION
    return "[]" if kind[found.end() :].lstrip()[:2] == "[]" else name


def _argument(text: str, language: str) -> Argument:
    label = ""
    if (pattern := _LABEL.get(language)) and (match := pattern.match(text)):
        label, text = match[1], text[match.end() :].strip()
    return Argument(label, _kinds_of(text))


def _kinds_of(text: str) -> frozenset[str]:
    if _QUOTED.fullmatch(text):
        return _TEXTS
    if _NUMBER.fullmatch(text):
        return _NUMBERS
    if text in ("true", "false"):
        return _TRUTHS
    if _LAMBDA.match(text):
        return frozenset({_FUNCTION})
    made = _MADE.match(text)
    return frozenset({made[1]}) if made else frozenset()


def _listed(text: bytes, *, angles: bool) -> tuple[list[str], int] | None:
    """(the parts of the bracketed list that the text begins with, where it ends); nothing where it does not end."""
    if text[:1] != b"(":
        return None
    parts: list[bytes] = []
    depth, start = 0, 1
    opening, closing = (b"([{<", b")]}>") if angles else (b"([{", b")]}")
    for match in _TOKEN.finditer(text):
        token = match[0]
        if len(token) > 1:
            continue
        if token in opening:
            depth += 1
        elif token in closing:
            depth -= 1
        if depth == 0 or (depth == 1 and token == b","):
            parts.append(text[start : match.start()])
            start = match.end()
        if depth == 0:
            return [part.decode("utf-8", "replace").strip() for part in parts if part.strip()], start
    return None


def _matched(given: Sequence[Argument], wanted: Sequence[Parameter]) -> Iterator[tuple[Argument, Parameter]]:
    for place, argument in enumerate(given):
        if argument.label in ("", _BLOCK):
            yield argument, wanted[-1 if argument.label else min(place, len(wanted) - 1)]
        else:
            yield from ((argument, one) for one in wanted if one.label == argument.label)


def _agreement(argument: Argument, parameter: Parameter) -> int:
    """1 where a literal has the stated type, -1 where that is the type of another literal, 0 where nobody knows."""
    if not argument.kinds or not parameter.kind:
        return 0
    if parameter.kind in argument.kinds:
        return 1
    return -int(parameter.kind in _LITERALS)
