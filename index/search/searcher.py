"""Ranks the chunks of an index for a query: exact hits first, then in order `files` the best chunks of the best files,
in order `lines` the best chunks of any file. In a topic's pack, those of files not shown yet gain points."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache, partial
from itertools import chain, islice
from typing import TYPE_CHECKING

import numpy as np

from chunker.kinds import KINDS, TYPES
from contracts.frozen import frozen
from contracts.records import Why
from index.arithmetic import best, is_in
from index.collection.collection import Collection
from index.collection.reader import FileLines
from index.embed.static import StaticEmbedder
from index.search.exact import exact_hits, is_soft
from index.search.passages import Passages, points_of_chunks, rank_passages
from index.search.places.locations import Locations, locate
from index.search.query import Query, parse_query
from index.search.ranker import FILTERED_OUT, Ranker, parts, reasons
from index.search.scope import Location, SearchScope
from index.search.signals.files import Measurement
from index.search.signals.pool import BEHIND, behind
from index.segment.columns import Array, offsets_of
from index.types import EXACT_SCORE, RANKED_SCORE, ChunkId, Filters, First, Grade, Order, Scored

if TYPE_CHECKING:
    from index.search.query.own_names import OwnNames

CANDIDATE_FILES = 200
POOL_FILES = 48  # best candidate files whose chunks are ranked; more if more hits are wanted
EXACT_STEP = 0.001  # part of the contract: exact hits score 1.0, 0.999, 0.998, ...
AHEAD_IN_FILE = 0.01  # lead in points of a place that the query names over the best other place of its file
STANDS_OUT = 2.5  # standard deviations above the average cosine of the query
OF_TEXTS = ("message", "literal")  # reasons for exact hits that contain a text of the query

# Reasons for exact hits that are sorted by how well they fit a long sentence, each among themselves; a hit that is one
# of the first NEAR_TOP ranked places fits. Chosen on commit subjects of 38 repositories. For those of 21 others, 28
# packs begin otherwise, and the first item shows a changed line in 0.54 of them, not in 0.36.
BY_FIT, NEAR_TOP = ("named", "mention"), 3

# Points that a place of a topic's pack gains if no earlier one is in its file: so many in the best file, in others
# these divided by the root of their rank, and FURTHER more for each place after the first FEW. Chosen on topics about
# 20 repositories whose answers were marked line by line, 200 of up to three words and 112 longer ones, and on the
# recall of files by packs for the public suite. Within 4,000 characters, the packs of both show 0.41 and 0.39 of the
# lines that must be read (in the order of files 0.27 and 0.28). Without a gain, packs for 201 commits show 0.45 of the
# changed lines, but 0.71 of the changed files; with it, 0.42 and 0.78.
NEW_FILE_OF_CONCEPT, NEW_FILE_OF_TOPIC = 1.0, 3.0
FEW, FURTHER = 4, 0.2
OUTSIDE = ("test", "aside", "generated")  # signals of files that no topic is about, unless it asks for them


@frozen
class Ranking:
    """The chunks of the best files, in ascending order, with their points."""

    chunks: Array
    points: Array
    keys: Array  # sort keys, smallest first; of equal ones, the first in `chunks` comes first
    file_of: Array  # row in `files` of each chunk
    best_of: Array  # position in `chunks` of the best chunk of that file
    rank_in_file: Array
    files: Array
    file_parts: Array
    named: Array  # float64: points that a chunk gains within its file if the query names it


def _keys(points: Array, is_behind: Array) -> Array:
    """Sort keys: by points, best first; rows that are behind come after all others."""
    return -np.round(points, 6) + BEHIND * is_behind


def candidate_files(measured: Measurement, allowed: Array) -> Array:
    """The files worth a closer look, ascending: the best by words, by meaning, by name."""
    fit = allowed.nonzero()[0]
    if len(fit) <= CANDIDATE_FILES:
        return fit
    chosen = np.zeros(len(allowed), bool)
    for name in ("bm25_file", "bm25_chunk", "dense_chunk", "cover_names", "cover_file_name"):
        chosen[fit[best(measured.file[name][fit], CANDIDATE_FILES // 4)]] = True
    return chosen.nonzero()[0]


@dataclass(frozen=True)
class Question:
    """A question with its measurements, made once per pack; `allowed` says which files may be candidates.

    `whole` is the query with the project's own name, which is not measured.
    """

    text: str
    whole: Query
    filters: Filters
    located: Locations | None
    measured: Measurement
    allowed: Array
    ranker: Ranker
    is_usual: Callable[[str], bool]

    @cached_property
    def files(self) -> Array:
        """The files worth a closer look, ascending."""
        return candidate_files(self.measured, self.allowed)

    @cached_property
    def file_parts(self) -> Array:
        """float64[tables, files]."""
        return parts(self.ranker.file, self.measured.file, self.files)

    @cached_property
    def file_points(self) -> Array:
        """float64[files]."""
        return self.file_parts.sum(axis=0)

    @cached_property
    def exact(self) -> list[Location]:
        """The exact hits, best first."""
        collection = self.measured.collection
        points = np.full(len(collection.files), -99.0)
        points[self.files] = self.file_points
        scope = SearchScope(collection, self.allowed, points, FileLines(collection), self.is_usual)
        if self.whole is not self.measured.query:  # a message may contain the project's name
            texts = exact_hits(scope, self.whole, self.located)
            if texts and texts[0].why in OF_TEXTS:
                return texts
        return exact_hits(scope, self.measured.query, self.located)

    @property
    def first(self) -> First:
        """What comes first, by the options or by the question."""
        return "documents" if self.filters.docs == "first" else "tests" if self.measured.query.wants_tests else ""

    @cached_property
    def passages(self) -> Passages:
        """The chunks measured closely, best first."""
        return rank_passages(self.ranker, self.measured, self.files, self.file_points, self.first)

    @cached_property
    def places(self) -> list[int]:
        """The places in the pool of the passages with evidence, best first.

        There are none if no word is shared, because nearness in meaning is then chance.
        """
        evident = self.is_evident(self.passages.pool.chunks)[self.passages.order]
        return self.passages.order[evident].tolist() if self.measured.terms.terms else []

    @cached_property
    def grade(self) -> Grade:
        """How sure it is that this repository has an answer."""
        query, evidence = self.measured.query, self.passages.evidence
        if not self.allowed.any():
            return FILTERED_OUT
        if self.places and not self.exact and not query.words:
            return Grade("none", "the query has no distinctive word")
        if self.exact and self.exact[0].why == "part":
            return Grade("weak", "only parts of this route, or another method, are declared here")
        grade = self.ranker.grade(evidence, self.exact, self.places)
        name = query.symbol if query.names_code else query.key
        if grade.confidence == "strong" and not self.exact and name and evidence["named"] < 1:
            matched = grade.reason.partition(";")[0]  # the evidence does not decide here
            return Grade("weak", f"nothing is named {name} here; {matched}")
        return grade

    def is_evident(self, chunks: Array) -> Array:
        """bool[chunks]: whether the query names the file or shares a word with it, or the chunk's cosine stands out."""
        measured = self.measured
        signals = measured.file
        shared = measured.cover_file + signals["cover_file_name"] + signals["path"]
        matched: Array = shared[measured.collection.chunks.file[chunks]] > 0
        return matched | (measured.chunk["dense"][chunks] >= STANDS_OUT)


