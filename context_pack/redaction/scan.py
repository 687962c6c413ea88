"""One pass over a text: cheap searches for where a secret could be, exact patterns only there.

Nearly every key is a long run of key characters, and runs are found by translating all key characters to one byte and
searching for a repetition of it; names (`password`) are found by substring search. Both run at memory speed, so that
the patterns see only a few hundred places in a megabyte.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

from context_pack.redaction.assigned import Form, assigned
from context_pack.redaction.commands import command_passwords
from context_pack.redaction.formats import (
    SPLIT_HEADS,
    SPLIT_REACH,
    SPLITS,
    WHOLE_HEADS,
    key_pieces,
    known_format,
    private_keys,
    url_passwords,
)
from context_pack.redaction.values import random_assigned

MIN_RUN = 20  # key characters in a row: no known format has a longest part below that
_RUN = b"a" * MIN_RUN
_KEY_LINE = b"a" * 60  # as long as the lines of a private key
_SPLITS = frozenset(SPLITS.encode())
_KEY_CHARACTERS = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-+/=")
_TO_RUNS = bytes(97 if byte in _KEY_CHARACTERS else 32 for byte in range(256))

# Source code, where `password: str` and `token = next(tokens)` are no secrets.
CODE_SUFFIXES = frozenset(
    (
        ".py .pyi .js .mjs .cjs .jsx .ts .mts .cts .tsx .go .rs .java .kt .kts .scala .c .h .cc .cpp .cxx .hpp .hh .cs"
        " .swift .rb .php .ex .exs .hs .lua .zig .pl .pm .r .jl .dart .m .mm .vue .svelte .sql .erl .clj .groovy .fs"
    ).split()
)  # fmt: skip
# Code as well, and made of commands
SCRIPT_SUFFIXES = frozenset(".sh .bash .zsh .fish .ksh .ps1 .bat .cmd".split())
# Settings, where whatever stands behind `password:` is one. Everything else is read like a document or a log.
SETTINGS_SUFFIXES = frozenset(
    ".env .ini .cfg .conf .config .properties .toml .yml .yaml .tf .tfvars .netrc .pgpass .npmrc .pypirc".split()
)


REMEMBERED = 4_096  # texts
REMEMBERED_CHARS = 8_000  # a chunk
REMEMBERED_LONG = 128  # texts
REMEMBERED_LONG_CHARS = 100_000  # what several chunks are drawn from; files pass once


@dataclass(frozen=True, slots=True)
class Redacted:
    """A text without secrets, and how many of each kind were taken out, by kind."""

    text: str
    counts: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class _Hit:
    start: int
    end: int
    rank: int  # the smallest names the kind where hits overlap: a known format says more than a telling name
    kind: str


def redact(text: str, path: str = "", *, piece: bool = False) -> Redacted:
    """A text with each secret replaced by `[REDACTED:<kind>]`; its lines keep their numbers.

    `path` tells code from other texts. A `piece` of a file may hold the middle of a key without its markers: lines of
    nothing but base 64 are taken out of it. Redacting twice changes nothing more.
    """
    if text.replace(".", "").isidentifier() and all(len(name) < MIN_RUN for name in text.split(".")):
        return Redacted(text, {})
    form = form_of(path)
    if len(text) <= REMEMBERED_CHARS:
        return _remembered(text, form, piece)
    return _remembered_long(text, form, piece) if len(text) <= REMEMBERED_LONG_CHARS else _redacted(text, form, piece)


def _redacted(text: str, form: Form, piece: bool) -> Redacted:
    data = text.encode("utf-8", "surrogatepass")
    hits = _merged(_hits(data, form, piece))
    if not hits:
        return Redacted(text, {})
    parts: list[bytes] = []
    at = 0
    for hit in hits:
        lines = data.count(b"\n", hit.start, hit.end)
        parts += [data[at : hit.start], f"[REDACTED:{hit.kind}]".encode(), b"\n" * lines]
        at = hit.end
    counts = Counter(hit.kind for hit in hits)
    clean = b"".join([*parts, data[at:]]).decode("utf-8", "surrogatepass")
    return Redacted(clean, dict(sorted(counts.items())))


# Whoever answers many questions shows the same chunks and imports again and again.
_remembered = lru_cache(maxsize=REMEMBERED)(_redacted)
_remembered_long = lru_cache(maxsize=REMEMBERED_LONG)(_redacted)


def form_of(path: str) -> Form:
    """What kind of text a file holds, by its name. `.env.production` is an `.env`."""
    name = path.rpartition("/")[2].lower()
    suffix = name[name.rfind(".") :] if "." in name else ""
    if suffix in CODE_SUFFIXES:
        return "code"
    if suffix in SCRIPT_SUFFIXES:
        return "script"
    return "settings" if suffix in SETTINGS_SUFFIXES or name.startswith(".env") else "text"


def _hits(data: bytes, form: Form, piece: bool) -> Iterator[_Hit]:
    for start, end in private_keys(data):
        yield _Hit(start, end, 0, "private_key")
    for start, end in key_pieces(data) if piece and _KEY_LINE in data.translate(_TO_RUNS) else ():
        yield _Hit(start, end, 1, "key_material")
    yield from _in_runs(data, form in ("code", "script"))
    for start, end in url_passwords(data):
        yield _Hit(start, end, 2, "connection_string")
    for start, end in command_passwords(data, form == "code"):
        yield _Hit(start, end, 3, "password")
    for found in assigned(data, form):
        yield _Hit(found.start, found.end, 3, found.kind)


def _in_runs(data: bytes, code: bool) -> Iterator[_Hit]:
    """Known formats, and random strings that something is set to."""
    runs = data.translate(_TO_RUNS)
    find, head_of = runs.find, WHOLE_HEADS.search
    taken = 0  # everything before belongs to a key that was found: a key may have many runs
    start = find(_RUN)
    while start >= 0:
        end = find(b" ", start + MIN_RUN)
        if end < 0:
            end = len(data)
        if end > taken and head_of(data, start, end):
            for hit in _formats(data, WHOLE_HEADS, max(start, taken), end):
                taken = hit.end
                yield hit
        if end > taken and start and data[start - 1] in _SPLITS:
            for hit in _formats(data, SPLIT_HEADS, max(0, start - SPLIT_REACH, taken), end):
                taken = hit.end
                yield hit
        if end > taken and (value := random_assigned(data, start, end, code)) is not None:
            yield _Hit(value, end, 4, "high_entropy")
        start = find(_RUN, end)


def _formats(data: bytes, heads: re.Pattern[bytes], start: int, end: int) -> Iterator[_Hit]:
    """The keys that start in a part of the text, none inside another."""
    while start < end and (head := heads.search(data, start, end)) is not None:
        key = known_format(data, head.start())
        if key:
            yield _Hit(key[0], key[1], 1, key[2])
        start = key[1] if key else head.start() + 1


def _merged(hits: Iterator[_Hit]) -> list[_Hit]:
    """Hits in order without overlaps: what overlaps is one secret, of the kind that says most."""
    merged: list[_Hit] = []
    for hit in sorted(set(hits), key=lambda one: (one.start, -one.end, one.rank, one.kind)):
        if merged and hit.start < merged[-1].end:
            last = merged[-1]
            best = min(last, hit, key=lambda one: one.rank)
            merged[-1] = _Hit(last.start, max(last.end, hit.end), best.rank, best.kind)
        else:
            merged.append(hit)
    return merged
