"""Removes secrets from texts, paths and records, and counts them by kind.

A text is read once: cheap searches find places where a secret could be, and exact patterns run only there. Nearly every
key is a long run of key characters, so these are all translated to one byte, and repetitions of that byte are searched
for. Names (`password`) are searched for as substrings. Both searches run at memory speed, and the patterns see only a
few hundred places in a megabyte.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import fields, is_dataclass, replace
from functools import cached_property, lru_cache
from typing import Any

from context_pack.redaction import formats
from context_pack.redaction.places import Form, command_passwords, is_named_secret, kind_of_name, named_secrets
from contracts.errors import CtxpackError, clipped
from contracts.frozen import frozen
from contracts.records import Hint, with_texts

PATHS = ("path", "page")  # the fields of records that contain a path
MARK = "[REDACTED:"  # the kind of the secret and `]` follow

MIN_RUN = 20  # key characters in a row; each format has a part at least that long
_RUN = b"a" * MIN_RUN
_KEY_LINE = b"a" * 60  # as long as the lines of a private key
_SPLITS = frozenset(formats.SPLITS.encode())
_KEY_CHARACTERS = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-+/=")
_TO_RUNS = bytes(97 if byte in _KEY_CHARACTERS else 32 for byte in range(256))

# In source code, `password: str` and `token = next(tokens)` are not secrets; scripts are code made of commands; in
# settings, every value after `password:` is a secret. Other texts are read like a document or a log.
_SUFFIXES: dict[Form, str] = {
    "code": (
        ".py .pyi .js .mjs .cjs .jsx .ts .mts .cts .tsx .go .rs .java .kt .kts .scala .c .h .cc .cpp .cxx .hpp .hh .cs"
        " .swift .rb .php .ex .exs .hs .lua .zig .pl .pm .r .jl .dart .m .mm .vue .svelte .sql .erl .clj .groovy .fs"
    ),
    "script": ".sh .bash .zsh .fish .ksh .ps1 .bat .cmd",
    "settings": (".env .ini .cfg .conf .config .properties .toml .yml .yaml .tf .tfvars .netrc .pgpass .npmrc .pypirc"),
}
_FORMS = {suffix: form for form, suffixes in _SUFFIXES.items() for suffix in suffixes.split()}

CACHED_TEXTS, CACHED_CHARS = 4_096, 8_000  # texts, each up to this many characters; a server shows chunks repeatedly
READ_CHARS, LONGEST_SECRET = 30_000, 15_000  # of each end of a message; a private key of 16,384 bits takes 13,000
LONG_TEXTS, LONG_CHARS = 64, 64_000  # classes and documents, a few of which are asked for repeatedly


@frozen
class Redacted:
    """A text without secrets, and the number of removed secrets by kind."""

    text: str
    counts: Mapping[str, int]


@frozen
class _Hit:
    start: int
    end: int
    rank: int  # of overlapping hits, the smallest rank gives the kind: a format says more than a telling name
    kind: str


def redact(text: str, path: str = "", *, piece: bool = False) -> Redacted:
    """A text with each secret replaced by `[REDACTED:<kind>]`; its lines keep their numbers.

    `path` decides how it is read: as code, script, settings or other text. A `piece` of a file may contain the middle
    of a key without its markers, so lines of only base 64 are removed from it. Redacting twice changes nothing more.
    """
    if text.replace(".", "").isidentifier() and all(len(name) < MIN_RUN for name in text.split(".")):
        return Redacted(text, {})
    redacted = _cached if len(text) <= CACHED_CHARS else _long_cached if len(text) <= LONG_CHARS else _redacted
    name = path.rpartition("/")[2].lower()
    by_suffix = _FORMS.get(name[name.rfind(".") :]) if "." in name else None
    return redacted(text, by_suffix or ("settings" if name.startswith(".env") else "text"), piece)


def _redacted(text: str, form: Form, piece: bool) -> Redacted:
    data = text.encode("utf-8", "surrogatepass")
    hits = _without_overlaps(_hits(data, form, piece))
    if not hits:
        return Redacted(text, {})
    parts: list[bytes] = []
    at = 0
    for hit in hits:
        lines = data.count(b"\n", hit.start, hit.end)
        parts += [data[at : hit.start], f"{MARK}{hit.kind}]".encode(), b"\n" * lines]
        at = hit.end
    counts = Counter(hit.kind for hit in hits)
    clean = b"".join([*parts, data[at:]]).decode("utf-8", "surrogatepass")
    return Redacted(clean, dict(sorted(counts.items())))


_cached = lru_cache(maxsize=CACHED_TEXTS)(_redacted)
_long_cached = lru_cache(maxsize=LONG_TEXTS)(_redacted)


def _hits(data: bytes, form: Form, piece: bool) -> Iterator[_Hit]:
    runs = data.translate(_TO_RUNS)
    spans = (
        (0, "private_key", formats.private_keys(data)),
        (1, "key_material", formats.key_pieces(data) if piece and _KEY_LINE in runs else ()),
        (2, "connection_string", formats.url_passwords(data)),
        (3, "password", command_passwords(data, form == "code")),
    )
    yield from (_Hit(start, end, rank, kind) for rank, kind, places in spans for start, end in places)
    yield from (_Hit(start, end, 3, kind) for start, end, kind in named_secrets(data, form))
    yield from _in_runs(data, runs, form in ("code", "script"))


def _in_runs(data: bytes, runs: bytes, code: bool) -> Iterator[_Hit]:
    """Keys of known formats, and random strings that are assigned to something."""
    last_end = 0  # the end of the last key: a key may have many runs
    start = runs.find(_RUN)
    while start >= 0:
        end = runs.find(b" ", start + MIN_RUN)
        end = len(data) if end < 0 else end
        for heads, reach in ((formats.WHOLE_HEADS, 0), (formats.SPLIT_HEADS, formats.SPLIT_REACH)):
            if not reach or (start and data[start - 1] in _SPLITS):
                for hit in _formats(data, heads, max(0, start - reach, last_end), end):
                    last_end = hit.end
                    yield hit
        if end > last_end and (value := formats.random_setting(data, start, end, code)) is not None:
            yield _Hit(value, end, 4, "high_entropy")
        start = runs.find(_RUN, end)


def _formats(data: bytes, heads: re.Pattern[bytes], start: int, end: int) -> Iterator[_Hit]:
    """The keys that start in a part of the text, none inside another."""
    while start < end and (head := heads.search(data, start, end)) is not None:
        key = formats.known_format(data, head.start())
        if key:
            yield _Hit(key[0], key[1], 1, key[2])
        start = key[1] if key else head.start() + 1


def _without_overlaps(hits: Iterator[_Hit]) -> list[_Hit]:
    """Hits in order without overlaps: overlapping hits become one secret, with the kind of the smallest rank."""
    merged: list[_Hit] = []
    for hit in sorted(set(hits), key=lambda one: (one.start, -one.end, one.rank, one.kind)):
        if merged and hit.start < merged[-1].end:
            last = merged[-1]
            best = min(last, hit, key=lambda one: one.rank)
            merged[-1] = _Hit(last.start, max(last.end, hit.end), best.rank, best.kind)
        else:
            merged.append(hit)
    return merged


class Redactor:
    """Redacts the texts of one answer and counts secrets by kind and place. If not `active`, it changes nothing."""

    def __init__(self, active: bool = True, paths: Paths | None = None) -> None:
        self.active = active
        self._paths = paths or Paths()
        self._places: dict[str, Counter[str]] = {}

    @property
    def counts(self) -> dict[str, int] | None:
        """Counts by kind over all places; None if redaction is off."""
        return self.counts_at(self._places)

    @property
    def places(self) -> dict[str, dict[str, int]]:
        """Counts by place, for the places where something was removed."""
        by_place: dict[str, Counter[str]] = {}
        for place, counts in self._places.items():
            by_place.setdefault(self._paths.shown(place), Counter()).update(counts)
        return {place: dict(sorted(counts.items())) for place, counts in sorted(by_place.items())}

    def text(self, text: str, path: str = "", place: str = "", *, piece: bool = False) -> str:
        """A text without secrets, which are counted for the place, or for the path if no place is given."""
        if not self.active:
            return text
        redacted = redact(text, path, piece=piece)
        self.count(redacted.counts, place or path)
        return redacted.text

    def name(self, text: str) -> str:
        """A short text without secrets, which are not counted because they are counted elsewhere."""
        return self._paths.text(text) if self.active else text

    def path(self, path: str) -> str:
        """A path as it is shown: itself, unless it contains a secret, which is counted once for the path."""
        if not self.active:
            return path
        shown = self._paths.shown(path)
        if shown != path and shown not in self._places:
            self.count(redact_path(path).counts, shown)
        return shown

    def hints(self, hints: Iterable[Hint]) -> tuple[Hint, ...]:
        """Hints without secrets."""
        shown = ((hint, self.name(hint.text)) for hint in hints)
        return tuple(hint if text == hint.text else replace(hint, text=text) for hint, text in shown)

    def message(self, text: str) -> str:
        """The text of an error without secrets, then shortened in the middle. Only the ends of a long text are read."""
        if len(text) <= 2 * READ_CHARS:
            return clipped(self.name(text))
        # A secret that is cut where an end was read is within LONGEST_SECRET characters of the cut.
        start, end = self.name(text[:READ_CHARS]), self.name(text[-READ_CHARS:])
        return clipped(f"{start[:-LONGEST_SECRET]} ... {end[LONGEST_SECRET:]}")

    def clean(self, error: CtxpackError) -> CtxpackError:
        """The same error, with its texts redacted and its message shortened."""
        error.message, error.hint = self.message(error.message), self.name(error.hint)
        error.args = (error.message,)
        error.details = with_texts(error.details, self.name)
        return error

    def counts_at(self, places: Iterable[str]) -> dict[str, int] | None:
        """Counts by kind over some places, each given once; None if redaction is off."""
        total: Counter[str] = Counter()
        for place in places:
            total.update(self._places.get(place, {}))
        return dict(sorted(total.items())) if self.active else None

    def data(self, value: Any, place: str = "") -> Any:
        """A JSON value or a record without secrets, at any depth: in texts, in keys and under telling keys."""
        if not self.active:
            return value
        if isinstance(value, str):
            return self.text(value, place=place)
        if isinstance(value, Mapping):
            return {self.text(str(key), place=place): self._field(str(key), part, place) for key, part in value.items()}
        if isinstance(value, list | tuple):
            return type(value)(self.data(part, place) for part in value)
        if not is_dataclass(value) or isinstance(value, type):
            return value
        parts = {one.name: getattr(value, one.name) for one in fields(value)}
        paths = {name: self.path(parts[name]) for name in PATHS if parts.get(name)}
        return replace(value, **{name: self.data(part, place) for name, part in {**parts, **paths}.items()})

    def _field(self, key: str, value: Any, place: str) -> Any:
        clean = self.data(value, place)
        kind = kind_of_name(key) if isinstance(value, str) and clean == value else None
        if kind and is_named_secret(key, kind, value):
            self.count({kind: 1}, place)
            return f"{MARK}{kind}]"
        return clean

    def count(self, counts: Mapping[str, int], place: str) -> None:
        """Add the counts of secrets that were removed elsewhere."""
        if counts:
            self._places.setdefault(place, Counter()).update(counts)


@lru_cache(maxsize=CACHED_TEXTS)
def redact_path(path: str) -> Redacted:
    """A path without secrets. Each name is searched first, so that a key that may contain a slash ends with the name.

    `keys/ghp_.../deploy.py` is `keys/[REDACTED:github_token]/deploy.py`; nearly every path is returned unchanged.
    """
    whole = redact(path)
    if not whole.counts:
        return whole
    parts = [redact(name) for name in path.split("/")]
    rest = redact("/".join(part.text for part in parts))
    counts = Counter(rest.counts)
    for part in parts:
        counts.update(part.counts)
    return Redacted(rest.text, dict(sorted(counts.items())))


class Paths:
    """Maps paths to the form in which they are shown, and back.

    Paths that would look alike get a number: `[REDACTED:github_token]~2.py` is the second of the sorted `files`, which
    is called for the first path with a secret; without `files`, the second path that is asked for.
    """

    def __init__(self, files: Callable[[], Iterable[str]] | None = None) -> None:
        self._files = files
        self._alike = Counter[str]()

    @cached_property
    def _shown_forms(self) -> dict[str, str]:
        """The paths with secrets, as they are shown. All files are searched as one text, which is fast."""
        files = sorted(self._files()) if self._files else []
        lines = "\n".join(path.replace("\n", " ") for path in files)
        pairs = zip(files, lines.split("\n"), redact(lines).text.split("\n"), strict=False)
        suspects = [path for path, line, shown in pairs if line != shown]
        return {path: self._numbered(clean) for path in suspects if (clean := redact_path(path).text) != path}

    def shown(self, path: str) -> str:
        """The path without secrets; itself if it contains none."""
        clean = redact_path(path).text
        if clean == path:
            return path
        if not self._files and path not in self._shown_forms:
            self._shown_forms[path] = self._numbered(clean)
        return self._shown_forms.get(path, clean)

    def text(self, text: str) -> str:
        """A text without secrets, with its paths as they are shown."""
        if redact(text).text == text:
            return text
        for path in sorted(self._shown_forms, key=len, reverse=True):
            text = text.replace(path, self._shown_forms[path])
        return redact(text).text

    def real(self, text: str) -> str:
        """The text of a question, with the paths in it as they are on disk."""
        numbered = self._shown_forms.items() if MARK in text else ()
        for path, shown in sorted(numbered, key=lambda one: len(one[1]), reverse=True):
            text = text.replace(shown, path)
        return text

    def _numbered(self, clean: str) -> str:
        self._alike[clean] += 1
        number, (head, mark, tail) = self._alike[clean], clean.rpartition("]")
        return clean if number == 1 else f"{head}{mark}~{number}{tail}"
