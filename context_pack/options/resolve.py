"""The options of one request: layers from file, environment and request, checked and merged."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from context_pack.core.text import is_unicode
from context_pack.options.spec import MAX_CHARS, PROFILES, SETTINGS, Option, options_of, setting
from context_pack.options.values import closest
from contracts.errors import InvalidRequest, UsageError
from contracts.frozen import frozen
from contracts.lazy_regex import lazy_regex
from contracts.records import Hint
from index.types import Filters, Order

MAX_QUERY_CHARS = 20_000  # enough for a long stack trace; a whole file is not a question
# The beginning of what `git diff`, `git show` and `git format-patch` print: such a query is a change to review.
PATCH = lazy_regex(
    r"\s*(?:(?:commit|From) [0-9a-f]{7,64}\b(?:.*\n)+?)?"
    r"diff --git .+\n(?:index|old|new|deleted|similarity|dissimilarity|rename|copy) "
)
CHANGED_RELATED = 8  # related items per changed place: a diff does not show callers, tests and contracts
CHANGED_ITEMS = 50  # primary items of a pack for a change, which may touch many places
# Primary items if no limit is given: one per 1,000 characters of the budget, at least ten, so that lower-ranked items
# are shown at least by their signature. Items ranked below the maximum hardly ever answer.
MIN_PRIMARIES, MAX_PRIMARIES, CHARS_PER_PRIMARY = 10, 24, 1_000
# Character limit per token if only tokens are limited: no text has more characters per token, so tokens decide.
CHARS_OF_TOKENS = 8
EXPLORED_DEPTH = 3  # steps in `explore` mode if no depth is given
ENVIRONMENT = "environment"


@frozen
class Settings:
    """Every setting with its value; `spec` documents them."""

    profile: str
    model: str
    depth: int
    max_chars: int
    max_tokens: int | None
    tokenizer: Path | None
    diff: str | None
    staged: bool
    limit: int | None  # None: as many primary items as the budget has room for
    top_k: int
    related: int
    related_mode: str
    edges: tuple[str, ...]
    have: tuple[str, ...]
    have_pack: tuple[Path, ...]
    fit: str
    order: Order  # of a search; a pack always uses the order `lines`
    content: bool
    explain: bool
    no_redact: bool
    format: str
    include: tuple[str, ...]
    exclude: tuple[str, ...]
    language: tuple[str, ...]
    no_docs: bool
    docs_first: bool
    no_refresh: bool
    index_dir: Path | None
    share: str | None
    max_file_bytes: int
    memory: int
    wait: float

    @property
    def primaries(self) -> int:
        """The maximum number of primary items."""
        roomy = min(self.max_chars // CHARS_PER_PRIMARY, MAX_PRIMARIES)
        return max(MIN_PRIMARIES, roomy) if self.limit is None else self.limit

    @property
    def indexing(self) -> dict[str, Any]:
        """Keyword arguments of `index.build_index` and `index.open_index`."""
        bounds = {"wait_s": self.wait, "max_file_bytes": self.max_file_bytes, "memory": self.memory}
        return {"home": self.index_dir, "model": self.model, "share": self.share, **bounds}

    @property
    def filters(self) -> Filters:
        docs = "skip" if self.no_docs else "first" if self.docs_first else "rank"
        return Filters(self.include, self.exclude, self.language, docs)


@frozen
class Layer:
    """Options from one place; `source` names it in errors (empty: the request itself).

    `notes` say which options were ignored, and why.
    """

    values: Mapping[str, object]
    source: str = ""
    notes: tuple[str, ...] = ()


# Of two records with one name, the first is the setting; the other is the same option of another command.
_DEFAULTS: Mapping[str, Any] = {option.name: option.default for option in reversed(SETTINGS)}


def option_warnings(*layers: Layer) -> tuple[Hint, ...]:
    """Warnings about the options that were ignored."""
    return tuple(Hint("warn", note) for layer in layers for note in layer.notes)


def resolve(*layers: Layer) -> Settings:
    """Settings from layers; later ones win. A profile only sets what its own and later layers do not set."""
    merged: dict[str, Any] = {**_DEFAULTS, **PROFILES[_DEFAULTS["profile"]]}
    given: set[str] = set()
    for layer in layers:
        checked = {name: _check(name, value, layer.source) for name, value in layer.values.items()}
        if "profile" in checked:
            merged.update(PROFILES[checked["profile"]])
        merged.update(checked)
        given.update(checked)
    if "max_tokens" in given and "max_chars" not in given:
        merged["max_chars"] = max(MAX_CHARS, CHARS_OF_TOKENS * merged["max_tokens"])
    if merged["related_mode"] == "explore" and "depth" not in given:
        merged["depth"] = EXPLORED_DEPTH
    if merged["staged"] and merged["diff"] is None:
        merged["diff"] = "HEAD"
    if merged["diff"] is not None:
        changed = {"limit": CHANGED_ITEMS, "related": CHANGED_RELATED}
        merged.update((name, value) for name, value in changed.items() if name not in given)
    if merged["format"] == "html":  # a page has room for the reasons
        merged["explain"] = True
    settings = Settings(**merged)
    if settings.no_docs and settings.docs_first:
        raise UsageError("docs_first", "no_docs and docs_first cannot be used together", hint="use one of them")
    return settings


def _values(text: str) -> list[str]:
    """The values in a text, split at commas outside braces."""
    values: list[str] = []
    for part in text.split(","):
        if values and values[-1].count("{") > values[-1].count("}"):
            values[-1] += f",{part}"
        else:
            values.append(part)
    return values


def environment() -> Layer:
    """The settings from environment variables, such as `CTXPACK_MAX_CHARS`; commas outside braces separate values.

    Options that belong to one question or need a person are not read.
    """
    values: dict[str, object] = {}
    for option in SETTINGS:
        text = os.environ.get(f"CTXPACK_{option.name.upper()}") if option.by in ("repository", "user") else None
        if text and option.name not in values:
            parts = [part.strip() for part in _values(text)] if option.value.several else None
            values[option.name] = option.read(text) if parts is None else parts
    return Layer(values, ENVIRONMENT)


def check_query(text: object) -> str:
    """The query, if it is a text that is not blank; of a log longer than a query may be, the end.

    UsageError or InvalidRequest for other values, and for a longer text of one line.
    """
    if not isinstance(text, str):
        fault = "missing" if text is None else "not a text"
        raise UsageError("query", f"the query is {fault}", hint="pass query: an identifier, a path or plain words")
    if not text.strip():
        raise UsageError("query", "the query is empty", hint="give an identifier, a path or plain words")
    length, text = len(text), end_of_log(text)
    if not text.strip():
        fault = f"the query has {length} characters, more than the limit of {MAX_QUERY_CHARS}"
        raise UsageError("query", fault, hint=f"keep the end of a log: `tail -c {MAX_QUERY_CHARS}`")
    if not is_unicode(text):
        raise InvalidRequest("query", "the query is not valid UTF-8")
    return text


def end_of_log(text: str) -> str:
    """The last lines of a text that is longer than a query may be: there, programs print what failed. Empty if a part
    of its last line is already too long; a shorter text as it is."""
    return text if len(text) <= MAX_QUERY_CHARS else text[-MAX_QUERY_CHARS:].partition("\n")[2]


def log_hints(text: str, query: str) -> tuple[Hint, ...]:
    """The hint that a query is only the end of the text."""
    if len(text) == len(query):
        return ()
    return (Hint("info", f"The query has {len(text):,} characters; the last {len(query):,} are used."),)


def checked_options(command: str, given: Mapping[str, object]) -> dict[str, Any]:
    """The options of a request for a kind of pack, checked against their records; None counts as not given."""
    records = {option.name: option for option in options_of(command) if option.by in ("asker", "person")}
    for name in given:
        if name not in records:
            raise InvalidRequest(name, f"{command} does not accept {name}", hint=closest(name, records))
    return {name: _checked(records[name], value, name) for name, value in given.items() if value is not None}


def _check(name: str, value: object, source: str) -> Any:
    where = f"{source}: " if source else ""
    option = setting(name)
    if option is None:
        names = [one.name for one in SETTINGS if not source or one.by in ("repository", "user")]
        raise InvalidRequest(name, f"{where}there is no option {name}", hint=closest(name, set(names)))
    return _checked(option, value, f"CTXPACK_{name.upper()}" if source == ENVIRONMENT else f"{where}{name}")


def _checked(option: Option, value: object, shown: str) -> Any:
    try:
        return option.value.check(value)
    except ValueError as error:
        raise InvalidRequest(option.name, f"{shown} {error}") from None
