"""Answers one question to a fleet: searches the repositories it is about as one, and ranks by points and evidence."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from context_pack.answer import Answer
from context_pack.kinds.code.repositories import Repositories
from context_pack.options.resolve import Layer, check_query, environment
from context_pack.session import Session
from contracts.errors import IndexCorrupt, InvalidRequest, IOFailure
from contracts.frozen import frozen
from contracts.records import Hint, Why
from index import Index
from index.fleet.catalog import naming_points
from index.fleet.fleet import Fleet
from index.search.query import parse_query
from index.search.ranker import shipped_ranker
from index.search.searcher import EXACT_STEP
from index.text import words_of
from index.types import EXACT_SCORE, RANKED_SCORE, Filters, Order, Scored

COMMANDS = ("query", "search", "related")
# Options that need a local tree, or say how one is indexed.
LOCAL = ("diff", "staged", "have_pack", "index_dir", "share", "no_refresh", "model", "max_file_bytes", "memory", "wait")
# Errors of a store name its place, which is not for everybody.
_FOR_READERS = "`ctxpack query --fleet` with the store's own location tells its operator what is wrong"


@frozen
class Reader:
    """Who asks: somebody with or without a name, or the `owner` of the store's keys, who may see everything."""

    name: str | None = None
    owner: bool = False


OWNER = Reader(owner=True)


def session_for(
    fleet: Fleet, text: str, reader: Reader, globs: Sequence[str], options: Mapping[str, object]
) -> tuple[Session, tuple[Hint, ...]]:
    """A session over the repositories that a text is about, and a hint that says how many they are.

    A reader who sees only one repository gets the same answer as from that repository alone.
    """
    refused = next((name for name in LOCAL if options.get(name) not in (None, False, ())), None)
    if refused is not None:
        raise InvalidRequest(refused, f"a fleet does not support {refused}", hint="use --repo with a clone")
    if options.get("format") == "html":
        raise InvalidRequest("format", "a fleet does not support html", hint="use json, md, text, xml or toon")
    seen = fleet.repositories(reader.name, globs, owner=reader.owner)
    try:
        opened, errors = fleet.indexes(fleet.choose(text, seen))
    except (IndexCorrupt, IOFailure) as error:
        if reader.owner:
            raise
        raise IOFailure("the fleet cannot be read", hint=_FOR_READERS) from error
    layers = (environment(), Layer({**options, "model": "embedded"}))
    if len(seen) == 1:
        return Session(opened[seen[0].name], *layers), ()
    hints = [Hint("info", f"{len(opened)} of {len(seen)} repositories were searched.")]
    problems = [str(error) for error in errors] if reader.owner else [_FOR_READERS] * bool(errors)
    return Session(FleetRepositories(opened), *layers), (*hints, *(Hint("warn", text) for text in problems))


def ask(
    fleet: Fleet, command: str, text: str, reader: Reader = OWNER, globs: Sequence[str] = (), **options: Any
) -> tuple[Session, Answer[Any]]:
    """The answer of a command, with the session that gave it."""
    if command not in COMMANDS:
        raise InvalidRequest("command", f"a fleet supports {', '.join(COMMANDS)}, not {command}")
    session, hints = session_for(fleet, check_query(text), reader, globs, options)
    answer: Answer[Any] = getattr(session, command)(text)
    return session, answer.with_hints(hints)


def printed(session: Session, command: str, data: Any) -> str | None:
    """A pack, or a list of places, in its format; None if that is JSON."""
    from context_pack import render

    form = session.settings.format
    return render.layout(form).render(data) if command == "query" else render.listing(data, form)


class FleetRepositories(Repositories):
    """`Repositories` with hits ordered by the sum of points and evidence, each blob once.

    Points are comparable only inside a repository; evidence for the question as a whole makes repositories comparable.
    Scores fall by how much less evidence a repository has than the best one.
    """

    def search(self, query: str, *, top_k: int, filters: Filters | None = None, order: Order = "files") -> list[Scored]:
        """The best hits of all repositories. A query that starts with a repository's name searches only that one."""
        docs_first = filters is not None and filters.docs == "first"
        addressed = list(self._addressed(query))
        if order == "pack" and len(addressed) > 1 and parse_query(query).is_topic:
            # The points of hits by lines are not comparable with those by files.
            order = "lines" if parse_query(query).is_concept else "files"
        hits: list[tuple[tuple[bool, bool, float, int, int], tuple[bytes, int], float, Scored]] = []
        for one, text in addressed:
            index, own = one.corpus, one.filters(filters)
            ranked = index.search(text, top_k=top_k, filters=own, order=order)
            evidence = index.evidence(text, filters=own) + naming_points(one.name, words_of(text)) if ranked else 0.0
            for behind, rank, hit in one.outer(ranked, docs_first):
                key = (behind, hit.score < EXACT_SCORE, -round(hit.points + evidence, 6), one.place, rank)
                hits.append((key, _place(index, hit.chunk - one.first), evidence, hit))
        hits.sort(key=lambda row: row[0])
        first = {place: hit for _, place, _, hit in reversed(hits)}
        shown = [(evidence, hit) for _, place, evidence, hit in hits if first[place] is hit][:top_k]
        best = max((evidence for _, _, evidence, _ in hits), default=0.0)
        scale = shipped_ranker().passage_scale if parse_query(query).wants_lines(order) else 1.0
        return [
            _comparable_hit(hit, rank, round(evidence - best, 4), scale) for rank, (evidence, hit) in enumerate(shown)
        ]


def _place(index: Index, chunk: int) -> tuple[bytes, int]:
    """(blob hash, start byte): equal for the same place in a fork."""
    file = int(index.snapshot.array("chunk_file")[chunk])
    return bytes(index.snapshot.array("file.hash")[file]), int(index.snapshot.array("chunk.start_byte")[chunk])


def _comparable_hit(hit: Scored, rank: int, behind: float, scale: float) -> Scored:
    """A hit, scored for comparison between repositories; `behind` is its evidence minus that of the best, <= 0."""
    if hit.score >= EXACT_SCORE:
        return replace(hit, score=max(1 - EXACT_STEP * rank, EXACT_SCORE))
    if not behind:
        return hit
    chance = min(max(hit.score / RANKED_SCORE, 1e-9), 1 - 1e-9)
    lowered = 1 / (1 + math.exp(min(-math.log(chance / (1 - chance)) - scale * behind, 60.0)))
    reasons = hit.reasons
    return replace(
        hit, score=round(RANKED_SCORE * lowered, 6), points=round(hit.points + behind, 4),
        reasons=lambda: (*reasons(), Why("repository.evidence", behind, behind)),
    )  # fmt: skip
