"""Parses names and places as people, compilers and forges spell them."""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import islice

from contracts.frozen import frozen
from contracts.lazy_regex import lazy_regex
from index.text import MAX_WORD_CHARS, PROPER_NAMES, STOP_WORDS, parts_of

# Names in the spelling of any language, with generics, calls, leading dots and macro marks.
QUOTES = "`\"' \t\r\n;,"  # characters that may surround a name
_TRAILING = lazy_regex(r"(?:/\d+|[;,:.])+\Z")  # an arity, or the end of a sentence or statement
_CALL = lazy_regex(r"\A(?P<name>[^\s(]+[\w>\]!?])\s*\([^()]*(?:\([^()]*\)[^()]*)*\)\Z", re.S)
_RAISED = lazy_regex(r"[\w:.]*[A-Z]\w* \((?:[^\s(),]+\s+){3}")  # `Shop::CartInvalid (the cart has no owner)`
_GENERICS = lazy_regex(r"<[^<>()]*>|(?<=\w)!?\[[^\[\]]*\]")
_SEPARATOR = lazy_regex(r"::|->|&?\.|[#\\/:]")
_ACTION = lazy_regex(r"\b([A-Z]\w*)@(?=[a-z_]\w*\Z)")  # `CartController@show`
_IN_BRACKETS = lazy_regex(r"\[\w+\](?:\.\[?\w+\]?)+")  # `[dbo].[Cart_Read]` of T-SQL
_LEADING = "~@$&*#:./\\-"
_NAME = lazy_regex(r"[~@$]?[\w$][\w$]*[?!=]?'*")
_OPERATOR = lazy_regex(r"(?:operator\s*)?[!#$%&*+./<=>?@\\^|~:-]{2,}|operator\s*(?:\(\)|\[\]|[-+*/%^&|~!<>=]|\w+)")
_RECEIVERS = frozenset({"self", "Self", "this", "cls", "super", "crate", "exports", "window", "globalThis"})
_BACKTICKS = lazy_regex(r"`([^`\n]{1,300})`")
# In the message of a compiler or a checker, quotes are around names and types: `Argument "n" to "total" has ...`. Other
# errors quote data: `KeyError: 'name'`.
_OF_TOOL = lazy_regex(
    r"\b(?:error|warning)(?:\[\w+\])?(?: \w+\d+)?: "
    r"|\b(?:Attribute|Import|Name|NoMethod|Reference|Syntax|Type|UnboundLocal|Undefined\w*)(?:Error|Exception): "
)
_QUOTED = lazy_regex(r"(?<!\w)[\"'`\u2018]([A-Za-z_]\w*(?:(?:\.|::|#)\w+)*(?:\(\))?)[\"'\u2019](?!\w)")
_AMONG_WORDS = lazy_regex(
    r"(?<![\w/.@$\\-])(?:\w+(?:(?:::|->|[.#\\@])\w+)+[?!]?(?:\(\))?"  # qualified: such a member must exist
    r"|(?=\w*(?:[a-z0-9][A-Z]|[A-Za-z0-9]_[A-Za-z0-9])|_+[A-Za-z])\w++[?!]?(?:\(\))?|[A-Za-z_]\w+[?!]?\(\))(?![\w/\\-])"
)
_INNER_WORD = lazy_regex(r"[a-z0-9][A-Z]|[A-Za-z0-9]_[A-Za-z0-9]")
_CAPITALIZED = lazy_regex(r"\(?([A-Z]+[a-z]{2,}|[A-Z]{3,})(?:['’]s)?[,.?!)]*")
_INSIDE = lazy_regex(r"\(?[a-z][\w'’/-]*|\S+,")  # a word before another one of the same sentence
_PLAIN = lazy_regex(r"(?<![\w/.@$\\-])[a-z]{5,60}(?![\w/\\-])")
VARIABLE = lazy_regex(r"[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+")  # of the environment: `CARTS_URL`
_RUN = lazy_regex(r"(?<![\w/.@$\\-])[A-Za-z]++(?: [A-Za-z]++)+(?![\w/\\-])")  # words with only blanks between them
_VERSUS = ("vs", "vs.", "versus")
_SPELLED = lazy_regex(r"[A-Za-z]\w*(?:-\w+)*", re.ASCII)
_JOINT = r"(?:[_-]|(?=(?-i:[A-Z0-9])))"  # between the parts of a name in any case
MIN_CHARS = 3  # of a name among words
MAX_PHRASES = 60  # of a text that may spell a name
MAX_ENDS = 8  # of a path of data that are looked for
SHORTEST_CAPITALS = 3  # of a constant in capitals; shorter ones are words of prose
MAX_CHARS = 300  # of a name with its arguments and generics
# Places: a file, or lines of it.
MAX_PLACE_CHARS = 2_000  # of a URL; a longer word is not a place
_DIGITS = r"[0-9]{1,9}"
_AFTER_COLON = lazy_regex(
    rf":L?(?P<first>{_DIGITS})"
    rf"(?:-L?(?P<last>{_DIGITS})"  # FILE:A-B
    rf"|(?:-{_DIGITS})?(?:,{_DIGITS}(?:-{_DIGITS})?)*,(?:{_DIGITS}-)?(?P<last_of_runs>{_DIGITS})(?:,\.\.\.)?"  # A-B,C
    rf"|[:.]{_DIGITS}(?:-(?:(?P<last_of_columns>{_DIGITS})[:.])?{_DIGITS})?)?:?$"  # FILE:LINE:COL, FILE:A:COL-B:COL
)
# FILE(LINE,COL)
_IN_PARENTHESES = lazy_regex(rf"\((?P<first>{_DIGITS})(?:-(?P<last>{_DIGITS})|[,:]\s?{_DIGITS})?\):?$")
_FRAGMENT = lazy_regex(  # `#lines-3:9` of Bitbucket; in others, a colon is before a column
    rf"[#?](?:(?P<lines>lines-)|[Ln])?(?P<first>{_DIGITS})(?(lines)|(?:[C:]{_DIGITS})?)"
    rf"(?:(?(lines):|(?:-|:(?=L))L?)(?P<last>{_DIGITS})(?:[C:]{_DIGITS})?)?$"
)
_LINK = lazy_regex(r"^(?:vscode://file|file://)(?:/(?=[A-Za-z]:))?")  # to this machine's files, also of Windows
_LINE_OF_GREP = lazy_regex(rf"([^\s:]+\.\w+:{_DIGITS}):(?=\D)")  # `src/a.py:12:def total():`
_IN_FILE = lazy_regex(r"(?P<path>[^\s:#]+\.\w+)(?:::?|#)(?P<name>[^\s\d:#/\\][^\s/\\]*)")
_PATH = lazy_regex(r"(?:[A-Za-z]:(?=[\\/]))?[^\s:][^:\n]*$")
_RELATIVE = lazy_regex(r"\A(?:\.{1,2}/)+")
_HOME = lazy_regex(r"\A(?:~|\$\w+|\$\{\w+\})/")  # or another variable with an absolute path
# Swift's `#fileID` consists of a module and a file name, without the folders between them.
MODULE = lazy_regex(r"\A\w+/(?=[^/]+\.swift$)")
_AROUND = "'\"`<>"
# What follows the repository in the URL of a file view: GitLab, Gitea and Forgejo, sourcehut, GitHub, Bitbucket. Next
# come a revision, which may contain slashes, and the path.
_REVISION_NEXT = lazy_regex(
    r"/-/(?:blob|raw|blame|edit|tree)/|/(?:src|raw|blame)/(?:branch|commit|tag)/|/(?:blob|blame|raw|edit)/|/src/"
)
# sourcehut marks the end of the revision, Bitbucket Server has it in a parameter.
_PATH_NEXT = lazy_regex(r"/tree/.+?/item/|/browse/")
_RAW_HOST = "raw.githubusercontent.com"


