"""Resolves the import statements of a tree to files: which file imports which."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from chunker.languages.detection import detect_language
from chunker.languages.table import FIRST_TIER, LANGUAGES
from index.graph.imports.modules import ModuleResolver
from index.segment.columns import Array
from index.segment.segment import Segment
from index.types import FileId, FilePlace

_MANIFESTS = dict(rules.manifest for rules in FIRST_TIER if rules.manifest)


@dataclass(frozen=True, slots=True)
class Imports:
    """Where import statements lead.

    `pairs`: int64[n, 2] (importing file, imported file), sorted. `module`: int32 for each statement, the file that the
    module is; `names`: int32 for each bound name, the file that it is where it names a module itself. -1: none of ours.
    """

    pairs: Array
    module: Array
    names: Array


def find_imports(segment: Segment, paths: Sequence[str]) -> Imports:
    """Where every import statement leads."""
    rules = [LANGUAGES[name] for name in segment.strings("file.language").to_list()]
    resolver = ModuleResolver(paths, rules, _declared_modules(segment, paths))
    statements = list(_statements(segment))
    destinations = [resolver.locate(file, rules[file], module, names) for file, module, names in statements]
    pairs = {(file, to) for (file, *_), one in zip(statements, destinations, strict=True) for to in one.files}
    return Imports(
        np.array(sorted(pairs), np.int64).reshape(-1, 2),
        _numbers([one.module for one in destinations]),
        _numbers([name for one in destinations for name in one.names]),
    )


def importers(segment: Segment, former: Mapping[str, str]) -> list[tuple[str, FilePlace]]:
    """(former path, the statement) for each import of a file that was renamed or is gone, by path and line.

    `former` gives the path that each has now: itself where it is to be gone, an empty one where it is.
    """
    paths = segment.strings("file.path").to_list()
    rules = [LANGUAGES[name] for name in segment.strings("file.language").to_list()]
    numbers, now, earlier = {path: number for number, path in enumerate(paths)}, list(paths), dict[int, str]()
    for was, path in former.items():
        language = LANGUAGES.get(detect_language(was) or "")
        if language is None or (was in numbers and was != path):
            continue
        number = numbers.get(path, len(now))
        now[number : number + 1], earlier[number] = [was], was
        rules[number : number + 1] = [language]
    if not earlier:
        return []
    resolver = ModuleResolver(now, rules, _declared_modules(segment, paths))
    present = ModuleResolver(paths, rules[: len(paths)], _declared_modules(segment, paths))
    # A file is imported by its name, or by its folder's.
    words = {part.partition(".")[0].lower() for path in earlier.values() for part in path.split("/")[-2:]}
    lines = [segment.array(f"import.{end}_line") for end in ("start", "end")]
    places = []
    for number, (file, module, names) in enumerate(_statements(segment)):
        if words.isdisjoint(re.findall(r"\w+", f"{module} {' '.join(names)}".lower())):
            continue
        target = resolver.locate(file, rules[file], module, names)
        to = next((one for one in (target.module, *target.names) if one in earlier), None)
        if to is None:
            continue
        is_whole = to in present.locate(file, rules[file], module, names).files and earlier[to] != paths[to]
        if not is_whole:
            places.append((earlier[to], FilePlace(paths[file], int(lines[0][number]), int(lines[1][number]))))
    return sorted(places, key=lambda one: (one[1].file, one[1].first, one[0]))


def _statements(segment: Segment) -> Iterator[tuple[FileId, str, list[str]]]:
    """The file, the module and the names of every import statement."""
    files = map(FileId, np.repeat(np.arange(segment.files), np.diff(segment.rows["import"])).tolist())
    modules, targets = (segment.array(column).tolist() for column in ("import.module", "binding.target"))
    texts = {number: segment.names[number] for number in {*modules, *targets}}
    # The names of one statement stand together, in the order of the statements.
    statement = segment.absolute("binding", "import", "import")
    bounds = np.searchsorted(statement, np.arange(len(modules) + 1)).tolist()
    for file, module, first, last in zip(files, modules, bounds[:-1], bounds[1:], strict=True):
        yield file, texts[module], [texts[target] for target in targets[first:last]]


def _numbers(files: list[FileId | None]) -> Array:
    return np.array([-1 if file is None else file for file in files], np.int32)


def is_manifest(path: str) -> bool:
    """Whether other files' imports depend on the text of this one."""
    return path.rpartition("/")[2] in _MANIFESTS


def _declared_modules(segment: Segment, paths: Sequence[str]) -> dict[str, str]:
    """The modules that a tree declares, and the folder of each."""
    folders: dict[str, str] = {}
    for number, path in enumerate(paths):
        folder, _, name = path.rpartition("/")
        if name in _MANIFESTS:
            match = re.search(_MANIFESTS[name].encode(), segment.strings("file.text").raw(number), re.M)
            if match is not None:
                folders.setdefault(match[1].decode("utf-8", "replace"), folder)
    return folders
