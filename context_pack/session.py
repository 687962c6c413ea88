"""One opened index and the questions that are asked of it, by the command line, in batches and through the library."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from context_pack import render
from context_pack.answer import Answer
from context_pack.config import file_layer, root_of
from context_pack.recipes import code
from context_pack.recipes.drafts import code_of, single, tie_why
from context_pack.settings import PER_QUESTION, Layer, Settings, check_query, resolve
from context_pack.stages import Stages
from context_pack.target import chunks_of
from contracts.errors import InvalidRequest
from contracts.records import Hint, Hit, Hits, Pack, Symbol, Symbols

if TYPE_CHECKING:
    from context_pack.corpus import Corpus
    from index.types import ChunkRow, Refreshed, Scored, SymbolRow, Tie

Progress = Callable[[str, int, int], None]  # (stage, done, total)

NOTHING_FOUND = Hint(
    "info",
    "Nothing in this repository rises above the noise for this query. "
    "Try an identifier, a file name, or fewer and more telling words.",
)
SYMBOLS_LIMIT = 100


class Session:
    """One generation of one repository's index, and the options that hold when a question does not say otherwise."""

    def __init__(self, corpus: Corpus, *layers: Layer) -> None:
        self.corpus = corpus
        self._layers = layers
        self.settings = resolve(*layers)

    @classmethod
    def open(
        cls,
        repo: str | Path | None = None,
        options: Mapping[str, object] | None = None,
        progress: Progress | None = None,
    ) -> Session:
        """Open the index of a repository, refreshed first unless `no_refresh` is among the options."""
        from index import open_index

        root = root_of(repo)
        layers = (file_layer(root), Layer(options or {}))
        settings = resolve(*layers)
        corpus = open_index(
            root,
            home=settings.index_dir,
            model=settings.model,
            refresh=not settings.no_refresh,
            progress=progress,
            wait_s=settings.wait,
        )
        return cls(corpus, *layers)

    def query(self, text: str, /, **options: object) -> Answer[Pack]:
        """The pack for a query: the code to read, within `max_chars`."""
        stages = Stages()
        query, settings = check_query(text), self._settings("query", options)
        layout = render.layout(settings.format)
        with stages.stage("search"):
            primaries = code.select_primary(self.corpus, query, settings)
        with stages.stage("relate"):
            ties = code.select_related(self.corpus, query, primaries, settings)
        with stages.stage("fit"):
            chosen = code.selection(self.corpus, query, primaries, ties, settings)
            pack = code.pack(chosen, settings, self.corpus.model_id, layout)
            whole_chars = code.whole_chars(chosen, pack, layout)
        hints = (*self._news(), *(() if primaries else (NOTHING_FOUND,)), *_left_out(pack, whole_chars))
        return Answer(pack, hints, stages.durations_ms())

    def search(self, text: str, /, **options: object) -> Answer[Hits]:
        """The ranked chunks for a query, best first."""
        stages = Stages()
        query, settings = check_query(text), self._settings("search", options)
        with stages.stage("search"):
            found = self.corpus.search(query, top_k=settings.top_k, filters=settings.filters)
        with stages.stage("read"):
            hits = tuple(self._scored_hit(one, settings) for one in found)
        hints = (*self._news(), *(() if hits else (NOTHING_FOUND,)))
        return Answer(self._hits(query, settings, hits), hints, stages.durations_ms())

    def related(self, target: str, /, **options: object) -> Answer[Hits]:
        """What the code graph ties to `FILE`, `FILE:LINE` or a symbol, best tie first.

        NotFound when nothing of that name is indexed; Ambiguous when a symbol is defined in several places.
        """
        stages = Stages()
        query, settings = check_query(target), self._settings("related", options)
        with stages.stage("search"):
            chunks = chunks_of(self.corpus, query)
        with stages.stage("relate"):
            ties = self.corpus.related(
                chunks, query, per_primary=settings.top_k, depth=settings.depth, filters=settings.filters
            )
        with stages.stage("read"):
            hits = tuple(self._tie_hit(tie, settings) for tie in ties[: settings.top_k])
        return Answer(self._hits(query, settings, hits), self._news(), stages.durations_ms())

    def symbols(self, pattern: str | None = None, /, **options: object) -> Answer[Symbols]:
        """Where the symbols are defined whose name matches a glob or contains the pattern, by file and line."""
        stages = Stages()
        asked = None if pattern is None else check_query(pattern)
        most = self._settings("symbols", {"limit": SYMBOLS_LIMIT, **options}).limit
        with stages.stage("symbols"):
            rows = self.corpus.symbols(asked, limit=most + 1)
        found = tuple(map(self._symbol, rows[:most]))
        more = (Hint("info", f"There are more than {most}; --limit sets how many are listed."),) if rows[most:] else ()
        return Answer(Symbols(asked, found), (*self._news(), *more), stages.durations_ms())

    def status(self, **options: object) -> Answer[dict[str, Any]]:
        """What is indexed, with which model, and what is not covered."""
        stages = Stages()
        self._settings("status", options)
        return Answer({"version": 1, **self.corpus.status()}, self._news(), stages.durations_ms())

    def _settings(self, action: str, options: Mapping[str, object]) -> Settings:
        for name in options:
            if name not in PER_QUESTION[action]:
                allowed = ", ".join(sorted(PER_QUESTION[action])) or "none"
                raise InvalidRequest(name, f"{action} takes no {name} for one question", hint=f"it takes {allowed}")
        return resolve(*self._layers, Layer(options))

    def _symbol(self, row: SymbolRow) -> Symbol:
        return Symbol(row.name, row.qualified, row.kind, row.file, row.line, self.corpus.chunk(row.chunk).id)

    def _hits(self, query: str, settings: Settings, hits: tuple[Hit, ...]) -> Hits:
        return Hits(query, self.corpus.model_id, settings.profile, hits)

    def _scored_hit(self, found: Scored, settings: Settings) -> Hit:
        hit = _hit(self.corpus.chunk(found.chunk), found.score, settings)
        return replace(hit, why=found.why) if settings.explain else hit

    def _tie_hit(self, tie: Tie, settings: Settings) -> Hit:
        hit = _hit(self.corpus.chunk(tie.chunk), tie.weight, settings)
        why = tie_why(tie, self.corpus.chunk(tie.source).id) if settings.explain else ()
        return replace(hit, relationship=tie.labels, distance=tie.distance, why=why)

    def _news(self) -> tuple[Hint, ...]:
        refreshed = self.corpus.refreshed
        return () if refreshed is None else _news(refreshed, self.corpus)


def _hit(row: ChunkRow, score: float, settings: Settings) -> Hit:
    return Hit(
        id=row.id,
        file=row.file,
        start_line=row.start_line,
        end_line=row.end_line,
        score=single(score),
        symbol=row.symbol,
        type=row.kind,
        content=code_of(row) if settings.content else None,
    )


def _news(refreshed: Refreshed, corpus: Corpus) -> tuple[Hint, ...]:
    """What the refresh before this answer changed."""
    added, changed, removed = refreshed.added, refreshed.changed, refreshed.removed
    if not added + changed + removed:
        return ()
    if added == corpus.files and not changed + removed:
        return (Hint("info", f"Indexed {corpus.files} files, {corpus.chunks} chunks."),)
    return (Hint("info", f"Index refreshed: {added} files added, {changed} changed, {removed} removed."),)


def _left_out(pack: Pack, whole_chars: int) -> tuple[Hint, ...]:
    if not pack.budget.truncated:
        return ()
    left_out = pack.budget.dropped_items
    what = f"{left_out} selected item{'s' * (left_out != 1)} left out" if left_out else "an item was cut"
    return (Hint("action", f"{what}: --max-chars {whole_chars} holds everything that was selected"),)
