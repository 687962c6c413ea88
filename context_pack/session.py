"""One opened index, and the questions of the command line, of batches and of the library to it."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Unpack

from context_pack.answer import Answer, Stages
from context_pack.io.paths import is_outside, root_of
from context_pack.kinds.code import selection
from context_pack.kinds.code.corpus import Corpus
from context_pack.kinds.code.fitting import fitted
from context_pack.kinds.code.question import (
    check_indexed,
    confidence_hints,
    nearest,
    question,
    respelling,
    suggestions,
    trace_hints,
)
from context_pack.kinds.code.redacted import MAX_CLEAN_ROWS, CleanRow, RedactedCorpus
from context_pack.options.config_file import layers
from context_pack.options.resolve import (
    PATCH,
    Layer,
    Settings,
    check_query,
    environment,
    log_hints,
    option_warnings,
    resolve,
)
from context_pack.options.spec import SYMBOLS_LIMIT, per_question
from context_pack.options.values import closest
from context_pack.redaction import Paths, Redactor
from context_pack.render.phrases import counted
from contracts.errors import IndexCorrupt, InvalidRequest
from contracts.records import Hint, Pack
from index import processes
from index.types import EXACT_SCORE, Progress

if TYPE_CHECKING:
    from context_pack.options import keywords
    from contracts.reports import Hits, Related, Status, Symbols
    from index import Index

MAX_PLACES = 40  # that are selected, if most of them are copies of others
Repos = str | Path | Sequence[str | Path] | None  # of several, paths begin with the repository's name


class Session:
    """One generation of a repository's index, and the options that apply unless a question overrides them."""

    def __init__(self, corpus: Corpus, *layers: Layer) -> None:
        self.corpus = corpus
        self._layers = layers
        self.settings = resolve(*layers)
        self._paths = Paths(corpus.paths)
        self._clean_row = lru_cache(MAX_CLEAN_ROWS)(partial(CleanRow, corpus, self._paths))
        self.time_limit_s: float | None = None  # of a pack: after it, related items are left out
        self._reports_changes = True  # only the first answer says what the refresh changed

    @classmethod
    def open(
        cls,
        repo: Repos = None,
        options: Mapping[str, object] | None = None,
        progress: Progress | None = None,
        max_files: int | None = None,
        serving: bool = False,
    ) -> Session:
        """Open the index of a repository, or of several, refreshed first unless `no_refresh` is among the options.

        LargeTree if a folder outside any repository was never indexed and has more than `max_files` files. `serving`:
        as in `open_corpus`, for a single repository.
        """
        repos: Sequence[str | Path | None] = [repo] if repo is None or isinstance(repo, str | Path) else repo or [None]
        if len(repos) == 1:
            root = root_of(repos[0])
            chosen = layers(root, options)
            return cls(open_corpus(root, resolve(*chosen), progress, max_files, serving), *chosen)
        from context_pack.kinds.code.repositories import Repositories, named, options_of

        # Each repository's own file decides how it is indexed; only the options decide how a question is answered.
        given, roots = options or {}, named(map(root_of, repos))
        corpora: dict[str, Index] = {}
        notes: list[str] = []
        for name, root in roots.items():
            chosen = layers(root, options_of(name, given, len(roots) > 1))
            corpora[name] = open_corpus(root, resolve(*chosen), progress, max_files)
            notes += [f"{name}: {hint.text}" for hint in option_warnings(*chosen)]
        return cls(Repositories(corpora), environment(), Layer(given, notes=tuple(notes)))

    def query(self, text: str | None = None, /, **options: Unpack[keywords.QueryKeywords]) -> Answer[Pack]:
        """The pack for a query: the code to read, within `max_chars`. With `diff` the text may be left out."""
        stages = Stages(self.time_limit_s)
        settings = self._settings("query", options)
        if isinstance(text, str) and settings.diff is None and PATCH.match(text):
            settings, text = self._settings("query", {**options, "diff": f"{text}\n"}), None
        text = self._paths.real(text) if isinstance(text, str) else text
        with self._redacted_corpus(settings) as (corpus, account):
            places = settings.primaries
            about, pack, left_out, late = self._packed(text, settings, corpus, account.redactor, stages)
            while not late and settings.limit is None and places < MAX_PLACES:
                alike = (pack.budget.left_out.alike or 0) if pack.budget.left_out else 0
                if places - alike >= settings.primaries // 2:
                    break
                places = settings.primaries + alike  # copies of an item took most places: others get as many
                more = replace(settings, limit=places)
                about, pack, left_out, late = self._packed(text, more, corpus, account.redactor, stages)
        cut = [Hint("warn", "The time limit passed after the search; related items are left out.")] if late else ()
        hints = (*self._refresh_hints(), *about.hints, *about.notes, *left_out, *cut, *coverage_hints(self.corpus))
        return account.answer(pack, hints, stages, account.counts(pack.items), about.grade)

    def _packed(
        self, text: str | None, settings: Settings, corpus: Corpus, redactor: Redactor, stages: Stages
    ) -> tuple[selection.Question, Pack, tuple[Hint, ...], bool]:
        """The question, its pack, hints about what was left out, and whether the time limit passed after the search."""
        with stages.stage("search"):
            about = question(corpus, self.corpus, text, settings, redactor)
        late = stages.late()
        with stages.stage("relate"):
            ties = about.ties or ([] if late else selection.select_related(corpus, about, settings))
            about = selection.with_users(corpus, about, ties)
        with stages.stage("fit"):
            title = None if about.title is None else redactor.name(about.title)
            query, notes = redactor.name(about.query), redactor.hints(about.notes)
            about = replace(about, query=query, title=title, notes=notes)
            pack, left_out = fitted(selection.selection(corpus, about, ties, whole=settings.fit == "whole"), settings)
        return about, pack, left_out, late

    @property
    def shown_corpus(self) -> Corpus:
        """The corpus as readers may see it: without secrets, unless they asked for them."""
        return self._redacted_corpus(self.settings).corpus

    def search(self, text: str, /, **options: Unpack[keywords.SearchKeywords]) -> Answer[Hits]:
        """The ranked chunks for a query, best first."""
        from context_pack.kinds.code import listings

        stages = Stages()
        text, settings = self._paths.real(text) if isinstance(text, str) else text, self._settings("search", options)
        query = check_query(text)
        with self._redacted_corpus(settings) as (corpus, account):
            with stages.stage("search"):
                check_indexed(corpus, query, settings)
                words, misspelt = respelling(corpus, query)
                trace = corpus.trace(words, filters=settings.filters)
                scored = corpus.search(words, top_k=settings.top_k, filters=settings.filters, order=settings.order)
            with stages.stage("read"):
                hits = listings.ranked(corpus, account.redactor.name(query), scored, settings)
            with stages.stage("grade"):
                grade = corpus.grade(words, filters=settings.filters)
        certain = trace is not None or (scored and scored[0].score >= EXACT_SCORE)
        near = () if certain else nearest(self.corpus, query)
        notes = (*log_hints(text, query), *misspelt, *trace_hints(trace))
        more = (*notes, *suggestions(query, near, "search"), *coverage_hints(self.corpus))
        hints = (*self._refresh_hints(), *confidence_hints(self.corpus, words, scored, grade, settings), *more)
        return account.answer(hits, hints, stages, account.counts(hits.hits, content=settings.content), grade)

    def related(self, target: str, /, **options: Unpack[keywords.RelatedKeywords]) -> Answer[Related]:
        """The code that is tied to a place or a symbol by the code graph, or is similar. Paths start at the root.

        NotFound if nothing of that name is indexed; Ambiguous if a symbol is defined in several places.
        """
        from context_pack.kinds.code import listings
        from context_pack.kinds.code.target import chunks_of
        from context_pack.kinds.code.ties.listing import most_telling
        from index.search.spelling import place_among

        stages = Stages()
        query, settings = self._paths.real(check_query(target)), self._settings("related", options)
        with self._redacted_corpus(settings) as (corpus, account):
            with stages.stage("search"):
                query = query if " " in query and corpus.places(query) else place_among(query)  # blanks of its path
                check_indexed(corpus, query, settings)
                chunks = chunks_of(corpus, query)
            with stages.stage("relate"):
                ties, total, more = most_telling(corpus, query, chunks, settings)
            with stages.stage("read"):
                listing = listings.tied(corpus, account.redactor.name(query), chunks, ties, settings, total)
        counts = account.counts(listing.hits, content=settings.content)
        return account.answer(listing, (*self._refresh_hints(), *more), stages, counts)

    def symbols(self, pattern: str | None = None, /, **options: Unpack[keywords.SymbolsKeywords]) -> Answer[Symbols]:
        """The definitions of symbols whose name matches the glob or contains the pattern, exact names first."""
        from context_pack.kinds.code import listings

        stages = Stages()
        query = None if pattern is None else check_query(pattern)
        settings = self._settings("symbols", {"limit": SYMBOLS_LIMIT, **options})
        most = settings.primaries
        with self._redacted_corpus(settings) as (corpus, account), stages.stage("symbols"):
            rows = corpus.symbols(query, limit=most + 1)
            names = nearest(corpus, query.replace("*", "")) if query and not rows else ()
            listing = listings.defined(corpus, None if query is None else account.redactor.name(query), rows[:most])
        more = [Hint("info", f"There are more than {most}; raise --limit to list more.")] if rows[most:] else []
        if query and not rows and len(query.split()) > 1:
            more = [Hint("info", "A text of several words is a question, not a name.")]
            more.append(Hint("action", f"`ctxpack query {shlex.quote(query)}`"))
        return account.answer(
            listing, (*self._refresh_hints(), *more, *suggestions(query or "", names, "symbols")), stages
        )

    def status(self, /, **options: Unpack[keywords.StatusKeywords]) -> Answer[Status]:
        """The indexed files, the model, whether the tree has changed since, and what is not covered.

        With `verify`, the whole index is read and checked. IndexCorrupt if it is damaged.
        """
        from context_pack.kinds.code import listings

        stages = Stages()
        verify = options.get("verify", False)
        if not isinstance(verify, bool):
            raise InvalidRequest("verify", "verify must be true or false")
        settings = self._settings("status", {name: value for name, value in options.items() if name != "verify"})
        with stages.stage("compare"):
            status = listings.status(self.corpus)
        if verify:
            with stages.stage("verify"):
                if not self.corpus.is_intact():
                    raise IndexCorrupt(
                        f"the index in {status.folder} is damaged: its checksums do not match",
                        hint="run `ctxpack index --full` to rebuild it",
                        details={"folder": status.folder, "full": True},
                    )
                status = replace(status, intact=True)
        return self._redacted_corpus(settings).answer(status, self._refresh_hints(), stages)

    def _redacted_corpus(self, settings: Settings) -> RedactedCorpus:
        return RedactedCorpus(self.corpus, self._paths, None if settings.no_redact else self._clean_row)

    def _settings(self, action: str, options: Mapping[str, object]) -> Settings:
        accepted = per_question(action)
        for name in options:
            if name not in accepted:
                hint = closest(name, accepted)
                raise InvalidRequest(name, f"{action} does not accept {name} per question", hint=hint)
        return resolve(*self._layers, Layer(options)) if options else self.settings

    def _refresh_hints(self) -> tuple[Hint, ...]:
        """What the refresh changed (in the first answer) and could not do, and the options that were ignored."""
        text, self._reports_changes = _changes(self.corpus) if self._reports_changes else "", False
        news = [Hint("info", text)] if text else []
        news += [Hint("warn", note) for note in (self.corpus.refreshed.notes if self.corpus.refreshed else ())]
        return (*news, *option_warnings(*self._layers))


