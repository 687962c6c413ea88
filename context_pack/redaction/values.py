"""Whether a value is a secret: a random string, or a value behind a telling name that is no stand-in, word or path."""

from __future__ import annotations

import math
import re
from collections import Counter
from operator import ne

from context_pack.lazy_regex import later

_STAND_IN = later(
    rb"\[REDACTED:.*|<.*|\$.*|%.*|\{.*|\(.*|\[.*|[*xX.\-_?#0]+|.*\$\{.*|.*\{[\w.\[\]()!:]*\}.*|.*%[sd(].*|!.*|@.*|&[a-z].*"
    rb"|(?:enc|secret|env|vault|ref|os|process|self|this|config|settings)[.:(\[].*",
    re.IGNORECASE | re.DOTALL,
)
_WORDS_OF_STAND_INS = later(
    rb"(?:^|[\W_])(?:your|my|the|example|placeholder|sample|dummy|insert|replace|changeme|change|redacted|enter|todo|some"
    rb"|pass|passw(?:or)?d|passphrase|pwd|secret|token|key|user|username|login|name|field|type|string|null|none|nil|true|false"
    rb"|undefined|required|optional|hidden|text|value|default|input|current|new|old|confirm|auth|bearer|basic|access|refresh|csrf"
    rb"|session|cookie|header|url|file|path|id|invalid|missing|test|foo|bar)(?:$|[\W_])",
    re.IGNORECASE,
)
# Words of labels and messages: where one of them stands among others, they are no passphrase.
_WORDS_OF_PROSE = later(
    rb"(?:^|[^a-z])(?:an?|the|of|to|for|is|are|was|be|been|it|its|this|that|these|your?|we|must|should|can|cannot|may|will"
    rb"|with|without|and|or|not|no|at|in|on|from|by|as|if|when|has|have|do|does|did|use[ds]?|using|only|please|again|reset"
    rb"|forgot|forgotten|wrong|incorrect|too|short|long|least|most|characters?|letters?|digits?|numbers?|length|words?|contains?"
    rb"|match(?:es)?|empty|set|get|show|hide|save|error|failed|expired|protected|manager|policy|strength|email)(?:$|[^a-z])",
    re.IGNORECASE,
)
_SPACE = later(rb"[\x00-\x20]")
_CONTROL = later(rb"[\x00-\x1f]")
_DIGIT = later(rb"[0-9]")
_LETTER = later(rb"[A-Za-z]")
_CAMEL = later(rb"(?<=[a-z])(?=[A-Z])")
_PATH = later(rb"(?:[A-Za-z]:|~|\.{1,2})?[/\\][\w.@ -]+(?:[/\\][\w.@ -]*)*|[\w.-]+(?:/[\w.-]+)+\.\w{1,5}")
_NAME_ONLY = later(rb"[\w.-]+")
_PLAIN_WORDS = later(rb"[a-z]{2,16}(?:[ -][a-z0-9]{1,16}){2,30}")
ONE_RUN = later(rb"[a-z]{18,}|[A-Z]{18,}")  # longer than any word that a secret may be called by

MAX_HEAD = 96  # bytes of a value that tell a secret from a word: a name that is repeated in one line must not cost more
MIN_MIXED = 10  # characters of a value without quotes that is taken for a password and not for a name
MIN_PHRASE = 12  # characters of a secret that has spaces


def is_secret(value: bytes, kind: str, bare: bool) -> bool:
    """Whether a value behind a name of this kind is a secret, and no stand-in, word or path. `bare`: without quotes."""
    head = value[:MAX_HEAD]
    digit = _DIGIT.search(head) is not None
    if len(value) < 4 or b"://" in head or _STAND_IN.fullmatch(head):
        return False
    if _SPACE.search(value):
        return _is_mixed_phrase(head)
    if _PATH.fullmatch(value) and not is_random(value):
        return False
    is_name = kind != "password" or _NAME_ONLY.fullmatch(head) is not None
    if not digit and is_name and _WORDS_OF_STAND_INS.search(_CAMEL.sub(b"-", head)):
        return False
    letters = _LETTER.search(head) is not None
    if kind == "password":
        return (digit and (letters or len(value) >= 6)) if bare else digit or len(value) >= 6
    if ONE_RUN.fullmatch(head):
        return True
    return len(value) >= 8 and digit and letters and (len(value) >= 12 or not value.islower() or kind == "secret")