@lru_cache(maxsize=64)
def symbol_of(text: str) -> str:
    """The text as a name, with dots between its parts; empty if it is not a name.

    `Vec<T>::push()` gives `Vec.push`, `a/b.c` gives `a.b.c`, `.send` gives `send`, `self.total` gives `total`.
    """
    name = text.strip(QUOTES)
    if not name or len(name) > MAX_CHARS:
        return ""
    if name.isascii() and name.isidentifier():  # as most are
        return name
    if _OPERATOR.fullmatch(name):
        return "".join(name.split())
    if "/:" in name:  # the parameter of a route (`/users/:id`) is no name
        return ""
    if (called := _CALL.match(name)) and not _RAISED.match(name):
        name = called["name"]
    name = _ACTION.sub(r"\1::", _TRAILING.sub("", name))
    if _IN_BRACKETS.fullmatch(name):
        name = name.replace("[", "").replace("]", "")
    if name[:1].isidentifier() or name[:1] in _LEADING:
        name = _without_generics(name)
    bare = name.lstrip(_LEADING)
    sigil = name[len(name) - len(bare) - 1 : len(name) - len(bare)]
    if sigil and sigil in "~@$":  # a destructor, a decorator or a variable: may be part of the name
        bare = sigil + bare
    parts = [part for part in _SEPARATOR.split(bare) if part]
    if not parts or not all(_NAME.fullmatch(part) for part in parts):
        return ""
    outer = parts[1:-1] if parts[:2] == ["module", "exports"] else parts[:-1]
    own = [part for part in outer if part not in _RECEIVERS]
    return ".".join([*own, parts[-1]])


