"""What a code pack selects: ranked places, then what the code graph ties to them; no code is read yet.

A drop of evidence ends the selection: what is far behind the best place is left out however much room there is.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from context_pack.kinds.code.corpus import Corpus
from context_pack.options.resolve import Settings
from context_pack.render import Layout
from contracts.frozen import frozen
from contracts.records import Hint
from index.search.query import parse_query
from index.types import RESEMBLES, Extent, Follow, Grade, Scored, Tie

Ranked = TypeVar("Ranked", Scored, Tie)
Has = Callable[[int], bool]  # whether the reader has a chunk, by its number

EXACT_SCORE = 0.5  # from here up a hit is exact
RANKED_SCORE = 0.499  # the score of a ranked hit that is certain
SCORE_POWER = 0.75  # of a score's share of that: how the chance that a hit is a changed place of a commit falls with it
HELD = (
    "exact.literal",
    "exact.mention",
    "exact.key",
)  # reasons for an exact hit that holds a text of the query rather than be named
NEXT_EXACT = 0.85  # of several exact hits each is worth this much of the one before
SEEDS = 10  # primary items whose ties are followed: those of worse ones seldom help
EXPLORED_DEPTH = 3
MAX_ITEMS = 1_000  # hits that are searched for some that the reader does not have
NEAR_PARTS = 250  # parts of a symbol before and behind a hit that are looked at: only generated code has more
HUNK_SHARE = 12  # of the budget, at most, for the lines that a change took out of one item
PIECE_CHARS = 80  # a line, on average, of what holds a piece of one that was cut into several parts
LEAST_CHANCE = 0.02  # that a selected hit answers: ranking can be wrong, and another place costs little
# Shares of the best ranked hit's chance below which a hit or a tie is left out. On explore questions, one line in a
# hundred of what is below must be read.
LEAST_EVIDENCE, LEAST_TIED_EVIDENCE = 0.05, 0.2


@frozen
class Question:
    """The primary items, the text that ranks what is related to them and their lines, and the format.

    `hints` are what the head or the foot of a document says, `notes` what it shows between them, but for actions.

    Chunks that the reader `has` are among the primaries, because their ties count; they are not shown. `ties` are there
    where the question asks for them.
    """

    primaries: Sequence[Scored]
    query: str
    layout: Layout
    has: Has
    grade: Grade | None = None
    notes: tuple[Hint, ...] = ()
    hints: tuple[Hint, ...] = ()
    ties: Sequence[Tie] | None = None
    title: str = ""  # what was written, where that is not the query


@dataclass(frozen=True, slots=True, eq=False)
class Hit:
    """A place that was selected, as the chunks `first` to `last` of its symbol; `best` is the one ranked or tied.

    `around` are the first and the last chunk of the symbol where other items may show the rest of it.
    `evidence` is its score as a share of the best ranked hit's, more than 1 for exact hits and their ties. `origin`
    says why: a tie makes it a related item. `pinned` are the lines that every form shows, `named` says that the query
    names the symbol.
    """

    first: int
    last: int
    best: int
    around: tuple[int, int]
    extent: Extent
    score: float
    points: float
    evidence: float
    origin: Scored | Tie
    pinned: tuple[tuple[int, int], ...] = ()
    named: bool = False


@frozen
class Selection:
    """What was selected for a query, in order: primary places, then related ones.

    `weak` are those with too little evidence to be shown; `confidence` is as the pack states it. `about_ties` says that
    the question asks for what is tied.
    """

    query: str
    hits: tuple[Hit, ...]
    weak: tuple[Hit, ...]
    corpus: Corpus
    confidence: str = ""
    about_ties: bool = False
    title: str = ""  # in place of the query in the pack


def has_nothing(number: int) -> bool:
    """The reader has none of the chunks."""
    return False


def select_primary(corpus: Corpus, query: str, settings: Settings, has: Has = has_nothing) -> list[Scored]:
    """The ranked chunks that answer the query, each once: as many as are wanted beside those that the reader has."""
    wanted = count = settings.primaries
    while True:
        ranked = once(corpus.search(query, top_k=count, filters=settings.filters, order="pack"))
        new = [place for place, scored in enumerate(ranked) if not has(scored.chunk)]
        if len(new) >= wanted or len(ranked) < count or count >= MAX_ITEMS:
            return ranked[: new[wanted - 1] + 1] if len(new) >= wanted else ranked
        count = min(2 * count, MAX_ITEMS)


def select_related(
    corpus: Corpus, query: str, primaries: Sequence[Scored], settings: Settings, has: Has = has_nothing
) -> list[Tie]:
    """What the graph ties to the primaries, best tie first, each chunk once, no primary and nothing the reader has."""
    seeds = primaries[:SEEDS]
    if not settings.related or not seeds or settings.related_mode == "none":
        return []
    chunks = [scored.chunk for scored in seeds]
    way = follow(settings, settings.related)
    pulls = () if way.explore else tuple(_chances(seeds))
    ties = corpus.related(
        chunks, query, per_primary=way.per_primary, depth=way.depth, filters=settings.filters,
        follow=replace(way, pulls=pulls),
    )  # fmt: skip
    primary = frozenset(scored.chunk for scored in primaries)
    return once(tie for tie in ties if tie.chunk not in primary and not has(tie.chunk))


def follow(settings: Settings, per_primary: int, *, alike: bool = False) -> Follow:
    """How the graph is followed: to explore, one step deeper, and from all primaries alike.

    Code that resembles a primary counts as tied if the caller says so (`alike`), if `--edges` does, and to explore.
    """
    explore = settings.related_mode == "explore"
    depth = max(settings.depth, EXPLORED_DEPTH) if explore else settings.depth
    alike = RESEMBLES in settings.edges if settings.edges else alike or explore
    return Follow(per_primary, depth, settings.edges, explore, alike)


def selection(
    corpus: Corpus, query: str, primaries: Sequence[Scored], ties: Sequence[Tie], has: Has = has_nothing
) -> Selection:
    """Both slots in order, each chunk once, without what the reader has."""
    scores = {scored.chunk: scored.score for scored in primaries}
    is_topic = parse_query(query).is_topic
    best = max((score for score in scores.values() if score < EXACT_SCORE), default=0.0)
    ahead = True  # of the best one: documents that were to come first
    hits: list[Hit] = []
    weak: list[Hit] = []
    shown: set[int] = set()
    origins: tuple[Scored | Tie, ...] = (*primaries, *ties)
    for one in origins:
        if one.chunk in shown or has(one.chunk):
            continue
        first, last, around = _extended(corpus, one.chunk, shown)
        shown.update(range(first, last + 1))
        extent = corpus.extent(first, last)
        if isinstance(one, Scored):
            score, points, lines = one.score, one.points, one.lines
            ahead = ahead and score != best
            least = 0.0 if is_topic or ahead else LEAST_EVIDENCE
        else:  # its primary's score, as far as the tie carries it
            score, points, lines = scores[one.source] * min(1.0, max(0.0, one.weight)), one.weight, ()
            least = LEAST_TIED_EVIDENCE
        evidence = score / best if best else 1.0
        named = isinstance(one, Scored) and score >= EXACT_SCORE and one.why[0].name not in HELD
        hit = Hit(first, last, one.chunk, around, extent, score, points, evidence, one, lines, named)
        (hits if evidence >= least else weak).append(hit)
    return Selection(query, tuple(hits), tuple(weak), corpus)


def _extended(corpus: Corpus, chunk: int, shown: Container[int]) -> tuple[int, int, tuple[int, int]]:
    """The first and the last chunk of a chunk's symbol, without parts that another item shows; and with them.

    A very long symbol is reduced to the parts near the chunk, a line in several chunks (minified code) to the chunk.
    """
    parts = corpus.parts(chunk)
    if len(parts) == 1 or _is_piece(corpus, chunk, parts):
        return chunk, chunk, (chunk, chunk)
    at = parts.index(chunk)
    parts = parts[max(0, at - NEAR_PARTS) : at + NEAR_PARTS + 1]
    low = high = at = parts.index(chunk)
    while low > 0 and parts[low - 1] not in shown:
        low -= 1
    while high + 1 < len(parts) and parts[high + 1] not in shown:
        high += 1
    return parts[low], parts[high], (parts[0], parts[-1])


def _is_piece(corpus: Corpus, chunk: int, parts: Sequence[int]) -> bool:
    """Whether a chunk is a piece of a line: what stands beside it is on the same line."""
    own = corpus.extent(chunk, chunk)
    if own.chars < PIECE_CHARS * (own.end_line - own.start_line + 1):
        return False
    beside = [corpus.extent(number, number) for number in (chunk - 1, chunk + 1) if number in parts]
    return any(other.end_line == own.start_line or other.start_line == own.end_line for other in beside)


def _chances(primaries: Sequence[Scored]) -> list[float]:
    """How likely each primary answers the query, 0..1; of ranked ones up to a factor that all of them share."""
    return [
        max(LEAST_CHANCE, NEXT_EXACT**place if one.score >= EXACT_SCORE else (one.score / RANKED_SCORE) ** SCORE_POWER)
        for place, one in enumerate(primaries)
    ]


def once(hits: Iterable[Ranked]) -> list[Ranked]:
    """The hits without the later ones of the same chunk."""
    firsts: dict[int, Ranked] = {}
    for one in hits:
        firsts.setdefault(one.chunk, one)
    return list(firsts.values())
