"""The slots that come from files of records, and from the index where those are missing."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from context_pack.corpora.inside import inside, plain
from context_pack.corpora.nexus import shapes
from context_pack.corpora.nexus.markdown import bare, bullets, cells, section, tables, unquoted
from context_pack.corpora.nexus.project import FOLDER
from context_pack.recipes.task import slices
from context_pack.recipes.task.slices import reason
from context_pack.recipes.task.work import Work
from contracts.errors import InvalidRequest
from contracts.records import Hint

MODULES = f"{FOLDER}/02-architecture/modules.json"
ARCHITECTURE = (f"{FOLDER}/02-architecture/ARCHITECTURE.md", f"{FOLDER}/ARCHITECTURE.md", "ARCHITECTURE.md")
CONTRACTS = f"{FOLDER}/02-architecture/api_contracts.json"
SYMBOLS = f"{FOLDER}/03-index/symbols.json"
OWNERSHIP = f"{FOLDER}/03-index/ownership.json"
TEST_MAP = f"{FOLDER}/03-index/test_map.json"


def files_content(work: Work) -> dict[str, str]:
    """The content of every file of the task; empty for a file that is not there yet."""
    from chunker.parse.decoding import decode

    contents: dict[str, str] = {}
    for file in work.task.files:
        path = inside(work.project.root, file, "filesModified")
        if path.is_dir():
            raise InvalidRequest("filesModified", f"filesModified: {file} is a folder", hint="list the files in it")
        work.explain("files", [(file, (reason("task", "filesModified"),))])
        if not path.exists():
            contents[file] = ""
            continue
        data = work.project.data(file)
        text = decode(data)
        if text is None:
            work.warn(f"{file} is binary: its {len(data):,} bytes are not shown")
            text = f"(binary file of {len(data):,} bytes, not shown)"
        elif "\ufffd" in text and b"\xef\xbf\xbd" not in data:
            work.warn(f"{file} is not valid UTF-8: each byte that is not is shown as U+FFFD")
        contents[file] = work.redactor.text(text, file)
    return contents


def _records(work: Work, place: str, shape: shapes.Shape) -> list[shapes.Record] | None:
    return shapes.records(work.project.json(place), place, shape) if work.project.find(place) else None


def architecture(work: Work) -> list[Any]:
    slot, files = "architectureSlice", work.task.files
    modules = _records(work, MODULES, shapes.MODULES)
    place, shown = MODULES, modules
    document = None if modules else work.project.find(*ARCHITECTURE)
    if document is not None:
        shown = _module_map(work.project.text(document))
        place, modules = document, None if shown is None else [_owned(entry) for entry in shown]
    if modules is None:
        work.missing(slot, MODULES, "module map in ARCHITECTURE.md")
        return []
    found = slices.architecture(modules, files, place, shown)
    if not found.chosen:
        work.nothing(slot, place, f"has {len(modules)} modules, and none of them owns a modified file")
    return list(work.redactor.data(work.slice(slot, found), place))


def _module_map(text: str) -> list[shapes.Record] | None:
    """The rows of the module map, by the headings of its columns; else its list items, with the paths in them."""
    lines = text.split("\n")
    bounds = section(lines, "Module Map", "Modules")
    if bounds is None:
        return None
    body = lines[bounds[0] + 1 : bounds[1]]
    found: list[shapes.Record] = []
    for table in tables(body):
        for row in table.rows:
            found.append(dict(zip(table.columns, cells(row), strict=False)))
    if not found:
        found += [{"Module": item} for item in bullets(body)]
    return found


def _owned(named: Mapping[str, str]) -> dict[str, Any]:
    """What is compared of an entry: the path and the `owns` globs of a row, or the paths that a list item names."""
    if set(named) == {"Module"}:
        paths = re.findall(r"`([^`\s]+)`|((?:[\w.-]+/)+[\w.*-]*)", named["Module"])
        return {"files": [one or other for one, other in paths]}
    owned: dict[str, Any] = {}
    for column, cell in named.items():
        key = bare(column).lower()
        if key == "path":
            owned["path"] = unquoted(cell)
        elif key in ("owns", "files"):
            owned[key] = [value for part in re.split(r"[,;\s]+", cell) if "/" in (value := unquoted(part))]
    return owned


def contracts(work: Work) -> list[Any]:
    slot = "contractsSlice"
    records = _records(work, CONTRACTS, shapes.CONTRACTS)
    if records is None:
        work.missing(slot, CONTRACTS)
        return []
    found = slices.contracts(records, work.task.files, CONTRACTS)
    if not found.chosen:
        work.nothing(slot, CONTRACTS, f"has {len(records)} contracts, and none of them names a modified file")
    return list(work.redactor.data(work.slice(slot, found), CONTRACTS))


def dependency_symbols(work: Work) -> dict[str, list[str]]:
    """Exported names of imported files, from the index files where they are, else from our own index."""
    slot, files = "dependencySymbols", work.task.files
    symbols = _records(work, SYMBOLS, shapes.SYMBOLS)
    ownership = _records(work, OWNERSHIP, shapes.OWNERSHIP)
    exported = None if symbols is None else slices.exports_of(symbols, SYMBOLS)
    if ownership is not None:
        known = {*(exported or {}), *_paths(ownership)}
        imported = slices.imported_files(
            ownership, files, lambda path: path in known or (work.project.root / path).is_file(), OWNERSHIP
        )
    else:
        imported = _imported(work)
    found: dict[str, list[str]] = {}
    for path, importer in imported.items():
        names = _exports(work, path) if exported is None else exported.get(path)
        if names is None:
            work.warn(f"{slot}: {SYMBOLS} has no entry for {path}, which {importer} imports")
        found[path] = list(names or ())
        source = "the index" if ownership is None else OWNERSHIP
        work.explain(slot, [(path, (reason("imports", f"{importer} imports it ({source})"),))])
    if not found and (ownership is not None or work.facts() is not None):
        work.nothing(
            slot, OWNERSHIP if ownership is not None else "the index", "knows no imports of the modified files"
        )
    if (symbols is None or ownership is None) and work.facts() is not None:
        gone = " and ".join(place for place, got in ((SYMBOLS, symbols), (OWNERSHIP, ownership)) if got is None)
        work.hints.append(Hint("info", f"{slot}: there is no {gone}; the index was asked instead"))
    clean: dict[str, list[str]] = work.redactor.data(found, slot)
    return clean


def _paths(ownership: Sequence[shapes.Record]) -> list[str]:
    """The files that the records are about: they may lie in another worktree."""
    spelled = (shapes.texts(record, OWNERSHIP, "path", "file", "sourceFile") for record in ownership)
    return [plain(path) for paths in spelled for path in paths]


def _imported(work: Work) -> dict[str, str]:
    facts = work.facts()
    modified = set(map(plain, work.task.files))
    found: dict[str, str] = {}
    for file in work.task.files if facts else ():
        for path in facts.imported(plain(file)) if facts else ():
            if path not in modified:
                found.setdefault(path, file)
    return found


def _exports(work: Work, path: str) -> Sequence[str] | None:
    facts = work.facts()
    return facts.exported(path) if facts else None


def tests(work: Work) -> list[str]:
    slot = "testsSlice"
    records = _records(work, TEST_MAP, shapes.TESTS)
    if records is not None:
        found = slices.tests_of(records, work.task.files, TEST_MAP)
        if not found.chosen:
            work.nothing(slot, TEST_MAP, f"has {len(records)} entries, and none of them is for a modified file")
        return list(work.slice(slot, found))
    facts = work.facts()
    if facts is None:
        work.missing(slot, TEST_MAP)
        return []
    work.hints.append(Hint("info", f"{slot}: there is no {TEST_MAP}; the index was asked instead"))
    tests = {test: file for file in reversed(work.task.files) for test in reversed(facts.tests(plain(file)))}
    ordered = dict(reversed(tests.items()))
    work.explain(slot, [(test, (reason("tests", f"{test} tests {file}"),)) for test, file in ordered.items()])
    if not ordered:
        work.nothing(slot, "the index", "knows no tests of the modified files")
    return list(ordered)
