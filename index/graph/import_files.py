"""Resolves import statements to files of the same tree.

One rule serves every language: the module name becomes path components, and the import means the file whose path ends
with the longest run of them. Of several, the one nearest to the importing file is meant; of equally near ones, the one
of its language, then the one in the folder of the importing file, and of those that stand for one folder, the
language's usual entry. If that leaves two, none is meant.
Paths that begin with a word for a module (`crate`, `super`) are exact, if they lead to a file.
"""

from __future__ import annotations

import posixpath
import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, partial
from itertools import islice, takewhile
from operator import itemgetter
from pathlib import PurePosixPath

import numpy as np

from chunker.languages.detection import detect_language
from chunker.languages.table import FIRST_TIER, LANGUAGES, LanguageRules
from contracts.frozen import frozen
from index.graph.path_ends import FileModules, Parts, PathEnds, Place, capital, nearest, within
from index.roles import is_test_path
from index.segment.columns import Array, Segment
from index.types import FileId, FilePlace

_SNAKE = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_SPLIT = re.compile(r"::|[./\\]+")
_SUFFIXES = frozenset(extension for rules in FIRST_TIER if not rules.prose for extension in rules.extensions)
# Words of an import path that name no folder.
_HOLLOW = frozenset({"crate", "self", "super", "src", "@", "~", "*", ""})
MAX_FOLDER_FILES = 40  # importing a larger folder says too little about any one file
_SOURCES: tuple[Parts, ...] = ((), ("src",), ("lib",))  # where a package may have its sources: what it exports is built
_MANIFESTS = {
    rules.manifest[0]: (rules, re.compile(rules.manifest[1].encode(), re.M)) for rules in FIRST_TIER if rules.manifest
}
# A family of languages, the name of a module, and the folder whose files use the name.
Declared = tuple[str, str, str]
_MAX_STEPS = 8  # of a module's name, and manifests around a file: with more, no import means a declared module


@frozen
class Imports:
    """The files that import statements refer to.

    `pairs`: int64[n, 2] (importing file, imported file), sorted. `module`: int32 per statement, the file of the module;
    `names`: int32 per bound name, its file if the name is itself a module. `root`, `around`: int32 per file, the root
    module and the enclosing module, in languages with words for them. -1: no file of this tree.
    """

    pairs: Array
    module: Array
    names: Array
    root: Array
    around: Array


def find_imports(segment: Segment) -> Imports:
    """Resolves every import statement of a segment."""
    paths, rules = _paths_and_rules(segment)
    resolver = ModuleResolver(paths, rules, _declared_modules(segment, paths))
    statements = list(_statements(segment))
    destinations = [resolver.locate(file, rules[file], module, names) for file, module, names in statements]
    pairs = {(file, to) for (file, *_), one in zip(statements, destinations, strict=True) for to in one.files}
    with_words = [FileId(file) if one.module_words else None for file, one in enumerate(rules)]
    return Imports(
        np.array(sorted(pairs), np.int64).reshape(-1, 2),
        _numbers([one.module for one in destinations]),
        _numbers([name for one in destinations for name in one.names]),
        _numbers([None if file is None else resolver.root_of(file) for file in with_words]),
        _numbers([None if file is None else resolver.around(file) for file in with_words]),
    )


