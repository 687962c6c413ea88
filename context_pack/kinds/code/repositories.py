"""Several repositories as one corpus: each path starts with its repository's name, and one budget serves them all."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from heapq import merge
from itertools import accumulate
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from contracts.errors import InvalidRequest, ModelMismatch, NotFound
from index.types import (
    CONFIDENCES,
    Coverage,
    FilePlace,
    Filters,
    Follow,
    Grade,
    Near,
    Order,
    Refreshed,
    Scored,
    SymbolRow,
    Tie,
    TraceReading,
    VectorCoverage,
)

if TYPE_CHECKING:
    from context_pack.kinds.code.corpus import Corpus
    from index.types import ChunkRow, Extent, Outline

T = TypeVar("T")
PROSE = frozenset({"markdown", "rst", "text", "asciidoc", "latex"})


def named(roots: Iterable[Path]) -> dict[str, Path]:
    """A name for each folder, sorted: its own name, with as many folders above it as tell it from the others.

    Depends on the set of folders alone, not on their order. A folder that is given twice counts once.
    """
    folders = sorted({root.resolve() for root in roots})
    names: dict[str, Path] = {}
    for folder in folders:
        parts = [part for part in folder.parts if part != folder.anchor] or ["root"]
        others = [other for other in folders if other != folder]
        length = next(
            (n for n in range(1, len(parts)) if not any(other.parts[-n:] == tuple(parts[-n:]) for other in others)),
            len(parts),
        )
        names["/".join(parts[-length:])] = folder
    return dict(sorted(names.items()))


def options_of(name: str, options: Mapping[str, object], several: bool) -> dict[str, object]:
    """The options for one repository's index: of several, each has a folder of its own below a given `index_dir`."""
    if several and "index_dir" in options:
        return {**options, "index_dir": str(Path(str(options["index_dir"])) / name)}
    return dict(options)


