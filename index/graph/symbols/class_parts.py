"""Parts of a class outside its body: reopened classes, functions that extend one, constructors of a type."""

from __future__ import annotations

import numpy as np

from index.graph.symbols.lookup import Lookup, kinds, run_starts
from index.graph.symbols.numbering import Numbering
from index.segment.columns import Array
from index.types import SymbolId


def whole_classes(table: Numbering) -> Array:
    """int64 by definition: of the parts of one class the one that stands for it, for everything else itself.

    That is the part in the file of the class's name, or the one with the most members.
    """
    whole = np.arange(table.definitions)
    rows = np.flatnonzero(table.is_class & table.files_where(lambda rules: rules.reopens_classes)[table.file])
    file, qualified = table.file[rows], table.qualified[rows]
    # Where files declare packages, parts of one class stand in one package.
    is_declared = table.files_where(lambda rules: rules.package == "declared")[file]
    place = np.where(is_declared, table.package_place(file), table.family[file])
    at_home = np.array([_is_home(table, SymbolId(row)) for row in rows.tolist()], bool)
    members = Lookup((table.keys.of(table.file, -1, table.container), whole))
    count = members.place(table.keys.of(file, -1, qualified))[1]
    key = table.keys.of(place, -1, qualified)
    order = np.lexsort((rows, -count, ~at_home, key))
    first = run_starts(key[order])
    whole[rows[order]] = rows[order][np.flatnonzero(first)[np.cumsum(first) - 1]]
    return whole


def _is_home(table: Numbering, row: SymbolId) -> bool:
    """Whether a file is called like the class that it defines a part of."""
    stem = table.paths[int(table.file[row])].rpartition("/")[2].partition(".")[0]
    return stem.replace("_", "").lower() == table.names[int(table.name[row])].replace("_", "").lower()


def extension_functions(table: Numbering) -> tuple[Array, Array]:
    """(definitions that extend a class of elsewhere, the name of that class): by their scope, or as the type of a
    parameter says."""
    is_function = kinds("function", "method")[table.kind]
    by_scope = table.files_where(lambda rules: rules.extensions_by == "scope")[table.file]
    rows = np.flatnonzero(kinds("function")[table.kind] & by_scope & (table.container >= 0))
    # A function in a function has a scope, too.
    around = np.unique(table.keys.of(table.file, -1, table.qualified)[is_function & by_scope])
    rows = rows[~np.isin(table.keys.of(table.file[rows], -1, table.container[rows]), around)]
    by_parameter = table.files_where(lambda rules: rules.extensions_by == "parameter")
    typed = np.flatnonzero(by_parameter[table.file_of("typed")])
    symbol = table.pointed("typed", "symbol", "definition", typed)
    typed, symbol = typed[symbol >= 0], symbol[symbol >= 0]
    container = table.segment.array("typed.container")[typed].astype(np.int64)
    apart = (table.segment.array("typed.name")[typed] == table.name[symbol]) & (container != table.container[symbol])
    apart &= is_function[symbol]
    return np.concatenate([rows, symbol[apart]]), np.concatenate([table.container[rows], container[apart]])


def named_parts(table: Numbering) -> tuple[Array, Array]:
    """(types, the names of their constructors and fields) where these names mean the type."""
    nothing = np.zeros(0, np.int64)
    applies = table.files_where(lambda rules: rules.constructors_mean_types)
    typed_file = table.file_of("typed")
    container, name = (table.segment.array(f"typed.{part}").astype(np.int64) for part in ("container", "name"))
    at = np.flatnonzero(applies[typed_file] & (container >= 0))
    types = np.flatnonzero(applies[table.file] & kinds("type")[table.kind])
    if not len(at) or not len(types):
        return nothing, nothing
    by_name = Lookup((table.keys.of(table.file[types], -1, table.qualified[types]), types))
    type_ = by_name.find(table.keys.of(typed_file[at], -1, container[at]))
    good = (type_ >= 0) & (name[at] != table.name[np.maximum(type_, 0)])
    pairs = np.unique(np.stack([type_[good], name[at[good]]], axis=1), axis=0)
    return pairs[:, 0], pairs[:, 1]
