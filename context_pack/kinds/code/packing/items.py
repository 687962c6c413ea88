"""The items of the code pack: a hit with all of its code, or with some of its lines and a mark for each gap.

Neighbours in a file are joined, imports are those that the code uses, and of nearly equal items the first is shown."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from itertools import chain, pairwise
from struct import pack as packed
from struct import unpack as unpacked

from chunker.kinds import ROUTINES
from context_pack.core.text import (
    EMPTY,
    Excerpts,
    comment_of,
    open_blocks,
    script_of,
    size,
    within_line,
    without_blocks,
)
from context_pack.kinds.code.corpus import Corpus
from context_pack.kinds.code.selection import Hit
from context_pack.render.phrases import first_of
from contracts.frozen import frozen
from contracts.records import Item, Why
from index.types import EXACT_SCORE, ChunkRow, Tie

Span = tuple[int, int]  # first and last line of a file, 1-based and inclusive; or first and last chunk
NO_SPANS: tuple[Span, ...] = ()
BARE_LINES = 3  # an opening line with more lines with words has documentation that says what it opens
OPENED = frozenset({"class", "struct", "enum", "interface", "trait", "impl", "module", "section"})
NAMELESS = frozenset({"module", "block", "macro"})  # a line or two of these kinds define nothing that can be called
MIN_ALIKE = 0.8  # part of two texts' pairs of words that both contain; from here on, the second says nothing new
MIN_PAIRS = 12  # a shorter text costs little and differs in its few words
SOURCES = 2_048  # that are cached: many questions show the same chunks
_NAME = b"_ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
_TO_WORDS = bytes(byte if byte in _NAME or byte > 127 else 0x20 for byte in range(256))
# A line that only states the package or the imports of its file, or opens a container.
_HEADING = re.compile(
    r"(?:(?:export|declare|public|internal|abstract|final|static|sealed|partial|pub|inline|open)\s+)*"
    r"(?:(?:namespace|module|package|mod|class)\b[^({=]*\{?"
    r"|(?:(?:import|using|use|from|require\w*)\b|open!?\s+[A-Z])[^(=]*)|"  # not `open var total` of Swift
    r"\W*|#\s*(?:(?:end)?region|include|frozen[_-]string|-\*-).*"
)
_TAG = re.compile(r"<[^<>]*>")  # of a doc comment in XML; a line of nothing else says nothing


class Source:
    """Neighbouring chunks as one row, with its code as it is shown, and the last of the chunks.

    `cuts` are the lines of the code that begin or end in other chunks. Whatever does not depend on the question is
    worked out once for all questions (`source_of`).
    """

    def __init__(self, row: ChunkRow, last: int, code: str, cuts: tuple[Span, ...]) -> None:
        self.row, self.last, self.code, self.cuts = row, last, code, cuts
        self.chars = len(code)

    @cached_property
    def lines(self) -> list[str]:
        """The lines of the code."""
        return self.code.split("\n")

    @cached_property
    def chars_of(self) -> defaultdict[int, int]:
        """The length of each line that is not blank, without blanks at its end but with its line end: any draft with
        the line costs at least as much, except for the last line end."""
        lengths = map(len, map(str.rstrip, self.lines))
        return defaultdict(int, enumerate((chars + (chars > 0) for chars in lengths), self.row.start_line))

    @cached_property
    def excerpts(self) -> Excerpts:
        """The excerpts of the code."""
        language = script_of(self.row.language, self.row.kind)
        return Excerpts(self.lines, self.row.start_line, comment_of(language), open_blocks(self.code, language))

    @cached_property
    def pairs(self) -> frozenset[tuple[bytes, bytes]]:
        """The pairs of neighbouring words of the code without its documentation and the parts of its name."""
        row, code = self.row, self.code
        if row.doc:
            first, last = (line - row.start_line for line in row.doc)
            code = "\n".join((*self.lines[:first], *self.lines[last + 1 :]))
        names = frozenset((row.symbol or "").encode("utf-8", "replace").split(b"."))
        words = code.encode("utf-8", "replace").translate(_TO_WORDS).split()
        return frozenset(pairwise([word for word in words if word not in names]))

    @cached_property
    def is_bare(self) -> bool:
        """Whether the code only says that something exists: an opening or closing line, a line outside any symbol."""
        row, code = self.row, self.code
        if code.count("\n") > 2 * BARE_LINES:
            return False
        lines = {number: line for number, line in enumerate(self.lines, row.start_line) if line.strip()}
        words = (_TAG.sub("", line) if "<" in line else line for line in lines.values())
        if sum(any(map(str.isalnum, line)) for line in words) > BARE_LINES:
            return False
        first, last = row.doc or (0, 0)
        text = "\n".join(line for number, line in lines.items() if not first <= number <= last)
        if row.kind in NAMELESS and len(lines) < BARE_LINES:
            return True
        opened = sum(map(text.count, "([{")) > sum(map(text.count, ")]}"))
        if row.kind in OPENED:
            opened |= len(lines) == 1 and (text.endswith((":", " do")) or "(" not in text)
        return (opened and row.kind not in ROUTINES) or not any(map(str.isalnum, text))

    @cached_property
    def is_header(self) -> bool:
        """Whether the code is only the first lines of a container or of a file: `module X`, `impl X {`, a heading."""
        is_heading = _HEADING.fullmatch(self.code.lstrip().partition("\n")[0].rstrip())  # cheap, and false of most
        if is_heading and all(_HEADING.fullmatch(line.strip()) for line in self.lines):
            return True
        if not self.is_bare:
            return False
        return self.row.kind == "section" or sum(map(self.code.count, "([{")) > sum(map(self.code.count, ")]}"))

    def is_like(self, other: Source) -> bool:
        """Whether two sources say nearly the same."""
        if not _are_near(self.row.end_line - self.row.start_line, other.row.end_line - other.row.start_line):
            return False
        pairs, others = self.pairs, other.pairs
        if len(pairs) < MIN_PAIRS or not _are_near(len(pairs), len(others)):
            return False
        both = len(pairs & others)
        return both >= MIN_ALIKE * (len(pairs) + len(others) - both)


def source_of(corpus: Corpus, row: ChunkRow, last: int) -> Source:
    """The source of a row; if that is a piece of a line, with a mark for the rest of the line."""
    return _source(row, last, _cut_within(corpus, row, last))


@lru_cache(SOURCES)
def _source(row: ChunkRow, last: int, cut: tuple[bool, bool]) -> Source:
    return Source(row, last, *_marked(code_of(row), row.language, row.start_line, row.end_line, cut))


@dataclass(eq=False)
class Draft:
    """An item as it would be shown, and its source.

    `gaps` are the lines that are left out, in order; `item.elided` also contains lines that are shown in part. Drafts
    compare by identity, the key of their cached costs. None is ever changed; to freeze them would take 1 % of a pack.
    """

    item: Item
    source: Source
    gaps: tuple[Span, ...] = ()

    @property
    def ranges(self) -> Iterable[range]:
        """The lines that are shown, between the gaps."""
        row = self.source.row
        starts = (row.start_line, *(end + 1 for _, end in self.gaps))
        return map(range, starts, (*(start for start, _ in self.gaps), row.end_line + 1))

    @cached_property
    def lines(self) -> frozenset[int]:
        """The numbers of the lines that are shown."""
        return frozenset().union(*self.ranges)

    @property
    def line_count(self) -> int:
        """How many lines are shown."""
        return sum(map(len, self.ranges))

    def with_imports(self, imports: tuple[str, ...]) -> Draft:
        """The same draft, which has no imports yet, with these before its code."""
        item = self.item
        shown = showing(item, self.source.row, "\n".join((*imports, "", item.content)), item.elided, imports)
        return Draft(shown, self.source, self.gaps)

    def first_alike(self, chosen: Mapping[int, Draft]) -> int | None:
        """The place of the first chosen item that says nearly the same; None if there is none."""
        own, kind, chars, least = self.source, self.source.row.kind, self.source.chars, MIN_ALIKE * self.source.chars
        for place, draft in chosen.items():
            one, other = draft.source, draft.source.chars
            # Items of other sizes and kinds do not, which is cheap to check.
            if other >= least and chars >= MIN_ALIKE * other and one.row.kind == kind and own.is_like(one):
                return place
        return None


def whole_draft(corpus: Corpus, hit: Hit, *, cutting: bool) -> Draft:
    """A hit with all of its code, without imports and reasons; if items may be cut, in place of many blank lines and of
    the parts of its symbol that other items may show is a mark."""
    # The rest of the symbol belongs to another item, shown or not: a mark says that there is more of it.
    is_part = cutting and hit.around != (hit.first, hit.last)
    first, last = hit.around if is_part else (hit.first, hit.last)
    row, tie = corpus.span(first, last), hit.origin if isinstance(hit.origin, Tie) else None
    source = source_of(corpus, row, last)
    # The first chunk of a hit in the middle of a long function may be a function nested in it.
    title, kind = title_of(corpus, hit.best)
    item = Item(
        row.id, "related" if tie else "primary", row.file, row.start_line, row.end_line, single(hit.score), (),
        source.code, title, kind, tie.labels if tie else (), tie.distance if tie else None, source.cuts,
    )  # fmt: skip
    if not is_part and not (cutting and EMPTY in source.code):
        return Draft(item, source)
    return drawn(item, source, range(hit.extent.start_line, hit.extent.end_line + 1))


def title_of(corpus: Corpus, chunk: int) -> tuple[str | None, str]:
    """The name of a chunk's symbol, or the names of the symbols that share it (a group of constants), None without;
    and its kind."""
    symbol, kind = corpus.symbol(chunk)
    if symbol or kind == "module":
        return symbol, kind
    return first_of(_shared_by(corpus, chunk), NAMED) or None, kind


def _shared_by(corpus: Corpus, chunk: int) -> list[str]:
    """The names of the symbols that share a chunk."""
    return [*dict.fromkeys(one.qualified for one in corpus.defined_at(chunk))]


def tie_why(tie: Tie, source: str) -> tuple[Why, ...]:
    """The reasons for a related item: the labels of its path from the primary `source`, then other points."""
    path = " > ".join(tie.labels)
    if not tie.parts:
        return (Why(path, tie.distance, tie.weight, tie.detail() or f"from {source}"),)
    return tuple(
        Why(path if name == "tie" else name, signal, points, f"from {source}" if name == "tie" else "")
        for name, signal, points in tie.parts
    )


def code_of(row: ChunkRow) -> str:
    """A chunk's text as it is shown, without its last line end. Secrets were redacted when it was read.

    A redacted secret at the end of the text leaves its line ends: they still count as lines of the chunk.
    """
    code = row.text.rstrip("\r\n")
    if len(row.text) - len(code) > 1:
        ends = min(row.text.count("\n", len(code)), row.end_line - row.start_line - code.count("\n"))
        code += "\n" * ends
    return code


def _cut_within(corpus: Corpus, row: ChunkRow, last: int) -> tuple[bool, bool]:
    """Whether the first line of a row begins in the chunk before it, and whether its last line ends in the next one."""
    first = corpus.pieces(row.number)
    return first[0] < row.number, (first if last == row.number else corpus.pieces(last))[-1] > last


def _marked(code: str, language: str, first: int, last: int, cut: tuple[bool, bool]) -> tuple[str, tuple[Span, ...]]:
    """The code with a mark if its first line lacks its start or its last line its end; and these lines."""
    if not any(cut):
        return code, ()
    opening, _, closing = within_line(language).partition(" ")
    start, end = (
        " ".join(filter(None, (opening, f"... {part} of line {line} left out", closing))) if missing else ""
        for part, line, missing in (("start", first, cut[0]), ("rest", last, cut[1]))
    )
    lines = dict.fromkeys(line for line, missing in zip((first, last), cut, strict=True) if missing)
    return " ".join(filter(None, (start, code, end))), tuple((line, line) for line in lines)


def clipped(corpus: Corpus, draft: Draft, line: int, at: int, most: int) -> Draft:
    """The draft with one line alone, cut to `most` characters from position `at` of the line on."""
    row, last = draft.source.row, draft.source.last
    lines = code_of(row).split("\n")
    text = lines[line - row.start_line]
    begins, ends = _cut_within(corpus, row, last)
    cut = at > 0 or (begins and line == row.start_line), at + most < len(text) or (ends and line == row.end_line)
    lines[line - row.start_line], cuts = _marked(text[at : at + most], row.language, line, line, cut)
    return drawn(draft.item, Source(row, last, "\n".join(lines), cuts), (line,))


def drawn(item: Item, source: Source, shown: Iterable[int]) -> Draft:
    """The item with only these lines of its file, and a mark in each gap."""
    row, code, first = source.row, source.code, source.row.start_line
    lines = {line - first for line in shown}
    if EMPTY in code:
        lines = {line for line in lines if source.lines[line].strip()}
    content, gaps = code, NO_SPANS
    if len(lines) <= row.end_line - first:
        content, gaps = source.excerpts.of(lines)
    within = [cut for cut in source.cuts if not any(start <= cut[0] <= end for start, end in gaps)]
    elided = tuple(sorted((*gaps, *within))) if within else gaps
    return Draft(showing(item, row, content, elided), source, gaps)


def showing(item: Item, row: ChunkRow, content: str, elided: tuple[Span, ...], imports: tuple[str, ...] = ()) -> Item:
    """The item with this content at the place of a row. `dataclasses.replace` takes three times as long."""
    return Item(
        row.id, item.role, row.file, row.start_line, row.end_line, item.score, imports, content, item.symbol,
        item.type, item.relationship, item.distance, elided, item.why, item.changed, item.hunks, item.alike,
    )  # fmt: skip


def single(score: float) -> float:
    """A score as contract v1 prints it: the nearest 32-bit float, in 0..1."""
    return unpacked("f", packed("f", min(1.0, max(0.0, score))))[0]


NAMED = 3  # symbols that a joined item names


@frozen
class Entry:
    """An item of the pack, and the places (in the selection) of the hits that it shows, best first."""

    draft: Draft
    places: tuple[int, ...]


Join = Callable[[tuple[Entry, ...]], Sequence[Entry]]  # neighbours as one item, or as several


def join_neighbours(entries: Sequence[Entry], join: Join, *, named: bool) -> list[Entry]:
    """The items, with neighbours in a file joined if that costs no more; a joined item has the place of its best part.

    Items that touch are joined with the blank lines between them; items that overlap (a container's outline and a
    member in full) show the lines of both. If the query is a name (`named`), its definition begins a new item, apart
    from code above it.
    """
    groups: list[list[Entry]] = []
    file, end = "", -2
    for one in sorted(entries, key=lambda one: (one.draft.source.row.number, -one.draft.source.last)):
        draft, source = one.draft, one.draft.source
        touches = source.row.file == file and source.row.number <= end + 1
        begins = named and draft.item.score >= EXACT_SCORE and source.row.number > end
        if not touches or (begins and all(other.draft.item.score < EXACT_SCORE for other in groups[-1])):
            groups.append([])
            file, end = source.row.file, -2
        groups[-1].append(one)
        end = max(end, source.last)
    items: list[Entry] = []
    for group in map(tuple, groups):
        items += join(group) if len(group) > 1 else group
    return sorted(items, key=lambda one: one.places[0])


def _names(corpus: Corpus, part: Draft) -> list[str]:
    """The name of an item's symbol, or the names of the symbols that share its chunk."""
    symbol = part.item.symbol or ""
    return _shared_by(corpus, part.source.row.number) if ", " in symbol else [symbol] * bool(symbol)


