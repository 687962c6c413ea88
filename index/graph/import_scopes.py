"""The names that imports bring into a file: modules as files, packages or classes, and wildcards."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from pathlib import PurePosixPath

import numpy as np

from chunker.languages.import_syntax import PARTS
from chunker.languages.table import BY_EXTENSION, LanguageRules
from chunker.model import INNER
from index.graph.import_files import declared_modules
from index.graph.lookup import MAX_PACKAGE_CHARS, NONE, Lookup
from index.graph.places import with_outer
from index.graph.symbol_table import SymbolTable
from index.segment.columns import Array, distinct
from index.types import FileId

_CLOSURE = 4  # levels of headers that include headers
_MAX_AROUND = 200  # packages of one file that the paths of its imports may be relative to
_MAX_PAIRS = 3_000_000  # a step that would join more pairs ends a closure


def wildcards(table: SymbolTable, module: Array, *, parts: bool = False, shown: bool = False) -> Array:
    """The files that see another file's names through a wildcard import, as ascending `file * files + other`; with
    `parts`, also through a wildcard for a type's parts only; with `shown`, those that also see what it imports."""
    segment = table.segment
    statement_file = table.file_of("import")
    statement = table.statements
    star, part = (segment.names.find(word) for word in PARTS)
    is_wild = segment.array("binding.local") == star
    if not parts:
        is_wild &= segment.array("binding.target") != part
    if shown:  # a wildcard in `mod tests` is mostly for the names of the file itself
        shows = table.files_where(lambda rules: bool(rules.shown_imports or rules.exports))[table.file_of("binding")]
        is_wild &= (segment.array("binding.reach") != INNER) & shows
    wild, bound = np.zeros((2, len(module)), bool)
    wild[statement[is_wild]] = True
    bound[statement] = True
    if not shown:
        wild |= ~bound & table.files_where(lambda rules: rules.includes)[statement_file]
    rows = np.flatnonzero(wild & (module >= 0))
    source, target = statement_file[rows], module[rows]
    # A named module exposes the top-level names of its file; in other languages, a class exposes only its members.
    is_module = table.is_definition(target) & table.is_module_named[source]
    target[is_module] = table.first_file + table.file[target[is_module]]
    is_file = (target >= table.first_file) & (target < table.first_package)
    is_package = target >= table.first_package
    pairs = _closure(source[is_file] * table.files + target[is_file] - table.first_file, table.files)
    # A wildcard for a package exposes every file of it.
    files_of = Lookup((table.packages.of_file, np.arange(table.files)))
    at, inside = files_of.all(target[is_package] - table.first_package)
    return distinct(np.concatenate([pairs, source[is_package][at] * table.files + inside]))


