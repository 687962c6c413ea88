"""The options of a question, checked in one place for the command line, configuration files, batches and the library.

Options are named like the long options of the command line, with underscores.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from context_pack import profiles, render
from contracts.errors import InvalidRequest
from index.types import Filters, Order

MAX_QUERY_CHARS = 20_000  # a long stack trace passes; a whole file is no question
CHANGED_RELATED = 8  # for each of them: callers, tests and contracts are what a reviewer has not seen in the diff
CHANGED_ITEMS = 50  # primary items of a pack for a change, which has as many places as it has
MAX_CHARS = 20_000
# Primary items where no limit is given: ten, and in a budget above 10,000 characters one for each 1,000, so that what
# ranks behind is seen at least by its signature. Beyond the last ones hardly anything answers.
LEAST_PRIMARIES, MOST_PRIMARIES, CHARS_PER_PRIMARY = 10, 24, 1_000
# Where only tokens are limited: no text that people write has more characters to a token, so tokens decide.
CHARS_OF_TOKENS = 8
MAX_ITEMS = 1_000  # of one answer: more is an export, and costs a pass over the graph for each


@dataclass(frozen=True, slots=True)
class Settings:
    """Every option with its value."""

    profile: str
    model: str
    depth: int
    max_chars: int = MAX_CHARS
    limit: int | None = None  # unless it is given, as many primary items as the budget has room to show
    related: int = 3
    related_mode: str = "focus"
    edges: tuple[str, ...] = ()
    have: tuple[str, ...] = ()
    have_pack: tuple[Path, ...] = ()
    top_k: int = 10
    order: Order = "files"  # of a search; a pack is always in the order of lines
    format: str = "json"
    fit: str = "cut"
    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    language: tuple[str, ...] = ()
    no_docs: bool = False
    docs_first: bool = False
    explain: bool = False
    content: bool = False
    no_redact: bool = False
    max_tokens: int | None = None
    diff: str | None = None  # a revision, or a range of two: what changed is asked for
    tokenizer: Path | None = None  # counts tokens; without one a token is four characters
    no_refresh: bool = False
    index_dir: Path | None = None
    wait: float = 30.0
    max_file_bytes: int = 1_000_000
    table_above: int = 400_000  # chunks: from here on the table names a query's candidates

    @property
    def primaries(self) -> int:
        """How many primary items are selected at most."""
        roomy = min(self.max_chars // CHARS_PER_PRIMARY, MOST_PRIMARIES)
        return max(LEAST_PRIMARIES, roomy) if self.limit is None else self.limit

    @property
    def filters(self) -> Filters:
        docs = "skip" if self.no_docs else "first" if self.docs_first else "rank"
        return Filters(self.include, self.exclude, self.language, docs)


@dataclass(frozen=True, slots=True)
class Layer:
    """Options from one place; `source` names it in errors (empty: the request itself).

    `notes` say what of it was not taken over, and why.
    """

    values: Mapping[str, object]
    source: str = ""
    notes: tuple[str, ...] = ()


def resolve(*layers: Layer) -> Settings:
    """Settings from layers, later ones win. A layer's profile gives way to what the same or a later layer says."""
    merged: dict[str, Any] = {"profile": profiles.DEFAULT, **profiles.PROFILES[profiles.DEFAULT]}
    for layer in layers:
        checked = {name: _check(name, value, layer.source) for name, value in layer.values.items()}
        if "profile" in checked:
            merged.update(profiles.PROFILES[checked["profile"]])
        merged.update(checked)
    if "max_tokens" in merged and "max_chars" not in merged:
        merged["max_chars"] = max(MAX_CHARS, CHARS_OF_TOKENS * merged["max_tokens"])
    if merged.get("diff") is not None:
        merged.setdefault("limit", CHANGED_ITEMS)
        merged.setdefault("related", CHANGED_RELATED)
    if merged.get("format") == "html":  # a page has the room to say why
        merged["explain"] = True
    settings = Settings(**merged)
    if settings.no_docs and settings.docs_first:
        raise InvalidRequest("docs_first", "no_docs and docs_first exclude each other", hint="choose one of them")
    return settings


def check_query(text: object) -> str:
    """The query as it is asked: a text with something in it, of bounded length."""
    if not isinstance(text, str):
        raise InvalidRequest("query", "the query is not a text")
    if not text.strip():
        raise InvalidRequest("query", "the query is empty", hint="ask for an identifier, a path or in plain words")
    if len(text) > MAX_QUERY_CHARS:
        raise InvalidRequest("query", f"the query has {len(text)} characters; at most {MAX_QUERY_CHARS} are taken")
    if not _encodable(text):
        raise InvalidRequest("query", "the query is not valid UTF-8")
    return text


