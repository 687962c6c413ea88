"""Parses a query as an identifier, a place or a question in words, and splits it into search terms."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Literal

from contracts.lazy_regex import lazy_regex
from index.search.spelling import QUOTES, Place, is_compound_name, parse_place, symbol_of
from index.text import REQUESTS, STOP_WORDS, content_terms, parts_of, terms_of, words_of
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
# What only a log has: colours, times, several lines, marks of a CI.
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
    text, title = _question(whole) if len(whole.split(None, 1)) > 1 else (_without_marks(whole), "")
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


def _question(whole: str) -> tuple[str, str]:
    """What a text of several words asks, without its form and its frame, and the title if it is a report."""
    from index.search.query.framing import unframed
    from index.search.query.reports import SECTION_HEADING, SENTENCE, question_of, title_of

    text = _without_marks(_SECTION.sub(r"\1.\2", question_of(whole) or whole))
    # One sentence behind a line may be a question behind what it is about.
    rest = whole.partition("\n")[2].strip()
    text = text if "\n" in text else unframed(text)
    title = title_of(text) if "\n" in rest or SENTENCE.search(rest) else ""
    if title:
        text = f"{title}\n\n{SECTION_HEADING.sub('', text.replace(title.splitlines()[0], '', 1)).lstrip()}"
    return text, title


def _without_marks(text: str) -> str:
    return _MARKS.sub(lambda match: match[1] or match[2], text).strip()


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
