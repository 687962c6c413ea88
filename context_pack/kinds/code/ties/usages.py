"""What code does with a name: it raises it, catches it, creates it, sets it ... as its text shows (usages.tsv)."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator
from functools import partial
from itertools import groupby

from chunker.languages.table import rules_of
from context_pack.core.text import outside_comments
from context_pack.kinds.code.corpus import Corpus
from context_pack.kinds.code.removed import MAX_READ
from contracts.lazy_regex import lazy_regex, with_parts
from contracts.rows import rows
from index.types import ChunkRow

# Parts of the patterns. What repeats takes all or nothing (`++`) or has an end: chunks may be full of dots or blanks.
_PARTS = (
    ("ARGUMENTS", r"[^(){;]*?(?:\([^()]*\)[^(){;]*?)*?"),  # before that with the name
    ("FIELD", r"(?:\.|->|::|@|\$)"),
    ("GENERIC", r"<[^<>\n]*>"),
    ("HEAD", r"\b(?:class|interface|object|struct|trait)\b[^\n{=]*"),
    ("LINE", r"^[ \t]*"),
    ("PATH", r"\\?(?:[\w$]++(?:\.|::|->|\\|/)){0,19}"),
    ("REST", r"[^;\n]*?"),  # of the statement before the name
    ("SIGNATURE", r"\b(?:def|fn|fun|func|function)\b[^(){;\n]*+\((?:[^()]|\([^()]*\))*+"),  # sets no argument
    # After the name of a field or a parameter, instead of a value.
    (
        "TYPE",
        r"\s*(?:[A-Z]\w*[a-z]\w*(?![\w.(])|(?:any|bool(?:ean)?|byte|char|double|float|int|number|object|str(?:ing)?"
        r"|unknown|void|[fiu](?:8|16|32|64|128)|[iu]size)\b(?!\())",
    ),
    ("SETS", r"\s*+(?:\[[^\]\n]*\]\s*+)?(?:[-+*/%|&^?:]|\*\*|\|\||&&|\?\?|<<|>>|//)?=(?![=~>])"),
)
_OWN = lazy_regex(r"(?:\b(?:base|self|super|this)(?:\.|->|::)|@)\Z")
_INSIDE = lazy_regex(r"[\w$]")
_FORMS = list(rows(__file__, "usages.tsv"))
Lines = tuple[tuple[int, int], ...]


def uses(corpus: Corpus, name: str, usage: str, owners: Collection[str] = (), receiver: str = "") -> dict[int, Lines]:
    """The chunks that use a name so, with the lines on which they do.

    `owners` are the types whose member is meant, if the question names its type: a type of its own means its own member
    by `self.total`, and other code names the type. The `receiver` is what stands before the name (`cart->`), if only
    that is meant.
    """
    naming_owner = naming_types(corpus, owners)
    numbers = corpus.naming(receiver + name)
    if owners and len(numbers) > MAX_READ:
        numbers.sort(key=lambda number: number not in naming_owner)
    named = map(corpus.chunk, numbers[:MAX_READ])
    holders = [row for row in named if receiver + name in row.text and not rules_of(row.language).prose]

    def is_meant(row: ChunkRow, start: int, is_more: bool) -> bool:
        if receiver:
            before = row.text[:start].removesuffix(receiver)
            return len(before) == start - len(receiver) and not _INSIDE.search(before[-1:])
        if _OWN.search(row.text[max(start - 8, 0) : start]):
            parts = (row.symbol or "").split(".")
            return any(".".join(parts[:count]) in owners for count in range(1, len(parts) + 1))
        # A key or a named argument has no object beside it: the same function must name the type.
        around = corpus.parts(row.number) if is_more else corpus.chunks_of_file(row.file)
        return not naming_owner.isdisjoint(around)

    users: dict[int, Lines] = {}
    for is_more, pattern in usage_patterns(name, usage):
        if is_more == all(map(corpus.is_test, users)):
            continue
        for row in holders:
            if lines := _lines(row, pattern, partial(is_meant, is_more=is_more) if owners or receiver else None):
                users[row.number] = (*users.get(row.number, ()), *lines)
    return users


def fillers(corpus: Corpus, name: str, types: Collection[str], naming_type: Collection[int]) -> dict[int, Lines]:
    """The chunks that give the field of a type a value where they create an object, `Cart{total: 1}`, with the lines on
    which they do: only those count that belong to one of these types, or whose symbol names it."""

    def is_meant(number: int) -> bool:
        owner = (corpus.chunk(number).symbol or "").rpartition(".")[0]
        return owner in types or any(part in naming_type for part in corpus.parts(number))

    lines = uses(corpus, name, "filled", types) if types else {}
    return {number: own for number, own in lines.items() if is_meant(number)}


def naming_types(corpus: Corpus, types: Collection[str]) -> set[int]:
    """The chunks that contain the name of one of these types."""
    return {number for name in {one.rpartition(".")[2] for one in types} for number in corpus.naming(name)}


def usage_patterns(name: str, usage: str) -> Iterator[tuple[bool, re.Pattern[str]]]:
    """The patterns of the ranks of a usage, with a group for each place of the name, and whether a rank counts only
    with the one before it."""
    for rank, forms in groupby((form for form in _FORMS if form[0] == usage), key=lambda form: form[1]):
        yield rank.endswith("+"), re.compile("|".join(regex_of(pattern, name) for *_, pattern in forms), re.MULTILINE)


def regex_of(pattern: str, name: str) -> str:
    """A pattern of usages.tsv with its parts and the name."""
    return with_parts(pattern, _PARTS).replace("NAME", rf"((?<![\w$]){re.escape(name)}(?![\w$]))")


def _lines(row: ChunkRow, pattern: re.Pattern[str], is_meant: Callable[[ChunkRow, int], bool] | None) -> Lines:
    starts = (match.start(match.lastindex) for match in pattern.finditer(row.text) if match.lastindex)
    if is_meant is not None:
        starts = (start for start in starts if is_meant(row, start))
    lines = dict.fromkeys(row.start_line + row.text.count("\n", 0, start) for start in starts)
    return tuple((line, line) for line in outside_comments(row, lines))
