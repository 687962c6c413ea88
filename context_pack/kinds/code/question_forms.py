"""The forms of questions about a name: `who calls Cart.total`, `where is Cart defined`, `max_idle setting`.

A form says what is asked for; questions.tsv lists them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache, lru_cache

from chunker.kinds import ROUTINES, TYPES, VALUES
from context_pack.kinds.code.corpus import Corpus
from context_pack.options.resolve import Settings
from contracts.lazy_regex import lazy_regex, with_parts
from contracts.rows import rows
from index.search.definitions import RARE
from index.search.spelling import in_usual_cases, is_code_name, phrases_in
from index.text import PROPER_NAMES
from index.types import EXACT_SCORE, Follow, SymbolRow

MAX_DEFINITIONS = 5  # a name with more definitions counts as an ordinary word
MAX_OF_CODE = 15  # but one that only code spells so means all of these, if they have such ties
MAX_USERS = 20  # that are looked at, until one is in another file
_USER_EDGES = ("called_by", "used_by", "tested_by", "extended_by", "implemented_by", "overridden_by")
MAX_OF_FORM = 9  # words of a question about a name, including the name
# Before a plain word, other kinds are words of prose: `where is the type inference defined`.
_KIND = (
    r"(?:(?:(?:the|this)\s+)?(?:class|enum|function|interface|method|struct|trait"
    r"|(?:component|constant|hook|macro|module|protocol|type|union|variable)(?=\s+\S*(?-i:[A-Z_.:`])\w))\s+)?"
)
# The same after a name: `the parse_item function`, `the CartList component`; `the` alone makes no name of a word.
_KIND_BEHIND = (
    r"\s+(?:class|decorator|enum|function|interface|macro|method|struct|trait"
    r"|(?(spelt)(?:component|constant|hook|model|module|mutation|protocol|query|resource|type|union|variable)|(?!)))"
)
_KIND_OF_KEY = (
    r"(?:argument|attribute|command|component|config(?:uration)?|constant|event|(?:feature\s+)?flag|field|hook|option"
    r"|param(?:eter)?|permission|prop(?:erty)?|route|setting|signal|(?:translation\s+)?key"
    r"|(?:(?:env|environment)\s+)?var(?:iable)?|(?:(?:chart|helm)\s+)?value)"
)
_SPELLED = r"[a-z0-9][A-Z]|[A-Z]{2}[a-z]{2}|\w(?:[_.:]+|->)\w|(?<!\w)/\w"
_NAME = (
    rf"{_KIND}(?P<the>the\s+)?(?P<spelt>(?=\S*(?-i:[A-Z_.:`])\w))?"
    rf"[`'\"]?(?P<name>[^\s`'\"?]+?\??)[`'\"]?(?:{_KIND_BEHIND}|(?(the)(?!)))"
)
# Parts of forms, each of which may contain later ones.
_PARTS = (
    ("WHERE_ONE", r"PLACEONE(?:\s+(?:are|being|first|gets?|is))*"),
    ("WHERE_VALUE", r"PLACEVALUE(?:\s+(?:are|being|first|gets?|is))*"),
    ("WHO", r"(?:who|what|which\s+(?!migrations?\b)\w+|(?:all\s+|the\s+)*(?:code|places?)\s+that|PLACE\s+\w+)"),
    ("PLACE", r"(?:(?:(?:all\s+|the\s+)*places?\s+)?where|when)(?:\s+else)?(?:\s+(?:is|are|do|does))?"),
    ("ROUTINES", r"(?:who|what|(?:(?:all|the|which)\s+)*(?:functions?|methods?)(?:\s+that)?)"),
    (
        "ONE",
        r"\s+(?:(?:an?|new|the)\s+)*CODENAME(?:\s+(?:class|errors?|events?|exceptions?|instances?"
        r"|messages?|notifications?|objects?|signals?|structs?))?",
    ),
    (
        "VALUE",
        r"\s+(?:the\s+)?SPELLEDNAME(?:\s+(?:attribute|field|flag|member|option|property|setting|value|variable))?",
    ),
    ("SPELLED", "(?P<spelled>)"),
    ("CODENAME", _NAME.replace("(?P<name>", r"(?P<name>(?=\S*(?-i:[A-Z_.:]))")),
    ("KIND", _KIND_OF_KEY),
    ("NAME", _NAME),
)


def _pattern(form: str) -> re.Pattern[str]:
    return lazy_regex(with_parts(form, _PARTS) + r"\s*[?.]?", re.IGNORECASE)


USAGES = (
    "raised", "caught", "handled", "emitted", "created", "set", "registered", "returned", "taken", "imported",
    "annotated",
)  # fmt: skip
RELATIONS = ("users", "used", "tests", "tested", "subtypes", "bases", "family", *USAGES)
_KINDS = {"explained": TYPES | ROUTINES, "type": TYPES, "owned": TYPES}  # what a form means, unless many have the name
_FORMS = [(asks, some.split(), _pattern(form)) for asks, some, form in rows(__file__, "questions.tsv")]
_OF_TIES = frozenset(word for asks, some, _ in _FORMS if asks in RELATIONS for word in some)
_IS_SPELLED, _MAY_HAVE_KEY = lazy_regex(_SPELLED), lazy_regex(rf"{_SPELLED}|\w-\w")
_MAY_HAVE_NAME = lazy_regex(r"(?:\s|^(?=\S+[_.]))[^\s\w]?\w*(?:[A-Z_.:@]|->)")
_SHOWS = lazy_regex(
    r"\b(?:display|embed|goe|launch|navigate|open|present|push|render|route|show|start)(?:e?s|e?d|n)?\b", re.IGNORECASE
)
_FILE = lazy_regex(
    r"[\w-]+(?:\.[\w-]+)*\.(?:json5?|ya?ml|toml|ini|conf|cfg|xml|csv|tsv|log|txt|db|sqlite3?|lock|env|html?|plist|ron)"
)
MAX_OF_FILE = 20  # chunks that are searched for the name of a file
_REQUEST = lazy_regex(r"\A(?:please\s+)?(?:show(?:\s+me)?|find(?:\s+me)?|list|give\s+me|get)\s+", re.IGNORECASE)


def name_of(corpus: Corpus, text: str, settings: Settings) -> str:
    """The name that a text asks for, without the words around it, if it is defined here; otherwise the text itself.

    A name defined elsewhere (`where is json.dumps used?`), or a key with its kind or its command (`max_idle setting`,
    `rake db:reset`), is returned if it has an exact hit: places that contain it.
    """
    words = _without_request(text)
    names = _names(words, "shown", "explained", "member", "owned")
    shown = (_without_mark(corpus, name) for asks, name in names if _is_meant(corpus, asks, name))
    if name := next(filter(corpus.defined, shown), "") or _type_in(corpus, words):
        return name
    name, asks = relation_in(corpus, text)
    if asks not in ("users", "used") or definitions(corpus, name):
        names = _names(words, "key", "named") if _MAY_HAVE_KEY.search(words) else ()  # they take 2 ms to compile
        name = next((name for asks, name in names if _is_meant(corpus, asks, name)), "")
    return name if name and has_exact_hit(corpus, name, settings) else text


def has_exact_hit(corpus: Corpus, name: str, settings: Settings) -> bool:
    """Whether something has a name, or contains it: its first hit is an exact one."""
    hits = corpus.search(name, top_k=1, filters=settings.filters, order="pack")
    return bool(hits) and hits[0].score >= EXACT_SCORE


@lru_cache(maxsize=32)
def _names(words: str, *kinds: str) -> tuple[tuple[str, str], ...]:
    """(what is asked for, the name) of the forms of these kinds that a text has; where only a name that prose does not
    spell so counts, no `GitHub users`. Cached because a question is read in several places."""
    text = words.lower()
    if not _MAY_HAVE_NAME.search(words):  # usages are those of a name that prose does not spell so
        kinds = tuple(asks for asks in kinds if asks not in USAGES)
    forms = ((asks, form) for asks, some, form in _forms(kinds) if not some or any(map(text.__contains__, some)))
    names: list[tuple[str, str]] = []
    for asks, groups in ((asks, match.groupdict()) for asks, form in forms if (match := form.fullmatch(words))):
        name = groups.get("name") or f"{groups['type']}.{groups['member']}"
        if "spelled" not in groups or (_IS_SPELLED.search(name) and name not in PROPER_NAMES):
            names.append((asks, name))
    return tuple(names)


@cache
def _forms(kinds: tuple[str, ...]) -> list[tuple[str, list[str], re.Pattern[str]]]:
    """The forms of these kinds."""
    return [form for form in _FORMS if form[0] in kinds]


def _is_meant(corpus: Corpus, asks: str, name: str) -> bool:
    """Whether a form means a name: `HttpClient config` asks for more than the type, `what is a state` for none of a
    dozen types, and `Test engine` for no member."""
    name = name.rpartition(".")[0] if asks == "owned" else name
    defined = corpus.defined(name)
    if kinds := _KINDS.get(asks):
        is_code = is_code_name(name)
        meant = [row for row in defined if row.kind in kinds and (is_code or not corpus.is_test(row.chunk))]
        most = MAX_DEFINITIONS if meant and meant[0].kind in TYPES else RARE
        return 0 < len(meant) <= (MAX_OF_CODE if is_code else most)
    return asks != "key" or all(row.kind not in TYPES for row in defined)


def _type_in(corpus: Corpus, words: str) -> str:
    """The type that a text asks for (`what is a cart`), as the tree spells it; empty if it asks for none."""
    names = (name[:1].upper() + name[1:].rstrip("?") for _, name in _names(words, "type"))
    spellings = (one for name in names for one in (name, name.removesuffix("s")))
    return next((one for one in spellings if _is_meant(corpus, "type", one)), "")


def definitions(corpus: Corpus, name: str) -> list[SymbolRow]:
    """The definitions of a name; of one that only code spells so, else the fields of types."""
    return corpus.defined(name) or (corpus.fields(name) if is_code_name(name) else [])


def relation_in(corpus: Corpus, text: str) -> tuple[str, str]:
    """The name whose ties a text asks for, and which of RELATIONS; both empty if it asks something else."""
    asks, name = next(iter(_names(_without_request(text), *RELATIONS)), ("", ""))
    return ("", "") if asks == "set" and _is_file(corpus, name) else (_without_mark(corpus, name), asks)


def _is_file(corpus: Corpus, name: str) -> bool:
    """Whether code quotes a name with the ending of data as a whole, or at the end of a path: `carts.json` of `where is
    carts.json written` is a file, `answer.json` may be a member."""
    if not _FILE.fullmatch(name) or corpus.defined(name):
        return False
    quoted = re.compile(rf"{re.escape(name)}[\"'`]")
    return any(quoted.search(corpus.chunk(chunk).text) for chunk in corpus.naming(name)[:MAX_OF_FILE])


def with_name(corpus: Corpus, text: str) -> str:
    """The text with the only name that some of its words make, if it then asks for ties of the name that the graph may
    have: `where is the auth guard used`; otherwise the text itself."""
    words = text.lower()
    may_ask = len(words.split()) <= MAX_OF_FORM and any(map(words.__contains__, _OF_TIES))
    if not may_ask or relation_in(corpus, text)[0]:
        return text
    for phrase in filter(corpus.joins, phrases_in(text)):
        for name in in_usual_cases("_".join(phrase.lower().split())):
            own = [row for row in corpus.defined(name) if not corpus.is_test(row.chunk)]
            if not 0 < len(own) <= RARE:
                continue
            named = re.sub(rf"\b(?:(?:an?|our|the) )?{phrase}\b", name, text, count=1, flags=re.IGNORECASE)
            asks = relation_in(corpus, named)[1]
            if asks == "set" and own[0].kind not in VALUES:  # `where is the log file written`
                continue
            if _SHOWS.search(text) and (own[0].kind in TYPES - {"module"} or "." in own[0].qualified):
                continue  # `who opens the log file`, `which page shows the error message`: no component
            if asks and _has_users(corpus, own, tests=asks in ("tests", "tested")):
                return named
    return text


def _has_users(corpus: Corpus, rows: Sequence[SymbolRow], *, tests: bool) -> bool:
    """Whether tests, or other code in other files, use definitions or extend them, as far as the graph knows."""
    files = {row.file for row in rows}
    ties = corpus.related([row.chunk for row in rows], "", Follow(MAX_USERS, 1, _USER_EDGES))
    return any(
        corpus.is_test(tie.chunk)
        if tests
        else not corpus.is_test(tie.chunk) and corpus.chunk(tie.chunk).file not in files
        for tie in ties
    )


def _without_mark(corpus: Corpus, name: str) -> str:
    """The name without a question mark that is no part of it (Ruby's `empty?`)."""
    ends = name.endswith("?") and not any(row.name.endswith("?") for row in corpus.defined(name))
    return name[:-1] if ends else name


def _without_request(text: str) -> str:
    """The text without a request such as `show me`; empty if it has more words than any form."""
    words = _REQUEST.sub("", text.strip(), count=1)
    return words if len(words.split()) <= MAX_OF_FORM else ""
