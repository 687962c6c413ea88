"""Finds numbers in code: `where does 8192 come from`, `where do we return 429`, `exit code 3`, `cron 0 3 * * *`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cache

from contracts.lazy_regex import lazy_regex
from contracts.rows import rows
from index.collection.collection import ASIDE, CODE, PROSE
from index.collection.reader import MAX_LINE
from index.search.fields.declarations import COMMENT
from index.search.occurrences import MAX_READ
from index.search.scope import Location, SearchScope, on_lines
from index.text import terms_of_text
from index.types import FileId

_NUMBER = lazy_regex(r"(?<![\w.#/:+-])(\d{3,9})(?![\w%/:-]|\.\w)")
_EXIT = lazy_regex(r"\bexit(?:s|ed)?(?: (?:with|code|status|value|is|of|the)){0,4} (\d{1,3})\b", re.IGNORECASE)
_SCHEDULE = lazy_regex(r"(?<![\w*/,-])(?:(?:[\d*]|\*/)[\d*/,-]* ){4,5}[\d*][\w*/,-]*(?![\w*])")
# A text that is about a number; `top 100 songs` and `copyright 2020` are not.
_ABOUT = lazy_regex(
    r"^(?:how|what|where|which|who|why)\b|\b(?:constant|literal|number|value)\b"
    r"|^(?!.*\b(?:19[5-9]|20[0-3])\d\b)\S* \S+$|^\S*$",
    re.IGNORECASE,
)
# What else is said of a status of HTTP, and what stands on the lines of code that send or compare one.
_OF_STATUS = lazy_regex(
    r"\b(?:answers?|gets?|https?|reject\w*|repl\w+|respon\w+|return(?:s|ed)?|status\w*)\b", re.IGNORECASE
)
_ON_LINES = lazy_regex(
    r"abort|code|error|halt|head|http|redirect|render|rep(?:ly|lies)|resp|result|send|status", re.IGNORECASE
)
# The name of a status, `{1}`, behind its kind, perhaps with its number: `http.StatusNotFound`, `HTTP_404_NOT_FOUND`; as
# a symbol only behind what sends it: `head :not_found`, but not `{:error, :not_found}`.
_NAMED = (
    r"(?:status\w{{0,6}}|http\w{{0,12}}|results?|responses?|sc)(?:\.|::|->|_)?(?:http_?)?(?:{0})?_?(?:{1})(?!\w)"
    r"|\b(?:\w{{0,20}}status|halt|head|re(?:nder|spond)\w{{0,20}}|send\w{{0,20}})\b[^\n]{{0,80}}(?<![\w:]):(?:{1})\b"
)
MAX_PLACES = 12  # chunks that are shown


def number_hits(scope: SearchScope, text: str) -> list[Location]:
    """The places of the schedule, the exit code, the status or the other number that a text is about, best first; none
    of a number that many places have."""
    if match := _SCHEDULE.search(text):
        return _schedules(scope, match[0])
    if match := _EXIT.search(text):
        pattern = rf"(?i:exit\w{{0,20}})[^\w\[-]{{1,4}}(?:\w{{1,30}}[^\w\[-]{{1,3}})?{match[1]}(?![\w.])"
        return _in_code(scope, [["exit", match[1]], ["exitcode", match[1]]], pattern)[:MAX_PLACES]
    match = _NUMBER.search(text)
    if match is None:
        return []
    number, words = match[1], text.lower().replace("'", "")
    names = next((own.split("|") for status, own in rows(__file__, "statuses.tsv") if status == number), [])
    if names and (any(name in words for name in names) or _OF_STATUS.search(text)):
        return _statuses(scope, number, names)[:MAX_PLACES]
    digits = "[_',]?".join(number)
    own = rf"(?<![\w.#-]){digits}(?![\w%-]|\.\w)"
    hits = _in_code(scope, [[number]], own) if _ABOUT.search(text) else []
    return hits if len(hits) <= MAX_PLACES else []


def _statuses(scope: SearchScope, number: str, names: Sequence[str]) -> list[Location]:
    """The lines of code that send or compare a status, by its number or one of its names."""
    spelled = "|".join(names).replace(" ", "_?")
    pattern = rf"(?<![\w.#-]){number}(?![\w.%-])|(?i:{_NAMED.format(number, spelled)})"
    # Much code has the words of a name: `StatusFound` is one word more.
    forms = [form for name in names for form in (name, f"Status{name.title().replace(' ', '')}")]
    return scope.on_lines_like(_in_code(scope, [[number], *map(terms_of_text, forms)], pattern), _ON_LINES)


def _schedules(scope: SearchScope, text: str) -> list[Location]:
    """The lines of code and data with a schedule."""
    collection, needle = scope.collection, text.encode()
    chunks = scope.holding(terms_of_text(text)).tolist() if any(map(str.isdigit, text)) else ()

    @cache
    def has_schedule(file: FileId) -> bool:
        """Most chunks with such digits are in a file without it, which is found faster."""
        return collection.kind_of(file) != PROSE and needle in collection.files.text.raw(file)

    own = (chunk for chunk in chunks if has_schedule(collection.file_of(chunk)))
    pattern = re.compile(rb"(?<![\w*/,-])" + re.escape(needle) + rb"(?![\w*/,-]| [\d*])")
    return scope.in_turns(scope.places_of(own, pattern, needle))[:MAX_PLACES]


def _in_code(scope: SearchScope, groups: Iterable[Sequence[str]], form: str) -> list[Location]:
    """The lines of code, or else of data and scripts, that contain a match, in chunks with all terms of any of the
    groups; none in comments, tests, generated and minified code."""
    collection, static = scope.collection, scope.collection.static
    runs = [scope.holding(group).tolist() for group in groups]
    chunks = sorted({chunk for run in runs if len(run) <= MAX_READ for chunk in run})
    files = [(chunk, collection.file_of(chunk)) for chunk in chunks]
    shown = [(chunk, file) for chunk, file in files if not (static["generated"][file] or static["test"][file])]
    pattern = re.compile(form.encode())
    for kind in (CODE, ASIDE):
        hits = scope.places_of((chunk for chunk, file in shown if collection.kind_of(file) == kind), pattern)
        if hits := on_lines(hits, lambda hit, line: _is_code(scope.row(hit.chunk, line))):
            return scope.by_points(hits)
    return []


def _is_code(row: str) -> bool:
    """Whether a line is no comment, and none of minified code."""
    return len(row) < MAX_LINE and not COMMENT.match(row)
