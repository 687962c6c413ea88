"""What names can mean in one tree: definitions, files, packages and typed members, each with a number of its own."""

from __future__ import annotations

import numpy as np

from chunker.kinds import KINDS
from index.columns import Array
from index.graph.files import Imports
from index.graph.lookup import MAX_CANDIDATES, NONE, Keys, Lookup
from index.graph.parts import (
    core_classes,
    extensions,
    named_parts,
    packages_around,
    type_classes,
    uncalled_tests,
    whole_classes,
)
from index.segment import Segment

FAMILIES = {
    "cpp": "c", "typescript": "javascript", "tsx": "javascript", "kotlin": "java", "scala": "java",
}  # fmt: skip
# A package is a folder, or what the file says it is, and its files see each other's names.
FOLDER_PACKAGES = frozenset("go c cpp swift ruby elixir bash".split())
NAMED_PACKAGES = frozenset("java kotlin scala csharp php".split())
# The whole program sees a name without an import.
OPEN = frozenset("swift c cpp ruby php elixir bash csharp".split())
# The parts of one class may stand in several files.
SPLIT_CLASSES = frozenset("rust swift c cpp ruby csharp kotlin elixir".split())
# A method sees the members of its class without a receiver.
IMPLICIT_SELF = frozenset("java kotlin scala csharp swift cpp ruby elixir zig".split())
# A file is a type itself: `@This()` at its top.
FILE_TYPES = frozenset({"zig"})
# The last definition of a name in a scope is the one that holds.
REDEFINING = frozenset("python javascript typescript tsx lua bash ruby php".split())
# A function is written as clauses; where they are many, the first stands for all of them.
CLAUSED = frozenset({"elixir", "haskell"})
# An import shows every name of the file.
INCLUDING = frozenset("c cpp ruby php bash haskell".split())
# An import names a module by its whole name, wherever its file is; its functions are those of the module.
MODULE_NAMES = frozenset({"elixir"})
# An import shows nothing of what the module itself imports.
NARROW = frozenset({"elixir"})
TABLE_MODULES = frozenset({"lua"})
CLASS_KINDS = ("class", "struct", "enum", "interface", "trait", "impl", "type", "module")
# Where one name has several, the one that says what it is comes first.
_RANK = {kind: rank for rank, kind in enumerate(CLASS_KINDS)}


def kinds(*names: str) -> Array:
    """bool by kind number."""
    return np.array([kind in names for kind in KINDS], bool)