def importers(segment: Segment, former: Mapping[str, str]) -> list[tuple[str, FilePlace]]:
    """(former path, statement) for each import of a file that was renamed or deleted, by path and line.

    `former` maps each former path to the present one: to itself if the file is about to be deleted, to "" if it already
    is.
    """
    paths, rules = _paths_and_rules(segment)
    numbers, now, earlier = {path: number for number, path in enumerate(paths)}, list(paths), dict[int, str]()
    for was, path in former.items():
        language = LANGUAGES.get(detect_language(was) or "")
        if language is None or (was in numbers and was != path):
            continue
        number = numbers.get(path, len(now))
        now[number : number + 1], earlier[number] = [was], was
        rules[number : number + 1] = [language]
    if not earlier:
        return []
    declared = _declared_modules(segment, paths)
    resolver, present = ModuleResolver(now, rules, declared), ModuleResolver(paths, rules[: len(paths)], declared)
    # A file is imported by its own name or by its folder's.
    words = {part.partition(".")[0].lower() for path in earlier.values() for part in path.split("/")[-2:]}
    lines = [segment.array(f"import.{end}_line") for end in ("start", "end")]
    places = []
    for number, (file, module, names) in enumerate(_statements(segment)):
        if words.isdisjoint(re.findall(r"\w+", f"{module} {' '.join(names)}".lower())):
            continue
        target = resolver.locate(file, rules[file], module, names)
        to = next((one for one in (target.module, *target.names) if one in earlier), None)
        if to is not None and (
            to not in present.locate(file, rules[file], module, names).files or earlier[to] == paths[to]
        ):
            places.append((earlier[to], FilePlace(paths[file], int(lines[0][number]), int(lines[1][number]))))
    return sorted(places, key=lambda one: (one[1].file, one[1].first, one[0]))


def _paths_and_rules(segment: Segment) -> tuple[list[str], list[LanguageRules]]:
    """The paths of all files, and the rules of their languages."""
    languages = segment.strings("file.language").to_list()
    return segment.strings("file.path").to_list(), [LANGUAGES[name] for name in languages]


def _statements(segment: Segment) -> Iterator[tuple[FileId, str, list[str]]]:
    """The file, the module and the names of every import statement."""
    files = map(FileId, np.repeat(np.arange(segment.files), np.diff(segment.rows["import"])).tolist())
    modules, targets = (segment.array(column).tolist() for column in ("import.module", "binding.target"))
    texts = {number: segment.names[number] for number in {*modules, *targets}}
    # The names of one statement are adjacent, in the order of the statements.
    statement = segment.absolute("binding", "import", "import")
    bounds = np.searchsorted(statement, np.arange(len(modules) + 1)).tolist()
    for file, module, first, last in zip(files, modules, bounds[:-1], bounds[1:], strict=True):
        yield file, texts[module], [texts[target] for target in targets[first:last]]


def _numbers(files: list[FileId | None]) -> Array:
    return np.array([-1 if file is None else file for file in files], np.int32)


def declared_modules(segment: Segment, file: FileId, path: str) -> dict[Declared, str]:
    """The modules that a manifest declares, on which other files' imports depend, with their places: its own folder for
    all files, or for the files below it the paths that it gives names (`"@/*": ["./src/*"]`); none for other files."""
    folder, _, name = path.rpartition("/")
    first, _, rest = name.partition(".")  # `tsconfig.app.json`
    manifest = f"{first}.{rest.rpartition('.')[2]}" if rest else name
    if manifest not in _MANIFESTS:
        return {}
    rules, pattern = _MANIFESTS[manifest]
    text, modules = segment.strings("file.text").raw(file), dict[Declared, str]()
    if pattern.groups == 1:
        match = pattern.search(text) if name == manifest else None
        module = match[1].decode("utf-8", "replace") if match else ""
        module = module.replace("-", "_") if rules.module_words else module  # a crate as code names it
        return {(rules.family, module, ""): folder} if match else {}
    for match in pattern.finditer(text):
        module, target = (match[group].decode("utf-8", "replace") for group in (1, pattern.groups))
        modules.setdefault((rules.family, module, folder), posixpath.normpath(posixpath.join(folder, target)))
    return modules


def _declared_modules(segment: Segment, paths: Sequence[str]) -> dict[Declared, str]:
    """The modules that a tree declares, and the folder of each. Those of tests may have the names of real ones."""
    folders: dict[Declared, str] = {}
    declared = [(path, declared_modules(segment, FileId(number), path)) for number, path in enumerate(paths)]
    for _, modules in sorted(filter(itemgetter(1), declared), key=lambda pair: is_test_path(pair[0])):
        for module, folder in modules.items():
            folders.setdefault(module, folder)
    return folders