def rank(question: Question, top_k: int, named: Sequence[int] = ()) -> Ranking:
    """Rank the chunks of the best files; ties are broken by path and position; documents or tests may come first.

    The `named` chunks come first in their files.
    """
    measured, first = question.measured, question.first
    files, file_parts, file_points = question.files, question.file_parts, question.file_points
    wanted = max(POOL_FILES, 2 * top_k)
    if len(files) > wanted:
        keys = _keys(file_points, behind(measured, first, files))
        chosen = best(-keys, wanted)
        files, file_parts, file_points = files[chosen], file_parts[:, chosen], file_points[chosen]
    pool = measured.collection.chunks_of(files)
    row = files.searchsorted(measured.collection.chunks.file[pool])
    lengths = np.bincount(row, minlength=len(files))
    inner = points_of_chunks(question.ranker, measured, pool).round(6)
    gain = np.zeros(len(pool))
    if named:
        best_inner = np.full(len(files), -np.inf)
        np.maximum.at(best_inner, row, inner)
        gain = np.where(is_in(pool, np.array(sorted(named))), best_inner[row] + AHEAD_IN_FILE - inner, 0.0).round(6)
        inner = (inner + gain).round(6)
    # By file, then by points, then by position, which is the order of the pool. Two bytes sort fastest.
    order = np.lexsort((-inner, row.astype(np.uint16)))
    starts = offsets_of(lengths)[:-1]
    rank_in_file = np.empty(len(pool), np.int64)
    rank_in_file[order] = np.arange(len(pool)) - np.repeat(starts, lengths)
    best_of = order[starts][row]
    repeat = np.array([0.0, *question.ranker.repeat])
    cost = repeat[np.minimum(rank_in_file, len(repeat) - 1)]
    total = file_points[row] + inner - inner[best_of] - cost
    keys = _keys(total, behind(measured, first, files[row], pool))
    return Ranking(pool, total, keys, row, best_of, rank_in_file, files, file_parts, gain)