def is_passphrase(value: bytes) -> bool:
    """Whether words are a passphrase: small ones in a row, none of which joins or explains others."""
    head = value[:MAX_HEAD]
    words = head.rpartition(b" ")[0] if len(value) > MAX_HEAD else head
    if len(value) < MIN_PHRASE or not _PLAIN_WORDS.fullmatch(words):
        return False
    return not (_WORDS_OF_PROSE.search(head) or _WORDS_OF_STAND_INS.search(head))


def _is_mixed_phrase(head: bytes) -> bool:
    """Whether a text with spaces is a password: it has digits, and no word that prose or a stand-in has."""
    if len(head) < MIN_PHRASE or not (_DIGIT.search(head) and _LETTER.search(head)) or _CONTROL.search(head):
        return False
    if _WORDS_OF_PROSE.search(head) or _WORDS_OF_STAND_INS.search(head):
        return False
    spaces = head.count(b" ")
    return spaces >= 2 or head.translate(CLASS).count(b"!") - spaces >= 2


def is_mixed(value: bytes) -> bool:
    """Whether no programmer writes such an expression: letters of both cases and digits, all mixed."""
    classes = value.translate(CLASS)
    mixed = len(value) >= MIN_MIXED and all(classes.count(one) for one in (b"a", b"A", b"0"))
    if not mixed or re.search(rb"[(\[.]", value):
        return False
    return turns(classes) >= MIN_TURNS and sum(map(len, SMALL.findall(value))) <= MAX_WORDS * len(value)


def is_authorization(value: bytes) -> bool:
    """Whether what follows `Bearer` or `Basic` is no word: `Bearer authentication` is prose."""
    digit = _DIGIT.search(value) is not None
    if value.islower() and not (digit and len(value) >= 24) and not ONE_RUN.fullmatch(value):
        return False
    return bool(digit or ONE_RUN.fullmatch(value) or value.endswith(b"=") or turns(value.translate(CLASS)) >= MIN_TURNS)


_HEX = later(rb"(?:0x)?[0-9a-fA-F]+|[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")
MIN_RANDOM = 20  # characters; shorter words and random texts have the same statistics
MAX_NAME = 64  # characters of a name that a value may follow without a space
MAX_RANDOM = 200  # longer ones are data, not keys
MIN_ENTROPY = 3.6  # bits a character; 20 random characters of 62 have about 4.0
MIN_TURNS = 0.35  # share of neighbours of different classes: random base 62 has 0.62, CamelCase 0.2
MAX_WORDS = 0.3  # share of the characters that stand in runs of four small letters or more; random has 0.1
MAX_NAMES = 0.45  # the same with runs of capitals; random has 0.2
MAX_JOINTS = 0.1  # share of `_` and `-`: more of them join the words of a name; random base 64 has 0.03
SMALL = later(rb"[a-z]{4,}")
_CAPITAL = later(rb"[A-Z]{4,}")


def random_setting(data: bytes, start: int, end: int, code: bool) -> int | None:
    """Where a random string that something is set to begins in the key characters at start..end; None without one.

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
    if turns(classes) < MIN_TURNS or small + capital > MAX_NAMES * size:
        return False
    entropy = -sum(count / size * math.log2(count / size) for count in Counter(core).values())  # Shannon's
    return entropy >= MIN_ENTROPY


CLASS = bytes(
    97 if 97 <= byte < 123 else 65 if 65 <= byte < 91 else 48 if 48 <= byte < 58 else 33 for byte in range(256)
)


def turns(classes: bytes) -> float:
    """The share of neighbours that are of different classes."""
    turns: int = sum(map(ne, classes, classes[1:]))
    return turns / max(len(classes) - 1, 1)
