"""Finds the places that build an error message: lines whose string literals, read as templates, produce it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, cached_property, partial
from itertools import groupby, islice, pairwise

import numpy as np

from contracts.frozen import frozen
from index.collection.collection import Collection
from index.collection.reader import Lines
from index.roles import is_translation
from index.search.scope import Location, SearchScope
from index.text import content_terms, terms_of_text, words_of
from index.types import ChunkId

CANDIDATES = 60  # chunks with the rarest words of a message, whose literals are read
MIN_READ = 30  # of them for each segment
MAX_RANKED = 100  # chunks among which code is looked for, for each that is read: a tree may have 60 translations
MAX_SCANNED = 1_000  # chunks, if there are more than are read, of which those with the most pairs of words are read
NAME_WEIGHT = 0.5  # of a name among the words, which may be a value
# Share of a segment's words that a chunk must contain if its literals must have most of the segment's letters. With it,
# a commit subject reads 2 chunks instead of 60.
MIN_TERMS = 0.5
MIN_FIXED = 9  # letters of the message that a literal must contain
MIN_WORDS = 2
MIN_PART = 3  # characters; shorter pieces between placeholders fit anywhere
MAX_PLACES = 3
MAX_LINES = 6  # of a literal that is continued
MAX_LINE_CHARS = 400
MAX_SEGMENTS = 8
# Share of the best place's letters that other places need, and of its segments that a literal builds as a whole.
GOOD_SHARE = 0.6
_LITERAL = re.compile(
    r"\"((?:[^\"\\]|\\.)*+)\"|'((?:[^'\\]|\\.)*+)'|`((?:[^`\\$]|\\.|\$\{(?:[^{}]|\{[^{}]*\})*\}|\$)*+)`"
    r"|(?<!\w)(?:qq?|%[qQ])\{((?:[^{}]|\{[^{}]*\})*+)\}",  # of Perl and Ruby
    re.S,
)
_PLACEHOLDER = re.compile(
    r"%\w{2,}%(?!\w)|%\d+(?!\w)|(?<![\w:/.]):[a-z_]\w*(?![\w:(])"
    r"|%(?:\([^)]{0,40}\)|<\w{1,40}>|[0-9]+\$)?[-+ #0]*[0-9*]*(?:\.[0-9*]+)?(?:(?:hh|h|ll|l|z|j|t)?[a-zA-Z@]|\Z)"
    r"|[$#%]\{(?:[^{}]|\{[^{}]*\})*\}|\{[^{}]*\}|\\?\n\s*"
    r"|\\\([^)]*\)|\$\w+|~(?:n|[0-9.*]*t?[a-zA-Z](?!\w))|\\[nrtabefv0\"'`\\]|\\x[0-9a-fA-F]{2}|\\u\w{4}"
)
# A text without quotes in data: `key: Text {0}`, `- key = Text`, `<string name="key">Text %1$s</string>`.
_UNQUOTED = re.compile(r"\s*(?:-\s+)?(?:[\w.-]+\s*[:=]\s*|<\w[^<>]*>\s*)?([^\s\"'`<].* .*?)\s*(?:</[^<>]*>)?\s*")
_MARKUP = re.compile(r"<[^<>]*>|&#?\w+;")
_LETTER = re.compile(r"[^\W\d_]")
_WORD = re.compile(r"[^\W\d_]{2,}")
# Between two literals of one text: `"a " +`, adjacent strings of C and Python, `"%" PRId64`, `\` at the end of a line.
_GLUE = re.compile(r"\s*[+\\.]?\s*(?:PRI\w{2,8}\s*|[A-Za-z$@]{0,2})")
_OPEN_END = re.compile(r"(?:[+\\\"'`]|\.\.|\bPRI\w{2,8})\s*$")
_OPEN_START = re.compile(r"\s*(?:[+.]\s*)?(?:PRI\w{2,8}\s*|[A-Za-z$@]{0,2})[\"'`]")
_QUOTE = re.compile(r"[\"'`]")
# What a log prints before a message: a time, the level, the logger in brackets.
_PREFIX = re.compile(
    r"(?:\s|\[[^\]\n]{1,80}\]:?|[0-9][0-9:.,TZ/+-]*(?=\s)"
    r"|(?:[\w.-]{1,60}\s+){0,2}\[?(?:TRACE|DEBUG|INFO|NOTICE|WARN(?:ING)?|ERROR|FATAL|CRITICAL)\b\]?:?"
    r"(?:[\w.]+:(?=\S))?)+"
)
_GIVEN = re.compile(  # quoted text and paths
    r"(?<!\w)(?:\"[^\"\n]{1,200}\"|'[^'\n]{1,200}'|`[^`\n]{1,200}`|“[^”\n]{1,200}”)(?!\w)"
    r"|(?<!\S)\S*(?:[\\/]\S|\w[.:]\w)\S*(?<![,:;])"
)
_DOTTED = re.compile(r"(?<![\w./\\\"'`])\w+(?:\.\w+)+(?![\w/\\\"'`])")
_NAME = re.compile(r"\b\w*(?:_|\d|[a-z][A-Z])\w*|\b\w+(?:-\w+){2,}")
_OPTION = re.compile(r"(?<![\w-])[a-z\d]++(?:(?:_[a-z\d]++)+|(?:-[a-z\d]++){2,})(?![\w-])")  # or a field
_END = re.compile(r"(?<=\S): |\n")
_PAIR = re.compile(r"(?=(?<![^\W\d_])([^\W\d_]+ [^\W\d_]+)(?![^\W\d_]))")
# Rails logs `ActiveRecord::RecordInvalid (message)`.
_RAISED = re.compile(r"(?:\w*[:.])*+(?=\w*?[a-z][A-Z])\w++ \((?=.*\)$)", re.S)
_SEPARATORS = re.compile(r"[\W_]+")
MIN_VALUE = 4  # letters of a value that a path may contain
AWAY = 99  # parts of a path without a value


@frozen
class _Match:
    """A literal of a message: its first and last segment, its letters and words, and their share of those segments.
    `rank`: the place of its chunk among the candidates."""

    first: int
    last: int
    letters: int
    words: int
    share: float
    rank: int
    chunk: ChunkId
    lines: Lines
    text: str


class _Message:
    """A message and its segments: `A: B: C` is a cause with the two texts that were put before it."""

    def __init__(self, message: str) -> None:
        rows = (" ".join(row.split()) for row in message.strip().splitlines())
        text = "\n".join(filter(None, rows))
        prefix = match.end() if (match := _PREFIX.match(text)) else 0
        # Of the same length as the text, without what is not of the code.
        self.plain = _GIVEN.sub(lambda match: "-" * len(match[0]), " " * prefix + text[prefix:])
        self.text = text.replace("\n", " ")
        self.lower = _lower(self.text)
        ends = [match.end() for match in _END.finditer(self.plain)]
        if raised := _RAISED.match(self.text, prefix):
            ends = sorted({raised.end(), *ends})
        starts = [0, *(end for end in ends if end < len(text))]
        self.segments = list(zip(starts, [*starts[1:], len(text)], strict=True))

    @cached_property
    def values(self) -> set[str]:
        """The values in it, as a path may contain them: lower-case letters and digits."""
        words = [word for match in _GIVEN.findall(self.text) for word in re.split(r"[\s/.:]+", match)]
        joined = (_SEPARATORS.sub("", word).lower() for word in (*words, *_NAME.findall(self.text)))
        return {word for word in joined if len(word) >= MIN_VALUE and not word.isdigit()}

    def segment_of(self, place: int) -> int:
        return sum(start <= place for start, _ in self.segments) - 1

    def letters(self, first: int, last: int) -> int:
        """The number of letters of these segments that are no values."""
        return len(_LETTER.findall(_OPTION.sub(" ", self.plain[self.segments[first][0] : self.segments[last][1]])))

    @cached_property
    def inner(self) -> int:
        """The innermost segment that is no mere value."""
        words = [_count(_NAME.sub(" ", self.plain[start:stop])) for start, stop in self.segments]
        return max((number for number, count in enumerate(words) if count >= MIN_WORDS), default=len(words) - 1)

    def terms(self) -> list[tuple[list[str], list[str]]]:
        """For each of the last segments: the terms of its words and those of its names, which may be values.

        Segments with too few words are taken as one if there are others, or as one with all of these.
        """
        pairs: list[tuple[list[str], list[str]]] = []
        short: tuple[list[str], list[str]] = [], []
        for start, stop in self.segments[-MAX_SEGMENTS:]:
            plain, text = self.plain[start:stop], self.text[start:stop]
            words = content_terms(words_of(_NAME.sub(" ", plain)))
            names = content_terms(words_of(" ".join([*_NAME.findall(plain), *_DOTTED.findall(text)])))
            if len(words) >= MIN_WORDS:
                pairs.append((words, names))
            else:
                short = [*short[0], *words], [*short[1], *names]
        if not pairs and len(short[0]) < MIN_WORDS:  # with its other words: `could not find parcel 21`
            return [(list(dict.fromkeys(terms_of_text(_NAME.sub(" ", self.plain)))), short[1])]
        if len(short[0]) >= MIN_WORDS:
            return [*pairs, short]
        # A single word says too little, but the others may be values: `Not taking a.pdf: Duplicate of Bill (2)`.
        every = [word for words, _ in pairs for word in words], [name for _, names in pairs for name in names]
        return [([*every[0], *short[0]], [*every[1], *short[1]]), *pairs] if short[0] else pairs


def builders(scope: SearchScope, text: str, min_share: float = 0.0) -> dict[Location, str]:
    """The places whose literals produce the message, best first, each chunk once, with the first fixed text of each;
    no documents.

    Of a chain of messages, the innermost comes first. Code comes before tests and data; then literals with most of the
    message's letters, then files whose path contains a value of the message, then chunks that contain more of its rare
    words. The literals must contain at least `min_share` of the letters of the segments that they are about.
    """
    message, collection = _Message(text), scope.collection
    every = (
        _match(message, parts, rank, chunk, lines)
        for rank, chunk in enumerate(_candidates(scope, message, MIN_TERMS if min_share else 0.0))
        for lines, parts in _templates(collection, chunk, message.text)
    )
    matches = [match for match in every if match and _is_enough(message, match, min_share)]
    by_chunk: dict[ChunkId, list[_Match]] = {}
    for match in _best(collection, message, matches):
        by_chunk.setdefault(match.chunk, []).append(match)
    lines = {chunk: tuple(sorted({match.lines for match in own})) for chunk, own in by_chunk.items()}
    return {Location(chunk, lines[chunk], "message"): own[0].text for chunk, own in by_chunk.items()}


def without_copies(collection: Collection, places: Mapping[Location, str]) -> list[Location]:
    """The places of a message, without its translations if code builds it itself: they say nothing more."""
    is_coded = any(collection.is_code(place.chunk) for place in places)
    return [one for one in places if not (is_coded and is_translation(collection.path_of(one.chunk)))]


def _is_enough(message: _Message, match: _Match, least: float) -> bool:
    """Whether a literal has enough letters of its segments; two words are enough for the innermost segment."""
    return match.share >= least and (not least or match.words > MIN_WORDS or match.last >= message.inner)


def _best(collection: Collection, message: _Message, matches: Sequence[_Match]) -> list[_Match]:
    """The matches to show, best first: one for each segment, the innermost first, then others that are as good."""

    def key(match: _Match) -> tuple[bool, bool, int, int, int, int, int]:
        whole, is_aside = match.share >= GOOD_SHARE, not collection.is_code(match.chunk)
        distance = _distance(collection.path_of(match.chunk), message.values)
        last = -match.last if whole else 0
        return is_aside, not whole, last, -match.letters, distance, match.rank, match.lines[0]

    first: list[_Match] = []
    others: list[_Match] = []
    covered = len(message.segments)
    least = 0.0
    for _, group in groupby(sorted(matches, key=key), key=lambda match: key(match)[:3]):
        best, *more = group
        is_new = best.share >= GOOD_SHARE and best.last < covered and not (first and key(best)[0])
        if is_new or not first:
            first.append(best)
            covered = best.first
        elif best.letters >= least:
            others.append(best)
        least = least or GOOD_SHARE * best.letters
        most = AWAY if key(best)[4] < AWAY else AWAY + 1  # if a path has a value, only such paths
        others += [match for match in more if match.letters >= GOOD_SHARE * best.letters and key(match)[4] < most]
    return [*first, *others][: max(MAX_PLACES, len(first))]


def _distance(path: str, values: set[str]) -> int:
    """The number of parts of a path behind the last one that contains a value; AWAY if none does."""
    parts = (_SEPARATORS.sub("", part.lower()) for part in reversed(path.rpartition(".")[0].split("/")))
    return next((count for count, part in enumerate(parts) if any(value in part for value in values)), AWAY)


def _candidates(scope: SearchScope, message: _Message, least: float) -> list[ChunkId]:
    """The chunks, except documents, with most of the rare words of a segment, for each segment in turn.

    They contain at least the share `least` of its words.
    """
    collection = scope.collection
    lexical, segments = collection.lexical, message.terms()
    pairs = [pair.encode() for pair in dict.fromkeys(_PAIR.findall(message.plain))]
    pairs_in = cache(partial(_pairs_in, collection, pairs=pairs))  # many segments have the same chunks
    body, size = lexical.fields["body"], len(lexical.norm)
    chosen: dict[ChunkId, None] = {}
    for words, names in reversed(segments):
        postings = [body.of(number) for number in lexical.numbers_of(words or names) if number >= 0]
        wanted = max(least * len(words or names), 1)
        if len(postings) < wanted:
            continue
        counts, points = np.zeros(size, np.int16), np.zeros(size)
        for chunks in postings:
            counts[chunks] += 1
            points[chunks] += 1.0 / (1 + len(chunks)) ** 0.5
        for chunks in map(body.of, lexical.numbers_of(names if words else ())):
            points[chunks] += NAME_WEIGHT / (1 + len(chunks)) ** 0.5
        rows = (counts >= wanted).nonzero()[0]
        files = collection.chunks.file[rows]
        rows = rows[scope.allowed[files] & (collection.static["prose"][files] == 0)]
        most = max(CANDIDATES // len(segments), MIN_READ)
        order = np.argsort(-np.round(points[rows], 9), kind="stable")[: MAX_RANKED * most]
        ranked = list(map(ChunkId, rows[order].tolist()))
        if len(ranked) > most:
            ranked[:MAX_SCANNED] = sorted(ranked[:MAX_SCANNED], key=pairs_in, reverse=True)  # stable
        # Tests, translations and data quote messages with their values; they must not push out the code.
        code = (chunk for chunk in ranked if collection.is_code(chunk))
        chosen.update(dict.fromkeys([*ranked[:most], *islice(code, most)]))
    return list(chosen)


def _pairs_in(collection: Collection, chunk: ChunkId, *, pairs: Sequence[bytes]) -> int:
    """How many of a message's pairs of words a chunk contains as they are, which tells it from one about its topic."""
    body = collection.text_of(chunk)
    return sum(pair in body for pair in pairs)