def _changes(corpus: Corpus) -> str:
    """A sentence: what the refresh of the index changed; empty if nothing."""
    if not (refreshed := corpus.refreshed):
        return ""
    added, changed, removed = refreshed.added, refreshed.changed, refreshed.removed
    if added and added == corpus.files and not changed + removed:
        large = corpus.coverage.skipped.get("too_large", 0)
        without = f" without {counted(large, 'file')} larger than --max-file-bytes" if large else ""
        return f"Indexed {counted(added, 'file')}, {counted(corpus.chunks, 'chunk')}{without}."
    counts = f"{counted(added, 'file')} added, {changed} changed, {removed} removed"
    return f"Index refreshed: {counts}." if added + changed + removed else ""


def open_corpus(
    root: Path,
    settings: Settings,
    progress: Progress | None = None,
    max_files: int | None = None,
    serving: bool = False,
    in_steps: bool = False,
) -> Index:
    """The index of one repository, according to the settings. NoFiles if it is empty.

    `max_files` bounds a first index of a folder outside any repository: LargeTree.
    `serving`, `in_steps`: as in `index.open_index`; a server has time to load a transformer that was not named.
    """
    from index import open_index

    corpus = open_index(
        root,
        refresh=not settings.no_refresh,
        progress=progress,
        **settings.indexing,
        max_files=max_files if max_files is not None and is_outside(root) else None,
        serving=serving,
        in_steps=in_steps,
    )
    check_files(corpus)
    return corpus


def check_files(corpus: Corpus) -> None:
    """NoFiles counts the skipped files by reason if the corpus is empty."""
    if not corpus.files:
        from index.build import nothing_to_index

        raise nothing_to_index(corpus.root, corpus.coverage.skipped)


def coverage_hints(corpus: Corpus) -> tuple[Hint, ...]:
    """A hint how much of the tree the transformer covers if it is not all, or why its vectors were not used."""
    about = corpus.vector_coverage
    if about is None:
        return ()
    if about.problem:
        return (Hint("warn", f"The model {about.model_id} was not used: {about.problem}"),)
    if about.covered < about.chunks:
        share = f"{about.covered:,} of {about.chunks:,} chunks ({100 * about.covered // about.chunks} %)"
        rest = "`ctxpack index --model NAME` computes the rest"
        if processes.background_allowed():
            rest = "the rest is computed in the background, `ctxpack index --model NAME` waits for it"
        return (Hint("info", f"The model {about.model_id} covers {share}; {rest}."),)
    return ()
