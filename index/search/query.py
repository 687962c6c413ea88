"""Parses a query as an identifier, a place or a question in words, and splits it into search terms.

A pasted issue is reduced to what it asks: headings of its form, versions and courtesies are removed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Literal

from contracts.lazy_regex import lazy_regex
from contracts.rows import rows
from index.search.spelling import QUOTES, Place, is_compound_name, parse_place, symbol_of
from index.text import STOP_WORDS, content_terms, parts_of, terms_of, words_of
from index.types import Order

QueryKind = Literal["identifier", "path", "words"]
MAX_TERMS = 48  # a pasted stack trace has hundreds; the rarest of the first ones decide anyway
# Most words of a topic. A topic's pack shows places of several files early; a question's pack is ordered by what
# must be read. In that order, topics of the public suite would lose 0.07 of recall; with a higher limit, questions
# without a question mark would lose 0.03 of cover.
TOPIC_WORDS = 7
CONCEPT_WORDS = 3  # most words of a topic that is a concept
SENTENCE_ENDS = ("?", ".", "!")
# A question without a question mark: `where is a retry scheduled`, `what happens when`. `how are routes registered`
# stays a topic: otherwise 19 such topics of the public suite would each lose 0.2 of their relevant places.
_ASKS = lazy_regex(
    r"(?:(?:where|when|why|who|what|(?:what|which)\s+\w+)\s+)?(?:do|does|did|is|are|was|were|can|could|should|would|will"
    r"|has|have|happens|must|may)\s",
    re.IGNORECASE,
)
# The first word of a change request. For 1,623 such commit subjects, packs in a question's order show 0.37 instead of
# 0.28 of the changed lines in 4,000 characters, and 0.48 instead of 0.37 in 8,000.
REQUESTS = frozenset(
    "please i we accept add allow apply avoid change clarify convert correct create deprecate disable disallow don't"
    " drop enable ensure expose extend extract fix forbid give handle ignore implement improve include introduce keep"
    " let limit make move normalize preserve prevent print provide raise reduce refactor reject remove rename replace"
    " resolve respect restore reuse show simplify skip stop support teach treat turn update use validate warn".split()
)
# Others begin requests, too, but also the labels of buttons: `Delete account`.
_REQUESTS_OR_LABELS = REQUESTS.union(
    "adjust defer delete detect eliminate emit enforce exclude harden honor increase inherit initialize inline migrate"
    " omit optimize prefer propagate protect relax require rewrite strip suppress synchronize wrap".split()
)
# A question behind other words, as people type it: `mail is sent twice, why`, `POST /votes how does it count`.
_ASKS_LATE = lazy_regex(
    r",\s*(?:where|when|why|who|what|which|how)\b|\b(?:why|who|where)$|\S\s+how\s+(?:do|does|did)\s", re.IGNORECASE
)
# Words that describe a fault: `the timeout is ignored when a proxy is set`, `user didnt get mail`.
_STATES = lazy_regex(
    r"\b(?:is|are|was|were|does|should|must|cannot|not|when|if|instead"
    r"|(?:is|are|was|were|do|does|did|ca|could|wo|would|has|have)n['’]?t"
    r"|fails|shows|returns|prints|ignores|drops|loses|crashes|hangs|breaks|stops)\b",
    re.IGNORECASE,
)
# A question for tests of what no name says: `tests for the str replace command`, `how is the retry tested`.
_FOR_TESTS = lazy_regex(
    r"(?:(?:is|are)\s+there\s+|do\s+we\s+have\s+|where\s+(?:is|are)\s+)?"
    r"(?:(?:please|show(?: me)?|find|list|the|all|an?|any|unit|integration|existing)\s+)*"
    r"tests?\s+(?:for|of|about|that|covering)\s|(?:which|what)\s+(?:tests|test\s+(?:is|\w+s))\s"
    r"|(?:(?:where|how)\s+(?:is|are)|is\s+(?:an?|the))\s.*\btested\W*$|(?=\S*(?-i:[a-z0-9][A-Z]|_\w))\S+\s+(?:unit\s+)?tests?\W*$",
    re.IGNORECASE,
)
MAX_ROUTES = 3  # routes among other words that are looked up
PATHS_CHARS = 600  # routes and paths beyond this are ignored
MAX_CHARS = 20_000  # a longer query is a pasted file; only its beginning is used
# A key, a flag or an external name, spelled unlike prose: `max_idle`, `--no-lock`, `maxIdle`, `$env.home`, `@Cached`.
_KEY = lazy_regex(
    r"-{0,2}\w+(?:--?\w+)+|--\w+|[@-][A-Za-z]\w+|(?=\w*?(?:[a-z0-9][A-Z]|[A-Za-z0-9]_{1,2}[A-Za-z0-9]))\w+|[$@.]?\w+(?:(?:\.|::|->|-)\w+)+"
    r"|[A-Za-z][\w-]*(?::[A-Za-z][\w-]*)+"  # a command, an event: `cache:clear`, `cart:item-added`
)
# A setting in its section, as INI and TOML spell it; `server.max_idle` is the same: `[server] max_idle`.
# Two plain words are the title of an issue behind its label: `[bug] crash`.
_SECTION = lazy_regex(r"\A(?!\[[a-z]+\]\s+[a-z]+\Z)\[([\w.-]+)\]\s+([\w-]+)\Z")
# A name or a call in the marks of a template, or as an element: `{{ trans('cart.pay') }}`, `<CartList />`.
_MARKS = lazy_regex(
    r"\A(?:\{\{|\{%|\{!!|<%[=-]?)-?([^{}<>%\n]{1,300}?)-?(?:\}\}|%\}|!!\}|%>)\Z|\A</?([A-Za-z][\w.:-]*)\s*/?>?\Z"
)
# A route as logs and documentation print it: `GET /users/12`, `/users/:id`.
_ROUTE = lazy_regex(r"(?:([A-Z]{3,7})\s+)?((?:/[\w.:{}<>$*~@\[\]-]+)+)/?(?:\?\S*)?")
# A method before a route without a slash: `GET users/12`.
_VERB = r"GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS"
_UNROOTED = lazy_regex(rf"\b({_VERB})\s+(?=[\w{{:<\[][^\s/:]*/)")
_HOST = lazy_regex(r"\bhttps?://(?:localhost|[\w.-]+(?=:))(?::\d+)?(?=/)")  # before a route; no link has a port
# A route among other words; without a method it counts only with two or more parts and no dot, as files have.
_ROUTE_AMONG_WORDS = lazy_regex(rf"(?<![\w./:~<])(?:({_VERB})\s+)?((?:/[\w.:{{}}<>$*~@\[\]-]*[\w}}>\]*])+)")
_FILE = lazy_regex(r"(?<![\w/.@-])(?:[\w@.+-]+/)*[\w@+-][\w@.+-]*\.[A-Za-z]\w{0,9}(?![\w/-])")
_CODE_LIKE = lazy_regex(r"[a-z][A-Z]|_|\d|[A-Z]{2,}|^[A-Z][a-z]+$")


_MAY_BE_LOG = lazy_regex(r"\x1b|[0-9]:[0-9]{2}:[0-9]{2}|\n|\[[0-9;]+m|##\[")


@dataclass(frozen=True)
class Query:
    """`terms` are distinct, in the order of the text; `compounds` join neighbouring words (`embedding cache` ->
    `embeddingcache`); `identifiers` are words that look like names in code, as written; `words` counts the distinct
    words other than stop words. Of a report, the first `leading` terms are those of its `title`: the rest is about it,
    and says less."""

    text: str
    kind: QueryKind
    terms: tuple[str, ...]
    compounds: tuple[str, ...]
    identifiers: tuple[str, ...]
    words: int
    leading: int
    title: str = ""
    symbol: str = ""
    place: Place | None = None

    @cached_property
    def is_topic(self) -> bool:
        """Whether the query is a topic: a few words, whose answer is in several files.

        A sentence is not: it asks for one answer, wherever that is. Nor is an identifier: its pack shows what it names
        and what is nearest to that.
        """
        return self.kind == "words" and self.words <= TOPIC_WORDS and not _is_sentence(self.text)

    @property
    def is_concept(self) -> bool:
        """Whether the query is a topic of a few words, which is answered in few places: `session cookie`."""
        return self.is_topic and self.words <= CONCEPT_WORDS

    def wants_lines(self, order: Order) -> bool:
        """Whether all chunks are ordered by what must be read; in a pack, they are unless the query is a topic."""
        return order == "lines" or (order == "pack" and not self.is_topic)

    @cached_property
    def wants_tests(self) -> bool:
        """Whether tests are asked for, which then come first."""
        is_possible = self.kind == "words" and "test" in self.text.casefold()  # the pattern takes long to compile
        return is_possible and _FOR_TESTS.match(self.text) is not None

    @cached_property
    def names_code(self) -> bool:
        """Whether it is a name that only code spells so: `Cart.total`, `parse_query`; `search` may be a word."""
        return self.kind == "identifier" and ("." in self.symbol or bool(self.spelled()))

    @cached_property
    def key(self) -> str:
        """The query if it is one word that only code or a command line spells so, or its route; otherwise empty.

        `max_idle`, `--no-lock`, `/users/12` for `GET /users/12`.
        """
        word = self.text.strip(QUOTES).removesuffix("()")
        if route := _ROUTE.fullmatch(_rooted(word)):
            return route[2]
        word = word.removeprefix(".")
        return word if _KEY.fullmatch(word) else ""

    @cached_property
    def routes(self) -> list[tuple[str, str]]:
        """(method or empty, route) of the routes in the query."""
        if match := _ROUTE.fullmatch(_rooted(self.text.strip(QUOTES))):
            return [(match[1] or "", match[2])]
        pairs = _ROUTE_AMONG_WORDS.findall(_rooted(self.text[:PATHS_CHARS])) if self.kind == "words" else []
        routes = [(verb, route) for verb, route in pairs if verb or (route.count("/") > 1 and "." not in route)]
        return routes[:MAX_ROUTES]

    @cached_property
    def paths(self) -> list[str]:
        """The words that may be paths or file names: `src/cart.py`, `cart.py`."""
        return _FILE.findall(self.text[:PATHS_CHARS]) if self.kind == "words" else []

    def spelled(self) -> list[str]:
        """The identifiers that only code spells like this: `parseEx`, `max_chars`; `Names` and `HTTP` may be prose."""
        return [word for word in self.identifiers if is_compound_name(word)]


def plain_text(text: str) -> str:
    """The text of a query without what a log puts around its lines."""
    if not _MAY_BE_LOG.search(text):
        return text
    from index.search.traces.logs import without_prefixes

    return without_prefixes(text)


@lru_cache(maxsize=32)
def parse_query(text: str) -> Query:
    """Parse and classify a query; whether its path or symbol exists is checked later, in the index."""
    whole = plain_text(text.replace("\r\n", "\n")).strip()[:MAX_CHARS]
    text = _SECTION.sub(r"\1.\2", question_of(whole) or whole)
    text = _MARKS.sub(lambda match: match[1] or match[2], text).strip()
    # One sentence behind a line may be a question behind what it is about.
    rest = whole.partition("\n")[2].strip()
    title = _title_of(text) if "\n" in rest or _SENTENCE.search(rest) else ""
    if title:
        text = f"{title}\n\n{_SECTION_HEADING.sub('', text.replace(title.splitlines()[0], '', 1)).lstrip()}"
    words = words_of(text)
    terms = content_terms(words) or [term for word in words for term in terms_of(word)]
    single = " " not in text and "\n" not in text
    place = parse_place(text) if single else None
    # A number in parentheses is a line of a file or the argument of a call.
    numbered = place is not None and place.first is not None and not text.endswith(")")
    symbol = "" if numbered or "/" in text else symbol_of(text)
    kind: QueryKind = "identifier" if symbol else "path" if place else "words"
    return Query(
        text=text,
        kind=kind,
        terms=tuple(dict.fromkeys(terms))[:MAX_TERMS],
        compounds=tuple(_compounds(words, set(terms)))[:MAX_TERMS],
        identifiers=tuple(dict.fromkeys(word for word in words if _looks_named(word)))[:MAX_TERMS],
        words=len({word for word in words if word.lower() not in STOP_WORDS}),
        leading=len(content_terms(words_of(title)) or terms),
        title=title,
        symbol=symbol,
        place=place,
    )


def _rooted(text: str) -> str:
    return _HOST.sub("", _UNROOTED.sub(r"\1 /", text))


def _is_sentence(text: str) -> bool:
    """Whether the text is a sentence: a question, change request or fault, with or without a mark at its end."""
    if text.endswith(SENTENCE_ENDS) or _ASKS.match(text) or _ASKS_LATE.search(text):
        return True
    first, _, more = text.partition(" ")
    # A label begins the subject of a change: `feat(cart): cents in totals`, `cart: totals in cents`. For 397 of these,
    # packs of 4,000 characters show 0.43 instead of 0.40 of the changed lines.
    if (first.lower() in _REQUESTS_OR_LABELS or first.endswith(":")) and " " in more.strip():
        return True
    return _STATES.search(text) is not None and "how" not in text.lower().split()  # `how it is done` is a topic


def _looks_named(word: str) -> bool:
    return len(word) > 2 and word.lower() not in STOP_WORDS and _CODE_LIKE.search(word) is not None


def _compounds(words: list[str], terms: set[str]) -> list[str]:
    """Two or three neighbouring content words joined, as a name in code would spell them."""
    plain = ["".join(parts_of(word)) for word in words if word.lower() not in STOP_WORDS]
    runs = ["".join(plain[at : at + size]) for size in (2, 3) for at in range(len(plain) - size + 1)]
    return [run for run in dict.fromkeys(runs) if run not in terms]


# The words of a report; `report_words.tsv` explains each list.
_REPORT = {name: frozenset(words.split()) for name, words in rows(__file__, "report_words.tsv")}
_FORM, _ENVIRONMENT = _REPORT["form"], _REPORT["environment"]
_COURTESY = STOP_WORDS.union(*_REPORT.values())
_CODE = lazy_regex(r"[=;{}\[\]<>]")
_SAMPLE = lazy_regex(r"^[ \t>]{0,9}(```|~~~)[^`\n]*\n[\s\S]*?(?:^[ \t>]{0,9}\1[ \t]*$|\Z)", re.M)  # code between fences
# A first paragraph that is no title addresses the reader (`You are an engineer`), points at the rest or begins code.
_NO_TITLE = lazy_regex(
    r"\A(?:(?:act|dear|hello|hey|hi|please|you)\b|//|/\*|#!|```|~~~|\"\"\"|(?-i:import|require)\b|(?-i:package|module|use)\s\S+\Z"
    r"|(?-i:from\s\S+\simport|(?:const|let|var|local)\s[^=]+=)\s)|\b(?:below|following|these|this)\b(?!\.\w|->)",
    re.I,
)
# The end of an announcement: `Fix this issue:`, `Which code is about the issue below?`
_ANNOUNCEMENT = lazy_regex(
    r":\Z|\bbelow[.?!]?\Z|\b(?:following|this)(?: \S+){0,3} (?:bug|issue|problem|report|task|ticket)[.?!]?"
    r"(?=\Z|\s(?-i:[A-Z]))",
    re.I,
)
# The title and the rest; without an empty line between them, the rest begins with a sentence, not with the end of one.
_TITLE = lazy_regex(r"(\S[^\n]*)(?:\n(?:[ \t]*\n|(?=[^\na-z \t][^\n]*[.?!:)]$|[A-Z][^\n]{99}))([\s\S]*))?\Z", re.M)
_TASK = lazy_regex(r"^[ \t*#]*(?=[A-Z])(?i:goal|issue|problem|question|task|title)\b[ #\d*]*:[ *]*(\S.*)$", re.M)
_SECTION_HEADING = lazy_regex(r"^[ \t]*##+ .*\n(?=\s*[^#\s])", re.M)  # above text: `## Describe the bug`
# Words that say something: with fewer, code is the question itself, and a line no title, no task and no question.
_OWN_WORDS, _TITLE_WORDS = 4, 2
_HIDDEN = lazy_regex(  # comments and tags of HTML, commits, items of a checklist, images, links
    r"<!--(?:(?!<!--)[\s\S])*?-->|</?(?:details|summary|br|p|issue\w*|task)\b[^<>]*>|\([0-9a-f]{7,40}\b[^()\n]{0,80}\)"
    r"|^[ \t]*[-*] *\[[ xX]\].*$|!\[[^\]\n]{0,200}\]\([^()\n]{0,200}\)|\bhttps?://(?!localhost|[\w.-]+:)[^\s<>()\"'`]+",
    re.M,
)
_LABELLED = lazy_regex(
    r"(?:^[ \t>*-]*|(?<=[.?!]\s))(?:\*\*)?(?:environment|operating system|os|platform|browser|[\w.+-]{0,40} ?version)"
    r"\b[^:\n]{0,40}(?:\*\*)?:.*$|^[ \t]*output of .*$|^[ \t`$>]*[\w./-]{1,40} --?version\b[ \w-]{0,40}[`:]*$",
    re.I | re.M,
)
_VERSION = lazy_regex(  # with the name before it, except that of a protocol: `HTTP 1.1.1`
    r"(?:(?!(?:https?|tls|ssl|oauth|soap|utf|ipv?)\b)\b[\w+-]{1,40} )?"
    r"\b[\w/]{0,40}?v?\d{1,8}\.\d{1,8}\.\d{1,8}(?:[\w.+-]{0,40}\w)?(?: (?:on|for) \w+/\w+)?",
    re.I,
)
_SYSTEM = lazy_regex(
    r"\b(?:ubuntu|debian|fedora|centos|alpine|linux|macos|(?:mac )?os x|windows(?:_nt)?|ios|android|python|ruby"
    r"|node(?:\.?js)?|java|jdk|php|rustc|elixir|otp|chrome|firefox|safari|edge)(?: version)? v?\d+(?:\.\d+)*\b",
    re.I,
)
_SENTENCE = lazy_regex(r"(?<=[^\s.][.!?])\s+")
_WORD = lazy_regex(r"[\w'/]+")


def question_of(text: str) -> str:
    """The text without headings of a form, sections about the environment, versions and courtesies.

    Empty if nothing else is left.
    """
    is_form = "\n" in text
    if not is_form and _SENTENCE.search(text) is None:
        return text  # a version in a single sentence is what it is about
    without = _SAMPLE.sub("", text)
    if _says(without, _OWN_WORDS) and not _NO_TITLE.search(_body(text).partition("\n\n")[0]):
        text = without
    text = _LABELLED.sub("", _HIDDEN.sub("", text))
    if is_form:
        text = _VERSION.sub("it", _SYSTEM.sub("it", text))
    return "\n".join(_report_lines(text)).strip()


def _body(text: str) -> str:
    """The text behind a first line or paragraph that only announces it: `Fix this issue:`."""
    (first, _, rest), (line, _, others) = text.partition("\n\n"), text.partition("\n")
    if _ANNOUNCEMENT.search(first) or not _says(first, _TITLE_WORDS):
        return rest.lstrip("\n") or text
    return others if line.endswith(":") or (line.startswith("#") and not _says(line, _TITLE_WORDS)) else text


def _title_of(text: str) -> str:
    """The first line of a report if it is no sentence of a letter and no instruction, and what the rest asks; of other
    texts, what is labelled as their task."""
    report = _body(text)
    head, rest = match.groups("") if (match := _TITLE.match(report)) else ("", report)
    task, sentence_ends = _TASK.match(head), ",:;" if report is not text else ".,:;"
    title = task[1] if task else head
    is_title = (task or head[-1:] not in sentence_ends) and _says(title, _TITLE_WORDS) and not _NO_TITLE.search(title)
    questions = (line for line in _questions(rest, is_report=bool(is_title)) if _says(line, _TITLE_WORDS))
    return "\n".join((title, *questions) if is_title else questions)


def _questions(text: str, *, is_report: bool) -> Iterator[str]:
    """The tasks of a text and, if there are any or it is a report, its questions and a request at its beginning."""
    tasks = _TASK.findall(text)
    yield from tasks
    lines = [sentence.rpartition("\n")[2] for sentence in _SENTENCE.split(text)] if is_report or tasks else []
    for line in lines:
        is_request = line is lines[0] and line.partition(" ")[0].lower() in REQUESTS - {"i", "please", "we"}
        if not _TASK.match(line) and not line.startswith("#") and (is_request or line.endswith("?")):
            yield line


def _report_lines(text: str) -> Iterator[str]:
    """The lines that say something, without those below a heading about the environment."""
    in_environment = False
    for line in text.split("\n"):
        words, label = _words(line), _words(line.partition(":")[0])
        if not words:
            yield line
        elif _is_only(_FORM | _ENVIRONMENT if line.startswith("#") else _FORM, line):
            in_environment = not _ENVIRONMENT.isdisjoint(words)
        elif line.lstrip().startswith("#"):
            in_environment = False
            yield line
        elif not in_environment and (_ENVIRONMENT.isdisjoint(label) or not _COURTESY.issuperset(label)):
            yield _without_courtesies(line)


def _without_courtesies(line: str) -> str:
    """The line without courtesies at its start and end; between others, such a sentence is part of a message."""
    sentences = _SENTENCE.split(line)
    own = [at for at, sentence in enumerate(sentences) if not _is_only(_COURTESY, sentence)]
    return " ".join(sentences[own[0] : own[-1] + 1]) if own else ""


def _says(text: str, least: int) -> bool:
    """Whether a text has so many words other than courtesies and those of forms."""
    return sum(word not in _COURTESY for word in _words(text)) >= least


def _is_only(words: frozenset[str], text: str) -> bool:
    return _CODE.search(text) is None and words.issuperset(_words(text))


def _words(text: str) -> list[str]:
    return [word.lower() for word in _WORD.findall(text) if not word.isdigit()]