def joined(corpus: Corpus, cost: Callable[[Draft], int], group: Sequence[Entry]) -> Sequence[Entry]:
    """Neighbours as one item if that costs no more, otherwise as several."""
    ranked = sorted(group, key=lambda one: one.places[0])
    parts = [one.draft for one in group]
    first, last = parts[0].source.row.number, max(part.source.last for part in parts)
    primary = ranked[0]
    if parts[0].source.last == last:  # an outline and some of its members: the item is named after the container
        symbol, kind = parts[0].item.symbol, parts[0].item.type
    else:
        # The best item's name comes first, because readers look for it; a container's name covers its members'.
        names = dict.fromkeys(name for part in (primary.draft, *parts) for name in _names(corpus, part))
        best = primary.draft.item.symbol
        outer = [name for name in names if name == best or name.rpartition(".")[0] not in names]
        symbol = first_of(outer, NAMED) or None
        kind = parts[0].item.type if len({part.item.type for part in parts}) == 1 else "block"
    score = max(part.item.score for part in parts if part.item.role == primary.draft.item.role)
    alike = tuple(place for part in parts for place in part.item.alike)
    item = replace(primary.draft.item, score=score, symbol=symbol, type=kind, alike=alike)
    shown = frozenset().union(*chain.from_iterable(part.ranges for part in parts))
    draft = drawn(item, source_of(corpus, corpus.span(first, last), last), shown)
    if cost(draft) <= sum(map(cost, parts)):
        return [Entry(draft, tuple(sorted(place for one in group for place in one.places)))]
    separate: list[Entry] = []  # wide gaps: separate items are cheaper; those that overlap a better one are dropped
    for one in ranked:
        row, others = one.draft.source.row, (other.draft.source.row for other in separate)
        if all(row.end_line < other.start_line or other.end_line < row.start_line for other in others):
            separate.append(one)
    return separate