def is_of_tool(text: str) -> bool:
    """Whether a text is a message of a compiler or a checker, in which quotes are around names and types: `Argument "n"
    to "total" has ...`."""
    return ": " in text and _OF_TOOL.search(text) is not None


def names_in(text: str) -> list[str]:
    """The names in backticks (of the message of a tool, in any quotes), then the words of a text that only code spells
    like this: `parse_query`, `HelpFormatter`, `Cart.total()`."""
    pieces = _BACKTICKS.findall(text)
    if is_of_tool(text):
        pieces += _QUOTED.findall(text)
    quoted = [symbol_of(piece) for piece in pieces]
    spelled = [symbol_of(piece.rstrip(".,:;?")) for piece in _AMONG_WORDS.findall(_BACKTICKS.sub(" ", text))]
    return list(dict.fromkeys(name for name in (*quoted, *spelled) if len(name) >= MIN_CHARS))


def capitalized_in(text: str) -> list[str]:
    """The capitalized words inside sentences (`when does a Session flush?`), which may be names of types. Words at a
    start and next to each other (`How To Use`, `Visual Studio`) are not, unless they are compared: `Session vs Query`.
    """
    words = ["", *text.split(), ""]
    return [
        match[1]
        for before, word, after in zip(words, words[1:], words[2:], strict=False)
        if (match := _CAPITALIZED.fullmatch(word))
        and (_INSIDE.fullmatch(before) or after in _VERSUS)
        and (not word[-1].isalpha() or not after[:1].isupper())
    ]


def plain_in(text: str) -> list[str]:
    """The words in lower case that are long enough for a name."""
    return list(dict.fromkeys(_PLAIN.findall(text)))


def _without_generics(name: str) -> str:
    while (shorter := _GENERICS.sub("", name)) != name:
        name = shorter
    return name


def variants(name: str) -> list[str]:
    """The last part of a name as definitions may spell it: with its marks first, then without."""
    plain = name.lstrip("@$")
    return list(dict.fromkeys(one for one in (name, plain, plain.rstrip("!?="), plain.lstrip("~")) if one))


def folded(name: str) -> str:
    """A name in lower case, only its letters and digits: `help_formatter` and `HelpFormatter` become the same."""
    low = name.lower()
    return low if low.isalnum() else "".join(filter(str.isalnum, low))


@frozen
class Place:
    """`paths` are the possible paths, likeliest first: a URL does not show where its revision ends.

    Lines are 1-based and inclusive, in the order of the text; both are None for a whole file. `certain`: the text can
    only be a place.
    """

    paths: tuple[str, ...]
    first: int | None = None
    last: int | None = None
    certain: bool = False

    @property
    def path(self) -> str:
        return self.paths[0]


def parse_place(text: str) -> Place | None:
    """The place that a text names; whether its file exists is checked later, in the index."""
    if len(text) > MAX_PLACE_CHARS:
        return None
    text = text.strip(_AROUND).removeprefix("\\\\?\\")  # the prefix of long paths on Windows
    text = _LINK.sub("", text) if "://" in text else text
    if "://" in text:
        return _of_url(text)
    patterns = (_AFTER_COLON, _IN_PARENTHESES, _FRAGMENT)
    match = next(filter(None, (pattern.search(text) for pattern in patterns)), None)
    rest = text[: match.start()] if match else text
    path = _HOME.sub("/", _RELATIVE.sub("", rest.replace("\\", "/")))
    if not _PATH.match(rest) or not ("/" in path or "." in path or match):
        return None
    paths = dict.fromkeys((path, MODULE.sub("", path), without_escapes(path)))
    return Place((*paths,), *_lines(match), certain="#" in text[len(rest) :])


def without_escapes(path: str) -> str:
    """A path without the escapes that web pages and browsers put into it: `My%20App/a.py`."""
    if "%" not in path:
        return path
    from urllib.parse import unquote

    plain = unquote(path)
    return plain if plain.isprintable() else path


def _lines(match: re.Match[str] | None) -> tuple[int | None, int | None]:
    """The first and the last line of a place; None for a whole file."""
    if match is None:
        return None, None
    named = match.groupdict()
    first = int(named["first"])
    last = int(named.get("last") or named.get("last_of_columns") or first)
    return first, max(last, int(named.get("last_of_runs") or 0))


def is_compound_name(name: str) -> bool:
    """Whether a name of several words is spelled as prose spells none: `maxItems`, `max_items`; `Items`, `HTTP` and
    `GitHub` may be prose."""
    return _INNER_WORD.search(name) is not None and name not in PROPER_NAMES


def is_code_name(name: str) -> bool:
    """Whether prose spells no word so: a compound name (`max_items`), one in capitals (`MAXIMUM`) or with a dot
    (`shop.labels`)."""
    return is_compound_name(name) or (name.isupper() and len(name) >= SHORTEST_CAPITALS) or "." in name


