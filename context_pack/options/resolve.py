"""The options of one request: layers from file, environment and request, checked in one place and merged."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from context_pack.core.text import is_unicode
from context_pack.options.spec import MAX_CHARS, PROFILES, SETTING_NAMES, SETTINGS, Option, options_of, setting
from context_pack.options.values import closest
from contracts.errors import InvalidRequest, UsageError
from contracts.frozen import frozen
from contracts.records import Hint
from index.types import Filters, Order

MAX_QUERY_CHARS = 20_000  # a long stack trace passes; a whole file is no question
CHANGED_RELATED = 8  # for each of them: callers, tests and contracts are what a reviewer has not seen in the diff
CHANGED_ITEMS = 50  # primary items of a pack for a change, which has as many places as it has
# Primary items where no limit is given: ten, and in a budget above 10,000 characters one for each 1,000, so that what
# ranks behind is seen at least by its signature. Beyond the last ones hardly anything answers.
LEAST_PRIMARIES, MOST_PRIMARIES, CHARS_PER_PRIMARY = 10, 24, 1_000
# Where only tokens are limited: no text that people write has more characters to a token, so tokens decide.
CHARS_OF_TOKENS = 8
ENVIRONMENT = "environment"


@frozen
class Settings:
    """Every setting with its value; what each means, `spec` says."""

    profile: str
    model: str
    depth: int
    max_chars: int
    max_tokens: int | None
    tokenizer: Path | None
    diff: str | None
    staged: bool
    limit: int | None  # unless it is given, as many primary items as the budget has room to show
    top_k: int
    related: int
    related_mode: str
    edges: tuple[str, ...]
    have: tuple[str, ...]
    have_pack: tuple[Path, ...]
    fit: str
    order: Order  # of a search; a pack is always in the order of lines
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
        """How many primary items are selected at most."""
        roomy = min(self.max_chars // CHARS_PER_PRIMARY, MOST_PRIMARIES)
        return max(LEAST_PRIMARIES, roomy) if self.limit is None else self.limit

    @property
    def indexing(self) -> dict[str, Any]:
        """How an index is made and opened, as `index.build_index` and `index.open_index` take it."""
        bounds = {"wait_s": self.wait, "max_file_bytes": self.max_file_bytes, "memory": self.memory}
        return {"home": self.index_dir, "model": self.model, "share": self.share, **bounds}

    @property
    def filters(self) -> Filters:
        docs = "skip" if self.no_docs else "first" if self.docs_first else "rank"
        return Filters(self.include, self.exclude, self.language, docs)


@frozen
class Layer:
    """Options from one place; `source` names it in errors (empty: the request itself).

    `notes` say what of it was not taken over, and why.
    """

    values: Mapping[str, object]
    source: str = ""
    notes: tuple[str, ...] = ()


# Of two records of one name the first is the setting; the other is the same option of another command.
_DEFAULTS: Mapping[str, Any] = {option.name: option.default for option in reversed(SETTINGS)}


def noted(*layers: Layer) -> tuple[Hint, ...]:
    """Warnings about the options that were not taken over."""
    return tuple(Hint("warn", note) for layer in layers for note in layer.notes)


def resolve(*layers: Layer) -> Settings:
    """Settings from layers, later ones win. A layer's profile gives way to what the same or a later layer says."""
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
    if merged["staged"] and merged["diff"] is None:
        merged["diff"] = "HEAD"
    if merged["diff"] is not None:
        changed = {"limit": CHANGED_ITEMS, "related": CHANGED_RELATED}
        merged.update((name, value) for name, value in changed.items() if name not in given)
    if merged["format"] == "html":  # a page has the room to say why
        merged["explain"] = True
    settings = Settings(**merged)
    if settings.no_docs and settings.docs_first:
        raise UsageError("docs_first", "no_docs and docs_first exclude each other", hint="choose one of them")
    return settings


def environment() -> Layer:
    """The settings among the environment's variables: `CTXPACK_MAX_CHARS` and so on; several values have commas.

    None that is a property of one question or needs a person.
    """
    values: dict[str, object] = {}
    for option in SETTINGS:
        text = os.environ.get(f"CTXPACK_{option.name.upper()}") if option.by in ("repository", "user") else None
        if text and option.name not in values:
            values[option.name] = (
                [part.strip() for part in text.split(",")] if option.value.several else option.read(text)
            )
    return Layer(values, ENVIRONMENT)


def check_query(text: object) -> str:
    """The query as it is asked: a text with something in it, of bounded length."""
    if not isinstance(text, str):
        fault = "missing" if text is None else "not a text"
        raise UsageError("query", f"the query is {fault}", hint="query: an identifier, a path or plain words")
    if not text.strip():
        raise UsageError("query", "the query is empty", hint="ask for an identifier, a path or in plain words")
    if len(text) > MAX_QUERY_CHARS:
        fault = f"the query has {len(text)} characters; at most {MAX_QUERY_CHARS} are taken"
        raise UsageError("query", fault, hint=f"of a log the end tells most: `tail -c {MAX_QUERY_CHARS}`")
    if not is_unicode(text):
        raise InvalidRequest("query", "the query is not valid UTF-8")
    return text


def checked_options(command: str, given: Mapping[str, object]) -> dict[str, Any]:
    """The options of a request for a kind of pack, checked by their records; None counts as not given."""
    records = {option.name: option for option in options_of(command) if option.by in ("asker", "person")}
    for name in given:
        if name not in records:
            raise InvalidRequest(name, f"{command} takes no {name}", hint=closest(name, records))
    return {name: _checked(records[name], value, name) for name, value in given.items() if value is not None}


def _check(name: str, value: object, source: str) -> Any:
    where = f"{source}: " if source else ""
    option = setting(name)
    if option is None:
        raise InvalidRequest(name, f"{where}there is no option {name}", hint=closest(name, SETTING_NAMES))
    return _checked(option, value, f"CTXPACK_{name.upper()}" if source == ENVIRONMENT else f"{where}{name}")


def _checked(option: Option, value: object, shown: str) -> Any:
    try:
        return option.value.check(value)
    except ValueError as error:
        raise InvalidRequest(option.name, f"{shown} {error}") from None
