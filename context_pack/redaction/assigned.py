"""Secrets that show by what they are assigned to: `password = ...`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from context_pack.redaction import notation as written
from context_pack.redaction.values import QUOTES, is_authorization, is_mixed, is_passphrase, is_secret

Form = Literal["code", "script", "settings", "text"]  # of a file: what a value without quotes means differs

CODE = ("code", "script")
MAX_VALUE = 512  # bytes of a value that a pattern looks at
MAX_LINE = 160  # bytes before a name that are looked at: a text may be one line, and names stand everywhere in it
_LOWER = bytes(range(256)).lower()
_OF_WORDS = (b"passphrase", b"mnemonic")  # names of what is made of words


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
    for stem in written.STEMS if form == "code" else written.STEMS + written.OTHER_STEMS:
        at = low.find(stem)
        while at >= 0:
            name = written.NAME.match(low, at)
            behind = at + len(stem)
            if name and name.end() < len(low) and low[name.end()] in written.NAME_ENDS:
                hit = _value_of(data, at, name.end(), form)
                if hit:
                    hit = _whole(data, hit)
                    yield hit
                    behind = max(behind, hit.end)
            at = low.find(stem, behind)


def kind_of_name(name: str) -> str | None:
    """The kind of secret that a name (a key of a mapping) tells of; None for a plain name."""
    data = name.encode("utf-8", "surrogatepass")
    low = data.lower()
    for stem in written.STEMS + written.OTHER_STEMS:
        at = low.rfind(stem)
        match = written.NAME.match(low, at) if at >= 0 else None
        if match and match.end() == len(low):
            return _kind(data, at, match.end())
    return None


def tells(name: str, kind: str, value: str) -> bool:
    """Whether a value that stands under a telling name of this kind is a secret, and no stand-in or word."""
    data = value.encode("utf-8", "surrogatepass")
    return is_secret(data, kind, bare=False) or (name.lower().encode().endswith(_OF_WORDS) and is_passphrase(data))


def _whole(data: bytes, hit: Assigned) -> Assigned:
    """A value that is longer than what the patterns look at, to its end."""
    if hit.end - hit.start < MAX_VALUE:
        return hit
    rest = written.REST.match(data, hit.end)
    return Assigned(hit.start, rest.end() if rest else hit.end, hit.kind)


def _kind(data: bytes, start: int, end: int) -> str | None:
    """`password`, `token`, `secret`, `api_key`, `credential` or `authorization`; None when the name says nothing."""
    if data[max(0, start - 10) : start].lower().endswith((b"publickey", b"public_key")):
        return None
    stem = data[start:end].lower()
    before = data[max(0, start - 1) : start]
    joined = before.isalnum() and not data[start : start + 1].isupper()
    if stem.startswith(b"pass"):
        return None if joined and stem in (b"pass", b"passcode") else "password"
    if stem.startswith((b"pwd", b"psk", b"mnemonic")):
        return None if joined and not stem.startswith(b"pwd") else "password"
    if stem.startswith(b"key"):
        return "api_key" if written.KEY_OF.search(data, max(0, start - 16), start) else None
    if joined and not stem.startswith((b"token", b"secret")):
        return None
    if stem.startswith((b"auth", b"bearer")):
        return "authorization"
    kinds = {b"t": "token", b"s": "secret", b"c": "credential"}
    return kinds[stem[:1]]


def _value_of(data: bytes, start: int, end: int, form: Form) -> Assigned | None:
    kind = _kind(data, start, end)
    if kind is None:
        return None
    if kind == "authorization":
        login = written.LOGIN.match(data, end)
        if login:
            return _checked(data, login, "password", bare=False)
        return _authorization(data, start, end, form in CODE)
    match = written.QUOTED.match(data, end)
    if match and (hit := _quoted(data, start, end, match, kind)):
        return hit
    if found := written.LONG_QUOTED.match(data, end):
        return _checked(data, found, kind, bare=False)
    if match:
        return None
    if found := written.ELEMENT.match(data, end):
        return _checked(data, found, kind, bare=False)
    return _unquoted(data, start, end, kind, form)


def _quoted(data: bytes, start: int, end: int, match: re.Match[bytes], kind: str) -> Assigned | None:
    sign = match["sign"] or b"="
    if kind == "credential" and (login := written.LOGIN.match(data, end)):
        return _checked(data, login, "password", bare=False)
    if sign == b"," and data[_name_start(data, start) - 1 : start][:1] not in (*QUOTES, b"{"):
        return None  # `"user:pass", "utf8"`: a comma binds a value only to a name that stands alone
    if data[start:end].lower().startswith(_OF_WORDS) and is_passphrase(match["value"]):
        return Assigned(*match.span("value"), kind)
    words = sign == b"," or (sign in (b"(", b"{") and kind != "password")
    return _checked(data, match, kind, bare=words, quoted=True)


def _unquoted(data: bytes, start: int, end: int, kind: str, form: Form) -> Assigned | None:
    """A value without quotes, or one that no sign stands before."""
    code = form in CODE
    match = written.WORDS.match(data, end) if data[start:end].lower().startswith(_OF_WORDS) else None
    if match and not code and is_passphrase(match["value"]):
        return Assigned(*match.span("value"), kind)
    found = None if code else written.TAGGED.match(data, end) or written.MARKED.match(data, end)
    if found:
        return _checked(data, found, kind, bare=True)
    match = written.BARE.match(data, end)
    if match and (not code or _is_plain_assignment(data, start, match) or _is_no_expression(data, start, match)):
        return _checked(data, match, kind, bare=form != "settings")
    name_start = _name_start(data, start)
    line = max(0, start - MAX_LINE)
    if data[max(0, name_start - 2) : name_start] == b"--" or data[name_start : name_start + 2] == b"--":
        match = written.OPTION.match(data, end)
    elif data[end : end + 1] in (b" ", b"\t"):
        match = written.NEXT.match(data, end) if written.DECLARES.search(data, line, start) else None
        if match is None and written.DECLARES_BARE.search(data, line, start):
            match = written.NEXT_BARE.match(data, end)
    else:
        match = None
    return _checked(data, match, kind, bare=True) if match else None


def _name_start(data: bytes, start: int) -> int:
    low = max(0, start - 64)
    match = written.BEFORE.search(data, low, start)
    return match.start() if match else start


def _is_plain_assignment(data: bytes, start: int, match: re.Match[bytes]) -> bool:
    """In code: `DB_PASSWORD=x` as a shell writes it, or a field of a connection string (`...;Password=x;...`)."""
    if match["gap"] or match["sign"] != b"=":
        return False
    name_start = _name_start(data, start)
    if written.ENV_NAME.search(data, max(0, name_start - 16), start + len(match.string[start : match.start()])):
        return b"(" not in match["value"]
    return data[name_start - 1 : name_start] in (b";", b"&", b"?") and b"(" not in match["value"]


def _is_no_expression(data: bytes, start: int, match: re.Match[bytes]) -> bool:
    """In code: a value in a comment, or one that no programmer writes."""
    line = data.rfind(b"\n", max(0, start - MAX_LINE), start) + 1 or max(0, start - MAX_LINE)
    return written.COMMENT.search(data, line, start) is not None or is_mixed(match["value"].rstrip(b",;)}]"))


def _authorization(data: bytes, start: int, end: int, code: bool) -> Assigned | None:
    """`Authorization: Basic dXNlcjpw...`, `Bearer x`, and npm's and docker's `_auth`, `"auth": "..."`."""
    stem = data[start:end].lower()
    match = written.SCHEME.match(data, end) if stem != b"auth" else None
    if match is None:
        match = written.QUOTED.match(data, end) or (
            None if code or stem == b"bearer" else written.BARE.match(data, end)
        )
        if match is None or not re.fullmatch(rb"[A-Za-z0-9+/_-]{12,}={0,2}", match["value"]):
            return None
    return Assigned(*match.span("value"), "authorization") if is_authorization(match["value"]) else None


def _checked(data: bytes, match: re.Match[bytes], kind: str, bare: bool, quoted: bool = False) -> Assigned | None:
    start, end = match.span("value")
    if bare and not quoted:
        more = written.NEXT_FIELD.search(data, start, end)
        end = more.start() if more else end
    if not is_secret(data[start:end], kind, bare):
        return None
    return Assigned(start, end, kind)
