"""Generations that a team shares: published by whoever indexed a commit first, fetched by everybody else.

    ctxpack-1/VARIANT/COMMIT.json      names the blobs of one generation, their sizes and SHA-256
    ctxpack-1/blobs/SHA256             manifest.json and arrays.bin of a generation, vectors; compressed

A commit's hash names repository and tree, so two clones agree without being told of each other; VARIANT is what else a
generation depends on: the index format, the model, the largest file, the folder inside the repository. Blobs come
first, then the object that names them: a killed publisher leaves blobs that nobody names, never half a generation.

What is fetched is not trusted. Sizes are bounded, checksums compared, a file counts only if the stored text is what the
stored hash says and the local file has that hash; everything else is read from the tree. A failure of the store costs
time, never an answer: `notes` says it.
"""

from __future__ import annotations

import hashlib
import re
import shutil
import zlib
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import orjson

from chunker.kinds import KINDS, REFERENCE_KINDS
from contracts.errors import CtxpackError
from index.fleet.objects import StoreFailure, open_objects
from index.generation.private import FOLDER_MODE, make_private, open_private
from index.generation.reader import INDEX_FORMAT, Snapshot
from index.generation.store import Store
from index.segment.columns import Strings
from index.segment.segment import SCHEMA
from index.tree import git

if TYPE_CHECKING:
    from index.embed.models import ModelSpec
    from index.segment.columns import Array
    from index.segment.segment import Segment

