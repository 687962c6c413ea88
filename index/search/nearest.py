"""Finds the names that a name which nothing defines may mean: of members of its type, of types, of fields."""

from __future__ import annotations

from chunker.kinds import TYPES
from index.collection.collection import Collection
from index.search.definitions import RARE, definitions
from index.search.fields.fields import Fields
from index.search.names import NearNames, is_near, name_table
from index.search.spelling import folded, is_compound_name
from index.types import Near


class NearestNames:
    """The names of one generation, in tables that are made when they are first needed."""

    def __init__(self, collection: Collection, fields: Fields) -> None:
        self._collection, self._fields = collection, fields
        self._tables: dict[str, NearNames] = {}

    def of(self, name: str, limit: int) -> list[Near]:
        """See `Index.nearest`; the name has dots between its parts."""
        if "." not in name:
            return self._near("name", name, limit) or self._fields.near(name, limit)
        owner, _, member = name.rpartition(".")
        types = [one.row for one in definitions(self._collection, owner) if one.row.kind in TYPES and not one.tier]
        if types:  # a member that it inherits from outside the tree may be like any other member of it
            others = self._near("qualified", f"{types[0].qualified}.{member}", limit)
            others = [near for near in others if is_near(member, near.name.rpartition(".")[2])]
            others = sorted([*others, *self._fields.near(name, limit)], key=lambda near: near.distance)[:limit]
            return others or [Near(owner, 1.0)]
        # `Cart.totl` is no `cartTotl`, unless only the case and the dots differ.
        whole = self._near("qualified", name, limit)
        whole = [one for one in whole if one.distance < 1 or is_near(member, one.name.rpartition(".")[2])]
        if not whole and is_compound_name(member):
            whole = self._elsewhere(owner, member)
        return whole or [near for near in self._near("name", member, limit) if near.distance]

    def _elsewhere(self, owner: str, member: str) -> list[Near]:
        """The members of other types: `CartItemFactory.make` for `ItemFactory.make`; none if there are many."""
        own = {one.row.qualified: None for one in definitions(self._collection, member) if not one.tier}
        type_name = folded(owner.rpartition(".")[2])
        alike = [one for one in own if type_name in folded(one.rpartition(".")[0])] or [*own]
        return [Near(one, 1.0) for one in sorted(alike, key=len)] if len(alike) <= RARE else []

    def _near(self, column: str, name: str, limit: int) -> list[Near]:
        if column not in self._tables:
            self._tables[column] = name_table(self._collection, column)
        return self._tables[column].near(name, limit)
