"""Questions about the ties of a name: `who calls Cart.total`, `tests for Cart`, `implementations of Store`.

The name is looked up, and the code graph followed from its definitions. If the graph knows nothing, the text of the
name is looked for.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

from chunker.kinds import ROUTINES
from context_pack.kinds.code.corpus import Corpus
from context_pack.options.resolve import Settings
from contracts.lazy_regex import lazy_regex
from contracts.records import Why
from contracts.rows import rows
from index.collection.collection import CONSTRUCTORS
from index.search.definitions import RARE, TYPES
from index.search.occurrences import distinct
from index.search.spelling import PROPER_NAMES, is_only_code, only_code_spells
from index.types import EXACT_SCORE, Follow, Scored, SymbolRow, Tie

_SUPER = lazy_regex(r"\bsuper\b|(?<![.\w>])(?:base\.|parent::)")
OF_BASE = Why("exact.symbol", 1.0, 1.0)  # the reason of a declaration that a definition overrides
MAX_DEFINITIONS = 5  # a name with more definitions counts as an ordinary word
MAX_OF_CODE = 15  # but one that only code spells so means all of these, if they have such ties
MAX_TIES, MAX_FOLLOWED = 40, 2_000  # of the ties, tests may be the heaviest
MAX_BESIDE = 5  # parts of tests that do not name what they are about
MAX_OF_FORM = 9  # words of a question about a name, including the name
MAX_PARTS = 20  # hits that may be further parts of long definitions
_USERS, _USED = ("called_by", "used_by"), ("calls", "uses")
_SUBTYPES = ("implemented_by", "extended_by", "overridden_by")
_TESTS = ("tested_by", "called_by", "used_by")
_UNKNOWN: dict[tuple[str, ...], str] = {_SUBTYPES: "no implementation or subclass of", _TESTS: "no test for"}
# Before a plain word, other kinds are words of prose: `where is the type inference defined`.
_KIND = (
    r"(?:(?:the\s+)?(?:class|enum|function|interface|method|struct|trait"
    r"|(?:component|constant|hook|macro|module|protocol|type|union|variable)(?=\s+\S*(?-i:[A-Z_.:`])\w))\s+)?"
)
_KIND_OF_KEY = (
    r"(?:argument|attribute|command|component|config(?:uration)?|constant|event|(?:feature\s+)?flag|field|hook|option"
    r"|param(?:eter)?|permission|prop(?:erty)?|route|setting|signal|(?:translation\s+)?key"
    r"|(?:(?:env|environment)\s+)?var(?:iable)?)"
)
_CODE, _SPELLED = r"(?=\S*(?-i:[A-Z_.:]))", r"[a-z0-9][A-Z]|[A-Z]{2}[a-z]{2}|\w[_.:]+\w|(?<!\w)/\w"
_NAME = rf"{_KIND}[`'\"]?(?P<name>[^\s`'\"?]+?\??)[`'\"]?"


def _pattern(form: str) -> re.Pattern[str]:
    form = form.replace("SPELLED", "(?P<spelled>)").replace("CODE", _CODE).replace("KIND", _KIND_OF_KEY)
    return lazy_regex(form.replace("NAME", _NAME) + r"\s*[?.]?", re.IGNORECASE)


_EDGES = {"users": _USERS, "used": _USED, "tests": _TESTS, "subtypes": _SUBTYPES}
_KINDS = {"explained": TYPES | ROUTINES, "type": TYPES, "owned": TYPES}  # what a form means, unless many have the name
_FORMS = [(asks, some.split(), _pattern(form)) for asks, some, form in rows(__file__, "questions.tsv")]
_IS_SPELLED, _MAY_HAVE_KEY = lazy_regex(_SPELLED), lazy_regex(rf"{_SPELLED}|\w-\w")
_REQUEST = lazy_regex(r"\A(?:please\s+)?(?:show(?:\s+me)?|find(?:\s+me)?|list|give\s+me|get)\s+", re.IGNORECASE)


def name_of(corpus: Corpus, text: str, settings: Settings) -> str:
    """The name that a text asks for, without the words around it, if it is defined here; otherwise the text itself.

    A name defined elsewhere (`where is json.dumps used?`), or a key with its kind or its command (`max_idle setting`,
    `npm run lint:fix`), is returned if it has an exact hit: places that contain it.
    """
    words = _without_request(text)
    names = _names(words, "shown", "explained", "member", "owned")
    shown = (_without_mark(corpus, name) for asks, name in names if _is_meant(corpus, asks, name))
    if name := next(filter(corpus.defined, shown), "") or _type_in(corpus, words):
        return name
    name, edges = relation_in(corpus, text)
    if edges is not _USERS or _definitions(corpus, name):
        names = _names(words, "key", "named") if _MAY_HAVE_KEY.search(words) else ()  # they take 2 ms to compile
        name = next((name for asks, name in names if _is_meant(corpus, asks, name)), "")
    hits = corpus.search(name, top_k=1, filters=settings.filters, order="pack") if name else ()
    return name if hits and hits[0].score >= EXACT_SCORE else text


@lru_cache(maxsize=32)
def _names(words: str, *kinds: str) -> tuple[tuple[str, str], ...]:
    """(what is asked for, the name) of the forms of these kinds that a text has; where only a name that prose does not
    spell so counts, no `GitHub users`. Cached because a question is read in several places."""
    text = words.lower()
    forms = (
        (asks, form) for asks, some, form in _FORMS if asks in kinds and (not some or any(map(text.__contains__, some)))
    )
    names: list[tuple[str, str]] = []
    for asks, groups in ((asks, match.groupdict()) for asks, form in forms if (match := form.fullmatch(words))):
        name = groups.get("name") or f"{groups['type']}.{groups['member']}"
        if "spelled" not in groups or (_IS_SPELLED.search(name) and name not in PROPER_NAMES):
            names.append((asks, name))
    return tuple(names)


def _is_meant(corpus: Corpus, asks: str, name: str) -> bool:
    """Whether a form means a name: `HttpClient config` for more
    than the type, `what is a state` for none of a dozen types, and `Test engine` for no member."""
    name = name.rpartition(".")[0] if asks == "owned" else name
    defined = corpus.defined(name)
    if kinds := _KINDS.get(asks):
        is_code = is_only_code(name)
        rows = [row for row in defined if row.kind in kinds and (is_code or not corpus.is_test(row.chunk))]
        most = MAX_DEFINITIONS if rows and rows[0].kind in TYPES else RARE
        return 0 < len(rows) <= (MAX_OF_CODE if is_code else most)
    return asks != "key" or all(row.kind not in TYPES for row in defined)


def _type_in(corpus: Corpus, words: str) -> str:
    """The type that a text asks for (`what is a cart`), as the tree spells it; empty if it asks for none."""
    names = (name[:1].upper() + name[1:].rstrip("?") for _, name in _names(words, "type"))
    spellings = (one for name in names for one in (name, name.removesuffix("s")))
    return next((one for one in spellings if _is_meant(corpus, "type", one)), "")


def relation(corpus: Corpus, text: str, settings: Settings) -> tuple[str, Sequence[Scored], Sequence[Tie]] | None:
    """(the name that a text asks about, its definitions, their ties of the kind that it asks for).

    None if the text asks something else, the name has no or too many definitions here, or options choose the ties.
    """
    name, edges = relation_in(corpus, text)
    if not name or settings.edges or settings.related_mode == "none":
        return None
    defined = _definitions(corpus, name)
    # A question about a type means the type, not a field of the same name.
    meant = [row for row in defined if (row.kind in TYPES) == (defined[0].kind in TYPES)]
    most = MAX_OF_CODE if only_code_spells(name) else MAX_DEFINITIONS
    if not 0 < len(meant) <= most:
        return None
    hits = corpus.search(name, top_k=len(defined) + MAX_PARTS, filters=settings.filters, order="pack")
    files = {row.file for row in meant}
    primaries = [hit for hit in hits if hit.score >= EXACT_SCORE and corpus.chunk(hit.chunk).file in files]
    chunks = [hit.chunk for hit in primaries]
    types = _constructed(corpus, meant) if edges in (_USERS, _TESTS) else []
    overridden = _declared(corpus, chunks, meant, settings) if edges in (_USERS, _TESTS) and not types else []
    declared = overridden or [row.chunk for row in types]
    ties = _ties(corpus, text, [*chunks, *declared], [*meant, *types], edges, settings)
    if overridden:  # what overrides it, too, calls it as `super`, which is not the definition
        siblings = {tie.chunk for tie in _direct(corpus, overridden, "overridden_by", settings)}
        ties = [tie for tie in ties if not (tie.chunk in siblings and _SUPER.search(corpus.chunk(tie.chunk).text))]
    if types:  # code that only names the type may register it with a container, which constructs it
        ties = [tie for tie in ties if tie.labels[0] != "used_by"] or ties
    if not ties and len(meant) > MAX_DEFINITIONS:
        return None
    if edges is _SUBTYPES:  # of several types of the name, the one that most have as their base
        counts = Counter(part for tie in ties for part in corpus.parts(tie.source))
        primaries = sorted(primaries, key=lambda hit: -counts[hit.chunk])
    bases = {one for one in declared if one not in chunks}.intersection(tie.source for tie in ties)
    if bases:
        from context_pack.kinds.code.removed import primary

        primaries += [primary(one, OF_BASE, best=EXACT_SCORE) for one in dict.fromkeys(declared) if one in bases]
    return types[0].qualified if types else name, primaries, ties[:MAX_TIES]


def _constructed(corpus: Corpus, meant: Sequence[SymbolRow]) -> list[SymbolRow]:
    """The types of constructors: code calls a constructor by the name of its type."""
    routines = ((row, row.qualified.rpartition(".")[0]) for row in meant if row.kind in ROUTINES)
    places = {(row.file, owner) for row, owner in routines if row.name in {*CONSTRUCTORS, owner.rpartition(".")[2]}}
    return [row for file, owner in sorted(places) for row in corpus.defined(owner) if row.file == file]


def _definitions(corpus: Corpus, name: str) -> list[SymbolRow]:
    """The definitions of a name; of one that only code spells so, else the fields of types."""
    return corpus.defined(name) or (corpus.fields(name) if is_only_code(name) else [])


def _direct(corpus: Corpus, chunks: Sequence[int], label: str, settings: Settings) -> list[Tie]:
    return corpus.related(chunks, "", Follow(MAX_FOLLOWED, 1, (label,)), filters=settings.filters)


def _declared(corpus: Corpus, chunks: Sequence[int], meant: Sequence[SymbolRow], settings: Settings) -> list[int]:
    """The chunks of the declarations that the definitions override: code calls those of an interface."""
    names = {row.name for row in meant}
    ties = (tie for tie in _direct(corpus, chunks, "overrides", settings) if tie.labels == ("overrides",))
    return [tie.chunk for tie in ties if any(row.name in names for row in corpus.defined_at(tie.chunk, minor=True))]


def _ties(
    corpus: Corpus, text: str, chunks: Sequence[int], meant: Sequence[SymbolRow], edges: tuple[str, ...],
    settings: Settings,
) -> list[Tie]:  # fmt: skip
    """The ties of definitions with these edges, code before tests, and the calls of interfaces that they implement; if
    the graph knows no users, their subtypes; if it knows none or no tests, the places that contain the name."""
    ties = corpus.related(chunks, text, Follow(MAX_FOLLOWED, 1, edges), filters=settings.filters)
    if edges is _USED:  # the index follows an edge in both directions
        return [tie for tie in ties if tie.labels[0] in _USED]
    from context_pack.kinds.code.ties import ties_of
    from context_pack.kinds.code.users import MENTIONED, callers_by_interface, implementers_of, users_of

    ties = ties_of(corpus, meant, ties) if corpus.defined(meant[0].qualified) else []
    if edges is _SUBTYPES:
        passes = corpus.allowed(settings.filters)
        implicit = implementers_of(corpus, [row.chunk for row in meant if row.kind in TYPES])
        return distinct([*ties, *(tie for tie in implicit if passes(tie.chunk))])

    def is_wanted(tie: Tie) -> bool:
        return edges is not _TESTS or corpus.is_test(tie.chunk)

    if edges is _USERS and not ties:  # of an interface that only its implementations name
        ties = corpus.related(chunks, text, Follow(MAX_FOLLOWED, 1, _SUBTYPES), filters=settings.filters)
    by_name = callers_by_interface(corpus, meant) if edges is _USERS else []
    if not any(map(is_wanted, ties)):
        by_name += users_of(corpus, meant, lambda row: row.kind in MENTIONED and only_code_spells(row.name))
    if by_name:
        passes = corpus.allowed(settings.filters)
        ties = distinct([*ties, *(tie for tie in by_name if tie.source in chunks and passes(tie.chunk))])
        ties += _beside(corpus, text, [*filter(is_wanted, ties)], settings) if edges is _TESTS else ()
    return _tests_last(corpus, [*filter(is_wanted, ties)])


def _beside(corpus: Corpus, text: str, ties: Sequence[Tie], settings: Settings) -> list[Tie]:
    """Ties to the other parts of the tests that name something, best first, where a test is no symbol: `describe` says
    what all of its parts are about."""
    rows = ((corpus.chunk(tie.chunk), tie) for tie in reversed(ties))
    files = {row.file: tie for row, tie in rows if not row.symbol}
    hits = corpus.search(text, top_k=MAX_TIES, filters=settings.filters, order="pack") if files else ()
    beside = ((hit.chunk, files.get(corpus.chunk(hit.chunk).file)) for hit in hits)
    named = {tie.chunk for tie in ties}
    ties = [replace(tie, chunk=chunk, labels=("tested_by",)) for chunk, tie in beside if tie and chunk not in named]
    return ties[:MAX_BESIDE]


def _tests_last(corpus: Corpus, ties: Sequence[Tie]) -> list[Tie]:
    """The ties to code, then those to tests, which weigh no more than any of these: a hundred tests say less than one
    guess."""
    tests = [tie for tie in ties if corpus.is_test(tie.chunk)]
    code = [tie for tie in ties if not corpus.is_test(tie.chunk)]
    least = min((tie.weight for tie in code), default=1.0)

    def behind(tie: Tie) -> Tie:
        part = "behind_code", 1.0, round(least - tie.weight, 4)
        return replace(tie, weight=least, reasons=lambda: (*tie.parts, part)) if part[2] < 0 and tie.parts else tie

    return [*code, *map(behind, tests)]


def unknown(corpus: Corpus, text: str, name: str) -> str:
    """The start of a sentence: what the code graph does not know of the name that a text asks about."""
    return f"The code graph has {_UNKNOWN.get(relation_in(corpus, text)[1], 'no such relation for')} {name}"


def relation_in(corpus: Corpus, text: str) -> tuple[str, tuple[str, ...]]:
    """The name whose ties a text asks for, and their edges; both empty if it asks something else."""
    asks, name = next(iter(_names(_without_request(text), *_EDGES)), ("", ""))
    return _without_mark(corpus, name), _EDGES.get(asks, ())


def _without_mark(corpus: Corpus, name: str) -> str:
    """The name without a question mark that is no part of it (Ruby's `empty?`)."""
    ends = name.endswith("?") and not any(row.name.endswith("?") for row in corpus.defined(name))
    return name[:-1] if ends else name


def _without_request(text: str) -> str:
    """The text without a request such as `show me`; empty if it has more words than any form."""
    words = _REQUEST.sub("", text.strip(), count=1)
    return words if len(words.split()) <= MAX_OF_FORM else ""
