"""Generations that a team shares: the first to index a commit publishes it, everybody else fetches it.

    ctxpack-1/VARIANT/COMMIT.json      names the blobs of one generation, their sizes and SHA-256
    ctxpack-1/blobs/SHA256             manifest.json and arrays.bin of a generation, vectors; compressed

A commit's hash identifies repository and tree, so clones agree without coordination; VARIANT is a hash of the index
format, the model, the largest file size and the folder inside the repository.

A store is not trusted: a file counts only if its stored text has the stored hash and the local file has that hash;
every other file is read from the tree. A failure of the store costs time, never an answer; `notes` reports it.
"""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import orjson

from contracts.errors import CtxpackError
from index.embed.models import ModelSpec, cache_key
from index.fleet import published
from index.fleet.objects import StoreFailure, open_objects
from index.generation.private import make_private
from index.generation.reader import INDEX_FORMAT, Snapshot
from index.generation.store import Store
from index.second_model.vectors import record_type
from index.segment.columns import Array
from index.tree import git

ANCESTORS = 64  # commits to look for, newest first
VECTORS = "vectors"
FOLDER = "fetched"  # in the home of an index, until it is turned into a generation


class Share:
    """The generations of one repository in a store. `notes` says what could not be fetched or published, and why."""

    def __init__(self, uri: str, root: Path, store: Store, model_id: str, max_file_bytes: int) -> None:
        self.notes: list[str] = []
        self._uri = uri
        self._objects = open_objects(uri)
        self._root = root
        self._store = store
        self._model_id = model_id
        self._max_file_bytes = max_file_bytes
        self._commits = (self._git("rev-list", f"--max-count={ANCESTORS}", "HEAD") or "").split()
        if not self._commits:
            self._note("a folder without commits cannot be shared")

    def fetched(self) -> Snapshot | None:
        """The generation of HEAD or of its nearest published ancestor, in a folder that no reader looks at.

        Its files are given sizes and times that force a comparison by content with the tree.
        """
        with self._failure_notes("the published index is", "this index is built without it"):
            named = self._newest(self._variant())
            if named is None:
                return None
            with self._store.translated():
                make_private(self._store.home)
                snapshot = published.fetch(self._objects, named, self._store.home / FOLDER, self._model_id)
            sizes = published.trusted_sizes(snapshot)
            snapshot.restamp(sizes, np.full(len(sizes), -1, np.int64))
            return snapshot
        return None

    def forget_fetched(self) -> None:
        """Remove the folder of `fetched`."""
        shutil.rmtree(self._store.home / FOLDER, ignore_errors=True)

    def publish(self, snapshot: Snapshot) -> None:
        """Publish the generation of HEAD, unless it is published or the tree differs from HEAD."""
        self._publish(self._variant(), lambda: {one: (snapshot.folder / one).read_bytes() for one in published.FILES})

    def fetched_vectors(self, spec: ModelSpec) -> tuple[list[bytes], Array]:
        """(hashes, float16[n, d]) of a transformer's vectors of the nearest published commit."""
        with self._failure_notes("the published vectors are", "vectors are computed here"):
            named = self._newest(self._variant(spec))
            data = published.part(self._objects, named, VECTORS) if named else b""
            records = np.frombuffer(data, record_type(spec.dimensions))
            if not np.isfinite(records["vector"]).all():
                raise ValueError("vectors that are not numbers")
            return records["key"].tolist(), records["vector"]
        return [], np.zeros((0, spec.dimensions), np.float16)

    def publish_vectors(self, spec: ModelSpec, records: Array) -> None:
        """Publish a transformer's vectors of HEAD: (key, vector) as returned by `VectorFile.records`."""
        self._publish(self._variant(spec), lambda: {VECTORS: records.tobytes()})

    def _publish(self, variant: str, parts: Callable[[], Mapping[str, bytes]]) -> None:
        if not self._commits:
            return
        key = _key(variant, self._commits[0])
        try:
            if self._objects.first([key]) is not None:
                return
            status = self._git("status", "--porcelain=v2", "--branch", "--untracked-files=normal", "--", ".") or ""
            lines = status.splitlines()
            if f"# branch.oid {self._commits[0]}" not in lines or not all(line.startswith("# ") for line in lines):
                self._note("nothing was published, because the tree has uncommitted changes or another commit by now")
                return
            names = {name: published.put(self._objects, data) for name, data in parts().items()}
            published.put_names(self._objects, key, names)
        except StoreFailure as failure:
            self._note(f"{failure}; nothing was published")

    @contextmanager
    def _failure_notes(self, damaged: str, outcome: str) -> Iterator[None]:
        """Turn failures of the store and damaged parts into notes."""
        try:
            yield
        except StoreFailure as failure:
            self._note(f"{failure}; {outcome}")
        except (CtxpackError, KeyError, TypeError, ValueError) as error:
            self._note(f"{damaged} damaged ({error}); {outcome}")

    def _newest(self, variant: str) -> dict[str, Any] | None:
        """The parts of the newest published commit among HEAD and its ancestors; None if none is published."""
        key = self._objects.first([_key(variant, commit) for commit in self._commits])
        return published.parts_under(self._objects, key) if key else None

    def _variant(self, spec: ModelSpec | None = None) -> str:
        prefix = (self._git("rev-parse", "--show-prefix") or "").rstrip("\n")
        about = [INDEX_FORMAT, self._model_id, self._max_file_bytes, prefix, cache_key(spec) if spec else ""]
        return hashlib.blake2b(orjson.dumps(about), digest_size=8).hexdigest()

    def _git(self, *arguments: str) -> str | None:
        """The output of git; None if it fails or is not installed."""
        try:
            done = git.run(arguments, self._root, settings=git.filters_off(self._root))
        except (OSError, git.GitRefused):
            return None
        return done.output.decode("utf-8", "replace") if done.code == 0 else None

    def _note(self, text: str) -> None:
        self.notes.append(f"{self._uri}: {text}")


def _key(variant: str, commit: str) -> str:
    return f"{published.ROOT}/{variant}/{commit}.json"