class Repositories:
    """The `Corpus` of several opened repositories. Chunks are numbered through, in the order of the names.

    Scores are comparable because every repository is ranked by the same tables; ties go by name, then by rank.
    """

    def __init__(self, corpora: Mapping[str, Corpus]) -> None:
        self._names = sorted(corpora)
        self._corpora = [corpora[name] for name in self._names]
        self._first = [0, *accumulate(corpus.chunks for corpus in self._corpora)]
        models = sorted({corpus.model_id for corpus in self._corpora})
        if len(models) > 1:
            raise ModelMismatch(
                f"the repositories are indexed with different models: {', '.join(models)}",
                hint="name one for all of them with --model",
                details={"models": models},
            )

    @property
    def root(self) -> Path:
        raise _one_only("root")

    @property
    def folder(self) -> Path:
        raise _one_only("folder")

    @property
    def model_id(self) -> str:
        return self._corpora[0].model_id

    @property
    def generation(self) -> int:
        """The sum of the generations: it changes whenever one of them does."""
        return sum(corpus.generation for corpus in self._corpora)

    @property
    def files(self) -> int:
        return sum(corpus.files for corpus in self._corpora)

    @property
    def chunks(self) -> int:
        return self._first[-1]

    @property
    def coverage(self) -> Coverage:
        parts = [corpus.coverage for corpus in self._corpora]
        seen, indexed = _sums(parts, "files_seen", "files_indexed")
        skipped: Counter[str] = Counter()
        for part in parts:
            skipped.update(part.skipped)
        return Coverage(seen, indexed, dict(sorted(skipped.items())))

    @property
    def refreshed(self) -> Refreshed | None:
        """What the refreshes changed in all; None when none of the trees was looked at."""
        found = [(name, corpus.refreshed) for name, corpus in zip(self._names, self._corpora, strict=True)]
        news = [(name, refreshed) for name, refreshed in found if refreshed is not None]
        if not news:
            return None
        added, changed, removed = _sums([new for _, new in news], "added", "changed", "removed")
        spent = sum(new.duration_ms for _, new in news)
        notes = tuple(f"{name}: {note}" for name, new in news for note in new.notes)
        return Refreshed(self.generation, added, changed, removed, spent, self.coverage, notes)

    @property
    def vector_coverage(self) -> VectorCoverage | None:
        """The chunks of all of them that a transformer has vectors of; all use the same one."""
        parts = [part for corpus in self._corpora if (part := corpus.vector_coverage)]
        if not parts:
            return None
        chunks, covered = _sums(parts, "chunks", "covered")
        problem = next((part.problem for part in parts if part.problem), "")
        return VectorCoverage(parts[0].model_id, chunks, covered, any(part.used for part in parts), problem)

    def search(self, query: str, *, top_k: int, filters: Filters | None = None, order: Order = "files") -> list[Scored]:
        """The best of what each repository finds. A query that starts with a repository's name asks it alone."""
        chosen = filters or Filters()
        lists = [
            self._keyed(
                place,
                self._corpora[place].search(text, top_k=top_k, filters=_inner(chosen, name), order=order),
                chosen.docs == "first",
            )
            for place, name, text in self._asked(query)
        ]
        return [scored for _, scored in merge(*lists, key=lambda pair: pair[0])][:top_k]

    def grade(self, query: str, *, filters: Filters | None = None) -> Grade:
        """That of the repository that is surest."""
        chosen = filters or Filters()
        grades = [
            self._corpora[place].grade(text, filters=_inner(chosen, name)) for place, name, text in self._asked(query)
        ]
        return min(grades, key=lambda grade: CONFIDENCES.index(grade.confidence))

    def paths(self) -> list[str]:
        pairs = zip(self._names, self._corpora, strict=True)
        return [f"{name}/{path}" for name, corpus in pairs for path in corpus.paths()]

    def unmatched(self, globs: Sequence[str]) -> list[str]:
        pairs = list(zip(self._names, self._corpora, strict=True))
        return [
            glob
            for glob in globs
            if all(len(corpus.unmatched(_globs((glob,), name))) == len(_globs((glob,), name)) for name, corpus in pairs)
        ]

    def trace(self, query: str, *, filters: Filters | None = None) -> TraceReading | None:
        """What a trace says of all repositories: a frame that is another's is foreign to the one."""
        chosen = filters or Filters()
        answers = self._each(query, lambda corpus, name, text: corpus.trace(text, filters=_inner(chosen, name)))
        found = [(name, reading) for name, reading in answers if reading]
        return _together(found) if found else None

    def places(self, text: str) -> list[FilePlace]:
        answers = self._each(text, lambda corpus, name, inner: corpus.places(inner))
        return [replace(place, file=f"{name}/{place.file}") for name, places in answers for place in places]

    def _each(self, query: str, ask: Callable[[Corpus, str, str], T]) -> list[tuple[str, T]]:
        """What each repository answers, by its name. NotFound where none has the place that was asked for."""
        found: list[tuple[str, T]] = []
        missing: list[NotFound] = []
        for place, name, text in self._asked(query):
            try:
                found.append((name, ask(self._corpora[place], name, text)))
            except NotFound as error:  # the file may be another repository's
                missing.append(_named(error, name))
        if missing and not found:
            # The file may be in one of them, without the line; else the one where its like is.
            raise min(missing, key=lambda error: ("lines" not in error.details, not error.details["nearest"]))
        return found

    def _keyed(
        self, place: int, found: Sequence[Scored], docs_first: bool
    ) -> Iterator[tuple[tuple[bool, float, int, int], Scored]]:
        for rank, scored in enumerate(found):
            code = docs_first and self._corpora[place].chunk(scored.chunk).language not in PROSE
            outer = replace(scored, chunk=self._first[place] + scored.chunk)
            yield (code, -round(scored.score, 6), place, rank), outer

    def _asked(self, query: str) -> list[tuple[int, str, str]]:
        """(place, name, what to ask it): the query for each repository, or the rest of it for the one it names."""
        text = query.strip()
        addressed = [name for name in self._names if text.startswith(f"{name}/")]
        if not addressed:
            return [(place, name, query) for place, name in enumerate(self._names)]
        chosen = max(addressed, key=len)
        rest = text[len(chosen) + 1 :]
        return [(self._names.index(chosen), chosen, rest)] if rest else []

    def chunk(self, number: int) -> ChunkRow:
        place, inner = self._placed(number)
        return self._outer(place, self._corpora[place].chunk(inner))

    def parts(self, number: int) -> list[int]:
        place, inner = self._placed(number)
        return [self._first[place] + part for part in self._corpora[place].parts(inner)]

    def span(self, first: int, last: int) -> ChunkRow:
        place, inner = self._placed(first)
        return self._outer(place, self._corpora[place].span(inner, last - self._first[place]))

    def extent(self, first: int, last: int) -> Extent:
        place, inner = self._placed(first)
        return self._corpora[place].extent(inner, last - self._first[place])

    def imports(self, first: int, last: int) -> tuple[str, ...]:
        place, inner = self._placed(first)
        return self._corpora[place].imports(inner, last - self._first[place])

    def outline(self, number: int) -> Outline | None:
        place, inner = self._placed(number)
        found = self._corpora[place].outline(inner)
        if found is None:
            return None
        first = self._first[place]
        return replace(
            found,
            row=self._outer(place, found.row),
            numbers=tuple(first + one for one in found.numbers),
            members=tuple((first + member, lines) for member, lines in found.members),
        )

    def uses(self, chunks: Sequence[int]) -> list[tuple[int, int]]:
        """By repository: none refers to another."""
        found: list[tuple[int, int]] = []
        for place, corpus in enumerate(self._corpora):
            first, end = self._first[place], self._first[place + 1]
            own = [number - first for number in chunks if first <= number < end]
            found += [(first + user, first + definition) for user, definition in corpus.uses(own)]
        return found

    def _placed(self, number: int) -> tuple[int, int]:
        """(the repository's place, the chunk's number in it)."""
        place = bisect_right(self._first, number) - 1
        return place, number - self._first[place]

    def _outer(self, place: int, row: ChunkRow) -> ChunkRow:
        return replace(row, number=self._first[place] + row.number, file=f"{self._names[place]}/{row.file}")

    def chunks_of_file(self, file: str) -> list[int]:
        """The chunks of a file whose path starts with its repository's name."""
        for place, _, path in self._asked(file):
            if path != file:
                return [self._first[place] + number for number in self._corpora[place].chunks_of_file(path)]
        return []

    def related(
        self, primaries: Sequence[int], query: str, *, per_primary: int, depth: int, filters: Filters | None = None,
        follow: Follow | None = None,
    ) -> list[Tie]:  # fmt: skip
        """What each repository's graph ties to its own primaries, best first."""
        chosen, way = filters or Filters(), follow or Follow(per_primary, depth)
        pulls = dict(zip(primaries, way.pulls, strict=False))
        found: list[tuple[tuple[float, int, int, int], Tie]] = []
        for place, corpus in enumerate(self._corpora):
            first, end = self._first[place], self._first[place + 1]
            own = [number - first for number in primaries if first <= number < end]
            if own:
                inner = _inner(chosen, self._names[place])
                own_way = replace(way, pulls=tuple(pulls[first + number] for number in own if pulls))
                ties = corpus.related(own, query, per_primary=per_primary, depth=depth, filters=inner, follow=own_way)
                for rank, tie in enumerate(ties):
                    outer = replace(tie, source=first + tie.source, chunk=first + tie.chunk)
                    found.append(((-round(tie.weight, 6), tie.distance, place, rank), outer))
        return [tie for _, tie in sorted(found, key=lambda pair: pair[0])]

    def symbols(self, pattern: str | None, *, limit: int) -> list[SymbolRow]:
        return self._rows(lambda corpus: corpus.symbols(pattern, limit=limit))[:limit]

    def defined(self, name: str) -> list[SymbolRow]:
        return self._rows(lambda corpus: corpus.defined(name))

    def _rows(self, ask: Callable[[Corpus], Sequence[SymbolRow]]) -> list[SymbolRow]:
        return [
            replace(row, file=f"{name}/{row.file}", chunk=first + row.chunk)
            for name, first, corpus in zip(self._names, self._first, self._corpora, strict=False)
            for row in ask(corpus)
        ]

    def nearest(self, text: str, *, limit: int = 3) -> list[Near]:
        found = {near.name: near for corpus in self._corpora for near in corpus.nearest(text, limit=limit)}
        return sorted(found.values(), key=lambda near: (near.distance, near.name))[:limit]

    def stale(self) -> bool:
        return any(corpus.stale() for corpus in self._corpora)

    def is_intact(self) -> bool:
        return all(corpus.is_intact() for corpus in self._corpora)

    def finish_later(self) -> None:
        for corpus in self._corpora:
            corpus.finish_later()


