"""How languages, settings and tools write that a name has a value."""

from __future__ import annotations

import re

from context_pack.lazy_regex import later

# What every telling name holds, in lower case. `key` tells only behind one of the words of KEY_OF.
STEMS = (b"pass", b"pwd", b"secret", b"token", b"key", b"cred", b"auth", b"bearer")
OTHER_STEMS = (b"psk", b"mnemonic")  # looked for outside of programs
# What may stand right behind a name: the end of its quotes or brackets, a sign, a space.
NAME_ENDS = frozenset(b" \t\r\n\"'`])>=:(,\\[{<")

NAME = later(
    rb"(?:pass(?:word|wd|phrase|wort|code)?|pwd|psk|mnemonic|secrets?(?:[_-]?(?:access)?[_-]?key)?(?:_base)?|token"
    rb"|key(?:[_-]data)?|cred(?:ential)?s?|auth(?:orization)?|bearer)(?:[_-]?[0-9]{1,2})?",
    re.IGNORECASE,
)
KEY_OF = later(
    rb"(?:api|access|account|private|auth|secret|encryption|encrypt|signing|sign|master|storage|shared|app|client"
    rb"|service|subscription|session|deploy|admin|root|hmac|aes|webhook|consumer|security|crypto|jwt|cookie)[_.\- ]?$",
    re.IGNORECASE,
)
BEFORE = later(rb"[A-Za-z0-9_.\-]*$")
_TYPE = (  # what stands between a name and its value
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
_MADE_BY = (  # what makes a string of a literal, or stands for one that is missing: `String::from("...")`, `x || "..."`
    rb"(?:(?:String::from|Some|Ok|Just|QStringLiteral|QString|QLatin1String|(?:std::)?w?string(?:_view)?|String|str|bytes"
    rb"|new[ \t]+String|Buffer\.from|\[\]byte|Secret(?:Str|String)?(?:::new)?|Option|CString|TEXT|_T)?[({][ \t]{0,4}"
    rb"|ConvertTo-SecureString[ \t]+(?:-String[ \t]+)?"
    rb"|[\w.\[\]'\"?()-]{1,80}[ \t]{0,4}(?:\|\||\?\?|\?:|\bor\b)[ \t]{0,4})?"
)
QUOTED = later(
    rb"(?:\\?[\"'`])?\]?[ \t]{0,16}"  # the name's own quotes or bracket
    + _TYPE
    + _SIGN
    + _MADE_BY
    + rb"(?:[furbsclFURBSL@$]{0,2}|u8|raw)(?P<quote>\"\"\"|'''|\\?[\"'`])"
    rb"(?P<value>(?:(?!(?P=quote))[^\r\n]){1,512}?)(?P=quote)"
)
# The quotes of a few languages: Lua's [[...]], Perl's and Ruby's q(...), raw strings of Rust and C++
LONG_QUOTED = later(
    _TYPE + _SIGN + _MADE_BY + rb"(?:\[\[|%?[qQ][qQ]?[({\[|!]|b?r#{1,3}\"|(?:u8|[LuU])?R\"[^\s()\\]{0,16}\()"
    rb"(?P<value>[^\s\"\])}|]{1,512})[\"\])}|]"
)
# A literal right behind a name, where that is how the name gets its value: `#define KEY "..."`, SQL's `PASSWORD '...'`
NEXT = later(rb"[ \t]{1,32}(?:(?P<quote>[\"'])(?P<value>(?:(?!(?P=quote))[^\r\n]){4,512}?)(?P=quote))")
NEXT_BARE = later(rb"[ \t]{1,32}(?P<value>[^\s\"'`<>$\-][^\s\"'`<>]{5,512})")
DECLARES = later(
    rb"(?:[({ \t]:|(?:\A|\n)[ \t]*:?\w*|#[ \t]*define[ \t]+\w*|@\w*"
    rb"|\b(?:with|encrypted|role|alter[ \t]+user)\b[^\n;]{0,60}[ \t])\Z",
    re.IGNORECASE,
)
DECLARES_BARE = later(rb"(?:\bset[ \t]+-\w+[ \t]+\w*|(?:^|\n)ENV[ \t]+\w*|\blogin\s+[^\s]{1,64}\s{1,16})\Z")
BARE = later(
    rb"(?:\\?[\"'`])?[ \t]{0,16}(?:(?P<sign>[=:])|\r?\n[ \t]{0,32}value[ \t]?:)(?P<gap>[ \t]{0,16})"
    rb"(?P<value>[^\s\"'`<>]{4,512})"
)
WORDS = later(rb"[ \t]{0,16}[=:][ \t]{0,16}(?P<value>[a-z]{2,16}(?:[ -][a-z0-9]{1,16}){2,30})[ \t]*\r?(?:\n|\Z)")
ELEMENT = later(rb"(?:</key>\s{0,32}<string|[ \t][^<>\n]{0,80})?>(?P<value>[^<>\s]{4,512})</")
# In a document: `**Password:** `...``, `| password | ... |`
MARKED = later(rb"[ \t]{0,16}(?::?\*{1,2}:?|\|)[ \t]{0,16}`?(?P<value>[^\s`|<>]{4,512})")
TAGGED = later(
    rb"[ \t]{0,16}:[ \t]{1,16}(?:!!?\w+[ \t]{1,16}|[|>][-+]?[ \t]*\n[ \t]{1,32})"
    rb"(?P<value>[^\s\"'`<>]{4,512})[ \t]*\r?(?:\n|\Z)"
)
OPTION = later(rb"[ \t=]{1,4}(?P<quote>[\"']?)(?P<value>[^\s\"'`<>$\-][^\s\"'`<>]{5,512})(?P=quote)")
SCHEME = later(
    rb"(?:[\"']?[ \t]*[:=,][ \t]*[\"']?)?(?:basic|bearer|token)?[ \t]+(?P<value>[A-Za-z0-9+/=_.~-]{12,4096})", re.I
)
LOGIN = later(
    rb"[ \t]{0,4}=?[ \t]{0,4}\([ \t]{0,4}[\"'][^\"'\n]{1,64}[\"'][ \t]{0,4},[ \t]{0,4}(?P<quote>[\"'])"
    rb"(?P<value>[^\s\"']{4,128})(?P=quote)"
)
NEXT_FIELD = later(rb"[;&](?=[\w .%-]{1,40}=|$)|[,)}\]\\;]+$")
ENV_NAME = later(
    rb"(?:(?:^|\n)[ \t]*(?:export[ \t]+|set[ \t]+|ENV[ \t]+|-[ \t]+)?|-e[ \t]|--env[ \t=]|-arg[ \t=])[A-Z][A-Z0-9_]*$"
)
COMMENT = later(rb"(?:^|\s)(?:#|//|/\*|\*|--|<!--)")
REST = later(rb"[A-Za-z0-9+/=_.-]*")  # of a value that is longer than the patterns look at
