"""Code that must follow a change: the callers of a changed signature, the readers of a changed value."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import islice

from chunker.languages.table import LANGUAGES, rules_of
from context_pack.core.text import lines_naming, whole_word
from context_pack.io.patches import Lines
from context_pack.kinds.code.change.places import ChangedChunk, changed_symbols, is_in_comments, removed_words
from context_pack.kinds.code.corpus import Corpus
from context_pack.kinds.code.selection import primary
from context_pack.kinds.code.ties.mentions import mention_of
from context_pack.kinds.code.ties.users import MAX_FOLLOWED, overriders_of, users_of
from context_pack.options.resolve import Settings
from context_pack.redaction import Redactor
from contracts.lazy_regex import lazy_regex
from contracts.records import Why
from index.types import EXACT_SCORE, RANKED_SCORE, Follow, Scored, Tie

# Ties to code that must follow a changed signature; they come before all other ties.
FOLLOWERS = {
    "called_by": "calls", "overridden_by": "overrides", "implemented_by": "implements", "overrides": "declares",
}  # fmt: skip
MAX_FOLLOWERS = 20
MAX_READERS = 5  # places that read one changed value
MAX_OF_SETTING = 20  # hits of a search for a setting
# A flag, or a name as only variables of the environment and constants have it.
_SETTING = lazy_regex(r"(?<![\w-])--[a-z][\w-]{2,60}|(?<!\w)[A-Z][A-Z0-9]{0,60}_[A-Z0-9_]{1,60}(?!\w)")
_READ_BY_KEY = r"(?:[\w\])]\[|\w:|(?:bool|duration|dig|env|fetch|get|int|read|string|value)\w*\()\s*[\"']{}[\"',]"
MAX_SIGNATURES = 10  # changed signatures that are followed
MAX_DECLARED = 100  # changed definitions, of which some may be methods without a body


def followers(
    corpus: Corpus, places: Sequence[ChangedChunk], settings: Settings, passes: Callable[[int], bool]
) -> list[Scored]:
    """The callers, overrides and implementations of symbols with a changed signature, at the lines that name them.

    A declaration that such a symbol overrides no longer fits it, and its callers and other overrides follow.
    """
    changed = {place.row.number for place in places}
    signatures = [place.row.number for place in places if place.signature][:MAX_SIGNATURES]
    ties = _ties(corpus, signatures, settings)
    declared = [tie.chunk for tie in ties if tie.labels[0] == "overrides" and tie.chunk not in changed]
    rows = [row for place in places for row in changed_symbols(corpus, place)][:MAX_DECLARED]
    names = {row.name for row in rows}
    overriders = filter(lambda tie: passes(tie.chunk), overriders_of(corpus, rows, names) if settings.related else ())
    hits: dict[int, Scored] = {}
    for tie in (*ties, *_ties(corpus, declared, settings), *overriders):
        if tie.chunk not in changed and tie.chunk not in hits:
            is_overrider = tie.labels[0] == "overridden_by"
            name = (corpus.chunk(tie.chunk if is_overrider else tie.source).symbol or "").rpartition(".")[2]
            why = Why("signature_changed", 1.0, 1.0, f"{FOLLOWERS[tie.labels[0]]} {name}")
            lines = lines_naming(corpus.chunk(tie.chunk), whole_word(name))
            hits[tie.chunk] = primary(tie.chunk, why, lines, RANKED_SCORE)
    return list(hits.values())


def readers(
    corpus: Corpus, places: Sequence[ChangedChunk], settings: Settings, redactor: Redactor,
    passes: Callable[[int], bool],
) -> list[Scored]:  # fmt: skip
    """The code that reads the constants, variables, fields and settings whose lines have changed, at these lines."""
    if not settings.related:
        return []
    changed = {place.row.number for place in places}
    values = ((row, place) for place in places for row in changed_symbols(corpus, place))
    reads = list[tuple[str, int, Sequence[Lines]]]()
    before = cache(removed_words)
    for row, place in islice(values, MAX_SIGNATURES):
        holds = mention_of(row.name, row.file)
        is_new = row.line in place.added and row.name not in before(place.file)  # what has its name reads another one
        ties = [] if is_new else [tie for tie in users_of(corpus, [row]) if passes(tie.chunk)][:MAX_READERS]
        reads += [(row.name, tie.chunk, lines_naming(corpus.chunk(tie.chunk), holds)) for tie in ties]
        is_of_tool = "/." in f"/{row.file}"  # `.golangci.yml`: the repository's own code reads none of its words
        is_key = LANGUAGES[corpus.chunk(row.chunk).language].keys and not (ties or is_of_tool)
        reads += _code_with(corpus, row.name, passes) if is_key else []
    for text in islice(dict.fromkeys(name for place in places for name in _settings(place)), MAX_SIGNATURES):
        reads += _code_with(corpus, text, passes)
    hits = list[Scored]()
    for name, chunk, lines in reads:
        why = Why("value_changed", 1.0, 1.0, f"reads {redactor.name(name)}")
        hit = primary(chunk, why, tuple(lines), RANKED_SCORE)
        if chunk not in changed and not (hit.lines and is_in_comments(corpus, hit)):
            hits.append(hit)
    return hits


def _settings(place: ChangedChunk) -> Iterator[str]:
    """The flags and the variables of the environment on the changed lines of data and scripts."""
    if (rules_of(place.row.language).graph and place.row.language != "bash") or rules_of(place.row.language).prose:
        return
    for number, line in enumerate(place.row.text.split("\n"), place.row.start_line):
        yield from _SETTING.findall(line) if number in place.lines else ()


def _code_with(corpus: Corpus, name: str, passes: Callable[[int], bool]) -> list[tuple[str, int, Sequence[Lines]]]:
    """(name, chunk, lines) of the code that a query for a setting finds, of a plain word the code that reads it by this
    key (`config["timeout"]`); none if there is too much: the text is then no name of a setting."""
    is_word = name.isalpha()
    by_key = lazy_regex(_READ_BY_KEY.format(re.escape(name)))
    hits = corpus.search(f'"{name}"' if is_word else name, top_k=MAX_OF_SETTING, order="pack")
    exact = [hit for hit in hits if hit.score >= EXACT_SCORE and hit.lines and passes(hit.chunk)]
    rows = ((hit, corpus.chunk(hit.chunk)) for hit in exact)
    code = [hit for hit, row in rows if rules_of(row.language).graph and (not is_word or by_key.search(row.text))]
    return [(name, hit.chunk, hit.lines) for hit in code] if len(code) <= MAX_READERS else []


def _ties(corpus: Corpus, chunks: Sequence[int], settings: Settings) -> Sequence[Tie]:
    """The followers of symbols: code before tests, which may be the most and the heaviest."""
    follow = Follow(MAX_FOLLOWED, 1, tuple(FOLLOWERS))
    ties = corpus.related(chunks, "", follow, filters=settings.filters) if chunks and settings.related else []
    return sorted(ties, key=lambda tie: corpus.is_test(tie.chunk))[:MAX_FOLLOWERS]
