"""Which of several definitions of one name a call means: those that take as many arguments as it passes.

Read from the text of the call and of the definitions, only where a name alone leaves several: most calls never come
here. What cannot be read fits anything.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np

from chunker.languages.table import LANGUAGES
from index.columns import Array
from index.graph.symbols.lookup import MAX_SHARED
from index.graph.symbols.numbering import Numbering
from index.segment import Segment

_MAX_BYTES = 3000  # a longer list of arguments is generated
_TOKEN = re.compile(
    rb'"""(?:.|\n)*?"""|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])\'|//[^\n]*|/\*(?:.|\n)*?\*/|->|=>|[()\[\]{}<>,]'
)
_GENERIC = re.compile(rb"\s*(?:::)?<[\w\s,.:&?<>*\[\]]*>(?=\s*[({])|\s*\[[\w\s,.:<>%+\[\]-]*\](?=\s*[({])")
_DEFAULT = re.compile(rb"(?<![=!<>])=(?![=>])")
_LABEL = re.compile(rb"(\w+)\s*[:=](?![:=>])")
_MANY = re.compile(rb"(?:\w+\s+)*(?:params|vararg)\b|.*\.\.\.|.*\*\Z", re.S)


@dataclass(frozen=True, slots=True)
class Parameters:
    """How many arguments a definition takes, and every word of its list: labels are among them."""

    count: range
    words: frozenset[bytes]

    def accept(self, arguments: list[bytes]) -> bool:
        labels = {match[1] for one in arguments if (match := _LABEL.match(one))}
        return len(arguments) in self.count and labels <= self.words


class ArgumentLists:
    """What stands in brackets after the names of a segment's definitions and calls."""

    def __init__(self, segment: Segment) -> None:
        self._segment = segment
        self._texts: dict[int, tuple[bytes, Array]] = {}  # by file, with the ends of its lines
        self._parameters: dict[int, Parameters | None] = {}

    def parameters(self, definition: int, file: int) -> Parameters | None:
        """What a definition takes; None where it lists no parameters."""
        if definition not in self._parameters:
            listed, _ = _listed(self._after("definition", definition, file), angles=True)
            self._parameters[definition] = None if listed is None else _parameters(listed)
        return self._parameters[definition]

    def arguments(self, reference: int, file: int, *, trailing_block: bool) -> list[bytes] | None:
        """What a call passes, a block after the brackets included if that is an argument; None where there is nothing
        to read."""
        listed, rest = _listed(self._after("reference", reference, file), angles=False)
        if trailing_block and rest.lstrip(b" \t")[:1] == b"{":
            return [*(listed or ()), b""]
        return listed

    def _after(self, level: str, row: int, file: int) -> bytes:
        """The text after the name of a row on its line, without type arguments."""
        segment = self._segment
        if file not in self._texts:
            raw = segment.strings("file.text").raw(file)
            self._texts[file] = raw, np.flatnonzero(np.frombuffer(raw, np.uint8) == ord("\n"))
        text, ends = self._texts[file]
        line = int(segment.array(f"{level}.line")[row])
        start = int(ends[min(line - 2, len(ends) - 1)]) + 1 if line > 1 and len(ends) else 0
        end = _end_of_word(text, segment.names[int(segment.array(f"{level}.name")[row])].encode(), start)
        rest = text[end : end + _MAX_BYTES] if end >= 0 else b""
        generic = _GENERIC.match(rest)
        return rest[generic.end() if generic else 0 :].lstrip(b" \t")


def parameters_of(segment: Segment, file: int) -> list[Parameters | None]:
    """What calls from elsewhere depend on: the parameters of each definition of a file."""
    if not LANGUAGES[segment.strings("file.language")[file]].overloads:
        return []
    lists = ArgumentLists(segment)
    return [lists.parameters(row, file) for row in range(*segment.rows["definition"][file : file + 2].tolist())]


