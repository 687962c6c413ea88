"""Decides whether a value after a telling name is a secret, and not a placeholder, word or path."""

from __future__ import annotations

import re

from context_pack.redaction.formats import CLASS, MAX_WORDS, MIN_TURNS, SMALL, is_random, turns
from contracts.lazy_regex import lazy_regex

_STAND_IN = lazy_regex(
    rb"\[REDACTED:.*|<.*|\$.*|%.*|\{.*|\(.*|\[.*|[*xX.\-_?#0]+|.*\$\{.*|.*\{[\w.\[\]()!:]*\}.*|.*%[sd(].*|!.*|@.*|&[a-z].*"
    rb"|(?:enc|secret|env|vault|ref|os|process|self|this|config|settings)[.:(\[].*",
    re.IGNORECASE | re.DOTALL,
)
_WORDS_OF_STAND_INS = lazy_regex(
    rb"(?:^|[\W_])(?:your|my|the|example|placeholder|sample|dummy|insert|replace|changeme|change|redacted|enter|todo|some"
    rb"|pass|passw(?:or)?d|passphrase|pwd|secret|token|key|user|username|login|name|field|type|string|null|none|nil|true|false"
    rb"|undefined|required|optional|hidden|text|value|default|input|current|new|old|confirm|auth|bearer|basic|access|refresh|csrf"
    rb"|session|cookie|header|url|file|path|id|invalid|missing|test|foo|bar)(?:$|[\W_])",
    re.IGNORECASE,
)
# Words of labels and messages: words among which one of these occurs are not a passphrase.
_WORDS_OF_PROSE = lazy_regex(
    rb"(?:^|[^a-z])(?:an?|the|of|to|for|is|are|was|be|been|it|its|this|that|these|your?|we|must|should|can|cannot|may|will"
    rb"|with|without|and|or|not|no|at|in|on|from|by|as|if|when|has|have|do|does|did|use[ds]?|using|only|please|again|reset"
    rb"|forgot|forgotten|wrong|incorrect|too|short|long|least|most|characters?|letters?|digits?|numbers?|length|words?|contains?"
    rb"|match(?:es)?|empty|set|get|show|hide|save|error|failed|expired|protected|manager|policy|strength|email)(?:$|[^a-z])",
    re.IGNORECASE,
)
_SPACE = lazy_regex(rb"[\x00-\x20]")
_CONTROL = lazy_regex(rb"[\x00-\x1f]")
_DIGIT = lazy_regex(rb"[0-9]")
_LETTER = lazy_regex(rb"[A-Za-z]")
_CAMEL = lazy_regex(rb"(?<=[a-z])(?=[A-Z])")
_PATH = lazy_regex(rb"(?:[A-Za-z]:|~|\.{1,2})?[/\\][\w.@ -]+(?:[/\\][\w.@ -]*)*|[\w.-]+(?:/[\w.-]+)+\.\w{1,5}")
_NAME_ONLY = lazy_regex(rb"[\w.-]+|[a-z_/]+#[a-z]+(?:_[a-z]+)+")  # also an action of a route: `login#reset_password`
_PLAIN_WORDS = lazy_regex(rb"[a-z]{2,16}(?:[ -][a-z0-9]{1,16}){2,30}")
# A name of whole words: `settings.ApiKey`, `Win32_Security`, `Content-Type`, `0012_alter_user_name` (a migration of
# Django). Of random keys of 16 characters, 0.1 % look like one.
NAME_OF_WORDS = lazy_regex(rb"(?:\d{4}_)?[A-Z]?[a-z]{2,}[0-9]{0,2}(?:(?:[_.-][A-Z]?|[A-Z])[a-z]{2,}[0-9]{0,2})+")
ONE_RUN = lazy_regex(rb"[a-z]{18,}|[A-Z]{18,}")  # longer than any word that may stand for a secret

MAX_HEAD = 96  # bytes of a value that are examined, so that a name repeated in one long line does not cost more
MIN_MIXED = 10  # characters; a shorter value without quotes counts as a name, not as a password
MIN_PHRASE = 12  # characters of a secret with spaces, at least


def is_secret(value: bytes, kind: str, bare: bool) -> bool:
    """Whether a value after a name of this kind is a secret, no placeholder, word or path. `bare`: without quotes."""
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
    """Whether words are a passphrase: lower-case words in a row, none of which is common in prose or placeholders."""
    head = value[:MAX_HEAD]
    words = head.rpartition(b" ")[0] if len(value) > MAX_HEAD else head
    if len(value) < MIN_PHRASE or not _PLAIN_WORDS.fullmatch(words):
        return False
    return not (_WORDS_OF_PROSE.search(head) or _WORDS_OF_STAND_INS.search(head))


def _is_mixed_phrase(head: bytes) -> bool:
    """Whether a text with spaces is a password: it has letters and digits, and no word of prose or placeholders."""
    if len(head) < MIN_PHRASE or not (_DIGIT.search(head) and _LETTER.search(head)) or _CONTROL.search(head):
        return False
    if _WORDS_OF_PROSE.search(head) or _WORDS_OF_STAND_INS.search(head):
        return False
    spaces = head.count(b" ")
    return spaces >= 2 or head.translate(CLASS).count(b"!") - spaces >= 2


def is_mixed(value: bytes) -> bool:
    """Whether a value is too mixed for an expression in code: letters of both cases and digits change often."""
    classes = value.translate(CLASS)
    mixed = len(value) >= MIN_MIXED and all(classes.count(one) for one in (b"a", b"A", b"0"))
    if not mixed or re.search(rb"[(\[.]", value):
        return False
    return turns(classes) >= MIN_TURNS and sum(map(len, SMALL.findall(value))) <= MAX_WORDS * len(value)


def is_authorization(value: bytes) -> bool:
    """Whether the text after `Bearer` or `Basic` is a credential, not a word: `Bearer authentication` is prose."""
    digit = _DIGIT.search(value) is not None
    if value.islower() and not (digit and len(value) >= 24) and not ONE_RUN.fullmatch(value):
        return False
    return bool(digit or ONE_RUN.fullmatch(value) or value.endswith(b"=") or turns(value.translate(CLASS)) >= MIN_TURNS)