def file_modules(segment: Segment) -> FileModules:
    """The files of a tree that are modules."""
    paths, rules = _paths_and_rules(segment)
    return _file_modules(paths, rules, _declared_modules(segment, paths))


def _file_modules(
    paths: Sequence[str], rules: Sequence[LanguageRules], declared: Mapping[Declared, str]
) -> FileModules:
    families = {one.family for one in FIRST_TIER if one.file_modules}
    own = {name: folder for (family, name, _), folder in declared.items() if family in families}
    return FileModules(paths, rules, {capital(name): PurePosixPath(folder).parts for name, folder in own.items()})


@frozen
class ImportTarget:
    """The files of an import: that of its module (for a folder, its first file), that of each name if it is a module,
    and all files that the import reaches. None: no file of this tree."""

    module: FileId | None
    names: list[FileId | None]
    files: tuple[FileId, ...]


class ModuleResolver:
    """Finds the files that a module name means, for one tree of paths."""

    def __init__(self, paths: Sequence[str], rules: Sequence[LanguageRules], declared: Mapping[Declared, str]) -> None:
        """`rules`: one record per file. `declared`: the folder of each module that the tree itself declares."""
        self._packages = {module: PurePosixPath(folder).parts for module, folder in declared.items()}
        self._scopes = {folder for _, _, folder in declared}
        self._enclosing = cache(self._find_enclosing)
        # The names that an import may use: `a/b/__init__.py` is also (`a`, `b`). They are compared in lower case.
        self._names: list[tuple[FileId, Parts]] = []
        self._names_of: list[range] = []  # by file, the places of its names
        self._files_in: dict[Parts, list[FileId]] = {}
        self._folders: list[Parts] = []
        self._modules: list[Parts] = []
        self._roots: dict[Parts, FileId] = {}
        self._rules = rules
        self._file_modules = cache(partial(_file_modules, paths, rules, declared))  # few languages have any
        for number, (path, language) in enumerate(zip(paths, rules, strict=True)):
            file = FileId(number)
            *names, name = path.split("/")
            folder, stem = tuple(names), _without_suffix(name)
            self._folders.append(folder)
            self._modules.append(folder if stem in language.entry_stems else (*folder, stem))
            if language.module_words and stem in ("lib", "main"):
                self._roots.setdefault(folder, file)
            stems = dict.fromkeys([stem, name] if language.imports_paths else [stem])
            own = [*((*folder, one) for one in stems), *([folder] if folder and stem in language.entry_stems else [])]
            self._names_of.append(range(len(self._names), len(self._names) + len(own)))
            self._names += ((file, parts) for parts in own)
            if stem != name:
                self._files_in.setdefault(folder, []).append(file)
        self._deepest = max((len(parts) for _, parts in self._names), default=0) + 1
        self._source_folders = [*filter(None, self._files_in)]
        self._folder_ends = PathEnds((_lower(folder), ()) for folder in self._source_folders)
        self._lower_folders = list(map(_lower, self._folders))
        pairs = [(_lower(parts), self._lower_folders[file]) for file, parts in self._names]
        self._ends, self._last = PathEnds(pairs), {parts[-1] for parts, _ in pairs}
        self._whole = {parts for parts, _ in pairs}
        self._fitting = cache(self._find_fitting)

    def locate(self, file: FileId, rules: LanguageRules, module: str, names: Sequence[str]) -> ImportTarget:
        """The files of a module, of the names imported from it, and all files that the import reaches."""
        is_relative, parts = _components(self._folders[file], module, rules)
        if rules.file_modules and not (rules.imports_paths and "." in module):
            hit = self._file_modules().find(file, *module.split(".")[:2])[0]
            module_file = FileId(hit) if hit >= 0 else None
            return ImportTarget(module_file, [None] * len(names), (FileId(hit),) if hit not in (-1, file) else ())
        if rules.imports_folders:
            files = self._in_folder(parts)
            reached = tuple(one for one in files if one != file) if len(files) <= MAX_FOLDER_FILES else ()
            places = self._in_manifests(file, module.rstrip("/").split("/"))
            package = next((self._files_in.get((*place, *rest), []) for place, rest in places), []) or files
            return ImportTarget(next(iter(package), None), [None] * len(names), reached)
        if rules.module_words and (exact := self._exact(file, module)):
            target = self._target(file, exact, names, is_relative=True)
            if target.module is not None:
                return target
        if rules.imports_packages and (own := self._in_package(file, module, names)):
            return own
        return self._target(file, parts, names, is_relative=is_relative)

    def _in_package(self, file: FileId, module: str, names: Sequence[str]) -> ImportTarget | None:
        """The files of `@shop/cart/total` in the place that a manifest names `@shop/cart`: by the longest such name, in
        the nearest manifest that has it for this file; None for others."""
        places = self._in_manifests(file, _without_suffix(module).split("/"))
        paths = ((*place, *source, *rest) for place, rest in places for source in _SOURCES)
        targets = (self._target(file, path, names, is_relative=True) for path in paths)
        return next((one for one in targets if one.module is not None), None)

    def _in_manifests(self, file: FileId, words: Sequence[str]) -> Iterator[tuple[Parts, Sequence[str]]]:
        """(place, the words behind it) of each beginning of a module's name that a manifest names for this file: the
        longest first, and of one name the nearest manifest."""
        scopes = self._enclosing(self._folders[file])
        for count in range(min(len(words), _MAX_STEPS), 0, -1):
            names = ((self._rules[file].family, "/".join(words[:count]), scope) for scope in scopes)
            yield from ((self._packages[name], words[count:]) for name in names if name in self._packages)

    def _find_enclosing(self, folder: Parts) -> list[str]:
        """The folders around a file whose manifests give names to paths, nearest first."""
        enclosing = ("/".join(folder[:depth]) for depth in range(len(folder), -1, -1))
        return list(islice(filter(self._scopes.__contains__, enclosing), _MAX_STEPS))

    def _exact(self, file: FileId, module: str) -> Parts | None:
        """The path of `crate::a::b`, of `super::super::a` or of a module in a crate of the tree; None for others."""
        first, *words = module.removeprefix("::").split("::")
        if (crate := self._packages.get((self._rules[file].family, first, ""))) is not None:
            return (*crate, "src", *words)
        if first == "crate":
            root = self.root_of(file)
            return None if root is None else (*self._folders[root], *words)
        if first not in ("self", "super"):
            return None
        words = [first, *words]
        up = list(takewhile(("self", "super").__contains__, words))
        base = self._modules[file]
        return (*base[: max(len(base) - up.count("super"), 0)], *words[len(up) :])

    def _target(self, file: FileId, parts: Parts, names: Sequence[str], *, is_relative: bool) -> ImportTarget:
        parts = parts[-self._deepest :]  # with more, it fits no path as a whole
        # `from package import module` names a file by the imported name.
        named = [self._best(file, (*parts, *_bare_parts(name)), len(parts) + 1, is_relative) for name in names]
        module_file = self._best(file, parts, min(2, len(parts)), is_relative)
        if module_file is None and not is_relative and len(parts) > 1:  # `use a::b::Type`: the type lives in a/b
            module_file = self._best(file, parts[:-1], min(2, len(parts) - 1), is_relative)
        reached = sorted(one for one in {module_file, *named} if one not in (file, None))
        return ImportTarget(module_file, named, tuple(reached))

    def around(self, file: FileId) -> FileId | None:
        """The enclosing module of a file."""
        return self._best(file, self._modules[file][:-1], 1, True)

    def root_of(self, file: FileId) -> FileId | None:
        """The root module of the crate of a file."""
        folder = self._folders[file]
        while folder and folder not in self._roots:
            folder = folder[:-1]
        return self._roots.get(folder)

    def _find_fitting(self, end: Parts, family: str, is_whole: bool) -> list[Place]:
        """The names that end with these parts, or are these parts, in a family of languages or, if it is empty, in any,
        in the order of their folders."""
        names = ((place, *self._names[place[1]]) for place in self._ends.fitting(end))
        own = ((place, file) for place, file, parts in names if not is_whole or len(parts) == len(end))
        return [place for place, file in own if not family or family == self._rules[file].family]

    def _best(self, file: FileId, parts: Parts, least: int, is_relative: bool) -> FileId | None:
        """The file whose path shares the most trailing parts, at least `least`; None if none does or two tie."""
        if not parts or parts[-1].lower() not in self._last:
            return None
        own, folder, lower = self._names_of[file], self._lower_folders[file], _lower(parts)
        count = len(parts) * (lower in self._whole) if is_relative else self._ends.longest(lower, own)
        if not count or count < min(least, len(parts)):
            return None
        fitting, same = (
            _without(self._fitting(lower[-count:], family, is_relative), folder, own)
            for family in ("", self._rules[file].family)
        )
        around = folder[: nearest(fitting, folder)]
        places = within(same, around) or within(fitting, around)
        return self._usual(file, dict(self._names[number] for _, number in places))

    def _usual(self, file: FileId, tied: Mapping[FileId, Parts]) -> FileId | None:
        """Of files whose paths fit an import equally well, the one that it usually means; None if there are two.

        `tied`: the path by which each fits, which is that of its folder for an entry such as `__init__.py`.
        """
        own = [other for other in tied if self._folders[other] == self._folders[file]] or list(tied)
        if len({tied[other] for other in own}) != 1:
            return None
        places = [self._entry_place(other, tied[other]) for other in own]
        return own[places.index(min(places))] if places.count(min(places)) == 1 else None

    def _entry_place(self, file: FileId, path: Parts) -> int:
        """How usual a file is as the entry of the folder `path`; 0 if this is its own path."""
        own = self._names[self._names_of[file].start][1]
        return 0 if len(own) == len(path) else 1 + self._rules[file].entry_stems.index(own[-1])

    def _in_folder(self, parts: Parts) -> list[FileId]:
        """The files of the folder whose path shares the most trailing parts; none if two folders tie."""
        lower = _lower(parts)
        count = self._folder_ends.longest(lower)
        ends = self._folder_ends.fitting(lower[-count:]) if count else ()
        return self._files_in[self._source_folders[ends[0][1]]] if len(ends) == 1 else []