def _closure(step: Array, files: int) -> Array:
    """All pairs (source * files + target) that one or several imports connect."""
    pairs = near = distinct(step)
    imported = Lookup((near // files, near % files))
    for _ in range(_CLOSURE):
        if int(imported.place(pairs % files)[1].sum()) > _MAX_PAIRS:
            break
        at, beyond = imported.all(pairs % files)
        more = distinct(np.concatenate([pairs, pairs[at] // files * files + beyond]))
        if len(more) == len(pairs):
            break
        pairs = more
    return pairs


def modules(table: SymbolTable) -> Array:
    """int64 per import statement: the file, package or class of its module, or NONE."""
    statement_file = table.file_of("import")
    module = table.imports.module.astype(np.int64)
    answers = np.where(module >= 0, module + table.first_file, NONE)
    text = table.segment.array("import.module").astype(np.int64)

    def statements(holds: Callable[[LanguageRules], bool]) -> Array:
        return np.flatnonzero(table.files_where(holds)[statement_file])

    for word in ("crate", "super"):
        beyond = table.modules_of_words[word][statement_file]
        answers = np.where((text == table.names.find(word)) & (beyond >= 0), beyond, answers)
    # Modules inside the file: `mod total {`, `pub use self::total::*`
    inner = np.flatnonzero(table.files_where(lambda rules: rules.module_words)[statement_file] & (answers == NONE))
    paths = [table.names[name].removeprefix("self::").replace("::", ".") for name in text[inner].tolist()]
    names = np.array([*map(table.names.find, paths)], np.int64)
    answers[inner] = table.classes.first(table.key(statement_file[inner], -1, names))
    folders = statements(lambda rules: rules.imports_folders)
    folders = folders[module[folders] >= 0]
    answers[folders] = table.packages.of_file[module[folders]] + table.first_package
    by_name = statements(lambda rules: rules.imports_by_name)
    classes = table.class_at(statement_file[by_name], text[by_name])
    # Where a module has paths, too, one with an extension is a path.
    is_path = table.files_where(lambda rules: rules.imports_paths)[statement_file[by_name]]
    suffixes = (PurePosixPath(table.names[name]).suffix for name in text[by_name].tolist())
    is_path &= np.array([suffix in BY_EXTENSION for suffix in suffixes], bool)
    answers[by_name] = np.where(is_path, answers[by_name], classes)
    named = statements(lambda rules: rules.file_modules and not rules.imports_paths)
    answers[named] = _named_modules(table, statement_file[named], text[named])
    target_of = cache(partial(_package_or_class, table))
    declared = statements(lambda rules: rules.package == "declared")
    # Many files import the same paths: each is looked up once in a language.
    key = table.language[statement_file[declared]] * len(table.names) + text[declared]
    _, first, place = np.unique(key, return_index=True, return_inverse=True)
    rows = declared[first].tolist()
    imports = [(table.rules(FileId(int(statement_file[row]))), table.names[text[row]]) for row in rows]
    targets = [target_of(rules.family, rules.package_separator, path) for rules, path in imports]
    answers[declared] = np.array(targets, np.int64)[place]
    shown: dict[FileId, dict[str, None]] = {}  # per file, the packages that a path may be relative to
    for row in statements(lambda rules: rules.imports_from_enclosing).tolist():
        file, path = FileId(int(statement_file[row])), table.names[int(text[row])]
        around = shown[file] if file in shown else shown.setdefault(file, _packages_of(table, file))
        if answers[row] >= table.first_package:
            around.update({path: None} if len(around) < _MAX_AROUND else {})
        elif answers[row] == NONE:
            rules = table.rules(file)
            inside = (target_of(rules.family, rules.package_separator, f"{package}.{path}") for package in around)
            answers[row] = next((one for one in inside if one != NONE), NONE)
    return answers


def _named_modules(table: SymbolTable, file: Array, text: Array) -> Array:
    """For each statement the module of this name in its file or, by the parts of the name, in another one.

    What that file calls a module may be another module: `module Line = Item`.
    """
    segment, statement_file = table.segment, table.file_of("import")
    is_whole = segment.array("binding.target") == table.names.find("")
    statement = table.statements[is_whole]
    local = segment.array("binding.local")[is_whole].tolist()
    meant = segment.array("import.module")[statement].tolist()
    aliases = dict(zip(zip(statement_file[statement].tolist(), local, strict=True), meant, strict=True))

    def inside(file: int, path: list[str], level: int = 0) -> int:
        inner = int(table.classes.first(table.key(file, -1, np.array([table.names.find(".".join(path))])))[0])
        if inner >= 0 or level == _CLOSURE:
            return inner
        for place, name in enumerate(path):
            if (alias := aliases.get((file, table.names.find(name)))) is not None:
                return meaning(file, [*table.names[alias].split("."), *path[place + 1 :]], level + 1)
        return NONE

    def meaning(file: int, path: list[str], level: int = 0) -> int:
        own = inside(file, path, _CLOSURE)
        if own >= 0:
            return own
        other, count = table.file_modules.find(file, *path[:2])
        if other < 0 or len(path) <= count:
            return other + table.first_file if other >= 0 else NONE
        return inside(other, path[count:], level)

    meaning_of = cache(lambda file, name: meaning(file, table.names[name].split(".")))
    return np.array([*map(meaning_of, file.tolist(), text.tolist())], np.int64)


def _packages_of(table: SymbolTable, file: FileId) -> dict[str, None]:
    """The package of a file and its enclosing packages, innermost first."""
    own = int(table.segment.array("file.package")[file])
    return dict.fromkeys(with_outer(table.names[own][:MAX_PACKAGE_CHARS]) if own >= 0 else ())


def _package_or_class(table: SymbolTable, family: str, separator: str, path: str) -> int:
    """The package of this path, or else the class (`com.shop.Cart.Item` is `Cart.Item` in `com.shop`), or NONE."""
    if (whole := table.packages.numbers.get((family, path))) is not None:
        return whole + table.first_package
    parts = path.split(separator)
    for cut in range(len(parts) - 1 if len(path) <= MAX_PACKAGE_CHARS else 0, 0, -1):
        package = table.packages.numbers.get((family, separator.join(parts[:cut])))
        name = table.names.find(".".join(parts[cut:])) if package is not None else -1
        if package is not None and name >= 0:
            rows = table.classes.all(table.key(table.files + package, -1, np.array([name])))[1]
            if len(rows):  # a class and its companion are in one file and share their members
                return int(rows[0]) if (table.file[rows] == table.file[rows[0]]).all() else NONE
    return NONE


def root_modules(table: SymbolTable) -> Array:
    """By name, the root module of the crate with this name, or NONE: `shop_cart::total()` needs no import."""
    crates, paths = np.full(len(table.names) + 1, NONE, np.int64), table.segment.strings("file.path")
    for root in distinct(table.imports.root[table.imports.root >= 0]).tolist():
        path, manifest = PurePosixPath(table.paths[root]), table.rules(FileId(root)).manifest
        file = paths.find(str(path.parent.parent / manifest[0])) if manifest and path.stem == "lib" else -1
        for _, name, _ in declared_modules(table.segment, FileId(file), table.paths[file]) if file >= 0 else ():
            crates[table.names.find(name)] = root + table.first_file
    crates[-1] = NONE  # of a name that no code uses
    return crates