def _encodable(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _check(name: str, value: object, source: str) -> Any:
    where = f"{source}: " if source else ""
    check = CHECKS.get(name)
    if check is None:
        raise InvalidRequest(name, f"{where}there is no option {name}", hint=_closest(name, CHECKS))
    try:
        return check(value)
    except ValueError as error:
        raise InvalidRequest(name, f"{where}{name} {error}") from None


def _closest(name: str, known: Mapping[str, object]) -> str:
    from difflib import get_close_matches

    close = get_close_matches(name, known, n=1)
    return f"did you mean {close[0]}?" if close else f"the options are {', '.join(sorted(known))}"


def _whole(least: int, most: int) -> Callable[[object], int]:
    def check(value: object) -> int:
        if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
            raise ValueError(f"must be a whole number from {least} to {most}, not {value!r}")
        return value

    return check


def _one_of(choices: Callable[[], tuple[str, ...]]) -> Callable[[object], str]:
    def check(value: object) -> str:
        if not isinstance(value, str) or value not in choices():
            raise ValueError(f"must be one of {', '.join(choices())}, not {value!r}")
        return value

    return check


def _flag(value: object) -> bool:
    if not isinstance(value, bool):
        raise ValueError(f"must be true or false, not {value!r}")
    return value


def _text(value: object) -> str:
    if not isinstance(value, str) or not value.strip() or not _encodable(value):
        raise ValueError(f"must be a text, not {value!r}")
    return value


def _texts(value: object) -> tuple[str, ...]:
    """One text or a list of them."""
    values = [value] if isinstance(value, str) else value
    if not isinstance(values, list | tuple):
        raise ValueError(f"must be a text or a list of texts, not {value!r}")
    return tuple(_text(part) for part in values)


def _labels(value: object) -> tuple[str, ...]:
    """Labels of edges, in one text with commas or in a list."""
    from index.related import BACKWARD
    from index.types import RESEMBLES

    names = [name.strip() for text in _texts(value) for name in text.split(",")]
    known = {*BACKWARD, *BACKWARD.values(), RESEMBLES}
    for name in names:
        if name not in known:
            raise ValueError(f"names no edge: {name!r}. {_closest(name, dict.fromkeys(known))}")
    return tuple(dict.fromkeys(names))


def _paths(value: object) -> tuple[Path, ...]:
    """One file or a list of them."""
    return tuple(map(_path, value if isinstance(value, list | tuple) else [value]))


def _globs(value: object) -> tuple[str, ...]:
    """Patterns as in .gitignore; one that means nothing there is refused."""
    from index.ignore import Rules

    globs = _texts(value)
    for glob in globs:
        if not Rules([glob.encode()]):
            raise ValueError(f"holds no pattern: {glob!r}")
    return globs


def _languages(value: object) -> tuple[str, ...]:
    from chunker.languages.table import LANGUAGES

    names = _texts(value)
    for name in names:
        if name not in LANGUAGES:
            raise ValueError(f"names no known language: {name!r}. {_closest(name, LANGUAGES)}")
    return names


def _seconds(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 86_400:
        raise ValueError(f"must be seconds from 0 to 86400, not {value!r}")
    return float(value)


def _path(value: object) -> Path:
    return value if isinstance(value, Path) else Path(_text(value))


CHECKS: Mapping[str, Callable[[object], Any]] = {
    "profile": _one_of(lambda: tuple(profiles.PROFILES)),
    "model": _text,
    "max_chars": _whole(1, 1_000_000_000),
    "max_tokens": _whole(1, 100_000_000),
    "diff": _text,
    "tokenizer": _path,
    "limit": _whole(1, MAX_ITEMS),
    "related": _whole(0, 100),
    "related_mode": _one_of(lambda: ("focus", "explore", "none")),
    "edges": _labels,
    "depth": _whole(1, 4),
    "have": _texts,
    "have_pack": _paths,
    "top_k": _whole(1, MAX_ITEMS),
    "order": _one_of(lambda: ("files", "lines")),
    "format": _one_of(lambda: tuple(render.formats())),
    "fit": _one_of(lambda: ("whole", "cut")),
    "include": _globs,
    "exclude": _globs,
    "language": _languages,
    "no_docs": _flag,
    "docs_first": _flag,
    "explain": _flag,
    "content": _flag,
    "no_redact": _flag,
    "no_refresh": _flag,
    "index_dir": _path,
    "wait": _seconds,
    "max_file_bytes": _whole(1, 1_000_000_000),
    "table_above": _whole(0, 1_000_000_000),
}
_FILTERS = frozenset({"include", "exclude", "language", "no_docs", "docs_first"})
_HITS = _FILTERS | {"top_k", "content", "explain", "no_redact"}
_GRAPH = frozenset({"edges", "depth"})
# What may differ from question to question of one opened index.
PER_QUESTION: Mapping[str, frozenset[str]] = {
    "query": _FILTERS
    | {"max_chars", "max_tokens", "tokenizer", "diff", "limit", "fit", "explain", "no_redact"}
    | _GRAPH
    | {"related", "related_mode", "have", "have_pack"},
    "search": _HITS | {"order"},
    "related": _HITS | _GRAPH,
    "symbols": frozenset({"limit"}),
    "status": frozenset(),
}
