"""Secrets recognised by their place: after a telling name (`password = ...`), in a command line, in `.pgpass`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal

from context_pack.redaction.formats import QUOTES
from context_pack.redaction.values import NAME_OF_WORDS, is_authorization, is_mixed, is_passphrase, is_secret
from contracts.lazy_regex import lazy_regex
from contracts.rows import rows

Form = Literal["code", "script", "settings", "text"]  # of a file; it decides what a value without quotes means
Secret = tuple[int, int, str]  # (start, end, kind)

CODE = ("code", "script")
MAX_VALUE = 512  # bytes of a value that a pattern matches
MAX_LINE = 160  # bytes before a name that are searched: a text may be one long line full of names
_OF_WORDS = (b"passphrase", b"mnemonic")  # names of secrets that consist of words

# Each telling name contains one of these, in lower case. `key` counts only after one of the words of _KEY_OF.
_STEMS = (b"pass", b"pwd", b"secret", b"token", b"key", b"cred", b"auth", b"bearer")
_ALL_STEMS = (*_STEMS, b"psk", b"mnemonic")  # the last two only outside of programs
# Characters that may follow a name: the end of its quotes or brackets, a sign, a space.
_NAME_ENDS = frozenset(b" \t\r\n\"'`])>=:(,\\[{<")

_NAME = lazy_regex(
    rb"(?:pass(?:word|wd|phrase|wort|code)?|pwd|psk|mnemonic|secrets?(?:[_-]?(?:access)?[_-]?key)?(?:_base)?|token"
    rb"|key(?:[_-]data)?|cred(?:ential)?s?|auth(?:orization)?|bearer)(?:[_-]?[0-9]{1,2})?",
    re.IGNORECASE,
)
_KEY_OF = lazy_regex(
    rb"(?:api|access|account|private|auth|secret|encryption|encrypt|signing|sign|master|storage|shared|app|client"
    rb"|service|subscription|session|deploy|admin|root|hmac|aes|webhook|consumer|security|crypto|jwt|cookie)[_.\- ]?$",
    re.IGNORECASE,
)
_BEFORE = lazy_regex(rb"[A-Za-z0-9_.\-]*$")
_TYPE = (  # a type between a name and its value
    rb"(?:\[[ \t]?[0-9]{0,5}[ \t]?\])?"  # `char password[32] = `
    rb"(?:[ \t]{0,4}::?[ \t]{0,4}[\w\[\]|.?<> &'*]{1,40}?[ \t]{0,4}(?==[^=]))?"  # `password: str = `
    rb"(?:[ \t]{1,8}(?:string|String|str|Text|\[\]byte)(?=[ \t]*=))?"  # `Password string = `
    rb"[ \t]{0,16}"
)
_SIGN = (
    rb"(?:,\s{0,32}\\?[\"']?value\\?[\"']?[ \t]*:"
    rb"|(?P<sign>={1,3}>?|:=?|=>|!=|\+=|\|\|=|\?\?=|<-|[({]|,)|value[ \t]?=|\r?\n[ \t]{0,32}value[ \t]?:"
    rb"|\{\s{0,32}(?:(?:type|description|sensitive)[^\n]{0,100}\n\s{0,32}){0,3}default[ \t]*="  # Terraform
    rb"|by[ \t]+lazy[ \t]*\{)[ \t]{0,16}"
)
_WRAPPER = (  # a call that makes a string, or a value with a default: `String::from("...")`, `x || "..."`
    rb"(?:(?:String::from|Some|Ok|Just|QStringLiteral|QString|QLatin1String|(?:std::)?w?string(?:_view)?|String|str|bytes"
    rb"|new[ \t]+String|Buffer\.from|\[\]byte|Secret(?:Str|String)?(?:::new)?|Option|CString|TEXT|_T)?[({][ \t]{0,4}"
    rb"|ConvertTo-SecureString[ \t]+(?:-String[ \t]+)?"
    rb"|[\w.\[\]'\"?()-]{1,80}[ \t]{0,4}(?:\|\||\?\?|\?:|\bor\b)[ \t]{0,4})?"
)
_QUOTED = lazy_regex(
    rb"(?:\\?[\"'`])?\]?[ \t]{0,16}"  # the name's own quotes or bracket
    + _TYPE
    + _SIGN
    + _WRAPPER
    + rb"(?:[furbsclFURBSL@$]{0,2}|u8|raw)(?P<quote>\"\"\"|'''|\\?[\"'`])"
    rb"(?P<value>(?:(?!(?P=quote))[^\r\n]){1,512}?)(?P=quote)"
)
# The quotes of a few languages: Lua's [[...]], Perl's and Ruby's q(...), raw strings of Rust and C++
_LONG_QUOTED = lazy_regex(
    _TYPE + _SIGN + _WRAPPER + rb"(?:\[\[|%?[qQ][qQ]?[({\[|!]|b?r#{1,3}\"|(?:u8|[LuU])?R\"[^\s()\\]{0,16}\()"
    rb"(?P<value>[^\s\"\])}|]{1,512})[\"\])}|]"
)
# A literal right after a name, if that is how the name gets its value: `#define KEY "..."`, SQL's `PASSWORD '...'`
_NEXT = lazy_regex(rb"[ \t]{1,32}(?:(?P<quote>[\"'])(?P<value>(?:(?!(?P=quote))[^\r\n]){4,512}?)(?P=quote))")
_NEXT_BARE = lazy_regex(rb"[ \t]{1,32}(?P<value>[^\s\"'`<>$\-][^\s\"'`<>]{5,512})")
_DECLARES = lazy_regex(
    rb"(?:[({ \t]:|(?:\A|\n)[ \t]*:?\w*|#[ \t]*define[ \t]+\w*|@\w*"
    rb"|\b(?:with|encrypted|role|alter[ \t]+user)\b[^\n;]{0,60}[ \t])\Z",
    re.IGNORECASE,
)
_DECLARES_BARE = lazy_regex(rb"(?:\bset[ \t]+-\w+[ \t]+\w*|(?:^|\n)ENV[ \t]+\w*|\blogin\s+[^\s]{1,64}\s{1,16})\Z")
_BARE = lazy_regex(
    rb"(?:\\?[\"'`])?[ \t]{0,16}(?:(?P<sign>=|::?)|\r?\n[ \t]{0,32}value[ \t]?:)(?P<gap>[ \t]{0,16})"
    rb"(?P<value>[^\s\"'`<>]{4,512})"
)
_WORDS = lazy_regex(rb"[ \t]{0,16}[=:][ \t]{0,16}(?P<value>[a-z]{2,16}(?:[ -][a-z0-9]{1,16}){2,30})[ \t]*\r?(?:\n|\Z)")
_ELEMENT = lazy_regex(rb"(?:</key>\s{0,32}<string|[ \t][^<>\n]{0,80})?>(?P<value>[^<>\s]{4,512})</")
# In a document: `**Password:** `...``, `| password | ... |`
_MARKED = lazy_regex(rb"[ \t]{0,16}(?::?\*{1,2}:?|\|)[ \t]{0,16}`?(?P<value>[^\s`|<>]{4,512})")
_TAGGED = lazy_regex(
    rb"[ \t]{0,16}:[ \t]{1,16}(?:!!?\w+[ \t]{1,16}|[|>][-+]?[ \t]*\n[ \t]{1,32})"
    rb"(?P<value>[^\s\"'`<>]{4,512})[ \t]*\r?(?:\n|\Z)"
)
_OPTION = lazy_regex(rb"[ \t=]{1,4}(?P<quote>[\"']?)(?P<value>[^\s\"'`<>$\-][^\s\"'`<>]{5,512})(?P=quote)")
_SCHEME = lazy_regex(
    rb"(?:[\"']?[ \t]*[:=,][ \t]*[\"']?)?(?:basic|bearer|token)?[ \t]+(?P<value>[A-Za-z0-9+/=_.~-]{12,4096})", re.I
)
_LOGIN = lazy_regex(
    rb"[ \t]{0,4}=?[ \t]{0,4}\([ \t]{0,4}[\"'][^\"'\n]{1,64}[\"'][ \t]{0,4},[ \t]{0,4}(?P<quote>[\"'])"
    rb"(?P<value>[^\s\"']{4,128})(?P=quote)"
)
_ITS_VALUE = lazy_regex(rb"[ \t]{0,16}(?::|=>)")
_NEXT_FIELD = lazy_regex(rb"[;&](?=[\w .%-]{1,40}=|$)|[,)}\]\\;]+$")
_ENV_NAME = lazy_regex(
    rb"(?:(?:^|\n)[ \t]*(?:export[ \t]+|set[ \t]+|ENV[ \t]+|-[ \t]+)?|-e[ \t]|--env[ \t=]|-arg[ \t=])[A-Z][A-Z0-9_]*$"
)
_COMMENT = lazy_regex(rb"(?:^|\s)(?:#|//|/\*|\*|--|<!--)")
_REST = lazy_regex(rb"[A-Za-z0-9+/=_.-]*")  # the rest of a value that is longer than the patterns match


def named_secrets(data: bytes, form: Form) -> Iterator[Secret]:
    """Values after a telling name. A value without quotes is a secret in settings, mostly an expression in code, and
    often just the next word in other texts.
    """
    low = data.lower()
    for stem in _STEMS if form == "code" else _ALL_STEMS:
        at = low.find(stem)
        while at >= 0:
            name = _NAME.match(low, at)
            behind = at + len(stem)
            if name and name.end() < len(low) and low[name.end()] in _NAME_ENDS:
                hit = _value_of(data, at, name.end(), form)
                if hit:
                    start, end, kind = hit
                    if end - start >= MAX_VALUE and (rest := _REST.match(data, end)):
                        end = rest.end()
                    yield start, end, kind
                    behind = max(behind, end)
            at = low.find(stem, behind)


def kind_of_name(name: str) -> str | None:
    """The kind of secret that a name (a key of a mapping) suggests; None for a plain name."""
    data = name.encode("utf-8", "surrogatepass")
    low = data.lower()
    for stem in _ALL_STEMS:
        at = low.rfind(stem)
        match = _NAME.match(low, at) if at >= 0 else None
        if match and match.end() == len(low):
            return _kind(data, at, match.end())
    return None


def is_named_secret(name: str, kind: str, value: str) -> bool:
    """Whether a value under a telling name of this kind is a secret, not a placeholder or a word."""
    data = value.encode("utf-8", "surrogatepass")
    return is_secret(data, kind, bare=False) or (name.lower().encode().endswith(_OF_WORDS) and is_passphrase(data))


def _kind(data: bytes, start: int, end: int) -> str | None:
    """`password`, `token`, `secret`, `api_key`, `credential` or `authorization`; None if the name says nothing."""
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
        return "api_key" if _KEY_OF.search(data, max(0, start - 16), start) else None
    if joined and not stem.startswith((b"token", b"secret")):
        return None
    if stem.startswith((b"auth", b"bearer")):
        return "authorization"
    return {b"t": "token", b"s": "secret", b"c": "credential"}[stem[:1]]


def _value_of(data: bytes, start: int, end: int, form: Form) -> Secret | None:
    kind = _kind(data, start, end)
    if kind is None:
        return None
    if kind == "authorization":
        if login := _LOGIN.match(data, end):
            return _secret_in(data, login, "password", bare=False)
        return _authorization(data, start, end, form in CODE)
    quoted = _QUOTED.match(data, end)
    if quoted and (hit := _quoted(data, start, end, quoted, kind)):
        return hit
    if match := _LONG_QUOTED.match(data, end) or (None if quoted else _ELEMENT.match(data, end)):
        return _secret_in(data, match, kind, bare=False)
    return None if quoted else _unquoted(data, start, end, kind, form)


def _quoted(data: bytes, start: int, end: int, match: re.Match[bytes], kind: str) -> Secret | None:
    sign = match["sign"] or b"="
    if kind == "credential" and (login := _LOGIN.match(data, end)):
        return _secret_in(data, login, "password", bare=False)
    in_mapping = b"{" in data[match.end("sign") : match.start("value")] and _ITS_VALUE.match(data, match.end())
    if in_mapping and match["value"].replace(b"_", b"").isalpha():
        return None  # `'password': {'write_only': True}`
    if sign == b"," and data[_name_start(data, start) - 1 : start][:1] not in (*QUOTES, b"{"):
        return None  # `"user:pass", "utf8"`: a comma binds a value only to a name that stands alone
    if data[start:end].lower().startswith(_OF_WORDS) and is_passphrase(match["value"]):
        return *match.span("value"), kind
    words = sign == b"," or (sign in (b"(", b"{") and kind != "password")
    return _secret_in(data, match, kind, bare=words, quoted=True)


def _unquoted(data: bytes, start: int, end: int, kind: str, form: Form) -> Secret | None:
    """A value without quotes, or one without a sign before it."""
    code = form in CODE
    match = _WORDS.match(data, end) if data[start:end].lower().startswith(_OF_WORDS) else None
    if match and not code and is_passphrase(match["value"]):
        return *match.span("value"), kind
    if not code and (match := _TAGGED.match(data, end) or _MARKED.match(data, end)):
        return _secret_in(data, match, kind, bare=True)
    match = _BARE.match(data, end)
    if match and match["sign"] == b"::" and form != "settings":  # a scope of C++: `KeePass2::CIPHERS`
        return None
    if match and (not code or _is_plain_assignment(data, start, match) or _is_no_expression(data, start, match)):
        return _secret_in(data, match, kind, bare=form != "settings")
    name_start = _name_start(data, start)
    line = max(0, start - MAX_LINE)
    if data[max(0, name_start - 2) : name_start] == b"--" or data[name_start : name_start + 2] == b"--":
        match = _OPTION.match(data, end)
    elif data[end : end + 1] in (b" ", b"\t"):
        match = _NEXT.match(data, end) if _DECLARES.search(data, line, start) else None
        if match is None and _DECLARES_BARE.search(data, line, start):
            match = _NEXT_BARE.match(data, end)
    else:
        match = None
    return _secret_in(data, match, kind, bare=True) if match else None


def _name_start(data: bytes, start: int) -> int:
    match = _BEFORE.search(data, max(0, start - 64), start)
    return match.start() if match else start


def _is_plain_assignment(data: bytes, start: int, match: re.Match[bytes]) -> bool:
    """In code: `DB_PASSWORD=x` as a shell writes it, or a field of a connection string (`...;Password=x;...`)."""
    if match["gap"] or match["sign"] != b"=":
        return False
    name_start = _name_start(data, start)
    if _ENV_NAME.search(data, max(0, name_start - 16), start + len(match.string[start : match.start()])):
        return b"(" not in match["value"]
    return data[name_start - 1 : name_start] in (b";", b"&", b"?") and b"(" not in match["value"]


def _is_no_expression(data: bytes, start: int, match: re.Match[bytes]) -> bool:
    """In code: a value in a comment, or one that no programmer would write as an expression."""
    line = data.rfind(b"\n", max(0, start - MAX_LINE), start) + 1 or max(0, start - MAX_LINE)
    return _COMMENT.search(data, line, start) is not None or is_mixed(match["value"].rstrip(b",;)}]"))


def _authorization(data: bytes, start: int, end: int, code: bool) -> Secret | None:
    """`Authorization: Basic dXNlcjpw...`, `Bearer x`, and npm's and docker's `_auth`, `"auth": "..."`."""
    stem = data[start:end].lower()
    match = _SCHEME.match(data, end) if stem != b"auth" else None
    if match is None:
        match = _QUOTED.match(data, end) or (None if code or stem == b"bearer" else _BARE.match(data, end))
        if match is None or not re.fullmatch(rb"[A-Za-z0-9+/_-]{12,}={0,2}", match["value"]):
            return None
    before = (stem + data[end : match.start("value")].lower()).rstrip()
    is_name = not before.endswith((b"basic", b"bearer", b"token")) and NAME_OF_WORDS.fullmatch(match["value"])
    if is_name or data[match.end("value") : match.end("value") + 1] == b"(":  # of an expression: a variable, a call
        return None
    return (*match.span("value"), "authorization") if is_authorization(match["value"]) else None


def _secret_in(data: bytes, match: re.Match[bytes], kind: str, bare: bool, quoted: bool = False) -> Secret | None:
    start, end = match.span("value")
    if bare and not quoted:
        more = _NEXT_FIELD.search(data, start, end)
        end = more.start() if more else end
    return (start, end, kind) if is_secret(data[start:end], kind, bare) else None


_ARGS = rb"\b[^\n]{0,200}?[ \t]"  # the text between a command and the option
_ARGUMENT = rb"[ \t=]{0,4}\\?[\"']?([^\s\"'$<{|-][^\s\"']{3,128})"
_SHORT = rb"([^\s\"'$<{|]{3,128})"
_STDIN = rb"(?:sudo[ \t]+-\w{0,4}S\b|[^\n|]{0,120}?--(?:password-stdin|with-token|stdin)\b)"
_READS = rb"(?:\b(?:kinit|login|passwd)|--with-token|--password-stdin|--stdin)"  # these read a password from stdin
_PIPE = rb"[ \t]{0,4}\|[^\n|]{0,40}?"
_IDENTIFIED = lazy_regex(
    rb"(?i)\bidentified by[ \t]+(?:password[ \t]+)?[\"']([^\s\"'$<{][^\r\n\"']{3,128})[\"']|identified by"
)

# (text, pattern): a pattern is tried only if the data contains its text, because each costs half a second per gigabyte.
# Its group is the password.
_ANYWHERE = (
    (b"curl", lazy_regex(rb"\bcurl" + _ARGS + rb"(?:-u|--user)[ =]?[\"']?[^\s:\"'$]{1,64}:" + _SHORT)),
    (b"IDENTIFIED BY", _IDENTIFIED),
    (b"identified by", _IDENTIFIED),
)
_PARTS = {"ARGS": _ARGS, "ARGUMENT": _ARGUMENT, "SHORT": _SHORT, "STDIN": _STDIN, "READS": _READS, "PIPE": _PIPE}


def _in_scripts() -> Iterator[tuple[bytes, re.Pattern[bytes]]]:
    for text, form in rows(__file__, "scripts.tsv"):
        pattern = form.encode()
        for name, part in _PARTS.items():
            pattern = pattern.replace(b"{%s}" % name.encode(), part)
        yield text.encode(), lazy_regex(pattern)


_IN_SCRIPTS = (*_ANYWHERE, *_in_scripts())
# `-p` takes a password after these commands only; that of MySQL's commands follows the letter directly.
_P_OPTION = lazy_regex(rb" -p")
_P_VALUE = lazy_regex(_ARGUMENT)
_P_COMMAND = lazy_regex(
    rb"\b(?:sshpass|mongo\w*|(?P<joined>(?:mysql|mariadb)\w*)"
    rb"|(?:docker|podman|buildah|nerdctl|skopeo|helm|oras|az|cf|oc|ibmcloud|registry)\b[^\n]{0,60}?\blogin)\b[^\n]*\Z"
)
MAX_BEFORE = 240  # bytes of a command line before its option


def command_passwords(data: bytes, program: bool) -> list[tuple[int, int]]:
    """(start, end) of passwords recognised by their place in a command. `program`: the text is one, not a script."""
    passwords = [
        match.span(1)
        for command, pattern in (_ANYWHERE if program else _IN_SCRIPTS)
        if command in data
        for match in pattern.finditer(data)
        if match[1] and is_secret(match[1], "password", bare=False)
    ]
    for option in _P_OPTION.finditer(data):
        value = _P_VALUE.match(data, option.end())
        if value and is_secret(value[1], "password", bare=False):
            command = _P_COMMAND.search(data, max(0, option.start() - MAX_BEFORE), option.start())
            if command and not (command["joined"] and data[option.end()] in b" ="):
                passwords.append(value.span(1))
    return passwords
