"""Which of several definitions of one name a reference means: overloads, companions, copies in other modules.

Read from the text of the call and of the definitions, only where a name alone leaves several: most calls never come
here. What cannot be read fits anything.
"""

from __future__ import annotations

import re

import numpy as np

from index.columns import Array
from index.graph.lookup import MAX_SHARED
from index.graph.signatures import MAX_BYTES, OVERLOADING, Parameter, arguments, arities, arity, fit, parameters
from index.graph.world import CLAUSED, World
from index.segment import Segment

_NEWLINE = 10
_ASKED_OF = OVERLOADING | {"c"}  # C++ calls what C declares


class Sources:
    """The texts behind the names of a segment."""

    def __init__(self, segment: Segment) -> None:
        self._segment = segment
        self._texts: dict[int, tuple[bytes, Array]] = {}

    def after(self, file: int, line: int, name: str) -> bytes:
        """The text after a name on a line."""
        text, start, _ = self._line(file, line)
        at = _find(text, name.encode(), start, start + MAX_BYTES)
        return text[at + len(name.encode()) :][:MAX_BYTES] if at >= 0 else b""

    def before(self, file: int, line: int, name: str) -> bytes:
        """The text before a name on its line."""
        text, start, stop = self._line(file, line)
        at = _find(text, name.encode(), start, stop)
        return text[start : max(at, start)]

    def follows(self, word: bytes, file: int, line: int, name: str) -> bool:
        """Whether a name stands on a line after a word and what may come between them."""
        text, start, stop = self._line(file, line)
        return (
            re.compile(word + rb"\s+(?:[\w.]+\.)?" + re.escape(name.encode()) + rb"(?!\w)").search(text, start, stop)
            is not None
        )

    def _line(self, file: int, line: int) -> tuple[bytes, int, int]:
        """The text of a file, where a line of it starts and where that ends."""
        if file not in self._texts:
            raw = self._segment.strings("file.text").raw(file)
            ends = np.flatnonzero(np.frombuffer(raw, np.uint8) == _NEWLINE)
            self._texts[file] = raw, np.concatenate([[0], ends + 1, [len(raw)]])
        text, lines = self._texts[file]
        at = min(line, len(lines) - 1) - 1
        return text, int(lines[at]), int(lines[at + 1])


def _find(text: bytes, word: bytes, start: int, stop: int) -> int:
    """Where a whole word stands first, or -1."""
    at = text.find(word, start, stop)
    while at >= 0:
        end = at + len(word)
        if not (_is_word(text[at - 1 : at]) and _is_word(word[:1])) and not _is_word(text[end : end + 1]):
            return at
        at = text.find(word, at + 1, stop)
    return -1


def _is_word(char: bytes) -> bool:
    return char.isalnum() or char == b"_"


Stated = tuple[tuple[Parameter, ...] | None, bool]


class Statements:
    """What definitions say of themselves where they stand; each is read once."""

    def __init__(self, segment: Segment) -> None:
        self.sources = Sources(segment)
        self._segment = segment
        self._lines, self._names = segment.array("definition.line"), segment.array("definition.name")
        self._known: dict[int, Stated] = {}

    def of(self, definition: int, file: int) -> Stated:
        """The parameters, nothing where it has no list of them; and whether it is a Scala object."""
        if definition not in self._known:
            language = self._segment.strings("file.language")[file]
            place = file, int(self._lines[definition]), self._segment.names[int(self._names[definition])]
            listed = parameters(self.sources.after(*place), language)
            is_object = language == "scala" and b"object" in self.sources.before(*place).split()
            self._known[definition] = listed, is_object
        return self._known[definition]

    def is_callback(self, definition: int, file: int) -> bool:
        """Whether a function of Elixir is only specified."""
        place = file, int(self._lines[definition]), self._segment.names[int(self._names[definition])]
        return self.sources.before(*place).lstrip().startswith(b"@")

    def arities(self, definition: int, file: int) -> range:
        """Of a function of Elixir, how many arguments it takes."""
        place = file, int(self._lines[definition]), self._segment.names[int(self._names[definition])]
        return arities(self.sources.after(*place))


def stated(segment: Segment, file: int) -> list[Stated] | list[tuple[range, bool]]:
    """What calls from elsewhere depend on: the statements of all definitions of a file."""
    language = segment.strings("file.language")[file]
    rows = range(*segment.rows["definition"][file : file + 2].tolist())
    read = Statements(segment)
    if language == "elixir":
        return [(read.arities(row, file), read.is_callback(row, file)) for row in rows]
    return [read.of(row, file) for row in rows] if language in _ASKED_OF else []


