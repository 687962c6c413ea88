"""Secrets that show by what they are assigned to: `password = ...`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from context_pack.patterns import later
from context_pack.redaction.randomness import CLASS, MAX_WORDS, MIN_TURNS, QUOTES, SMALL, is_random, turns

Form = Literal["code", "settings", "text"]  # of a file: what a value without quotes means differs

# What every telling name holds, in lower case. `key` tells only behind one of the words of _KEY_OF.
STEMS = (b"pass", b"pwd", b"secret", b"token", b"key", b"cred", b"auth", b"bearer")
_LOWER = bytes(range(256)).lower()
# What may stand right behind a name: the end of its quotes or brackets, a sign, a space.
_NAME_ENDS = frozenset(b" \t\r\n\"'`])>=:(,\\")

_NAME = later(
    rb"(?:pass(?:word|wd|phrase|wort|code)?|pwd|secrets?(?:[_-]?(?:access)?[_-]?key)?|token|key|cred(?:ential)?s?"
    rb"|auth(?:orization)?|bearer)(?:[_-]?[0-9]{1,2})?",
    re.IGNORECASE,
)
_KEY_OF = later(
    rb"(?:api|access|account|private|auth|secret|encryption|encrypt|signing|sign|master|storage|shared|app|client"
    rb"|service|subscription|session|deploy|admin|root|hmac|aes|webhook|consumer|security|crypto|jwt|cookie)[_.\- ]?$",
    re.IGNORECASE,
)
_BEFORE = later(rb"[A-Za-z0-9_.\-]*$")
_QUOTED = later(
    rb"(?:\\?[\"'`])?\]?[ \t]{0,16}"  # the name's own quotes or bracket
    rb"(?::[ \t]{0,4}[\w\[\]|.?<> ]{1,40}?[ \t]{0,4}(?==[^=]))?"  # a type: `password: str = `
    rb"(?:(?P<sign>={1,3}>?|:=?|=>|!=|\+=|\(|,)|value[ \t]?=|\r?\n[ \t]{0,32}value[ \t]?:)[ \t]{0,16}"
    rb"[furbFURB@$L]{0,2}(?P<quote>\\?[\"'`])(?P<value>(?:(?!(?P=quote))[^\r\n]){1,512}?)(?P=quote)"
)
_BARE = later(
    rb"(?:\\?[\"'`])?[ \t]{0,16}(?:(?P<sign>[=:])|\r?\n[ \t]{0,32}value[ \t]?:)(?P<gap>[ \t]{0,16})"
    rb"(?P<value>[^\s\"'`<>]{4,512})"
)
_ELEMENT = later(rb">(?P<value>[^<>\s]{4,512})</")
_OPTION = later(rb"[ \t]+(?P<value>[^\s\"'`<>$\-][^\s\"'`<>]{5,512})")
_SCHEME = later(
    rb"(?:[\"']?[ \t]*[:=,][ \t]*[\"']?)?(?:basic|bearer|token)?[ \t]+(?P<value>[A-Za-z0-9+/=_.~-]{12,4096})", re.I
)
_NEXT_FIELD = later(rb"[;&](?=[\w .%-]{1,40}=|$)|[,)}\]\\;]+$")

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
_SPACE = later(rb"[\x00-\x20]")
_DIGIT = later(rb"[0-9]")
_LETTER = later(rb"[A-Za-z]")
_CAMEL = later(rb"(?<=[a-z])(?=[A-Z])")
_PATH = later(rb"(?:[A-Za-z]:|~|\.{1,2})?[/\\][\w.@ -]+(?:[/\\][\w.@ -]*)*|[\w.-]+(?:/[\w.-]+)+\.\w{1,5}")
_ENV_NAME = later(rb"(?:^|\n)[ \t]*(?:export[ \t]+|set[ \t]+|ENV[ \t]+|-[ \t]+)?[A-Z][A-Z0-9_]*$")

MAX_TOLD = 96  # bytes of a value that tell a secret from a word: a name that is repeated in one line must not cost more
MAX_LINE = 160  # bytes before a name that are looked at: a text may be one line, and names stand everywhere in it
_NETRC_LOGIN = later(rb"\blogin[ \t]+[^\s]{1,64}[ \t]{1,16}\Z")
_COMMENT = later(rb"(?:^|\s)(?:#|//|/\*|\*|--|<!--)")
ONE_RUN = later(rb"[a-z]{18,}|[A-Z]{18,}")  # longer than any word that a secret may be called by
_NAME_ONLY = later(rb"[\w.-]+")
MIN_MIXED = 10  # characters of a value without quotes that is taken for a password and not for a name


@dataclass(frozen=True, slots=True)
class Assigned:
    start: int
    end: int
    kind: str


def assigned(data: bytes, form: Form) -> Iterator[Assigned]:
    """Values that a telling name is given. Without quotes a value is a value in settings, mostly an expression in code,
    and often just the next word in other texts.
    """
    low = data.translate(_LOWER)
    for stem in STEMS:
        at = low.find(stem)
        while at >= 0:
            name = _NAME.match(low, at)
            if name and name.end() < len(low) and low[name.end()] in _NAME_ENDS:
                hit = _value_of(data, at, name.end(), form)
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


def _value_of(data: bytes, start: int, end: int, form: Form) -> Assigned | None:
    kind, code = _kind(data, start, end), form == "code"
    if kind is None:
        return None
    if kind == "authorization":
        return _authorization(data, start, end, code)
    match = _QUOTED.match(data, end)
    if match:
        sign = match["sign"] or b"="
        if sign == b"," and data[_name_start(data, start) - 1 : start][:1] not in QUOTES:
            return None  # `"user:pass", "utf8"`: a comma binds a value only to a name that stands alone
        words = sign == b"," or (sign == b"(" and kind != "password")
        return _checked(data, match, kind, bare=words, quoted=True)
    match = _ELEMENT.match(data, end)
    if match:
        return _checked(data, match, kind, bare=False)
    match = _BARE.match(data, end)
    if match and (not code or _is_plain_assignment(data, start, match) or _is_no_expression(data, start, match)):
        return _checked(data, match, kind, bare=form != "settings")
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
    classes = value.translate(CLASS)
    mixed = len(value) >= MIN_MIXED and all(classes.count(one) for one in (b"a", b"A", b"0"))
    if not mixed or re.search(rb"[(\[.]", value):
        return False
    return turns(classes) >= MIN_TURNS and sum(map(len, SMALL.findall(value))) <= MAX_WORDS * len(value)


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
    if value.islower() and not (digit and len(value) >= 24) and not ONE_RUN.fullmatch(value):
        return None  # `Bearer authentication` is prose
    if not (digit or ONE_RUN.fullmatch(value) or value.endswith(b"=") or turns(value.translate(CLASS)) >= MIN_TURNS):
        return None
    return Assigned(*match.span("value"), "authorization")


def _checked(data: bytes, match: re.Match[bytes], kind: str, bare: bool, quoted: bool = False) -> Assigned | None:
    start, end = match.span("value")
    if bare and not quoted:
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
    is_name = kind != "password" or _NAME_ONLY.fullmatch(told) is not None
    if not digit and is_name and _WORDS_OF_STAND_INS.search(_CAMEL.sub(b"-", told)):
        return False
    letters = _LETTER.search(told) is not None
    if kind == "password":
        return (digit and (letters or len(value) >= 6)) if bare else digit or len(value) >= 6
    if ONE_RUN.fullmatch(told):
        return True
    return len(value) >= 8 and digit and letters and (len(value) >= 12 or not value.islower() or kind == "secret")
