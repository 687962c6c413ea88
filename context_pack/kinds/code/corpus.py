"""The interface of an index for code packs: that of one repository, or of several (a fleet's, too) as one."""

from typing import TYPE_CHECKING, Union

if TYPE_CHECKING:
    from context_pack.kinds.code.repositories import Repositories
    from index import Index

# One generation of an index, open for reading; `Index` documents the members. Every list is in a total order.
Corpus = Union["Index", "Repositories"]
