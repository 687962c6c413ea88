"""What import statements show: modules as files, packages or classes, wildcards, modules below a package."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from itertools import accumulate

import numpy as np

from index.columns import Array, offsets_of, spread
from index.graph.lookup import NONE, Lookup
from index.graph.world import INCLUDING, MODULE_NAMES, NARROW, World
from index.segment import Segment

_CLOSURE = 4  # headers of headers
_MOST_PAIRS = 3_000_000  # where a closure stops growing


class Wildcards:
    """Which files show the names of which others by wildcard imports."""

    def __init__(self, source: Array, target: Array, files: int, direct: tuple[Array, Array], capped: bool) -> None:
        """`direct`: (file, what the import statement leads to). `capped`: not all of it was followed."""
        self.direct, self.capped = direct, capped
        self._files = files
        self._pairs = np.unique(source * files + target)
        self.any = np.zeros(files, bool)
        self.any[source] = True

    def shows(self, file: Array, other: Array) -> Array:
        if not len(self._pairs):
            return np.zeros(len(file), bool)
        key = file * self._files + other
        at = np.minimum(np.searchsorted(self._pairs, key), len(self._pairs) - 1)
        return self._pairs[at] == key  # type: ignore[no-any-return]

    def shown_by(self, files: Array) -> Array:
        """bool by file: whether one of these shows it."""
        found = np.zeros(self._files, bool)
        asked = np.zeros(self._files, bool)
        asked[files] = True
        found[self._pairs[asked[self._pairs // self._files]] % self._files] = True
        return found


def wildcards(world: World, module: Array, *, parts: bool = False) -> Wildcards:
    """By wildcards; with `parts` also by those that show the parts of a type alone (Haskell's `Shape(..)`)."""
    segment = world.segment
    statement_file = world.file_of("import")
    star = segment.names.find("*")
    statement = segment.absolute("binding", "import", "import").astype(np.int64)
    wild = np.zeros(len(module), bool)
    is_wild = segment.array("binding.local") == star
    if not parts:
        is_wild &= segment.array("binding.target") != segment.names.find("(..)")
    wild[statement[is_wild]] = True
    bound = np.zeros(len(module), bool)
    bound[statement] = True
    wild |= ~bound & world.speaks(INCLUDING)[statement_file]
    rows = np.flatnonzero(wild & (module >= 0))
    source, target = statement_file[rows], module[rows]
    # An Elixir module shows what its file has at its top, a class of other languages only its members.
    is_module = (target < world.definitions) & world.speaks(MODULE_NAMES)[source]
    home = world.first_file + world.file[target[is_module]]
    direct = np.append(source, source[is_module]), np.append(target, home)
    target[is_module] = home
    is_file = (target >= world.first_file) & (target < world.first_package)
    packaged = target >= world.first_package
    goes_on = ~world.speaks(NARROW)[source] | _uses(world, rows)
    *files, capped = _closure(source[is_file], target[is_file] - world.first_file, goes_on[is_file], world.files)
    # A wildcard of a package shows every file of it.
    order = np.argsort(world.package, kind="stable")
    indptr = offsets_of(np.bincount(world.package[world.package >= 0], minlength=world.packages))
    skipped = int((world.package < 0).sum())
    package = target[packaged] - world.first_package
    count = indptr[package + 1] - indptr[package]
    inside = order[skipped + spread(indptr[package], count)]
    return Wildcards(
        np.concatenate([files[0], np.repeat(source[packaged], count)]),
        np.concatenate([files[1], inside]),
        world.files,
        direct,
        capped,
    )


def _uses(world: World, statements: Array) -> Array:
    """Which of these import statements show what the module itself imports: Elixir's `use`."""
    segment = world.segment
    target = segment.array("binding.target") == segment.names.find("__using__")
    return np.isin(statements, segment.absolute("binding", "import", "import")[target])


def _closure(source: Array, target: Array, goes_on: Array, files: int) -> tuple[Array, Array, bool]:
    """What is reached over several imports, each but the last one that goes on; and whether it was too much."""
    step, further = source * files + target, (source * files + target)[goes_on]
    reached, going = np.unique(step), np.unique(further)
    capped = False
    for _ in range(_CLOSURE):
        beyond = _joined(going, step, files)
        if beyond is None:
            return reached // files, reached % files, True
        more = np.union1d(reached, beyond)
        if len(more) == len(reached):
            break
        if goes_on.all():
            going = more
        elif (onwards := _joined(going, further, files)) is not None:
            going = np.union1d(going, onwards)
        else:
            capped = True
        reached = more
    return reached // files, reached % files, capped


def _joined(left: Array, right: Array, files: int) -> Array | None:
    """Pairs of the first and the last where a pair of the one ends in what a pair of the other starts from; nothing
    where there are too many."""
    start, end = right // files, right % files
    near = np.argsort(start, kind="stable")
    indptr = offsets_of(np.bincount(start, minlength=files))
    middle = left % files
    count = indptr[middle + 1] - indptr[middle]
    if int(count.sum()) > _MOST_PAIRS:
        return None
    return np.repeat(left // files, count) * files + end[near][spread(indptr[middle], count)]  # type: ignore[no-any-return]


def modules(world: World) -> Array:
    """What the module of each import statement is: a file, a package, a class, or NONE."""
    segment = world.segment
    statement_file = world.file_of("import")
    module = world.imports.module.astype(np.int64)
    answers = np.where(module >= 0, module + world.first_file, NONE)
    language = world.languages
    is_go = np.array([name == "go" for name in language], bool)[statement_file]
    go = np.flatnonzero(is_go & (module >= 0))
    answers[go] = world.package[module[go]] + world.first_package
    text = segment.array("import.module")
    by_name = np.flatnonzero(world.speaks(MODULE_NAMES)[statement_file])
    found = world.class_at(statement_file[by_name], text[by_name].astype(np.int64))
    answers[by_name] = np.where(found >= 0, found, answers[by_name])
    families = [("java" if name in ("kotlin", "scala") else name) for name in language]
    named = np.array([name in ("java", "csharp", "php") for name in families], bool)
    meant = cache(partial(_package_or_class, world))
    for row in np.flatnonzero(named[statement_file]).tolist():
        answers[row] = meant(families[int(statement_file[row])], segment.names[int(text[row])])
    _resolve_beside(world, answers, statement_file, meant)
    return answers


def _package_or_class(world: World, family: str, path: str) -> int:
    package = world.package_spelled.get((family, path))
    return _class_path(world, family, path) if package is None else package + world.first_package


def _resolve_beside(world: World, answers: Array, statement_file: Array, meant: Callable[[str, str], int]) -> None:
    """What Scala's imports mean that begin in a package around the file, or in one that it imports all names of."""
    segment = world.segment
    paths = segment.array("import.module")
    shown: dict[int, list[str]] = {}
    for row in np.flatnonzero(world.speaks(frozenset({"scala"}))[statement_file]).tolist():
        file, path = int(statement_file[row]), segment.names[int(paths[row])]
        if file not in shown:
            own = int(segment.array("file.package")[file])
            shown[file] = list(accumulate(segment.names[own].split("."), "{}.{}".format))[::-1] if own >= 0 else []
        if answers[row] >= world.first_package:
            shown[file].append(path)
        elif answers[row] == NONE:
            found = (meant("java", f"{package}.{path}") for package in shown[file])
            answers[row] = next((one for one in found if one != NONE), NONE)


def _class_path(world: World, family: str, path: str) -> int:
    """The class that `com.shop.Cart` or `com.shop.Cart.Item` is: its package and the rest of the path."""
    separator = "\\" if family == "php" else "."
    parts = path.split(separator)
    for cut in range(len(parts) - 1, 0, -1):
        package = world.package_spelled.get((family, separator.join(parts[:cut])))
        name = world.segment.names.find(".".join(parts[cut:])) if package is not None else -1
        if package is not None and name >= 0:
            rows = world.classes.values_of(int(world.keys.of(world.files + package, -1, np.array([name]))[0]))
            if len(rows):  # a class and its companion stand in one file and have the same members
                return int(rows[0]) if (world.file[rows] == world.file[rows[0]]).all() else NONE
    return NONE


def class_wildcards(world: World, module: Array) -> tuple[Array, Array]:
    """(files, the classes whose members each shows without their names), by file: `import static com.shop.Cart.*`."""
    segment = world.segment
    star = segment.array("binding.local") == segment.names.find("*")
    statement = segment.absolute("binding", "import", "import").astype(np.int64)[star]
    target = module[statement]
    good = (target >= 0) & (target < world.definitions)
    return world.file_of("import")[statement[good]], target[good]


def main_classes(segment: Segment, is_class: Array, holds: Array) -> Array:
    """For each file the only class that stands in no other, or -1. `holds`: bool by name, those of classes."""
    top = np.flatnonzero(is_class & ~holds[segment.array("definition.container")])
    file = np.searchsorted(segment.rows["definition"], top, side="right") - 1
    single = np.bincount(file, minlength=segment.files)[file] == 1
    found = np.full(segment.files, -1, np.int64)
    found[file[single]] = top[single]
    return found


def children(world: World) -> Lookup:
    """The modules below a package, by the file that stands for the package and the module's name."""
    place = {path: number for number, path in enumerate(world.paths)}
    owners, names, files = [], [], []
    for number, (path, language) in enumerate(zip(world.paths, world.languages, strict=True)):
        if language != "python":
            continue
        folder, _, name = path.removesuffix("/__init__.py").rpartition("/")
        owner = place.get(f"{folder}/__init__.py" if folder else "__init__.py")
        word = world.segment.names.find(name.removesuffix(".py")) if owner is not None else -1
        if owner is not None and word >= 0 and owner != number:
            owners.append(owner)
            names.append(word)
            files.append(number + world.first_file)
    key = world.keys.of(np.array(owners, np.int64), -1, np.array(names, np.int64))
    return Lookup(key, np.array(files, np.int64))
