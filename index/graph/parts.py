"""What may stand apart from what it belongs to: parts of a class, functions that extend one, packages in others."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from chunker.kinds import KINDS
from index.columns import Array
from index.graph.lookup import Lookup

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
# The methods of a class are names of its file; those of an instance are only called through the class.
_TYPE_CLASSES = frozenset({"haskell"})
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


def named_parts(world: World) -> tuple[Array, Array]:
    """(types of Haskell, the names of their constructors and fields): these names mean the type."""
    segment, nothing = world.segment, np.zeros(0, np.int64)
    typed = world.file_of("typed")
    at = np.flatnonzero(world.speaks(_TYPE_CLASSES)[typed] & (segment.array("typed.container") >= 0))
    types = np.flatnonzero(world.speaks(_TYPE_CLASSES)[world.file] & (world.kind == KINDS.index("type")))
    if not len(at) or not len(types):
        return nothing, nothing
    found = Lookup(world.keys.of(world.file[types], -1, world.qualified[types]), types).find(
        world.keys.of(typed[at], -1, segment.array("typed.container")[at])
    )
    name = segment.array("typed.name")[at].astype(np.int64)
    good = (found >= 0) & (name != world.name[np.maximum(found, 0)])
    pairs = np.unique(np.stack([found[good], name[good]], axis=1), axis=0)
    return pairs[:, 0], pairs[:, 1]


def type_classes(world: World) -> tuple[Array, Array]:
    """Which definitions are methods of a type class, and which those of an instance: by what stands above them."""
    row = np.flatnonzero(world.speaks(_TYPE_CLASSES)[world.file] & (world.container >= 0))
    is_class, is_instance = (world.kind == KINDS.index("trait")), (world.kind == KINDS.index("impl"))
    above = np.maximum.accumulate(np.where(is_class | is_instance, np.arange(world.definitions), 0))[row]
    found = np.zeros((2, world.definitions), bool)
    found[0, row], found[1, row] = is_class[above], is_instance[above]
    return found[0], found[1]


def uncalled_tests(world: World) -> Array:
    """Which definitions are Zig's tests, that nobody can call: their scope is a keyword there."""
    rows = np.flatnonzero(world.is_type_file[world.file] & (world.container >= 0))
    names = world.segment.names
    scopes = [one for one in np.unique(world.container[rows]).tolist() if names[one].rpartition(".")[2] == "test"]
    found = np.zeros(world.definitions, bool)
    found[rows] = np.isin(world.container[rows], scopes)
    return found
