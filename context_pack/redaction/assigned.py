"""Secrets that show by what they are assigned to (`password = ...`), or by being random where words are usual."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from operator import ne

# What every telling name holds, in lower case. `key` tells only behind one of the words of _KEY_OF.
STEMS = (b"pass", b"pwd", b"secret", b"token", b"key", b"cred", b"auth", b"bearer")
_LOWER = bytes(range(256)).lower()
# What may stand right behind a name: the end of its quotes or brackets, a sign, a space.
_NAME_ENDS = frozenset(b" \t\"'`])>=:(,\\")

_NAME = re.compile(
    rb"(?:pass(?:word|wd|phrase|wort|code)?|pwd|secrets?(?:[_-]?(?:access)?[_-]?key)?|token|key|cred(?:ential)?s?"
    rb"|auth(?:orization)?|bearer)(?:[_-]?[0-9]{1,2})?",
    re.IGNORECASE,
)
_KEY_OF = re.compile(
    rb"(?:api|access|account|private|auth|secret|encryption|encrypt|signing|sign|master|storage|shared|app|client"
    rb"|service|subscription|session|deploy|admin|root|hmac|aes|webhook|consumer|security|crypto|jwt|cookie)[_.\- ]?$",
    re.IGNORECASE,
)
_BEFORE = re.compile(rb"[A-Za-z0-9_.\-]*$")
_QUOTED = re.compile(
    rb"(?:\\?[\"'`])?\]?[ \t]{0,16}"  # the name's own quotes or bracket
    rb"(?::[ \t]{0,4}[\w\[\]|.?<> ]{1,40}?[ \t]{0,4}(?==[^=]))?"  # a type: `password: str = `
    rb"(?:(?P<sign>={1,3}>?|:=?|=>|!=|\+=|\(|,)|value[ \t]?=)[ \t]{0,16}"
    rb"[furbFURB@$L]{0,2}(?P<quote>\\?[\"'`])(?P<value>(?:(?!(?P=quote))[^\r\n]){1,512}?)(?P=quote)"
)
_BARE = re.compile(rb"(?:\\?[\"'`])?[ \t]{0,16}(?P<sign>[=:])(?P<gap>[ \t]{0,16})(?P<value>[^\s\"'`<>]{4,512})")
_ELEMENT = re.compile(rb">(?P<value>[^<>\s]{4,512})</")
_OPTION = re.compile(rb"[ \t]+(?P<value>[^\s\"'`<>$\-][^\s\"'`<>]{5,512})")
_SCHEME = re.compile(
    rb"(?:[\"']?[ \t]*[:=,][ \t]*[\"']?)?(?:basic|bearer|token)?[ \t]+(?P<value>[A-Za-z0-9+/=_.~-]{12,4096})", re.I
)
_NEXT_FIELD = re.compile(rb"[;&](?=[\w .%-]{1,40}=|$)|[,)}\]\\;]+$")

_STAND_IN = re.compile(
    rb"\[REDACTED:.*|<.*|\$.*|%.*|\{.*|\(.*|\[.*|[*xX.\-_?#0]+|.*\$\{.*|.*\{[\w.\[\]()!:]*\}.*|.*%[sd(].*|!.*|@.*|&[a-z].*"
    rb"|(?:enc|secret|env|vault|ref|os|process|self|this|config|settings)[.:(\[].*",
    re.IGNORECASE | re.DOTALL,
)
_WORDS_OF_STAND_INS = re.compile(
    rb"(?:^|[\W_])(?:your|my|the|example|placeholder|sample|dummy|insert|replace|changeme|change|redacted|enter|todo|some"
    rb"|pass|passw(?:or)?d|passphrase|pwd|secret|token|key|user|username|login|name|field|type|string|null|none|nil|true|false"
    rb"|undefined|required|optional|hidden|text|value|default|input|current|new|old|confirm|auth|bearer|basic|access|refresh|csrf"
    rb"|session|cookie|header|url|file|path|id|invalid|missing|test|foo|bar)(?:$|[\W_])",
    re.IGNORECASE,
)
_SPACE = re.compile(rb"[\x00-\x20]")
_DIGIT = re.compile(rb"[0-9]")
_LETTER = re.compile(rb"[A-Za-z]")
_CAMEL = re.compile(rb"(?<=[a-z])(?=[A-Z])")
_PATH = re.compile(rb"(?:[A-Za-z]:|~|\.{1,2})?[/\\][\w.@ -]+(?:[/\\][\w.@ -]*)*|[\w.-]+(?:/[\w.-]+)+\.\w{1,5}")
_HEX = re.compile(rb"(?:0x)?[0-9a-fA-F]+|[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")
_ENV_NAME = re.compile(rb"(?:^|\n)[ \t]*(?:export[ \t]+|set[ \t]+|ENV[ \t]+|-[ \t]+)?[A-Z][A-Z0-9_]*$")

MAX_TOLD = 96  # bytes of a value that tell a secret from a word: a name that is repeated in one line must not cost more
MAX_LINE = 160  # bytes before a name that are looked at: a text may be one line, and names stand everywhere in it
_NETRC_LOGIN = re.compile(rb"\blogin[ \t]+[^\s]{1,64}[ \t]{1,16}\Z")
_COMMENT = re.compile(rb"(?:^|\s)(?:#|//|/\*|\*|--|<!--)")
MIN_MIXED = 10  # characters of a value without quotes that is taken for a password and not for a name
MIN_RANDOM = 20  # characters: below, words and random text cannot be told apart by their statistics
MAX_RANDOM = 200  # longer ones are data, not keys
MIN_ENTROPY = 3.6  # bits a character; 20 random characters of 62 have about 4.0
MIN_TURNS = 0.35  # share of neighbours of different classes: random base 62 has 0.62, CamelCase 0.2
MAX_WORDS = 0.3  # share of the characters that stand in runs of four small letters or more; random has 0.1
MAX_NAMES = 0.45  # the same with runs of capitals; random has 0.2
MAX_JOINTS = 0.1  # share of `_` and `-`: more of them join the words of a name; random base 64 has 0.03
_SMALL = re.compile(rb"[a-z]{4,}")
_CAPITAL = re.compile(rb"[A-Z]{4,}")


@dataclass(frozen=True, slots=True)
class Assigned:
    start: int
    end: int
    kind: str


def assigned(data: bytes, code: bool) -> Iterator[Assigned]:
    """Values that a telling name is given. In `code` a value without quotes is mostly an expression."""
    low = data.translate(_LOWER)
    for stem in STEMS:
        at = low.find(stem)
        while at >= 0:
            name = _NAME.match(low, at)
            if name and name.end() < len(low) and low[name.end()] in _NAME_ENDS:
                hit = _value_of(data, at, name.end(), code)
                if hit:
                    yield hit
            at = low.find(stem, at + len(stem))


def kind_of_name(name: str) -> str | None:
    """The kind of secret that a name (a key of a mapping) tells of; None for a plain name."""
    data = name.encode("utf-8", "surrogatepass")
    low = data.lower()
    for stem in STEMS:
        at = low.rfind(stem)
        match = _NAME.match(low, at) if at >= 0 else None
        if match and match.end() == len(low):
            return _kind(data, at, match.end())
    return None


def tells(kind: str, value: str) -> bool:
    """Whether a value that stands under a telling name is a secret, and no stand-in or word."""
    return _is_secret(value.encode("utf-8", "surrogatepass"), kind, bare=False)


def _kind(data: bytes, start: int, end: int) -> str | None:
    """`password`, `token`, `secret`, `api_key`, `credential` or `authorization`; None when the name says nothing."""
    if data[max(0, start - 10) : start].lower().endswith((b"publickey", b"public_key")):
        return None
    stem = data[start:end].lower()
    before = data[max(0, start - 1) : start]
    joined = before.isalnum() and not data[start : start + 1].isupper()
    if stem.startswith(b"pass"):
        return None if joined and stem in (b"pass", b"passcode") else "password"
    if stem.startswith(b"pwd"):
        return "password"
    if stem.startswith(b"key"):
        return "api_key" if _KEY_OF.search(data, max(0, start - 16), start) else None
    if joined and not stem.startswith((b"token", b"secret")):
        return None
    if stem.startswith((b"auth", b"bearer")):
        return "authorization"
    kinds = {b"t": "token", b"s": "secret", b"c": "credential"}
    return kinds[stem[:1]]


def _value_of(data: bytes, start: int, end: int, code: bool) -> Assigned | None:
    kind = _kind(data, start, end)
    if kind is None:
        return None
    if kind == "authorization":
        return _authorization(data, start, end, code)
    match = _QUOTED.match(data, end)
    if match:
        sign = match["sign"] or b"="
        if sign == b"," and data[_name_start(data, start) - 1 : start][:1] not in _QUOTES:
            return None  # `"user:pass", "utf8"`: a comma binds a value only to a name that stands alone
        words = sign == b"," or (sign == b"(" and kind != "password")
        return _checked(data, match, kind, bare=words)
    match = _ELEMENT.match(data, end)
    if match:
        return _checked(data, match, kind, bare=False)
    match = _BARE.match(data, end)
    if match and (not code or _is_plain_assignment(data, start, match) or _is_no_expression(data, start, match)):
        return _checked(data, match, kind, bare=True)
    name_start = _name_start(data, start)
    option = data[max(0, name_start - 2) : name_start] == b"--" or data[name_start : name_start + 2] == b"--"
    match = _OPTION.match(data, end) if option or _is_netrc(data, start) else None
    return _checked(data, match, kind, bare=True) if match else None


def _name_start(data: bytes, start: int) -> int:
    low = max(0, start - 64)
    match = _BEFORE.search(data, low, start)
    return match.start() if match else start


def _is_netrc(data: bytes, start: int) -> bool:
    return _NETRC_LOGIN.search(data, max(0, start - MAX_LINE), start) is not None


def _is_plain_assignment(data: bytes, start: int, match: re.Match[bytes]) -> bool:
    """In code: `DB_PASSWORD=x` as a shell writes it, or a field of a connection string (`...;Password=x;...`)."""
    if match["gap"] or match["sign"] != b"=":
        return False
    name_start = _name_start(data, start)
    if _ENV_NAME.search(data, max(0, name_start - 16), start + len(match.string[start : match.start()])):
        return b"(" not in match["value"]
    return data[name_start - 1 : name_start] in (b";", b"&", b"?") and b"(" not in match["value"]


def _is_no_expression(data: bytes, start: int, match: re.Match[bytes]) -> bool:
    """In code: a value in a comment, or one that no programmer writes: letters of both cases and digits, all mixed."""
    line = data.rfind(b"\n", max(0, start - MAX_LINE), start) + 1 or max(0, start - MAX_LINE)
    if _COMMENT.search(data, line, start):
        return True
    value = match["value"].rstrip(b",;)}]")
    classes = value.translate(_CLASS)
    mixed = len(value) >= MIN_MIXED and all(classes.count(one) for one in (b"a", b"A", b"0"))
    if not mixed or re.search(rb"[(\[.]", value):
        return False
    return _turns(classes) >= MIN_TURNS and sum(map(len, _SMALL.findall(value))) <= MAX_WORDS * len(value)


def _authorization(data: bytes, start: int, end: int, code: bool) -> Assigned | None:
    """`Authorization: Basic dXNlcjpw...`, `Bearer x`, and npm's and docker's `_auth`, `"auth": "..."`."""
    stem = data[start:end].lower()
    match = _SCHEME.match(data, end) if stem != b"auth" else None
    if match is None:
        match = _QUOTED.match(data, end) or (None if code or stem == b"bearer" else _BARE.match(data, end))
        if match is None or not re.fullmatch(rb"[A-Za-z0-9+/_-]{12,}={0,2}", match["value"]):
            return None
    value = match["value"]
    digit = _DIGIT.search(value) is not None
    if value.islower() and not (digit and len(value) >= 24):
        return None  # `Bearer authentication` is prose
    if not (digit or value.endswith(b"=") or _turns(value.translate(_CLASS)) >= MIN_TURNS):
        return None
    return Assigned(*match.span("value"), "authorization")


def _checked(data: bytes, match: re.Match[bytes], kind: str, bare: bool) -> Assigned | None:
    start, end = match.span("value")
    if bare and match.re is not _QUOTED:
        more = _NEXT_FIELD.search(data, start, end)
        end = more.start() if more else end
    if not _is_secret(data[start:end], kind, bare):
        return None
    return Assigned(start, end, kind)


def _is_secret(value: bytes, kind: str, bare: bool) -> bool:
    told = value[:MAX_TOLD]
    digit = _DIGIT.search(told) is not None
    if len(value) < 4 or b"://" in told or _SPACE.search(value) or _STAND_IN.fullmatch(told):
        return False
    if _PATH.fullmatch(value) and not is_random(value):
        return False
    if not digit and _WORDS_OF_STAND_INS.search(_CAMEL.sub(b"-", told)):
        return False
    letters = _LETTER.search(told) is not None
    if kind == "password":
        return (digit and (letters or len(value) >= 6)) if bare else digit or len(value) >= 6
    return len(value) >= 8 and digit and letters and (len(value) >= 12 or not value.islower() or kind == "secret")


def random_assigned(data: bytes, start: int, end: int, code: bool) -> bool:
    """Whether the run of key characters at start..end is a random string that something is set to."""
    value = data[start:end]
    quoted = data[start - 1 : start] in _QUOTES
    if value.islower() or value.isupper() or (code and not quoted) or not is_random(value):
        return False
    if quoted:
        name = _QUOTED_SETTING.search(data, max(0, start - 80), start)
        closed = data.startswith((data[start - 1 : start], b"\\" + data[start - 1 : start]), end)
    else:
        name = None if code else _BARE_SETTING.search(data, max(0, start - 80), start)
        closed = data[end : end + 1] in (b"", b"\n", b"\r", b" ")
    return name is not None and closed and not _HARMLESS.search(name.group(1))


_QUOTES = frozenset((b'"', b"'", b"`"))
_QUOTED_SETTING = re.compile(
    rb"([\w.$\-]*)[\"'`\]]{0,2}[ \t]{0,8}(?:=|:|=>|[(,\[])[ \t\n]{0,8}[furbFURB@$L]{0,2}\\?[\"'`]\Z"
)
_BARE_SETTING = re.compile(rb"(?:\A|\n)[ \t\-]*(?:export[ \t]+)?([\w.\-]+)[ \t]*[=:][ \t]*\Z")
_HARMLESS = re.compile(
    rb"hash|digest|checksum|sha\d|md5|crc|integrity|etag|uuid|guid|version|commit|revision|alphabet|chars|charset|public"
    rb"|fingerprint|thumbprint|sri\b",
    re.IGNORECASE,
)
_DIGEST = re.compile(rb"(?:sha\d+|md5|h1)[-:=]")


def is_random(value: bytes) -> bool:
    """Whether a string of key characters is random: all three classes, mixed, and few repetitions.

    Hexadecimal strings and UUIDs are not: in code they are digests and names far more often than keys.
    """
    core = value.rstrip(b"=")
    if not MIN_RANDOM <= len(core) <= MAX_RANDOM or _HEX.fullmatch(core) or _DIGEST.match(core):
        return False
    classes = core.translate(_CLASS)
    if not classes.count(b"a") or not classes.count(b"A") or classes.count(b"0") < 2:
        return False
    size = len(core)
    small, capital = (sum(map(len, runs.findall(core))) for runs in (_SMALL, _CAPITAL))
    if core.count(b"_") + core.count(b"-") > MAX_JOINTS * size or small > MAX_WORDS * size:
        return False
    return _turns(classes) >= MIN_TURNS and small + capital <= MAX_NAMES * size and _entropy(core) >= MIN_ENTROPY


_CLASS = bytes(
    97 if 97 <= byte < 123 else 65 if 65 <= byte < 91 else 48 if 48 <= byte < 58 else 33 for byte in range(256)
)


def _turns(classes: bytes) -> float:
    """The share of neighbours that are of different classes."""
    turns: int = sum(map(ne, classes, classes[1:]))
    return turns / max(len(classes) - 1, 1)


def _entropy(value: bytes) -> float:
    """Shannon entropy in bits a character."""
    size = len(value)
    return -sum(count / size * math.log2(count / size) for count in Counter(value).values())