def fitting(table: Numbering, references: Array, is_call: Array, at: Array, among: Array) -> Array:
    """bool for each pair of a reference (`references[at]`) and a definition: whether the reference can mean it.

    `at` ascends. Where more than `MAX_SHARED` are left that are not one function, none is.
    """
    lists = ArgumentLists(table.segment)
    fits = np.ones(len(at), bool)
    starts = np.flatnonzero(np.diff(at, prepend=-1))
    stops = np.append(starts, len(at))[1:].tolist()
    files = table.files_at("reference", references[at[starts]]).tolist()
    for start, stop, file in zip(starts.tolist(), stops, files, strict=True):
        if stop - start == 1:
            continue
        rules, candidates = table.rules(file), among[start:stop].tolist()
        left = [True] * len(candidates)
        if rules.companions and not is_call[at[start]]:
            place = [(int(table.file[one]), int(table.qualified[one])) for one in candidates]
            left = [one not in place[:at] for at, one in enumerate(place)]
        elif rules.overloads and is_call[at[start]]:
            arguments = lists.arguments(int(references[at[start]]), file, trailing_block=rules.trailing_blocks)
            left = _fits(arguments, [lists.parameters(one, int(table.file[one])) for one in candidates])
        # A list: a call of numpy takes longer than looking through so few.
        chosen = [at for at, fit in enumerate(left, start) if fit]
        if len(chosen) > MAX_SHARED:  # of one function the first stands for all
            scopes = {(int(table.file[one]), int(table.qualified[one])) for one in among[chosen].tolist()}
            chosen = chosen[:1] if len(scopes) == 1 else []
        fits[start:stop] = False
        fits[chosen] = True
    return fits


def _fits(arguments: list[bytes] | None, candidates: list[Parameters | None]) -> list[bool]:
    if arguments is None:
        return [True] * len(candidates)
    exact = [one is not None and one.accept(arguments) for one in candidates]
    # A definition does not always say itself which of its parameters may be left out.
    near = [one is None or len(arguments) < one.count.start for one in candidates]
    return next((left for left in (exact, near) if any(left)), [True] * len(candidates))


def _parameters(listed: list[bytes]) -> Parameters:
    listed = [one for one in listed if one != b"void"]
    is_open = [_MANY.match(one) is not None for one in listed]
    least = sum(not (_DEFAULT.search(one) or many) for one, many in zip(listed, is_open, strict=True))
    words = frozenset(word for one in listed for word in re.findall(rb"\w+", one))
    return Parameters(range(least, _MAX_BYTES if any(is_open) else len(listed) + 1), words)


def _end_of_word(text: bytes, word: bytes, start: int) -> int:
    """Where a whole word that stands soon after `start` ends, or -1."""
    at = text.find(word, start, start + _MAX_BYTES)
    while at >= 0:
        end = at + len(word)
        if not (_is_word(text[at - 1 : at]) and _is_word(word[:1])) and not _is_word(text[end : end + 1]):
            return end
        at = text.find(word, at + 1, start + _MAX_BYTES)
    return -1


def _is_word(char: bytes) -> bool:
    return char.isalnum() or char == b"_"


def _listed(text: bytes, *, angles: bool) -> tuple[list[bytes] | None, bytes]:
    """(the parts of the bracketed list that the text begins with, what follows); None where there is none or it does
    not end."""
    if text[:1] != b"(":
        return None, text
    parts: list[bytes] = []
    depth, start = 0, 1
    opening, closing = (b"([{<", b")]}>") if angles else (b"([{", b")]}")
    for match in _TOKEN.finditer(text):
        token = match[0]
        if len(token) > 1:
            continue
        depth += (token in opening) - (token in closing)
        if depth == 0 or (depth == 1 and token == b","):
            parts.append(text[start : match.start()].strip())
            start = match.end()
        if depth == 0:
            return [part for part in parts if part], text[start:]
    return None, text
