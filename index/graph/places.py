"""Numbers the places of names: files, packages, families of languages. Looks up the package of a file or of a path."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache, cached_property
from itertools import accumulate

import numpy as np

from chunker.languages.table import LANGUAGES, LanguageRules
from index.graph.lookup import MAX_PACKAGE_CHARS, NONE, is_any
from index.roles import with_role
from index.segment.columns import Array, Segment
from index.types import FileId


def with_outer(package: str) -> list[str]:
    """The name of a package and those of the packages around it, innermost first."""
    return [*accumulate(package.split("."), "{}.{}".format)][::-1] if package else []


class Packages:
    """Packages are numbered from 0; as answers to a name, from `first`.

    `numbers`: by (family, declared name); the name of a package that is a folder begins with a slash. `of_file`: for
    each file its package, or -1; `root_of_file`: the one without a name, if all files of the program see its names.
    `around`: for each package the nearest enclosing one whose names it sees, or -1.
    """

    def __init__(self, segment: Segment, paths: Sequence[str], rules: Sequence[LanguageRules], first: int) -> None:
        self.first = first
        self.numbers: dict[tuple[str, str], int] = {}
        self.of_file, self.root_of_file = np.full((2, len(paths)), -1, np.int64)
        self._vocabulary = segment.names
        self._nested = set[int]()
        self._separated = sorted({own.family for own in rules if own.package_separator == "\\"})
        declared = segment.array("file.package").tolist()
        for file, (path, own) in enumerate(zip(paths, rules, strict=True)):
            if own.package:
                self._place(file, path, own, segment.names[declared[file]] if declared[file] >= 0 else "")
        self._keys = list(self.numbers)
        self.around = self._enclosing()

    def __len__(self) -> int:
        return len(self.numbers)

    def _place(self, file: int, path: str, rules: LanguageRules, declared: str) -> None:
        """Assign a file to its package."""
        name = declared if rules.package == "declared" else ""
        folder = "/" + path.rpartition("/")[0]
        own = name if 0 < len(name) <= MAX_PACKAGE_CHARS else folder
        self.of_file[file] = number = self.numbers.setdefault((rules.family, own), len(self.numbers))
        if rules.nested_packages:
            self._nested.add(number)
        if rules.program_wide and not name:  # `\Cart` is a name of any file without a namespace
            self.root_of_file[file] = self.numbers.setdefault((rules.family, ""), len(self.numbers))

    def _enclosing(self) -> Array:
        outer = np.full(len(self.numbers), -1, np.int64)
        for (family, name), number in self.numbers.items():
            around = with_outer(name)[1:] if number in self._nested and not name.startswith("/") else ()
            outer[number] = next((self.numbers[family, one] for one in around if (family, one) in self.numbers), -1)
        return outer

    @cached_property
    def _words(self) -> Array:
        """The names that are parts of names of packages."""
        words = {word for _, name in self._keys if not name.startswith("/") for word in name.split(".")}
        return np.array([self._vocabulary.find(word) for word in sorted(words)], np.int64)

    @cached_property
    def _namespaces(self) -> Array:
        r"""By name, the package that it means as the start of a path (`\Shop\` of `\Shop\Cart`), or NONE."""
        answers = np.full(len(self._vocabulary) + 1, NONE, np.int64)
        for family in self._separated:
            for text in self._vocabulary.beginning("\\"):
                number = self.numbers.get((family, text.strip("\\")))
                answers[self._vocabulary.find(text)] = NONE if number is None else number + self.first
        return answers

    def named(self, file: Array, steps: Array) -> tuple[Array, Array]:
        """The packages that the first steps of paths name (`com.shop.Cart`), in languages with nested packages also
        from an enclosing one, and the number of these steps."""
        answers, counts = self._namespaces[steps[:, 0]], np.ones(len(file), np.int64)
        package = self.of_file[file]
        at = np.flatnonzero((package >= 0) & is_any(steps[:, 0], self._words))
        seen_from = cache(self._seen_from)
        pairs = [seen_from(*row) for row in np.column_stack([package[at], steps[at]]).tolist()]
        answers[at], counts[at] = np.array(pairs, np.int64).reshape(-1, 2).T
        return answers, counts

    def _seen_from(self, inside: int, *path: int) -> tuple[int, int]:
        """The package that the most of the first parts of a path name as seen from a package, and how many parts."""
        family, around = self._keys[inside]
        parts = [self._vocabulary[part] for part in path if part >= 0]
        scopes = [*(f"{scope}." for scope in with_outer(around) if inside in self._nested), ""]
        for count in range(len(parts), 0, -1):
            for scope in scopes:
                number = self.numbers.get((family, scope + ".".join(parts[:count])))
                if number is not None:
                    return self.first + number, count
        return NONE, 1


class Places:
    """The files of one tree, with their languages and packages.

    As answers to a name, files are numbered from `first_file`, after the definitions, and packages from
    `first_package`. As places for keys, files, packages, families of languages and the tables of files are numbered
    from 0, in this order.
    """

    def __init__(self, segment: Segment) -> None:
        self.segment = segment
        self.definitions = int(segment.rows["definition"][-1])
        self.files = segment.files
        self.paths = segment.strings("file.path").to_list()
        languages = segment.strings("file.language").to_list()
        names = sorted(set(languages))
        self._rules = [LANGUAGES[name] for name in names]
        self.language = np.array([names.index(name) for name in languages], np.int64)
        self.first_file = self.definitions
        self.first_package = self.first_file + self.files
        rules = [self._rules[language] for language in self.language.tolist()]
        self.packages = Packages(segment, self.paths, rules, self.first_package)
        own = [rules.family for rules in self._rules]
        first = self.files + len(self.packages)
        self.families = {name: number for number, name in enumerate(sorted(set(own)), first)}
        self.family = np.array([self.families[name] for name in own], np.int64)[self.language]
        self._first_table = first + len(self.families)
        self.is_split = self.files_where(lambda rules: rules.split_classes)

    def files_where(self, holds: Callable[[LanguageRules], bool]) -> Array:
        """bool per file: whether `holds` is true of the rules of its language."""
        return np.array([holds(rules) for rules in self._rules], bool)[self.language]

    def rules(self, file: FileId) -> LanguageRules:
        return self._rules[int(self.language[file])]

    @cached_property
    def is_test(self) -> Array:
        """bool per file."""
        return with_role(self.segment.array("file.roles"), "test")

    def file_of(self, level: str) -> Array:
        return np.repeat(np.arange(self.files), np.diff(self.segment.rows[level]))

    def files_at(self, level: str, rows: Array) -> Array:
        """The files of these rows of a level."""
        return np.searchsorted(self.segment.rows[level], rows, side="right") - 1

    def package_place(self, file: Array) -> Array:
        """The package of each file as a place; -1 if it has none (such a key finds nothing)."""
        package = self.packages.of_file[file]
        return np.where(package < 0, -1, package + self.files)

    def table_place(self, file: Array) -> Array:
        """The table that each file returns to files that require it, as a place."""
        return file + self._first_table