class World:
    """The numbers: definitions from 0, files from `first_file`, packages from `first_package`, typed members after.

    Look-ups give such numbers. Places for `Keys` are files, packages, families and the tables of files in this order.
    """

    def __init__(self, segment: Segment, imports: Imports) -> None:
        self.segment = segment
        self.imports = imports
        self.keys = Keys(len(segment.names))
        self.definitions = int(segment.rows["definition"][-1])
        self.files = segment.files
        self.languages = segment.strings("file.language").to_list()
        self.paths = segment.strings("file.path").to_list()
        self.name = segment.array("definition.name").astype(np.int64)
        self.qualified = segment.array("definition.qualified").astype(np.int64)
        self.container = segment.array("definition.container").astype(np.int64)
        self.kind = segment.array("definition.kind")
        self.file = self.file_of("definition")
        self._place()
        self.first_file = self.definitions
        self.first_package = self.first_file + self.files
        self.first_typed = self.first_package + self.packages
        self.is_class = is_class_of(segment)
        self.outer, self.holds = scopes_of(segment, self.is_class)
        self.whole = whole_classes(self)
        self.extends = extensions(self)
        self.of_type_class, self.of_instance = type_classes(self)
        self.is_top = (self.container < 0) | self.of_type_class | self.is_module_named[self.file]
        named = np.unique(self.qualified[self.is_class & self.is_module_named[self.file]]).tolist()
        self.modules_by_name = {segment.names[number]: number for number in named}
        self.parts = named_parts(self)
        self.members = self._members()
        self.classes = self._classes()
        self.typed = self._typed()

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

    def speaks(self, languages: frozenset[str]) -> Array:
        """bool by file."""
        return np.array([language in languages for language in self.languages], bool)

    def _place(self) -> None:
        """Number the packages and families, and tell for each file in which it is."""
        names = self.segment.names
        self.package_names, package_of = packages_of(self.segment)
        self.package_spelled = {
            (family, names[name]): number
            for (family, name), number in self.package_names.items()
            if not isinstance(name, str)
        }
        families: dict[str, int] = {}
        family_of = [
            families.setdefault(FAMILIES.get(language, language), len(families)) for language in self.languages
        ]
        self.families = len(families)
        self.packages = len(self.package_names)
        self.package = np.array(package_of, np.int64)
        self.around = packages_around(self)
        self.family = self.files + self.packages + np.array(family_of, np.int64)
        self.is_open = self.speaks(OPEN)
        self.is_split = self.speaks(SPLIT_CLASSES)
        self.is_implicit = self.speaks(IMPLICIT_SELF)
        self.is_module_named = self.speaks(MODULE_NAMES)
        self.is_type_file = self.speaks(FILE_TYPES)

    def package_place(self, file: Array) -> Array:
        """The package of each file as a place; -1 where it has none (such a key finds nothing)."""
        package = self.package[file]
        return np.where(package < 0, -1, package + self.files)

    def table_place(self, file: Array) -> Array:
        """What each file gives to those who require it, as a place."""
        return file + self.files + self.packages + self.families

    def _members(self) -> Lookup:
        """What each file, package and (where the language lets it) family has under a container and a name."""
        row = np.arange(self.definitions)
        # An `impl Foo` is found as the class Foo.
        unnamed = (
            kinds("section", "block", "impl")[self.kind] | uncalled_tests(self) | self.of_instance | core_classes(self)
        )
        package = self.package_place(self.file)
        wide = (self.is_open | self.is_split)[self.file]
        own = self.keys.of(self.file, np.where(self.of_type_class, -1, self.container), self.name)
        held = ~unnamed & self._holding(own)
        # Of the parts of a class one stands for it outside of its file; a function is a member of what it extends.
        main = held & (self.whole == row)
        rows, extended = (column[self.extends[1] != self.container[self.extends[0]]] for column in self.extends)
        # A Lua module is a table: what others call `cart.total` is `M.total` in its own file.
        table = held & self.speaks(TABLE_MODULES)[self.file] & self.holds[self.container]
        parts = [
            (own[held], row[held]),
            (self.keys.of(self.table_place(self.file[table]), -1, self.name[table]), row[table]),
            *(
                (self.keys.of(place[mask], self.container[mask], self.name[mask]), row[mask])
                for place, mask in ((package, main & (package >= 0)), (self.family[self.file], main & wide))
            ),
            (self.keys.of(self.family[self.file[rows]], extended, self.name[rows]), rows),
            (self.keys.of(self.file[self.parts[0]], -1, self.parts[1]), self.parts[0]),
        ]
        return Lookup(np.concatenate([part[0] for part in parts]), np.concatenate([part[1] for part in parts]))

    def _holding(self, own: Array) -> Array:
        """Which definitions stand for their name: neither replaced by a later one of the same scope nor one of many
        clauses.

        A type and a value may share a name.
        """
        redefined, claused = (self.speaks(group)[self.file] for group in (REDEFINING, CLAUSED))
        is_type = kinds("interface", "type")[self.kind]
        order = np.lexsort((np.arange(len(own)), is_type, own))
        apart = (own[order][1:] != own[order][:-1]) | (is_type[order][1:] != is_type[order][:-1])
        first, last = np.ones(len(own), bool), np.ones(len(own), bool)
        last[order[:-1]] = first[order[1:]] = apart
        number = np.cumsum(first[order]) - 1
        few = np.zeros(len(own), bool)
        few[order] = np.bincount(number)[number] <= MAX_CANDIDATES if len(own) else False
        return np.where(redefined, last, ~claused | few | first)

    def _classes(self) -> Lookup:
        """The definition that a class name means in a file, package or family, the one with its body before others."""
        rank = np.array([_RANK.get(kind, 99) for kind in KINDS])[self.kind]
        row = np.flatnonzero(self.is_class)
        file, qualified = self.file[row], self.qualified[row]
        package = self.package_place(file)
        main = self.whole[row] == row
        parts = [
            (self.keys.of(place, -1, qualified)[mask], row[mask], rank[row][mask])
            for place, mask in (
                (file, np.ones(len(row), bool)),
                (package, main & (package >= 0)),
                (self.family[file], main),
            )
        ]
        keys, rows, ranks = (np.concatenate([part[column] for part in parts]) for column in range(3))
        order = np.lexsort((rows, ranks, keys))
        keys, rows, ranks = keys[order], rows[order], ranks[order]
        # Of one key only the best rank is kept: `impl Foo` does not compete with `struct Foo`.
        best = np.ones(len(keys), bool)
        best[1:] = (keys[1:] != keys[:-1]) | (ranks[1:] == _run_first(keys, ranks)[1:])
        return Lookup(keys[best], rows[best])

    def _typed(self) -> Lookup:
        segment = self.segment
        file = self.file_of("typed")
        container, name = (segment.array(f"typed.{part}").astype(np.int64) for part in ("container", "name"))
        row = self.first_typed + np.arange(len(file))
        own = self.keys.of(file, container, name)
        order = np.argsort(own, kind="stable")
        first = np.ones(len(own), bool)
        first[order[1:]] = own[order][1:] != own[order][:-1]  # the first that says it is the declaration
        package = self.package_place(file)
        wide = (package >= 0) & first & (container >= 0)
        split = self.is_split[file] & first & (container >= 0)
        return Lookup(
            np.concatenate([
                own[first],
                self.keys.of(package, container, name)[wide],
                self.keys.of(self.family[file], container, name)[split],
            ]),
            np.concatenate([row[first], row[wide], row[split]]),
        )  # fmt: skip

    def class_at(self, file: Array, qualified: Array) -> Array:
        """The definition of a class as seen from a file: its own, its package's, the only one of the language."""
        if not len(file):
            return np.zeros(0, np.int64)
        if not len(self.classes.values):  # a tree without a class
            return np.full(len(file), NONE)
        found = self.classes.find(self.keys.of(file, -1, qualified))
        found = np.where(
            found < NONE, self.classes.values[self.classes.place(self.keys.of(file, -1, qualified))[0]], found
        )
        for place in (self.package_place(file), self.family[file]):
            open_ = (found == NONE) & (place >= 0) & (qualified >= 0)
            found[open_] = self.classes.find(self.keys.of(place[open_], -1, qualified[open_]))
        return np.where(found < 0, NONE, self.whole[np.maximum(found, 0)])


