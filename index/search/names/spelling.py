"""Names as people write them: in any language's spelling, with generics, calls, leading dots and macro marks."""

from __future__ import annotations

import re

_QUOTES = "`\"' \t\r\n;,"  # what a name may stand between
_TRAILING = re.compile(r"(?:/\d+|[;,:.])+\Z")  # an arity, or the end of a sentence or statement
_CALL = re.compile(r"\A(?P<name>[^\s(]+[\w>\]!?])\s*\([^()]*(?:\([^()]*\)[^()]*)*\)\Z", re.S)
_GENERICS = re.compile(r"<[^<>()]*>|(?<=\w)!?\[[^\[\]]*\]")
_SEPARATOR = re.compile(r"::|->|&?\.|[#\\/:]")
_LEADING = "~@$&*#:./\\-"
_NAME = re.compile(r"[~@$]?[\w$][\w$]*[?!=]?'*")
_OPERATOR = re.compile(r"(?:operator\s*)?[!#$%&*+./<=>?@\\^|~:-]{2,}|operator\s*(?:\(\)|\[\]|[-+*/%^&|~!<>=]|\w+)")
_RECEIVERS = frozenset({"self", "Self", "this", "cls", "super", "crate", "exports", "module", "window", "globalThis"})
_BACKTICKS = re.compile(r"`([^`\n]{1,300})`")
_AMONG_WORDS = re.compile(
    r"(?<![\w/.@$\\-])(?:\w+(?:(?:::|->|[.#\\])\w+)+[?!]?(?:\(\))?"  # qualified: one of its parts must be defined there
    r"|\w*[a-z0-9][A-Z]\w*[?!]?(?:\(\))?|\w*[A-Za-z0-9]_[A-Za-z0-9]\w*[?!]?(?:\(\))?|[A-Za-z_]\w+[?!]?\(\))(?![\w/\\-])"
)
LEAST_CHARS = 3  # of a name among words
MAX_CHARS = 300  # of a name with everything around it


def symbol_of(text: str) -> str:
    """The name that a text is, its parts with dots between them; empty for anything else.

    `Vec<T>::push()` gives `Vec.push`, `a/b.c` gives `a.b.c`, `.send` gives `send`, `self.total` gives `total`.
    """
    name = text.strip(_QUOTES)
    if not name or len(name) > MAX_CHARS:
        return ""
    if _OPERATOR.fullmatch(name):
        return "".join(name.split())
    if called := _CALL.match(name):
        name = called["name"]
    name = _TRAILING.sub("", name)
    if name[:1].isidentifier() or name[:1] in _LEADING:
        name = _without_generics(name)
    bare = name.lstrip(_LEADING)
    sigil = name[len(name) - len(bare) - 1 : len(name) - len(bare)]
    if sigil and sigil in "~@$":  # a destructor, a decorator, a variable; whether it is a part of the name depends
        bare = sigil + bare
    parts = [part for part in _SEPARATOR.split(bare) if part]
    if not parts or not all(_NAME.fullmatch(part) for part in parts):
        return ""
    own = [part for part in parts[:-1] if part not in _RECEIVERS]
    return ".".join([*own, parts[-1]])


def names_in(text: str) -> list[str]:
    """The names among words that only code spells like this, in order: `parse_query`, `HelpFormatter`, `Cart.total()`,
    whatever stands between backticks."""
    quoted = [symbol_of(piece) for piece in _BACKTICKS.findall(text)]
    spelled = [symbol_of(piece.rstrip(".,:;?")) for piece in _AMONG_WORDS.findall(_BACKTICKS.sub(" ", text))]
    return list(dict.fromkeys(name for name in (*quoted, *spelled) if len(name) >= LEAST_CHARS))


def _without_generics(name: str) -> str:
    while (shorter := _GENERICS.sub("", name)) != name:
        name = shorter
    return name


def variants(name: str) -> list[str]:
    """The last part of a name as definitions may spell it: with its marks first, then without."""
    plain = name.lstrip("@$")
    return list(dict.fromkeys(one for one in (name, plain, plain.rstrip("!?="), plain.lstrip("~")) if one))


def folded(name: str) -> str:
    """A name without its case and its underscores: `help_formatter` and `HelpFormatter` are the same."""
    return "".join(letter for letter in name.lower() if letter.isalnum())
