"""Rows of a table of the product: a file of fields separated by tabs, next to the module that reads it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path


def rows(module: str, table: str) -> Iterator[list[str]]:
    """The fields of each row of `table`, in the folder of `module` (its `__file__`).

    Lines that begin with `#` are comments.
    """
    for line in Path(module).with_name(table).read_text(encoding="utf-8").splitlines():
        if not line.startswith("#"):
            yield line.split("\t")
