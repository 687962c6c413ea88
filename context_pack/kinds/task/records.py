"""The slots of records about the files that the task modifies; the index replaces index files that are missing."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence
from posixpath import dirname
from typing import Any

from context_pack.core.fit import Candidate
from context_pack.core.markdown import Document, bare, bullets, cells, tables, unquoted
from context_pack.io.globs import holds
from context_pack.io.paths import plain
from context_pack.kinds.task.draft import Draft, candidate
from context_pack.kinds.task.exports import exported, is_seen, resolved
from context_pack.kinds.task.project import FOLDER, Record, RecordFile

MODULES = RecordFile(f"{FOLDER}/02-architecture/modules.json", ("modules",), "name", ("path", "owns", "files"))
ARCHITECTURE = (f"{FOLDER}/02-architecture/ARCHITECTURE.md", f"{FOLDER}/ARCHITECTURE.md", "ARCHITECTURE.md")
CONTRACTS = RecordFile(
    f"{FOLDER}/02-architecture/api_contracts.json", ("contracts",), "id",
    ("file", "path", "files", "handler", "consumers", "endpoint", "owner", "method"),
)  # fmt: skip
SYMBOLS = RecordFile(f"{FOLDER}/03-index/symbols.json", ("symbols",), "file", ("file", "exports"))
OWNERSHIP = RecordFile(f"{FOLDER}/03-index/ownership.json", ("files", "ownership"), "path", ("path", "file", "imports"))
TESTS = RecordFile(f"{FOLDER}/03-index/test_map.json", ("testMap",), "sourceFile", ("sourceFile", "testFiles"))
# URLs, routes, and methods with routes are not files.
_NO_FILE = re.compile(r"/|.*[\s?{}<>:]", re.DOTALL)
_SUFFIX = re.compile(r"[^/.][^/]*\.[A-Za-z0-9]{1,8}$")
# `src/auth/login.ts#login`, `src/auth/login.ts:handle`, `src/auth/login.ts::handle`, `src/auth/login.ts@12`
_MEMBER = re.compile(r"(\.[A-Za-z0-9]{1,8})(?:[#@]|::?)[^/]*$")
# `src/auth/`, `lib/a.ts`, no URL
_A_PATH = re.compile(r"(?<![\w:/.@*-])[\w.@*-]+/[\w.@*/-]*")


def _filled(draft: Draft, slot: str, chosen: Sequence[Candidate[Any]], otherwise: str, place: str = "") -> list[Any]:
    if not chosen:
        draft.inform(f"{slot} is empty: {otherwise}")
    return list(draft.redactor.data(draft.show(slot, chosen), place or slot))


def architecture_slice(draft: Draft) -> list[Any]:
    slot, place = "architectureSlice", MODULES.place
    owned: Callable[[Record], Record] = dict
    modules = draft.project.records(MODULES)
    if not modules and (document := draft.project.text(*ARCHITECTURE)):
        place, owned, modules = document[0], _owned, module_map(document[1])
        if modules is not None and not any(paths for row in modules for paths in _owned(row).values()):
            draft.warn(f"{slot} is empty: the module map of {place} names no paths")
            return []
    if modules is None:
        draft.missing(slot, MODULES.place, "module map in ARCHITECTURE.md")
        return []
    otherwise = f"{place} has {len(modules)} modules, and none of them owns a modified file"
    return _filled(draft, slot, owners(modules, draft.task.files, owned), otherwise, place)


def owners(
    modules: Sequence[Record], files: Sequence[str], owned: Callable[[Record], Record] = dict
) -> list[Candidate[Record]]:
    """The modules whose path, files or `owns` globs, as `owned` returns them, contain a modified file."""

    def reasons(module: Record) -> list[tuple[str, str]]:
        own = [(key, pattern) for key in ("path", "owns", "files") for pattern in MODULES.texts(owned(module), key)]
        return [(key, f"{pattern} holds {file}") for file in files for key, pattern in own if holds(pattern, file)]

    return _chosen(modules, reasons)


def _chosen(records: Sequence[Record], reasons: Callable[[Record], list[tuple[str, str]]]) -> list[Candidate[Record]]:
    """The records with a reason, each identified by its name, else by its number."""
    keys = ("id", "name", "Module", "path", "file")
    named = ((str(next((one[key] for key in keys if one.get(key)), number)), one) for number, one in enumerate(records))
    return [candidate(name, one, *why) for name, one in named if (why := reasons(one))]


def module_map(text: str) -> list[Record] | None:
    """The rows of an architecture's module map, by column heading; without a table, `{module: text}` for each of its
    subsections, else for each item of its list. None if there is no module map.
    """
    section = Document(text).section("Module Map", "Modules")
    rows = [(table.columns, row) for table in tables(section) for row in table.rows]
    parts = [] if rows else Document("\n".join(section[1:])).sections() or bullets(section)
    records = [dict(zip(columns, cells(row), strict=False)) for columns, row in rows]
    return None if not section else [*records, *({"module": part} for part in parts)]


def _owned(row: Record) -> Record:
    """The paths and the globs in the columns of a row; if there are none, the first path that the row names."""
    columns = {bare(column).lower(): cell for column, cell in row.items()}
    owned: Record = {key: [value for part in re.split(r"[,;\s]+", columns[key]) if "/" in (value := unquoted(part))]
                     for key in ("owns", "files") if key in columns}  # fmt: skip
    if "path" in columns:
        owned["path"] = [unquoted(part) for part in re.split("[,;]", columns["path"])]
    return owned if any(owned.values()) else {"path": _A_PATH.findall("\n".join(row.values()))[:1]}


def contracts_slice(draft: Draft) -> list[Any]:
    slot, place = "contractsSlice", CONTRACTS.place
    contracts = draft.project.records(CONTRACTS)
    if contracts is None:
        draft.missing(slot, place)
        return []
    otherwise = f"{place} has {len(contracts)} contracts, and none of them names a modified file"
    return _filled(draft, slot, overlapping(contracts, draft.task.files), otherwise, place)


def overlapping(contracts: Sequence[Record], files: Sequence[str]) -> list[Candidate[Record]]:
    """The contracts that name a modified file, or whose own file is in the same folder as one."""
    keys = ("file", "path", "files", "handler", "owner", "consumers")
    return _chosen(contracts, lambda record: [
        one for key in keys for value in CONTRACTS.texts(record, key) if key != "path" or not _NO_FILE.match(value)
        for one in _overlaps(key, value, files)
    ])  # fmt: skip


def _overlaps(key: str, value: str, files: Sequence[str]) -> list[tuple[str, str]]:
    path = plain(_MEMBER.sub(r"\1", value.strip()))
    why = []
    for file in files if path else ():
        own = plain(file)
        if own == path or ("/" in path and holds(path, own)):
            why.append((key, f"{value} is {file}" if own == path else f"{value} holds {file}"))
        elif key != "consumers" and _SUFFIX.search(path) and dirname(path) == dirname(own):
            why.append(("same_folder", f"{key} {value} is next to {file}"))
    return why


def tests_slice(draft: Draft) -> list[str]:
    """The tests of the modified files, in the order in which they are first seen."""
    slot, place, files = "testsSlice", TESTS.place, draft.task.files
    records = draft.project.records(TESTS)
    if records is not None:
        otherwise = f"{place} has {len(records)} entries, and none of them is for a modified file"
    elif index := draft.index:
        draft.inform(f"{slot}: there is no {place}; the index was used instead")
        records = [{"sourceFile": file, "testFiles": list(index.linked(plain(file), "tests", backward=True))}
                   for file in files]  # fmt: skip
        otherwise = "the index has no tests of the modified files"
    else:
        draft.missing(slot, place)
        return []
    return _filled(draft, slot, tests_of(records, files), otherwise)


def tests_of(records: Sequence[Record], files: Sequence[str]) -> list[Candidate[str]]:
    modified = set(map(plain, files))
    why: dict[str, list[tuple[str, str]]] = {}
    for record in records:
        for source in TESTS.texts(record, "sourceFile"):
            for test in TESTS.texts(record, "testFiles") if plain(source) in modified else ():
                why.setdefault(test, []).append(("tests", f"{test} tests {source}"))
    return [candidate(test, test, *reasons) for test, reasons in why.items()]


def dependency_symbols(draft: Draft) -> dict[str, list[str]]:
    """The exported names of files that the modified files import and that are not modified, by file."""
    slot, project = "dependencySymbols", draft.project
    symbols, ownership = project.records(SYMBOLS), project.records(OWNERSHIP)
    gone = [file.place for file, records in ((SYMBOLS, symbols), (OWNERSHIP, ownership)) if records is None]
    index = draft.index if gone else None
    recorded = None if symbols is None else exports(symbols)
    modified = {plain(file): file for file in draft.task.files}
    if ownership is None:
        source = "the index"
        imports = [(file, path) for file in modified if index for path in index.linked(file, "imports")
                   if is_seen(index, path, file)]  # fmt: skip
    else:
        source = OWNERSHIP.place
        imports = recorded_imports(ownership, modified, recorded or (), lambda path: (project.root / path).is_file())
    importers: dict[str, list[str]] = {}
    for file, path in imports:
        if path not in modified:
            importers.setdefault(path, []).append(file)
    names_by_file: dict[str, list[str]] = {}
    for path, files in importers.items():
        importer = modified[files[0]]
        names = recorded.get(path) if recorded is not None else None
        if names is None and index:
            names = exported(index, path, files)
        elif names is None:
            draft.warn(f"{slot}: {SYMBOLS.place} has no entry for {path}, which {importer} imports")
        names_by_file[path] = list(names or ())
        draft.show(slot, [candidate(path, path, ("imports", f"{importer} imports or uses it ({source})"))])
    if not names_by_file and (ownership is not None or index):
        draft.inform(f"{slot} is empty: {source} has no imports of the modified files")
    if gone and index:
        draft.inform(f"{slot}: there is no {' and '.join(gone)}; the index was used instead")
    return draft.redactor.data(names_by_file, slot)


def exports(symbols: Sequence[Record]) -> dict[str, list[str]]:
    """Exported names by file, in the order of the records: `{file, exports}`, or `{name, exported, file}` per name."""
    names: dict[str, dict[str, None]] = {}
    for record in symbols:
        key = "exports" if "exports" in record or record.get("exported", True) is False else "name"
        for file in SYMBOLS.texts(record, "file")[:1]:
            names.setdefault(plain(file), {}).update(dict.fromkeys(SYMBOLS.texts(record, key)))
    return {file: list(of_file) for file, of_file in names.items()}


def recorded_imports(
    ownership: Sequence[Record], modified: Collection[str], exporting: Collection[str], exists: Callable[[str], bool]
) -> list[tuple[str, str]]:
    """(importer, imported file) from the records; a specifier names a file that is recorded, or that exists."""
    owners = [(plain(path), record) for record in ownership for path in OWNERSHIP.texts(record, "path", "file")[:1]]
    recorded = {*modified, *exporting, *(path for path, _ in owners)}
    imports = ((importer, resolved(specifier, importer, lambda path: path in recorded or exists(path)))
               for importer, record in owners if importer in modified
               for specifier in OWNERSHIP.texts(record, "imports"))  # fmt: skip
    return [(importer, path) for importer, path in imports if path is not None]