def _sums(records: Sequence[object], *fields: str) -> list[int]:
    """The sum of each field."""
    return [sum(getattr(record, field) for record in records) for field in fields]


def _together(found: Sequence[tuple[str, TraceReading]]) -> TraceReading:
    """What several repositories say of the same frames."""
    own, filtered, places = _sums([one for _, one in found], "own", "filtered", "places")
    frames = max(one.own + one.filtered + one.foreign + len(one.lost) for _, one in found)
    moved, lost = (
        tuple(f"{name}: {frame}" for name, one in found for frame in getattr(one, field)) for field in ("moved", "lost")
    )
    return TraceReading(own, max(0, frames - own - filtered - len(lost)), filtered, places, moved, lost)


def _named(error: NotFound, name: str) -> NotFound:
    """The error with its paths as they are asked for among several repositories."""
    nearest = error.details.get("nearest")
    paths = [f"{name}/{path}" for path in nearest] if isinstance(nearest, list) else []
    return NotFound(error.message, hint=error.hint, details={**error.details, "nearest": paths})


def _inner(filters: Filters, name: str) -> Filters:
    """The filters as a repository reads them: a glob that starts with its name means the rest of it as well."""
    return replace(filters, include=_globs(filters.include, name), exclude=_globs(filters.exclude, name))


def _globs(globs: Sequence[str], name: str) -> tuple[str, ...]:
    rests = [glob.lstrip("/")[len(name) :] for glob in globs if glob.lstrip("/").startswith(f"{name}/")]
    return (*globs, *(rest if rest.strip("/") else "*" for rest in rests))


def _one_only(what: str) -> InvalidRequest:
    return InvalidRequest("repo", f"several repositories have no one {what}", hint="name one repository with --repo")
