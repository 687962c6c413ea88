"""Edges between files: which imports which, which tests which; and what each import statement leads to."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from index.columns import Array
from index.graph.modules import ModuleResolver
from index.segment import Segment

_TEST = re.compile(
    r"(^|/)(tests?|specs?|__tests__|testing)/"  # a folder of tests
    r"|(^|[/_.-])(test|spec)s?[_.-]"  # test_x.py, x_test.go, x.spec.ts
    r"|[a-z0-9](Tests?|Spec)\.\w+$"  # XTest.java
)
# In shell, `test` is a command and its helpers begin with it: only folders and endings tell.
_SHELL_HELPER = re.compile(r"(^|/)(test|spec)s?[_-][^/]*\.(ba|z|k)?sh$")
_SHELL_TEST = re.compile(r"(^|/)(tests?|specs?|__tests__|testing)/|[_.-](test|spec)s?\.\w+$")
_GO_MODULE = re.compile(rb"^module\s+\"?([^\s\"]+)", re.M)
_TEST_AFFIX = re.compile(r"^(test|spec)[_-]?|[_.-]?(tests?|specs?)$", re.IGNORECASE)


def is_test_path(path: str) -> bool:
    """Whether a path follows one of the usual conventions for test files."""
    return (_SHELL_TEST if _SHELL_HELPER.search(path) else _TEST).search(path) is not None


@dataclass(frozen=True, slots=True)
class Imports:
    """Where import statements lead.

    `pairs`: int64[n, 2] (importing file, imported file), sorted. `module`: int32 for each statement, the file that the
    module is; `names`: int32 for each bound name, the file that it is where it names a module itself. -1: none of ours.
    """

    pairs: Array
    module: Array
    names: Array


@dataclass(frozen=True, slots=True)
class KnownImports:
    """What is known of the imports of a segment: `imports` in its numbers, for the files that are `located` (bool)."""

    imports: Imports
    located: Array


def find_imports(segment: Segment, paths: Sequence[str], known: KnownImports | None) -> Imports:
    """Where every import statement leads; only those of files of which it is not known are looked for."""
    rows = segment.rows["import"]
    if known is None:
        nothing = (np.full(int(segment.rows[level][-1]), -1, np.int32) for level in ("import", "binding"))
        known = KnownImports(Imports(np.zeros((0, 2), np.int64), *nothing), np.zeros(segment.files, bool))
    module, names = known.imports.module.copy(), known.imports.names.copy()
    asking = np.flatnonzero(~known.located & (rows[1:] > rows[:-1])).tolist()
    if not asking:
        return Imports(known.imports.pairs, module, names)
    pairs = set(map(tuple, known.imports.pairs.tolist()))
    resolver = ModuleResolver(paths, _go_modules(segment, paths))
    languages = segment.strings("file.language")
    for file in asking:
        pairs.update((file, found) for found in _of_file(segment, file, languages[file], resolver, module, names))
    return Imports(np.array(sorted(pairs), np.int64).reshape(-1, 2), module, names)


def is_manifest(path: str) -> bool:
    """Whether other files' imports depend on the text of this one."""
    return path.rpartition("/")[2] == "go.mod"


def _go_modules(segment: Segment, paths: Sequence[str]) -> dict[str, str]:
    """The modules that a tree declares, and the folder of each."""
    found: dict[str, str] = {}
    for number in (number for number, path in enumerate(paths) if is_manifest(path)):
        match = _GO_MODULE.search(segment.strings("file.text").raw(number))
        if match is not None:
            found.setdefault(match[1].decode("utf-8", "replace"), paths[number].rpartition("/")[0])
    return found


def _of_file(
    segment: Segment, file: int, language: str, resolver: ModuleResolver, module: Array, names: Array
) -> set[int]:
    """Fill in where the statements of one file lead; gives the files that they reach."""
    first, last = int(segment.rows["import"][file]), int(segment.rows["import"][file + 1])
    start, stop = int(segment.rows["binding"][file]), int(segment.rows["binding"][file + 1])
    texts = segment.names
    bound: dict[int, list[int]] = {}
    for row, statement in enumerate(segment.array("binding.import")[start:stop].tolist(), start=start):
        bound.setdefault(statement, []).append(row)
    targets = segment.array("binding.target")
    reached: set[int] = set()
    for at, number in enumerate(segment.array("import.module")[first:last].tolist()):
        mine = bound.get(at, ())
        found = resolver.locate(file, language, texts[number], [texts[int(targets[row])] for row in mine])
        module[first + at] = found.module
        for row, inner in zip(mine, found.names, strict=True):
            names[row] = inner
        reached.update(found.files)
    return reached


def test_pairs(paths: Sequence[str], imports: Array) -> Array:
    """int64[n, 2] (test file, tested file): by name where one file answers to it, by import where several do."""
    subjects: dict[str, list[int]] = {}
    tests: list[tuple[int, str]] = []
    for number, path in enumerate(paths):
        if is_test_path(path):
            tests.append((number, path))
        else:
            subjects.setdefault(_stem(path).lower(), []).append(number)
    imported = set(map(tuple, imports.tolist()))
    pairs: list[tuple[int, int]] = []
    for number, path in tests:
        found = subjects.get(_TEST_AFFIX.sub("", _stem(path)).lower(), [])
        chosen = [one for one in found if (number, one) in imported] or (found if len(found) == 1 else [])
        pairs += [(number, one) for one in chosen]
    return np.array(sorted(pairs), np.int64).reshape(-1, 2)


def _stem(path: str) -> str:
    return path.rpartition("/")[2].split(".")[0]
