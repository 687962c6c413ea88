"""The selection of a code pack: ranked places, then places that the code graph ties to them. No code is read yet.

Places with far less evidence than the best one are left out, however much room there is.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import chain, zip_longest
from typing import TYPE_CHECKING

from context_pack.core.text import lines_naming, whole_word
from context_pack.kinds.code.corpus import Corpus
from context_pack.options.resolve import Settings
from contracts.frozen import frozen
from contracts.records import Hint, Why
from index.roles import in_any_language
from index.search.query import parse_query
from index.search.related import labels_of
from index.search.scope import distinct
from index.search.spelling import symbol_of
from index.types import EXACT_SCORE, RANKED_SCORE, RESEMBLES, Extent, Follow, Grade, Scored, Tie

if TYPE_CHECKING:
    from context_pack.render.changed import Change

LinesOf = Mapping[int, tuple[tuple[int, int], ...]]  # of chunks, by their numbers
Has = Callable[[int], bool]  # whether the reader has a chunk, by its number
has_nothing: Has = frozenset[int]().__contains__

SCORE_POWER = 0.75  # the chance that a hit is a changed place of a commit falls as (score / RANKED_SCORE) to this power
# Reasons for an exact hit that the query does not name: it has a text of the query, or is a member of a named type.
KEYS = ("exact.key", "exact.part")
TEXTS = ("exact.literal", "exact.mention", "exact.member", *KEYS)
# Reasons for an exact hit whose lines are pinned together with those of other chunks of its symbol. Beside a place, the
# declaration of its symbol is such a hit, which is shown anyway.
OCCURRENCES = ("exact.frame", "exact.message", *KEYS, "exact.code")
CHANGED = "changed"  # the reason for a changed place
POINTING = ("exact.path", *OCCURRENCES)  # reasons for a hit whose lines the query points at
PLACES = ("exact.path", "exact.frame")  # reasons for an exact hit whose lines the query names
MAX_MORE = 8  # further chunks whose lines are pinned: a key may occur in many
NEXT_EXACT = 0.85  # each exact hit is worth this much of the one before it
SEEDS = 10  # primary items whose ties are followed: ties of later ones seldom help
MAX_ITEMS = 1_000  # at most so many hits are searched for some that the reader does not have
NEAR_PARTS = 250  # parts of a symbol considered before and after a hit: only generated code has more
HUNK_SHARE = 12  # the removed lines shown with one item get at most a twelfth of the budget
MIN_CHANCE = 0.02  # least chance that a selected hit answers: ranking can be wrong, and one more place costs little
# Hits and ties with less than this share of the best ranked hit's score are left out. On explore questions, one in a
# hundred of the lines left out must be read.
MIN_EVIDENCE, MIN_TIED_EVIDENCE = 0.05, 0.2


@frozen
class Question:
    """The primary items, and the text that ranks related items and lines.

    `hints` and `notes` become hints of the answer; a document also shows the notes, except actions, before its items.

    Chunks that the reader `has` are among the primaries, because their ties count; they are not shown. `ties` are set
    if the question asks for them; `named_at` are the lines of these chunks that name what the question is about. The
    pack shows `title` instead of the query, if it is set. The ties of each list in `beside` take turns with those of
    the graph.
    """

    primaries: Sequence[Scored]
    query: str
    has: Has = has_nothing
    grade: Grade | None = None
    notes: tuple[Hint, ...] = ()
    hints: tuple[Hint, ...] = ()
    ties: Sequence[Tie] | None = None
    named_at: LinesOf | None = None
    title: str | None = None
    change: Change | None = None
    beside: tuple[Sequence[Tie], ...] = ()

    @property
    def confidence(self) -> str:
        """As a pack states it: empty if strong."""
        return self.grade.confidence if self.grade and self.grade.confidence != "strong" else ""

    @property
    def definitions(self) -> list[Scored]:
        """The definitions of the name that the question consists of; none of a plain word, which may mean a concept,
        although something has this name: `validation`."""
        is_word = self.query.isalpha() and self.query.islower()
        if self.ties is not None or is_word or not symbol_of(self.query):
            return []
        exact = (one for one in self.primaries if one.score >= EXACT_SCORE)
        return [one for one in exact if one.reason == "exact.symbol"][:SEEDS]


def primary(chunk: int, why: Why, lines: tuple[tuple[int, int], ...] = (), best: float = 1.0) -> Scored:
    """A primary item; `lines` are shown by every form of it, `best` is its score if it is the first item."""
    return Scored(chunk, best, why.points, lambda: (why,), lines)


@frozen
class Hit:
    """A selected place: the chunks `first` to `last` of its symbol. `best` is the chunk that was ranked or tied.

    Hits compare by identity, the key of what is cached for each. `around` are the first and the last chunk of the
    symbol, including parts that other items may show. `evidence` is the score as a share of the best ranked hit's: more
    than 1 for exact hits and their ties. `origin` is the reason; a tie makes it a related item. `pinned` are lines that
    every form shows; `named` means that the query names the symbol.
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

    @property
    def pin(self) -> str:
        """The reason for which lines are pinned; empty if none are."""
        return self.reason if self.pinned else ""

    @property
    def reason(self) -> str:
        """Why a place was found; empty for a related one."""
        return self.origin.reason if isinstance(self.origin, Scored) else ""

    __eq__ = object.__eq__
    __hash__ = object.__hash__


