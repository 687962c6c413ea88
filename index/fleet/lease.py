"""Lets one process at a time write a fleet's tables: the holder of the store's newest lease.

    ctxpack-1/fleet-lease/000012            when it ends; a conditional write, which only one of two writers wins
    ctxpack-1/fleet-lease/000012.released   it ended earlier

If a holder dies, another process follows when its lease ends. The tables stay intact even if two processes write at
once (their commits are conditional too): a lease avoids wasted work and duplicate rows. `prove` tests whether a store
supports all this.
"""

from __future__ import annotations

import secrets
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

import orjson

from contracts.errors import IndexLocked, InvalidRequest, IOFailure
from index.fleet.catalog import lance, location, open_table, store_errors
from index.fleet.objects import Objects, StoreFailure, open_objects
from index.fleet.published import ROOT

LEASE_S = 60.0  # the clocks of writers must agree within a small part of it
RENEW_S = 20.0
LOOK_S = 0.2
FOLDER = f"{ROOT}/fleet-lease"
MAX_BYTES = 1_000
WRITERS, COMMITS, ROWS = 4, 10, 10  # of one `prove`


class Lease:
    """A lease, used in a `with`. IndexLocked if another one lasts longer than `wait_s`, IOFailure."""

    def __init__(self, objects: Objects, wait_s: float = 300.0) -> None:
        self._objects, self._wait_s = objects, wait_s
        self._number, self._until, self._lost = 0, 0.0, False
        self._end = threading.Event()
        self._renewing = threading.Thread(target=self._renew, daemon=True)

    def __enter__(self) -> Lease:
        until = time.monotonic() + self._wait_s
        try:
            while not self._take():
                if time.monotonic() > until:
                    raise IndexLocked(
                        f"another process has been writing the fleet for more than {self._wait_s:g} s",
                        hint="wait for it; if it was killed, the fleet is free again after a minute",
                    )
                time.sleep(LOOK_S)
        except StoreFailure as failure:
            raise IOFailure(f"the fleet cannot be written: {failure}") from failure
        except (KeyError, TypeError, ValueError) as error:
            hint = "remove it if no process writes the fleet"
            raise IOFailure(f"the folder {FOLDER} of the store is damaged: {error}", hint=hint) from error
        self._renewing.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._end.set()
        self._renewing.join()
        try:
            self._objects.create(f"{_key(self._number)}.released", b"")
        except StoreFailure:
            return  # the lease expires by itself

    def check(self) -> None:
        """IndexLocked if the lease has expired: this process was suspended, and another one may write."""
        if self._lost or time.time() >= self._until:
            raise IndexLocked("this process was suspended and lost its turn to write the fleet", hint="run it again")

    def _take(self) -> bool:
        keys = sorted(self._objects.keys(FOLDER))
        numbers = [int(key.rpartition("/")[2].partition(".")[0]) for key in keys]
        last = max(numbers, default=0)
        if last and f"{_key(last)}.released" not in keys:
            lease = self._objects.read(_key(last), MAX_BYTES)
            if lease is not None and orjson.loads(lease)["until"] > time.time():
                return False
        if not self._hold(last + 1):
            return False
        for number, key in zip(numbers, keys, strict=True):
            if number < last:
                self._objects.remove(key)
        return True

    def _hold(self, number: int) -> bool:
        until = time.time() + LEASE_S
        if not self._objects.create(_key(number), orjson.dumps({"until": until})):
            return False
        self._number, self._until = number, until
        return True

    def _renew(self) -> None:
        while not (self._lost or self._end.wait(RENEW_S)):
            try:
                self._lost = not self._hold(self._number + 1)
            except StoreFailure:
                continue  # try again at the next renewal


def _key(number: int) -> str:
    return f"{FOLDER}/{number:06d}"


def prove(uri: str) -> dict[str, object]:
    """Test whether a store can hold a fleet: conditional writes, listing of written objects, no lost commits. The
    figures.

    InvalidRequest if the store is unfit, IOFailure if it does not answer.

    Everything is written under a unique name and removed afterwards.
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
    first, second = objects.create(key, b"1"), objects.create(key, b"2")
    if not first or second or objects.read(key, 10) != b"1":
        raise InvalidRequest("fleet", "the store does not support conditional writes, so writers could lose objects")
    if key not in objects.keys(key.partition("/")[0]):
        raise InvalidRequest("fleet", "the store does not list what was written")


def _commits(uri: str, objects: Objects, table: str) -> int:
    """The number of lost commits when several writers commit at once, each under a lease."""
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
