"""The cost of a text, comments in code of a language, lines that contain a name, and excerpts around the best lines.

The lines of a text are 0-based positions; the ranges that are returned are 1-based line numbers of the file.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from functools import cache, lru_cache
from itertools import accumulate, pairwise

from index.text import indentation
from index.types import ChunkRow

Counter = Callable[[str], int]  # text -> its number of tokens
CHARS_PER_TOKEN = 4  # the rule of thumb for English and code; a tokenizer counts exactly
MIN_LINES = 3  # non-blank lines that an excerpt must show; with fewer, it says less than its heading
SMALL = 3  # a gap of fewer lines is shown if it is no longer than this many marks
MAX_BLANK = 3  # blank lines in a row that may be shown because they cost less than a mark
EMPTY = "\n" * (MAX_BLANK + 2)  # more than MAX_BLANK blank lines in a row, as the outputs of a notebook leave
MAX_MARKS = 1_000  # of one text that are cached: a server answers for days
MAX_NAMING = 5  # lines of a place that contain a name; every form of the place shows them
DECAY = 0.8  # a line is worth at least this share of its neighbour, so that excerpts are windows, not single lines
Block = tuple[str, str]  # the marks that open and close a comment or a string of several lines

_SLASHED, _MARKUP, _BACKTICK = ("/*", "*/"), ("<!--", "-->"), ("`", "`")
_STRINGS = r"\\.|" + "|".join(rf"{mark}[^{mark}\\\n]*+(?:\\.[^{mark}\\\n]*+)*+{mark}" for mark in "\"'")


def size(text: str) -> int:
    """The length of a text in bytes of UTF-8. Limits in characters count these bytes, so that no reader gets more."""
    return len(text) if text.isascii() else len(text.encode())


def quarter_of_chars(text: str) -> int:
    """ceil(characters / 4), with characters counted in bytes of UTF-8: never less than by code points."""
    return -(-size(text) // CHARS_PER_TOKEN)


def is_unicode(text: str) -> bool:
    """Whether a text or a name is valid Unicode. No JSON document can contain one that is not."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


@cache
def comment_of(language: str) -> str:
    """The mark that starts a comment in a language, or the pair around it (`<!-- -->`); empty if unknown."""
    from chunker.languages.table import rules_of  # whole items do not need this table

    return rules_of(language).comment or " ".join(next(iter(blocks_of(language)), ()))


@cache
def script_of(language: str, kind: str) -> str:
    """The language of a symbol of this kind: in a component, that of its scripts; elsewhere, that of the file."""
    from chunker.languages.table import rules_of

    rules = rules_of(language)
    in_script = rules.markup and kind not in ("class", "block", "section", "module")
    return str(rules.grammar) if in_script else language


def within_line(language: str) -> str:
    """The pair of marks around a comment that can end within its line; empty if the language has none."""
    return next((" ".join(block) for block in blocks_of(language) if block[0] != block[1]), "")


@cache
def blocks_of(language: str) -> tuple[Block, ...]:
    """The blocks of a language; `/*` and `*/` for others whose comments start with `//`."""
    from chunker.languages.table import rules_of

    rules = rules_of(language)
    blocks = tuple(zip(rules.blocks[::2], rules.blocks[1::2], strict=True))
    return blocks or ((_SLASHED,) if rules.comment == "//" else ())


@lru_cache(maxsize=256)
def without_blocks(code: str, language: str) -> str:
    """The code with each multi-line comment or string replaced by a blank; backticks stay, they may contain code."""
    return "".join(text if block in (None, _BACKTICK) else " " for text, block in _pieces(code, language))


@lru_cache(maxsize=256)
def open_blocks(code: str, language: str) -> tuple[Block | None, ...]:
    """The block that is open at the start of each line and at the end of the text; empty if no block ever opens."""
    pieces = _pieces(code, language)
    if len(pieces) < 2:
        return ()
    opened: list[Block | None] = [None] * (code.count("\n") + 2)
    line = 1
    for text, block in pieces:
        inside = text.count("\n", 0, max(len(text) - 1, 0))  # a line end at the end of a block is behind its mark
        opened[line : line + inside] = [block] * inside
        line += text.count("\n")
    return tuple(opened)


def _pieces(code: str, language: str) -> list[tuple[str, Block | None]]:
    """The code in pieces: multi-line comments and strings with their marks, and the rest with None."""
    blocks = blocks_of(language)
    if not any(opening in code for opening, _ in blocks):
        return [(code, None)]
    pieces: list[tuple[str, Block | None]] = []
    start = 0
    for match in _tokens(language).finditer(code):
        if match.lastindex:
            pieces += ((code[start : match.start()], None), (match[0], blocks[match.lastindex - 1]))
            start = match.end()
    return [*pieces, (code[start:], None)]


@lru_cache(maxsize=64)
def _tokens(language: str) -> re.Pattern[str]:
    """Matches blocks, the n-th kind of them as group n, and what can hide their marks: line comments and strings."""
    blocks, comment = blocks_of(language), comment_of(language)
    hides = [] if _MARKUP in blocks else [_STRINGS]
    if comment and " " not in comment:
        hides.insert(0, rf"{re.escape(comment)}[^\n]*")
    return re.compile("|".join([*(_block(*block) for block in blocks), *hides]))