class Overloads:
    """Chooses among the candidates of references of one world."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._statements = Statements(world.segment)
        self._apply = world.segment.names.find("apply")

    def chosen(self, references: Array, is_call: Array, at: Array, among: Array) -> Array:
        """bool for each pair of a reference (`references[at]`) and a definition: whether the reference can mean it.

        `at` ascends. Where more than `MAX_SHARED` are left of one reference, none is.
        """
        kept = np.ones(len(at), bool)
        starts = np.flatnonzero(np.diff(at, prepend=-1))
        files = self._world.files_at("reference", references[at[starts]])
        stops = np.append(starts, len(at))[1:]
        for start, stop, file in zip(starts.tolist(), stops.tolist(), files.tolist(), strict=True):
            if stop - start > 1:
                candidates = left = among[start:stop].tolist()
                row = int(references[at[start]])
                left = self._without_companions(row, file, bool(is_call[at[start]]), left)
                left = self._fitting(row, file, left) if is_call[at[start]] else left
                left = self._of_arity(row, file, left) if is_call[at[start]] else left
                left = self._nearest(file, left)
                if len(left) > MAX_SHARED and self._world.languages[file] in CLAUSED:
                    left = left[:1]  # the clauses of one function
                # Plain Python: a call of numpy takes longer than looking through so few.
                kept[start:stop] = [len(left) <= MAX_SHARED and one in left for one in candidates]
        return kept

    def _place(self, reference: int, file: int) -> tuple[int, int, str]:
        segment = self._world.segment
        name = segment.names[int(segment.array("reference.name")[reference])]
        return file, int(segment.array("reference.line")[reference]), name

    def _fitting(self, reference: int, file: int, candidates: list[int]) -> list[int]:
        """Those that the arguments of the call fit best."""
        language = self._world.languages[file]
        given = None
        if len(candidates) > 1 and language in OVERLOADING:
            given = arguments(self._statements.sources.after(*self._place(reference, file)), language)
        if given is None:
            return candidates
        scores = [fit(given, self._stated(one)[0], language) for one in candidates]
        return [one for one, score in zip(candidates, scores, strict=True) if score == max(scores)]

    def _of_arity(self, reference: int, file: int, candidates: list[int]) -> list[int]:
        """Elixir: functions of one name are told apart by how many arguments they take."""
        if self._world.languages[file] != "elixir":
            return candidates
        place, sources = self._place(reference, file), self._statements.sources
        # A `@callback` only says what others define.
        candidates = [
            one for one in candidates if not self._statements.is_callback(one, int(self._world.file[one]))
        ] or candidates
        passed = arity(sources.before(*place), sources.after(*place))
        left = [one for one in candidates if passed in self._statements.arities(one, int(self._world.file[one]))]
        return left or candidates

    def _without_companions(self, reference: int, file: int, is_call: bool, candidates: list[int]) -> list[int]:
        """`new Cart` and the type `Cart` are the class, `Cart(...)` is its object where that has an `apply`."""
        world = self._world
        if world.languages[file] != "scala":
            return candidates
        objects = [one for one in candidates if self._stated(one)[1]]
        others = [one for one in candidates if one not in objects]
        if not objects or not others or not all(world.is_class[one] for one in others):
            return candidates
        if is_call and not self._statements.sources.follows(b"new", *self._place(reference, file)):
            one = objects[0]
            key = world.keys.of(world.file[[one]], world.qualified[one], np.array([self._apply]))
            if self._apply >= 0 and world.members.place(key)[1][0]:
                return objects
        return others

    def _nearest(self, file: int, candidates: list[int]) -> list[int]:
        """Of copies of one definition in several modules, those of the module that the reference stands in."""
        world = self._world
        if (
            len({int(world.file[one]) for one in candidates}) < 2
            or len({int(world.qualified[one]) for one in candidates}) > 1
        ):
            return candidates
        folder = world.paths[file].split("/")[:-1]
        shared = [_common(folder, world.paths[int(world.file[one])].split("/")[:-1]) for one in candidates]
        return [one for one, count in zip(candidates, shared, strict=True) if count == max(shared)]

    def _stated(self, definition: int) -> Stated:
        return self._statements.of(definition, int(self._world.file[definition]))


def _common(left: list[str], right: list[str]) -> int:
    """How many folders two paths share."""
    return next((at for at, (a, b) in enumerate(zip(left, right, strict=False)) if a != b), min(len(left), len(right)))