def _are_near(one: int, other: int) -> bool:
    return one >= MIN_ALIKE * other and other >= MIN_ALIKE * one


STATEMENTS = 4_096  # import statements whose names are cached
_WORD = re.compile(r"[^\W\d]\w*")
_QUOTED = re.compile(r"'[^'\n]*'|\"[^\"\n]*\"|`[^`\n]*`")
_MODULE = re.compile(r"^\s*from\b.*?\bimport\b", re.S)  # Python's; in other languages, a string follows `from`
_OUTER = re.compile(r"\w+\s*(?:\.|::|\\|/)(?=[\s\w{*])")  # all parts of a path but the last
_KEYWORDS = frozenset(
    "alias as const default export extern from func function import let local open package private pub public "
    "qualified require self static type typeof use using val var".split()
)


def used_imports(imports: tuple[str, ...], code: str, language: str) -> tuple[str, ...]:
    """The statements, which the code does not contain, that bind a name that it uses; none if together they are longer
    than the code."""
    if not imports:
        return ()
    own, comment = without_blocks(code, language), comment_of(language)
    lines = own.replace("://", ":  ")  # the slashes of a URL begin no comment
    used = [one for one in imports if any(_has_word(lines, name, comment) for name in _bound(one))]
    return tuple(one for one in used if not _states(code, one)) if sum(map(size, used)) <= size(own) else ()


