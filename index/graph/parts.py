"""What may stand apart from what it belongs to: parts of a class, functions that extend one, packages in others."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from chunker.kinds import KINDS
from index.columns import Array

if TYPE_CHECKING:
    from index.graph.world import World

# A package sees the names of those around it.
NESTED = frozenset({"csharp", "scala"})
# A class is opened again under the same name; in C# only within its namespace.
_REOPENED = frozenset({"ruby", "csharp"})
# Classes of Ruby itself: a program may open them, it does not define them.
_CORE = frozenset(
    "Array BasicObject Binding Class Comparable Complex Dir Encoding Enumerable Enumerator Exception FalseClass Float"
    " Hash IO Integer Kernel Math Method Module NilClass Numeric Object Proc Process Random Range Rational Regexp Set"
    " StandardError String Struct Symbol Thread Time TrueClass UnboundMethod".split()
)
_FUNCTIONS = (KINDS.index("function"), KINDS.index("method"))


def whole_classes(world: World) -> Array:
    """int64 by definition: of the parts of one class the one that stands for it, for everything else itself.

    That is the part in the file of the class's name, or the one with the most members.
    """
    whole = np.arange(world.definitions)
    rows = np.flatnonzero(world.is_class & world.speaks(_REOPENED)[world.file])
    if not len(rows):
        return whole
    file = world.file[rows]
    is_namespaced = world.speaks(frozenset({"csharp"}))[file]
    place = np.where(is_namespaced, world.package_place(file), world.family[file])
    at_home = np.array([_is_home(world, row) for row in rows.tolist()], bool)
    members = np.unique(world.keys.of(world.file, -1, world.container), return_counts=True)
    own = world.keys.of(file, -1, world.qualified[rows])
    at = np.minimum(np.searchsorted(members[0], own), len(members[0]) - 1)
    count = np.where(members[0][at] == own, members[1][at], 0)
    key = world.keys.of(place, -1, world.qualified[rows])
    order = np.lexsort((rows, -count, ~at_home, key))
    first = np.ones(len(rows), bool)
    first[1:] = key[order][1:] != key[order][:-1]
    whole[rows[order]] = rows[order][np.flatnonzero(first)[np.cumsum(first) - 1]]
    return whole


def _is_home(world: World, row: int) -> bool:
    """Whether a file is called like the class that it defines a part of."""
    stem = world.paths[int(world.file[row])].rpartition("/")[2].partition(".")[0]
    return stem.replace("_", "").lower() == world.segment.names[int(world.name[row])].replace("_", "").lower()


def packages_around(world: World) -> Array:
    """For each package the nearest one around it whose names it sees: those of C# and Scala nest."""
    found = np.full(world.packages, -1, np.int64)
    names = world.segment.names
    nested = np.unique(world.package[world.speaks(NESTED)])
    for (family, name), number in world.package_names.items():
        path = names[name] if number in nested and not isinstance(name, str) else ""
        while found[number] < 0 and "." in path:
            path = path.rpartition(".")[0]
            found[number] = world.package_names.get((family, names.find(path)), -1)
    return found


def core_classes(world: World) -> Array:
    """bool by definition: classes of the language itself that a program opens."""
    numbers = [at for name in sorted(_CORE) if (at := world.segment.names.find(name)) >= 0]
    is_ruby = world.speaks(frozenset({"ruby"}))[world.file]
    found: Array = world.is_class & (world.container < 0) & is_ruby & np.isin(world.name, numbers)
    return found


def extensions(world: World) -> tuple[Array, Array]:
    """(definitions that extend a class of elsewhere, the name of that class): Kotlin's by their scope, C#'s as their
    `this` says."""
    segment = world.segment
    is_function = np.isin(world.kind, _FUNCTIONS)
    is_kotlin = world.speaks(frozenset({"kotlin"}))[world.file]
    rows = np.flatnonzero((world.kind == KINDS.index("function")) & is_kotlin & (world.container >= 0))
    # A function in a function has a scope, too.
    around = np.unique(world.keys.of(world.file, -1, world.qualified)[is_function & is_kotlin])
    rows = rows[~np.isin(world.keys.of(world.file[rows], -1, world.container[rows]), around)]
    typed = np.arange(len(segment.array("typed.name")))
    symbol = world.pointed("typed", "symbol", "definition", typed)
    is_csharp = world.speaks(frozenset({"csharp"}))[world.file_of("typed")]
    typed = typed[(symbol >= 0) & is_csharp]
    symbol = symbol[typed]
    container = segment.array("typed.container")[typed].astype(np.int64)
    apart = (segment.array("typed.name")[typed] == world.name[symbol]) & (container != world.container[symbol])
    apart &= is_function[symbol]
    return np.concatenate([rows, symbol[apart]]), np.concatenate([world.container[rows], container[apart]])
