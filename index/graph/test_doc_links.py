"""Links tests to the code they test, and documents to the definitions they mention, mostly by name."""

from __future__ import annotations

import re
from functools import cache

import numpy as np

from chunker.kinds import REFERENCE_KINDS, ROUTINES, TYPES, VALUES
from index.arithmetic import is_in
from index.graph.edges import LABELS, EdgeRows
from index.graph.lookup import MAX_SHARED, NONE, Lookup, fill, kinds
from index.graph.references import Uses
from index.graph.symbol_table import SymbolTable
from index.segment.columns import Array, distinct, rows_of

_TESTED = kinds(*ROUTINES, *TYPES - {"impl"}, "macro")
_TESTING = kinds("function", "method", "class", "struct", "module")
_DOCUMENTED = _TESTED | kinds(*VALUES)
_AFFIX = re.compile(r"^(?:[Tt]ests?_*(?=[A-Z_\d]|[a-z]*_)|test_+|should_?)|[_-]*(?:[Tt]ests?_?|[Ss]pec|TestCase)$")
_FILE_AFFIX = re.compile(r"^(test|spec)[_-]?|[_.-]?(tests?|specs?|suite)$", re.IGNORECASE)
_ASIDE = re.compile(r"(^|/)(examples?|samples?|demos?|docs?)/", re.IGNORECASE)
_WORD = re.compile(r"[a-z]+")
_BY_USE = 2  # a test that only uses a symbol of the tested file counts half of one named after the symbol
Subject = tuple[str, str]  # (container or "", name), in lower case without underscores


def test_pairs(table: SymbolTable) -> Array:
    """int64[n, 2] (test file, tested file): files of its name that the test imports, or else the only such file."""
    by_stem: dict[str, list[int]] = {}
    tests: list[tuple[int, str]] = []
    # An interface has the name of the file with the code.
    is_second = table.files_where(lambda rules: rules.file_modules and rules.family != rules.name)
    for number, (path, is_test) in enumerate(zip(table.paths, table.is_test.tolist(), strict=True)):
        stem = path.rpartition("/")[2].split(".")[0]
        if is_test:
            tests.append((number, _FILE_AFFIX.sub("", stem).lower()))
        elif not is_second[number]:
            by_stem.setdefault(stem.lower(), []).append(number)
    imports = table.imports.pairs
    imported = set(zip(*imports[table.is_test[imports[:, 0]]].T.tolist(), strict=True))
    pairs: list[tuple[int, int]] = []
    for number, subject in tests:
        files = by_stem.get(subject, [])
        tested = [one for one in files if (number, one) in imported] or (files if len(files) == 1 else [])
        pairs += [(number, one) for one in tested]
    return np.array(sorted(pairs), np.int64).reshape(-1, 2)


def tested_names(name: str) -> list[Subject]:
    """The names that a test's name may refer to, likeliest first; none if the name is not that of a test."""
    bare = _AFFIX.sub("", name)
    if bare == name or not bare:
        return []
    outer, _, last = bare.strip("_").rpartition("_")
    return [("", _plain(bare)), *([(_plain(outer), _plain(last))] if outer and last else [])]


def _plain(name: str) -> str:
    return "".join(name.replace("_", " ").split()).lower()