def _has_word(code: str, word: str, comment: str) -> bool:
    """Whether code contains a word before any comment on its line."""
    at = code.find(word)
    while at >= 0:
        end = at + len(word)
        beside = code[max(at - 1, 0) : at] + code[end : end + 1]
        if not any(char.isalnum() or char == "_" for char in beside):
            line = code.rfind("\n", 0, at) + 1
            if not comment or code.find(comment, line, end + len(comment) - 1) < 0:
                return True
        at = code.find(word, end)
    return False


def _states(code: str, statement: str) -> bool:
    """Whether code contains an import statement, also within a group: Go's `import (` above a quoted path a line, with
    another name before it or none."""
    if statement in code:
        return True
    paths = _QUOTED.findall(statement)
    if not paths or not all(path in code for path in paths):  # cheap, and true of most
        return False
    lines = map(str.split, code.splitlines())
    return {words[-1] for words in lines if len(words) in (1, 2)}.issuperset(paths)


@lru_cache(maxsize=STATEMENTS)
def _bound(statement: str) -> tuple[str, ...]:
    """The names that a statement may bind, without the path before them unless there is nothing else."""
    bare = _OUTER.sub("", _QUOTED.sub("", _MODULE.sub("", statement)))
    names = dict.fromkeys(_WORD.findall(bare)).keys() - _KEYWORDS or set(_WORD.findall(statement)) - _KEYWORDS
    return tuple(sorted(names))
