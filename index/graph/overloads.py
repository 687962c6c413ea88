"""Chooses among several definitions of one name by the number of arguments that a call passes.

The numbers are read from the text of the call and of the definitions, and only if the name alone leaves several: most
calls never come here. A call that cannot be read fits every definition.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator

import numpy as np

from chunker.languages.table import LANGUAGES, LanguageRules
from index.graph.lookup import MAX_SHARED
from index.graph.path_ends import shared_parts
from index.graph.symbol_table import SymbolTable
from index.segment.columns import Array, Segment
from index.types import FileId

Words = tuple[bytes, ...]  # before the arguments of a message
Accepted = range | frozenset[Words] | None  # numbers of arguments, or words of messages; None without a parameter list
_MAX_BYTES = 3000  # longer lists are generated code
_TOKEN = re.compile(
    rb'"""(?:.|\n)*?"""|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])\'|//[^\n]*|/\*(?:.|\n)*?\*/|->|=>|[()\[\]{}<>,]'
)
_MESSAGE_TOKEN = re.compile(rb'"(?:\\.|[^"\\\n])*"|//[^\n]*|/\*(?:.|\n)*?\*/|(?<!\w)([A-Za-z_]\w*):(?!:)|[()\[\]{};]')
# Of a generic, and how a kernel is launched: `get<T>(id)`, `add<<<blocks, threads>>>(a, b)`
_TYPES = re.compile(
    rb"(?:<[^()<>]*(?:<[^()<>]*>[^()<>]*)*>(?=\s*\(|<<<))?<<<(?:(?!>>>)[^;{}]){0,400}>>>(?=\s*\()"
    rb"|<[^()<>]*(?:<[^()<>]*>[^()<>]*)*>(?=\s*\()"
)
_BLOCK = re.compile(rb"[ \t]*(?:\{|do\b)")
_STATIC = re.compile(rb"[^\n{=]*?\b(?:static|class)\s")
_OPTIONAL = re.compile(rb"this\s|.*(?<![=!<>])=(?![=>])", re.S)  # what an extension is called on, or with a default
_MANY = re.compile(rb"(?:\w+\s+)*(?:params|vararg)\b|.*\.\.\.|.*\*\Z", re.S)


class ArgumentLists:
    """The bracketed lists after the names of a segment's definitions and calls."""

    def __init__(self, segment: Segment) -> None:
        self._segment = segment
        self._texts: dict[int, tuple[bytes, Array]] = {}  # per file: text, starts of lines
        self._accepted: dict[int, Accepted] = {}

    def accepted(self, definition: int) -> Accepted:
        """What calls may pass to a definition."""
        if definition not in self._accepted:
            after = self._after("definition", definition)
            if self._rules("definition", definition).messages:
                words = next(map(_words, after), None)
                self._accepted[definition] = None if words is None else frozenset((words,))
            else:
                lists = (_listed(text, angles=True)[0] for text in after)
                parameters = next((one for one in lists if one is not None), None)
                self._accepted[definition] = None if parameters is None else _arity(parameters)
        return self._accepted[definition]

    def passed(self, reference: int, rules: LanguageRules) -> int | Words | None:
        """The number of arguments that a call passes; if blocks may follow the brackets, one counts as an argument.
        None if the call has neither. For a message its words."""
        if rules.messages:
            words = [_words(text) for text in self._after("reference", reference)]
            return max((one for one in words if one is not None), default=None)
        for text in self._after("reference", reference):
            arguments, rest = _listed(text, angles=False)
            has_block = rules.trailing_blocks and _BLOCK.match(rest) is not None
            if arguments and any(one.endswith(b"...") for one in arguments):
                return None
            if arguments is not None or has_block:
                return len(arguments or ()) + has_block
        return None

    def is_static(self, definition: int) -> bool:
        """Whether a definition is a member of a type, not of its values."""
        text, start = self._line("definition", definition)
        return _STATIC.match(text, start, start + _MAX_BYTES) is not None

    def _rules(self, level: str, row: int) -> LanguageRules:
        file = bisect_right(self._segment.rows[level], row) - 1
        return LANGUAGES[self._segment.strings("file.language")[file]]

    def _line(self, level: str, row: int) -> tuple[bytes, int]:
        """The text of the row's file, and the start of the row's line in it."""
        file = bisect_right(self._segment.rows[level], row) - 1
        if file not in self._texts:
            raw = self._segment.strings("file.text").raw(file)
            self._texts[file] = raw, np.append(0, np.flatnonzero(np.frombuffer(raw, np.uint8) == ord("\n")) + 1)
        text, starts = self._texts[file]
        return text, int(starts[min(int(self._segment.array(f"{level}.line")[row]), len(starts)) - 1])

    def _after(self, level: str, row: int) -> Iterator[bytes]:
        """The texts after the name of a row, which is searched from the start of its line and may be there several
        times: `String text = doc.text()`."""
        segment = self._segment
        text, start = self._line(level, row)
        word = segment.names[int(segment.array(f"{level}.name")[row])].encode()
        at, last = text.find(word, start, start + _MAX_BYTES), -1
        while at >= 0 and (last < 0 or b"\n" not in text[last:at]):
            end = at + len(word)
            if not (_is_word(text[at - 1 : at]) and _is_word(word[:1])) and not _is_word(text[end : end + 1]):
                last, types = end, _TYPES.match(text, end, end + _MAX_BYTES)
                yield text[types.end() if types else end : end + _MAX_BYTES].lstrip(b" \t")
            at = text.find(word, at + 1, start + _MAX_BYTES)


