"""The slots of a task packet that are cut out of records: which of them concern the files that the task modifies."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from posixpath import dirname, join, normpath
from typing import Any

from chunker.languages.detection import detect_language
from context_pack.corpora.globs import holds
from context_pack.corpora.inside import plain
from context_pack.corpora.nexus.shapes import Record, texts
from contracts.records import Why

_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://")
_VERB = re.compile(r"(?:GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS|TRACE|CONNECT)\s", re.IGNORECASE)
_SUFFIX = re.compile(r"[^/.][^/]*\.[A-Za-z0-9]{1,8}$")
# `src/auth/login.ts#login`, `src/auth/login.ts:handle`, `src/auth/login.ts::handle`, `src/auth/login.ts@12`
_MEMBER = re.compile(r"(\.[A-Za-z0-9]{1,8})(?:[#@]|::?)[^/]*$")
# What an import specifier may leave out of a file's name.
_ENDINGS = (
    "", ".ts", ".tsx", ".d.ts", ".js", ".jsx", ".mjs", ".cjs", ".py", ".go", ".rs", ".java", ".kt", ".rb", ".php",
    ".vue", "/index.ts", "/index.tsx", "/index.js", "/__init__.py", "/mod.rs",
)  # fmt: skip


@dataclass(slots=True)
class Slice:
    """Records that were chosen for a slot, verbatim, each with its reasons."""

    chosen: list[tuple[str, Any, tuple[Why, ...]]] = field(default_factory=list)

    def add(self, name: str, value: Any, reasons: Iterable[Why]) -> None:
        why = tuple(reasons)
        if why:
            self.chosen.append((name, value, why))

    @property
    def values(self) -> list[Any]:
        return [value for _, value, _ in self.chosen]


def reason(name: str, detail: str) -> Why:
    """A reason without points: a record is in a slot or it is not."""
    return Why(name, 1.0, 0.0, detail)


def name_of(record: Mapping[str, Any], fallback: str) -> str:
    return str(next((record[key] for key in ("id", "name", "Module", "path", "file") if record.get(key)), fallback))


def architecture(
    modules: Sequence[Record], files: Sequence[str], place: str, shown: Sequence[Any] | None = None
) -> Slice:
    """The modules whose path, files or `owns` globs hold a modified file; `shown` is what stands for each of them."""
    found = Slice()
    for number, (module, entry) in enumerate(zip(modules, shown or modules, strict=True)):
        owned = [
            (key, pattern)
            for key, *others in (("path", "paths"), ("owns",), ("files",))
            for pattern in texts(module, place, key, *others)
        ]
        why = [
            reason(key, f"{pattern} holds {file}") for file in files for key, pattern in owned if holds(pattern, file)
        ]
        found.add(name_of(entry, f"{number}"), entry, why)
    return found


def contracts(records: Sequence[Record], files: Sequence[str], place: str) -> Slice:
    """The contracts that name a modified file, or whose own file lies in the same folder as one."""
    found = Slice()
    for number, record in enumerate(records):
        why: list[Why] = []
        for key in ("file", "path", "files", "handler", "owner", "consumers"):
            for value in texts(record, place, key):
                if key != "path" or is_repository_path(value):
                    why += _overlaps(key, value, files)
        found.add(name_of(record, f"{number}"), record, why)
    return found


def is_repository_path(value: str) -> bool:
    """Whether a contract's `path` may be a file: a URL, a route or a method and a route is none."""
    return not (_SCHEME.match(value) or _VERB.match(value) or value.startswith("/") or re.search(r"[\s?{}<>:]", value))


def _overlaps(key: str, value: str, files: Sequence[str]) -> list[Why]:
    path = plain(_MEMBER.sub(r"\1", value.strip()))
    if not path:
        return []
    is_file = _SUFFIX.search(path) is not None
    found = []
    for file in files:
        own = plain(file)
        if own == path or ("/" in path and holds(path, own)):
            found.append(reason(key, f"{value} is {file}" if own == path else f"{value} holds {file}"))
        elif key != "consumers" and is_file and dirname(path) == dirname(own):
            found.append(reason("same_folder", f"{key} {value} lies beside {file}"))
    return found


@dataclass(frozen=True, slots=True)
class Dependency:
    """A file that a modified file imports."""

    path: str
    importer: str
    names: tuple[str, ...]


def imported_files(
    ownership: Sequence[Record], files: Sequence[str], exists: Callable[[str], bool], place: str
) -> dict[str, str]:
    """Each file that a modified file imports, by the records, with its importer; a specifier names what `exists`."""
    modified = {plain(file): file for file in files}
    found: dict[str, str] = {}
    for record in ownership:
        importer = plain(next(iter(texts(record, place, "path", "file", "sourceFile")), ""))
        if importer not in modified:
            continue
        for specifier in texts(record, place, "imports", "dependsOn"):
            target = _resolved(specifier, importer, lambda path: path in modified or exists(path))
            if target is not None and target not in modified:
                found.setdefault(target, modified[importer])
    return found


def _resolved(specifier: str, importer: str, exists: Callable[[str], bool]) -> str | None:
    """The file that a specifier names: from the root or relative to the importer, with or without its ending."""
    spoken = specifier.replace("\\", "/").strip()
    spoken = re.sub(r"^[@~]/", "src/", spoken)
    bases = [normpath(join(dirname(importer), spoken))]
    if not spoken.startswith("."):
        bases.insert(0, plain(spoken))
    for base in bases:
        stem = re.sub(r"\.(?:js|mjs|cjs|jsx)$", "", base)  # TypeScript names the file that it compiles to
        for candidate in (*(base + ending for ending in _ENDINGS), *(stem + ending for ending in _ENDINGS[1:5])):
            if not candidate.startswith("..") and exists(candidate):
                return candidate
    is_file = "/" in spoken and not bases[0].startswith("..") and detect_language(spoken) is not None
    return bases[0] if is_file else None  # a file that is spelled out and is not there yet


def exports_of(symbols: Sequence[Record], place: str) -> dict[str, list[str]]:
    """Exported names by file, in the order of the records: `{file, exports}`, or a record for each symbol."""
    found: dict[str, list[str]] = {}
    for record in symbols:
        file = plain(next(iter(texts(record, place, "file", "path", "sourceFile")), ""))
        if not file:
            continue
        names = found.setdefault(file, [])
        if "exports" in record:
            names += texts(record, place, "exports")
        elif record.get("exported", True) is not False and isinstance(record.get("name"), str):
            names.append(record["name"])
    return {file: list(dict.fromkeys(names)) for file, names in found.items()}


def tests_of(records: Sequence[Record], files: Sequence[str], place: str) -> Slice:
    """The test files of the modified files, each once, in the order in which they first come."""
    modified = set(map(plain, files))
    why: dict[str, list[Why]] = {}
    for record in records:
        source = next(iter(texts(record, place, "sourceFile", "source_file", "source", "file")), "")
        if plain(source) in modified:
            for test in texts(record, place, "testFiles", "test_files", "tests"):
                why.setdefault(test, []).append(reason("tests", f"{test} tests {source}"))
    found = Slice()
    for test, reasons in why.items():
        found.add(test, test, reasons)
    return found
