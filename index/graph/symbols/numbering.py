"""A tree's definitions, files and packages in numbers: what every table of names is made from."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from chunker.languages.table import LANGUAGES, LanguageRules
from index.graph.symbols.lookup import Keys, kinds
from index.segment.columns import Array
from index.segment.segment import Segment
from index.types import FileId

CLASS_KINDS = ("class", "struct", "enum", "interface", "trait", "impl", "type", "module")


class Numbering:
    """Definitions count from 0, files from `first_file`, packages from `first_package`, typed members come after.

    Places for `keys` are files, packages, families of languages and the tables of files in this order.
    """

    def __init__(self, segment: Segment) -> None:
        self.segment = segment
        self.names = segment.names
        self.keys = Keys(len(segment.names))
        self.definitions = int(segment.rows["definition"][-1])
        self.files = segment.files
        self.paths = segment.strings("file.path").to_list()
        self.name = segment.array("definition.name").astype(np.int64)
        self.qualified = segment.array("definition.qualified").astype(np.int64)
        self.container = segment.array("definition.container").astype(np.int64)
        self.kind = segment.array("definition.kind")
        self.file = self.file_of("definition")
        self._place_files()
        self.first_file = self.definitions
        self.first_package = self.first_file + self.files
        self.first_typed = self.first_package + len(self.packages)
        self.is_class = self._classes_and_tables()

    def files_where(self, holds: Callable[[LanguageRules], bool]) -> Array:
        """bool by file: for which languages this is so."""
        return np.array([holds(rules) for rules in self._rules], bool)[self._language]

    def rules(self, file: FileId) -> LanguageRules:
        return self._rules[int(self._language[file])]

    def file_of(self, level: str) -> Array:
        return np.repeat(np.arange(self.files), np.diff(self.segment.rows[level]))

    def files_at(self, level: str, rows: Array) -> Array:
        """The files of these rows of a level."""
        return np.searchsorted(self.segment.rows[level], rows, side="right") - 1

    def pointed(self, level: str, column: str, target: str, rows: Array) -> Array:
        """Where these rows point to among all rows of `target`; what is negative stays so."""
        value = self.segment.array(f"{level}.{column}")[rows].astype(np.int64)
        first = self.segment.rows[target][self.files_at(level, rows)]
        return np.where(value < 0, value, value + first)

    def scope_of(self, symbols: Array) -> Array:
        """The qualified names of these definitions, -1 for none."""
        return np.append(self.qualified, -1)[symbols]

    def is_definition(self, answers: Array) -> Array:
        return (answers >= 0) & (answers < self.definitions)

    def _place_files(self) -> None:
        """Number the packages and families, and tell for each file in which it is."""
        languages = self.segment.strings("file.language").to_list()
        spoken = sorted(set(languages))
        self._rules = [LANGUAGES[name] for name in spoken]
        self._language = np.array([spoken.index(name) for name in languages], np.int64)
        own = [rules.family or rules.name for rules in self._rules]
        families = sorted(set(own))
        # By (family, the name that is declared); a package that is a folder has a slash before its name.
        self.packages: dict[tuple[str, str], int] = {}
        package = np.full(self.files, -1, np.int64)
        declared = self.segment.array("file.package").tolist()
        for number, language in enumerate(self._language.tolist()):
            rules = self._rules[language]
            if rules.package:
                folder = "/" + self.paths[number].rpartition("/")[0]
                is_declared = rules.package == "declared" and declared[number] >= 0
                key = own[language], self.names[declared[number]] if is_declared else folder
                package[number] = self.packages.setdefault(key, len(self.packages))
        self.package = package
        self.around = self._packages_around()
        first = self.files + len(self.packages)
        self.family = first + np.array([families.index(name) for name in own], np.int64)[self._language]
        self._first_table = first + len(families)
        self.is_split = self.files_where(lambda rules: rules.split_classes)

    def _packages_around(self) -> Array:
        """For each package the nearest one around it whose names it sees, or -1."""
        outer = np.full(len(self.packages), -1, np.int64)
        nested = set(self.package[self.files_where(lambda rules: rules.nested_packages)].tolist())
        for (family, name), number in self.packages.items():
            path = "" if number not in nested or name.startswith("/") else name
            while outer[number] < 0 and "." in path:
                path = path.rpartition(".")[0]
                outer[number] = self.packages.get((family, path), -1)
        return outer

    def package_place(self, file: Array) -> Array:
        """The package of each file as a place; -1 where it has none (such a key finds nothing)."""
        package = self.package[file]
        return np.where(package < 0, -1, package + self.files)

    def table_place(self, file: Array) -> Array:
        """The table that each file returns to files that require it, as a place."""
        return file + self._first_table

    def _classes_and_tables(self) -> Array:
        """bool by definition: classes, and tables with members in languages whose modules are tables."""
        is_class: Array = kinds(*CLASS_KINDS)[self.kind]
        rows = np.flatnonzero(self.files_where(lambda rules: rules.module_tables)[self.file])
        held = self.keys.of(self.file[rows], -1, self.container[rows])[self.container[rows] >= 0]
        is_held = np.isin(self.keys.of(self.file[rows], -1, self.qualified[rows]), held)
        is_class[rows] |= is_held & kinds("variable", "const")[self.kind[rows]]
        return is_class