def _templates(collection: Collection, chunk: ChunkId, message: str) -> Iterator[tuple[Lines, list[str]]]:
    """(lines, fixed pieces in order) of the literals of a chunk; the message itself if a line has it.

    Literals that are parts of one text are read together, also over several lines, and so are all of a line.
    """
    rows, start = collection.text_of(chunk).decode("utf-8", "replace").split("\n"), collection.cells.start_line[chunk]
    in_block = False
    is_data = not collection.rules_of(chunk).symbols
    for at, row in enumerate(rows):
        if len(row) > MAX_LINE_CHARS:
            continue
        if (row.count('"""') + row.count("'''")) % 2:
            # Text in a block is of the code if it is given to something: a docstring is not.
            in_block = not in_block and not row.lstrip().startswith(("'", '"'))
        elif (in_block or is_data) and (parts := _parts(row if in_block else _unquoted(row))):
            yield (start + at, start + at), parts
        if message in (row.replace("\\'", "'") if "\\" in row else row):  # the literal may say more
            yield (start + at, start + at), [message]
        elif _QUOTE.search(row):
            count = _run(rows, at)
            for parts in _texts("\n".join(rows[at : at + count])):
                yield (start + at, start + at + count - 1), parts
            if count > 1:
                for parts in _texts(row):
                    yield (start + at, start + at), parts


