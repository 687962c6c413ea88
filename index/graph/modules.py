"""Import statements to files of the same tree.

One rule serves every language: a module as written becomes path components; the file whose path ends with the longest
run of them is meant, the one nearest to the importing file where several do, and none where that leaves two.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

_SPLIT = re.compile(r"::|[./\\]+")
_EXTENSION = re.compile(
    r"\.(py|pyi|jsx?|mjs|cjs|tsx?|mts|cts|go|rs|java|[ch](pp|xx|c|h)?|hh|cs|kts?|scala|swift|rb|php|exs?|hs|lua|zig"
    r"|sh|bash|bats)$"
)
# What stands for "the folder itself" in a package: importing the folder means this file.
_ENTRY = frozenset({"__init__", "index", "mod", "lib", "init", "main"})
# Words of an import path that name no folder.
_HOLLOW = frozenset({"crate", "self", "super", "src", "@", "~", ""})
# A package is a folder: an import of it reaches every file in it.
_FOLDER_PACKAGES = frozenset({"go"})
# Where a language looks for its modules: what stands right below such a folder comes before what stands elsewhere.
_ROOTS: dict[str, frozenset[tuple[str, ...]]] = {"lua": frozenset({(), ("lua",), ("src",), ("lib",)})}
_SNAKE = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
MAX_FOLDER_FILES = 40  # a folder with more files says too little about any one of them


@dataclass(frozen=True, slots=True)
class _Place:
    """A file under the name that an import would use for it: `a/b/__init__.py` is (`a`, `b`)."""

    file: int
    parts: tuple[str, ...]
    folder: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Located:
    """Where an import leads: the file of its module (of a folder's package, the first), for each name the file that it
    is, and every file that the import reaches. -1: none of this tree."""

    module: int
    names: list[int]
    files: tuple[int, ...]


class ModuleResolver:
    """Finds the files that a module name means, for one tree of paths."""

    def __init__(self, paths: Sequence[str], go_modules: Mapping[str, str] | None = None) -> None:
        """`go_modules`: the folders of the modules that the tree declares itself."""
        self._go_modules = dict(sorted((go_modules or {}).items(), key=lambda pair: (-len(pair[0]), pair[0])))
        self._by_last: dict[str, list[_Place]] = {}
        self._folders: dict[tuple[str, ...], list[int]] = {}
        self._ends: dict[str, list[tuple[str, ...]]] = {}
        self._paths: list[tuple[str, ...]] = []
        for number, path in enumerate(paths):
            *folder, name = path.split("/")
            stem = _EXTENSION.sub("", name)
            parts = (*folder, stem)
            self._paths.append(tuple(folder))
            self._place(number, parts)
            if stem in _ENTRY and folder and (stem == "init" or not name.endswith(".lua")):
                self._place(number, tuple(folder))
            if stem != name:
                self._folders.setdefault(tuple(folder), []).append(number)
        for found in self._folders:
            if found:
                self._ends.setdefault(found[-1], []).append(found)

    def _place(self, file: int, parts: tuple[str, ...]) -> None:
        self._by_last.setdefault(parts[-1].lower(), []).append(_Place(file, parts, self._paths[file]))

    def resolve(self, file: int, language: str, module: str, names: Iterable[str]) -> list[int]:
        """The files that an import in `file` reaches; none when the module lies outside the tree or is ambiguous."""
        return list(self.locate(file, language, module, list(names)).files)

    def locate(self, file: int, language: str, module: str, names: Sequence[str]) -> Located:
        """The file that a module is, those that the names are, and all files that the import reaches."""
        folder = self._paths[file]
        relative, parts = _components(folder, module, language)
        roots = _ROOTS.get(language, frozenset())
        if language in _FOLDER_PACKAGES:
            files = self._folder_files(parts)
            reached = tuple(one for one in files if one != file) if len(files) <= MAX_FOLDER_FILES else ()
            package = self._go_package(module)
            return Located(package if package >= 0 else files[0] if files else -1, [-1] * len(names), reached)
        inner: list[int] = []
        for name in names:  # `from package import module` names a file by the imported name
            found = self._best(file, folder, (*parts, *_named(name)), len(parts) + 1, relative, roots)
            inner.append(-1 if found is None else found)
        outer = self._best(file, folder, parts, 1 if len(parts) < 2 else 2, relative, roots)
        if outer is None and not relative and len(parts) > 1:  # `use a::b::Type`: the type lives in a/b
            outer = self._best(file, folder, parts[:-1], 1 if len(parts) < 3 else 2, relative, roots)
        module_file = -1 if outer is None else outer
        return Located(module_file, inner, tuple(sorted({module_file, *inner} - {file, -1})))

    def _best(
        self,
        file: int,
        folder: tuple[str, ...],
        parts: tuple[str, ...],
        least: int,
        relative: bool,
        roots: frozenset[tuple[str, ...]],
    ) -> int | None:
        if not parts:
            return None
        ranked: list[tuple[int, bool, int, int]] = []
        for place in self._by_last.get(parts[-1].lower(), ()):
            if place.file == file:
                continue
            shared = _common_suffix(place.parts, parts)
            if relative and (shared < len(parts) or len(place.parts) != len(parts)):
                continue
            if shared >= min(least, len(parts)):
                rooted = place.parts[: len(place.parts) - shared] in roots
                ranked.append((shared, rooted, _common_prefix(place.folder, folder), place.file))
        if not ranked:
            return None
        best = max(rank[:3] for rank in ranked)
        winners = {rank[3] for rank in ranked if rank[:3] == best}
        return winners.pop() if len(winners) == 1 else None

    def _go_package(self, path: str) -> int:
        """The first file of a package of a module of this tree, or -1."""
        for module, folder in self._go_modules.items():
            if path == module or path.startswith(module + "/"):
                parts = (folder + path[len(module) :]).strip("/")
                files = self._folders.get(tuple(parts.split("/")) if parts else (), ())
                return files[0] if files else -1
        return -1

    def _folder_files(self, parts: tuple[str, ...]) -> list[int]:
        ends = self._ends.get(parts[-1], []) if parts else []
        best = max((_common_suffix(end, parts) for end in ends), default=0)
        winners = [end for end in ends if _common_suffix(end, parts) == best]
        return self._folders[winners[0]] if len(winners) == 1 and best >= 1 else []


def last_parts(path: str) -> set[str]:
    """The last parts, in lower case, of everything by which an import can name a path."""
    folder, _, name = path.rpartition("/")
    stem = _EXTENSION.sub("", name)
    entry = {folder.rpartition("/")[2].lower()} if stem in _ENTRY and folder else set()
    return {stem.lower()} | entry


def _components(folder: tuple[str, ...], module: str, language: str) -> tuple[bool, tuple[str, ...]]:
    """(relative to the importing file, path components) of a module as written."""
    if module.startswith("."):
        if language == "python":
            dots = len(module) - len(module.lstrip("."))
            base = folder[: len(folder) - (dots - 1)]
            return True, (*base, *(part for part in module.lstrip(".").split(".") if part))
        parts = list(folder)
        for part in _EXTENSION.sub("", module).split("/"):
            if part == "..":
                parts = parts[:-1]
            elif part not in (".", ""):
                parts.append(part)
        return True, tuple(parts)
    bare = _EXTENSION.sub("", module) if "/" in module or language in {"c", "cpp", "zig", "bash"} else module
    parts = [part for part in _SPLIT.split(bare) if part not in _HOLLOW]
    if language == "elixir":
        parts = [_SNAKE.sub("_", part).lower() for part in parts]
    return False, tuple(parts)


def _named(name: str) -> tuple[str, ...]:
    return tuple(part for part in _SPLIT.split(name) if part not in _HOLLOW and part != "*")


def _common_suffix(left: tuple[str, ...], right: tuple[str, ...]) -> int:
    count = 0
    for a, b in zip(reversed(left), reversed(right), strict=False):
        if a != b and a.lower() != b.lower():
            break
        count += 1
    return count


def _common_prefix(left: tuple[str, ...], right: tuple[str, ...]) -> int:
    count = 0
    for a, b in zip(left, right, strict=False):
        if a != b:
            break
        count += 1
    return count
