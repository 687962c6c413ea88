"""What of a world is kept beside its edges, so that the next generation need not find it out again."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from index.columns import Array
from index.snapshot import Snapshot


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
class Learned:
    """What was found out of a world before any reference was bound: what imported names are, the bases of classes
    (CSR), what typed members lead to, which part of a class stands for it, and what (`shown`: files, packages, classes)
    wildcard imports show to which files. `capped`: [1], whether that was too much to follow all of it."""

    bound: Array
    bases_from: Array
    bases: Array
    values: Array
    whole: Array
    shown_by: Array
    shown: Array
    capped: Array

    @classmethod
    def of(cls, snapshot: Snapshot) -> Learned:
        return cls(*(snapshot.array(f"learned/{name}").astype(np.int64) for name in cls.__slots__))

    def arrays(self) -> dict[str, Array]:
        return {f"learned/{name}": getattr(self, name).astype(np.int32) for name in Learned.__slots__}
