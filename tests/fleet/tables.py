"""A fleet in a store, made of small repositories, by the schema that its readers know."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import orjson

from chunker.kinds import KINDS
from index import build_index
from index.fleet import published
from index.fleet.objects import open_objects


def table_of(readers: Sequence[str]) -> str:
    digest = hashlib.blake2b(orjson.dumps(sorted(readers)), digest_size=8).hexdigest()
    return f"chunks-{digest}.lance" if readers else "chunks.lance"


def rows(name: str, root: Path, home: Path, uri: str, readers: Sequence[str] = ()) -> tuple[Any, dict[str, Any]]:
    """(the chunk rows, the row of the repository), with its generation published."""
    import pyarrow as pa

    snapshot = build_index(root, home=home, model="embedded").snapshot
    segment, paths = snapshot.segment, snapshot.strings("file.path").to_list()
    hashes = [one.ljust(16, b"\0") for one in segment.array("file.hash").tolist()]
    keys = np.array([_key(name, *one) for one in zip(paths, hashes, strict=True)], np.uint64)
    terms = segment.terms.to_list()
    words: list[list[str]] = [[] for _ in snapshot.array("chunk_file")]
    body = zip(
        segment.absolute("body", "chunk", "chunk").tolist(), segment.array("body.term").tolist(),
        segment.array("body.tf").tolist(), strict=True,
    )  # fmt: skip
    for chunk, term, count in body:
        words[chunk] += [terms[term]] * min(count, 4)
    files, names = snapshot.array("chunk_file").tolist(), segment.names.to_list()
    of_path = segment.array("path.term").tolist()
    bounds = segment.rows["path"].tolist()
    for chunk, file in enumerate(files):
        words[chunk] += [terms[term] for term in of_path[bounds[file] : bounds[file + 1]]]
    vectors = segment.array("chunk.vector").astype(np.float16)
    generation = f"fleet/{name}/{hashlib.blake2b(b''.join(hashes), digest_size=8).hexdigest()}.json"
    published.publish(open_objects(uri), generation, published.parts_of(snapshot))
    count = len(files)
    table = pa.table(
        {
            "repository": pa.array([name] * count),
            "commit": pa.array(["0" * 40] * count),
            "path": pa.array([paths[file] for file in files]),
            "blob": pa.array([hashes[file] for file in files], pa.binary(16)),
            "file_key": pa.array(keys[files], pa.uint64()),
            "start_line": pa.array(segment.array("chunk.start_line"), pa.int32()),
            "end_line": pa.array(segment.array("chunk.end_line"), pa.int32()),
            "kind": pa.array([KINDS[one] for one in segment.array("chunk.kind").tolist()]),
            "symbol": pa.array([names[one] if one >= 0 else None for one in segment.array("chunk.symbol").tolist()]),
            "terms": pa.array([" ".join(one) for one in words]),
            "vector": pa.FixedSizeListArray.from_arrays(pa.array(vectors.reshape(-1)), vectors.shape[1]),
        }
    )
    about = {
        "name": name, "commit": "0" * 40, "generation": generation, "files": len(paths), "chunks": count,
        "readers": list(readers), "table": table_of(readers), "live": np.sort(keys).tobytes(),
    }  # fmt: skip
    return table, about


def _key(name: str, path: str, blob: bytes) -> int:
    return int.from_bytes(hashlib.blake2b(f"{name}\0{path}\0".encode() + blob, digest_size=8).digest(), "little")


def add(uri: str, table: Any, about: dict[str, Any], *, indexed: bool = True) -> None:
    """Append the rows of a repository, and flip it."""
    import lance
    import pyarrow as pa

    place = f"{uri}/{about['table']}"
    fields = [("name", "string"), ("commit", "string"), ("generation", "string"), ("table", "string"),
              ("files", "int64"), ("chunks", "int64"), ("live", "binary")]  # fmt: skip
    schema = pa.schema([*((name, getattr(pa, kind)()) for name, kind in fields), ("readers", pa.list_(pa.string()))])
    written = lance.write_dataset(table, place, mode="append" if Path(place).exists() else "create")
    if indexed and not written.describe_indices():
        written.create_scalar_index(
            "terms", "INVERTED", name="terms_idx", base_tokenizer="whitespace", stem=False, lower_case=False,
            remove_stop_words=False, ascii_folding=False, max_token_length=None, with_position=False,
        )  # fmt: skip
    repositories = f"{uri}/repositories.lance"
    if Path(repositories).exists():
        lance.dataset(repositories).delete(f"name = '{about['name']}'")
    lance.write_dataset(
        pa.Table.from_pylist([about], schema), repositories, mode="append" if Path(repositories).exists() else "create"
    )