ROOT = "ctxpack-1"
ANCESTORS = 64  # commits that are looked for, newest first
MOST_NAMING_BYTES = 100_000
MOST_BYTES = 4 * 1024**3  # of one part, compressed or not
PARTS = ("manifest.json", "arrays.bin")
VECTORS = "vectors"
LEVEL = 1  # of zlib: 3 times the speed of 6 for a tenth more bytes
FOLDER = "fetched"  # in the home of an index, until a generation is made of it
_SHA256 = re.compile(r"[0-9a-f]{64}")
_STEP = 1 << 22


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
            self._note("nothing is shared of a folder without commits")

    def fetched(self) -> Snapshot | None:
        """The generation of HEAD or of its nearest published ancestor, in a folder that no reader looks at.

        The sizes and times of its files are such that each is compared by content with the one in the tree.
        """
        try:
            found = self._named(self._variant())
            if found is None:
                return None
            parts = {name: self._part(found, name) for name in PARTS}
            folder = self._store.home / FOLDER
            with self._store.translated():
                shutil.rmtree(folder, ignore_errors=True)
                make_private(self._store.home)
                folder.mkdir(FOLDER_MODE)
                for name, data in parts.items():
                    with open(folder / name, "wb", opener=open_private) as file:
                        file.write(data)
            return self._checked(Snapshot(folder))
        except StoreFailure as failure:
            self._note(f"{failure}; this index is made without it")
        except (CtxpackError, KeyError, TypeError, ValueError) as error:
            self._note(f"what is published is damaged ({error}); this index is made without it")
        return None

    def forget_fetched(self) -> None:
        """Remove the folder of `fetched`."""
        shutil.rmtree(self._store.home / FOLDER, ignore_errors=True)

    def publish(self, snapshot: Snapshot) -> None:
        """Publish the generation of HEAD, unless that is done or the tree is not that of HEAD."""
        folder = snapshot.folder
        self._publish(self._variant(), lambda: {name: (folder / name).read_bytes() for name in PARTS})

    def fetched_vectors(self, spec: ModelSpec) -> tuple[list[bytes], Array]:
        """(hashes, float16[n, d]) of a transformer's vectors of the nearest published commit."""
        from index.second_model.vector_file import keys_of

        record = self._record(spec)
        try:
            found = self._named(self._variant(spec))
            records = np.frombuffer(self._part(found, VECTORS) if found else b"", record)
            if not np.isfinite(records["vector"]).all():
                raise ValueError("vectors that are no numbers")
            return keys_of(records), records["vector"]
        except StoreFailure as failure:
            self._note(f"{failure}; vectors are computed here")
        except (KeyError, TypeError, ValueError) as error:
            self._note(f"the published vectors are damaged ({error}); they are computed here")
        return [], np.zeros((0, spec.dimensions), np.float16)

    def publish_vectors(self, spec: ModelSpec, records: Array) -> None:
        """Publish a transformer's vectors of HEAD: (key, vector) as `VectorFile.records` gives them."""
        self._publish(self._variant(spec), lambda: {VECTORS: records.astype(self._record(spec)).tobytes()})

    def _publish(self, variant: str, parts: Any) -> None:
        if not self._commits:
            return
        key = _naming(variant, self._commits[0])
        try:
            if self._objects.first([key]) is not None:
                return
            if self._git("status", "--porcelain", "--untracked-files=normal", "--", ".") != "":
                self._note("nothing is published while the tree has uncommitted changes")
                return
            named = {name: self._put(data) for name, data in parts().items()}
            self._objects.create(key, orjson.dumps({"parts": named}))
        except StoreFailure as failure:
            self._note(f"{failure}; nothing was published")

    def _put(self, data: bytes) -> dict[str, object]:
        packed = zlib.compress(data, LEVEL)
        digest = hashlib.sha256(packed).hexdigest()
        self._objects.create(f"{ROOT}/blobs/{digest}", packed)
        return {"sha256": digest, "bytes": len(packed), "whole": len(data)}

    def _named(self, variant: str) -> dict[str, Any] | None:
        """What the newest published commit among HEAD's ancestors names; None where none is published."""
        key = self._objects.first([_naming(variant, commit) for commit in self._commits])
        data = self._objects.read(key, MOST_NAMING_BYTES) if key else None
        return None if data is None else dict(orjson.loads(data)["parts"])

    def _part(self, named: dict[str, Any], name: str) -> bytes:
        """One part, whole and as it was published. StoreFailure, ValueError, KeyError, TypeError."""
        about = named[name]
        digest, size, whole = about["sha256"], about["bytes"], about["whole"]
        if not (isinstance(digest, str) and _SHA256.fullmatch(digest)):
            raise ValueError(f"{name} has no checksum")
        if not all(isinstance(one, int) and 0 <= one <= MOST_BYTES for one in (size, whole)):
            raise ValueError(f"{name} has no size within {MOST_BYTES:,} bytes")
        packed = self._objects.read(f"{ROOT}/blobs/{digest}", size)
        if packed is None:
            raise ValueError(f"{name} is missing")
        if len(packed) != size or hashlib.sha256(packed).hexdigest() != digest:
            raise ValueError(f"{name} is not as it was written")
        unpacking = zlib.decompressobj()
        try:
            data = unpacking.decompress(packed, whole + 1)
        except zlib.error as error:
            raise ValueError(f"{name}: {error}") from error
        if len(data) != whole or not unpacking.eof:
            raise ValueError(f"{name} has another size than it says")
        return data

    def _checked(self, snapshot: Snapshot) -> Snapshot:
        """ValueError for a generation that is not of this model, or not as it was written."""
        manifest = snapshot.manifest
        if manifest.model_id != self._model_id or not isinstance(manifest.about["vocabulary"], int):
            raise ValueError(f"it is of the model {manifest.model_id}")
        if not snapshot.is_intact():
            raise ValueError("its checksums do not hold")
        segment = snapshot.segment
        _check_numbers(segment)
        texts, digests = segment.strings("file.text"), segment.array("file.hash").tolist()
        skipped, sizes = segment.array("file.skip").tolist(), segment.array("file.size").copy()
        for number, digest in enumerate(digests):
            if skipped[number]:
                continue
            text = bytes(texts.raw(number))
            if hashlib.blake2b(text, digest_size=16).digest() != digest.ljust(16, b"\0"):
                sizes[number] = -1  # not UTF-8, or not what the hash says: it is read from the tree
        snapshot.restamp(sizes, np.full(len(sizes), -1, np.int64))
        return snapshot

    def _variant(self, spec: ModelSpec | None = None) -> str:
        from index.embed.models import cache_key

        prefix = (self._git("rev-parse", "--show-prefix") or "").rstrip("\n")
        about = [INDEX_FORMAT, self._model_id, self._max_file_bytes, prefix, cache_key(spec) if spec else ""]
        return hashlib.blake2b(orjson.dumps(about), digest_size=8).hexdigest()

    def _record(self, spec: ModelSpec) -> np.dtype[Any]:
        from index.second_model.vector_file import KEY_BYTES

        return np.dtype([("key", f"V{KEY_BYTES}"), ("vector", "<f2", (spec.dimensions,))])

    def _git(self, *arguments: str) -> str | None:
        """What git says; None where it refuses, or is not there."""
        try:
            done = git.run(arguments, self._root, settings=git.filters_off(self._root))
        except (OSError, git.GitRefused):
            return None
        return done.output.decode("utf-8", "replace") if done.code == 0 else None

    def _note(self, text: str) -> None:
        self.notes.append(f"{self._uri}: {text}")


def _check_numbers(segment: Segment) -> None:
    """ValueError for rows, names, terms or kinds that lead nowhere."""
    limits = {"names": len(segment.names), "terms": len(segment.terms)}
    kinds = {"reference": len(REFERENCE_KINDS)}
    for level, fields in SCHEMA.items():
        rows = segment.rows[level]
        counts = {len(segment.columns[f"{level}.{name}"]) for name in fields}
        if rows[0] != 0 or (np.diff(rows) < 0).any() or counts != {int(rows[-1])}:
            raise ValueError(f"{level}: rows that lead nowhere")
        for name, kind in fields.items():
            limit = kinds.get(level, len(KINDS)) if name == "kind" else limits.get(kind)
            values = segment.columns[f"{level}.{name}"]
            if limit is None or isinstance(values, Strings) or not len(values):
                continue
            if int(values.min()) < -1 or int(values.max()) >= limit:
                raise ValueError(f"{level}.{name}: numbers that lead nowhere")


def _naming(variant: str, commit: str) -> str:
    return f"{ROOT}/{variant}/{commit}.json"
