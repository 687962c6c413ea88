"""Resolves the import statements of a tree to files: which file imports which."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from chunker.languages.table import FIRST_TIER, LANGUAGES
from index.graph.imports.modules import ModuleResolver
from index.segment.columns import Array
from index.segment.segment import Segment
from index.types import FileId

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
    files = list(map(FileId, np.repeat(np.arange(segment.files), np.diff(segment.rows["import"])).tolist()))
    modules, targets = (segment.array(column).tolist() for column in ("import.module", "binding.target"))
    texts = {number: segment.names[number] for number in {*modules, *targets}}
    # The names of one statement stand together, in the order of the statements.
    statement = segment.absolute("binding", "import", "import")
    bounds = np.searchsorted(statement, np.arange(len(modules) + 1)).tolist()
    destinations = [
        resolver.locate(file, rules[file], texts[module], [texts[target] for target in targets[first:last]])
        for file, module, first, last in zip(files, modules, bounds[:-1], bounds[1:], strict=True)
    ]
    pairs = {(file, reached) for file, one in zip(files, destinations, strict=True) for reached in one.files}
    return Imports(
        np.array(sorted(pairs), np.int64).reshape(-1, 2),
        _numbers([one.module for one in destinations]),
        _numbers([name for one in destinations for name in one.names]),
    )


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
