"""Whether a store can hold a fleet: conditional writes, lists that show what was written, no commit lost."""

from __future__ import annotations

import secrets
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

from contracts.errors import InvalidRequest
from index.fleet.engine import lance, location, open_table, store_errors
from index.fleet.lease import Lease
from index.fleet.objects import Objects, StoreFailure, open_objects

WRITERS, COMMITS, ROWS = 4, 10, 10


def prove(uri: str) -> dict[str, object]:
    """What was tried, with its figures. InvalidRequest where the store is not fit, IOFailure where it does not answer.

    Everything is written under a name that nobody else has, and removed again.
    """
    lance()
    uri = location(uri)
    if "://" not in uri:
        Path(uri).mkdir(parents=True, exist_ok=True)
    name = f"proof-{secrets.token_hex(8)}"
    objects = open_objects(uri)
    try:
        with store_errors(uri):
            _conditional(objects, f"{name}/object")
            began = time.perf_counter()
            lost = _commits(uri, objects, f"{name}.lance")
            spent = time.perf_counter() - began
        if lost:
            raise InvalidRequest("fleet", f"{uri} lost {lost} of {WRITERS * COMMITS} commits of {WRITERS} writers")
    finally:
        with suppress(StoreFailure):
            for folder in (name, f"{name}.lance"):
                for key in list(objects.keys(folder)):
                    objects.remove(key)
    return {
        "conditional_writes": True, "writers": WRITERS, "commits": WRITERS * COMMITS, "lost": 0,
        "commits_per_s": round(WRITERS * COMMITS / spent, 1),
    }  # fmt: skip


def _conditional(objects: Objects, key: str) -> None:
    made, again = objects.create(key, b"1"), objects.create(key, b"2")
    if not made or again or objects.read(key, 10) != b"1":
        raise InvalidRequest("fleet", "the store has no conditional writes: writers could lose objects")
    if key not in objects.keys(key.partition("/")[0]):
        raise InvalidRequest("fleet", "the store does not list what was written")


def _commits(uri: str, objects: Objects, table: str) -> int:
    """How many of the commits of several writers are lost, each written under a lease."""
    import pyarrow as pa

    package = lance()
    package.write_dataset(pa.table({"writer": pa.array([], pa.int64())}), f"{uri}/{table}")

    def write(writer: int) -> None:
        for _ in range(COMMITS):
            with Lease(objects):
                rows = pa.table({"writer": pa.array([writer] * ROWS, pa.int64())})
                package.write_dataset(rows, f"{uri}/{table}", mode="append")

    with ThreadPoolExecutor(WRITERS) as pool:
        list(pool.map(write, range(WRITERS)))
    return WRITERS * COMMITS - int(open_table(uri, table).count_rows()) // ROWS
