"""Questions about a name: `who calls parse_query?`, `implementations of Store`, `where is class Cart defined?`."""

from __future__ import annotations

import re
from collections.abc import Sequence

from context_pack.kinds.code.corpus import Corpus
from context_pack.kinds.code.selection import EXACT_SCORE
from context_pack.options.resolve import Settings
from index.graph.test_paths import is_test_path
from index.types import Follow, Scored, Tie

MOST_DEFINITIONS = 5  # of a name; a commoner one is a word
MOST_TIES = 40
MOST_PARTS = 20  # further parts of long definitions, which stand among the hits
_USERS, _USED = ("called_by", "used_by"), ("calls", "uses")
_SUBTYPES = ("implemented_by", "extended_by", "overridden_by")
_TESTS = ("tested_by", "called_by", "used_by")
_NAME, _KIND = (
    r"[`'\"]?(?P<name>[^\s`'\"?]+?)[`'\"]?",
    r"(?:the\s+)?(?:(?:class|struct|interface|trait|enum|function|method)\s+)?",
)


def _compiled(form: str) -> re.Pattern[str]:
    return re.compile(form.replace("KIND", _KIND).replace("NAME", _NAME) + r"\s*[?.]?", re.IGNORECASE)


_FORMS = [
    (_compiled(form), edges)
    for form, edges in (
        (r"(?:which|what)\s+tests?\s+(?:covers?|tests?|calls?|uses?|exercises?)\s+NAME", _TESTS),
        (r"tests?\s+(?:for|of)\s+NAME", _TESTS),
        (r"where\s+is\s+NAME\s+tested", _TESTS),
        (r"(?:who|what|which\s+\w+)\s+(?:calls?|uses?|invokes?|references?|depends?\s+on)\s+NAME", _USERS),
        (
            r"(?:all\s+|the\s+)*(?:callers?|calls?|call\s+sites|users|usages?|uses|references)\s+(?:of|to)\s+NAME",
            _USERS,
        ),
        (r"(?:all\s+|the\s+)*places?\s+(?:where|that)\s+(?:we\s+)?(?:call|use|invoke|reference)s?\s+NAME", _USERS),
        (r"(?:all\s+|the\s+)*places?\s+where\s+NAME\s+is\s+(?:called|used|invoked|referenced)", _USERS),
        (r"where\s+(?:else\s+)?is\s+NAME\s+(?:called|used|invoked|referenced)(?:\s+from)?", _USERS),
        (r"where\s+do\s+we\s+(?:call|use|invoke)\s+NAME", _USERS),
        (r"(?:who|what|which\s+\w+)\s+(?:implements?|extends?|overrides?|inherits?\s+from)\s+NAME", _SUBTYPES),
        (r"(?:all\s+|the\s+)*(?:implementations?|implementers?|subclasses|subtypes|overrides)\s+of\s+NAME", _SUBTYPES),
        (r"what\s+does\s+NAME\s+(?:call|use|invoke|depend\s+on)", _USED),
        (r"(?:callees|dependencies)\s+of\s+NAME", _USED),
    )
]

_SHOWN = [
    _compiled(form)
    for form in (
        r"where\s+(?:is|are)\s+KINDNAME\s+(?:defined|declared|implemented)",
        r"(?:the\s+)?(?:definition|declaration|source(?:\s+code)?|code)\s+of\s+KINDNAME",
        r"(?=\S*(?-i:[A-Z_.:]))NAME\s+(?:definition|declaration|implementation)",
        r"(?:class|struct|interface|trait|enum|protocol)\s+(?=\S*(?-i:[A-Z_.:]))NAME",
        r"(?:def|fn|func|fun)\s+NAME",
    )
]
_MEMBERS = [
    re.compile(form, re.IGNORECASE)
    for form in (
        r"(?:class|struct|interface|trait)\s+(?P<type>\w+)\s+(?:method|function|field|property)\s+(?P<member>\w+)",
        r"(?:the\s+)?(?:method|function|field|property)\s+(?P<member>\w+)\s+(?:of|in)\s+(?:class\s+)?(?P<type>\w+)",
        r"(?:the\s+)?(?P<member>\w+)\s+method\s+(?:of|in)\s+(?:class\s+)?(?P<type>\w+)",
        r"(?P<type>\w+)\s+class\s+(?P<member>\w+)\s+method",
    )
]
_REQUEST = re.compile(r"\A(?:please\s+)?(?:show(?:\s+me)?|find(?:\s+me)?|list|give\s+me|get)\s+", re.IGNORECASE)


def name_of(corpus: Corpus, text: str, settings: Settings) -> str:
    """The name that a text asks for with words around it, where it is defined here; else the text as it is.

    A name of elsewhere (`where is json.dumps used?`) stands for the places that hold it.
    """
    words = _REQUEST.sub("", text.strip(), count=1)
    names = [match["name"] for form in _SHOWN if (match := form.fullmatch(words))]
    names += [f"{match['type']}.{match['member']}" for form in _MEMBERS if (match := form.fullmatch(words))]
    if name := next(filter(corpus.defined, names), ""):
        return name
    name, edges = _tied(text)
    if edges is not _USERS or corpus.defined(name):
        return text
    hits = corpus.search(name, top_k=1, filters=settings.filters, order="pack")
    return name if hits and hits[0].score >= EXACT_SCORE else text


def relation(corpus: Corpus, text: str, settings: Settings) -> tuple[str, Sequence[Scored], Sequence[Tie]] | None:
    """The name that a text asks about, its definitions, and what is tied to them in the way that it asks for.

    None where the text asks something else, or the name is not defined here.
    """
    name, edges = _tied(text)
    if not name or settings.edges or settings.related_mode == "none":
        return None
    count = len(corpus.defined(name))
    if not 0 < count <= MOST_DEFINITIONS:
        return None
    hits = corpus.search(name, top_k=count + MOST_PARTS, filters=settings.filters, order="pack")
    primaries = [hit for hit in hits if hit.score >= EXACT_SCORE]
    follow = Follow(MOST_TIES, 1, edges)
    chunks = [hit.chunk for hit in primaries]
    ties = corpus.related(chunks, text, per_primary=MOST_TIES, depth=1, filters=settings.filters, follow=follow)
    in_test = {tie.chunk: is_test_path(corpus.chunk(tie.chunk).file) for tie in ties}
    ties = (
        [tie for tie in ties if in_test[tie.chunk]]
        if edges is _TESTS
        else sorted(ties, key=lambda tie: in_test[tie.chunk])
    )
    return name, primaries, ties


def _tied(text: str) -> tuple[str, tuple[str, ...]]:
    """The name whose ties a text asks for, with their edges; two empty ones where it asks something else."""
    words = _REQUEST.sub("", text.strip(), count=1)
    return next(((match["name"], edges) for form, edges in _FORMS if (match := form.fullmatch(words))), ("", ()))
