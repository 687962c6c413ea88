"""Several repositories as one corpus: each path starts with its repository's name, and one budget serves them all."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import accumulate, islice, zip_longest
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from chunker.languages.table import rules_of
from contracts.errors import ModelMismatch, NotFound, UsageError
from contracts.frozen import frozen
from index.types import (
    CONFIDENCES,
    EXACT_SCORE,
    ChunkRow,
    Coverage,
    Extent,
    FilePlace,
    Filters,
    Follow,
    Grade,
    ImportStatement,
    Near,
    Order,
    Outline,
    Refreshed,
    Scored,
    SymbolRow,
    Tie,
    TraceReading,
    VectorCoverage,
)

if TYPE_CHECKING:
    from index import Index

T = TypeVar("T")


def named(roots: Iterable[Path]) -> dict[str, Path]:
    """A unique name for each folder, sorted: its own name, with as many parent folders as make it unique.

    Depends only on the set of folders, not on their order. A folder that is given twice counts once.
    """
    folders = sorted({root.resolve() for root in roots})
    names: dict[str, Path] = {}
    for folder in folders:
        parts = folder.parts[1:] or ("root",)
        lengths = (n for n in range(1, len(parts)) if sum(other.parts[-n:] == parts[-n:] for other in folders) == 1)
        names["/".join(parts[-next(lengths, len(parts)) :])] = folder
    return dict(sorted(names.items()))


def options_of(name: str, options: Mapping[str, object], several: bool) -> dict[str, object]:
    """The options for one repository's index; each of several gets its own folder below a given `index_dir`."""
    if several and "index_dir" in options:
        return {**options, "index_dir": str(Path(str(options["index_dir"])) / name)}
    return dict(options)


@frozen
class Member:
    """One of the repositories: its place among them, its name, and the number of its first chunk among all."""

    place: int
    name: str
    corpus: Index
    first: int

    def row(self, row: ChunkRow) -> ChunkRow:
        return replace(row, number=self.first + row.number, file=f"{self.name}/{row.file}")

    def symbols(self, rows: Iterable[SymbolRow]) -> list[SymbolRow]:
        return [replace(row, file=f"{self.name}/{row.file}", chunk=self.first + row.chunk) for row in rows]

    def own(self, chunks: Iterable[int]) -> list[int]:
        """The chunks that belong to this repository, by its own numbers."""
        end = self.first + self.corpus.chunks
        return [number - self.first for number in chunks if self.first <= number < end]

    def filters(self, filters: Filters | None) -> Filters:
        """The filters for this repository: a glob that starts with its name also counts without the name."""
        given = filters or Filters()
        return replace(given, include=_globs(given.include, self.name), exclude=_globs(given.exclude, self.name))

    def outer(self, hits: Sequence[Scored], docs_first: bool) -> Iterator[tuple[bool, int, Scored]]:
        """(whether it comes after the documents, its rank, the hit with its number among all repositories).

        With `docs_first`, the first ranked hit of code and all ranked hits after it come after the documents.
        """
        behind = False
        for rank, hit in enumerate(hits):
            ranked = docs_first and hit.score < EXACT_SCORE
            behind = ranked and (behind or not rules_of(self.corpus.chunk(hit.chunk).language).prose)
            yield behind, rank, replace(hit, chunk=self.first + hit.chunk)