@frozen
class Selection:
    """The places selected for a question, in order: primary places, then related ones.

    `weak` are places with too little evidence to be shown.
    """

    about: Question
    hits: tuple[Hit, ...]
    weak: tuple[Hit, ...]
    corpus: Corpus


def is_left_out(one: Scored | Tie, has: Has) -> bool:
    """Whether the reader has a chunk, unless the query names its lines: whoever asks for them wants to see them."""
    if not has(one.chunk):
        return False
    return isinstance(one, Tie) or not one.lines or one.reason not in PLACES


def select_primary(corpus: Corpus, query: str, settings: Settings, has: Has) -> list[Scored]:
    """The best ranked chunks, each once: as many new ones as wanted, and those between them that the reader has; of
    translations those in one language."""
    wanted = count = settings.primaries
    while True:
        every = corpus.search(query, top_k=count, filters=settings.filters, order="pack")
        ranked = _in_one_language(corpus, distinct(every))
        new = [place for place, scored in enumerate(ranked) if not is_left_out(scored, has)]
        if len(new) >= wanted or len(every) < count or count >= MAX_ITEMS:
            return ranked[: new[wanted - 1] + 1] if len(new) >= wanted else ranked
        count = min(2 * count, MAX_ITEMS)


def _in_one_language(corpus: Corpus, hits: Sequence[Scored]) -> list[Scored]:
    """The hits without the ranked ones in translations of files that an earlier one is in, too, in another language."""
    files, shown = dict[str, str](), list[Scored]()
    for hit in hits:
        path = corpus.path_of(hit.chunk)
        text = in_any_language(path)
        if not text or files.setdefault(text, path) == path or hit.score >= EXACT_SCORE:
            shown.append(hit)
    return shown


