"""Secrets recognised by their form: key formats of known issuers, private keys, logins inside URLs, random strings.

Sources: the issuers' documentation and the rule sets of gitleaks and detect-secrets, rewritten. Lengths are liberal: a
key that is a few characters longer or shorter than today's must not leak.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from operator import ne

from contracts.frozen import frozen
from contracts.lazy_regex import lazy_regex
from contracts.rows import rows


@frozen
class Format:
    """A line of `formats.tsv`, which explains the fields."""

    kind: str
    head: str
    rest: str


SPLITS = ".:$~"  # characters in some keys that are not key characters: they split a run
MAILCHIMP_HEX = 32  # digits of a Mailchimp key before its suffix, `-us12`

_W = "[A-Za-z0-9_-]"
_B = "[A-Za-z0-9+/=_-]"


def _formats() -> Iterator[Format]:
    for row in rows(__file__, "formats.tsv"):
        yield Format(*(field.replace("{W}", _W).replace("{B}", _B) for field in row))


FORMATS = tuple(_formats())
# No letter or digit precedes a secret, except at the end of an escape (`\n`, `%3D`).
_ALONE = r"(?:(?<![A-Za-z0-9])|(?<=\\[nrtbf])|(?<=%[0-9A-Fa-f]{2}))"
_KINDS = {f"f{number}": one.kind for number, one in enumerate(FORMATS)} | {"mailchimp": "mailchimp_key"}


@cache
def _whole() -> re.Pattern[bytes]:
    """All formats as one pattern, a group for each. Compiling takes 3 ms, so it waits for the first head in a text."""
    formats = "|".join(f"(?P<f{number}>(?:{one.head}){one.rest})" for number, one in enumerate(FORMATS))
    mailchimp = f"(?P<mailchimp>[0-9a-f]{{{MAILCHIMP_HEX}}}-us[0-9]{{1,2}})"
    return re.compile(f"{_ALONE}(?:{formats}|{mailchimp})".encode())


def _heads(split: bool) -> bytes:
    """A pattern of the heads that end in a split character, or of the others by first letter, which lets `re` skip."""
    every = dict.fromkeys(head for one in FORMATS for head in one.head.split("|"))
    chosen = [head for head in every if (head[-1] in SPLITS or head.endswith(":AA")) == split]
    if split:
        return "|".join(chosen).encode()
    groups: dict[str, list[str]] = {}
    for head in [*chosen, "-us[0-9]"]:
        groups.setdefault(head[0], []).append(head[1:])
    return "|".join(f"{re.escape(a)}(?:{'|'.join(rest)})" for a, rest in sorted(groups.items())).encode()


WHOLE_HEADS = lazy_regex(_heads(split=False))  # inside a run of key characters
SPLIT_HEADS = lazy_regex(_heads(split=True))  # before a run that follows one of SPLITS
SPLIT_REACH = 48  # the head starts at most this many bytes before such a run: `MTIz...` of a Discord token has 34


def known_format(data: bytes, start: int) -> tuple[int, int, str] | None:
    """(start, end, kind) of the key whose head is at `start`; None if there is no key."""
    match = _whole().match(data, start)
    if match is None and data.startswith(b"-us", start) and start >= MAILCHIMP_HEX:
        match = _whole().match(data, start - MAILCHIMP_HEX)
    return (match.start(), match.end(), _KINDS[match.lastgroup]) if match and match.lastgroup else None


# `-----BEGIN RSA PRIVATE KEY-----`, `---- BEGIN SSH2 ENCRYPTED PRIVATE KEY ----`, `... PGP PRIVATE KEY BLOCK-----`
_BEGIN = lazy_regex(rb"-{4,5} ?BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)? ?-{4,5}")
_END = lazy_regex(rb"-{4,5} ?END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)? ?-{4,5}")
_KEY_BYTES = lazy_regex(rb"[A-Za-z0-9+/=]{16}")
# A line of a key's body, whatever quotes it (a diff, a comment, a string literal, a mail).
_BODY_LINE = lazy_regex(rb"[ \t+>|#*/\"'-]*(?:[A-Za-z0-9+/=]{16,}|[A-Z][A-Za-z-]+: [^\n]*)?[ \t\"',;+\\nr]*(?:\n|\Z)")
_LAST_LINE = lazy_regex(rb"[ \t+>|#*/\"'-]*[A-Za-z0-9+/=]{4,}[ \t\"',;+\\nr]*(?:\n|\Z)")
_ESCAPED_BODY = lazy_regex(  # on one line, including header lines (`Version: GnuPG v2`)
    rb"(?:\\+[nr](?:[A-Z][A-Za-z-]{2,30}: [^\n\\\"]{0,100})?|[A-Za-z0-9+/=])+"
)
MAX_KEY_BYTES = 32_768  # a 16,384-bit RSA key takes 13 KB


def private_keys(data: bytes) -> list[tuple[int, int]]:
    """(start, end) of private keys, also without their first or last lines; a marker alone is not a key."""
    if b"PRIVATE KEY" not in data:
        return _putty_keys(data)
    keys = _from_begin(data)
    taken = 0
    for end in _END.finditer(data):
        while taken < len(keys) and keys[taken][1] < end.end():
            taken += 1
        inside = taken < len(keys) and keys[taken][0] <= end.start()
        start = end.start() if inside else _body_start(data, end.start())
        if start < end.start():
            keys.insert(taken, (start, end.end()))
    return keys + _putty_keys(data)


def _from_begin(data: bytes) -> list[tuple[int, int]]:
    """Keys with a BEGIN marker, in order: up to their END, or as far as there is key material."""
    keys: list[tuple[int, int]] = []
    begins = [match.span() for match in _BEGIN.finditer(data)]
    for (start, body), (after, _) in pairwise([*begins, (len(data), 0)]):
        limit = min(body + MAX_KEY_BYTES, after)
        end = _END.search(data, body, limit)
        stop = end.end() if end else _body_end(data, body, limit)
        if _KEY_BYTES.search(data, body, stop):
            keys.append((start, stop))
    return keys


def _body_end(data: bytes, start: int, limit: int) -> int:
    """The end of a key without an END marker, at most `limit`: before the first line that is not key material."""
    line = data.find(b"\n", start, limit) + 1
    if not line or data.startswith(b"\\", start):
        escaped = _ESCAPED_BODY.match(data, start, limit)
        return escaped.end() if escaped else start
    while line < limit and (match := _BODY_LINE.match(data, line, limit)) is not None and match.end() > line:
        if not match.group().strip() and not _KEY_BYTES.search(data, match.end(), min(match.end() + 120, limit)):
            break
        line = match.end()
    last = _LAST_LINE.match(data, line, limit)
    stop = last.end() if last and line > start else line
    return stop - 1 if data[stop - 1 : stop] == b"\n" else stop


def _body_start(data: bytes, end: int) -> int:
    """The start of a key without a BEGIN marker: the first line of the key material right above its END."""
    start = data.rfind(b"\n", 0, end) + 1
    first = start if _KEY_BYTES.search(data, start, end) else end
    while start > 0:
        above = data.rfind(b"\n", 0, start - 1) + 1
        line = _BODY_LINE.fullmatch(data, above, start) or _LAST_LINE.fullmatch(data, above, start)
        if line is None or not line.group().strip():
            break
        first = start = above
    return first


# Two lines or more of a key's body: nothing but base 64, as wide as OpenSSL and OpenSSH write it.
_PIECE = lazy_regex(
    rb"(?m)(?:^[ \t+>|#*\"'-]{0,12}(?=[A-Za-z0-9+/]*[a-z])(?=[A-Za-z0-9+/]*[A-Z])"
    rb"[A-Za-z0-9+/]{60,76}[\"',;+\\nr \t]{0,6}(?:\n|\Z)){2,}"
)
_PUBLIC = lazy_regex(rb"-----BEGIN (?:[A-Z0-9 ]*CERTIFICATE[A-Z0-9 ]*|[A-Z0-9 ]*PUBLIC KEY[A-Z0-9 ]*)-----[^\n]*\n\Z")


def key_pieces(data: bytes) -> list[tuple[int, int]]:
    """(start, end) of lines that may be the middle of a private key, in a piece of a file."""
    return [
        (match.start(), match.end() - match.group().endswith(b"\n"))
        for match in _PIECE.finditer(data)
        if not _PUBLIC.search(data, max(0, match.start() - 120), match.start())
    ]


_PUTTY = lazy_regex(rb"(?m)^Private-Lines: \d+\r?\n((?:[A-Za-z0-9+/=]+\r?(?:\n|\Z))+)")


def _putty_keys(data: bytes) -> list[tuple[int, int]]:
    return [match.span(1) for match in _PUTTY.finditer(data)] if b"PuTTY-User-Key-File-" in data else []


# The password in `scheme://user:password@host`, and placeholders for it in examples.
_LOGIN = lazy_regex(rb"://[^\s:/@\"'<>`,;()\[\]{}|]{0,128}:([^\s/@\"'<>`|]{1,256})@[A-Za-z0-9\[_.$%{-]")
_STAND_IN = lazy_regex(rb"(?:pass(?:word|wd)?|pwd|pw|secret|token|[x*.]+|[$%{<(\[].*)", re.IGNORECASE)


def url_passwords(data: bytes) -> list[tuple[int, int]]:
    """(start, end) of the passwords inside URLs and connection strings."""
    return [match.span(1) for match in _LOGIN.finditer(data) if not _STAND_IN.fullmatch(match[1])]


_HEX = lazy_regex(rb"(?:0x)?[0-9a-fA-F]+|[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")
MIN_RANDOM = 20  # characters; shorter words and random texts have the same statistics
MAX_NAME = 64  # characters in which the `=` after a name is searched for
MAX_RANDOM = 200  # longer strings are data, not keys
MIN_ENTROPY = 3.6  # bits per character; 20 random characters of 62 have about 4.0
MIN_TURNS = 0.35  # share of neighbouring characters of different classes: random base 62 has 0.62, CamelCase 0.2
MAX_WORDS = 0.3  # share of the characters in runs of at least four small letters; random has 0.1
MAX_NAMES = 0.45  # the same, including runs of capitals; random has 0.2
MAX_JOINTS = 0.1  # share of `_` and `-`: more of them join the words of a name; random base 64 has 0.03
SMALL = lazy_regex(rb"[a-z]{4,}")
_CAPITAL = lazy_regex(rb"[A-Z]{4,}")
# A name of words and one or two numbers (`Hdr10PlusPresentFlag`); of 20 random characters, 0.2 % look like one.
_NUMBERED_NAME = lazy_regex(rb"(?!(?:[^0-9]*+[0-9]++){3})(?:[A-Z]?[a-z]+|[0-9]+|[_-])+")


def random_setting(data: bytes, start: int, end: int, code: bool) -> int | None:
    """The start of a random string that is assigned to something, within the run start..end; None without one.

    `SALT=9f...` is one such run, because `=` is a key character.
    """
    quoted = data[start - 1 : start] in QUOTES
    if code and not quoted:
        return None
    if not quoted and (sign := data.find(b"=", start, start + MAX_NAME)) > 0 and sign + MIN_RANDOM < end:
        start = sign + 1
    value = data[start:end]
    if value.islower() or value.isupper() or not is_random(value):
        return None
    if quoted:
        name = _QUOTED_SETTING.search(data, max(0, start - 80), start)
        closed = data.startswith((data[start - 1 : start], b"\\" + data[start - 1 : start]), end)
    else:
        name = None if code else _BARE_SETTING.search(data, max(0, start - 80), start)
        closed = data[end : end + 1] in (b"", b"\n", b"\r", b" ")
    return start if name is not None and closed and not _HARMLESS.search(name.group(1)) else None


QUOTES = frozenset((b'"', b"'", b"`"))
_QUOTED_SETTING = lazy_regex(
    rb"([\w.$\-]*)[\"'`\]]{0,2}[ \t]{0,8}(?:=|:|=>|[(,\[])[ \t\n]{0,8}[furbFURB@$L]{0,2}\\?[\"'`]\Z"
)
_BARE_SETTING = lazy_regex(rb"(?:\A|\n)[ \t\-]*(?:export[ \t]+)?([\w.\-]+)[ \t]*[=:][ \t]*\Z")
_HARMLESS = lazy_regex(
    rb"hash|digest|checksum|sha\d|md5|crc|integrity|etag|uuid|guid|version|commit|revision|alphabet|chars|charset|public"
    rb"|fingerprint|thumbprint|sri\b",
    re.IGNORECASE,
)
_DIGEST = lazy_regex(rb"(?:sha\d+|md5|h1)[-:=]")


def is_random(value: bytes) -> bool:
    """Whether a string of key characters is random: all three classes, mixed, and few repetitions.

    Hexadecimal strings and UUIDs are not: in code they are digests and names far more often than keys.
    """
    core = value.rstrip(b"=")
    if not MIN_RANDOM <= len(core) <= MAX_RANDOM or _HEX.fullmatch(core) or _DIGEST.match(core):
        return False
    classes = core.translate(CLASS)
    if not classes.count(b"a") or not classes.count(b"A") or classes.count(b"0") < 2:
        return False
    size = len(core)
    small, capital = (sum(map(len, runs.findall(core))) for runs in (SMALL, _CAPITAL))
    if core.count(b"_") + core.count(b"-") > MAX_JOINTS * size or small > MAX_WORDS * size:
        return False
    if turns(classes) < MIN_TURNS or small + capital > MAX_NAMES * size or _NUMBERED_NAME.fullmatch(core):
        return False
    return -sum(count / size * math.log2(count / size) for count in Counter(core).values()) >= MIN_ENTROPY  # Shannon's


CLASS = bytes(
    97 if 97 <= byte < 123 else 65 if 65 <= byte < 91 else 48 if 48 <= byte < 58 else 33 for byte in range(256)
)


def turns(classes: bytes) -> float:
    """The share of neighbouring characters that are of different classes."""
    turns: int = sum(map(ne, classes, classes[1:]))
    return turns / max(len(classes) - 1, 1)