class Repositories:
    """A corpus of several opened repositories. Chunks are numbered consecutively, in the order of the names.

    Scores are comparable because the same tables rank every repository; equal scores are ordered by name, then by rank.
    """

    def __init__(self, corpora: Mapping[str, Index]) -> None:
        names = sorted(corpora)
        self._corpora = [corpora[name] for name in names]
        first = accumulate((corpus.chunks for corpus in self._corpora), initial=0)
        self._members = [Member(place, name, corpora[name], next(first)) for place, name in enumerate(names)]
        models = sorted({corpus.model_id for corpus in self._corpora})
        if len(models) > 1:
            raise ModelMismatch(
                f"the repositories are indexed with different models: {', '.join(models)}",
                hint="choose one model for all of them with --model",
                details={"models": models},
            )

    @property
    def root(self) -> Path:
        raise UsageError("repo", "diff needs a single repository, but several are given", hint="choose one with --repo")

    folder = root

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
        return sum(corpus.chunks for corpus in self._corpora)

    @property
    def coverage(self) -> Coverage:
        parts = [corpus.coverage for corpus in self._corpora]
        skipped = sum((Counter(part.skipped) for part in parts), Counter[str]())
        return Coverage(**_sums(parts, "files_seen", "files_indexed"), skipped=dict(sorted(skipped.items())))

    @property
    def refreshed(self) -> Refreshed | None:
        """The changes by all refreshes; None if none of the trees was checked."""
        news = [(one.name, refreshed) for one in self._members if (refreshed := one.corpus.refreshed)]
        if not news:
            return None
        sums = _sums([new for _, new in news], "added", "changed", "removed", "duration_ms")
        notes = tuple(f"{name}: {note}" for name, new in news for note in new.notes)
        return Refreshed(**sums, notes=notes)

    @property
    def vector_coverage(self) -> VectorCoverage | None:
        """How many chunks of all repositories have vectors of a transformer, the same for all."""
        parts = [part for corpus in self._corpora if (part := corpus.vector_coverage)]
        if not parts:
            return None
        problem = next((part.problem for part in parts if part.problem), "")
        used = any(part.used for part in parts)
        return VectorCoverage(parts[0].model_id, **_sums(parts, "chunks", "covered"), used=used, problem=problem)

    def search(self, query: str, *, top_k: int, filters: Filters | None = None, order: Order = "files") -> list[Scored]:
        """The best hits of all repositories. A query that starts with a repository's name searches only that one."""
        docs_first = filters is not None and filters.docs == "first"
        hits = [
            ((behind, -round(hit.score, 6), one.place, rank), hit)
            for one, text in self._addressed(query)
            for behind, rank, hit in one.outer(
                one.corpus.search(text, top_k=top_k, filters=one.filters(filters), order=order), docs_first
            )
        ]
        return [hit for _, hit in sorted(hits, key=lambda pair: pair[0])[:top_k]]

    def grade(self, query: str, *, filters: Filters | None = None) -> Grade:
        """The grade of the most confident repository."""
        grades = [one.corpus.grade(text, filters=one.filters(filters)) for one, text in self._addressed(query)]
        return min(grades, key=lambda grade: CONFIDENCES.index(grade.confidence))

    def paths(self) -> list[str]:
        return [f"{one.name}/{path}" for one in self._members for path in one.corpus.paths()]

    def unmatched(self, globs: Sequence[str]) -> list[str]:
        inner = {glob: [(one.corpus, _globs((glob,), one.name)) for one in self._members] for glob in globs}
        return [glob for glob in globs if all(len(corpus.unmatched(own)) == len(own) for corpus, own in inner[glob])]

    def trace(self, query: str, *, filters: Filters | None = None) -> TraceReading | None:
        """The trace over all repositories: a frame that is foreign to one may belong to another."""
        answers = self._each(query, lambda one, text: one.corpus.trace(text, filters=one.filters(filters)))
        readings = [(name, reading) for name, reading in answers if reading]
        return _merged_readings(readings) if readings else None

    def places(self, text: str) -> list[FilePlace]:
        answers = self._each(text, lambda one, inner: one.corpus.places(inner))
        return [replace(place, file=f"{name}/{place.file}") for name, places in answers for place in places]

    def _each(self, query: str, ask: Callable[[Member, str], T]) -> list[tuple[str, T]]:
        """(name, answer) of each repository. NotFound if none of them has the place."""
        answers: list[tuple[str, T]] = []
        missing: list[NotFound] = []
        for one, text in self._addressed(query):
            try:
                answers.append((one.name, ask(one, text)))
            except NotFound as error:  # the file may be in another repository
                paths = error.details.get("nearest")
                error.details["nearest"] = [f"{one.name}/{path}" for path in paths] if isinstance(paths, list) else []
                missing.append(error)
        if missing and not answers:
            # First the error of a repository that has the file but not the lines, then of one with a similar path.
            raise min(missing, key=lambda error: ("lines" not in error.details, not error.details["nearest"]))
        return answers

    def _addressed(self, query: str) -> list[tuple[Member, str]]:
        """Each repository with the query, or only the one whose name the query starts with, with the rest of it."""
        text = query.strip()
        named = [one for one in self._members if text.startswith(f"{one.name}/")]
        if not named:
            return [(one, query) for one in self._members]
        chosen = max(named, key=lambda one: len(one.name))
        rest = text[len(chosen.name) + 1 :]
        return [(chosen, rest)] if rest else []

    def _member_of(self, number: int) -> tuple[Member, int]:
        """The repository of a chunk, and the chunk's number in it."""
        one = self._members[bisect_right(self._members, number, key=lambda one: one.first) - 1]
        return one, number - one.first

    def chunk(self, number: int) -> ChunkRow:
        return self.span(number, number)

    def path_of(self, number: int) -> str:
        one, inner = self._member_of(number)
        return f"{one.name}/{one.corpus.path_of(inner)}"

    def symbol(self, number: int) -> tuple[str | None, str]:
        one, inner = self._member_of(number)
        return one.corpus.symbol(inner)

    def parts(self, number: int) -> list[int]:
        one, inner = self._member_of(number)
        return [one.first + part for part in one.corpus.parts(inner)]

    def pieces(self, number: int) -> list[int]:
        one, inner = self._member_of(number)
        return [one.first + piece for piece in one.corpus.pieces(inner)]

    def span(self, first: int, last: int) -> ChunkRow:
        one, inner = self._member_of(first)
        return one.row(one.corpus.span(inner, last - one.first))

    def extent(self, first: int, last: int) -> Extent:
        one, inner = self._member_of(first)
        return one.corpus.extent(inner, last - one.first)

    def imports(self, first: int, last: int) -> tuple[str, ...]:
        one, inner = self._member_of(first)
        return one.corpus.imports(inner, last - one.first)

    def outline(self, number: int) -> Outline | None:
        one, inner = self._member_of(number)
        outline = one.corpus.outline(inner)
        return outline and replace(
            outline,
            row=one.row(outline.row),
            numbers=tuple(one.first + number for number in outline.numbers),
            members=tuple((one.first + member, lines) for member, lines in outline.members),
        )

    def allowed(self, filters: Filters) -> Callable[[int], bool]:
        own = [one.corpus.allowed(one.filters(filters)) for one in self._members]

        def allowed(number: int) -> bool:
            one, inner = self._member_of(number)
            return own[one.place](inner)

        return allowed

    def uses(self, chunks: Sequence[int]) -> list[tuple[int, int]]:
        """Computed by repository: none refers to another."""
        return [
            (one.first + user, one.first + definition)
            for one in self._members
            for user, definition in one.corpus.uses(one.own(chunks))
        ]

    def chunks_of_file(self, file: str) -> list[int]:
        """The chunks of a file whose path starts with its repository's name."""
        for one, path in self._addressed(file):
            if path != file:
                return [one.first + number for number in one.corpus.chunks_of_file(path)]
        return []

    def related(
        self, primaries: Sequence[int], query: str, follow: Follow, *, filters: Filters | None = None
    ) -> list[Tie]:
        """The ties of all repositories, best first; each repository's graph ties its own primaries."""
        pulls = dict(zip(primaries, follow.pulls, strict=False))
        ranked: list[tuple[tuple[float, int, int, int], Tie]] = []
        for one in self._members:
            if own := one.own(primaries):
                way = replace(follow, pulls=tuple(pulls[one.first + number] for number in own if pulls))
                ties = one.corpus.related(own, query, way, filters=one.filters(filters))
                for rank, tie in enumerate(ties):
                    outer = replace(tie, source=one.first + tie.source, chunk=one.first + tie.chunk)
                    ranked.append(((-round(tie.weight, 6), tie.distance, one.place, rank), outer))
        return [tie for _, tie in sorted(ranked, key=lambda pair: pair[0])]

    def symbols(self, pattern: str | None, *, limit: int) -> list[SymbolRow]:
        from index.search.names import exact_first

        rows = [row for one in self._members for row in one.symbols(one.corpus.symbols(pattern, limit=limit))]
        return exact_first(rows, pattern)[:limit]

    def defined(self, name: str) -> list[SymbolRow]:
        return [row for one, inner in self._addressed(name) for row in one.symbols(one.corpus.defined(inner))]

    def fields(self, name: str) -> list[SymbolRow]:
        return [row for one, inner in self._addressed(name) for row in one.symbols(one.corpus.fields(inner))]

    def namesakes(self, name: str, *, limit: int) -> list[SymbolRow]:
        return [row for one in self._members for row in one.symbols(one.corpus.namesakes(name, limit=limit))]

    def defined_at(self, chunk: int, *, minor: bool = False) -> list[SymbolRow]:
        one, inner = self._member_of(chunk)
        return one.symbols(one.corpus.defined_at(inner, minor=minor))

    def implementers(self, chunk: int, changed: Container[str] = ()) -> list[SymbolRow]:
        one, inner = self._member_of(chunk)
        return one.symbols(one.corpus.implementers(inner, changed))

    def import_statements(self, chunk: int, first: int, last: int) -> list[ImportStatement]:
        one, inner = self._member_of(chunk)
        return [
            ImportStatement(
                statement.names,
                tuple(f"{one.name}/{file}" for file in statement.files),
                tuple(one.first + user for user in statement.users),
            )
            for statement in one.corpus.import_statements(inner, first, last)
        ]

    def is_test(self, chunk: int) -> bool:
        one, inner = self._member_of(chunk)
        return one.corpus.is_test(inner)

    def is_generated(self, chunk: int) -> bool:
        one, inner = self._member_of(chunk)
        return one.corpus.is_generated(inner)

    def only_imports(self, chunk: int) -> bool:
        one, inner = self._member_of(chunk)
        return one.corpus.only_imports(inner)

    def naming(self, name: str) -> list[int]:
        return [one.first + chunk for one in self._members for chunk in one.corpus.naming(name)]

    def naming_in_data(self, name: str) -> list[int]:
        return [one.first + chunk for one in self._members for chunk in one.corpus.naming_in_data(name)]

    def importers(self, former: Mapping[str, str]) -> list[tuple[str, FilePlace]]:
        """None: whoever asks has a change, which is that of a single repository."""
        return []

    def linked(self, file: str, label: str, *, backward: bool = False) -> list[str]:
        """None, for the same reason."""
        return []

    def file_text(self, file: str) -> str | None:
        """None, for the same reason."""
        return None

    def nearest(self, text: str, *, limit: int = 3) -> list[Near]:
        by_name = {near.name: near for corpus in self._corpora for near in corpus.nearest(text, limit=limit)}
        return sorted(by_name.values(), key=lambda near: (near.distance, near.name))[:limit]

    def near_in_meaning(self, query: str, *, limit: int = 3) -> list[str]:
        """Those of each repository in turns: nearness is not comparable between them."""
        answers = [corpus.near_in_meaning(query, limit=limit) for corpus in self._corpora]
        return [*islice(dict.fromkeys(name for names in zip_longest(*answers) for name in names if name), limit)]

    def contains(self, word: str) -> bool:
        return any(corpus.contains(word) for corpus in self._corpora)

    def joins(self, phrase: str) -> bool:
        return any(corpus.joins(phrase) for corpus in self._corpora)

    def respellings(self, text: str) -> dict[str, str]:
        """The respellings that all repositories agree on: a word that one of them contains is not misspelt."""
        answers = [corpus.respellings(text).items() for corpus in self._corpora]
        return dict(sorted(set.intersection(*map(set, answers)))) if answers else {}

    def stale(self) -> bool:
        return any(corpus.stale() for corpus in self._corpora)

    def is_intact(self) -> bool:
        return all(corpus.is_intact() for corpus in self._corpora)

    def finish_later(self) -> None:
        for corpus in self._corpora:
            corpus.finish_later()


def _sums(records: Sequence[object], *fields: str) -> dict[str, Any]:
    """The sum of each field, by its name."""
    return {field: sum(getattr(record, field) for record in records) for field in fields}


def _merged_readings(readings: Sequence[tuple[str, TraceReading]]) -> TraceReading:
    """Merges readings of the same frames by several repositories."""
    sums = _sums([one for _, one in readings], "own", "filtered", "places")
    frames = max(one.own + one.filtered + one.foreign + len(one.lost) for _, one in readings)
    elsewhere = tuple(f"{name}: {frame}" for name, one in readings for frame in one.elsewhere)
    lost = tuple(f"{name}: {frame}" for name, one in readings for frame in one.lost)
    foreign = max(0, frames - sums["own"] - sums["filtered"] - len(lost))
    return TraceReading(**sums, foreign=foreign, elsewhere=elsewhere, lost=lost)


def _globs(globs: Sequence[str], name: str) -> tuple[str, ...]:
    rests = [glob.lstrip("/")[len(name) :] for glob in globs if glob.lstrip("/").startswith(f"{name}/")]
    return (*globs, *(rest if rest.strip("/") else "*" for rest in rests))