def select_related(corpus: Corpus, about: Question, settings: Settings) -> list[Tie]:
    """Chunks that the graph ties to the primaries, best first, each once; no primaries and none that the reader has.

    Of a name, those that are tied to its definitions, also if they are primaries because they share a word with it.
    """
    definitions = about.definitions
    seeds = definitions or about.primaries[:SEEDS]
    if not settings.related or not seeds or settings.related_mode == "none":
        return []
    chunks = [scored.chunk for scored in seeds]
    way = follow(settings, settings.related * len(about.primaries[:SEEDS]) // len(seeds))
    pulls = () if way.explore else tuple(_chances(seeds))
    tied = corpus.related(chunks, about.query, replace(way, pulls=pulls), filters=settings.filters)
    ties = [tie for turn in zip_longest(tied, *about.beside) for tie in turn if tie] if about.beside else tied
    scores = {one.chunk: one.score for one in about.primaries}
    most = EXACT_SCORE if definitions else 0.0
    new = (tie for tie in ties if tie.chunk not in scores or (scores[tie.chunk] < most and is_direct(tie)))
    return distinct(tie for tie in new if not about.has(tie.chunk))


def is_direct(tie: Tie) -> bool:
    """Whether a place uses the source of a tie, or is used by it: it is no class around it and no member of it."""
    return tie.distance == 1 and not tie.labels[0].startswith("contain")


def with_users(corpus: Corpus, about: Question, ties: Sequence[Tie]) -> Question:
    """The question with the lines on which users name what it is about: the changed places, or the definitions of a
    name, then without the primaries that are tied to these."""
    if about.change is not None:
        return replace(about, named_at=_lines_of_callers(corpus, ties))
    if not about.definitions:
        return about
    named_at, tied = lines_of_users(corpus, filter(is_direct, ties), about.query), {tie.chunk for tie in ties}
    return replace(about, primaries=[one for one in about.primaries if one.chunk not in tied], named_at=named_at)


def lines_of_users(corpus: Corpus, ties: Iterable[Tie], name: str) -> LinesOf:
    """The lines on which the users among tied places name what they are tied to."""
    holds = whole_word(symbol_of(name).rpartition(".")[2] or name)
    users = {tie.chunk for tie in ties if tie.labels[0].endswith("_by")}
    return {chunk: lines_naming(corpus.chunk(chunk), holds) for chunk in users}


def _lines_of_callers(corpus: Corpus, ties: Iterable[Tie]) -> LinesOf:
    """The lines on which the direct users among tied places name what each of them is tied to."""
    lines: dict[int, tuple[tuple[int, int], ...]] = {}
    for tie in ties:
        if tie.distance == 1 and tie.labels[0] in ("called_by", "used_by"):
            name = (corpus.chunk(tie.source).symbol or "").rpartition(".")[2]
            lines[tie.chunk] = lines_naming(corpus.chunk(tie.chunk), whole_word(name)) if name else ()
    return lines


def follow(settings: Settings, per_primary: int, *, alike: bool = False) -> Follow:
    """How to follow the graph; in `explore` mode, from all primaries alike.

    Code that resembles a primary counts as tied if `--edges` lists it; without `--edges`, if `alike` or to explore.
    """
    explore = settings.related_mode == "explore"
    alike = RESEMBLES in settings.edges if settings.edges else alike or explore
    return Follow(per_primary, settings.depth, settings.edges, explore, alike)


def wants(settings: Settings, label: str) -> bool:
    """Whether ties with this label are wanted: all without `--edges`."""
    return not settings.edges or label in labels_of(settings.edges)


def selection(corpus: Corpus, about: Question, ties: Sequence[Tie], *, whole: bool = False) -> Selection:
    """The selection: primaries, then ties, each chunk once, without chunks that the reader has.

    `whole`: items are not cut, so that a hit in a long line has all of it, as one has that the query names; others have
    the piece that was found.
    """
    scores = {scored.chunk: scored.score for scored in about.primaries}
    named_at, is_topic = about.named_at or {}, parse_query(about.query).is_topic
    best = max((score for score in scores.values() if score < EXACT_SCORE), default=0.0)
    exact = [scored for scored in about.primaries if scored.score >= EXACT_SCORE and scored.lines]
    together = [scored for scored in exact if scored.reason in (*OCCURRENCES, CHANGED)]
    ahead = True  # until the best ranked hit: hits before it are documents that were asked to come first
    hits: list[Hit] = []
    weak: list[Hit] = []
    shown: set[int] = set()
    origins: tuple[Scored | Tie, ...] = (*about.primaries, *ties)
    for one in origins:
        if one.chunk in shown or is_left_out(one, about.has):
            continue
        pieces = corpus.pieces(one.chunk)
        if len(pieces) > 1:
            all_of_it = whole or (isinstance(one, Scored) and one.lines and one.reason == "exact.path")
            first, last = (pieces[0], pieces[-1]) if all_of_it else (one.chunk, one.chunk)
            around = first, last
        else:
            first, last, around = _extended(corpus, one.chunk, shown)
        shown.update(range(first, last + 1), pieces)
        extent = corpus.extent(first, last)
        if isinstance(one, Scored):
            score, points, lines = one.score, one.points, _pinned(one, together, first, last)
            ahead = ahead and score != best
            least = 0.0 if is_topic or ahead else MIN_EVIDENCE
        else:  # the score of its primary times the tie's weight
            score, points = scores[one.source] * min(1.0, max(0.0, one.weight)), one.weight
            lines = named_at.get(one.chunk, ())
            least = MIN_TIED_EVIDENCE
        evidence = score / best if best else 1.0
        named = isinstance(one, Scored) and score >= EXACT_SCORE and one.reason not in TEXTS
        hit = Hit(first, last, one.chunk, around, extent, score, points, evidence, one, lines, named)
        (hits if evidence >= least else weak).append(hit)
    return Selection(about, tuple(hits), tuple(weak), corpus)


def _pinned(one: Scored, together: Sequence[Scored], first: int, last: int) -> tuple[tuple[int, int], ...]:
    """The lines of a hit that every form shows: its own, then those of its other chunks that were found alike."""
    if one not in together:
        return one.lines
    others = [
        hit.lines[:1] if one.reason in KEYS else hit.lines
        for hit in together
        if first <= hit.chunk <= last and hit is not one and hit.reason == one.reason
    ]
    return (*one.lines, *chain.from_iterable(others[:MAX_MORE]))


def _extended(corpus: Corpus, chunk: int, shown: Container[int]) -> tuple[int, int, tuple[int, int]]:
    """(first, last, around): the chunks of a chunk's symbol without parts that other items show; `around` is with them.

    A very long symbol is reduced to the parts near the chunk.
    """
    parts = corpus.parts(chunk)
    around = max(parts[0], chunk - NEAR_PARTS), min(parts[-1], chunk + NEAR_PARTS)
    first = last = chunk
    while first > around[0] and first - 1 not in shown:
        first -= 1
    while last < around[1] and last + 1 not in shown:
        last += 1
    return first, last, around


def _chances(primaries: Sequence[Scored]) -> list[float]:
    """The chance that each primary answers the query, 0..1; for ranked ones, up to a factor that they all share."""
    return [
        max(MIN_CHANCE, NEXT_EXACT**place if one.score >= EXACT_SCORE else (one.score / RANKED_SCORE) ** SCORE_POWER)
        for place, one in enumerate(primaries)
    ]