SecondSignal = Callable[[str], Array | None]  # float32[chunks], standardised like `dense`; None while it is not ready


def _locate(collection: Collection, text: str, filters: Filters) -> Locations | None:
    """The places that a query points at; a declared route reads like the path of a file: `/carts/12.json`."""
    located = locate(collection, text, filters)
    if located is None or located.missing is None or not text.startswith("/"):
        return located
    from index.search.routing.routes import declared

    scope = SearchScope.unranked(collection, collection.allowed_files(filters))
    is_route = any(declared(scope, *route)[1] for route in parse_query(text).routes)
    return None if is_route else located


class Searcher:
    """Answers queries over one generation with one model, one ranker, and a `second` signal: that of a transformer."""

    def __init__(
        self, collection: Collection, embedder: StaticEmbedder, ranker: Ranker, second: SecondSignal | None = None
    ) -> None:
        self.collection = collection
        self.embedder = embedder
        self.ranker = ranker
        self.second = second
        # A pack needs them several times. A cache of a bound method would keep the index's files open.
        self.locations = lru_cache(1)(partial(_locate, collection))
        self._last_question: Question | None = None

    @cached_property
    def _own_names(self) -> OwnNames:
        from index.search.query.own_names import OwnNames

        return OwnNames(self.collection)

    def search(self, text: str, top_k: int, filters: Filters, order: Order = "files") -> list[Scored]:
        """See `Index.search`."""
        question = self.question(text, filters, again=self.second is not None)
        measured = question.measured
        if measured.query.wants_lines(order):
            return list(self._by_lines(question, top_k))
        exact = question.exact
        soft: dict[int, tuple[tuple[int, int], ...]] = {
            one.chunk: one.lines for one in exact if order == "files" and is_soft(measured.query, one.why)
        }
        places = self._by_files(question, top_k, list(soft))
        if order == "pack" and not question.first:  # what comes first does so in all files
            places = chain(self._spread(question), places)
        elif soft:
            places = (replace(one, lines=soft.get(one.chunk, ())) for one in places)
        firm = _exact(one for one in exact if one.chunk not in soft)
        # If no word is shared, nearness in meaning is chance.
        return list(self._first(firm, places if measured.terms.terms else (), top_k))

    def question(self, text: str, filters: Filters, *, again: bool = False) -> Question:
        """The measured question; the last one is reused, because a pack also needs its grade.

        `again`: measure it anew, because a transformer may have more vectors.
        """
        question = self._last_question
        if question is None or again or (question.text, question.filters) != (text, filters):
            located = self.locations(text, filters)
            query = whole = parse_query(located.words if located else text)
            if query.kind == "words" and not query.title:
                plain = self._own_names.without(query.text)
                query = parse_query(plain) if plain != query.text else query
            rarity = partial(self.collection.lexical.idf_of, leading=query.leading)
            vector = self.embedder.embed_query(query.text, rarity) if query.terms else None
            second = self.second(query.text) if self.second and query.terms else None
            measured = Measurement(self.collection, query, vector, second)
            allowed = self.collection.allowed_files(filters)
            question = Question(text, whole, filters, located, measured, allowed, self.ranker, self.embedder.knows)
            self._last_question = question
        return question

    def evidence(self, text: str, filters: Filters) -> float:
        """The evidence that this repository has an answer, in points that are comparable between repositories."""
        return round(self.ranker.evidence_points(self.question(text, filters).passages.evidence), 4)

    def near_in_meaning(self, text: str, limit: int) -> list[str]:
        """The symbols of code that are nearest in meaning to a text of words that the model knows, nearest first; none
        whose nearness may be chance."""
        question, collection = self.question(text, Filters()), self.collection
        terms = question.measured.query.terms
        if not terms or not all(map(self.embedder.knows, terms)):
            return []
        dense = question.measured.chunk["dense"]
        chunks = np.flatnonzero(dense >= STANDS_OUT)
        nearest = collection.code_among(chunks[np.argsort(-dense[chunks], kind="stable")])
        symbols = map(collection.symbol_of, nearest)
        return [*islice(dict.fromkeys(filter(None, symbols)), limit)]

    def _by_lines(self, question: Question, top_k: int) -> Iterator[Scored]:
        """The hits by lines."""
        places = (self._passage(question.passages, place) for place in question.places)
        return self._first(_exact(_best_fit_first(question)), places, top_k)

    def _by_files(self, question: Question, top_k: int, named: Sequence[int]) -> Iterator[Scored]:
        """The places with evidence by files; ranked when the first one is read: a topic's pack rarely needs any."""
        ranking = rank(question, top_k, named)
        evident = question.is_evident(ranking.chunks)
        for place in ranking.keys.argsort(kind="stable").tolist():
            if evident[place]:
                yield self._scored(question.measured, ranking, place)

    def _spread(self, question: Question) -> Iterator[Scored]:
        """A topic's places, best first, if places in other files than the earlier ones gain points.

        Tests, generated files and the like come last. The gain raises no score, and no score is higher than the one
        before it. Places are made as they are read: few are shown.
        """
        measured, passages = question.measured, question.passages
        places = np.array(question.places, np.int64)
        file = passages.pool.file[places]
        outside = np.add.reduce([measured.file[role] for role in OUTSIDE]) > 0
        points = passages.points[places] - BEHIND * outside[file]
        rank_of_file = np.empty(len(measured.collection.files))
        by_points = question.files[(-question.file_points.round(6)).argsort(kind="stable")]
        rank_of_file[by_points] = np.arange(1, len(by_points) + 1)
        of_new_file = NEW_FILE_OF_CONCEPT if measured.query.is_concept else NEW_FILE_OF_TOPIC
        gain = of_new_file / np.sqrt(rank_of_file[file])  # of each place; 0 once its file is shown
        score = RANKED_SCORE
        for number in range(len(places)):
            gains = gain * (1 + FURTHER * max(0, number - FEW))
            at = int((points + gains).argmax())
            one = self._passage(passages, int(places[at]), score, round(float(gains[at]), 4))
            score = one.score
            yield one
            points[at], gain[file == file[at]] = -np.inf, 0.0

    def _first(self, exact: Iterable[Scored], places: Iterable[Scored], top_k: int) -> Iterator[Scored]:
        """The exact hits, then other places, at most `top_k`; each chunk once, and of each long line the best piece."""

        def hits() -> Iterator[Scored]:
            used: set[int] = set()
            for one in chain(exact, places):
                if one.chunk not in used:
                    used.update(self.collection.pieces_of(ChunkId(one.chunk)))
                    yield one

        return islice(hits(), top_k)

    def _passage(self, passages: Passages, place: int, most: float = RANKED_SCORE, gain: float = 0.0) -> Scored:
        """A place as a hit, with a score of at most `most`, and with the points of a file that is not shown yet, which
        count for its place, not for its score."""
        points = float(passages.points[place])
        score = min(most, round(RANKED_SCORE * self.ranker.passage_chance(points), 6))

        def why() -> tuple[Why, ...]:
            more = (Why("new_file", 1.0, gain),) if gain else ()
            return (*passages.reasons(self.ranker, place), *more)

        return Scored(int(passages.pool.chunks[place]), score, round(points + gain, 4), why)

    def _scored(self, measured: Measurement, ranking: Ranking, place: int) -> Scored:
        points = round(float(ranking.points[place]), 4)
        score = round(RANKED_SCORE * self.ranker.chance(points), 6)
        return Scored(int(ranking.chunks[place]), score, points, lambda: self._reasons(measured, ranking, place))

    def _reasons(self, measured: Measurement, ranking: Ranking, place: int) -> tuple[Why, ...]:
        file, best = ranking.file_of[place], ranking.best_of[place]
        own, of_best = parts(self.ranker.chunk, measured.chunk, ranking.chunks[[place, best]]).T
        why = [
            *reasons("file", self.ranker.file, measured.file, ranking.files[file], ranking.file_parts[:, file]),
            *reasons("chunk", self.ranker.chunk, measured.chunk, ranking.chunks[place], own - of_best),
        ]
        if gain := round(float(ranking.named[place] - ranking.named[best]), 6):
            why.append(Why("named_in_file", float(ranking.named[place] > 0), gain))
        repeats = int(ranking.rank_in_file[place])
        if repeats:
            cost = self.ranker.repeat[min(repeats, len(self.ranker.repeat)) - 1]
            why.append(Why("again_in_file", float(repeats), -cost))
        return tuple(why)