def is_class_of(segment: Segment) -> Array:
    """bool by definition: classes, and Lua's tables with members."""
    kind = segment.array("definition.kind")
    found: Array = kinds(*CLASS_KINDS)[kind]
    counts = np.diff(segment.rows["definition"])
    tabled = np.array([language in TABLE_MODULES for language in segment.strings("file.language").to_list()], bool)
    rows = np.flatnonzero(np.repeat(tabled, counts))
    file = np.repeat(np.arange(segment.files), counts)[rows] * (len(segment.names) + 1)
    qualified, container = (segment.array(f"definition.{part}")[rows] for part in ("qualified", "container"))
    found[rows] |= (
        np.isin(file + qualified, (file + container)[container >= 0]) & kinds("variable", "const")[kind[rows]]
    )
    return found


def scopes_of(segment: Segment, is_class: Array) -> tuple[Array, Array]:
    """By qualified name (the last place is -1's): the name around it, or -1, and whether it is that of a class."""
    qualified = segment.array("definition.qualified")
    outer = np.full(len(segment.names) + 1, -1, np.int64)
    container = segment.array("definition.container")
    # What a Kotlin extension in a class stands in (`Tests.Cart` of `fun Cart.fill()`) nobody defines.
    for name in np.setdiff1d(container, np.append(qualified, -1)).tolist():
        outer[name] = segment.names.find(segment.names[name].rpartition(".")[0])
    outer[qualified] = container
    holds = np.zeros(len(segment.names) + 1, bool)
    holds[qualified[is_class]] = True
    return outer, holds


def packages_of(segment: Segment) -> tuple[dict[tuple[str, int | str], int], list[int]]:
    """Numbers of packages by (family, folder or name), and by file the number of its package or -1."""
    declared = segment.array("file.package").tolist()
    paths, languages = segment.strings("file.path").to_list(), segment.strings("file.language").to_list()
    packages: dict[tuple[str, int | str], int] = {}
    package_of = []
    for path, language, name in zip(paths, languages, declared, strict=True):
        family = FAMILIES.get(language, language)
        if language in FOLDER_PACKAGES or (language in NAMED_PACKAGES and name < 0):
            package_of.append(packages.setdefault((family, path.rpartition("/")[0]), len(packages)))
        elif language in NAMED_PACKAGES:
            package_of.append(packages.setdefault((family, name), len(packages)))
        else:
            package_of.append(-1)
    return packages, package_of


def _run_first(keys: Array, values: Array) -> Array:
    """For each position the first value of its run of equal keys."""
    first = np.ones(len(keys), bool)
    first[1:] = keys[1:] != keys[:-1]
    return values[np.flatnonzero(first)[np.cumsum(first) - 1]] if len(keys) else values
