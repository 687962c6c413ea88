"""Ties of a change to code that no edge of its chunks leads to: the users of a long symbol, the tests of the changed
files, the other place with the same condition, the places that a question is about."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import islice

from context_pack.io.changes import reading_rank
from context_pack.kinds.code.corpus import Corpus
from context_pack.kinds.code.selection import SEEDS, wants
from context_pack.options.resolve import Settings
from context_pack.redaction import Redactor, redact
from contracts.lazy_regex import lazy_regex
from index.types import RESEMBLES, ChunkRow, Follow, Scored, Tie

MAX_WORDS, MAX_HITS = 60, 100  # words of the changed lines, and hits for them, of which some are in other files
MAX_HITS_IN_TESTS = 400  # the same hits if tests are looked for
BY_WORDS = 3  # places with these words, for each of `--related`
MAX_WEIGHT = 0.5  # of a tie to such a place: about that of one to a caller
# Of 140 places with less in the packs for 80 commits, one was in another file that the commit changed.
MIN_WEIGHT = 0.15  # of a tie to what resembles a changed place; a test with few of its words has as much
# Of a hit for the question beside a change. With the subjects of some 70 commits that were made half, packs show 73
# instead of 66 of 201 lines that the other half changes in other code.
MIN_ANSWER = 0.03
TESTED_BY = "tested_by"
MAX_TESTS = 8  # places in tests, first those of the changed files
TESTS_OF_FILE = 3  # places in one file of tests
MIN_TEST_WEIGHT = 0.3  # the file is evidence, too
NAMED_WORDS = 4  # in a reason
_WORD = lazy_regex(r"[^\W\d]\w{3,}")


def beside(
    corpus: Corpus, lines: Iterable[str], files: Mapping[str, ChunkRow | None], primaries: Sequence[Scored], query: str,
    settings: Settings, redactor: Redactor, by_text: Sequence[Scored] = (),
) -> tuple[Sequence[Tie], ...]:  # fmt: skip
    """Ties to the users of symbols with a changed part, to code in other files that resembles the changed places or has
    the words of the changed `lines`, to the hits of a question (`by_text`), and to the tests of `files`, which are
    given with their first changed places."""
    seeds = [one.chunk for one in primaries[:SEEDS]]
    if not (settings.related and settings.related_mode != "none" and seeds):
        return ()
    words = [*islice(dict.fromkeys(_WORD.findall("\n".join(lines))), MAX_WORDS)]
    ranks = {reading_rank(file, row.language if row else None) for file, row in files.items()}
    without_tests = 0 in ranks and 1 not in ranks  # a change of code; others say where their tests are, or need none
    top_k = MAX_HITS_IN_TESTS if without_tests else MAX_HITS
    hits = corpus.search(" ".join(words), top_k=top_k, filters=settings.filters, order="pack") if words else []
    changed = {one.chunk for one in primaries}.union(*map(corpus.chunks_of_file, files))
    hits = [hit for hit in hits if hit.chunk not in changed and not corpus.only_imports(hit.chunk)]
    ties = list[Sequence[Tie]]([_of_heads(corpus, seeds, query, settings)])
    tests_of = _tests_of(corpus, files) if without_tests else {}
    tests = list[Tie]()

    def sharing(hit: Scored) -> Tie:
        return _tie(seeds[0], hit, RESEMBLES, MIN_WEIGHT, partial(_shared_words, corpus, words, hit.chunk))

    if wants(settings, TESTED_BY):
        tests += _tests_of_files(hits, tests_of, files, seeds[0], redactor)
    if wants(settings, RESEMBLES):
        alike = corpus.related(
            seeds, query, Follow(settings.related, 1, (RESEMBLES,), alike=True), filters=settings.filters
        )
        new = (tie for tie in alike if tie.chunk not in changed and not corpus.only_imports(tie.chunk))
        ties.append([tie for tie in new if tie.weight >= MIN_WEIGHT])
        others = (hit for hit in hits if hit.score >= MIN_WEIGHT)
        ties.append([sharing(hit) for hit in islice(others, BY_WORDS * settings.related)])
        answers = (hit for hit in by_text if hit.chunk not in changed and hit.score >= MIN_ANSWER)
        ties.append([_answering(seeds[0], hit) for hit in islice(answers, BY_WORDS * settings.related)])
        tests += map(sharing, islice(_other_tests(corpus, hits, tests_of), MAX_TESTS if without_tests else 0))
    return (*ties, tests[:MAX_TESTS])


def _of_heads(corpus: Corpus, seeds: Sequence[int], query: str, settings: Settings) -> list[Tie]:
    """Ties to what uses the symbols whose later parts have changed: the edges lead to their first parts."""
    heads = {head: seed for seed in seeds if (head := corpus.parts(seed)[0]) not in seeds}
    way = Follow(settings.related, 1, settings.edges)
    ties = corpus.related([*heads], query, way, filters=settings.filters) if heads else ()
    return [replace(tie, source=heads[tie.source]) for tie in ties if tie.labels[0].endswith("_by")]


def _tests_of(corpus: Corpus, files: Iterable[str]) -> dict[int, tuple[str, str]]:
    """The chunks in tests of some files, each with its own file and the first of these that it tests."""
    tested = dict[str, str]()
    for file in files:
        for path in corpus.linked(file, "tests", backward=True):
            tested.setdefault(path, file)
    return {chunk: (path, file) for path, file in tested.items() for chunk in corpus.chunks_of_file(path)}


def _tests_of_files(
    hits: Iterable[Scored], tests_of: Mapping[int, tuple[str, str]], files: Mapping[str, ChunkRow | None], source: int,
    redactor: Redactor,
) -> Iterator[Tie]:  # fmt: skip
    """Ties to those of the hits that are in tests of changed files."""
    count = Counter[str]()
    for hit in hits:
        path, file = tests_of.get(hit.chunk, ("", ""))
        count[path] += 1
        if path and count[path] <= TESTS_OF_FILE:
            first, detail = files[file], partial("a test of {}".format, redactor.path(file))
            yield _tie(first.number if first else source, hit, TESTED_BY, MIN_TEST_WEIGHT, detail)


def _other_tests(corpus: Corpus, hits: Iterable[Scored], tests_of: Container[int]) -> Iterator[Scored]:
    """Hits in other tests, of which some test the changed files through code that uses these."""
    count = Counter[str]()
    for hit in hits:
        if hit.chunk not in tests_of and corpus.is_test(hit.chunk):
            file = corpus.chunk(hit.chunk).file
            count[file] += 1
            if count[file] <= TESTS_OF_FILE:
                yield hit


def _answering(source: int, hit: Scored) -> Tie:
    """The tie of a change to a place that the question beside it finds."""
    return _tie(source, hit, RESEMBLES, MIN_WEIGHT, lambda: "fits the question")


def _tie(source: int, hit: Scored, label: str, least: float, detail: Callable[[], str]) -> Tie:
    weight = round(min(MAX_WEIGHT, max(least, hit.score)), 6)
    return Tie(source, hit.chunk, (label,), 1, weight, detail=detail)


def _shared_words(corpus: Corpus, words: Sequence[str], chunk: int) -> str:
    """The longest words that a chunk shares with the changed lines, without parts of secrets."""
    row = corpus.chunk(chunk)
    own = set(_WORD.findall(redact(row.text, row.file, piece=True).text))
    shared = sorted((word for word in words if word in own), key=lambda word: (-len(word), word))
    return f"has {', '.join(shared[:NAMED_WORDS])} of the changed lines" if shared else ""