def _without(places: Sequence[Place], folder: Parts, numbers: range) -> Sequence[Place]:
    """The places without those in a folder that have one of these numbers."""
    start, stop = (bisect_left(places, (folder, number)) for number in (numbers.start, numbers.stop))
    return places if start == stop else [*places[:start], *places[stop:]]


def _lower(parts: Parts) -> Parts:
    return tuple(map(str.lower, parts))


def _components(folder: Parts, module: str, rules: LanguageRules) -> tuple[bool, Parts]:
    """(whether it is relative to the importing file, path components) of a module name."""
    module = module.replace("-", "_") if "-" in rules.name_chars else module
    if module.startswith(".") and rules.dotted_folders:
        name = module.lstrip(".")
        base = folder[: len(folder) + 1 - (len(module) - len(name))]
        return True, (*base, *filter(None, name.split(".")))
    name = module if rules.imports_paths else _without_suffix(module)  # `cart.h` is beside `cart.c`
    if module.startswith("."):
        path = posixpath.normpath("/".join(("", *folder, name)))
        return True, tuple(filter(None, path.split("/")))
    if "/" in module:  # the names in a path may have dots: `src/cart.service`
        parts = tuple(part for part in name.split("/") if part not in _HOLLOW)
    else:
        parts = (name,) if name != _without_suffix(name) else _bare_parts(module)
    return False, tuple(_SNAKE.sub("_", part).lower() for part in parts) if rules.snake_stems else parts


def _without_suffix(text: str) -> str:
    bare, dot, end = text.rpartition(".")
    return bare if dot + end in _SUFFIXES else text


def _bare_parts(name: str) -> Parts:
    return tuple(part for part in _SPLIT.split(name) if part not in _HOLLOW)
