"""The results of `search`, `related`, `symbols` and `status` as the records that are printed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from context_pack.kinds.code.corpus import Corpus
from context_pack.kinds.code.packing.items import code_of, single, tie_why, title_of
from context_pack.options.resolve import Settings
from contracts.records import as_data
from contracts.reports import Hit, Hits, Place, Related, Status, Symbol, Symbols
from index.types import Scored, SymbolRow, Tie


def ranked(corpus: Corpus, query: str, scored: Sequence[Scored], settings: Settings) -> Hits:
    """The ranked chunks, in their order."""
    hits = tuple(
        replace(_hit(corpus, one.chunk, one.score, settings), why=one.why if settings.explain else ()) for one in scored
    )
    return Hits(query, corpus.model_id, settings.profile, hits)


def tied(
    corpus: Corpus, query: str, chunks: Sequence[int], ties: Sequence[Tie], settings: Settings, total: int
) -> Related:
    """The ties of some chunks in the code graph, in their order; the parts of a long symbol are one place."""
    symbols = dict.fromkeys(tuple(corpus.parts(number)) for number in chunks)
    rows = (corpus.span(parts[0], parts[-1]) for parts in symbols)
    places = tuple(Place(row.id, row.file, row.start_line, row.end_line, *title_of(corpus, row.number)) for row in rows)
    hits = tuple(_tied(corpus, tie, settings) for tie in ties)
    return Related(query, corpus.model_id, settings.profile, places, hits, total if total > len(hits) else None)


def defined(corpus: Corpus, pattern: str | None, rows: Sequence[SymbolRow]) -> Symbols:
    """The definitions, in their order."""
    symbols = (
        Symbol(row.name, row.qualified, row.kind, row.file, row.line, corpus.chunk(row.chunk).id) for row in rows
    )
    return Symbols(pattern, tuple(symbols))


def status(corpus: Corpus) -> Status:
    """What is indexed, and whether the tree has changed since (`stale`)."""
    vectors = corpus.vector_coverage
    return Status(
        generation=corpus.generation,
        model_id=corpus.model_id,
        files=corpus.files,
        chunks=corpus.chunks,
        stale=corpus.stale(),
        folder=str(corpus.folder),
        coverage=as_data(corpus.coverage),
        transformer=as_data(vectors) if vectors else None,
    )


def _tied(corpus: Corpus, tie: Tie, settings: Settings) -> Hit:
    hit = _hit(corpus, tie.chunk, tie.weight, settings)
    why = tie_why(tie, corpus.chunk(tie.source).id) if settings.explain else ()
    return replace(hit, relationship=tie.labels, distance=tie.distance, why=why)


def _hit(corpus: Corpus, chunk: int, score: float, settings: Settings) -> Hit:
    row = corpus.chunk(chunk)
    symbol, kind = title_of(corpus, chunk)
    return Hit(
        id=row.id,
        file=row.file,
        start_line=row.start_line,
        end_line=row.end_line,
        score=single(score),
        symbol=symbol,
        type=kind,
        content=code_of(row) if settings.content else None,
    )
