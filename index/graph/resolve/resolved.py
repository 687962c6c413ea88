"""Resolved names and references, stored beside the edges so that the next generation can reuse them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from index.generation.reader import Snapshot
from index.segment.columns import Array


@dataclass(frozen=True, slots=True)
class Uses:
    """(reference, definition, among how many it is shared), by reference."""

    reference: Array
    definition: Array
    shared: Array

    def arrays(self) -> dict[str, Array]:
        return {
            "bound/reference": self.reference.astype(np.int32),
            "bound/definition": self.definition.astype(np.int32),
            "bound/shared": self.shared.astype(np.uint8),
        }


@dataclass(frozen=True, slots=True)
class ResolvedNames:
    """Resolved before the references: imported names, the bases of classes (CSR), and the types of members."""

    bound: Array
    bases_from: Array
    bases: Array
    values: Array

    @classmethod
    def of(cls, snapshot: Snapshot) -> ResolvedNames:
        return cls(*(snapshot.array(f"resolved/{name}").astype(np.int64) for name in cls.__slots__))

    def arrays(self) -> dict[str, Array]:
        return {f"resolved/{name}": getattr(self, name).astype(np.int32) for name in ResolvedNames.__slots__}