def _best_fit_first(question: Question) -> list[Location]:
    """The exact hits; of names in a long sentence, and of texts in it, those that fit it best come first.

    Definitions of one name stay together. If none of these hits is one of the best places, the best place comes before
    the names if it is a member of a type that is named: `the cart forgets its owner` is about a method.
    """
    query, exact = question.measured.query, question.exact
    hints = [hit for hit in exact if hit.why in BY_FIT and is_soft(query, hit.why)]
    if not hints or query.title:
        return exact
    collection, passages = question.measured.collection, question.passages
    names = {hit.chunk: collection.symbol_of(hit.chunk) or str(hit.chunk) for hit in hints}
    ranks: dict[str, int] = {}
    for chunk, name in names.items():
        ranks[name] = min(passages.rank(chunk), ranks.get(name, len(passages.order)))
    by_fit = sorted(hints, key=lambda hit: ranks[names[hit.chunk]])
    next_of = {why: iter([hit for hit in by_fit if hit.why == why]) for why in BY_FIT}
    hits = [next(next_of[hit.why]) if hit.why in BY_FIT else hit for hit in exact]
    member = None if min(ranks.values()) < NEAR_TOP else _best_member(question, hits)
    at = next((at for at, hit in enumerate(hits) if hit.why == "named"), 0)
    return [*hits[:at], member, *hits[at:]] if member else hits


def _best_member(question: Question, hits: Iterable[Location]) -> Location | None:
    """The best ranked place if it is a member of a type that the query names."""
    collection, kinds = question.measured.collection, question.measured.collection.cells.kind
    types = [hit.chunk for hit in hits if hit.why == "named" and KINDS[kinds[hit.chunk]] in TYPES]
    if not (types and question.places):
        return None
    best = ChunkId(int(question.passages.pool.chunks[question.places[0]]))
    owners = tuple(f"{collection.symbol_of(chunk)}." for chunk in types)
    is_member = collection.symbol_of(best).startswith(owners) and best not in {hit.chunk for hit in hits}
    return Location(best, (), "member") if is_member else None


def _exact(hits: Iterable[Location]) -> list[Scored]:
    """Exact hits with their scores, in the same order."""

    def scored(one: Location, score: float) -> Scored:
        return Scored(one.chunk, score, score, lambda: (Why(f"exact.{one.why}", 1.0, score),), one.lines)

    return [scored(one, max(1 - EXACT_STEP * place, EXACT_SCORE)) for place, one in enumerate(hits)]
