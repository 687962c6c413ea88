"""Ties of a change to code that no edge of its chunks leads to: the users of a long symbol, the tests of the changed
files, the other place with the same condition."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import islice

from context_pack.kinds.code.corpus import Corpus
from context_pack.kinds.code.selection import SEEDS
from context_pack.options.resolve import Settings
from context_pack.redaction import Redactor, redact
from contracts.lazy_regex import lazy_regex
from index.types import RESEMBLES, ChunkRow, Follow, Scored, Tie

MAX_WORDS, MAX_HITS = 60, 100  # words of the changed lines, and hits for them, of which some are in other files
BY_WORDS = 3  # places with these words, for each of `--related`
MAX_WEIGHT = 0.5  # of a tie to such a place: about that of one to a caller
# Of 140 places with less in the packs for 80 commits, one was in another file that the commit changed.
MIN_WEIGHT = 0.15  # of a tie to what resembles a changed place
TESTED_BY = "tested_by"
MAX_TESTS = 8  # places in tests of the changed files
TESTS_OF_FILE = 3  # places in one file of tests
MIN_TEST_WEIGHT = 0.3  # the file is evidence, too
NAMED_WORDS = 4  # in a reason
_WORD = lazy_regex(r"[^\W\d]\w{3,}")


def beside(
    corpus: Corpus, lines: Iterable[str], files: Mapping[str, ChunkRow | None], primaries: Sequence[Scored], query: str,
    settings: Settings, redactor: Redactor,
) -> tuple[Sequence[Tie], ...]:  # fmt: skip
    """Ties to the users of symbols with a changed part, to code in other files that resembles the changed places or has
    the words of the changed `lines`, and to the tests of `files`, which are given with their first changed places."""
    seeds = [one.chunk for one in primaries[:SEEDS]]
    if not (settings.related and settings.related_mode != "none" and seeds):
        return ()
    words = [*islice(dict.fromkeys(_WORD.findall("\n".join(lines))), MAX_WORDS)]
    hits = corpus.search(" ".join(words), top_k=MAX_HITS, filters=settings.filters, order="pack") if words else []
    ties = list[Sequence[Tie]]([_of_heads(corpus, seeds, query, settings)])
    if not settings.edges or RESEMBLES in settings.edges:
        changed = {one.chunk for one in primaries}.union(*map(corpus.chunks_of_file, files))
        alike = corpus.related(
            seeds, query, Follow(settings.related, 1, (RESEMBLES,), alike=True), filters=settings.filters
        )
        ties.append([tie for tie in alike if tie.chunk not in changed and tie.weight >= MIN_WEIGHT])
        others = (hit for hit in hits if hit.chunk not in changed and hit.score >= MIN_WEIGHT)
        ties.append([
            _tie(seeds[0], hit, RESEMBLES, 0.0, partial(_shared_words, corpus, words, hit.chunk))
            for hit in islice(others, BY_WORDS * settings.related)
        ])  # fmt: skip
    if hits and (not settings.edges or "tests" in settings.edges):
        ties.append(_tests(corpus, hits, files, seeds[0], redactor))
    return tuple(ties)


def _of_heads(corpus: Corpus, seeds: Sequence[int], query: str, settings: Settings) -> list[Tie]:
    """Ties to what uses the symbols whose later parts have changed: the edges lead to their first parts."""
    heads = {head: seed for seed in seeds if (head := corpus.parts(seed)[0]) not in seeds}
    way = Follow(settings.related, 1, settings.edges)
    ties = corpus.related([*heads], query, way, filters=settings.filters) if heads else ()
    return [replace(tie, source=heads[tie.source]) for tie in ties if tie.labels[0].endswith("_by")]


def _tests(
    corpus: Corpus, hits: Sequence[Scored], files: Mapping[str, ChunkRow | None], source: int, redactor: Redactor
) -> list[Tie]:
    """Ties to those of the hits that are in tests of changed files, which the change left alone."""
    tested = dict[str, str]()  # a changed file by each of its tests
    for file in files:
        for path in corpus.linked(file, "tests", backward=True):
            tested.setdefault(path, file)
    count, ties = Counter[str](), list[Tie]()
    wanted = {chunk for path in tested if path not in files for chunk in corpus.chunks_of_file(path)}
    for hit in hits:
        if hit.chunk not in wanted:
            continue
        row = corpus.chunk(hit.chunk)
        count[row.file] += row.symbol is not None  # imports say nothing about what is tested
        if row.symbol is not None and count[row.file] <= TESTS_OF_FILE:
            first = files[tested[row.file]]
            detail = partial("a test of {}".format, redactor.path(tested[row.file]))
            ties.append(_tie(first.number if first else source, hit, TESTED_BY, MIN_TEST_WEIGHT, detail))
    return ties[:MAX_TESTS]


def _tie(source: int, hit: Scored, label: str, least: float, detail: Callable[[], str]) -> Tie:
    weight = round(min(MAX_WEIGHT, max(least, hit.score)), 6)
    return Tie(source, hit.chunk, (label,), 1, weight, detail=detail)


def _shared_words(corpus: Corpus, words: Sequence[str], chunk: int) -> str:
    """The longest words that a chunk shares with the changed lines, without parts of secrets."""
    row = corpus.chunk(chunk)
    own = set(_WORD.findall(redact(row.text, row.file, piece=True).text))
    shared = sorted((word for word in words if word in own), key=lambda word: (-len(word), word))
    return f"has {', '.join(shared[:NAMED_WORDS])} of the changed lines" if shared else ""
