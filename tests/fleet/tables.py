"""A fleet in a store, made of small folders."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from index import build_index
from index.fleet.tables import FleetRows, FleetTables, rows_of


def put(uri: str, name: str, root: Path, home: Path, readers: Sequence[str] = (), commit: str = "0" * 40) -> int:
    """Makes a folder's current state the live state of a repository; returns the number of appended rows."""
    snapshot = build_index(root, home=home, model="embedded").snapshot
    return put_rows(FleetTables(uri), rows_of(name, commit, snapshot, readers))[name]


def put_rows(store: FleetTables, rows: FleetRows) -> dict[str, int]:
    """Makes this the live state of its repository; returns the number of appended rows by its name."""
    return store.commit([store.stage(rows, store.repositories().get(rows.repository.name))])[0]