def _unquoted(row: str) -> str:
    """The text of a row of data that has no quotes, with line ends for its markup; empty if there is none."""
    match = _UNQUOTED.fullmatch(row)
    return _MARKUP.sub("\n", match[1]) if match else ""


def _run(rows: Sequence[str], at: int) -> int:
    """The number of lines, from the row `at` on, through which a text is continued."""
    rest = rows[at : at + MAX_LINES]
    if rest[0].count("`") % 2:
        ends = (number for number, row in enumerate(rest[1:], 2) if row.count("`") % 2)
        return next(ends, len(rest))
    ends = (number for number, pair in enumerate(pairwise(rest), 1) if not _is_continued(*pair))
    return next(ends, len(rest))


def _is_continued(row: str, below: str) -> bool:
    if len(below) > MAX_LINE_CHARS or not (end := _OPEN_END.search(row)):
        return bool(_QUOTE.search(row) and below.lstrip().startswith(("+ ", ". ")) and _OPEN_START.match(below))
    return end[0][0] in "+\\." or _OPEN_START.match(below) is not None


def _texts(code: str) -> Iterator[list[str]]:
    """The fixed pieces of each text in a piece of code, whose literals may be several, then those of all literals."""
    texts: list[list[str]] = [[]]
    end = 0
    for match in _LITERAL.finditer(code):
        if not _GLUE.fullmatch(code, end, match.start()):
            texts.append([])
        end = match.end()
        texts[-1] += _parts(next(filter(None, match.groups()), ""))
    yield from filter(None, texts)
    if any(texts[:-1]):
        yield [part for text in texts for part in text]