def accepted_by_calls(segment: Segment, file: FileId) -> list[Accepted]:
    """What calls may pass to each definition of a file, on which those in other files depend."""
    if not LANGUAGES[segment.strings("file.language")[file]].overloads:
        return []
    lists = ArgumentLists(segment)
    first, end = segment.rows["definition"][file : file + 2].tolist()
    return [lists.accepted(row) for row in range(first, end)]


def fitting(table: SymbolTable, references: Array, is_call: Array, at: Array, among: Array, depth: Array) -> Array:
    """bool for each pair of a reference (`references[at]`) and a definition: whether the reference can mean it.

    `at` ascends. Of the definitions that accept the arguments of a call, those of the least depth are meant. If more
    than `MAX_SHARED` remain that are not one function, none fits.
    """
    lists = ArgumentLists(table.segment)
    fits = np.ones(len(at), bool)
    starts = np.flatnonzero(np.diff(at, prepend=-1))
    stops = np.append(starts, len(at))[1:]
    starts, stops = starts[stops - starts > 1], stops[stops - starts > 1]
    files = table.files_at("reference", references[at[starts]]).tolist()
    for start, stop, file in zip(starts.tolist(), stops.tolist(), files, strict=True):
        rules, candidates, levels = table.rules(file), among[start:stop].tolist(), depth[start:stop].tolist()
        scopes = [(int(table.file[one]), int(table.qualified[one])) for one in candidates]
        left = list(range(len(candidates)))
        if rules.companions and not is_call[at[start]]:
            left = [place for place in left if scopes[place] not in scopes[:place]]
        elif rules.overloads and is_call[at[start]]:
            passed = lists.passed(int(references[at[start]]), rules)
            accepted = map(lists.accepted, candidates)
            left = [place for place, one in enumerate(accepted) if one is None or passed in one] or left
            nearest = min(levels[place] for place in left)
            left = [place for place in left if levels[place] == nearest]
        if rules.dispatches:
            left = _methods(table, file, left, candidates)
        elif len(left) > MAX_SHARED:
            left = _of_one_function(table, file, left, scopes)
        fits[start:stop] = False
        fits[start + np.array(left, np.int64)] = True
    return fits


def _methods(table: SymbolTable, file: FileId, left: list[int], candidates: list[int]) -> list[int]:
    """The methods that a call means where the types of all arguments choose one: those outside tests, if there are any.
    Of many, one represents the function: the type that it constructs, or else the first in this file or anywhere."""
    left = [place for place in left if not table.is_test[table.file[candidates[place]]]] or left
    if len(left) <= MAX_SHARED:
        return left
    ranked = sorted(left, key=lambda at: (not table.is_class[candidates[at]], table.file[candidates[at]] != file))
    is_one = len({int(table.qualified[candidates[place]]) for place in left}) == 1
    return ranked[:1] if is_one and not table.is_test[table.file[candidates[ranked[0]]]] else []


def _of_one_function(table: SymbolTable, file: FileId, left: list[int], scopes: list[tuple[int, int]]) -> list[int]:
    """The first overload of one function, which represents all; where files declare packages, that of the nearest file:
    a package has one function several times if it is written for several platforms."""
    if table.rules(file).package == "declared" and len({scopes[place][1] for place in left}) == 1:
        own, *paths = (tuple(table.paths[one].split("/")) for one in (file, *(scopes[place][0] for place in left)))
        shared = [shared_parts(own, path) for path in paths]
        left = [place for place, most in zip(left, shared, strict=True) if most == max(shared)]
    return left[:1] if len({scopes[place] for place in left}) == 1 else []


def same_arity(table: SymbolTable, definitions: Array, others: Array) -> Array:
    """bool for each pair of definitions: whether they have as many parameters, in languages with overloads."""
    lists, overloads = ArgumentLists(table.segment), table.files_where(lambda rules: rules.overloads)
    pairs = zip(definitions.tolist(), others.tolist(), overloads[table.file[definitions]].tolist(), strict=True)
    alike = (not has or _most(lists.accepted(one)) == _most(lists.accepted(other)) for one, other, has in pairs)
    return np.fromiter(alike, bool, len(others))


def _most(accepted: Accepted) -> int | Accepted:
    """What tells definitions with other parameters apart: how many there may be, or the words of messages."""
    return accepted.stop if isinstance(accepted, range) else accepted


def _arity(parameters: list[bytes]) -> range:
    parameters = [one for one in parameters if one != b"void"]
    open_ended = [_MANY.match(one) is not None for one in parameters]
    least = sum(not (_OPTIONAL.match(one) or many) for one, many in zip(parameters, open_ended, strict=True))
    return range(least, _MAX_BYTES if any(open_ended) else len(parameters) + 1)


def _words(text: bytes) -> Words | None:
    """The words before the arguments of a message after the first (`:item to:list]`), up to its end: none if it has no
    argument, else the first is empty. None for a function."""
    if text[:1] != b":":
        return None if text[:1] == b"(" else ()
    words, depth = [b""], 0
    for match in _MESSAGE_TOKEN.finditer(text):
        token = match[0]
        if depth == 0 and token in (b"{", b";") and text[match.start() - 1 : match.start()] != b"^":
            break
        if token in (b"(", b"[", b"{"):
            depth += 1
        elif token in (b")", b"]", b"}"):
            depth -= 1
            if depth < 0:
                break
        elif depth == 0 and match[1]:
            words.append(match[1])
    return tuple(words)


def _is_word(char: bytes) -> bool:
    return char.isalnum() or char == b"_"


def _listed(text: bytes, *, angles: bool) -> tuple[list[bytes] | None, bytes]:
    """(parts of the bracketed list at the start of the text, the text after it); (None, text) if there is none."""
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
