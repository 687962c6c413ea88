"""The rows of one repository at one commit: a pure function of its generation."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import orjson

from chunker.kinds import KINDS
from contracts.errors import InvalidRequest
from index.fleet.blocks import FORMAT
from index.fleet.catalog import Repository
from index.fleet.published import ROOT
from index.generation.reader import INDEX_FORMAT, Snapshot
from index.segment.columns import Array
from index.tree import git

_hash = partial(hashlib.blake2b, digest_size=8)
MOST_TF = 4  # times that a term is repeated: BM25 hardly tells more of them apart


@dataclass(frozen=True, slots=True, eq=False)
class FleetRows:
    """A repository at a commit, its generation, and `rows`, the table of its chunks."""

    repository: Repository
    snapshot: Snapshot
    rows: Any


def clean_commit(root: Path) -> str:
    """The commit that a tree is exactly. InvalidRequest where there is none, or something differs."""
    commands = (("rev-parse", "HEAD"), ("status", "--porcelain", "--untracked-files=normal", "--", "."))
    try:
        head, changed = (git.run(one, root, settings=git.filters_off(root)) for one in commands)
    except (OSError, git.GitRefused) as error:
        raise InvalidRequest("trees", f"{root}: {error}") from error
    if head.code or changed.code:
        raise InvalidRequest("trees", f"{root} is no repository with a commit", hint="a fleet holds what is committed")
    if changed.output:
        raise InvalidRequest("trees", f"{root} has uncommitted changes", hint="commit them, or index a clone")
    return head.output.decode("ascii").strip()


def rows_of(name: str, commit: str, snapshot: Snapshot, readers: Sequence[str] = ()) -> FleetRows:
    """The rows of a generation, one a chunk, in its order; everybody may read them where there are no `readers`.

    Each set of readers has a table of its own: neither statistics nor indexes of one tell of the rows of another.
    """
    import pyarrow as pa

    segment, file = snapshot.segment, snapshot.array("chunk_file")
    paths, languages = snapshot.strings("file.path").to_list(), snapshot.strings("file.language").to_list()
    blobs = [blob.ljust(16, b"\0") for blob in segment.array("file.hash").tolist()]
    abouts = [
        f"{name}\0{path}\0".encode("utf-8", "surrogatepass") + blob for path, blob in zip(paths, blobs, strict=True)
    ]  # a file's key is equal where repository, path and content are
    keys = np.array([int.from_bytes(_hash(one).digest(), "little") for one in abouts], np.uint64)
    names, files = segment.names.to_list(), file.tolist()
    vectors = segment.array("chunk.vector").astype(np.float16)
    count = len(files)
    symbols = [names[one] if one >= 0 else None for one in segment.array("chunk.symbol").tolist()]
    rows = pa.table(
        {
            "repository": pa.array([name] * count, pa.string()),
            "commit": pa.array([commit] * count, pa.string()),
            "path": pa.array([paths[one] for one in files], pa.string()),
            "blob": pa.array([blobs[one] for one in files], pa.binary(16)),
            "file_key": pa.array(keys[file] if count else [], pa.uint64()),
            "start_line": pa.array(segment.array("chunk.start_line"), pa.int32()),
            "end_line": pa.array(segment.array("chunk.end_line"), pa.int32()),
            "language": pa.array([languages[one] for one in files], pa.string()),
            "kind": pa.array([KINDS[one] for one in segment.array("chunk.kind").tolist()], pa.string()),
            "symbol": pa.array(symbols, pa.string()),
            "terms": pa.array(_terms(snapshot, file), pa.string()),
            "vector": pa.FixedSizeListArray.from_arrays(pa.array(vectors.reshape(-1)), vectors.shape[1]),
        }
    )
    about = [name, INDEX_FORMAT, FORMAT, snapshot.manifest.model_id]
    generation = f"{ROOT}/fleet/{_hash(orjson.dumps(about)).hexdigest()}/{commit}.json"
    table = f"chunks-{_hash(orjson.dumps(sorted(set(readers)))).hexdigest()}.lance" if readers else "chunks.lance"
    repository = Repository(name, commit, generation, frozenset(readers), table, np.sort(keys), count)
    return FleetRows(repository, snapshot, rows)


def _terms(snapshot: Snapshot, file: Array) -> list[str]:
    """The terms of each chunk as our own index has them, blank-separated, and those of its file's path."""
    segment = snapshot.segment
    terms = np.array(segment.terms.to_list(), object)
    chunk = segment.absolute("body", "chunk", "chunk")
    order = chunk.argsort(kind="stable")
    times = np.minimum(segment.array("body.tf"), MOST_TF)[order]
    words = terms[segment.array("body.term")[order].repeat(times)]
    bounds = np.searchsorted(chunk[order].repeat(times), np.arange(len(file) + 1)).tolist()
    path, ends = terms[segment.array("path.term")], segment.rows["path"].tolist()
    of_path = [" ".join(path[start:end]) for start, end in pairwise(ends)]
    return [
        f"{' '.join(words[bounds[number] : bounds[number + 1]])} {of_path[one]}"
        for number, one in enumerate(file.tolist())
    ]
