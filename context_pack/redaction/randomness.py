"""Strings that are random where words are usual: what a key looks like whose format nobody knows."""

from __future__ import annotations

import math
import re
from collections import Counter
from operator import ne

from context_pack.lazy_regex import later

_HEX = later(rb"(?:0x)?[0-9a-fA-F]+|[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")
MIN_RANDOM = 20  # characters: below, words and random text cannot be told apart by their statistics
MAX_NAME = 64  # characters of a name that a value may follow without a space
MAX_RANDOM = 200  # longer ones are data, not keys
MIN_ENTROPY = 3.6  # bits a character; 20 random characters of 62 have about 4.0
MIN_TURNS = 0.35  # share of neighbours of different classes: random base 62 has 0.62, CamelCase 0.2
MAX_WORDS = 0.3  # share of the characters that stand in runs of four small letters or more; random has 0.1
MAX_NAMES = 0.45  # the same with runs of capitals; random has 0.2
MAX_JOINTS = 0.1  # share of `_` and `-`: more of them join the words of a name; random base 64 has 0.03
SMALL = later(rb"[a-z]{4,}")
_CAPITAL = later(rb"[A-Z]{4,}")


def random_assigned(data: bytes, start: int, end: int, code: bool) -> int | None:
    """Where in the run of key characters at start..end a random string begins that something is set to; None without.

    `SALT=9f...` is one such run: `=` is a key character.
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
_QUOTED_SETTING = later(
    rb"([\w.$\-]*)[\"'`\]]{0,2}[ \t]{0,8}(?:=|:|=>|[(,\[])[ \t\n]{0,8}[furbFURB@$L]{0,2}\\?[\"'`]\Z"
)
_BARE_SETTING = later(rb"(?:\A|\n)[ \t\-]*(?:export[ \t]+)?([\w.\-]+)[ \t]*[=:][ \t]*\Z")
_HARMLESS = later(
    rb"hash|digest|checksum|sha\d|md5|crc|integrity|etag|uuid|guid|version|commit|revision|alphabet|chars|charset|public"
    rb"|fingerprint|thumbprint|sri\b",
    re.IGNORECASE,
)
_DIGEST = later(rb"(?:sha\d+|md5|h1)[-:=]")


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
    return turns(classes) >= MIN_TURNS and small + capital <= MAX_NAMES * size and _entropy(core) >= MIN_ENTROPY


CLASS = bytes(
    97 if 97 <= byte < 123 else 65 if 65 <= byte < 91 else 48 if 48 <= byte < 58 else 33 for byte in range(256)
)


def turns(classes: bytes) -> float:
    """The share of neighbours that are of different classes."""
    turns: int = sum(map(ne, classes, classes[1:]))
    return turns / max(len(classes) - 1, 1)


def _entropy(value: bytes) -> float:
    """Shannon entropy in bits a character."""
    size = len(value)
    return -sum(count / size * math.log2(count / size) for count in Counter(value).values())