def tested_by_name(table: SymbolTable, near: Array) -> EdgeRows:
    """`test_total` tests `total`, `CartTest` tests `Cart`, in files that the test file tests, imports or shares a
    package with. `near`: int64[n, 2] (test file, file)."""
    is_test = table.is_test[table.file]
    containers, files = table.container.tolist(), table.file.tolist()
    package = table.packages.of_file[table.file].tolist()
    last = cache(lambda number: table.names[number].rpartition(".")[2] if number >= 0 else "")
    plain = cache(lambda number: _plain(last(number)))
    tested_names_of = cache(lambda number: tested_names(last(number)))
    tests = np.flatnonzero(is_test & _TESTING[table.kind])
    wanted = {name for number in set(table.name[tests].tolist()) for _, name in tested_names_of(number)}
    candidates: dict[str, list[int]] = {}
    rows = np.flatnonzero(~is_test & _TESTED[table.kind])
    plain_name = cache(lambda number: _plain(table.names[number]))
    for row, name in zip(rows.tolist(), map(plain_name, table.name[rows].tolist()), strict=True):
        if name in wanted:
            candidates.setdefault(name, []).append(row)
    reach = set(map(tuple, near.tolist()))
    links: list[tuple[int, int, int]] = []
    for row, number in zip(tests.tolist(), table.name[tests].tolist(), strict=True):
        own = tested_names_of(number)
        outer = tested_names_of(containers[row])[:1] if own else []
        # A method of `CartTest` tests a method of `Cart` if there is one.
        for holder, name in [(holder, own[0][1]) for _, holder in outer] + own:
            tested = [
                one for one in candidates.get(name, ())
                if (not holder or plain(containers[one]) == holder)
                and ((files[row], files[one]) in reach or package[row] == package[one] >= 0)
            ]  # fmt: skip
            if 0 < len(tested) <= MAX_SHARED:
                links += [(row, one, len(tested)) for one in tested]
                break
    columns = np.array(links, np.int64).reshape(-1, 3)
    return EdgeRows.of(columns[:, 0], columns[:, 1], "tests", columns[:, 2])


def tested_by_use(table: SymbolTable, used: EdgeRows, pairs: Array) -> EdgeRows:
    """Edges from a test file into the file that it tests. `used`: edges between symbols."""
    home = np.concatenate([table.file, np.arange(table.files)])
    keys = distinct(pairs[:, 0] * table.files + pairs[:, 1])
    is_inside = is_in(home[used.source] * table.files + home[used.target], keys)
    is_inside &= np.isin(used.label, [LABELS.index("calls"), LABELS.index("uses")])
    uses = rows_of(used, is_inside)
    return EdgeRows.of(uses.source, uses.target, "tests", np.maximum(uses.shared, _BY_USE))


def documented(table: SymbolTable, references: Array) -> Uses:
    """The definitions that documents mention, by name and, in `a.b`, by the name before the dot."""
    segment = table.segment
    rows = references[segment.array("reference.kind")[references] == REFERENCE_KINDS.index("mention")]
    if not len(rows):
        return Uses(rows, rows, rows)
    aside = table.is_test | [_ASIDE.search(path) is not None for path in table.paths]
    code = np.flatnonzero(_DOCUMENTED[table.kind] & ~aside[table.file])
    owner = table.last_steps(table.pointed("reference", "chain", "chain", rows))
    name = segment.array("reference.name")[rows].astype(np.int64)
    top = code[table.container[code] < 0]
    inside, anywhere, at_top = 0, 1, 2
    look_up = Lookup(
        (table.key(inside, table.last_names[table.container[code]], table.name[code]), code),
        (table.key(anywhere, -1, table.name[code]), code),
        (table.key(at_top, -1, table.name[top]), top),
    )
    answers = look_up.find(table.key(np.where(owner < 0, anywhere, inside), owner, name))
    # `flask.Flask`: the part before the dot may be a module; then the name is at the top level of a file.
    fill(answers, lambda name: look_up.find(table.key(at_top, -1, name)), name, where=owner >= 0)
    # A plain lower-case word counts only if it means a single, top-level definition.
    vague = np.array([_WORD.fullmatch(table.names[number]) is not None for number in name.tolist()], bool)
    is_top = np.append(table.container, 0)[np.where(table.is_definition(answers), answers, -1)] < 0
    answers[vague & ~is_top & (owner < 0)] = NONE
    single = np.flatnonzero(answers >= 0)
    at, among = look_up.among(answers)
    shared = np.append(np.ones(len(single), np.int64), np.bincount(at, minlength=len(rows))[at])
    return Uses(rows[np.append(single, at)], np.append(answers[single], among), shared)
