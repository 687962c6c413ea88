"""Questions about what is tied to a name: `who calls parse_query?`, `implementations of Store`, `tests for total`."""

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
_USERS, _USED = ("called_by", "used_by"), ("calls", "uses")
_SUBTYPES = ("implemented_by", "extended_by", "overridden_by")
_TESTS = ("tested_by", "called_by", "used_by")
_FORMS = [
    (re.compile(form.replace("NAME", r"[`'\"]?(?P<name>[^\s`'\"?]+?)[`'\"]?") + r"\s*[?.]?", re.IGNORECASE), edges)
    for form, edges in (
        (r"(?:which|what)\s+tests?\s+(?:covers?|tests?|calls?|uses?|exercises?)\s+NAME", _TESTS),
        (r"tests?\s+(?:for|of)\s+NAME", _TESTS),
        (r"where\s+is\s+NAME\s+tested", _TESTS),
        (r"(?:who|what|which\s+\w+)\s+(?:calls?|uses?|invokes?|references?|depends?\s+on)\s+NAME", _USERS),
        (r"(?:all\s+|the\s+)*(?:callers?|call\s+sites|users|usages?|uses|references)\s+(?:of|to)\s+NAME", _USERS),
        (r"where\s+(?:else\s+)?is\s+NAME\s+(?:called|used|invoked|referenced)(?:\s+from)?", _USERS),
        (r"where\s+do\s+we\s+(?:call|use|invoke)\s+NAME", _USERS),
        (r"(?:who|what|which\s+\w+)\s+(?:implements?|extends?|overrides?|inherits?\s+from)\s+NAME", _SUBTYPES),
        (r"(?:all\s+|the\s+)*(?:implementations?|implementers?|subclasses|subtypes|overrides)\s+of\s+NAME", _SUBTYPES),
        (r"what\s+does\s+NAME\s+(?:call|use|invoke|depend\s+on)", _USED),
        (r"(?:callees|dependencies)\s+of\s+NAME", _USED),
    )
]


def relation(corpus: Corpus, text: str, settings: Settings) -> tuple[str, Sequence[Scored], Sequence[Tie]] | None:
    """The name that a text asks about, its definitions, and what is tied to them in the way that it asks for.

    None where the text asks something else, or the name is not defined here.
    """
    form = next(((match["name"], edges) for form, edges in _FORMS if (match := form.fullmatch(text.strip()))), None)
    if form is None or settings.edges or settings.related_mode == "none":
        return None
    name, edges = form
    count = len(corpus.defined(name))
    if not 0 < count <= MOST_DEFINITIONS:
        return None
    hits = corpus.search(name, top_k=count, filters=settings.filters, order="pack")
    primaries = [hit for hit in hits if hit.score >= EXACT_SCORE]
    follow = Follow(MOST_TIES, 1, edges)
    chunks = [hit.chunk for hit in primaries]
    ties = corpus.related(chunks, text, per_primary=MOST_TIES, depth=1, filters=settings.filters, follow=follow)
    if edges is _TESTS:
        ties = [tie for tie in ties if is_test_path(corpus.chunk(tie.chunk).file)]
    return name, primaries, ties