def _parts(literal: str) -> list[str]:
    """The fixed pieces of a template, in order."""
    parts = map(str.strip, _PLACEHOLDER.split(literal.replace("%%", "%").replace("{{", "{").replace("}}", "}")))
    return [part for part in parts if len(part) >= MIN_PART and _LETTER.search(part)]


def _count(text: str) -> int:
    """The number of words between blanks: `rust-analyzer` is one, and probably a value."""
    return sum(_WORD.search(word) is not None for word in text.split())


def _lower(text: str) -> str:
    """The text in lower case, of the same length: one letter has a longer lower case."""
    return text.replace("\u0130", "I").lower()


def _match(message: _Message, parts: Sequence[str], rank: int, chunk: ChunkId, lines: Lines) -> _Match | None:
    """How much of the message the pieces are; None if they are not all in it, in this order, or are too short.

    The message may be quoted without what the code puts before it (`Error: `) and without its last dot."""
    place, fixed, letters, words = 0, 0, 0, 0
    parts = [part.rstrip(".") for part in parts]
    begin = _find(message.lower, _lower(parts[0]))
    if begin < 0 and (rest := parts[0].partition(": ")[2]):
        parts = [rest, *parts[1:]]
        begin = _find(message.lower, _lower(rest))
    for part in parts:
        at = _find(message.lower, _lower(part), place)
        if at < 0 and place and not message.text[place:].strip(" ."):
            break  # quoted without the later sentences of the code
        if at < 0:
            return None
        place = at + len(part)
        fixed += len(_LETTER.findall(part))
        letters += len(_LETTER.findall(message.plain[at:place]))  # an example with a value says no more
        words += _count(part)
    if fixed < MIN_FIXED or words < MIN_WORDS:
        return None
    first, last = message.segment_of(begin), message.segment_of(place - 1)
    share = letters / max(message.letters(first, last), 1)
    return _Match(first, last, letters, words, share, rank, chunk, lines, parts[0])


def _find(text: str, part: str, start: int = 0) -> int:
    """The position of a piece from `start` on, or -1; a single word must not be a part of a longer one: net in inet."""
    at = text.find(part, start)
    while at >= 0 and " " not in part and _is_inside_word(text, at, at + len(part)):
        at = text.find(part, at + 1)
    return at


def _is_inside_word(text: str, start: int, end: int) -> bool:
    """Whether a letter at one of the ends of text[start:end] goes on beyond it."""
    before, behind = text[start - 1 : start + 1] if start else "", text[end - 1 : end + 1] if end < len(text) else ""
    return before.isalpha() or behind.isalpha()