def _block(opening: str, closing: str) -> str:
    """Matches a block to its closing mark, or to the end of the text. A mark behind a backslash closes nothing.

    The first character stands before the group, because a search for characters skips what none of them begins.
    """
    begin, end = (re.escape(mark[0]) for mark in (opening, closing))
    rest = re.escape(closing[1:])
    inside = rf"[^{end}]++|(?<=\\){end}" + (f"|{end}(?!{rest})" if rest else "")
    return rf"{begin}({re.escape(opening[1:])}(?:{inside})*+(?:{end}{rest}|\Z))"


def priority(weights: Sequence[float], header: int) -> list[int]:
    """All lines, most valuable first: the header, then by nearness to lines with weight, then from the top."""
    worth = list(weights)
    worth[header] = max(worth[header], 1.0)
    for lines in (range(len(worth)), reversed(range(len(worth)))):
        near = 0.0
        for line in lines:
            near *= DECAY
            if near > worth[line]:
                worth[line] = near
            else:
                near = worth[line]
    keys = [-round(one * 1e6) for one in worth]
    ranked = sorted(range(len(keys)), key=keys.__getitem__)  # stable: the upper of two equal lines comes first
    ranked.remove(header)
    return [header, *ranked]


def least(lines: Sequence[str], ranked: Sequence[int]) -> int:
    """How many of the first lines of `ranked` the smallest excerpt has."""
    counts = accumulate(bool(lines[line].strip()) for line in ranked)
    return next((count for count, shown in enumerate(counts, 1) if shown == MIN_LINES), len(ranked))


class Excerpts:
    """The excerpts of a text: some of its lines, with a mark in each gap.

    `comment` and `blocks` are the results of `comment_of` and `open_blocks`. Marks are cached: the excerpts of a text
    have many gaps in common.
    """

    def __init__(
        self, lines: Sequence[str], first_line: int, comment: str, blocks: Sequence[Block | None] = ()
    ) -> None:
        self._lines, self._first_line, self._blocks = lines, first_line, blocks
        self._opening, _, self._closing = comment.partition(" ")
        self._marks: dict[tuple[int, int], str] = {}  # (line, end) of a gap -> its mark; empty if its lines are shown

    def of(self, shown: Iterable[int]) -> tuple[str, tuple[tuple[int, int], ...]]:
        """The shown lines with the marks, and the ranges of line numbers that are left out."""
        lines, marks, first_line = self._lines, self._marks, self._first_line
        text: list[str] = []
        elided: list[tuple[int, int]] = []
        places, behind = sorted((-1, *shown, len(lines))), 0
        for gap in [(line + 1, end) for line, end in pairwise(places) if end - line > 1]:
            mark = marks.get(gap)
            if mark is None:
                if len(marks) == MAX_MARKS:
                    marks.clear()
                mark = marks[gap] = self._mark(*gap)
            if mark:
                line, end = gap
                text += lines[behind:line]
                text.append(mark)
                elided.append((first_line + line, first_line + end - 1))
                behind = end
        text += lines[behind:]
        return "\n".join(text), tuple(elided)

    def _mark(self, line: int, end: int) -> str:
        """The mark in place of lines; empty if they are no longer than it, or a line or two that are not much longer.

        A long run of blank lines gets a mark in any case.
        """
        gap = self._lines[line:end]
        text = next(filter(str.strip, gap), "")
        indent, number = text[: indentation(text)], self._first_line + line
        opening, closing = self._comment_marks(line, end)
        numbers = f"line {number}" if len(gap) == 1 else f"lines {number}-{number + len(gap) - 1}"
        # `    # ... lines 12-40 left out`, indented like the first missing line that is not blank.
        mark = indent + f"{opening} ... {numbers} left out {closing}".strip()
        room = (size(mark) + 1) * (SMALL if len(gap) < SMALL else 1)
        is_blank = len(gap) > MAX_BLANK and not text
        return mark if is_blank or len(gap) > len(mark) or size("\n".join(gap)) + 1 > room else ""

    def _comment_marks(self, line: int, end: int) -> tuple[str, str]:
        """What opens and closes the comment of a mark: none inside a comment or a string of several lines; if one
        begins or ends in the gap, what opens or closes that."""
        before, after = (self._blocks[line], self._blocks[end]) if self._blocks else (None, None)
        if before:
            return "", "" if after else before[1]
        return (after[0], "") if after else (self._opening, self._closing)


def whole_word(name: str) -> Callable[[str], object]:
    """A predicate for texts that contain a name as a whole word."""
    return re.compile(rf"(?<![\w$]){re.escape(name)}(?![\w$])").search


def lines_naming(row: ChunkRow, holds: Callable[[str], object]) -> tuple[tuple[int, int], ...]:
    """The first lines of a chunk that contain a name: those of comments only if no other does."""
    lines = [line for line, text in enumerate(row.text.split("\n"), row.start_line) if holds(text)]
    return tuple((line, line) for line in (outside_comments(row, lines) or lines)[:MAX_NAMING])


def outside_comments(row: ChunkRow, lines: Iterable[int]) -> list[int]:
    """Those of the lines of a chunk that do not begin in a comment and are no part of its documentation."""
    texts, opened = row.text.split("\n"), open_blocks(row.text, row.language)
    blocks = [block for block in blocks_of(row.language) if block[0] != block[1]]  # the others are strings
    marks = tuple(filter(None, (comment_of(row.language).partition(" ")[0], *(start for start, _ in blocks))))
    doc = range(row.doc[0], row.doc[1] + 1) if row.doc else ()

    def is_code(line: int) -> bool:
        at = line - row.start_line
        return not (line in doc or (opened and opened[at] in blocks) or texts[at].lstrip().startswith(marks))

    return [*filter(is_code, lines)]
