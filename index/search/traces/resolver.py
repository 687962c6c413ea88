"""Resolves the frames of a trace to lines of this index: frames of other packages are dropped, and functions that have
moved are looked up by name."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache, partial

from chunker.languages.table import BY_EXTENSION, rules_of
from contracts.frozen import frozen
from contracts.lazy_regex import lazy_regex
from index.collection.collection import Collection
from index.collection.reader import FileLines, Lines
from index.collection.tables import DefinitionRow
from index.search.spelling import MODULE
from index.search.traces.formats import FOREIGN, NOT_A_FILE
from index.search.traces.frames import Frame, Trace
from index.types import FileId

_VERSION = lazy_regex(r"[-@]v?[0-9].*")  # of a package in its folder: `axum-0.8.1`
MAX_NAMESAKES = 3  # a function name with more definitions is too common to be looked up alone
ROOT_DEPTH = 4  # parts of an absolute path that may mean a file of the root


@frozen
class Spot:
    """A frame in this index. `elsewhere` names its place if its function is gone from there, and its new place if
    there is one."""

    file: FileId
    lines: Lines
    elsewhere: str = ""


class Resolver:
    """Resolves frames against one generation."""

    def __init__(self, collection: Collection, lines: FileLines) -> None:
        self._lines, self._names, self._paths = lines, collection.files.names, collection.files.paths
        self._tests, self._package_of = collection.static["test"], collection.package_of
        self._aside = collection.static["aside"] > 0
        # A trace refers to the same files and names many times.
        self._definitions = cache(collection.definitions.in_file)
        self._definitions_named = cache(partial(_definitions_named, collection))

    def resolve(self, trace: Trace) -> tuple[list[Spot], int, list[str]]:
        """The own frames in the order of the trace, the number of foreign ones, and those whose function is gone."""
        spots: list[Spot] = []
        lost: list[str] = []
        foreign = 0
        for frame in trace.frames:
            file = self._file_of(frame)
            spot = self._elsewhere(frame) if file is None else self._spot(frame, file)
            if spot is not None:
                spots.append(spot)
            elif file is not None:
                lost.append(frame.place)
            elif not frame.plain or "/" in frame.path:
                foreign += 1
        return list(dict.fromkeys(spots)), foreign, lost

    def _file_of(self, frame: Frame) -> FileId | None:
        """The file of this index that the frame is in; None for foreign code."""
        if not frame.path or NOT_A_FILE.match(frame.path):
            return None
        fitting = self._in_package(frame) if frame.function.package else self._by_path(frame)
        if self._are_examples(fitting):
            return None
        return min(fitting, key=lambda file: self._order(frame, file)) if fitting else None

    def _are_examples(self, files: Sequence[FileId]) -> bool:
        """Whether there are several files, all beside the program: a user's `src/main.rs` is none of the examples."""
        return len({*files}) > 1 and bool(self._aside[files].all())

    def _order(self, frame: Frame, file: FileId) -> tuple[bool, bool, int, float, int, str]:
        """Sort key of files that fit equally well: function at the line, line exists, longest path with
        blanks, no test, short path."""
        misses = frame.line is not None and not self._is_around(frame, file)
        is_beyond_end = frame.line is not None and frame.line > self._lines.count(file)
        path = self._paths[file]
        printed = f"/{frame.before}{frame.path}".replace(" ", "/")
        spaced = len(path) if " " in path and printed.endswith(f"/{path.replace(' ', '/')}") else 0
        return misses, is_beyond_end, -spaced, float(self._tests[file]), self._names.depth(file), path

    def _in_package(self, frame: Frame) -> list[FileId]:
        """For Java and similar languages: the files of this name whose package, or else folders, match."""
        package = frame.function.package
        files = self._names.named(frame.path)
        same = [file for file in files if self._package_of(file) == package]
        if same:
            return same
        folder = package.replace(".", "/")
        return [file for file in files if f"/{self._paths[file]}".rpartition("/")[0].endswith(f"/{folder}")]

    def _by_path(self, frame: Frame) -> list[FileId]:
        marks = [match.end() for match in FOREIGN.finditer(frame.path)]
        # The folder of the package, which is that of its source if the tree has several: `serde_core-1.0.1`.
        package = _VERSION.sub("", frame.path[: marks[-1]].rpartition("/")[2]) if marks else ""
        path, own = (frame.path[marks[-1] + 1 :], False) if marks else (frame.path, True)
        count, files = self._names.longest(frame.path)
        vendored = [file for file in files if count == self._names.depth(file) > path.count("/") + 1]
        if not own and vendored:  # the tree contains the foreign code
            return vendored
        count, files = self._names.longest(path)
        if own:
            parts = path.strip("/").count("/") + 1
            if module := MODULE.match(path) if count == 1 else None:
                inside = [file for file in files if f"/{module[0]}" in f"/{self._paths[file]}"]
                return inside or [one for one in files if not frame.function.name or self._names_function(frame, one)]
            return [file for file in files if self._is_claimed(frame, file, count, parts)]
        is_whole = count == path.count("/") + 1
        if is_whole or any(count == self._names.depth(file) for file in files):
            installed = [file for file in files if self._is_installed(frame, file, count, is_whole)]
            return [file for file in installed if f"/{package}/" in f"/{self._paths[file]}"] or installed
        return []

    def _is_installed(self, frame: Frame, file: FileId, count: int, is_whole: bool) -> bool:
        """Whether a frame in an installed package means this file; a shared file name alone is not enough.

        Their paths have the same last `count` parts, of which `is_whole` says whether the package has no more.

        A Python package whose folder and file this root has is this repository, even if the function is gone. In other
        languages, the path inside a package (`lib/index.js`) does not contain its name.
        """
        if count < 2:
            return self._is_around(frame, file) or (is_whole and self._defines_member(frame, file))
        if frame.path.endswith(f"-packages/{self._paths[file].removeprefix('src/')}"):
            return True
        return not frame.function.name or self._names_function(frame, file)

    def _is_claimed(self, frame: Frame, file: FileId, count: int, parts: int) -> bool:
        """Whether a printed path of `parts` parts means this file, whose path has the same last `count` parts."""
        if count == parts or count >= 2:
            return True
        if count == self._names.depth(file) and frame.path.startswith("/"):
            return self._names_function(frame, file) if frame.function.name else parts <= ROOT_DEPTH
        return self._is_around(frame, file)

    def _names_function(self, frame: Frame, file: FileId) -> bool:
        name, text = frame.function.name, self._lines.text(file)
        return name in text and re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text) is not None

    def _is_around(self, frame: Frame, file: FileId) -> bool:
        """Whether the file defines the frame's function around its line."""
        line, name = frame.line or 0, frame.function.name
        return any(one.name == name and one.has_line(line) for one in self._definitions(file))

    def _defines_member(self, frame: Frame, file: FileId) -> bool:
        """Whether the file defines the frame's method in its type, wherever that is now."""
        name, qualifier = frame.function.name, frame.function.qualifier
        defined = (one for one in self._definitions(file) if one.name == name)
        return bool(qualifier) and any(qualifier in one.qualified.split(".")[:-1] for one in defined)

    def _spot(self, frame: Frame, file: FileId) -> Spot | None:
        """The frame's place in its file; None if neither its line nor its function exists any more."""
        line, name = frame.line or 0, frame.function.name
        here = Spot(file, (line, max(line, frame.last or 0))) if 1 <= line <= self._lines.count(file) else None
        if here and (not name or self._is_around(frame, file)):
            return here
        defined = [one for one in self._definitions(file) if one.name == name] if name else []
        if defined:
            return self._at_definition(frame, defined)
        # A function that the file names but does not define may be a local one around the line.
        if here and self._names_function(frame, file):
            return here
        gone = f"{frame.place} ({name}, no longer in this file)"
        return self._elsewhere(frame) or (here and Spot(file, here.lines, gone))

    def _elsewhere(self, frame: Frame) -> Spot | None:
        """The frame's function by its name, in a file of the same language; None if the name is too common.

        A frame of a program without debugging information has no path: it means the only function of its name.
        """
        name, path, family = frame.function.name, frame.path, _family(frame.path)
        if not name or (path and not family) or frame.plain or FOREIGN.search(path) or NOT_A_FILE.match(path):
            return None
        package = frame.function.package
        matches = [one for one in self._definitions_named(name) if not path or _family(self._paths[one.file]) == family]
        if package:
            outer = package.split(".")[:2]
            matches = [one for one in matches if self._package_of(one.file).split(".")[:2] == outer]
        qualified = [one for one in matches if frame.function.qualifier in one.qualified.split(".")[:-1]]
        # If no file has the name of the frame's file, the function's name alone is too little.
        is_known = self._names.named(path) if path else not frame.function.qualifier
        matches = qualified or (matches if is_known else [])
        # Without a path, overloads are one.
        places = {(one.file, one.qualified, one.line * bool(path)) for one in matches}
        if not 0 < len(places) <= (MAX_NAMESAKES if path else 1) or self._are_examples([one.file for one in matches]):
            return None
        return self._at_definition(frame, matches)

    def _at_definition(self, frame: Frame, definitions: Sequence[DefinitionRow]) -> Spot:
        """The best definition: of the same class, not in a test, in a file of the same name, nearest to the line."""
        namesakes, qualifier = self._names.named(frame.path), frame.function.qualifier

        def distance(one: DefinitionRow) -> tuple[bool, float, bool, int, int]:
            other_class = bool(qualifier) and qualifier not in one.qualified.split(".")[:-1]
            away = abs(one.line - (frame.line or one.line))
            return other_class, float(self._tests[one.file]), one.file not in namesakes, away, one.file

        best = min(definitions, key=distance)
        now = f"{self._paths[best.file]}:{best.line}"
        elsewhere = f"{frame.place} ({best.qualified}, now {now})" if frame.line is not None else ""
        return Spot(best.file, (best.line, best.line), elsewhere)


def _definitions_named(collection: Collection, name: str) -> list[DefinitionRow]:
    """The definitions with this name in all files, without those inside other code."""
    return [row for row in collection.definitions.named(name) if not row.is_minor]


def _family(path: str) -> str:
    """The family of the language of a file's ending, or the ending if it is of none; empty without an ending."""
    name, _, ending = path.rpartition("/")[2].rpartition(".")
    if not name:
        return ""
    language = BY_EXTENSION.get(f".{ending.lower()}")
    return rules_of(language).family if language else ending