def spellings(key: str) -> list[str]:
    """A key as code names it: `clock-off` is `clock_off` or `clockOff` where names have no dashes."""
    first, *others = key.split("-")
    names = [key, key.replace("-", "_"), first + "".join(word[:1].upper() + word[1:] for word in others)]
    return list(dict.fromkeys(names)) if first.isidentifier() else [key]


def pattern_in_any_case(name: str, *, other: bool = False) -> str:
    """A pattern of a name of several words in any case: `get_cart`, `getCart`, `GetCart`, `GET_CART`, `get-cart`; empty
    for other names. `setup` is no `set_up`. `other`: in any case but its own."""
    parts = parts_of(name) if len(name) <= MAX_WORD_CHARS and _SPELLED.fullmatch(name) else []
    if len(parts) < 2:
        return ""
    own = rf"(?!{re.escape(name)}(?![\w-]))" if other else ""
    return rf"(?<![\w-]){own}(?i:{_JOINT.join(parts)})(?![\w-])"


def in_usual_cases(name: str) -> list[str]:
    """A name of several words in the usual cases."""
    parts = parts_of(name) if pattern_in_any_case(name) else []
    capitalized = [part.capitalize() for part in parts]
    camel, snake = "".join([*parts[:1], *capitalized[1:]]), "_".join(parts)
    return list(dict.fromkeys(filter(None, ("".join(capitalized), camel, snake, snake.upper(), name))))


def phrases_in(text: str) -> list[str]:
    """The runs of four, of three, then of two words that may be the parts of a name: `the auth guard fails` has `auth
    guard`."""
    runs = [run.split(" ") for run in _RUN.findall(text)]
    parts = (words[at : at + size] for size in (4, 3, 2) for words in runs for at in range(len(words) - size + 1))
    named = (words for words in parts if STOP_WORDS.isdisjoint((words[0].lower(), words[-1].lower())))
    return [*islice((" ".join(words) for words in named), MAX_PHRASES)]


def ends_of(path: str) -> list[str]:
    """The ends of a path that code may read below a prefix, quoted: `"cookie.name"` for `shop.cookie.name`."""
    parts = path.split(".")
    return [f'"{".".join(parts[start:])}"' for start in range(1, len(parts) - 1)[:MAX_ENDS]]


def place_among(text: str) -> str:
    """The only place with lines among the words of a text, such as a row that ctxpack or grep printed; else the text.

    `src/a.py:12-20 method Cart.total`, `Cart.total (src/a.py:12)`, `src/a.py:12: def total(self):`.
    """
    if len(text) > MAX_PLACE_CHARS:
        return text
    if line := _LINE_OF_GREP.match(text):
        return line[1]
    words = [_without_parentheses(word.strip("`,")) for word in text.split()]
    places = [word for word in words if (place := parse_place(word)) and place.first is not None]
    return places[0] if len(places) == 1 else text


def _without_parentheses(word: str) -> str:
    """A word without the parentheses around it: those of `(shop)/page.tsx:3` and `a.py(3,8)` are parts of it."""
    is_around = word.startswith("(") and word.find(")") == len(word) - 1
    return word.strip("()") if is_around or word.count("(") != word.count(")") else word


def in_file(text: str) -> tuple[str, str] | None:
    """The path and the name of a symbol in a file: `src/a.py:Cart.total`, `tests/test_a.py::test_total`."""
    match = _IN_FILE.fullmatch(text.strip(QUOTES))
    return (match["path"].replace("\\", "/").removeprefix("./"), match["name"]) if match else None


def _of_url(url: str) -> Place | None:
    """The place that the URL of a forge's file view shows; None for any other URL."""
    address, mark, fragment = url.partition("#")
    address, _, parameters = address.partition("?")
    paths = _paths_of(address)
    if not paths:
        return None
    match = _FRAGMENT.match(mark + fragment) or _FRAGMENT.match("?" + parameters)
    return Place(tuple(paths), *_lines(match), certain=match is not None)


def _paths_of(address: str) -> list[str]:
    from urllib.parse import unquote

    scheme, _, rest = unquote(address).partition("://")
    host, _, path = rest.partition("/")
    if scheme not in ("http", "https") or not path:
        return []
    if host == _RAW_HOST:
        return _suffixes(path, 3)
    if match := _PATH_NEXT.search(f"/{path}"):
        return [f"/{path}"[match.end() :]]
    match = _REVISION_NEXT.search(f"/{path}")
    return _suffixes(f"/{path}"[match.end() :], 1) if match else []


def _suffixes(path: str, skipped: int) -> list[str]:
    """The path without its first `skipped` parts, then without one more each time."""
    parts = path.strip("/").split("/")
    return ["/".join(parts[at:]) for at in range(skipped, len(parts))]
